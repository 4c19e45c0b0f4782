// The WAV files of /audio: where their samples begin, and what they are.

/** @typedef {{offset: number, bytes: number, channels: number, sampleRate: number, bits: number, isFloat: boolean, frames: number}} Form */

/** Reads the header of a WAV file; `null` if the bytes are not those of one. @param {ArrayBuffer} buffer @returns {Form | null} */
export function form(buffer) {
  const view = new DataView(buffer);
  const name = (/** @type {number} */ at) =>
    String.fromCharCode(...new Uint8Array(buffer, at, 4));
  if (view.byteLength < 12 || name(0) !== "RIFF" || name(8) !== "WAVE") return null;
  let [tag, channels, sampleRate, bits] = [0, 0, 0, 0];
  for (let at = 12; at + 8 <= view.byteLength; ) {
    const size = view.getUint32(at + 4, true);
    if (name(at) === "fmt " && at + 24 <= view.byteLength) {
      tag = view.getUint16(at + 8, true);
      channels = view.getUint16(at + 10, true);
      sampleRate = view.getUint32(at + 12, true);
      bits = view.getUint16(at + 22, true);
      if (tag === 0xfffe && at + 34 <= view.byteLength) tag = view.getUint16(at + 32, true);
    } else if (name(at) === "data") {
      if (channels === 0) return null;
      const frames = Math.floor(size / (channels * (bits / 8)));
      return {
        offset: at + 8, bytes: size, channels, sampleRate, bits, isFloat: tag === 3, frames,
      };
    }
    at += 8 + size + (size % 2);
  }
  return null;
}

/** A plane of samples for each channel, of 32-bit floating point. @param {ArrayBuffer} bytes @param {number} channels @returns {Float32Array<ArrayBuffer>[]} */
export function planes(bytes, channels) {
  const samples = new Float32Array(bytes, 0, Math.floor(bytes.byteLength / 4));
  const frames = Math.floor(samples.length / channels);
  return Array.from({ length: channels }, (_, channel) => {
    const plane = new Float32Array(frames);
    for (let frame = 0; frame < frames; frame++) plane[frame] = samples[frame * channels + channel];
    return plane;
  });
}
