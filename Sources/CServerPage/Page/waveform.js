// Drawing: a waveform as an envelope, as bars or as a spectrogram, its time axis, chapters and marks.

import { clock, tick } from "./time.js";

/** @typedef {import("./peaks.js").Columns} Columns */

/** The pixels of a canvas fitted to its box. @param {HTMLCanvasElement} canvas */
export function fitted(canvas) {
  const scale = Math.min(3, window.devicePixelRatio || 1);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const [across, down] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== across || canvas.height !== down) [canvas.width, canvas.height] = [across, down];
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height, scale };
}

/**
 * Extremes as a shape, with the RMS inside it.
 * @param {HTMLCanvasElement} canvas @param {Columns | null} columns @param {{color: string, inner: string}} colors @param {number} framesPerColumn @param {number} [start] the frame at the left edge
 */
export function drawEnvelope(canvas, columns, colors, framesPerColumn, start = 0) {
  const { context, width, height } = fitted(canvas);
  if (!columns) return;
  const count = columns.low.length;
  const [middle, half] = [height / 2, height / 2 - 1];
  const step = width / count;
  if (framesPerColumn < 1) return drawSamples(context, columns, colors.inner, framesPerColumn, start, { width, middle, half });
  for (const [name, color] of /** @type {const} */ ([["peak", colors.color], ["rms", colors.inner]])) {
    // Of a few frames, the mean level is no shape of its own.
    if (name === "rms" && framesPerColumn < 64) continue;
    context.fillStyle = framesPerColumn < 64 ? colors.inner : color;
    for (let column = 0; column < count; column++) {
      if (!columns.known[column]) continue;
      const top = name === "peak" ? columns.high[column] : Math.min(columns.rms[column], Math.max(0, columns.high[column]));
      const bottom = name === "peak" ? columns.low[column] : Math.max(-columns.rms[column], Math.min(0, columns.low[column]));
      const y = middle - top * half;
      context.fillRect(column * step, y, step + 0.5, Math.max(1, (top - bottom) * half));
    }
  }
}

/**
 * Single samples: a line through the highest and one through the lowest of all channels, with dots where there is room.
 * @param {CanvasRenderingContext2D} context @param {Columns} columns @param {string} color @param {number} framesPerColumn @param {number} start
 * @param {{width: number, middle: number, half: number}} place
 */
function drawSamples(context, columns, color, framesPerColumn, start, { width, middle, half }) {
  const scale = width / columns.low.length / framesPerColumn;
  /** @type {{x: number, column: number}[]} */
  const frames = [];
  for (let column = 0, last = NaN; column < columns.low.length; column++) {
    const frame = Math.floor(start + column * framesPerColumn);
    if (frame !== last && columns.known[column]) frames.push({ x: (frame - start) * scale, column });
    last = frame;
  }
  context.strokeStyle = context.fillStyle = color;
  context.lineWidth = 1.5;
  for (const values of [columns.high, columns.low]) {
    context.beginPath();
    for (const { x, column } of frames) context.lineTo(x, middle - values[column] * half);
    context.stroke();
    if (scale < 6) continue;
    for (const { x, column } of frames) {
      context.beginPath();
      context.arc(x, middle - values[column] * half, 2.5, 0, 2 * Math.PI);
      context.fill();
    }
  }
}

/**
 * Levels in decibels as bars about the middle.
 * @param {HTMLCanvasElement} canvas @param {Columns | null} columns @param {{color: string, inner: string}} colors
 * @param {{barWidth: number, spacing: number, aspect: number, gradient: boolean}} look
 */
export function drawBars(canvas, columns, colors, look) {
  const { context, width, height } = fitted(canvas);
  if (!columns) return;
  const step = look.barWidth + look.spacing;
  const full = height * look.aspect;
  if (look.gradient) {
    const gradient = context.createLinearGradient(0, (height - full) / 2, 0, (height + full) / 2);
    gradient.addColorStop(0, colors.color);
    gradient.addColorStop(0.5, colors.inner);
    gradient.addColorStop(1, colors.color);
    context.fillStyle = gradient;
  } else {
    context.fillStyle = colors.inner;
  }
  for (let column = 0; column < columns.bar.length && column * step < width; column++) {
    if (!columns.known[column]) continue;
    const tall = Math.max(1, columns.bar[column] * full);
    context.beginPath();
    context.roundRect(column * step, (height - tall) / 2, look.barWidth, tall, Math.min(look.barWidth / 2, 3));
    context.fill();
  }
}

/** Colors from dark to light by level: black, violet, orange, pale yellow. @param {number} level */
export function heat(level) {
  const stops = [[0, 6, 6, 20], [0.35, 74, 18, 104], [0.6, 190, 55, 82], [0.82, 249, 142, 9], [1, 252, 250, 190]];
  const next = Math.max(1, stops.findIndex(([place]) => place >= level));
  const [one, two] = [stops[next - 1], stops[next]];
  const share = Math.max(0, Math.min(1, (level - one[0]) / (two[0] - one[0])));
  return [1, 2, 3].map((index) => Math.round(one[index] + (two[index] - one[index]) * share));
}

