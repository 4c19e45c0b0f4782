// Playback: position and rate, the loop and the volume.

import { announce, byId, icon, note, slide } from "./dom.js";
import { clock, spoken } from "./time.js";

export class Transport {
  /**
   * @param {any} state what is open @param {any} session
   * @param {{player: import("./player.js").Playing, view: () => import("./view.js").WaveView, panel: () => import("./panel.js").Panel, meters: () => import("./meters.js").Meters, system: () => import("./system.js").SystemControls}} parts
   * @param {{opening: () => Promise<unknown>, reload: () => void, onItems: () => void}} on `opening` ends when there is something to play, `onItems` hears that what lies on the waveform changes
   */
  constructor(state, session, parts, on) {
    this.state = state;
    this.session = session;
    this.parts = parts;
    this.player = parts.player;
    this.on = on;
    this.isDrawn = false;
    this.lastDrag = 0;
    this.shownItems = "";
    this.watch();
  }

  watch() {
    for (const id of ["play", "mini-play"]) byId(id).addEventListener("click", () => this.toggle());
    byId("back").addEventListener("click", () => this.move(-10));
    byId("on").addEventListener("click", () => this.move(10));
    byId("time").addEventListener("click", () => {
      this.state.showsRemaining = !this.state.showsRemaining;
      this.showTime(this.player.moment);
    });
    byId("loop").addEventListener("click", () => this.stepLoop());
    byId("rate").addEventListener("change", (event) => this.setRate(Number(/** @type {HTMLInputElement} */ (event.target).value) || 1));
    byId("volume").addEventListener("input", (event) => this.setVolume(Number(/** @type {HTMLInputElement} */ (event.target).value) / 100));
    for (const radio of this.radios) radio.addEventListener("change", () => this.hear(/** @type {import("./player.js").Name} */ (radio.value)));
  }

  /** The choice of what is heard. @returns {HTMLInputElement[]} */
  get radios() {
    return [...document.querySelectorAll('input[name="heard"]')].map((radio) => /** @type {HTMLInputElement} */ (radio));
  }

  /** The length of the source, in seconds. */
  get seconds() {
    return this.state.details?.seconds ?? 0;
  }

  /** Offers what plays, or does not. @param {boolean} isPlayable */
  setPlayable(isPlayable) {
    for (const id of ["play", "mini-play", "back", "on", "loop", "rate", "listen", "add-mark", "zoom-in", "zoom-out", "zoom-fit"]) {
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

  /** @param {number} moment */
  showTime(moment) {
    const [view, total] = [this.parts.view(), this.seconds];
    const factor = this.player.heard === "result" ? this.parts.panel().factor : 1;
    const text = clock(moment * factor);
    const rest = total === 0 ? "" : this.state.showsRemaining ? `−${clock((total - moment) * factor)}` : clock(total * factor);
    if (byId("elapsed").textContent !== text || byId("remaining").textContent !== rest) {
      byId("elapsed").textContent = text;
      byId("remaining").textContent = rest;
      byId("mini-time").textContent = text;
    }
    const { start, end } = view.view;
    const key = `${start} ${end} ${view.factor}`;
    if (key === this.shownItems) return;
    this.shownItems = key;
    this.on.onItems();
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
    for (const id of ["play", "mini-play"]) {
      byId(id).replaceChildren(icon(isPlaying ? "pause" : "play"));
      byId(id).setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    }
    this.parts.system().show(true);
    if (!isPlaying) this.parts.meters().clear();
    this.frame();
  }

  /** Plays as soon as there is something to play. */
  async play() {
    await this.on.opening();
    if (!this.player.isPlaying) await this.player.play();
    this.showPlaying();
  }

  async toggle() {
    if (!this.player.isPlaying) return this.play();
    this.player.pause();
    this.showPlaying();
  }

  /** Hears the original or the result. @param {import("./player.js").Name} name */
  async hear(name) {
    for (const radio of this.radios) radio.checked = radio.value === name;
    await this.player.hearOther(name);
    announce(name === "result" ? "Result" : "Source");
    this.frame();
  }

  async listenToResult() {
    await this.hear("result");
    await this.play();
  }

  /** @param {number} rate @param {number} tune */
  setRate(rate, tune = this.state.tune) {
    const { state } = this;
    const [least, most] = this.session.limits.rate;
    state.rate = Math.min(most, Math.max(least, Math.round(rate * 100) / 100));
    state.tune = Math.min(12, Math.max(-12, tune));
    /** @type {HTMLInputElement} */ (byId("rate")).value = String(state.rate);
    note(`${state.rate} × at ${state.tune === 0 ? "the same pitch" : `${state.tune > 0 ? "+" : ""}${state.tune} semitones`}`);
    this.on.reload();
  }

  /** @param {{start: number, end: number} | null} loop */
  setLoop(loop) {
    const { state } = this;
    state.loop = loop;
    byId("loop").setAttribute("aria-pressed", String(loop !== null || state.a !== null));
    byId("loop").textContent = state.a !== null && !loop ? "A–…" : "A–B";
    this.player.setLoop(loop);
    this.on.onItems();
  }

  /** Sets A, then B, then nothing. */
  stepLoop() {
    const [state, at] = [this.state, this.player.moment];
    if (state.loop) {
      state.a = null;
      this.setLoop(null);
      announce("No loop");
    } else if (state.a === null) {
      state.a = at;
      this.setLoop(null);
      announce(`A at ${spoken(at)}`);
    } else {
      const [start, end] = [Math.min(state.a, at), Math.max(state.a, at)];
      state.a = null;
      this.setLoop(end > start ? { start, end } : null);
      announce(`Loop of ${spoken(end - start)}`);
    }
  }

  /** Loops the whole file, or nothing. */
  loopFile() {
    this.state.a = null;
    this.setLoop(this.state.loop ? null : { start: 0, end: this.seconds });
  }

  /** @param {number} volume */
  setVolume(volume) {
    this.state.volume = Math.min(1, Math.max(0, volume));
    slide("volume", Math.round(this.state.volume * 100));
    // By the square, so that steps sound equal.
    this.player.setVolume(this.state.volume ** 2);
  }
}
