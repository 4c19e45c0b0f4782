// The list of files: only the rows that are visible are in the page.

import { icon, make } from "./dom.js";
import { clock } from "./time.js";

const spare = 6;

/** The rows to draw. @param {number} top @param {number} height @param {number} count @param {number} rowHeight */
export function rowsIn(top, height, count, rowHeight) {
  const first = Math.max(0, Math.floor(top / rowHeight) - spare);
  return { first, end: Math.min(count, Math.ceil((top + height) / rowHeight) + spare) };
}

/** True if a file matches a search: every word occurs in its name, folder, title or artist. @param {any} file @param {any} facts @param {string} text */
export function fits(file, facts, text) {
  const all = [file.name, file.folder, facts?.title, facts?.artist].join("\n").toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => all.includes(word));
}

const compareNames = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" }).compare;

/** How two files are ordered. @type {Record<string, (facts: Map<string, any>, ranks: Map<string, number>) => (a: any, b: any) => number>} */
export const orders = {
  folder: () => () => 0,
  name: () => (a, b) => compareNames(a.name, b.name),
  length: (facts) => (a, b) => (facts.get(a.id)?.seconds ?? 0) - (facts.get(b.id)?.seconds ?? 0),
  newest: () => (a, b) => b.modified - a.modified,
  state: (_, ranks) => (a, b) => (ranks.get(b.id) ?? 0) - (ranks.get(a.id) ?? 0),
};

const ranks = { failed: 5, running: 4, waiting: 3, done: 2, skipped: 1, cancelled: 1 };

/** A list in an element that scrolls. */
export class FileList {
  /**
   * @param {HTMLElement} frame
   * @param {{onSelect: (id: string) => void, onPlay: (id: string) => void, onScale: (id: string) => void, onCheck: () => void, onNeed: (ids: string[]) => void}} on
   */
  constructor(frame, on) {
    this.frame = frame;
    this.on = on;
    /** @type {any[]} */
    this.files = [];
    /** @type {any[]} */
    this.shown = [];
    /** @type {Map<string, any>} */
    this.facts = new Map();
    /** @type {Map<string, any>} */
    this.states = new Map();
    /** @type {Set<string>} */
    this.checked = new Set();
    this.selected = "";
    this.text = "";
    this.order = "folder";
    /** @type {Map<number, HTMLElement>} */
    this.rows = new Map();
    this.sheet = make("ul", { class: "rows", role: "list" });
    this.step = make("div", { class: "row-step" });
    this.rowHeight = 52;
    frame.append(this.sheet, this.step);
    frame.addEventListener("scroll", () => this.plan(), { passive: true });
    new ResizeObserver(() => this.plan()).observe(frame);
    new ResizeObserver(() => this.setHeight(this.step.offsetHeight)).observe(this.step);
  }

  /** Places the rows anew where text has another size. @param {number} height of a row; 0 where the list is not seen */
  setHeight(height) {
    if (height === 0 || height === this.rowHeight) return;
    const first = this.frame.scrollTop / this.rowHeight;
    this.rowHeight = height;
    this.arrange();
    this.frame.scrollTop = first * height;
  }

  /** @param {any[]} files */
  setFiles(files) {
    this.files = files;
    const ids = new Set(files.map((file) => file.id));
    for (const id of this.checked) if (!ids.has(id)) this.checked.delete(id);
    this.arrange();
  }

  /** Filters and sorts again. */
  arrange() {
    const own = new Map([...this.states].map(([id, state]) => [id, ranks[/** @type {keyof typeof ranks} */ (state.state)] ?? 0]));
    const shown = this.text
      ? this.files.filter((file) => fits(file, this.facts.get(file.id), this.text)) : [...this.files];
    if (this.order !== "folder") shown.sort(orders[this.order](this.facts, own));
    this.shown = shown;
    this.sheet.style.height = `${shown.length * this.rowHeight}px`;
    this.redraw();
  }

  /** Draws all visible rows anew. */
  redraw() {
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.plan();
  }

  plan() {
    if (this.planned) return;
    this.planned = true;
    requestAnimationFrame(() => {
      this.planned = false;
      this.draw();
    });
  }

  draw() {
    const { first, end } = rowsIn(this.frame.scrollTop, this.frame.clientHeight, this.shown.length, this.rowHeight);
    for (const [index, row] of this.rows) {
      if (index >= first && index < end) continue;
      // The focused element stays until the focus leaves it.
      if (row.contains(document.activeElement)) continue;
      row.remove();
      this.rows.delete(index);
    }
    const missing = [];
    for (let index = first; index < end; index++) {
      if (!this.facts.has(this.shown[index].id)) missing.push(this.shown[index].id);
      if (this.rows.has(index)) continue;
      const row = this.row(index);
      this.rows.set(index, row);
      this.sheet.append(row);
    }
    if (missing.length > 0) this.on.onNeed(missing);
  }

