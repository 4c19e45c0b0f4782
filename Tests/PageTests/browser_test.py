"""Tests the page in a real browser, against the program that serves it: browser_test.py PROGRAM

Sound is checked by its own samples: in the test file, frame n holds n mod 4096 on the left and n / 4096 on the right,
so that every frame that is heard says which one it is.
"""

import contextlib
import json
import os
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import wave

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

PROGRAM = os.path.abspath(sys.argv[1])
BROWSER = "/usr/bin/chromium"
RATE = 48000
FRAMES = 12 * RATE
failures = []
checks = 0


def check(holds, what):
    """Counts a check, and keeps what does not hold."""
    global checks
    checks += 1
    if not holds:
        failures.append(what)
        print("FAILED", what)


def numbered(path, frames=FRAMES):
    """Writes a file whose frames say their own number."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(b"".join(struct.pack("<hh", n % 4096, n // 4096) for n in range(frames)))


def sox(path, *arguments):
    subprocess.run(["sox", "-R", "-n", "-r", "44100", "-b", "16", str(path), *arguments], check=True)


@contextlib.contextmanager
def served(*arguments):
    """The address of a server, which is ended afterwards."""
    environment = dict(os.environ, SCALEAUDIO_CONFIG="", XDG_CACHE_HOME=tempfile.mkdtemp())
    process = subprocess.Popen(
        [PROGRAM, "serve", "--no-open", "--port", "0", *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
    try:
        yield process.stdout.readline().strip(), process
    finally:
        process.terminate()
        check(process.wait(20) == 0, "the server ends by SIGTERM with status 0")


@contextlib.contextmanager
def opened(browser, address, width=1440, height=900, scheme="dark", **more):
    """A page, on which no script fails."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, **more)
    page = context.new_page()
    page.on("pageerror", lambda error: check(False, f"a script failed: {error}"))
    page.on("console", lambda message: check(
        message.type != "error" or "Failed to load resource" in message.text or "ERR_" in message.text,
        f"the console says: {message.text}"))
    page.goto(address)
    page.wait_for_selector(".row, #list-empty:not([hidden])")
    try:
        yield page
    finally:
        context.close()


def choose(page, name):
    page.evaluate("""async (name) => {
      const { list, select } = await import("/page/main.js");
      await select(list.files.find((file) => file.name === name).id);
    }""", name)


def until(page, holds, seconds=30):
    """Waits for an expression; the page's rules forbid the browser's own way of waiting for one."""
    end = time.monotonic() + seconds
    while not page.evaluate(holds):
        if time.monotonic() > end:
            raise TimeoutError(holds)
        time.sleep(0.02)


TAP = """async () => {
  const { player } = await import("/page/main.js");
  const tap = player.context.createScriptProcessor(4096, 2, 2);
  window.heard = [];
  tap.onaudioprocess = (event) => {
    const [left, right] = [0, 1].map((channel) => event.inputBuffer.getChannelData(channel));
    for (let index = 0; index < left.length; index++) {
      window.heard.push(Math.round(left[index] * 32768) + 4096 * Math.round(right[index] * 32768));
    }
  };
  player.node.connect(tap);
  tap.connect(player.context.destination);
}"""

# Without what is 0: before the sound, and where a slow build does not keep up.
HEAR = """async (count) => {
  let numbers = [];
  while (numbers.length < count) {
    await new Promise((done) => setTimeout(done, 50));
    numbers = window.heard.filter((number) => number !== 0);
  }
  return numbers;
}"""


def breaks(numbers, period=1 << 30):
    """Where frames do not follow each other, in a loop of `period` frames.

    The tap misses a few whole quanta of 128 frames on a busy machine: that is no fault of what it listens to.
    """
    found = []
    for before, after in zip(numbers, numbers[1:]):
        missing = (after - before - 1) % period
        if missing and all(missing != 128 * count % period for count in range(1, 33)):
            found.append((before, after))
    return found


