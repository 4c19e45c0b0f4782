// The notes that are kept about a file: marks, loops, speed and key, in the store of the server, which `play` uses too.

import { note } from "./dom.js";
import { Refusal, change, json } from "./server.js";
import { keep, kept, settled } from "./store.js";

/** @typedef {import("./model.js").State} State */
/** @typedef {import("./model.js").Mark} Mark */
/** @typedef {import("./model.js").NamedLoop} NamedLoop */
/** @typedef {{id: string, revision: number, marks: {start: number, title: string}[], loops: {start: number, end: number, title: string}[], speed?: number, semitones?: number, refusal?: {cause: string, remedy?: string}}} Notes */
/** The name of a value that is stored as a whole. @typedef {"marks" | "loops" | "speed"} Part */
/** @typedef {Pick<State, "marks" | "loops">} Lists */
/** @typedef {{speed: number | null, semitones: number | null}} Speed as the server keeps it; `null` for the usual one */

/**
 * The notes of one file.
 * @typedef {object} Own
 * @property {any} file
 * @property {State | null} state the last one of a file that is not open any more
 * @property {Lists & {speed: Speed | null}} base the notes that the server had last, as far as this page knows
 * @property {number} revision theirs; -1 before the first
 * @property {boolean} isKept true where the server keeps what is changed
 * @property {boolean} isBegun true once the file has the speed of its notes, or one that was chosen before they were there
 * @property {boolean} isAgain true for a file that is read again, until its notes are there
 * @property {boolean} isAside true with settings that are no choice for this file
 * @property {boolean} isHere true if this browser keeps lists of it
 * @property {Speed | null} speed a choice that is not stored yet
 * @property {Partial<Record<Part, string>>} refused values that the server does not take
 * @property {string} said the refusal that was shown
 * @property {boolean} isWanted true if the server is to be asked, once more after what is under way
 * @property {boolean} isPosting
 * @property {Promise<void> | null} work what is under way
 */

/** The key of what this browser keeps for a file: what does not change when the server is started again. @param {any} file */
const keyOf = (file) => `marks.${file.folder}/${file.name}.${file.bytes}`;

/** The values that this browser keeps for a file: bends and the tempo, and changed lists with those that they were made from. @param {any} file */
const keptOf = (file) => kept(keyOf(file), { list: [], loops: [], base: {}, bends: [], bpm: null });

const startOf = (/** @type {any} */ own) => own.at ?? own.start;
const textOf = (/** @type {any} */ own) => [startOf(own), own.end ?? "", own.name].join();

/** True if two lists have the same, in any order. @param {any[]} one @param {any[]} other */
const isSame = (one, other) => JSON.stringify(one.map(textOf).sort()) === JSON.stringify(other.map(textOf).sort());

/** The list of the server with what was added to an earlier one here, and without what was removed here. @template {Mark | NamedLoop} Item @param {Item[]} base the earlier one @param {Item[]} own @param {Item[]} server @returns {Item[]} */
export function merged(base, own, server) {
  const [before, mine, theirs] = [base, own, server].map((list) => new Set(list.map(textOf)));
  const stays = server.filter((item) => mine.has(textOf(item)) || !before.has(textOf(item)));
  const comes = own.filter((item) => !before.has(textOf(item)) && !theirs.has(textOf(item)));
  return [...stays, ...comes].sort((a, b) => startOf(a) - startOf(b));
}

/** @param {Notes} notes @returns {Lists} */
const listsOf = ({ marks, loops }) => ({
  marks: marks.map(({ start, title }) => ({ at: start, name: title })).sort((a, b) => a.at - b.at),
  loops: loops.map(({ start, end, title }) => ({ start, end, name: title })).sort((a, b) => a.start - b.start),
});

/** The lists of a state that can be stored: a loop has a length. @param {State} state @returns {Lists} */
const soundLists = ({ marks, loops }) => ({ marks, loops: loops.filter(({ start, end }) => end > start) });

