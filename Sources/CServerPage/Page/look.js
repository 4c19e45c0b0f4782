// The look of waveforms: kept by this browser, and changed live.

import { byId, make, slide } from "./dom.js";
import { draggable } from "./drag.js";
import { floors } from "./peaks.js";
import { keep, kept } from "./store.js";

const usual = {
  style: "envelope", floor: -70, barWidth: 3, spacing: 1.5, aspect: 0.9, gradient: true,
  source: "", result: "", list: 0, follow: true, exact: false, keys: true,
};
const fields = { style: "look-style", floor: "look-floor", barWidth: "look-width", spacing: "look-spacing", aspect: "look-aspect", gradient: "look-gradient", source: "look-source", result: "look-result", list: "look-list", follow: "look-follow", exact: "look-exact", keys: "look-keys" };

/** The size of the text of the page, in pixels. */
const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize);

/** Connects the drawer; `onChange` gets each new look. @param {(look: typeof usual) => void} onChange */
export function look(onChange) {
  let value = kept("look", usual);
  byId("look-floor").replaceChildren(...floors.map((floor) => make("option", { value: floor }, `${floor} dB`)));
  const show = () => {
    const style = getComputedStyle(document.documentElement);
    for (const [name, id] of Object.entries(fields)) {
      const field = /** @type {HTMLInputElement} */ (byId(id));
      const own = value[/** @type {keyof typeof usual} */ (name)];
      if (field.type === "checkbox") field.checked = Boolean(own);
      else if (field.type === "color") field.value = String(own || style.getPropertyValue(name === "source" ? "--blue" : "--orange").trim());
      else if (field.type === "range") slide(id, Number(own) || byId("library").offsetWidth / rem());
      else field.value = String(own);
    }
    for (const id of ["look-width", "look-spacing", "look-aspect", "look-gradient"]) /** @type {HTMLInputElement} */ (byId(id)).disabled = value.style !== "bars";
  };
  for (const [name, id] of Object.entries(fields)) {
    byId(id).addEventListener("input", () => {
      const field = /** @type {HTMLInputElement} */ (byId(id));
      const isNumber = typeof usual[/** @type {keyof typeof usual} */ (name)] === "number";
      value = { ...value, [name]: field.type === "checkbox" ? field.checked : isNumber ? Number(field.value) : field.value };
      keep("look", value);
      show();
      onChange(value);
    });
  }
  // The border of the list is dragged, too.
  draggable(byId("divider"), () => ({ move: (event) => {
    const field = /** @type {HTMLInputElement} */ (byId("look-list"));
    field.value = String(event.clientX / rem());
    field.dispatchEvent(new Event("input"));
  } }));
  byId("look-reset").addEventListener("click", () => {
    value = { ...usual };
    keep("look", value);
    show();
    onChange(value);
  });
  byId("open-look").addEventListener("click", () => {
    show();
    const drawer = /** @type {HTMLDialogElement} */ (byId("look"));
    if (drawer.open) drawer.close();
    else drawer.show();
    byId("open-look").setAttribute("aria-expanded", String(drawer.open));
  });
  byId("look").addEventListener("close", () => byId("open-look").setAttribute("aria-expanded", "false"));
  onChange(value);
}
