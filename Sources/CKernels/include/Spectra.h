#pragma once

#include "CKernels.h"

/// A transform of real blocks of `size` samples, a power of two from 128 to 2^20.
///
/// Spectra hold bins 0 to `size / 2` in two planes of `size / 2 + 1` numbers. Every level computes the same bits: no
/// fused multiply-add, and the twiddles come from arithmetic of its own, not from the system's library.
struct scaleaudio_spectra;

/// Makes the tables of a transform; `NULL` for another size, or without memory.
struct scaleaudio_spectra *scaleaudio_spectra_create(int32_t size);

/// Frees the tables.
void scaleaudio_spectra_destroy(struct scaleaudio_spectra *spectra);

/// The spectrum of a block under a periodic Hann window.
///
/// One owner at a time: the tables include scratch memory. `level` must not exceed the best.
void scaleaudio_spectra_analyze(
  enum scaleaudio_kernel_level level, struct scaleaudio_spectra *spectra, const float *block,
  float *real, float *imaginary);

/// Adds the block of a spectrum to `sum`, under a periodic Hann window and times `gain`.
///
/// A `gain` of 1 undoes the analysis, except for both windows. The imaginary parts of the first and last bin count as
/// 0.
void scaleaudio_spectra_synthesize(
  enum scaleaudio_kernel_level level, struct scaleaudio_spectra *spectra, const float *real,
  const float *imaginary, float gain, float *sum);

/// Writes `count` numbers, `stride` apart in `input`, as the nearest `float` whose energies neither overflow nor become
/// subnormal. NaN becomes silence.
void scaleaudio_plane_take(
  enum scaleaudio_kernel_level level, const double *input, int32_t stride, int32_t count, float *plane);

/// The cosine and the sine of `part` turns / `whole`, a power of two, from arithmetic that is the same everywhere.
void scaleaudio_turn(int64_t part, int64_t whole, double *cosine, double *sine);

/// Writes the cosine and the sine of every part of a turn, `whole` of each, with the same bits as `scaleaudio_turn`, in a tenth
/// of the time. `whole` is a power of two of at least 4.
void scaleaudio_turns(int64_t whole, double *cosines, double *sines);
