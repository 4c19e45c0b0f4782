// The phases of stretched frames, and the rise of energy at attacks. Plain C without fused multiply-add, so that
// every machine computes the same bits.

#include "Phases.h"

#include <math.h>
#include <string.h>

#include "CKernels.h"
#include "Elementary.h"
#include "Levels.h"

/// Makes a complex number one of size 1; 0 stays 0.
INLINED void direction(double *real, double *imaginary) {
  const double square = *real * *real + *imaginary * *imaginary;
  const double scale = square > 0 ? 1 / ROOT(square) : 0;
  *real *= scale;
  *imaginary *= scale;
}

/// The changes from one spectrum to another, a number a bin: of all channels and with its neighbors, which other tones
/// disturb in opposite directions. Their sizes are energies.
///
/// `products` has room for two numbers a bin and four more.
INLINED void find_changes(
  const struct scaleaudio_phases *w, const float *from_real, const float *from_imaginary, const float *to_real,
  const float *to_imaginary, int64_t to_plane, double *restrict products, double *restrict real,
  double *restrict imaginary
) {
  const int32_t count = w->end - w->first;
  double *const r = products + 1, *const i = r + count + 2;
  r[-1] = r[count] = i[-1] = i[count] = 0;
  for (int32_t c = 0; c < w->channels; c += 1) {
    const float *const xr = from_real + c * (int64_t)w->source_plane;
    const float *const xi = from_imaginary + c * (int64_t)w->source_plane;
    const float *const yr = to_real + c * to_plane, *const yi = to_imaginary + c * to_plane;
    for (int32_t b = 0; b < count; b += 1) {
      r[b] = (double)yr[b] * xr[b] + (double)yi[b] * xi[b];
      i[b] = (double)yi[b] * xr[b] - (double)yr[b] * xi[b];
    }
    if (c == 0) {
      for (int32_t b = 0; b < count; b += 1) {
        real[b] = r[b - 1] + r[b] + r[b + 1];
        imaginary[b] = i[b - 1] + i[b] + i[b + 1];
      }
    } else {
      for (int32_t b = 0; b < count; b += 1) {
        real[b] = real[b] + r[b - 1] + r[b] + r[b + 1];
        imaginary[b] = imaginary[b] + i[b - 1] + i[b] + i[b + 1];
      }
    }
  }
}

/// The turns that continue the last output by the change of phase in the source, a number a bin.
///
/// That is the change over the hop before this frame. With the spectra for it, half of it and half of the change over
/// the hop after the last frame: their middle does not lag behind a pitch that glides.
INLINED void turn_by_time(const struct scaleaudio_phases *w, double *scratch, float *restrict ur, float *restrict ui) {
  const int32_t count = w->end - w->first;
  double *const r = scratch, *const i = r + count, *const products = i + count;
  const float *const made_real = w->made_real + w->first, *const made_imaginary = w->made_imaginary + w->first;
  find_changes(w, w->earlier_real, w->earlier_imaginary, made_real, made_imaginary, w->plane, products, r, i);
  if (w->ahead_real != NULL) {
    double *const lr = products + 2 * count + 4, *const li = lr + count, *const ar = li + count, *const ai = ar + count;
    find_changes(w, w->last_real, w->last_imaginary, made_real, made_imaginary, w->plane, products, lr, li);
    find_changes(
      w, w->real, w->imaginary, w->ahead_real, w->ahead_imaginary, w->source_plane, products, ar, ai);
    for (int32_t b = 0; b < count; b += 1) {
      double cr = r[b], ci = i[b], tr = lr[b] * ar[b] - li[b] * ai[b], ti = lr[b] * ai[b] + li[b] * ar[b];
      direction(&cr, &ci);
      direction(&tr, &ti);
      const double sr = cr + tr, si = ci + ti, square = sr * sr + si * si;
      // Opposite directions have no middle.
      const bool has_middle = square > 0.1;
      const double scale = has_middle ? 1 / ROOT(square) : 1;
      r[b] = scale * (has_middle ? sr : cr);
      i[b] = scale * (has_middle ? si : ci);
    }
  } else {
    for (int32_t b = 0; b < count; b += 1) direction(&r[b], &i[b]);
  }
  for (int32_t b = 0; b < count; b += 1) {
    ur[b] = r[b] != 0 || i[b] != 0 ? (float)r[b] : 1;
    ui[b] = (float)i[b];
  }
}

