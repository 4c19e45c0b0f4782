// The scale panel: what a person chooses, the command line that does the same, and what it would write.

import { byId, make, slide } from "./dom.js";
import { Refusal, change } from "./server.js";
import { settled } from "./store.js";
import { clock, seconds } from "./time.js";

/** How a factor sounds without keeping the pitch. @param {number} factor */
export function words(factor, keepsPitch = false) {
  const speed = `${Number((1 / factor).toPrecision(4))} × speed`;
  const shift = -12 * Math.log2(factor);
  if (keepsPitch || Math.abs(shift) < 0.005) return `${speed} · same pitch`;
  return `${speed} · ${Math.abs(shift).toFixed(1)} semitones ${shift > 0 ? "higher" : "lower"}`;
}

/** A number without needless digits. @param {number} value */
export const short = (value) => String(Number(value.toPrecision(6)));

/** The end of a path: its folder and its name. @param {string} path */
export const ending = (path) => (path.split("/").length > 3 ? `…/${path.split("/").slice(-2).join("/")}` : path);

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

export class Panel {
  /** @param {any} session @param {{onChoice: () => void, onFactor: (factor: number) => void}} on */
  constructor(session, on) {
    this.session = session;
    this.on = on;
    this.factor = 1.25;
    this.as = "factor";
    this.method = "smoothstep";
    /** The file, and its length. @type {{id: string, seconds: number} | null} */
    this.file = null;
    /** @type {any} */
    this.plan = null;
    this.ask = settled(120, () => this.askPlan());
    this.build();
  }

  build() {
    for (const { id } of this.session.methods) {
      const input = make("input", { type: "radio", name: "method", value: id, onchange: () => this.setMethod(id) });
      byId("methods").append(make("label", {}, input, make("span", {}, id[0].toUpperCase() + id.slice(1))));
    }
    for (const { id, description } of this.session.presets) byId("preset").append(make("option", { value: id, title: description }, `Preset: ${id}`));
    for (const { id, name } of this.session.formats) byId("format").append(make("option", { value: id }, name));
    this.input("factor").addEventListener("input", () => this.setFactor(Number(this.input("factor").value)));
    const amount = this.input("amount");
    amount.addEventListener("change", () => this.readAmount());
    amount.addEventListener("keydown", (event) => {
      if (event.key === "ArrowUp" || event.key === "ArrowDown") {
        event.preventDefault();
        this.setFactor(this.factor * (event.key === "ArrowUp" ? 1.01 : 1 / 1.01));
      }
    });
    for (const radio of document.querySelectorAll('input[name="as"]')) {
      radio.addEventListener("change", () => {
        this.as = /** @type {HTMLInputElement} */ (radio).value;
        this.show();
        this.changed();
      });
    }
    for (const id of ["quality", "pitch", "mono", "salvage", "preset", "format"]) byId(id).addEventListener("change", () => this.changed());
    byId("preset").addEventListener("change", () => this.show());
    byId("replace").addEventListener("change", () => this.ask());
    byId("copy").addEventListener("click", () => copy("command", "copy"));
    this.showMethod();
  }

  /** @param {string} id @returns {HTMLInputElement} */
  input(id) {
    return /** @type {HTMLInputElement} */ (byId(id));
  }

  get keepsPitch() {
    if (this.input("preset").value) return this.plan?.keepsPitch ?? true;
    return this.session.methods.find((/** @type {any} */ method) => method.id === this.method)?.keepsPitch ?? false;
  }

  /** @param {string} method */
  setMethod(method) {
    this.method = method;
    this.showMethod();
    this.changed();
  }

  showMethod() {
    for (const radio of document.querySelectorAll('input[name="method"]')) {
      const input = /** @type {HTMLInputElement} */ (radio);
      input.checked = input.value === this.method;
    }
    this.show();
  }

  /** @param {number} factor */
  setFactor(factor) {
    const [least, most] = this.session.limits.factor;
    this.factor = Math.min(most, Math.max(least, factor));
    this.show();
    this.changed();
    this.on.onFactor(this.factor);
  }

