#pragma once

#include <stdbool.h>
#include <stdint.h>

/// How far a kernel relies on the processor it runs on.
enum scaleaudio_kernel_level {
  /// Plain C, for every processor.
  SCALEAUDIO_KERNEL_PORTABLE = 0,
  /// AVX2 and FMA, of x86 processors from 2013 on.
  SCALEAUDIO_KERNEL_AVX2 = 1,
};

/// The type of a sample; an `int32_t` may hold fewer bits.
enum scaleaudio_kernel_sample {
  SCALEAUDIO_KERNEL_INT8,
  SCALEAUDIO_KERNEL_INT16,
  SCALEAUDIO_KERNEL_INT32,
  SCALEAUDIO_KERNEL_FLOAT,
  SCALEAUDIO_KERNEL_DOUBLE,
};

/// Frames to make by interpolation.
///
/// Output frame `i` lies at the place `i * spacing` of the input, or, eased, at `x = i / spacing` drawn
/// towards whole numbers: with `t = x - trunc(x)`, at `trunc(x) + t*t*(3 - 2*t)`. Frames between two input
/// frames are `before + fraction * (after - before)` in `double` without fused multiply-add, rounded to
/// nearest, ties to even.
struct scaleaudio_interpolation {
  /// Interleaved samples of `input_frames` frames, fewer than 2^20.
  const void *input;
  int64_t input_frames;
  /// The number of the first of these frames within the whole input, below 2^52.
  int64_t origin;
  /// Room for the interleaved samples of `output_frames` frames.
  void *output;
  int64_t output_frames;
  /// The number of the first of these frames within the whole output, below 2^52.
  int64_t first_output;
  /// Samples in a frame, at least 1.
  int32_t channels;
  bool is_eased;
  double spacing;
};

/// The highest level that this processor has.
enum scaleaudio_kernel_level scaleaudio_kernel_best_level(void);

/// Makes output frames whose places, before they are eased, are all at least `origin` and less than
/// `origin + input_frames - 2`.
///
/// The samples are the same, to the last bit, at every level; `level` must not exceed the best.
void scaleaudio_interpolate(
  enum scaleaudio_kernel_level level, enum scaleaudio_kernel_sample sample,
  const struct scaleaudio_interpolation *work);

/// Rounds samples whose full scale is 1, times `gain`, to 16 bits with triangular noise.
///
/// Makes the first of `count` samples and returns how many: none at the portable level, and otherwise as many
/// as come in eights of which none lies at or beyond full scale. `first` is the number of the first sample in
/// its stream, which the noise depends on: the difference of the halves of what SplitMix64 with seed 0 gives
/// there, in 2^-32ths of a step. Sums are rounded to nearest, ties to even, and clamped. What is nearer to zero
/// than 2^-20 steps, and what is no number, becomes 0.
int64_t scaleaudio_dither_int16(
  enum scaleaudio_kernel_level level, const double *input, int16_t *output, int64_t count,
  double gain, uint64_t first);