/// The angle of a number that is not 0, to 10^-5, by a polynomial (Hastings 1955), because libraries differ.
INLINED float angle(float real, float imaginary) {
  const float x = fabsf(real), y = fabsf(imaginary);
  const float t = smaller(x, y) / larger(x, y), s = t * t;
  float a = t * (0.99997726f + s * (-0.33262347f + s * (0.19354346f + s * (-0.11643287f
    + s * (0.05265332f - s * 0.01172120f)))));
  if (y > x) a = 1.57079633f - a;
  if (real < 0) a = 3.14159265f - a;
  return imaginary < 0 ? -a : a;
}

/// The cosine and the sine of an angle of a few turns, to 10^-6, by their series.
INLINED void turn(float angle, float *cosine, float *sine) {
  const int32_t quarters = (int32_t)(angle * 0.63661977f + (angle < 0 ? -0.5f : 0.5f));
  const float x = angle - (float)quarters * 1.57079633f, s = x * x;
  const float sx = x * (1 - s * (1.6666667e-1f - s * (8.3333333e-3f - s * 1.9841270e-4f)));
  const float cx = 1 - s * (0.5f - s * (4.1666667e-2f - s * (1.3888889e-3f - s * 2.4801587e-5f)));
  const int32_t quadrant = quarters & 3;
  *cosine = quadrant == 0 ? cx : quadrant == 1 ? -sx : quadrant == 2 ? -cx : sx;
  *sine = quadrant == 0 ? sx : quadrant == 1 ? cx : quadrant == 2 ? -sx : -cx;
}

/// The cosine and the sine of any number of turns, down.
INLINED void turn_whole(float turns, float *cosine, float *sine) {
  turn(-6.28318531f * (turns - (float)(int32_t)turns), cosine, sine);
}

/// `to` where the mask is 0, `from` where it is -1.
INLINED float chosen(int32_t mask, float from, float to) {
  int32_t a, b;
  memcpy(&a, &from, sizeof a);
  memcpy(&b, &to, sizeof b);
  a = (a & mask) | (b & ~mask);
  memcpy(&to, &a, sizeof to);
  return to;
}

/// Adds the change of phase from a neighbor to a bin, weighted by their energies.
INLINED void add_change(
  const float *real, const float *imaginary, int32_t bin, float neighbor_real, float neighbor_imaginary, float *cosine,
  float *sine
) {
  cosine[bin] += real[bin] * neighbor_real + imaginary[bin] * neighbor_imaginary;
  sine[bin] += imaginary[bin] * neighbor_real - real[bin] * neighbor_imaginary;
}

/// The turns of bins against the next lower bin, or the next higher one where the mask is -1, with which an attack in the
/// window moves to its place in the output: the cosine and the sine of each.
///
/// An attack at a distance from the middle of the window turns each bin against the last one by an angle that is
/// proportional to it.
INLINED void turn_against(
  const struct scaleaudio_phases *w, const int32_t *restrict higher, float *restrict cosine, float *restrict sine
) {
  const int32_t count = w->end - w->first, last = count - 1;
  for (int32_t b = 0; b < count; b += 1) cosine[b] = sine[b] = 0;
  for (int32_t c = 0; c < w->channels && count > 1; c += 1) {
    const float *const real = w->real + c * (int64_t)w->source_plane;
    const float *const imaginary = w->imaginary + c * (int64_t)w->source_plane;
    add_change(real, imaginary, 0, real[1], imaginary[1], cosine, sine);
    for (int32_t b = 1; b < last; b += 1) {
      const float r = chosen(higher[b], real[b + 1], real[b - 1]);
      const float i = chosen(higher[b], imaginary[b + 1], imaginary[b - 1]);
      add_change(real, imaginary, b, r, i, cosine, sine);
    }
    add_change(real, imaginary, last, real[last - 1], imaginary[last - 1], cosine, sine);
  }
  const float scale = w->attack_scale - 1;
  for (int32_t b = 0; b < count; b += 1) {
    // Blocks begin half a window before their middle, so neighbors have opposite signs. Silence has no angle.
    const float r = cosine[b] == 0 && sine[b] == 0 ? 1 : -cosine[b];
    turn(scale * angle(r, -sine[b]), &cosine[b], &sine[b]);
  }
}

