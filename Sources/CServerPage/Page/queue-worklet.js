// The sound: plays blocks of the streams that the page sends, exact to the frame.

const blockFrames = 8192;
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
  }

  /** True if a frame is there. @param {number} frame */
  has(frame) {
    return frame >= 0 && frame < this.frames && this.blocks.has(Math.floor(frame / blockFrames));
  }

  /** A sample; a mono stream is heard on both sides. @param {number} frame @param {number} channel */
  sample(frame, channel) {
    const planes = this.blocks.get(Math.floor(frame / blockFrames));
    const plane = planes?.[this.channels === 1 && channel < 2 ? 0 : channel];
    return plane?.[frame % blockFrames] ?? 0;
  }
}

class Queue extends AudioWorkletProcessor {
  constructor() {
    super();
    /** @type {Map<number, Stream>} */
    this.streams = new Map();
    this.current = -1;
    this.position = 0;
    /** The sound that fades out: a stream, its next frame, and the frames that are left. */
    this.fading = { id: -1, position: 0, left: 0 };
    this.isPlaying = false;
    this.gain = 1;
    this.loop = null;
    this.rounds = 0;
    this.quanta = 0;
    this.squares = [];
    this.peaks = [];
    this.counted = 0;
    this.underruns = 0;
    this.port.onmessage = (event) => this.take(event.data);
  }

  /** @param {any} message */
  take(message) {
    switch (message.type) {
      case "stream":
        this.streams.set(message.id, new Stream(message.frames, message.channels));
        break;
      case "block":
        this.streams.get(message.id)?.blocks.set(message.index, message.planes);
        break;
      case "length": {
        const stream = this.streams.get(message.id);
        if (stream) stream.frames = message.frames;
        break;
      }
      case "drop":
        for (const index of message.indices) this.streams.get(message.id)?.blocks.delete(index);
        break;
      case "end":
        this.streams.delete(message.id);
        break;
      case "use":
        if (this.isPlaying && this.streams.has(this.current)) {
          this.fading = { id: this.current, position: this.position, left: fadeFrames };
        }
        [this.current, this.position] = [message.id, message.position];
        this.report();
        break;
      case "switch":
        // The moment is known exactly only here: reports are older than what is heard.
        this.take({ type: "use", id: message.id, position: Math.round(this.position * message.ratio) });
        break;
      case "play":
        this.isPlaying = message.on;
        this.report();
        break;
      case "loop":
        this.loop = message.range;
        break;
      case "gain":
        this.gain = message.value;
        break;
    }
  }

  report() {
    const count = Math.max(1, this.counted);
    this.port.postMessage({
      id: this.current, position: this.position, time: currentTime, isPlaying: this.isPlaying,
      rounds: this.rounds, underruns: this.underruns, peaks: this.peaks,
      rms: this.squares.map((sum) => Math.sqrt(sum / count)),
    });
    [this.peaks, this.squares, this.counted] = [[], [], 0];
  }

  /** @param {Float32Array[][]} _inputs @param {Float32Array[][]} outputs */
  process(_inputs, outputs) {
    const output = outputs[0];
    const length = output[0].length;
    const stream = this.streams.get(this.current);
    for (let index = 0; index < length && this.isPlaying && stream; index++) {
      if (this.loop && this.position >= this.loop.end) {
        this.position = this.loop.start;
        this.rounds += 1;
      }
      if (this.position >= stream.frames) {
        this.isPlaying = false;
        this.port.postMessage({ id: this.current, isEnd: true, position: this.position });
        break;
      }
      if (!stream.has(this.position)) {
        this.underruns += 1;
        break;
      }
      const old = this.fading.left > 0 ? this.streams.get(this.fading.id) : undefined;
      const weight = old ? 1 - this.fading.left / fadeFrames : 1;
      for (let channel = 0; channel < output.length; channel++) {
        let value = stream.sample(this.position, channel);
        if (old) value = value * weight + old.sample(this.fading.position, channel) * (1 - weight);
        this.measure(value, channel);
        output[channel][index] = Math.max(-1, Math.min(1, value * this.gain));
      }
      if (this.fading.left > 0) {
        this.fading.left -= 1;
        this.fading.position += 1;
      }
      this.position += 1;
      this.counted += 1;
    }
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
