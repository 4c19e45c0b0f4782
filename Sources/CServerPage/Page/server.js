// The requests of the page to the server.

/** An answer that is an error, with what to do about it. */
export class Refusal extends Error {
  /** @param {number} status @param {string} cause @param {string | null} remedy */
  constructor(status, cause, remedy) {
    super(cause);
    this.status = status;
    this.remedy = remedy;
  }
  /** The cause and the remedy as one text. */
  get sentence() {
    return this.remedy ? `${this.message}; ${this.remedy}` : this.message;
  }
}

/** Throws what an answer refuses. @param {Response} response */
async function checked(response) {
  if (response.ok) return response;
  let [cause, remedy] = [`the server answered ${response.status}`, null];
  try {
    const { error } = await response.json();
    [cause, remedy] = [error.cause, error.remedy ?? null];
  } catch {
    // The status alone has to do.
  }
  throw new Refusal(response.status, cause, remedy);
}

/** @param {string} path @param {RequestInit} [options] */
export async function ask(path, options = {}) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Refusal(0, "the server does not answer", null);
  }
  return checked(response);
}

/** @param {string} path @param {AbortSignal} [signal] */
export async function json(path, signal) {
  return (await ask(path, { signal })).json();
}

/** True if the page is seen on another machine than that of the server, as far as its address tells. */
export const isRemote = typeof location !== "undefined" && !["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/**
 * Asks for a change.
 * @param {string} method @param {string} path @param {unknown} [value] @param {AbortSignal} [signal]
 * @param {boolean} [keepalive] true for what has to arrive, also when the page is closed, as far as it is short
 */
export async function change(method, path, value, signal, keepalive = false) {
  const body = value instanceof Blob || value === undefined ? value : JSON.stringify(value);
  // Browsers refuse to keep more than 64 KiB alive.
  const isSmall = typeof body === "string" && body.length < 20000;
  const response = await ask(path, { method, body, signal, keepalive: keepalive && isSmall, headers: { "X-Scaleaudio": "1" } });
  return response.status === 204 ? null : response.json();
}

/** The items of a query; those without a value are left out. @param {Record<string, unknown>} items */
export function query(items) {
  const given = Object.entries(items).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&");
}

/**
 * Listens to what happens; `onState` hears `open`, `lost` while the browser tries again, and `gone`.
 * @param {Record<string, (data: any) => void>} handlers @param {(state: string) => void} onState
 */
export function listen(handlers, onState) {
  const source = new EventSource("/api/events");
  let failures = 0;
  source.onopen = () => {
    failures = 0;
    onState("open");
  };
  source.onerror = () => {
    failures += 1;
    // A server that was started again has another token: the browser stops trying.
    onState(source.readyState === EventSource.CLOSED || failures > 3 ? "gone" : "lost");
    if (source.readyState === EventSource.CLOSED) setTimeout(() => again(handlers, onState), 2000);
  };
  for (const [name, handle] of Object.entries(handlers)) {
    source.addEventListener(name, (event) => handle(JSON.parse(/** @type {MessageEvent} */ (event).data)));
  }
  return source;
}

/** @param {Record<string, (data: any) => void>} handlers @param {(state: string) => void} onState */
async function again(handlers, onState) {
  try {
    await json("/api/session");
    listen(handlers, onState);
  } catch {
    setTimeout(() => again(handlers, onState), 2000);
  }
}
