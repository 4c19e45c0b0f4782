// The waveform of a file: its pyramid as far as it is there, its samples where it is magnified.

import { ask, query } from "./server.js";
import { level } from "./zoom.js";

const recordBytes = 14;
/** The noise floors whose means a record holds, in dB. */
export const floors = [-40, -50, -60, -70, -80, -90, -100, -120];
const framesPerPixel = 256;
const piece = 4096;

/**
 * The values of a picture's columns: extremes and RMS from -1 to 1, and the height of a bar from 0 to 1.
 * @typedef {{low: Float32Array, high: Float32Array, rms: Float32Array, bar: Float32Array, known: Uint8Array}} Columns
 */

/** Columns of records, each of `pixels` records a channel. @param {DataView} view @param {number} channels @param {number} first @param {(column: number) => [number, number]} rangeOf @param {number} count @param {number} floor @returns {Columns} */
export function columnsOf(view, channels, first, rangeOf, count, floor) {
  const [low, high, rms, bar] = Array.from({ length: 4 }, () => new Float32Array(count));
  const known = new Uint8Array(count);
  const there = Math.floor(view.byteLength / (recordBytes * channels));
  const place = 6 + Math.max(0, floors.indexOf(floor));
  for (let column = 0; column < count; column++) {
    const [start, end] = rangeOf(column);
    const [from, to] = [Math.max(0, start - first), Math.min(there, Math.max(end, start + 1) - first)];
    if (to <= from) continue;
    let [least, most, power, height] = [32767, -32768, 0, 0];
    for (let pixel = from; pixel < to; pixel++) {
      for (let channel = 0; channel < channels; channel++) {
        const at = (pixel * channels + channel) * recordBytes;
        least = Math.min(least, view.getInt16(at, true));
        most = Math.max(most, view.getInt16(at + 2, true));
        const level = view.getUint16(at + 4, true) / 65535;
        power += level * level;
        height += view.getUint8(at + place);
      }
    }
    const records = (to - from) * channels;
    known[column] = 1;
    [low[column], high[column]] = [least / 32768, most / 32768];
    [rms[column], bar[column]] = [Math.sqrt(power / records), height / 255 / records];
  }
  return { low, high, rms, bar, known };
}

/** Columns of interleaved samples. @param {Float32Array} samples @param {number} channels @param {number} first @param {(column: number) => [number, number]} rangeOf @param {number} count @param {number} floor @returns {Columns} */
export function columnsOfSamples(samples, channels, first, rangeOf, count, floor) {
  const [low, high, rms, bar] = Array.from({ length: 4 }, () => new Float32Array(count));
  const known = new Uint8Array(count);
  const there = samples.length / channels;
  for (let column = 0; column < count; column++) {
    const [start, end] = rangeOf(column);
    const [from, to] = [Math.max(0, start - first), Math.min(there, Math.max(end, start + 1) - first)];
    if (to <= from) continue;
    let [least, most, power, height] = [1, -1, 0, 0];
    for (let index = from * channels; index < to * channels; index++) {
      const sample = samples[index];
      least = Math.min(least, sample);
      most = Math.max(most, sample);
      power += sample * sample;
      const decibels = sample === 0 ? floor : 20 * Math.log10(Math.abs(sample));
      height += 1 - Math.max(floor, Math.min(0, decibels)) / floor;
    }
    const values = (to - from) * channels;
    known[column] = 1;
    [low[column], high[column], rms[column], bar[column]] = [least, most, Math.sqrt(power / values), height / values];
  }
  return { low, high, rms, bar, known };
}

/** The most frames whose samples are fetched at once; the server sends no more. */
const mostFetched = 1 << 18;
/** The most frames that are drawn from their samples: some more on either side are fetched too. */
export const mostSamples = mostFetched / 2;

/** The frame at the left edge of a column. @typedef {(column: number) => number} Edge */

/** Columns of one width. @param {number} start @param {number} end @param {number} count @returns {Edge} */
const even = (start, end, count) => (column) => start + (column * (end - start)) / count;

/** The samples around what is visible, where columns are narrower than the records of a pyramid. */
export class Samples {
  /** @param {(first: number, count: number) => Promise<Float32Array>} read frames, interleaved @param {() => void} onChange @param {(error: Error) => void} onProblem */
  constructor(read, onChange, onProblem) {
    [this.read, this.onChange, this.onProblem] = [read, onChange, onProblem];
    [this.frames, this.channels] = [0, 0];
    /** @type {{first: number, samples: Float32Array} | null} */
    this.there = null;
    this.isAsking = false;
  }

  /** @param {number} frames @param {number} channels */
  open(frames, channels) {
    [this.frames, this.channels] = [frames, channels];
  }

