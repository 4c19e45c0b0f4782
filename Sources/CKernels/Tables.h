#pragma once

#include "Elementary.h"
#include "Spectra.h"

/// The tables of one size, and scratch memory aligned to 32 bytes.
struct scaleaudio_spectra {
  int32_t size;
  /// Cosine and sine (down) of `j` of `size / 16` turns.
  float *turns;
  /// Eight cosines, then eight sines (down), of lane `l` times `k` of `size / 2` turns, for each `k`.
  float *lanes;
  /// Cosine and sine (down) of `k` of `size` turns.
  float *cosine, *sine;
  float *window;
  float *scratch[6];
};

#if defined(__x86_64__)
void scaleaudio_analyze_avx2(
  struct scaleaudio_spectra *tables, const float *block, float *real, float *imaginary);
void scaleaudio_synthesize_avx2(
  struct scaleaudio_spectra *tables, const float *real, const float *imaginary, float gain, float *sum);
void scaleaudio_take_avx2(const double *input, int32_t stride, int32_t count, float *plane);
#endif
