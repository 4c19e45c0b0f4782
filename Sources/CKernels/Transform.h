// The transform of real blocks, included once for each level with its name of `LEVEL(…)`.
//
// A complex transform of half the size: eight transforms of every eighth number run side by side in the lanes of a
// vector (Stockham, radix 4), then a transform of eight points joins the lanes.

#include "Tables.h"

#define LOAD(FROM) (*(const eight_anywhere *)(FROM))
#define STORE(TO, VALUE) (*(eight_anywhere *)(TO) = (VALUE))

/// The transforms of four numbers of each of `stride` neighbors, turned by `index`, twice and three times that.
INLINED void LEVEL(turned4)(
  const float *turns, int32_t index, int32_t stride, int32_t step, const eight *real, const eight *imaginary,
  eight *to_real, eight *to_imaginary
) {
  const float *turn = turns + 2 * index, *turn2 = turn + 2 * index, *turn3 = turn2 + 2 * index;
  const float c1 = turn[0], s1 = turn[1], c2 = turn2[0], s2 = turn2[1], c3 = turn3[0], s3 = turn3[1];
  for (int32_t q = 0; q < stride; q += 1) {
    const eight ar = real[q], ai = imaginary[q];
    const eight br = real[q + step], bi = imaginary[q + step];
    const eight cr = real[q + 2 * step], ci = imaginary[q + 2 * step];
    const eight dr = real[q + 3 * step], di = imaginary[q + 3 * step];
    const eight er = ar + cr, ei = ai + ci, fr = ar - cr, fi = ai - ci;
    const eight gr = br + dr, gi = bi + di, hr = bi - di, hi = dr - br;
    const eight xr = fr + hr, xi = fi + hi, yr = er - gr, yi = ei - gi, zr = fr - hr, zi = fi - hi;
    to_real[q] = er + gr;
    to_imaginary[q] = ei + gi;
    // The first twiddles are 1.
    to_real[q + stride] = index == 0 ? xr : xr * c1 - xi * s1;
    to_imaginary[q + stride] = index == 0 ? xi : xr * s1 + xi * c1;
    to_real[q + 2 * stride] = index == 0 ? yr : yr * c2 - yi * s2;
    to_imaginary[q + 2 * stride] = index == 0 ? yi : yr * s2 + yi * c2;
    to_real[q + 3 * stride] = index == 0 ? zr : zr * c3 - zi * s3;
    to_imaginary[q + 3 * stride] = index == 0 ? zi : zr * s3 + zi * c3;
  }
}

/// One stage of radix 4 on `length` vectors; `stride` neighbors share a twiddle.
INLINED void LEVEL(stage4)(
  const struct scaleaudio_spectra *tables, int32_t length, int32_t stride,
  const eight *real, const eight *imaginary, eight *to_real, eight *to_imaginary
) {
  const int32_t step = stride * (length / 4);
  LEVEL(turned4)(tables->turns, 0, stride, step, real, imaginary, to_real, to_imaginary);
  for (int32_t p = 1; p < length / 4; p += 1) {
    const int32_t from = stride * p, to = stride * 4 * p;
    LEVEL(turned4)(
      tables->turns, stride * p, stride, step, real + from, imaginary + from, to_real + to, to_imaginary + to);
  }
}

INLINED void LEVEL(stage2)(
  int32_t stride, const eight *real, const eight *imaginary, eight *to_real, eight *to_imaginary
) {
  for (int32_t q = 0; q < stride; q += 1) {
    to_real[q] = real[q] + real[q + stride];
    to_imaginary[q] = imaginary[q] + imaginary[q + stride];
    to_real[q + stride] = real[q] - real[q + stride];
    to_imaginary[q + stride] = imaginary[q] - imaginary[q + stride];
  }
}

