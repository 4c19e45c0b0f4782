// On phones, panels are sheets that a bar at the bottom opens and closes.

import { byId, icon } from "./dom.js";

const buttons = () => /** @type {HTMLElement[]} */ ([...byId("sheet-bar").querySelectorAll("[data-sheet]")]);

/** Opens a sheet and closes the others; without a name all close. @param {string} [name] */
function show(name) {
  for (const button of buttons()) {
    const own = String(button.dataset.sheet);
    button.setAttribute("aria-expanded", String(own === name));
    byId(own).classList.toggle("open", own === name);
  }
}

/** Closes what is open, and returns whether anything was. */
export function closeSheets() {
  const open = buttons().find((button) => button.getAttribute("aria-expanded") === "true");
  show();
  open?.focus();
  return open !== undefined;
}

export function watchSheets() {
  for (const element of byId("sheet-bar").querySelectorAll("button")) {
    element.prepend(icon(String(element.dataset.icon)));
    const { opens } = element.dataset;
    if (opens) element.addEventListener("click", () => {
      show();
      byId(opens).click();
    });
  }
  for (const button of buttons()) {
    button.addEventListener("click", () => {
      if (button.getAttribute("aria-expanded") === "true") return void closeSheets();
      show(button.dataset.sheet);
      const first = byId(String(button.dataset.sheet)).querySelector("input, button, summary");
      if (first instanceof HTMLElement) first.focus({ preventScroll: true });
    });
  }
}
