// Marks that a person sets, kept by this browser for each file.

import { keep, kept } from "./store.js";

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
