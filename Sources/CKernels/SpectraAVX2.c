// The transform with AVX2, without fused multiply-add.

#include "Tables.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define LEVEL(NAME) scaleaudio_##NAME##_avx2
#include "Transform.h"
#pragma clang attribute pop
#endif
