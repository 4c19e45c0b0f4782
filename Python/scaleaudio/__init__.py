"""Makes audio files longer or shorter, in bulk, with nothing lost.

A thin module over the program `scaleaudio` for files, and over its library for arrays, both of which it brings along:

    import scaleaudio

    faster = scaleaudio.tempo(y, sr, 1.25)  # an array, at the same pitch

    scaleaudio.convert("talk.wav", tempo=1.1, output="faster.wav")  # the pitch stays
    for record in scaleaudio.convert("Corpus", speed=[0.9, 1.1], output="changed"):  # it moves too
        print(record.input, record.status, record.output_frames)
"""

from __future__ import annotations

import base64
import json
import os
import signal
import struct
import subprocess
import tempfile
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Optional, Sequence, SupportsFloat, Union

if TYPE_CHECKING:
    import numpy
    import numpy.typing

from ._arrays import Stream, map, pitch, resample, scale, speed, tempo, warp
from ._errors import ScaleAudioError, ScalingError

__all__ = [
    "ConversionError", "Conversions", "FileError", "Info", "Peaks", "Record", "ScaleAudioError", "ScalingError", "Stream",
    "Verification", "__version__", "conversions", "convert", "info", "map", "peaks", "pitch", "program", "resample", "scale",
    "speed", "tempo", "verify", "warp",
]
__version__ = "@VERSION@"

PathName = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
# A number of any kind, numpy's too, or a text as on the command line.
Number = Union[SupportsFloat, str]
Numbers = Union[Number, Iterable[Number]]


class FileError(ScaleAudioError):
    """A file could not be read; `error_class` is the kind of error: truncated, malformed, not-audio and so on."""

    def __init__(self, message: str, status: int, error_class: Optional[str]) -> None:
        super().__init__(message, status)
        self.error_class = error_class


class ConversionError(FileError):
    """A file could not be converted; `record` is its record."""

    def __init__(self, record: Record) -> None:
        super().__init__(record.error or "", 1, record.error_class)
        self.record = record


def program() -> str:
    """The path of the program: what `SCALEAUDIO_PROGRAM` names, or the one that was installed with this module."""
    named = os.environ.get("SCALEAUDIO_PROGRAM")
    return named if named else str(Path(__file__).parent / "bin" / "scaleaudio")


def _path(fields: Dict[str, Any], name: str) -> Optional[str]:
    """A path in a record as Python spells it, also if it is not UTF-8."""
    if f"{name}Base64" in fields:
        return os.fsdecode(base64.b64decode(fields[f"{name}Base64"]))
    value: Optional[str] = fields.get(name)
    return value


@dataclass(frozen=True)
class Record:
    """The result of one file. `fields` has everything that the program reports, under the names of its JSON."""

    fields: Dict[str, Any]

    @property
    def status(self) -> str:
        """`done`, `skipped` or `failed`; `planned` with the option `--dry-run`."""
        return str(self.fields["status"])

    @property
    def input(self) -> str:
        """The path of the source; `os.fsencode` gives its bytes."""
        return _path(self.fields, "input") or ""

    @property
    def output(self) -> Optional[str]:
        """The path of the output."""
        return _path(self.fields, "output")

    @property
    def error(self) -> Optional[str]:
        """The error, on one line that names the file."""
        return self.fields.get("error")

    @property
    def error_class(self) -> Optional[str]:
        """The kind of error: `truncated`, `malformed`, `not-audio` and so on."""
        return self.fields.get("errorClass")

    @property
    def reason(self) -> Optional[str]:
        """The reason why a file was skipped."""
        return self.fields.get("reason")

    @property
    def input_frames(self) -> Optional[int]:
        """Frames of the source."""
        return self.fields.get("inputFrames")

    @property
    def output_frames(self) -> Optional[int]:
        """Frames of the output."""
        return self.fields.get("outputFrames")

    @property
    def output_seconds(self) -> Optional[float]:
        """Length of the output in seconds."""
        return self.fields.get("outputSeconds")

    @property
    def sample_rate(self) -> Optional[int]:
        """Frames per second of the output."""
        return self.fields.get("outputSampleRate")

    @property
    def factor(self) -> Optional[float]:
        """Output length / input length."""
        return self.fields.get("factor")

    @property
    def warnings(self) -> List[str]:
        """Losses and other news for the user, a sentence each."""
        return list(self.fields.get("warnings", []))


