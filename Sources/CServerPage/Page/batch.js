// Several files at once: they are selected in the list, and a sheet states what will be made before anything is.

import { byId, closeSheet, make, note, openSheet } from "./dom.js";
import { choiceOf, isOriginal, wordsOf } from "./model.js";
import { copy } from "./panel.js";
import { Refusal, change } from "./server.js";
import { keep, kept } from "./store.js";
import { clock } from "./time.js";

/** `3 files`. @param {number} count */
export const filesOf = (count) => `${count.toLocaleString("en")} ${count === 1 ? "file" : "files"}`;

/** Seconds of results that are made in a second: as this browser has seen, else a cautious guess. @param {{pitch: "same" | "tape"}} settings */
const pace = ({ pitch }) => kept("pace", { same: 60, tape: 200 })[pitch];

/** Remembers how fast results were made. @param {{pitch: "same" | "tape"}} settings @param {number} length in seconds @param {number} time in seconds */
export function remember({ pitch }, length, time) {
  if (length > 60 && time > 1) keep("pace", { ...kept("pace", {}), [pitch]: length / time });
}

/** @param {number} seconds */
const time = (seconds) => (seconds < 10 ? "a few seconds" : seconds < 55 ? `about ${Math.ceil(seconds / 10) * 10} s` : seconds < 3300 ? `about ${Math.max(1, Math.round(seconds / 60))} min` : `about ${(seconds / 3600).toFixed(1)} h`);

/** @param {number} bytes */
const size = (bytes) => (bytes < 1e6 ? "less than 1 MB" : bytes < 1e9 ? `about ${Math.round(bytes / 1e6)} MB` : `about ${(bytes / 1e9).toFixed(1)} GB`);

export class BatchSheet {
  /** @param {any} session @param {import("./model.js").Model} model @param {import("./list.js").FileList} list @param {(ids: string[], choice: Record<string, string>) => Promise<void>} onMake */
  constructor(session, model, list, onMake) {
    [this.session, this.model, this.list] = [session, model, list];
    byId("select-several").addEventListener("click", () => this.select(true));
    byId("select-cancel").addEventListener("click", () => this.select(false));
    byId("check-all").addEventListener("click", () => list.checkAll(list.checked.size < list.originals.length));
    byId("select-next").addEventListener("click", () => this.open());
    byId("many-copy").addEventListener("click", () => copy("many-command", "many-copy"));
    byId("batch-make").addEventListener("click", async () => {
      const ids = [...list.checked];
      closeSheet();
      this.select(false);
      await onMake(ids, this.choice);
    });
  }

  get sheet() {
    return /** @type {HTMLDialogElement} */ (byId("batch"));
  }

  /** Each file has its own length and its own beats: only a speed fits all. */
  get settings() {
    return { ...this.model.state, duration: null, bends: [] };
  }

  get choice() {
    return choiceOf(this.settings, this.session.methods);
  }

  /** Begins or ends selecting. @param {boolean} isOn */
  select(isOn) {
    const { list } = this;
    list.setSelecting(isOn);
    byId("usual-acts").hidden = isOn;
    byId("select-acts").hidden = !isOn;
    this.show();
    byId(isOn ? "check-all" : "select-several").focus();
  }

  show() {
    const { list, session } = this;
    const count = list.checked.size;
    byId("checked-count").textContent = `${count.toLocaleString("en")} selected`;
    byId("check-all").textContent = count > 0 && count >= list.originals.length ? "None" : "All";
    /** @type {HTMLButtonElement} */ (byId("select-next")).disabled = count === 0;
    /** @type {HTMLButtonElement} */ (byId("select-several")).disabled = session.readOnly || list.files.length === 0;
  }

  async open() {
    const { list, session } = this;
    const files = list.files.filter((file) => list.checked.has(file.id));
    const known = files.map((file) => list.facts.get(file.id)?.seconds).filter((seconds) => seconds > 0);
    const total = known.reduce((sum, seconds) => sum + seconds, 0);
    const { speed } = this.model.state;
    const bytes = files.reduce((sum, file) => sum + (file.bytes ?? 0), 0) / speed;
    byId("batch-title").textContent = `${filesOf(files.length)} → ${wordsOf(this.settings)}`;
    const fact = (/** @type {string} */ name, /** @type {string} */ text) => [make("dt", {}, name), make("dd", {}, text)];
    const whole = known.length === files.length ? "" : `, of ${filesOf(known.length)} that are known`;
    byId("batch-facts").replaceChildren(
      ...fact("Result", speed === 1 ? "As long as the originals" : `${Number((1 / speed).toPrecision(4))} × as long as each original`),
      ...fact("Length", total > 0 ? `${clock(total, 0)} → ${clock(total / speed, 0)}${whole}` : "not known yet"),
      ...fact("Time", total > 0 ? time((total / speed) * (files.length / known.length) / pace(this.settings)) : "not known yet"),
      ...fact("Format", this.model.state.format || "like each original"),
      ...fact("Space", size(bytes)),
      ...fact("Folder", session.output ?? "beside the originals, which stay as they are"),
      ...fact("There already", "kept, not made again"));
    const { format, loudness, preset } = this.settings;
    const changesNothing = isOriginal(this.settings) && !format && !loudness && !preset;
    byId("batch-problem").textContent = changesNothing ? "This would only copy them: open a file first, and choose a speed, a pitch or a format." : "";
    byId("batch-problem").hidden = !changesNothing;
    const make_ = /** @type {HTMLButtonElement} */ (byId("batch-make"));
    make_.textContent = `Make ${filesOf(files.length)}`;
    make_.disabled = changesNothing;
    byId("many-command").textContent = "";
    openSheet(this.sheet);
    byId("batch-cancel").focus();
    try {
      const { command } = await change("POST", "/api/plan", { files: files.map((file) => file.id), choice: this.choice, existing: "skip", isCommandOnly: true });
      byId("many-command").textContent = command;
    } catch (error) {
      const text = error instanceof Refusal ? error.sentence : String(error);
      byId("batch-problem").textContent = text;
      byId("batch-problem").hidden = false;
      make_.disabled = true;
      note("");
    }
  }
}
