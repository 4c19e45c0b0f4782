#pragma once

// The levels of stretched frames: what groups of bins have in the source, what is left of it where frames no longer
// overlap as there, and the gains that make up for it.

#include "Elementary.h"
#include "Phases.h"

/// The spectrum of `count` bins under one more Hann window, for blocks that begin half a window before their middle.
INLINED void window(const float *restrict from, float *restrict to, int32_t count) {
  if (count == 1) {
    to[0] = 0.5f * from[0];
    return;
  }
  to[0] = 0.5f * from[0] - 0.25f * from[1];
  for (int32_t b = 1; b < count - 1; b += 1) {
    to[b] = 0.5f * from[b] - 0.25f * (from[b - 1] + from[b + 1]);
  }
  to[count - 1] = 0.5f * from[count - 1] - 0.25f * from[count - 2];
}

/// Adds the energy of a frame, and what it has in common with the frame one hop before it, to those of other channels.
INLINED void add_overlap(
  const struct scaleaudio_phases *w, bool is_first, const float *real, const float *imaginary,
  const float *last_real, const float *last_imaginary, int32_t count, float *restrict energy,
  float *restrict common
) {
  const float *const cosine = w->hop_cosine, *const sine = w->hop_sine;
  for (int32_t b = 0; b < count; b += 1) {
    const float r = real[b] * last_real[b] + imaginary[b] * last_imaginary[b];
    const float i = imaginary[b] * last_real[b] - real[b] * last_imaginary[b];
    energy[b] = (is_first ? 0 : energy[b]) + (real[b] * real[b] + imaginary[b] * imaginary[b]);
    common[b] = (is_first ? 0 : common[b]) + (r * cosine[b] + i * sine[b]);
  }
}

/// The part of the energy of frames, overlapped as in the source, that is left where each has only a part in common
/// with the next.
///
/// Of eight parts at once, written over them.
INLINED void overlapped(const struct scaleaudio_phases *w, float *parts) {
  float sums[8], powers[8], most = 1;
  for (int n = 0; n < 8; n += 1) sums[n] = powers[n] = 1;
  for (int32_t d = 0; d < w->overlap - 1; d += 1) {
    const float both = 2 * w->overlaps[d];
    for (int n = 0; n < 8; n += 1) {
      powers[n] *= parts[n];
      sums[n] += both * powers[n];
    }
    most += both;
  }
  for (int n = 0; n < 8; n += 1) parts[n] = sums[n] / most;
}

/// The bins of one channel of several, `plane` numbers apart, or of two channels' sum or difference, times `gains` if
/// not `NULL`; in `room` if they are not there as they are.
INLINED const float *gather(
  const float *planes, int64_t plane, int32_t channel, float sign, const float *restrict gains,
  float *restrict room, int32_t count
) {
  const float *const one = planes + channel * plane, *const other = one + plane;
  if (sign == 0 && gains == NULL) return one;
  for (int32_t b = 0; b < count; b += 1) room[b] = sign != 0 ? one[b] + sign * other[b] : one[b];
  if (gains != NULL) {
    for (int32_t b = 0; b < count; b += 1) room[b] *= gains[b];
  }
  return room;
}

/// The end of the group that begins at a bin, or of the bins of this frame.
INLINED int32_t end_of_group(const struct scaleaudio_phases *w, int32_t start, int32_t count) {
  const int32_t end = scaleaudio_phases_group_end(w->first, start, w->grouped);
  return end < count ? end : count;
}

