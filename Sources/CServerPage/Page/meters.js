// Level meters: RMS as a bar, the peak as a line that stays for a while, in dB from -80 to 0.

import { fitted } from "./waveform.js";

const floor = -80;
const hold = 1.5;

/** @param {number} value */
export const decibels = (value) => (value > 0 ? Math.max(floor, 20 * Math.log10(value)) : floor);

export class Meters {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    /** @type {{rms: number, peak: number, since: number}[]} */
    this.channels = [];
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** @param {number[]} rms @param {number[]} peaks @param {number} now seconds */
  take(rms, peaks, now) {
    this.channels = peaks.map((peak, index) => {
      const before = this.channels[index];
      const level = decibels(peak);
      const isHeld = before && level < before.peak && now - before.since < hold;
      return { rms: decibels(rms[index] ?? 0), peak: isHeld ? before.peak : level, since: isHeld ? before.since : now };
    });
    this.draw();
  }

  clear() {
    this.channels = this.channels.map((channel) => ({ ...channel, rms: floor, peak: floor }));
    this.draw();
  }

  draw() {
    const { context, width, height } = fitted(this.canvas);
    const style = getComputedStyle(document.documentElement);
    const color = (/** @type {string} */ name) => style.getPropertyValue(name);
    const count = Math.max(2, this.channels.length);
    const size = parseFloat(getComputedStyle(this.canvas).fontSize);
    const tall = Math.max(1, Math.min(9, (height - size * 1.4) / count - 3));
    const x = (/** @type {number} */ level) => (1 - level / floor) * width;
    for (let index = 0; index < count; index++) {
      const y = index * (tall + 3);
      context.fillStyle = color("--line");
      context.fillRect(0, y, width, tall);
      const channel = this.channels[index];
      if (!channel) continue;
      context.fillStyle = channel.rms > -9 ? color("--orange") : color("--good");
      context.fillRect(0, y, x(channel.rms), tall);
      if (channel.peak <= floor) continue;
      context.fillStyle = channel.peak > -0.1 ? color("--bad") : color("--text");
      context.fillRect(Math.min(width - 2, x(channel.peak)), y, 2, tall);
    }
    context.fillStyle = color("--faint");
    context.font = `${size}px ${style.getPropertyValue("--font")}`;
    context.textBaseline = "bottom";
    for (const level of width < size * 20 ? [-40, 0] : [-60, -40, -20, 0]) {
      const text = level === 0 ? "0 dB" : `−${-level}`;
      const wide = context.measureText(text).width;
      context.fillText(text, Math.min(width - wide, Math.max(0, x(level) - wide / 2)), height);
    }
  }
}
