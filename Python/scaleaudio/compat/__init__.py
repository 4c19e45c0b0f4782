"""Functions with the names, arguments and shapes of other packages, so that their code is changed by an import line:
`scaleaudio.compat.librosa`, `scaleaudio.compat.pyrubberband`, `scaleaudio.compat.python_stretch`."""

import importlib
import types

__all__ = ["librosa", "pyrubberband", "python_stretch"]


def __getattr__(name: str) -> types.ModuleType:
    if name in __all__:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
