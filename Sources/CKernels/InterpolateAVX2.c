// Interpolation with AVX2. For 16-bit samples, it computes in integers, eight frames at a time.
//
// The definition uses `double`, which AVX2 processes four at a time and converts slowly. But a sample is an
// integer, and bits of the fraction after the first 30 almost never change it. So control points are computed in
// `double`, exactly as defined, and the rest with 30 bits of their fractions. If a sum is so close to the
// middle between two integers that this might round it the other way (9 times in 32768), its eight frames
// are computed again by the definition.

#include "Definition.h"
#include "Kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define INLINED_AVX2 static inline __attribute__((always_inline, target("avx2")))

/// The number of frames computed together.
#define STEP 8
/// The number of steps whose control points are computed together, so that the divisions of one step overlap
/// those of the next.
#define STEPS 64

/// The maximum error of a sum with 30 bits, in units of 2^-15. The omitted part of a fraction is between -2^-33
/// and 2^-30 + 2^-33 and is multiplied by up to 2^16: -2.3 to 2.3 units. The lower product is rounded down: up
/// to 1 unit more. Rounding in `double` is less than 2^-20 units.
#define DOUBT 4

/// The upper half of 2^20 as a `double`. The sum of 2^20 and a smaller number has the fraction, in units of
/// 2^-32, in its lower half, and the whole part, plus this number, in its upper half.
#define WHOLE_BITS 0x41300000

/// Control points of eight frames.
struct places {
  /// The whole parts, plus WHOLE_BITS.
  __m256i whole;
  /// The fractions, in units of 2^-32.
  __m256i fraction;
};

/// The positions of the next eight output frames.
struct line {
  /// The indices of frames 0, 1, 4, 5 and of 2, 3, 6, 7, which one shuffle of both puts in order.
  __m256d frames[2];
  __m256d spacing;
  /// The difference from a position in the whole input to one in the block, plus 2^20.
  __m256d shift;
};

INLINED_AVX2 struct line line_of(const struct scaleaudio_interpolation *work) {
  const __m256d first = _mm256_set1_pd((double)work->first_output);
  return (struct line){
    {_mm256_add_pd(first, _mm256_setr_pd(0, 1, 4, 5)),
     _mm256_add_pd(first, _mm256_setr_pd(2, 3, 6, 7))},
    _mm256_set1_pd(work->spacing), _mm256_set1_pd(0x1p20 - (double)work->origin)};
}

