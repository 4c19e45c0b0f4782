#pragma once

#include <stdint.h>

#include "CKernels.h"

/// Frames of a source in which a period is looked for.
///
/// A plane holds the frames of one channel; those of further channels follow at every `plane` numbers.
struct scaleaudio_periods {
  const float *frames;
  int64_t plane;
  int32_t channels;
  /// How many frames become one for the search.
  int32_t step;
  /// The shortest and the longest period, and the length that is compared, all in steps.
  int32_t shortest, longest, length;
  /// The largest mean square of the correlations over all periods: that of one tone is 1/2.
  double most_tonal;
  /// The same for periods longer than `low` steps.
  double most_tonal_low;
  int32_t low;
  /// Scratch memory: `longest` + 2 numbers, and 2 (`length` + `longest` + 4) more for each channel.
  double *scratch;
};

/// The number of frames that a search reads.
int32_t scaleaudio_periods_span(const struct scaleaudio_periods *work);

/// Finds the shortest period after which the frames repeat themselves nearly as well as after any other.
///
/// Returns the normalized correlation of the frames with those one period later, at most 1, or 0 where there is none;
/// all channels count together. `period` is in frames.
double scaleaudio_periods_find(
  enum scaleaudio_kernel_level level, const struct scaleaudio_periods *work, double *period);

/// The normalized correlation of `count` frames with those `delay` frames later.
double scaleaudio_periods_likeness(
  enum scaleaudio_kernel_level level, const float *frames, int64_t plane, int32_t channels, int32_t count,
  int64_t delay);
