// The page: connects the model, the list, the player, the picture, the panel and the jobs.

import { BatchSheet, filesOf, remember } from "./batch.js";
import { corners } from "./bend.js";
import { BendView } from "./bend-view.js";
import { showDetails } from "./details.js";
import { announce, byId, closeSheet, icon, note, openSheet, openedSheet, painted } from "./dom.js";
import { ElementPlayer } from "./element-player.js";
import { Folder } from "./folder.js";
import { Jobs } from "./jobs.js";
import { FileList, resultOf } from "./list.js";
import { look } from "./look.js";
import { MarkList } from "./marks.js";
import { Meters } from "./meters.js";
import { Model, choiceOf, heardOf, isOriginal } from "./model.js";
import { NoteKeeper } from "./notes.js";
import { Panel } from "./panel.js";
import { Peaks } from "./peaks.js";
import { Player } from "./player.js";
import { Practice } from "./practice.js";
import { Refusal, change, json, listen } from "./server.js";
import { watchKeys } from "./shortcuts.js";
import { paced } from "./store.js";
import { SystemControls, watchDevices } from "./system.js";
import { clock, spoken } from "./time.js";
import { Transport } from "./transport.js";
import { WaveView } from "./view.js";
import { Way, nameOf } from "./way.js";

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

const model = new Model();
/** @type {Peaks | null} */
let peaks = null;

// MARK: - Parts

const list = new FileList(byId("list"), {
  onSelect: (id) => select(id),
  onPlay: (id) => select(id).then(() => model.state.file?.id === id && transport.play()),
  onCheck: () => batch.show(),
  onNeed: (ids) => folder.need(ids),
});
const batch = new BatchSheet(session, model, list, (ids, choice) => make(ids, choice, "skip"));
const folder = new Folder(session, list, files);

