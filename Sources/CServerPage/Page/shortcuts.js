// The actions of keys.

import { byId, make, note } from "./dom.js";
import { meaning, shown, table, takes } from "./keys.js";
import { closeSheets } from "./sheets.js";

/**
 * Lists the keys, and listens to them; returns what they do by name.
 * @param {any} state what is open
 * @param {{transport: import("./transport.js").Transport, view: import("./view.js").WaveView, jobs: import("./jobs.js").Jobs, addMark: () => void, chooseNeighbor: (step: number) => void}} parts
 */
export function watchKeys(state, { transport, view, jobs, addMark, chooseNeighbor }) {
  const { player } = transport;
  /** @type {Record<string, (index: number) => void>} */
  const actions = {
    toggle: () => transport.toggle(),
    ten: (index) => transport.move(index === 0 ? -10 : 10),
    one: (index) => transport.move(index === 0 ? -1 : 1),
    minute: (index) => transport.move(index === 0 ? -60 : 60),
    ends: (index) => transport.seek(index === 0 ? 0 : transport.seconds),
    chapter: (index) => {
      const starts = (state.details?.chapters ?? []).map((/** @type {any} */ chapter) => chapter.start);
      const at = player.moment;
      const next = index === 0 ? starts.findLast((/** @type {number} */ start) => start < at - 1) ?? 0 : starts.find((/** @type {number} */ start) => start > at + 0.01);
      if (next !== undefined) transport.seek(next);
    },
    tenth: (index) => transport.seek((transport.seconds * index) / 10),
    rate: (index) => transport.setRate(state.rate + (index === 0 ? -0.05 : 0.05)),
    double: (index) => transport.setRate(state.rate * (index === 0 ? 0.5 : 2)),
    resetRate: () => transport.setRate(1, 0),
    tune: (index) => transport.setRate(state.rate, state.tune + (index === 0 ? -1 : 1)),
    loop: () => transport.stepLoop(),
    loopFile: () => transport.loopFile(),
    volume: (index) => transport.setVolume(state.volume + (index === 0 ? -0.05 : 0.05)),
    mute: () => transport.setVolume(state.volume > 0 ? 0 : 1),
    mark: addMark,
    time: () => byId("time").click(),
    compare: () => transport.hear(player.heard === "source" ? "result" : "source"),
    listen: () => transport.listenToResult(),
    scale: () => byId("scale").click(),
    escape: () => {
      const drawer = /** @type {HTMLDialogElement} */ (byId("look"));
      if (drawer.open) {
        drawer.close();
        const openers = [byId("open-look"), byId("sheet-bar").querySelector("[data-opens=open-look]")];
        /** @type {HTMLElement | null | undefined} */ (openers.find((own) => own?.checkVisibility()))?.focus();
      } else if (closeSheets()) {
        // Only the sheet.
      } else if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
      else jobs.cancelLast().then((wasRunning) => wasRunning && note("The job is stopped."));
    },
    file: (index) => chooseNeighbor(index % 2 === 0 ? -1 : 1),
    zoom: (index) => view.zoom(index === 0 ? 0.5 : 2),
    fit: () => view.show({ start: 0, end: view.total }),
    search: () => {
      document.body.dataset.view = "list";
      byId("search").focus();
    },
    help: () => byId("open-keys").click(),
  };

  byId("key-list").replaceChildren(...table.map(({ keys, words }) => make("div", {},
    make("dt", {}, ...(keys.length === 10 ? ["0", "–", "9"] : keys).map((key) => (key === "–" ? key : make("kbd", {}, shown(key))))),
    make("dd", {}, words))));

  addEventListener("keydown", (event) => {
    if (document.querySelector("dialog:modal")) return;
    const found = meaning(event);
    if (!found) return;
    const needsNoKeys = found.action === "escape" || document.activeElement?.getAttribute("role") === "slider";
    if (!state.usesKeys && !needsNoKeys) return;
    if (found.action !== "escape" && takes(document.activeElement, event.key)) return;
    if (!state.file && !["search", "help", "file", "escape"].includes(found.action)) return;
    event.preventDefault();
    actions[found.action](found.index);
  });
  return actions;
}
