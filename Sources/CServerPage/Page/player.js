// Playing: two sounds of one file, the source and the result. One is heard; both are at the same moment.

import { Refusal, query } from "./server.js";
import { Sound, blockFrames, wanted } from "./sound.js";

/** Seconds that are fetched ahead, and kept behind. */
const [ahead, behind] = [4, 2];

/**
 * The events of a player: positions with levels, the end, problems, whether the browser waits for a click before it plays
 * sound, and that something outside ended the sound.
 * @typedef {{onPosition: (report: any) => void, onEnd: () => void, onProblem: (error: Error) => void, onBlocked: (isBlocked: boolean) => void, onInterrupted: () => void}} Events
 */

/** Plays blocks of sound in a worklet, exact to the frame. */
export class Player {
  /** True if this browser has everything that playback needs. */
  static get isPossible() {
    return "AudioContext" in window && "audioWorklet" in AudioContext.prototype && isSecureContext;
  }

  /** @param {Events} on */
  constructor(on) {
    this.on = on;
    /** @type {AudioContext | null} */
    this.context = null;
    /** @type {AudioWorkletNode | null} */
    this.node = null;
    /** @type {Record<string, Sound | null>} */
    this.sounds = { source: null, result: null };
    this.heard = "source";
    this.isPlaying = false;
    this.position = 0;
    this.reportTime = 0;
    this.volume = 1;
    /** The loop, in seconds of the source. @type {{start: number, end: number} | null} */
    this.loop = null;
    this.rounds = 0;
    this.underruns = 0;
    this.file = "";
    this.isDamaged = false;
    this.opening = new AbortController();
    this.feeding = false;
    /** Blocks in the next request: few at first, so that sound begins at once. */
    this.burst = 1;
    this.turn = 0;
    /** True once the context has played: from then on, it does not stop for lack of a click. */
    this.hasRun = false;
  }

  get current() {
    return this.sounds[this.heard];
  }

  /** Seconds of the source in a second of what is heard. */
  get scale() {
    const sound = this.current;
    return sound?.form ? sound.step * sound.form.sampleRate : 1;
  }

  /** The moment that is heard, in seconds of the source, between two reports too. */
  get moment() {
    const sound = this.current;
    if (!sound) return 0;
    let frame = this.position;
    if (this.isPlaying && this.context?.state === "running") {
      const passed = (this.context.currentTime - this.reportTime) * this.context.sampleRate;
      frame += Math.max(0, Math.min(passed, this.context.sampleRate / 10));
    }
    const moment = sound.moment(Math.min(frame, sound.frames));
    return this.loop && moment >= this.loop.end && this.position < sound.frame(this.loop.end)
      ? this.loop.start : moment;
  }

  /** Makes the worklet, at the rate of the sound. @param {number} sampleRate @param {number} channels */
  async prepare(sampleRate, channels) {
    if (this.context?.sampleRate === sampleRate && this.channels === channels) return;
    if (this.context) this.context.onstatechange = null;
    await this.context?.close();
    const context = new AudioContext({ sampleRate, latencyHint: "interactive" });
    this.context = context;
    this.channels = channels;
    await context.audioWorklet.addModule("/page/queue-worklet.js");
    context.destination.channelCount = Math.min(channels, context.destination.maxChannelCount);
    this.node = new AudioWorkletNode(context, "queue", { numberOfInputs: 0, outputChannelCount: [channels] });
    this.node.port.onmessage = (event) => this.hear(event.data);
    this.node.connect(context.destination);
    this.send({ type: "gain", value: this.volume });
    for (const sound of Object.values(this.sounds)) sound?.sent.clear();
    this.hasRun = context.state === "running";
    context.onstatechange = () => this.watch(context);
    context.addEventListener("error", () => this.interrupt());
  }

  /** @param {AudioContext} context */
  watch(context) {
    if (context !== this.context) return;
    if (context.state === "running") this.hasRun = true;
    else if (this.isPlaying && this.hasRun) return this.interrupt();
    this.on.onBlocked(this.isPlaying && context.state !== "running");
  }

  /** Pauses where the sound was, because the system or a lost device ended it. */
  interrupt() {
    if (!this.isPlaying) return;
    this.pause();
    this.on.onInterrupted();
  }

  /** @param {any} message @param {Transferable[]} [transfer] */
  send(message, transfer = []) {
    this.node?.port.postMessage(message, transfer);
  }

