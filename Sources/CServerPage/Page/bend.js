// Bends: places of the original that the result puts earlier or later than its speed alone would, and the map file of
// `--map` that says the same. An anchor is `{ at, to }`: a moment of the original, and the moment at whose place it lies
// in the result. So the speed stretches all of them, and the length of the result is that of the speed.

import { seconds } from "./time.js";

/** @typedef {{at: number, to: number}} Anchor */

/** The most anchors that the page takes: each is a part of every address of a sound. */
export const mostAnchors = 400;
/** The least distance between two anchors, in seconds. */
const apart = 0.02;
/** The lengths of a part of the result / of its part of the original that can be made. */
export const slopes = { least: 0.05, most: 100 };

/** Anchors with both ends. @param {Anchor[]} bends @param {number} total */
export const corners = (bends, total) => [{ at: 0, to: 0 }, ...bends, { at: total, to: total }];

/** A value between two lists that rise together; beyond them, as between the last two. @param {number} value @param {number[]} from @param {number[]} to */
export function between(value, from, to) {
  let [low, high] = [0, from.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (from[middle] <= value) low = middle;
    else high = middle;
  }
  const run = from[high] - from[low];
  return run > 0 ? to[low] + ((value - from[low]) * (to[high] - to[low])) / run : to[low];
}

/** The place of a moment, as a moment. @param {Anchor[]} bends @param {number} total @param {number} at */
export function bent(bends, total, at) {
  if (bends.length === 0) return at;
  const all = corners(bends, total);
  return between(at, all.map((own) => own.at), all.map((own) => own.to));
}

/** The moment that lies at a place. @param {Anchor[]} bends @param {number} total @param {number} to */
export function straight(bends, total, to) {
  if (bends.length === 0) return to;
  const all = corners(bends, total);
  return between(to, all.map((own) => own.to), all.map((own) => own.at));
}

/** An anchor at a moment, where it lies now, and its number; `null` where another one is as near as that. @param {Anchor[]} bends @param {number} total @param {number} at */
export function added(bends, total, at) {
  const own = { at, to: bent(bends, total, at) };
  if (bends.length >= mostAnchors || corners(bends, total).some((other) => Math.min(Math.abs(other.at - own.at), Math.abs(other.to - own.to)) < apart)) return null;
  const next = [...bends, own].sort((a, b) => a.at - b.at);
  return { bends: next, index: next.indexOf(own) };
}

/**
 * An anchor moved, `at` or `to`, as far as its neighbors and what can be made allow.
 * @param {Anchor[]} bends @param {number} index @param {"at" | "to"} end @param {number} value @param {number} total @param {number} speed
 */
export function moved(bends, index, end, value, total, speed) {
  const all = corners(bends, total);
  const [before, own, after] = all.slice(index, index + 3);
  const other = end === "to" ? "at" : "to";
  // A part of the original of one second lies on at least and at most so many seconds.
  const [least, most] = [slopes.least * speed * 1.001, slopes.most * speed * 0.999];
  const [gentle, steep] = end === "to" ? [least, most] : [1 / most, 1 / least];
  const low = Math.max(before[end] + Math.max(apart, gentle * (own[other] - before[other])), after[end] - steep * (after[other] - own[other]));
  const high = Math.min(after[end] - Math.max(apart, gentle * (after[other] - own[other])), before[end] + steep * (own[other] - before[other]));
  if (low > high) return bends;
  return bends.map((anchor, number) => (number === index ? { ...anchor, [end]: Math.min(high, Math.max(low, value)) } : anchor));
}

/** A time of a map file. @param {number} value */
const time = (value) => value.toFixed(6).replace(/\.?0+$/, "");

/** The map: a line for each anchor, and for the end. @param {Anchor[]} bends @param {number} total @param {number} length of the result */
export function mapOf(bends, total, length) {
  const scale = total > 0 ? length / total : 1;
  // The end is named late rather than early: a map must reach it.
  const end = Math.ceil(total * 1e6) / 1e6;
  return [...bends, { at: end, to: end }].map(({ at, to }) => `${time(at)} ${time(to * scale)}\n`).join("");
}

/**
 * The anchors and the speed of a map file; a text where it is none.
 * @param {string} text @param {number} total @param {number} sampleRate @returns {{bends: Anchor[], speed: number} | string}
 */
export function readMap(text, total, sampleRate) {
  /** @type {[number, number][]} */
  const points = [[0, 0]];
  const unit = (/** @type {string} */ word) => (/^\d+f$/.test(word) ? Number(word.slice(0, -1)) / sampleRate : seconds(word));
  for (const [index, line] of text.replace(/^\ufeff/, "").split("\n").entries()) {
    const words = line.replace(/#.*/, "").trim().split(/[\s,]+/).filter(Boolean);
    if (words.length === 0) continue;
    const [at, to] = words.map(unit);
    if (words.length !== 2 || at === null || to === null) return `Line ${index + 1} is not two times, such as “12.5 18.75”.`;
    const last = points[points.length - 1];
    if (at === 0 && to === 0 && points.length === 1) continue;
    if (at <= last[0] || to <= last[1]) return `The times of line ${index + 1} are not later than those before.`;
    points.push([at, to]);
  }
  const end = points[points.length - 1];
  if (points.length < 2) return "The file has no times, such as “12.5 18.75”.";
  if (end[0] + 0.001 < total) return `The map ends at ${time(end[0])} s, before the file does; its last line is the end.`;
  const [from, to] = [points.map((point) => point[0]), points.map((point) => point[1])];
  const speed = total / between(total, from, to);
  const bends = points.slice(1).filter(([at]) => at < total - apart).map(([at, place]) => ({ at, to: place * speed }));
  if (bends.length > mostAnchors) return `The page takes ${mostAnchors} places; use the file with --map in the terminal.`;
  return { bends, speed };
}
