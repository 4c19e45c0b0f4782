// The page: connects the list, the player, the waveforms, the panel and the jobs.

import { showDetails } from "./details.js";
import { announce, byId, icon, make, note, slide } from "./dom.js";
import { ElementPlayer } from "./element-player.js";
import { Folder } from "./folder.js";
import { Jobs } from "./jobs.js";
import { meaning, shown, table, takes } from "./keys.js";
import { FileList } from "./list.js";
import { look } from "./look.js";
import { MarkList } from "./marks.js";
import { Meters } from "./meters.js";
import { Panel } from "./panel.js";
import { Peaks } from "./peaks.js";
import { Player } from "./player.js";
import { Refusal, change, json, listen } from "./server.js";
import { closeSheets, watchSheets } from "./sheets.js";
import { paced } from "./store.js";
import { SystemControls, watchDevices } from "./system.js";
import { clock, spoken } from "./time.js";
import { WaveView } from "./view.js";

// Needed first, and long where there are many files.
const files = json("/api/files").catch(() => null);
const session = await json("/api/session").catch(() => null);
if (!session) {
  byId("offline").textContent = "The server does not answer: start `scaleaudio serve` again.";
  byId("offline").hidden = false;
  throw new Error("no session");
}

/** What is open. */
const state = {
  /** @type {any} */ file: null,
  /** @type {any} */ details: null,
  rate: 1,
  tune: 0,
  showsRemaining: true,
  usesKeys: true,
  /** @type {number | null} */ a: null,
  /** @type {{start: number, end: number} | null} */ loop: null,
  volume: 1,
};
/** @type {Peaks | null} */
let peaks = null;

// MARK: - Parts

const list = new FileList(byId("list"), {
  onSelect: (id) => select(id),
  onPlay: (id) => select(id).then(play),
  onScale: (id) => select(id).then(() => scale([id])),
  onCheck: () => folder.showChecked(),
  onNeed: (ids) => folder.need(ids),
});
const folder = new Folder(session, list, () => panel, files);

/** @type {import("./player.js").Events} */
const heard = {
  onPosition: (report) => {
    meters.take(report.rms, report.peaks, performance.now() / 1000);
    if (player.isPlaying) {
      frame();
      system.show(false);
    }
  },
  onEnd: () => {
    showPlaying();
    view.setMoment(player.moment, false);
    meters.clear();
  },
  onProblem: (error) => note(error instanceof Refusal ? error.sentence : error.message, true),
  onBlocked: (isBlocked) => {
    if (isBlocked) note("The browser waits for a click before it plays sound; press Play.", true);
    else if (byId("note").textContent?.startsWith("The browser waits")) note("");
    showPlaying();
  },
  onInterrupted: () => {
    note(`The sound was interrupted at ${clock(player.moment)}.`, true, { name: "Resume", run: toggle });
    showPlaying();
  },
};
/** @type {Player} */
const player = Player.isPossible ? new Player(heard) : /** @type {any} */ (new ElementPlayer(heard));
byId("meters").hidden = !Player.isPossible;
const system = new SystemControls(player, { toggle, seek: (moment) => seek(moment, false), file: chooseNeighbor });
watchDevices(() => player.interrupt());

const meters = new Meters(byId("meters"));
const panel = new Panel(session, { onChoice: () => {
    showResult();
    folder.askCommand();
    reload();
  }, onFactor: (factor) => showFactor(factor) });
const jobs = new Jobs({
  nameOf: (id) => list.facts.get(id)?.title || list.files.find((file) => file.id === id)?.name || "a file",
  onState: (id, own) => {
    list.states.set(id, own);
    list.update(id);
  },
  onShow: (id) => {
    select(id);
    list.reveal(id);
    if (list.files.some((file) => file.id === id)) document.body.dataset.view = "list";
  },
  onHear: (id) => select(id).then(play),
});
const view = new WaveView({
  onSeek: (moment, isDragging) => seek(moment, isDragging),
  onMark: (mark, at, isDone) => {
    mark.at = at;
    if (isDone) marks.marks?.save();
    showItems();
    if (isDone) marks.show();
  },
  onPick: (mark) => seek(mark.at, false),
});
const marks = new MarkList({
  onSeek: (moment) => seek(moment, false),
  onLoop: loopFrom,
  onChange: showItems,
});

