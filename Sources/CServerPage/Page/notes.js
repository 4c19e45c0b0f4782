// The notes that are kept about a file: marks, loops, speed and key, in the store of the server, which `play` uses too.

import { note } from "./dom.js";
import { change, json } from "./server.js";
import { keep, kept, settled } from "./store.js";

/** @typedef {import("./model.js").State} State */
/** @typedef {import("./model.js").Mark} Mark */
/** @typedef {import("./model.js").NamedLoop} NamedLoop */
/** @typedef {{id: string, revision: number, marks: {start: number, title: string}[], loops: {start: number, end: number, title: string}[], speed?: number, semitones?: number, refusal?: {cause: string, remedy?: string}, from?: string}} Notes */
/** What changes together. @typedef {"marks" | "loops" | "speed"} Part */

/** The key of what this browser keeps for a file: what does not change when the server is started again. @param {any} file */
const keyOf = (file) => `marks.${file.folder}/${file.name}.${file.bytes}`;

/** What this browser keeps for a file: bends and the tempo, and marks and loops that the server does not have. @param {any} file @returns {Pick<State, "marks" | "loops" | "bends" | "bpm">} */
export function keptOf(file) {
  const { list, loops, bends, bpm } = kept(keyOf(file), { list: [], loops: [], bends: [], bpm: null });
  return { marks: list, loops, bends, bpm };
}

/** Those of both lists, each once. @template {Mark | NamedLoop} Own @param {Own[]} all @param {Own[]} more @returns {Own[]} */
export function joined(all, more) {
  const textOf = (/** @type {any} */ own) => [own.at ?? own.start, own.end ?? "", own.name].join();
  const known = new Set(all.map(textOf));
  const start = (/** @type {any} */ own) => own.at ?? own.start;
  return [...all, ...more.filter((own) => !known.has(textOf(own)))].sort((a, b) => start(a) - start(b));
}

/** @param {Notes} notes @returns {Pick<State, "marks" | "loops">} */
const listsOf = ({ marks, loops }) => ({
  marks: marks.map(({ start, title }) => ({ at: start, name: title })).sort((a, b) => a.at - b.at),
  loops: loops.map(({ start, end, title }) => ({ start, end, name: title })).sort((a, b) => a.start - b.start),
});

/** The value of each part for the server. @type {Record<Part, (state: State) => object>} */
const sent = {
  marks: ({ marks }) => ({ marks: marks.map(({ at, name }) => ({ start: at, title: name })) }),
  loops: ({ loops }) => ({ loops: loops.map(({ start, end, name }) => ({ start, end, title: name })) }),
  speed: ({ speed, key }) => ({ speed: speed === 1 ? null : speed, semitones: key === 0 ? null : key }),
};

/** True if two states have the same settings of speed and key. @param {any} one @param {any} other */
const isSameSpeed = (one, other) => /** @type {const} */ (["speed", "key", "pitch", "duration", "preset"]).every((name) => one[name] === other[name]);

export class NoteKeeper {
  /** @param {import("./model.js").Model} model */
  constructor(model) {
    this.model = model;
    /** The name that this page gives itself, by which it knows its own changes. */
    this.own = Array.from(crypto.getRandomValues(new Uint32Array(4)), (number) => number.toString(36)).join("");
    /** @type {any} */
    this.file = null;
    /** The last revision that was heard of; -1 before the first. */
    this.revision = -1;
    /** True where the server keeps what is changed. */
    this.isKept = false;
    /** What was changed here and is not stored yet; what is being stored. @type {[Set<Part>, Set<Part>]} */
    [this.changed, this.sending] = [new Set(), new Set()];
    /** The settings before the notes of a file set others, and those. @type {{before: Partial<State>, after: Partial<State>} | null} */
    this.given = null;
    this.isTaking = false;
    this.sendSoon = settled(300, () => this.send());
    model.on((state, before) => this.hearModel(state, before));
    globalThis.addEventListener?.("pagehide", () => this.send());
  }

  /** @param {State} state @param {State} before */
  hearModel(state, before) {
    if (state.file !== before.file) {
      if (before.file) this.send(before);
      return;
    }
    if (!state.file) return;
    const isOther = (/** @type {(keyof State)[]} */ names) => names.some((name) => state[name] !== before[name]);
    if (isOther(["bends", "bpm"])) this.keepHere(state);
    if (this.isTaking) return;
    if (isOther(["marks"])) this.changed.add("marks");
    if (isOther(["loops"])) this.changed.add("loops");
    // Only at the same pitch, speed and key are those of `play`.
    if (isOther(["speed", "key", "pitch"]) && state.pitch === "same") this.changed.add("speed");
    if (this.changed.size === 0) return;
    this.keepHere(state);
    this.sendSoon();
  }

