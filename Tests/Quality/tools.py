"""The program and its peers, run as their users run them."""
import os, re, shutil, subprocess
from functools import lru_cache
import numpy as np
import soundfile


class Tool:
    """A program with its options. `command` makes its argument list of input, output and factor."""

    def __init__(self, name, command, ours=False, subtype="FLOAT", needs=None):
        self.name = name
        self.command = command
        self.ours = ours
        self.subtype = subtype
        self.needs = needs or (lambda: True)

    @property
    def is_here(self):
        return self.ours or bool(shutil.which(self.command("", "", 1)[0]) and self.needs())

    def run(self, sound, factor, folder):
        """The output for a sound, frames x channels; `factor` is text, as on a command line."""
        stem = re.sub(r"\W+", "-", f"{self.name}-{factor}")
        source = os.path.join(folder, f"{sound.name}-{self.subtype}.wav")
        output = os.path.join(folder, f"{sound.name}-{stem}.wav")
        output_of(*self.command(source, output, factor))
        frames, rate = soundfile.read(output, always_2d=True)
        os.remove(output)
        if rate != sound.rate:
            raise RuntimeError(f"{self.name}: {rate} Hz, not {sound.rate}")
        if not np.isfinite(frames).all():
            raise RuntimeError(f"{self.name}: some samples are not finite")
        return frames


def value(factor):
    """The factor of a text such as 1.5 or 480/441."""
    over, _, under = factor.partition("/")
    return float(over) / float(under or 1)


def output_of(*command):
    done = subprocess.run(command, capture_output=True)
    said = (done.stderr + done.stdout).decode(errors="replace").strip()
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {(said.splitlines() or [done.returncode])[-1]}")
    return said


@lru_cache
def ffmpeg_has(word):
    """Whether FFmpeg was built with a library."""
    return f"--enable-{word}" in output_of("ffmpeg", "-version")


def written(sound, folder):
    """Writes a sound in every sample format that a tool needs."""
    for subtype in ("FLOAT", "PCM_24"):
        path = os.path.join(folder, f"{sound.name}-{subtype}.wav")
        soundfile.write(path, sound.frames, sound.rate, subtype=subtype)


def ours(binary, name, *options):
    def command(source, output, factor):
        return [binary, "-q", "--overwrite", "-f", factor, *options, "-o", output, source]
    return Tool(name, command, ours=True)


def ffmpeg(name, filters, needs=None):
    def command(source, output, factor):
        return ["ffmpeg", "-v", "error", "-y", "-i", source, "-af", filters(value(str(factor))),
                "-c:a", "pcm_f32le", output]
    return Tool(name, command, needs=needs)


def varispeed(binary):
    """Everything that changes speed and pitch together."""
    def sox(*more):
        return lambda source, output, factor: [
            "sox", source, output, "speed", repr(1 / value(str(factor))), *more]

    def aresample(more=""):
        return lambda factor: f"asetrate={round(44100 / factor)},aresample=44100{more}"

    def soxr():
        return ffmpeg_has("libsoxr")
    return [
        ours(binary, "linear", "--method", "linear"),
        ours(binary, "smoothstep", "--method", "smoothstep"),
        ours(binary, "sinc fast", "--method", "sinc", "--quality", "fast"),
        ours(binary, "sinc high", "--method", "sinc", "--quality", "high"),
        ours(binary, "sinc best", "--method", "sinc", "--quality", "best"),
        Tool("`sox speed`", sox()),
        Tool("`sox speed`, `rate -v`", sox("rate", "-v", "44100")),
        ffmpeg("ffmpeg `asetrate,aresample`", aresample()),
        ffmpeg("ffmpeg with `resampler=soxr`", aresample(":resampler=soxr"), soxr),
        ffmpeg("ffmpeg with `resampler=soxr:precision=28`", aresample(":resampler=soxr:precision=28"),
               soxr),
    ]


def stretchers(binary):
    """Everything that changes duration and keeps pitch."""
    def rubberband(engine):
        return lambda source, output, factor: [
            "rubberband", "-q", engine, "-t", str(factor), source, output]

    def soundstretch(source, output, factor):
        return ["soundstretch", source, output, f"-tempo={100 / value(str(factor)) - 100:.9f}"]
    return [
        ours(binary, "stretch", "--method", "stretch"),
        ours(binary, "stretch fast", "--method", "stretch", "--quality", "fast"),
        Tool("`rubberband -3`", rubberband("-3")),
        Tool("`rubberband -2`", rubberband("-2")),
        # It reads 32-bit floating point as integers.
        Tool("`soundstretch`", soundstretch, subtype="PCM_24"),
        Tool("`sox tempo`", lambda source, output, factor: [
            "sox", source, output, "tempo", repr(1 / value(str(factor)))]),
        ffmpeg("ffmpeg `atempo`", lambda factor: f"atempo={1 / factor!r}"),
        ffmpeg("ffmpeg `rubberband`", lambda factor: f"rubberband=tempo={1 / factor!r}",
               lambda: ffmpeg_has("librubberband")),
    ]


def versions(binary):
    """Names and versions of the programs."""
    found = [f"scaleaudio {output_of(binary, '--version').split()[-1]}"]
    for command, pattern in ((["sox", "--version"], r"SoX v(\S+)"),
                             (["ffmpeg", "-version"], r"version (\d[\d.]*)"),
                             (["rubberband", "--version"], r"(\d[\d.]+)"),
                             (["soundstretch", "-license"], r"SoundStretch v(\S+)")):
        if shutil.which(command[0]):
            said = subprocess.run(command, capture_output=True, text=True)
            version = re.search(pattern, said.stdout + said.stderr)
            found.append(f"{command[0]} {version.group(1) if version else ''}".strip())
        else:
            found.append(f"no {command[0]}")
    return found
