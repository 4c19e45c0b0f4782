"""Tests the page in a real browser, against the program that serves it: browser_test.py PROGRAM

Sound is checked by its own samples: in the test file, frame n holds n mod 4096 on the left and n / 4096 on the right,
so that every frame that is heard says which one it is.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import wave

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

import crowding
import firefox
import pages
import refusals
from pages import RATE, check, choose, numbered, opened, served, sox, until

PROGRAM = os.path.abspath(sys.argv[1]) if __name__ == "__main__" else None
BROWSER = "/usr/bin/chromium"


# The numbers of the frames that are heard from the start of some work on, recorded in the worklet; silence is left out.
HEAR = """async ({ work, count }) => {
  const { player } = await import("/page/main.js");
  const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const works = {
    play: () => player.play(),
    compare: async () => {
      await player.play();
      for (let turn = 0; turn < 12; turn++) {
        await wait(100);
        await player.hearOther(turn % 2 === 0 ? "result" : "source");
      }
    },
  };
  const [left, right] = await player.recording(async () => {
    await works[work]();
    const start = player.context.currentTime;
    while (player.context.currentTime < start + count / 48000 + 0.1) await wait(50);
    player.pause();
    await wait(50);
  });
  const numbers = left.map((sample, index) => Math.round(sample * 32768) + 4096 * Math.round(right[index] * 32768));
  return numbers.filter((number) => number !== 0).slice(0, count);
}"""


def breaks(numbers, period=1 << 30):
    """Where frames do not follow each other, in a loop of `period` frames."""
    return [(before, after) for before, after in zip(numbers, numbers[1:]) if (after - before - 1) % period]


def sound(browser, folder):
    """Seeking, comparing and looping lose no frame and repeat none."""
    numbered(folder / "numbers.wav")
    with served(PROGRAM, folder) as (address, _), opened(browser, address) as page:
        choose(page, "numbers.wav")
        page.evaluate("""async () => {
          const { model } = await import("/page/main.js");
          model.set({ pitch: "tape", engine: "linear" });
        }""")
        until(page, """async () => {
          const { player } = await import("/page/main.js");
          return player.sounds.result?.frames === 576000 && player.sounds.result.url.includes("method=linear");
        }""")
        page.evaluate("async () => (await import('/page/main.js')).player.setExact(true)")
        ready = """async ({ moment, loop }) => {
          const { player } = await import("/page/main.js");
          player.pause();
          player.setLoop(loop);
          await player.seek(moment);
          while (player.feeding || player.nextMissing()) await new Promise((done) => setTimeout(done, 20));
        }"""
        for frame in [5, 8191, 8192, 100_003, 480_001]:
            page.evaluate(ready, {"moment": frame / RATE, "loop": None})
            numbers = page.evaluate(HEAR, {"work": "play", "count": 6000})
            check(numbers[0] == frame and not breaks(numbers), f"seeking to {frame} is exact: {numbers[:4]} {breaks(numbers)[:5]}")
        # Source and result are equal at factor 1, so switching must leave no trace.
        page.evaluate(ready, {"moment": 1, "loop": None})
        numbers = page.evaluate(HEAR, {"work": "compare", "count": 48000})
        check(len(numbers) == 48000 and not breaks(numbers), f"comparing has no gap: {len(numbers)} {breaks(numbers)[:5]}")
        page.evaluate("async () => (await import('/page/main.js')).player.hearOther('source')")
        page.evaluate(ready, {"moment": 2, "loop": {"start": 96000 / RATE, "end": 96300 / RATE}})
        numbers = page.evaluate(HEAR, {"work": "play", "count": 300_000})
        check(len(numbers) == 300_000 and set(numbers) == set(range(96000, 96300)), "a loop plays its own frames, all of them")
        check(not breaks(numbers, 300), f"1,000 rounds of A-B drift by no frame: {breaks(numbers, 300)[:5]}")
        underruns = page.evaluate("async () => (await import('/page/main.js')).player.underruns")
        print(f"underruns while listening: {underruns}")


# What is recorded in the worklet while one gesture follows another; `keep` is how long each is waited for, in milliseconds.
GESTURES = """async () => {
  const { model, panel, player, transport } = await import("/page/main.js");
  const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const settled = async () => {
    for (let turn = 0; turn < 200 && (player.isLoading || !player.isAhead); turn++) await wait(20);
  };
  const turns = async (count, pause, work) => {
    for (let turn = 0; turn < count; turn++) {
      await work(turn);
      await wait(pause);
    }
  };
  const gestures = {
    "near seeks": () => turns(6, 250, (turn) => transport.seek(20 + ((turn * 7) % 5))),
    "far seeks": () => turns(6, 400, (turn) => transport.seek(5 + ((turn * 23) % 48))),
    "steps of the slider": () => turns(6, 600, (turn) => panel.setSpeed(1 / (1.1 + 0.1 * turn))),
    "the slider dragged": async () => {
      await turns(20, 60, (turn) => panel.setSpeed(1 / (1 + 0.03 * turn)));
      await wait(500);
    },
    "comparing": () => turns(6, 300, () => transport.hear(player.heard === "source" ? "result" : "source")),
    "pauses": () => turns(6, 200, (turn) => transport.toggle()),
    "a loop": async () => {
      model.set({ loop: { start: 30, end: 30.3 } });
      transport.seek(30);
      await wait(2500);
      model.set({ loop: null });
    },
    "bends": () => turns(10, 120, (turn) => model.set({ pitch: "same", bends: [{ at: 10, to: 8 + 0.4 * turn }, { at: 40, to: 41 }] })),
    "comparing a bent result": () => turns(6, 300, () => transport.hear(player.heard === "source" ? "result" : "source")),
    "straight again": async () => {
      transport.hear("result");
      model.set({ bends: [] });
      await wait(600);
    },
    "volume": () => turns(8, 100, (turn) => transport.setVolume(turn % 2 ? 1 : 0.5)),
    "seeks while the slider is dragged": async () => {
      await turns(16, 60, (turn) => {
        panel.setSpeed(0.7 + 0.02 * turn);
        if (turn % 4 === 2) transport.seek(10 + ((turn * 7) % 40));
      });
      await wait(500);
    },
    "comparing while a load runs": async () => {
      await turns(8, 90, (turn) => {
        panel.setSpeed(0.7 + 0.03 * turn);
        transport.hear(turn % 2 ? "source" : "result");
      });
      transport.hear("result");
      await wait(500);
    },
    // Its start is far away, and its end is near.
    "a loop that ends at once": async () => {
      transport.seek(40);
      await settled();
      await wait(600);
      model.set({ loop: { start: 3, end: player.moment + 0.04 } });
      await wait(900);
      model.set({ loop: null });
      await wait(200);
    },
    "edges of a loop that move": async () => {
      model.set({ loop: { start: 20, end: 20.6 } });
      transport.seek(20);
      await settled();
      await turns(10, 60, (turn) => model.set({ loop: { start: 20 - 1.9 * turn, end: 20.6 } }));
      await wait(900);
      await turns(10, 60, (turn) => model.set({ loop: { start: 2.9, end: 20.6 - 1.7 * turn } }));
      await wait(600);
      model.set({ loop: null });
    },
    "cards of pitch at the seam of a loop": async () => {
      const { pitch } = model.state;
      model.set({ loop: { start: 30, end: 30.4 } });
      transport.seek(30);
      await settled();
      await turns(6, 370, (turn) => model.set({ pitch: turn % 2 ? "same" : "tape" }));
      model.set({ loop: null, pitch });
      await wait(500);
    },
    "volume during fades": async () => {
      await turns(16, 23, (turn) => {
        transport.setVolume(turn % 2 ? 1 : 0.3);
        if (turn % 3 === 0) transport.seek(15 + turn);
      });
      await wait(300);
      transport.setVolume(1);
    },
  };
  const found = {};
  transport.hear("result");
  transport.seek(20);
  await player.play();
  await settled();
  let slowest = 0;
  const fetch = player.fetch.bind(player);
  player.fetch = async (...asked) => {
    const begin = performance.now();
    await fetch(...asked);
    slowest = Math.max(slowest, performance.now() - begin);
  };
  for (const [name, work] of Object.entries(gestures)) {
    // A machine that is too busy to send, to render or to record a sound as fast as it plays gets four more attempts; what
    // the page itself leaves out is missing each time.
    for (let attempt = 0; attempt < 5; attempt++) {
      if (!player.isPlaying) await player.play();
      await settled();
      await wait(200);
      slowest = 0;
      const [samples] = await player.recording(work);
      let [jumps, largest, holes, quiet, longest] = [0, 0, 0, 0, 0];
      samples.forEach((sample, index) => {
        const step = index > 0 ? Math.abs(sample - samples[index - 1]) : 0;
        largest = Math.max(largest, step);
        if (step > 0.06) jumps += 1;
        quiet = Math.abs(sample) < 0.001 ? quiet + 1 : 0;
        longest = Math.max(longest, quiet);
        if (quiet === 128) holes += 1;
      });
      found[name] = { frames: samples.length, jumps, largest, holes, longest, slowest, attempt };
      if (jumps > 0 || samples.length > 20_000 && (holes === 0 || name === "pauses")) break;
    }
  }
  return found;
}"""


def continuity(browser, folder):
    """No gesture makes a jump or a hole in what is heard: of a sine, no two neighbors differ by more than a sine's do."""
    sox(folder / "sine.wav", "synth", "60", "sine", "440", "gain", "-8.6")
    with served(PROGRAM, folder) as (address, _), opened(browser, address) as page:
        for pitch, method in [("tape", "sinc"), ("same", "stretch")]:
            choose(page, "sine.wav")
            page.evaluate("async (pitch) => { const { model } = await import('/page/main.js'); model.set({ pitch, speed: 0.8 }); }", pitch)
            until(page, f"async () => (await import('/page/main.js')).player.sounds.result?.url.includes('method={method}')")
            for name, heard in page.evaluate(GESTURES).items():
                check(heard["frames"] > 20_000, f"{method}, {name}: it was recorded: {heard}")
                check(heard["jumps"] == 0, f"{method}, {name}: no jump: {heard}")
                # A pause is silent.
                check(heard["holes"] == 0 or name == "pauses", f"{method}, {name}: no hole: {heard}")
    (folder / "sine.wav").unlink()


