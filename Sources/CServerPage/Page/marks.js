// Marks that a person sets, kept by this browser for each file, and the chips of marks and chapters.

import { byId, make } from "./dom.js";
import { itemsOf } from "./items.js";
import { keep, kept } from "./store.js";
import { clock } from "./time.js";

/** @typedef {import("./model.js").Mark} Mark */

/** Marks as a label track of Audacity: start, end, name. @param {Mark[]} marks */
export function labels(marks) {
  const sorted = [...marks].sort((a, b) => a.at - b.at);
  return sorted.map(({ at, name }) => `${at.toFixed(6)}\t${at.toFixed(6)}\t${name.replace(/[\t\r\n]+/g, " ")}\n`).join("");
}

/** The key of a file's marks: what does not change when the server is started again. @param {any} file */
const keyOf = (file) => `marks.${file.folder}/${file.name}.${file.bytes}`;

/** The marks of a file. @param {any} file @returns {Mark[]} */
export const marksOf = (file) => kept(keyOf(file), { list: [] }).list;

export class MarkList {
  /** @param {import("./model.js").Model} model @param {(moment: number) => void} onSeek */
  constructor(model, onSeek) {
    [this.model, this.onSeek] = [model, onSeek];
    this.current = -1;
    byId("export-marks").addEventListener("click", () => this.export());
    byId("open-marks").addEventListener("click", () => /** @type {HTMLDialogElement} */ (byId("marks")).showModal());
    model.watch(["marks", "details"], (state) => {
      // Marks that come with a file are kept already.
      if (state.file === this.file && state.marks !== this.saved) keep(keyOf(state.file), { list: state.marks });
      [this.file, this.saved] = [state.file, state.marks];
      this.show();
    });
    this.show();
  }

  show() {
    const { marks } = this.model.state;
    this.items = itemsOf(this.model.state);
    byId("chips").replaceChildren(...this.items.map(({ at, name }) =>
      make("li", {}, make("button", { type: "button", class: "chip", title: `${clock(at)} ${name}`, onclick: () => this.onSeek(at) },
        make("span", { class: "faint" }, clock(at, 0)), make("bdi", {}, name)))));
    this.current = -1;
    byId("open-marks").hidden = marks.length === 0;
    // What is typed is not drawn again.
    if (byId("mark-list").contains(document.activeElement) && byId("mark-list").childElementCount === marks.length) return;
    byId("mark-list").replaceChildren(...marks.map((mark, index) => this.row(mark, index)));
  }

  /** Shows which mark or chapter is heard. @param {number} moment */
  place(moment) {
    const current = (this.items ?? []).findLastIndex(({ at }) => at <= moment + 0.005);
    if (current === this.current) return;
    this.current = current;
    [...byId("chips").children].forEach((item, index) => {
      const chip = /** @type {HTMLElement} */ (item.firstElementChild);
      if (index === current) chip.setAttribute("aria-current", "true");
      else chip.removeAttribute("aria-current");
    });
    const chip = /** @type {HTMLElement | undefined} */ (byId("chips").children[current]);
    if (chip) byId("chips").scrollTo({ top: chip.offsetTop - 3 });
  }

  /** @param {Mark} mark @param {Partial<Mark> | null} change nothing removes it */
  change(mark, change) {
    const { marks } = this.model.state;
    const next = marks.flatMap((other) => (other.at !== mark.at || other.name !== mark.name ? [other] : change ? [{ ...other, ...change }] : []));
    this.model.set({ marks: next.sort((a, b) => a.at - b.at) });
  }

  /** @param {Mark} mark @param {number} index */
  row(mark, index) {
    let own = mark;
    const name = /** @type {HTMLInputElement} */ (make("input", {
      type: "text", dir: "auto", "aria-label": `Name of mark ${index + 1}`, onchange: () => {
        const next = { ...own, name: name.value };
        this.change(own, next);
        own = next;
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Escape" || name.value === own.name) return;
        // What is half-typed is given up; the list stays open.
        event.preventDefault();
        name.value = own.name;
      },
    }));
    name.value = mark.name;
    const button = (/** @type {string} */ text, /** @type {Record<string, any>} */ more) => make("button", { type: "button", class: "small quiet", ...more }, text);
    return make("li", {},
      button(clock(mark.at), { onclick: () => this.onSeek(own.at) }), name,
      button("Loop", { title: "Loop to the next mark", onclick: () => {
        const { marks } = this.model.state;
        const end = marks.find((other) => other.at > own.at)?.at ?? this.model.seconds;
        this.model.set({ a: null, loop: { start: own.at, end } });
        this.onSeek(own.at);
      } }),
      button("✕", { title: "Remove", "aria-label": `Remove ${mark.name}`, onclick: (/** @type {Event} */ event) => {
        /** @type {HTMLElement} */ (event.target).blur();
        this.change(own, null);
      } }));
  }

  /** Sets a mark. @param {number} at */
  add(at) {
    const { marks } = this.model.state;
    const mark = { at, name: `Mark ${marks.length + 1}` };
    this.model.set({ marks: [...marks, mark].sort((a, b) => a.at - b.at) });
    return mark;
  }

  export() {
    const { marks, file } = this.model.state;
    const address = URL.createObjectURL(new Blob([labels(marks)], { type: "text/plain" }));
    make("a", { href: address, download: `${file.name.replace(/\.[^.]*$/, "")}.txt` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }
}