/// Gives bins the turn of the one before them, from the first bin up or from the last one down, where `takes` is -1; `cosine`
/// and `sine` turn it further, if not `NULL`.
INLINED void pass_turns(
  int32_t count, bool up, const int32_t *restrict takes, const float *restrict cosine, const float *restrict sine,
  float *restrict ur, float *restrict ui
) {
  float r = ur[up ? 0 : count - 1], i = ui[up ? 0 : count - 1];
  for (int32_t n = 1; n < count; n += 1) {
    const int32_t b = up ? n : count - 1 - n;
    const float passed_r = cosine == NULL ? r : r * cosine[b] - i * sine[b];
    const float passed_i = cosine == NULL ? i : r * sine[b] + i * cosine[b];
    // Without branches, because nothing predicts them.
    ur[b] = r = chosen(takes[b], passed_r, ur[b]);
    ui[b] = i = chosen(takes[b], passed_i, ui[b]);
  }
}

/// Gives each bin the turn of the neighbor from which more energy comes than it had itself.
///
/// `f` and `g` are the energies from below and from above; `scratch` has room for four numbers a bin.
INLINED void turn_by_neighbors(
  const struct scaleaudio_phases *w, const float *restrict f, const float *restrict g, float *restrict scratch,
  float *restrict ur, float *restrict ui
) {
  const int32_t count = w->end - w->first;
  const float *restrict const p = w->energies;
  int32_t *restrict const from_below = (int32_t *)(scratch + 2 * (int64_t)count);
  int32_t *restrict const from_above = from_below + count;
  for (int32_t b = 0; b < count; b += 1) {
    from_below[b] = -(int32_t)((f[b] >= g[b]) & (f[b] > p[b]));
    from_above[b] = -(int32_t)((g[b] > p[b]) & (g[b] > f[b]));
  }
  if (w->attack_scale != 1) {
    float *const cosine = scratch, *const sine = cosine + count;
    turn_against(w, from_above, cosine, sine);
    pass_turns(count, true, from_below, cosine, sine, ur, ui);
    pass_turns(count, false, from_above, cosine, sine, ur, ui);
  } else {
    pass_turns(count, true, from_below, NULL, NULL, ur, ui);
    pass_turns(count, false, from_above, NULL, NULL, ur, ui);
  }
}

/// Draws the turns to those of one delay, so that the partials of a voice keep their places in each period.
INLINED void join_delay(
  const struct scaleaudio_phases *w, const float *restrict e, float *restrict ur, float *restrict ui
) {
  const bool has_attack = w->is_onset || w->has_attack;
  const float *const p = w->energies;
  const float pull = w->pull, shift = w->shift;
  const int32_t first = w->first, all = w->end - w->first, count = w->pulled < all ? w->pulled : all;
  for (int32_t b = 0; b < count; b += 1) {
    float c, s;
    turn_whole(-(float)(first + b) * shift, &c, &s);
    const float r = ur[b] + pull * c, i = ui[b] + pull * s;
    const float size = ROOT(r * r + i * i);
    const bool joins = size > 0 && !(has_attack && e[b] > 4 * p[b]);
    ur[b] = joins ? r / size : ur[b];
    ui[b] = joins ? i / size : ui[b];
  }
}