def sound(browser, folder):
    """Seeking, comparing and looping lose no frame and repeat none."""
    numbered(folder / "numbers.wav")
    with served(folder) as (address, _), opened(browser, address) as page:
        choose(page, "numbers.wav")
        page.evaluate("""async () => {
          const { panel } = await import("/page/main.js");
          panel.setMethod("linear");
          panel.setFactor(1);
        }""")
        until(page, """async () => {
          const { player } = await import("/page/main.js");
          return player.sounds.result?.frames === 576000 && player.sounds.result.url.includes("factor=1&");
        }""")
        page.evaluate(TAP)
        for frame in [5, 8191, 8192, 100_003, 480_001]:
            page.evaluate("""async (frame) => {
              const { player } = await import("/page/main.js");
              player.pause();
              await player.seek(frame / 48000);
              await new Promise((done) => setTimeout(done, 500));
              window.heard = [];
              await player.play();
            }""", frame)
            numbers = page.evaluate(HEAR, 6000)[:6000]
            check(numbers[0] == frame and not breaks(numbers), f"seeking to {frame} is exact: {numbers[:4]}")
        # Source and result are alike at factor 1, so that switching must leave no trace.
        page.evaluate("""async () => {
          const { player } = await import("/page/main.js");
          player.pause();
          await player.seek(1);
          while (player.feeding || player.nextMissing()) await new Promise((done) => setTimeout(done, 20));
          await new Promise((done) => setTimeout(done, 500));
          window.heard = [];
          await player.play();
          for (let turn = 0; turn < 12; turn++) {
            await new Promise((done) => setTimeout(done, 100));
            await player.hearOther(turn % 2 === 0 ? "result" : "source");
          }
        }""")
        numbers = page.evaluate(HEAR, 48000)[:48000]
        check(not breaks(numbers), f"comparing has no gap: {breaks(numbers)[:5]}")
        page.evaluate("""async () => {
          const { player } = await import("/page/main.js");
          player.pause();
          player.setLoop({ start: 96000 / 48000, end: 96300 / 48000 });
          await player.seek(2);
          while (player.feeding || player.nextMissing()) await new Promise((done) => setTimeout(done, 20));
          // The tap still holds what was heard before.
          await new Promise((done) => setTimeout(done, 500));
          window.heard = [];
          await player.play();
        }""")
        numbers = page.evaluate(HEAR, 300_000)[:300_000]
        check(set(numbers) == set(range(96000, 96300)), "a loop plays its own frames, all of them")
        check(not breaks(numbers, 300), f"1,000 rounds of A-B drift by no frame: {breaks(numbers, 300)[:5]}")
        underruns = page.evaluate("async () => (await import('/page/main.js')).player.underruns")
        print(f"underruns while listening: {underruns}")


def previews(browser, folder):
    """What is heard is what is written."""
    with served(folder) as (address, _), opened(browser, address) as page:
        choose(page, "numbers.wav")
        heard = page.evaluate("""async () => {
          const { state } = await import("/page/main.js");
          const response = await fetch(`/audio/${state.file.id}.wav?factor=0.7&method=linear`);
          return [...new Uint8Array(await response.arrayBuffer()).slice(44)].length;
        }""")
        output = folder / "linear.wav"
        subprocess.run([PROGRAM, "-q", "-f", "0.7", "--method", "linear", "-o", output, folder / "numbers.wav"], check=True)
        with wave.open(str(output)) as file:
            check(heard == file.getnframes() * 4, "the preview is as long as the file that convert writes")
        output.unlink()


