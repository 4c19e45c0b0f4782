"""Checks what was timed, so that nothing is fast because it is wrong.

  check.py exact METHOD FACTOR SOURCE OUTPUT    every sample, by the definition of linear and smoothstep
  check.py sound FACTOR FRAMES SOURCE OUTPUT    length, within so many frames, and level, within 3 dB

The output is decoded by ffmpeg in `sound`, by libsndfile in `exact`. Of folders, some 20 files are looked at.
"""
import os, subprocess, sys
import numpy as np
import soundfile

BLOCK = 1 << 20


def exact(method, factor, source, output):
    with soundfile.SoundFile(source) as frames, soundfile.SoundFile(output) as made:
        count, length = frames.frames, made.frames
        if length != int(float(count) * factor):
            sys.exit(f"{output}: {length} frames, not {int(float(count) * factor)}")
        for start in range(0, length, BLOCK):
            n = np.arange(start, min(length, start + BLOCK), dtype=np.float64)
            if method == "smoothstep" and length > count:
                x = n / (float(length - 1) / float(count - 1))
                t = x - np.floor(x)
                places = np.floor(x) + t * t * (3 - 2 * t)
            else:
                places = n * (float(count - 1) / float(length - 1))
            if n[-1] == length - 1:
                places[-1] = count - 1
            base = np.trunc(places).astype(np.int64)
            first = base[0]
            frames.seek(first)
            near = frames.read(base[-1] - first + 2, dtype="int16", always_2d=True).astype(np.float64)
            near = np.vstack([near, near[-1:]])
            at = base - first
            wanted = np.rint(near[at] + (places - base)[:, None] * (near[at + 1] - near[at]))
            if not np.array_equal(made.read(len(n), dtype="int16", always_2d=True), wanted):
                sys.exit(f"{output}: other samples than the definition's, from frame {start} on")


def decoded(path, channels):
    """Frames, and energy per sample, of what ffmpeg decodes."""
    with subprocess.Popen(["ffmpeg", "-v", "error", "-i", path, "-f", "s16le", "-"],
                          stdout=subprocess.PIPE) as child:
        count = energy = 0
        while part := child.stdout.read(2 * channels * BLOCK):
            samples = np.frombuffer(part, np.int16).astype(np.float64)
            count += len(samples) // channels
            energy += samples @ samples / channels
    if child.returncode:
        sys.exit(f"{path}: ffmpeg cannot decode it")
    return count, energy / max(count, 1)


def sound(factor, tolerance, source, output):
    channels = soundfile.info(source).channels
    count, power = decoded(source, channels)
    made, made_power = decoded(output, channels)
    wanted = int(count * factor)
    if abs(made - wanted) > tolerance:
        sys.exit(f"{output}: {made} frames, not {wanted}")
    if abs(10 * np.log10(made_power / power)) > 3:
        sys.exit(f"{output}: another level: {10 * np.log10(made_power / power):.1f} dB")


def main():
    what, rest = sys.argv[1], sys.argv[2:]
    if what == "exact":
        exact(rest[0], float(rest[1]), rest[2], rest[3])
    else:
        factor, frames, source, output = rest
        if os.path.isdir(output):
            names = sorted(os.listdir(source))
            if names != sorted(os.listdir(output)):
                sys.exit(f"{output}: other files than in {source}")
            for name in names[::max(1, len(names) // 20)]:
                sound(float(factor), int(frames), os.path.join(source, name),
                      os.path.join(output, name))
        else:
            sound(float(factor), int(frames), source, output)


main()
