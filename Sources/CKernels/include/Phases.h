#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "CKernels.h"

/// One frame of one band of a phase vocoder.
///
/// A plane holds the bins of one channel; the planes of further channels follow at every `plane` numbers. Those of
/// spectra of the source begin with the band's first bin, and follow at every `source_plane` numbers.
struct scaleaudio_phases {
  int32_t channels, plane, source_plane;
  /// The bins of the band; and those from `first` on that its groups divide, `end - first` at least.
  int32_t first, end, grouped;
  /// The spectra of this frame, and of the source one hop before it.
  const float *real, *imaginary, *earlier_real, *earlier_imaginary;
  /// The spectra of the last frame, and of the source one hop after it; `NULL` where that is this frame.
  const float *last_real, *last_imaginary, *ahead_real, *ahead_imaginary;
  /// The spectra written for the last output frame, replaced by those of this one.
  float *made_real, *made_imaginary;
  /// The gain of each bin of the band; `NULL` for 1.
  const float *gains;
  /// The energy of each bin in the last output frame, all channels together, replaced by that of this one.
  float *energies;
  /// The same for each channel, `plane` apart; of one channel, `NULL`.
  float *own_energies;
  /// Running means of what the channels have in common in each group of bins, 2 + 3 `channels` numbers a group, and the
  /// part of them that remains after a frame.
  float *likeness, remembering;
  /// 1 for each group of bins in which channels hold different things, so that each has turns of its own; written by
  /// ``scaleaudio_phases_measure``.
  uint8_t *apart;
  /// The spectra of the last output frame under a second window, replaced by those of this one.
  float *windowed_real, *windowed_imaginary;
  /// The energies of the source in groups of bins and what its frames have in common with those a hop earlier, two
  /// numbers a group, then those of the difference of two channels.
  float *source_levels;
  /// The energies of output and source and what their frames have in common with those before them, smoothed over
  /// frames: four numbers for each group of bins; those of the difference of two channels
  /// follow at `plane`.
  float *levels;
  /// The part of the last levels that is kept.
  float keeping;
  /// The hops of a window, and what frames under both windows have in common with those that many hops before, from 1
  /// on.
  int32_t overlap;
  const float *overlaps;
  /// Cosine and sine of a hop for each bin of the band: its number in turns / the hops of a window.
  const float *hop_cosine, *hop_sine;
  /// The turns of the lowest `tied` bins that another band has settled: cosine and sine, or 0 and 0 for none.
  const float *ties;
  int32_t tied;
  /// The numbers from the ties of one channel to the next; 0 where all share them.
  int32_t tie_stride;
  /// The turns of this frame: the cosine of each bin, then the sine, for each channel; written.
  float *turns;
  /// Scratch memory for 24 numbers a bin, aligned for `double`.
  float *scratch;
  /// True if an attack begins here: bins above four times their last energy keep their phases.
  bool is_onset;
  /// True if no frame of the output comes before it.
  bool is_first;
  /// The distance of an attack in the window from the middle, in the output over that in the source; 1
  /// without an attack.
  float attack_scale;
  /// True if an attack lies in the window; and the turns of the first bin that move it to its place in the
  /// output.
  bool has_attack;
  float attack_turn;
  /// True if an attack lies in the window of the source, and its place in the output beyond that of the frame: bins that
  /// begin with it keep their last level.
  bool is_attack_outside;
  /// The gain of a frame with an attack in its window.
  float attack_gain;
  /// The weight with which the lowest `pulled` bins tend to the turns of a delay that all share, and the turns
  /// of the first bin, up.
  float pull, shift;
  int32_t pulled;
  /// True if what is noise takes random phases and a smooth spectrum, and the number of the frame, from which they come.
  bool is_smooth;
  uint32_t number;
};

/// Turns the spectra of a frame so that its phases continue those of the last output frame.
///
/// All channels turn by the same angles, so phases between channels stay, but in groups of bins in which they hold
/// different things. The angles follow from time or from a
/// neighboring bin, whichever reaches a bin through the most energy. Groups of bins keep their levels where frames with
/// new phases would partly cancel.
///
/// `source_levels` must have been measured.
///
/// Source: Puckette, "Phase-locked vocoder" (1995); Průša and Holighaus, "Phase vocoder done right" (2017); Moliner et
/// al., "Noise morphing for audio time stretching" (2024), for what is noise.
void scaleaudio_phases_continue(enum scaleaudio_kernel_level level, const struct scaleaudio_phases *work);

/// The turn of a wider bin from those of a band's `count` bins around it, weighted by their energies: cosine and sine, or
/// 0 and 0 where there are none.
///
/// The bin has the number `wider`, and is as wide as `ratio` bins of the band, whose first is number `first`. `turns` are
/// those of the frame, cosines first, and `energies` its energies.
void scaleaudio_phases_widen(
  const float *turns, const float *energies, int32_t first, int32_t count, int32_t wider, int32_t ratio, float *widened);

/// Lets bins from `from` to `to` of the band continue what a band with wider bins has made.
///
/// Writes what the band would have left after its last frame: spectra, energies, spectra under a second window, and no
/// levels. `turns` has those of one channel after another, or `turn_stride` is 0. `last_real` and `last_imaginary` must be the spectra of the source at that frame. `turns` are those of the
/// other band for the same output frame, cosines of `wider` bins, of which number `wider_first` is the first, then
/// sines. `late` is how much later the other band's source lay, in turns of a bin of this band.
void scaleaudio_phases_adopt(
  const struct scaleaudio_phases *work, int32_t from, int32_t to, const float *turns, int32_t turn_stride,
  int32_t wider_first, int32_t wider, int32_t ratio, float late);

/// The sums of the sizes and of the energies of bins, added to `sums`, two numbers a group; group `n` has the bins from
/// `limits[2 * n]` to `limits[2 * n + 1]`. `sizes` and `energies` are scratch memory for a number a bin.
void scaleaudio_phases_measure_sparsity(
  enum scaleaudio_kernel_level level, const float *real, const float *imaginary, int32_t count, const int32_t *limits,
  int32_t groups, float *sizes, float *energies, float *sums);

/// Measures `source_levels`; reads the spectra of the source at the frame and a hop earlier, the gains and the turns of
/// a hop, and needs scratch memory for 7 numbers a bin.
void scaleaudio_phases_measure(enum scaleaudio_kernel_level level, const struct scaleaudio_phases *work);

/// The end of the group that begins at bin `start` of `count`, counted from bin `first`: bins that share their level.
int32_t scaleaudio_phases_group_end(int32_t first, int32_t start, int32_t count);

/// Adds the energies of a spectrum to `energies`.
void scaleaudio_phases_add_energies(
  enum scaleaudio_kernel_level level, const float *real, const float *imaginary, int32_t count, float *energies);

/// The mean rise of the natural logarithm of `energies`, each plus `floor`, over `logs`, which they replace.
double scaleaudio_phases_rise(
  enum scaleaudio_kernel_level level, const float *energies, int32_t count, float floor, float *logs);
