// The speed: how it is typed, where it lies on its slider, and how it is named.

import { seconds } from "./time.js";

/** The speeds that a conversion can have, and those of the slider. */
export const [limits, ends] = [{ least: 0.01, most: 100 }, { least: 0.25, most: 4 }];

/** A decimal number, with a point or a comma; NaN for other texts. @param {string} text */
const decimal = (text) => (/^\d*[.,]?\d+$|^\d+[.,]$/.test(text) ? Number(text.replace(",", ".")) : NaN);

/**
 * What a person means by `70`, `70%`, `0.7x`, `3/4`, `1,25` or `6:27`: a speed, and for a length that length too; `null` for
 * other texts. Without a unit, numbers below 5 are times and others per cent.
 * @param {string} text @param {number} length of the original, in seconds
 * @returns {{speed: number, duration: number | null} | null}
 */
export function read(text, length) {
  const bare = text.trim().replace(/\s+/g, "").replace(/[−–]/g, "-").toLowerCase();
  /** @param {number} speed @param {number | null} duration */
  const checked = (speed, duration = null) =>
    speed >= limits.least - 1e-12 && speed <= limits.most + 1e-9 ? { speed, duration } : null;
  if (bare.includes(":") || /^[\d.,]+s$/.test(bare)) {
    const duration = seconds(bare.replace(",", ".").replace(/s$/, ""));
    return duration && length > 0 ? checked(length / duration, duration) : null;
  }
  const ratio = /^([\d.,]+)\/([\d.,]+)$/.exec(bare);
  if (ratio) return checked(decimal(ratio[1]) / decimal(ratio[2]));
  const unit = /^([\d.,]+)(%|x|×)?$/.exec(bare);
  if (!unit) return null;
  const number = decimal(unit[1]);
  if (unit[2] === "%" || (!unit[2] && number >= 5)) return checked(number / 100);
  return checked(number);
}

/** `75 %`. @param {number} speed */
export const percent = (speed) => `${Number((speed * 100).toPrecision(4))} %`;

/** The place of a speed on the slider: octaves from 100 %. @param {number} speed */
export const placeOf = (speed) => Math.log2(Math.min(ends.most, Math.max(ends.least, speed)));

/** The speed of a place on the slider, in whole per cent; 100 % has some room. @param {number} place */
export const speedOf = (place) => (Math.abs(place) < 0.02 ? 1 : Math.round(2 ** place * 100) / 100);

/** A number without needless digits. @param {number} value */
export const short = (value) => String(Number(value.toPrecision(6)));

/** The factor of a speed as the server takes it: a number where it is exact, else a fraction. @param {number} speed */
export function factorOf(speed) {
  const text = short(1 / speed);
  const hundredths = short(speed * 100);
  if (Math.abs(Number(text) * speed - 1) < 1e-12) return text;
  return Math.abs(Number(hundredths) / 100 - speed) < 1e-12 ? `100/${hundredths}` : String(1 / speed);
}

/** How a tape would sound: `−5.0 semitones`. @param {number} speed */
export function shift(speed) {
  const semitones = 12 * Math.log2(speed);
  if (Math.abs(semitones) < 0.05) return "same pitch";
  return `${semitones > 0 ? "+" : "−"}${Math.abs(semitones).toFixed(1)} semitones`;
}

/** `1.333 × as long`. @param {number} speed */
export const lengthWords = (speed) => (speed === 1 ? "as long as the original" : `${Number((1 / speed).toPrecision(4))} × as long`);
