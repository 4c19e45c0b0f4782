// The sound: plays blocks of the streams that the page sends, exact to the frame, and without a jump or a hole.

const blockFrames = 8192;
/** Frames of a ramp: 5 ms at 48 kHz. */
const fadeFrames = 240;
/** Quanta of 128 frames between two reports. */
const reportQuanta = 8;

/** Frames of one sound, of which blocks come and go. */
class Stream {
  /** @param {number} frames @param {number} channels */
  constructor(frames, channels) {
    this.frames = frames;
    this.channels = channels;
    /** @type {Map<number, Float32Array[]>} */
    this.blocks = new Map();
    /** The run of each block: one does not go on in another. @type {Map<number, number>} */
    this.runs = new Map();
    /** Blocks to free as soon as nothing fades out of them. @type {Set<number>} */
    this.spent = new Set();
    /** True if the page plays it no more. */
    this.isEnded = false;
  }

  /** True if a frame is there. @param {number} frame */
  has(frame) {
    return frame >= 0 && frame < this.frames && this.blocks.has(Math.floor(frame / blockFrames));
  }

  /** The run of a frame. @param {number} frame */
  run(frame) {
    return this.runs.get(Math.floor(frame / blockFrames)) ?? 0;
  }

  /** A sample; a mono stream is heard on both sides. @param {number} frame @param {number} channel */
  sample(frame, channel) {
    const planes = this.blocks.get(Math.floor(frame / blockFrames));
    const plane = planes?.[this.channels === 1 && channel < 2 ? 0 : channel];
    return plane?.[frame % blockFrames] ?? 0;
  }
}

/** A place in a stream that is heard, and how much of it: its level runs from 0 to `fadeFrames`. */
class Voice {
  /** @param {number} id @param {number} position */
  constructor(id, position) {
    [this.id, this.position, this.level] = [id, position, 0];
    /** The samples that were heard last: where no more are there, they fade out. @type {number[]} */
    this.last = [];
    /** The run that they are of. */
    this.run = -1;
    /** True if nothing follows them. */
    this.isHeld = false;
  }

  /** A copy that fades out. */
  copy() {
    return Object.assign(new Voice(this.id, this.position), { level: this.level, last: [...this.last], run: this.run });
  }
}

/** A value between two lists that rise together; beyond them, as between the last two. @param {number} value @param {number[]} from @param {number[]} to */
function between(value, from, to) {
  let index = 0;
  while (index + 2 < from.length && from[index + 1] <= value) index += 1;
  const run = from[index + 1] - from[index];
  return run > 0 ? to[index] + ((value - from[index]) * (to[index + 1] - to[index])) / run : to[index];
}

class Queue extends AudioWorkletProcessor {
  constructor() {
    super();
    /** @type {Map<number, Stream>} */
    this.streams = new Map();
    this.main = new Voice(-1, 0);
    /** What fades out. @type {Voice[]} */
    this.leaving = [];
    this.isPlaying = false;
    /** Where a pause began: its ramp is heard, and played again. */
    this.pausedAt = 0;
    this.gain = 1;
    this.gainNow = 1;
    /** True if starts, pauses, the seam of a loop and the gain are not ramped, so that each frame is heard as it is. */
    this.isExact = false;
    this.loop = null;
    this.rounds = 0;
    this.quanta = 0;
    this.squares = [];
    this.peaks = [];
    this.counted = 0;
    this.underruns = 0;
    /** What was heard of two channels, for tests. @type {Float32Array[][] | null} */
    this.record = null;
    this.port.onmessage = (event) => this.take(event.data);
  }

  /** @param {any} message */
  take(message) {
    const stream = this.streams.get(message.id);
    switch (message.type) {
      case "stream":
        this.streams.set(message.id, new Stream(message.frames, message.channels));
        break;
      case "block":
        stream?.blocks.set(message.index, message.planes);
        stream?.runs.set(message.index, message.run);
        stream?.spent.delete(message.index);
        break;
      case "length":
        if (stream) stream.frames = message.frames;
        break;
      case "drop":
        for (const index of message.indices) stream?.spent.add(index);
        this.free();
        break;
      case "end":
        if (stream) stream.isEnded = true;
        this.free();
        break;
      case "use":
        this.leave();
        this.main = new Voice(message.id, message.position);
        [this.pausedAt, this.loop] = [message.position, message.loop ?? null];
        this.free();
        this.report();
        break;
      case "switch": {
        // The moment is known exactly only here: reports are older than what is heard.
        const at = this.isPlaying ? this.main.position : this.pausedAt;
        this.take({ type: "use", id: message.id, loop: message.loop, position: Math.round(between(at, message.from, message.to)) });
        break;
      }
      case "play":
        if (this.isPlaying && !message.on) this.pausedAt = this.main.position;
        if (!this.isPlaying && message.on && this.main.level > 0) {
          this.leave();
          this.main = new Voice(this.main.id, this.pausedAt);
        }
        this.isPlaying = message.on;
        if (this.isExact) this.main.level = message.on ? fadeFrames : 0;
        this.report();
        break;
      case "loop":
        this.loop = message.range;
        break;
      case "gain":
        this.gain = message.value;
        break;
      case "exact":
        this.isExact = message.on;
        break;
      case "record":
        if (this.record && !message.on) this.port.postMessage({ recorded: this.record });
        this.record = message.on ? [] : null;
        break;
    }
  }

