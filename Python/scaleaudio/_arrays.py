"""Samples in arrays, scaled in this process. Needs numpy, which is imported when a function is first called."""

from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Optional, Sequence, SupportsFloat, Tuple, TypeVar, Union

from . import _library
from ._errors import ScalingError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Samples = NDArray[Any]

Item = TypeVar("Item")
Result = TypeVar("Result")


def _numpy() -> Any:
    try:
        import numpy
    except ImportError as error:
        raise ImportError("scaleaudio scales arrays with numpy: pip install numpy") from error
    return numpy


def tempo(
    y: Any, sr: int, tempo: SupportsFloat, *, semitones: SupportsFloat = 0.0, formants: str = "shift",
    axis: int = -1, out: Optional[Samples] = None,
) -> Samples:
    """Makes samples `tempo` times as fast at the same pitch: 1.25 is faster. `semitones` also shifts the pitch.

    `y` is an array of float32, float64 or int16, or a tensor in memory of the processor that has `__array__` or
    `__dlpack__`; time runs along `axis`, and all others are channels, at most 64. Samples of float32 or float64 have a full
    scale of 1. The result has the type and shape of `y`, with `int(n * (1 / tempo))` frames along `axis`. `out` is an array
    for it, which is returned. `sr` is the sample rate in Hz. Tempos are within 0.01 to 20. Raises `ScalingError` for values out of range, and
    `TypeError` for other types.
    """
    return _scaled(
        y, axis, out, method="stretch", rate=sr, factor=_reciprocal(tempo, "tempo"), semitones=semitones, formants=formants)


def speed(
    y: Any, sr: int, speed: SupportsFloat, *, quality: str = "high", axis: int = -1, out: Optional[Samples] = None,
) -> Samples:
    """Plays samples `speed` times as fast, by band-limited interpolation: the pitch moves too. `quality` is "fast", "high" or
    "best". Speeds are within 1/65536 to 65536. Otherwise as `tempo`; `sr` only has to be the rate of `y`."""
    return _scaled(y, axis, out, method="sinc", rate=sr, factor=_reciprocal(speed, "speed"), quality=quality)


def pitch(
    y: Any, sr: int, semitones: SupportsFloat, *, formants: str = "shift", axis: int = -1, out: Optional[Samples] = None,
) -> Samples:
    """Shifts the pitch by `semitones`, -48 to 48, at the same length. With `formants="preserve"` a voice stays that of the same
    person. Otherwise as `tempo`."""
    return _scaled(y, axis, out, method="stretch", rate=sr, semitones=semitones, formants=formants)