/// Leaves bins that begin with an attack outside the frame at their last energies, in the output and in `e`.
INLINED void hold_back(const struct scaleaudio_phases *w, float *e, const float *p) {
  for (int32_t b = 0; b < w->end - w->first; b += 1) {
    if (!(e[b] > 4 * p[b])) continue;
    const float gain = ROOT(p[b] / e[b]);
    for (int32_t c = 0; c < w->channels; c += 1) {
      w->made_real[c * (int64_t)w->plane + w->first + b] *= gain;
      w->made_imaginary[c * (int64_t)w->plane + w->first + b] *= gain;
    }
    e[b] = p[b];
  }
}

int32_t scaleaudio_phases_group_end(int32_t first, int32_t start, int32_t count) {
  const int32_t width = first + start < 48 ? 8 : (first + start) / 6;
  // A rest of less than half a group joins the last.
  return count - start - width < width / 2 ? count : start + width;
}

INLINED void add_energies(
  const float *real, const float *imaginary, int32_t count, float *energies
) {
  for (int32_t b = 0; b < count; b += 1) {
    energies[b] += real[b] * real[b] + imaginary[b] * imaginary[b];
  }
}

/// Gives bins the turns that another band has settled; neither neighbor decides about them.
INLINED void take_ties(
  const float *restrict ties, int32_t tied, const float *restrict p, float *restrict f, float *restrict g,
  float *restrict ur, float *restrict ui
) {
  for (int32_t b = 0; b < tied; b += 1) {
    const float c = ties[2 * b], s = ties[2 * b + 1];
    const int32_t is_tied = -(int32_t)((c != 0) | (s != 0));
    ur[b] = chosen(is_tied, c, ur[b]);
    ui[b] = chosen(is_tied, s, ui[b]);
    f[b] = chosen(is_tied, p[b], f[b]);
    g[b] = chosen(is_tied, p[b], g[b]);
  }
}

/// Gives bins that begin with an attack the position of the attack; neither neighbor decides about them.
INLINED void turn_to_attack(
  const struct scaleaudio_phases *w, const float *restrict e, const float *restrict p, float *restrict f,
  float *restrict g, float *restrict ur, float *restrict ui
) {
  const float turns = w->is_onset ? 0 : w->attack_turn;
  const int32_t first = w->first, count = w->end - first;
  for (int32_t b = 0; b < count; b += 1) {
    float c, s;
    turn_whole((float)(first + b) * turns, &c, &s);
    const int32_t begins = -(int32_t)(e[b] > 4 * p[b]);
    ur[b] = chosen(begins, c, ur[b]);
    ui[b] = chosen(begins, s, ui[b]);
    f[b] = chosen(begins, p[b], f[b]);
    g[b] = chosen(begins, p[b], g[b]);
  }
}

/// Finds the turns of all channels of `w` together: from the energies `e`, with room for `f` and `g`.
INLINED void settle(
  const struct scaleaudio_phases *w, const float *restrict e, float *restrict f, float *restrict g, double *changes,
  float *restrict ur, float *restrict ui
) {
  const int32_t count = w->end - w->first;
  const float *const p = w->energies;
  // How much energy the way to a bin has at its weakest place, from below and from above.
  float below = f[0] = p[0], above = g[count - 1] = p[count - 1];
  int32_t b = 1, a = count - 2;
  // Two steps at once, because each waits for the one before it: the greater of `p` and the lesser of `e` and another, twice.
  for (; b + 1 < count; b += 2, a -= 2) {
    const float low = larger(p[b + 1], smaller(e[b], p[b]));
    const float high = smaller(e[b], e[b - 1]);
    f[b] = larger(p[b], smaller(e[b - 1], below));
    f[b + 1] = below = larger(low, smaller(high, below));
    const float low_above = larger(p[a - 1], smaller(e[a], p[a]));
    const float high_above = smaller(e[a], e[a + 1]);
    g[a] = larger(p[a], smaller(e[a + 1], above));
    g[a - 1] = above = larger(low_above, smaller(high_above, above));
  }
  for (; b < count; b += 1, a -= 1) {
    f[b] = below = larger(p[b], smaller(e[b - 1], below));
    g[a] = above = larger(p[a], smaller(e[a + 1], above));
  }
  turn_by_time(w, changes, ur, ui);
  take_ties(w->ties, w->tied, p, f, g, ur, ui);
  if (w->is_onset || w->has_attack) turn_to_attack(w, e, p, f, g, ur, ui);
  turn_by_neighbors(w, f, g, (float *)changes, ur, ui);
  if (w->pull > 0) join_delay(w, e, ur, ui);
}

