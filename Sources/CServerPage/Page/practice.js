// Practice: the tempo in beats, a trainer that changes the speed with the rounds of a loop, and a count-in.

import { announce, byId, note } from "./dom.js";
import { Refusal, json } from "./server.js";
import { percent } from "./speed.js";
import { keep, kept } from "./store.js";

/** Tempos that a person means, in beats per minute. */
const tempos = { least: 10, most: 1000 };
/** Beats of a bar that is counted in. */
const bar = 4;

/** A tempo as it is typed, `96` or `96,5 BPM`; `null` for other texts. @param {string} text */
export function readTempo(text) {
  const found = /^(\d+(?:[.,]\d+)?)(?:bpm)?$/.exec(text.trim().replace(/\s+/g, "").toLowerCase());
  const beats = found ? Number(found[1].replace(",", ".")) : NaN;
  return beats >= tempos.least && beats <= tempos.most ? beats : null;
}

/** The tempo of taps, from their times in milliseconds: a pause of 2 s begins anew; `null` before the second. @param {number[]} times */
export function tapped(times) {
  let first = times.length - 1;
  while (first > 0 && times[first] - times[first - 1] < 2000) first -= 1;
  const own = times.slice(first).slice(-9);
  return own.length < 2 ? null : 60000 / ((own[own.length - 1] - own[0]) / (own.length - 1));
}

/** `96` or `96.5`. @param {number} beats */
export const tempoWords = (beats) => String(Number(beats.toFixed(1)));

/** The next speed of a trainer, towards its goal; `null` once it is there. @param {number} speed @param {number} step in per cent @param {number} goal in per cent */
export function trained(speed, step, goal) {
  const [now, end] = [Math.round(speed * 1000) / 10, goal];
  if (Math.abs(now - end) < 0.05) return null;
  const next = now < end ? Math.min(end, now + step) : Math.max(end, now - step);
  return Math.round(next * 10) / 1000;
}

/** The times of the clicks of a count-in, in seconds, and its length. @param {string} kind @param {number | null} beats per minute of what is heard */
export function countOf(kind, beats) {
  const [, number, unit] = /^(\d+)(s|bar)$/.exec(kind) ?? [];
  if (!number) return { clicks: [], length: 0 };
  const each = unit === "bar" && beats ? 60 / beats : 1;
  const count = unit === "bar" ? Number(number) * bar : Number(number);
  return { clicks: Array.from({ length: count }, (_, index) => index * each), length: count * each };
}

const usual = { step: 2, rounds: 4, goal: 100, count: "" };

export class Practice {
  /** @param {import("./model.js").Model} model @param {import("./panel.js").Panel} panel @param {import("./player.js").Playing} player */
  constructor(model, panel, player) {
    [this.model, this.panel, this.player] = [model, panel, player];
    /** Kept by this browser: the trainer's step, rounds and goal, and the count-in. */
    this.own = kept("practice", usual);
    this.isTraining = false;
    /** The rounds when the speed was changed last. */
    this.since = 0;
    /** @type {number[]} */
    this.taps = [];
    /** @type {AudioContext | null} */
    this.clicker = null;
    byId("practice").addEventListener("click", () => this.turn(byId("practice-row").hidden));
    byId("tap").addEventListener("click", () => this.tap());
    byId("estimate").addEventListener("click", () => this.estimate());
    for (const id of ["bpm", "bpm-result"]) {
      const field = this.field(id);
      field.addEventListener("change", () => this.readTempo(field, id === "bpm-result"));
      field.addEventListener("keydown", (event) => {
        if (event.key === "Enter") this.readTempo(field, id === "bpm-result");
        if (event.key !== "Escape" || field.value === field.dataset.shown) return;
        event.preventDefault();
        this.show(true);
      });
    }
    byId("trainer").addEventListener("change", () => this.train(this.field("trainer").checked));
    for (const [id, name, least, most] of /** @type {const} */ ([["train-step", "step", 0.1, 100], ["train-rounds", "rounds", 1, 99], ["train-goal", "goal", 1, 400]])) {
      this.field(id).addEventListener("change", () => {
        const value = Number(this.field(id).value.replace(",", "."));
        this.keep({ [name]: value >= least && value <= most ? value : usual[name] });
      });
    }
    byId("count-in").addEventListener("change", () => this.keep({ count: /** @type {HTMLSelectElement} */ (byId("count-in")).value }));
    model.watch(["bpm", "speed", "details", "loop"], () => this.show());
    this.show();
  }

  /** @param {string} id @returns {HTMLInputElement} */
  field(id) {
    return /** @type {HTMLInputElement} */ (byId(id));
  }

  /** @param {boolean} isOn */
  turn(isOn) {
    byId("practice-row").hidden = !isOn;
    byId("practice").setAttribute("aria-expanded", String(isOn));
    if (isOn) byId("practice-row").scrollIntoView({ block: "nearest" });
    else byId("stage").scrollTop = 0;
  }

  /** @param {Partial<typeof usual>} changes */
  keep(changes) {
    this.own = { ...this.own, ...changes };
    keep("practice", this.own);
    this.show();
  }

  /** The tempo of what is heard, where one is known. */
  get heardTempo() {
    const { bpm, speed, heard } = this.model.state;
    return bpm === null ? null : bpm * (heard === "result" ? speed : 1);
  }

