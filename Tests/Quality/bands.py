"""Instruments that compare a result with its source in bands as wide as the ear's, along the map.

The map is the constant factor: what is at time t of the source is expected at t * factor of the result.
"""
import numpy as np
from measures import decibels, rms

WINDOWS = (4096, 1024, 256)
# Sound that lies further below the loudest band of a sound is not heard beside it.
RANGE = 70.0


def spectra(signal, centers, size):
    """Spectra under Hann windows around frames, times x bins x channels; silence lies outside."""
    signal = signal if signal.ndim == 2 else signal[:, None]
    padded = np.pad(signal, ((size, size), (0, 0)))
    starts = np.clip(np.rint(centers).astype(int) + size - size // 2, 0, len(padded) - size)
    window = np.hanning(size + 1)[:-1]
    pieces = padded[starts[:, None] + np.arange(size)] * window[None, :, None]
    return np.fft.rfft(pieces, axis=1)


def erb_number(frequency):
    """The number of equivalent rectangular bandwidths below a frequency (Glasberg and Moore 1990)."""
    return 21.4 * np.log10(1 + 0.00437 * np.asarray(frequency))


def erb_bands(size, rate, low=50.0, high=16000.0):
    """Weights of bins, bands x bins, for bands of one bandwidth each; those narrower than half a bin are left out."""
    first, last = erb_number(low), erb_number(min(high, 0.45 * rate))
    edges = (10 ** (np.arange(first, last + 1e-9) / 21.4) - 1) / 0.00437
    width = rate / size
    bins = np.arange(size // 2 + 1) * width
    rows = []
    for bottom, top in zip(edges, edges[1:]):
        shared = np.clip(np.minimum(bins + width / 2, top) - np.maximum(bins - width / 2, bottom), 0, None)
        if top - bottom >= width / 2:
            rows.append(shared / width)
    return np.array(rows)


def pairs(output, source, factor, size, hop=None):
    """Spectra of a result and of its source at the places that belong together."""
    hop = hop or size // 4
    centers = np.arange(0, min(len(output), len(source) * factor), hop)
    return spectra(output, centers, size), spectra(source, centers / factor, size)


def spectral_distance(output, source, factor, size, rate):
    """The mean difference between the levels of bands, in dB, of all channels together."""
    bands = erb_bands(size, rate)
    made, wanted = (np.sum(np.abs(found) ** 2, axis=2) @ bands.T
                    for found in pairs(output, source, factor, size))
    floor = wanted.max() * 10 ** (-RANGE / 10)
    if floor <= 0:
        return 0.0
    heard = wanted > floor
    differences = np.abs(10 * np.log10(np.maximum(made, floor) / np.maximum(wanted, floor)))
    return float(differences[heard].mean())


def stereo_changes(output, source, factor, rate, seconds=0.4):
    """The mean change of the coherence between two channels, and of their level difference in dB, over bands."""
    size = 2048
    bands = erb_bands(size, rate)
    hop = size // 2
    count = max(1, int(seconds * rate / hop))

    def blocks(values):
        usable = len(values) // count * count
        return values[:usable].reshape(-1, count, values.shape[1]).sum(axis=1)
    found = []
    for spectrum in pairs(output, source, factor, size, hop):
        left, right = spectrum[:, :, 0], spectrum[:, :, 1]
        powers = [blocks(np.abs(one) ** 2 @ bands.T) for one in (left, right)]
        cross = blocks((left * right.conj()) @ bands.T)
        found.append((powers[0], powers[1], np.abs(cross) / np.sqrt(np.maximum(powers[0] * powers[1], 1e-30))))
    (made_left, made_right, made), (left, right, wanted) = found
    total = left + right
    heard = total > total.max() * 10 ** (-50 / 10)
    if not heard.any():
        return 0.0, 0.0

    def difference(one, two):
        bounded = np.maximum(one, 1e-3 * (one + two)) / np.maximum(two, 1e-3 * (one + two))
        return 10 * np.log10(np.where(one + two > 0, bounded, 1))
    levels = np.abs(difference(made_left, made_right) - difference(left, right))
    return float(np.abs(made - wanted)[heard].mean()), float(levels[heard].mean())


def mid_change(output, source):
    """The change of the level of both channels' mean relative to that of everything, in dB."""
    def share(signal):
        return decibels(rms(signal.mean(axis=1)) / rms(signal))
    return share(output) - share(source)


# Attacks

def attack_contrast(signal, rate):
    """For each frame, the energy in the 10 ms after it over that in the 15 to 2 ms before it, in dB up to 40."""
    mono = signal.mean(axis=1) if signal.ndim == 2 else signal
    # Pre-emphasis: most music has little energy where attacks are heard.
    energy = np.square(np.diff(mono, prepend=mono[:1]))
    sums = np.concatenate([[0], np.cumsum(energy)])
    frames = np.arange(len(mono))

    def between(first, last):
        start, end = (np.clip(frames + int(time * rate), 0, len(mono)) for time in (first, last))
        return np.maximum(sums[end] - sums[start], 0) / ((last - first) * rate)
    after, before = between(0, 0.010), between(-0.015, -0.002)
    floor = max(1e-4 * after.max(), 1e-20)
    return np.minimum(10 * np.log10((after + floor) / (before + floor)), 40), after


def attacks(source, rate, least=8.0):
    """The frames of real attacks: peaks of the contrast that are the largest within 50 ms and loud enough."""
    contrast, after = attack_contrast(source, rate)
    reach = int(0.05 * rate)
    loud = 10 ** (-30 / 10) * after.max()
    found = []
    for frame in np.flatnonzero((contrast >= least) & (after > loud)):
        piece = contrast[max(0, frame - reach):frame + reach + 1]
        if contrast[frame] >= piece.max() and (not found or frame - found[-1] > reach) and frame > reach:
            found.append(int(frame))
    return found


def attack_loss(output, source, factor, rate, reach=0.015):
    """The mean loss of contrast at the attacks of the source, in dB; `None` where there are none."""
    made, wanted = attack_contrast(output, rate)[0], attack_contrast(source, rate)[0]
    around = int(reach * rate)
    losses = []
    for frame in attacks(source, rate):
        place = int(round(frame * factor))
        piece = made[max(0, place - around):place + around + 1]
        if len(piece):
            losses.append(wanted[frame] - piece.max())
    return float(np.mean(losses)) if losses else None


# Noise

def envelope_change(output, source, rate, size=512):
    """The change of how much the levels of bands of noise waver, in dB: what is not noise any more wavers more, or less."""
    bands = erb_bands(size, rate, low=1000)

    def waver(signal):
        centers = np.arange(size, len(signal) - size, size // 2)
        power = np.sum(np.abs(spectra(signal, centers, size)) ** 2, axis=2) @ bands.T
        return float(np.mean(np.std(10 * np.log10(np.maximum(power, 1e-20)), axis=0)))
    return waver(output) - waver(source)