  /** Keeps in this browser what the server does not have. @param {State} state */
  keepHere({ file, marks, loops, bends, bpm }) {
    const isOpen = (/** @type {Part} */ part) => !this.isKept || this.changed.has(part) || this.sending.has(part);
    keep(keyOf(file), { ...(isOpen("marks") ? { list: marks } : {}), ...(isOpen("loops") ? { loops } : {}), bends, bpm });
  }

  /** Does what is no choice for this file: settings that are not kept, and that notes do not change. @param {() => void} work */
  setAside(work) {
    this.isTaking = true;
    work();
    this.isTaking = false;
    this.isAside = true;
  }

  /** Asks for the notes about a file that was opened. @param {any} file */
  async open(file) {
    [this.file, this.revision, this.isKept, this.isAside] = [file, -1, false, false];
    [this.changed, this.sending] = [new Set(), new Set()];
    /** @type {Notes} */
    let notes;
    try {
      notes = await json(`/api/notes/${file.id}`);
    } catch {
      // A file that cannot be read has no notes; this browser keeps what is made.
      return;
    }
    if (this.file !== file || this.model.state.file?.id !== file.id) return;
    this.begin(notes);
  }

  /** Takes the notes of a file that was opened, and gives the server what this browser has kept. @param {Notes} notes */
  begin(notes) {
    this.revision = notes.revision;
    this.isKept = !notes.refusal;
    if (notes.refusal?.remedy) note(`${notes.refusal.cause}: ${notes.refusal.remedy}. Until then, this browser keeps what you mark.`, true);
    const { state } = this.model;
    const lists = listsOf(notes);
    const own = { marks: joined(lists.marks, state.marks), loops: joined(lists.loops, state.loops) };
    if (own.marks.length > lists.marks.length) this.changed.add("marks");
    if (own.loops.length > lists.loops.length) this.changed.add("loops");
    this.take({ ...own, ...this.speedOf(notes, state) });
    if (!this.isKept) return;
    if (state.marks.length + state.loops.length > 0) this.keepHere(this.model.state);
    if (this.changed.size > 0) this.send();
  }

  /** The settings with which a file begins: those of its notes, or those before other notes. @param {Notes} notes @param {State} state @returns {Partial<State>} */
  speedOf({ speed, semitones }, state) {
    if (this.changed.has("speed") || this.isAside) return {};
    const { given } = this;
    const isGiven = given !== null && isSameSpeed(state, given.after);
    const before = isGiven ? given.before : Object.fromEntries(["speed", "key", "pitch", "duration", "preset"].map((name) => [name, state[/** @type {keyof State} */ (name)]]));
    this.given = null;
    if (speed === undefined && semitones === undefined) return isGiven ? before : {};
    const after = { speed: speed ?? 1, key: semitones ?? 0, pitch: /** @type {const} */ ("same"), duration: null, preset: "" };
    this.given = { before, after };
    return after;
  }

  /** Takes a change that another page or program made. @param {Notes} notes */
  hear(notes) {
    if (notes.id !== this.file?.id || this.revision < 0 || notes.revision <= this.revision) return;
    // The answer to this page's own change has the same.
    if (notes.from === this.own) return;
    this.takeLists(notes);
  }

  /** @param {Notes} notes */
  takeLists(notes) {
    this.revision = notes.revision;
    const lists = listsOf(notes);
    const isOther = (/** @type {"marks" | "loops"} */ part) => !this.changed.has(part) && !this.sending.has(part) && JSON.stringify(lists[part]) !== JSON.stringify(this.model.state[part]);
    this.take({ ...(isOther("marks") ? { marks: lists.marks } : {}), ...(isOther("loops") ? { loops: lists.loops } : {}) });
  }

  /** @param {Partial<State>} changes */
  take(changes) {
    this.isTaking = true;
    this.model.take(changes);
    this.isTaking = false;
  }

  /** Stores what was changed here. @param {State} [state] */
  async send(state = this.model.state) {
    const { file, changed } = this;
    if (!this.isKept || changed.size === 0 || this.sending.size > 0 || state.file?.id !== file?.id) return;
    const parts = [...changed];
    /** @type {Set<Part>} */
    const later = new Set();
    this.changed = later;
    this.sending = new Set(parts);
    /** @type {Notes | null} */
    let notes = null;
    try {
      notes = await change("POST", `/api/notes/${file.id}`, Object.assign({ from: this.own }, ...parts.map((part) => sent[part](state))), undefined, true);
    } catch {
      // It stays in this browser, and is stored with the next change.
      if (this.file === file) for (const part of parts) this.changed.add(part);
    }
    if (this.file !== file) {
      if (notes && later.size === 0) keep(keyOf(file), { bends: state.bends, bpm: state.bpm });
      return;
    }
    this.sending = new Set();
    if (!notes) return;
    if (notes.revision >= this.revision) this.takeLists(notes);
    this.keepHere(this.model.state);
    if (this.changed.size > 0) this.sendSoon();
  }
}