watchSheets();
look((value) => {
  view.look = value;
  state.usesKeys = value.keys;
  view.plan();
});

// MARK: - A file

/** The last that was asked for: a file, or other sounds of it. @type {Promise<unknown>} */
let opening = Promise.resolve();

/** Opens a file. @param {string} id */
function select(id) {
  document.body.dataset.view = "player";
  if (state.file?.id !== id) byId("stage").scrollTop = 0;
  if (state.file?.id !== id) opening = open(id);
  return opening;
}

/** @param {string} id */
async function open(id) {
  let file = list.files.find((other) => other.id === id) ?? { id, name: "", folder: "", bytes: 0 };
  state.file = file;
  list.select(id);
  byId("nothing").hidden = true;
  byId("track").hidden = false;
  let details;
  try {
    details = await json(`/api/files/${id}`);
  } catch (error) {
    note(error instanceof Refusal ? error.sentence : String(error), true);
    return;
  }
  if (state.file.id !== id) return;
  state.details = details;
  list.facts.set(id, details);
  if (!file.name) file.name = details.title ?? "Result";
  [state.loop, state.a] = [null, null];
  showDetails(file, details, (moment) => seek(moment, false));
  system.open(file, details);
  peaks?.close();
  peaks = new Peaks(id, () => view.plan());
  view.open(peaks, details.seconds ?? 0, details.sampleRate ?? 44100);
  panel.open({ id, seconds: details.seconds ?? 0 });
  showFactor(panel.factor);
  marks.open(file);
  setLoop(null);
  player.unload();
  meters.clear();
  setPlayable(Boolean(details.seconds));
  showResult();
  await load(0);
  showPlaying();
}

/** Fetches the sounds of what is chosen, from a moment on. @param {number} moment */
async function load(moment) {
  if (!state.file || !state.details?.seconds) return false;
  const isThere = await player.load(state.file.id, {
    choice: panel.heard, rate: state.rate, tune: state.tune, isDamaged: Boolean(state.details.problem),
  }, moment);
  if (!isThere) return false;
  const { result } = player.sounds;
  view.setResult(result);
  showResult();
  frame();
  return true;
}

/** Says what the result is. */
function showResult() {
  const preview = player.sounds.result?.isPreview ? " · preview by the live engine" : "";
  byId("result-name").textContent = state.details?.seconds ? panel.words + preview : "";
}

/** Offers what plays, or does not. @param {boolean} isPlayable */
function setPlayable(isPlayable) {
  for (const id of ["play", "mini-play", "back", "on", "loop", "rate", "listen", "add-mark", "zoom-in", "zoom-out", "zoom-fit"]) {
    /** @type {HTMLButtonElement} */ (byId(id)).disabled = !isPlayable;
  }
  for (const radio of document.querySelectorAll('input[name="heard"]')) /** @type {HTMLInputElement} */ (radio).disabled = !isPlayable;
}

/** While the slider is dragged, the sound follows. */
const reload = paced(60, () => load(player.moment));

/** @param {number} factor */
function showFactor(factor) {
  view.setFactor(factor);
  byId("result-length").textContent = state.details?.seconds ? clock(state.details.seconds * factor, 3) : "";
  showItems();
}

// MARK: - Time

let isDrawn = false;

/** Shows the moment now, and again with the next picture while it plays. */
function frame() {
  if (isDrawn) return;
  isDrawn = true;
  requestAnimationFrame(() => {
    isDrawn = false;
    const { moment } = player;
    if (!view.isDragging) view.setMoment(moment, player.isPlaying);
    showTime(view.isDragging ? view.moment : moment);
    if (player.isPlaying) frame();
  });
}

