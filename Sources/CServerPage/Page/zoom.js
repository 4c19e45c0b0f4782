// The part of a file that is visible: a pair of seconds, always within the file.

/** @typedef {{start: number, end: number}} View */

/** The least visible time: eight frames. @param {number} sampleRate */
export const shortest = (sampleRate) => 8 / sampleRate;

/** A view moved and shortened so that it lies within the file. @param {View} view @param {number} total @param {number} least @returns {View} */
export function within(view, total, least) {
  const length = Math.min(total, Math.max(Math.min(least, total), view.end - view.start));
  const start = Math.min(Math.max(0, view.start), total - length);
  return { start, end: start + length };
}

/** The view with its length times `factor`, around a moment that stays where it is. @param {View} view @param {number} factor @param {number} moment @param {number} total @param {number} least */
export function zoomed(view, factor, moment, total, least) {
  const length = view.end - view.start;
  const wanted = Math.min(total, Math.max(Math.min(least, total), length * factor));
  const share = length > 0 ? (moment - view.start) / length : 0.5;
  const start = moment - share * wanted;
  return within({ start, end: start + wanted }, total, least);
}

/** The view that shows a moment; it pages on when the moment leaves it. @param {View} view @param {number} moment @param {number} total */
export function following(view, moment, total) {
  const length = view.end - view.start;
  if (moment >= view.start && moment < view.end) return view;
  return within({ start: moment - length * 0.05, end: moment + length * 0.95 }, total, 0);
}

/** The level of a pyramid whose pixels are no longer than so many frames; -1 where samples are needed. @param {number} frames */
export function level(frames) {
  if (frames < 256) return -1;
  return Math.floor(Math.log(frames / 256) / Math.log(4) + 1e-9);
}
