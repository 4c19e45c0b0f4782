"""`import scaleaudio.compat.librosa as librosa`: `effects.time_stretch`, `effects.pitch_shift` and `resample`.

Lengths are librosa's. Arguments that only its own algorithms use are accepted and ignored. librosa's time_stretch is not told the sample
rate, which decides how long windows are; it is taken to be librosa's default, 22050 Hz, unless `sr` is given.
"""

from __future__ import annotations

import math
import types
from typing import Any

from .. import _arrays
from .._errors import ScalingError

__all__ = ["effects", "pitch_shift", "resample", "time_stretch"]


def time_stretch(y: Any, *, rate: float, sr: int = 22050, **_: Any) -> Any:
    """The samples `rate` times as fast at the same pitch; `round(n / rate)` frames."""
    factor = _arrays._reciprocal(rate, "rate")
    return _arrays._scaled(y, -1, None, method="stretch", rate=sr, factor=factor, frames=lambda n: round(n / rate))


def pitch_shift(y: Any, *, sr: float, n_steps: float, bins_per_octave: int = 12, scale: bool = False, **_: Any) -> Any:
    """The samples with their pitch shifted by `n_steps` of an octave's `bins_per_octave`, at the same length."""
    if bins_per_octave < 1:
        raise ScalingError(f"bins_per_octave is {bins_per_octave}, not at least 1")
    return _arrays.pitch(y, int(sr), 12.0 * n_steps / bins_per_octave)


def resample(
    y: Any, *, orig_sr: float, target_sr: float, res_type: str = "soxr_hq", fix: bool = True, scale: bool = False,
    axis: int = -1, **_: Any,
) -> Any:
    """The samples at another rate; `ceil(n * target_sr / orig_sr)` frames. `res_type` chooses "best" for "soxr_vhq", "fast" for
    "soxr_mq" and below, otherwise "high"."""
    if orig_sr <= 0 or target_sr <= 0:
        raise ScalingError(f"a sample rate is not above 0: {orig_sr} to {target_sr}")
    if orig_sr == target_sr:
        return y
    quality = {"soxr_vhq": "best", "soxr_mq": "fast", "soxr_lq": "fast", "soxr_qq": "fast"}.get(res_type, "high")
    ratio = float(target_sr) / orig_sr
    result = _arrays._scaled(
        y, axis, None, method="sinc", factor=ratio, quality=quality, frames=lambda n: math.ceil(n * ratio))
    return result / math.sqrt(ratio) if scale else result


effects = types.SimpleNamespace(time_stretch=time_stretch, pitch_shift=pitch_shift)
