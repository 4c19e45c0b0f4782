// The lines through both lanes: position, loop, marks, chapters and the end; and the names of marks and chapters.

import { byId, make, shape } from "./dom.js";
import { draggable } from "./drag.js";
import { clock } from "./time.js";

/** @typedef {import("./view.js").WaveView} WaveView */
/** A mark or a chapter. @typedef {{at: number, name: string, mark: import("./model.js").Mark | null}} Item */

/**
 * The positions of names, and their maximum widths: each ends before the next; those near the end of the lane stand before
 * their own line.
 * @param {number[]} lefts the places, in order @param {number} width of the lane @param {number} most of a name
 */
export function rooms(lefts, width, most) {
  const turned = lefts.map((left) => left > width / 2 && width - left < most);
  return lefts.map((left, index) => {
    const other = turned[index] ? index - 1 : index + 1;
    const gap = Math.abs(left - (lefts[other] ?? (turned[index] ? 0 : width)));
    const isShared = other >= 0 && other < lefts.length && turned[other] !== turned[index];
    return { isTurned: turned[index], room: Math.max(0, Math.min(most, (isShared ? gap / 2 : gap) - 4)) };
  });
}

/** Marks and chapters, in order. @param {import("./model.js").State} state @returns {Item[]} */
export function itemsOf(state) {
  const chapters = (state.details?.chapters ?? []).map((/** @type {any} */ chapter, /** @type {number} */ index) =>
    ({ at: chapter.start, name: chapter.title || `Chapter ${index + 1}`, mark: null }));
  return [...chapters, ...state.marks.map((mark) => ({ at: mark.at, name: mark.name, mark }))].sort((a, b) => a.at - b.at);
}

export class Lines {
  /** @param {WaveView} view */
  constructor(view) {
    this.view = view;
    this.svg = /** @type {SVGElement} */ (/** @type {unknown} */ (byId("lines")));
    this.position = shape("polyline", "head-line");
    this.knob = shape("circle", "head-knob");
    this.knob.setAttribute("r", "5");
    this.loop = shape("polygon", "loop-area");
    this.edges = [shape("polyline", "loop-line"), shape("polyline", "loop-line")];
    this.end = shape("polyline", "end-line");
    this.others = shape("g", "item-lines");
    this.bends = shape("g", "bend-lines");
    this.svg.append(this.loop, this.others, this.bends, this.end, ...this.edges, this.position, this.knob);
    this.handles = { start: byId("edge-a"), end: byId("edge-b") };
    for (const edge of /** @type {const} */ (["start", "end"])) draggable(this.handles[edge], () => this.view.edgeDrag(edge, "result"));
  }

  /** The tops and bottoms of the lanes in the picture. */
  measure() {
    const [source, result] = [this.view.lanes.source.box, this.view.lanes.result.box];
    this.left = source.offsetLeft;
    this.rows = [source.offsetTop, source.offsetTop + source.offsetHeight, result.offsetTop, result.offsetTop + result.offsetHeight];
  }

  /** The points of a line through both lanes. @param {number} moment */
  points(moment) {
    const [one, other] = [this.view.x(moment, "source") + this.left, this.view.x(moment, "result") + this.left];
    const [top, upper, lower, bottom] = this.rows ?? [0, 0, 0, 0];
    return [[one, top], [one, upper], [other, lower], [other, bottom]].map(([x, y]) => `${x.toFixed(1)},${y}`);
  }

  /** True if a moment is seen in one of the lanes. @param {number} moment */
  isSeen(moment) {
    const places = [this.view.x(moment, "source"), this.view.x(moment, "result")];
    return places.some((x) => x >= 0 && x <= this.view.width);
  }

  /** @param {SVGElement} line @param {number} moment */
  draw(line, moment) {
    line.setAttribute("points", this.points(moment).join(" "));
  }

