// The modules of the page that need no browser: node --test Tests/PageTests

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const folder = new URL("../../Sources/CServerPage/Page/", import.meta.url);
const load = (name) => import(new URL(name, folder));

const { clock, seconds, spoken, tick } = await load("time.js");
const { following, level, shortest, within, zoomed } = await load("zoom.js");
const { form, planes } = await load("wav.js");
const { columnsOf, columnsOfSamples, floors, mostSamples, Peaks, Samples } = await load("peaks.js");
const { meaning, table, takes } = await load("keys.js");
const { draggable } = await load("drag.js");
const { labels, MarkList } = await load("marks.js");
const { WaveView } = await load("view.js");
const { blockFrames, wanted } = await load("sound.js");
const { fits, halves, nested, resultOf, rowsIn } = await load("list.js");
const { added, bent, between, mapOf, moved, readMap, slopes, straight } = await load("bend.js");
const { Sound } = await load("sound.js");
const { frequencyTicks, heightOf } = await load("waveform.js");
const { Model, choiceOf, heardOf, isOriginal, keyWords, readKey, usual } = await load("model.js");
const { factorOf, lengthWords, percent, placeOf, read, shift, short, speedOf } = await load("speed.js");
const { rooms } = await load("items.js");
const { countOf, readTempo, tapped, trained } = await load("practice.js");
const { inOrder, Jobs, left, words } = await load("jobs.js");
const { decibels } = await load("meters.js");
const { paced } = await load("store.js");
const { merged, NoteKeeper } = await load("notes.js");

test("bends are straight lines between their anchors, and what leads there leads back", () => {
  const bends = [{ at: 10, to: 14 }, { at: 20, to: 16 }];
  assert.deepEqual([0, 5, 10, 15, 20, 25, 30].map((at) => bent(bends, 30, at)), [0, 7, 14, 15, 16, 23, 30]);
  for (let at = 0; at <= 30; at += 0.37) assert.ok(Math.abs(straight(bends, 30, bent(bends, 30, at)) - at) < 1e-9);
  assert.equal(bent([], 30, 12), 12);
  assert.equal(between(40, [0, 30], [0, 60]), 80);
});

test("an anchor begins where it lies, and stays between its neighbors and within what can be made", () => {
  const bends = [{ at: 10, to: 14 }];
  const next = added(bends, 30, 20);
  assert.deepEqual(next, { bends: [{ at: 10, to: 14 }, { at: 20, to: 22 }], index: 1 });
  assert.equal(added(bends, 30, 10.001), null);
  assert.equal(added(bends, 30, 0), null);
  for (const speed of [0.25, 1, 4]) {
    for (const end of ["at", "to"]) {
      for (const value of [-5, 0, 3, 14, 21.9, 40]) {
        const all = [{ at: 0, to: 0 }, ...moved(next.bends, 0, end, value, 30, speed), { at: 30, to: 30 }];
        for (let index = 1; index < all.length; index++) {
          const slope = (all[index].to - all[index - 1].to) / speed / (all[index].at - all[index - 1].at);
          assert.ok(slope >= slopes.least && slope <= slopes.most, `${end} ${value} at ${speed}: ${slope}`);
        }
      }
    }
  }
  assert.deepEqual(moved(bends, 0, "to", 12, 30, 1), [{ at: 10, to: 12 }]);
});

test("a map file is what it was made from, and says where it is none", () => {
  const bends = [{ at: 1.25, to: 1.5 }, { at: 2, to: 3 }];
  const text = mapOf(bends, 4.0000004, 8);
  assert.equal(text, "1.25 3\n2 5.999999\n4.000001 8.000001\n");
  const read = readMap(text, 4.0000004, 44100);
  assert.ok(Math.abs(read.speed - 0.5) < 1e-6);
  for (const [index, own] of read.bends.entries()) {
    assert.ok(Math.abs(own.at - bends[index].at) < 1e-5 && Math.abs(own.to - bends[index].to) < 1e-5);
  }
  assert.deepEqual(readMap("# a map\n0 0\n44100f,22050f # comment\n88200f\t88200f\n", 2, 44100), { speed: 1, bends: [{ at: 1, to: 0.5 }] });
  assert.deepEqual(readMap("0:00 0\n1:00 2:00\n", 30, 44100), { speed: 0.5, bends: [] });
  for (const [wrong, words] of [["", "no times"], ["1", "Line 1"], ["1 2\n1 3", "line 2"], ["a b", "Line 1"], ["1 1", "ends at 1 s"]]) {
    assert.match(String(readMap(wrong, 30, 44100)), new RegExp(words));
  }
});

test("frames of two sounds belong together where one is bent", () => {
  const form = { sampleRate: 100, frames: 3000, channels: 1 };
  const [plain, mapped] = [new Sound("a"), new Sound("b", { source: [0, 10, 30], output: [0, 20, 30] })];
  [plain.form, mapped.form, plain.step] = [form, form, 0.01];
  assert.deepEqual([mapped.moment(1000), mapped.frame(20), plain.frame(20)], [5, 2500, 2000]);
  const { from, to } = mapped.beside(plain);
  assert.deepEqual([from, to], [[0, 2000, 3000], [0, 1000, 3000]]);
  assert.equal(between(2500, from, to), 2000);
});

test("blocks that were asked for before the head are taken where it is as expected", async (context) => {
  const head = (channels, frames) => {
    const view = new DataView(new ArrayBuffer(128));
    for (const [at, text] of [[0, "RIFF"], [8, "WAVE"], [12, "fmt "], [36, "data"]]) for (const [index, letter] of [...text].entries()) view.setUint8(at + index, letter.charCodeAt(0));
    for (const [at, value] of [[16, 16], [24, 48000], [40, frames * channels * 4]]) view.setUint32(at, value, true);
    for (const [at, value] of [[20, 3], [22, channels], [34, 32]]) view.setUint16(at, value, true);
    return view.buffer;
  };
  const asked = [];
  const before = globalThis.fetch;
  context.after(() => (globalThis.fetch = before));
  for (const [channels, factor, isTaken] of [[2, 1.25, true], [1, 1.25, false], [2, 1.5, false]]) {
    globalThis.fetch = async (_, { headers }) => {
      asked.push(headers.Range);
      const isHead = headers.Range === "bytes=0-127";
      return new Response(isHead ? head(channels, 100000) : new Float32Array(8192 * 2 * 2), { status: 206, headers: { "X-Factor": String(factor), "X-Run": "7" } });
    };
    const sound = new Sound("a");
    const form = { offset: 44, channels: 2, sampleRate: 48000, bits: 32, isFloat: true, bytes: 0, frames: 5 };
    sound.foresee(form, 1.25, 1, 2, new AbortController().signal);
    await sound.open(new AbortController().signal);
    // A second of the original is frame 60,000 of the result, in block 7, which begins at frame 57,344.
    assert.deepEqual(asked.splice(0), [`bytes=${44 + 57344 * 8}-${44 + (57344 + 16384) * 8 - 1}`, "bytes=0-127"]);
    assert.deepEqual([sound.early?.first, sound.frames], [isTaken ? 7 : undefined, 100000]);
    if (isTaken) assert.deepEqual([(await sound.early.answer).run, (await sound.early.answer).planes[1].length], [7, 16384]);
  }
  // One that is refused is none.
  globalThis.fetch = async () => new Response(null, { status: 416 });
  const refused = new Sound("b");
  refused.foresee({ offset: 44, channels: 2, sampleRate: 48000, bits: 32, isFloat: true, bytes: 0, frames: 5 }, 1, 1, 2, new AbortController().signal);
  assert.equal(await refused.early.answer, null);
});

