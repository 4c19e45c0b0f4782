"""What tests and measurements of the page share: a server, a browser, files, and checks."""

import contextlib
import os
import struct
import subprocess
import tempfile
import time
import wave

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
    """Writes a file whose frames encode their own number."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(b"".join(struct.pack("<hh", n % 4096, n // 4096) for n in range(frames)))


def sox(path, *arguments):
    subprocess.run(["sox", "-R", "-n", "-r", "44100", "-b", "16", str(path), *arguments], check=True)


@contextlib.contextmanager
def served(program, *arguments, **variables):
    """The address of a server, which is ended afterwards, and its process; `variables` are of its environment."""
    environment = dict(os.environ, SCALEAUDIO_CONFIG="", XDG_CACHE_HOME=tempfile.mkdtemp(), XDG_STATE_HOME=tempfile.mkdtemp(), **variables)
    process = subprocess.Popen(
        [os.path.abspath(program), "serve", "--no-open", "--port", "0", *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
    try:
        yield process.stdout.readline().strip(), process
    finally:
        process.terminate()
        check(process.wait(20) == 0, "the server ends by SIGTERM with status 0")


@contextlib.contextmanager
def opened(browser, address, width=1440, height=900, scheme="dark", script="", **more):
    """A page, on which no script fails; `script` runs before its own."""
    if hasattr(browser, "opened"):
        with browser.opened(address, width, height, script) as page:
            yield page
        return
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, **more)
    page = context.new_page()
    page.add_init_script(script)
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
