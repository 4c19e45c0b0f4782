// The panel: speed, pitch and the new file. It renders the model, and asks the server what would be written.

import { announce, byId, make, note, slide } from "./dom.js";
import { halves } from "./list.js";
import { choiceOf, keyWords, methodOf, readKey } from "./model.js";
import { tempoWords } from "./practice.js";
import { Refusal, change, isRemote } from "./server.js";
import { lengthWords, limits, percent, placeOf, read, shift, speedOf } from "./speed.js";
import { settled } from "./store.js";
import { clock, spoken } from "./time.js";

const speeds = [50, 60, 70, 75, 80, 90, 100, 125, 150];

/** Words for a musician about each engine. @type {Record<string, string>} */
const engines = {
  sinc: "Sinc: the cleanest sound; the usual one.", linear: "Linear: quick and dull, with some hiss.",
  smoothstep: "Smoothstep: the program's own curve, with some hiss of its own.",
};

/** Words for a musician about each quality of the engine that has them. @type {Record<string, string>} */
const qualities = {
  "": "High: no ear tells it from the original.", fast: "Fast: a little duller at the very top.", best: "Best: exact to 20 bits and more, for archives.",
  same: "It makes a difference to the engine Sinc only.",
};

/** Formats by how usual they are; others are exotic. @type {[string, RegExp][]} */
const groups = [
  ["Usual", /^(mp3|m4a|aac|ogg|vorbis|opus|wav|flac|aiff)$/i], ["For archives", /^(alac|wavpack|wv|rf64|w64|caf|bwf|tta|flac-ogg|oga)/i], ["Others", /./],
];

/** The end of a path: its folder and its name. @param {string} path */
export const ending = (path) => (path.split("/").length > 3 ? `…/${path.split("/").slice(-2).join("/")}` : path);

/** The digits of a length that is shown: those that were asked for, else tenths of what is short. @param {number | null} duration @param {number} seconds */
const placesOf = (duration, seconds) => (duration !== null && !Number.isInteger(duration) ? (Number.isInteger(duration * 10) ? 1 : 2) : seconds < 60 ? 1 : 0);

/** Copies what an element shows, and says so on a button. @param {string} from @param {string} button */
export async function copy(from, button) {
  try {
    await navigator.clipboard.writeText(byId(from).textContent ?? "");
  } catch {
    // Without permission the text is selected, to be copied by hand.
    getSelection()?.selectAllChildren(byId(from));
    return;
  }
  byId(button).textContent = "Copied";
  setTimeout(() => (byId(button).textContent = "Copy"), 1500);
}

/** @param {string} id @returns {HTMLInputElement} */
const input = (id) => /** @type {HTMLInputElement} */ (byId(id));

export class Panel {
  /** @param {any} session @param {import("./model.js").Model} model @param {() => void} onMake */
  constructor(session, model, onMake) {
    [this.session, this.model] = [session, model];
    /** @type {any} */
    this.plan = null;
    this.ask = settled(120, () => this.askPlan());
    this.build();
    byId("make").addEventListener("click", onMake);
    model.watch(["speed", "duration", "pitch", "key", "keepsVoices", "engine", "quality", "preset", "bends", "bpm", "format", "loudness", "mono", "salvage", "replace", "details"], () => {
      this.show();
      this.ask();
    });
    this.show();
  }