/** @param {number} moment */
function showTime(moment) {
  const total = state.details?.seconds ?? 0;
  const factor = player.heard === "result" ? panel.factor : 1;
  const text = clock(moment * factor);
  const rest = state.showsRemaining ? `−${clock((total - moment) * factor)}` : clock(total * factor);
  if (byId("elapsed").textContent !== text || byId("remaining").textContent !== rest) {
    byId("elapsed").textContent = text;
    byId("remaining").textContent = rest;
    byId("mini-time").textContent = text;
  }
  const { start, end } = view.view;
  const key = `${start} ${end} ${view.factor}`;
  if (key !== shownItems) {
    shownItems = key;
    showItems();
  }
}

let shownItems = "";

/** @param {number} moment @param {boolean} isDragging */
function seek(moment, isDragging) {
  const at = Math.max(0, Math.min(state.details?.seconds ?? 0, moment));
  view.setMoment(at, false);
  showTime(at);
  if (isDragging) dragged(at);
  else player.seek(at).then(frame);
}

let lastDrag = 0;

/** While dragging the sound follows, at most twenty times a second. @param {number} moment */
function dragged(moment) {
  if (performance.now() - lastDrag < 50) return;
  lastDrag = performance.now();
  player.seek(moment);
}

function showPlaying() {
  const isPlaying = player.isPlaying;
  for (const id of ["play", "mini-play"]) {
    byId(id).replaceChildren(icon(isPlaying ? "pause" : "play"));
    byId(id).setAttribute("aria-label", isPlaying ? "Pause" : "Play");
  }
  system.show(true);
  if (!isPlaying) meters.clear();
  frame();
}

/** Plays as soon as there is something to play. */
async function play() {
  await opening;
  if (!player.isPlaying) await player.play();
  showPlaying();
}

async function toggle() {
  if (!player.isPlaying) return play();
  player.pause();
  showPlaying();
}

/** @param {string} name */
async function hear(name) {
  for (const radio of document.querySelectorAll('input[name="heard"]')) {
    const input = /** @type {HTMLInputElement} */ (radio);
    input.checked = input.value === name;
  }
  await player.hearOther(name);
  announce(name === "result" ? "Result" : "Source");
  frame();
}

/** @param {number} rate @param {number} tune */
function setRate(rate, tune = state.tune) {
  const [least, most] = session.limits.rate;
  state.rate = Math.min(most, Math.max(least, Math.round(rate * 100) / 100));
  state.tune = Math.min(12, Math.max(-12, tune));
  /** @type {HTMLInputElement} */ (byId("rate")).value = String(state.rate);
  note(`${state.rate} × at ${state.tune === 0 ? "the same pitch" : `${state.tune > 0 ? "+" : ""}${state.tune} semitones`}`);
  reload();
}

/** @param {{start: number, end: number} | null} loop */
function setLoop(loop) {
  state.loop = loop;
  byId("loop").setAttribute("aria-pressed", String(loop !== null || state.a !== null));
  byId("loop").textContent = state.a !== null && !loop ? "A–…" : "A–B";
  player.setLoop(loop);
  showItems();
}

/** Sets A, then B, then nothing. */
function stepLoop() {
  const at = player.moment;
  if (state.loop) {
    state.a = null;
    setLoop(null);
    announce("No loop");
  } else if (state.a === null) {
    state.a = at;
    setLoop(null);
    announce(`A at ${spoken(at)}`);
  } else {
    const [start, end] = [Math.min(state.a, at), Math.max(state.a, at)];
    state.a = null;
    setLoop(end > start ? { start, end } : null);
    announce(`Loop of ${spoken(end - start)}`);
  }
}