test("tempos are typed and tapped, a trainer reaches its goal, and a count-in is one of beats or seconds", () => {
  for (const [text, beats] of [["96", 96], ["96,5 BPM", 96.5], [" 120bpm ", 120], ["9", null], ["1001", null], ["fast", null], ["", null]]) assert.equal(readTempo(text), beats);
  assert.equal(tapped([0]), null);
  assert.equal(tapped([0, 500, 1000, 1500]), 120);
  // A pause begins anew.
  assert.equal(tapped([0, 100, 5000, 6000, 7000]), 60);
  let [speed, steps] = [0.7, 0];
  for (let next = trained(speed, 7, 100); next !== null; next = trained(speed, 7, 100)) [speed, steps] = [next, steps + 1];
  assert.deepEqual([speed, steps], [1, 5]);
  assert.equal(trained(1.2, 15, 100), 1.05);
  assert.equal(trained(1.05, 15, 100), 1);
  assert.deepEqual(countOf("1bar", 120), { clicks: [0, 0.5, 1, 1.5], length: 2 });
  assert.deepEqual(countOf("2s", 120), { clicks: [0, 1], length: 2 });
  assert.deepEqual(countOf("", 120), { clicks: [], length: 0 });
});

test("the rest of a job is estimated from what was made since", () => {
  assert.equal(left({ time: 0, fraction: 0 }, 1000, 0.5), "");
  assert.equal(left({ time: 0, fraction: 0 }, 60000, 0.25), "about 3 min left");
  assert.equal(left({ time: 0, fraction: 0.5 }, 10000, 0.75), "about 10 s left");
  assert.equal(left({ time: 0, fraction: 0 }, 10000, 0.9), "a moment left");
  assert.equal(left(undefined, 10000, 0.9), "");
});

test("an axis of frequencies has one height for one interval", () => {
  const spectrum = { lowest: 20, highest: 20000 };
  assert.ok(Math.abs(heightOf(2000, spectrum) - heightOf(200, spectrum) - 1 / 3) < 1e-9);
  const ticks = frequencyTicks(spectrum, 300, 22);
  assert.deepEqual(ticks.map(({ text }) => text), ["50 Hz", "100 Hz", "200 Hz", "500 Hz", "1 kHz", "2 kHz", "5 kHz", "10 kHz"]);
  assert.ok(Math.abs(ticks.find(({ text }) => text === "200 Hz").y - 200) < 1e-9);
});

test("times read as people write them", () => {
  assert.equal(clock(0), "0:00.00");
  assert.equal(clock(59.999), "1:00.00");
  assert.equal(clock(3723.5, 1), "1:02:03.5");
  assert.equal(clock(61, 0), "1:01");
  assert.equal(clock(-1, 0), "0:00");
  assert.equal(spoken(62.5), "1 minute 2.5 seconds");
  assert.equal(spoken(1), "1 second");
  assert.equal(seconds("1:30.5"), 90.5);
  assert.equal(seconds("1:00:00"), 3600);
  assert.equal(seconds("90"), 90);
  for (const text of ["", "a", "1:", "1,5", "-3"]) assert.equal(seconds(text), null);
});

test("ticks are never closer than requested, and have as many decimals as they need", () => {
  for (let least = 1e-5; least < 4000; least *= 1.37) {
    const { step, places } = tick(least);
    assert.ok(step >= least * (1 - 1e-9));
    assert.ok(least >= 1 || step < least * 10.0001);
    assert.ok(Math.abs(step * 10 ** places - Math.round(step * 10 ** places)) < 1e-6);
  }
});