/// The positions of four frames in the whole input, as defined.
INLINED_AVX2 __m256d places_of(__m256d frames, __m256d spacing, bool is_eased) {
  if (!is_eased) return _mm256_mul_pd(frames, spacing);
  const __m256d x = _mm256_div_pd(frames, spacing);
  const __m256d whole = _mm256_round_pd(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
  const __m256d t = _mm256_sub_pd(x, whole);
  const __m256d factor = _mm256_sub_pd(_mm256_set1_pd(3), _mm256_add_pd(t, t));
  return _mm256_add_pd(whole, _mm256_mul_pd(_mm256_mul_pd(t, t), factor));
}

INLINED_AVX2 struct places next_places(struct line *line, bool is_eased) {
  __m256 bits[2];
  for (int i = 0; i < 2; i++) {
    const __m256d places = places_of(line->frames[i], line->spacing, is_eased);
    bits[i] = _mm256_castpd_ps(_mm256_add_pd(places, line->shift));
    line->frames[i] = _mm256_add_pd(line->frames[i], _mm256_set1_pd(STEP));
  }
  return (struct places){
    _mm256_castps_si256(_mm256_shuffle_ps(bits[0], bits[1], 0xDD)),
    _mm256_castps_si256(_mm256_shuffle_ps(bits[0], bits[1], 0x88))};
}

INLINED_AVX2 void next_run(struct places *run, int steps, struct line *line, bool is_eased) {
  if (is_eased) {
    for (int i = 0; i < steps; i++) run[i] = next_places(line, true);
  } else {
    for (int i = 0; i < steps; i++) run[i] = next_places(line, false);
  }
}

/// The index in the block of the frame at the first of eight positions.
INLINED_AVX2 int64_t first_of(struct places places) {
  return _mm_cvtsi128_si32(_mm256_castsi256_si128(places.whole)) - WHOLE_BITS;
}

/// The indices of the frames at eight positions, relative to the first of them.
INLINED_AVX2 __m256i from_first(struct places places) {
  const __m128i first = _mm256_castsi256_si128(places.whole);
  return _mm256_sub_epi32(places.whole, _mm256_broadcastd_epi32(first));
}

/// Not zero where such a relative index is not 0 to 7.
INLINED_AVX2 __m256i beyond_eight(__m256i which) {
  return _mm256_andnot_si256(_mm256_set1_epi32(7), which);
}

INLINED_AVX2 __m256i load(const int16_t *samples) {
  return _mm256_loadu_si256((const __m256i *)samples);
}

INLINED_AVX2 __m128i load_half(const int16_t *samples) {
  return _mm_loadu_si128((const __m128i *)samples);
}

/// Fractions as factors for pairs of samples, negative and positive, in two parts of 15 bits.
struct weights {
  __m256i high, low;
};

INLINED_AVX2 struct weights weights_of(__m256i fraction) {
  const __m256i upper = _mm256_broadcastsi128_si256(
    _mm_setr_epi8(2, 3, 2, 3, 6, 7, 6, 7, 10, 11, 10, 11, 14, 15, 14, 15));
  const __m256i lower = _mm256_broadcastsi128_si256(
    _mm_setr_epi8(0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13));
  const __m256i signs = _mm256_set1_epi32(0x0001FFFF);
  const __m256i half = _mm256_srli_epi32(fraction, 1);
  const __m256i high = _mm256_shuffle_epi8(half, upper);
  const __m256i low = _mm256_srli_epi16(_mm256_shuffle_epi8(half, lower), 1);
  return (struct weights){_mm256_sign_epi16(high, signs), _mm256_sign_epi16(low, signs)};
}

/// The differences to add to the first samples of eight pairs: the nearest integers in the upper 16 bits, and in
/// the lower the distance above the point where rounding would give the next lower integer.
INLINED_AVX2 __m256i rises_of(__m256i pairs, struct weights weights) {
  const __m256i low = _mm256_srai_epi32(_mm256_madd_epi16(pairs, weights.low), 15);
  const __m256i sum = _mm256_add_epi32(_mm256_madd_epi16(pairs, weights.high), low);
  return _mm256_slli_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(0x4000 + DOUBT)), 1);
}

/// All ones for those of 16 lower halves of `rises_of` whose sum is too close to the middle.
INLINED_AVX2 __m256i doubt_of(__m256i remainders) {
  const __m256i most = _mm256_set1_epi16(2 * 2 * DOUBT);
  return _mm256_cmpeq_epi16(remainders, _mm256_min_epu16(remainders, most));
}

/// Sixteen lower halves, or upper halves, of two vectors in turn.
#define LOWER_HALVES(A, B) _mm256_blend_epi16(A, _mm256_slli_epi32(B, 16), 0xAA)
#define UPPER_HALVES(A, B) _mm256_blend_epi16(_mm256_srli_epi32(A, 16), B, 0xAA)

/// Computes eight frames of two channels from the frames at and after their positions; returns a mask of
/// doubtful samples.
INLINED_AVX2 __m256i stereo(
  __m256i before, __m256i after, struct weights weights, int16_t *output
) {
  const __m256i left = rises_of(LOWER_HALVES(before, after), weights);
  const __m256i right = rises_of(UPPER_HALVES(before, after), weights);
  const __m256i sums = _mm256_add_epi16(before, UPPER_HALVES(left, right));
  _mm256_storeu_si256((__m256i *)output, sums);
  return doubt_of(LOWER_HALVES(left, right));
}

/// The same for positions that are close together, within eight frames from the first.
INLINED_AVX2 __m256i stereo_near(const int16_t *input, struct places places, int16_t *output) {
  const int16_t *first = input + 2 * first_of(places);
  const __m256i which = from_first(places);
  const __m256i before = _mm256_permutevar8x32_epi32(load(first), which);
  const __m256i after = _mm256_permutevar8x32_epi32(load(first + 2), which);
  const __m256i doubt = stereo(before, after, weights_of(places.fraction), output);
  return _mm256_or_si256(doubt, beyond_eight(which));
}

