"""The program and its peers, run as their users run them."""
import importlib.metadata, os, re, shutil, subprocess, sys
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


def packaged(name, script, package):
    """A stretcher that is a package of PyPI."""
    peers = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers.py")

    def command(source, output, factor):
        return [sys.executable, peers, script, source, output, repr(value(str(factor)))]
    return Tool(name, command, needs=lambda: version_of(package) is not None)


def version_of(package):
    """The version of an installed Python package; `None` where there is none."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


# The vocoder by name, which is the same engine in every build.
VOCODER = ("--method", "stretch", "--engine", "vocoder")


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
        ours(binary, "stretch", *VOCODER),
        Tool("`rubberband -3`", rubberband("-3")),
        Tool("`rubberband -2`", rubberband("-2")),
        packaged("Signalsmith", "signalsmith", "python-stretch"),
        packaged("Bungee", "bungee", "bungee-python"),
        # It reads 32-bit floating point as integers.
        Tool("`soundstretch`", soundstretch, subtype="PCM_24"),
        Tool("`sox tempo`", lambda source, output, factor: [
            "sox", source, output, "tempo", repr(1 / value(str(factor)))]),
        ffmpeg("ffmpeg `atempo`", lambda factor: f"atempo={1 / factor!r}"),
        ffmpeg("ffmpeg `rubberband`", lambda factor: f"rubberband=tempo={1 / factor!r}",
               lambda: ffmpeg_has("librubberband")),
    ]


def chosen(binary, names=None):
    """The stretchers that are installed; of those only some, by name."""
    return [tool for tool in stretchers(binary) if tool.is_here and (names is None or tool.name.replace("`", "") in names)]


def shifters(binary):
    """What changes the pitch and keeps formants; in place of a factor they take semitones."""
    def rubberband(engine):
        return lambda source, output, semitones: [
            "rubberband", "-q", engine, "-F", "-t", "1", "-p", str(semitones), source, output]

    def vocoder(source, output, semitones):
        return [binary, "-q", "--overwrite", "-f", "1", *VOCODER, f"--pitch={semitones}", "--formants", "preserve",
                "-o", output, source]
    return [Tool("stretch", vocoder, ours=True), Tool("`rubberband -3`", rubberband("-3")),
            Tool("`rubberband -2`", rubberband("-2"))]


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
    return found + [f"{package} {version_of(package)}" if version_of(package) else f"no {package}"
                    for package in ("python-stretch", "bungee-python", "praat-parselmouth")]
