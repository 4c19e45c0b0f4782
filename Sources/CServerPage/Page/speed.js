// The speed: how it is typed, where it lies on its slider, and how it is named.

import { seconds } from "./time.js";

/** The speeds that a conversion can have, and those of the slider. */
export const [limits, ends] = [{ least: 0.01, most: 100 }, { least: 0.25, most: 4 }];

/** A decimal number, with a point or a comma; NaN for other texts. @param {string} text */
const decimal = (text) => (/^\d*[.,]?\d+$|^\d+[.,]$/.test(text) ? Number(text.replace(",", ".")) : NaN);

/** Seconds of `6:27`, `6:27,5`, `90s` or `2m30s`; `null` for other texts, such as `1:1`, which may be a ratio. @param {string} bare */
function length(bare) {
  if (/^[\d:]+:\d\d([.,]\d*)?$/.test(bare)) return seconds(bare.replace(",", "."));
  const parts = /^(?:(\d+)h)?(?:(\d+)m(?:in)?)?(?:([\d.,]+)s(?:ec)?)?$/.exec(bare);
  if (!parts || bare === "") return null;
  const [, hours = "0", minutes = "0", rest = "0"] = parts;
  return Number(hours) * 3600 + Number(minutes) * 60 + decimal(rest);
}

/**
 * What a person means by `70`, `70%`, `-10%`, `0.7x`, `3/4`, `1,25`, `6:27` or `96 bpm`: a speed, and for a length that length
 * too; `null` for other texts. Without a unit, numbers below 5 are times and others per cent. A sign is a change.
 * @param {string} text @param {number} total the length of the original, in seconds @param {number | null} [bpm] its tempo, where it is known
 * @returns {{speed: number, duration: number | null} | null}
 */
export function read(text, total, bpm = null) {
  const bare = text.normalize("NFKC").trim().replace(/\s+/g, "").replace(/[−–]/g, "-").replace("⁄", "/").toLowerCase().replace(/percent$/, "%");
  /** @param {number} speed @param {number | null} duration */
  const checked = (speed, duration = null) => (speed > 0 && speed < Infinity ? { speed, duration } : null);
  const duration = length(bare);
  if (duration !== null) return duration > 0 && total > 0 ? checked(total / duration, duration) : null;
  const ratio = /^([\d.,]+)\/([\d.,]+)x?$/.exec(bare);
  if (ratio) return checked(decimal(ratio[1]) / decimal(ratio[2]));
  const change = /^([+-])([\d.,]+)%$/.exec(bare);
  if (change) return checked(1 + (change[1] === "-" ? -1 : 1) * decimal(change[2]) / 100);
  const tempo = /^([\d.,]+)bpm$/.exec(bare);
  if (tempo) return bpm === null ? null : checked(decimal(tempo[1]) / bpm);
  const unit = /^([\d.,]+)(%|x|×)?$/.exec(bare.replace(/^([x×])([\d.,]+)$/, "$2$1"));
  if (!unit) return null;
  const number = decimal(unit[1]);
  return checked(unit[2] === "%" || (!unit[2] && number >= 5) ? number / 100 : number);
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