/** @param {{speed?: number | null, semitones?: number | null}} notes @returns {Speed | null} */
const speedIn = ({ speed = null, semitones = null }) => (speed === null && semitones === null ? null : { speed, semitones });

/** @type {(keyof State)[]} */
const speedNames = ["speed", "key", "pitch", "duration", "preset"];

/** True if two states have the same settings of speed and key. @param {any} one @param {any} other */
const isSameSpeed = (one, other) => speedNames.every((name) => one[name] === other[name]);

export class NoteKeeper {
  /** @param {import("./model.js").Model} model */
  constructor(model) {
    this.model = model;
    /** The name that this page gives itself, by which it knows its own changes. */
    this.name = Array.from(crypto.getRandomValues(new Uint32Array(4)), (number) => number.toString(36)).join("");
    /** @type {Own | null} */
    this.own = null;
    /** Files that the server is asked about, by their ids. @type {Map<string, Own>} */
    this.busy = new Map();
    /** The settings before the notes of a file set others, and those. @type {{before: Partial<State>, after: Partial<State>} | null} */
    this.given = null;
    this.isTaking = false;
    this.sendSoon = settled(300, () => this.send());
    model.on((state, before) => this.hearModel(state, before));
    globalThis.addEventListener?.("pagehide", () => this.leave());
  }

  /** @param {State} state @param {State} before */
  hearModel(state, before) {
    const { own } = this;
    if (state.file !== before.file) {
      if (!own || own.file.id !== before.file?.id || own.file.id === state.file?.id) return;
      own.state = before;
      this.send(own);
      return;
    }
    if (!state.file || own?.file.id !== state.file.id) return;
    const isOther = (/** @type {(keyof State)[]} */ names) => names.some((name) => state[name] !== before[name]);
    if (this.isTaking) return;
    if (isOther(["marks", "loops", "bends", "bpm"])) this.keepHere(own);
    // A choice that is made before the notes are there is newer than theirs.
    if (isOther(["speed", "key", "pitch", "preset"])) own.isBegun = true;
    // Only at the same pitch, speed and key are those of `play`.
    if (isOther(["speed", "key", "pitch"]) && state.pitch === "same") own.speed = { speed: state.speed === 1 ? null : state.speed, semitones: state.key === 0 ? null : state.key };
    else if (!isOther(["marks", "loops"])) return;
    this.sendSoon();
  }

  /** @param {Own} own @returns {State} */
  stateOf(own) {
    return own.state ?? this.model.state;
  }

  /** The notes of a file that is open, or that the server is asked about. @param {any} file */
  known(file) {
    return this.own?.file.id === file.id ? this.own : this.busy.get(file.id);
  }

  /** The values with which a file begins before the server answers: those that it has if it is read again, else those of this browser. @param {any} file @returns {Pick<State, "marks" | "loops" | "bends" | "bpm">} */
  valuesOf(file) {
    const { list, loops, bends, bpm } = keptOf(file);
    const known = this.known(file);
    if (!known) return { marks: list, loops, bends, bpm };
    const state = this.stateOf(known);
    return { marks: state.marks, loops: state.loops, bends, bpm };
  }

  /** Keeps in this browser what the server does not have. @param {Own} own */
  keepHere(own) {
    const { marks, loops, bends, bpm } = this.stateOf(own);
    const [hasMarks, hasLoops] = [!isSame(marks, own.base.marks), !isSame(loops, own.base.loops)];
    own.isHere = hasMarks || hasLoops;
    const base = { ...(hasMarks ? { marks: own.base.marks } : {}), ...(hasLoops ? { loops: own.base.loops } : {}) };
    keep(keyOf(own.file), { ...(hasMarks ? { list: marks } : {}), ...(hasLoops ? { loops } : {}), ...(own.isHere ? { base } : {}), bends, bpm });
  }

  /** Does what is no choice for this file: settings that are not kept, and that notes do not change. @param {() => void} work */
  setAside(work) {
    this.taking(work);
    if (this.own) this.own.isAside = true;
  }

