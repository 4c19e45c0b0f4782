// The drawer of jobs: progress of each and of its files, cancel, and where to find a file.

import { announce, byId, make } from "./dom.js";
import { change, json } from "./server.js";

const mostShown = 40;

/** Files of a job in the order in which a person wants to see them. @param {any[]} files */
export function inOrder(files) {
  const ranks = { failed: 0, running: 1, done: 2, cancelled: 3, skipped: 4, waiting: 5 };
  const rank = (/** @type {any} */ file) => ranks[/** @type {keyof typeof ranks} */ (file.state)] ?? 6;
  return [...files].sort((a, b) => rank(a) - rank(b)).slice(0, mostShown);
}

export class Jobs {
  /** @param {{nameOf: (id: string) => string, onState: (id: string, state: any) => void, onShow: (id: string) => void}} on */
  constructor(on) {
    this.on = on;
    /** @type {Map<string, any>} */
    this.list = new Map();
    /** Events that wait for the answer with their job. @type {[string, () => void][]} */
    this.waiting = [];
    /** The question that is open. @type {Promise<void> | null} */
    this.loading = null;
  }

  /** Asks for all jobs; concurrent callers share one request. */
  load() {
    this.loading ??= this.read().finally(() => {
      this.loading = null;
    });
    return this.loading;
  }

  async read() {
    const { jobs } = await json("/api/jobs");
    this.list = new Map(jobs.map((/** @type {any} */ job) => [job.id, { ...job, files: new Map(job.files.map((/** @type {any} */ file) => [file.id, file])) }]));
    for (const job of this.list.values()) for (const file of job.files.values()) this.on.onState(file.id, file);
    for (const [id, take] of this.waiting.splice(0)) if (this.list.has(id)) take();
    this.plan();
  }

  /**
   * The job of an event. Events of a job that is not known yet wait for the answer that has it, one for all of them.
   * @param {string} id @param {() => void} take
   */
  known(id, take) {
    const job = this.list.get(id);
    if (!job) {
      this.waiting.push([id, take]);
      this.load().catch(() => {});
    }
    return job;
  }

  /** @param {any} event */
  takeFile(event) {
    const job = this.known(event.job, () => this.takeFile(event));
    if (!job) return;
    job.files.set(event.id, event);
    this.on.onState(event.id, event);
    this.plan();
  }

  /** @param {any} event */
  takeJob(event) {
    const job = this.known(event.id, () => this.takeJob(event));
    if (!job) return;
    const wasRunning = job.state === "running";
    Object.assign(job, { state: event.state, done: event.done, failed: event.failed, total: event.total, fraction: event.fraction });
    if (wasRunning && event.state !== "running") {
      announce(event.failed > 0 ? `${event.done} files done, ${event.failed} failed` : `${event.done} files done`);
    }
    this.plan();
  }

  get running() {
    return [...this.list.values()].filter((job) => job.state === "running");
  }

  async cancelLast() {
    const job = this.running.at(-1);
    if (job) await change("DELETE", `/api/jobs/${job.id}`);
    return job !== undefined;
  }

  plan() {
    if (this.planned) return;
    this.planned = true;
    setTimeout(() => {
      this.planned = false;
      this.draw();
    }, 100);
  }

  draw() {
    const place = byId("jobs");
    const jobs = [...this.list.values()].reverse().slice(0, 5);
    place.hidden = jobs.length === 0;
    const focused = document.activeElement?.id;
    place.replaceChildren(...jobs.map((job) => this.job(job)));
    if (focused && place.querySelector(`#${CSS.escape(focused)}`)) byId(focused).focus();
  }

  /** @param {any} job */
  job(job) {
    const files = [...job.files.values()];
    const done = files.filter((file) => file.state === "done" || file.state === "skipped").length;
    const failed = files.filter((file) => file.state === "failed").length;
    const bar = make("progress", { max: 1, "aria-label": "Progress of the job" });
    /** @type {HTMLProgressElement} */ (bar).value = job.state === "running" ? job.fraction ?? 0 : 1;
    const words = `${done} of ${files.length} done${failed > 0 ? `, ${failed} failed` : ""}${job.state === "cancelled" ? ", cancelled" : ""}`;
    const head = make("div", { class: "job-head" }, make("b", {}, words), bar, make("code", { title: job.command }, job.command));
    if (job.state === "running") {
      head.append(make("button", { class: "small", type: "button", id: `cancel-${job.id}`, onclick: () => change("DELETE", `/api/jobs/${job.id}`) }, "Cancel"));
    }
    const rows = inOrder(files).map((file) => {
      const show = make("button", { class: "small quiet", type: "button", onclick: () => this.on.onShow(file.resultId ?? file.id) }, file.resultId ? "Hear" : "Show in list");
      const about = file.problem
        ? make("span", { class: "why" }, file.problem.cause + (file.problem.remedy ? `; ${file.problem.remedy}` : ""))
        : make("span", { class: "faint" }, file.state === "running" ? `${Math.round(file.fraction * 100)} %` : file.state === "done" ? `wrote ${file.output}` : file.state);
      return make("li", {}, show, make("span", { class: "name" }, this.on.nameOf(file.id)), about);
    });
    const list = make("ul", {}, ...rows);
    if (files.length > mostShown) list.append(make("li", { class: "faint" }, `and ${files.length - mostShown} more`));
    return make("div", { class: "job" }, head, list);
  }
}
