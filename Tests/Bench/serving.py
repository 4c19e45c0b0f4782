"""Measures `scaleaudio serve` against its goals, in Chromium, and prints a table: scripts/bench serve [--binary PATH]"""
import argparse, json, os, pathlib, re, statistics, struct, subprocess, sys, tempfile, time

from playwright.sync_api import sync_playwright

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "Tests/PageTests"))
import browser_test, firefox, pages, refusals  # noqa: E402
from pages import choose, numbered, opened, served, sox, until  # noqa: E402

BROWSER = "/usr/bin/chromium"
HOUR = 3600


def p95(values):
    return statistics.quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


class Goals:
    """Rows of the table: a goal, its bound, and what was measured."""

    def __init__(self):
        self.rows = []

    def add(self, goal, bound, value, unit, isHeld=None):
        isHeld = value <= bound if isHeld is None else isHeld
        text = f"{value:,.0f}" if value >= 20 else "0" if value == 0 else f"{value:.1f}" if value >= 0.1 else f"{value:.3f}"
        self.rows.append((goal, f"{bound:,.0f} {unit}".strip(), f"{text} {unit}".strip(), "yes" if isHeld else "**no**"))
        print(" | ".join(self.rows[-1]), file=sys.stderr, flush=True)

    def table(self):
        lines = ["| what | goal | measured | held |", "| --- | ---: | ---: | --- |"]
        return "\n".join(lines + [f"| {' | '.join(row)} |" for row in self.rows]) + "\n"


def starting(goals, program, browser, folder):
    times, paints = [], []
    for _ in range(20):
        begin = time.monotonic()
        with served(program, folder) as (address, _):
            times.append((time.monotonic() - begin) * 1000)
            with opened(browser, address) as page:
                paints.append(page.evaluate("""async () => {
                  for (;;) {
                    const [entry] = performance.getEntriesByName("first-contentful-paint");
                    if (entry) return entry.startTime;
                    await new Promise((done) => setTimeout(done, 10));
                  }
                }"""))
    goals.add("Listening after the start, p95 of 20", 100, p95(times), "ms")
    goals.add("First contentful paint, p95 of 20", 200, p95(paints), "ms")


ROWS = """
  new MutationObserver((_, observer) => {
    if (!document.querySelector(".row")) return;
    window.firstRow = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
"""


def listing(goals, program, browser):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sox(folder / "0.wav", "synth", "0.01", "sine", "440")
        for index in range(1, 10_000):
            os.link(folder / "0.wav", folder / f"{index}.wav")
        with served(program, folder) as (address, _):
            with opened(browser, address, script=ROWS) as page:
                until(page, "window.firstRow !== undefined", 60)
                goals.add("10,000 files: first rows", 300, page.evaluate("window.firstRow"), "ms")
                until(page, "document.querySelector('#folder-facts').textContent.includes('10,000')", 60)
                page.wait_for_timeout(1000)
                times = page.evaluate("""async () => {
                  const frame = document.querySelector("#list");
                  const times = [];
                  let last = await new Promise(requestAnimationFrame);
                  for (let step = 0; step < 400; step++) {
                    frame.scrollTop += step % 100 < 50 ? 60 : 2345;
                    const now = await new Promise(requestAnimationFrame);
                    times.push(now - last);
                    last = now;
                  }
                  return times;
                }""")
                goals.add("10,000 files: scrolling, p95 of a frame", 20, p95(times), "ms")


def hours(goals, program, browser):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source = ["-f", "lavfi", "-i", f"anoisesrc=d={HOUR}:c=pink:r=44100:a=0.3", "-ac", "2"]
        for file in ["hour.wav", "hour.flac", "hour.mp3", "hour.m4a", "hour.opus"]:
            subprocess.run(["ffmpeg", "-v", "error", *source, folder / file], check=True)
        with served(program, folder) as (address, _), opened(browser, address) as page:
            for file in sorted(path.name for path in folder.iterdir()):
                coarse, whole = page.evaluate("""async (name) => {
                  const { list, select, view } = await import("/page/main.js");
                  const begin = performance.now();
                  const before = view.peaks;
                  select(list.files.find((file) => file.name === name).id);
                  const until = async (holds) => {
                    while (!holds()) await new Promise((done) => setTimeout(done, 5));
                    return performance.now() - begin;
                  };
                  const coarse = await until(() => view.peaks !== before && view.peaks?.pixels > 0 && (view.peaks.overview || view.peaks.ready > 0));
                  const whole = await until(() => view.peaks.ready >= view.peaks.pixels);
                  return [coarse, whole];
                }""", file)
                kind = file.split(".")[1].upper()
                goals.add(f"An hour of {kind}: coarse waveform", 1000, coarse, "ms")
                bound = 1000 if kind == "WAV" else HOUR * 1000 / 400
                goals.add(f"An hour of {kind}: whole waveform", bound, whole, "ms")