  /** @param {() => void} work */
  taking(work) {
    this.isTaking = true;
    try {
      work();
    } finally {
      this.isTaking = false;
    }
  }

  /** Asks for the notes about a file that was opened with `valuesOf`. @param {any} file */
  async open(file) {
    const known = this.known(file);
    const { base, list, loops } = keptOf(file);
    const isAside = known === this.own && known?.isAside;
    this.own = known ?? {
      file, state: null, base: { marks: base.marks ?? [], loops: base.loops ?? [], speed: null }, revision: -1, isKept: false, isBegun: false, isAgain: false, isAside: false,
      isHere: list.length + loops.length + Object.keys(base).length > 0, speed: null, refused: {}, said: "", isWanted: false, isPosting: false, work: null,
    };
    Object.assign(this.own, { file, state: null, isBegun: false, isAgain: Boolean(known), isAside: Boolean(isAside), refused: {} });
    await this.meet(this.own);
  }

  /** Takes the news of a change, which may be this page's. @param {{id: string, revision: number, from?: string}} event */
  hear({ id, revision, from }) {
    const { own } = this;
    if (id !== own?.file.id || revision <= own.revision) return;
    if (from === this.name) own.revision = revision;
    else this.meet(own);
  }

  /** Asks again for the notes of the open file: changes may not have been heard of, and the server may be another one. */
  again() {
    if (!this.own) return;
    Object.assign(this.own, { revision: -1, refused: {} });
    this.meet(this.own);
  }

  /** Stores what was changed here. */
  async send(own = this.own) {
    if (!own) return;
    const isWaiting = Object.keys(this.waiting(own)).length > 0 && (own.isKept || own.revision < 0);
    await (isWaiting ? this.meet(own) : own.work);
  }

  /** The changes of a file that the server does not have, in its form. @param {Own} own @returns {Partial<Record<Part, any>>} */
  waiting(own) {
    const { marks, loops } = soundLists(this.stateOf(own));
    /** @type {Partial<Record<Part, any>>} */
    const all = {};
    if (!isSame(marks, own.base.marks)) all.marks = marks.map(({ at, name }) => ({ start: at, title: name }));
    if (!isSame(loops, own.base.loops)) all.loops = loops.map(({ start, end, name }) => ({ start, end, title: name }));
    if (own.speed) all.speed = own.speed;
    const names = /** @type {Part[]} */ (Object.keys(all));
    for (const name of names) if (JSON.stringify(all[name]) === own.refused[name]) delete all[name];
    return all;
  }

  /** Takes what the server has, and stores what was changed here, one request after the other. @param {Own} own */
  meet(own) {
    own.isWanted = true;
    if (own.work) return own.work;
    this.busy.set(own.file.id, own);
    const work = async () => {
      try {
        while (own.isWanted) {
          own.isWanted = false;
          // First what others have changed, so that the list that is sent has it.
          const notes = await json(`/api/notes/${own.file.id}`);
          this.takeNotes(own, notes);
          if (own.isKept) await this.post(own, this.waiting(own));
        }
      } catch {
        // Without an answer it stays in this browser, and is stored with the next change.
      } finally {
        own.work = null;
        this.busy.delete(own.file.id);
      }
    };
    own.work = work();
    return own.work;
  }