  /** Takes a beat that a person taps to what is heard. */
  tap() {
    this.taps = [...this.taps.slice(-20), performance.now()];
    const beats = tapped(this.taps);
    if (beats === null) return;
    const { heard, speed } = this.model.state;
    const own = beats / (this.player.isPlaying && heard === "result" ? speed : 1);
    if (own >= tempos.least && own <= tempos.most) this.model.set({ bpm: Math.round(own * 10) / 10 });
  }

  async estimate() {
    const { file } = this.model.state;
    if (!file) return;
    byId("estimate").setAttribute("aria-busy", "true");
    byId("estimate").textContent = "Listening…";
    try {
      const tempo = await json(`/api/files/${file.id}/tempo`);
      if (this.model.state.file?.id !== file.id) return;
      if (tempo.isClear) {
        this.model.set({ bpm: Math.round(tempo.beatsPerMinute * 10) / 10 });
        announce(`${tempoWords(tempo.beatsPerMinute)} beats per minute`);
      } else note(tempo.beatsPerMinute ? `The tempo is not clear; perhaps ${tempoWords(tempo.beatsPerMinute)}. Tap it to be sure.` : "There is no tempo to be heard; tap it.");
    } catch (error) {
      note(error instanceof Refusal ? error.sentence : String(error), true);
    } finally {
      byId("estimate").removeAttribute("aria-busy");
      byId("estimate").textContent = "Estimate";
    }
  }

  /** @param {HTMLInputElement} field @param {boolean} isResult */
  readTempo(field, isResult) {
    if (field.value === field.dataset.shown) return;
    const beats = readTempo(field.value);
    const { bpm } = this.model.state;
    const isEmpty = field.value.trim() === "" && !isResult;
    field.setAttribute("aria-invalid", String(!beats && !isEmpty));
    if (isEmpty) this.model.set({ bpm: null });
    else if (!beats) return;
    else if (!isResult) this.model.set({ bpm: beats });
    else if (bpm) this.panel.setSpeed(beats / bpm);
    this.show(true);
  }

  /** @param {boolean} isOn */
  train(isOn) {
    this.isTraining = isOn;
    this.since = this.player.rounds;
    this.show();
  }

  /** Takes the rounds of the loop so far: after so many, the speed changes. @param {number} rounds */
  take(rounds) {
    const { loop, speed } = this.model.state;
    if (!this.isTraining || !loop) this.since = rounds;
    if (rounds < this.since) this.since = rounds;
    if (rounds - this.since < this.own.rounds) return;
    this.since = rounds;
    const next = trained(speed, this.own.step, this.own.goal);
    if (next === null) return;
    this.panel.setSpeed(next);
    announce(percent(next));
  }

  /** Clicks before it plays; false where it was stopped meanwhile. */
  async countIn() {
    const { clicks, length } = countOf(this.own.count, this.heardTempo);
    if (length === 0) return true;
    if (this.stop) {
      this.stop(false);
      return false;
    }
    this.clicker ??= new AudioContext();
    const context = this.clicker;
    await Promise.race([context.resume(), new Promise((done) => setTimeout(done, 300))]);
    const start = context.currentTime + 0.05;
    const gain = new GainNode(context, { gain: 0.4 * this.model.state.volume ** 2 });
    gain.connect(context.destination);
    for (const [index, at] of clicks.entries()) {
      const [own, tone] = [new GainNode(context, { gain: 0 }), new OscillatorNode(context, { frequency: index % bar === 0 ? 1760 : 1320 })];
      own.gain.setValueAtTime(1, start + at);
      own.gain.exponentialRampToValueAtTime(0.001, start + at + 0.06);
      tone.connect(own).connect(gain);
      tone.start(start + at);
      tone.stop(start + at + 0.07);
    }
    announce("Counting in");
    const shown = setInterval(() => {
      const left = clicks.filter((at) => start + at > context.currentTime).length;
      byId("counting").textContent = String(Math.min(clicks.length, left + 1));
    }, 30);
    byId("counting").hidden = false;
    const isWhole = await new Promise((done) => {
      this.stop = done;
      setTimeout(() => done(true), (length + 0.05) * 1000);
    });
    this.stop = null;
    clearInterval(shown);
    byId("counting").hidden = true;
    gain.disconnect();
    return isWhole;
  }

  /** @param {boolean} [isRead] true where a person has finished typing */
  show(isRead = false) {
    const { bpm, speed, loop } = this.model.state;
    const texts = { bpm: bpm === null ? "" : tempoWords(bpm), "bpm-result": bpm === null ? "" : tempoWords(bpm * speed) };
    for (const [id, text] of Object.entries(texts)) {
      const field = this.field(id);
      if (document.activeElement === field && !isRead && field.value !== (field.dataset.shown ?? "")) continue;
      [field.value, field.dataset.shown] = [text, text];
      field.removeAttribute("aria-invalid");
    }
    this.field("bpm-result").disabled = bpm === null;
    const { step, rounds, goal, count } = this.own;
    for (const [id, value] of [["train-step", step], ["train-rounds", rounds], ["train-goal", goal], ["count-in", count]]) this.field(String(id)).value = String(value);
    this.field("trainer").checked = this.isTraining;
    byId("trainer-words").textContent = this.isTraining && !loop ? "It begins with a loop." : this.isTraining && trained(speed, step, goal) === null ? "The goal is reached." : "";
    byId("practice").textContent = this.isTraining ? `Practice · to ${goal} %` : "Practice";
  }
}