  /** Draws what changes with the view, the loop and the marks. */
  show() {
    this.measure();
    const { view } = this;
    const { loop, a } = view.model.state;
    const range = loop ?? (a === null ? null : { start: a, end: a });
    for (const element of [this.loop, ...this.edges]) element.toggleAttribute("hidden", !range);
    for (const handle of Object.values(this.handles)) handle.hidden = !loop;
    if (range) {
      this.loop.setAttribute("points", [...this.points(range.start), ...this.points(range.end).reverse()].join(" "));
      [range.start, range.end].forEach((moment, index) => this.draw(this.edges[index], moment));
      for (const edge of /** @type {const} */ (["start", "end"])) {
        const x = view.x(range[edge], "result");
        this.handles[edge].style.left = `${x + (this.left ?? 0)}px`;
        this.handles[edge].hidden = !loop || x < -1 || x > view.width + 1;
      }
    }
    this.end.setAttribute("points", this.points(view.total).slice(1, 3).join(" "));
    const x = view.x(view.total, "result");
    const handle = byId("end-handle");
    handle.hidden = view.total === 0 || x > view.width + 40;
    handle.style.left = `${Math.min(x, view.width + 6) + (this.left ?? 0)}px`;
    const items = itemsOf(view.model.state).filter(({ at }) => this.isSeen(at));
    this.others.replaceChildren(...items.map(({ at }) => {
      const line = shape("polyline", "item-line");
      this.draw(line, at);
      return line;
    }));
    this.bends.replaceChildren(...view.model.state.bends.filter(({ at }) => this.isSeen(at)).map(({ at }) => {
      const line = shape("polyline", "bend-line");
      line.setAttribute("points", this.points(at).slice(1, 3).join(" "));
      return line;
    }));
    this.showNames(items.filter(({ at }) => view.x(at, "source") >= 0 && view.x(at, "source") <= view.width));
  }

  /** @param {number} moment */
  place(moment) {
    const isShown = this.view.total > 0 && this.isSeen(moment);
    for (const element of [this.position, this.knob]) element.toggleAttribute("hidden", !isShown);
    if (!isShown || !this.rows) return;
    this.draw(this.position, moment);
    this.knob.setAttribute("cx", String(this.view.x(moment, "source") + (this.left ?? 0)));
    this.knob.setAttribute("cy", String(this.rows[0] - 4));
  }

  /** @param {Item[]} items */
  showNames(items) {
    const { view } = this;
    const place = byId("flags");
    place.style.top = `${this.rows?.[0] ?? 0}px`;
    const letter = parseFloat(getComputedStyle(place).fontSize);
    // Beside the end of the lane stands its length.
    const edge = Math.min(view.width, view.x(view.total, "source"));
    const places = rooms(items.map(({ at }) => view.x(at, "source")), edge, 11 * letter);
    place.replaceChildren(...items.flatMap(({ at, name, mark }, index) => {
      const { isTurned, room } = places[index];
      // Two letters of room name nothing; the chips have the names of all.
      if (room < 3 * letter) return [];
      const flag = make("span", { class: "flag", dir: "auto", title: `${name}, ${clock(at)}` }, name);
      flag.style.left = `${view.x(at, "source") + (isTurned ? -room : 0)}px`;
      flag.style.maxWidth = `${room}px`;
      flag.classList.toggle("turned", isTurned);
      if (isTurned) flag.style.width = `${room}px`;
      draggable(flag, () => {
        let own = mark;
        return {
          click: () => view.on.onPick(at),
          move: (event) => own && (own = view.on.onMark(own, view.at(event.clientX, "source"))),
        };
      });
      return [flag];
    }));
  }

  /** The edge of the loop near a place of a lane. @param {number} clientX @param {import("./player.js").Name} name @param {number} room @returns {"start" | "end" | null} */
  edgeAt(clientX, name, room) {
    const { view } = this;
    const { loop } = view.model.state;
    if (!loop) return null;
    const x = clientX - view.lanes.source.box.getBoundingClientRect().left;
    const [start, end] = [Math.abs(x - view.x(loop.start, name)), Math.abs(x - view.x(loop.end, name))];
    if (Math.min(start, end) > room) return null;
    return start < end ? "start" : "end";
  }
}
