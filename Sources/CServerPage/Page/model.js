// The model: one state of the page, its changes, and undo. Views render it; nothing else is remembered.

import { bent, mapOf, straight } from "./bend.js";
import { factorOf, percent, short } from "./speed.js";
import { store } from "./store.js";

/**
 * @typedef {{at: number, name: string}} Mark
 * @typedef {{start: number, end: number}} Loop in seconds of the original
 * @typedef {Loop & {name: string}} NamedLoop
 * @typedef {object} Settings of the result
 * @property {number} speed
 * @property {number | null} duration of the result in seconds, where a person gave that instead
 * @property {"same" | "tape"} pitch
 * @property {number} key in semitones, with the same pitch
 * @property {boolean} keepsVoices true where the sound of voices does not move with the key
 * @property {string} engine of a tape; "" for the usual one
 * @property {string} quality
 * @property {string} preset
 * @property {string} format
 * @property {string} loudness "" as it becomes, "guard", or in LUFS
 * @property {import("./bend.js").Anchor[]} bends places that the result puts elsewhere
 * @property {boolean} mono
 * @property {boolean} salvage
 * @property {boolean} replace
 */

/** @type {Settings} */
export const usual = {
  speed: 1, duration: null, pitch: "same", key: 0, keepsVoices: false, engine: "", quality: "", preset: "", bends: [], format: "", loudness: "",
  mono: false, salvage: false, replace: false,
};

export const start = {
  ...usual,
  /** @type {any} */ file: null,
  /** @type {any} */ details: null,
  /** @type {Loop | null} */ loop: null,
  /** The point A of a loop that has no B yet. @type {number | null} */ a: null,
  /** @type {Mark[]} */ marks: [],
  /** Loops that are kept with the file. @type {NamedLoop[]} */
  loops: [],
  /** The tempo of the original, in beats per minute. @type {number | null} */
  bpm: null,
  /** @type {import("./player.js").Name} */ heard: "source",
  volume: 1,
  showsRemaining: true,
  usesKeys: true,
  /** True while the lines between the lanes are handles. */
  isBending: false,
};

/** @typedef {typeof start} State */

/** The values that undo brings back. @type {(keyof State)[]} */
const undone = ["speed", "duration", "pitch", "key", "keepsVoices", "engine", "quality", "preset", "bends", "format", "loudness", "mono", "salvage", "loop", "a", "marks", "loops", "bpm"];
const mostKept = 200;

export class Model {
  constructor() {
    this.own = store(start);
    /** @type {{value: Partial<State>, name: string, time: number}[]} */
    this.past = [];
    /** @type {Partial<State>[]} */
    this.future = [];
  }

  get state() {
    return this.own.get();
  }

  /** The result's length in lengths of the original. */
  get factor() {
    return 1 / this.state.speed;
  }

  /** The length of the original, in seconds. */
  get seconds() {
    return this.state.details?.seconds ?? 0;
  }

  /** The moment of the result, in seconds, for one of the original. @param {number} at */
  output(at) {
    return bent(this.state.bends, this.seconds, at) * this.factor;
  }

  /** The moment of the original for one of the result. @param {number} seconds */
  source(seconds) {
    return straight(this.state.bends, this.seconds, seconds / this.factor);
  }

  /** @param {(state: State, before: State) => void} listener */
  on(listener) {
    return this.own.on(listener);
  }

  /** Calls a listener when one of some values changes. @param {(keyof State)[]} names @param {(state: State) => void} listener */
  watch(names, listener) {
    return this.own.on((state, before) => names.some((name) => state[name] !== before[name]) && listener(state));
  }

  /**
   * Changes the state. Changes of the same values within a second, as by a slider, are one step of undo.
   * @param {Partial<State>} changes
   */
  set(changes) {
    const before = this.state;
    const changed = undone.filter((name) => name in changes && changes[name] !== before[name]);
    if (changed.length > 0) {
      const [name, time, last] = [changed.join(), performance.now(), this.past.at(-1)];
      if (last?.name === name && time - last.time < 1000) last.time = time;
      else this.past.push({ value: picked(before), name, time });
      if (this.past.length > mostKept) this.past.shift();
      this.future = [];
    }
    this.own.set(changes);
  }

  /** Ends a step of undo: what comes next is one of its own. */
  step() {
    const last = this.past.at(-1);
    if (last) last.name = "";
  }

