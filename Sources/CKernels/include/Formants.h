#pragma once

#include <stdint.h>

#include "CKernels.h"

/// The envelopes of spectra, and the gains that keep them in place where the pitch moves.
///
/// An envelope has `points` + 1 numbers, from 0 Hz to half the sample rate, in rows of a multiple of eight.
struct scaleaudio_formants {
  int32_t points, row;
  /// The coefficients of the cepstrum that an envelope has: a row of cosines for each, and its weight.
  int32_t order;
  const float *cosines, *weights;
  /// The pitch of the output / that of the source.
  float ratio;
  /// The logarithms of the energies of the envelope.
  float *envelope;
  /// Scratch memory for two rows.
  float *scratch;
};

/// Finds the envelope of the energies of a frame's bins, with `group` bins to a point, each counted as at least
/// `floor`.
///
/// Source: Röbel and Rodet, "Efficient spectral envelope estimation and its application to pitch shifting and envelope
/// preservation" (2005).
void scaleaudio_formants_find(
  enum scaleaudio_kernel_level level, const struct scaleaudio_formants *work, const float *energies, int32_t group,
  float floor);

/// Writes the gains of bins `first` to `end` that move the formants back, after the pitch is shifted by resampling.
///
/// Bins lie a number of `points` apart. Gains change by at most 24 dB.
void scaleaudio_formants_apply(
  enum scaleaudio_kernel_level level, const struct scaleaudio_formants *work, float points, int32_t first, int32_t end,
  float *found);
