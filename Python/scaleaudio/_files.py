"""Files and folders, by the program, which reports in JSON."""

from __future__ import annotations

import base64
import collections
import json
import os
import signal
import struct
import subprocess
import tempfile
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Deque, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, SupportsFloat, Tuple, Union, overload

if TYPE_CHECKING:
    import numpy
    import numpy.typing

from . import program
from ._errors import ScaleAudioError

PathName = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
# A number of any kind, numpy's too, or a text as on the command line.
Number = Union[SupportsFloat, str]
Numbers = Union[Number, Iterable[Number]]


# An output for each of several paths: a list of the same length, or a mapping from each path.
Outputs = Union[PathName, Sequence[PathName], Mapping[Any, PathName]]
# Names that plan reads as manifests, beside data folders of Kaldi.
_MANIFESTS = (".jsonl", ".json", ".ndjson", ".jsonl.gz", ".json.gz", ".ndjson.gz")


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


def _encoded(path: PathName) -> bytes:
    """The bytes of a path. Raises `TypeError` for anything else, above all for arrays, which other functions take."""
    try:
        return os.fsencode(path)
    except TypeError:
        raise TypeError(
            f"a path is a str, bytes or an os.PathLike, not {type(path).__name__}; "
            "for arrays, call scaleaudio.tempo, speed, pitch or scale") from None


def _check_paths(paths: Any) -> None:
    """Raises `TypeError` for an array of numbers, also for one without elements."""
    if getattr(getattr(paths, "dtype", None), "kind", "O") not in "OSU":
        _encoded(paths)


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
        # Until there is something to close.
        self._closed = True
        # Files, not pipes: nobody has to read or write them while the program runs.
        self._messages = tempfile.TemporaryFile()
        with tempfile.TemporaryFile() as list_of_names:
            list_of_names.write(names or b"")
            list_of_names.seek(0)
            # In a session of its own: a key on the terminal interrupts Python alone, and that interrupts the program.
            self._process = subprocess.Popen(
                [program(), *arguments], stdin=list_of_names, stdout=subprocess.PIPE, stderr=self._messages,
                env=_environment(), start_new_session=True)
        self._closed = False

    def __iter__(self) -> Conversions:
        return self

    def __enter__(self) -> Conversions:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
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