  /** Lets what is heard fade out. @param {boolean} [isHeld] */
  leave(isHeld = false) {
    if (this.main.level === 0 || !this.streams.has(this.main.id)) return;
    this.leaving.push(Object.assign(this.main.copy(), { isHeld }));
    this.main.level = 0;
  }

  /** Frees blocks and streams that nothing is heard from. */
  free() {
    for (const [id, stream] of this.streams) {
      const isLeaving = this.leaving.some((voice) => voice.id === id);
      if (isLeaving) continue;
      if (stream.isEnded && (this.main.id !== id || this.main.level === 0)) {
        this.streams.delete(id);
        continue;
      }
      for (const index of stream.spent) stream.blocks.delete(index);
      stream.spent.clear();
    }
  }

  report() {
    const count = Math.max(1, this.counted);
    const position = this.isPlaying ? this.main.position : this.pausedAt;
    this.port.postMessage({
      id: this.main.id, position, time: currentTime, isPlaying: this.isPlaying,
      rounds: this.rounds, underruns: this.underruns, peaks: this.peaks,
      rms: this.squares.map((sum) => Math.sqrt(sum / count)),
    });
    [this.peaks, this.squares, this.counted] = [[], [], 0];
  }

  /** Adds a voice to a frame of the output. @param {Voice} voice @param {Float32Array[]} output @param {number} index */
  add(voice, output, index) {
    const stream = this.streams.get(voice.id);
    const run = stream?.run(voice.position) ?? -1;
    // What fades out does not go on in another run.
    if (voice !== this.main && run !== voice.run) voice.isHeld = true;
    const isThere = !voice.isHeld && (stream?.has(voice.position) ?? false);
    if (isThere) voice.run = run;
    const weight = voice.level / fadeFrames;
    for (let channel = 0; channel < output.length; channel++) {
      if (isThere) voice.last[channel] = /** @type {Stream} */ (stream).sample(voice.position, channel);
      output[channel][index] += (voice.last[channel] ?? 0) * weight;
    }
    voice.position += 1;
  }

  /** Moves the voice that plays by a frame. @param {Float32Array[]} output @param {number} index */
  step(output, index) {
    const { main } = this;
    const stream = this.streams.get(main.id);
    if (!stream || (!this.isPlaying && main.level === 0)) return;
    if (this.isPlaying) {
      if (this.loop && main.position >= this.loop.end) {
        const isShort = this.loop.end - this.loop.start < 2 * fadeFrames;
        if (!this.isExact && !isShort) this.leave();
        main.position = this.loop.start;
        this.rounds += 1;
      }
      if (main.position >= stream.frames) {
        if (!this.isExact) this.leave();
        this.isPlaying = false;
        main.level = 0;
        this.pausedAt = main.position;
        this.port.postMessage({ id: main.id, isEnd: true, position: main.position });
        return;
      }
      if (!stream.has(main.position)) {
        this.underruns += 1;
        this.leave();
        return;
      }
      if (main.level > 0 && main.run >= 0 && stream.run(main.position) !== main.run) this.leave(true);
    }
    main.level = this.isPlaying ? Math.min(fadeFrames, main.level + 1) : main.level - 1;
    this.add(main, output, index);
    if (this.isPlaying) this.counted += 1;
    else if (main.level === 0) main.position = this.pausedAt;
  }

  /** @param {Float32Array[][]} _inputs @param {Float32Array[][]} outputs */
  process(_inputs, outputs) {
    const output = outputs[0];
    const length = output[0].length;
    for (let index = 0; index < length; index++) {
      this.step(output, index);
      if (this.leaving.length > 0) {
        for (const voice of this.leaving) {
          voice.level -= 1;
          this.add(voice, output, index);
        }
        if (this.leaving[0].level <= 0) {
          this.leaving = this.leaving.filter((voice) => voice.level > 0);
          this.free();
        }
      }
      const away = this.gain - this.gainNow;
      this.gainNow += this.isExact ? away : Math.max(-1 / fadeFrames, Math.min(1 / fadeFrames, away));
      for (let channel = 0; channel < output.length; channel++) {
        const value = output[channel][index];
        if (this.isPlaying) this.measure(value, channel);
        output[channel][index] = Math.max(-1, Math.min(1, value * this.gainNow));
      }
    }
    this.record?.push(output.slice(0, 2).map((plane) => plane.slice()));
    this.quanta += 1;
    if (this.quanta % reportQuanta === 0 && this.isPlaying) this.report();
    return true;
  }

  /** @param {number} value @param {number} channel */
  measure(value, channel) {
    this.squares[channel] = (this.squares[channel] ?? 0) + value * value;
    this.peaks[channel] = Math.max(this.peaks[channel] ?? 0, Math.abs(value));
  }
}

registerProcessor("queue", Queue);