def previews(browser, folder):
    """What is heard is what is written, byte for byte, by every method but `stretch`."""
    with served(PROGRAM, folder) as (address, _), opened(browser, address) as page:
        choose(page, "numbers.wav")
        for method in ["linear", "smoothstep", "sinc"]:
            heard = page.evaluate("""async (method) => {
              const { model } = await import("/page/main.js");
              const url = `/audio/${model.state.file.id}.wav?factor=0.7&method=${method}`;
              const whole = new Uint8Array(await (await fetch(url)).arrayBuffer());
              // From the middle too, which begins elsewhere.
              const range = { Range: `bytes=${whole.length - 40000}-` };
              const end = new Uint8Array(await (await fetch(url, { headers: range })).arrayBuffer());
              const hash = async (bytes) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].join();
              return [await hash(whole.slice(44)), await hash(whole.slice(-40000)) === await hash(end)];
            }""", method)
            output = folder / f"{method}.wav"
            subprocess.run([PROGRAM, "-q", "-f", "0.7", "--method", method, "-o", output, folder / "numbers.wav"], check=True)
            with wave.open(str(output)) as file:
                written = hashlib.sha256(file.readframes(file.getnframes())).digest()
            check(heard[0] == ",".join(map(str, written)), f"{method} is heard as it is written")
            # The phases of soxr's filters depend on where it began, by less than the noise of the dither.
            check(heard[1] or method == "sinc", f"{method} begins anywhere with the same bytes")
            output.unlink()


def elements(browser, folder):
    """Without a worklet, elements play: they seek, compare and loop."""
    lacking = "delete BaseAudioContext.prototype.audioWorklet;"
    with served(PROGRAM, folder) as (address, _), opened(browser, address, script=lacking) as page:
        choose(page, "numbers.wav")
        page.evaluate("async () => { const { panel, player, transport } = await import('/page/main.js'); panel.setSpeed(0.8); await transport.hear('source'); }")
        until(page, "async () => (await import('/page/main.js')).player.sounds.result?.url.includes('factor=1.25')")
        played = page.evaluate("""async () => {
          const { model, player } = await import("/page/main.js");
          const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
          const passing = async (holds) => {
            for (let turn = 0; turn < 500 && !holds(); turn++) await wait(20);
            return player.moment;
          };
          await player.seek(3);
          const start = player.moment;
          await player.play();
          const first = await passing(() => player.moment > 3.5);
          await player.hearOther("result");
          const compared = player.moment;
          const [began, heardFrom] = [player.element.currentTime, player.moment];
          await passing(() => player.element.currentTime > began + 0.5);
          const rate = (player.moment - heardFrom) / (player.element.currentTime - began);
          player.setLoop({ start: 1, end: 2 });
          await passing(() => player.rounds > 0);
          const looped = await passing(() => player.moment < 2);
          player.pause();
          return { kind: player.constructor.name, start, first, compared, rate, looped, factor: model.factor };
        }""")
        check(played["kind"] == "ElementPlayer", f"elements play: {played['kind']}")
        check(abs(played["start"] - 3) < 0.01 and 3.5 < played["first"] < 8, f"it plays from where it was put: {played}")
        check(abs(played["compared"] - played["first"]) < 0.3, "comparing stays at the moment")
        check(abs(played["rate"] * played["factor"] - 1) < 0.01, f"the result runs at its own speed: {played}")
        check(1 <= played["looped"] <= 2.6, f"a loop is kept: {played['looped']}")


def interruption(browser, folder):
    """A lost device, or a system that takes the sound, pauses; one click resumes."""
    devices = """
      window.devices = [{ kind: "audiooutput" }];
      navigator.mediaDevices.enumerateDevices = async () => window.devices;
    """
    with served(PROGRAM, folder) as (address, _), opened(browser, address, script=devices) as page:
        choose(page, "numbers.wav")
        page.evaluate("async () => (await import('/page/main.js')).player.play()")
        until(page, "async () => { const { player } = await import('/page/main.js'); return player.hasRun && player.moment > 0.2; }")
        page.evaluate("async () => (await import('/page/main.js')).player.context.suspend()")
        until(page, "document.querySelector('#note').textContent.includes('interrupted')")
        check(page.evaluate("async () => !(await import('/page/main.js')).player.isPlaying"), "an interruption pauses")
        before = page.evaluate("async () => (await import('/page/main.js')).player.moment")
        page.click("#note button")
        until(page, "async () => { const { player } = await import('/page/main.js'); return player.isPlaying && player.context.state === 'running'; }")
        check(page.evaluate("async () => (await import('/page/main.js')).player.moment") >= before, "Resume goes on from there")
        page.evaluate("""() => {
          window.devices = [];
          navigator.mediaDevices.dispatchEvent(new Event("devicechange"));
        }""")
        until(page, "async () => !(await import('/page/main.js')).player.isPlaying")
        check("interrupted" in page.inner_text("#note"), "a lost device pauses")
        state = page.evaluate("[navigator.mediaSession.metadata.title, navigator.mediaSession.playbackState]")
        check(state == ["numbers.wav", "paused"], f"the system sees what is open: {state}")


def batch(browser):
    """Every event of a batch of 1,000 files arrives, also over a connection that was cut."""
    with tempfile.TemporaryDirectory() as name:
        folder, results = pathlib.Path(name, "in"), pathlib.Path(name, "out")
        folder.mkdir()
        sox(folder / "0.wav", "synth", "0.05", "pinknoise")
        for index in range(1, 1000):
            os.link(folder / "0.wav", folder / f"{index}.wav")
        with served(PROGRAM, folder, "-o", results) as (address, _), opened(browser, address) as page:
            until(page, "document.querySelector('#folder-facts').textContent.includes('1,000')")
            page.evaluate("""async () => {
              (await import("/page/main.js")).model.set({ pitch: "tape", speed: 0.8 });
              window.events = [];
              window.cuts = 0;
              const read = async (last) => {
                const stop = new AbortController();
                const headers = last ? { "Last-Event-ID": last } : {};
                const response = await fetch("/api/events", { headers, signal: stop.signal });
                const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
                let text = "";
                for (let count = 0; ; ) {
                  const { value, done } = await reader.read();
                  if (done) break;
                  text += value;
                  const parts = text.split("\\n\\n");
                  text = parts.pop();
                  for (const part of parts) {
                    const field = (name) => part.match(new RegExp(`^${name}: ?(.*)$`, "m"))?.[1];
                    if (!field("id")) continue;
                    last = field("id");
                    window.events.push([Number(last), field("event"), field("data")]);
                    count += 1;
                    if (count > 150 && window.cuts < 5) {
                      window.cuts += 1;
                      stop.abort();
                      return read(last);
                    }
                  }
                }
              };
              read(null).catch((error) => (window.failed = String(error)));
            }""")
            # Nothing about a batch is active without its sheet.
            check(page.is_hidden("#batch") and page.is_hidden("#select-next"), "no batch begins by itself")
            page.click("#select-several")
            page.click("#check-all")
            page.click("#select-next")
            until(page, "document.querySelector('#many-command').textContent !== ''", 60)
            check(page.inner_text("#batch-make") == "Make 1,000 files", f"the sheet counts: {page.inner_text('#batch-make')}")
            check(len(list(results.rglob("*"))) == 0, "the sheet writes nothing")
            page.click("#batch-make")
            until(page, "document.querySelector('#jobs').textContent.includes('1000 of 1000 made')", 300)
            until(page, "window.events.some(([, name, data]) => name === 'job' && JSON.parse(data).state === 'done')")
            events = page.evaluate("window.events")
            done = [json.loads(data)["id"] for _, kind, data in events if kind == "file" and json.loads(data)["state"] == "done"]
            check(len(done) == 1000 and len(set(done)) == 1000, f"every file's end arrives once: {len(done)}")
            ids = [number for number, *_ in events]
            check(ids == list(range(ids[0], ids[0] + len(ids))), "no event is missing or comes twice")
            check(page.evaluate("window.cuts") == 5, "the connection was cut five times")
            written = len(list(results.rglob("*.wav")))
            check(written == 1000, f"every file was written: {written}")


def keyboard(browser, folder):
    """A whole task by keyboard alone: find, slow down, listen, compare, make the file."""
    sox(folder / "task one.wav", "synth", "2", "pinknoise")
    with served(PROGRAM, folder) as (address, _), opened(browser, address) as page:
        focused = "document.activeElement.id || document.activeElement.className"
        page.keyboard.press("/")
        page.keyboard.type("task one")
        until(page, "document.querySelectorAll('.row').length === 1")
        page.keyboard.press("ArrowDown")
        check(page.evaluate(focused) == "open", f"the arrow goes from the search to the list: {page.evaluate(focused)}")
        page.keyboard.press("Enter")
        page.wait_for_selector("#track:not([hidden])")
        until(page, "document.querySelector('#writes').textContent.includes('task one')")
        for _ in range(4):
            page.keyboard.press("[")
        until(page, "document.querySelector('#writes').textContent === 'task one-x1.25-stretch.wav'")
        check(page.evaluate("document.querySelector('#amount').value") == "80 %", "[ is 5 % slower")
        check(page.evaluate("document.querySelector('input[name=heard][value=result]').checked"), "a change is heard at once")
        page.keyboard.press("c")
        until(page, "document.querySelector('input[name=heard][value=source]').checked")
        page.keyboard.press("m")
        until(page, "document.querySelectorAll('#chips li').length === 1")
        page.keyboard.press("u")
        until(page, "document.querySelectorAll('#chips li').length === 0")
        page.evaluate("document.querySelector('#search').focus()")
        for _ in range(3):
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        check(page.evaluate("document.activeElement.id") == "play", f"three stops lead from the search to Play: {page.evaluate(focused)}")
        for key in ["Escape", "Enter", "Enter", "Escape"]:
            page.keyboard.press(key)
        page.wait_for_timeout(300)
        check(not (folder / "task one-x1.25-stretch.wav").exists(), "Enter and Escape write nothing")
        page.evaluate("document.querySelector('#make').focus()")
        page.keyboard.press("Enter")
        until(page, "document.querySelector('#jobs').textContent.includes('1 of 1 made')", 60)
        result = subprocess.run(["soxi", "-s", folder / "task one-x1.25-stretch.wav"], capture_output=True, text=True)
        check(result.stdout == "110250\n", f"the file was made by keyboard: {result.stdout}{result.stderr}")
        until(page, "document.querySelector('#writes-place').textContent.includes('exists already')")
        check(page.evaluate("document.querySelector('#make').disabled"), "what exists is a state, and not made again")
        page.evaluate("() => { const field = document.querySelector('#search'); field.value = ''; field.dispatchEvent(new Event('input')); }")
        until(page, "document.querySelectorAll('.row.result').length === 1", 60)
    (folder / "task one-x1.25-stretch.wav").unlink()
    (folder / "task one.wav").unlink()


