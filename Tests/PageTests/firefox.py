"""Firefox through WebDriver BiDi, with the few calls of Playwright's pages that the tests use.

Source: W3C, WebDriver BiDi.
"""

import base64
import contextlib
import json
import os
import pathlib
import re
import subprocess
import tempfile
import threading
import time

from websockets.sync.client import connect

# Sound without a click, and nothing that a new profile would ask or fetch.
PREFERENCES = {
    "media.autoplay.default": 0,
    "media.autoplay.blocking_policy": 0,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}

# Keys of WebDriver, by the names that pages know.
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "ArrowRight": "\ue014", "ArrowLeft": "\ue012", "ArrowDown": "\ue015", "ArrowUp": "\ue013"}


def local(value):
    """A value as BiDi sends it to a page."""
    if value is None:
        return {"type": "null"}
    if isinstance(value, bool):
        return {"type": "boolean", "value": value}
    if isinstance(value, (int, float)):
        return {"type": "number", "value": value}
    if isinstance(value, str):
        return {"type": "string", "value": value}
    if isinstance(value, (list, tuple)):
        return {"type": "array", "value": [local(item) for item in value]}
    return {"type": "object", "value": [[key, local(item)] for key, item in value.items()]}


class Page:
    """A tab of Firefox."""

    def __init__(self, firefox, context):
        self.firefox, self.context = firefox, context
        self.keyboard = Keyboard(self)

    def goto(self, address):
        self.firefox.ask("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def evaluate(self, script, argument=None):
        """The value of a function, or of an expression, in the page."""
        isFunction = re.match(r"\s*(async\s*)?\(.*?\)\s*=>", script, re.S)
        # Values cross as JSON: lists of a hundred thousand numbers are slow otherwise.
        function = f"async (argument) => JSON.stringify(await ({script})(argument) ?? null)" if isFunction else (
            f"async () => JSON.stringify(({script}) ?? null)")
        answer = self.firefox.ask(
            "script.callFunction", functionDeclaration=function, awaitPromise=True,
            target={"context": self.context}, arguments=[local(argument)] if isFunction else [])
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def wait_for_selector(self, selector, timeout=30000):
        end = time.monotonic() + timeout / 1000
        while not self.evaluate(f"document.querySelector({json.dumps(selector)}) !== null"):
            if time.monotonic() > end:
                raise TimeoutError(selector)
            time.sleep(0.02)

    def wait_for_timeout(self, milliseconds):
        time.sleep(milliseconds / 1000)

    def inner_text(self, selector):
        return self.evaluate(f"document.querySelector({json.dumps(selector)}).innerText")

    def click(self, selector):
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    def enlarge_text(self):
        """Text twice as large, and nothing else: "Zoom text only" of the browser's own menu."""
        window = self.firefox.ask("browsingContext.getTree", **{"moz:scope": "chrome"})["contexts"][0]["context"]
        script = """Services.prefs.setBoolPref("browser.zoom.full", false);
            for (const tab of gBrowser.tabs) tab.linkedBrowser.textZoom = 2"""
        self.firefox.ask("script.evaluate", expression=script, target={"context": window}, awaitPromise=False)

    def screenshot(self, path):
        answer = self.firefox.ask("browsingContext.captureScreenshot", context=self.context)
        pathlib.Path(path).write_bytes(base64.b64decode(answer["data"]))


class Keyboard:
    def __init__(self, page):
        self.page = page

    def press(self, key):
        value = KEYS.get(key, key)
        self.page.firefox.ask("input.performActions", context=self.page.context, actions=[{
            "type": "key", "id": "keys",
            "actions": [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]}])

    def type(self, text):
        for letter in text:
            self.press(letter)


class Firefox:
    """A browser with a profile of its own."""

    def __init__(self, socket):
        self.socket = socket
        self.number = 0
        self.version = self.ask("session.new", capabilities={})["capabilities"]["browserVersion"]

    def ask(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv(timeout=120))
            if answer.get("id") != self.number:
                continue
            if answer["type"] == "error":
                raise RuntimeError(f"{method}: {answer['message']}")
            return answer["result"]

    @contextlib.contextmanager
    def opened(self, address, width=1440, height=900, script=""):
        """A page, which a script of ours may prepare."""
        context = self.ask("browsingContext.create", type="tab")["context"]
        preload = self.ask("script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}")["script"]
        page = Page(self, context)
        try:
            self.ask("browsingContext.setViewport", context=context, viewport={"width": width, "height": height})
            page.goto(address)
            page.wait_for_selector(".row, #list-empty:not([hidden])")
            yield page
        finally:
            self.ask("script.removePreloadScript", script=preload)
            self.ask("browsingContext.close", context=context)


@contextlib.contextmanager
def sound(folder):
    """The variables with which a program plays to nowhere: Firefox plays nothing where there is no device."""
    socket = pathlib.Path(folder, "sound")
    variables = dict(os.environ, HOME=folder, XDG_RUNTIME_DIR=folder, PULSE_SERVER=f"unix:{socket}")
    daemon = subprocess.Popen(
        ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes",
         "-L", "module-null-sink", "-L", f"module-native-protocol-unix socket={socket} auth-anonymous=1"],
        env=variables, stderr=subprocess.DEVNULL)
    try:
        while not socket.exists():
            if daemon.poll() is not None:
                raise RuntimeError("PulseAudio did not start")
            time.sleep(0.05)
        yield variables
    finally:
        daemon.terminate()
        daemon.wait(20)


@contextlib.contextmanager
def launched():
    """A Firefox without a window."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, sound(profile) as variables:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
        pathlib.Path(profile, "user.js").write_text("\n".join(lines))
        process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0",
             "--remote-allow-system-access"],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=variables)
        try:
            for line in process.stderr:
                found = re.search(r"WebDriver BiDi listening on (ws://\S+)", line)
                if found:
                    break
            else:
                raise RuntimeError("Firefox did not start")
            # Its later messages must not fill the pipe.
            threading.Thread(target=process.stderr.read, daemon=True).start()
            with connect(f"{found[1]}/session", max_size=None) as socket:
                yield Firefox(socket)
        finally:
            process.terminate()
            process.wait(20)
