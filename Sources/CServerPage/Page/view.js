// The picture: the original above, the result below, at the same pixels per second on one ruler. Position, loop, marks and
// chapters run through both as lines that slant between them; the end of the result is a handle.

import { byId } from "./dom.js";
import { draggable } from "./drag.js";
import { Lines } from "./items.js";
import { Samples, mostSamples } from "./peaks.js";
import { ask, query } from "./server.js";
import { limits } from "./speed.js";
import { clock, spoken } from "./time.js";
import { drawAxis, drawBars, drawEnvelope, drawSpectrum } from "./waveform.js";
import { extent, following, level, shortest, within, zoomed } from "./zoom.js";

/** @typedef {import("./zoom.js").View} View */
/** @typedef {import("./player.js").Name} Name */

/**
 * The acts of a person in the picture; moments are seconds of the original.
 * @typedef {object} Acts
 * @property {(moment: number, isDragging: boolean) => void} onSeek
 * @property {(loop: {start: number, end: number} | null, isDone: boolean) => void} onLoop
 * @property {(speed: number) => void} onSpeed
 * @property {(mark: import("./model.js").Mark, at: number) => import("./model.js").Mark} onMark moves a mark, and returns the moved one
 * @property {(at: number) => void} onPick
 * @property {() => (() => void) | null} onHold a lane is held; answers what letting go does
 */