def dragging(browser, folder):
    """A drag over a lane is a loop, one on the ruler moves the position, and the end of the result sets its length."""
    with served(PROGRAM, folder) as (address, _), opened(browser, address) as page:
        choose(page, "numbers.wav")

        def drag(place, start, *shares):
            box = page.locator(place).bounding_box()
            y = box["y"] + box["height"] / 2
            page.mouse.move(box["x"] + box["width"] * start, y)
            page.mouse.down()
            for share in shares:
                page.mouse.move(box["x"] + box["width"] * share, y, steps=4)
            page.mouse.up()
            page.wait_for_timeout(300)

        def state(name):
            return page.evaluate("async (name) => (await import('/page/main.js')).model.state[name]", name)

        moment = "async () => (await import('/page/main.js')).player.moment"
        # No time passes, so that the sound follows once only.
        page.evaluate("() => { window.now = performance.now; const now = performance.now() + 1000; performance.now = () => now; }")
        drag("#ruler", 0.9, 0.1, 0.5)
        width = [page.locator(place).bounding_box()["width"] for place in ("#ruler", "#source-lane")]
        check(abs(page.evaluate(moment) - 6 * width[0] / width[1]) < 0.05, f"the last place of a drag on the ruler counts: {page.evaluate(moment)}")
        page.evaluate("() => { performance.now = window.now; }")
        drag("#source-lane", 0.5, 0.25)
        loop = state("loop")
        check(abs(loop["start"] - 3) < 0.05 and abs(loop["end"] - 6) < 0.05, f"a drag over a lane is a loop: {loop}")
        drag("#source-lane", 0.5, 0.6)
        loop = state("loop")
        check(abs(loop["start"] - 3) < 0.05 and abs(loop["end"] - 7.2) < 0.05, f"its edge moves: {loop}")
        page.focus("#edge-b")
        page.keyboard.press("ArrowRight")
        check(abs(state("loop")["end"] - loop["end"] - 0.01) < 1e-6, "an arrow nudges its edge by 10 ms")
        box = page.locator("#source-lane").bounding_box()
        page.mouse.click(box["x"] + box["width"] * 0.4, box["y"] + 20)
        page.wait_for_timeout(300)
        check(abs(page.evaluate(moment) - 4.8) < 0.05, f"a click moves the position: {page.evaluate(moment)}")
        # Holding the picture compares, for as long; while nothing plays, a slow click is one.
        page.evaluate("async () => { const { model, transport } = await import('/page/main.js'); model.set({ loop: null }); await transport.hear('result'); await transport.play(); }")
        page.mouse.move(box["x"] + box["width"] * 0.2, box["y"] + 20)
        page.mouse.down()
        page.wait_for_timeout(700)
        held = state("heard")
        page.mouse.up()
        page.wait_for_timeout(100)
        check([held, state("heard")] == ["source", "result"], f"holding the picture compares: {held}, {state('heard')}")
        check(page.evaluate(moment) > 4.8, f"and seeks nowhere: {page.evaluate(moment)}")
        page.evaluate("async () => { const { player, transport } = await import('/page/main.js'); player.pause(); await transport.hear('source'); }")
        page.mouse.down()
        page.wait_for_timeout(700)
        page.mouse.up()
        page.wait_for_timeout(300)
        check(abs(page.evaluate(moment) - 2.4) < 0.05 and state("heard") == "source", f"a slow click moves the position: {page.evaluate(moment)}")
        handle = page.locator("#end-handle").bounding_box()
        lane = page.locator("#result-lane").bounding_box()
        page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
        page.mouse.down()
        page.mouse.move(lane["x"] + lane["width"] / 2, handle["y"], steps=5)
        page.mouse.up()
        page.wait_for_timeout(300)
        check(abs(state("speed") - 2) < 0.02, f"the end of the result sets its length: {state('speed')}")
        check(state("heard") == "result", "and the result is heard")
        # On one ruler, the result is half as long as the original, and marks slant from lane to lane.
        page.keyboard.press("m")
        page.wait_for_timeout(300)
        widths = page.evaluate("['source', 'result'].map((name) => document.querySelector(`#${name}-lane .body`).offsetWidth)")
        check(abs(widths[1] / widths[0] - 0.5) < 0.01, f"shorter looks shorter: {widths}")
        points = page.evaluate("document.querySelector('.item-line').getAttribute('points').split(' ').map((point) => Number(point.split(',')[0]))")
        check(abs(points[2] / points[0] - 0.5) < 0.01, f"a mark runs through both lanes: {points}")
        page.mouse.move(lane["x"] + 100, lane["y"] + 20)
        page.mouse.wheel(0, 200)
        page.wait_for_timeout(200)
        zoom = "async () => { const { view } = await import('/page/main.js'); return view.view.end - view.view.start; }"
        check(page.evaluate(zoom) == 12, "the wheel alone does not zoom")
        page.keyboard.down("Control")
        page.mouse.wheel(0, -200)
        page.keyboard.up("Control")
        page.wait_for_timeout(200)
        check(page.evaluate(zoom) < 10, f"with Control it does: {page.evaluate(zoom)}")
        page.evaluate("localStorage.clear()")


def bending(browser, folder):
    """The lines between the lanes are handles: by pointer and by keyboard; what is drawn is heard, made, shown and exported."""
    with served(PROGRAM, folder) as (address, _), opened(browser, address) as page:
        choose(page, "numbers.wav")
        state = lambda name: page.evaluate("async (name) => (await import('/page/main.js')).model.state[name]", name)
        page.click("#bend")
        gap, lane = page.locator("#bend-gap").bounding_box(), page.locator("#source-lane").bounding_box()
        at = lambda seconds: lane["x"] + lane["width"] * seconds / 12

        def drag(start, end):
            page.mouse.move(*start)
            page.mouse.down()
            page.mouse.move(*end, steps=6)
            page.mouse.up()

        middle = gap["y"] + gap["height"] / 2
        drag((at(4), middle), (at(6), middle))
        [own] = state("bends")
        check(abs(own["at"] - 4) < 0.03 and abs(own["to"] - 6) < 0.03, f"a drag between the lanes pulls the moment there: {own}")
        check(state("heard") == "result" and state("pitch") == "same", "it is heard at once, at the same pitch")
        handle = page.locator(".anchor.to").bounding_box()
        drag((handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2), (at(7), handle["y"]))
        [own] = state("bends")
        check(abs(own["at"] - 4) < 0.03 and abs(own["to"] - 7) < 0.05, f"its handle moves it: {own}")
        page.focus(".anchor.to")
        page.keyboard.press("ArrowRight")
        check(abs(state("bends")[0]["to"] - own["to"] - 0.01) < 1e-6, "an arrow moves it by 10 ms")
        page.focus(".anchor.at")
        page.keyboard.press("Shift+ArrowLeft")
        check(abs(state("bends")[0]["at"] - own["at"] + 0.1) < 1e-6, "and with Shift in the original by 100 ms")
        page.evaluate("async () => { const { model, player } = await import('/page/main.js'); await player.seek(9); model.set({ bends: [{ at: 4, to: 6 }] }); }")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("b")
        check([round(own["at"], 2) for own in state("bends")] == [4, 9], f"a key adds the moment that is heard: {state('bends')}")
        check("in the result" in page.evaluate("document.activeElement.getAttribute('aria-label')"), "its handle has the focus")
        page.keyboard.press("Delete")
        check(len(state("bends")) == 1, "Delete removes it")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("u")
        check(len(state("bends")) == 2, "and undo brings it back")
        page.keyboard.press("u")
        until(page, "async () => (await import('/page/main.js')).player.sounds.result?.url.includes('map=')")
        page.evaluate("async () => { const { model } = await import('/page/main.js'); model.set({ bends: [{ at: 4, to: 6 }], speed: 0.5 }); }")
        until(page, "document.querySelector('#writes').textContent === 'numbers-mapped.wav'")
        # The moments of the page are those of the map: 4 s of the original lie at 12 s of the result.
        until(page, "async () => { const { player } = await import('/page/main.js'); return player.sounds.result?.frames === 24 * 48000; }")
        frames = page.evaluate("async () => { const { player: { sounds: { result } } } = await import('/page/main.js'); return [result.frame(4), result.frame(8), result.moment(12 * 48000)]; }")
        check(frames == [576000, 864000, 4], f"what is heard is where it is drawn: {frames}")
        xs = page.evaluate("async () => { const { view } = await import('/page/main.js'); return [view.x(4, 'result') / view.width, view.x(4, 'source') / view.width]; }")
        check(abs(xs[0] - 0.5) < 0.002 and abs(xs[1] - 1 / 6) < 0.002, f"and drawn where it is heard: {xs}")
        # The server answers with the command.
        until(page, "document.querySelector('#command').textContent.includes(\"'4 12'\")")
        command = page.evaluate("document.querySelector('#command').textContent")
        check("--map <(printf" in command and "'4 12'" in command, f"the command line has the map: {command}")
        other = folder.parent / f"{folder.name}-command.wav"
        environment = dict(os.environ, SCALEAUDIO_CONFIG="")
        subprocess.run(["bash", "-c", command.replace("scaleaudio", f"{PROGRAM} -q -o {other}", 1)], check=True, env=environment)
        page.click("#make")
        until(page, "document.querySelector('#jobs').textContent.includes('1 of 1 made')", 120)
        made = folder / "numbers-mapped.wav"
        sounds = [hashlib.sha256(wave.open(str(path)).readframes(1 << 30)).digest() for path in (made, other)]
        check(sounds[0] == sounds[1], "the file that is made is that of the command line")
        other.unlink()
        with page.expect_download() as download:
            page.click("#bend-export")
        path = pathlib.Path(download.value.path())
        check(path.read_text() == "4 12\n12 24\n", f"the map file has the places: {path.read_text()!r}")
        page.click("#bend-clear")
        check(state("bends") == [], "straight again")
        (folder / "own map.txt").write_text("# beats\n0 0\n3 6\n12 18\n")
        page.set_input_files("#bend-import", folder / "own map.txt")
        until(page, "async () => (await import('/page/main.js')).model.state.bends.length === 1")
        seen = [state("bends"), state("speed")]
        check(seen[0] == [{"at": 3, "to": 4}] and abs(seen[1] - 2 / 3) < 1e-9, f"a map file is read: {seen}")
        (folder / "own map.txt").write_text("3 6\n2 7\n")
        page.set_input_files("#bend-import", folder / "own map.txt")
        until(page, "document.querySelector('#note').textContent.includes('line 2')")
        page.reload()
        page.wait_for_selector(".row")
        choose(page, "numbers.wav")
        check(state("bends") == [{"at": 3, "to": 4}], f"bends are kept with their file: {state('bends')}")
        page.click("input[value=tape]")
        check(state("bends") == [] and "Undo" in page.inner_text("#note"), "a tape has no bends, and says so")
        page.click("#note button")
        check(len(state("bends")) == 1 and state("pitch") == "same", "which can be undone")
        page.evaluate("localStorage.clear()")
        made.unlink()
        (folder / "own map.txt").unlink()