  /** @param {number} start @param {number} end frames, also between two @param {number} count @param {number} floor @param {Edge} [edge] @returns {Columns | null} */
  columns(start, end, count, floor, edge = even(start, end, count)) {
    const [first, last] = [Math.max(0, Math.floor(start)), Math.min(this.frames, Math.ceil(end) + 1)];
    const { there } = this;
    if (!there || first < there.first || last > there.first + there.samples.length / this.channels) {
      this.load(first, last);
      if (!there) return null;
    }
    const rangeOf = (/** @type {number} */ column) =>
      /** @type {[number, number]} */ ([Math.floor(edge(column)), Math.ceil(edge(column + 1))]);
    return columnsOfSamples(there.samples, this.channels, there.first, rangeOf, count, floor);
  }

  /** @param {number} first @param {number} last */
  async load(first, last) {
    if (this.isAsking || this.channels === 0) return;
    this.isAsking = true;
    try {
      // Some more on either side, so that moving needs no further request.
      const more = Math.min(65536, Math.max(4096, last - first));
      const start = Math.max(0, first - more);
      this.there = { first: start, samples: await this.read(start, Math.min(mostFetched, this.frames - start, last - start + more)) };
      this.isAsking = false;
      this.onChange();
    } catch (error) {
      // It stays asked for: a problem would only repeat itself.
      this.onProblem(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

/** The waveform of one file. */
export class Peaks {
  /** @param {string} id @param {() => void} onChange */
  constructor(id, onChange) {
    this.id = id;
    this.onChange = onChange;
    this.stop = new AbortController();
    [this.frames, this.channels, this.sampleRate, this.ready, this.pixels] = [0, 0, 0, 0, 0];
    /** @type {Map<string, {view: DataView, first: number, isWhole: boolean}>} */
    this.pieces = new Map();
    /** @type {Set<string>} */
    this.asked = new Set();
    /** @type {DataView | null} */
    this.overview = null;
    this.samples = new Samples(async (first, count) => {
      const response = await this.get("samples", { from: first, count });
      return new Float32Array(await response.arrayBuffer());
    }, () => !this.stop.signal.aborted && onChange(), (error) => !this.stop.signal.aborted && (this.problem = error.message));
    /** @type {string | null} */
    this.problem = null;
    /** True if no more will follow: all is there, or the file is damaged. */
    this.isEnded = false;
    this.start();
  }

  close() {
    this.stop.abort();
  }

  async start() {
    try {
      const response = await this.get("peaks", { level: 0, count: 0 });
      this.readHeaders(response);
      await response.arrayBuffer();
      this.onChange();
      if (this.ready < this.pixels) {
        // A damaged file has no estimate, only the part that can be read.
        const overview = await this.get("overview", {}).catch(() => null);
        if (this.stop.signal.aborted) return;
        if (overview?.status === 200) {
          this.overview = new DataView(await overview.arrayBuffer());
          this.onChange();
        }
      }
    } catch (error) {
      if (this.stop.signal.aborted) return;
      this.problem = error instanceof Error ? error.message : String(error);
      this.onChange();
    }
  }

  /** @param {string} part @param {Record<string, unknown>} items */
  get(part, items) {
    return ask(`/api/files/${this.id}/${part}?${query(items)}`, { signal: this.stop.signal });
  }

  /** @param {Response} response */
  readHeaders(response) {
    const number = (/** @type {string} */ name) => Number(response.headers.get(name));
    [this.frames, this.channels] = [number("X-Frames"), number("X-Channels")];
    [this.sampleRate, this.pixels] = [number("X-Sample-Rate"), number("X-Pixels")];
    this.samples.open(this.frames, this.channels);
    this.ready = Math.max(this.ready, number("X-Ready"));
    // An answer that waited may be older than the news of progress.
    this.isEnded ||= response.headers.get("X-Ended") === "1";
  }

  /** Takes news of how far the pyramid is. @param {number} ready @param {boolean} isEnded true if no more will follow */
  progress(ready, isEnded) {
    this.isEnded ||= isEnded;
    this.ready = Math.max(this.ready, ready);
    for (const [key, piece] of this.pieces) if (!piece.isWhole) this.pieces.delete(key);
    this.onChange();
  }

  /** The share of the waveform that is ready. */
  get share() {
    return this.pixels === 0 ? (this.frames === 0 && this.channels > 0 ? 1 : 0) : this.ready / this.pixels;
  }

  /**
   * The values of `count` columns for the frames from `start` to `end`.
   * @param {number} start @param {number} end @param {number} count @param {number} floor
   * @param {Edge} [edge] of columns that are not of one width @returns {Columns | null}
   */
  columns(start, end, count, floor, edge = even(start, end, count)) {
    if (this.channels === 0 || count <= 0) return null;
    const own = level((end - start) / count);
    const fine = own < 0 && end - start <= mostSamples ? this.samples.columns(start, end, count, floor, edge) : null;
    if (fine?.known.every(Boolean)) return fine;
    const coarse = this.pixelColumns(start, end, count, floor, Math.max(0, own), edge);
    return fine ? this.joined(fine, coarse) : coarse;
  }

  /** Columns of a level of the pyramid, and of the estimate where it is not ready. @param {number} start @param {number} end @param {number} count @param {number} floor @param {number} own @param {Edge} [edge] */
  pixelColumns(start, end, count, floor, own, edge = even(start, end, count)) {
    const size = framesPerPixel * 4 ** own;
    const rangeOf = (/** @type {number} */ column) =>
      /** @type {[number, number]} */ ([Math.floor(edge(column) / size), Math.ceil(edge(column + 1) / size)]);
    const result = this.merged(own, Math.floor(start / size), Math.ceil(end / size), rangeOf, count, floor);
    if (this.overview && this.share < 1) this.fill(result, edge, count, floor);
    return result;
  }

  /** Columns, and others where those are not there yet. @param {Columns} fine @param {Columns} coarse */
  joined(fine, coarse) {
    for (let column = 0; column < fine.known.length; column++) {
      if (fine.known[column]) continue;
      for (const name of /** @type {const} */ (["low", "high", "rms", "bar", "known"])) fine[name][column] = coarse[name][column];
    }
    return fine;
  }

  /** Columns of all pieces of a level that are there; asks for the others. @param {number} own @param {number} from @param {number} to @param {(column: number) => [number, number]} rangeOf @param {number} count @param {number} floor */
  merged(own, from, to, rangeOf, count, floor) {
    const pixels = Math.ceil(this.pixels / 4 ** own);
    const [first, last] = [Math.max(0, Math.floor(from / piece)), Math.floor((Math.min(to, pixels) - 1) / piece)];
    const views = [];
    for (let index = first; index <= last; index++) {
      const found = this.pieces.get(`${own}/${index}`);
      if (!found || !found.isWhole) this.load(own, index, pixels);
      if (found) views.push(found);
    }
    if (views.length === 1) return columnsOf(views[0].view, this.channels, views[0].first, rangeOf, count, floor);
    const bytes = recordBytes * this.channels;
    const joined = new Uint8Array(Math.max(0, last - first + 1) * piece * bytes);
    let end = 0;
    for (const { view, first: start } of views) {
      const at = (start - first * piece) * bytes;
      joined.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), at);
      end = Math.max(end, at + view.byteLength);
    }
    return columnsOf(new DataView(joined.buffer, 0, end), this.channels, first * piece, rangeOf, count, floor);
  }

  /** @param {number} own @param {number} index @param {number} pixels */
  async load(own, index, pixels) {
    const key = `${own}/${index}`;
    if (this.asked.has(key) || this.ready === 0) return;
    this.asked.add(key);
    try {
      const first = index * piece;
      const response = await this.get("peaks", { level: own, from: first, count: piece });
      this.readReady(response, own);
      const view = new DataView(await response.arrayBuffer());
      const count = view.byteLength / (recordBytes * this.channels);
      this.pieces.set(key, { view, first, isWhole: first + count >= Math.min(pixels, first + piece) });
      // The oldest go first; the whole file at a glance needs few.
      if (this.pieces.size > 96) this.pieces.delete(/** @type {string} */ (this.pieces.keys().next().value));
      this.onChange();
    } catch (error) {
      if (!this.stop.signal.aborted) this.problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.asked.delete(key);
    }
  }

  /** @param {Response} response @param {number} own */
  readReady(response, own) {
    if (own === 0) this.ready = Math.max(this.ready, Number(response.headers.get("X-Ready")));
  }

  /** Fills columns that are not ready from the estimate. @param {Columns} result @param {Edge} edge @param {number} count @param {number} floor */
  fill(result, edge, count, floor) {
    if (!this.overview) return;
    const parts = this.overview.byteLength / (recordBytes * this.channels);
    const size = this.frames / parts;
    const rangeOf = (/** @type {number} */ column) =>
      /** @type {[number, number]} */ ([Math.floor(edge(column) / size), Math.ceil(edge(column + 1) / size)]);
    const rough = columnsOf(this.overview, this.channels, 0, rangeOf, count, floor);
    for (let column = 0; column < count; column++) {
      if (result.known[column] || !rough.known[column]) continue;
      result.known[column] = 2;
      for (const name of /** @type {const} */ (["low", "high", "rms", "bar"])) result[name][column] = rough[name][column];
    }
  }
}
