// The two waveforms on linked axes, the overview, and the items on them: loop, marks, position.

import { byId } from "./dom.js";
import { showItems } from "./items.js";
import { spoken } from "./time.js";
import { drawAxis, drawBars, drawEnvelope, drawSpectrum } from "./waveform.js";
import { Samples, mostSamples } from "./peaks.js";
import { following, level, shortest, within, zoomed } from "./zoom.js";
import { ask, query } from "./server.js";

/** @typedef {{start: number, end: number}} View */

/** The view of a file; times are seconds of the source. */
export class WaveView {
  /** @param {{onSeek: (moment: number, isDragging: boolean) => void, onMark: (mark: any, at: number, isDone: boolean) => void, onPick: (mark: any) => void}} on */
  constructor(on) {
    this.on = on;
    this.total = 0;
    this.sampleRate = 44100;
    this.factor = 1;
    /** @type {View} */
    this.view = { start: 0, end: 0 };
    this.moment = 0;
    /** @type {import("./peaks.js").Peaks | null} */
    this.peaks = null;
    /** The result's own samples, where it is magnified. @type {{sound: import("./sound.js").Sound, samples: Samples} | null} */
    this.result = null;
    this.look = null;
    this.isDragging = false;
    /** @type {{key: string, start: number, end: number, data: {bytes: Uint8Array, columns: number, rows: number}} | null} */
    this.spectrum = null;
    this.lanes = {
      source: this.lane(byId("source-lane"), byId("source-axis")),
      result: this.lane(byId("result-lane"), byId("result-axis")),
    };
    this.overview = {
      box: byId("overview"), window: byId("overview-window"),
      rest: byId("overview-canvas"), played: byId("overview-played"),
    };
    this.watchOverview();
    const resized = new ResizeObserver(() => this.plan());
    for (const id of ["source-lane", "source-axis"]) resized.observe(byId(id));
    matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => this.plan());
  }

  /** @param {HTMLElement} box @param {HTMLCanvasElement} axis */
  lane(box, axis) {
    const part = (/** @type {string} */ name) => /** @type {any} */ (box.querySelector(`.${name}`));
    const lane = {
      box, axis, rest: part("rest"), played: part("played"), line: part("head-line"),
      loop: part("loop"), marks: /** @type {any} */ (box.nextElementSibling), note: part("wave-note"),
    };
    /** @type {Map<number, number>} */
    const fingers = new Map();
    const at = (/** @type {number} */ x) => {
      const bounds = box.getBoundingClientRect();
      return this.view.start + ((x - bounds.left) / bounds.width) * (this.view.end - this.view.start);
    };
    const seek = (/** @type {PointerEvent} */ event, /** @type {boolean} */ isDragging) =>
      this.on.onSeek(Math.max(0, Math.min(this.total, at(event.clientX))), isDragging);
    box.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      fingers.set(event.pointerId, event.clientX);
      box.setPointerCapture(event.pointerId);
      if (fingers.size === 1) {
        this.isDragging = true;
        seek(event, true);
      }
    });
    box.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId)) return;
      if (fingers.size === 2) {
        const before = [...fingers.values()];
        fingers.set(event.pointerId, event.clientX);
        const after = [...fingers.values()];
        const spread = (/** @type {number[]} */ list) => Math.max(8, Math.abs(list[0] - list[1]));
        const middle = (after[0] + after[1]) / 2;
        this.zoom(spread(before) / spread(after), at(middle));
      } else {
        fingers.set(event.pointerId, event.clientX);
        seek(event, true);
      }
    });
    const end = (/** @type {PointerEvent} */ event) => {
      if (!fingers.delete(event.pointerId)) return;
      if (fingers.size === 0) {
        this.isDragging = false;
        if (event.type === "pointerup") seek(event, false);
      }
    };
    box.addEventListener("pointerup", end);
    box.addEventListener("pointercancel", end);
    box.addEventListener("wheel", (event) => {
      const length = this.view.end - this.view.start;
      if (event.ctrlKey || event.metaKey || Math.abs(event.deltaY) > Math.abs(event.deltaX)) {
        event.preventDefault();
        this.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300))), at(event.clientX));
      } else if (event.deltaX !== 0) {
        event.preventDefault();
        this.pan((event.deltaX / box.clientWidth) * length);
      }
    }, { passive: false });
    return lane;
  }

  watchOverview() {
    const { box } = this.overview;
    const move = (/** @type {PointerEvent} */ event, isDragging = true) => {
      const bounds = box.getBoundingClientRect();
      const moment = ((event.clientX - bounds.left) / bounds.width) * this.total;
      const length = this.view.end - this.view.start;
      if (length >= this.total * 0.999) this.on.onSeek(Math.max(0, Math.min(this.total, moment)), isDragging);
      else this.show({ start: moment - length / 2, end: moment + length / 2 });
    };
    box.addEventListener("pointerdown", (event) => {
      box.setPointerCapture(event.pointerId);
      move(event);
    });
    box.addEventListener("pointermove", (event) => box.hasPointerCapture(event.pointerId) && move(event));
    // The last place counts, also where the sound did not follow that fast.
    box.addEventListener("pointerup", (event) => box.hasPointerCapture(event.pointerId) && move(event, false));
  }

  /** Shows another file. @param {import("./peaks.js").Peaks} peaks @param {number} total @param {number} sampleRate */
  open(peaks, total, sampleRate) {
    [this.peaks, this.total, this.sampleRate, this.spectrum, this.result] = [peaks, total, sampleRate, null, null];
    this.view = { start: 0, end: total };
    this.moment = 0;
    this.plan();
  }

  /** Shows the samples of a result where it is magnified. @param {import("./sound.js").Sound | null} sound */
  setResult(sound) {
    if (sound === (this.result?.sound ?? null)) return;
    if (!sound?.form?.isFloat) {
      this.result = null;
      return;
    }
    const read = async (/** @type {number} */ first, /** @type {number} */ count) => new Float32Array(await sound.bytes(first, first + count));
    const samples = new Samples(read, () => this.plan(), () => {});
    samples.open(sound.frames, sound.form.channels);
    this.result = { sound, samples };
    this.plan();
  }

  /** @param {View} view */
  show(view) {
    this.view = within(view, this.total, shortest(this.sampleRate));
    this.plan();
  }

  /** @param {number} factor @param {number} [moment] */
  zoom(factor, moment = this.moment) {
    this.view = zoomed(this.view, factor, moment, this.total, shortest(this.sampleRate));
    this.plan();
  }

  /** @param {number} seconds */
  pan(seconds) {
    this.show({ start: this.view.start + seconds, end: this.view.end + seconds });
  }

  /** @param {number} factor */
  setFactor(factor) {
    this.factor = factor;
    this.plan();
  }

  plan() {
    if (this.planned) return;
    this.planned = true;
    requestAnimationFrame(() => {
      this.planned = false;
      this.draw();
    });
  }

  draw() {
    const { peaks, look, view } = this;
    if (!look || !this.lanes.source.box.clientWidth) return;
    const style = getComputedStyle(document.documentElement);
    const color = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
    const width = this.lanes.source.box.clientWidth;
    const [start, end] = [view.start * this.sampleRate, view.end * this.sampleRate];
    const isBars = look.style === "bars";
    const count = Math.max(1, isBars ? Math.ceil(width / (look.barWidth + look.spacing)) : width);
    const step = (end - start) / count;
    const wantedEnd = isBars ? start + (count * (look.barWidth + look.spacing) * (end - start)) / width : end;
    const columns = peaks && look.style !== "spectrum" ? peaks.columns(start, wantedEnd, count, look.floor) : null;
    if (look.style === "spectrum") this.wantSpectrum(width);
    for (const [name, lane] of Object.entries(this.lanes)) {
      lane.box.classList.toggle("spectrum", look.style === "spectrum");
      const tint = name === "source" ? look.source || color("--blue") : look.result || color("--orange");
      const colors = { color: `color-mix(in srgb, ${tint} 70%, ${color("--raised")})`, inner: tint };
      // Levels of source and result are nearly the same; their samples are not.
      const own = name === "result" && look.style !== "spectrum" ? this.resultColumns(start, wantedEnd, count) : null;
      const shown = own ?? { columns, start, step };
      for (const canvas of [lane.rest, lane.played]) {
        if (look.style === "spectrum") this.drawSpectrum(canvas);
        else if (isBars) drawBars(canvas, shown.columns, colors, look);
        else drawEnvelope(canvas, shown.columns, colors, shown.step, shown.start);
      }
      const factor = name === "source" ? 1 : this.factor;
      drawAxis(lane.axis, view.start * factor, view.end * factor, {
        text: color("--faint"), line: color("--line"), font: `${getComputedStyle(lane.axis).fontSize} ${style.getPropertyValue("--font")}`,
      });
      const isBlank = look.style === "spectrum" ? !this.spectrum : !shown.columns?.known.some(Boolean);
      // Errors are above the lanes.
      const words = peaks?.problem ? (name === "source" ? (byId("problem").hidden ? peaks.problem : "No waveform") : "") : isBlank && this.total > 0 ? "Reading the file…" : "";
      if (lane.note.textContent !== words) lane.note.textContent = words;
      lane.note.hidden = words === "";
    }
    this.drawOverview(color);
    this.place();
  }

  /**
   * The columns of the result's own samples, where the source's are magnified: its levels are nearly the same, its samples
   * are not. `null` elsewhere.
   * @param {number} start frames of the source @param {number} end @param {number} count
   */
  resultColumns(start, end, count) {
    if (!this.result || level((end - start) / count) >= 0) return null;
    const { sound, samples } = this.result;
    const [first, last] = [start, end].map((frame) => frame / this.sampleRate / sound.step);
    const columns = last - first <= mostSamples ? samples.columns(first, last, count, this.look.floor) : null;
    return columns?.known.every((isKnown, column) => isKnown || first + ((last - first) * column) / count >= sound.frames)
      ? { columns, start: first, step: (last - first) / count } : null;
  }

  /** @param {(name: string) => string} color */
  drawOverview(color) {
    const { rest, played, window } = this.overview;
    const width = rest.clientWidth;
    const columns = this.peaks?.columns(0, this.total * this.sampleRate, width, this.look.floor, 0) ?? null;
    const own = this.look.source || color("--blue");
    const colors = { color: `color-mix(in srgb, ${own} 70%, ${color("--side")})`, inner: own };
    for (const canvas of [rest, played]) drawEnvelope(canvas, columns, colors, 256);
    const isWhole = this.view.end - this.view.start >= this.total * 0.999;
    window.hidden = isWhole || this.total === 0;
    window.style.left = `${(this.view.start / this.total) * 100}%`;
    window.style.width = `${((this.view.end - this.view.start) / this.total) * 100}%`;
  }

  /** @param {HTMLCanvasElement} canvas */
  drawSpectrum(canvas) {
    const { spectrum, view } = this;
    const length = view.end - view.start;
    const place = (/** @type {number} */ moment) => (moment - view.start) / length;
    drawSpectrum(canvas, spectrum?.data ?? null, place(spectrum?.start ?? 0), place(spectrum?.end ?? 0));
  }

  /** Asks for the spectrum of what is visible. @param {number} width */
  async wantSpectrum(width) {
    if (!this.peaks) return;
    const [from, to] = [this.view.start, this.view.end].map((moment) => Math.round(moment * this.sampleRate));
    const columns = Math.max(1, Math.min(2048, Math.round(width / 2)));
    const key = `${this.peaks.id} ${from} ${to} ${columns}`;
    if (this.spectrum?.key === key || this.asked) return;
    this.asked = true;
    const { id } = this.peaks;
    try {
      const response = await ask(`/api/files/${id}/spectrum?${query({ from, to, columns, rows: 128 })}`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (this.peaks?.id === id) {
        const data = { bytes, columns: Number(response.headers.get("X-Columns")), rows: 128 };
        this.spectrum = { key, start: from / this.sampleRate, end: to / this.sampleRate, data };
      }
    } catch {
      this.spectrum = null;
    } finally {
      this.asked = false;
      if (this.spectrum) this.plan();
    }
  }

  /** Moves the indicator. @param {number} moment @param {boolean} isPlaying */
  setMoment(moment, isPlaying) {
    this.moment = moment;
    if (isPlaying && this.look?.follow && !this.isDragging) {
      const next = following(this.view, moment, this.total);
      if (next !== this.view) {
        this.view = next;
        this.plan();
      }
    }
    this.place();
  }

  /** Puts the indicator where the moment is. */
  place() {
    const length = this.view.end - this.view.start;
    const share = length > 0 ? (this.moment - this.view.start) / length : 0;
    const shown = Math.max(0, Math.min(1, share));
    for (const [name, lane] of Object.entries(this.lanes)) {
      const factor = name === "source" ? 1 : this.factor;
      const width = lane.box.clientWidth;
      lane.line.style.transform = `translateX(${share * width - 1}px)`;
      lane.line.style.visibility = length > 0 && share >= 0 && share <= 1 ? "visible" : "hidden";
      lane.played.style.clipPath = `inset(0 ${(1 - shown) * 100}% 0 0)`;
      const value = (this.moment * factor).toFixed(2);
      if (lane.box.getAttribute("aria-valuenow") !== value) {
        lane.box.setAttribute("aria-valuenow", value);
        lane.box.setAttribute("aria-valuemax", (this.total * factor).toFixed(2));
        lane.box.setAttribute("aria-valuetext", `${spoken(this.moment * factor)} of ${spoken(this.total * factor)}`);
      }
    }
    const whole = this.total > 0 ? Math.max(0, Math.min(1, this.moment / this.total)) : 0;
    this.overview.played.style.clipPath = `inset(0 ${(1 - whole) * 100}% 0 0)`;
  }

  /** A moment as a share of the width. @param {number} moment */
  share(moment) {
    return ((moment - this.view.start) / (this.view.end - this.view.start)) * 100;
  }

  /** Shows a loop, a set point A, chapters and marks. @param {import("./items.js").Items} items */
  setItems(items) {
    showItems(this, items);
  }
}
