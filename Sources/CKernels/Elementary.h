#pragma once

// Functions that libraries compute differently, by arithmetic that is the same everywhere.

#include <stdint.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF
#pragma clang diagnostic ignored "-Wpsabi"

/// A part of a function that is compiled twice, the second time for AVX2.
#define INLINED static inline __attribute__((always_inline))
#define AVX2 __attribute__((target("avx2")))

/// The square root without `errno`, so that loops run in vectors.
#define ROOT(VALUE) __builtin_elementwise_sqrt(VALUE)

typedef float eight __attribute__((vector_size(32)));
typedef float eight_anywhere __attribute__((vector_size(32), aligned(4)));
typedef double four __attribute__((vector_size(32)));
typedef double four_anywhere __attribute__((vector_size(32), aligned(8)));

INLINED float larger(float a, float b) { return a > b ? a : b; }
INLINED float smaller(float a, float b) { return a < b ? a : b; }

/// The sum of the products of two rows of numbers, in eight lanes.
INLINED double product(const float *a, const float *b, int32_t count) {
  eight sum = {0};
  int32_t i = 0;
  for (; i + 8 <= count; i += 8) sum += *(const eight_anywhere *)(a + i) * *(const eight_anywhere *)(b + i);
  double total = 0;
  for (int lane = 0; lane < 8; lane += 1) total += (double)sum[lane];
  for (; i < count; i += 1) total += (double)(a[i] * b[i]);
  return total;
}

/// Adds the first `count` lanes of four vectors to four sums, one lane after another.
INLINED void add_lanes(const eight *vectors, int count, four *sums) {
  typedef float quarter __attribute__((vector_size(16)));
  const eight low[2] = {
    __builtin_shufflevector(vectors[0], vectors[1], 0, 8, 1, 9, 4, 12, 5, 13),
    __builtin_shufflevector(vectors[2], vectors[3], 0, 8, 1, 9, 4, 12, 5, 13)};
  const eight high[2] = {
    __builtin_shufflevector(vectors[0], vectors[1], 2, 10, 3, 11, 6, 14, 7, 15),
    __builtin_shufflevector(vectors[2], vectors[3], 2, 10, 3, 11, 6, 14, 7, 15)};
  // Lanes 0 and 4, 1 and 5, 2 and 6, 3 and 7 of all.
  const eight lanes[4] = {
    __builtin_shufflevector(low[0], low[1], 0, 1, 8, 9, 4, 5, 12, 13),
    __builtin_shufflevector(low[0], low[1], 2, 3, 10, 11, 6, 7, 14, 15),
    __builtin_shufflevector(high[0], high[1], 0, 1, 8, 9, 4, 5, 12, 13),
    __builtin_shufflevector(high[0], high[1], 2, 3, 10, 11, 6, 7, 14, 15)};
  for (int lane = 0; lane < count; lane += 1) {
    const eight both = lanes[lane % 4];
    const quarter one = lane < 4 ? __builtin_shufflevector(both, both, 0, 1, 2, 3)
                                 : __builtin_shufflevector(both, both, 4, 5, 6, 7);
    *sums += __builtin_convertvector(one, four);
  }
}

/// The sums of four pairs of rows, each that of `product`, bit for bit.
///
/// An addition waits for the one before it in the same sum, so four sums together take little more time than one. Seven numbers
/// behind each row are read and not used.
INLINED four four_products(const float *const *a, const float *const *b, int32_t count) {
  eight sums[4] = {{0}, {0}, {0}, {0}};
  int32_t i = 0;
  for (; i + 8 <= count; i += 8) {
    for (int k = 0; k < 4; k += 1) {
      sums[k] += *(const eight_anywhere *)(a[k] + i) * *(const eight_anywhere *)(b[k] + i);
    }
  }
  four totals = {0};
  add_lanes(sums, 8, &totals);
  if (i == count) return totals;
  for (int k = 0; k < 4; k += 1) {
    sums[k] = *(const eight_anywhere *)(a[k] + i) * *(const eight_anywhere *)(b[k] + i);
  }
  switch (count - i) {
    case 1: add_lanes(sums, 1, &totals); break;
    case 2: add_lanes(sums, 2, &totals); break;
    case 3: add_lanes(sums, 3, &totals); break;
    case 4: add_lanes(sums, 4, &totals); break;
    case 5: add_lanes(sums, 5, &totals); break;
    case 6: add_lanes(sums, 6, &totals); break;
    default: add_lanes(sums, 7, &totals);
  }
  return totals;
}

/// The natural logarithm of a normal positive number, to 10^-7, by the series of the inverse hyperbolic tangent.
INLINED float logarithm(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  // A mantissa between 2^-0.5 and 2^0.5.
  const int32_t shifted = (int32_t)(bits - 0x3F3504F3);
  const int32_t exponent = shifted >> 23;
  bits -= (uint32_t)exponent << 23;
  float mantissa;
  memcpy(&mantissa, &bits, sizeof mantissa);
  const float t = (mantissa - 1) / (mantissa + 1), s = t * t;
  const float series = 2 * t * (1 + s * (0.33333333f + s * (0.2f + s * (0.14285715f + s * 0.11111111f))));
  return series + (float)exponent * 0.69314718f;
}

/// The exponential function of a number from -80 to 80, to 10^-6, by its series.
INLINED float exponential(float value) {
  const int32_t twos = (int32_t)(value * 1.44269504f + (value < 0 ? -0.5f : 0.5f));
  const float x = value - (float)twos * 0.69314718f;
  const float series = 1 + x * (1 + x * (0.5f + x * (0.16666667f + x * (0.041666667f
    + x * (0.0083333333f + x * 0.0013888889f)))));
  const uint32_t bits = (uint32_t)(twos + 127) << 23;
  float power;
  memcpy(&power, &bits, sizeof power);
  return series * power;
}
