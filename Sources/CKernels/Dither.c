// Rounding to 16 bits with triangular noise, eight samples at a time with AVX2.

#include "CKernels.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <stddef.h>

#define INLINED_AVX2 static inline __attribute__((always_inline, target("avx2")))

/// The number of samples computed together.
#define STEP 8
/// The increment of SplitMix64's state.
#define GOLDEN 0x9E3779B97F4A7C15

/// The lower 64 bits of four products.
INLINED_AVX2 __m256i product(__m256i numbers, uint64_t factor) {
  const __m256i low = _mm256_set1_epi64x((int64_t)factor);
  const __m256i high = _mm256_set1_epi64x((int64_t)(factor >> 32));
  const __m256i cross = _mm256_add_epi64(
    _mm256_mul_epu32(_mm256_srli_epi64(numbers, 32), low), _mm256_mul_epu32(numbers, high));
  return _mm256_add_epi64(_mm256_mul_epu32(numbers, low), _mm256_slli_epi64(cross, 32));
}

#define FOLDED(NUMBERS, BITS) _mm256_xor_si256(NUMBERS, _mm256_srli_epi64(NUMBERS, BITS))

/// The noise of four states of SplitMix64, in steps of the output.
INLINED_AVX2 __m256d noise_of(__m256i state) {
  const __m256i first = product(FOLDED(state, 30), 0xBF58476D1CE4E5B9);
  const __m256i second = product(FOLDED(first, 27), 0x94D049BB133111EB);
  const __m256i bits = FOLDED(second, 31);
  // A 32-bit integer in the low bits of 2^52 adds its value, and the difference of two such sums is exact.
  const __m256i whole = _mm256_castpd_si256(_mm256_set1_pd(0x1p52));
  const __m256i upper = _mm256_or_si256(_mm256_srli_epi64(bits, 32), whole);
  const __m256i lower = _mm256_blend_epi32(bits, whole, 0xAA);
  const __m256d difference = _mm256_sub_pd(_mm256_castsi256_pd(upper), _mm256_castsi256_pd(lower));
  return _mm256_mul_pd(difference, _mm256_set1_pd(0x1p-32));
}

/// Four samples; sets bits in `beyond` where a sample is at or beyond full scale.
INLINED_AVX2 __m128i dithered(__m256d input, double gain, __m256i state, __m256d *beyond) {
  const __m256d least = _mm256_set1_pd(-0x1p15), most = _mm256_set1_pd(0x1p15);
  const __m256d value = _mm256_mul_pd(input, _mm256_set1_pd(gain));
  const __m256d scaled = _mm256_mul_pd(value, most);
  *beyond = _mm256_or_pd(
    *beyond, _mm256_or_pd(
      _mm256_cmp_pd(scaled, most, _CMP_GE_OQ), _mm256_cmp_pd(scaled, least, _CMP_LT_OQ)));
  // The comparison is false for NaN, which becomes silence.
  const __m256d size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), scaled);
  const __m256d sound =
    _mm256_cmp_pd(size, _mm256_set1_pd(0x1p-20), _CMP_GE_OQ);
  const __m256d noisy = _mm256_add_pd(scaled, noise_of(state));
  const __m256d clamped =
    _mm256_min_pd(_mm256_max_pd(noisy, least), _mm256_set1_pd(0x1p15 - 1));
  return _mm256_cvtpd_epi32(_mm256_and_pd(clamped, sound));
}

/// Four samples from index `start` on, of which either `singles` or `doubles` is the memory.
INLINED_AVX2 __m256d four_of(const float *singles, const double *doubles, int64_t start) {
  return singles ? _mm256_cvtps_pd(_mm_loadu_ps(singles + start)) : _mm256_loadu_pd(doubles + start);
}

INLINED_AVX2 int64_t dither(
  const float *singles, const double *doubles, int16_t *output, int64_t count, double gain,
  uint64_t first
) {
  __m256i lower = _mm256_setr_epi64x(
    (int64_t)((first + 1) * GOLDEN), (int64_t)((first + 2) * GOLDEN),
    (int64_t)((first + 3) * GOLDEN), (int64_t)((first + 4) * GOLDEN));
  __m256i upper = _mm256_add_epi64(lower, _mm256_set1_epi64x((int64_t)(4 * GOLDEN)));
  const __m256i step = _mm256_set1_epi64x((int64_t)(STEP * GOLDEN));
  int64_t done = 0;
  for (; done + STEP <= count; done += STEP) {
    __m256d beyond = _mm256_setzero_pd();
    const __m128i four = dithered(four_of(singles, doubles, done), gain, lower, &beyond);
    const __m128i next = dithered(four_of(singles, doubles, done + 4), gain, upper, &beyond);
    if (_mm256_movemask_pd(beyond)) break;
    _mm_storeu_si128((__m128i *)(output + done), _mm_packs_epi32(four, next));
    lower = _mm256_add_epi64(lower, step);
    upper = _mm256_add_epi64(upper, step);
  }
  return done;
}

__attribute__((target("avx2"))) static int64_t dither_singles(
  const float *input, int16_t *output, int64_t count, double gain, uint64_t first
) {
  return dither(input, NULL, output, count, gain, first);
}

__attribute__((target("avx2"))) static int64_t dither_doubles(
  const double *input, int16_t *output, int64_t count, double gain, uint64_t first
) {
  return dither(NULL, input, output, count, gain, first);
}

#endif

int64_t scaleaudio_dither_int16(
  enum scaleaudio_kernel_level level, const double *input, int16_t *output, int64_t count,
  double gain, uint64_t first
) {
#if defined(__x86_64__)
  if (level == SCALEAUDIO_KERNEL_AVX2) return dither_doubles(input, output, count, gain, first);
#endif
  return 0;
}

int64_t scaleaudio_dither_int16_singles(
  enum scaleaudio_kernel_level level, const float *input, int16_t *output, int64_t count,
  double gain, uint64_t first
) {
#if defined(__x86_64__)
  if (level == SCALEAUDIO_KERNEL_AVX2) return dither_singles(input, output, count, gain, first);
#endif
  return 0;
}
