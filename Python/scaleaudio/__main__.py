"""`scaleaudio` and `python -m scaleaudio`: the program takes this process's place."""

import os
import sys

from scaleaudio import program


def main() -> None:
    """Runs the program with this process's arguments; names the remedy if it is not there."""
    path = program()
    try:
        os.execv(path, [path, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"scaleaudio: {path}: {error.strerror}; install the package again, or name the program in SCALEAUDIO_PROGRAM")


if __name__ == "__main__":
    main()
