// The actions of keys.

import { announce, byId, closeSheet, make, openedSheet } from "./dom.js";
import { itemsOf } from "./items.js";
import { meaning, shown, table, takes } from "./keys.js";

/**
 * Lists the keys, and listens to them; returns what they do by name.
 * @param {import("./model.js").Model} model
 * @param {{transport: import("./transport.js").Transport, panel: import("./panel.js").Panel, view: import("./view.js").WaveView, list: import("./list.js").FileList, bends: import("./bend-view.js").BendView, addMark: () => void, chooseNeighbor: (step: number) => void}} parts
 */
export function watchKeys(model, { transport, panel, view, list, bends, addMark, chooseNeighbor }) {
  const { player } = transport;
  /** @type {Record<string, (index: number) => void>} */
  const actions = {
    toggle: () => transport.toggle(),
    ten: (index) => transport.move(index === 0 ? -10 : 10),
    one: (index) => transport.move(index === 0 ? -1 : 1),
    walk: () => list.focus(Math.max(0, list.shown.findIndex((file) => file.id === list.selected))),
    ends: (index) => transport.seek(index === 0 ? 0 : transport.seconds),
    chapter: (index) => {
      const starts = itemsOf(model.state).map(({ at }) => at);
      const at = player.moment;
      const next = index === 0 ? starts.findLast((start) => start < at - 1) ?? 0 : starts.find((start) => start > at + 0.01);
      if (next !== undefined) transport.seek(next);
    },
    tenth: (index) => transport.seek((transport.seconds * index) / 10),
    rate: (index) => panel.setSpeed(Math.round(model.state.speed * 100 + (index === 0 ? -5 : 5)) / 100),
    double: (index) => panel.setSpeed(model.state.speed * (index === 0 ? 0.5 : 2)),
    resetRate: () => model.set({ speed: 1, duration: null, key: 0, keepsVoices: false, pitch: "same", preset: "" }),
    tune: (index) => panel.setKey(model.state.key + (index === 0 ? -1 : 1)),
    loop: () => transport.stepLoop(),
    loopFile: () => transport.loopFile(),
    volume: (index) => transport.setVolume(model.state.volume + (index === 0 ? -0.05 : 0.05)),
    mute: () => transport.setVolume(model.state.volume > 0 ? 0 : 1),
    mark: addMark,
    bend: () => bends.addHere(),
    time: () => byId("time").click(),
    compare: () => transport.hear(model.state.heard === "source" ? "result" : "source"),
    undo: (index) => {
      if (index === 0 ? model.undo() : model.redo()) announce(index === 0 ? "Undone" : "Done again");
    },
    escape: () => {
      const drawer = /** @type {HTMLDialogElement} */ (byId("look"));
      const open = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll("#panel details[open]")]).at(-1);
      if (drawer.open) {
        drawer.close();
        byId("open-look").focus();
      } else if (open) {
        open.open = false;
        open.querySelector("summary")?.focus();
      } else if (model.state.isBending) {
        bends.turn(false);
        byId("bend").focus();
      } else if (list.isSelecting) byId("select-cancel").click();
      else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    },
    file: (index) => chooseNeighbor(index % 2 === 0 ? -1 : 1),
    zoom: (index) => view.zoom(index === 0 ? 0.5 : 2),
    fit: () => view.fit(),
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
    if (event.defaultPrevented) return;
    const found = meaning(event);
    if (!found) return;
    if (openedSheet()) {
      if (found.action === "escape") return closeSheet();
      // The rest of the page is not in use.
      if (!byId("transport").contains(document.activeElement) || ["help", "search", "walk", "file"].includes(found.action)) return;
    }
    const needsNoKeys = found.action === "escape" || event.ctrlKey || event.metaKey || document.activeElement?.getAttribute("role") === "slider";
    if (!model.state.usesKeys && !needsNoKeys) return;
    if (found.action !== "escape" && takes(document.activeElement, event.key)) return;
    if (!model.state.file && !["search", "help", "file", "walk", "escape"].includes(found.action)) return;
    event.preventDefault();
    actions[found.action](found.index);
  });
  return actions;
}
