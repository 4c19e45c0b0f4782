"""Instruments for voices: intelligibility, phasiness, vibrato."""
import numpy as np
from bands import spectra

ESTOI_RATE = 10000


def resampled(signal, rate, wanted):
    """The signal at another rate, by its spectrum."""
    count = int(round(len(signal) * wanted / rate))
    spectrum = np.fft.rfft(signal)
    bins = min(len(spectrum), count // 2 + 1)
    return np.fft.irfft(spectrum[:bins], count) * (count / len(signal))


def third_octaves(size, rate, lowest=150.0, count=15):
    centers = lowest * 2 ** (np.arange(count) / 3)
    frequency = np.arange(size // 2 + 1) * rate / size
    return np.array([(frequency >= f * 2 ** (-1 / 6)) & (frequency < f * 2 ** (1 / 6)) for f in centers],
                    dtype=float)


def estoi(output, source, factor, rate):
    """Intelligibility of a result beside its source, 1 for the same (Jensen and Taal 2016).

    Frames of the source are those that the map puts at the frames of the result, so that length does not count."""
    made, wanted = (resampled(one.mean(axis=1) if one.ndim == 2 else one, rate, ESTOI_RATE)
                    for one in (output, source))
    size, hop, length = 256, 128, 30
    centers = np.arange(size // 2, min(len(made), len(wanted) * factor) - size // 2, hop)
    octaves = third_octaves(512, ESTOI_RATE)

    def envelopes(signal, places):
        padded = np.pad(signal, size)
        starts = np.rint(places).astype(int) + size // 2
        pieces = padded[starts[:, None] + np.arange(size)] * np.hanning(size + 2)[1:-1]
        return pieces, np.sqrt(np.abs(np.fft.rfft(pieces, 512, axis=1)) ** 2 @ octaves.T)
    pieces, clean = envelopes(wanted, centers / factor)
    _, noisy = envelopes(made, centers)
    # Frames 40 dB below the loudest are silence.
    level = 20 * np.log10(np.linalg.norm(pieces, axis=1) + 1e-12)
    kept = level > level.max() - 40
    clean, noisy = clean[kept].T, noisy[kept].T
    if clean.shape[1] < length:
        return float("nan")

    def normalized(block):
        for axis in (1, 0):
            block = block - block.mean(axis=axis, keepdims=True)
            block = block / np.maximum(np.linalg.norm(block, axis=axis, keepdims=True), 1e-12)
        return block
    found = [np.sum(normalized(clean[:, at:at + length]) * normalized(noisy[:, at:at + length])) / length
             for at in range(0, clean.shape[1] - length + 1)]
    return float(np.mean(found))


def residual(piece, order):
    """What linear prediction leaves of a block: the pulses that excite a voice."""
    windowed = piece * np.hanning(len(piece))
    spectrum = np.fft.rfft(windowed, 2 * len(piece))
    correlation = np.fft.irfft(np.abs(spectrum) ** 2)[:order + 1]
    if correlation[0] <= 0:
        return np.zeros(len(piece))
    correlation[0] *= 1 + 1e-6
    matrix = correlation[np.abs(np.arange(order)[:, None] - np.arange(order)[None, :])]
    weights = np.linalg.solve(matrix, correlation[1:order + 1])
    return np.convolve(piece, np.concatenate([[1], -weights]))[order:len(piece)]


def peakiness(signal, places, rate, seconds=0.04):
    """How peaked the whitened signal is around frames, in dB: the fourth moment over the second, 0 for a square wave."""
    half, order = int(seconds * rate / 2), int(rate / 1000) + 2
    found = []
    for place in np.rint(places).astype(int):
        piece = signal[max(0, place - half):place + half]
        if len(piece) < 2 * half:
            continue
        pulses = residual(piece, order)
        second = np.mean(pulses ** 2)
        if second > 0:
            found.append(10 * np.log10(np.sqrt(np.mean(pulses ** 4)) / second))
    return float(np.mean(found)) if found else float("nan")


def peakiness_loss(output, source, factor, rate):
    """How much less peaked the pulses of a voice are than in the source, in dB."""
    places = np.arange(0.1, len(source) / rate - 0.1, 0.02) * rate
    return peakiness(source, places, rate) - peakiness(output, places * factor, rate)


def pitch_track(signal, rate, low, high):
    """The frequency of the only component between two frequencies, for every frame, in Hz."""
    spectrum = np.fft.fft(signal)
    frequency = np.fft.fftfreq(len(signal), 1 / rate)
    edge = np.clip(np.minimum(frequency - low, high - frequency) / (0.1 * low), 0, 1)
    analytic = np.fft.ifft(spectrum * (0.5 - 0.5 * np.cos(np.pi * edge)))
    return np.angle(analytic[1:] * analytic[:-1].conj()) * rate / (2 * np.pi)


def vibrato_error(output, factor, rate, pitch, depth, speed):
    """The RMS error of the pitch of a tone with vibrato, as a part of the vibrato's own.

    `pitch` in Hz, `depth` in cents to either side, `speed` in Hz; the vibrato is a sine that starts at 0."""
    track = pitch_track(output, rate, 0.8 * pitch, 1.25 * pitch)
    time = (np.arange(len(track)) + 0.5) / rate / factor
    wanted = depth * np.sin(2 * np.pi * speed * time)
    cut = len(track) // 8
    found = 1200 * np.log2(np.maximum(track, 1) / pitch)
    error = (found - wanted)[cut:-cut]
    return float(np.sqrt(np.mean(error ** 2) / np.mean(wanted[cut:-cut] ** 2)))