/** The picture of a file. */
export class WaveView {
  /** @param {Acts} on @param {import("./model.js").Model} model */
  constructor(on, model) {
    this.on = on;
    this.model = model;
    this.total = 0;
    this.sampleRate = 44100;
    /** @type {View} */
    this.view = { start: 0, end: 0 };
    /** True if the whole of both lanes is shown, whatever their lengths. */
    this.isFit = true;
    this.moment = 0;
    /** @type {import("./peaks.js").Peaks | null} */
    this.peaks = null;
    /** The result's own samples, where it is magnified. @type {{sound: import("./sound.js").Sound, samples: Samples} | null} */
    this.result = null;
    this.look = null;
    this.isDragging = false;
    this.isPlaying = false;
    /** Takes back what a drag over a lane has changed. @type {(() => void) | undefined} */
    this.giveUp = undefined;
    /** @type {{key: string, start: number, end: number, data: import("./waveform.js").Spectrum} | null} */
    this.spectrum = null;
    /** Hears when the picture is drawn. @type {(() => void) | undefined} */
    this.onDrawn = undefined;
    this.box = byId("picture");
    this.lanes = { source: this.lane("source"), result: this.lane("result") };
    this.lines = new Lines(this);
    this.watchRuler();
    this.watchEnd();
    this.watchScroller();
    /** The width of the lanes, 0 before it is known: asked of the lane in each picture, it would take a layout each time. */
    this.laneWidth = 0;
    const resized = new ResizeObserver(() => {
      this.laneWidth = this.lanes.source.box.clientWidth;
      this.plan();
    });
    for (const box of [this.box, this.lanes.source.box]) resized.observe(box);
    matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => this.plan());
  }

  get factor() {
    return this.model.factor;
  }

  /** The seconds of the ruler in a second of the original, in a lane from its left edge to a moment. @param {Name} name @param {number} moment */
  stretch(name, moment) {
    const seconds = moment - this.view.start;
    return name === "result" ? (seconds ? this.along(moment, name) / seconds : this.factor) : 1;
  }

  /** The place of a moment in a lane, in pixels. @param {number} moment @param {Name} name */
  x(moment, name) {
    const length = this.view.end - this.view.start;
    return length > 0 ? (this.along(moment, name) / length) * this.width : 0;
  }

  /** The seconds of the ruler from the left edge of a lane to a moment. @param {number} moment @param {Name} name */
  along(moment, name) {
    const { start } = this.view;
    return name === "result" ? this.model.output(moment) - this.model.output(start) : moment - start;
  }

  /** The moment so many seconds of the ruler from the left edge of a lane. @param {number} seconds @param {Name} name */
  momentAlong(seconds, name) {
    const { start } = this.view;
    return name === "result" ? this.model.source(this.model.output(start) + seconds) : start + seconds;
  }

  /** The moment of a place in a lane. @param {number} clientX @param {Name} name */
  at(clientX, name) {
    const bounds = this.lanes.source.box.getBoundingClientRect();
    const seconds = ((clientX - bounds.left) / bounds.width) * (this.view.end - this.view.start);
    return Math.max(0, Math.min(this.total, this.momentAlong(seconds, name)));
  }

  get width() {
    return this.laneWidth || this.lanes.source.box.clientWidth;
  }

  /** @param {Name} name */
  lane(name) {
    const box = byId(`${name}-lane`);
    const part = (/** @type {string} */ own) => /** @type {any} */ (box.querySelector(`.${own}`));
    const lane = { box, body: part("body"), rest: part("rest"), played: part("played"), note: part("wave-note"), label: part("lane-name") };
    this.watchFingers(box, name);
    draggable(box, (down) => {
      const edge = this.lines.edgeAt(down.clientX, name, down.pointerType === "touch" ? 22 : 8);
      if (edge) return this.edgeDrag(edge, name);
      const first = this.at(down.clientX, name);
      const { loop: before, a } = this.model.state;
      // A second finger makes no loop of the first one's way.
      this.giveUp = () => this.model.set({ loop: before, a });
      const span = (/** @type {PointerEvent} */ event) => {
        const other = this.at(event.clientX, name);
        return { start: Math.min(first, other), end: Math.max(first, other) };
      };
      const loop = (/** @type {PointerEvent} */ event, /** @type {boolean} */ isDone) => this.fingers < 2 && this.setLoop(span(event), isDone);
      return {
        click: (event) => this.on.onSeek(this.at(event.clientX, name), false),
        hold: () => (this.fingers < 2 ? this.on.onHold() : null),
        move: (event) => loop(event, false),
        end: (event) => event && loop(event, true),
      };
    });
    box.addEventListener("wheel", (event) => {
      const length = this.view.end - this.view.start;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        this.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300))), this.at(event.clientX, name));
        return;
      }
      const delta = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey ? event.deltaX || event.deltaY : event.deltaY;
      if (this.isFit || delta === 0) return;
      event.preventDefault();
      this.pan((delta / this.width) * length);
    }, { passive: false });
    return lane;
  }

  /** Sets the loop; without a length, as of a drag beside the file, it is none. @param {import("./model.js").Loop} loop @param {boolean} isDone */
  setLoop(loop, isDone) {
    if (loop.end > loop.start) this.on.onLoop(loop, isDone);
  }

  /** Moves an edge of the loop. @param {"start" | "end"} edge @param {Name} name */
  edgeDrag(edge, name) {
    const moved = (/** @type {PointerEvent} */ event, /** @type {boolean} */ isDone) => {
      const { loop } = this.model.state;
      if (!loop) return;
      const at = this.at(event.clientX, name);
      const other = edge === "start" ? loop.end : loop.start;
      // An edge that passes the other one becomes it.
      this.setLoop({ start: Math.min(at, other), end: Math.max(at, other) }, isDone);
      if (edge === "start" ? at > other : at < other) edge = edge === "start" ? "end" : "start";
    };
    return { move: (/** @type {PointerEvent} */ event) => moved(event, false), end: (/** @type {PointerEvent | null} */ event) => event && moved(event, true) };
  }

  /** Two fingers zoom, and move what is magnified. @param {HTMLElement} box @param {Name} name */
  watchFingers(box, name) {
    /** @type {Map<number, number>} */
    const places = new Map();
    this.fingers = 0;
    const count = () => (this.fingers = places.size);
    const middle = (/** @type {number[]} */ list) => (list[0] + list[1]) / 2;
    box.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "touch") return;
      places.set(event.pointerId, event.clientX);
      count();
      if (places.size === 2) this.giveUp?.();
    });
    box.addEventListener("pointermove", (event) => {
      if (!places.has(event.pointerId)) return;
      const before = [...places.values()];
      places.set(event.pointerId, event.clientX);
      if (places.size !== 2) return;
      const after = [...places.values()];
      const spread = (/** @type {number[]} */ list) => Math.max(8, Math.abs(list[0] - list[1]));
      this.zoom(spread(before) / spread(after), this.at(middle(before), name));
      this.pan(((middle(before) - middle(after)) / this.width) * (this.view.end - this.view.start));
    });
    for (const kind of ["pointerup", "pointercancel"]) {
      box.addEventListener(kind, (event) => {
        places.delete(/** @type {PointerEvent} */ (event).pointerId);
        // The finger that stays begins no loop.
        if (places.size === 0) setTimeout(count);
      });
    }
  }

  /** On the ruler, a drag moves the position. */
  watchRuler() {
    draggable(byId("ruler"), () => {
      const seek = (/** @type {PointerEvent} */ event, /** @type {boolean} */ isDragging) => {
        this.isDragging = isDragging;
        this.on.onSeek(this.at(event.clientX, "source"), isDragging);
      };
      return {
        click: (event) => seek(event, false), move: (event) => seek(event, true),
        end: (event) => (event ? seek(event, false) : (this.isDragging = false)),
      };
    });
  }

  /** The end of the result sets its length. */
  watchEnd() {
    const handle = byId("end-handle");
    draggable(handle, () => {
      this.isPulling = true;
      const pull = (/** @type {PointerEvent} */ event) => {
        const bounds = this.lanes.source.box.getBoundingClientRect();
        const seconds = ((event.clientX - bounds.left) / bounds.width) * (this.view.end - this.view.start);
        const speed = (this.total - this.view.start) / Math.max(1e-6, seconds);
        this.on.onSpeed(Math.min(limits.most, Math.max(limits.least, Math.abs(speed - 1) < 0.01 ? 1 : Math.round(speed * 1000) / 1000)));
      };
      return { move: pull, end: () => {
        this.isPulling = false;
        this.plan();
      } };
    });
    handle.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: 1, ArrowDown: 1, ArrowRight: -1, ArrowUp: -1, PageUp: -10, PageDown: 10 };
      const step = steps[/** @type {keyof typeof steps} */ (event.key)];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      this.on.onSpeed(Math.max(limits.least, Math.round(this.model.state.speed * 100 + step) / 100));
    });
  }

  watchScroller() {
    const box = byId("scroller");
    draggable(box, () => {
      const move = (/** @type {PointerEvent} */ event) => {
        const bounds = box.getBoundingClientRect();
        const middle = ((event.clientX - bounds.left) / bounds.width) * this.total;
        const length = this.view.end - this.view.start;
        const shown = length / Math.max(1, this.factor);
        this.show({ start: middle - shown / 2, end: middle - shown / 2 + length });
      };
      return { click: move, move };
    });
  }

  /** Shows another file, or nothing. @param {import("./peaks.js").Peaks | null} peaks @param {number} total @param {number} sampleRate */
  open(peaks, total, sampleRate) {
    [this.peaks, this.total, this.sampleRate] = [peaks, total, sampleRate];
    [this.result, this.spectrum, this.moment, this.isFit] = [null, null, 0, true];
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
    this.view = within(view, this.total, shortest(this.sampleRate), this.factor);
    this.isFit = this.view.end - this.view.start >= extent(this.total, this.factor) * 0.999;
    this.plan();
  }

  /** Shows the whole file. */
  fit() {
    this.show({ start: 0, end: Infinity });
  }

  /** @param {number} by @param {number} [moment] */
  zoom(by, moment = this.moment) {
    this.show(zoomed(this.view, by, moment, this.total, shortest(this.sampleRate), this.factor));
  }

  /** @param {number} seconds */
  pan(seconds) {
    this.show({ start: this.view.start + seconds, end: this.view.end + seconds });
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
    const { look, width } = this;
    if (!look || !width) return;
    const whole = extent(this.total, this.factor);
    if (this.isFit && !this.isPulling) this.view = { start: 0, end: whole };
    else if (!this.isPulling) this.view = within(this.view, this.total, shortest(this.sampleRate), this.factor);
    const style = getComputedStyle(document.documentElement);
    const color = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
    if (look.style === "spectrum") this.wantSpectrum(width);
    for (const name of /** @type {Name[]} */ (["source", "result"])) this.drawLane(name, color);
    const { start, end } = this.view;
    const font = `${getComputedStyle(byId("ruler")).fontSize} ${style.getPropertyValue("--font")}`;
    drawAxis(byId("ruler"), start, end, { text: color("--faint"), line: color("--line"), font }, width);
    const own = byId("result-axis");
    own.hidden = this.isFit || (this.factor === 1 && this.model.state.bends.length === 0);
    if (!own.hidden) drawAxis(/** @type {any} */ (own), this.model.output(start), this.model.output(start) + end - start, { text: color("--orange"), line: color("--line"), font });
    this.showDamage();
    this.drawScroller();
    this.lines.show();
    this.place();
    this.onDrawn?.();
  }

  /** @param {Name} name @param {(name: string) => string} color */
  drawLane(name, color) {
    const { look, peaks, view, sampleRate } = this;
    const lane = this.lanes[name];
    const edge = this.total === 0 ? this.width : Math.max(2, Math.min(this.width, Math.round(this.x(this.total, name))));
    lane.body.style.width = `${edge}px`;
    lane.body.classList.toggle("is-cut", this.x(this.total, name) > this.width + 1);
    lane.box.classList.toggle("spectrum", look.style === "spectrum");
    const isBars = look.style === "bars";
    // The lane's own part, in frames of the original.
    const perPixel = (view.end - view.start) / this.width;
    const [start, end] = [view.start * sampleRate, this.momentAlong(edge * perPixel, name) * sampleRate];
    const count = Math.max(1, isBars ? Math.ceil(edge / (look.barWidth + look.spacing)) : edge);
    const across = isBars ? count * (look.barWidth + look.spacing) : edge;
    const wantedEnd = this.momentAlong(across * perPixel, name) * sampleRate;
    const step = (wantedEnd - start) / count;
    // Between anchors, columns are of other widths.
    const bends = name === "result" && this.model.state.bends.length > 0 ? (/** @type {number} */ column) => this.momentAlong((column * across * perPixel) / count, name) * sampleRate : undefined;
    const tint = name === "source" ? look.source || color("--blue") : look.result || color("--orange");
    const colors = { color: `color-mix(in srgb, ${tint} 76%, ${color("--raised")})`, inner: tint };
    const isSpectrum = look.style === "spectrum";
    // Levels of both are nearly the same; their samples are not.
    const own = name === "result" && !isSpectrum ? this.resultColumns(start, wantedEnd, count) : null;
    const drawn = own ?? { columns: peaks && !isSpectrum ? peaks.columns(start, wantedEnd, count, look.floor, bends) : null, start, step };
    for (const canvas of [lane.rest, lane.played]) {
      if (isSpectrum) this.drawSpectrum(canvas, name, edge);
      else if (isBars) drawBars(canvas, drawn.columns, colors, look);
      else drawEnvelope(canvas, drawn.columns, colors, drawn.step, drawn.start);
    }
    const isBlank = isSpectrum ? !this.spectrum : !drawn.columns?.known.some(Boolean);
    // Errors are above the lanes.
    const words = peaks?.problem ? (byId("problem").hidden ? (name === "source" ? peaks.problem : "") : isBlank && name === "source" ? "No waveform" : "") : isBlank && this.total > 0 ? "Reading the file…" : "";
    if (lane.note.textContent !== words) lane.note.textContent = words;
    lane.note.hidden = words === "";
    const room = this.width - edge;
    lane.label.classList.toggle("inside", room < lane.label.offsetWidth + 16);
    lane.label.style.left = room < lane.label.offsetWidth + 16 ? `${Math.max(0, edge - lane.label.offsetWidth - 8)}px` : `${edge + 10}px`;
  }

  /**
   * The columns of the result's own samples, where the original's are magnified. `null` elsewhere.
   * @param {number} start frames of the original @param {number} end @param {number} count
   */
  resultColumns(start, end, count) {
    if (!this.result || level((end - start) / count) >= 0) return null;
    const { sound, samples } = this.result;
    const [first, last] = [start, end].map((frame) => sound.frameAt(frame / this.sampleRate));
    const columns = last - first <= mostSamples ? samples.columns(first, last, count, this.look.floor) : null;
    return columns?.known.every((isKnown, column) => isKnown || first + ((last - first) * column) / count >= sound.frames)
      ? { columns, start: first, step: (last - first) / count } : null;
  }

  /** The moment from which on the file is damaged; `null` for none that is known. */
  get damage() {
    const { peaks, total } = this;
    if (total === 0) return null;
    if (this.model.state.details?.problem) return total;
    return (peaks?.problem || peaks?.isEnded) && peaks.pixels > 0 && peaks.share < 1 ? peaks.share * total : null;
  }

  /** Marks where the file is damaged, at least as a line. */
  showDamage() {
    const [mark, { damage }] = [byId("damage"), this];
    const x = damage === null ? Infinity : this.x(damage, "source");
    mark.hidden = x > this.width + 12;
    if (mark.hidden || damage === null) return;
    const end = Math.min(this.width, this.x(this.total, "source"));
    mark.style.left = `${Math.max(0, x)}px`;
    mark.style.width = `${Math.max(12, end - x)}px`;
    mark.title = `Damaged from ${clock(damage, 1)} on`;
  }

  drawScroller() {
    const [box, window] = [byId("scroller"), byId("scroller-window")];
    box.classList.toggle("idle", this.isFit || this.total === 0);
    const shown = (this.view.end - this.view.start) / Math.max(1, this.factor);
    window.style.left = `${(this.view.start / this.total) * 100}%`;
    window.style.width = `${Math.min(100, (shown / this.total) * 100)}%`;
  }

  /** @param {HTMLCanvasElement} canvas @param {Name} name @param {number} edge the width of the lane that is the file's */
  drawSpectrum(canvas, name, edge) {
    const { spectrum } = this;
    const { pitch, key, speed, bends } = this.model.state;
    // A tape shifts all frequencies; a key shifts those of the result too.
    const shift = name === "source" ? 1 : pitch === "tape" ? speed : 2 ** (key / 12);
    if (!spectrum) return drawSpectrum(canvas, null, []);
    const length = spectrum.end - spectrum.start;
    const moments = [spectrum.start, ...(name === "result" ? bends.map(({ at }) => at).filter((at) => at > spectrum.start && at < spectrum.end) : []), spectrum.end];
    const spans = moments.slice(1).map((moment, index) => ({
      from: (moments[index] - spectrum.start) / length, to: (moment - spectrum.start) / length,
      left: this.x(moments[index], name) / edge, right: this.x(moment, name) / edge,
    }));
    drawSpectrum(canvas, spectrum.data, spans, shift);
  }

  /** Asks for the spectrum of what is visible. @param {number} width */
  async wantSpectrum(width) {
    if (!this.peaks) return;
    const end = Math.max(this.view.end, this.momentAlong(this.view.end - this.view.start, "result"));
    const [from, to] = [this.view.start, Math.min(this.total, end)].map((moment) => Math.round(moment * this.sampleRate));
    const columns = Math.max(1, Math.min(2048, Math.round(width / 2)));
    const key = `${this.peaks.id} ${from} ${to} ${columns}`;
    if (this.spectrum?.key === key || this.asked || to <= from) return;
    this.asked = true;
    const { id } = this.peaks;
    try {
      const response = await ask(`/api/files/${id}/spectrum?${query({ from, to: Math.min(to, this.peaks.frames || to), columns, rows: 128 })}`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (this.peaks?.id === id) {
        const number = (/** @type {string} */ name) => Number(response.headers.get(name));
        const data = { bytes, columns: number("X-Columns"), rows: 128, lowest: number("X-Lowest"), highest: number("X-Highest") };
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
    [this.moment, this.isPlaying] = [moment, isPlaying];
    if (isPlaying && this.look?.follow && !this.isDragging && !this.isFit) {
      const next = following(this.view, moment, this.total, this.factor, this.stretch(this.model.state.heard, moment));
      if (next !== this.view) {
        this.view = next;
        this.plan();
      }
    }
    this.place();
  }

  /** Puts the indicator where the moment is. */
  place() {
    for (const name of /** @type {Name[]} */ (["source", "result"])) {
      const lane = this.lanes[name];
      const x = this.x(this.moment, name);
      lane.played.style.clipPath = `inset(0 calc(100% - ${Math.max(0, x)}px) 0 0)`;
      // While it plays, a reader hears whole seconds, not each frame of the page.
      const moment = this.isPlaying ? Math.floor(this.moment) : this.moment;
      const [value, most] = [moment.toFixed(2), this.total.toFixed(2)];
      if (lane.box.getAttribute("aria-valuenow") !== value || lane.box.getAttribute("aria-valuemax") !== most) {
        lane.box.setAttribute("aria-valuenow", value);
        lane.box.setAttribute("aria-valuemax", most);
        lane.box.setAttribute("aria-valuetext", `${spoken(moment)} of ${spoken(this.total)}`);
      }
    }
    this.lines.place(this.moment);
  }

  /** Names the lengths. */
  showLengths() {
    const { total, factor } = this;
    const length = (/** @type {number} */ seconds) => (total ? clock(seconds, seconds < 60 ? 1 : 0) : "");
    byId("source-length").textContent = length(total);
    byId("result-length").textContent = length(total * factor);
    const handle = byId("end-handle");
    handle.setAttribute("aria-valuenow", (total * factor).toFixed(2));
    handle.setAttribute("aria-valuemax", (total * 100).toFixed(2));
    handle.setAttribute("aria-valuetext", spoken(total * factor));
  }
}
