// The choice of a kernel for the processor, and the portable kernel.

#include "CKernels.h"
#include "Definition.h"
#include "Kernels.h"

enum scaleaudio_kernel_level scaleaudio_kernel_best_level(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return SCALEAUDIO_KERNEL_AVX2;
#endif
  return SCALEAUDIO_KERNEL_PORTABLE;
}

void scaleaudio_interpolate(
  enum scaleaudio_kernel_level level, enum scaleaudio_kernel_sample sample,
  const struct scaleaudio_interpolation *work
) {
#if defined(__x86_64__)
  if (level == SCALEAUDIO_KERNEL_AVX2) {
    scaleaudio_interpolate_avx2(sample, work);
    return;
  }
#endif
  define(sample, work, 0, work->output_frames);
}
