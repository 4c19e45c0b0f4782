// The periods of voiced sound. Sums run in eight lanes without fused multiply-add, so that every machine computes the
// same bits.

#include "Periods.h"

#include <math.h>

#include "Elementary.h"

int32_t scaleaudio_periods_span(const struct scaleaudio_periods *w) {
  return (w->length + w->longest + 3) * w->step;
}

/// The least part of the energy that must be left where two steps are taken together.
#define LEAST_LOW 0.05
/// The numbers behind a row that are read and not used.
#define BEHIND 7
/// The part of the greatest likeness that a shorter period must have.
#define NEAR 0.95

/// The likeness at the top of a parabola through a lag and its neighbors, and the distance of the top from the lag.
struct peak {
  double likeness, shift;
};

/// The peak at a lag; 0 where a neighbor has more.
INLINED struct peak peak_at(const double *found, int32_t lag) {
  const double a = found[lag - 1], b = found[lag], c = found[lag + 1], bend = a - 2 * b + c;
  if (a > b || c > b) return (struct peak){0, 0};
  const double shift = bend < 0 ? 0.5 * (a - c) / bend : 0;
  return (struct peak){b - 0.25 * (a - c) * shift, shift};
}

/// The numbers of one channel that are compared, in steps, and the sums of their energies; adds to those that are in low frequencies
/// and in all.
INLINED void gather(
  const float *frames, int32_t step, int32_t count, float *plane, double *energy, double *low, double *whole
) {
  float one = 0, last = 0;
  double sum_of_energies = energy[0] = 0;
  for (int32_t i = -2; i < count; i += 1, frames += step) {
    float sum = 0, squares = 0;
    for (int32_t k = 0; k < step; k += 1) {
      sum += frames[k];
      squares += frames[k] * frames[k];
    }
    // Two steps together leave out what changes within a step, so that periods between steps show too.
    const float both = one + sum;
    // Higher frequencies count more, as most of what is voiced has less of them.
    if (i >= 0) {
      const float number = plane[i] = both - 0.9f * last;
      energy[i + 1] = sum_of_energies += (double)number * number;
    }
    *low += (double)both * both;
    *whole += (double)squares;
    one = sum;
    last = both;
  }
  for (int32_t i = count; i < count + BEHIND; i += 1) plane[i] = 0;
}

INLINED double find(const struct scaleaudio_periods *w, double *period) {
  const int32_t count = w->length + w->longest + 1;
  double *const found = w->scratch, *const energies = found + w->longest + 2;
  float *const planes = (float *)(energies + (int64_t)w->channels * (count + 1));
  double low = 0, whole = 0;
  for (int32_t c = 0; c < w->channels; c += 1) {
    const float *const frames = w->frames + c * w->plane;
    float *const plane = planes + (int64_t)c * (count + BEHIND);
    double *const energy = energies + (int64_t)c * (count + 1);
    // Loops of known length for 16, 22.05, 44.1 and 48 kHz.
    switch (w->step) {
      case 3: gather(frames, 3, count, plane, energy, &low, &whole); break;
      case 4: gather(frames, 4, count, plane, energy, &low, &whole); break;
      case 8: gather(frames, 8, count, plane, energy, &low, &whole); break;
      case 9: gather(frames, 9, count, plane, energy, &low, &whole); break;
      default: gather(frames, w->step, count, plane, energy, &low, &whole);
    }
  }
  // Higher frequencies are changed by decimation, and may seem to have periods.
  if (low < LEAST_LOW * 4 * w->step * whole) return 0;
  double best = 0, squares = 0;
  for (int32_t first = w->shortest - 1; first <= w->longest; first += 4) {
    four sums = {0};
    double early[4] = {0}, late[4] = {0};
    for (int32_t c = 0; c < w->channels; c += 1) {
      const float *one[4], *other[4];
      for (int k = 0; k < 4; k += 1) {
        const int32_t lag = first + k < w->longest ? first + k : w->longest;
        const int32_t start = (count - w->length - lag) / 2;
        const double *const energy = energies + (int64_t)c * (count + 1) + start;
        one[k] = planes + (int64_t)c * (count + BEHIND) + start;
        other[k] = one[k] + lag;
        early[k] += energy[w->length] - energy[0];
        late[k] += energy[lag + w->length] - energy[lag];
      }
      sums += four_products(one, other, w->length);
    }
    const four sizes = *(const four_anywhere *)early * *(const four_anywhere *)late;
    const four likenesses = sums / ROOT(sizes);
    for (int k = 0; k < 4 && first + k <= w->longest; k += 1) {
      const double likeness = sizes[k] > 1e-30 ? likenesses[k] : 0;
      found[first + k] = likeness;
      squares += likeness * likeness;
    }
  }
  const double tonal = squares / (w->longest - w->shortest + 2);
  if (tonal > w->most_tonal) return 0;
  // In the room of the energies, which are no longer needed.
  int32_t *const tops = (int32_t *)energies;
  int32_t top_count = 0;
  for (int32_t lag = w->shortest; lag < w->longest; lag += 1) {
    tops[top_count] = lag;
    top_count += (found[lag] >= found[lag - 1]) & (found[lag] >= found[lag + 1]);
  }
  for (int32_t n = 0; n < top_count; n += 1) {
    const struct peak peak = peak_at(found, tops[n]);
    if (peak.likeness > best) best = peak.likeness;
  }
  for (int32_t n = 0; n < top_count; n += 1) {
    const int32_t lag = tops[n];
    const struct peak peak = peak_at(found, lag);
    if (peak.likeness <= 0 || peak.likeness < NEAR * best) continue;
    if (lag > w->low && tonal > w->most_tonal_low) return 0;
    *period = (lag + peak.shift) * w->step;
    return peak.likeness;
  }
  return 0;
}

INLINED double likeness(
  const float *frames, int64_t plane, int32_t channels, int32_t count, int64_t delay
) {
  double sum = 0, early = 0, late = 0;
  for (int32_t c = 0; c < channels; c += 1) {
    const float *const one = frames + c * plane, *const other = one + delay;
    sum += product(one, other, count);
    early += product(one, one, count);
    late += product(other, other, count);
  }
  const double size = early * late;
  return size > 1e-30 ? sum / sqrt(size) : 0;
}

#if defined(__x86_64__)
AVX2 static double find_avx2(const struct scaleaudio_periods *w, double *period) { return find(w, period); }

AVX2 static double likeness_avx2(
  const float *frames, int64_t plane, int32_t channels, int32_t count, int64_t delay
) {
  return likeness(frames, plane, channels, count, delay);
}
#endif

double scaleaudio_periods_find(
  enum scaleaudio_kernel_level level, const struct scaleaudio_periods *w, double *period
) {
#if defined(__x86_64__)
  if (level == SCALEAUDIO_KERNEL_AVX2) return find_avx2(w, period);
#endif
  return find(w, period);
}

double scaleaudio_periods_likeness(
  enum scaleaudio_kernel_level level, const float *frames, int64_t plane, int32_t channels, int32_t count,
  int64_t delay
) {
#if defined(__x86_64__)
  if (level == SCALEAUDIO_KERNEL_AVX2) return likeness_avx2(frames, plane, channels, count, delay);
#endif
  return likeness(frames, plane, channels, count, delay);
}