class Conversions(Iterator[Record]):
    """A running program, which yields a record for each output as it ends.

    Iterate to the end, or use it in a `with` statement: leaving that early, `close()` and an exception interrupt the program,
    which leaves no partial output.
    """

    def __init__(self, arguments: Sequence[Union[str, bytes]], names: Optional[bytes], raises: bool) -> None:
        self._raises = raises
        self._any = False
        self._closed = False
        # Files, not pipes: nobody has to read or write them while the program runs.
        self._messages = tempfile.TemporaryFile()
        with tempfile.TemporaryFile() as list_of_names:
            list_of_names.write(names or b"")
            list_of_names.seek(0)
            # In a session of its own: a key on the terminal interrupts Python alone, and that interrupts the program.
            self._process = subprocess.Popen(
                [program(), *arguments], stdin=list_of_names, stdout=subprocess.PIPE, stderr=self._messages,
                env=_environment(), start_new_session=True)

    def __iter__(self) -> Conversions:
        return self

    def __enter__(self) -> Conversions:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_process"):
            self.close()

    def __next__(self) -> Record:
        if self._closed:
            raise StopIteration
        assert self._process.stdout is not None
        try:
            line = self._process.stdout.readline()
            # The sum of a dry run is about no file.
            while line and json.loads(line).get("status") == "total":
                line = self._process.stdout.readline()
        except BaseException:
            self.close()
            raise
        if line:
            self._any = True
            record = Record(json.loads(line))
            if self._raises and record.status == "failed":
                self.close()
                raise ConversionError(record)
            return record
        status = self._process.wait()
        message = self._message()
        self.close()
        # With 1 and 66 the records say what failed.
        if status == 0 or status in (1, 66) and self._any:
            raise StopIteration
        raise ScaleAudioError(message or f"{program()} ended with status {status}", status)

    def _message(self) -> str:
        self._messages.seek(0)
        return _sentence(self._messages.read())

    def close(self) -> None:
        """Interrupts the program if it still runs, and waits for its end."""
        if self._closed:
            return
        self._closed = True
        if self._process.poll() is None:
            # SIGINT would be ignored by what was started in the background.
            self._process.send_signal(signal.SIGTERM)
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process.wait()
        self._messages.close()


def convert(
    paths: Union[PathName, Iterable[PathName]], *,
    factor: Optional[Numbers] = None,
    tempo: Optional[Numbers] = None,
    speed: Optional[Numbers] = None,
    duration: Optional[Number] = None,
    pitch: Optional[Numbers] = None,
    bpm: Optional[Numbers] = None,
    method: Optional[str] = None,
    quality: Optional[str] = None,
    preset: Optional[str] = None,
    output: Optional[PathName] = None,
    format: Optional[str] = None,
    rate: Optional[int] = None,
    bits: Union[int, str, None] = None,
    loudness: Optional[Number] = None,
    jobs: Optional[int] = None,
    overwrite: bool = False,
    strict: bool = False,
    copy_others: bool = False,
    on_error: Optional[str] = None,
    options: Sequence[Union[str, bytes]] = (),
) -> List[Record]:
    """Converts files and folders; returns a `Record` for each output when all are done.

    A single path is a file or a folder, and `output` a file or a folder, as on the command line. Of several paths, `output` is
    a folder. The length is one of `tempo` (1.1 is faster, at the same pitch), `speed` (speed and pitch together), `factor` (output
    length / input length, by exact arithmetic; the pitch changes too) `duration` (in seconds) and `bpm` (a tempo in beats per
    minute, or "96:120"). Several of them, or of pitches, make an output each. With `strict`, a file whose output would lack anything of it fails; `copy_others` also
    copies what is not audio from folders. `scaleaudio help convert` explains these and everything that `options` may hold, such
    as `["--resume"]`. Configuration files are ignored.

    A single file that fails, or does not exist, raises a `ConversionError`. A file of a folder or of several paths that fails is
    a record with `status` "failed". `on_error="raise"` and `on_error="yield"` do the one or the other for all. Raises
    `ScaleAudioError` for wrong arguments. An exception interrupts the program, which leaves no partial output.
    """
    if on_error is None:
        on_error = "raise" if isinstance(paths, (str, bytes, os.PathLike)) and not os.path.isdir(paths) else "yield"
    with conversions(
        paths, factor=factor, tempo=tempo, speed=speed, duration=duration, pitch=pitch, bpm=bpm, method=method,
        quality=quality, preset=preset, output=output, format=format, rate=rate, bits=bits, loudness=loudness, jobs=jobs, overwrite=overwrite, strict=strict,
        copy_others=copy_others, on_error=on_error, options=options,
    ) as records:
        return list(records)


