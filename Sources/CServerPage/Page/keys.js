// The keys: those of `scaleaudio play`, and those that only a page needs.

/** The actions of keys, in the order in which they are listed. @type {{keys: string[], action: string, words: string}[]} */
export const table = [
  { keys: [" "], action: "toggle", words: "play or pause" },
  { keys: ["ArrowLeft", "ArrowRight"], action: "ten", words: "10 seconds back or forward" },
  { keys: ["Shift+ArrowLeft", "Shift+ArrowRight"], action: "one", words: "1 second back or forward" },
  { keys: ["ArrowDown", "ArrowUp"], action: "walk", words: "walk the list" },
  { keys: ["Home", "End"], action: "ends", words: "to the start or the end" },
  { keys: ["PageDown", "PageUp"], action: "chapter", words: "previous or next chapter" },
  { keys: ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"], action: "tenth", words: "to that tenth of the file" },
  { keys: ["[", "]"], action: "rate", words: "5 % slower or faster" },
  { keys: ["{", "}"], action: "double", words: "half or double speed" },
  { keys: ["Backspace"], action: "resetRate", words: "100 % at the same pitch" },
  { keys: [",", "."], action: "tune", words: "a semitone lower or higher" },
  { keys: ["l"], action: "loop", words: "set A, then B, then no loop" },
  { keys: ["L"], action: "loopFile", words: "repeat the file" },
  { keys: ["-", "="], action: "volume", words: "quieter or louder" },
  { keys: ["m"], action: "mark", words: "set a mark" },
  { keys: ["b"], action: "bend", words: "bend: add a place here" },
  { keys: ["M"], action: "mute", words: "mute" },
  { keys: ["t"], action: "time", words: "elapsed or remaining time" },
  { keys: ["c"], action: "compare", words: "original or result at the same moment" },
  { keys: ["Escape"], action: "escape", words: "close" },
  { keys: ["k", "j", "<", ">"], action: "file", words: "previous or next file" },
  { keys: ["z", "Z"], action: "zoom", words: "magnify or show more" },
  { keys: ["f"], action: "fit", words: "show the whole file" },
  { keys: ["u", "U"], action: "undo", words: "undo or redo, as Ctrl Z" },
  { keys: ["/"], action: "search", words: "search" },
  { keys: ["?"], action: "help", words: "this list" },
];

/** The action of a key, and which of its keys it is; `null` for none. @param {{key: string, shiftKey: boolean, ctrlKey: boolean, altKey: boolean, metaKey: boolean}} event */
export function meaning(event) {
  if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "z") return { action: "undo", index: event.shiftKey ? 1 : 0 };
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  const name = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
  for (const { keys, action } of table) {
    const index = keys.indexOf(name);
    if (index >= 0) return { action, index };
  }
  return null;
}

/** True if an element handles a key itself. @param {Element | null} element @param {string} key */
export function takes(element, key) {
  if (!element) return false;
  const name = element.tagName;
  if (name === "TEXTAREA") return true;
  // A menu jumps to what begins with a letter, but only while it is open does one look at it.
  if (name === "SELECT") return key.startsWith("Arrow") || [" ", "Enter", "Home", "End", "PageUp", "PageDown"].includes(key);
  if (name === "INPUT") {
    const type = element.getAttribute("type");
    if (type === "range") return key.startsWith("Arrow") || ["Home", "End", "PageUp", "PageDown"].includes(key);
    if (type === "radio") return key.startsWith("Arrow");
    if (type === "checkbox") return key === " ";
    return true;
  }
  if (element.getAttribute("role") === "slider") return false;
  if (name === "BUTTON" || name === "A" || name === "SUMMARY") return key === " " || key === "Enter";
  return false;
}

/** A key as it is shown. @param {string} key */
export function shown(key) {
  const names = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", "Shift+ArrowLeft": "Shift ←", "Shift+ArrowRight": "Shift →", Escape: "Esc", PageUp: "PgUp", PageDown: "PgDn" };
  return names[/** @type {keyof typeof names} */ (key)] ?? key;
}