/// The energy of groups of bins in the source under a second window, and what they have in common with the frame a hop
/// earlier, of some channels, two numbers a group. Returns where the next would be.
INLINED float *measure_source(
  const struct scaleaudio_phases *w, int32_t channel, int32_t channels, float sign, float *levels, float *scratch,
  int32_t count
) {
  float *const energy = scratch, *const common = energy + count;
  float *const a = common + count, *const real = a + count, *const imaginary = real + count;
  float *const earlier_real = imaginary + count, *const earlier_imaginary = earlier_real + count;
  const float *const gains = w->gains;
  for (int32_t c = channel; c < channel + channels; c += 1) {
    const float *const planes[4] = {w->real, w->imaginary, w->earlier_real, w->earlier_imaginary};
    float *const targets[4] = {real, imaginary, earlier_real, earlier_imaginary};
    for (int k = 0; k < 4; k += 1) {
      window(gather(planes[k], w->source_plane, c, sign, gains, a, count), targets[k], count);
    }
    add_overlap(w, c == channel, real, imaginary, earlier_real, earlier_imaginary, count, energy, common);
  }
  for (int32_t start = 0, end; start < count; start = end, levels += 2) {
    end = end_of_group(w, start, count);
    float sums[2] = {0, 0};
    for (int32_t b = start; b < end; b += 1) {
      sums[0] += energy[b];
      sums[1] += common[b];
    }
    memcpy(levels, sums, sizeof sums);
  }
  return levels;
}

/// The square of the coherence below which channels hold different things.
#define UNLIKE 0.04f

/// The part of a band's energy in groups that are unlike from which on the whole band is.
#define MOSTLY 0.5f

/// Compares channels with the loudest, by group of bins.
INLINED void compare_channels(const struct scaleaudio_phases *w, int32_t count) {
  uint8_t *apart = w->apart;
  float unlike = 0, whole = 0;
  // The loudest channel, the frames since, and of each channel its energy and what it has in common with the loudest.
  float *kept = w->likeness;
  for (int32_t start = 0, end; start < count; start = end, apart += 1, kept += 2 + 3 * w->channels) {
    end = end_of_group(w, start, count);
    float *const numbers = kept + 2;
    int32_t loudest = (int32_t)kept[0];
    if (w->is_first) kept[1] = 0;
    for (int pass = 0; pass < 2; pass += 1) {
      const float *const or = w->real + loudest * (int64_t)w->source_plane;
      const float *const oi = w->imaginary + loudest * (int64_t)w->source_plane;
      for (int32_t c = 0; c < w->channels; c += 1) {
        const float *const r = w->real + c * (int64_t)w->source_plane;
        const float *const i = w->imaginary + c * (int64_t)w->source_plane;
        float now[3] = {0, 0, 0};
        for (int32_t b = start; b < end; b += 1) {
          now[0] += r[b] * r[b] + i[b] * i[b];
          now[1] += r[b] * or[b] + i[b] * oi[b];
          now[2] += i[b] * or[b] - r[b] * oi[b];
        }
        for (int k = 0; k < 3; k += 1) {
          // A mean at first, then with the weight of the last frame.
          const float weight = larger(1 - w->remembering, 1 / (1 + kept[1]));
          numbers[3 * c + k] += weight * (now[k] - numbers[3 * c + k]);
        }
      }
      kept[1] += 1;
      int32_t other = loudest;
      for (int32_t c = 0; c < w->channels; c += 1) if (numbers[3 * c] > 4 * numbers[3 * other]) other = c;
      if (other == loudest) break;
      // Compare with another from now on.
      loudest = other;
      kept[1] = 0;
    }
    kept[0] = (float)loudest;
    *apart = 0;
    const float most = numbers[3 * loudest];
    for (int32_t c = 0; c < w->channels; c += 1) {
      const float *const one = numbers + 3 * c;
      if (c == loudest || one[0] <= 1e-4f * most) continue;
      if (one[1] * one[1] + one[2] * one[2] < UNLIKE * one[0] * most) *apart = 1;
    }
    for (int32_t c = 0; c < w->channels; c += 1) {
      unlike += *apart ? numbers[3 * c] : 0;
      whole += numbers[3 * c];
    }
  }
  // Several channels that agree in little of the band agree by chance.
  if (w->channels > 2 && unlike > MOSTLY * whole) memset(w->apart, 1, (size_t)(apart - w->apart));
}

INLINED void measure_sources(const struct scaleaudio_phases *w) {
  const int32_t count = w->end - w->first;
  if (count <= 0) return;
  if (w->channels > 1) compare_channels(w, count);
  if (w->channels == 2) {
    float *const next = measure_source(w, 0, 1, 1, w->source_levels, w->scratch, count);
    measure_source(w, 0, 1, -1, next, w->scratch, count);
  } else {
    measure_source(w, 0, w->channels, 0, w->source_levels, w->scratch, count);
  }
}