def levels(goals, program):
    """The lowest and highest sample of each pixel, against the data that `plot` writes."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # At this rate a pixel of the page is one of 200 a second.
        for file in ["levels.wav", "levels.flac"]:
            subprocess.run(["sox", "-R", "-n", "-r", "51200", "-b", "16", "-c", "1", folder / file, "synth", "600", "pinknoise"], check=True)
        wrong = 0
        with served(program, folder) as (address, _):
            server = refusals.Server(address)
            for file, own in refusals.files(server).items():
                data = folder / "data.json"
                subprocess.run([program, "plot", "-q", "--overwrite", "--pixels-per-second", "200", "-o", data, folder / file], check=True)
                wanted = json.loads(data.read_text())["data"]
                found = b""
                for _ in range(200):
                    answer = "".join(server.answer(f"/api/files/{own}/peaks?level=0&from={first}&count=60000").partition("\r\n\r\n")[2]
                                     for first in [0, 60_000])
                    found = answer.encode("latin-1")
                    if len(found) == 14 * len(wanted) // 2:
                        break
                    time.sleep(0.1)
                values = [value for record in struct.iter_unpack("<hh10x", found) for value in record]
                wrong += sum(one != other for one, other in zip(values, wanted)) + abs(len(values) - len(wanted))
        goals.add("Levels of 120,000 pixels of WAV and of FLAC that differ from `plot`'s", 0, wrong, "")


def checking(goals, program, browser, folder):
    """Correctness: the parts of the browser test, each a row that counts its faults."""
    browser_test.PROGRAM = os.path.abspath(program)

    def faults(what, part):
        before = len(pages.failures)
        try:
            part()
        except Exception as error:  # What ends a part early is a fault of it.
            pages.check(False, f"{what}: {error!r}")
        goals.add(f"{what}: faults", 0, len(pages.failures) - before, "")

    parts = [
        ("Seeks to 5 frames, comparing, 1,000 rounds of A–B", "sound"),
        ("Previews of `linear`, `smoothstep` and `sinc` against the bytes of `convert`", "previews"),
        ("One whole task by keyboard alone", "keyboard"),
        ("Scripts in names and titles", "hostile"),
    ]
    for what, name in parts:
        faults(f"Chromium: {what}", lambda: getattr(browser_test, name)(browser, folder))
    faults("axe, every state, two schemes, three widths", lambda: browser_test.access(browser, folder))
    faults("1,000 files in a batch, five cut connections: every event arrives", lambda: browser_test.batch(browser))
    faults("Strangers, paths, links, a cover of SVG, 1 MB headers, slow clients: refused", lambda: refusals.check_all(program))
    for output in folder.glob("*-x*"):
        output.unlink()
    with firefox.launched() as other:
        for what, name in parts:
            # Bytes of the server are the same for every browser.
            if name != "previews":
                faults(f"Firefox: {what}", lambda: getattr(browser_test, name)(other, folder))


# Times from an act on the page until the worklet says that it goes on with the block that was asked for: what it
# plays next is 128 frames away, and what the device holds comes on top.
ACTS = """async ({ kind, count }) => {
  const { player } = await import("/page/main.js");
  const times = [];
  const wrong = [];
  for (let turn = 0; turn < count; turn++) {
    const begin = performance.now();
    let report;
    const answered = new Promise((done) => {
      const hear = player.hear;
      player.hear = (own) => {
        hear.call(player, own);
        if (!isAnswer(own)) return;
        player.hear = hear;
        report = own;
        done();
      };
    });
    let isAnswer = () => false;
    if (kind === "seek") {
      const frame = Math.floor(Math.random() * player.current.frames * 0.9);
      isAnswer = (own) => own.position >= frame && own.position < frame + 2048;
      await player.seek(player.current.moment(frame));
      await answered;
      // The first report comes before the first frame is played.
      if (report.position !== frame) wrong.push([frame, report.position]);
    } else {
      const old = player.current.id;
      isAnswer = (own) => own.id !== old;
      const slider = document.getElementById("speed");
      // The same value twice would not be a change.
      slider.value = String((slider.valueAsNumber < 0 ? 0.1 : -1) + Math.random() * 0.8);
      slider.dispatchEvent(new Event("input"));
      await answered;
    }
    times.push(performance.now() - begin);
    await new Promise((done) => setTimeout(done, 150));
  }
  return [times, wrong.length];
}"""


def sounding(goals, program, browser):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        numbered(folder / "numbers.wav", 600 * 48000)
        subprocess.run(["flac", "-s", folder / "numbers.wav"], check=True)
        subprocess.run(["ffmpeg", "-v", "error", "-i", folder / "numbers.wav", folder / "music.mp3"], check=True)
        with served(program, folder) as (address, _):
            for file in ["numbers.wav", "numbers.flac", "music.mp3"]:
                with opened(browser, address) as page:
                    choose(page, file)
                    kind = file.split(".")[1].upper()
                    page.evaluate("""async () => {
                      const { player, transport } = await import("/page/main.js");
                      await transport.hear("result");
                      await player.play();
                    }""")
                    for method in ["smoothstep", "sinc", "stretch"]:
                        page.evaluate(
                            "async (method) => (await import('/page/main.js')).model.set(method === 'stretch' ? { pitch: 'same' } : { pitch: 'tape', engine: method })", method)
                        page.wait_for_timeout(1000)
                        times, _ = page.evaluate(ACTS, {"kind": "slider", "count": 40})
                        goals.add(f"{kind}, `{method}`: slider to sound, p95 of 40", 100, p95(times), "ms")
                        times, wrong = page.evaluate(ACTS, {"kind": "seek", "count": 60})
                        goals.add(f"{kind}, `{method}`: seeking, p95 of 60", 60, p95(times), "ms")
                        goals.add(f"{kind}, `{method}`: seeks that miss their frame", 0, wrong, "")


def working(goals, program, browser):
    """A batch of 1,000 files while the page is open: its longest task."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sox(folder / "0.wav", "synth", "1", "pinknoise")
        for index in range(1, 1000):
            os.link(folder / "0.wav", folder / f"{index}.wav")
        with served(program, folder) as (address, _), opened(browser, address) as page:
            until(page, "document.querySelector('#folder-facts').textContent.includes('1,000')")
            page.evaluate("""() => {
              window.tasks = [0];
              new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: "longtask" });
            }""")
            page.evaluate("async () => (await import('/page/main.js')).model.set({ pitch: 'tape', speed: 0.8 })")
            for button in ["#select-several", "#check-all", "#select-next", "#batch-make"]:
                page.click(button)
            until(page, "document.querySelector('#jobs').textContent.includes('1000 of 1000 made')", 120)
            goals.add("1,000 files in a batch: longest task of the page", 50, page.evaluate("Math.max(...window.tasks)"), "ms")


