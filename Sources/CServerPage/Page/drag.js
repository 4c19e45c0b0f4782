// One drag of a pointer: what is pressed is followed until it is let go, or until the system takes the pointer.

/**
 * @typedef {object} Drag
 * @property {(event: PointerEvent) => void} move each place, from the first on that is far enough from where it began
 * @property {(event: PointerEvent) => void} [click] where it was let go without having moved
 * @property {() => (() => void) | null} [hold] where it is held for a while without moving; answers what letting go does instead of a click, or a drag before it begins
 * @property {(event: PointerEvent | null) => void} [end] after a drag; without an event where it was cancelled
 */

/** Distance from which on a pointer drags, in pixels. */
const least = 4;

/** Distance from which on a pointer that was held drags, in pixels: a finger that is held moves a little. */
const leastHeld = 12;

/** Time after which a pointer that does not move holds, in milliseconds. */
const long = 400;

/**
 * Follows pointers that are pressed on an element; `begin` answers what a drag from there does, or nothing.
 * @param {HTMLElement | SVGElement} element @param {(event: PointerEvent) => Drag | null | undefined} begin
 */
export function draggable(element, begin) {
  element.addEventListener("pointerdown", (event) => {
    const down = /** @type {PointerEvent} */ (event);
    if (down.button !== 0 || !down.isPrimary) return;
    const drag = begin(down);
    if (!drag) return;
    down.stopPropagation();
    // The element may be drawn anew meanwhile: the window hears the pointer anyway.
    element.setPointerCapture(down.pointerId);
    let isMoved = false;
    /** @type {(() => void) | null | undefined} */
    let letGo;
    const timer = drag.hold && setTimeout(() => (letGo = drag.hold?.()), long);
    const stop = new AbortController();
    stop.signal.addEventListener("abort", () => clearTimeout(timer));
    const follow = (/** @type {string} */ name, /** @type {(event: PointerEvent) => void} */ take) =>
      addEventListener(name, (event) => {
        const own = /** @type {PointerEvent} */ (event);
        if (own.pointerId === down.pointerId) take(own);
      }, { signal: stop.signal });
    follow("pointermove", (own) => {
      if (Math.hypot(own.clientX - down.clientX, own.clientY - down.clientY) >= (letGo ? leastHeld : least)) {
        isMoved = true;
        clearTimeout(timer);
        // Held first and dragged then, it drags.
        letGo?.();
        letGo = null;
      }
      if (isMoved) drag.move(own);
    });
    follow("pointerup", (own) => {
      stop.abort();
      if (letGo) return letGo();
      if (!isMoved) return drag.click?.(own);
      // The last place counts, also where it was not followed that fast.
      drag.move(own);
      drag.end?.(own);
    });
    follow("pointercancel", () => {
      stop.abort();
      letGo?.();
      if (isMoved) drag.end?.(null);
    });
  });
}
