"""`import scaleaudio.compat.python_stretch as ps`: `ps.Signalsmith.Stretch` with `preset`, `setTimeFactor`, `setTransposeSemitones`,
`setTransposeFactor` and `process`, which takes float32 samples of the shape (channels, frames)."""

from __future__ import annotations

import math
import types
from typing import Any

from .. import _arrays
from .._errors import ScalingError

__all__ = ["Signalsmith"]


class Stretch:
    """Stretches whole signals, or shifts their pitch."""

    def __init__(self) -> None:
        self.timeFactor = 1.0
        self.sampleRate = 44100.0
        self._channels = 0
        self._semitones = 0.0

    def preset(self, nChannels: int, sampleRate: float, cheaper: bool = False) -> None:
        """Sets the number of channels and the sample rate, in Hz; `cheaper` is ignored."""
        self._channels, self.sampleRate = nChannels, sampleRate

    def setTimeFactor(self, timeFactor: float) -> None:
        """Sets the tempo: 2.0 is twice as fast."""
        _arrays._reciprocal(timeFactor, "time factor")
        self.timeFactor = timeFactor

    def setTransposeSemitones(self, semitones: float, tonalityLimit: float = 0) -> None:
        """Sets the shift of the pitch; `tonalityLimit` is ignored."""
        self._semitones = semitones

    def setTransposeFactor(self, multiplier: float, tonalityLimit: float = 0) -> None:
        """Sets the shift of the pitch as a factor: 2.0 is an octave up."""
        if not multiplier > 0:
            raise ScalingError(f"a factor of {multiplier} is not above 0")
        self._semitones = 12 * math.log2(multiplier)

    def reset(self) -> None:
        """Does nothing: each call of `process` is a signal of its own."""

    def process(self, audio_input: Any) -> Any:
        """The samples, changed; `n / timeFactor` frames, rounded."""
        if len(audio_input) != self._channels:
            raise ScalingError(f"{len(audio_input)} channels are not the {self._channels} of preset")
        factor = _arrays._reciprocal(self.timeFactor, "time factor")
        return _arrays._scaled(
            audio_input, -1, None, method="stretch", rate=int(self.sampleRate), factor=factor, semitones=self._semitones,
            frames=lambda n: math.floor(n / self.timeFactor + 0.5))


Signalsmith = types.SimpleNamespace(Stretch=Stretch)