class _Pairs(Conversions):
    """A program for each pair of an input and an output, several at a time, with the records in the order of the pairs."""

    def __init__(
        self, arguments: Sequence[Union[str, bytes]], pairs: Iterable[Tuple[bytes, bytes]], programs: int, raises: bool,
    ) -> None:
        self._arguments, self._waiting, self._programs, self._raises = arguments, collections.deque(pairs), programs, raises
        self._running: Deque[Conversions] = collections.deque()
        self._closed = False

    def __next__(self) -> Record:
        try:
            while self._waiting or self._running:
                while self._waiting and len(self._running) < self._programs:
                    source, output = self._waiting.popleft()
                    self._running.append(Conversions([*self._arguments, "--output", output, "--", source], None, self._raises))
                for record in self._running[0]:
                    return record
                self._running.popleft()
        except BaseException:
            self.close()
            raise
        raise StopIteration

    def close(self) -> None:
        """Interrupts the programs that still run, and waits for their ends."""
        self._closed = True
        self._waiting.clear()
        while self._running:
            self._running.popleft().close()


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
    output: Optional[Outputs] = None,
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

    A single path is a file or a folder, and `output` a file or a folder, as on the command line. For several paths, `output` is
    a folder, a list with an output for each, or a mapping from each path to its output. The length is one of `tempo` (1.1 is
    faster, at the same pitch), `speed` (speed and pitch together), `factor` (output length / input length, by exact arithmetic;
    the pitch changes too), `duration` (in seconds) and `bpm` (a tempo in beats per minute, or "96:120"). Several values of one of
    them, or of `pitch`, make an output each. With `strict`, a file fails if its output would lack anything; `copy_others` also
    copies what is not audio from folders. `scaleaudio help convert` explains these and everything that `options` may hold, such
    as `["--resume"]`. Configuration files are ignored.

    A single file that fails, or does not exist, raises a `ConversionError`. A file of a folder or of several paths that fails is
    a record with `status` "failed". `on_error="raise"` and `on_error="yield"` do the one or the other for all. Raises
    `ScaleAudioError` for wrong arguments, and `TypeError` for arrays in place of paths. An exception interrupts the program, which
    leaves no partial output.
    """
    if on_error is None:
        on_error = "raise" if isinstance(paths, (str, bytes, os.PathLike)) and not os.path.isdir(paths) else "yield"
    with conversions(
        paths, factor=factor, tempo=tempo, speed=speed, duration=duration, pitch=pitch, bpm=bpm, method=method,
        quality=quality, preset=preset, output=output, format=format, rate=rate, bits=bits, loudness=loudness, jobs=jobs,
        overwrite=overwrite, strict=strict, copy_others=copy_others, on_error=on_error, options=options,
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
    output: Optional[Outputs] = None,
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
    command = ["convert", "--json", "--progress", "none", *_arguments(
        factor=factor, tempo=tempo, speed=speed, duration=duration, pitch=pitch, bpm=bpm, method=method, quality=quality,
        preset=preset, format=format, rate=rate, bits=bits, loudness=loudness, overwrite=overwrite, strict=strict,
        copy_others=copy_others), *options]
    raises = on_error == "raise"
    if output is not None and not isinstance(output, (str, bytes, os.PathLike)):
        if any(os.fsencode(option).split(b"=")[0] == b"--manifest" for option in options):
            raise ScaleAudioError("a manifest lists the outputs of one run; name a folder as output", 64)
        pairs = _pairs(paths, output)
        cores = len(os.sched_getaffinity(0))
        programs = max(1, min(cores if jobs is None else jobs, len(pairs)))
        # Before the options, which may name a number of their own.
        return _Pairs([command[0], f"--threads={max(1, cores // programs)}", *command[1:]], pairs, programs, raises)
    if jobs is not None:
        command.append(f"--jobs={_given('--jobs', str(jobs))}")
    if output is not None:
        command += ["--output", _encoded(output)]
    if isinstance(paths, (str, bytes, os.PathLike)):
        return Conversions([*command, "--", _encoded(paths)], None, raises)
    return Conversions([*command, "--files-from", "-", "--null"], _list(paths), raises)


def _arguments(
    *, factor: Optional[Numbers] = None, tempo: Optional[Numbers] = None, speed: Optional[Numbers] = None,
    duration: Optional[Number] = None, pitch: Optional[Numbers] = None, bpm: Optional[Numbers] = None, method: Optional[str] = None,
    quality: Optional[str] = None, preset: Optional[str] = None, format: Optional[str] = None, rate: Optional[int] = None,
    bits: Union[int, str, None] = None, loudness: Optional[Number] = None, overwrite: bool = False, strict: bool = False,
    copy_others: bool = False,
) -> List[Union[str, bytes]]:
    """The options of the program for the parameters that decide about outputs."""
    if isinstance(duration, Fraction):
        duration = float(duration)
    values = {
        "--factor": factor, "--tempo": tempo, "--speed": speed, "--duration": duration, "--pitch": pitch, "--bpm": bpm,
        "--method": method, "--quality": quality, "--preset": preset, "--format": format, "--rate": rate,
        "--bits": bits, "--loudness": loudness,
    }
    switches = {"--overwrite": overwrite, "--strict": strict, "--copy-others": copy_others}
    return [
        *(f"{name}={_given(name, _numbers(value))}" for name, value in values.items() if value is not None),
        *(name for name, value in switches.items() if value)]


def _pairs(
    paths: Union[PathName, Iterable[PathName]], outputs: Union[Sequence[PathName], Mapping[Any, PathName]],
) -> List[Tuple[bytes, bytes]]:
    """Each path with its output; no output may be that of two, or an input."""
    if isinstance(paths, (str, bytes, os.PathLike)):
        paths = [paths]
    _check_paths(paths)
    sources = list(paths)
    if isinstance(outputs, Mapping):
        lacking = [path for path in sources if path not in outputs]
        if lacking:
            raise ScaleAudioError(f"output has no path for {lacking[0]!r}", 64)
        outputs = [outputs[path] for path in sources]
    outputs = list(outputs)
    if len(sources) != len(outputs):
        raise ScaleAudioError(f"output has {len(outputs)} paths for {len(sources)} inputs", 64)
    pairs = [(_encoded(source), _encoded(output)) for source, output in zip(sources, outputs)]
    inputs, taken = set(), set()
    for source, _ in pairs:
        if os.path.exists(source):
            inputs.add(_identity(source))
    for _, output in pairs:
        if os.path.isdir(output) or output.endswith(b"/"):
            raise ScaleAudioError(f"the output {os.fsdecode(output)!r} is a folder; name a file for each input", 64)
        place = os.path.realpath(output)
        if place in taken:
            raise ScaleAudioError(f"two inputs have the output {os.fsdecode(output)!r}", 64)
        taken.add(place)
        if os.path.exists(output) and _identity(output) in inputs:
            raise ScaleAudioError(f"the output {os.fsdecode(output)!r} is an input", 64)
    return pairs


def _identity(path: bytes) -> Tuple[int, int]:
    status = os.stat(path)
    return status.st_dev, status.st_ino


def _list(paths: Iterable[PathName]) -> bytes:
    """Paths as `--files-from - --null` reads them."""
    _check_paths(paths)
    return b"".join(_encoded(path) + b"\0" for path in paths)


def _named(paths: Union[PathName, Iterable[PathName]]) -> Tuple[List[Union[str, bytes]], bytes]:
    """Arguments that name paths, and a list for standard input: of files, of which there may be many."""
    if isinstance(paths, (str, bytes, os.PathLike)):
        return ["--", _encoded(paths)], b""
    _check_paths(paths)
    named: List[Union[str, bytes]] = []
    files: List[bytes] = []
    for path in map(_encoded, paths):
        is_own = os.path.isdir(path) or os.fsdecode(path).endswith(_MANIFESTS)
        if is_own:
            named.append(path)
        else:
            files.append(path)
    listed = ["--files-from", "-", "--null"] if files or not named else []
    return [*listed, "--", *named], _list(files)


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
        arguments += ["--against", _encoded(against)]
    if manifest is not None:
        arguments += ["--manifest", _encoded(manifest)]
    names = b""
    if paths is not None:
        more, names = _named(paths)
        arguments += more
    done = _run(arguments, names)
    _refuse(done, 0, 1)
    return [Verification(json.loads(line)) for line in done.stdout.splitlines()]


@dataclass(frozen=True)
class Plan:
    """A run that many tasks share, in the folder `run`, of which this is a path: `shard(plan, 1)`. `fields` is its plan.json."""

    run: str
    fields: Dict[str, Any]
    problems: List[str]
    """A sentence for each folder that could not be read, which the plan lacks, and for a single path that is missing, which it has.
    Paths of a list are not looked at: a missing one fails when its shard runs."""

    def __fspath__(self) -> str:
        return self.run

    @property
    def shards(self) -> range:
        """The numbers of the shards, from 1."""
        return range(1, int(self.fields["shards"]) + 1)

    @property
    def inputs(self) -> int:
        """The number of inputs."""
        return int(self.fields["lines"])

    @property
    def outputs(self) -> int:
        """The number of outputs."""
        return self.inputs * len(self.fields["parameters"])


def plan(
    paths: Union[PathName, Iterable[PathName]], *, shards: int, run: PathName, output: PathName,
    options: Sequence[Union[str, bytes]] = (), **settings: Any,
) -> Plan:
    """Divides the conversion of many files into shards, as `scaleaudio plan` does, in a new folder `run`.

    `paths` are files, folders and manifests of NeMo, lhotse and Kaldi, `output` is a folder, and `settings` are the parameters of
    `convert` that decide about outputs, such as `speed=[0.9, 1.1]`. Then `shard` converts each, in whatever process, and `merge`
    checks all:

        plan = scaleaudio.plan("corpus.jsonl", shards=100, run="run", output="out", speed=[0.9, 1.1])
        with concurrent.futures.ProcessPoolExecutor() as pool:
            list(pool.map(functools.partial(scaleaudio.shard, plan), plan.shards))
        assert scaleaudio.merge(plan, write={"nemo": "train.json"}).complete

    Raises `ScaleAudioError` where outputs would collide or exist, and for wrong arguments.
    """
    more, names = _named(paths)
    done = _run([
        "plan", f"--shards={_given('--shards', str(shards))}", "--run", _encoded(run), "--output", _encoded(output), *_arguments(**settings), *options,
        *more], names)
    _refuse(done, 0, 1)
    folder = os.fsdecode(run)
    with open(os.path.join(folder, "plan.json"), encoding="utf-8") as file:
        return Plan(folder, json.load(file), done.stderr.decode(errors="replace").splitlines())


def shard(
    run: PathName, number: int, *, jobs: Optional[int] = None, options: Sequence[Union[str, bytes]] = (),
) -> List[Record]:
    """Converts a shard of a run; returns a `Record` for each output. A file that fails is a record with `status` "failed".

    Another attempt skips outputs that are done. Raises `ScaleAudioError`, with the status 75 for what is worth another attempt.
    """
    arguments: List[Union[str, bytes]] = [
        "convert", "--json", "--progress", "none", "--run", _encoded(run), f"--shard={_given('--shard', str(number))}"]
    if jobs is not None:
        arguments.append(f"--jobs={_given('--jobs', str(jobs))}")
    with Conversions([*arguments, *options], None, False) as records:
        return list(records)


@dataclass(frozen=True)
class Merge:
    """The state of a run."""

    complete: bool
    """True if every output is done or has failed."""
    done: int
    failed: int
    missing: int
    """Numbers of outputs."""
    shards: List[int]
    """Shards to run again."""
    findings: List[Tuple[str, str]]
    """A kind (missing, failed, changed, stray, torn, half-written) and a sentence each; at most 100 of a kind."""


def merge(
    run: PathName, *, check: bool = False, retry: Optional[PathName] = None, write: Optional[Mapping[str, PathName]] = None,
) -> Merge:
    """Checks that all shards of a run are done, as `scaleaudio merge` does. `check` reads every output; `retry` is a file for the
    inputs that are not done; `write` has paths of manifests by their form: nemo, lhotse, csv, jsonl, or kaldi, a folder. Raises
    `ScaleAudioError` if there is no plan, or a manifest cannot be written."""
    arguments: List[Union[str, bytes]] = ["merge"]
    if check:
        arguments.append("--check")
    if retry is not None:
        arguments += ["--retry", _encoded(retry)]
    for form, path in (write or {}).items():
        arguments += ["--write", form.encode() + b"=" + _encoded(path)]
    done = _run([*arguments, "--", _encoded(run)])
    findings: List[Tuple[str, str]] = []
    state: Optional[str] = None
    again: List[int] = []
    for line in done.stdout.decode(errors="replace").splitlines():
        kind, _, text = line.partition("  ")
        if text:
            findings.append((kind, text))
        elif line.startswith("run again: --shard "):
            for part in line.rpartition(" ")[2].split(","):
                first, _, last = part.partition("-")
                again += range(int(first), int(last or first) + 1)
        else:
            state = line
    if state is None:
        _refuse(done)
        raise ScaleAudioError(f"{program()} printed no summary", 1)
    heading, _, counts = state.partition(": ")
    numbers = {words[1]: int(words[0]) for words in (count.split() for count in counts.split(", ")) if words[0].isdigit()}
    return Merge(
        heading == "complete", numbers.get("done", 0), numbers.get("failed", 0), numbers.get("missing", 0), again, findings)


@dataclass(frozen=True)
class Info:
    """The facts about a file. `fields` holds all that the program reports, by the names of its JSON."""

    fields: Dict[str, Any]

    @property
    def input(self) -> str:
        """The path; `os.fsencode` gives its bytes."""
        return _path(self.fields, "input") or ""

    @property
    def error(self) -> Optional[str]:
        """The error of a file that could not be read, of several; nothing else is known of it."""
        return self.fields.get("error")

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


# A text is a sequence of texts too.
@overload
def info(path: PathName, *, options: Sequence[Union[str, bytes]] = ()) -> Info: ...  # type: ignore[overload-overlap]


@overload
def info(path: Iterable[PathName], *, options: Sequence[Union[str, bytes]] = ()) -> List[Info]: ...


def info(
    path: Union[PathName, Iterable[PathName]], *, options: Sequence[Union[str, bytes]] = (),
) -> Union[Info, List[Info]]:
    """Reads the facts about a file; `options=["--exact"]` decodes it to count its frames. Raises `FileError`.

    Of several paths, it returns a list, in which a file that cannot be read has an `error`.
    """
    if not isinstance(path, (str, bytes, os.PathLike)):
        done = _run(["info", "--json", *options, "--files-from", "-", "--null"], _list(path))
        _refuse(done, 0, 1)
        return [Info(json.loads(line)) for line in done.stdout.splitlines()]
    done = _run(["info", "--json", *options, "--", _encoded(path)])
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
    done = _run([*arguments, "--", _encoded(path)])
    if done.returncode:
        raise FileError(_sentence(done.stderr), done.returncode, None)
    # The binary format of audiowaveform, version 2.
    version, flags, rate, frames, length, channels = struct.unpack_from("<iIiiIi", done.stdout)
    if version != 2:
        raise ScaleAudioError(f"{program()} wrote version {version} of waveform data; this module reads version 2", 1)
    kind: numpy.dtype[numpy.signedinteger[Any]] = numpy.dtype("<i1" if flags & 1 else "<i2")
    values = numpy.frombuffer(done.stdout, kind, offset=24).reshape(length, channels, 2)
    return Peaks(values[:, :, 0].T, values[:, :, 1].T, frames, rate)


def _given(name: str, text: str) -> str:
    """The text, which the program would take from the next argument if it were empty."""
    if not text:
        raise ScaleAudioError(f"{name[2:]} is empty; leave it out, or give a value", 64)
    return text


def _numbers(value: Numbers) -> str:
    """Numbers as the program reads them: several with commas between them."""
    # An array of numpy without dimensions has no elements.
    if isinstance(value, str) or not isinstance(value, Iterable) or getattr(value, "shape", None) == ():
        return _number(value)
    # One whole number after another could be a decimal comma.
    texts = [_number(each) for each in value]
    if "" in texts:
        return ""
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


def _run(arguments: Sequence[Union[str, bytes]], names: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([program(), *arguments], input=names, capture_output=True, env=_environment())


def _refuse(done: subprocess.CompletedProcess[bytes], *statuses: int) -> None:
    """Raises the error of a program that ended with none of these exit statuses."""
    if done.returncode not in statuses:
        raise ScaleAudioError(_sentence(done.stderr) or f"{program()} ended with status {done.returncode}", done.returncode)