/// One channel of several, as if it were alone.
INLINED struct scaleaudio_phases only_channel(const struct scaleaudio_phases *w, int32_t channel) {
  struct scaleaudio_phases one = *w;
  const int64_t source = channel * (int64_t)w->source_plane, made = channel * (int64_t)w->plane;
  one.channels = 1;
  one.real += source;
  one.imaginary += source;
  one.earlier_real += source;
  one.earlier_imaginary += source;
  if (w->ahead_real != NULL) {
    one.last_real += source;
    one.last_imaginary += source;
    one.ahead_real += source;
    one.ahead_imaginary += source;
  }
  one.made_real += made;
  one.made_imaginary += made;
  one.energies = w->own_energies + made;
  if (w->ties != NULL) one.ties += channel * (int64_t)w->tie_stride;
  return one;
}

/// Replaces the turns of groups in which channels hold different things by those of one channel.
INLINED void settle_alone(
  const struct scaleaudio_phases *w, int32_t channel, const float *e, float *f, float *g, double *changes,
  float *own, float *real, float *imaginary
) {
  const int32_t count = w->end - w->first;
  const struct scaleaudio_phases one = only_channel(w, channel);
  settle(&one, e, f, g, changes, own, own + count);
  const uint8_t *apart = w->apart;
  for (int32_t start = 0, end; start < count; start = end, apart += 1) {
    end = end_of_group(w, start, count);
    if (!*apart) continue;
    memcpy(real + start, own + start, (size_t)(end - start) * sizeof(float));
    memcpy(imaginary + start, own + count + start, (size_t)(end - start) * sizeof(float));
  }
}

/// The mean of `from` over the bins around each that are noise; 0 where there are none.
///
/// `sums` and `counts` have room for `count` + 1 numbers.
INLINED void find_floor(
  const float *restrict from, const float *restrict noise, int32_t count, double *restrict sums,
  double *restrict counts, float *restrict floor
) {
  sums[0] = counts[0] = 0;
  for (int32_t b = 0; b < count; b += 1) {
    sums[b + 1] = sums[b] + (double)(noise[b] * from[b]);
    counts[b + 1] = counts[b] + (double)noise[b];
  }
  for (int32_t b = 0; b < count; b += 1) {
    const int32_t reach = 24 + b / 16;
    const int32_t low = b < reach ? 0 : b - reach, high = b + reach + 1 > count ? count : b + reach + 1;
    const double number = counts[high] - counts[low];
    floor[b] = number > 0 ? (float)((sums[high] - sums[low]) / number) : 0;
  }
}