/// The gains of up to eight groups of bins, by their levels; levels of silence become 0.
INLINED void gains_of_groups(const struct scaleaudio_phases *w, float *levels, int32_t groups, float *gains) {
  float made[8] = {0}, made_common[8] = {0}, source[8] = {0}, source_common[8] = {0}, parts[8];
  for (int32_t n = 0; n < groups; n += 1) {
    const float *const kept = levels + 4 * n;
    // Silence must not decay for long.
    if (!(kept[0] > 1e-30f && kept[2] > 1e-30f)) memset(levels + 4 * n, 0, 4 * sizeof(float));
    made[n] = kept[0];
    made_common[n] = kept[1];
    source[n] = kept[2];
    source_common[n] = kept[3];
  }
  for (int n = 0; n < 8; n += 1) {
    const float one = made_common[n] / made[n], other = source_common[n] / source[n];
    parts[n] = other > 0 ? smaller(1, larger(0, one / other)) : 1;
  }
  overlapped(w, parts);
  for (int n = 0; n < 8; n += 1) parts[n] = smaller(1, larger(0.2f, made[n] / source[n] * parts[n]));
  // An attack moves within the windows, and weighs more or less there: a part of what is lost does not count.
  if (w->has_attack || w->is_onset) {
    for (int n = 0; n < 8; n += 1) {
      const float root = ROOT(ROOT(parts[n]));
      gains[n] = w->attack_gain / (root * ROOT(root));
    }
  } else {
    for (int n = 0; n < 8; n += 1) gains[n] = 1 / ROOT(parts[n]);
  }
  for (int n = 0; n < 8; n += 1) gains[n] = made[n] > 0 ? gains[n] : 1;
}

/// The gains of groups of bins by what frames lose where they no longer overlap as in the source, a number a bin.
///
/// Frames of noise with new phases partly cancel, within a frame under the second window and between frames. Both
/// energies are known from the spectra: those of this frame and of the one before, in the output and in the source.
///
/// Takes the levels of the source, two numbers a group, and returns where the next are.
INLINED const float *find_gains(
  const struct scaleaudio_phases *w, int32_t channel, int32_t channels, float sign, const float *source,
  float *levels, float *scratch, float *found, int32_t count
) {
  float *const made = scratch, *const made_common = made + count;
  float *const a = made_common + count, *const real = a + count, *const imaginary = real + count;
  const float *const gains = w->gains;
  for (int32_t c = channel; c < channel + channels; c += 1) {
    const int64_t at = (int64_t)c * w->plane + w->first;
    // The shown part of a difference lies at the place of a second channel's.
    float *const shown_real = w->windowed_real + at + (sign < 0 ? w->plane : 0);
    float *const shown_imaginary = w->windowed_imaginary + at + (sign < 0 ? w->plane : 0);
    if (w->is_first) {
      // The source stands in for the frame before the first.
      window(gather(w->earlier_real, w->source_plane, c, sign, gains, a, count), shown_real, count);
      window(gather(w->earlier_imaginary, w->source_plane, c, sign, gains, a, count), shown_imaginary, count);
    }
    window(gather(w->made_real + w->first, w->plane, c, sign, NULL, a, count), real, count);
    window(gather(w->made_imaginary + w->first, w->plane, c, sign, NULL, a, count), imaginary, count);
    add_overlap(w, c == channel, real, imaginary, shown_real, shown_imaginary, count, made, made_common);
    memcpy(shown_real, real, (size_t)count * sizeof(float));
    memcpy(shown_imaginary, imaginary, (size_t)count * sizeof(float));
  }
  for (int32_t start = 0; start < count;) {
    int32_t ends[8], groups = 0;
    for (int32_t next = start; groups < 8 && next < count; next = ends[groups], groups += 1, source += 2) {
      ends[groups] = end_of_group(w, next, count);
      float sum[4] = {0, 0, source[0], source[1]};
      for (int32_t b = next; b < ends[groups]; b += 1) {
        sum[0] += made[b];
        sum[1] += made_common[b];
      }
      float *const kept = levels + 4 * groups;
      for (int k = 0; k < 4; k += 1) kept[k] = w->keeping * kept[k] + (1 - w->keeping) * sum[k];
    }
    float group_gains[8];
    gains_of_groups(w, levels, groups, group_gains);
    levels += 4 * groups;
    for (int32_t n = 0; n < groups; start = ends[n], n += 1) {
      for (int32_t b = start; b < ends[n]; b += 1) found[b] = group_gains[n];
    }
  }
  return source;
}

