// The tables of transforms, the choice of a level, and the portable transform.

#include <stdlib.h>

#include "Tables.h"

#define LEVEL(NAME) portable_##NAME
static void portable_analyze(struct scaleaudio_spectra *, const float *, float *, float *);
static void portable_synthesize(
  struct scaleaudio_spectra *, const float *, const float *, float, float *);
static void portable_take(const double *, int32_t, int32_t, float *);
#include "Transform.h"

void scaleaudio_turn(int64_t part, int64_t whole, double *cosine, double *sine) {
  part &= whole - 1;
  // An angle of at most an eighth, by series, and what mirrors it.
  const int64_t quadrant = 4 * part / whole;
  int64_t rest = part - quadrant * whole / 4;
  const int mirrored = 8 * rest > whole;
  if (mirrored) rest = whole / 4 - rest;
  const double x = 6.283185307179586477 * ((double)rest / (double)whole), square = x * x;
  double c = 1, s = 1;
  for (int n = 20; n >= 2; n -= 2) {
    c = 1 - square * c / (double)(n * (n - 1));
    s = 1 - square * s / (double)(n * (n + 1));
  }
  s *= x;
  if (mirrored) {
    const double swapped = c;
    c = s;
    s = swapped;
  }
  const double cosines[4] = {c, -s, -c, s}, sines[4] = {s, c, -s, -c};
  *cosine = cosines[quadrant];
  *sine = sines[quadrant];
}

struct scaleaudio_spectra *scaleaudio_spectra_create(int32_t size) {
  if (size < 128 || size > 1 << 20 || (size & (size - 1)) != 0) return NULL;
  // Every plane is a multiple of 32 bytes, and has room for a bin more.
  const size_t half = (size_t)size / 2, plane = half + 8, count = half / 8;
  const size_t total = 2 * count + 16 * count + 2 * plane + (size_t)size + 6 * plane;
  struct scaleaudio_spectra *const tables = malloc(sizeof(struct scaleaudio_spectra));
  float *at = aligned_alloc(32, total * sizeof(float));
  if (tables == NULL || at == NULL) {
    free(tables);
    free(at);
    return NULL;
  }
  *tables = (struct scaleaudio_spectra){.size = size, .turns = at};
  tables->lanes = at += 2 * count;
  tables->cosine = at += 16 * count;
  tables->sine = at += plane;
  tables->window = at += plane;
  at += size;
  for (int i = 0; i < 6; i += 1, at += plane) tables->scratch[i] = at;
  double c, s;
  for (size_t j = 0; j < count; j += 1) {
    scaleaudio_turn((int64_t)j, (int64_t)count, &c, &s);
    tables->turns[2 * j] = (float)c;
    tables->turns[2 * j + 1] = (float)-s;
    for (size_t lane = 0; lane < 8; lane += 1) {
      scaleaudio_turn((int64_t)(j * lane), (int64_t)half, &c, &s);
      tables->lanes[16 * j + lane] = (float)c;
      tables->lanes[16 * j + 8 + lane] = (float)-s;
    }
  }
  for (size_t k = 0; k < (size_t)size; k += 1) {
    scaleaudio_turn((int64_t)k, size, &c, &s);
    tables->window[k] = (float)(0.5 - 0.5 * c);
    if (k < half) {
      tables->cosine[k] = (float)c;
      tables->sine[k] = (float)-s;
    }
  }
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