/// Finds the bins that are noise: 1 each, and 0 for those of tones, which stand out, with all that slopes from them.
INLINED void find_noise(
  const float *restrict e, int32_t count, double *scratch, float *restrict floor, float *restrict noise
) {
  for (int32_t b = 0; b < count; b += 1) noise[b] = 1;
  for (int round = 0; round < 4; round += 1) {
    find_floor(e, noise, count, scratch, scratch + count + 1, floor);
    for (int32_t b = 0; b < count; b += 1) noise[b] = e[b] < 4 * floor[b] ? 1 : 0;
  }
  // Of noise, every 3,000th bin stands out so far.
  for (int32_t b = 0; b < count; b += 1) noise[b] = e[b] > 8 * floor[b] ? 0 : 1;
  for (int32_t b = 1; b < count; b += 1) {
    if (noise[b - 1] == 0 && e[b] < e[b - 1] && e[b] > floor[b]) noise[b] = 0;
  }
  for (int32_t b = count - 2; b >= 0; b -= 1) {
    if (noise[b + 1] == 0 && e[b] < e[b + 1] && e[b] > floor[b]) noise[b] = 0;
  }
}

/// Random turns, the same for all channels, so that what they have in common stays.
INLINED void scatter(
  const struct scaleaudio_phases *w, const float *restrict noise, float *restrict ur, float *restrict ui
) {
  for (int32_t b = 0; b < w->end - w->first; b += 1) {
    uint32_t bits = w->number * 0x9E3779B9u + (uint32_t)(w->first + b) * 0x85EBCA6Bu;
    bits = (bits ^ (bits >> 16)) * 0x7FEB352Du;
    bits = (bits ^ (bits >> 15)) * 0x846CA68Bu;
    bits ^= bits >> 16;
    float c, s;
    turn_whole((float)(bits >> 8) * 0x1p-24f, &c, &s);
    ur[b] = noise[b] != 0 ? c : ur[b];
    ui[b] = noise[b] != 0 ? s : ui[b];
  }
}

/// Gives the bins of one channel that are noise the levels of those around them.
INLINED void level_noise(
  const struct scaleaudio_phases *w, int32_t channel, const float *restrict noise, double *scratch,
  float *restrict energies, float *restrict floor
) {
  const int32_t count = w->end - w->first;
  const int64_t to = channel * (int64_t)w->plane + w->first;
  float *const real = w->made_real + to, *const imaginary = w->made_imaginary + to;
  for (int32_t b = 0; b < count; b += 1) energies[b] = real[b] * real[b] + imaginary[b] * imaginary[b];
  find_floor(energies, noise, count, scratch, scratch + count + 1, floor);
  for (int32_t b = 0; b < count; b += 1) {
    const float gain = noise[b] != 0 && energies[b] > 1e-20f ? ROOT(floor[b] / energies[b]) : 1;
    real[b] *= gain;
    imaginary[b] *= gain;
  }
}

INLINED void continue_phases(const struct scaleaudio_phases *w) {
  const int32_t count = w->end - w->first;
  if (count <= 0) return;
  double *const changes = (double *)w->scratch;
  float *const e = (float *)(changes + 8 * (int64_t)count + 4), *const f = e + count, *const g = f + count;
  float *const own_energies = g + count, *const own = own_energies + count;
  float *const ur = w->turns, *const ui = ur + count;
  float *const p = w->energies;
  const float *const gains = w->gains;
  memset(e, 0, (size_t)count * sizeof(float));
  for (int32_t c = 0; c < w->channels; c += 1) {
    const int64_t at = (int64_t)c * w->source_plane;
    add_energies(w->real + at, w->imaginary + at, count, e);
  }
  settle(w, e, f, g, changes, ur, ui);
  float *const noise = own + 2 * (int64_t)count;
  if (w->is_smooth) find_noise(e, count, changes, f, noise);
  bool is_apart = false;
  if (w->own_energies != NULL) {
    const uint8_t *apart = w->apart;
    for (int32_t start = 0; start < count; start = end_of_group(w, start, count), apart += 1) is_apart |= *apart != 0;
  }
  for (int32_t c = w->channels - 1; c >= 0; c -= 1) {
    const int64_t from = (int64_t)c * w->source_plane, to = (int64_t)c * w->plane + w->first;
    float *const real = w->turns + 2 * (int64_t)count * c, *const imaginary = real + count;
    if (c > 0) {
      memcpy(real, ur, (size_t)count * sizeof(float));
      memcpy(imaginary, ui, (size_t)count * sizeof(float));
    }
    if (w->own_energies != NULL) {
      memset(own_energies, 0, (size_t)count * sizeof(float));
      add_energies(w->real + from, w->imaginary + from, count, own_energies);
      if (is_apart) settle_alone(w, c, own_energies, f, g, changes, own, real, imaginary);
      memcpy(w->own_energies + (int64_t)c * w->plane, own_energies, (size_t)count * sizeof(float));
    }
    if (w->is_smooth) scatter(w, noise, real, imaginary);
    for (int32_t b = 0; b < count; b += 1) {
      const float xr = w->real[from + b], xi = w->imaginary[from + b];
      w->made_real[to + b] = xr * real[b] - xi * imaginary[b];
      w->made_imaginary[to + b] = xr * imaginary[b] + xi * real[b];
    }
    if (w->is_smooth) level_noise(w, c, noise, changes, f, g);
    if (gains == NULL) continue;
    for (int32_t b = 0; b < count; b += 1) {
      w->made_real[to + b] *= gains[b];
      w->made_imaginary[to + b] *= gains[b];
    }
  }
  if (w->is_attack_outside) hold_back(w, e, p);
  memcpy(p, e, (size_t)count * sizeof(float));
  keep_levels(w, w->scratch, count);
}