/// Keeps the levels of groups of bins: of all channels together, or of the sum and of the difference of two.
///
/// The turns suit what is louder, usually the sum, which then loses less.
INLINED void keep_levels(const struct scaleaudio_phases *w, float *scratch, int32_t count) {
  float *const found = scratch, *const rest = scratch + 2 * (int64_t)count;
  float *const planes[2] = {w->made_real + w->first, w->made_imaginary + w->first};
  if (w->channels == 2) {
    const float *const next = find_gains(w, 0, 1, 1, w->source_levels, w->levels, rest, found, count);
    find_gains(w, 0, 1, -1, next, w->levels + w->plane, rest, found + count, count);
    const uint8_t *apart = w->apart;
    for (int32_t start = 0, end; start < count; start = end, apart += 1) {
      end = end_of_group(w, start, count);
      if (!*apart) continue;
      // Nothing of one channel may get into the other.
      for (int32_t b = start; b < end; b += 1) found[b] = found[count + b] = 0.5f * (found[b] + found[count + b]);
    }
    for (int k = 0; k < 2; k += 1) {
      float *const left = planes[k], *const right = left + w->plane;
      for (int32_t b = 0; b < count; b += 1) {
        const float sum = found[b] * (left[b] + right[b]), difference = found[count + b] * (left[b] - right[b]);
        left[b] = 0.5f * (sum + difference);
        right[b] = 0.5f * (sum - difference);
      }
    }
    return;
  }
  find_gains(w, 0, w->channels, 0, w->source_levels, w->levels, rest, found, count);
  for (int32_t c = 0; c < w->channels; c += 1) {
    for (int k = 0; k < 2; k += 1) {
      float *const plane = planes[k] + (int64_t)c * w->plane;
      for (int32_t b = 0; b < count; b += 1) plane[b] *= found[b];
    }
  }
}

/// Writes what the frame before would have left for the levels of bins from `from` to `to`: its spectra under a second
/// window, from those that it made, and no levels.
static void show_again(const struct scaleaudio_phases *w, int32_t from, int32_t to) {
  const int32_t count = w->end - w->first;
  // Of two channels, the sum and the difference are shown.
  const bool pairs = w->channels == 2;
  for (int32_t c = 0; c < w->channels; c += 1) {
    for (int k = 0; k < 2; k += 1) {
      const float *const made = (k == 0 ? w->made_real : w->made_imaginary) + w->first;
      const float *const own = made + (pairs ? 0 : c * (int64_t)w->plane), *const other = made + w->plane;
      const float weight = !pairs ? 0 : c == 0 ? 1 : -1;
      float *const shown = (k == 0 ? w->windowed_real : w->windowed_imaginary) + c * (int64_t)w->plane + w->first;
      for (int32_t b = from - w->first; b < to - w->first; b += 1) {
        float sum = 0;
        for (int32_t near = b - 1; near <= b + 1; near += 1) {
          if (near < 0 || near >= count) continue;
          const float value = own[near] + (pairs ? weight * other[near] : 0);
          sum += (near == b ? 0.5f : -0.25f) * value;
        }
        shown[b] = sum;
      }
    }
  }
  float *levels = w->levels;
  for (int32_t start = 0, end; start < count; start = end, levels += 4) {
    end = end_of_group(w, start, count);
    if (end <= from - w->first || start >= to - w->first) continue;
    memset(levels, 0, 4 * sizeof(float));
    if (pairs) memset(levels + w->plane, 0, 4 * sizeof(float));
  }
}
