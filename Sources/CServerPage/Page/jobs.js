// The drawer of jobs: progress of each and of its files, cancel, and where to find a file.

import { announce, byId, icon, make, note, renew } from "./dom.js";
import { Refusal, change, isRemote, json } from "./server.js";

const mostShown = 40;

/** Files of a job in the order in which a person wants to see them. @param {any[]} files */
export function inOrder(files) {
  const ranks = { failed: 0, running: 1, done: 2, cancelled: 3, skipped: 4, waiting: 5 };
  const rank = (/** @type {any} */ file) => ranks[/** @type {keyof typeof ranks} */ (file.state)] ?? 6;
  return [...files].sort((a, b) => rank(a) - rank(b)).slice(0, mostShown);
}

/** The result of a job, in a line. @param {any} job */
export function words(job) {
  const files = [...job.files.values()];
  const count = (/** @type {string} */ state) => files.filter((file) => file.state === state).length;
  const [made, there, failed] = [count("done"), count("skipped"), count("failed")];
  const parts = [
    there === files.length ? "" : `${made} of ${files.length - there} made`, there > 0 ? `${there} ${there === 1 ? "exists" : "exist"} already` : "",
    failed > 0 ? `${failed} failed` : "", job.state === "cancelled" ? "cancelled" : "",
  ];
  return parts.filter(Boolean).join(", ");
}

/**
 * The time that a job will take yet, in words; nothing before that can be known.
 * @param {{time: number, fraction: number} | undefined} first the first news, its time in milliseconds @param {number} now @param {number} fraction
 */
export function left(first, now, fraction) {
  if (!first || now - first.time < 2000 || fraction - first.fraction < 0.005 || fraction >= 1) return "";
  const seconds = ((now - first.time) / 1000) * ((1 - fraction) / (fraction - first.fraction));
  if (seconds < 5) return "a moment left";
  if (seconds < 55) return `about ${Math.ceil(seconds / 5) * 5} s left`;
  if (seconds < 3300) return `about ${Math.max(1, Math.round(seconds / 60))} min left`;
  return `about ${Math.max(1, Math.round(seconds / 3600))} h left`;
}

/** The cause and what to do about it. @param {{cause: string, remedy: string | null}} problem */
const why = ({ cause, remedy }) => cause + (remedy ? `; ${remedy}` : "");

export class Jobs {
  /** @param {{nameOf: (id: string) => string, onState: (id: string, state: any) => void, onShow: (id: string) => void, onHear: (id: string, source: string) => void}} on */
  constructor(on) {
    this.on = on;
    /** @type {Map<string, any>} */
    this.list = new Map();
    this.isOpen = false;
    /** True if the answer on its way may be too old. */
    this.asksAgain = false;
    /** Jobs that ended and need not be seen any more. @type {Set<string>} */
    this.cleared = new Set();
    /** Events that arrived while the list was asked for, or before their job was known. @type {{job: string, take: () => void}[]} */
    this.waiting = [];
    /** The settings of jobs that this page began. @type {Map<string, any>} */
    this.settings = new Map();
    /** The first news of each job that runs, by which the rest is estimated. @type {Map<string, {time: number, fraction: number}>} */
    this.begun = new Map();
    /** True if folders can be shown on this desktop. */
    this.showsFolders = false;
    /** Hears of each result, with its settings where this page made it. @type {(file: any, settings: any) => void} */
    this.onMade = () => {};
    /** Hears of the end of a job, and how many seconds it took. @type {(job: any, seconds: number) => void} */
    this.onEnded = () => {};
    /** The question that is open. @type {Promise<void> | null} */
    this.loading = null;
    /** True if the server has ended, and the jobs with it. */
    this.isGone = false;
  }

  /** @param {boolean} isGone */
  setGone(isGone) {
    if (isGone === this.isGone) return;
    this.isGone = isGone;
    this.plan();
  }

  /** The result of a job, and that it ended with the server. @param {any} job */
  words(job) {
    return words(job) + (this.isGone && job.state === "running" ? "; ended with the server" : "");
  }