/** @param {number} volume */
function setVolume(volume) {
  state.volume = Math.min(1, Math.max(0, volume));
  slide("volume", Math.round(state.volume * 100));
  // By the square, so that steps sound alike.
  player.setVolume(state.volume ** 2);
}

// MARK: - Marks

function showItems() {
  view.setItems({ loop: state.loop, a: state.a, chapters: state.details?.chapters ?? [], marks: marks.list });
}

/** @param {import("./marks.js").Mark} mark */
function loopFrom(mark) {
  state.a = null;
  setLoop({ start: mark.at, end: marks.marks?.after(mark.at, state.details.seconds) ?? mark.at });
  seek(mark.at, false);
}

function addMark() {
  const mark = marks.add(player.moment);
  if (mark) announce(`${mark.name} at ${spoken(mark.at)}`);
}


// MARK: - Scaling

/** @param {string[] | "all"} files */
async function scale(files) {
  if (session.readOnly) return note("This server only reads; start it again so that it may write.", true);
  const many = files === "all" || files.length > 1;
  try {
    await change("POST", "/api/jobs", { files, choice: panel.choice, existing: panel.existing(many ? "skip" : "refuse") });
    note("");
    announce(many ? "Scaling begins; files that exist are skipped." : "Scaling begins.");
    await jobs.load();
    // Where there is little room, the line of the newest job is enough.
    if (matchMedia("(min-width: 960px)").matches) jobs.open();
  } catch (error) {
    note(error instanceof Refusal ? error.sentence : String(error), true);
  }
}

byId("scale").addEventListener("click", () => state.file && scale([state.file.id]));
byId("scale-many").addEventListener("click", () => scale(folder.chosen));
byId("listen").addEventListener("click", () => listenToResult());

async function listenToResult() {
  await hear("result");
  await play();
}

// MARK: - Buttons

byId("play").addEventListener("click", toggle);
byId("mini-play").addEventListener("click", toggle);
byId("mini-open").addEventListener("click", () => (document.body.dataset.view = "player"));
byId("to-list").append(icon("back"));
byId("to-list").addEventListener("click", () => (document.body.dataset.view = "list"));
byId("back").addEventListener("click", () => seek(player.moment - 10, false));
byId("on").addEventListener("click", () => seek(player.moment + 10, false));
byId("time").addEventListener("click", () => {
  state.showsRemaining = !state.showsRemaining;
  showTime(player.moment);
});
byId("loop").addEventListener("click", stepLoop);
byId("rate").addEventListener("change", (event) => setRate(Number(/** @type {HTMLInputElement} */ (event.target).value) || 1));
byId("volume").addEventListener("input", (event) => setVolume(Number(/** @type {HTMLInputElement} */ (event.target).value) / 100));
byId("add-mark").addEventListener("click", addMark);
byId("zoom-in").addEventListener("click", () => actions.zoom(0));
byId("zoom-out").addEventListener("click", () => actions.zoom(1));
byId("zoom-fit").addEventListener("click", () => actions.fit(0));
byId("open-keys").addEventListener("click", () => /** @type {HTMLDialogElement} */ (byId("keys")).showModal());
for (const radio of document.querySelectorAll('input[name="heard"]')) {
  radio.addEventListener("change", () => hear(/** @type {HTMLInputElement} */ (radio).value));
}

/** @param {number} step */
function chooseNeighbor(step) {
  const id = list.neighbor(step);
  if (id) select(id);
}

// MARK: - Keys

byId("key-list").replaceChildren(...table.flatMap(({ keys, words }) => [
  make("dt", {}, ...(keys.length === 10 ? ["0", "–", "9"] : keys).map((key) => (key === "–" ? key : make("kbd", {}, shown(key))))),
  make("dd", {}, words),
]));

