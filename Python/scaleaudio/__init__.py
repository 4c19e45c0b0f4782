"""Makes audio files longer or shorter, in bulk, with nothing lost.

A thin module over the program `scaleaudio` for files, and over its library for arrays, both of which it brings along:

    import scaleaudio

    faster = scaleaudio.tempo(y, sr, 1.25)  # an array, at the same pitch

    scaleaudio.convert("talk.wav", tempo=1.1, output="faster.wav")  # the pitch stays
    for record in scaleaudio.convert("Corpus", speed=[0.9, 1.1], output="changed"):  # it moves too
        print(record.input, record.status, record.output_frames)
"""

from __future__ import annotations

import importlib
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List

    from . import augment, compat
    from ._arrays import Stream, map, pitch, resample, scale, speed, tempo, warp
    from ._errors import ScaleAudioError, ScalingError
    from ._files import (
        ConversionError, Conversions, FileError, Info, Merge, Peaks, Plan, Record, Verification, conversions, convert, info, merge, peaks,
        plan, shard, verify)

__all__ = [
    "ConversionError", "Conversions", "FileError", "Info", "Merge", "Peaks", "Plan", "Record", "ScaleAudioError", "ScalingError",
    "Stream", "Verification", "__version__", "augment", "compat", "conversions", "convert", "info", "map", "merge", "peaks", "pitch",
    "plan", "program", "resample", "scale", "shard", "speed", "tempo", "verify", "warp",
]
__version__ = "@VERSION@"

# Each module is imported when one of its names is first used: who scales arrays needs nothing of what files take.
_MODULES = {
    "_arrays": ("Stream", "map", "pitch", "resample", "scale", "speed", "tempo", "warp"),
    "_errors": ("ScaleAudioError", "ScalingError"),
    "_files": (
        "ConversionError", "Conversions", "FileError", "Info", "Merge", "Peaks", "Plan", "Record", "Verification", "conversions",
        "convert", "info", "merge", "peaks", "plan", "shard", "verify"),
}

# Checkers of types would take any name for one of the module.
if not TYPE_CHECKING:

    def __getattr__(name):
        if name in ("augment", "compat"):
            return importlib.import_module(f"{__name__}.{name}")
        for module, names in _MODULES.items():
            if name in names:
                globals()[name] = found = getattr(importlib.import_module(f"{__name__}.{module}"), name)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> List[str]:
    return sorted({*globals(), *__all__})


def program() -> str:
    """The path of the program: what `SCALEAUDIO_PROGRAM` names, or the one that was installed with this module."""
    named = os.environ.get("SCALEAUDIO_PROGRAM")
    return named if named else os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "scaleaudio")
