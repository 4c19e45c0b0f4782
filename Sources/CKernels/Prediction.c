// Linear prediction. Without fused multiply-add, so that every machine computes the same bits.

#include "Prediction.h"

#include <string.h>

#include "Elementary.h"

INLINED four load(const double *from) { return *(const four_anywhere *)from; }
INLINED void store(double *to, four value) { *(four_anywhere *)to = value; }
INLINED double sum_of(four lanes) { return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]); }

/// Finds at most `most` coefficients for the sample after those before it, the nearest first. Returns their number.
INLINED int32_t find_coefficients(const double *known, int32_t count, int32_t most, double *coefficients, double *scratch) {
  // Of step m, number n has the error of the prediction of sample n + m from those before it, and of sample n from those
  // after it.
  double *const forward = scratch, *const backward = scratch + count;
  double energy = 0;
  for (int32_t n = 0; n < count; n += 1) {
    forward[n] = backward[n] = known[n];
    energy += known[n] * known[n];
  }
  const int32_t order = count / 3 < most ? count / 3 : most;
  for (int32_t m = 0; m < order; m += 1) {
    // Pairs of errors, a step of prediction apart.
    const double *const ahead = forward + m + 1;
    const int32_t pairs = count - m - 1;
    four both = {0}, errors = {0}, place = {1, 2, 3, 4};
    int32_t n = 0;
    for (; n + 4 <= pairs; n += 4, place += 4) {
      // The middle counts more, which keeps the frequencies of tones.
      const four weight = place * ((double)(pairs + 1) - place), f = load(ahead + n), b = load(backward + n);
      both += weight * (f * b);
      errors += weight * (f * f + b * b);
    }
    double product = sum_of(both), size = sum_of(errors);
    for (; n < pairs; n += 1) {
      const double weight = (double)(n + 1) * (double)(pairs - n);
      product += weight * (ahead[n] * backward[n]);
      size += weight * (ahead[n] * ahead[n] + backward[n] * backward[n]);
    }
    // What is known is predicted exactly.
    if (!(size > 1e-13 * energy * (double)count * (double)count)) return m;
    const double reflection = 2 * product / size;
    double *const next = forward + m + 1;
    for (n = 0; n + 4 <= pairs; n += 4) {
      const four f = load(next + n), b = load(backward + n);
      store(next + n, f - reflection * b);
      store(backward + n, b - reflection * f);
    }
    for (; n < pairs; n += 1) {
      const double f = next[n], b = backward[n];
      next[n] = f - reflection * b;
      backward[n] = b - reflection * f;
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

/// The sample that follows `order` others, of which `first` is the first, and `last` has the last four; coefficients of the
/// furthest come first.
INLINED double predicted(const double *coefficients, int32_t order, const double *first, four last) {
  four lanes = {0};
  double sum = 0;
  int32_t k = 0;
  for (; k < order % 4; k += 1) sum += coefficients[k] * first[k];
  for (; k + 4 < order; k += 4) lanes += load(coefficients + k) * load(first + k);
  // The last sample is needed last, as it was made last.
  if (k < order) lanes += load(coefficients + k) * last;
  return sum + sum_of(lanes);
}

/// Predicts by at most `most_coefficients`. Returns false at a sample that is larger than `most`.
INLINED bool predict_by(
  int32_t most_coefficients, double most, const double *known, int32_t known_count, bool goes_on, double *next,
  int32_t count, double *scratch
) {
  double found[SCALEAUDIO_PREDICTION_ORDER], coefficients[SCALEAUDIO_PREDICTION_ORDER];
  const int32_t order = find_coefficients(known, known_count, most_coefficients, found, scratch);
  for (int32_t k = 0; k < order; k += 1) coefficients[k] = found[order - 1 - k];
  // What was not predicted, to and fro from the last one.
  const int32_t news = goes_on ? known_count - order : 0;
  double *const line = scratch;
  memmove(line, known + known_count - order, (size_t)order * sizeof(double));
  // From memory, samples that were just stored one by one would come late.
  four last = order < 4 ? (four){0} : load(line + order - 4);
  for (int32_t n = 0; n < count; n += 1) {
    double sum = predicted(coefficients, order, line + n, last);
    if (news > 0) {
      const int32_t back = n % (2 * news) < news ? n % news : news - 1 - n % news;
      const int32_t place = known_count - 1 - back;
      const four before = order < 4 ? (four){0} : load(known + place - 4);
      sum += known[place] - predicted(coefficients, order, known + place - order, before);
    }
    if (!(sum <= most && sum >= -most)) return false;
    line[order + n] = next[n] = sum;
    last = __builtin_shufflevector(last, (four){sum}, 1, 2, 3, 4);
  }
  return true;
}

INLINED void predict(
  const double *known, int32_t known_count, bool goes_on, double *next, int32_t count, double *scratch
) {
  double most = 0;
  for (int32_t n = 0; n < known_count; n += 1) {
    const double size = known[n] < 0 ? -known[n] : known[n];
    if (1.5 * size > most) most = 1.5 * size;
  }
  // Many coefficients of a sound without high frequencies, such as of MP3, may grow without end: fewer are steady.
  for (int32_t order = SCALEAUDIO_PREDICTION_ORDER; order > 0; order /= 2) {
    if (predict_by(order, most, known, known_count, goes_on, next, count, scratch)) return;
  }
  memset(next, 0, (size_t)count * sizeof(double));
}

#if defined(__x86_64__)
AVX2 static void predict_avx2(
  const double *known, int32_t known_count, bool goes_on, double *next, int32_t count, double *scratch
) {
  predict(known, known_count, goes_on, next, count, scratch);
}
#endif

void scaleaudio_predict(
  enum scaleaudio_kernel_level level, const double *known, int32_t known_count, bool goes_on, double *next,
  int32_t count, double *scratch
) {
#if defined(__x86_64__)
  if (level == SCALEAUDIO_KERNEL_AVX2) {
    predict_avx2(known, known_count, goes_on, next, count, scratch);
    return;
  }
#endif
  predict(known, known_count, goes_on, next, count, scratch);
}
