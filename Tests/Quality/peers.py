"""Runs a stretcher that is a Python package on a file: `peers.py NAME SOURCE OUTPUT FACTOR`."""
import sys
import numpy as np
import soundfile


def signalsmith(frames, rate, factor):
    import python_stretch
    # A seed of its own: the same in every run.
    stretch = python_stretch.Signalsmith.Stretch(1)
    stretch.preset(frames.shape[1], rate)
    stretch.timeFactor = 1 / factor
    return stretch.process(np.ascontiguousarray(frames.T)).T


def bungee(frames, rate, factor):
    from bungee_python import bungee
    stretch = bungee.Bungee(rate, frames.shape[1])
    stretch.set_speed(1 / factor)
    return stretch.process(np.ascontiguousarray(frames))


def main():
    name, source, output, factor = sys.argv[1:]
    frames, rate = soundfile.read(source, dtype="float32", always_2d=True)
    made = {"signalsmith": signalsmith, "bungee": bungee}[name](frames, rate, float(factor))
    soundfile.write(output, made, rate, subtype="FLOAT")


main()
