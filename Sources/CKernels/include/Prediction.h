#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "CKernels.h"

/// The most coefficients of a prediction.
#define SCALEAUDIO_PREDICTION_ORDER 64

/// Continues a signal by linear prediction: `next` gets the `count` samples after the `known` ones.
///
/// Tones go on; noise dies away, or goes on too, with what was not predicted played back to and fro. No sample is larger than
/// one and a half times the largest known one: fewer coefficients are taken where they would be, at last none, which is silence. `scratch` has room for
/// 2 `known_count` numbers, or for `SCALEAUDIO_PREDICTION_ORDER` + `count` if that is more.
///
/// Source: Burg, "Maximum entropy spectral analysis" (1975); Swingler, "A comparison between Burg's maximum entropy
/// method and a nonrecursive technique for the spectral analysis of deterministic signals" (1979), for the weights.
void scaleaudio_predict(
  enum scaleaudio_kernel_level level, const double *known, int32_t known_count, bool goes_on, double *next,
  int32_t count, double *scratch);