void scaleaudio_phases_widen(
  const float *turns, const float *energies, int32_t first, int32_t count, int32_t wider, int32_t ratio, float *widened
) {
  const int32_t middle = wider * ratio - first;
  double r = 0, i = 0;
  for (int32_t b = middle - ratio / 2; b <= middle + ratio / 2; b += 1) {
    if (b < 0 || b >= count) continue;
    r += (double)turns[b] * energies[b];
    i += (double)turns[count + b] * energies[b];
  }
  direction(&r, &i);
  widened[0] = (float)r;
  widened[1] = (float)i;
}

void scaleaudio_phases_adopt(
  const struct scaleaudio_phases *w, int32_t from, int32_t to, const float *turns, int32_t turn_stride,
  int32_t wider_first, int32_t wider, int32_t ratio, float late
) {
  for (int32_t bin = from; bin < to; bin += 1) {
    const int32_t place = (bin + ratio / 2) / ratio - wider_first;
    const int32_t k = place < 0 ? 0 : place < wider ? place : wider - 1;
    float c, s;
    turn_whole(-(float)bin * late, &c, &s);
    const int32_t b = bin - w->first;
    w->energies[b] = 0;
    for (int32_t channel = 0; channel < w->channels; channel += 1) {
      const int64_t at = channel * (int64_t)w->source_plane + b, to_bin = channel * (int64_t)w->plane + bin;
      const float xr = w->last_real[at], xi = w->last_imaginary[at];
      const float *const turn = turns + channel * (int64_t)turn_stride;
      const float ur = turn[k] * c - turn[wider + k] * s, ui = turn[k] * s + turn[wider + k] * c;
      w->energies[b] += xr * xr + xi * xi;
      if (w->own_energies != NULL) w->own_energies[channel * (int64_t)w->plane + b] = xr * xr + xi * xi;
      const float gain = w->gains == NULL ? 1 : w->gains[b];
      w->made_real[to_bin] = gain * (xr * ur - xi * ui);
      w->made_imaginary[to_bin] = gain * (xr * ui + xi * ur);
    }
  }
  show_again(w, from, to);
}

INLINED void measure_sparsity(
  const float *real, const float *imaginary, int32_t count, const int32_t *limits, int32_t groups, float *sizes,
  float *energies, float *sums
) {
  for (int32_t b = 0; b < count; b += 1) {
    energies[b] = real[b] * real[b] + imaginary[b] * imaginary[b];
    sizes[b] = ROOT(energies[b]);
  }
  for (int32_t n = 0; n < groups; n += 1) {
    float size = 0, energy = 0;
    for (int32_t b = limits[2 * n]; b < limits[2 * n + 1]; b += 1) {
      size += sizes[b];
      energy += energies[b];
    }
    sums[2 * n] += size;
    sums[2 * n + 1] += energy;
  }
}

