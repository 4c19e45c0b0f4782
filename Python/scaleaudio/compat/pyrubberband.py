"""`import scaleaudio.compat.pyrubberband as pyrb`: `time_stretch`, `pitch_shift` and `timemap_stretch`.

As there, samples have the shape (frames,) or (frames, channels). `rbargs` are accepted and ignored, except that `--formant` (or `-F`)
keeps the formants.
"""

from __future__ import annotations

from typing import Any, Dict, Optional, Sequence, Tuple

from .. import _arrays
from .._errors import ScalingError

__all__ = ["pitch_shift", "time_stretch", "timemap_stretch"]


def _formants(rbargs: Optional[Dict[str, Any]]) -> str:
    return "preserve" if rbargs and ("--formant" in rbargs or "-F" in rbargs) else "shift"


def time_stretch(y: Any, sr: int, rate: float, rbargs: Optional[Dict[str, Any]] = None) -> Any:
    """The samples `rate` times as fast at the same pitch; `round(n / rate)` frames."""
    factor = _arrays._reciprocal(rate, "rate")
    return _arrays._scaled(y, 0, None, method="stretch", rate=sr, factor=factor, frames=lambda n: round(n / rate))


def pitch_shift(y: Any, sr: int, n_steps: float, rbargs: Optional[Dict[str, Any]] = None) -> Any:
    """The samples with their pitch shifted by `n_steps` semitones, at the same length."""
    return _arrays.pitch(y, sr, n_steps, formants=_formants(rbargs), axis=0)


def timemap_stretch(
    y: Any, sr: int, time_map: Sequence[Tuple[int, int]], rbargs: Optional[Dict[str, Any]] = None,
) -> Any:
    """The samples along a map of frames in `y` and in the result; the last pair is the two lengths."""
    points = [(float(source), float(target)) for source, target in time_map]
    if not points or points[-1][0] != len(y):
        raise ScalingError("the last pair of time_map is not the length of y")
    if points[0] != (0.0, 0.0):
        points = [(0.0, 0.0), *points]
    return _arrays._scaled(y, 0, None, method="stretch", rate=sr, points=points)