INLINED void LEVEL(transpose)(eight *v) {
  eight a[8], b[8];
  for (int i = 0; i < 4; i += 1) {
    a[2 * i] = __builtin_shufflevector(v[2 * i], v[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    a[2 * i + 1] = __builtin_shufflevector(v[2 * i], v[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int i = 0; i < 2; i += 1) {
    for (int j = 0; j < 2; j += 1) {
      const int k = 4 * i + j;
      b[k] = __builtin_shufflevector(a[k], a[k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      b[k + 2] = __builtin_shufflevector(a[k], a[k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  for (int i = 0; i < 4; i += 1) {
    v[i] = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    v[i + 4] = __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

/// The transform of four numbers at `r[0]`, `r[step]` and so on, in place.
INLINED void LEVEL(four)(eight *r, eight *i, int step) {
  const eight er = r[0] + r[2 * step], ei = i[0] + i[2 * step];
  const eight fr = r[0] - r[2 * step], fi = i[0] - i[2 * step];
  const eight gr = r[step] + r[3 * step], gi = i[step] + i[3 * step];
  const eight hr = i[step] - i[3 * step], hi = r[3 * step] - r[step];
  r[0] = er + gr;
  i[0] = ei + gi;
  r[step] = fr + hr;
  i[step] = fi + hi;
  r[2 * step] = er - gr;
  i[2 * step] = ei - gi;
  r[3 * step] = fr - hr;
  i[3 * step] = fi - hi;
}

/// Joins the lanes: number `k` of lane `l` is turned by `k * l` of the whole, and eight points give bins
/// `k + l * count`.
INLINED void LEVEL(join)(
  const struct scaleaudio_spectra *tables, const eight *real, const eight *imaginary,
  float *to_real, float *to_imaginary
) {
  const int32_t count = tables->size / 16;
  const float half = 0.70710678118654752440f;
  for (int32_t k = 0; k < count; k += 8) {
    eight r[8], i[8];
    for (int j = 0; j < 8; j += 1) {
      const eight c = LOAD(tables->lanes + (k + j) * 16), s = LOAD(tables->lanes + (k + j) * 16 + 8);
      r[j] = real[k + j] * c - imaginary[k + j] * s;
      i[j] = real[k + j] * s + imaginary[k + j] * c;
    }
    LEVEL(transpose)(r);
    LEVEL(transpose)(i);
    LEVEL(four)(r, i, 2);
    LEVEL(four)(r + 1, i + 1, 2);
    // Even lanes gave bins 0, 1, 2, 3 at r[0], r[2], r[4], r[6]; odd lanes are turned by eighths.
    const eight onesr[4] = {
      r[1], (r[3] + i[3]) * half, i[5], (i[7] - r[7]) * half};
    const eight onesi[4] = {
      i[1], (i[3] - r[3]) * half, -r[5], (-r[7] - i[7]) * half};
    for (int l = 0; l < 4; l += 1) {
      STORE(to_real + k + l * count, r[2 * l] + onesr[l]);
      STORE(to_imaginary + k + l * count, i[2 * l] + onesi[l]);
      STORE(to_real + k + (l + 4) * count, r[2 * l] - onesr[l]);
      STORE(to_imaginary + k + (l + 4) * count, i[2 * l] - onesi[l]);
    }
  }
}

/// The transform of the numbers in the first scratch, to planes of `size / 2` numbers.
INLINED void LEVEL(transform)(
  struct scaleaudio_spectra *tables, float *from_real, float *from_imaginary, float *to_real,
  float *to_imaginary
) {
  eight *real = (eight *)from_real, *imaginary = (eight *)from_imaginary;
  eight *next_real = (eight *)tables->scratch[2], *next_imaginary = (eight *)tables->scratch[3];
  int32_t length = tables->size / 16, stride = 1;
  while (length > 1) {
    if (length == 2) LEVEL(stage2)(stride, real, imaginary, next_real, next_imaginary);
    else if (stride == 1) LEVEL(stage4)(tables, length, 1, real, imaginary, next_real, next_imaginary);
    else LEVEL(stage4)(tables, length, stride, real, imaginary, next_real, next_imaginary);
    eight *const r = real, *const i = imaginary;
    real = next_real;
    imaginary = next_imaginary;
    next_real = r;
    next_imaginary = i;
    stride *= 4;
    length /= 4;
  }
  LEVEL(join)(tables, real, imaginary, to_real, to_imaginary);
}

void LEVEL(analyze)(struct scaleaudio_spectra *tables, const float *block, float *real, float *imaginary) {
  const int32_t half = tables->size / 2;
  float *const even = tables->scratch[0], *const odd = tables->scratch[1];
  for (int32_t i = 0; i < half; i += 8) {
    const eight a = LOAD(block + 2 * i) * LOAD(tables->window + 2 * i);
    const eight b = LOAD(block + 2 * i + 8) * LOAD(tables->window + 2 * i + 8);
    STORE(even + i, __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14));
    STORE(odd + i, __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15));
  }
  float *const r = tables->scratch[4], *const m = tables->scratch[5];
  LEVEL(transform)(tables, even, odd, r, m);
  r[half] = r[0];
  m[half] = m[0];
  // Bin k of the evens is (Z(k) + conj Z(half - k)) / 2, of the odds the difference / 2j.
  for (int32_t k = 0; k < half; k += 8) {
    const eight br = LOAD(r + half - k - 7), bm = LOAD(m + half - k - 7);
    const eight zr = LOAD(r + k), zm = LOAD(m + k);
    const eight yr = __builtin_shufflevector(br, br, 7, 6, 5, 4, 3, 2, 1, 0);
    const eight ym = __builtin_shufflevector(bm, bm, 7, 6, 5, 4, 3, 2, 1, 0);
    const eight er = (zr + yr) * 0.5f, ei = (zm - ym) * 0.5f;
    const eight wr = (zm + ym) * 0.5f, wi = (yr - zr) * 0.5f;
    const eight c = LOAD(tables->cosine + k), s = LOAD(tables->sine + k);
    STORE(real + k, er + (wr * c - wi * s));
    STORE(imaginary + k, ei + (wr * s + wi * c));
  }
  real[half] = r[0] - m[0];
  imaginary[half] = 0;
}

void LEVEL(synthesize)(
  struct scaleaudio_spectra *tables, const float *real, const float *imaginary, float gain, float *sum
) {
  const int32_t half = tables->size / 2;
  float *const r = tables->scratch[0], *const m = tables->scratch[1];
  for (int32_t k = 0; k < half; k += 8) {
    const eight br = LOAD(real + half - k - 7), bm = LOAD(imaginary + half - k - 7);
    const eight xr = LOAD(real + k), xm = LOAD(imaginary + k);
    const eight yr = __builtin_shufflevector(br, br, 7, 6, 5, 4, 3, 2, 1, 0);
    const eight ym = __builtin_shufflevector(bm, bm, 7, 6, 5, 4, 3, 2, 1, 0);
    const eight er = xr + yr, ei = xm - ym, dr = xr - yr, di = xm + ym;
    const eight c = LOAD(tables->cosine + k), s = LOAD(tables->sine + k);
    // The odds are the difference turned back.
    const eight wr = dr * c + di * s, wi = di * c - dr * s;
    STORE(r + k, er - wi);
    STORE(m + k, ei + wr);
  }
  r[0] = real[0] + real[half];
  m[0] = real[0] - real[half];
  // With the planes swapped, the transform is its inverse.
  float *const even = tables->scratch[4], *const odd = tables->scratch[5];
  LEVEL(transform)(tables, m, r, odd, even);
  const float scale = gain / (float)tables->size;
  for (int32_t i = 0; i < half; i += 8) {
    const eight a = LOAD(even + i), b = LOAD(odd + i);
    const eight low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    const eight high = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    const float *const window = tables->window + 2 * i;
    STORE(sum + 2 * i, LOAD(sum + 2 * i) + low * (LOAD(window) * scale));
    STORE(sum + 2 * i + 8, LOAD(sum + 2 * i + 8) + high * (LOAD(window + 8) * scale));
  }
}

INLINED float LEVEL(audible)(double value) {
  const double least = 0x1p-40, most = 0x1p40;
  const double limited = value > most ? most : value < -most ? -most : value;
  // The comparison is false for NaN.
  return (value < 0 ? -value : value) >= least ? (float)limited : 0;
}

void LEVEL(take)(const double *restrict input, int32_t stride, int32_t count, float *restrict plane) {
  if (stride == 1) {
    for (int32_t i = 0; i < count; i += 1) plane[i] = LEVEL(audible)(input[i]);
  } else if (stride == 2) {
    for (int32_t i = 0; i < count; i += 1) plane[i] = LEVEL(audible)(input[2 * i]);
  } else {
    for (int32_t i = 0; i < count; i += 1) plane[i] = LEVEL(audible)(input[(int64_t)i * stride]);
  }
}
