// Playing without a worklet: browsers give one only to pages from this machine or over HTTPS. Two elements play the
// server's files; seeking, comparing and loops are as exact as the browser's own player.

import { query } from "./server.js";
import { Sound } from "./sound.js";

/** Plays as `Player` does; it has no levels. @implements {import("./player.js").Playing} */
export class ElementPlayer {
  /** @param {import("./player.js").Events} on */
  constructor(on) {
    this.on = on;
    /** @type {Record<import("./player.js").Name, Sound | null>} */
    this.sounds = { source: null, result: null };
    /** @type {Record<string, HTMLAudioElement>} */
    this.elements = { source: new Audio(), result: new Audio() };
    /** @type {import("./player.js").Name} */
    this.heard = "source";
    this.isPlaying = false;
    this.isCutOff = false;
    /** @type {{start: number, end: number} | null} */
    this.loop = null;
    this.rounds = 0;
    this.underruns = 0;
    this.file = "";
    this.opening = new AbortController();
    /** A moment that was sought before there was any sound. @type {number | null} */
    this.wish = null;
    for (const [name, element] of Object.entries(this.elements)) this.watch(name, element);
  }

  /** @param {string} name @param {HTMLAudioElement} element */
  watch(name, element) {
    element.preload = "auto";
    const isHeard = () => name === this.heard && element.src !== "";
    element.addEventListener("timeupdate", () => {
      if (!isHeard()) return;
      if (this.loop && this.isPlaying && this.moment >= this.loop.end) {
        this.rounds += 1;
        this.seek(this.loop.start);
      }
      this.on.onPosition({ rms: [], peaks: [], isPlaying: this.isPlaying });
    });
    element.addEventListener("ended", () => {
      if (!isHeard()) return;
      if (this.loop) return void this.seek(this.loop.start).then(() => this.play());
      this.isPlaying = false;
      this.on.onEnd();
    });
    element.addEventListener("error", () => {
      if (isHeard()) this.on.onProblem(new Error("the browser cannot play this file here"));
    });
    // The system or another page took the sound.
    element.addEventListener("pause", () => {
      if (isHeard() && !element.ended) this.interrupt();
    });
  }

  get current() {
    return this.sounds[this.heard];
  }

  get element() {
    return this.elements[this.heard];
  }

  get moment() {
    return this.current ? this.current.moment(this.element.currentTime * (this.current.form?.sampleRate ?? 1)) : this.wish ?? 0;
  }

  /** Seconds of what is heard at a moment of the original. @param {Sound} sound @param {number} moment */
  time(sound, moment) {
    return sound.frameAt(moment) / (sound.form?.sampleRate ?? 1);
  }

  /**
   * Hears other sounds of a file from a moment on.
   * @param {string} file @param {import("./player.js").Wanted} what @param {number} moment
   */
  async load(file, what, moment) {
    this.opening.abort();
    this.opening = new AbortController();
    const signal = this.opening.signal;
    const wanted = { source: {}, result: what.choice };
    const at = () => (this.current ? this.moment : this.wish ?? moment);
    try {
      for (const [key, items] of Object.entries(wanted)) {
        const name = /** @type {import("./player.js").Name} */ (key);
        const url = `/audio/${file}.wav?${query(items)}`;
        if (this.sounds[name]?.url === url) continue;
        const sound = await new Sound(url, name === "result" ? what.places : null).open(signal);
        if (signal.aborted) return false;
        const start = at();
        const [element, goesOn] = [this.elements[name], this.isPlaying && name === this.heard];
        this.sounds[name] = sound;
        element.src = url;
        element.currentTime = this.time(sound, start);
        if (goesOn) element.play().catch((error) => this.refused(error));
      }
      [this.file, this.wish] = [file, null];
      return true;
    } catch (error) {
      if (!signal.aborted) this.on.onProblem(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  }

  /** Plays no more of the file that was open. */
  unload() {
    this.opening.abort();
    this.opening = new AbortController();
    this.pause();
    this.sounds = { source: null, result: null };
    [this.file, this.wish] = ["", null];
    for (const element of Object.values(this.elements)) {
      element.removeAttribute("src");
      element.load();
    }
  }

  /** @param {unknown} error */
  refused(error) {
    // A new source stops the old one's play().
    if (error instanceof DOMException && error.name === "AbortError") return;
    this.isPlaying = false;
    this.on.onBlocked(true);
  }

  /** @param {number} moment */
  async seek(moment) {
    if (this.current) this.element.currentTime = this.time(this.current, moment);
    else this.wish = moment;
    this.on.onPosition({ rms: [], peaks: [], isPlaying: this.isPlaying });
  }

  /** Hears the original or the result, at the same moment. @param {import("./player.js").Name} name */
  async hearOther(name) {
    if (name === this.heard) return;
    const [moment, before] = [this.moment, this.element];
    this.heard = name;
    if (!this.current) return;
    this.element.currentTime = this.time(this.current, moment);
    if (this.isPlaying) await this.element.play().catch((error) => this.refused(error));
    before.pause();
  }

  async play() {
    if (!this.current) return;
    this.isPlaying = true;
    await this.element.play().then(() => this.on.onBlocked(false), (error) => this.refused(error));
  }

  pause() {
    this.isPlaying = false;
    this.element.pause();
    this.on.onBlocked(false);
  }

  /** Pauses, because something outside ended the sound. */
  interrupt() {
    if (!this.isPlaying) return;
    this.pause();
    this.on.onInterrupted();
  }

  /** @param {number} volume */
  setVolume(volume) {
    for (const element of Object.values(this.elements)) element.volume = volume;
  }

  /** @param {import("./player.js").Loop | null} loop */
  setLoop(loop) {
    this.loop = loop;
  }

  /** Elements have no ramps. */
  setExact() {}
}
