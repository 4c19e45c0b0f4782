"""Makes a file to be scaled: `material.py FILE SECONDS [CHANNELS] [RATE] [SEED]`.

Notes with decaying partials, each channel's its own, over soft noise: encoders find in it about as much
to do as in music. A minute of it is repeated.
"""
import sys
import numpy as np
import soundfile


def minute(seconds, channels, rate, seed):
    dice = np.random.default_rng(seed)
    count = int(seconds * rate)
    sound = 0.002 * dice.standard_normal((count, channels))
    length = int(1.5 * rate)
    t = np.arange(length) / rate
    for start in np.arange(0, max(seconds - 0.1, 0.01), 0.2):
        pitch = 110 * 2 ** (dice.integers(0, 36) / 12)
        partials = [n for n in range(1, 12) if n * pitch < rate / 2.3]
        note = sum(dice.uniform(0.2, 1) / n * np.sin(2 * np.pi * n * pitch * t + dice.uniform(0, 6))
                   * np.exp(-t * (2 + n)) for n in partials)
        note = note * np.minimum(1, t / 0.004)
        at = int(start * rate)
        end = min(count, at + length)
        sound[at:end] += 0.12 * note[:end - at, None] * dice.uniform(0.2, 1, channels)
    return np.rint(np.clip(sound, -0.99, 0.99) * 32767).astype(np.int16)


def main():
    path, seconds = sys.argv[1], float(sys.argv[2])
    channels, rate, seed = (int(text) for text in (sys.argv[3:] + ["2", "44100", "1"][len(sys.argv) - 3:]))
    block = minute(min(seconds, 60), channels, rate, seed)
    left = int(seconds * rate)
    # The length alone decides if `RF64` is needed.
    with soundfile.SoundFile(path, "w", rate, channels, "PCM_16") as file:
        while left:
            file.write(block[:left])
            left -= min(left, len(block))


main()
