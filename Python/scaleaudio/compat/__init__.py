"""Functions with the names, arguments and shapes of other packages, so that their code is changed by an import line:
`scaleaudio.compat.librosa`, `scaleaudio.compat.pyrubberband`, `scaleaudio.compat.python_stretch`."""