  /** Opens a file; its loop and marks are its own, and steps before it cannot be undone. @param {Partial<State>} changes */
  open(changes) {
    [this.past, this.future] = [[], []];
    this.own.set({ loop: null, a: null, replace: false, ...changes });
  }

  /** Takes changes that are made elsewhere: they are no step of undo, and no step takes them back. @param {Partial<State>} changes */
  take(changes) {
    for (const step of this.past) Object.assign(step.value, changes);
    for (const value of this.future) Object.assign(value, changes);
    this.own.set(changes);
  }

  undo() {
    const last = this.past.pop();
    if (!last) return false;
    this.future.push(picked(this.state));
    this.own.set(last.value);
    return true;
  }

  redo() {
    const next = this.future.pop();
    if (!next) return false;
    this.past.push({ value: picked(this.state), name: "", time: 0 });
    this.own.set(next);
    return true;
  }
}

/** @param {State} state @returns {Partial<State>} */
const picked = (state) => Object.fromEntries(undone.map((name) => [name, state[name]]));

/** True if the result would be as the original. @param {State} state */
export const isOriginal = (state) => state.speed === 1 && !state.mono && state.bends.length === 0 && (state.pitch === "tape" || state.key === 0);

/** The method of the settings. @param {Settings} settings @param {{id: string, keepsPitch: boolean}[]} methods */
export function methodOf(settings, methods) {
  if (settings.pitch === "same") return methods.find((method) => method.keepsPitch)?.id ?? "stretch";
  const others = methods.filter((method) => !method.keepsPitch);
  return (others.find(({ id }) => id === (settings.engine || "sinc")) ?? others[0]).id;
}

/**
 * The choice, in the form that the server takes. Bends are those of a file, whose details have its length.
 * @param {Settings & {details?: any}} settings @param {{id: string, keepsPitch: boolean}[]} methods
 */
export function choiceOf(settings, methods) {
  const total = settings.details?.seconds ?? 0;
  const isBent = settings.bends.length > 0 && total > 0;
  /** @type {Record<string, string>} */
  const choice = isBent ? { map: mapOf(settings.bends, total, settings.duration ?? total / settings.speed) } : settings.duration ? { duration: short(settings.duration) } : { factor: factorOf(settings.speed) };
  if (settings.preset) choice.preset = settings.preset;
  // A map keeps the pitch by itself.
  else if (!isBent) choice.method = methodOf(settings, methods);
  if (!settings.preset && settings.quality && (isBent || ["sinc", "stretch"].includes(choice.method))) choice.quality = settings.quality;
  if (!settings.preset && settings.pitch === "same" && settings.key !== 0) {
    choice.pitch = short(settings.key);
    if (settings.keepsVoices) choice.formants = "preserve";
  }
  if (settings.loudness) choice.loudness = settings.loudness;
  if (settings.mono) choice.mono = "1";
  if (settings.salvage) choice.salvage = "1";
  if (settings.format) choice.format = settings.format;
  return choice;
}

/** The choice for playback, to which the output's format and level make no difference. @param {Settings & {details?: any}} settings @param {{id: string, keepsPitch: boolean}[]} methods */
export function heardOf(settings, methods) {
  const { format, salvage, loudness, ...heard } = choiceOf(settings, methods);
  return heard;
}

/** `+1`, `−0.3` or `0`. @param {number} key */
export const keyWords = (key) => `${key > 0 ? "+" : key < 0 ? "−" : ""}${short(Math.abs(key))}`;

/** A key as it is typed: semitones such as `2`, `−1,5` or `2st`, or cents such as `30c`; `null` for other texts. @param {string} text */
export function readKey(text) {
  const found = /^([+-]?)(\d+(?:[.,]\d+)?|[.,]\d+)(st|semitones?|c|ct|cents?)?$/.exec(text.trim().replace(/\s+/g, "").replace(/[−–]/g, "-").toLowerCase());
  if (!found) return null;
  const [, sign, number, unit = ""] = found;
  return ((sign === "-" ? -1 : 1) * Number(number.replace(",", "."))) / (unit.startsWith("c") ? 100 : 1) + 0;
}

/** `75 %, same pitch`. @param {Settings} settings */
export function wordsOf(settings) {
  const key = settings.key === 0 ? "same pitch" : `${keyWords(settings.key)} semitones${settings.keepsVoices ? ", voices natural" : ""}`;
  return `${percent(settings.speed)}, ${settings.preset ? `preset ${settings.preset}` : settings.pitch === "same" ? key : "like a tape"}${settings.bends.length > 0 ? ", bent" : ""}`;
}
