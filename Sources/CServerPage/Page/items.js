// Items on the waveforms besides the position: the loop, chapters and marks.

import { byId, make } from "./dom.js";
import { clock } from "./time.js";

/** @typedef {import("./zoom.js").View} View */
/** @typedef {{loop: View | null, a: number | null, chapters: any[], marks: any[]}} Items */

/** Shows a loop, a set point A, chapters and marks. @param {import("./view.js").WaveView} view @param {Items} items */
export function showItems(view, { loop, a, chapters, marks }) {
  const range = loop ?? (a === null ? null : { start: a, end: a });
  for (const [name, lane] of Object.entries(view.lanes)) {
    lane.loop.hidden = !range;
    if (range) {
      lane.loop.style.left = `${view.share(range.start)}%`;
      lane.loop.style.width = `${Math.max(0, view.share(range.end) - view.share(range.start))}%`;
    }
    if (name === "source" || marks.length > 0 || lane.marks.childElementCount > 0) showMarks(view, lane.marks, marks, name === "source");
  }
  showChapters(view, chapters);
}

/** @param {import("./view.js").WaveView} view @param {any[]} chapters */
function showChapters(view, chapters) {
  const place = byId("chapters");
  place.classList.toggle("none", chapters.length === 0);
  const [width, letter] = [place.clientWidth, sizeOfText(place)];
  const seen = chapters.filter((chapter) => chapter.end > view.view.start && chapter.start < view.view.end);
  place.replaceChildren(...seen.map((chapter) => {
    const [from, to] = [Math.max(0, view.share(chapter.start)), Math.min(100, view.share(chapter.end))];
    // A letter and an ellipsis are useless.
    const hasRoom = ((to - from) / 100) * width > 4 * letter;
    const flag = make("span", { class: "flag", dir: "auto", title: chapter.title }, hasRoom ? chapter.title || clock(chapter.start, 0) : "");
    flag.style.left = `${from}%`;
    flag.style.maxWidth = `${Math.max(0, to - from)}%`;
    return flag;
  }));
}

/** @param {HTMLElement} element */
const sizeOfText = (element) => parseFloat(getComputedStyle(element).fontSize);

/**
 * The positions of marks' names, and their maximum widths: each ends before the next mark; those near the end of the lane
 * stand before their own.
 * @param {number[]} lefts the places of the marks, in order @param {number} width of the lane @param {number} most of a name
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

/** @param {import("./view.js").WaveView} view @param {HTMLElement} place @param {any[]} marks @param {boolean} hasNames */
function showMarks(view, place, marks, hasNames) {
  const seen = marks.filter(({ at }) => at >= view.view.start && at <= view.view.end).sort((a, b) => a.at - b.at);
  const [width, letter] = [place.clientWidth, sizeOfText(place)];
  const places = rooms(seen.map((mark) => (view.share(mark.at) / 100) * width), width, 9 * letter);
  place.replaceChildren(...seen.map((mark, index) => {
    const line = make("div", { class: "mark" });
    line.style.left = `${view.share(mark.at)}%`;
    if (hasNames) {
      const { isTurned, room } = places[index];
      line.classList.toggle("turned", isTurned);
      line.style.setProperty("--room", `${Math.max(24, room)}px`);
      // Two letters of room name nothing; the list has the names of all.
      const flag = make("button", {
        type: "button", "aria-label": mark.name, title: `${mark.name}, ${clock(mark.at)}`, dir: "auto", onclick: () => view.on.onPick(mark),
      }, room < 2 * letter ? "" : mark.name);
      dragMark(view, flag, mark);
      line.append(flag);
    }
    return line;
  }));
}

/** @param {import("./view.js").WaveView} view @param {HTMLElement} flag @param {any} mark */
function dragMark(view, flag, mark) {
  flag.addEventListener("pointerdown", (down) => {
    down.stopPropagation();
    const bounds = view.lanes.source.box.getBoundingClientRect();
    let moved = false;
    const at = (/** @type {PointerEvent} */ event) => {
      const moment = view.view.start + ((event.clientX - bounds.left) / bounds.width) * (view.view.end - view.view.start);
      return Math.max(0, Math.min(view.total, moment));
    };
    const move = (/** @type {PointerEvent} */ event) => {
      if (Math.abs(event.clientX - down.clientX) > 3) moved = true;
      if (moved) view.on.onMark(mark, at(event), false);
    };
    const up = (/** @type {PointerEvent} */ event) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
      // If the system took over the touch, its last position is unknown.
      if (moved) view.on.onMark(mark, event.type === "pointerup" ? at(event) : mark.at, true);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
  });
}