/** @type {Record<string, (index: number) => void>} */
const actions = {
  toggle: () => toggle(),
  ten: (index) => seek(player.moment + (index === 0 ? -10 : 10), false),
  one: (index) => seek(player.moment + (index === 0 ? -1 : 1), false),
  minute: (index) => seek(player.moment + (index === 0 ? -60 : 60), false),
  ends: (index) => seek(index === 0 ? 0 : state.details?.seconds ?? 0, false),
  chapter: (index) => {
    const starts = (state.details?.chapters ?? []).map((/** @type {any} */ chapter) => chapter.start);
    const at = player.moment;
    const next = index === 0 ? starts.findLast((/** @type {number} */ start) => start < at - 1) ?? 0 : starts.find((/** @type {number} */ start) => start > at + 0.01);
    if (next !== undefined) seek(next, false);
  },
  tenth: (index) => seek(((state.details?.seconds ?? 0) * index) / 10, false),
  rate: (index) => setRate(state.rate + (index === 0 ? -0.05 : 0.05)),
  double: (index) => setRate(state.rate * (index === 0 ? 0.5 : 2)),
  resetRate: () => setRate(1, 0),
  tune: (index) => setRate(state.rate, state.tune + (index === 0 ? -1 : 1)),
  loop: stepLoop,
  loopFile: () => {
    state.a = null;
    setLoop(state.loop ? null : { start: 0, end: state.details?.seconds ?? 0 });
  },
  volume: (index) => setVolume(state.volume + (index === 0 ? -0.05 : 0.05)),
  mute: () => setVolume(state.volume > 0 ? 0 : 1),
  mark: addMark,
  time: () => byId("time").click(),
  compare: () => hear(player.heard === "source" ? "result" : "source"),
  listen: () => listenToResult(),
  scale: () => byId("scale").click(),
  escape: () => {
    const drawer = /** @type {HTMLDialogElement} */ (byId("look"));
    if (drawer.open) {
      drawer.close();
      const openers = [byId("open-look"), byId("sheet-bar").querySelector("[data-opens=open-look]")];
      /** @type {HTMLElement | null | undefined} */ (openers.find((own) => own?.checkVisibility()))?.focus();
    } else if (closeSheets()) {
      // Only the sheet.
    } else if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    else jobs.cancelLast().then((wasRunning) => wasRunning && note("The job is stopped."));
  },
  file: (index) => chooseNeighbor(index % 2 === 0 ? -1 : 1),
  zoom: (index) => view.zoom(index === 0 ? 0.5 : 2),
  fit: () => view.show({ start: 0, end: view.total }),
  search: () => {
    document.body.dataset.view = "list";
    byId("search").focus();
  },
  help: () => byId("open-keys").click(),
};

addEventListener("keydown", (event) => {
  if (document.querySelector("dialog:modal")) return;
  const found = meaning(event);
  if (!found) return;
  const needsNoKeys = found.action === "escape" || document.activeElement?.getAttribute("role") === "slider";
  if (!state.usesKeys && !needsNoKeys) return;
  if (found.action !== "escape" && takes(document.activeElement, event.key)) return;
  if (!state.file && !["search", "help", "file", "escape"].includes(found.action)) return;
  event.preventDefault();
  actions[found.action](found.index);
});

// MARK: - Events

listen({
  hello: () => {},
  reset: () => {
    folder.revision = -1;
    folder.load(true);
    jobs.load();
  },
  files: () => folder.load(true),
  peaks: (event) => event.id === peaks?.id && peaks?.progress(event.ready),
  file: (event) => jobs.takeFile(event),
  job: (event) => jobs.takeJob(event),
}, (connection) => {
  const place = byId("offline");
  place.hidden = connection === "open";
  place.classList.toggle("waiting", connection === "lost");
  place.textContent = connection === "lost" ? "Reconnecting…" : "The server is gone. Start `scaleaudio serve` again, and open the address that it prints.";
  if (connection === "open") folder.load();
});

showPlaying();
setVolume(state.volume);
byId("volume").before(icon("volume"));
await folder.load();
await jobs.load().catch(() => {});

export { list, panel, player, select, session, state, view };
