// The part that is visible: the seconds of the original at the left edge, and the seconds of the ruler from there on. Both
// lanes begin at the same moment, and have the same pixels per second.

/** @typedef {{start: number, end: number}} View */

/** The least visible time: eight frames. @param {number} sampleRate */
export const shortest = (sampleRate) => 8 / sampleRate;

/** The length of the longer lane. @param {number} total @param {number} factor */
export const extent = (total, factor) => total * Math.max(1, factor);

/** A view moved and shortened so that it lies within the longer lane. @param {View} view @param {number} total @param {number} least @param {number} [factor] @returns {View} */
export function within(view, total, least, factor = 1) {
  const whole = extent(total, factor);
  const length = Math.min(whole, Math.max(Math.min(least, whole), view.end - view.start));
  const start = Math.min(Math.max(0, view.start), Math.max(0, total - length / Math.max(1, factor)));
  return { start, end: start + length };
}

/** The view with its length times `by`, around a moment that stays where it is. @param {View} view @param {number} by @param {number} moment @param {number} total @param {number} least @param {number} [factor] */
export function zoomed(view, by, moment, total, least, factor = 1) {
  const length = view.end - view.start;
  const whole = extent(total, factor);
  const wanted = Math.min(whole, Math.max(Math.min(least, whole), length * by));
  const share = length > 0 ? (moment - view.start) / length : 0.5;
  const start = moment - share * wanted;
  return within({ start, end: start + wanted }, total, least, factor);
}

/** The view that shows a moment; it pages on when the moment leaves it. @param {View} view @param {number} moment @param {number} total @param {number} [factor] @param {number} [stretch] the seconds of the ruler in a second of the lane that is heard */
export function following(view, moment, total, factor = 1, stretch = 1) {
  const length = view.end - view.start;
  const share = length > 0 ? ((moment - view.start) * stretch) / length : 0;
  if (share >= 0 && share < 1) return view;
  const start = moment - (length * 0.05) / stretch;
  return within({ start, end: start + length }, total, 0, factor);
}

/** The level of a pyramid whose pixels are no longer than so many frames; -1 where samples are needed. @param {number} frames */
export function level(frames) {
  if (frames < 256) return -1;
  return Math.floor(Math.log(frames / 256) / Math.log(4) + 1e-9);
}
