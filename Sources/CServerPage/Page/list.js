// The list of files: only the rows that are visible are in the page.

import { make } from "./dom.js";
import { percent } from "./speed.js";
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

/** A long name in two parts: the second stays in sight, as it is often the end that tells files apart. @param {string} name @returns {[string, string]} */
export function halves(name) {
  const letters = [...name];
  const least = letters.length - 16;
  if (least < 8) return [name, ""];
  const near = letters.findIndex((letter, index) => index >= least && index < letters.length - 6 && /[\s\-_.(]/.test(letter));
  let at = near < 0 ? letters.length - 11 : near;
  // Not between a letter and what belongs to it.
  while (at > 0 && /^[\p{M}\u200d]/u.test(letters[at])) at -= 1;
  return [letters.slice(0, at).join(""), letters.slice(at).join("")];
}

const lengths = /x(?<factor>\d+(?:\.\d+)?)|(?<seconds>(?:\d+h)?(?:\d+m)?\d+(?:\.\d+)?s)|tempo(?<tempo>\d+(?:\.\d+)?)|speed(?<speed>\d+(?:\.\d+)?)|(?<bpm>\d+(?:\.\d+)?)bpm|(?<mapped>mapped)/;
const endings = new RegExp(String.raw`^(?<stem>.+?)(?:-(?:${lengths.source}))?(?:-(?<method>linear|smoothstep|sinc|stretch))?(?:-pitch(?<pitch>-?\d+(?:\.\d+)?))?(?: \((?<version>\d+)\))?$`);

/** What a name says of the result that it names: the stem of its original, and the settings. @param {string} name */
export function resultOf(name) {
  // Most names have none of it; the expression takes a while.
  const found = name.includes("-") ? endings.exec(name.replace(/\.[^.]*$/, ""))?.groups : null;
  if (!found) return null;
  const { stem, factor, seconds, tempo, bpm, mapped, method, pitch, version } = found;
  if (!(factor || seconds || tempo || found.speed || bpm || mapped || pitch)) return null;
  const isSame = method === "stretch" || Boolean(tempo || bpm || mapped || pitch);
  const stated = factor ? 1 / Number(factor) : Number(tempo ?? found.speed ?? 1);
  return { stem, speed: seconds || bpm || mapped ? null : stated, key: Number(pitch ?? 0), isSame, method: method ?? "", isMapped: Boolean(mapped), version: Number(version ?? 0) };
}

/**
 * Results under their originals: the list with each result after its original, and the originals of results by id.
 * @param {any[]} files @returns {{list: any[], origins: Map<string, any>}}
 */
export function nested(files) {
  /** @type {Map<string, any>} */
  const originals = new Map();
  for (const file of files) originals.set(`${file.folder}/${file.name.replace(/\.[^.]*$/, "")}`, file);
  /** @type {Map<string, any>} */
  const origins = new Map();
  /** @type {Map<string, any[]>} */
  const children = new Map();
  for (const file of files) {
    const own = resultOf(file.name);
    const origin = own && originals.get(`${file.folder}/${own.stem}`);
    if (!origin || origin === file) continue;
    origins.set(file.id, origin);
    children.set(origin.id, [...(children.get(origin.id) ?? []), file]);
  }
  // A result of a result stands with it.
  const after = (/** @type {any} */ file) => [file, ...(children.get(file.id) ?? []).flatMap((child) => [...after(child)])];
  return { list: origins.size === 0 ? [...files] : files.filter((file) => !origins.has(file.id)).flatMap(after), origins };
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
   * @param {{onSelect: (id: string) => void, onPlay: (id: string) => void, onCheck: () => void, onNeed: (ids: string[]) => void}} on
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
    /** Names of files, also of those that have left the folder. @type {Map<string, string>} */
    this.names = new Map();
    /** @type {Map<string, any>} */
    this.states = new Map();
    /** @type {Set<string>} */
    this.checked = new Set();
    /** True while a person selects several files. */
    this.isSelecting = false;
    /** The originals of results. @type {Map<string, any>} */
    this.origins = new Map();
    /** The file that was checked last, from which a range goes on. */
    this.lastChecked = "";
    this.selected = "";
    this.text = "";
    this.order = "folder";
    /** @type {Map<number, HTMLElement>} */
    this.rows = new Map();
    this.sheet = make("ul", { class: "rows", role: "list" });
    this.step = make("div", { class: "row-step" });
    this.rowHeight = 52;
    /** True if names have room for both their ends. Asked of each row, the width would take a layout each. */
    this.isWide = true;
    frame.append(this.sheet, this.step);
    frame.addEventListener("scroll", () => this.plan(), { passive: true });
    new ResizeObserver(() => {
      this.measure();
      this.plan();
    }).observe(frame);
    new ResizeObserver(() => this.setHeight(this.step.offsetHeight)).observe(this.step);
  }

  /** Learns whether rows are wide, and draws them anew if that has changed. */
  measure() {
    // A row is 3.25 rem high; in less than 12, two parts would be too small to be read.
    const isWide = this.frame.clientWidth > (12 / 3.25) * this.rowHeight;
    if (isWide === this.isWide) return;
    this.isWide = isWide;
    this.redraw();
  }

  /** Places the rows anew where text has another size. @param {number} height of a row; 0 where the list is not seen */
  setHeight(height) {
    if (height === 0 || height === this.rowHeight) return;
    const first = this.frame.scrollTop / this.rowHeight;
    this.rowHeight = height;
    this.measure();
    this.arrange();
    this.frame.scrollTop = first * height;
  }

  /** Takes new files, and answers the ids of those whose content has changed. @param {any[]} files @returns {Set<string>} */
  setFiles(files) {
    const before = new Map(this.files.map((file) => [file.id, file]));
    const changed = new Set(files.filter((file) => {
      const own = before.get(file.id);
      return own && (own.bytes !== file.bytes || own.modified !== file.modified);
    }).map(({ id }) => id));
    // Facts about them are old.
    for (const id of changed) this.facts.delete(id);
    this.files = files;
    for (const { id, name } of files) this.names.set(id, name);
    const ids = new Set(files.map((file) => file.id));
    for (const id of this.checked) if (!ids.has(id)) this.checked.delete(id);
    this.arrange();
    return changed;
  }

  /** Filters and sorts again. */
  arrange() {
    const own = new Map([...this.states].map(([id, state]) => [id, ranks[/** @type {keyof typeof ranks} */ (state.state)] ?? 0]));
    const found = this.text
      ? this.files.filter((file) => fits(file, this.facts.get(file.id), this.text)) : [...this.files];
    if (this.order !== "folder") found.sort(orders[this.order](this.facts, own));
    const all = nested(this.files);
    this.origins = all.origins;
    this.shown = this.text || this.order !== "folder" ? nested(found).list : all.list;
    this.sheet.style.height = `${this.shown.length * this.rowHeight}px`;
    this.redraw();
  }

  /** Draws all visible rows anew. */
  redraw() {
    const row = /** @type {HTMLElement | null | undefined} */ (document.activeElement?.closest(".row"));
    const held = this.sheet.contains(document.activeElement) ? row?.dataset.id : undefined;
    const kind = document.activeElement?.classList[0];
    for (const own of this.rows.values()) own.remove();
    this.rows.clear();
    // The focus stays with its file.
    if (held === undefined) return this.plan();
    this.draw();
    const next = this.sheet.querySelector(`[data-id="${CSS.escape(held)}"] .${kind}`);
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    else this.frame.focus({ preventScroll: true });
  }

  /** Files that a batch can take: what is shown, without results. */
  get originals() {
    return this.shown.filter((file) => !this.origins.has(file.id));
  }

  /** @param {boolean} isOn */
  setSelecting(isOn) {
    this.isSelecting = isOn;
    if (!isOn) this.checked.clear();
    this.redraw();
    this.on.onCheck();
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
    const [missing, added] = [[], []];
    for (let index = first; index < end; index++) {
      if (!this.facts.has(this.shown[index].id)) missing.push(this.shown[index].id);
      if (this.rows.has(index)) continue;
      const row = this.row(index);
      this.rows.set(index, row);
      added.push(row);
    }
    this.sheet.append(...added);
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
    const origin = this.origins.get(file.id);
    const own = origin ? resultOf(file.name) : null;
    const title = origin ? `${own?.isMapped ? "Bent" : own?.speed ? percent(own.speed) : "Another length"}${own?.key ? ` · ${own.key > 0 ? "+" : "−"}${Math.abs(own.key)} semitones` : own?.isSame ? " · same pitch" : ""}${own?.version ? ` · earlier (${own.version})` : ""}` : facts?.title || file.name;
    const [start, end] = origin ? [`↳ ${title}`, ""] : this.isWide ? halves(title) : [title, ""];
    const name = make("span", { class: end ? "title ends" : "title", dir: "auto", title: file.name }, ...(end ? [make("span", {}, start), make("span", {}, end)] : [start]));
    const about = [facts?.format, facts?.depth].filter(Boolean).join(", ");
    const length = facts?.seconds === undefined || facts?.seconds === null ? "" : clock(facts.seconds, 0);
    const state = this.state(file.id, facts);
    // Touch screens and narrow windows show length and state here.
    const rest = origin || facts?.title ? file.name : file.folder.includes("/") ? file.folder : about;
    const before = (/** @type {string} */ kind, /** @type {string | null} */ text) =>
      text ? [make("span", { class: kind }, rest ? `${text} · ` : text)] : [];
    const below = make("span", { class: "file" },
      ...before("own-length", length), ...before(`own-${state.className}`, state.textContent), make("bdi", {}, rest));
    const isOpen = this.selected === file.id;
    const open = make(
      "button", {
        class: "open", type: "button", "aria-current": isOpen ? "true" : null, "aria-label": origin ? `Result of ${origin.name}: ${title}` : null,
        // One stop of the tab key for the whole list; the arrow keys walk.
        tabindex: isOpen || (index === 0 && !this.shown.some((other) => other.id === this.selected)) ? 0 : -1,
        onclick: (/** @type {MouseEvent} */ event) => (this.isSelecting ? this.toggle(index, event.shiftKey) : this.on.onSelect(file.id)),
        ondblclick: () => !this.isSelecting && this.on.onPlay(file.id),
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.walk(event, index),
      }, name, below);
    const children = [open, state, make("span", { class: "length" }, length)];
    if (this.isSelecting) {
      const box = make("input", {
        type: "checkbox", class: "check", "aria-label": `Select ${title}`, disabled: Boolean(origin),
        onclick: (/** @type {MouseEvent} */ event) => this.toggle(index, event.shiftKey, /** @type {HTMLInputElement} */ (event.target).checked),
      });
      /** @type {HTMLInputElement} */ (box).checked = this.checked.has(file.id);
      children.unshift(box);
    }
    const row = make("li", { class: "row", "data-id": file.id, "aria-setsize": this.shown.length, "aria-posinset": index + 1 }, ...children);
    row.classList.toggle("selected", isOpen);
    row.classList.toggle("result", Boolean(origin));
    row.style.transform = `translateY(${index * this.rowHeight}px)`;
    return row;
  }

  /** Walks the list by the arrow keys. @param {KeyboardEvent} event @param {number} index */
  walk(event, index) {
    const page = Math.max(1, Math.floor(this.frame.clientHeight / this.rowHeight) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.focus(Math.max(0, Math.min(this.shown.length - 1, index + step)));
  }

  /** Moves the focus to a row. @param {number} index */
  focus(index) {
    const file = this.shown[index];
    if (!file) return;
    this.reveal(file.id);
    this.draw();
    const button = this.rows.get(index)?.querySelector(".open");
    if (button instanceof HTMLElement) button.focus({ preventScroll: true });
  }

  /** Selects a file, or with a range all since the one before. @param {number} index @param {boolean} isRange @param {boolean} [isOn] */
  toggle(index, isRange, isOn) {
    const file = this.shown[index];
    if (this.origins.has(file.id)) return;
    const on = isOn ?? !this.checked.has(file.id);
    const last = this.shown.findIndex((other) => other.id === this.lastChecked);
    const [first, end] = isRange && last >= 0 ? [Math.min(last, index), Math.max(last, index)] : [index, index];
    for (const other of this.shown.slice(first, end + 1)) {
      if (this.origins.has(other.id)) continue;
      if (on) this.checked.add(other.id);
      else this.checked.delete(other.id);
    }
    this.lastChecked = file.id;
    if (first === end) this.update(file.id);
    else this.redraw();
    this.on.onCheck();
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
      const words = { done: "made", skipped: "exists", failed: "failed", cancelled: "" };
      return make("span", { class: `state ${state.state}`, title: state.problem?.cause ?? "" }, words[/** @type {keyof typeof words} */ (state.state)] ?? state.state);
    }
    if (state) return make("span", { class: "state" }, "waiting");
    if (facts?.problem) return make("span", { class: "state failed", title: facts.problem.cause }, facts.seconds ? "damaged" : "unreadable");
    return make("span", { class: "state" }, "");
  }

  /** Selects all originals that are shown, or none. @param {boolean} on */
  checkAll(on) {
    for (const file of this.originals) {
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