def conversions(
    paths: Union[PathName, Iterable[PathName]], *,
    factor: Optional[Numbers] = None,
    tempo: Optional[Numbers] = None,
    speed: Optional[Numbers] = None,
    duration: Optional[Number] = None,
    pitch: Optional[Numbers] = None,
    bpm: Optional[Numbers] = None,
    method: Optional[str] = None,
    quality: Optional[str] = None,
    preset: Optional[str] = None,
    output: Optional[PathName] = None,
    format: Optional[str] = None,
    rate: Optional[int] = None,
    bits: Union[int, str, None] = None,
    loudness: Optional[Number] = None,
    jobs: Optional[int] = None,
    overwrite: bool = False,
    strict: bool = False,
    copy_others: bool = False,
    on_error: str = "yield",
    options: Sequence[Union[str, bytes]] = (),
) -> Conversions:
    """Converts files and folders as `convert` does, and yields the `Record` of each output as soon as it ends.

    A file that fails is a record with `status` "failed"; with `on_error="raise"` it ends the run as a `ConversionError`. Raises
    `ScaleAudioError` for wrong arguments, when the first record is asked for.
    """
    if on_error not in ("yield", "raise"):
        raise ValueError(f"on_error is {on_error!r}; it must be 'yield' or 'raise'")
    arguments: List[Union[str, bytes]] = ["convert", "--json", "--progress", "none"]
    if isinstance(duration, Fraction):
        duration = float(duration)
    values = {
        "--factor": factor, "--tempo": tempo, "--speed": speed, "--duration": duration, "--pitch": pitch, "--bpm": bpm,
        "--method": method, "--quality": quality, "--preset": preset, "--format": format, "--rate": rate,
        "--bits": bits, "--loudness": loudness, "--jobs": jobs,
    }
    arguments += [f"{name}={_numbers(value)}" for name, value in values.items() if value is not None]
    switches = {"--overwrite": overwrite, "--strict": strict, "--copy-others": copy_others}
    arguments += [name for name, value in switches.items() if value]
    if output is not None:
        arguments += ["--output", os.fsencode(output)]
    arguments += options
    if isinstance(paths, (str, bytes, os.PathLike)):
        return Conversions([*arguments, "--", os.fsencode(paths)], None, on_error == "raise")
    names = b"".join(os.fsencode(path) + b"\0" for path in paths)
    return Conversions([*arguments, "--files-from", "-", "--null"], names, on_error == "raise")


@dataclass(frozen=True)
class Verification:
    """An output compared with its source. `fields` has everything that the program reports, under the names of its JSON."""

    fields: Dict[str, Any]

    @property
    def status(self) -> str:
        """`ok`, `differs`, `missing` (a source without output) or `stray` (an output without source)."""
        return str(self.fields["status"])

    @property
    def input(self) -> Optional[str]:
        """The path of the source."""
        return _path(self.fields, "input")

    @property
    def output(self) -> Optional[str]:
        """The path of the output."""
        return _path(self.fields, "output")

    @property
    def differences(self) -> List[str]:
        """Each difference, in words."""
        return list(self.fields["differences"])


