// Playing: two sounds of one file, the original and the result. One is heard; both are at the same moment.

import { Refusal, query } from "./server.js";
import { Sound, blockFrames, wanted } from "./sound.js";

/** Seconds that are fetched ahead, and kept behind. */
const [ahead, behind] = [4, 2];
/** Blocks that are there before what plays goes on in another sound or at another place. */
const heirBlocks = 2;

/** The value of `100/75` or `1.5`; 0 for another text. @param {string | undefined} text */
const quotient = (text = "") => {
  const [above, below = 1] = text.split("/").map(Number);
  return above / below || 0;
};

/**
 * The events of a player: positions with levels, the end, problems, whether the browser waits for a click before it plays
 * sound, and that something outside ended the sound.
 * @typedef {{onPosition: (report: Report) => void, onEnd: () => void, onProblem: (error: Error) => void, onBlocked: (isBlocked: boolean) => void, onInterrupted: () => void}} Events
 * @typedef {{rms: number[], peaks: number[], isPlaying: boolean}} Report
 * @typedef {{start: number, end: number}} Loop in seconds of the original
 * @typedef {{choice: Record<string, string>, places?: import("./sound.js").Places | null, isDamaged?: boolean}} Wanted
 * @typedef {"source" | "result"} Name
 */

/**
 * A player, as the page uses it: in a worklet (`Player`) or by elements (`ElementPlayer`). Moments are seconds of the original.
 * @typedef {object} Playing
 * @property {Record<Name, Sound | null>} sounds
 * @property {Name} heard
 * @property {boolean} isPlaying
 * @property {boolean} isCutOff true where it would play on, had the sound not ended early
 * @property {number} moment
 * @property {Sound | null} current
 * @property {Loop | null} loop
 * @property {number} rounds of the loop
 * @property {(file: string, what: Wanted, moment: number) => Promise<boolean>} load
 * @property {() => void} unload
 * @property {(moment: number) => Promise<void>} seek
 * @property {(name: Name) => Promise<void>} hearOther
 * @property {() => Promise<void>} play
 * @property {() => void} pause
 * @property {() => void} interrupt
 * @property {(volume: number) => void} setVolume
 * @property {(loop: Loop | null) => void} setLoop
 * @property {(isExact: boolean) => void} setExact
 */

/** The methods and values of `Playing`. */
export const contract = [
  "current", "moment", "load", "unload", "seek", "hearOther", "play", "pause", "interrupt", "setVolume", "setLoop", "setExact",
];