test("a view stays within the file and keeps the moment under the pointer", () => {
  let view = { start: 0, end: 100 };
  let state = 12345;
  const random = () => (state = (state * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
  for (let round = 0; round < 2000; round++) {
    const moment = view.start + random() * (view.end - view.start);
    const next = zoomed(view, 0.2 + random() * 4, moment, 100, shortest(44100));
    assert.ok(next.start >= 0 && next.end <= 100 + 1e-9 && next.end > next.start);
    const isFree = next.start > 1e-9 && next.end < 100 - 1e-9;
    if (isFree) {
      const share = (moment - view.start) / (view.end - view.start);
      assert.ok(Math.abs(next.start + share * (next.end - next.start) - moment) < 1e-6);
    }
    view = next;
  }
  assert.deepEqual(within({ start: -5, end: 5 }, 100, 1), { start: 0, end: 10 });
  assert.deepEqual(following({ start: 0, end: 10 }, 5, 100), { start: 0, end: 10 });
  assert.equal(following({ start: 0, end: 10 }, 20, 100).start, 19.5);
  assert.deepEqual([255, 256, 1023, 1024, 4096].map(level), [-1, 0, 0, 1, 2]);
});

/** A WAV file written by hand, from the format's own description. */
function wav(channels, bits, isFloat, samples, extra = []) {
  const width = channels * (bits / 8);
  const data = samples.length * (bits / 8);
  const view = new DataView(new ArrayBuffer(44 + extra.length + data));
  const text = (at, value) => [...value].forEach((letter, index) => view.setUint8(at + index, letter.charCodeAt(0)));
  text(0, "RIFF");
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, isFloat ? 3 : 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, 48000, true);
  view.setUint32(28, 48000 * width, true);
  view.setUint16(32, width, true);
  view.setUint16(34, bits, true);
  extra.forEach((byte, index) => view.setUint8(36 + index, byte));
  text(36 + extra.length, "data");
  view.setUint32(40 + extra.length, data, true);
  samples.forEach((sample, index) => view.setFloat32(44 + extra.length + index * 4, sample, true));
  return view.buffer;
}

test("headers of WAV files are read, with chunks in between", () => {
  const fact = [..."fact"].map((letter) => letter.charCodeAt(0)).concat([4, 0, 0, 0, 2, 0, 0, 0]);
  const buffer = wav(2, 32, true, [0.1, -0.1, 0.2, -0.2], fact);
  const found = form(buffer);
  assert.deepEqual(found, { offset: 56, bytes: 16, channels: 2, sampleRate: 48000, bits: 32, isFloat: true, frames: 2 });
  const [left, right] = planes(buffer.slice(56), 2);
  assert.deepEqual([...left].map((value) => value.toFixed(1)), ["0.1", "0.2"]);
  assert.deepEqual([...right].map((value) => value.toFixed(1)), ["-0.1", "-0.2"]);
  assert.equal(form(new ArrayBuffer(8)), null);
  assert.equal(form(new TextEncoder().encode("RIFF....WAVEdata....").buffer), null);
});

test("columns join the records within them", () => {
  const count = 10;
  const view = new DataView(new ArrayBuffer(count * 14));
  for (let pixel = 0; pixel < count; pixel++) {
    view.setInt16(pixel * 14, -pixel * 100, true);
    view.setInt16(pixel * 14 + 2, pixel * 200, true);
    view.setUint16(pixel * 14 + 4, 30000, true);
    view.setUint8(pixel * 14 + 6 + floors.indexOf(-70), pixel * 20);
  }
  const columns = columnsOf(view, 1, 0, (column) => [column * 2, column * 2 + 2], 6, -70);
  assert.equal(columns.high[4], 1800 / 32768);
  assert.equal(columns.low[4], -900 / 32768);
  assert.ok(Math.abs(columns.rms[0] - 30000 / 65535) < 1e-6);
  assert.ok(Math.abs(columns.bar[4] - 170 / 255) < 1e-6);
  assert.deepEqual([...columns.known], [1, 1, 1, 1, 1, 0]);
  const samples = Float32Array.from([0, 0.5, -0.25, 1]);
  const magnified = columnsOfSamples(samples, 1, 100, (column) => [100 + column * 2, 102 + column * 2], 2, -70);
  assert.deepEqual([magnified.low[1], magnified.high[1]], [-0.25, 1]);
});

test("magnified samples are fetched once, and cover what is visible", async () => {
  const frames = 2_000_000;
  for (const span of [8, 1000, 4097, 60_001, mostSamples]) {
    for (const start of [0, 333_333.5, frames - span]) {
      const asked = [];
      const changed = new Promise((done) => {
        const samples = new Samples(async (first, count) => {
          asked.push([first, count]);
          // The server sends no more.
          return new Float32Array(Math.min(count, 1 << 18)).fill(0.5);
        }, () => done(samples), (error) => assert.fail(error));
        samples.open(frames, 1);
        assert.equal(samples.columns(start, start + span, 700, -70), null);
      });
      const columns = (await changed).columns(start, start + span, 700, -70);
      assert.ok(columns.known.every(Boolean), `${span} frames from ${start}`);
      await new Promise((next) => setTimeout(next));
      assert.equal(asked.length, 1, `${span} frames from ${start}: ${asked}`);
    }
  }
});

test("a wide lane shows a file that is too long for its samples from its pyramid, whole", async () => {
  // Eight seconds at 44.1 kHz on 1,500 pixels: 235 frames a column, fewer than a pixel of the pyramid holds.
  const frames = 352_800;
  const pixels = Math.ceil(frames / 256);
  const asked = [];
  const records = new Uint8Array(pixels * 14).fill(1);
  globalThis.fetch = async (path) => {
    asked.push(path);
    const headers = { "X-Frames": frames, "X-Channels": 1, "X-Sample-Rate": 44100, "X-Pixels": pixels, "X-Ready": pixels };
    return new Response(path.includes("count=0") ? "" : path.includes("/samples") ? new Uint8Array(4 << 18) : records, { headers });
  };
  let columns = null;
  const draw = () => (columns = peaks.columns(0, frames, 1500, -70));
  const peaks = new Peaks("1", () => setTimeout(draw));
  for (let turn = 0; turn < 100; turn++) await new Promise((next) => setTimeout(next, 1));
  assert.ok(columns.known.every(Boolean), `known: ${columns.known.filter(Boolean).length} of 1500`);
  assert.ok(asked.length < 6, `it is fetched once: ${asked.length} requests`);
});

test("the end of a damaged file is kept when an answer from before it comes later", async () => {
  const answers = [];
  globalThis.fetch = () => new Promise((next) => answers.push(next));
  const peaks = new Peaks("1", () => {});
  peaks.progress(700, true);
  const headers = { "X-Frames": 352_800, "X-Channels": 1, "X-Sample-Rate": 44100, "X-Pixels": 1379, "X-Ready": 400, "X-Ended": 0 };
  answers[0](new Response("", { headers }));
  for (let turn = 0; turn < 10 && peaks.pixels === 0; turn++) await new Promise((next) => setTimeout(next, 1));
  assert.deepEqual([peaks.pixels, peaks.ready, peaks.isEnded], [1379, 700, true]);
  peaks.close();
});

test("blocks are requested from the position on, and where a loop continues", () => {
  assert.deepEqual(wanted(blockFrames + 5, 3, blockFrames * 10, null), [1, 2, 3]);
  assert.deepEqual(wanted(blockFrames * 9, 3, blockFrames * 9 + 1, null), [9]);
  const loop = { start: blockFrames * 2, end: blockFrames * 4 };
  assert.deepEqual(wanted(blockFrames * 3 + 1, 4, blockFrames * 100, loop), [3, 2]);
});

test("every key has one meaning, and texts keep theirs", () => {
  const keys = table.flatMap((row) => row.keys);
  assert.equal(new Set(keys).size, keys.length);
  const press = (key, more = {}) => meaning({ key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...more });
  assert.deepEqual(press("ArrowRight"), { action: "ten", index: 1 });
  assert.deepEqual(press("ArrowRight", { shiftKey: true }), { action: "one", index: 1 });
  assert.equal(press("c", { ctrlKey: true }), null);
  assert.equal(press("L", { shiftKey: true }).action, "loopFile");
  const element = (tagName, attributes = {}) => ({ tagName, getAttribute: (name) => attributes[name] ?? null });
  assert.ok(takes(element("INPUT", { type: "search" }), "c"));
  assert.ok(!takes(element("INPUT", { type: "checkbox" }), "c"));
  assert.ok(takes(element("INPUT", { type: "range" }), "ArrowLeft"));
  assert.ok(takes(element("BUTTON"), " ") && !takes(element("BUTTON"), "l"));
  assert.ok(!takes(element("DIV", { role: "slider" }), "ArrowLeft"));
  assert.ok(takes(element("SELECT"), "ArrowDown") && !takes(element("SELECT"), "c"));
  assert.equal(press("Enter"), null);
  assert.deepEqual(press("z", { ctrlKey: true }), { action: "undo", index: 0 });
});

test("marks become labels of Audacity", () => {
  assert.equal(labels([{ at: 2, name: "b\tc" }, { at: 0.5, name: "a" }]), "0.500000\t0.500000\ta\n2.000000\t2.000000\tb c\n");
});

test("a loop has a length, and is changed also where the list has come anew", () => {
  const loops = [];
  const view = { on: { onLoop: (loop) => loops.push(loop) } };
  for (const [start, end] of [[5, 5], [2, 3]]) WaveView.prototype.setLoop.call(view, { start, end }, true);
  assert.deepEqual(loops, [{ start: 2, end: 3 }]);
  const model = new Model();
  model.set({ loop: { start: 5, end: 5 } });
  MarkList.prototype.keepLoop.call({ model, items: [] });
  assert.deepEqual(model.state.loops, []);
  const { document } = globalThis;
  globalThis.document = { createElement: () => ({ setAttribute() {}, addEventListener() {}, append() {} }) };
  try {
    const own = { start: 1, end: 2, name: "bar" };
    let rename;
    MarkList.prototype.loopRow.call({ model, nameField: (_, name, onChange) => (rename = onChange) }, own, 0);
    model.set({ loops: [{ ...own }, { start: 3, end: 4, name: "next" }] });
    rename("solo");
    assert.deepEqual(model.state.loops.map(({ name }) => name), ["solo", "next"]);
  } finally {
    globalThis.document = document;
  }
});

test("a pointer that is held compares until it drags", async () => {
  const [element, window, before] = [new EventTarget(), new EventTarget(), globalThis.addEventListener];
  element.setPointerCapture = () => {};
  globalThis.addEventListener = (...own) => window.addEventListener(...own);
  const point = (target, type, clientX) => target.dispatchEvent(Object.assign(new Event(type), { button: 0, isPrimary: true, pointerId: 1, clientX, clientY: 0 }));
  try {
    const acts = [];
    const act = (name) => () => acts.push(name);
    draggable(element, () => ({ move: act("move"), click: act("click"), end: act("end"), hold: () => (acts.push("hold"), act("let go")) }));
    const held = () => new Promise((done) => {
      const look = () => (acts.at(-1) === "hold" ? done() : setTimeout(look, 10));
      look();
    });
    for (const places of [[3, 6], [3, 40, 60]]) {
      acts.length = 0;
      point(element, "pointerdown", 0);
      await held();
      for (const x of places) point(window, "pointermove", x);
      point(window, "pointerup", places.at(-1));
      assert.deepEqual(acts, places.length === 2 ? ["hold", "let go"] : ["hold", "let go", "move", "move", "move", "end"]);
    }
    acts.length = 0;
    point(element, "pointerdown", 0);
    for (const x of [5, 9]) point(window, "pointermove", x);
    point(window, "pointerup", 9);
    assert.deepEqual(acts, ["move", "move", "move", "end"]);
  } finally {
    globalThis.addEventListener = before;
  }
});

/** A server that keeps notes, and the pages that hear of changes. */
function noteServer() {
  const server = { notes: { marks: [], loops: [] }, revision: 0, pages: [], posts: [], isAway: false, refusal: undefined, hold: null, shown: [] };
  const answer = (id) => ({ id, revision: server.revision, ...structuredClone(server.notes), refusal: server.refusal });
  server.take = ({ from, ...changes }) => {
    server.notes = Object.fromEntries(Object.entries({ ...server.notes, ...changes }).filter(([, value]) => value !== null));
    server.revision += 1;
    for (const page of server.pages) page.hear({ id: page.own.file.id, revision: server.revision, from });
  };
  server.fetch = async (path, { method, body } = {}) => {
    const [, id] = /^\/api\/notes\/(f\d)$/.exec(path);
    if (server.isAway) throw new TypeError("no answer");
    if (method !== "POST") return Response.json(answer(id));
    const { revision, ...changes } = JSON.parse(body);
    if (server.isStrict && revision !== server.revision) return Response.json({ error: { cause: "changed meanwhile" } }, { status: 412 });
    server.posts.push(changes);
    if (server.isRefused?.(changes)) return Response.json({ error: { cause: "malformed request" } }, { status: 400 });
    server.take(changes);
    const own = answer(id);
    await server.hold;
    return Response.json(own);
  };
  return server;
}

/** Runs work with a server of notes, and what a browser keeps. */
async function withNotes(work) {
  const { fetch, window, localStorage, document } = globalThis;
  const [before, items] = [{ fetch, window, localStorage, document }, new Map()];
  const server = noteServer();
  const storage = { getItem: (name) => items.get(name) ?? null, setItem: (name, value) => items.set(name, value) };
  const place = { replaceChildren: (text) => text && server.shown.push(text), classList: { toggle() {} }, dataset: {}, append() {} };
  const element = { addEventListener() {}, setAttribute() {}, append() {} };
  for (const [name, value] of Object.entries({ fetch: server.fetch, window: globalThis, localStorage: storage, document: { getElementById: () => place, createElement: () => element } })) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  try {
    await work(server, items);
  } finally {
    for (const [name, value] of Object.entries(before)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}

const tune = { id: "f1", folder: "Music", name: "a.flac", bytes: 9 };

/** A page with a file open. */
async function notePage(server) {
  const model = new Model();
  const keeper = new NoteKeeper(model);
  server.pages.push(keeper);
  await opened(model, keeper, tune);
  return { model, keeper };
}

/** Opens a file in a page. */
function opened(model, keeper, file) {
  model.open({ file, ...keeper.valuesOf(file) });
  return keeper.open(file);
}

const stored = (keeper) => keeper.send().then(settle);
const settle = () => new Promise((done) => setTimeout(done, 2));
const names = ({ state }) => state.marks.map(({ name }) => name);
const titles = (server) => server.notes.marks.map(({ title }) => title);

test("marks, loops, speed and key are kept by the server, and begin again", () => withNotes(async (server) => {
  const { model, keeper } = await notePage(server);
  assert.equal(server.posts.length, 0);
  model.set({ marks: [{ at: 1.5, name: "solo" }] });
  model.set({ loops: [{ start: 1, end: 2, name: "bar" }] });
  model.set({ speed: 0.75, key: -2 });
  model.set({ volume: 0.5 });
  await stored(keeper);
  assert.deepEqual(server.notes, { marks: [{ start: 1.5, title: "solo" }], loops: [{ start: 1, end: 2, title: "bar" }], speed: 0.75, semitones: -2 });
  assert.equal(server.posts.length, 1);
  const other = await notePage(server);
  assert.deepEqual(other.model.state.marks, [{ at: 1.5, name: "solo" }]);
  assert.deepEqual(other.model.state.loops, [{ start: 1, end: 2, name: "bar" }]);
  assert.deepEqual([other.model.state.speed, other.model.state.key, other.model.state.pitch], [0.75, -2, "same"]);
  // Nothing was chosen here: nothing is sent, and nothing is undone.
  await stored(other.keeper);
  assert.equal(server.posts.length, 1);
  assert.equal(other.model.undo(), false);
  model.set({ speed: 1, key: 0 });
  await stored(keeper);
  assert.deepEqual(Object.keys(server.notes), ["marks", "loops"]);
}));

test("the speed of one file is not that of the next, and a result keeps its own", () => withNotes(async (server) => {
  const { model, keeper } = await notePage(server);
  model.set({ speed: 0.9 });
  await stored(keeper);
  server.take({ speed: 0.5 });
  await opened(model, keeper, { ...tune, id: "f2" });
  await opened(model, keeper, { ...tune, id: "f3" });
  assert.equal(model.state.speed, 0.5);
  server.take({ speed: null });
  await opened(model, keeper, { ...tune, id: "f4" });
  assert.equal(model.state.speed, 0.9);
  // A result is heard with the settings that made it, which are no choice for its original.
  server.take({ speed: 0.5 });
  const posts = server.posts.length;
  const opening = opened(model, keeper, { ...tune, id: "f5" });
  keeper.setAside(() => model.set({ speed: 0.8 }));
  await opening;
  await stored(keeper);
  assert.deepEqual([model.state.speed, server.posts.length, server.notes.speed], [0.8, posts, 0.5]);
}));

test("what is chosen before the notes of a file are there stays", () => withNotes(async (server) => {
  const { model, keeper } = await notePage(server);
  server.take({ speed: 0.5 });
  for (const [id, choice] of [["f2", { pitch: "tape" }], ["f3", { speed: 0.9 }], ["f4", { preset: "podcast" }]]) {
    model.set({ speed: 0.75, pitch: "same", preset: "" });
    await stored(keeper);
    server.take({ speed: 0.5 });
    const opening = opened(model, keeper, { ...tune, id });
    model.set(choice);
    await opening;
    for (const [name, value] of Object.entries(choice)) assert.equal(model.state[name], value, `${id} ${name}`);
  }
}));

test("a length that was typed is one of its file only", () => withNotes(async (server) => {
  const { model, keeper } = await notePage(server);
  keeper.setAside(() => model.set({ speed: 0.7, duration: 90 }));
  server.notes.speed = 0.5;
  await opened(model, keeper, { ...tune, id: "f2" });
  assert.deepEqual([model.state.speed, model.state.duration], [0.5, null]);
  delete server.notes.speed;
  await opened(model, keeper, { ...tune, id: "f3" });
  assert.deepEqual([model.state.speed, model.state.duration], [0.7, null]);
}));

test("what the server refuses is said once, and keeps nothing else from it", () => withNotes(async (server) => {
  const { model, keeper } = await notePage(server);
  // A loop without length, of an earlier page, is none.
  model.set({ loops: [{ start: 5, end: 5, name: "none" }, { start: 1, end: 2, name: "one" }], marks: [{ at: 1, name: "a" }] });
  await stored(keeper);
  assert.deepEqual(server.notes, { marks: [{ start: 1, title: "a" }], loops: [{ start: 1, end: 2, title: "one" }] });
  server.isRefused = ({ loops }) => loops?.length === 2;
  model.set({ loops: [...model.state.loops, { start: 3, end: 4, name: "two" }], marks: [{ at: 2, name: "b" }], speed: 0.5 });
  await stored(keeper);
  assert.deepEqual(server.notes, { marks: [{ start: 2, title: "b" }], loops: [{ start: 1, end: 2, title: "one" }], speed: 0.5 });
  assert.deepEqual(server.shown, ["This browser alone keeps the loops: malformed request"]);
  const posts = server.posts.length;
  model.set({ marks: [] });
  await stored(keeper);
  assert.deepEqual(server.posts.slice(posts).map(({ from, ...parts }) => parts), [{ marks: [] }]);
  model.set({ loops: [...model.state.loops, { start: 5, end: 6, name: "three" }] });
  await stored(keeper);
  assert.equal(server.notes.loops.length, 3);
  assert.equal(server.shown.length, 1);
  // A change that fails leaves the page as it was.
  assert.throws(() => keeper.setAside(() => { throw new Error("no"); }));
  assert.equal(keeper.isTaking, false);
}));

test("changes made elsewhere while others are stored here are lost nowhere", () => withNotes(async (server) => {
  const { model, keeper } = await notePage(server);
  const others = (title) => server.take({ marks: [...server.notes.marks, { start: 9, title }] });
  // The answer comes after the news of a later change.
  let go;
  server.hold = new Promise((done) => (go = done));
  model.set({ marks: [{ at: 1, name: "a" }] });
  const sending = keeper.send();
  await settle();
  others("play");
  server.hold = null;
  go();
  await sending;
  assert.deepEqual(names(model), ["a", "play"]);
  // Others change the list before it is sent, heard of or not.
  model.set({ marks: [...model.state.marks, { at: 2, name: "b" }] });
  others("heard");
  await stored(keeper);
  server.notes.marks.push({ start: 9, title: "unheard" });
  model.set({ marks: model.state.marks.filter(({ name }) => name !== "play") });
  await stored(keeper);
  assert.deepEqual(names(model), ["a", "b", "heard", "unheard"]);
  assert.deepEqual(titles(server), ["a", "b", "heard", "unheard"]);
  // Two pages send at the same moment.
  const other = await notePage(server);
  server.isStrict = true;
  model.set({ marks: [...model.state.marks, { at: 4, name: "c" }] });
  other.model.set({ marks: [...other.model.state.marks, { at: 5, name: "d" }] });
  await Promise.all([stored(keeper), stored(other.keeper)]);
  for (const all of [names(model), names(other.model), titles(server)]) assert.deepEqual(all, ["a", "b", "c", "d", "heard", "unheard"]);
  server.pages.pop();
  // A server that was started again begins with other revisions.
  server.notes.marks = [{ start: 3, title: "since" }];
  server.revision = 1;
  keeper.again();
  await settle();
  assert.deepEqual(names(model), ["since"]);
}));

test("what is removed or renamed without the server does not come back", () => withNotes(async (server) => {
  server.notes.marks = [{ start: 1, title: "x" }, { start: 2, title: "old" }];
  const { model, keeper } = await notePage(server);
  server.isAway = true;
  model.set({ marks: [{ at: 2, name: "new" }] });
  await stored(keeper);
  server.isAway = false;
  server.notes.marks.push({ start: 3, title: "play" });
  const again = await notePage(server);
  assert.deepEqual(names(again.model), ["new", "play"]);
  assert.deepEqual(titles(server), ["new", "play"]);
}));

test("a change on the way is followed by the next, also where another file is opened", () => withNotes(async (server) => {
  const { model, keeper } = await notePage(server);
  let go;
  server.hold = new Promise((done) => (go = done));
  model.set({ marks: [{ at: 1, name: "a" }], speed: 0.6 });
  const sending = keeper.send();
  await settle();
  model.set({ marks: [], loops: [{ start: 1, end: 2, name: "bar" }], speed: 0.55 });
  opened(model, keeper, { ...tune, id: "f2" });
  model.set({ volume: 0.5 });
  server.hold = null;
  go();
  await sending;
  assert.deepEqual(server.notes, { marks: [], loops: [{ start: 1, end: 2, title: "bar" }], speed: 0.55 });
}));

test("notes that cannot be read for a while empty no page", () => withNotes(async (server) => {
  const { model, keeper } = await notePage(server);
  model.set({ marks: [{ at: 1, name: "x" }], speed: 0.5 });
  await stored(keeper);
  server.refusal = { cause: "it is damaged", remedy: "move it away" };
  server.take({ marks: [], speed: null });
  await settle();
  assert.deepEqual([names(model), model.state.speed, server.shown.length], [["x"], 0.5, 1]);
  model.set({ marks: [...model.state.marks, { at: 2, name: "y" }] });
  const posts = server.posts.length;
  await stored(keeper);
  assert.equal(server.posts.length, posts);
  server.refusal = undefined;
  server.take({});
  await settle();
  assert.deepEqual(titles(server), ["x", "y"]);
  assert.equal(server.notes.speed, 0.5);
}));

test("a file that is written anew keeps its notes, unless its audio has others", () => withNotes(async (server) => {
  const { model, keeper } = await notePage(server);
  model.set({ marks: [{ at: 1, name: "x" }], loops: [{ start: 1, end: 2, name: "bar" }], speed: 0.5 });
  await stored(keeper);
  [server.notes, server.revision] = [{ marks: [], loops: [] }, 0];
  const opening = opened(model, keeper, { ...tune, bytes: 10 });
  assert.deepEqual([names(model), model.state.speed], [["x"], 0.5]);
  await opening;
  assert.deepEqual([names(model), model.state.speed, model.state.loops.length], [["x"], 0.5, 1]);
  assert.deepEqual(server.notes, { marks: [{ start: 1, title: "x" }], loops: [{ start: 1, end: 2, title: "bar" }], speed: 0.5 });
  [server.notes, server.revision] = [{ marks: [{ start: 4, title: "other" }], loops: [] }, 3];
  await opened(model, keeper, { ...tune, bytes: 11 });
  assert.deepEqual([names(model), model.state.speed, model.state.loops], [["other"], 0.5, []]);
}));

test("the newest change of a value counts, and other pages hear of it", () => withNotes(async (server) => {
  const [one, other] = [await notePage(server), await notePage(server)];
  one.model.set({ marks: [{ at: 1, name: "one" }] });
  await stored(one.keeper);
  assert.deepEqual(other.model.state.marks, [{ at: 1, name: "one" }]);
  // Both at once: what one replaces and what the other adds are both there.
  one.model.set({ marks: [{ at: 2, name: "first" }], loops: [{ start: 0, end: 1, name: "kept" }] });
  other.model.set({ marks: [{ at: 3, name: "last" }] });
  await stored(one.keeper);
  assert.deepEqual(other.model.state.loops, [{ start: 0, end: 1, name: "kept" }]);
  await stored(other.keeper);
  for (const { model } of [one, other]) assert.deepEqual(model.state.marks, [{ at: 2, name: "first" }, { at: 3, name: "last" }]);
  // Undo does not bring back what another page has replaced.
  one.model.undo();
  assert.deepEqual(names(one.model), ["first", "last"]);
}));

test("what a browser has kept goes to the server once, and stays where no server keeps it", () => withNotes(async (server, items) => {
  const key = "scaleaudio.marks.Music/a.flac.9";
  server.notes.marks = [{ start: 4, title: "there" }];
  items.set(key, JSON.stringify({ list: [{ at: 1, name: "old" }, { at: 4, name: "there" }], loops: [{ start: 1, end: 2, name: "bar" }], bends: [{ at: 1, to: 2 }], bpm: 90 }));
  const { model, keeper } = await notePage(server);
  await stored(keeper);
  assert.deepEqual(server.notes, { marks: [{ start: 1, title: "old" }, { start: 4, title: "there" }], loops: [{ start: 1, end: 2, title: "bar" }] });
  assert.deepEqual(JSON.parse(items.get(key)), { bends: [{ at: 1, to: 2 }], bpm: 90 });
  // Removed is removed: nothing comes back.
  model.set({ marks: [], loops: [] });
  await stored(keeper);
  assert.deepEqual((await notePage(server)).model.state.marks, []);
  // While the server does not answer, the browser keeps what is made.
  server.isAway = true;
  model.set({ marks: [{ at: 7, name: "alone" }] });
  await stored(keeper);
  assert.deepEqual(JSON.parse(items.get(key)).list, [{ at: 7, name: "alone" }]);
  server.isAway = false;
  await stored(keeper);
  assert.deepEqual(server.notes.marks, [{ start: 7, title: "alone" }]);
  assert.equal(JSON.parse(items.get(key)).list, undefined);
  // So it does where nothing may be kept.
  server.refusal = { cause: "this server is read-only" };
  const posts = server.posts.length;
  const reader = await notePage(server);
  reader.model.set({ marks: [...reader.model.state.marks, { at: 8, name: "mine" }] });
  await stored(reader.keeper);
  assert.equal(server.posts.length, posts);
  assert.deepEqual((await notePage(server)).model.state.marks.map(({ name }) => name), ["alone", "mine"]);
}));

test("lists of marks are merged, each mark once", () => {
  const list = (text) => [...text].map((name) => ({ at: name.charCodeAt(0), name }));
  const text = (...lists) => merged(...lists.map(list)).map(({ name }) => name).join("");
  assert.equal(text("", "abc", "b"), "abc");
  assert.equal(text("abc", "bcd", "abe"), "bde");
  assert.equal(text("ab", "", "ab"), "");
  assert.equal(text("ab", "ab", ""), "");
});

test("names of marks neither overlap nor leave the lane", () => {
  let state = 7;
  const random = () => (state = (state * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
  for (let round = 0; round < 500; round++) {
    const [width, most] = [200 + random() * 1200, 90 + random() * 90];
    const lefts = Array.from({ length: 1 + Math.floor(random() * 8) }, () => random() * width).sort((a, b) => a - b);
    const spans = rooms(lefts, width, most).map(({ isTurned, room }, index) => (isTurned ? [lefts[index] - room, lefts[index]] : [lefts[index], lefts[index] + room]));
    spans.forEach(([start, end], index) => {
      assert.ok(start >= -1e-9 && end <= width + 1e-9 && end - start <= most + 1e-9);
      assert.ok(index === 0 || start >= spans[index - 1][1] - 1e-9, `${lefts} in ${width}`);
    });
  }
  // Alone, a name has all its room, also at the end.
  assert.deepEqual(rooms([10, 990], 1000, 96), [{ isTurned: false, room: 96 }, { isTurned: true, room: 96 }]);
});

test("only visible rows are drawn, and every word is searched", () => {
  assert.deepEqual(rowsIn(0, 520, 10000, 52), { first: 0, end: 16 });
  assert.deepEqual(rowsIn(104 * 9990, 1040, 10000, 104), { first: 9984, end: 10000 });
  const file = { name: "Take 7.wav", folder: "Music/Live" };
  assert.ok(fits(file, { title: "Sinfonia", artist: "Ada" }, "live SINF"));
  assert.ok(!fits(file, undefined, "live sinf"));
});

test("a speed is what people type", () => {
  const speeds = [["70", 0.7], ["70%", 0.7], ["70 %", 0.7], ["0.7x", 0.7], ["0,7 ×", 0.7], ["3/4", 0.75], ["1,25", 1.25], ["133.3", 1.333], ["0.01", 0.01], ["100x", 100],
    ["x0.75", 0.75], ["×0,75", 0.75], ["70 percent", 0.7], ["１５０％", 1.5], ["½", 0.5], ["-10 %", 0.9], ["+8%", 1.08]];
  for (const [text, speed] of speeds) assert.ok(Math.abs(read(text, 0)?.speed - speed) < 1e-12, text);
  assert.deepEqual(read("6:27", 291), { speed: 291 / 387, duration: 387 });
  assert.deepEqual(read("90s", 45), { speed: 0.5, duration: 90 });
  for (const [text, length] of [["5:00,5", 300.5], ["2m30s", 150], ["1h", 3600], ["4m", 240], ["1:02:03", 3723]]) assert.equal(read(text, 60)?.duration, length, text);
  assert.deepEqual(read("96 bpm", 60, 120), { speed: 0.8, duration: null });
  for (const text of ["", "fast", "0", "-3", "1/0", "1,2,3", "0:00", "6:27", "1:1", "-100%", "96 bpm", "s", "h", "0s"]) assert.equal(read(text, 0), null, text);
  for (let speed = 0.25; speed <= 4; speed += 0.01) {
    const whole = Math.round(speed * 100) / 100;
    const back = speedOf(placeOf(whole));
    assert.ok(back === whole || (back === 1 && Math.abs(whole - 1) < 0.015), String(whole));
  }
});

test("a speed is written in words, and as a factor that is exact", () => {
  assert.equal(percent(0.75), "75 %");
  assert.equal(percent(1.333), "133.3 %");
  assert.equal(shift(0.5), "−12.0 semitones");
  assert.equal(shift(2), "+12.0 semitones");
  assert.equal(shift(1), "same pitch");
  assert.equal(lengthWords(0.75), "1.333 × as long");
  assert.equal(factorOf(0.8), "1.25");
  assert.equal(factorOf(0.75), "100/75");
  assert.equal(short(0.1 + 0.2), "0.3");
  assert.equal(decibels(0), -80);
  assert.equal(decibels(1), 0);
});

test("settings become the server's choice", () => {
  const methods = ["linear", "smoothstep", "sinc", "stretch"].map((id) => ({ id, keepsPitch: id === "stretch" }));
  assert.deepEqual(choiceOf(usual, methods), { factor: "1", method: "stretch" });
  assert.deepEqual(choiceOf({ ...usual, speed: 0.5, key: -2, quality: "best" }, methods), { factor: "2", method: "stretch", quality: "best", pitch: "-2" });
  // A key is one of the same pitch only.
  assert.deepEqual(choiceOf({ ...usual, pitch: "tape", key: 3 }, methods), { factor: "1", method: "sinc" });
  const voices = { ...usual, keepsVoices: true, loudness: "-16" };
  assert.deepEqual(choiceOf(voices, methods), { factor: "1", method: "stretch", loudness: "-16" });
  assert.deepEqual(heardOf({ ...voices, key: 0.3 }, methods), { factor: "1", method: "stretch", pitch: "0.3", formants: "preserve" });
  assert.deepEqual(choiceOf({ ...usual, preset: "podcast", duration: 90, quality: "best" }, methods), { duration: "90", preset: "podcast" });
  assert.deepEqual(heardOf({ ...usual, format: "flac", salvage: true, mono: true }, methods), { factor: "1", method: "stretch", mono: "1" });
  assert.ok(isOriginal(usual) && !isOriginal({ ...usual, key: 1 }) && !isOriginal({ ...usual, speed: 0.9 }));
});

test("changes are undone and done again, those of a slider as one", () => {
  const model = new Model();
  const heard = [];
  model.watch(["speed"], ({ speed }) => heard.push(speed));
  for (const speed of [0.9, 0.8, 0.7]) model.set({ speed });
  model.set({ loop: { start: 1, end: 2 } });
  model.set({ volume: 0.5 });
  assert.equal(model.undo(), true);
  assert.deepEqual([model.state.loop, model.state.speed, model.state.volume], [null, 0.7, 0.5]);
  model.undo();
  assert.equal(model.state.speed, 1);
  assert.equal(model.undo(), false);
  model.redo();
  assert.equal(model.state.speed, 0.7);
  assert.deepEqual(heard, [0.9, 0.8, 0.7, 1, 0.7]);
});

test("a key is read as people write it", () => {
  for (const [text, key] of [["2", 2], ["−1,5", -1.5], ["+30c", 0.3], ["-50 cents", -0.5], ["2 st", 2], ["0", 0], [".5", 0.5]]) assert.equal(readKey(text), key, text);
  for (const text of ["", "c", "1.2.3", "high", "--1"]) assert.equal(readKey(text), null, text);
  assert.deepEqual([1, -0.3, 0].map(keyWords), ["+1", "−0.3", "0"]);
});

test("of a long name, both ends are seen", () => {
  for (const name of ["short.wav", "Beethoven - Symphony No. 5 - 03 Allegro.flac", "n".repeat(240) + ".wav", "e\u0301".repeat(40)]) {
    assert.equal(halves(name).join(""), name);
  }
  assert.deepEqual(halves("short.wav"), ["short.wav", ""]);
  assert.deepEqual(halves("Beethoven - Symphony No. 5 - 03 Allegro.flac"), ["Beethoven - Symphony No. 5 -", " 03 Allegro.flac"]);
  assert.ok(!/^\p{M}/u.test(halves("e\u0301".repeat(40))[1]));
});

test("results stand under their originals", () => {
  // Names as `convert` writes them.
  const about = (name) => { const own = resultOf(name); return own && [own.stem, own.speed, own.isSame, own.key]; };
  assert.deepEqual(about("a-x1.25-stretch.mp3"), ["a", 0.8, true, 0]);
  assert.deepEqual(about("a b-x2.wav"), ["a b", 0.5, false, 0]);
  assert.deepEqual(about("a-x1.25-pitch2.wav"), ["a", 0.8, true, 2]);
  assert.deepEqual(about("a-x1.25-stretch-pitch-1.5.wav"), ["a", 0.8, true, -1.5]);
  assert.deepEqual(about("a-pitch3.wav"), ["a", 1, true, 3]);
  assert.deepEqual(about("a-90s.wav"), ["a", null, false, 0]);
  assert.deepEqual(about("a-x0.8-sinc.wav"), ["a", 1.25, false, 0]);
  assert.deepEqual(about("a-tempo0.7.wav"), ["a", 0.7, true, 0]);
  assert.deepEqual(about("a-speed1.02.wav"), ["a", 1.02, false, 0]);
  assert.deepEqual(about("a-128bpm.wav"), ["a", null, true, 0]);
  assert.deepEqual(about("a (1)-x2 (3).wav"), ["a (1)", 0.5, false, 0]);
  assert.equal(resultOf("a-x2 (3).wav").version, 3);
  assert.equal(resultOf("a (1).wav"), null);
  for (const name of ["a.wav", "a-.wav", "x-files.mp3", "take-7.wav"]) assert.equal(resultOf(name), null, name);
  const file = (name, folder = "") => ({ id: name, name, folder });
  const files = [file("a-x1.25-stretch.mp3"), file("a.mp3"), file("b.mp3"), file("c-x2.wav"), file("b-x2.flac")];
  const { list, origins } = nested(files);
  assert.deepEqual(list.map(({ name }) => name), ["a.mp3", "a-x1.25-stretch.mp3", "b.mp3", "b-x2.flac", "c-x2.wav"]);
  assert.equal(origins.get("b-x2.flac").name, "b.mp3");
  assert.equal(origins.has("c-x2.wav"), false);
});

test("both lanes begin at the same moment, and the longer one is seen whole", () => {
  for (const factor of [0.3, 1, 2.5]) {
    const whole = within({ start: 0, end: Infinity }, 100, 1, factor);
    assert.deepEqual(whole, { start: 0, end: 100 * Math.max(1, factor) });
    // The end of the longer lane can be reached.
    const last = within({ start: 1e6, end: 1e6 + 10 }, 100, 1, factor);
    assert.ok(Math.abs((100 - last.start) * Math.max(1, factor) - 10) < 1e-9);
  }
  assert.deepEqual(following({ start: 0, end: 10 }, 6, 100, 2, 2), { start: 5.75, end: 15.75 });
});

test("a job says what was made and what was there", () => {
  const job = (states, state = "done") => ({ state, files: new Map(states.map((own, id) => [id, { state: own }])) });
  assert.equal(words(job(["done", "done", "waiting"], "running")), "2 of 3 made");
  assert.equal(words(job(["skipped"])), "1 exists already");
  assert.equal(words(job(["done", "skipped", "failed"])), "1 of 2 made, 1 exists already, 1 failed");
});

test("both players keep the contract", async () => {
  const { Player, contract } = await load("player.js");
  const { ElementPlayer } = await load("element-player.js");
  for (const kind of [Player, ElementPlayer]) {
    for (const name of contract) assert.ok(Object.hasOwn(kind.prototype, name), `${kind.name} lacks ${name}`);
  }
});

test("frequent requests are done at once, then at intervals, and finally at the end", async () => {
  const done = [];
  let asked = 0;
  const ask = paced(20, () => done.push(asked));
  for (asked = 1; asked <= 5; asked++) ask();
  assert.deepEqual(done, [1]);
  while (done.length < 2) await new Promise((next) => setTimeout(next, 1));
  assert.deepEqual(done, [1, 6]);
});

test("failed files of a job come first", () => {
  const states = ["waiting", "done", "failed", "running"].map((state) => ({ state }));
  assert.deepEqual(inOrder(states).map(({ state }) => state), ["failed", "running", "done", "waiting"]);
});

test("the server can join the modules", () => {
  // By their lines; each after what it imports, and none for nothing.
  const known = [];
  const visit = (name, above) => {
    assert.ok(!above.includes(name), `${[...above, name].join(" imports ")}`);
    if (known.includes(name)) return;
    for (const line of readFileSync(new URL(name, folder), "utf8").split("\n")) {
      if (line.startsWith("export ")) assert.match(line, name === "main.js" ? /^export \{ .* \};$/ : /^export (?:(?:async )?function \w+\(|class \w+|const \w+ =|const \[[\w, ]+\] =)/, name);
      if (!/^import\b/.test(line)) continue;
      const found = /^import \{ [\w, ]+ \} from "\.\/([\w-]+\.js)";$/.exec(line);
      assert.ok(found, `${name}: ${line}`);
      visit(found[1], [...above, name]);
    }
    known.push(name);
  };
  visit("main.js", []);
  const modules = readdirSync(folder).filter((name) => name.endsWith(".js") && name !== "queue-worklet.js");
  assert.deepEqual(known.sort(), modules.sort());
});

test("the page obeys its own rules", () => {
  const html = readFileSync(new URL("index.html", folder), "utf8");
  assert.doesNotMatch(html, /\sstyle=|\son[a-z]+=|<script>|https?:\/\//);
  for (const name of readdirSync(folder)) {
    const text = readFileSync(new URL(name, folder), "utf8");
    if (name.endsWith(".js")) assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/, name);
    if (!name.endsWith(".svg") && name !== "dom.js") assert.doesNotMatch(text, /https?:\/\//, name);
  }
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".js"))) {
    const text = readFileSync(new URL(name, folder), "utf8");
    for (const [, id] of text.matchAll(/byId\("([^"]+)"\)/g)) assert.ok(ids.includes(id), `${name} uses ${id}`);
  }
});

test("no event of a job is lost while the list of jobs is asked for", async (context) => {
  const answers = [];
  context.mock.method(globalThis, "fetch", () => new Promise((answer) => answers.push(answer)));
  const answer = async (...jobs) => {
    answers.shift()(Response.json({ jobs }));
    await new Promise((settled) => setTimeout(settled));
  };
  const job = (...states) => ({ id: "1", state: "running", files: states.map((state, id) => ({ id: String(id), state })) });
  const jobs = new Jobs({ onState() {} });
  jobs.plan = () => {};
  const line = () => words(jobs.list.get("1"));

  // An event that overtakes an answer is newer than it.
  jobs.load();
  await answer(job("waiting", "waiting"));
  jobs.load();
  jobs.takeFile({ job: "1", id: "0", state: "done" });
  await answer(job("running", "waiting"));
  assert.equal(line(), "1 of 2 made");
  jobs.takeFile({ job: "1", id: "1", state: "done" });
  assert.equal(line(), "2 of 2 made");

  // A job that began after the answer was made is asked for again.
  jobs.load();
  jobs.takeFile({ job: "2", id: "0", state: "done" });
  await answer(job("done", "done"));
  assert.equal(answers.length, 1);
  await answer(job("done", "done"), { ...job("done"), id: "2" });
  assert.equal(words(jobs.list.get("2")), "1 of 1 made");
  assert.equal(answers.length, 0);

  // Nothing is asked for ever where a job is gone.
  jobs.takeFile({ job: "3", id: "0", state: "done" });
  await answer(job("done", "done"));
  assert.equal(answers.length, 0);
});

test("blocks of different runs are faded, never joined, also where one takes the place of another", async () => {
  let Queue;
  globalThis.AudioWorkletProcessor = class {
    port = { postMessage() {} };
  };
  globalThis.registerProcessor = (_, own) => (Queue = own);
  globalThis.currentTime = 0;
  await import(new URL("queue-worklet.js", folder).href);
  const sine = (index, phase) => Float32Array.from({ length: 8192 }, (_, frame) => 0.37 * Math.sin((2 * Math.PI * 440 * (index * 8192 + frame)) / 44100 + phase));
  // The largest step from one sample to the next, of blocks in these runs.
  const largest = (runs) => {
    const queue = new Queue();
    const block = (index, run, phase) => queue.take({ type: "block", id: 1, index, run, planes: [sine(index, phase)] });
    queue.take({ type: "stream", id: 1, frames: 4 * 8192, channels: 1 });
    [0, 2, 2, 5].forEach((phase, index) => block(index, runs[index], phase));
    queue.take({ type: "use", id: 1, position: 100 });
    queue.take({ type: "play", on: true });
    let [last, step] = [0, 0];
    for (let quantum = 0; quantum < 230; quantum++) {
      // In the middle of a block that is heard, another one comes.
      if (quantum === 150) block(2, runs[4], 4);
      const output = [new Float32Array(128), new Float32Array(128)];
      queue.process([], [output]);
      for (const sample of output[0]) [step, last] = [Math.max(step, Math.abs(sample - last)), sample];
    }
    return step;
  };
  assert.ok(largest([1, 2, 2, 3, 4]) < 0.06);
  assert.ok(largest([1, 1, 1, 1, 1]) > 0.2);
});
