"""The instruments. selfcheck.py tries each on sounds with a known answer."""
import numpy as np
from signals import RATE

FLOOR = -200.0


def decibels(ratio):
    """20 log10, not below the floor."""
    return max(FLOOR, 20 * np.log10(ratio)) if ratio > 0 else FLOOR


def rms(signal):
    return float(np.sqrt(np.mean(np.square(signal)))) if np.size(signal) else 0.0


def middle(signal, edge=0.1):
    """The signal without a tenth at either end, where filters lack input."""
    cut = int(len(signal) * edge)
    return signal[cut:len(signal) - cut]


# Tones

def fit(signal, frequencies, rate=RATE):
    """Least-squares sines at exact frequencies: their amplitudes and what is left over."""
    n = np.arange(len(signal)) - len(signal) / 2
    columns = []
    for frequency in frequencies:
        phase = 2 * np.pi * frequency / rate * n
        columns += [np.cos(phase), np.sin(phase)]
    basis = np.stack(columns, axis=1)
    weights = np.linalg.solve(basis.T @ basis, basis.T @ signal)
    return weights, signal - basis @ weights


def signal_to_noise(signal, frequency, rate=RATE):
    """The power of a sine over that of everything else, in dB."""
    signal = middle(signal)
    left = fit(signal, [frequency], rate)[1]
    found = rms(signal - left)
    return -decibels(rms(left) / found) if found > 0 else FLOOR


def refined_frequency(signal, guess, rate=RATE):
    """The frequency of the sine that fits best, in Hz, by Gauss-Newton from a close guess."""
    signal = middle(signal)
    n = np.arange(len(signal)) - len(signal) / 2
    for _ in range(8):
        phase = 2 * np.pi * guess / rate * n
        cosine, sine = np.cos(phase), np.sin(phase)
        basis = np.stack([cosine, sine, n * cosine, n * sine], axis=1)
        a, b, c, d = np.linalg.lstsq(basis, signal, rcond=None)[0]
        step = (b * c - a * d) / (a * a + b * b) * rate / (2 * np.pi)
        guess += step
        if abs(step) < 1e-12 * guess:
            break
    return guess


def largest_deviation(signal, frequencies, amplitude, rate=RATE):
    """The largest deviation of several tones from their amplitude, in dB."""
    weights, _ = fit(middle(signal), frequencies, rate)
    found = np.hypot(weights[0::2], weights[1::2])
    return float(np.max(np.abs(20 * np.log10(np.maximum(found, 1e-10) / amplitude))))


def peak_frequency(signal, near, rate=RATE, cents=60):
    """The frequency of the spectrum's peak near a frequency, in Hz: a parabola through its logarithm."""
    signal = middle(signal)
    window = np.blackman(len(signal))
    size = 4 * (1 << (len(signal) - 1).bit_length())
    spectrum = np.abs(np.fft.rfft(signal * window, size))
    low = int(near * 2 ** (-cents / 1200) * size / rate)
    high = int(near * 2 ** (cents / 1200) * size / rate) + 2
    peak = low + int(np.argmax(spectrum[low:high]))
    a, b, c = np.log(np.maximum(spectrum[peak - 1:peak + 2], 1e-30))
    return (peak + 0.5 * (a - c) / (a - 2 * b + c)) * rate / size


def cents_off(signal, frequency, rate=RATE):
    return 1200 * np.log2(peak_frequency(signal, frequency, rate) / frequency)


# Impulses and sweeps

def impulse_position(signal, expected, bandwidth):
    """The position of an impulse in frames, with a fraction: the slope of its phase.

    `bandwidth` is the part of the Nyquist frequency in which there is something to see. Of no impulse
    that is no number."""
    first = max(0, int(round(expected)) - 2048)
    piece = signal[first:first + 4097]
    spectrum = np.fft.rfft(piece, 8192)
    omega = 2 * np.pi * np.arange(len(spectrum)) / 8192
    used = (omega > 0) & (omega < 0.8 * bandwidth * np.pi)
    turned = spectrum[used] * np.exp(1j * omega[used] * (expected - first))
    phase = np.unwrap(np.angle(turned))
    weight = np.abs(turned) ** 2
    if not weight.any():
        return float("nan")
    delay = -np.sum(weight * omega[used] * phase) / np.sum(weight * omega[used] ** 2)
    return expected + float(delay)


WINDOW = 4096


def spectrogram(signal, hop, reference):
    """Levels in dB over times x bins; a steady tone of the amplitude `reference` has 0 dB."""
    window = np.kaiser(WINDOW, 22)
    starts = range(0, max(1, len(signal) - WINDOW + 1), hop)
    scale = reference * window.sum() / 2
    pieces = np.stack([signal[s:s + WINDOW] for s in starts]) * window
    return 20 * np.log10(np.maximum(np.abs(np.fft.rfft(pieces, axis=1)) / scale, 1e-10))