/** Plays blocks of sound in a worklet, exact to the frame. @implements {Playing} */
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
    /** @type {Record<Name, Sound | null>} */
    this.sounds = { source: null, result: null };
    /** What is heard, and what a person wants to hear: it follows once it is there. @type {Name} */
    this.heard = "source";
    /** @type {Name} */
    this.chosen = "source";
    this.isPlaying = false;
    this.isCutOff = false;
    this.position = 0;
    this.reportTime = 0;
    this.volume = 1;
    this.isExact = false;
    /** @type {Loop | null} */
    this.loop = null;
    /** True while the worklet does not have the loop yet, because its start is not there. */
    this.isLoopDue = false;
    this.rounds = 0;
    this.underruns = 0;
    this.file = "";
    this.isDamaged = false;
    /** Ends what belongs to the open file. */
    this.opening = new AbortController();
    /** The newest request for other sounds, which waits until the one before is done. @type {(() => Promise<void>) | null} */
    this.next = null;
    this.isLoading = false;
    this.feeding = false;
    /** The time of the last request that was refused, in milliseconds. */
    this.failed = -Infinity;
    /** The time that requests take, in seconds; longer on a busy machine. */
    this.delay = 0;
    /** Ends a request for what was needed before. */
    this.fetching = new AbortController();
    /** Blocks in the next request: few at first, so that sound begins at once. */
    this.burst = 1;
    this.turn = 0;
    /** The moment that is sought, until it is heard; and one that was sought before there was any sound. @type {number | null} */
    this.sought = null;
    /** @type {number | null} */
    this.wish = null;
    /** True once the context has played: from then on, it does not stop for lack of a click. */
    this.hasRun = false;
  }

  get current() {
    return this.sounds[this.heard];
  }

  /** The moment that is heard, in seconds of the original, between two reports too. */
  get moment() {
    const sound = this.current;
    if (!sound) return this.wish ?? 0;
    if (this.sought !== null) return this.sought;
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
    const before = this.context;
    // Until its worklet is there, the new context is nobody's: what is asked for meanwhile finds none.
    [this.context, this.node] = [null, null];
    if (before) before.onstatechange = null;
    await before?.close();
    const context = new AudioContext({ sampleRate, latencyHint: "interactive" });
    try {
      await context.audioWorklet.addModule("/page/queue-worklet.js");
    } catch (error) {
      await context.close().catch(() => {});
      throw error;
    }
    [this.context, this.channels] = [context, channels];
    context.destination.channelCount = Math.min(channels, context.destination.maxChannelCount);
    this.node = new AudioWorkletNode(context, "queue", { numberOfInputs: 0, outputChannelCount: [channels] });
    this.node.port.onmessage = (event) => this.hear(event.data);
    this.node.connect(context.destination);
    this.send({ type: "gain", value: this.volume });
    this.send({ type: "exact", on: this.isExact });
    this.send({ type: "play", on: this.isPlaying });
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
    if (report.recorded) return this.recorded?.(report.recorded);
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
   * Hears other sounds of a file from a moment on; what is heard goes on until they are there. One request finishes, then
   * the newest is taken; the answer is true if this one was heard.
   * @param {string} file @param {Wanted} what @param {number} moment @returns {Promise<boolean>}
   */
  load(file, what, moment) {
    const { signal } = this.opening;
    return new Promise((done) => {
      this.skip?.();
      this.skip = () => done(false);
      this.next = async () => {
        this.skip = undefined;
        try {
          done(await this.change(file, what, moment, signal));
        } catch (error) {
          if (!signal.aborted) this.on.onProblem(error instanceof Error ? error : new Error(String(error)));
          done(false);
        }
      };
      this.work();
    });
  }

  async work() {
    if (this.isLoading) return;
    this.isLoading = true;
    for (let next = this.next; next; next = this.next) {
      this.next = null;
      await next();
      // What is heard now comes before what will be.
      for (let turn = 0; turn < 300 && this.isPlaying && !this.isAhead; turn++) await new Promise((done) => setTimeout(done, 10));
    }
    this.isLoading = false;
    this.feed();
  }

  /** True if enough of what is heard is there. */
  get isAhead() {
    const sound = this.current;
    if (!sound) return true;
    const first = Math.floor(this.position / blockFrames);
    const last = Math.ceil(sound.frames / blockFrames) - 1;
    for (let index = first; index <= Math.min(last, first + this.least(sound)); index++) if (!sound.sent.has(index)) return false;
    return true;
  }

  /** The blocks that must be there while it plays: the next request may take as long as those before did. @param {Sound} sound */
  least(sound) {
    const seconds = blockFrames / (sound.form?.sampleRate ?? 44100);
    return Math.min(16, Math.max(heirBlocks, Math.ceil((2 * this.delay) / seconds) + 1));
  }

  /** @param {string} file @param {Wanted} what @param {number} moment @param {AbortSignal} signal */
  async change(file, what, moment, signal) {
    const url = (/** @type {Record<string, unknown>} */ items) => `/audio/${file}.wav?${query({ ...items, depth: "float" })}`;
    const isSame = this.file === file;
    const [source, result] = await Promise.all([
      this.reused("source", url({}), signal), this.reused("result", url(what.choice), signal, what.places, isSame ? quotient(what.choice.factor) : 0),
    ]);
    const channels = Math.max(2, source.form?.channels ?? 0, result.form?.channels ?? 0);
    await this.prepare(source.form?.sampleRate ?? 44100, channels);
    if (signal.aborted) return false;
    this.isDamaged = what.isDamaged ?? false;
    for (const sound of [source, result]) this.introduce(sound);
    const sounds = { source, result };
    const heir = sounds[this.chosen];
    if (heir !== result) result.early = null;
    const old = this.sounds;
    if (heir !== this.current || !isSame) {
      const at = () => (isSame && this.current ? this.moment : this.wish ?? moment);
      await this.ready(heir, at, signal);
      if (signal.aborted) return false;
      const before = this.current;
      const isLive = isSame && this.isPlaying && this.sought === null && before;
      const start = at();
      [this.sounds, this.heard, this.file, this.wish] = [sounds, this.chosen, file, null];
      const sound = /** @type {Sound} */ (this.current);
      if (isLive && sound === heir) this.switchFrom(/** @type {Sound} */ (before), sound);
      else this.use(sound, sound.frame(start));
    } else {
      this.sounds = sounds;
    }
    for (const sound of Object.values(old)) {
      if (!sound || sound === source || sound === result) continue;
      sound.stop.abort();
      this.send({ type: "end", id: sound.id });
    }
    this.feed();
    return true;
  }

  /** Names a sound to the worklet, once. @param {Sound} sound */
  introduce(sound) {
    if (sound.place === this.node) return;
    sound.place = this.node;
    sound.sent.clear();
    this.send({ type: "stream", id: sound.id, frames: sound.frames, channels: sound.form?.channels });
  }

  /** Plays no more of the file that was open. */
  unload() {
    this.opening.abort();
    this.opening = new AbortController();
    [this.next, this.sought, this.wish] = [null, null, null];
    this.skip?.();
    this.turn += 1;
    this.pause();
    for (const sound of Object.values(this.sounds)) {
      sound?.stop.abort();
      if (sound) this.send({ type: "end", id: sound.id });
    }
    this.sounds = { source: null, result: null };
    [this.file, this.position, this.failed] = ["", 0, -Infinity];
    this.heard = this.chosen;
  }

  /**
   * The sound of a name if it is the same, else a new one.
   * @param {Name} name @param {string} url @param {AbortSignal} signal @param {import("./sound.js").Places | null} [places]
   * @param {number} [factor] that of a sound whose form is that of what plays; 0 where it is not known
   */
  async reused(name, url, signal, places = null, factor = 0) {
    const known = this.sounds[name];
    if (known?.url === url) return known;
    const sound = new Sound(url, places);
    const form = this.current?.form;
    if (form && factor > 0 && this.isPlaying && name === this.chosen) sound.foresee(form, factor, this.moment, heirBlocks, signal);
    try {
      return await sound.open(signal);
    } catch (error) {
      sound.stop.abort();
      throw error;
    }
  }

  /** Fetches the block of a moment, and while it plays some after it, where they are missing. @param {Sound} sound @param {() => number} at @param {AbortSignal} signal */
  async ready(sound, at, signal) {
    const last = Math.max(0, Math.ceil(sound.frames / blockFrames) - 1);
    const isForeseen = sound.early && sound.early.first <= last;
    if (isForeseen) await this.fetch(sound, sound.early.first, heirBlocks, signal);
    for (let turn = isForeseen ? 1 : 0; turn < 12 && sound.frames > 0 && !signal.aborted; turn++) {
      const block = Math.min(Math.floor(sound.frame(at()) / blockFrames), last);
      const least = this.isPlaying ? this.least(sound) : 1;
      let first = block;
      while (first <= last && sound.sent.has(first)) first++;
      // Time passes while it is fetched: one block less must do then.
      if (first >= Math.min(block + Math.max(1, least - (turn > 0 ? 1 : 0)), last + 1)) return;
      await this.fetch(sound, first, Math.min(block + least, last + 1) - first, signal);
    }
  }

  /** @param {Sound} sound @param {number} frame */
  use(sound, frame) {
    [this.position, this.burst, this.sought] = [frame, 2, null];
    this.fetching.abort();
    this.reportTime = this.context?.currentTime ?? 0;
    this.send({ type: "use", id: sound.id, position: frame, loop: this.readyLoop(sound) });
    this.setLoop(this.loop);
    this.feed();
  }

  /** Hears another sound at the moment that is heard now. @param {Sound} before @param {Sound} sound */
  switchFrom(before, sound) {
    [this.position, this.burst] = [Math.round(sound.frameAt(before.moment(this.position))), 2];
    this.fetching.abort();
    this.send({ type: "switch", id: sound.id, loop: this.readyLoop(sound), ...before.beside(sound) });
    this.setLoop(this.loop);
  }

  /** Goes to a moment, exact to the frame; what is heard goes on until it is there. @param {number} moment */
  async seek(moment) {
    const turn = ++this.turn;
    const { signal } = this.opening;
    if (!this.current) {
      this.wish = moment;
      return;
    }
    this.sought = moment;
    try {
      for (let sound = this.current; sound; sound = this.current) {
        const own = sound;
        // Another sound may take its place meanwhile, and end its requests.
        await this.ready(own, () => moment, signal).catch((error) => {
          if (own === this.current) throw error;
        });
        // Another sound may have taken its place at this moment already.
        if (turn !== this.turn || signal.aborted || this.sought === null) return;
        if (sound === this.current) return this.use(sound, sound.frame(moment));
      }
    } catch (error) {
      if (turn !== this.turn || signal.aborted) return;
      this.sought = null;
      this.on.onProblem(/** @type {Error} */ (error));
    }
  }

  /** Hears the original or the result, at the same moment. @param {Name} name */
  async hearOther(name) {
    this.chosen = name;
    const [before, sound, { signal }] = [this.current, this.sounds[name], this.opening];
    if (!before || !sound) {
      this.heard = name;
      return;
    }
    if (before === sound) return;
    try {
      await this.ready(sound, () => this.moment, signal);
    } catch (error) {
      if (!signal.aborted && !sound.stop.signal.aborted) this.on.onProblem(/** @type {Error} */ (error));
      return;
    }
    // Meanwhile another choice, or another sound of that name, may have come.
    if (signal.aborted || this.chosen !== name || this.sounds[name] !== sound || this.current !== before) return;
    const moment = this.moment;
    this.heard = name;
    if (this.isPlaying && this.sought === null) this.switchFrom(before, sound);
    else this.use(sound, sound.frame(moment));
    this.feed();
  }

  async play() {
    if (!this.context || !this.current) return;
    this.failed = -Infinity;
    const end = this.loopFrames(this.current)?.end ?? this.current.frames;
    if (this.sought === null && this.position >= end) await this.seek(this.loop?.start ?? 0);
    [this.isPlaying, this.isCutOff] = [true, false];
    this.send({ type: "play", on: true });
    // Without a gesture some browsers never answer.
    this.context.resume().catch(() => {});
    setTimeout(() => this.on.onBlocked(this.isPlaying && this.context?.state !== "running"), 300);
    this.feed();
  }

  pause() {
    this.isPlaying = this.isCutOff = false;
    this.send({ type: "play", on: false });
    this.on.onBlocked(false);
  }

  /** @param {number} volume */
  setVolume(volume) {
    this.volume = volume;
    this.send({ type: "gain", value: volume });
  }

  /** Plays without ramps: a start, a pause and the seam of a loop are then exact, and may click. @param {boolean} isExact */
  setExact(isExact) {
    this.isExact = isExact;
    this.send({ type: "exact", on: isExact });
  }

  /** @param {Loop | null} loop */
  setLoop(loop) {
    this.loop = loop;
    const sound = this.current;
    if (!sound) return;
    const range = this.loopFrames(sound);
    if (range && loop && this.isPlaying && this.sought === null && this.position >= range.end) return void this.seek(loop.start);
    if (range && this.isPlaying && this.sought !== null) return;
    const ready = this.readyLoop(sound);
    if (!this.isLoopDue) this.send({ type: "loop", range: ready });
    this.feed();
  }

  /** The loop in frames, once its start is there, to which the worklet goes by itself; until then, what plays goes on. @param {Sound} sound */
  readyLoop(sound) {
    const range = this.loopFrames(sound);
    this.isLoopDue = range !== null && !sound.sent.has(Math.floor(range.start / blockFrames));
    return this.isLoopDue ? null : range;
  }

  /** @param {Sound} sound */
  loopFrames(sound) {
    if (!this.loop) return null;
    const range = { start: sound.frame(this.loop.start), end: sound.frame(this.loop.end) };
    return range.end > range.start ? range : null;
  }

  /** Fetches what will be heard next: of the sound that is heard, then of the other, so that comparing has no gap. */
  async feed() {
    // A refused request is repeated, but not with each report.
    if (this.feeding || performance.now() - this.failed < 500) return;
    this.feeding = true;
    const { signal } = this.opening;
    try {
      while (!signal.aborted) {
        const next = this.nextMissing();
        if (!next) break;
        this.fetching = new AbortController();
        const own = AbortSignal.any([signal, this.fetching.signal]);
        try {
          await this.fetch(next.sound, next.first, next.count, own);
        } catch (error) {
          if (!own.aborted && !next.sound.stop.signal.aborted) throw error;
        }
      }
    } catch (error) {
      if (!signal.aborted && error instanceof Error) {
        // The part that is there is played; nothing follows its end.
        const sound = this.current;
        if (this.isPlaying && sound && !sound.sent.has(Math.floor(this.position / blockFrames))) {
          this.pause();
          this.isCutOff = true;
        }
        this.failed = performance.now();
        this.on.onProblem(error);
      }
    } finally {
      this.feeding = false;
    }
    if (signal !== this.opening.signal) this.feed();
  }

  /** The next blocks to fetch; what lies far from them is given up. */
  nextMissing() {
    const moment = this.current?.moment(this.position) ?? 0;
    const other = this.sounds[this.heard === "source" ? "result" : "source"];
    for (const sound of this.isLoading ? [this.current] : [this.current, other]) {
      if (!sound?.form || sound.frames === 0) continue;
      const frame = sound === this.current ? this.position : sound.frame(moment);
      const count = Math.ceil((ahead * sound.form.sampleRate) / blockFrames) + 1;
      const list = wanted(Math.min(frame, sound.frames - 1), count, sound.frames, this.loopFrames(sound));
      const missing = list.filter((index) => !sound.sent.has(index));
      if (sound === this.current && this.isLoopDue && this.isAhead) {
        missing.splice(0, Math.max(0, missing.indexOf(Math.floor((this.loopFrames(sound)?.start ?? 0) / blockFrames))));
      }
      const far = Math.ceil((behind * sound.form.sampleRate) / blockFrames);
      const first = Math.floor(frame / blockFrames) - far;
      const sought = this.sought === null ? -2 : Math.floor(sound.frame(this.sought) / blockFrames);
      const spent = [...sound.sent].filter((index) =>
        !list.includes(index) && (index < first || index > first + count + 2 * far) && index !== sought && index !== sought + 1);
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
    const early = sound.early?.first === first ? sound.early : null;
    sound.early = null;
    const begin = early?.begin ?? performance.now();
    const answer = (await early?.answer) ?? await sound.fetch(first, count, AbortSignal.any([signal, sound.stop.signal])).catch((error) => {
      // The server breaks off at the damage.
      const isBroken = error instanceof TypeError || error instanceof Refusal && error.status === 0;
      if (signal.aborted || sound.stop.signal.aborted || !this.isDamaged || !isBroken) throw error;
      return null;
    });
    if (!answer && count > 1) return this.fetch(sound, first, 1, signal);
    if (!answer) {
      sound.end = first * blockFrames;
      return this.send({ type: "length", id: sound.id, frames: sound.end });
    }
    const { planes, run } = answer;
    const length = planes[0]?.length ?? 0;
    this.delay = Math.max((performance.now() - begin) / 1000, this.delay * 0.7);
    for (let index = 0; index * blockFrames < length; index++) {
      const parts = planes.map((plane) => plane.slice(index * blockFrames, (index + 1) * blockFrames));
      sound.sent.add(first + index);
      this.send({ type: "block", id: sound.id, index: first + index, run, planes: parts }, parts.map((part) => part.buffer));
    }
    if (sound === this.current && this.isLoopDue) this.setLoop(this.loop);
    // A server that sends nothing must not be asked forever.
    if (length === 0) throw new Error("the server sent no sound");
  }

  /** Records what is heard while some work is done, for tests: the samples of two channels. @param {() => Promise<unknown>} work */
  async recording(work) {
    this.send({ type: "record", on: true });
    await work();
    /** @type {Promise<Float32Array[][]>} */
    const done = new Promise((resolve) => (this.recorded = resolve));
    this.send({ type: "record", on: false });
    const parts = await done;
    return [0, 1].map((channel) => parts.flatMap((planes) => [...planes[channel]]));
  }
}
