"""The sound that is converted, and the expected result."""
import numpy as np

RATE = 48000
FRAMES = 24123
FACTOR = 1.5
OUT_FRAMES = int(float(FRAMES) * FACTOR)

# Speakers in the order of the WAVE mask's bits: name as ffmpeg knows it, mask.
LAYOUTS = {
    "mono": (0x4, 1), "stereo": (0x3, 2), "2.1": (0xB, 3), "3.0": (0x7, 3), "quad": (0x33, 4),
    "quad(side)": (0x603, 4), "5.0": (0x37, 5), "5.0(side)": (0x607, 5), "5.1": (0x3F, 6),
    "5.1(side)": (0x60F, 6), "6.1": (0x70F, 7), "7.1": (0x63F, 8), "7.1(wide)": (0xFF, 8),
}
DEPTHS = {"8": ("u8", 8), "16": ("s16le", 16), "24": ("s24le", 24), "32": ("s32le", 32),
          "f32": ("f32le", 0), "f64": ("f64le", 0)}


def tone(channel):
    """The frequency of a channel, in Hz: low enough for an LFE, different for each channel."""
    return 42 + 12 * channel


def sound(channels):
    """frames x channels, full scale 1: a different tone and a little noise in every channel."""
    time = np.arange(FRAMES) / RATE
    noise = np.random.default_rng(5).uniform(-0.02, 0.02, (FRAMES, channels))
    tones = [np.sin(2 * np.pi * tone(channel) * time) for channel in range(channels)]
    return 0.5 * np.stack(tones, axis=1) + noise


def quantized(signal, depth):
    """Samples as they are stored: integers of `depth` bits as floats of that scale, or floats."""
    if depth == "f64":
        return signal
    if depth == "f32":
        return signal.astype(np.float32).astype(np.float64)
    scale = 2.0 ** (DEPTHS[depth][1] - 1)
    return np.clip(np.rint(signal * scale), -scale, scale - 1)


def packed(samples, depth):
    """The bytes of little-endian PCM."""
    if depth == "f64":
        return samples.astype("<f8").tobytes()
    if depth == "f32":
        return samples.astype("<f4").tobytes()
    whole = samples.astype(np.int64)
    if depth == "8":
        return (whole + 128).astype(np.uint8).tobytes()
    if depth == "24":
        return whole.astype("<i4").reshape(-1, 1).view(np.uint8)[:, :3].tobytes()
    return whole.astype({"16": "<i2", "32": "<i4"}[depth]).tobytes()


def scaled(samples, depth):
    """Linear interpolation at evenly spaced control points, by its definition, rounded to even."""
    count = len(samples)
    length = int(float(count) * FACTOR)
    points = np.arange(length, dtype=np.float64) * (float(count - 1) / float(length - 1))
    points[-1] = count - 1
    whole = np.trunc(points).astype(np.int64)
    part = (points - whole)[:, None]
    padded = np.vstack([samples, np.zeros((1, samples.shape[1]))])
    exact = padded[whole] + part * (padded[whole + 1] - padded[whole])
    if depth == "f64":
        return exact
    if depth == "f32":
        return exact.astype(np.float32).astype(np.float64)
    return np.rint(exact)


def stored_depth(depth, depths):
    """A source's own depth, or the nearest of those that a target holds; 16 bits for one without depth."""
    if depth in depths or not depths:
        return depth
    wider = {"f32": ["24"], "f64": ["f32", "32", "24"], "32": ["24"], "8": ["16"]}[depth]
    return next(depth for depth in wider if depth in depths)


def expected(original, depth, stored):
    """The expected samples of one depth in an output of another."""
    if stored == depth:
        return scaled(original, depth)
    bits = DEPTHS[depth][1]
    return quantized(scaled(original / (2.0 ** (bits - 1) if bits else 1), "f64"), stored)


def dominant(signal, rate):
    """The loudest frequency of one channel, in Hz."""
    count = 1 << 16
    spectrum = np.abs(np.fft.rfft(signal * np.hanning(len(signal)), count))
    spectrum[: int(10 * count / rate)] = 0
    return np.argmax(spectrum) * rate / count
