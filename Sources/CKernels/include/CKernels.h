#pragma once

#include <stdbool.h>
#include <stdint.h>

/// The instruction set that a kernel needs.
enum scaleaudio_kernel_level {
  /// Plain C for any processor.
  SCALEAUDIO_KERNEL_PORTABLE = 0,
  /// AVX2 and FMA (x86 processors since 2013).
  SCALEAUDIO_KERNEL_AVX2 = 1,
};

/// A sample type. `int32_t` may hold fewer bits.
enum scaleaudio_kernel_sample {
  SCALEAUDIO_KERNEL_INT8,
  SCALEAUDIO_KERNEL_INT16,
  SCALEAUDIO_KERNEL_INT32,
  SCALEAUDIO_KERNEL_FLOAT,
  SCALEAUDIO_KERNEL_DOUBLE,
};

/// A block of frames to interpolate.
///
/// Output frame `i` is at position `i * spacing` of the input, or if eased, at `trunc(x) + t*t*(3 - 2*t)` with
/// `x = i / spacing` and `t = x - trunc(x)`. Frames between two input frames are
/// `before + fraction * (after - before)` in `double` without fused multiply-add, rounded to nearest, ties to
/// even.
struct scaleaudio_interpolation {
  /// Interleaved samples of `input_frames` frames, fewer than 2^20.
  const void *input;
  int64_t input_frames;
  /// The index of the first of these frames in the whole input, below 2^52.
  int64_t origin;
  /// A buffer for the interleaved samples of `output_frames` frames.
  void *output;
  int64_t output_frames;
  /// The index of the first of these frames in the whole output, below 2^52.
  int64_t first_output;
  /// The number of channels, at least 1.
  int32_t channels;
  bool is_eased;
  double spacing;
};

/// The highest level that this processor supports.
enum scaleaudio_kernel_level scaleaudio_kernel_best_level(void);

/// Interpolates output frames whose positions, before easing, are all at least `origin` and less than
/// `origin + input_frames - 2`.
///
/// Every level computes the same bits. `level` must not exceed the best.
void scaleaudio_interpolate(
  enum scaleaudio_kernel_level level, enum scaleaudio_kernel_sample sample,
  const struct scaleaudio_interpolation *work);

/// Rounds samples whose full scale is 1, times `gain`, to 16 bits with triangular noise.
///
/// Writes some of `count` samples from the start and returns their number: none at the portable level,
/// otherwise groups of eight up to the first group that includes a sample at or beyond full scale. `first` is
/// the index of the first sample in its stream. The noise of index `i` is the difference of the two halves of
/// number `i` of SplitMix64 with seed 0, in units of 2^-32 steps. Sums are rounded to nearest, ties to even,
/// and clamped. Magnitudes below 2^-20 steps and NaN become 0.
int64_t scaleaudio_dither_int16(
  enum scaleaudio_kernel_level level, const double *input, int16_t *output, int64_t count,
  double gain, uint64_t first);

/// ``scaleaudio_dither_int16`` for single-precision input, which is widened first.
int64_t scaleaudio_dither_int16_singles(
  enum scaleaudio_kernel_level level, const float *input, int16_t *output, int64_t count,
  double gain, uint64_t first);

#include "Formants.h"
#include "Periods.h"
#include "Phases.h"
#include "Prediction.h"
#include "Spectra.h"
