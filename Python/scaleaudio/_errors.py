"""Errors of the program and of the library."""

from __future__ import annotations

from typing import Any, Tuple, Type


class ScaleAudioError(Exception):
    """The program refused its arguments, found no input, or failed as a whole.

    `status` is its exit status: 64 for wrong usage, 66 without input, 75 for what is worth a retry, such as a full disk.
    """

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status

    def __reduce__(self) -> Tuple[Any, ...]:
        # By itself, an exception is made again from its message alone.
        return _remade, (type(self), self.args), self.__dict__


class ScalingError(ScaleAudioError, ValueError):
    """Samples cannot be scaled so: a value is out of range, or a call came at the wrong time."""

    def __init__(self, message: str) -> None:
        super().__init__(message, 64)


def _remade(kind: Type[ScaleAudioError], arguments: Tuple[Any, ...]) -> ScaleAudioError:
    """An exception from another process, or a copy of one, before it gets its attributes."""
    error = kind.__new__(kind)
    error.args = arguments
    return error
