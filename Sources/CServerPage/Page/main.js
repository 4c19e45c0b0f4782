// The page: connects the list, the player, the waveforms, the panel and the jobs.

import { showDetails } from "./details.js";
import { announce, byId, icon, note, painted } from "./dom.js";
import { ElementPlayer } from "./element-player.js";
import { Folder } from "./folder.js";
import { Jobs } from "./jobs.js";
import { FileList } from "./list.js";
import { look } from "./look.js";
import { MarkList } from "./marks.js";
import { Meters } from "./meters.js";
import { Panel } from "./panel.js";
import { Peaks } from "./peaks.js";
import { Player } from "./player.js";
import { Refusal, change, json, listen } from "./server.js";
import { watchSheets } from "./sheets.js";
import { watchKeys } from "./shortcuts.js";
import { paced } from "./store.js";
import { SystemControls, watchDevices } from "./system.js";
import { clock, spoken } from "./time.js";
import { Transport } from "./transport.js";
import { WaveView } from "./view.js";

// Needed first, and long where there are many files.
const files = json("/api/files").catch(() => null);
const asked = json("/api/session").catch(() => null);
// First comes the content that the page shows without scripts.
await painted();
const session = await asked;
if (!session) {
  byId("offline").textContent = "The server does not answer: start `scaleaudio serve` again.";
  byId("offline").hidden = false;
  throw new Error("no session");
}

/** The open file and its state. */
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
  onPlay: (id) => select(id).then(() => transport.play()),
  onScale: (id) => select(id).then(() => scale([id])),
  onCheck: () => folder.showChecked(),
  onNeed: (ids) => folder.need(ids),
});
const folder = new Folder(session, list, () => panel, files);

/** @type {import("./player.js").Events} */
const heard = {
  onPosition: (report) => {
    // The answer to a pause has the levels before it.
    if (report.isPlaying) meters.take(report.rms, report.peaks, performance.now() / 1000);
    if (player.isPlaying) {
      transport.frame();
      system.show(false);
    }
  },
  onEnd: () => {
    transport.showPlaying();
    view.setMoment(player.moment, false);
    meters.clear();
  },
  onProblem: (error) => note(error instanceof Refusal ? error.sentence : error.message, true),
  onBlocked: (isBlocked) => {
    if (isBlocked) note("The browser waits for a click before it plays sound; press Play.", true);
    else if (byId("note").textContent?.startsWith("The browser waits")) note("");
    transport.showPlaying();
  },
  onInterrupted: () => {
    note(`The sound was interrupted at ${clock(player.moment)}.`, true, { name: "Resume", run: () => transport.toggle() });
    transport.showPlaying();
  },
};
/** @type {import("./player.js").Playing} */
const player = Player.isPossible ? new Player(heard) : new ElementPlayer(heard);
byId("meters").hidden = !Player.isPossible;
const system = new SystemControls(player, { toggle: () => transport.toggle(), seek: (moment) => transport.seek(moment), file: chooseNeighbor });
watchDevices(() => player.interrupt());
const transport = new Transport(state, session, { player, view: () => view, panel: () => panel, meters: () => meters, system: () => system }, {
  opening: () => opening,
  reload: () => reload(),
  onItems: () => showItems(),
});

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
  onHear: (id) => select(id).then(() => transport.play()),
});
const view = new WaveView({
  onSeek: (moment, isDragging) => transport.seek(moment, isDragging),
  onMark: (mark, at, isDone) => {
    mark.at = at;
    if (isDone) marks.marks?.save();
    showItems();
    if (isDone) marks.show();
  },
  onPick: (mark) => transport.seek(mark.at),
});
const marks = new MarkList({
  onSeek: (moment) => transport.seek(moment),
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
  showDetails(file, details, (moment) => transport.seek(moment));
  system.open(file, details);
  peaks?.close();
  peaks = new Peaks(id, () => view.plan());
  view.open(peaks, details.seconds ?? 0, details.sampleRate ?? 44100);
  panel.open({ id, seconds: details.seconds ?? 0 });
  showFactor(panel.factor);
  marks.open(file);
  transport.setLoop(null);
  player.unload();
  meters.clear();
  transport.setPlayable(Boolean(details.seconds));
  showResult();
  await load(0);
  transport.showPlaying();
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
  transport.frame();
  return true;
}

/** Shows what the result will be. */
function showResult() {
  const preview = player.sounds.result?.isPreview ? " · preview" : "";
  byId("result-name").textContent = state.details?.seconds ? panel.words + preview : "";
}

/** While the slider is dragged, the sound follows. */
const reload = paced(60, () => load(player.moment));

/** @param {number} factor */
function showFactor(factor) {
  view.setFactor(factor);
  byId("result-length").textContent = state.details?.seconds ? clock(state.details.seconds * factor, 3) : "";
  showItems();
}

// MARK: - Marks

function showItems() {
  view.setItems({ loop: state.loop, a: state.a, chapters: state.details?.chapters ?? [], marks: marks.list });
}

/** @param {import("./marks.js").Mark} mark */
function loopFrom(mark) {
  state.a = null;
  transport.setLoop({ start: mark.at, end: marks.marks?.after(mark.at, state.details.seconds) ?? mark.at });
  transport.seek(mark.at);
}

function addMark() {
  const mark = marks.add(player.moment);
  if (mark) announce(`${mark.name} at ${spoken(mark.at)}`);
}


// MARK: - Scaling

/** @param {string[] | "all"} files */
async function scale(files) {
  if (session.readOnly) return note("This server is read-only; restart it with write access.", true);
  const many = files === "all" || files.length > 1;
  try {
    await change("POST", "/api/jobs", { files, choice: panel.choice, existing: panel.existing(many ? "skip" : "refuse") });
    note("");
    announce(many ? "Scaling begins; files that exist are skipped." : "Scaling begins.");
    await jobs.load();
    // In a narrow window, the line of the newest job is enough.
    if (byId("library").checkVisibility()) jobs.open();
  } catch (error) {
    note(error instanceof Refusal ? error.sentence : String(error), true);
  }
}

byId("scale").addEventListener("click", () => state.file && scale([state.file.id]));
byId("scale-many").addEventListener("click", () => scale(folder.chosen));
byId("listen").addEventListener("click", () => transport.listenToResult());

// MARK: - Buttons

byId("mini-open").addEventListener("click", () => (document.body.dataset.view = "player"));
byId("to-list").append(icon("back"));
byId("to-list").addEventListener("click", () => (document.body.dataset.view = "list"));
byId("add-mark").addEventListener("click", addMark);
byId("zoom-in").addEventListener("click", () => actions.zoom(0));
byId("zoom-out").addEventListener("click", () => actions.zoom(1));
byId("zoom-fit").addEventListener("click", () => actions.fit(0));
byId("open-keys").addEventListener("click", () => /** @type {HTMLDialogElement} */ (byId("keys")).showModal());
/** @param {number} step */
function chooseNeighbor(step) {
  const id = list.neighbor(step);
  if (id) select(id);
}

const actions = watchKeys(state, { transport, view, jobs, addMark, chooseNeighbor });

// MARK: - Events

listen({
  hello: () => {},
  reset: () => {
    folder.revision = -1;
    folder.load(true);
    jobs.load();
  },
  files: (event) => event.revision !== folder.revision && folder.load(true),
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

transport.showPlaying();
transport.setVolume(state.volume);
byId("volume").before(icon("volume"));
await folder.load();
await jobs.load().catch(() => {});

export { list, panel, player, select, session, state, transport, view };
