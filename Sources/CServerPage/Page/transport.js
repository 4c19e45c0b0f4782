// Playback: position, what is heard, the loop and the volume.

import { announce, byId, icon, slide } from "./dom.js";
import { clock, spoken } from "./time.js";

/** @typedef {import("./player.js").Name} Name */

/** Seconds by which an edge of the loop is nudged. */
const nudge = 0.01;

export class Transport {
  /**
   * @param {import("./model.js").Model} model
   * @param {{player: import("./player.js").Playing, view: () => import("./view.js").WaveView, meters: () => import("./meters.js").Meters, system: () => import("./system.js").SystemControls}} parts
   * @param {() => Promise<unknown>} opening ends when there is something to play
   */
  constructor(model, parts, opening) {
    this.model = model;
    this.parts = parts;
    this.player = parts.player;
    this.opening = opening;
    this.isDrawn = false;
    /** Comes before it plays; false where it should not. @type {(() => Promise<boolean>) | undefined} */
    this.onPlay = undefined;
    this.lastDrag = 0;
    this.watch();
  }

  watch() {
    const { model } = this;
    byId("play").addEventListener("click", () => this.toggle());
    byId("back").addEventListener("click", () => this.move(-10));
    byId("on").addEventListener("click", () => this.move(10));
    byId("time").addEventListener("click", () => model.set({ showsRemaining: !model.state.showsRemaining }));
    byId("loop").addEventListener("click", () => this.stepLoop());
    byId("loop-clear").addEventListener("click", () => {
      model.set({ loop: null, a: null });
      byId("loop").focus();
    });
    for (const [id, sign] of /** @type {const} */ ([["nudge-down", -1], ["nudge-up", 1]])) {
      byId(id).addEventListener("click", (event) => this.nudge(this.edge, sign * (event.shiftKey ? 10 : 1)));
    }
    for (const [id, sign] of /** @type {const} */ ([["beat-down", -1], ["beat-up", 1]])) {
      byId(id).addEventListener("click", () => this.nudge(this.edge, sign * this.beat));
    }
    for (const radio of document.querySelectorAll('input[name="edge"]')) radio.addEventListener("change", () => this.showBeats());
    for (const [id, edge] of /** @type {const} */ ([["edge-a", "start"], ["edge-b", "end"]])) {
      byId(id).addEventListener("keydown", (event) => {
        const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -this.beat, PageUp: this.beat }[event.key];
        if (!steps) return;
        event.preventDefault();
        event.stopPropagation();
        this.nudge(edge, steps * (event.shiftKey && event.key.startsWith("Arrow") ? 10 : 1));
      });
    }
    byId("volume").addEventListener("input", (event) => model.set({ volume: Number(/** @type {HTMLInputElement} */ (event.target).value) / 100 }));
    for (const radio of this.radios) radio.addEventListener("change", () => this.hear(/** @type {Name} */ (radio.value)));
    model.watch(["volume"], () => this.showVolume());
    model.watch(["loop", "a"], () => this.showLoop());
    model.watch(["loop", "bpm"], () => this.showBeats());
    model.watch(["heard", "showsRemaining", "speed"], () => this.showTime(this.player.moment));
    this.showVolume();
    this.showLoop();
  }

  /** A beat in nudges, where one is known; else a second. */
  get beat() {
    const { bpm } = this.model.state;
    return (bpm === null ? 1 : 60 / bpm) / nudge;
  }

  /** Offers to move the edge that is chosen by a beat, where there are both. */
  showBeats() {
    const { loop, bpm } = this.model.state;
    byId("beats").hidden = !loop || bpm === null;
    byId("beat-words").textContent = this.edge === "start" ? "A of the loop" : "B of the loop";
  }

  /** The choice of what is heard. @returns {HTMLInputElement[]} */
  get radios() {
    return [...document.querySelectorAll('input[name="heard"]')].map((radio) => /** @type {HTMLInputElement} */ (radio));
  }

  /** The edge that the buttons nudge. @returns {"start" | "end"} */
  get edge() {
    const radio = /** @type {HTMLInputElement | null} */ (document.querySelector('input[name="edge"]:checked'));
    return radio?.value === "end" ? "end" : "start";
  }

  /** The length of the original, in seconds. */
  get seconds() {
    return this.model.seconds;
  }

  /** Offers what plays, or does not. @param {boolean} isPlayable */
  setPlayable(isPlayable) {
    for (const id of ["play", "back", "on", "loop", "add-mark", "bend", "bend-here", "practice", "zoom-in", "zoom-out", "zoom-fit", "speed", "amount", "length"]) {
      /** @type {HTMLButtonElement} */ (byId(id)).disabled = !isPlayable;
    }
    for (const radio of this.radios) radio.disabled = !isPlayable;
  }

  /** Shows the moment now, and again with the next picture while it plays. */
  frame() {
    if (this.isDrawn) return;
    this.isDrawn = true;
    requestAnimationFrame(() => {
      this.isDrawn = false;
      const { moment, isPlaying } = this.player;
      const view = this.parts.view();
      if (!view.isDragging) view.setMoment(moment, isPlaying);
      this.showTime(view.isDragging ? view.moment : moment);
      if (this.player.isPlaying) this.frame();
    });
  }

  /** The clock: the original's time, by which both can be compared. @param {number} moment */
  showTime(moment) {
    const total = this.seconds;
    const text = clock(moment);
    const rest = total === 0 ? "" : this.model.state.showsRemaining ? `−${clock(total - moment)}` : `of ${clock(total, 0)}`;
    if (byId("elapsed").textContent !== text || byId("remaining").textContent !== rest) {
      byId("elapsed").textContent = text;
      byId("remaining").textContent = rest;
    }
    this.onMoment?.(moment);
  }

  /** @param {number} moment @param {boolean} [isDragging] */
  seek(moment, isDragging = false) {
    const at = Math.max(0, Math.min(this.seconds, moment));
    this.parts.view().setMoment(at, false);
    this.showTime(at);
    if (isDragging) this.follow(at);
    else this.player.seek(at).then(() => this.frame());
  }

  /** @param {number} seconds */
  move(seconds) {
    this.seek(this.player.moment + seconds);
  }

  /** While dragging the sound follows, at most twenty times a second. @param {number} moment */
  follow(moment) {
    if (performance.now() - this.lastDrag < 50) return;
    this.lastDrag = performance.now();
    this.player.seek(moment);
  }

  showPlaying() {
    const isPlaying = this.player.isPlaying;
    byId("play").replaceChildren(icon(isPlaying ? "pause" : "play"));
    byId("play").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    this.parts.system().show(true);
    if (!isPlaying) this.parts.meters().clear();
    this.frame();
  }

  /** Plays as soon as there is something to play. */
  async play() {
    await this.opening();
    // A count-in that is stopped plays nothing.
    if (!this.player.isPlaying && (!this.onPlay || (await this.onPlay()))) await this.player.play();
    this.showPlaying();
  }

  async toggle() {
    if (!this.player.isPlaying) return this.play();
    this.player.pause();
    this.showPlaying();
  }

  /** Hears the original or the result. @param {Name} name @param {boolean} [isSaid] */
  async hear(name, isSaid = true) {
    for (const radio of this.radios) radio.checked = radio.value === name;
    this.model.set({ heard: name });
    if (isSaid) announce(name === "result" ? "Result" : "Original");
    await this.player.hearOther(name);
    this.frame();
  }

  /** Sets A, then B, then nothing. */
  stepLoop() {
    const [{ loop, a }, at] = [this.model.state, this.player.moment];
    if (loop) {
      this.model.set({ loop: null, a: null });
      announce("No loop");
    } else if (a === null) {
      this.model.set({ a: at, loop: null });
      announce(`A at ${spoken(at)}`);
    } else {
      const [start, end] = [Math.min(a, at), Math.max(a, at)];
      this.model.set({ a: null, loop: end > start ? { start, end } : null });
      announce(`Loop of ${spoken(end - start)}`);
    }
  }

  /** Loops the whole file, or nothing. */
  loopFile() {
    this.model.set({ a: null, loop: this.model.state.loop || !this.seconds ? null : { start: 0, end: this.seconds } });
  }

  /** @param {"start" | "end"} edge @param {number} steps */
  nudge(edge, steps) {
    const { loop } = this.model.state;
    if (!loop) return;
    const [least, most] = edge === "start" ? [0, loop.end - nudge] : [loop.start + nudge, this.seconds];
    const next = { ...loop, [edge]: Math.max(0, Math.min(most, Math.max(least, loop[edge] + steps * nudge))) };
    this.model.set({ loop: next });
    announce(`${edge === "start" ? "A" : "B"} at ${clock(next[edge], 2)}`);
  }

  showLoop() {
    const { loop, a } = this.model.state;
    byId("loop-edges").hidden = !loop;
    byId("loop-box").classList.toggle("is-on", loop !== null || a !== null);
    byId("loop").textContent = a !== null && !loop ? `A ${clock(a, 1)} – set B` : loop ? "⟲" : "Loop";
    byId("loop").setAttribute("aria-label", loop ? "Loop is on: no loop" : a !== null ? "Set B" : "Loop from here: set A");
    if (loop) {
      byId("loop-a").textContent = clock(loop.start, 2);
      byId("loop-b").textContent = clock(loop.end, 2);
    }
    this.player.setLoop(loop);
  }

  showVolume() {
    const { volume } = this.model.state;
    slide("volume", Math.round(volume * 100));
    // By the square, so that steps sound equal.
    this.player.setVolume(volume ** 2);
  }

  /** @param {number} volume */
  setVolume(volume) {
    this.model.set({ volume: Math.min(1, Math.max(0, volume)) });
  }
}