/// The rise of a bin's logarithm, which it replaces.
INLINED float rise_of(float energy, float floor, float *log) {
  const float now = logarithm(energy + floor), change = now - *log;
  *log = now;
  return change > 0 ? change : 0;
}

INLINED double rise(const float *restrict energies, int32_t count, float floor, float *restrict logs) {
  // In lanes, so that loops run in vectors.
  double sums[8] = {0};
  int32_t b = 0;
  for (; b + 8 <= count; b += 8) {
    for (int lane = 0; lane < 8; lane += 1) sums[lane] += rise_of(energies[b + lane], floor, &logs[b + lane]);
  }
  for (; b < count; b += 1) sums[0] += rise_of(energies[b], floor, &logs[b]);
  double sum = 0;
  for (int lane = 0; lane < 8; lane += 1) sum += sums[lane];
  return sum / (count > 0 ? count : 1);
}

#if defined(__x86_64__)
AVX2 static void measure_sparsity_avx2(
  const float *real, const float *imaginary, int32_t count, const int32_t *limits, int32_t groups, float *sizes,
  float *energies, float *sums
) {
  measure_sparsity(real, imaginary, count, limits, groups, sizes, energies, sums);
}

AVX2 static void continue_avx2(const struct scaleaudio_phases *w) { continue_phases(w); }

AVX2 static void measure_avx2(const struct scaleaudio_phases *w) { measure_sources(w); }

AVX2 static void add_energies_avx2(const float *real, const float *imaginary, int32_t count, float *energies) {
  add_energies(real, imaginary, count, energies);
}

AVX2 static double rise_avx2(const float *energies, int32_t count, float floor, float *logs) {
  return rise(energies, count, floor, logs);
}
#endif

void scaleaudio_phases_continue(enum scaleaudio_kernel_level level, const struct scaleaudio_phases *w) {
#if defined(__x86_64__)
  if (level == SCALEAUDIO_KERNEL_AVX2) {
    continue_avx2(w);
    return;
  }
#endif
  continue_phases(w);
}

void scaleaudio_phases_measure(enum scaleaudio_kernel_level level, const struct scaleaudio_phases *w) {
#if defined(__x86_64__)
  if (level == SCALEAUDIO_KERNEL_AVX2) {
    measure_avx2(w);
    return;
  }
#endif
  measure_sources(w);
}

void scaleaudio_phases_measure_sparsity(
  enum scaleaudio_kernel_level level, const float *real, const float *imaginary, int32_t count, const int32_t *limits,
  int32_t groups, float *sizes, float *energies, float *sums
) {
#if defined(__x86_64__)
  if (level == SCALEAUDIO_KERNEL_AVX2) {
    measure_sparsity_avx2(real, imaginary, count, limits, groups, sizes, energies, sums);
    return;
  }
#endif
  measure_sparsity(real, imaginary, count, limits, groups, sizes, energies, sums);
}

void scaleaudio_phases_add_energies(
  enum scaleaudio_kernel_level level, const float *real, const float *imaginary, int32_t count, float *energies
) {
#if defined(__x86_64__)
  if (level == SCALEAUDIO_KERNEL_AVX2) {
    add_energies_avx2(real, imaginary, count, energies);
    return;
  }
#endif
  add_energies(real, imaginary, count, energies);
}

double scaleaudio_phases_rise(
  enum scaleaudio_kernel_level level, const float *energies, int32_t count, float floor, float *logs
) {
#if defined(__x86_64__)
  if (level == SCALEAUDIO_KERNEL_AVX2) return rise_avx2(energies, count, floor, logs);
#endif
  return rise(energies, count, floor, logs);
}
