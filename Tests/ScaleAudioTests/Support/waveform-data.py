"""Reads waveform data as audiowaveform's doc/DataFormat.md describes it, and works out with numpy what it should say.

waveform-data.py make FILE.wav CHANNELS FRAMES    writes noise of 16 bits at 44.1 kHz, extremes included
waveform-data.py check FILE.wav FILE.json|FILE.dat PIXELS_PER_SECOND BITS [split] [START END]
"""
import json
import struct
import sys
import wave

import numpy as np


def make(path, channels, frames):
    samples = np.random.default_rng(frames).integers(-32768, 32768, (frames, channels))
    # From quiet to loud, so that pixels differ.
    samples = np.trunc(samples * np.linspace(0.01, 1, frames)[:, None])
    if frames > 10:
        samples[3], samples[5] = -32768, 32767
    with wave.open(path, "wb") as file:
        file.setparams((channels, 2, 44100, 0, "NONE", ""))
        file.writeframes(samples.astype("<i2").tobytes())


def read(path):
    """The header's fields and the values, one row for each pixel, of channels' lowest and highest."""
    if path.endswith(".json"):
        with open(path) as file:
            fields = json.load(file)
        values = np.array(fields.pop("data"), dtype=int)
    else:
        with open(path, "rb") as file:
            data = file.read()
        names = ["version", "bits", "sample_rate", "samples_per_pixel", "length", "channels"]
        fields = dict(zip(names, struct.unpack("<iIiiIi", data[:24])))
        assert fields["bits"] in (0, 1), "unused flags are set"
        fields["bits"] = 8 if fields["bits"] else 16
        values = np.frombuffer(data[24:], "i1" if fields["bits"] == 8 else "<i2").astype(int)
    return fields, values.reshape(fields["length"], 2 * fields["channels"])


def expected(path, pixels_per_second, bits, split, start, end):
    with wave.open(path) as file:
        rate, channels = file.getframerate(), file.getnchannels()
        frames = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(int)
    frames = frames.reshape(-1, channels)[start:end]
    if not split:
        frames = np.trunc(frames.sum(axis=1, keepdims=True) / channels).astype(int)
    size = rate // pixels_per_second
    pixels = [frames[at:at + size] for at in range(0, len(frames), size)]
    values = [
        [edge for channel in pixel.T for edge in (channel.min(), channel.max())] for pixel in pixels
    ]
    values = np.array(values, dtype=int).reshape(len(pixels), 2 * frames.shape[1])
    if bits == 8:
        values = np.trunc(values / 256).astype(int)
    fields = {
        "version": 2, "channels": frames.shape[1], "sample_rate": rate, "samples_per_pixel": size,
        "bits": bits, "length": len(pixels),
    }
    return fields, values


command, arguments = sys.argv[1], sys.argv[2:]
if command == "make":
    make(arguments[0], int(arguments[1]), int(arguments[2]))
else:
    split = "split" in arguments
    numbers = [int(argument) for argument in arguments[4:] if argument not in ("", "split")]
    start, end = numbers if numbers else (0, None)
    found, wanted = read(arguments[1]), expected(
        arguments[0], int(arguments[2]), int(arguments[3]), split, start, end)
    assert found[0] == wanted[0], f"{found[0]} is not {wanted[0]}"
    assert np.array_equal(found[1], wanted[1]), "values differ"
    print(found[0]["length"], "pixels")
