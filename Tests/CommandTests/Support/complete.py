"""Has a real shell complete command lines on a pseudo-terminal.

complete.py SHELL SCRIPT [installed] < LINES

SHELL is bash, zsh or fish, and SCRIPT the completions to load into it: with `source`, or with "installed" by the shell
itself from where `scripts/install` puts them. Each line gets a tab at its end and is then run, in this folder; it
prints the words that the program would have got, as one line of JSON.
"""
import fcntl
import json
import os
import pty
import select
import shutil
import struct
import sys
import tempfile
import termios
import time

shell, script, isInstalled = sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3:] == ["installed"]
lines = sys.stdin.read().splitlines()
scratch = tempfile.mkdtemp()
got = os.path.join(scratch, "got")

# A program of this name that records its arguments; the line after the completions shows that everything is loaded.
recorder = os.path.join(scratch, "scaleaudio")
with open(recorder, "w") as file:
    # Completing --device asks it for the devices.
    devices = "speakers (default)\\n    Speakers\\nhdmi\\n    HDMI\\n"
    file.write(f'#!/bin/sh\n[ "$*" = "play --list-devices" ] && {{ printf "{devices}"; exit; }}\n')
    file.write('{ printf "%s\\0" "$@"; } >"$GOT.new"\nmv "$GOT.new" "$GOT"\n')
os.chmod(recorder, 0o755)

share = os.path.join(scratch, "share")
places = {
    "bash": "bash-completion/completions/scaleaudio",
    "zsh": "zsh/site-functions/_scaleaudio",
    "fish": "fish/vendor_completions.d/scaleaudio.fish",
}
place = os.path.join(share, places[shell])
if isInstalled:
    os.makedirs(os.path.dirname(place))
    shutil.copy(script, place)
# Bash's package loads what is installed when it is first needed; without the package, users source the script.
load = f'source "{script}"'
starts = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        'PS1="ready> "; '
        + ("source /usr/share/bash-completion/bash_completion" if isInstalled else load),
    ),
    "zsh": (
        ["zsh", "-f", "-i"],
        'PS1="ready> "; '
        + (f'fpath=("{os.path.dirname(place)}" $fpath); ' if isInstalled else "")
        + "autoload -Uz compinit; compinit -u -D"
        + ("" if isInstalled else f"; {load}"),
    ),
    "fish": (
        ["fish", *([] if isInstalled else ["--no-config"]), "--private", "-i"],
        'function fish_prompt; echo -n "ready> "; end' + ("" if isInstalled else f"; {load}"),
    ),
}
command, setup = starts[shell]
process, terminal = pty.fork()
if process == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))
    for name in ("XDG_CONFIG_HOME", "HOME"):
        os.environ[name] = scratch
    os.environ["XDG_DATA_HOME"] = share if isInstalled and shell == "bash" else scratch
    os.environ["XDG_DATA_DIRS"] = share + ":/usr/local/share:/usr/share"
    os.environ.update(TERM="xterm", GOT=got, PATH=scratch + ":" + os.environ["PATH"])
    os.execvp(command[0], command)

shown = b""


def read(seconds):
    """Reads until the shell has been silent for a time."""
    global shown
    while select.select([terminal], [], [], seconds)[0]:
        try:
            data = os.read(terminal, 65536)
        except OSError:
            data = b""
        if not data:
            sys.exit(f"{shell} ended: {shown[-500:]!r}")
        shown += data


def run(line):
    """Types a line and a tab, runs it, and returns what the program got."""
    if os.path.exists(got):
        os.remove(got)
    os.write(terminal, line.encode() + b"\t")
    read(0.5)
    os.write(terminal, b"\r")
    end = time.monotonic() + 20
    while not os.path.exists(got):
        read(0.1)
        if time.monotonic() > end:
            sys.exit(f"{shell}: {line!r} was not run: {shown[-500:]!r}")
    read(0.2)
    with open(got, "rb") as file:
        return [word.decode() for word in file.read().split(b"\0")[:-1]]


read(1)
os.write(terminal, setup.encode() + b"\r")
read(1)
# Completing nothing yet shows that the shell is listening.
run("scaleaudio version ")
for line in lines:
    print(json.dumps(run(line)), flush=True)
os.close(terminal)
