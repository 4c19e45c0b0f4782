// Marks that a person sets, kept by this browser for each file.

import { byId, make } from "./dom.js";
import { keep, kept } from "./store.js";
import { clock } from "./time.js";

/** @typedef {{at: number, name: string}} Mark */

/** Marks as a label track of Audacity: start, end, name. @param {Mark[]} marks */
export function labels(marks) {
  const sorted = [...marks].sort((a, b) => a.at - b.at);
  return sorted.map(({ at, name }) => `${at.toFixed(6)}\t${at.toFixed(6)}\t${name.replace(/[\t\r\n]+/g, " ")}\n`).join("");
}

/** The marks of a file; their key is what does not change when the server is started again. */
export class Marks {
  /** @param {any} file */
  constructor(file) {
    this.key = `marks.${file.folder}/${file.name}.${file.bytes}`;
    /** @type {Mark[]} */
    this.list = kept(this.key, { list: [] }).list;
  }

  save() {
    this.list.sort((a, b) => a.at - b.at);
    keep(this.key, { list: this.list });
  }

  /** @param {number} at */
  add(at) {
    const mark = { at, name: `Mark ${this.list.length + 1}` };
    this.list.push(mark);
    this.save();
    return mark;
  }

  /** @param {Mark} mark */
  remove(mark) {
    this.list = this.list.filter((other) => other !== mark);
    this.save();
  }

  /** The mark after a moment, or the end. @param {number} at @param {number} end */
  after(at, end) {
    return this.list.find((mark) => mark.at > at)?.at ?? end;
  }
}

/** The list of the open file's marks. */
export class MarkList {
  /** @param {{onSeek: (moment: number) => void, onLoop: (mark: Mark) => void, onChange: () => void}} on */
  constructor(on) {
    this.on = on;
    /** @type {Marks | null} */
    this.marks = null;
    this.name = "";
    byId("export-marks").addEventListener("click", () => this.export());
  }

  /** @param {any} file */
  open(file) {
    this.name = file.name;
    this.marks = new Marks(file);
    this.show();
  }

  get list() {
    return this.marks?.list ?? [];
  }

  show() {
    byId("mark-list").replaceChildren(...this.list.map((mark, index) => this.row(mark, index)));
    /** @type {HTMLButtonElement} */ (byId("export-marks")).disabled = this.list.length === 0;
    this.on.onChange();
  }

  /** @param {Mark} mark @param {number} index */
  row(mark, index) {
    const name = /** @type {HTMLInputElement} */ (make("input", {
      type: "text", dir: "auto", "aria-label": `Name of mark ${index + 1}`, onchange: () => {
        mark.name = name.value;
        this.marks?.save();
        this.on.onChange();
      },
    }));
    name.value = mark.name;
    const button = (/** @type {string} */ text, /** @type {Record<string, any>} */ more) => make("button", { type: "button", class: "small quiet", ...more }, text);
    return make("li", {},
      button(clock(mark.at), { onclick: () => this.on.onSeek(mark.at) }), name,
      button("Loop", { title: "Loop to the next mark", onclick: () => this.on.onLoop(mark) }),
      button("×", { title: "Remove", "aria-label": `Remove ${mark.name}`, onclick: () => {
        this.marks?.remove(mark);
        this.show();
      } }));
  }

  /** Sets a mark. @param {number} at */
  add(at) {
    const mark = this.marks?.add(at);
    if (mark) this.show();
    return mark;
  }

  export() {
    const address = URL.createObjectURL(new Blob([labels(this.list)], { type: "text/plain" }));
    make("a", { href: address, download: `${this.name.replace(/\.[^.]*$/, "")}.txt` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }
}