def verify(
    paths: Union[PathName, Iterable[PathName], None] = None, *,
    against: Optional[PathName] = None, manifest: Optional[PathName] = None,
) -> List[Verification]:
    """Compares outputs with their sources, as `scaleaudio verify` does: those beside sources, those in a folder `against`
    the folder of their sources, or those that a manifest lists. Raises `ScaleAudioError` where nothing can be compared."""
    arguments: List[Union[str, bytes]] = ["verify", "--json"]
    if against is not None:
        arguments += ["--against", os.fsencode(against)]
    if manifest is not None:
        arguments += ["--manifest", os.fsencode(manifest)]
    if isinstance(paths, (str, bytes, os.PathLike)):
        paths = [paths]
    if paths is not None:
        arguments += ["--", *(os.fsencode(path) for path in paths)]
    run = subprocess.run([program(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, env=_environment())
    if run.returncode not in (0, 1):
        raise ScaleAudioError(_sentence(run.stderr) or f"{program()} ended with status {run.returncode}", run.returncode)
    return [Verification(json.loads(line)) for line in run.stdout.splitlines()]


@dataclass(frozen=True)
class Info:
    """The facts about a file. `fields` holds all that the program reports, by the names of its JSON."""

    fields: Dict[str, Any]

    @property
    def format(self) -> str:
        """The format, as `--format` takes it."""
        return str(self.fields["inputFormat"])

    @property
    def codec(self) -> Optional[str]:
        """The encoding of samples, in words: `PCM 16-bit`, `FLAC`, `Vorbis`."""
        return self.fields.get("codec")

    @property
    def frames(self) -> int:
        """The length in frames."""
        return int(self.fields["inputFrames"])

    @property
    def seconds(self) -> float:
        """The length in seconds."""
        return float(self.fields["inputSeconds"])

    @property
    def sample_rate(self) -> int:
        """Frames per second."""
        return int(self.fields["inputSampleRate"])

    @property
    def channels(self) -> int:
        """The number of channels."""
        return int(self.fields["inputChannels"])

    @property
    def layout(self) -> str:
        """The channel layout: `stereo`, `5.1(side)`, `6 channels`."""
        return str(self.fields["inputLayout"])

    @property
    def bits(self) -> Optional[int]:
        """Significant bits of a sample; None for lossy codecs."""
        return self.fields.get("inputBits")

    @property
    def tags(self) -> Dict[str, List[str]]:
        """Names of tags with their values, in the order of the file."""
        tags: Dict[str, List[str]] = {}
        for tag in self.fields.get("tags", []):
            tags.setdefault(tag["name"], []).append(tag["value"])
        return tags


def info(path: PathName, *, options: Sequence[Union[str, bytes]] = ()) -> Info:
    """Reads the facts about a file; `options=["--exact"]` decodes it to count its frames. Raises `FileError`."""
    done = _run(["info", "--json", *options, "--", os.fsencode(path)])
    lines = done.stdout.splitlines()
    fields: Dict[str, Any] = json.loads(lines[0]) if lines else {}
    if done.returncode or "inputFrames" not in fields:
        message = fields.get("error") or _sentence(done.stderr) or "nothing is known of this file"
        raise FileError(message, done.returncode, fields.get("errorClass"))
    return Info(fields)


@dataclass(frozen=True)
class Peaks:
    """The lowest and the highest sample of each stretch of a file, as waveforms are drawn from.

    `minimum` and `maximum` are arrays of the shape (channels, length), of int16 or int8. Each value covers
    `frames_per_value` frames, at `sample_rate` frames per second.
    """

    minimum: numpy.typing.NDArray[numpy.signedinteger[Any]]
    maximum: numpy.typing.NDArray[numpy.signedinteger[Any]]
    frames_per_value: int
    sample_rate: int


def peaks(path: PathName, *, per_second: int = 100, bits: int = 16, split_channels: bool = False) -> Peaks:
    """Peaks of a file, of the mean of its channels or of each. Needs numpy. Raises `FileError`."""
    try:
        import numpy
    except ImportError as error:
        raise ImportError("scaleaudio.peaks needs numpy: pip install numpy") from error
    arguments: List[Union[str, bytes]] = [
        "plot", "--quiet", "--progress", "none", "--format", "dat", f"--bits={bits}",
        f"--pixels-per-second={per_second}", "--output", "-"]
    if split_channels:
        arguments.append("--split-channels")
    done = _run([*arguments, "--", os.fsencode(path)])
    if done.returncode:
        raise FileError(_sentence(done.stderr), done.returncode, None)
    # The binary format of audiowaveform, version 2.
    version, flags, rate, frames, length, channels = struct.unpack_from("<iIiiIi", done.stdout)
    if version != 2:
        raise ScaleAudioError(f"{program()} wrote version {version} of waveform data; this module reads version 2", 1)
    kind: numpy.dtype[numpy.signedinteger[Any]] = numpy.dtype("<i1" if flags & 1 else "<i2")
    values = numpy.frombuffer(done.stdout, kind, offset=24).reshape(length, channels, 2)
    return Peaks(values[:, :, 0].T, values[:, :, 1].T, frames, rate)


def _numbers(value: Numbers) -> str:
    """Numbers as the program reads them: several with commas between them."""
    # An array of numpy without dimensions has no elements.
    if isinstance(value, str) or not isinstance(value, Iterable) or getattr(value, "shape", None) == ():
        return _number(value)
    # One whole number after another could be a decimal comma.
    texts = [_number(each) for each in value]
    return texts[0] if len(texts) == 1 else ",".join(f"{text}.0" if text.lstrip("-").isdigit() else text for text in texts)


def _number(value: Union[Number, Iterable[Number]]) -> str:
    """A number as the program reads it: the shortest text that is this number, without an exponent."""
    if isinstance(value, str):
        return value
    if isinstance(value, (int, Fraction)):
        return str(value)
    try:
        # numpy's float64 is a float, whose own text names its type.
        return f"{Decimal(float.__repr__(value) if isinstance(value, float) else str(value)):f}"
    except ArithmeticError:
        # A number of a library that this module does not know, such as a tensor.
        return f"{Decimal(repr(float(value))):f}"  # type: ignore[arg-type]


def _environment() -> Dict[str, str]:
    """The caller's environment, without defaults that a configuration file sets."""
    return {**os.environ, "SCALEAUDIO_CONFIG": ""}


def _sentence(errors: bytes) -> str:
    """The program's messages, without the lines that repeat its usage."""
    text = errors.decode(errors="replace").strip()
    return text.split("\nUsage:")[0].split("\nHelp:")[0].split("\nSee '")[0].replace("Error: ", "", 1).strip()


def _run(arguments: Sequence[Union[str, bytes]]) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [program(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, env=_environment())
