"""Augmentation: callables that change samples by a number drawn at random.

    augment = scaleaudio.augment.Tempo(0.9, 1.1, seed=7)
    changed = augment(samples, sample_rate)

They are called as the transforms of audiomentations are, so they can stand in its `Compose`, and as any function can, in a
`Dataset` of torch or a mapper. `samples` are as in `scaleaudio.tempo`, with the time along the last axis.

With a seed, one process draws the same numbers in every run, other ones in each class, and worker processes that multiprocessing started (those of
torch's `DataLoader` too) each draw their own. With `key`, such as the name of an utterance, the number depends on seed and key alone, in
whatever order and process, and on the class.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import random
from typing import Any, Optional, SupportsFloat, Tuple, Union

from . import _arrays, _library
from ._errors import ScalingError

__all__ = ["Pitch", "Speed", "Tempo"]

Key = Union[str, bytes, int]


class _Change:
    """A number between `low` and `high`, drawn for each call; with the probability 1 - `p` nothing changes."""

    _name = ""
    _range = (0.0, 0.0)

    def __init__(self, low: SupportsFloat, high: SupportsFloat, *, p: float = 1.0, seed: Optional[int] = None) -> None:
        self.low, self.high = _arrays._number(low, "the lowest value"), _arrays._number(high, "the highest value")
        self.p, self.seed = float(p), seed
        least, most = self._range
        for value in self.low, self.high:
            if not least <= value <= most:
                raise ScalingError(f"{self._name} is {value}, not within {least:.9g} to {most:.9g}")
        if self.low > self.high:
            raise ScalingError(f"the lowest value, {self.low}, is above the highest, {self.high}")
        if not 0 <= self.p <= 1:
            raise ScalingError(f"a probability of {self.p} is not within 0 to 1")
        self._random: Optional[random.Random] = None
        self._process = 0
        self._frozen = False
        self._drawn: Optional[float] = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.low}, {self.high}, p={self.p}, seed={self.seed})"

    def __getstate__(self) -> Any:
        return {**self.__dict__, "_random": None}

    @property
    def value(self) -> Optional[float]:
        """The number that the last call drew; None if it changed nothing."""
        return self._drawn

    @property
    def parameters(self) -> Any:
        """The change of the last call, as audiomentations reports it."""
        return {"should_apply": self._drawn is not None, self._name: self._drawn}

    def freeze_parameters(self) -> None:
        """Has the next calls do what the last one did."""
        self._frozen = True

    def unfreeze_parameters(self) -> None:
        """Has each call draw again."""
        self._frozen = False

    def draw(self, key: Optional[Key] = None) -> Optional[float]:
        """A number as the next call would draw it; None if nothing is to change."""
        source = self._source() if key is None else self._keyed(key)
        # Both numbers are drawn each time, so that one does not move the others.
        chance, place = source.random(), source.random()
        return self.low + (self.high - self.low) * place if chance < self.p else None

    def drawn(self, key: Optional[Key] = None) -> _Drawn:
        """A function that changes samples by a number that is drawn now."""
        self._drawn = self.draw(key)
        return _Drawn(self, self._drawn)

    def __call__(self, samples: Any, sample_rate: int, key: Optional[Key] = None) -> Any:
        """The samples, changed by a number that is drawn; the same ones if nothing is to change."""
        if not self._frozen:
            self._drawn = self.draw(key)
        return samples if self._drawn is None else self.apply(samples, sample_rate, self._drawn)

    def apply(self, samples: Any, sample_rate: int, value: float) -> Any:
        """The samples, changed by a number that is given."""
        raise NotImplementedError

    def cut(self, cut: Any) -> Any:
        """A cut of lhotse, changed by a number that is drawn by its id, for `CutSet.map`.

        The new cut has a recording in memory of its own, with the true number of samples, and supervisions, with their alignments, where their
        sound is now; what is beyond the cut is cut off. If nothing is to change, the same cut. Features are left out.
        A recording, an array or features in a custom field, which would not be changed, raises `ScalingError`: drop the field before.
        """
        import io

        import soundfile  # type: ignore[import-untyped,unused-ignore]
        from lhotse import AudioSource, Features, MonoCut, MultiCut, Recording  # type: ignore[import-not-found,import-untyped,unused-ignore]
        from lhotse.array import Array, TemporalArray  # type: ignore[import-not-found,import-untyped,unused-ignore]
        from lhotse.utils import fastcopy  # type: ignore[import-not-found,import-untyped,unused-ignore]

        value = self.draw(str(cut.id))
        if value is None:
            return cut
        for owner in cut, *cut.supervisions:
            for field, content in (owner.custom or {}).items():
                if isinstance(content, (Recording, Array, TemporalArray, Features)):
                    raise ScalingError(
                        f"{owner.id}: the custom field {field!r} is of the type {type(content).__name__}, and would keep its length; drop it before")
        samples = self.apply(cut.load_audio(), cut.sampling_rate, value)
        channels, frames = samples.shape
        data = io.BytesIO()
        soundfile.write(data, samples.T, cut.sampling_rate, format="WAV", subtype="FLOAT")
        seconds = frames / cut.sampling_rate
        factor = seconds / cut.duration
        name = f"{cut.id}_{self._name}{value:.4f}"
        recording = Recording(
            id=name, sources=[AudioSource("memory", list(range(channels)), data.getvalue())], sampling_rate=cut.sampling_rate,
            num_samples=frames, duration=seconds)
        supervisions = []
        for one in cut.trimmed_supervisions:
            alignment = one.alignment and {
                kind: [item._replace(start=item.start * factor, duration=item.duration * factor) for item in items]
                for kind, items in one.alignment.items()}
            start = one.start * factor
            supervisions.append(fastcopy(
                one, id=f"{one.id}_{self._name}{value:.4f}", recording_id=name, start=start,
                duration=min(one.duration * factor, seconds - start), alignment=alignment,
                channel=0 if channels == 1 else one.channel))
        kind, channel = (MonoCut, 0) if channels == 1 else (MultiCut, list(range(channels)))
        return kind(
            id=name, start=0.0, duration=seconds, channel=channel, supervisions=supervisions, recording=recording, custom=cut.custom)

    def _source(self) -> random.Random:
        # A process that was forked must not draw what the one before draws.
        if self._random is None or self._process != os.getpid():
            self._process = os.getpid()
            worker: Tuple[int, ...] = tuple(getattr(multiprocessing.current_process(), "_identity", ()))
            self._random = random.Random() if self.seed is None else random.Random(f"{type(self).__name__} {self.seed} {worker}")
        return self._random

    def _keyed(self, key: Key) -> random.Random:
        name = key if isinstance(key, bytes) else str(key).encode()
        return random.Random(hashlib.sha256(f"{type(self).__name__} {self.seed} ".encode() + name).digest())


class _Drawn:
    """A change with its number."""

    def __init__(self, change: _Change, value: Optional[float]) -> None:
        self.change, self.value = change, value

    def __call__(self, samples: Any, sample_rate: int) -> Any:
        return samples if self.value is None else self.change.apply(samples, sample_rate, self.value)


class Tempo(_Change):
    """Makes samples `low` to `high` times as fast, at the same pitch."""

    _name = "tempo"
    _range = (0.01, 20.0)

    def apply(self, samples: Any, sample_rate: int, value: float) -> Any:
        return _arrays.tempo(samples, sample_rate, value)


class Speed(_Change):
    """Plays samples `low` to `high` times as fast; the pitch moves too."""

    _name = "speed"
    _range = (2.0**-16, 2.0**16)

    def apply(self, samples: Any, sample_rate: int, value: float) -> Any:
        return _arrays.speed(samples, sample_rate, value)


class Pitch(_Change):
    """Shifts the pitch by `low` to `high` semitones, at the same length."""

    _name = "semitones"
    _range = (-48.0, 48.0)

    def __init__(
        self, low: SupportsFloat, high: SupportsFloat, *, formants: str = "shift", p: float = 1.0, seed: Optional[int] = None,
    ) -> None:
        super().__init__(low, high, p=p, seed=seed)
        _arrays._choice(formants, _library.FORMANTS, "formants")
        self.formants = formants

    def apply(self, samples: Any, sample_rate: int, value: float) -> Any:
        return _arrays.pitch(samples, sample_rate, value, formants=self.formants)