  build() {
    const { session, model } = this;
    for (const speed of speeds) {
      byId("chips-speed").append(make("button", { type: "button", class: "chip", "data-speed": speed, onclick: () => this.setSpeed(speed / 100) }, String(speed)));
    }
    for (const [name, matches] of groups) {
      const own = session.formats.filter((/** @type {any} */ format) => groups.find(([, other]) => other.test(format.id))?.[1] === matches);
      byId("format").append(make("optgroup", { label: name }, ...own.map((/** @type {any} */ { id, name }) => make("option", { value: id }, name))));
    }
    for (const { id, description } of session.presets) byId("preset").append(make("option", { value: id }, `${id}: ${description}`));
    for (const { id, keepsPitch } of session.methods) {
      if (!keepsPitch) byId("engine").append(make("option", { value: id }, id[0].toUpperCase() + id.slice(1)));
    }
    input("speed").addEventListener("input", () => this.setSpeed(speedOf(Number(input("speed").value))));
    input("speed").addEventListener("keydown", (event) => {
      // A step of the keys is one per cent.
      const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.setSpeed(Math.max(0.01, Math.round(model.state.speed * 100 + step) / 100));
    });
    for (const id of ["amount", "length"]) {
      const field = input(id);
      field.addEventListener("change", () => this.readAmount(field, id === "length"));
      field.addEventListener("keydown", (event) => {
        if (event.key === "Enter") this.readAmount(field, id === "length");
        if (event.key === "Escape" && field.value !== field.dataset.shown) {
          // A half-typed value is given up.
          event.preventDefault();
          this.show(true);
          field.select();
          return this.ask();
        }
        const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        this.setSpeed(Math.max(0.01, Math.round(model.state.speed * 100 + step) / 100));
      });
      field.addEventListener("focus", () => field.select());
    }
    for (const radio of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('input[name="pitch"]'))) {
      radio.addEventListener("change", () => this.setPitch(/** @type {"same" | "tape"} */ (radio.value)));
      // The whole card chooses it.
      radio.closest(".card")?.addEventListener("click", (event) => {
        if (!(/** @type {Element} */ (event.target)).closest("button, input, label")) this.setPitch(/** @type {"same" | "tape"} */ (radio.value));
      });
    }
    byId("key-down").addEventListener("click", () => this.setKey(model.state.key - 1));
    byId("key-up").addEventListener("click", () => this.setKey(model.state.key + 1));
    const key = input("key");
    key.addEventListener("change", () => this.readKey());
    key.addEventListener("focus", () => key.select());
    key.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.readKey();
      if (event.key === "Escape" && key.value !== key.dataset.shown) {
        event.preventDefault();
        this.show(true);
        key.select();
      }
      const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.setKey(model.state.key + (event.shiftKey ? step / 10 : step));
    });
    for (const id of /** @type {const} */ (["quality", "format", "loudness", "engine", "preset"])) {
      byId(id).addEventListener("change", () => model.set({ [id]: input(id).value, ...(id === "engine" ? { pitch: "tape", preset: "" } : {}), ...(id === "preset" ? this.presetSpeed(input(id).value) : {}), ...(id === "engine" || (id === "preset" && input(id).value) ? this.straight() : {}) }));
    }
    byId("voices").addEventListener("change", () => model.set({ keepsVoices: input("voices").checked }));
    for (const id of /** @type {const} */ (["mono", "salvage", "replace"])) byId(id).addEventListener("change", () => model.set({ [id]: input(id).checked }));
    byId("copy").addEventListener("click", () => copy("command", "copy"));
  }

  /** The speeds that a pitch allows. @param {"same" | "tape"} pitch */
  speeds(pitch = this.model.state.pitch) {
    const [shortest, longest] = this.session.limits.stretchFactor;
    return pitch === "same" ? { least: 1 / longest, most: 1 / shortest } : limits;
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.model.set({ speed: this.within(speed), duration: null });
  }

  /** @param {number} speed @param {"same" | "tape"} [pitch] */
  within(speed, pitch) {
    const { least, most } = this.speeds(pitch);
    return Math.min(most, Math.max(least, speed));
  }

  /** The changes of a pitch, which may not allow the speed of now. @param {"same" | "tape"} pitch @returns {Partial<import("./model.js").State>} */
  changesOf(pitch) {
    const { speed } = this.model.state;
    const next = this.within(speed, pitch);
    if (next === speed) return { pitch, preset: "" };
    note(`At the same pitch, the speed is at most ${percent(next)}.`);
    return { pitch, preset: "", speed: next, duration: null };
  }

  /** The speed of a preset that has one. @param {string} id */
  presetSpeed(id) {
    const speed = this.session.presets.find((/** @type {any} */ own) => own.id === id)?.speed;
    return speed ? { speed: Math.round(speed * 1e6) / 1e6, duration: null } : {};
  }

  /** @param {"same" | "tape"} pitch */
  setPitch(pitch) {
    this.model.set({ ...this.changesOf(pitch), ...(pitch === "tape" ? this.straight() : {}) });
  }

  /** Takes the bends away, which only the same pitch has, and says so. */
  straight() {
    const { model } = this;
    if (model.state.bends.length === 0) return {};
    note("Bends keep the pitch, so they were taken away.", false, { name: "Undo", run: () => model.undo() });
    return { bends: [] };
  }

  /** @param {number} key */
  setKey(key) {
    const [least, most] = this.session.limits.semitones;
    this.model.set({ key: Math.round(Math.min(most, Math.max(least, key)) * 1000) / 1000, ...this.changesOf("same") });
  }

  readKey() {
    const field = input("key");
    if (field.value.trim() === field.dataset.shown) return;
    const key = readKey(field.value);
    field.setAttribute("aria-invalid", String(key === null));
    if (key === null) return announce("Write semitones such as 2 or −1.5, or cents: 30c.");
    this.setKey(key);
    this.show(true);
  }

  /** @param {HTMLInputElement} field @param {boolean} isLength */
  readAmount(field, isLength) {
    const text = field.value.trim();
    if (text === field.dataset.shown) return;
    const found = read(isLength && /^[\d.,]+$/.test(text) ? `${text}s` : text, this.model.seconds, this.model.state.bpm);
    const { least, most } = this.speeds();
    if (!found || found.speed < least - 1e-12 || found.speed > most + 1e-9) {
      field.setAttribute("aria-invalid", "true");
      // Beside the field, and until another value is there.
      byId("length-words").textContent = found ? `Speeds are ${percent(least)} to ${percent(most)}.` : isLength ? "Write 6:27 or 90." : "Write 70, 0.7x, 3/4 or 6:27.";
      byId("length-words").classList.add("wrong");
      return announce(byId("length-words").textContent ?? "");
    }
    this.model.set(found);
    // Also where nothing changed.
    this.show(true);
    this.ask();
  }

  /** @param {boolean} [isRead] true where a person has finished typing */
  show(isRead = false) {
    const { model, session } = this;
    const { state } = model;
    const [seconds, { speed }] = [model.seconds, state];
    const texts = { amount: percent(speed), key: keyWords(state.key), length: seconds ? clock(state.duration ?? seconds / speed, placesOf(state.duration, seconds / speed)) : "" };
    for (const [id, text] of Object.entries(texts)) {
      const field = input(id);
      if (document.activeElement === field && !isRead && field.value !== field.dataset.shown) continue;
      [field.value, field.dataset.shown] = [text, text];
      field.removeAttribute("aria-invalid");
    }
    /** @type {HTMLElement} */ (document.querySelector(".lengths .from")).hidden = !seconds;
    byId("from-length").textContent = seconds ? clock(seconds, seconds < 60 ? 1 : 0) : "";
    const isWrong = ["amount", "length"].some((id) => input(id).ariaInvalid === "true");
    byId("length-words").classList.toggle("wrong", isWrong);
    if (!isWrong) byId("length-words").textContent = lengthWords(speed) + (state.bpm ? ` · ${tempoWords(state.bpm * speed)} BPM` : "");
    slide("speed", placeOf(speed));
    input("speed").setAttribute("aria-valuetext", `${percent(speed)}${seconds ? `, ${spoken(seconds / speed)}` : ""}`);
    for (const chip of byId("chips-speed").children) {
      chip.setAttribute("aria-pressed", String(Math.abs(Number(/** @type {HTMLElement} */ (chip).dataset.speed) / 100 - speed) < 1e-9));
    }
    const pitch = state.preset ? (this.plan?.keepsPitch === false ? "tape" : "same") : state.pitch;
    for (const radio of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('input[name="pitch"]'))) radio.checked = radio.value === pitch;
    byId("voices-row").hidden = state.key === 0;
    byId("same-words").hidden = state.key !== 0;
    input("voices").checked = state.keepsVoices;
    byId("tape-shift").textContent = shift(speed);
    for (const id of /** @type {const} */ (["quality", "format", "loudness", "preset"])) input(id).value = state[id];
    const tape = methodOf({ ...state, pitch: "tape" }, session.methods);
    input("engine").value = tape;
    byId("engine-words").textContent = engines[tape] ?? "";
    byId("quality-words").textContent = qualities[methodOf(state, session.methods) === "sinc" ? state.quality : "same"] ?? "";
    byId("preset-words").textContent = state.preset ? `The preset chooses ${this.presetSpeed(state.preset).speed ? "speed, " : ""}pitch, engine and quality: ${session.presets.find((/** @type {any} */ own) => own.id === state.preset)?.description}.` : "";
    for (const id of /** @type {const} */ (["mono", "salvage", "replace"])) input(id).checked = state[id];
    this.showMake();
  }

  /** The id of a result that is there, by the name that it has in a plan. @type {(output: string) => string | null} */
  resultOf = () => null;

  /** The button, and why it does nothing where it does. */
  showMake() {
    const { session, model } = this;
    const [output] = this.plan?.outputs ?? [];
    const exists = output?.verdict === "skip" || (model.state.replace && this.existed);
    if (output?.verdict === "skip") this.existed = true;
    const result = output?.verdict === "skip" ? this.resultOf(output.output) : null;
    const link = /** @type {HTMLAnchorElement} */ (/** @type {unknown} */ (byId("download")));
    link.hidden = !result;
    // Behind a tunnel, another machine looks like this one.
    link.className = isRemote ? "button" : "quiet-link";
    if (result) [link.href, link.download] = [`/files/${result}`, ""];
    byId("replace-row").hidden = !exists || session.readOnly;
    byId("replace-words").hidden = !exists || session.readOnly || !model.state.replace;
    /** @type {HTMLButtonElement} */ (byId("make")).disabled = session.readOnly || !model.seconds || output?.verdict === "skip";
    byId("make").textContent = model.state.replace && exists ? "Replace the file" : "Make the file";
    byId("writes-place").classList.toggle("matters", session.readOnly || output?.verdict === "skip");
    byId("writes-place").textContent = session.readOnly ? "This server is read-only: it writes no files." : !output ? ""
      : output.verdict === "skip" ? "It exists already." : session.output ? "The original stays as it is." : "Beside the original, which stays as it is.";
  }

  async askPlan() {
    const { model, session } = this;
    if (!model.state.file || !model.seconds) {
      this.plan = null;
      byId("writes").textContent = byId("command").textContent = "";
      this.refuse("");
      return this.showMake();
    }
    const turn = (this.turn = (this.turn ?? 0) + 1);
    try {
      const existing = model.state.replace ? "replace" : "skip";
      const plan = await change("POST", "/api/plan", { files: [model.state.file.id], choice: choiceOf(model.state, session.methods), existing });
      if (turn !== this.turn) return;
      this.plan = plan;
      byId("command").textContent = plan.command.replace(" --skip-existing", "");
      const [output] = plan.outputs;
      // Folder and name may be of different directions, and both ends of the name tell files apart.
      byId("writes").replaceChildren(...(output ? ending(output.output).split(/(?<=\/)(?=[^/]*$)/).map((part) => {
        const [start, end] = halves(part);
        return end ? make("bdi", { class: "ends" }, make("span", {}, start), make("span", {}, end)) : make("bdi", {}, start);
      }) : []));
      byId("writes").title = output?.output ?? "";
      const problem = output?.problem;
      this.refuse(problem ? problem.cause + (problem.remedy ? `; ${problem.remedy}` : "") : "");
    } catch (error) {
      if (turn !== this.turn || !(error instanceof Refusal)) return;
      this.plan = null;
      byId("writes").textContent = "";
      this.refuse(error.sentence);
    }
    if (model.state.preset) this.show();
    else this.showMake();
  }

  /** @param {string} text */
  refuse(text) {
    byId("refusal").textContent = text;
    byId("refusal").hidden = text === "";
  }
}