def practice(browser, folder):
    """Tempo, trainer, count-in, and loops that are kept with the file."""
    sox(folder / "loop_96bpm.wav", "synth", "10", "pluck", "A3")
    with served(PROGRAM, folder) as (address, _), opened(browser, address) as page:
        choose(page, "loop_96bpm.wav")
        state = lambda name: page.evaluate("async (name) => (await import('/page/main.js')).model.state[name]", name)
        page.click("#practice")
        page.click("#estimate")
        until(page, "document.querySelector('#bpm').value === '96'")
        page.fill("#bpm-result", "72")
        page.keyboard.press("Enter")
        check(state("speed") == 0.75, f"a tempo of the result is a speed: {state('speed')}")
        check("72 BPM" in page.inner_text("#length-words"), f"the tempo is shown times the speed: {page.inner_text('#length-words')}")
        page.fill("#bpm", "100")
        page.keyboard.press("Escape")
        check(page.input_value("#bpm") == "96", "Escape gives up a tempo that is half-typed")
        page.fill("#bpm", "1,5")
        page.keyboard.press("Enter")
        check(page.get_attribute("#bpm", "aria-invalid") == "true" and state("bpm") == 96, "what is no tempo is refused")
        page.fill("#bpm", "120,5 bpm")
        page.keyboard.press("Enter")
        check(state("bpm") == 120.5, "a tempo is typed as people do")
        page.evaluate("async () => { const { model } = await import('/page/main.js'); model.set({ bpm: 120, marks: [{ at: 2, name: 'Solo' }], loop: { start: 2, end: 2.2 } }); }")
        page.focus("#edge-b")
        page.keyboard.press("PageUp")
        check(abs(state("loop")["end"] - 2.7) < 1e-6, f"an edge moves by a beat: {state('loop')}")
        page.keyboard.press("PageDown")
        page.evaluate("document.querySelector('input[name=edge][value=end]').click()")
        page.click("#beat-up")
        check(abs(state("loop")["end"] - 2.7) < 1e-6, f"by a button, too: {state('loop')}")
        page.click("#beat-down")
        page.click("#keep-loop")
        check(state("loops") == [{"start": 2, "end": state("loop")["end"], "name": "Solo"}], f"a loop has the name of its mark: {state('loops')}")
        page.click("#loop-clear")
        page.click("#chips [aria-pressed]")
        check(abs(state("loop")["end"] - 2.2) < 1e-6, "its chip brings it back")
        page.click("#open-marks")
        page.fill("#loop-list input", "Lick")
        page.keyboard.press("Tab")
        page.keyboard.press("Escape")
        # The trainer changes the speed with the rounds.
        page.fill("#train-step", "10")
        page.fill("#train-rounds", "2")
        page.fill("#train-goal", "90")
        page.keyboard.press("Tab")
        page.check("#trainer")
        page.evaluate("async () => { const { player, transport } = await import('/page/main.js'); transport.seek(2); await transport.play(); }")
        until(page, "async () => (await import('/page/main.js')).model.state.speed === 0.9", 60)
        until(page, "document.querySelector('#trainer-words').textContent.includes('reached')")
        page.evaluate("async () => { const { player } = await import('/page/main.js'); player.pause(); }")
        page.uncheck("#trainer")
        page.select_option("#count-in", "2s")
        counted = page.evaluate("""async () => {
          const { player, practice, transport } = await import("/page/main.js");
          const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
          const begin = performance.now();
          const playing = transport.play();
          await wait(300);
          const seen = [player.isPlaying, !document.querySelector("#counting").hidden];
          await playing;
          const passed = performance.now() - begin;
          const isPlaying = player.isPlaying;
          player.pause();
          // Pressed again while it counts, it does not begin.
          const other = transport.toggle();
          await wait(200);
          await transport.toggle();
          await other;
          return [...seen, passed >= 2000, isPlaying, player.isPlaying];
        }""")
        check(counted == [False, True, True, True, False], f"it is counted in for two seconds: {counted}")
        page.reload()
        page.wait_for_selector(".row")
        choose(page, "loop_96bpm.wav")
        kept = [state("bpm"), [own["name"] for own in state("loops")]]
        check(kept == [120, ["Lick"]], f"tempo and loops are kept with their file: {kept}")
        page.evaluate("localStorage.clear()")
    (folder / "loop_96bpm.wav").unlink()


def sharing(browser, folder):
    """On another machine a result is a link."""
    results = folder.parent / f"{folder.name}-shared"
    with served(PROGRAM, folder, "-o", results, "--listen", "127.0.0.2") as (address, _), opened(browser, address) as page:
        choose(page, "numbers.wav")
        page.evaluate("async () => { const { model } = await import('/page/main.js'); model.set({ speed: 0.8, pitch: 'tape' }); }")
        until(page, "document.querySelector('#writes').textContent.includes('numbers')")
        check(page.is_hidden("#download"), "nothing is there to be downloaded yet")
        page.click("#make")
        until(page, "document.querySelector('#jobs').textContent.includes('1 of 1 made')", 60)
        until(page, "document.querySelector('#writes-place').textContent.includes('exists already')")
        for link in ["#jobs-download", "#download"]:
            with page.expect_download() as download:
                page.click(link)
            check(download.value.suggested_filename == "numbers.wav", f"the result has its name: {download.value.suggested_filename}")
            check(pathlib.Path(download.value.path()).read_bytes() == (results / "numbers.wav").read_bytes(), "it comes as it is")
    for path in results.iterdir():
        path.unlink()
    results.rmdir()


