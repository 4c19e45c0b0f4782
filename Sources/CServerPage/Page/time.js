// Times as people write them, and as a screen reader reads them aloud.

/** `1:02:03.45`; hours only where there are some. @param {number} seconds @param {number} places */
export function clock(seconds, places = 2) {
  const scale = 10 ** places;
  const units = Math.round(Math.max(0, seconds) * scale);
  const whole = Math.floor(units / scale);
  const rest = String(units % scale).padStart(places, "0");
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const start = hours > 0 ? `${hours}:${two(minutes)}` : `${minutes}`;
  return `${start}:${two(whole % 60)}${places > 0 ? "." + rest : ""}`;
}

/** `1 minute 2.5 seconds`. @param {number} seconds */
export function spoken(seconds) {
  const tenths = Math.round(Math.max(0, seconds) * 10);
  const parts = [
    [Math.floor(tenths / 36000), "hour"],
    [Math.floor(tenths / 600) % 60, "minute"],
    [(tenths % 600) / 10, "second"],
  ];
  const said = parts.filter(([count, unit]) => Number(count) > 0 || unit === "second");
  return said.map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`).join(" ");
}

/** Seconds of `90`, `1:30.5` or `1:00:00`; `null` for other texts. @param {string} text */
export function seconds(text) {
  const match = /^\s*(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d*)?)\s*$/.exec(text);
  if (!match) return null;
  const [, hours = "0", minutes = "0", rest] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
}

/** The distance between labels of a time axis, and the places that they need. @param {number} least */
export function tick(least) {
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 18000, 36000];
  if (least >= 1) return { step: steps.find((step) => step >= least) ?? 86400, places: 0 };
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10;
  const step = factor * power;
  return { step, places: Math.min(6, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))) };
}
