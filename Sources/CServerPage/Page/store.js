// The state of the page, and the listeners for its changes.

/**
 * A value whose changes are heard: `get()`, `set(changes)`, `on(listener)`.
 * @template {object} T
 * @param {T} start
 */
export function store(start) {
  let value = start;
  /** @type {Set<(value: T, before: T) => void>} */
  const listeners = new Set();
  return {
    get: () => value,
    /** @param {Partial<T>} changes */
    set(changes) {
      const before = value;
      const names = /** @type {(keyof T)[]} */ (Object.keys(changes));
      if (names.every((name) => Object.is(before[name], changes[name]))) return;
      value = { ...value, ...changes };
      for (const listener of [...listeners]) listener(value, before);
    },
    /** @param {(value: T, before: T) => void} listener */
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Calls a function once things have been quiet for so long. @param {number} milliseconds @param {() => void} work */
export function settled(milliseconds, work) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(work, milliseconds);
  };
}

/** Calls a function at once, and while it is asked for again only once in so long, with the last call never lost. @param {number} milliseconds @param {() => void} work */
export function paced(milliseconds, work) {
  let [last, isWaiting] = [-Infinity, false];
  const run = () => {
    [last, isWaiting] = [performance.now(), false];
    work();
  };
  return () => {
    if (isWaiting) return;
    const rest = last + milliseconds - performance.now();
    if (rest <= 0) return run();
    isWaiting = true;
    setTimeout(run, rest);
  };
}

/** A value that this browser keeps; what it cannot keep stays for this page. @param {string} name @param {any} fallback */
export function kept(name, fallback) {
  try {
    const text = localStorage.getItem(`scaleaudio.${name}`);
    return text === null ? fallback : { ...fallback, ...JSON.parse(text) };
  } catch {
    return fallback;
  }
}

/** @param {string} name @param {any} value */
export function keep(name, value) {
  try {
    localStorage.setItem(`scaleaudio.${name}`, JSON.stringify(value));
  } catch {
    // Private windows keep nothing.
  }
}
