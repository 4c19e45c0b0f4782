// Elements. Texts from files are only ever set as text.

/** The element of an id, which the page has. @template {Element} [E=HTMLElement] @param {string} id @returns {E} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no ${id}`);
  return /** @type {E} */ (/** @type {unknown} */ (element));
}

/**
 * A new element with attributes and children; texts become text.
 * @param {string} name @param {Record<string, any>} [attributes] @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}

/**
 * Makes the content of an element like that of another one. What is the same stays, with its focus and with what is
 * pressed: elements of one id, else those of one name at one place. Listeners are those of the elements that stay.
 * @param {Element} element @param {Element} next
 */
export function renew(element, next) {
  for (const name of element.getAttributeNames()) if (!next.hasAttribute(name)) element.removeAttribute(name);
  for (const { name, value } of next.attributes) if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  const idOf = (/** @type {Node} */ node) => (node instanceof Element ? node.id : "");
  const nodes = [...next.childNodes];
  nodes.forEach((node, index) => {
    const [here, id] = [element.childNodes[index], idOf(node)];
    const old = id ? [...element.childNodes].find((own) => idOf(own) === id) : here;
    const isLike = old && old.nodeName === node.nodeName && idOf(old) === id;
    if (!isLike) return here ? here.before(node) : element.append(node);
    if (old !== here) element.insertBefore(old, here);
    if (old instanceof Element) renew(old, /** @type {Element} */ (node));
    else if (old.nodeValue !== node.nodeValue) old.nodeValue = node.nodeValue;
  });
  while (element.childNodes.length > nodes.length) element.lastChild?.remove();
}

/** A shape of SVG. @param {string} name @param {string} kind its class */
export function shape(name, kind) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  if (kind) element.setAttribute("class", kind);
  return element;
}

/** An icon of index.html, which is there also when the server is not. @param {string} name */
export function icon(name) {
  const svg = shape("svg", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = shape("use", "");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
}

/** Sets a slider, and fills its track up to its knob. @param {string} id @param {number} value */
export function slide(id, value) {
  const slider = /** @type {HTMLInputElement} */ (byId(id));
  slider.value = String(value);
  const [least, most] = [Number(slider.min), Number(slider.max)];
  slider.style.setProperty("--share", `${((Number(slider.value) - least) / (most - least)) * 100}%`);
}

/** Waits for the next picture of the page, or a moment where it is not seen. @returns {Promise<void>} */
export function painted() {
  return new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 200);
  });
}

/** Parts of the page that a sheet leaves in use. */
const besideSheets = ["transport", "announcer", "note", "offline"];

/** The sheet that is open, and the element that had the focus before. @type {{sheet: HTMLDialogElement, focus: Element | null} | null} */
let opened = null;

/** The sheet that is open; `null` for none. */
export const openedSheet = () => opened?.sheet ?? null;

/**
 * Opens a sheet over the page, in the place of another one. Other than a modal dialog, it leaves the transport in use; the
 * rest is inert until it closes.
 * @param {HTMLDialogElement} sheet
 */
export function openSheet(sheet) {
  closeSheet();
  opened = { sheet, focus: document.activeElement };
  for (const part of document.body.children) part.toggleAttribute("inert", part !== sheet && !besideSheets.includes(part.id));
  document.body.classList.add("has-sheet");
  sheet.show();
  // A button of its form closes it, too.
  sheet.addEventListener("close", () => opened?.sheet === sheet && closeSheet(), { once: true });
}

/** Closes the sheet that is open; the focus goes back to where it was. */
export function closeSheet() {
  if (!opened) return;
  const { sheet, focus } = opened;
  opened = null;
  const hasFocus = sheet.contains(document.activeElement) || document.activeElement === document.body;
  for (const part of document.body.children) part.toggleAttribute("inert", false);
  document.body.classList.remove("has-sheet");
  sheet.close();
  if (hasFocus && focus instanceof HTMLElement) focus.focus();
}

/** Announces a text to screen readers. @param {string} text */
export function announce(text) {
  byId("announcer").textContent = text;
}

/** The time that a note stays, and one with something to press, in milliseconds. */
const [short, long] = [4000, 12000];

/**
 * Shows a note for a while, and as long as a person is at it; problems stay until the next one.
 * @param {string} text @param {boolean} [isProblem] @param {{name: string, run: () => void}} [action] what a person can do about it
 */
export function note(text, isProblem = false, action) {
  const place = byId("note");
  place.replaceChildren(text);
  if (action) {
    place.append(" ", make("button", { type: "button", class: "small", onclick: () => {
      note("");
      action.run();
    } }, action.name));
  }
  if (isProblem) place.append(" ", make("button", { type: "button", class: "small quiet", "aria-label": "Close the message", onclick: () => note("") }, "✕"));
  place.hidden = text === "";
  place.classList.toggle("problem", isProblem);
  clearTimeout(Number(place.dataset.timer));
  if (isProblem || !text) return;
  const time = action ? long : short;
  const hide = () => {
    if (place.matches(":hover") || place.contains(document.activeElement)) wait();
    else place.hidden = true;
  };
  const wait = () => (place.dataset.timer = String(setTimeout(hide, time)));
  wait();
}
