"""The library libscaleaudio, which scales samples in this process; its header documents it."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Optional

_ABI = 0
_MESSAGE = 400

METHODS = {"smoothstep": 0, "linear": 1, "sinc": 2, "stretch": 3}
QUALITIES = {"fast": 0, "high": 1, "best": 2}
FORMANTS = {"shift": 0, "preserve": 1}
# By the kind and the bytes of numpy's types.
TYPES = {"f4": 0, "f8": 1, "i2": 2}
INTERLEAVED, PLANAR = 0, 1

count = ctypes.c_int64


class Settings(ctypes.Structure):
    """`scaleaudio_settings`."""

    _fields_ = [
        ("size", ctypes.c_size_t), ("method", ctypes.c_int32), ("quality", ctypes.c_int32), ("formants", ctypes.c_int32),
        ("sample_type", ctypes.c_int32), ("layout", ctypes.c_int32), ("dither", ctypes.c_int32),
        ("channels", ctypes.c_int32), ("sample_rate", ctypes.c_int32), ("factor", ctypes.c_double),
        ("semitones", ctypes.c_double), ("input_frames", ctypes.c_int64), ("output_frames", ctypes.c_int64),
        ("map", ctypes.POINTER(ctypes.c_double)), ("map_points", ctypes.c_int64)]


_loaded: Optional[Any] = None


def path() -> str:
    """The library: what `SCALEAUDIO_LIBRARY` names, the one that was installed with this module, or the system's."""
    named = os.environ.get("SCALEAUDIO_LIBRARY")
    if named:
        return named
    name = f"libscaleaudio.so.{_ABI}"
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib", name)
    return own if os.path.exists(own) else name


def library() -> Any:
    """The library, loaded when it is first needed. Its functions run without Python's lock."""
    global _loaded
    if _loaded is None:
        try:
            loaded = ctypes.CDLL(path())
        except OSError as error:
            raise ImportError(f"scaleaudio: {path()} cannot be loaded ({error}); reinstall scaleaudio, or name the "
                              "library in SCALEAUDIO_LIBRARY") from error
        if loaded.scaleaudio_abi() != _ABI:
            raise ImportError(f"scaleaudio: {path()} has the interface {loaded.scaleaudio_abi()}, not {_ABI}")
        address, size = ctypes.c_void_p, ctypes.c_size_t
        settings = ctypes.POINTER(Settings)
        for name, result, arguments in (
            ("defaults", ctypes.c_int32, [settings, size]),
            ("output_frames", count, [settings, count]),
            ("scale", count, [settings, address, count, address, count, ctypes.c_char_p, size]),
            ("create", ctypes.c_int32, [settings, ctypes.POINTER(address), ctypes.c_char_p, size]),
            ("destroy", None, [address]),
            ("study", ctypes.c_int32, [address, address, count]),
            ("push", ctypes.c_int32, [address, address, count]),
            ("end", ctypes.c_int32, [address]),
            ("pull", count, [address, address, count]),
            ("reset", ctypes.c_int32, [address]),
            ("begin", count, [address, count]),
            ("message", ctypes.c_int32, [address, ctypes.c_char_p, size]),
            ("version", ctypes.c_char_p, []),
            ("error_text", ctypes.c_char_p, [count]),
        ):
            function = getattr(loaded, f"scaleaudio_{name}")
            function.restype, function.argtypes = result, arguments
        _loaded = loaded
    return _loaded


def message() -> Any:
    """Room for the sentence of an error."""
    return ctypes.create_string_buffer(_MESSAGE)


def text(error: int, sentence: Any = None) -> str:
    """The sentence of an error, or the meaning of its code."""
    value = sentence.value if sentence is not None else b""
    return str((value or library().scaleaudio_error_text(error)).decode())
