#pragma once

// The definition of interpolation, in plain C for any processor. These functions are inlined into others, so
// that compilers vectorize them for the instruction set of the caller.

#include "CKernels.h"

#include <string.h>

#define INLINED static inline __attribute__((always_inline))

/// The number of control points computed together.
#define RUN 64

/// The positions of output frames: the frame of the block at or before each, and the distance from it, 0 to 1.
struct run {
  int32_t index[RUN];
  double fraction[RUN];
};

/// The position of an output frame in the whole input.
INLINED double place_of(double frame, double spacing, double origin, bool is_eased) {
#pragma STDC FP_CONTRACT OFF
  if (!is_eased) return frame * spacing;
  const double x = frame / spacing;
  // The difference of a position and a smaller integer is exact, and fits in 32 bits.
  const double whole = origin + (double)(int32_t)(x - origin);
  const double t = x - whole;
  return whole + t * t * (3 - 2 * t);
}

INLINED void fill(
  struct run *run, const struct scaleaudio_interpolation *work, bool is_eased, int64_t first, int count
) {
  const double origin = (double)work->origin, spacing = work->spacing;
  for (int i = 0; i < count; i++) {
    const double within = place_of((double)first + (double)i, spacing, origin, is_eased) - origin;
    run->index[i] = (int32_t)within;
    run->fraction[i] = within - (double)run->index[i];
  }
}

/// The nearest integer, ties to even, of a value within 32 bits.
INLINED int32_t nearest(double value) {
  // Adding 1.5 * 2^52 rounds to an integer and leaves it in the low bits.
  const double shifted = value + 0x1.8p52;
  int64_t bits;
  memcpy(&bits, &shifted, sizeof bits);
  return (int32_t)bits;
}

/// Defines interpolation for one sample type. `channels` is a constant where it is small.
#define DEFINITION(NAME, SAMPLE, ROUNDED)                                                                \
  INLINED void NAME##_run(                                                                               \
    const struct run *run, int count, int channels, const SAMPLE *input, SAMPLE *output                  \
  ) {                                                                                                    \
    _Pragma("STDC FP_CONTRACT OFF")                                                                      \
    for (int i = 0; i < count; i++) {                                                                    \
      const SAMPLE *left = input + (int64_t)run->index[i] * channels;                                    \
      const SAMPLE *right = left + channels;                                                             \
      const double fraction = run->fraction[i];                                                          \
      for (int channel = 0; channel < channels; channel++) {                                             \
        const double before = (double)left[channel];                                                     \
        const double value = before + fraction * ((double)right[channel] - before);                      \
        output[(int64_t)i * channels + channel] = (SAMPLE)ROUNDED(value);                                \
      }                                                                                                  \
    }                                                                                                    \
  }                                                                                                      \
                                                                                                         \
  INLINED void NAME(const struct scaleaudio_interpolation *work, int64_t from, int64_t to) {             \
    struct run run;                                                                                      \
    while (from < to) {                                                                                  \
      const int count = to - from < RUN ? (int)(to - from) : RUN;                                        \
      if (work->is_eased) fill(&run, work, true, work->first_output + from, count);                      \
      else fill(&run, work, false, work->first_output + from, count);                                    \
      SAMPLE *output = (SAMPLE *)work->output + from * work->channels;                                   \
      switch (work->channels) {                                                                          \
      case 1: NAME##_run(&run, count, 1, work->input, output); break;                                    \
      case 2: NAME##_run(&run, count, 2, work->input, output); break;                                    \
      default: NAME##_run(&run, count, work->channels, work->input, output);                             \
      }                                                                                                  \
      from += count;                                                                                     \
    }                                                                                                    \
  }

DEFINITION(define_int8, int8_t, nearest)
DEFINITION(define_int16, int16_t, nearest)
DEFINITION(define_int32, int32_t, nearest)
DEFINITION(define_float, float, )
DEFINITION(define_double, double, )

/// Interpolates frames `from` up to, not including, `to`.
INLINED void define(
  enum scaleaudio_kernel_sample sample, const struct scaleaudio_interpolation *work, int64_t from,
  int64_t to
) {
  switch (sample) {
  case SCALEAUDIO_KERNEL_INT8: define_int8(work, from, to); break;
  case SCALEAUDIO_KERNEL_INT16: define_int16(work, from, to); break;
  case SCALEAUDIO_KERNEL_INT32: define_int32(work, from, to); break;
  case SCALEAUDIO_KERNEL_FLOAT: define_float(work, from, to); break;
  case SCALEAUDIO_KERNEL_DOUBLE: define_double(work, from, to); break;
  }
}
