// The folder: its files and their facts, what is checked, and files that are added.

import { announce, byId, note } from "./dom.js";
import { Refusal, change, json, query } from "./server.js";
import { settled } from "./store.js";

export class Folder {
  /** @param {any} session @param {import("./list.js").FileList} list @param {Promise<any>} first the files, asked for before */
  constructor(session, list, first) {
    this.session = session;
    this.list = list;
    /** @type {Promise<any> | null} */
    this.first = first;
    /** The question that is open, and whether its answer will be old. @type {Promise<void> | null} */
    this.loading = null;
    this.isStale = false;
    this.revision = -1;
    /** Files whose facts are wanted, those on the screen last. @type {string[]} */
    this.needed = [];
    this.isAsking = false;
    this.isScanning = true;
    /** Hears of files whose content has changed. @type {((ids: Set<string>) => void) | undefined} */
    this.onChanged = undefined;
    this.watch();
    if (session.canUpload) this.watchDrops();
  }

  watch() {
    const { list } = this;
    byId("search").addEventListener("input", settled(80, () => {
      list.text = /** @type {HTMLInputElement} */ (byId("search")).value.trim();
      list.arrange();
      this.showEmpty();
      announce(`${list.shown.length} files`);
    }));
    byId("order").addEventListener("change", () => {
      list.order = /** @type {HTMLSelectElement} */ (byId("order")).value;
      list.arrange();
      if (list.order === "length") this.need(list.files.map((file) => file.id).filter((id) => !list.facts.has(id)));
    });
    byId("search").addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      list.focus(0);
    });
    byId("upload-label").hidden = !this.session.canUpload;
    byId("upload").addEventListener("change", (event) => {
      const input = /** @type {HTMLInputElement} */ (event.target);
      this.upload([...(input.files ?? [])]);
      input.value = "";
    });
  }

  watchDrops() {
    addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      byId("drop").hidden = false;
    });
    addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) byId("drop").hidden = true;
    });
    addEventListener("drop", (event) => {
      event.preventDefault();
      byId("drop").hidden = true;
      this.upload([...(event.dataTransfer?.files ?? [])]);
    });
  }

  /** Reads the list of files again if it has changed. @param {boolean} [isNews] whether an answer that is under way is old */
  load(isNews = false) {
    if (this.loading && isNews) this.isStale = true;
    this.loading ??= this.read().finally(() => {
      this.loading = null;
      if (!this.isStale) return;
      this.isStale = false;
      this.load();
    });
    return this.loading;
  }

  async read() {
    try {
      const answer = (await this.first) ?? (await json(`/api/files?${query({ known: this.revision > 0 ? this.revision : null })}`));
      this.first = null;
      if (answer.revision === this.revision && !answer.isScanning) return;
      this.revision = answer.revision;
      const changed = this.list.setFiles(answer.files);
      this.isScanning = answer.isScanning;
      this.showEmpty();
      this.show(answer);
      this.list.on.onCheck();
      this.onChanged?.(changed);
    } catch (error) {
      // A message above the page reports that the server does not answer.
      if (!(error instanceof Refusal && error.status === 0)) note(error instanceof Error ? error.message : String(error), true);
    }
  }

  /** Explains why the list is empty. */
  showEmpty() {
    const { list, session } = this;
    byId("list-empty").hidden = list.shown.length > 0;
    const isEmpty = list.files.length === 0 && !this.isScanning;
    byId("nothing-title").textContent = isEmpty ? "Nothing to hear yet" : "Choose a file";
    byId("nothing-text").textContent = !isEmpty ? "Hear it slower or faster at once, at the same pitch or like a tape. The original stays as it is."
      : session.canUpload ? "Drop audio files onto this page, or start scaleaudio serve in a folder that has some." : "Start scaleaudio serve in a folder that has audio files.";
    if (list.files.length > 0) byId("list-empty").textContent = "No file matches the search.";
    else if (this.isScanning) byId("list-empty").textContent = "Looking for audio files…";
    else byId("list-empty").textContent = session.canUpload ? "There is no audio file here. Add some below." : "There is no audio file here.";
  }

  /** @param {any} answer */
  show(answer) {
    const names = this.session.folders.map((/** @type {string} */ path) => path.split("/").filter((part) => part !== ".").pop() || "This folder");
    byId("folder-name").textContent = names.join(", ");
    const count = answer.files.length;
    const problems = answer.problems.length > 0 ? ` · ${answer.problems.length} unreadable` : "";
    byId("folder-facts").textContent = `${count.toLocaleString()} ${count === 1 ? "file" : "files"}${this.session.readOnly ? " · read-only" : ""}${problems}`;
    byId("folder-facts").title = answer.problems.map((/** @type {any} */ problem) => `${problem.path}: ${problem.cause}`).join("\n");
  }

  /** Requests the facts of files. @param {string[]} ids */
  async need(ids) {
    const { list } = this;
    this.needed = [...this.needed.filter((id) => !ids.includes(id)), ...ids].slice(-20000);
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      while (this.needed.length > 0) {
        const batch = this.needed.splice(-50);
        const { facts } = await json(`/api/facts?${query({ ids: batch.join(",") })}`);
        for (const own of facts) {
          list.facts.set(own.id, own);
          list.update(own.id);
        }
      }
    } catch {
      this.needed = [];
    } finally {
      this.isAsking = false;
    }
    if (list.order === "length") list.arrange();
  }

  /** Adds files to the folder. @param {Iterable<File>} files */
  async upload(files) {
    for (const file of files) {
      if (file.size > this.session.maxUploadBytes) {
        note(`${file.name} is too large for this page; copy it into the folder`, true);
        continue;
      }
      note(`Adding ${file.name}…`);
      try {
        const { id } = await change("PUT", `/api/uploads?${query({ name: file.name })}`, file);
        await this.load(true);
        note(`Added ${file.name}`);
        this.list.reveal(id);
      } catch (error) {
        note(`${file.name}: ${error instanceof Refusal ? error.sentence : String(error)}`, true);
      }
    }
  }
}
