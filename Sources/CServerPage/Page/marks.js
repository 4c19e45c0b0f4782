// Marks that a person sets, and the chips of marks and chapters.

import { byId, make, openSheet } from "./dom.js";
import { itemsOf } from "./items.js";
import { clock } from "./time.js";

/** @typedef {import("./model.js").Mark} Mark */

/** Marks and loops as a label track of Audacity: start, end, name. @param {Mark[]} marks @param {import("./model.js").NamedLoop[]} [loops] */
export function labels(marks, loops = []) {
  const sorted = [...marks.map(({ at, name }) => ({ start: at, end: at, name })), ...loops].sort((a, b) => a.start - b.start);
  return sorted.map(({ start, end, name }) => `${start.toFixed(6)}\t${end.toFixed(6)}\t${name.replace(/[\t\r\n]+/g, " ")}\n`).join("");
}

export class MarkList {
  /** @param {import("./model.js").Model} model @param {(moment: number) => void} onSeek */
  constructor(model, onSeek) {
    [this.model, this.onSeek] = [model, onSeek];
    this.current = -1;
    byId("export-marks").addEventListener("click", () => this.export());
    byId("open-marks").addEventListener("click", () => openSheet(/** @type {HTMLDialogElement} */ (byId("marks"))));
    model.watch(["marks", "loops", "loop", "details"], () => this.show());
    byId("keep-loop").addEventListener("click", () => this.keepLoop());
    this.show();
  }

  show() {
    const { marks, loops, loop } = this.model.state;
    this.items = itemsOf(this.model.state);
    const isSame = (/** @type {import("./model.js").Loop} */ own) => loop !== null && own.start === loop.start && own.end === loop.end;
    byId("chips").replaceChildren(...this.items.map(({ at, name }) =>
      make("li", {}, make("button", { type: "button", class: "chip", title: `${clock(at)} ${name}`, onclick: () => this.onSeek(at) },
        make("span", { class: "faint" }, clock(at, 0)), make("bdi", {}, name)))),
    ...loops.map((own) => make("li", {}, make("button", {
      type: "button", class: "chip", title: `Loop from ${clock(own.start)} to ${clock(own.end)}`, "aria-pressed": String(isSame(own)), onclick: () => this.playLoop(own),
    }, make("span", { class: "faint" }, "⟲"), make("bdi", {}, own.name)))));
    this.current = -1;
    byId("keep-loop").hidden = !loop || loops.some(isSame);
    byId("open-marks").hidden = marks.length + loops.length === 0;
    byId("loops-title").hidden = loops.length === 0;
    // What is typed is not drawn again.
    for (const [id, list, row] of /** @type {[string, any[], (own: any, index: number) => HTMLElement][]} */ ([
      ["mark-list", marks, (own, index) => this.row(own, index)], ["loop-list", loops, (own, index) => this.loopRow(own, index)],
    ])) {
      if (byId(id).contains(document.activeElement) && byId(id).childElementCount === list.length) continue;
      byId(id).replaceChildren(...list.map(row));
    }
  }

  /** @param {import("./model.js").NamedLoop} own */
  playLoop({ start, end }) {
    this.model.set({ a: null, loop: { start, end } });
    this.onSeek(start);
  }

  /** Keeps the loop with the file, named after the mark or chapter in which it begins. */
  keepLoop() {
    const { loop, loops } = this.model.state;
    if (!loop || loop.end <= loop.start) return;
    const inside = (this.items ?? []).findLast(({ at }) => at <= loop.start + 0.05)?.name;
    const name = inside && !loops.some((own) => own.name === inside) ? inside : `Loop ${loops.length + 1}`;
    this.model.set({ loops: [...loops, { ...loop, name }].sort((a, b) => a.start - b.start) });
    byId("open-marks").focus();
  }

  /** @param {import("./model.js").NamedLoop} loop @param {number} index */
  loopRow(loop, index) {
    let own = loop;
    const isOwn = (/** @type {import("./model.js").NamedLoop} */ other) => other.start === own.start && other.end === own.end && other.name === own.name;
    const change = (/** @type {any} */ next) => {
      this.model.set({ loops: this.model.state.loops.flatMap((other) => (!isOwn(other) ? [other] : next ? [next] : [])) });
      own = next;
    };
    const button = (/** @type {string} */ text, /** @type {Record<string, any>} */ more) => make("button", { type: "button", class: "small quiet", ...more }, text);
    return make("li", {}, button(`${clock(loop.start, 1)} – ${clock(loop.end, 1)}`, { onclick: () => this.playLoop(own) }),
      this.nameField(`Name of loop ${index + 1}`, () => own.name, (name) => change({ ...own, name })),
      button("✕", { title: "Remove", "aria-label": `Remove ${loop.name}`, onclick: (/** @type {Event} */ event) => {
        /** @type {HTMLElement} */ (event.target).blur();
        change(null);
      } }));
  }

  /** A field for a name, which Escape gives up. @param {string} label @param {() => string} name @param {(name: string) => void} onChange */
  nameField(label, name, onChange) {
    const field = /** @type {HTMLInputElement} */ (make("input", {
      type: "text", dir: "auto", "aria-label": label, onchange: () => onChange(field.value),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Escape" || field.value === name()) return;
        // The list stays open.
        event.preventDefault();
        field.value = name();
      },
    }));
    field.value = name();
    return field;
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
    if (!chip) return;
    byId("chips").scrollTo({ top: chip.offsetTop - 3 });
    // On a phone, all of them are one row.
    const row = byId("marks-row");
    row.scrollTo({ left: row.scrollLeft + chip.getBoundingClientRect().left - row.getBoundingClientRect().left - 16 });
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
    const name = this.nameField(`Name of mark ${index + 1}`, () => own.name, (text) => {
      const next = { ...own, name: text };
      this.change(own, next);
      own = next;
    });
    const button = (/** @type {string} */ text, /** @type {Record<string, any>} */ more) => make("button", { type: "button", class: "small quiet", ...more }, text);
    return make("li", {},
      button(clock(mark.at), { onclick: () => this.onSeek(own.at) }), name,
      button("Loop", { title: "Loop to the next mark", onclick: () => {
        const { marks } = this.model.state;
        const end = marks.find((other) => other.at > own.at)?.at ?? this.model.seconds;
        // Nothing follows a mark at the end.
        if (end > own.at) this.model.set({ a: null, loop: { start: own.at, end } });
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
    const { marks, loops, file } = this.model.state;
    const address = URL.createObjectURL(new Blob([labels(marks, loops)], { type: "text/plain" }));
    make("a", { href: address, download: `${file.name.replace(/\.[^.]*$/, "")}.txt` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }
}
