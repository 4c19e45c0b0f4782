// Bending: the lines between the lanes as handles. A drag between the lanes pulls the moment there, a mark or an anchor,
// to another place of the result; each anchor has a handle in both lanes.

import { added, moved, mapOf, readMap } from "./bend.js";
import { announce, byId, make, note } from "./dom.js";
import { draggable } from "./drag.js";
import { itemsOf } from "./items.js";
import { clock, spoken } from "./time.js";

/** Pixels around a line that belong to it. */
const room = 9;

export class BendView {
  /** @param {import("./model.js").Model} model @param {import("./view.js").WaveView} view @param {() => number} moment the one that is heard */
  constructor(model, view, moment) {
    [this.model, this.view, this.moment] = [model, view, moment];
    /** Handles by anchor: in the original, and in the result. @type {HTMLElement[][]} */
    this.handles = [];
    byId("bend").addEventListener("click", () => this.turn(!model.state.isBending));
    byId("bend-here").addEventListener("click", () => this.addHere());
    byId("bend-clear").addEventListener("click", () => {
      model.step();
      model.set({ bends: [] });
      announce("Straight again");
      byId("bend-here").focus();
    });
    byId("bend-export").addEventListener("click", () => this.export());
    byId("bend-import").addEventListener("change", (event) => this.import(/** @type {HTMLInputElement} */ (event.target)));
    draggable(byId("bend-gap"), (down) => this.pull(down));
    draggable(byId("anchors"), (down) => {
      const handle = /** @type {HTMLElement | null} */ (/** @type {Element} */ (down.target).closest(".anchor"));
      return handle ? this.drag(Number(handle.dataset.index), /** @type {"at" | "to"} */ (handle.dataset.end)) : null;
    });
    byId("anchors").addEventListener("keydown", (event) => this.key(event));
    model.watch(["bends", "isBending", "details"], () => this.show());
    this.show();
  }

  /** @param {boolean} isOn */
  turn(isOn) {
    this.model.set({ isBending: isOn });
    if (isOn) byId("bend-row").scrollIntoView({ block: "nearest" });
    else byId("stage").scrollTop = 0;
    announce(isOn ? "Bending: drag between the lanes, or add a place" : "Bending is off");
  }

  /** Sets bends; only the same pitch has some. @param {import("./bend.js").Anchor[]} bends @param {Partial<import("./model.js").State>} [more] */
  set(bends, more = {}) {
    this.model.set({ bends, pitch: "same", preset: "", ...more });
  }

  /** Adds an anchor at a moment; answers its number. @param {number} at */
  add(at) {
    const { model } = this;
    model.step();
    const next = added(model.state.bends, model.seconds, at);
    if (!next) return model.state.bends.findIndex((own) => Math.abs(own.at - at) < 0.05);
    this.set(next.bends);
    return next.index;
  }

  /** Adds an anchor at the moment that is heard. */
  addHere() {
    if (!this.model.seconds) return;
    this.model.set({ isBending: true });
    const index = this.add(this.moment());
    if (index < 0) return note("There is no room for another place here.");
    announce(`A place at ${spoken(this.model.state.bends[index].at)}: the arrow keys move it`);
    this.draw();
    this.handles[index]?.[1].focus();
  }

  /** @param {number} index @param {"at" | "to"} end @param {number} value */
  move(index, end, value) {
    const { bends, speed } = this.model.state;
    this.set(moved(bends, index, end, value, this.model.seconds, speed));
  }

  /** A drag from a handle. @param {number} index @param {"at" | "to"} end */
  drag(index, end) {
    const { model, view } = this;
    this.handles[index]?.[end === "at" ? 0 : 1].focus({ preventScroll: true });
    const move = (/** @type {PointerEvent} */ event) => {
      const bounds = view.lanes.source.box.getBoundingClientRect();
      const seconds = ((event.clientX - bounds.left) / bounds.width) * (view.view.end - view.view.start);
      // The left edge may lie beyond the anchor, and moves with it no more than the pointer does.
      this.move(index, end, end === "at" ? view.view.start + seconds : (left + seconds) / model.factor);
    };
    const left = model.output(view.view.start);
    return { move, end: () => this.say(index) };
  }

