// The sounds of the server: WAV files of known length, fetched block by block.

import { between } from "./bend.js";
import { Refusal, ask } from "./server.js";
import { form, planes } from "./wav.js";

export const blockFrames = 8192;
const headerBytes = 128;

/** The blocks that are wanted next, in order: those from a position on, then those where a loop goes on. @param {number} position @param {number} count @param {number} frames @param {{start: number, end: number} | null} loop */
export function wanted(position, count, frames, loop) {
  const last = Math.ceil(frames / blockFrames) - 1;
  const end = loop && position < loop.end ? Math.floor((loop.end - 1) / blockFrames) : last;
  const list = [];
  const first = Math.floor(position / blockFrames);
  for (let index = first; index <= Math.min(end, first + count - 1); index++) list.push(index);
  if (loop) {
    const start = Math.floor(loop.start / blockFrames);
    for (let index = start; index < start + count && index <= end; index++) {
      if (!list.includes(index)) list.push(index);
    }
  }
  return list;
}

let nextId = 1;

/** Samples of blocks that follow each other, and their run. @typedef {{run: number, planes: Float32Array<ArrayBuffer>[]}} Blocks */
/** Seconds of the original and of a result that belong together, both rising. @typedef {{source: number[], output: number[]}} Places */

/** One sound of the server, fetched block by block. */
export class Sound {
  /** @param {string} url @param {Places | null} [places] of a sound that is bent */
  constructor(url, places = null) {
    [this.url, this.places] = [url, places];
    this.id = nextId++;
    /** @type {Set<number>} */
    this.sent = new Set();
    /** @type {import("./wav.js").Form | null} */
    this.form = null;
    /** Seconds of the original for each frame. */
    this.step = 0;
    this.isPreview = false;
    /** The end of a damaged file, if it comes early. */
    this.end = Infinity;
    /** Ends its requests, once nobody hears it any more. */
    this.stop = new AbortController();
    /** The worklet that knows it. @type {unknown} */
    this.place = null;
    /** Blocks that were asked for before the head was there. @type {{first: number, begin: number, answer: Promise<Blocks | null>, form: import("./wav.js").Form, step: number} | null} */
    this.early = null;
  }

  /**
   * Asks for blocks at a moment before the head is there, which has to confirm the form and the factor that are expected. An
   * answer waits while the page draws, and two answers one after the other wait twice.
   * @param {import("./wav.js").Form} form @param {number} factor @param {number} moment @param {number} count @param {AbortSignal} signal
   */
  foresee(form, factor, moment, count, signal) {
    [this.form, this.step] = [{ ...form, frames: Infinity }, 1 / factor / form.sampleRate];
    const first = Math.floor(this.frame(moment) / blockFrames);
    const answer = this.fetch(first, count, AbortSignal.any([signal, this.stop.signal])).catch(() => null);
    this.early = { first, begin: performance.now(), answer, form: this.form, step: this.step };
  }

  /** Learns the length. @param {AbortSignal} signal */
  async open(signal) {
    const response = await ask(this.url, { signal, headers: { Range: `bytes=0-${headerBytes - 1}` } });
    this.form = form(await response.arrayBuffer());
    if (!this.form) throw new Refusal(200, "the server sent no WAV file", null);
    const factor = Number(response.headers.get("X-Factor"));
    this.isPreview = response.headers.get("X-Preview") === "1";
    this.step = 1 / factor / this.form.sampleRate;
    const [own, { early }] = [this.form, this];
    const isForm = /** @type {const} */ (["offset", "channels", "bits", "sampleRate"]).every((name) => early?.form[name] === own[name]);
    if (early && !(isForm && (this.places || Math.abs(early.step / this.step - 1) < 1e-9))) this.early = null;
    return this;
  }

  get frames() {
    return Math.min(this.form?.frames ?? 0, this.end);
  }

  /** The moment of a frame in seconds of the source. @param {number} frame */
  moment(frame) {
    const rate = this.form?.sampleRate ?? 1;
    return this.places ? between(frame / rate, this.places.output, this.places.source) : frame * this.step;
  }

  /** The place of a moment of the source, in frames, also between two. @param {number} moment */
  frameAt(moment) {
    const rate = this.form?.sampleRate ?? 1;
    return this.places ? between(moment, this.places.source, this.places.output) * rate : moment / this.step;
  }

  /** The frame at a moment of the source. @param {number} moment */
  frame(moment) {
    return Math.max(0, Math.min(this.frames, Math.round(this.frameAt(moment))));
  }

  /** Frames of this sound and those of another at the same moments, by which one is found from the other. @param {Sound} other */
  beside(other) {
    const most = Math.max(this.moment(this.frames), other.moment(other.frames), 1);
    const moments = [...new Set([0, ...(this.places?.source ?? []), ...(other.places?.source ?? []), most])].sort((a, b) => a - b);
    return { from: moments.map((moment) => this.frameAt(moment)), to: moments.map((moment) => other.frameAt(moment)) };
  }

  /** Answers with interleaved samples of some frames. @param {number} start @param {number} end @param {AbortSignal} [signal] */
  answer(start, end, signal) {
    const form = /** @type {import("./wav.js").Form} */ (this.form);
    const width = form.channels * (form.bits / 8);
    const range = `bytes=${form.offset + start * width}-${form.offset + Math.min(form.frames, end) * width - 1}`;
    // A cache would join answers of different runs.
    return ask(this.url, { signal, headers: { Range: range }, cache: "no-store" });
  }

  /** Interleaved samples of some frames, as bytes. @param {number} start @param {number} end @param {AbortSignal} [signal] */
  async bytes(start, end, signal) {
    return (await this.answer(start, end, signal)).arrayBuffer();
  }

  /**
   * Samples of blocks that follow each other, and their run: the live engine begins with other phases at each place, and
   * what it makes goes on only in the same run.
   * @param {number} first @param {number} count @param {AbortSignal} signal @returns {Promise<Blocks>}
   */
  async fetch(first, count, signal) {
    const response = await this.answer(first * blockFrames, (first + count) * blockFrames, signal);
    const run = Number(response.headers.get("X-Run") ?? 0);
    return { run, planes: planes(await response.arrayBuffer(), this.form?.channels ?? 0) };
  }
}