/** @type {import("./player.js").Events} */
const heard = {
  onPosition: (report) => {
    // The answer to a pause has the levels before it.
    if (report.isPlaying) meters.take(report.rms, report.peaks, performance.now() / 1000);
    practice.take(player.rounds);
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
  onProblem: (error) => {
    const { file } = model.state;
    // Other words for it would hide what can be done.
    if (!byId("offline").hidden) return transport.showPlaying();
    if (file && !list.files.some((own) => own.id === file.id)) sayGone(file);
    else note((problem = error instanceof Refusal ? error.sentence : problemWords(error)), true);
    transport.showPlaying();
  },
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

/** What was said about a sound that failed, until another one is there. */
let problem = "";

/** An error in the page's words; the browser's own say nothing to a musician. @param {Error} error */
function problemWords(error) {
  return error instanceof TypeError ? `The audio cannot be read at ${clock(player.moment, 1)}.` : error.message;
}

/** @param {any} file */
function sayGone(file) {
  note(`${file.name} is not in the folder any more: put it back, or choose another one.`, true);
}

/** @type {import("./player.js").Playing} */
const player = Player.isPossible ? new Player(heard) : new ElementPlayer(heard);
byId("meters").hidden = !Player.isPossible;
const system = new SystemControls(player, { toggle: () => transport.toggle(), seek: (moment) => transport.seek(moment), file: chooseNeighbor });
watchDevices(() => player.interrupt());
const transport = new Transport(model, { player, view: () => view, meters: () => meters, system: () => system }, () => opening);
const meters = new Meters(byId("meters"));
const panel = new Panel(session, model, () => model.state.file && make([model.state.file.id], choiceOf(model.state, session.methods), model.state.replace ? "replace" : "skip"));
const jobs = new Jobs({
  nameOf: (id) => list.facts.get(id)?.title || list.names.get(id) || "a file",
  onState: (id, own) => {
    list.states.set(id, own);
    list.update(id);
    if (own.state === "done" && id === model.state.file?.id) panel.ask();
  },
  onShow: (id) => {
    select(id);
    list.reveal(id);
    if (list.files.some((file) => file.id === id)) document.body.dataset.view = "list";
  },
  onHear: (id, source) => hearResult(id, source),
});
const notes = new NoteKeeper(model);
const marks = new MarkList(model, (moment) => transport.seek(moment));
const view = new WaveView({
  onSeek: (moment, isDragging) => transport.seek(moment, isDragging),
  onLoop: (loop, isDone) => {
    model.set({ loop, a: null });
    if (isDone && loop) announce(`Loop of ${spoken(loop.end - loop.start)}`);
    if (isDone && loop && (player.moment < loop.start || player.moment > loop.end)) transport.seek(loop.start);
  },
  onSpeed: (speed) => panel.setSpeed(speed),
  onMark: (mark, at) => {
    const moved = { ...mark, at };
    const marks = model.state.marks.map((other) => (other.name === mark.name && other.at === mark.at ? moved : other));
    model.set({ marks: marks.sort((a, b) => a.at - b.at) });
    return moved;
  },
  onPick: (at) => transport.seek(at),
  // Holding the picture compares, for as long.
  onHold: () => {
    const { heard } = model.state;
    if (!player.isPlaying) return null;
    transport.hear(heard === "source" ? "result" : "source");
    return () => transport.hear(heard);
  },
}, model);
const bends = new BendView(model, view, () => player.moment);
const practice = new Practice(model, panel, player);
transport.onPlay = () => practice.countIn();
view.onDrawn = () => bends.place();
transport.onMoment = (moment) => marks.place(moment);

look((value) => {
  view.look = value;
  document.body.style.setProperty("--list", value.list ? `${value.list}rem` : "");
  model.set({ usesKeys: value.keys });
  player.setExact(value.exact);
  view.plan();
});

// Any change is heard at once.
model.watch(["speed", "duration", "pitch", "key", "keepsVoices", "engine", "quality", "preset", "bends", "mono"], (state) => {
  view.plan();
  view.showLengths();
  if (!state.file) return;
  const name = isOriginal(state) ? state.heard : "result";
  if (name !== state.heard) transport.hear(name, false);
  reload();
});
model.watch(["loop", "a", "marks", "details"], () => view.plan());

// MARK: - A file

/** The last that was asked for: a file, or other sounds of it. @type {Promise<unknown>} */
let opening = Promise.resolve();

/** Opens a file; of a result, its original as the result was made. @param {string} id @param {boolean} [isWalk] true for the next one in the list */
function select(id, isWalk = false) {
  const origin = list.origins.get(id);
  if (origin) return hearResult(id, origin.id);
  showPlayer(list.files.find((file) => file.id === id), isWalk);
  if (model.state.file?.id !== id) {
    following = null;
    opening = open(id);
  }
  return opening;
}

const way = new Way(({ view: shown, file: name }) => {
  const file = list.files.find((own) => nameOf(own) === name);
  document.body.dataset.view = file ? shown : "list";
  if (file && shown === "player") select(file.id);
}, () => {
  const drawer = /** @type {HTMLDialogElement} */ (byId("look"));
  const isOpen = drawer.open || openedSheet() !== null;
  drawer.close();
  closeSheet();
  return isOpen;
});

/** @param {any} file @param {boolean} [isWalk] */
function showPlayer(file, isWalk = false) {
  document.body.dataset.view = "player";
  if (file) way.note({ view: "player", file: nameOf(file) }, isWalk);
}

function showList() {
  document.body.dataset.view = "list";
}

/** Opens the original of a result with the settings that made it, heard as the result. @param {string} id @param {string} source */
async function hearResult(id, source) {
  const own = made.get(id) ?? settingsOf(list.files.find((file) => file.id === id)?.name ?? "");
  showPlayer(list.files.find((file) => file.id === source));
  if (model.state.file?.id !== source) opening = open(source);
  await opening;
  // Another file may have been chosen meanwhile.
  if (model.state.file?.id !== source) return;
  if (own) notes.setAside(() => model.set(own));
  transport.hear("result");
  list.select(list.files.some((file) => file.id === id) ? id : source);
  await transport.play();
}

/** The settings that a name tells of. @param {string} name @returns {Partial<import("./model.js").State> | null} */
function settingsOf(name) {
  const own = resultOf(name);
  if (!own?.speed) return null;
  // Names round the factor to four digits.
  return { speed: Math.round(own.speed * 1e4) / 1e4, duration: null, preset: "", bends: [], key: own.key, pitch: own.isSame ? "same" : "tape", engine: own.isSame ? "" : own.method || "smoothstep" };
}

/** @param {string} id @param {number} [moment] */
async function open(id, moment = 0) {
  const file = list.files.find((other) => other.id === id) ?? { id, name: "", folder: "", bytes: 0 };
  note("");
  byId("nothing").hidden = true;
  byId("track").hidden = byId("panel").hidden = false;
  document.body.classList.add("is-open");
  byId("stage").scrollTop = byId("panel").scrollTop = 0;
  player.unload();
  model.open({ file, details: null, ...notes.valuesOf(file) });
  notes.open(file);
  list.select(id);
  meters.clear();
  let details;
  try {
    details = await json(`/api/files/${id}`);
  } catch (error) {
    if (model.state.file.id !== id) return;
    // Nothing of the file before stays on the page.
    details = { id, chapters: [], problem: { cause: error instanceof Refusal ? error.sentence : String(error), remedy: null } };
  }
  if (model.state.file.id !== id) return;
  list.facts.set(id, details);
  showDetails(file, details);
  system.open(file, details);
  peaks?.close();
  peaks = details.seconds ? new Peaks(id, () => view.plan()) : null;
  view.open(peaks, details.seconds ?? 0, details.sampleRate ?? 44100);
  // A length that was asked for was that of the file before.
  model.open({ details, duration: null });
  view.showLengths();
  transport.setPlayable(Boolean(details.seconds));
  await transport.hear(isOriginal(model.state) ? "source" : "result", false);
  await load(Math.min(moment, details.seconds ?? 0));
  transport.showPlaying();
}

/** Fetches the sounds of what is chosen, from a moment on. @param {number} moment */
async function load(moment) {
  const { state } = model;
  if (!state.file || !state.details?.seconds) return false;
  const isThere = await player.load(state.file.id, { choice: heardOf(state, session.methods), places: placesOf(state), isDamaged: Boolean(state.details.problem) }, moment);
  if (!isThere) return false;
  view.setResult(player.sounds.result);
  transport.frame();
  if (problem && byId("note").firstChild?.textContent === problem) note("");
  problem = "";
  return true;
}

/** The moments of the original and of a result that is bent. @param {import("./model.js").State} state */
function placesOf({ bends, details, duration }) {
  if (bends.length === 0) return null;
  const all = corners(bends, details.seconds);
  const scale = (duration ?? details.seconds * model.factor) / details.seconds;
  return { source: all.map(({ at }) => at), output: all.map(({ to }) => to * scale) };
}

/** While the slider is dragged, the sound follows. */
const reload = paced(60, () => load(player.moment));

/** The file that is read again: its moment, and true if it played. @type {{id: string, moment: number, isPlaying: boolean} | null} */
let following = null;

/** The id of the open file while it is not in the folder. */
let missing = "";

/** Reads the open file again after it has changed, where it was; says so where it is gone. @param {Set<string>} changed */
function followFolder(changed) {
  const { file, details } = model.state;
  if (!file) return;
  if (!list.files.some((own) => own.id === file.id)) {
    missing = file.id;
    if (details?.seconds) sayGone(file);
    return;
  }
  // One that is back may be another one.
  if (!changed.has(file.id) && missing !== file.id) return;
  missing = "";
  // A file that is written in parts changes while it is read again.
  const own = following?.id === file.id ? { ...following } : { id: file.id, moment: player.moment, isPlaying: player.isPlaying || player.isCutOff };
  following = own;
  // Playing waits for what is opened, so that it is no part of that.
  const reading = open(own.id, own.moment);
  opening = reading;
  reading.then(() => {
    if (following !== own) return;
    // A file that is only begun has no sound yet: the next change goes on from here.
    if (model.state.file?.id === own.id && !model.state.details?.seconds) return;
    following = null;
    if (model.state.file?.id !== own.id) return;
    note(`${file.name} has changed, and was read again.`);
    if (own.isPlaying) return transport.play();
  });
}
folder.onChanged = followFolder;

// MARK: - New files

/** The settings of results that this page made, by their ids. @type {Map<string, any>} */
const made = new Map();

/** The ids of results, by those of their originals and their names. @type {Map<string, string>} */
const results = new Map();

/** @param {string[]} ids @param {Record<string, string>} choice @param {"skip" | "replace"} existing */
async function make(ids, choice, existing) {
  const { speed, duration, pitch, key, keepsVoices, engine, quality, preset, bends, mono } = model.state;
  const isOne = ids.length === 1;
  const settings = { speed, duration: isOne ? duration : null, pitch, key, keepsVoices, engine, quality, preset, bends: isOne ? bends : [], mono };
  try {
    const { id } = await change("POST", "/api/jobs", { files: ids, choice, existing });
    model.set({ replace: false });
    jobs.settings.set(id, settings);
    note("");
    announce(`Making ${filesOf(ids.length)}.`);
    await jobs.load();
  } catch (error) {
    note(error instanceof Refusal ? error.sentence : String(error), true);
  }
}

jobs.watch();
jobs.showsFolders = session.canShowFolders;
jobs.onMade = (file, settings) => {
  if (settings) made.set(file.resultId, settings);
  results.set(`${file.id} ${file.output}`, file.resultId);
};
jobs.onEnded = (job, seconds) => {
  const settings = jobs.settings.get(job.id);
  const done = [...job.files.values()].filter((file) => file.state === "done");
  const length = done.reduce((sum, { id }) => sum + (list.facts.get(id)?.seconds ?? 0), 0);
  if (settings) remember(settings, length / settings.speed, seconds);
};
panel.resultOf = (output) => {
  const { file } = model.state;
  const name = output.split("/").at(-1);
  return results.get(`${file?.id} ${output}`) ?? list.files.find((own) => own.name === name && list.origins.get(own.id)?.id === file?.id)?.id ?? null;
};

// MARK: - Buttons

byId("now").addEventListener("click", () => showPlayer(model.state.file));
byId("to-list").append(icon("back"));
byId("to-list").addEventListener("click", () => way.toList(showList));
byId("add-mark").addEventListener("click", addMark);
byId("zoom-in").addEventListener("click", () => actions.zoom(0));
byId("zoom-out").addEventListener("click", () => actions.zoom(1));
byId("zoom-fit").addEventListener("click", () => actions.fit(0));
byId("open-keys").addEventListener("click", () => openSheet(/** @type {HTMLDialogElement} */ (byId("keys"))));

function addMark() {
  const mark = marks.add(player.moment);
  announce(`${mark.name} at ${spoken(mark.at)}`);
}

/** @param {number} step */
function chooseNeighbor(step) {
  const id = list.neighbor(step);
  if (id) select(id, true);
}

const actions = watchKeys(model, { transport, panel, view, list, bends, addMark, chooseNeighbor });

// MARK: - Events

listen({
  // Events between two connections are lost, so the list and the notes are asked for.
  hello: () => {
    notes.again();
    jobs.load().catch(() => {});
  },
  reset: () => {
    notes.again();
    folder.revision = -1;
    folder.load(true);
    jobs.load();
  },
  files: (event) => event.revision !== folder.revision && folder.load(true),
  peaks: (event) => event.id === peaks?.id && peaks?.progress(event.ready, event.isEnded),
  file: (event) => jobs.takeFile(event),
  job: (event) => jobs.takeJob(event),
  notes: (event) => notes.hear(event),
}, (connection) => {
  const place = byId("offline");
  place.hidden = connection === "open";
  place.classList.toggle("waiting", connection === "lost");
  place.textContent = connection === "lost" ? "Reconnecting…" : "The server is gone. Start `scaleaudio serve` again, and open the address that it prints.";
  document.body.classList.toggle("is-gone", connection === "gone");
  jobs.setGone(connection === "gone");
  // A failure with it is no problem of a file.
  if (connection !== "open") note("");
  if (connection === "open") folder.load();
});

transport.showPlaying();
byId("volume").before(icon("volume"));
await folder.load();
await jobs.load().catch(() => {});
// After a reload, the file is open again.
const last = way.place.view === "player" && list.files.find((file) => nameOf(file) === way.place.file);
if (last && !model.state.file) select(last.id);

export { bends, jobs, list, model, panel, player, practice, select, session, transport, view };