  /** @param {Own} own @param {Partial<Record<Part, any>>} parts @returns {Promise<void>} */
  async post(own, parts) {
    const names = /** @type {Part[]} */ (Object.keys(parts));
    if (names.length === 0) return;
    const { marks, loops } = this.stateOf(own);
    /** @type {Notes} */
    let notes;
    own.isPosting = true;
    try {
      notes = await change("POST", `/api/notes/${own.file.id}`, { ...this.bodyOf(parts), revision: own.revision }, undefined, true);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status < 400) throw error;
      // Others have changed them since that revision: their lists are asked for first.
      if (error.status === 412) return void (own.isWanted = true);
      // The server keeps nothing now, or does not take one of the values: the others are stored alone.
      if (error.status === 409) own.isKept = false;
      else if (names.length === 1) own.refused[names[0]] = JSON.stringify(parts[names[0]]);
      else {
        for (const name of names) if (this.waiting(own)[name]) await this.post(own, { [name]: this.waiting(own)[name] });
        return;
      }
      if (error.sentence !== own.said) note(`This browser alone keeps the ${names.join(" and ")}: ${error.sentence}`, true);
      own.said = error.sentence;
      return;
    } finally {
      own.isPosting = false;
    }
    if (parts.marks) own.base.marks = marks;
    if (parts.loops) own.base.loops = loops.filter(({ start, end }) => end > start);
    if (parts.speed && own.speed === parts.speed) own.speed = null;
    this.takeNotes(own, notes);
  }

  /** @param {Partial<Record<Part, any>>} parts */
  bodyOf({ speed, ...lists }) {
    return { from: this.name, ...lists, ...speed };
  }

  /** Stores at once what is waiting: the page is left. */
  leave() {
    const { own } = this;
    if (!own || !own.isKept || own.isPosting) return;
    const parts = this.waiting(own);
    if (Object.keys(parts).length > 0) change("POST", `/api/notes/${own.file.id}`, this.bodyOf(parts), undefined, true).catch(() => {});
  }

  /** Takes an answer of the server: its lists with the changes that were made here. @param {Own} own @param {Notes} notes */
  takeNotes(own, notes) {
    const { refusal } = notes;
    const [lists, speed, state] = [listsOf(notes), speedIn(notes), this.stateOf(own)];
    // Notes that cannot be read, and other audio under the same name, take nothing away.
    const isNothing = lists.marks.length + lists.loops.length === 0 && !speed;
    if (isNothing && (refusal || own.isAgain || notes.revision < own.revision)) {
      own.speed ??= own.base.speed;
      own.base = { marks: [], loops: [], speed: null };
    }
    if (refusal?.remedy && own.said !== refusal.cause) note(`${refusal.cause}: ${refusal.remedy}. Until then, this browser keeps what you mark.`, true);
    own.said = refusal?.cause ?? "";
    const mine = soundLists(state);
    const next = { marks: merged(own.base.marks, mine.marks, lists.marks), loops: merged(own.base.loops, mine.loops, lists.loops) };
    const begun = own.isBegun || own.state ? {} : this.speedOf(notes, own, state);
    Object.assign(own, { revision: notes.revision, isKept: !refusal, isBegun: true, isAgain: false, base: { ...lists, speed } });
    this.take(own, { ...(isSame(next.marks, state.marks) ? {} : { marks: next.marks }), ...(isSame(next.loops, state.loops) ? {} : { loops: next.loops }), ...begun });
    const now = this.stateOf(own);
    if (own.isHere || !isSame(now.marks, lists.marks) || !isSame(now.loops, lists.loops)) this.keepHere(own);
  }

  /** The settings with which a file begins: those of its notes, or those before other notes. @param {Notes} notes @param {Own} own @param {State} state @returns {Partial<State>} */
  speedOf({ speed, semitones }, own, state) {
    if (own.speed || own.isAside) return {};
    const { given } = this;
    const isGiven = given !== null && isSameSpeed(state, given.after);
    const before = isGiven ? given.before : Object.fromEntries(speedNames.map((name) => [name, state[name]]));
    this.given = null;
    // A length was that of another file.
    if (speed === undefined && semitones === undefined) return isGiven ? { ...before, duration: null } : {};
    const after = { speed: speed ?? 1, key: semitones ?? 0, pitch: /** @type {const} */ ("same"), duration: null, preset: "" };
    this.given = { before, after };
    return after;
  }

  /** @param {Own} own @param {Partial<State>} changes */
  take(own, changes) {
    if (own.state) own.state = { ...own.state, ...changes };
    else this.taking(() => this.model.take(changes));
  }
}