def following(browser, folder):
    """The folder is watched: what changes, grows, is emptied or goes while it is open and plays."""
    sox(folder / "changing.wav", "synth", "3", "pinknoise")
    with served(PROGRAM, folder) as (address, _), opened(browser, address) as page:
        choose(page, "changing.wav")
        check(page.evaluate("document.querySelector('#download').hidden"), "nothing is there to be downloaded yet, on this machine either")
        page.evaluate("async () => (await import('/page/main.js')).player.seek(1)")
        sox(folder / "new.wav", "synth", "1", "pinknoise")
        until(page, "[...document.querySelectorAll('.row .title')].some((own) => own.textContent === 'new.wav')")
        # Long enough to play on for as long as a busy machine needs to see a change.
        sox(folder / "changing.wav", "synth", "50", "pinknoise")
        until(page, "async () => (await import('/page/main.js')).model.state.details?.seconds === 50")
        until(page, "document.querySelector('#note').textContent.includes('read again')")
        moment = page.evaluate("async () => (await import('/page/main.js')).player.moment")
        check(abs(moment - 1) < 0.01, f"a file that has changed is read again, where it was: {moment}")
        page.evaluate("async () => (await import('/page/main.js')).transport.play()")
        sox(folder.parent / f"{folder.name}-next.wav", "synth", "60", "pinknoise")
        data = (folder.parent / f"{folder.name}-next.wav").read_bytes()
        # It grows, as a long copy does.
        (folder.parent / f"{folder.name}-next.wav").write_bytes(data[:len(data) * 2 // 3])
        (folder.parent / f"{folder.name}-next.wav").rename(folder / "changing.wav")
        time.sleep(0.3)
        with open(folder / "changing.wav", "ab") as file:
            file.write(data[len(data) * 2 // 3:])
        until(page, "async () => { const { model, player } = await import('/page/main.js'); return model.state.details?.seconds === 60 && player.isPlaying; }")
        # Emptied, or away, and written again: it goes on where it was.
        at = "async () => (await import('/page/main.js')).player.moment"
        for isAway in [False, True]:
            page.evaluate("async () => { const { player, transport } = await import('/page/main.js'); await player.seek(20); await transport.play(); }")
            until(page, "async () => { const { player } = await import('/page/main.js'); return player.isPlaying && player.moment > 20; }")
            (folder / "changing.wav").unlink() if isAway else (folder / "changing.wav").write_bytes(b"")
            until(page, "!document.querySelector('#problem').hidden || document.querySelector('#note').textContent.includes('not in the folder')")
            # The fetched part is played to its end.
            until(page, "async () => !(await import('/page/main.js')).player.isPlaying")
            (folder / "changing.wav").write_bytes(data)
            until(page, "async () => { const { model, player } = await import('/page/main.js'); return model.state.details?.seconds === 60 && player.isPlaying && player.moment > 20 && document.querySelector('#note').textContent.includes('read again'); }")
            check(20 < page.evaluate(at) < 29, f"it plays on where it was, away: {isAway}: {page.evaluate(at)}")
        page.evaluate("async () => (await import('/page/main.js')).player.pause()")
        sox(folder / "changing.wav", "synth", "60", "pinknoise")
        until(page, "async () => (await import('/page/main.js')).model.state.details?.seconds === 60")
        page.evaluate("async () => { const { player, transport } = await import('/page/main.js'); await player.seek(1); await transport.play(); }")
        (folder / "changing.wav").unlink()
        until(page, "document.querySelector('#note').textContent.includes('not in the folder any more')")
        # The part that was fetched is played; then it stops, and the words stay.
        until(page, "async () => !(await import('/page/main.js')).player.isPlaying", 60)
        check("put it back" in page.inner_text("#note"), f"the page says what can be done: {page.inner_text('#note')}")
        check(not page.evaluate("[...document.querySelectorAll('.row')].some((own) => own.textContent.includes('changing.wav'))"), "a file that is gone leaves the list")
    (folder / "new.wav").unlink()


def desktop(browser, folder):
    """Show folder opens the folder of a result, whatever its name is; without a program for it, there is no such button."""
    scene = pathlib.Path(tempfile.mkdtemp())
    inner = os.fsencode(folder) + b"/two  words \xe9"
    os.mkdir(inner)
    sox(folder / "task three.wav", "synth", "2", "pinknoise")
    os.rename(folder / "task three.wav", inner + b"/task three.wav")
    (scene / "bin").mkdir()
    opener = scene / "bin" / "xdg-open"
    opener.write_text(f"#!/bin/sh\nprintf %s \"$1\" > {scene}/asked.new; /bin/mv {scene}/asked.new {scene}/asked\n")
    opener.chmod(0o755)
    plain = {"DISPLAY": ":0", "PATH": str(scene / "bin")}
    for variables, isThere in [(plain, True), ({**plain, "PATH": str(scene)}, False), ({**plain, "DISPLAY": "", "WAYLAND_DISPLAY": ""}, False)]:
        # As most people name it.
        with served(PROGRAM, os.path.relpath(folder), **variables) as (address, _), opened(browser, address) as page:
            choose(page, "task three.wav")
            page.evaluate("async () => { const { model } = await import('/page/main.js'); model.set({ speed: 0.8, pitch: 'tape' }); }")
            until(page, "document.querySelector('#writes').textContent.includes('task three')")
            page.click("#make")
            until(page, "document.querySelector('#jobs').textContent.includes('1 of 1 made')", 60)
            check((page.locator("#jobs-folder").count() == 1) == isThere, f"a folder can be shown: {isThere}")
            # Behind a tunnel this machine may be another one: a quiet link.
            with page.expect_download() as download:
                page.click("#jobs-download")
            check(download.value.suggested_filename == "task three-x1.25-sinc.wav", f"a result can be downloaded here, too: {download.value.suggested_filename}")
            (inner_result,) = [path for path in os.listdir(inner) if b"-x" in path]
            os.unlink(inner + b"/" + inner_result)
            if not isThere:
                continue
            page.click("#jobs-folder")
            end = time.monotonic() + 20
            while not (scene / "asked").exists() and time.monotonic() < end:
                time.sleep(0.02)
            check((scene / "asked").read_bytes() == os.path.realpath(inner), f"the folder is shown: {(scene / 'asked').read_bytes()}")
            opener.unlink()
            page.click("#jobs-folder")
            until(page, "document.querySelector('#note').textContent.includes('no program here shows folders')")
    for path in os.listdir(inner):
        os.unlink(inner + b"/" + path)
    os.rmdir(inner)


def words(browser, folder):
    """What people type is a speed; a card names its pitch; what is chosen is what the server is asked for; marks are kept."""
    sox(folder / "other.wav", "synth", "1", "pinknoise")
    with served(PROGRAM, folder) as (address, _), opened(browser, address) as page:
        choose(page, "numbers.wav")
        for text, shown, length in [("70", "70 %", "0:17.1"), ("3/4", "75 %", "0:16.0"), ("1,25", "125 %", "0:09.6"), ("0:24", "50 %", "0:24.0"), ("0.8x", "80 %", "0:15.0")]:
            page.fill("#amount", text)
            page.keyboard.press("Enter")
            until(page, f"document.querySelector('#amount').value === '{shown}'")
            check(page.evaluate("document.querySelector('#length').value") == length, f"{text} is {length}")
        page.fill("#amount", "fast")
        page.keyboard.press("Enter")
        page.evaluate("async () => { const { model } = await import('/page/main.js'); model.set({ key: 1 }); model.set({ key: 0 }); }")
        page.wait_for_timeout(400)
        check("Write 70" in page.inner_text("#length-words"), f"what is no speed is explained, until another is there: {page.inner_text('#length-words')}")
        check(page.get_attribute("#amount", "aria-invalid") == "true", "the field says so, too")
        page.fill("#length", "0:06")
        page.keyboard.press("Enter")
        until(page, "document.querySelector('#amount').value === '200 %'")
        page.click("[data-speed='50']")
        page.click("input[value=tape]")
        until(page, "async () => (await import('/page/main.js')).player.sounds.result?.url.includes('factor=2&method=sinc')")
        check("−12.0 semitones" in page.inner_text("[data-pitch=tape]"), "a tape names its semitones")
        page.click("#key-up")
        until(page, "async () => (await import('/page/main.js')).player.sounds.result?.url.includes('pitch=1')")
        check(page.is_checked("input[value=same]"), "a key keeps the tempo apart from the pitch")
        seen = page.evaluate("async () => (await import('/page/main.js')).model.state.heard")
        check(seen == "result", "any change is heard at once")
        for text, shown, asked in [("−1,5", "−1.5", "pitch=-1.5"), ("+30c", "+0.3", "pitch=0.3")]:
            page.fill("#key", text)
            page.keyboard.press("Enter")
            until(page, f"async () => (await import('/page/main.js')).player.sounds.result?.url.includes('{asked}')")
            check(page.input_value("#key") == shown, f"{text} is a key: {page.input_value('#key')}")
        page.fill("#key", "high")
        page.keyboard.press("Enter")
        check(page.get_attribute("#key", "aria-invalid") == "true", "what is no key is refused")
        page.keyboard.press("Escape")
        check(page.input_value("#key") == "+0.3", "and given up by Escape")
        page.check("#voices")
        until(page, "async () => (await import('/page/main.js')).player.sounds.result?.url.includes('formants=preserve')")
        until(page, "document.querySelector('#command').textContent.includes('--formants preserve')")
        page.evaluate("document.querySelector('#panel details').open = true")
        page.select_option("#loudness", "-16")
        until(page, "document.querySelector('#command').textContent.includes('--loudness -16')")
        page.evaluate("document.querySelector('#panel details').open = false")
        page.evaluate("async () => { const { model } = await import('/page/main.js'); model.set({ key: 0, loudness: '' }); }")
        check(page.is_hidden("#voices-row"), "without a key there are no voices to keep")
        page.evaluate("async () => { const { model } = await import('/page/main.js'); model.set({ key: 1 }); }")
        # The list is as wide as a person wants it, by its border or by a slider.
        width = lambda: page.locator("#library").bounding_box()["width"]
        first, border = width(), page.locator("#divider").bounding_box()
        page.mouse.move(border["x"] + 4, 400)
        page.mouse.down()
        page.mouse.move(border["x"] + 124, 400, steps=4)
        page.mouse.up()
        check(abs(width() - first - 120) < 6, f"the list is wider: {first}, {width()}")
        page.evaluate("document.getElementById('open-look').click()")
        page.focus("#look-list")
        page.keyboard.press("Home")
        check(width() < first, f"by keyboard, too: {width()}")
        page.click("#look-reset")
        check(width() == first, "and as it was")
        page.evaluate("document.getElementById('open-look').click()")
        page.click("#add-mark")
        choose(page, "other.wav")
        check(page.locator("#chips li").count() == 0, "marks are those of their file")
        choose(page, "numbers.wav")
        # Kept by the server, from one file to the next.
        until(page, "document.querySelectorAll('#chips li').length === 1")
        page.click("#open-marks")
        page.fill("#mark-list input", "Solo")
        page.keyboard.press("Tab")
        page.keyboard.press("Escape")
        page.reload()
        page.wait_for_selector(".row")
        choose(page, "numbers.wav")
        until(page, "document.querySelector('#chips').textContent.includes('Solo')")
        # Another browser has them too, with speed and key, and each hears of the other.
        with opened(browser, address) as other:
            choose(other, "numbers.wav")
            until(other, "document.querySelector('#chips').textContent.includes('Solo')")
            until(other, "async () => { const { model } = await import('/page/main.js'); return model.state.speed === 0.5 && model.state.key === 1; }")
            other.evaluate("async () => { const { model } = await import('/page/main.js'); model.set({ marks: [{ at: 1, name: 'Theirs' }] }); }")
            until(page, "document.querySelector('#chips').textContent.includes('Theirs')")
            check("Solo" not in page.inner_text("#chips"), "the newest change counts")
            page.evaluate("async () => { const { model } = await import('/page/main.js'); model.set({ marks: [{ at: 2, name: 'Ours' }] }); }")
            until(other, "document.querySelector('#chips').textContent.includes('Ours')")
        check(not page.evaluate("JSON.stringify(localStorage).includes('Ours')"), "the browser does not keep what the server has")
        # Notes that a browser has from before are taken over once.
        page.evaluate("""async () => {
          const { list } = await import("/page/main.js");
          const file = list.files.find((own) => own.name === "other.wav");
          localStorage.setItem(`scaleaudio.marks.${file.folder}/${file.name}.${file.bytes}`, JSON.stringify({ list: [{ at: 0.5, name: "Old" }], loops: [] }));
        }""")
        choose(page, "other.wav")
        until(page, "document.querySelector('#chips').textContent.includes('Old')")
        until(page, "!JSON.stringify(localStorage).includes('Old')")
        page.evaluate("localStorage.clear()")
    # A server that may not write leaves the marks to the browser.
    with served(PROGRAM, folder, "--read-only") as (address, _), opened(browser, address) as page:
        choose(page, "numbers.wav")
        page.click("#add-mark")
        page.reload()
        page.wait_for_selector(".row")
        choose(page, "numbers.wav")
        until(page, "document.querySelectorAll('#chips li').length === 1")
    (folder / "other.wav").unlink()


def remedies(browser, folder):
    """What exists is a state; a problem is on the page in its own words; a file that does not play leaves nothing of the one before."""
    (folder / "broken.wav").write_bytes(b"RIFF\x10\0\0\0WAVEnoise")
    sox(folder / "task two.wav", "synth", "2", "pinknoise")
    sox(folder / "cut.flac", "synth", "8", "pinknoise")
    whole = (folder / "cut.flac").read_bytes()
    (folder / "cut.flac").write_bytes(whole[:len(whole) // 2])
    sox(folder / "mid.flac", "synth", "8", "pinknoise")
    data = bytearray((folder / "mid.flac").read_bytes())
    data[len(data) // 2:len(data) // 2 + 4000] = bytes(range(256)) * 15 + bytes(160)
    (folder / "mid.flac").write_bytes(data)
    results = folder.parent / f"{folder.name}-results"
    with served(PROGRAM, folder, "-o", results) as (address, _), opened(browser, address) as page:
        choose(page, "task two.wav")
        page.evaluate("async () => { const { model } = await import('/page/main.js'); model.set({ speed: 0.8, pitch: 'tape' }); }")
        until(page, "document.querySelector('#writes').textContent.includes('task two')")
        page.click("#make")
        until(page, "document.querySelector('#jobs').textContent.includes('1 of 1 made')")
        written = (results / "task two.wav").stat().st_mtime_ns
        until(page, "document.querySelector('#writes-place').textContent.includes('exists already')")
        check(page.evaluate("document.querySelector('#make').disabled"), "what exists is not made again")
        page.click("#replace")
        until(page, "document.querySelector('#command').textContent.includes('--overwrite')")
        until(page, "document.querySelector('#make').textContent === 'Replace the file'")
        page.click("#make")
        until(page, "document.querySelector('#jobs .jobs-open').textContent.includes('1 of 1 made')")
        until(page, "document.querySelector('#writes-place').textContent.includes('exists already')")
        check((results / "task two.wav").stat().st_mtime_ns > written, "the result is written anew")
        check((results / "task two (1).wav").stat().st_mtime_ns == written, "and the earlier one stays")
        check("--" not in page.evaluate("[...document.querySelectorAll('.why, #refusal, #problem')].map((own) => own.textContent).join()"), "no problem names an option")
        before = page.evaluate("async () => { const { view } = await import('/page/main.js'); return view.view.end - view.view.start; }")
        page.click("#zoom-in")
        page.wait_for_timeout(100)
        after = page.evaluate("async () => { const { view } = await import('/page/main.js'); return view.view.end - view.view.start; }")
        check(after == before / 2, f"a button magnifies: {before}, {after}")
        page.click("#zoom-fit")
        page.evaluate("document.querySelector('#jobs-hear').click()")
        until(page, "async () => { const { player } = await import('/page/main.js'); return player.isPlaying && player.heard === 'result'; }")
        seen = page.evaluate("async () => { const { model, player } = await import('/page/main.js'); return [model.state.file.name, model.state.speed, player.sounds.result.url]; }")
        check(seen[0] == "task two.wav" and seen[1] == 0.8 and "factor=1.25&" in seen[2], f"Hear compares with the original, and scales nothing twice: {seen}")
        page.evaluate("async () => { const { player, transport } = await import('/page/main.js'); await transport.hear('source'); await player.seek(1); await player.play(); }")
        page.evaluate("async () => { const { model } = await import('/page/main.js'); model.set({ speed: 1 }); }")
        choose(page, "cut.flac")
        until(page, "!document.querySelector('#damage').hidden")
        seen = page.evaluate("document.querySelector('#damage').title")
        check("Damaged from 0:0" in seen, f"the lane says where the damage is: {seen}")
        choose(page, "mid.flac")
        until(page, "!document.querySelector('#damage').hidden")
        seen = page.evaluate("async () => (await import('/page/main.js')).view.damage")
        check(3 < seen < 4.2, f"also within a file: {seen}")
        choose(page, "cut.flac")
        until(page, "async () => (await import('/page/main.js')).view.peaks.ready > 0")
        page.evaluate("async () => { const { player, model } = await import('/page/main.js'); await player.seek(model.seconds - 1); await player.play(); }")
        until(page, "async () => !(await import('/page/main.js')).player.isPlaying")
        end = page.evaluate("async () => { const { player, model } = await import('/page/main.js'); return [player.moment, model.seconds]; }")
        check(end[1] - 0.5 < end[0] <= end[1] + 0.01, f"a cut file plays to the damage, and ends there: {end}")
        check(page.evaluate("document.querySelector('#note').hidden"), "its end is no problem of the network")
        choose(page, "task two.wav")
        page.evaluate("async () => { const { player } = await import('/page/main.js'); await player.seek(1); await player.play(); }")
        choose(page, "broken.wav")
        check(page.evaluate("document.querySelector('#play').disabled"), "what cannot be read is not played")
        left = page.evaluate("async () => { const { player } = await import('/page/main.js'); return [player.moment, player.isPlaying]; }")
        check(left == [0, False], f"the file before does not go on: {left}")
        choose(page, "task two.wav")
        until(page, "!document.querySelector('#play').disabled")
    with served(PROGRAM, folder, "-o", results) as (address, _), opened(browser, address, 390, 800) as page:
        choose(page, "task two.wav")
        page.evaluate("async () => { const { model } = await import('/page/main.js'); model.set({ speed: 0.8, pitch: 'tape' }); }")
        until(page, "document.querySelector('#writes-place').textContent.includes('exists already')")
        check(page.evaluate("document.querySelector('#replace-row').checkVisibility()"), "a phone offers to replace it too")
    for path in [folder / "broken.wav", folder / "cut.flac", folder / "mid.flac", folder / "task two.wav", *results.iterdir()]:
        path.unlink()
    results.rmdir()


def tasks(browser, folder):
    """What people come for, with as few presses as it can be done with, and without a dead end."""
    for name in ["one", "two", "three"]:
        sox(folder / f"talk {name}.wav", "synth", "6", "pinknoise")

    # A solo at 70 % and the same pitch, looped: choose it, 70, drag over it, play.
    with served(PROGRAM, folder) as (address, _), opened(browser, address) as page:
        page.click(".row:has-text('numbers.wav') .open")
        page.wait_for_selector("#track:not([hidden])")
        until(page, "!document.querySelector('#play').disabled")
        page.click("[data-speed='70']")
        lane = page.locator("#source-lane").bounding_box()
        page.mouse.move(lane["x"] + lane["width"] * 0.25, lane["y"] + 40)
        page.mouse.down()
        page.mouse.move(lane["x"] + lane["width"] * 0.35, lane["y"] + 40, steps=4)
        page.mouse.up()
        page.click("#play")
        until(page, "async () => { const { player } = await import('/page/main.js'); return player.isPlaying && player.heard === 'result' && player.sounds.result?.url.includes('method=stretch'); }", 60)
        loop = page.evaluate("async () => (await import('/page/main.js')).player.loop")
        check(loop and 0.5 < loop["end"] - loop["start"] < 2, f"a solo is slowed and looped by four gestures: {loop}")
        moment = page.evaluate("async () => (await import('/page/main.js')).player.moment")
        check(loop["start"] - 0.01 <= moment <= loop["end"] + 0.1, f"and it plays there, though its sound came late: {moment}")

    # A folder of speech at 130 %, one of them checked: choose, type, select all, make, hear.
    with served(PROGRAM, folder) as (address, _), opened(browser, address) as page:
        page.fill("#search", "talk")
        until(page, "document.querySelectorAll('.row').length === 3")
        page.click(".row .open")
        page.wait_for_selector("#track:not([hidden])")
        page.fill("#amount", "130")
        page.keyboard.press("Enter")
        page.click("#select-several")
        page.click("#check-all")
        page.click("#select-next")
        until(page, "document.querySelector('#many-command').textContent !== ''")
        check("130 %" in page.inner_text("#batch-title") and "3 files" in page.inner_text("#batch-title"), f"the sheet says what will be made: {page.inner_text('#batch-title')}")
        until(page, "[...document.querySelectorAll('#batch-facts dt')].some((own) => own.textContent === 'Time')")
        check("a few seconds" in page.inner_text("#batch-facts"), f"and how long it takes: {page.inner_text('#batch-facts')}")
        page.click("#batch-make")
        until(page, "document.querySelector('#jobs').textContent.includes('3 of 3 made')", 120)
        made = sorted(path.name for path in folder.glob("talk *-*.wav"))
        check(len(made) == 3, f"all were made: {made}")
        until(page, "document.querySelectorAll('.row.result').length === 3")
        page.click(".row.result .open")
        until(page, "async () => { const { player, model } = await import('/page/main.js'); return player.isPlaying && player.heard === 'result' && Math.abs(model.state.speed - 1.3) < 0.001; }")
        check("talk" in page.inner_text("#title"), "one is checked by a press, beside its original")
    for path in folder.glob("talk *-*.wav"):
        path.unlink()

    # A phone: choose, 75, play, make, download.
    if not hasattr(browser, "opened"):
        with served(PROGRAM, folder, "--listen", "127.0.0.2") as (address, _), opened(browser, address, 390, 844, has_touch=True, is_mobile=True, accept_downloads=True) as page:
            page.tap(".row:has-text('talk one.wav') .open")
            until(page, "!document.querySelector('#play').disabled")
            page.tap("[data-speed='75']")
            page.tap("#play")
            until(page, "async () => { const { player } = await import('/page/main.js'); return player.isPlaying && player.heard === 'result'; }")
            until(page, "document.querySelector('#writes').textContent.includes('x1.333')")
            page.tap("#make")
            page.wait_for_selector("#jobs-download", timeout=60000)
            seen = page.evaluate("['#source-lane', '#result-lane', '#play', '#jobs-download'].map((own) => { const box = document.querySelector(own).getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; })")
            check(seen == [True] * 4, f"on a phone all of it is seen at once: {seen}")
            with page.expect_download() as download:
                page.tap("#jobs-download")
            check("talk one" in download.value.suggested_filename, f"five presses on a phone: {download.value.suggested_filename}")
        for path in folder.glob("talk *-*.wav"):
            path.unlink()

    # By keyboard: from the search to the list, to Play.
    with served(PROGRAM, folder) as (address, _), opened(browser, address) as page:
        page.keyboard.press("/")
        page.keyboard.type("talk one")
        until(page, "document.querySelectorAll('.row').length === 1")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        until(page, "!document.querySelector('#play').disabled")
        page.keyboard.press("Space") if page.evaluate("document.activeElement.tagName !== 'BUTTON'") else page.keyboard.press("c")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press(" ")
        until(page, "async () => (await import('/page/main.js')).player.isPlaying")
        page.keyboard.press(" ")
        # What a screen reader is told: every control has a name, and what happens is said.
        unnamed = page.evaluate("""() => [...document.querySelectorAll("button, input, select, a, summary, [role=slider], [role=group], section, aside, dialog")]
          .filter((own) => own.checkVisibility() && !own.closest("[aria-hidden=true]"))
          .filter((own) => !(own.getAttribute("aria-label") || own.getAttribute("aria-labelledby") || own.textContent.trim() || own.labels?.length || own.title)).map((own) => own.id || own.className)""")
        check(unnamed in ([], ["stage"]), f"every control has a name: {unnamed}")
        said = page.evaluate("""async () => {
          const { bends, model, player, transport } = await import("/page/main.js");
          const words = [];
          new MutationObserver(() => words.push(document.querySelector("#announcer").textContent)).observe(document.querySelector("#announcer"), { childList: true, characterData: true, subtree: true });
          const wait = () => new Promise((done) => setTimeout(done, 60));
          await player.seek(2);
          transport.hear("result");
          await wait();
          transport.hear("source");
          await wait();
          document.querySelector("#add-mark").click();
          await wait();
          transport.stepLoop();
          await wait();
          await player.seek(3);
          transport.stepLoop();
          await wait();
          bends.addHere();
          await wait();
          return words;
        }""")
        for part in ["Result", "Original", "Mark 1 at 2 seconds", "A at 2 seconds", "Loop of 1 second", "A place at 3 seconds"]:
            check(any(part in own for own in said), f"{part} is said: {said}")
        tree = page.locator("body").aria_snapshot() if not hasattr(browser, "opened") else ""
        for part in ['region "Playback"', 'group "Play and move"', 'slider "Position in the original"', 'slider "Length of the result"', 'radio "Same pitch"', 'button "Make the file"', 'group "Loop"', 'slider "Place 1 in the result"', 'complementary "Files"'] if tree else []:
            check(part in tree, f"the tree of the page has {part}")
        # A batch: how many are chosen is said, and the sheet is read with what it will do.
        page.click("#select-several")
        check(page.get_attribute("#checked-count", "role") == "status", "the number of selected files is said")
        page.click("#check-all")
        page.click("#select-next")
        until(page, "document.querySelector('#many-command').textContent !== ''", 60)
        sheet = page.locator("#batch").aria_snapshot() if not hasattr(browser, "opened") else ""
        count = page.inner_text("#checked-count").removesuffix(" selected")
        check(page.evaluate("document.activeElement.id") == "batch-cancel", "Cancel has the focus")
        check(page.is_disabled("#batch-make") and "choose a speed" in page.inner_text("#batch-problem"), "what would change nothing is not made")
        for part in [f'dialog "{count} file', "term: Length", "term: Folder", "definition: kept, not made again", 'button "Cancel"', f'button "Make {count} file'] if sheet else []:
            check(part in sheet, f"the sheet of a batch has {part}: {sheet}")
        about = page.evaluate("document.getElementById(document.querySelector('#batch').getAttribute('aria-describedby')).textContent")
        check("beside the originals" in about, f"it is described by its facts: {about}")
        page.keyboard.press("Escape")
        page.evaluate("localStorage.clear()")
    for path in folder.glob("talk *"):
        path.unlink()


def places(browser, folder):
    """Back leads to the list and closes what lies over the page; a reload opens the file again; a second finger makes no loop."""
    sox(folder / "other.wav", "synth", "1", "pinknoise")
    state = """async () => {
      const { model } = await import("/page/main.js");
      return [document.body.dataset.view, model.state.file?.name ?? null, document.querySelector("#marks").open];
    }"""
    with served(PROGRAM, folder) as (address, _), opened(browser, address, 390, 844, has_touch=True, is_mobile=True) as page:
        def goes(steps, wanted, what):
            steps()
            end = time.monotonic() + 10
            while page.evaluate(state) != wanted and time.monotonic() < end:
                time.sleep(0.02)
            check(page.evaluate(state) == wanted, f"{what}: {page.evaluate(state)}")

        numbers, other = ["player", "numbers.wav", False], ["player", "other.wav", False]
        goes(lambda: page.tap(".row:has-text('numbers.wav') .open"), numbers, "a row opens its file")
        goes(page.go_back, ["list", "numbers.wav", False], "Back leads to the list")
        goes(page.go_forward, numbers, "Forward leads to the file")
        goes(lambda: page.tap("#to-list"), ["list", "numbers.wav", False], "so does the button")
        goes(lambda: page.tap(".row:has-text('other.wav') .open"), other, "another file is another place")
        until(page, "!document.querySelector('#add-mark').disabled")
        page.tap("#add-mark")
        goes(lambda: page.tap("#open-marks"), [*other[:2], True], "a sheet is open")
        goes(page.go_back, other, "Back closes a sheet, and leaves the file")
        page.reload()
        goes(lambda: None, other, "a reload opens the file again")
        until(page, "!document.querySelector('#play').disabled")
        box = page.locator("#source-lane").bounding_box()
        session = page.context.new_cdp_session(page)
        place = lambda share, number: {"x": box["x"] + box["width"] * share, "y": box["y"] + 30, "id": number}

        def touch(kind, *shares):
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [place(share, number) for number, share in enumerate(shares)]})

        for kind, *shares in [["touchStart", 0.3], ["touchMove", 0.35], ["touchStart", 0.35, 0.6], ["touchMove", 0.3, 0.65], ["touchMove", 0.2, 0.8], ["touchEnd"]]:
            touch(kind, *shares)
            page.wait_for_timeout(40)
        view = "async () => { const { model, view } = await import('/page/main.js'); return [model.state.loop, view.view.start, view.view.end]; }"
        loop, start, end = page.evaluate(view)
        check(loop is None, f"two fingers make no loop: {loop}")
        check(end - start < 0.7, f"they magnify: {start} to {end}")
        for kind, *shares in [["touchStart", 0.5], ["touchStart", 0.5, 0.8], ["touchMove", 0.4, 0.7], ["touchMove", 0.3, 0.6], ["touchEnd"]]:
            touch(kind, *shares)
            page.wait_for_timeout(40)
        _, *moved = page.evaluate(view)
        check(moved[0] > start + 0.05 and abs(moved[1] - moved[0] - end + start) < 0.01, f"and move what is magnified: {[start, end]} to {moved}")
    # On its side, and in a low window, all of it is seen at once.
    for width, height in [(844, 390), (720, 450), (1280, 500)]:
        with served(PROGRAM, folder) as (address, _), opened(browser, address, width, height) as page:
            choose(page, "numbers.wav")
            page.evaluate("async () => { const { model, panel } = await import('/page/main.js'); panel.setSpeed(0.75); model.set({ marks: [2, 5, 8].map((at) => ({ at, name: `Part ${at}` })) }); }")
            page.click("#practice")
            page.wait_for_timeout(300)
            seen = page.evaluate("""["#source-lane", "#result-lane", "#play", "#amount", "#speed"].filter((own) => {
              const box = document.querySelector(own).getBoundingClientRect();
              const middle = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
              return !(box.top >= 0 && box.bottom <= innerHeight && box.height > 20 && middle?.closest(own));
            })""")
            check(seen == [], f"lanes, Play and the speed are seen at {width} x {height}, beside the tools: {seen}")
    (folder / "other.wav").unlink()


def steadiness(browser, folder):
    """What is pressed stays while a job goes on; what is half-typed is given up by Escape; a file that is gone leaves nothing."""
    sox(folder / "long.wav", "synth", "240", "pinknoise")
    sox(folder / "gone.wav", "synth", "2", "pinknoise")
    with served(PROGRAM, folder) as (address, _), opened(browser, address) as page:
        choose(page, "long.wav")
        page.fill("#amount", "6")
        page.keyboard.press("Escape")
        seen = page.evaluate("async () => [document.querySelector('#amount').value, (await import('/page/main.js')).model.state.speed]")
        check(seen == ["100 %", 1], f"Escape gives up what is half-typed: {seen}")
        page.fill("#amount", "60")
        page.keyboard.press("Escape")
        page.keyboard.press("Tab")
        check(page.evaluate("async () => (await import('/page/main.js')).model.state.speed") == 1, "and leaving the field does not take it")
        page.click("#add-mark")
        page.click("#open-marks")
        page.fill("#mark-list input", "half")
        page.keyboard.press("Escape")
        check(page.is_visible("#marks") and page.input_value("#mark-list input") == "Mark 1", "a name that is half-typed is given up, too")
        page.keyboard.press("Escape")
        check(page.is_hidden("#marks"), "the next Escape closes the list")
        page.evaluate("async () => { const { model } = await import('/page/main.js'); model.set({ speed: 0.5 }); }")
        page.evaluate("async () => (await import('/page/main.js')).player.play()")
        changes = page.evaluate("""async () => {
          const { player } = await import("/page/main.js");
          while (player.moment < 0.2) await new Promise((done) => setTimeout(done, 20));
          let changes = 0;
          new MutationObserver((list) => (changes += list.length)).observe(document.querySelector("#source-lane"), { attributeFilter: ["aria-valuenow"] });
          const start = player.moment;
          await new Promise((done) => setTimeout(done, 1500));
          const seconds = player.moment - start;
          player.pause();
          return [changes, seconds];
        }""")
        check(changes[0] <= changes[1] + 2, f"the value of a slider changes by seconds while it plays: {changes}")
        until(page, "document.querySelector('#writes').textContent.includes('long')")
        page.click("#make")
        page.wait_for_selector("#jobs-open")
        held = page.evaluate("""async () => {
          const { jobs } = await import("/page/main.js");
          const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
          const button = document.querySelector("[data-act=cancel]");
          button.focus();
          const words = document.querySelector("#jobs progress");
          const before = words.value;
          for (let turn = 0; turn < 200 && words.isConnected && words.value === before; turn++) {
            jobs.plan();
            await wait(50);
          }
          jobs.plan();
          await wait(200);
          return [button.isConnected || !document.querySelector("[data-act=cancel]"), document.activeElement === button || !button.isConnected];
        }""")
        check(held == [True, True], f"a button stays while the job goes on: {held}")
        page.evaluate("document.querySelector('[data-act=cancel]')?.click()")
        until(page, "!document.querySelector('#jobs progress')", 60)
        (folder / "gone.wav").unlink()
        page.evaluate("async () => { const { list, model, select } = await import('/page/main.js'); model.set({ speed: 1 }); const file = list.files.find((own) => own.name === 'gone.wav'); if (file) await select(file.id); }")
        until(page, "document.querySelector('#problem').textContent !== ''")
        seen = page.evaluate("""async () => {
          const { view } = await import("/page/main.js");
          return [view.peaks?.frames ?? 0, view.total, document.querySelector("#title").textContent, document.querySelector("#play").disabled];
        }""")
        check(seen == [0, 0, "gone.wav", True], f"of a file that is gone, the picture is empty: {seen}")
    for path in folder.glob("long*"):
        path.unlink()


def hostile(browser, folder):
    """Titles and names are shown as text, with any content."""
    name = "<img src=x onerror=window.owned=1>.flac"
    sox(folder / name, "synth", "1", "pinknoise")
    subprocess.run(["metaflac", "--set-tag=TITLE=<script>window.owned=2</script>", "--set-tag=ARTIST=<b>x</b>", folder / name], check=True)
    with served(PROGRAM, folder) as (address, _), opened(browser, address) as page:
        choose(page, name)
        page.wait_for_timeout(500)
        check(page.evaluate("window.owned === undefined"), "no script in a title runs")
        check(page.inner_text("#title") == "<script>window.owned=2</script>", "the title is shown as it is")
        made = page.evaluate("[...document.querySelectorAll('#track b')].filter((element) => element.textContent === 'x').length")
        check(made == 0, "tags make no elements")
    (folder / name).unlink()


def access(browser, folder):
    """No state of the page breaks a rule of WCAG 2.2 that axe knows, at three widths and in both schemes."""
    (folder / "broken.wav").write_bytes(b"RIFF\x10\0\0\0WAVEnoise")
    axe = Axe()
    for width in [1440, 768, 320]:
        for scheme in ["dark", "light"]:
            with served(PROGRAM, folder) as (address, _), opened(browser, address, width, 800, scheme) as page:
                def look(state):
                    rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
                    for violation in axe.run(page, options=rules).response["violations"]:
                        nodes = [node["target"] for node in violation["nodes"]]
                        check(False, f"axe, {state}, {width} px, {scheme}: {violation['id']} at {nodes[:3]}")
                    wide = page.evaluate("document.documentElement.scrollWidth")
                    check(wide <= width, f"{state} fits into {width} px: {wide}")
                look("list")
                choose(page, "numbers.wav")
                page.wait_for_timeout(600)
                look("file")
                check(page.inner_text("#remaining") != "", "the remaining time is shown from the start")
                page.evaluate("document.getElementById('open-look').click()")
                look("appearance")
                free = page.evaluate("(() => { const box = document.querySelector('#play').getBoundingClientRect(); return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest('#play') !== null; })()")
                check(free, f"the view leaves Play in reach at {width} px")
                page.evaluate("document.getElementById('open-look').click(); document.getElementById('open-keys').click()")
                look("keys")
                page.keyboard.press("Escape")
                page.evaluate("""async () => {
                  const { model, player } = await import("/page/main.js");
                  document.getElementById("add-mark").click();
                  model.set({ speed: 0.8, pitch: "tape", loop: { start: 3, end: 5 } });
                  while (!document.querySelector("#writes").textContent.includes("x1.25")) await new Promise((done) => setTimeout(done, 20));
                  await player.play();
                  document.getElementById("make").click();
                }""")
                until(page, "/1 of 1 made|failed|exists/.test(document.querySelector('#jobs').textContent)", 60)
                look("playing, a mark and a job")
                check(page.is_visible("#jobs"), f"a job is seen without scrolling at {width} px")
                bottom = page.evaluate("document.querySelector('#jobs').getBoundingClientRect().bottom")
                check(bottom <= 800, f"jobs stay at the bottom of the window, not of the page: {bottom}")
                page.evaluate("for (const own of document.querySelectorAll('#panel details')) own.open = true")
                look("details")
                page.evaluate("for (const own of document.querySelectorAll('#panel details')) own.open = false")
                page.evaluate("async () => { const { model } = await import('/page/main.js'); model.set({ pitch: 'same', bpm: 96, isBending: true, bends: [{ at: 4, to: 6 }], loops: [{ start: 3, end: 5, name: 'Solo' }] }); }")
                page.wait_for_timeout(200)
                look("bending")
                page.evaluate("async () => { const { model } = await import('/page/main.js'); model.set({ isBending: false }); document.getElementById('practice').click(); }")
                page.wait_for_timeout(100)
                look("practice")
                page.evaluate("document.getElementById('practice').click()")
                page.evaluate("document.getElementById('open-marks').click()")
                look("marks")
                page.keyboard.press("Escape")
                check(page.evaluate("['#source-lane', '#result-lane', '#play'].every((own) => document.querySelector(own).checkVisibility() && document.querySelector(own).getBoundingClientRect().bottom <= 800)"), f"lanes and Play are seen at {width} px")
                page.evaluate("document.getElementById('open-look').click()")
                for style in ["bars", "spectrum", "envelope"]:
                    page.select_option("#look-style", style)
                    page.wait_for_timeout(200)
                    look(style)
                page.evaluate("document.getElementById('open-look').click()")
                page.evaluate("async () => (await import('/page/main.js')).player.pause()")
                choose(page, "broken.wav")
                page.wait_for_timeout(300)
                check(page.is_visible("#problem"), "an unreadable file says why")
                check("NaN" not in page.inner_text("body"), "what is not known is left out")
                look("problem")
                page.evaluate("document.body.dataset.view = 'list'")
                page.fill("#search", "no such file")
                page.wait_for_timeout(200)
                look("nothing found")
                page.fill("#search", "")
                page.wait_for_timeout(200)
                page.click("#select-several")
                page.click("#check-all")
                look("selecting")
                page.click("#select-next")
                until(page, "document.querySelector('#many-command').textContent !== ''")
                look("batch")
                page.keyboard.press("Escape")
                check(page.is_hidden("#batch"), "Escape closes the sheet, and makes nothing")
            for output in folder.glob("numbers-x*"):
                output.unlink()
    (folder / "broken.wav").unlink()


def sheets(browser, folder):
    """Sheets leave the transport in use, hold back the rest, and give the focus back."""
    state = """[document.querySelectorAll("dialog.sheet[open]").length, document.getElementById("library").inert,
      document.getElementById("transport").inert, document.activeElement.closest("dialog")?.id ?? document.activeElement.id]"""
    with served(PROGRAM, folder) as (address, _), opened(browser, address) as page:
        choose(page, "numbers.wav")
        page.click("#open-keys")
        check(page.evaluate(state) == [1, True, False, "keys"], f"a sheet holds back the rest: {page.evaluate(state)}")
        page.click("#play")
        until(page, "async () => (await import('/page/main.js')).player.isPlaying")
        for key in ["?", "/", "ArrowDown"]:
            page.keyboard.press(key)
        check(page.evaluate(state) == [1, True, False, "play"], f"the transport is in use, and opens nothing else: {page.evaluate(state)}")
        page.keyboard.press("Escape")
        check(page.evaluate(state) == [0, False, False, "play"], f"Escape closes it, and leaves the focus in the transport: {page.evaluate(state)}")
        page.click("#open-keys")
        page.keyboard.press("Escape")
        check(page.evaluate(state) == [0, False, False, "open-keys"], f"from the sheet, the focus goes back: {page.evaluate(state)}")
        page.click("#open-keys")
        page.click("#keys button")
        until(page, "document.activeElement.id === 'open-keys'")
        page.evaluate("async () => (await import('/page/main.js')).model.set({ pitch: 'tape', speed: 0.8 })")
        for button in ["#select-several", "#check-all", "#select-next", "#batch-make"]:
            page.click(button)
        check(page.evaluate(state) == [0, False, False, "select-several"], f"a batch that is begun leaves the focus at its button: {page.evaluate(state)}")
        until(page, "document.querySelector('#jobs').textContent.includes('1 of 1 made')", 60)
    for output in folder.glob("numbers-x*"):
        output.unlink()


def legibility(browser):
    """Labels neither overlap nor are cut where a reader enlarges or spaces text, and fingers find what they press."""
    enlarged = crowding.STYLES
    if hasattr(browser, "opened"):
        enlarged = {"twice the text, by the browser's zoom of text": lambda page: page.enlarge_text()}
    crowding.check_all(PROGRAM, lambda address, width: opened(browser, address, width, 800), enlarged)
    if not hasattr(browser, "opened"):
        crowding.check_steady(PROGRAM, lambda address, script: opened(browser, address, 1280, 800, script=script))


def many(browser):
    """Ten thousand files are a list of few elements."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sox(folder / "0.wav", "synth", "0.01", "sine", "440")
        for index in range(1, 10_000):
            os.link(folder / "0.wav", folder / f"{index}.wav")
        with served(PROGRAM, folder) as (address, _), opened(browser, address) as page:
            until(page, "document.querySelector('#folder-facts').textContent.includes('10,000')", 180)
            times = page.evaluate("""async () => {
              const frame = document.querySelector("#list");
              const times = [];
              let last = performance.now();
              for (let step = 0; step < 200; step++) {
                frame.scrollTop += 2345;
                await new Promise(requestAnimationFrame);
                const now = performance.now();
                times.push(now - last);
                last = now;
              }
              return times;
            }""")
            print(f"scrolling 10,000 files: p95 {statistics.quantiles(times, n=20)[-1]:.1f} ms a frame")
            check(page.locator(".row").count() < 60, "few rows are in the page")
            first = page.locator(".row").first.get_attribute("aria-setsize")
            check(first == "10000", f"rows say how many there are: {first}")


def connection(browser, folder):
    """The page notices and reports that the server has ended."""
    with served(PROGRAM, folder) as (address, process), opened(browser, address) as page:
        # A list that the page has asked for takes the place of this one.
        until(page, """async () => {
          const { jobs } = await import("/page/main.js");
          if (!jobs.list.has("j")) {
            jobs.list.set("j", { id: "j", state: "running", command: "", fraction: 0.5, files: new Map([["f", { id: "f", state: "running", fraction: 0.5 }]]) });
            jobs.begun.set("j", { time: performance.now() - 60000, fraction: 0 });
            jobs.plan();
          }
          return document.querySelector("#jobs").textContent.includes("left");
        }""")
        process.terminate()
        process.wait(20)
        page.wait_for_selector("#offline:not([hidden])", timeout=20000)
        check("econnecting" in page.inner_text("#offline") or "gone" in page.inner_text("#offline"), "the page says that the server is gone")
        until(page, "document.querySelector('#jobs').textContent.includes('ended with the server')")
        check("left" not in page.inner_text("#jobs"), f"and that no time is left to its job: {page.inner_text('#jobs')}")
    with tempfile.TemporaryDirectory() as empty, served(PROGRAM, empty, "--read-only") as (address, _), opened(browser, address) as page:
        check("no audio file" in page.inner_text("#list-empty"), "an empty folder says so")
        check(page.evaluate("document.querySelector('#select-several').disabled && !document.querySelector('#upload-label').checkVisibility()"), "read-only offers nothing that writes")


def run(browser, parts, *arguments):
    for part in parts:
        start = time.monotonic()
        part(browser, *arguments)
        print(f"{part.__name__}: {time.monotonic() - start:.0f} s", flush=True)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=BROWSER, args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required"])
            print(f"Chromium {browser.version}")
            run(browser, [sound, continuity, previews, elements, interruption, keyboard, dragging, bending, practice, words, remedies, tasks, places, steadiness, sharing, following, desktop, hostile, access, sheets, connection], folder)
            run(browser, [many, batch])
            # The server waits half a minute for a slow client.
            with concurrent.futures.ThreadPoolExecutor() as beside:
                refused = beside.submit(refusals.check_all, PROGRAM)
                run(browser, [legibility])
                refused.result()
            browser.close()
        for output in folder.glob("*-x*"):
            output.unlink()
        with firefox.launched() as browser:
            print(f"Firefox {browser.version}")
            run(browser, [sound, continuity, elements, keyboard, remedies, following, hostile, connection], folder)
            run(browser, [legibility])
    print(f"{pages.checks} checks, {len(pages.failures)} failed")
    sys.exit(1 if pages.failures else 0)


if __name__ == "__main__":
    main()
