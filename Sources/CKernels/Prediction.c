// Linear prediction. Without fused multiply-add, so that every machine computes the same bits.

#include "Prediction.h"

#include <string.h>

#include "Elementary.h"

/// Finds the coefficients for the sample after those before it, the nearest first. Returns their number.
static int32_t find_coefficients(const double *known, int32_t count, double *coefficients, double *scratch) {
  double *const forward = scratch, *const backward = scratch + count;
  double energy = 0;
  for (int32_t n = 0; n < count; n += 1) {
    forward[n] = backward[n] = known[n];
    energy += known[n] * known[n];
  }
  const int32_t order = count / 3 < SCALEAUDIO_PREDICTION_ORDER ? count / 3 : SCALEAUDIO_PREDICTION_ORDER;
  for (int32_t m = 0; m < order; m += 1) {
    double both = 0, errors = 0;
    for (int32_t n = m + 1; n < count; n += 1) {
      // The middle counts more, which keeps the frequencies of tones.
      const double weight = (double)(n - m) * (double)(count - n);
      both += weight * (forward[n] * backward[n - 1]);
      errors += weight * (forward[n] * forward[n] + backward[n - 1] * backward[n - 1]);
    }
    // What is known is predicted exactly.
    if (!(errors > 1e-13 * energy * (double)count * (double)count)) return m;
    const double reflection = 2 * both / errors;
    for (int32_t n = count - 1; n > m; n -= 1) {
      const double one = forward[n];
      forward[n] = one - reflection * backward[n - 1];
      backward[n] = backward[n - 1] - reflection * one;
    }
    coefficients[m] = reflection;
    for (int32_t low = 0, high = m - 1; low <= high; low += 1, high -= 1) {
      const double one = coefficients[low], other = coefficients[high];
      coefficients[low] = one - reflection * other;
      if (low != high) coefficients[high] = other - reflection * one;
    }
  }
  return order;
}

/// The sample that follows `order` others, of which `last` is the last.
static double predicted(const double *coefficients, int32_t order, const double *last) {
  double sum = 0;
  for (int32_t k = 0; k < order; k += 1) sum += coefficients[k] * last[-k];
  return sum;
}

void scaleaudio_predict(
  const double *known, int32_t known_count, bool goes_on, double *next, int32_t count, double *scratch
) {
  double coefficients[SCALEAUDIO_PREDICTION_ORDER];
  const int32_t order = find_coefficients(known, known_count, coefficients, scratch);
  double most = 0;
  for (int32_t n = 0; n < known_count; n += 1) {
    const double size = known[n] < 0 ? -known[n] : known[n];
    if (4 * size > most) most = 4 * size;
  }
  // What was not predicted, to and fro from the last one.
  const int32_t news = goes_on ? known_count - order : 0;
  double *const line = scratch;
  memmove(line, known + known_count - order, (size_t)order * sizeof(double));
  for (int32_t n = 0; n < count; n += 1) {
    double sum = predicted(coefficients, order, line + order + n - 1);
    if (news > 0) {
      const int32_t back = n % (2 * news) < news ? n % news : news - 1 - n % news;
      const int32_t place = known_count - 1 - back;
      sum += known[place] - predicted(coefficients, order, known + place - 1);
    }
    line[order + n] = next[n] = sum > most ? most : sum < -most ? -most : sum;
  }
}