  /** Draws the row of a file again, if it is visible. @param {string} id */
  update(id) {
    for (const [index, row] of this.rows) {
      if (this.shown[index]?.id !== id) continue;
      const focused = /** @type {HTMLElement | null} */ (row.contains(document.activeElement) ? document.activeElement : null);
      const next = this.row(index);
      row.replaceWith(next);
      this.rows.set(index, next);
      if (focused) /** @type {HTMLElement | null} */ (next.querySelector(`.${focused.classList[0]}`))?.focus();
    }
  }

  /** @param {number} index */
  row(index) {
    const file = this.shown[index];
    const facts = this.facts.get(file.id);
    const title = facts?.title || file.name;
    const box = make("input", {
      type: "checkbox", class: "check", "aria-label": `Choose ${title}`,
      onchange: (/** @type {Event} */ event) => this.check(file.id, /** @type {HTMLInputElement} */ (event.target).checked),
    });
    /** @type {HTMLInputElement} */ (box).checked = this.checked.has(file.id);
    const name = make("span", { class: "title", dir: "auto" }, title);
    const about = [facts?.format, facts?.depth].filter(Boolean).join(", ");
    const length = facts?.seconds === undefined || facts?.seconds === null ? "" : clock(facts.seconds, 0);
    const state = this.state(file.id, facts);
    // Touch screens and narrow windows show length and state here.
    const rest = facts?.title ? file.name : file.folder.includes("/") ? file.folder : about;
    const before = (/** @type {string} */ kind, /** @type {string | null} */ text) =>
      text ? [make("span", { class: kind }, rest ? `${text} · ` : text)] : [];
    const below = make("span", { class: "file" },
      ...before("own-length", length), ...before(`own-${state.className}`, state.textContent), make("bdi", {}, rest));
    const open = make(
      "button", {
        class: "open", type: "button", "aria-current": this.selected === file.id ? "true" : null,
        onclick: () => this.on.onSelect(file.id), ondblclick: () => this.on.onPlay(file.id),
      }, name, below);
    const row = make(
      "li", { class: "row", "aria-setsize": this.shown.length, "aria-posinset": index + 1 },
      box, open, state, make("span", { class: "length" }, length),
      make("span", { class: "acts" },
        make("button", { class: "row-play", type: "button", "aria-label": `Play ${title}`, onclick: () => this.on.onPlay(file.id) }, icon("play"), make("span", {}, "Play")),
        make("button", { class: "row-scale", type: "button", "aria-label": `Scale ${title}`, onclick: () => this.on.onScale(file.id) }, icon("scale"), make("span", {}, "Scale"))));
    row.classList.toggle("selected", this.selected === file.id);
    row.style.transform = `translateY(${index * this.rowHeight}px)`;
    return row;
  }

  /** @param {string} id @param {any} facts */
  state(id, facts) {
    const state = this.states.get(id);
    if (state?.state === "running") {
      const bar = make("progress", { class: "bar", max: 1, "aria-label": "Progress" });
      /** @type {HTMLProgressElement} */ (bar).value = state.fraction;
      return bar;
    }
    if (state && state.state !== "waiting") {
      return make("span", { class: `state ${state.state}`, title: state.problem?.cause ?? "" }, state.state);
    }
    if (state) return make("span", { class: "state" }, "waiting");
    if (facts?.problem) return make("span", { class: "state failed", title: facts.problem.cause }, facts.seconds ? "damaged" : "unreadable");
    return make("span", { class: "state" }, "");
  }

  /** @param {string} id @param {boolean} on */
  check(id, on) {
    if (on) this.checked.add(id);
    else this.checked.delete(id);
    this.on.onCheck();
  }

  /** Chooses all files that are shown, or none. @param {boolean} on */
  checkAll(on) {
    for (const file of this.shown) {
      if (on) this.checked.add(file.id);
      else this.checked.delete(file.id);
    }
    this.redraw();
    this.on.onCheck();
  }

  /** @param {string} id */
  select(id) {
    const before = this.selected;
    this.selected = id;
    this.update(before);
    this.update(id);
    this.reveal(id);
  }

  /** Scrolls to a file. @param {string} id */
  reveal(id) {
    const index = this.shown.findIndex((file) => file.id === id);
    if (index < 0) return;
    const { frame, rowHeight } = this;
    const [top, height] = [index * rowHeight, frame.clientHeight];
    if (top < frame.scrollTop) frame.scrollTop = top;
    if (top + rowHeight > frame.scrollTop + height) frame.scrollTop = top + rowHeight - height;
  }

  /** The file before or after the one that is selected. @param {number} step */
  neighbor(step) {
    const index = this.shown.findIndex((file) => file.id === this.selected);
    return this.shown[Math.max(0, Math.min(this.shown.length - 1, index + step))]?.id ?? null;
  }
}