  /** @param {any} report */
  hear(report) {
    if (report.id !== this.current?.id) return;
    this.position = report.position;
    if (report.isEnd) {
      this.isPlaying = false;
      this.on.onEnd();
      return;
    }
    [this.reportTime, this.rounds, this.underruns] = [report.time, report.rounds, report.underruns];
    this.on.onPosition(report);
    this.feed();
  }

  /**
   * Hears other sounds of a file from a moment on; what is heard goes on until they are there.
   * @param {string} file @param {{choice: Record<string, string>, rate: number, tune: number, isDamaged?: boolean}} what @param {number} moment
   */
  async load(file, what, moment) {
    this.opening.abort();
    this.opening = new AbortController();
    const signal = this.opening.signal;
    const more = { rate: what.rate === 1 ? null : what.rate, tune: what.tune || null, depth: "float" };
    const url = (/** @type {Record<string, unknown>} */ items) => `/audio/${file}.wav?${query(items)}`;
    try {
      const [source, result] = await Promise.all([
        this.reused("source", url(more), signal, what.rate),
        this.reused("result", url({ ...what.choice, ...more }), signal, what.rate),
      ]);
      const channels = Math.max(2, source.form?.channels ?? 0, result.form?.channels ?? 0);
      await this.prepare(source.form?.sampleRate ?? 44100, channels);
      if (signal.aborted) return false;
      const old = this.sounds;
      const isSame = this.file === file;
      this.file = file;
      this.isDamaged = what.isDamaged ?? false;
      this.sounds = { source, result };
      for (const sound of [source, result]) {
        if (sound === old.source || sound === old.result) continue;
        this.send({ type: "stream", id: sound.id, frames: sound.frames, channels: sound.form?.channels });
      }
      const at = isSame ? this.momentOf(old[this.heard]) ?? moment : moment;
      await this.start(at, signal);
      for (const sound of Object.values(old)) {
        if (sound && sound !== source && sound !== result) this.send({ type: "end", id: sound.id });
      }
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      this.on.onProblem(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  }

  /** Plays no more of the file that was open. */
  unload() {
    this.opening.abort();
    this.opening = new AbortController();
    this.pause();
    for (const sound of Object.values(this.sounds)) if (sound) this.send({ type: "end", id: sound.id });
    this.sounds = { source: null, result: null };
    [this.file, this.position] = ["", 0];
  }

  /** @param {Sound | null} sound */
  momentOf(sound) {
    return sound ? sound.moment(this.position) : null;
  }

  /** The sound of a name if it is the same, else a new one. @param {string} name @param {string} url @param {AbortSignal} signal @param {number} rate */
  async reused(name, url, signal, rate) {
    const known = this.sounds[name];
    return known?.url === url ? known : new Sound(url).open(signal, rate);
  }

  /** Begins at a moment as soon as its first block is there. @param {number} moment @param {AbortSignal} signal */
  async start(moment, signal) {
    const sound = this.current;
    if (!sound) return;
    const frame = Math.min(sound.frame(moment), Math.max(0, sound.frames));
    const block = Math.min(Math.floor(frame / blockFrames), Math.max(0, Math.ceil(sound.frames / blockFrames) - 1));
    if (sound.frames > 0 && !sound.sent.has(block)) await this.fetch(sound, block, 1, signal);
    if (signal.aborted) return;
    this.use(sound, frame);
  }

  /** @param {Sound} sound @param {number} frame */
  use(sound, frame) {
    [this.position, this.burst] = [frame, 1];
    this.reportTime = this.context?.currentTime ?? 0;
    this.send({ type: "use", id: sound.id, position: frame });
    this.setLoop(this.loop);
    this.feed();
  }

  /** Goes to a moment, exact to the frame. @param {number} moment */
  async seek(moment) {
    const turn = ++this.turn;
    if (!this.current) return;
    this.position = this.current.frame(moment);
    await this.start(moment, this.opening.signal).catch((error) => {
      if (turn === this.turn) this.on.onProblem(error);
    });
  }

  /** Hears the source or the result, at the same moment. @param {string} name */
  async hearOther(name) {
    const [before, sound] = [this.current, this.sounds[name]];
    this.heard = name;
    if (!before || !sound || before === sound) return;
    const ratio = before.step / sound.step;
    const next = Math.floor((this.position * ratio) / blockFrames);
    if (this.isPlaying && sound.sent.has(next) && sound.sent.has(next + 1)) {
      this.position = Math.round(this.position * ratio);
      this.send({ type: "switch", id: sound.id, ratio });
      this.setLoop(this.loop);
      return;
    }
    await this.start(before.moment(this.position), this.opening.signal).catch((error) => this.on.onProblem(error));
  }

  async play() {
    if (!this.context || !this.current) return;
    this.isPlaying = true;
    if (this.position >= this.current.frames) await this.seek(0);
    this.send({ type: "play", on: true });
    // Without a gesture some browsers never answer.
    this.context.resume().catch(() => {});
    setTimeout(() => this.on.onBlocked(this.isPlaying && this.context?.state !== "running"), 300);
    this.feed();
  }

  pause() {
    this.isPlaying = false;
    this.send({ type: "play", on: false });
    this.on.onBlocked(false);
  }

  /** @param {number} volume */
  setVolume(volume) {
    this.volume = volume;
    this.send({ type: "gain", value: volume });
  }

  /** @param {{start: number, end: number} | null} loop */
  setLoop(loop) {
    this.loop = loop;
    const sound = this.current;
    if (!sound) return;
    this.send({ type: "loop", range: this.loopFrames(sound) });
    this.feed();
  }

  /** @param {Sound} sound */
  loopFrames(sound) {
    if (!this.loop) return null;
    const range = { start: sound.frame(this.loop.start), end: sound.frame(this.loop.end) };
    return range.end > range.start ? range : null;
  }

  /** Fetches what will be heard next: of the sound that is heard, then of the other, so that comparing has no gap. */
  async feed() {
    if (this.feeding) return;
    this.feeding = true;
    const signal = this.opening.signal;
    try {
      while (!signal.aborted) {
        const next = this.nextMissing();
        if (!next) break;
        await this.fetch(next.sound, next.first, next.count, signal);
      }
    } catch (error) {
      if (!signal.aborted && error instanceof Error) this.on.onProblem(error);
    } finally {
      this.feeding = false;
    }
    if (signal !== this.opening.signal) this.feed();
  }

  /** The next blocks to fetch; what lies far from them is given up. */
  nextMissing() {
    const moment = this.current?.moment(this.position) ?? 0;
    for (const sound of [this.current, this.sounds[this.heard === "source" ? "result" : "source"]]) {
      if (!sound?.form || sound.frames === 0) continue;
      const frame = sound === this.current ? this.position : sound.frame(moment);
      const count = Math.ceil((ahead * sound.form.sampleRate) / blockFrames) + 1;
      const list = wanted(Math.min(frame, sound.frames - 1), count, sound.frames, this.loopFrames(sound));
      const missing = list.filter((index) => !sound.sent.has(index));
      const far = Math.ceil((behind * sound.form.sampleRate) / blockFrames);
      const first = Math.floor(frame / blockFrames) - far;
      const spent = [...sound.sent].filter((index) => !list.includes(index) && (index < first || index > first + count + 2 * far));
      if (spent.length > 0) {
        for (const index of spent) sound.sent.delete(index);
        this.send({ type: "drop", id: sound.id, indices: spent });
      }
      if (missing.length === 0) continue;
      let run = 1;
      while (run < this.burst && missing[run] === missing[0] + run) run++;
      this.burst = Math.min(8, this.burst * 2);
      return { sound, first: missing[0], count: run };
    }
    return null;
  }

  /** @param {Sound} sound @param {number} first @param {number} count @param {AbortSignal} signal @returns {Promise<void>} */
  async fetch(sound, first, count, signal) {
    const planes = await sound.fetch(first, count, signal).catch((error) => {
      // The server breaks off at the damage.
      const isBroken = error instanceof TypeError || error instanceof Refusal && error.status === 0;
      if (signal.aborted || !this.isDamaged || !isBroken) throw error;
      return null;
    });
    if (!planes && count > 1) return this.fetch(sound, first, 1, signal);
    if (!planes) {
      sound.end = first * blockFrames;
      return this.send({ type: "length", id: sound.id, frames: sound.end });
    }
    const length = planes[0]?.length ?? 0;
    for (let index = 0; index * blockFrames < length; index++) {
      const parts = planes.map((plane) => plane.slice(index * blockFrames, (index + 1) * blockFrames));
      sound.sent.add(first + index);
      this.send({ type: "block", id: sound.id, index: first + index, planes: parts }, parts.map((part) => part.buffer));
    }
    // A server that sends nothing must not be asked forever.
    if (length === 0) throw new Error("the server sent no sound");
  }
}