/** Levels over time and frequency, from a lowest frequency in Hz to a highest; rows are equal intervals. @typedef {{bytes: Uint8Array, columns: number, rows: number, lowest: number, highest: number}} Spectrum */

/** The frequencies that an axis names, in Hz. */
const frequencies = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000];

/** The height of a frequency in a spectrum, from 0 at the bottom to 1. @param {number} frequency @param {Spectrum} spectrum */
export const heightOf = (frequency, { lowest, highest }) => Math.log(frequency / lowest) / Math.log(highest / lowest);

/** The names of frequencies and their places from the top, as far apart as letters need. @param {Spectrum} spectrum @param {number} height @param {number} least */
export function frequencyTicks(spectrum, height, least) {
  /** @type {{text: string, y: number}[]} */
  const ticks = [];
  for (const frequency of frequencies) {
    const y = height * (1 - heightOf(frequency, spectrum));
    if (y < least * 0.6 || y > height - least * 0.6 || (ticks.at(-1)?.y ?? Infinity) - y < least) continue;
    ticks.push({ text: frequency < 1000 ? `${frequency} Hz` : `${frequency / 1000} kHz`, y });
  }
  return ticks;
}

/**
 * Levels over time and frequency. @param {HTMLCanvasElement} canvas @param {Spectrum | null} spectrum
 * @param {{from: number, to: number, left: number, right: number}[]} spans parts of it and their places in the width, each from 0 to 1 @param {number} [shift] the factor of all frequencies
 */
export function drawSpectrum(canvas, spectrum, spans, shift = 1) {
  const { context, width, height } = fitted(canvas);
  if (!spectrum || spectrum.columns === 0) return;
  const table = Array.from({ length: 256 }, (_, level) => heat(level / 255));
  const image = new ImageData(spectrum.columns, spectrum.rows);
  for (let column = 0; column < spectrum.columns; column++) {
    for (let row = 0; row < spectrum.rows; row++) {
      const color = table[spectrum.bytes[column * spectrum.rows + row]];
      const at = ((spectrum.rows - 1 - row) * spectrum.columns + column) * 4;
      image.data.set([color[0], color[1], color[2], 255], at);
    }
  }
  const sheet = new OffscreenCanvas(spectrum.columns, spectrum.rows);
  sheet.getContext("2d")?.putImageData(image, 0, 0);
  context.imageSmoothingQuality = "high";
  // An interval has one height wherever it is.
  const up = (height * Math.log(shift)) / Math.log(spectrum.highest / spectrum.lowest);
  for (const { from, to, left, right } of spans) {
    context.drawImage(sheet, from * spectrum.columns, 0, (to - from) * spectrum.columns, spectrum.rows, left * width, -up, (right - left) * width, height);
  }
  context.font = `${0.6875 * parseFloat(getComputedStyle(document.documentElement).fontSize)}px ${getComputedStyle(canvas).fontFamily}`;
  context.textBaseline = "middle";
  for (const { text, y } of frequencyTicks(spectrum, height, 22)) {
    const wide = context.measureText(text).width;
    context.fillStyle = "rgb(0 0 0 / 60%)";
    context.fillRect(0, y - 8, wide + 14, 16);
    context.fillStyle = "#ffffff";
    context.fillRect(0, y, 5, 1);
    context.fillText(text, 9, y + 0.5);
  }
}

/**
 * Ticks and times of a ruler. @param {HTMLCanvasElement} canvas @param {number} start @param {number} end @param {{text: string, line: string, font: string}} look @param {number} [across] the width of the lane, where the canvas is wider
 */
export function drawAxis(canvas, start, end, look, across) {
  const { context, width: whole, height } = fitted(canvas);
  const width = across ?? whole;
  if (!(end > start) || width === 0) return;
  context.font = look.font;
  const widest = (/** @type {number} */ places) => context.measureText(clock(end, places)).width + 20;
  const rough = tick(((end - start) / width) * 76);
  const { step, places } = tick(((end - start) / width) * Math.max(76, widest(rough.places)));
  context.textBaseline = "top";
  const first = Math.ceil(start / step - 1e-9);
  for (let index = first; index * step <= end; index++) {
    const x = ((index * step - start) / (end - start)) * width;
    context.fillStyle = look.line;
    context.fillRect(Math.round(x), height - 5, 1, 5);
    const text = clock(index * step, places);
    const wide = context.measureText(text).width;
    if (x + wide / 2 > width && index !== first) continue;
    context.fillStyle = look.text;
    context.fillText(text, Math.max(0, Math.min(width - wide, x - wide / 2)), 0);
  }
}
