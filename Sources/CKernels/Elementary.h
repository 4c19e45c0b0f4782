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

/// The sums of four pairs of rows, each that of `product`, bit for bit.
///
/// An addition waits for the one before it in the same sum, so four sums together take little more time than one.
INLINED void four_products(const float *const *a, const float *const *b, int32_t count, double *totals) {
  eight sums[4] = {{0}, {0}, {0}, {0}};
  int32_t i = 0;
  for (; i + 8 <= count; i += 8) {
    for (int k = 0; k < 4; k += 1) {
      sums[k] += *(const eight_anywhere *)(a[k] + i) * *(const eight_anywhere *)(b[k] + i);
    }
  }
  for (int k = 0; k < 4; k += 1) totals[k] = 0;
  for (int lane = 0; lane < 8; lane += 1) {
    for (int k = 0; k < 4; k += 1) totals[k] += (double)sums[k][lane];
  }
  for (; i < count; i += 1) {
    for (int k = 0; k < 4; k += 1) totals[k] += (double)(a[k][i] * b[k][i]);
  }
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