def remembering(goals, program, browser, minutes):
    """A session of so many minutes: 50 files opened and played, 500 seeks; the server's most memory."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for index in range(50):
            sox(folder / f"{index}.wav", "synth", "60", "pinknoise")
        for index in range(0, 50, 2):
            subprocess.run(["flac", "-s", "--delete-input-file", folder / f"{index}.wav"], check=True)
        with served(program, folder) as (address, process), opened(browser, address) as page:
            for index in range(50):
                choose(page, f"{index}.{'flac' if index % 2 == 0 else 'wav'}")
                page.evaluate("""async (pause) => {
                  const { player } = await import("/page/main.js");
                  await player.play();
                  for (let turn = 0; turn < 10; turn++) {
                    await player.seek(Math.random() * 50);
                    await new Promise((done) => setTimeout(done, pause));
                  }
                }""", minutes * 60_000 / 500)
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            most = int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024
            goals.add(f"Memory of the server after {minutes:g} minutes, 50 files and 500 seeks, at most", 120, most, "MB")


def main():
    options = argparse.ArgumentParser(prog="scripts/bench serve", description=__doc__)
    options.add_argument("--binary", default=os.path.join(ROOT, ".build/release/scaleaudio"))
    options.add_argument("--only", default="", help="only what this regular expression finds among: "
                         "starting, listing, hours, levels, sounding, working, checking, remembering")
    options.add_argument("--minutes", type=float, default=60, help="how long the session is after which memory is measured (default: 60)")
    options = options.parse_args()
    goals = Goals()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        numbered(pathlib.Path(folder) / "numbers.wav")
        browser = playwright.chromium.launch(
            executable_path=BROWSER, args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required"])
        parts = {
            "starting": lambda: starting(goals, options.binary, browser, folder),
            "listing": lambda: listing(goals, options.binary, browser),
            "hours": lambda: hours(goals, options.binary, browser),
            "levels": lambda: levels(goals, options.binary),
            "sounding": lambda: sounding(goals, options.binary, browser),
            "working": lambda: working(goals, options.binary, browser),
            "checking": lambda: checking(goals, options.binary, browser, pathlib.Path(folder)),
            "remembering": lambda: remembering(goals, options.binary, browser, options.minutes),
        }
        for name, part in parts.items():
            if re.search(options.only, name):
                part()
        browser.close()
    print(goals.table())


main()