/// The same for any positions.
INLINED_AVX2 __m256i stereo_far(const int16_t *input, struct places places, int16_t *output) {
  int32_t at[STEP];
  _mm256_storeu_si256(
    (__m256i *)at, _mm256_sub_epi32(places.whole, _mm256_set1_epi32(WHOLE_BITS)));
  __m128 two[4];
  for (int i = 0; i < 4; i++) {
    two[i] = _mm_castsi128_ps(_mm_unpacklo_epi64(
      _mm_loadu_si64(input + 2 * (int64_t)at[2 * i]),
      _mm_loadu_si64(input + 2 * (int64_t)at[2 * i + 1])));
  }
  const __m256 outer = _mm256_set_m128(two[2], two[0]);
  const __m256 inner = _mm256_set_m128(two[3], two[1]);
  const __m256i before = _mm256_castps_si256(_mm256_shuffle_ps(outer, inner, 0x88));
  const __m256i after = _mm256_castps_si256(_mm256_shuffle_ps(outer, inner, 0xDD));
  return stereo(before, after, weights_of(places.fraction), output);
}

/// Computes eight samples of one channel from the pairs at and after their positions; returns a mask of
/// doubtful samples.
INLINED_AVX2 __m256i mono(__m256i pairs, struct weights weights, int16_t *output) {
  const __m256i rises = rises_of(pairs, weights);
  const __m256i sums =
    _mm256_srli_epi32(_mm256_add_epi32(_mm256_slli_epi32(pairs, 16), rises), 16);
  const __m128i packed =
    _mm_packus_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  _mm_storeu_si128((__m128i *)output, packed);
  return doubt_of(_mm256_or_si256(rises, _mm256_set1_epi32(0xFFFF0000)));
}

INLINED_AVX2 __m256i mono_near(const int16_t *input, struct places places, int16_t *output) {
  const int16_t *first = input + first_of(places);
  const __m256i which = from_first(places);
  const __m128i before = load_half(first), after = load_half(first + 1);
  const __m256i pairs =
    _mm256_set_m128i(_mm_unpackhi_epi16(before, after), _mm_unpacklo_epi16(before, after));
  const __m256i doubt = mono(
    _mm256_permutevar8x32_epi32(pairs, which), weights_of(places.fraction), output);
  return _mm256_or_si256(doubt, beyond_eight(which));
}

INLINED_AVX2 __m256i mono_far(const int16_t *input, struct places places, int16_t *output) {
  int32_t at[STEP], pairs[STEP];
  _mm256_storeu_si256(
    (__m256i *)at, _mm256_sub_epi32(places.whole, _mm256_set1_epi32(WHOLE_BITS)));
  for (int i = 0; i < STEP; i++) memcpy(&pairs[i], input + at[i], sizeof pairs[i]);
  return mono(
    _mm256_setr_epi32(
      pairs[0], pairs[1], pairs[2], pairs[3], pairs[4], pairs[5], pairs[6], pairs[7]),
    weights_of(places.fraction), output);
}

/// The sums for eight samples in each half: frame `i` of eight in the lower and `i + 4` in the upper.
INLINED_AVX2 __m256i sums_of_two(
  __m256i before, __m256i after, struct weights weights, int i, bool is_wide, __m256i *least
) {
  const __m256i which = _mm256_set1_epi32(i);
  const struct weights own = {
    _mm256_castps_si256(_mm256_permutevar_ps(_mm256_castsi256_ps(weights.high), which)),
    _mm256_castps_si256(_mm256_permutevar_ps(_mm256_castsi256_ps(weights.low), which))};
  const __m256i first = rises_of(_mm256_unpacklo_epi16(before, after), own);
  const __m256i last = is_wide ? rises_of(_mm256_unpackhi_epi16(before, after), own) : first;
  *least = _mm256_min_epu16(*least, LOWER_HALVES(first, last));
  return _mm256_add_epi16(
    before, _mm256_packus_epi32(_mm256_srli_epi32(first, 16), _mm256_srli_epi32(last, 16)));
}

