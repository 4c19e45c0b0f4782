// The folder: its files and their facts, what is checked, and files that are added.

import { announce, byId, note } from "./dom.js";
import { copy } from "./panel.js";
import { Refusal, change, json, query } from "./server.js";
import { settled } from "./store.js";

export class Folder {
  /** @param {any} session @param {import("./list.js").FileList} list @param {() => import("./panel.js").Panel} panel @param {Promise<any>} first the files, asked for before */
  constructor(session, list, panel, first) {
    this.session = session;
    this.list = list;
    this.panel = panel;
    /** @type {Promise<any> | null} */
    this.first = first;
    /** The question that is open, and whether its answer will be old. @type {Promise<void> | null} */
    this.loading = null;
    this.isStale = false;
    this.askCommand = settled(250, () => this.showCommand());
    this.revision = -1;
    /** Files whose facts are wanted, those on the screen last. @type {string[]} */
    this.needed = [];
    this.isAsking = false;
    this.isScanning = true;
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
    byId("check-all").addEventListener("change", (event) => list.checkAll(/** @type {HTMLInputElement} */ (event.target).checked));
    byId("many-copy").addEventListener("click", () => copy("many-command", "many-copy"));
    byId("replace").addEventListener("change", this.askCommand);
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
      this.list.setFiles(answer.files);
      this.isScanning = answer.isScanning;
      this.showEmpty();
      this.show(answer);
      this.showChecked();
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
    byId("nothing-text").textContent = !isEmpty ? "Its waveform appears here. Drag the factor and listen: what you hear is what will be written."
      : session.canUpload ? "Drop audio files onto this page, or start scaleaudio serve in a folder that has some." : "Start scaleaudio serve in a folder that has audio files.";
    if (list.files.length > 0) byId("list-empty").textContent = "No file matches the search.";
    else if (this.isScanning) byId("list-empty").textContent = "Looking for audio files…";
    else byId("list-empty").textContent = session.canUpload ? "There is no audio file here. Drop some, or add them below." : "There is no audio file here.";
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

  /** The files that Scale all or Scale chosen converts. @returns {string[] | "all"} */
  get chosen() {
    return this.list.checked.size > 0 ? [...this.list.checked] : "all";
  }

  /** The command line that scales what is chosen, or all. */
  async showCommand() {
    const panel = this.panel();
    const asked = { files: this.chosen, choice: panel.choice, existing: panel.existing("skip"), isCommandOnly: true };
    const { command } = await change("POST", "/api/plan", asked).catch(() => ({ command: "" }));
    byId("many-command").textContent = command;
    byId("many-command").title = command.slice(0, 2000);
    /** @type {HTMLButtonElement} */ (byId("many-copy")).disabled = command === "";
  }

  showChecked() {
    const { list, session } = this;
    this.askCommand();
    const count = list.checked.size;
    byId("checked-count").textContent = count > 0 ? `${count} chosen` : "All";
    byId("scale-many").textContent = count > 0 ? "Scale chosen" : "Scale all";
    const all = /** @type {HTMLInputElement} */ (byId("check-all"));
    all.checked = count > 0 && count === list.files.length;
    all.indeterminate = count > 0 && count < list.files.length;
    /** @type {HTMLButtonElement} */ (byId("scale-many")).disabled = session.readOnly || list.files.length === 0;
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