def outside_line(signal, line, reference, rate=RATE, hop=1024):
    """The loudest component off the line of a sweep, in dB relative to the sweep.

    `line` gives the sweep's frequency at a time in seconds; what is closer to it than the window resolves
    apart is not counted."""
    levels = spectrogram(signal, hop, reference)
    frequency = np.arange(levels.shape[1]) * rate / WINDOW
    start = np.arange(levels.shape[0]) * hop / rate
    low, high = line(start), line(start + WINDOW / rate)
    margin = 14 * rate / WINDOW
    beside = (frequency < low[:, None] - margin) | (frequency > high[:, None] + margin)
    return float(levels[beside].max())


# Moments

def envelope(signal, rate=RATE):
    """Energy, smoothed over a millisecond."""
    kernel = np.hanning(int(0.001 * rate) | 1)
    return np.convolve(np.square(signal), kernel / kernel.sum(), "same")


def onset(envelope, around, rate=RATE, reach=0.05):
    """The time in seconds at which an envelope first comes within 6 dB of its peak near a time, and that peak.

    That is a little early, by as much for every sharp sound: see `click_onset_bias`."""
    first = max(0, int((around - reach) * rate))
    piece = envelope[first:int((around + reach) * rate) + 1]
    if len(piece) < 2:
        return around + reach, 0.0
    peak = piece.max()
    index = int(np.argmax(piece >= peak / 4))
    if index == 0 or peak == 0:
        return (first + index) / rate, float(peak)
    before, after = piece[index - 1], piece[index]
    return (first + index - 1 + (peak / 4 - before) / (after - before)) / rate, float(peak)


def click_onset_bias(rate=RATE):
    """How far an ideal click's onset lies before the click, in seconds (negative)."""
    ideal = np.zeros(rate // 5)
    ideal[rate // 10] = 1
    return onset(envelope(ideal, rate), 0.1, rate)[0] - 0.1


LOST = 0.05


def is_there(signal, expected, height, rate=RATE):
    """For each click, whether it is less than 30 dB below `height`, within 50 ms of its time."""
    alone = np.zeros(rate // 10)
    alone[rate // 20] = height
    least = envelope(alone, rate).max() / 1000
    shape = envelope(signal, rate)
    return np.array([onset(shape, time, rate)[1] >= least for time in expected])


def onset_errors(signal, expected, height, rate=RATE):
    """Seconds by which each click is late; a lost click counts as 50 ms."""
    shape = envelope(signal, rate)
    bias = click_onset_bias(rate)
    late = np.array([onset(shape, time, rate)[0] - bias - time for time in expected])
    return np.where(is_there(signal, expected, height, rate), late, LOST)


def spreads(signal, expected, height, rate=RATE, reach=0.05):
    """The RMS duration of the energy around each time, in seconds; a lost click counts as 50 ms."""
    found = []
    for time, there in zip(expected, is_there(signal, expected, height, rate)):
        first = max(0, int((time - reach) * rate))
        energy = np.square(signal[first:int((time + reach) * rate) + 1])
        at = np.arange(len(energy)) / rate
        if not there:
            found.append(LOST)
            continue
        center = np.sum(energy * at) / energy.sum()
        found.append(np.sqrt(np.sum(energy * (at - center) ** 2) / energy.sum()))
    return np.array(found)


PRE_ECHO = (0.050, 0.003)
ATTACK = 0.020
PRE_ECHO_FLOOR = -100.0


def pre_echoes(signal, expected, rate=RATE):
    """The energy in the 50 to 3 ms before each attack relative to that in the 20 ms after it, in dB.

    The attack is where it is found, not where it should be: another measure shows that it is late."""
    shape = envelope(signal, rate)
    found = []
    for time in expected:
        at = onset(shape, time, rate, reach=0.08)[0]
        before = signal[int((at - PRE_ECHO[0]) * rate):int((at - PRE_ECHO[1]) * rate)]
        attack = signal[int(at * rate):int((at + ATTACK) * rate)]
        energy = np.sum(np.square(attack))
        ratio = np.sum(np.square(before)) / energy if energy > 0 else 1
        found.append(max(PRE_ECHO_FLOOR, 10 * np.log10(max(ratio, 1e-20))))
    return np.array(found)


# Stereo and level

def correlation(signal):
    """The correlation of the two channels, -1 to 1."""
    left, right = middle(signal[:, 0]), middle(signal[:, 1])
    return float(np.corrcoef(left, right)[0, 1])


def level_change(output, source):
    return decibels(rms(output) / rms(source))