/// Computes eight frames of any number of channels, eight channels at a time; only four of them are valid unless
/// `is_wide`. If there are fewer channels, eight are still read and written, and the next frame
/// overwrites the excess.
INLINED_AVX2 __m256i many(
  const int16_t *input, struct places places, int channels, bool is_wide, int16_t *output
) {
  int32_t at[STEP];
  _mm256_storeu_si256((__m256i *)at, _mm256_sub_epi32(places.whole, _mm256_set1_epi32(WHOLE_BITS)));
  const struct weights weights = weights_of(places.fraction);
  __m256i least = _mm256_set1_epi16(-1);
  for (int channel = 0;;) {
    __m256i sums[4];
    for (int i = 0; i < 4; i++) {
      const int16_t *lower = input + (int64_t)at[i] * channels + channel;
      const int16_t *upper = input + (int64_t)at[i + 4] * channels + channel;
      const __m256i before = _mm256_set_m128i(load_half(upper), load_half(lower));
      const __m256i after =
        _mm256_set_m128i(load_half(upper + channels), load_half(lower + channels));
      sums[i] = sums_of_two(before, after, weights, i, is_wide, &least);
    }
    int16_t *target = output + channel;
    for (int i = 0; i < 4; i++) {
      _mm_storeu_si128((__m128i *)(target + i * channels), _mm256_castsi256_si128(sums[i]));
    }
    for (int i = 0; i < 4; i++) {
      _mm_storeu_si128(
        (__m128i *)(target + (i + 4) * channels), _mm256_extracti128_si256(sums[i], 1));
    }
    if (channel + 8 >= channels) break;
    // The last eight channels may overlap those before.
    channel = channel + 16 <= channels ? channel + 8 : channels - 8;
  }
  return doubt_of(least);
}

/// A layout of samples, and the way to load them.
enum way { MONO_NEAR, MONO_FAR, STEREO_NEAR, STEREO_FAR, FEW, MANY };

/// True if eight frames can be computed without reading or writing out of bounds.
INLINED_AVX2 bool fits(
  enum way way, struct places places, const struct scaleaudio_interpolation *work, int64_t done
) {
  switch (way) {
  case MONO_FAR:
  case STEREO_FAR: return true;
  case MONO_NEAR:
  case STEREO_NEAR: return first_of(places) + STEP < work->input_frames;
  case FEW:
  case MANY: {
    if (work->channels >= 8) return true;
    // Rounding can put an eased position one frame before an earlier one.
    const int64_t last = _mm256_extract_epi32(places.whole, STEP - 1) - WHOLE_BITS + 1;
    return (work->input_frames - last - 1) * work->channels >= 8
      && (work->output_frames - done - STEP + 1) * work->channels >= 8;
  }
  }
}

INLINED_AVX2 __m256i make(
  enum way way, const struct scaleaudio_interpolation *work, struct places places, int16_t *output
) {
  const int16_t *input = work->input;
  switch (way) {
  case MONO_NEAR: return mono_near(input, places, output);
  case MONO_FAR: return mono_far(input, places, output);
  case STEREO_NEAR: return stereo_near(input, places, output);
  case STEREO_FAR: return stereo_far(input, places, output);
  case FEW: return many(input, places, work->channels, false, output);
  case MANY: return many(input, places, work->channels, true, output);
  }
}

/// Computes all groups of eight frames that can be loaded this way; returns the number of frames.
INLINED_AVX2 int64_t make_all(enum way way, const struct scaleaudio_interpolation *work) {
  struct line line = line_of(work);
  struct places run[STEPS];
  int64_t done = 0;
  while (done + STEP <= work->output_frames) {
    const int64_t left = (work->output_frames - done) / STEP;
    const int steps = left < STEPS ? (int)left : STEPS;
    next_run(run, steps, &line, work->is_eased);
    for (int i = 0; i < steps; i++) {
      if (!fits(way, run[i], work, done)) return done;
      const __m256i doubt =
        make(way, work, run[i], (int16_t *)work->output + done * work->channels);
      if (__builtin_expect(!_mm256_testz_si256(doubt, doubt), false)) {
        define_int16(work, done, done + STEP);
      }
      done += STEP;
    }
  }
  return done;
}

AVX2 static void interpolate_int16(const struct scaleaudio_interpolation *work) {
  // Except for rounding, eight positions at most one frame apart are within eight frames from the first.
  const bool is_near = work->is_eased ? work->spacing >= 1 : work->spacing <= 1;
  int64_t done;
  switch (work->channels) {
  case 1: done = is_near ? make_all(MONO_NEAR, work) : make_all(MONO_FAR, work); break;
  case 2: done = is_near ? make_all(STEREO_NEAR, work) : make_all(STEREO_FAR, work); break;
  case 3:
  case 4: done = make_all(FEW, work); break;
  default: done = make_all(MANY, work);
  }
  define_int16(work, done, work->output_frames);
}

AVX2 void scaleaudio_interpolate_avx2(
  enum scaleaudio_kernel_sample sample, const struct scaleaudio_interpolation *work
) {
  if (sample == SCALEAUDIO_KERNEL_INT16) interpolate_int16(work);
  else define(sample, work, 0, work->output_frames);
}

#endif
