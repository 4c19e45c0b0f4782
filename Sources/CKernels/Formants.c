// The formants of a voice: the envelope of a spectrum's logarithm. Without fused multiply-add, so that every machine
// computes the same bits.

#include "Formants.h"

#include "Elementary.h"

/// The logarithms of the mean energies around each point.
INLINED void take_points(
  const struct scaleaudio_formants *w, const float *energies, int32_t group, float floor, float *logs
) {
  const int32_t bins = w->points * group + 1;
  for (int32_t point = 0; point <= w->points; point += 1) {
    const int32_t first = point * group - group / 2, last = first + group - 1;
    float sum = 0;
    int32_t count = 0;
    for (int32_t bin = first < 0 ? 0 : first; bin <= last && bin < bins; bin += 1, count += 1) sum += energies[bin];
    logs[point] = logarithm(sum / (float)count + floor);
  }
  for (int32_t point = w->points + 1; point < w->row; point += 1) logs[point] = 0;
}

/// A row with only the first coefficients of its cepstrum.
INLINED void smooth(const struct scaleaudio_formants *w, const float *logs, float *smoothed) {
  const float first = logs[0], last = logs[w->points];
  for (int32_t i = 0; i < w->row; i += 1) smoothed[i] = 0;
  for (int32_t q = 0; q < w->order; q += 1) {
    const float *const cosines = w->cosines + (int64_t)q * w->row;
    // Both ends count by half.
    const float sum = (float)product(logs, cosines, w->row) - 0.5f * (first + last * cosines[w->points]);
    const float coefficient = w->weights[q] * sum;
    for (int32_t i = 0; i < w->row; i += 1) smoothed[i] += coefficient * cosines[i];
  }
}

/// An envelope between its points.
INLINED float between(const struct scaleaudio_formants *w, const float *envelope, float place) {
  const float inside = smaller(place, (float)w->points);
  int32_t point = (int32_t)inside;
  if (point >= w->points) point = w->points - 1;
  return envelope[point] + (inside - (float)point) * (envelope[point + 1] - envelope[point]);
}

INLINED void find(const struct scaleaudio_formants *w, const float *energies, int32_t group, float floor) {
  float *const envelope = w->envelope, *const logs = w->scratch, *const raised = logs + w->row;
  take_points(w, energies, group, floor, logs);
  smooth(w, logs, envelope);
  // Until no point stands out by more than 1 dB: an envelope lies on the partials, not between them and the gaps.
  for (int round = 0; round < 12; round += 1) {
    float most = 0;
    for (int32_t i = 0; i < w->row; i += 1) {
      most = larger(most, logs[i] - envelope[i]);
      raised[i] = i <= w->points ? larger(logs[i], envelope[i]) : 0;
    }
    if (most < 0.23f) break;
    smooth(w, raised, envelope);
  }
}

INLINED void apply(
  const struct scaleaudio_formants *w, float points, int32_t first, int32_t end, float *found
) {
  for (int32_t bin = first; bin < end; bin += 1) {
    const float place = (float)bin * points;
    const float change = between(w, w->envelope, place * w->ratio) - between(w, w->envelope, place);
    found[bin] = exponential(0.5f * smaller(5.526f, larger(-5.526f, change)));
  }
}

#if defined(__x86_64__)
AVX2 static void find_avx2(const struct scaleaudio_formants *w, const float *energies, int32_t group, float floor) {
  find(w, energies, group, floor);
}

AVX2 static void apply_avx2(
  const struct scaleaudio_formants *w, float points, int32_t first, int32_t end, float *found
) {
  apply(w, points, first, end, found);
}
#endif

void scaleaudio_formants_find(
  enum scaleaudio_kernel_level level, const struct scaleaudio_formants *w, const float *energies, int32_t group,
  float floor
) {
#if defined(__x86_64__)
  if (level == SCALEAUDIO_KERNEL_AVX2) {
    find_avx2(w, energies, group, floor);
    return;
  }
#endif
  find(w, energies, group, floor);
}

void scaleaudio_formants_apply(
  enum scaleaudio_kernel_level level, const struct scaleaudio_formants *w, float points, int32_t first, int32_t end,
  float *found
) {
#if defined(__x86_64__)
  if (level == SCALEAUDIO_KERNEL_AVX2) {
    apply_avx2(w, points, first, end, found);
    return;
  }
#endif
  apply(w, points, first, end, found);
}