  readAmount() {
    const text = this.input("amount").value.trim();
    const number = this.as === "duration" ? seconds(text) : Number(text.replace(/[x×]$/, ""));
    const isUsable = number !== null && Number.isFinite(number) && number > 0;
    this.input("amount").setAttribute("aria-invalid", String(!isUsable));
    if (!isUsable) {
      this.refuse({ cause: this.as === "duration" ? "a length is written as 90 or 1:30" : "this is not a number above 0; write 1.25", remedy: null });
      return;
    }
    if (this.as === "factor") this.setFactor(number);
    else if (this.as === "speed") this.setFactor(1 / number);
    else if (this.file && this.file.seconds > 0) this.setFactor(number / this.file.seconds);
  }

  show() {
    const length = (this.file?.seconds ?? 0) * this.factor;
    const texts = { factor: short(this.factor), speed: short(1 / this.factor), duration: clock(length) };
    const units = { factor: "× as long", speed: "× as fast", duration: "minutes" };
    const as = /** @type {keyof typeof texts} */ (this.as);
    const amount = this.input("amount");
    if (document.activeElement !== amount || this.as === "duration" || Number(amount.value) !== this.factor) amount.value = texts[as];
    amount.removeAttribute("aria-invalid");
    byId("amount-unit").textContent = units[as];
    byId("amount-words").textContent = words(this.factor, this.keepsPitch);
    slide("factor", this.factor);
    this.input("factor").setAttribute("aria-valuetext", `${short(this.factor)} times as long`);
    const preset = this.input("preset").value;
    for (const radio of document.querySelectorAll('input[name="method"]')) /** @type {HTMLInputElement} */ (radio).disabled = preset !== "";
    const hasQuality = !preset && this.method === "sinc";
    this.input("quality").disabled = !hasQuality;
    this.input("pitch").disabled = !(this.method === "stretch" || preset);
  }

  /** The choice, in the form that the server takes. @returns {Record<string, string>} */
  get choice() {
    /** @type {Record<string, string>} */
    const choice = {};
    const preset = this.input("preset").value;
    if (this.as === "speed") choice.speed = short(1 / this.factor);
    else if (this.as === "duration" && this.file) choice.duration = short(this.file.seconds * this.factor);
    else choice.factor = short(this.factor);
    if (preset) choice.preset = preset;
    else choice.method = this.method;
    if (!preset && !this.input("quality").disabled && this.input("quality").value) choice.quality = this.input("quality").value;
    const pitch = Number(this.input("pitch").value);
    if (pitch !== 0 && !this.input("pitch").disabled) choice.pitch = short(pitch);
    if (this.input("mono").checked) choice.mono = "1";
    if (this.input("salvage").checked) choice.salvage = "1";
    if (this.input("format").value) choice.format = this.input("format").value;
    return choice;
  }

  /** The treatment of existing results. @param {"refuse" | "skip"} otherwise */
  existing(otherwise) {
    return this.input("replace").checked ? "replace" : otherwise;
  }

  /** The choice, in a few words. */
  get words() {
    return `${Number(this.factor.toPrecision(4))} × as long · ${this.choice.preset ?? this.method}`;
  }

  /** The choice for playback, to which the output format makes no difference. */
  get heard() {
    const { format, salvage, ...heard } = this.choice;
    return heard;
  }

  changed() {
    this.ask();
    this.on.onChoice();
  }

  /** @param {{id: string, seconds: number} | null} file */
  open(file) {
    this.file = file;
    this.show();
    this.ask();
  }

  async askPlan() {
    if (!this.file) return;
    const turn = (this.turn = (this.turn ?? 0) + 1);
    try {
      const plan = await change("POST", "/api/plan", { files: [this.file.id], choice: this.choice, existing: this.existing("refuse") });
      if (turn !== this.turn) return;
      this.plan = plan;
      byId("amount-words").textContent = words(this.factor, this.keepsPitch);
      byId("command").textContent = plan.command;
      byId("command").title = plan.command;
      const [output] = plan.outputs;
      byId("writes").textContent = output ? `writes ${ending(output.output)}` : "";
      byId("writes").title = output?.output ?? "";
      this.refuse(output?.problem ?? null);
    } catch (error) {
      if (turn !== this.turn || !(error instanceof Refusal)) return;
      this.plan = null;
      byId("writes").textContent = "";
      this.refuse({ cause: error.message, remedy: error.remedy });
    }
  }

  /** @param {{cause: string, remedy: string | null} | null} problem */
  refuse(problem) {
    const place = byId("refusal");
    place.textContent = problem ? problem.cause + (problem.remedy ? `; ${problem.remedy}` : "") : "";
    place.hidden = !problem;
  }
}