  /** Listens to the buttons of the drawer. */
  watch() {
    byId("jobs").addEventListener("click", (event) => {
      const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-act]"));
      if (button) this.act(button.dataset);
    });
  }

  /** Does what a button of the drawer is for. @param {DOMStringMap} what */
  act({ act, job = "", file = "", result = "" }) {
    if (act === "open") this.open(!this.isOpen);
    else if (act === "hear") this.on.onHear(result, file);
    else if (act === "show") this.on.onShow(file);
    else if (act === "folder") change("POST", `/api/folder/${result}`).catch((error) => note(error instanceof Refusal ? error.sentence : String(error), true));
    else if (act === "cancel") this.cancel(job);
    else if (act === "clear") {
      for (const own of this.list.values()) if (own.state !== "running") this.cleared.add(own.id);
      this.open(false);
    }
  }

  /** Asks for all jobs; who calls while an answer is on its way gets a newer one after it. */
  load() {
    if (this.loading) this.asksAgain = true;
    this.loading ??= this.read().finally(() => {
      this.loading = null;
      if (this.asksAgain) this.load().catch(() => {});
    });
    return this.loading;
  }

  async read() {
    this.asksAgain = false;
    const told = this.waiting.length;
    const { jobs } = await json("/api/jobs");
    this.list = new Map(jobs.map((/** @type {any} */ job) => [job.id, { ...job, files: new Map(job.files.map((/** @type {any} */ file) => [file.id, file])) }]));
    for (const job of this.list.values()) for (const file of job.files.values()) this.tell(job, file);
    // The answer holds what was told before the question; what came since may be newer than the answer.
    for (const event of this.waiting.splice(0).slice(told)) {
      if (this.list.has(event.job)) event.take();
      else this.waiting.push(event);
    }
    this.asksAgain ||= this.waiting.length > 0;
    this.plan();
  }

  /**
   * Takes an event once its job is known and no answer is on its way that would overwrite it.
   * @param {string} id @param {(job: any) => void} take
   */
  change(id, take) {
    const job = this.list.get(id);
    if (job && !this.loading) return take(job);
    this.waiting.push({ job: id, take: () => take(this.list.get(id)) });
    if (!this.loading) this.load().catch(() => {});
  }

  /** Reports the state of a file, and its result with the settings. @param {any} job @param {any} file */
  tell(job, file) {
    const settings = this.settings.get(job.id);
    if (file.resultId) this.onMade(file, settings);
    this.on.onState(file.id, file);
  }

  /** @param {any} event */
  takeFile(event) {
    this.change(event.job, (job) => {
      job.files.set(event.id, event);
      // A job of one file is as far as that.
      if (job.files.size === 1) job.fraction = event.fraction;
      if (job.state === "running" && !this.begun.has(job.id)) this.begun.set(job.id, { time: performance.now(), fraction: job.fraction ?? 0 });
      this.tell(job, event);
      this.plan();
    });
  }

  /** @param {any} event */
  takeJob(event) {
    this.change(event.id, (job) => {
      const wasRunning = job.state === "running";
      if (event.state === "running" && !this.begun.has(event.id)) this.begun.set(event.id, { time: performance.now(), fraction: event.fraction });
      Object.assign(job, { state: event.state, done: event.done, failed: event.failed, total: event.total, fraction: event.fraction });
      if (wasRunning && event.state !== "running") {
        announce(words(job));
        const begun = this.begun.get(job.id);
        if (begun) this.onEnded(job, (performance.now() - begun.time) / 1000);
      }
      this.plan();
    });
  }

  get running() {
    return [...this.list.values()].filter((job) => job.state === "running");
  }

  plan() {
    if (this.planned) return;
    this.planned = true;
    setTimeout(() => {
      this.planned = false;
      this.draw();
    }, 100);
  }

  /** Shows the files of the jobs, or hides them. @param {boolean} [on] */
  open(on = true) {
    this.isOpen = on;
    this.plan();
  }

  /** Jobs to show, the newest first; those that ended go once they are cleared. */
  get shown() {
    return [...this.list.values()].filter((job) => job.state === "running" || !this.cleared.has(job.id)).reverse().slice(0, 5);
  }

  draw() {
    const place = byId("jobs");
    const jobs = this.shown;
    place.hidden = jobs.length === 0;
    const next = /** @type {HTMLElement} */ (place.cloneNode(false));
    if (jobs.length > 0) next.append(this.head(jobs[0]));
    if (this.isOpen && jobs.length > 0) {
      next.append(make("div", { class: "jobs-body", id: "jobs-body" }, ...jobs.map((job, index) => this.job(job, index === 0))));
    } else if (jobs.length > 0) {
      // The problem of a single file is shown without opening the list.
      const [file, ...more] = [...jobs[0].files.values()].filter((own) => own.problem);
      if (file && more.length === 0) next.append(make("p", { class: "why jobs-why" }, make("bdi", {}, this.on.nameOf(file.id)), `: ${why(file.problem)}`));
    }
    // Ten times a second: what is pressed or focused stays.
    renew(place, next);
  }

  /** The line that is always seen: the newest job, and how far it is. @param {any} job */
  head(job) {
    const open = make("button", {
      class: "jobs-open quiet", id: "jobs-open", type: "button", "aria-expanded": String(this.isOpen),
      "aria-controls": this.isOpen ? "jobs-body" : null, "data-act": "open",
    }, icon("up"), this.words(job));
    const [file] = job.files.values();
    const isSingle = !this.isOpen && job.files.size === 1 && file.resultId;
    const hear = isSingle ? [this.button("Hear", "jobs-hear", { act: "hear", file: file.id, result: file.resultId }), this.download(file.resultId, "jobs-download")] : [];
    const made = [...job.files.values()].find((own) => own.resultId)?.resultId;
    const folder = made && this.showsFolders && job.state !== "running" ? [this.button("Show folder", "jobs-folder", { act: "folder", result: made })] : [];
    const rest = job.state === "running" && !this.isGone ? left(this.begun.get(job.id), performance.now(), job.fraction ?? 0) : "";
    return make("div", { class: "jobs-head" }, open, ...this.bar(job), ...(rest ? [make("span", { class: "left faint" }, rest)] : []),
      make("span", { class: "acts" }, ...hear, ...folder, job.state === "running" ? this.canceller(job) : this.button("Clear", "jobs-clear", { act: "clear" })));
  }

  /** @param {string} text @param {string} id @param {Record<string, string>} what */
  button(text, id, what) {
    const data = Object.fromEntries(Object.entries(what).map(([name, value]) => [`data-${name}`, value]));
    return make("button", { class: "small quiet", type: "button", id, ...data }, text);
  }

  /** The link to a result: a button on another machine, quiet on this one, as far as its address tells. @param {string} result @param {string} id */
  download(result, id) {
    return make("a", { class: isRemote ? "button small quiet" : "quiet-link", id, href: `/files/${result}`, download: "" }, "Download");
  }

  /** How far a job is, while it runs. @param {any} job */
  bar(job) {
    if (job.state !== "running") return [];
    return [make("progress", { max: 1, value: job.fraction ?? 0, "aria-label": "Progress of the job" })];
  }

  /** The files of a job that are not made yet. @param {any} job */
  rest(job) {
    return [...job.files.values()].filter((file) => file.state === "waiting" || file.state === "running").length;
  }

  /** Of several files, a second press is needed: the first says what is lost. @param {string} id */
  cancel(id) {
    const job = this.list.get(id);
    if (!job) return;
    if (this.rest(job) > 1 && this.asked !== id) this.asked = id;
    else change("DELETE", `/api/jobs/${id}`).catch(() => {});
    this.plan();
  }

  /** @param {any} job */
  canceller(job) {
    const rest = this.rest(job);
    return this.button(rest > 1 && this.asked === job.id ? `Cancel ${rest.toLocaleString("en")} files?` : "Cancel", `cancel-${job.id}`, { act: "cancel", job: job.id });
  }

  /** @param {any} job @param {boolean} isFirst its words and its progress stand above */
  job(job, isFirst) {
    const files = [...job.files.values()];
    const head = make("div", { class: "job-head" }, ...(isFirst ? [] : [make("b", {}, this.words(job)), ...this.bar(job)]),
      make("code", { title: job.command }, job.command));
    if (!isFirst && job.state === "running") head.append(this.canceller(job));
    const rows = inOrder(files).map((file) => {
      const id = `show-${job.id}-${file.id}`;
      const show = file.resultId ? this.button("Hear", id, { act: "hear", file: file.id, result: file.resultId }) : this.button("Show in list", id, { act: "show", file: file.id });
      const about = file.problem
        ? make("span", { class: "why" }, why(file.problem))
        : make("span", { class: "faint" }, file.state === "running" ? `${Math.round(file.fraction * 100)} %` : file.state === "done" ? `made ${file.output}` : file.state === "skipped" ? `${file.output} exists already` : file.state);
      return make("li", { id: `row-${job.id}-${file.id}` }, make("span", { class: "words" }, make("bdi", { class: "name" }, this.on.nameOf(file.id)), about), make("span", { class: "acts" }, ...(file.resultId ? [this.download(file.resultId, `get-${job.id}-${file.id}`)] : []), show));
    });
    const list = make("ul", {}, ...rows);
    if (files.length > mostShown) list.append(make("li", { class: "faint" }, `and ${files.length - mostShown} more`));
    return make("div", { class: "job", id: `job-${job.id}` }, head, list);
  }
}