def resample(
    y: Any, sr: int, to: int, *, quality: str = "high", axis: int = -1, out: Optional[Samples] = None,
) -> Samples:
    """Changes the sample rate from `sr` to `to`, in Hz, both whole: `n * to // sr` frames. Otherwise as `speed`."""
    sr, to = _whole(sr, "sr"), _whole(to, "to")
    if sr < 1 or to < 1:
        raise ScalingError(f"a sample rate is not above 0: {sr} to {to}")
    return _scaled(y, axis, out, method="sinc", factor=to / sr, quality=quality, frames=lambda n: n * to // sr)


def scale(
    y: Any, factor: SupportsFloat, *, sr: int = 44100, method: str = "smoothstep", quality: str = "high",
    axis: int = -1, out: Optional[Samples] = None,
) -> Samples:
    """Makes samples `factor` times as long, by a method of the program: "smoothstep", "linear", "sinc" or "stretch", the
    only one that keeps the pitch and uses `sr`. Factors are within 0.01 to 100. Otherwise as `tempo`."""
    return _scaled(y, axis, out, method=method, rate=sr, factor=_number(factor, "factor"), quality=quality)


def warp(
    y: Any, sr: int, points: Sequence[Tuple[SupportsFloat, SupportsFloat]], *, semitones: SupportsFloat = 0.0,
    formants: str = "shift", axis: int = -1, out: Optional[Samples] = None,
) -> Samples:
    """Changes the tempo along a map: pairs of a time in `y` and its time in the result, in seconds, rising from (0, 0) to the end
    of `y` or beyond. The pitch stays, or is shifted. Otherwise as `tempo`."""
    rate = _whole(sr, "sr")
    return _scaled(
        y, axis, out, method="stretch", rate=rate, semitones=semitones, formants=formants,
        points=[(_number(source, "a time") * rate, _number(target, "a time") * rate) for source, target in points])


class Stream:
    """Scales a signal block by block; the result does not depend on the blocks.

        stream = scaleaudio.Stream(16000, speed=1.1)
        for block in blocks:
            play(stream.push(block))
        play(stream.end())

    Takes one of `factor`, `speed` and `tempo`; the method is "stretch" for a tempo or a pitch, otherwise "sinc", unless `method`
    names one. `frames` is the length of the signal, if it is known: "smoothstep" and "linear" then make frames as blocks come,
    and "stretch" does if the whole signal was passed to `study` before. Otherwise, only "sinc" does, and the others keep the
    signal until `end`. Blocks have the shape (frames,) for one channel, otherwise (channels, frames), or with `axis=0` (frames,
    channels). Use a stream in one thread at a time; it cannot be pickled.
    """

    def __init__(
        self, sr: int, channels: int = 1, *, factor: Optional[SupportsFloat] = None, speed: Optional[SupportsFloat] = None,
        tempo: Optional[SupportsFloat] = None, semitones: SupportsFloat = 0.0, formants: str = "shift",
        method: Optional[str] = None, quality: str = "high", dtype: Any = "float32", frames: Optional[int] = None, axis: int = -1,
    ) -> None:
        self._scaler = ctypes.c_void_p()
        given = [value for value in (factor, speed, tempo) if value is not None]
        if len(given) > 1:
            raise TypeError("a stream takes one of factor, speed and tempo")
        numpy = _numpy()
        self._type = numpy.dtype(dtype)
        self._channels, self._axis = _whole(channels, "channels"), axis
        ratio = 1.0
        if factor is not None:
            ratio = _number(factor, "factor")
        elif speed is not None:
            ratio = _reciprocal(speed, "speed")
        elif tempo is not None:
            ratio = _reciprocal(tempo, "tempo")
        if method is None:
            method = "stretch" if tempo is not None or _number(semitones, "semitones") else "sinc"
        settings = _settings(
            self._type, self._channels, method=method, rate=sr, factor=ratio, semitones=semitones, formants=formants, quality=quality)
        settings.input_frames = -1 if frames is None else _length(frames, "frames")
        sentence = _library.message()
        error = _library.library().scaleaudio_create(
            ctypes.byref(settings), ctypes.byref(self._scaler), sentence, len(sentence))
        if error:
            raise ScalingError(_library.text(error, sentence))

    def __del__(self) -> None:
        self.close()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("a Stream cannot be pickled; make one in each process")

    def close(self) -> None:
        """Frees the memory of the scaler."""
        scaler = getattr(self, "_scaler", None)
        if scaler is not None and scaler.value:
            _library.library().scaleaudio_destroy(scaler)
            scaler.value = None

    def push(self, block: Any) -> Samples:
        """Takes the next block, and returns the frames that can be made."""
        self._give("push", block)
        return self._rest()

    def end(self) -> Samples:
        """Declares the signal complete, and returns the rest of the frames."""
        self._call("end")
        return self._rest()

    def study(self, block: Any) -> None:
        """Takes the next block of a first pass, before the first `push`; needs `frames`."""
        self._give("study", block)

    def reset(self) -> None:
        """Returns to the beginning, for another signal."""
        self._call("reset")

    def begin(self, frame: int) -> int:
        """Makes the frame `frame` of the result the next one, and returns the frame of the signal from which on to `push`. Needs
        `frames`."""
        return self._call("begin", _length(frame, "frame"))

    def _call(self, name: str, *arguments: Any) -> int:
        if not self._scaler.value:
            raise ValueError("the stream is closed")
        library = _library.library()
        result: int = getattr(library, f"scaleaudio_{name}")(self._scaler, *arguments)
        if result < 0:
            sentence = _library.message()
            library.scaleaudio_message(self._scaler, sentence, len(sentence))
            raise ScalingError(f"{name}: {_library.text(result, sentence)}")
        return result

    def _give(self, name: str, block: Any) -> None:
        numpy = _numpy()
        samples = _array(block)
        if samples.dtype != self._type:
            raise TypeError(f"a block has the type {samples.dtype}, and the stream {self._type}")
        if samples.ndim == 1:
            samples = samples[:, None]
        elif samples.ndim == 2:
            samples = numpy.moveaxis(samples, self._axis, 0)
        if samples.ndim != 2 or samples.shape[1] != self._channels:
            raise ValueError(f"a block of the shape {numpy.shape(block)} has not {self._channels} channels")
        samples = numpy.ascontiguousarray(samples)
        self._call(name, samples.ctypes.data, len(samples))

    def _rest(self) -> Samples:
        numpy = _numpy()
        parts = []
        while True:
            part = numpy.empty((8192, self._channels), self._type)
            made = self._call("pull", part.ctypes.data, len(part))
            parts.append(part[:made])
            if made == 0:
                break
        frames: Samples = numpy.concatenate(parts)
        if self._channels == 1:
            return frames[:, 0]
        return frames if self._axis == 0 else frames.T


def map(
    paths: Iterable[Item], change: Callable[[Any, int], Result], *, threads: Optional[int] = None,
) -> Iterator[Tuple[Item, Result, int]]:
    """Reads files by soundfile, changes their samples in threads, and yields a path, the result and the sample rate for each, in
    order.

    `change` takes float32 samples of the shape (frames,) or (channels, frames) and a sample rate, as those of
    `scaleaudio.augment` do, which draw their numbers in the order of the paths. At most twice as many files as `threads` (by
    default, one for each core) are in memory. An error of a file is raised when it is its turn.
    """
    import collections
    import concurrent.futures
    import os

    try:
        import soundfile  # type: ignore[import-untyped,unused-ignore]
    except ImportError as error:
        raise ImportError("scaleaudio.map reads files with soundfile: pip install soundfile") from error

    def work(path: Item, change: Callable[[Any, int], Result]) -> Tuple[Item, Result, int]:
        samples, rate = soundfile.read(path, dtype="float32")
        return path, change(samples.T, rate), rate

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    workers = threads or cores
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        waiting: Any = collections.deque()
        try:
            for path in paths:
                drawn = getattr(change, "drawn", None)
                waiting.append(pool.submit(work, path, drawn() if drawn else change))
                if len(waiting) >= 2 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _whole(value: Any, name: str) -> int:
    """A whole number, also as a float or of numpy."""
    try:
        number = int(value)
    except (OverflowError, ValueError) as error:
        raise ScalingError(f"{name} is {value}, not a whole number") from error
    if number != value:
        raise ScalingError(f"{name} is {value}, not a whole number")
    if not -2**31 < number < 2**62:
        raise ScalingError(f"{name} is out of range: {value}")
    return number


def _length(value: Any, name: str) -> int:
    """A number of frames."""
    number = _whole(value, name)
    if number < 0:
        raise ScalingError(f"{name} is {value}, not at least 0")
    return number


def _number(value: SupportsFloat, name: str) -> float:
    try:
        return float(value)
    except OverflowError as error:
        raise ScalingError(f"{name} is out of range: {value}") from error


def _reciprocal(value: SupportsFloat, name: str) -> float:
    number = _number(value, name)
    if not (number > 0 and math.isfinite(number)):
        raise ScalingError(f"a {name} of {number} is not above 0")
    return 1 / number


def _array(y: Any) -> Samples:
    """The samples as an array, without a copy where that is possible."""
    numpy = _numpy()
    if not hasattr(y, "__array__") and hasattr(y, "__dlpack__"):
        y = numpy.from_dlpack(y)
    samples: Samples = numpy.asarray(y)
    if samples.dtype.str[1:] not in _library.TYPES:
        raise TypeError(f"samples have the type {samples.dtype}, not float32, float64 or int16")
    return samples if samples.dtype.isnative else samples.astype(samples.dtype.newbyteorder("="))


def _choice(value: str, names: Any, what: str) -> int:
    if value not in names:
        raise ScalingError(f"{what} is {value!r}, not one of {', '.join(names)}")
    return int(names[value])


def _settings(
    dtype: Any, channels: int, *, method: str, rate: Any = 44100, factor: float = 1.0, semitones: SupportsFloat = 0.0,
    formants: str = "shift", quality: str = "high",
) -> Any:
    if dtype.str[1:] not in _library.TYPES:
        raise TypeError(f"samples have the type {dtype}, not float32, float64 or int16")
    if not 1 <= channels <= 64:
        raise ScalingError(f"{channels} channels are not 1 to 64; scale signals that do not belong together one by one")
    settings = _library.Settings()
    _library.library().scaleaudio_defaults(ctypes.byref(settings), ctypes.sizeof(settings))
    settings.method = _choice(method, _library.METHODS, "method")
    settings.quality = _choice(quality, _library.QUALITIES, "quality")
    settings.formants = _choice(formants, _library.FORMANTS, "formants")
    settings.sample_type = _library.TYPES[dtype.str[1:]]
    settings.channels = channels
    # Rates that no method uses need not be in range.
    settings.sample_rate = min(_whole(rate, "sr"), 2**31 - 1) if method == "stretch" else 44100
    # The library takes 0 for another request.
    settings.factor = factor if factor != 0 else math.nan
    settings.semitones = _number(semitones, "semitones")
    return settings


def _scaled(
    y: Any, axis: int, out: Optional[Samples], *, frames: Optional[Callable[[int], int]] = None,
    points: Optional[Sequence[Tuple[float, float]]] = None, **values: Any,
) -> Samples:
    """Scales samples along an axis; `frames` gives the length of the result, by default the product, truncated."""
    numpy = _numpy()
    samples = _array(y)
    if samples.ndim == 0:
        raise ValueError("samples have no axis")
    if not -samples.ndim <= axis < samples.ndim:
        raise ValueError(f"axis {axis} is out of bounds for an array of {samples.ndim} dimensions")
    axis %= samples.ndim
    length = samples.shape[axis]
    others = samples.shape[:axis] + samples.shape[axis + 1:]
    channels = math.prod(others)
    if channels == 0:
        raise ValueError(f"an array of the shape {samples.shape} has no channels")
    settings = _settings(samples.dtype, channels, **values)
    if points is not None:
        flat = [number for point in points for number in point]
        settings.map = (ctypes.c_double * max(2, len(flat)))(*flat)
        settings.map_points = len(points)
    settings.input_frames = length
    if frames is not None:
        try:
            settings.output_frames = min(frames(length), 2**62)
        except OverflowError as error:
            raise ScalingError("the output is too long") from error
    library = _library.library()
    sentence = _library.message()
    made = library.scaleaudio_output_frames(ctypes.byref(settings), length)
    if made < 0:
        # Another call has the sentence of the error.
        made = library.scaleaudio_scale(ctypes.byref(settings), None, length, None, 0, sentence, len(sentence))
        raise ScalingError(_library.text(made, sentence))
    shape = samples.shape[:axis] + (made,) + samples.shape[axis + 1:]
    if out is not None:
        if not isinstance(out, numpy.ndarray) or out.shape != shape or out.dtype != samples.dtype:
            raise ValueError(f"out is not an array of the shape {shape} and the type {samples.dtype}")
        if not out.flags.writeable or numpy.may_share_memory(out, samples):
            raise ValueError("out is read-only, or shares memory with the samples")
    result: Samples = out if out is not None and out.flags.c_contiguous else numpy.empty(shape, samples.dtype)
    # Time first is interleaved; time last is a plane for each channel; anything between is copied to be that.
    if axis == 0:
        source, target = numpy.ascontiguousarray(samples), result
        from_, to = source.ctypes.data, target.ctypes.data
    else:
        source = numpy.ascontiguousarray(numpy.moveaxis(samples, axis, -1))
        target = result if axis == samples.ndim - 1 else numpy.empty((*others, made), samples.dtype)
        settings.layout = _library.PLANAR
        from_, to = _planes(source, channels, length), _planes(target, channels, made)
    done = library.scaleaudio_scale(ctypes.byref(settings), from_, length, to, made, sentence, len(sentence))
    if done < 0:
        raise ScalingError(_library.text(done, sentence))
    if target is not result:
        result[...] = numpy.moveaxis(target, -1, axis)
    if out is None:
        return result
    if result is not out:
        out[...] = result
    return out


def _planes(array: Samples, channels: int, frames: int) -> Any:
    """Pointers to the planes of a contiguous array."""
    step = frames * array.itemsize
    return ctypes.cast((ctypes.c_void_p * channels)(*(array.ctypes.data + index * step for index in range(channels))), ctypes.c_void_p)
