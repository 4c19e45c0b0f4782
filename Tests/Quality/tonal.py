"""Instruments for tones that lie close together, and for partials of scores."""
import numpy as np
import measures as m
from signals import RATE


def contrast(signal, frequencies, rate=RATE):
    """The power of steady tones over that of everything else, in dB, in the middle half."""
    signal = m.middle(signal, 0.25)
    left = m.fit(signal, frequencies, rate)[1]
    found = m.rms(signal - left)
    return -m.decibels(m.rms(left) / found) if found > 0 else m.FLOOR


def beat_rate(signal, rate=RATE, low=8.0, high=150.0):
    """The strongest frequency of the squared envelope, in Hz."""
    signal = m.middle(signal)
    spectrum = np.fft.fft(signal)
    spectrum[len(signal) // 2 + 1:] = 0
    power = np.abs(np.fft.ifft(spectrum)) ** 2
    size = 8 << (len(power) - 1).bit_length()
    found = np.abs(np.fft.rfft((power - power.mean()) * np.hanning(len(power)), size))
    first, last = int(low * size / rate), int(high * size / rate)
    return (first + int(np.argmax(found[first:last]))) * rate / size


# Partials are compared that stand this far apart, in Hz, and that lie at most so far below the loudest, in dB.
ISOLATED, LOWEST = 25.0, 50.0


def spectrum_of(signal, span, rate):
    piece = signal[int(span[0] * rate):int(span[1] * rate)]
    size = 2 << (len(piece) - 1).bit_length()
    return np.abs(np.fft.rfft(piece * np.blackman(len(piece)), size)), rate / size


def summit(spectrum, peak, width):
    """The frequency of a peak: a parabola through the logarithm."""
    a, b, c = np.log(np.maximum(spectrum[peak - 1:peak + 2], 1e-30))
    curve = a - 2 * b + c
    return (peak + (0.5 * (a - c) / curve if curve else 0)) * width


def partials(signal, span, rate=RATE, low=100.0, high=6500.0):
    """The frequencies of partials within a span of seconds that no other partial comes near."""
    spectrum, width = spectrum_of(signal, span, rate)
    reach = int(ISOLATED / width)
    first, last = int(low / width), int(high / width)
    least = spectrum[first:last].max() * 10 ** (-LOWEST / 20)
    inner = spectrum[1:-1]
    peaks = 1 + np.flatnonzero((inner > spectrum[:-2]) & (inner >= spectrum[2:]))
    found = []
    for peak in peaks[(peaks >= first) & (peaks < last) & (spectrum[peaks] >= least)]:
        # Beside a partial that stands alone, no other peak comes within 20 dB of it.
        beside = peaks[(np.abs(peaks - peak) <= reach) & (peaks != peak)]
        if not len(beside) or spectrum[beside].max() < spectrum[peak] * 10 ** (-20 / 20):
            found.append(summit(spectrum, peak, width))
    return found


def cents_off(signal, spans, wanted, rate=RATE):
    """For each partial, how far that of a signal lies from it, in cents; `wanted` are the frequencies in each span."""
    found = []
    for span, frequencies in zip(spans, wanted):
        spectrum, width = spectrum_of(signal, span, rate)
        for frequency in frequencies:
            near = min(0.6 * ISOLATED, frequency * (2 ** (60 / 1200) - 1))
            low, high = int((frequency - near) / width), int((frequency + near) / width) + 2
            peak = low + int(np.argmax(spectrum[low:high]))
            found.append(1200 * np.log2(summit(spectrum, peak, width) / frequency))
    return np.array(found)