def keyboard(browser, folder):
    """A whole task by keyboard alone: find, listen, compare, scale."""
    sox(folder / "task one.wav", "synth", "2", "pinknoise")
    with served(folder) as (address, _), opened(browser, address) as page:
        page.keyboard.press("/")
        page.keyboard.type("task one")
        until(page, "document.querySelectorAll('.row').length === 1")
        for _ in range(12):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.classList.contains('open')"):
                break
        page.keyboard.press("Enter")
        page.wait_for_selector("#track:not([hidden])")
        until(page, "document.querySelector('#writes').textContent.includes('task one')")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("p")
        until(page, "document.querySelector('#play').getAttribute('aria-label') === 'Pause'")
        page.keyboard.press("c")
        until(page, "document.querySelector('input[name=heard][value=source]').checked")
        page.keyboard.press(" ")
        page.keyboard.press("Enter")
        until(page, "document.querySelector('#jobs').textContent.includes('1 of 1 done')", 60)
        result = subprocess.run(["soxi", "-s", folder / "task one-x1.25-smoothstep.wav"], capture_output=True, text=True)
        check(result.stdout == "110250\n", f"the file was scaled by keyboard: {result.stdout}{result.stderr}")
        page.keyboard.press("Enter")
        until(page, "!document.querySelector('#note').hidden && document.querySelector('#jobs').textContent.includes('failed')")
        check("exists" in page.inner_text("#jobs"), "a second time it is refused, with the cause")


def hostile(browser, folder):
    """Titles and names are text, whatever they hold."""
    name = "<img src=x onerror=window.owned=1>.flac"
    sox(folder / name, "synth", "1", "pinknoise")
    subprocess.run(["metaflac", "--set-tag=TITLE=<script>window.owned=2</script>", "--set-tag=ARTIST=<b>x</b>", folder / name], check=True)
    with served(folder) as (address, _), opened(browser, address) as page:
        choose(page, name)
        page.wait_for_timeout(500)
        check(page.evaluate("window.owned === undefined"), "no script in a title runs")
        check(page.inner_text("#title") == "<script>window.owned=2</script>", "the title is shown as it is")
        check(page.locator("#track b:text-is('x')").count() == 0, "tags make no elements")
    (folder / name).unlink()


def access(browser, folder):
    """No state of the page breaks a rule of WCAG 2.2 that axe knows, at three widths and in both schemes."""
    (folder / "broken.wav").write_bytes(b"RIFF\x10\0\0\0WAVEnoise")
    axe = Axe()
    for width in [1440, 768, 320]:
        for scheme in ["dark", "light"]:
            with served(folder) as (address, _), opened(browser, address, width, 800, scheme) as page:
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
                page.evaluate("document.getElementById('open-look').click()")
                look("appearance")
                page.evaluate("document.getElementById('open-look').click(); document.getElementById('open-keys').click()")
                look("keys")
                page.keyboard.press("Escape")
                choose(page, "broken.wav")
                page.wait_for_timeout(300)
                check(page.is_visible("#problem"), "an unreadable file says why")
                look("problem")
    (folder / "broken.wav").unlink()


def many(browser):
    """Ten thousand files are a list of few elements."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sox(folder / "0.wav", "synth", "0.01", "sine", "440")
        for index in range(1, 10_000):
            os.link(folder / "0.wav", folder / f"{index}.wav")
        with served(folder) as (address, _), opened(browser, address) as page:
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
    """A server that ends is missed, and said so."""
    with served(folder) as (address, process), opened(browser, address) as page:
        process.terminate()
        process.wait(20)
        page.wait_for_selector("#offline:not([hidden])", timeout=20000)
        check("econnecting" in page.inner_text("#offline") or "gone" in page.inner_text("#offline"), "the page says that the server is gone")
    with tempfile.TemporaryDirectory() as empty, served(empty, "--read-only") as (address, _), opened(browser, address) as page:
        check("no audio file" in page.inner_text("#list-empty"), "an empty folder says so")
        check(page.is_disabled("#scale-many") and not page.is_visible("#upload-label"), "read-only offers nothing that writes")


def main():
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=BROWSER, args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required"])
        folder = pathlib.Path(name)
        for part in [sound, previews, keyboard, hostile, access, connection]:
            start = time.monotonic()
            part(browser, folder)
            print(f"{part.__name__}: {time.monotonic() - start:.0f} s", flush=True)
        many(browser)
        browser.close()
    print(f"{checks} checks, {len(failures)} failed")
    sys.exit(1 if failures else 0)


main()