  /** A drag between the lanes, which pulls what is there. @param {PointerEvent} down */
  pull(down) {
    const { model, view } = this;
    if (!model.seconds) return null;
    const bounds = byId("bend-gap").getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (down.clientY - bounds.top) / Math.max(1, bounds.height)));
    const x = down.clientX - view.lanes.source.box.getBoundingClientRect().left;
    const place = (/** @type {number} */ at) => view.x(at, "source") * (1 - share) + view.x(at, "result") * share;
    const near = [...model.state.bends, ...itemsOf(model.state)].map(({ at }) => ({ at, away: Math.abs(place(at) - x) }))
      .filter(({ away }) => away <= room).sort((a, b) => a.away - b.away)[0];
    let at = near?.at;
    if (at === undefined) {
      let [low, high] = [0, model.seconds];
      for (let turn = 0; turn < 50; turn++) {
        const middle = (low + high) / 2;
        if (place(middle) < x) low = middle;
        else high = middle;
      }
      at = low;
    }
    const moment = at;
    /** @type {ReturnType<BendView["drag"]> | null} */
    let drag = null;
    return {
      move: (/** @type {PointerEvent} */ event) => {
        if (!drag) {
          const index = this.add(moment);
          if (index < 0) return;
          this.draw();
          drag = this.drag(index, "to");
        }
        drag.move(event);
      },
      end: () => drag?.end(),
    };
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { index, end } = /** @type {HTMLElement} */ (event.target).dataset;
    const own = this.model.state.bends[Number(index)];
    if (!own || (end !== "at" && end !== "to") || event.ctrlKey || event.altKey || event.metaKey) return;
    const sign = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (sign) {
      const step = sign * (event.shiftKey ? 0.1 : 0.01);
      // Seconds of the lane that it is in.
      this.move(Number(index), end, own[end] + (end === "to" ? step / this.model.factor : step));
      this.say(Number(index));
    } else if (event.key === "Delete" || event.key === "Backspace") this.remove(Number(index));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} index */
  remove(index) {
    const bends = this.model.state.bends.filter((_, number) => number !== index);
    this.model.step();
    this.model.set({ bends });
    announce("Place removed");
    this.draw();
    (this.handles[Math.min(index, bends.length - 1)]?.[1] ?? byId("bend-here")).focus();
  }

  /** @param {number} index */
  say(index) {
    const own = this.model.state.bends[index];
    if (own) announce(`${clock(own.at)} at ${clock(this.model.output(own.at))}`);
  }

  show() {
    const { bends, isBending, details } = this.model.state;
    const isOn = isBending && Boolean(details?.seconds);
    byId("bend").setAttribute("aria-pressed", String(isOn));
    byId("bend-row").hidden = !isOn;
    byId("picture").classList.toggle("is-bending", isOn);
    byId("bend-gap").hidden = byId("anchors").hidden = !isOn;
    const count = bends.length;
    byId("bend").textContent = count > 0 ? `Bend · ${count}` : "Bend";
    byId("bend-words").textContent = count === 0 ? "Drag between the lanes: pull a beat or a word to where it should be." : `${count} ${count === 1 ? "place" : "places"}; Delete removes one.`;
    for (const id of ["bend-export", "bend-clear"]) /** @type {HTMLButtonElement} */ (byId(id)).disabled = count === 0;
    this.view.plan();
  }

  /** Draws lines and handles at once, so that a new one can have the focus. */
  draw() {
    this.view.lines.show();
    this.place();
  }

  /** Puts the handles where their anchors are. */
  place() {
    const { bends, isBending } = this.model.state;
    const { view } = this;
    const [, upper, lower] = view.lines.rows ?? [0, 0, 0, 0];
    const gap = byId("bend-gap");
    [gap.style.top, gap.style.height] = [`${upper}px`, `${lower - upper}px`];
    const shown = isBending ? bends : [];
    while (this.handles.length > shown.length) for (const handle of this.handles.pop() ?? []) handle.remove();
    shown.forEach((own, index) => {
      this.handles[index] ??= this.pair(index);
      for (const [number, handle] of this.handles[index].entries()) {
        const end = number === 0 ? "at" : "to";
        const x = view.x(own.at, number === 0 ? "source" : "result");
        [handle.style.left, handle.style.top] = [`${x + (view.lines.left ?? 0)}px`, `${number === 0 ? upper : lower}px`];
        handle.hidden = x < -1 || x > view.width + 1;
        const value = end === "at" ? own.at : this.model.output(own.at);
        handle.setAttribute("aria-valuenow", value.toFixed(2));
        handle.setAttribute("aria-valuemax", (view.total * (end === "at" ? 1 : this.model.factor)).toFixed(2));
        handle.setAttribute("aria-valuetext", end === "at" ? spoken(value) : `${clock(own.at)} at ${clock(value)}`);
      }
    });
  }

  /** The handles of an anchor. @param {number} index */
  pair(index) {
    return ["at", "to"].map((end) => {
      const handle = make("div", {
        class: `anchor ${end}`, role: "slider", tabindex: 0, "aria-keyshortcuts": "Delete", "data-index": index, "data-end": end, "aria-valuemin": 0,
        "aria-label": end === "at" ? `Place ${index + 1} in the original` : `Place ${index + 1} in the result`,
        title: "Drag, or use the arrow keys; Delete removes it",
      });
      byId("anchors").append(handle);
      return handle;
    });
  }

  export() {
    const { bends, file, duration } = this.model.state;
    const text = mapOf(bends, this.model.seconds, duration ?? this.model.seconds * this.model.factor);
    const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    make("a", { href: address, download: `${file.name.replace(/\.[^.]*$/, "")}-map.txt` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }

  /** @param {HTMLInputElement} input */
  async import(input) {
    const [file] = input.files ?? [];
    if (!file) return;
    const { id } = this.model.state.file;
    const text = file.size > 1 << 20 ? "" : await file.text();
    input.value = "";
    if (this.model.state.file?.id !== id) return;
    const found = readMap(text, this.model.seconds, this.model.state.details.sampleRate);
    if (typeof found === "string") return note(`${file.name}: ${found}`, true);
    this.set(found.bends, { speed: found.speed, duration: null });
    note(`${file.name}: ${found.bends.length} ${found.bends.length === 1 ? "place" : "places"}`);
  }
}
