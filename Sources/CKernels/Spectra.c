// The tables of transforms, the choice of a level, and the portable transform.

#include <stdbool.h>
#include <stdlib.h>

#include "Tables.h"

#define LEVEL(NAME) portable_##NAME
static void portable_analyze(struct scaleaudio_spectra *, const float *, float *, float *);
static void portable_synthesize(
  struct scaleaudio_spectra *, const float *, const float *, float, float *);
static void portable_take(const double *, int32_t, int32_t, float *);
#include "Transform.h"

/// The place of a part of a turn: the quadrant, the rest of at most an eighth, and whether that lies before the end of the quadrant.
struct place {
  int64_t quadrant, rest;
  bool mirrored;
};

INLINED struct place place_of(int64_t part, int64_t whole) {
  const int64_t quadrant = 4 * part / whole, rest = part - quadrant * whole / 4;
  const bool mirrored = 8 * rest > whole;
  return (struct place){quadrant, mirrored ? whole / 4 - rest : rest, mirrored};
}

/// The cosine and the sine of at most an eighth of a turn, by series.
INLINED void eighth(int64_t rest, int64_t whole, double *cosine, double *sine) {
  const double x = 6.283185307179586477 * ((double)rest / (double)whole), square = x * x;
  double c = 1, s = 1;
  for (int n = 20; n >= 2; n -= 2) {
    c = 1 - square * c / (double)(n * (n - 1));
    s = 1 - square * s / (double)(n * (n + 1));
  }
  *cosine = c;
  *sine = s * x;
}

/// Writes the cosine and the sine at a place, from those of its rest.
INLINED void unfold(struct place place, double c, double s, double *cosine, double *sine) {
  const double one = place.mirrored ? s : c, other = place.mirrored ? c : s;
  const double cosines[4] = {one, -other, -one, other}, sines[4] = {other, one, -other, -one};
  *cosine = cosines[place.quadrant];
  *sine = sines[place.quadrant];
}

void scaleaudio_turn(int64_t part, int64_t whole, double *cosine, double *sine) {
  const struct place place = place_of(part & (whole - 1), whole);
  double c, s;
  eighth(place.rest, whole, &c, &s);
  unfold(place, c, s, cosine, sine);
}

void scaleaudio_turns(int64_t whole, double *cosines, double *sines) {
  for (int64_t part = 0; part <= whole / 8; part += 1) eighth(part, whole, cosines + part, sines + part);
  for (int64_t part = whole / 8 + 1; part < whole; part += 1) {
    const struct place place = place_of(part, whole);
    unfold(place, cosines[place.rest], sines[place.rest], cosines + part, sines + part);
  }
}

struct scaleaudio_spectra *scaleaudio_spectra_create(int32_t size) {
  if (size < 128 || size > 1 << 20 || (size & (size - 1)) != 0) return NULL;
  // Every plane is a multiple of 32 bytes, and has room for a bin more.
  const size_t half = (size_t)size / 2, plane = half + 8, count = half / 8;
  const size_t total = 2 * count + 16 * count + 2 * plane + (size_t)size + 6 * plane;
  struct scaleaudio_spectra *const tables = malloc(sizeof(struct scaleaudio_spectra));
  float *at = aligned_alloc(32, total * sizeof(float));
  double *const cosines = malloc(2 * (size_t)size * sizeof(double)), *const sines = cosines + size;
  if (tables == NULL || at == NULL || cosines == NULL) {
    free(tables);
    free(at);
    free(cosines);
    return NULL;
  }
  scaleaudio_turns(size, cosines, sines);
  *tables = (struct scaleaudio_spectra){.size = size, .turns = at};
  tables->lanes = at += 2 * count;
  tables->cosine = at += 16 * count;
  tables->sine = at += plane;
  tables->window = at += plane;
  at += size;
  for (int i = 0; i < 6; i += 1, at += plane) tables->scratch[i] = at;
  for (size_t j = 0; j < count; j += 1) {
    tables->turns[2 * j] = (float)cosines[16 * j];
    tables->turns[2 * j + 1] = (float)-sines[16 * j];
    for (size_t lane = 0; lane < 8; lane += 1) {
      tables->lanes[16 * j + lane] = (float)cosines[2 * j * lane];
      tables->lanes[16 * j + 8 + lane] = (float)-sines[2 * j * lane];
    }
  }
  for (size_t k = 0; k < (size_t)size; k += 1) tables->window[k] = (float)(0.5 - 0.5 * cosines[k]);
  for (size_t k = 0; k < half; k += 1) {
    tables->cosine[k] = (float)cosines[k];
    tables->sine[k] = (float)-sines[k];
  }
  free(cosines);
  return tables;
}

void scaleaudio_spectra_destroy(struct scaleaudio_spectra *spectra) {
  if (spectra == NULL) return;
  free(spectra->turns);
  free(spectra);
}

void scaleaudio_spectra_analyze(
  enum scaleaudio_kernel_level level, struct scaleaudio_spectra *spectra, const float *block,
  float *real, float *imaginary
) {
#if defined(__x86_64__)
  if (level == SCALEAUDIO_KERNEL_AVX2) {
    scaleaudio_analyze_avx2(spectra, block, real, imaginary);
    return;
  }
#endif
  portable_analyze(spectra, block, real, imaginary);
}

void scaleaudio_spectra_synthesize(
  enum scaleaudio_kernel_level level, struct scaleaudio_spectra *spectra, const float *real,
  const float *imaginary, float gain, float *sum
) {
#if defined(__x86_64__)
  if (level == SCALEAUDIO_KERNEL_AVX2) {
    scaleaudio_synthesize_avx2(spectra, real, imaginary, gain, sum);
    return;
  }
#endif
  portable_synthesize(spectra, real, imaginary, gain, sum);
}

void scaleaudio_plane_take(
  enum scaleaudio_kernel_level level, const double *input, int32_t stride, int32_t count, float *plane
) {
#if defined(__x86_64__)
  if (level == SCALEAUDIO_KERNEL_AVX2) {
    scaleaudio_take_avx2(input, stride, count, plane);
    return;
  }
#endif
  portable_take(input, stride, count, plane);
}
