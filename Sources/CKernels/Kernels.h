#pragma once

#include "CKernels.h"

#if defined(__x86_64__)
/// ``scaleaudio_interpolate`` for processors with AVX2.
void scaleaudio_interpolate_avx2(
  enum scaleaudio_kernel_sample sample, const struct scaleaudio_interpolation *work);
#endif
