"""The sounds that are measured: frames x channels, full scale 1, the same in every run."""
import os
import numpy as np
import soundfile

RATE = 44100
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Sound:
    """A named sound; the name is also that of its file."""

    def __init__(self, name, frames, rate=RATE):
        self.name = name
        self.frames = frames if frames.ndim == 2 else frames[:, None]
        self.rate = rate

    def __len__(self):
        return len(self.frames)


def times(seconds):
    return np.arange(int(seconds * RATE)) / RATE


def faded(signal, seconds):
    """The signal with soft ends, whose own spectrum does not show."""
    rise = np.cumsum(np.kaiser(int(seconds * RATE), 22))
    rise, count = rise / rise[-1], len(rise)
    signal = signal.copy()
    signal[:count] *= rise
    signal[-count:] *= rise[::-1]
    return signal


# For varispeed

def tone(frequency, seconds=3, peak=0.9):
    return Sound(f"tone-{frequency}", faded(peak * np.sin(2 * np.pi * frequency * times(seconds)), 0.05))


def tones(frequencies, name, seconds=3):
    """Tones of equal amplitude with phases that keep their sum low (Schroeder's)."""
    count = len(frequencies)
    phases = -np.pi * np.arange(count) * (np.arange(count) + 1) / count
    each = [np.sin(2 * np.pi * f * times(seconds) + p) for f, p in zip(frequencies, phases)]
    return Sound(name, np.sum(each, axis=0) * tones_amplitude(count))


def tones_amplitude(count):
    return 0.9 / count


def impulse(frames=20001):
    signal = np.zeros(frames)
    signal[(frames - 1) // 2] = 0.9
    return Sound("impulse", signal)


SWEEP_SECONDS = 8
SWEEP_FROM, SWEEP_TO = 20.0, 20000.0
SWEEP_PEAK = 0.9


def sweep_frequency(time):
    """The frequency of the sweep at a time in seconds, in Hz."""
    return SWEEP_FROM + (SWEEP_TO - SWEEP_FROM) * time / SWEEP_SECONDS


def sweep_value(time):
    slope = (SWEEP_TO - SWEEP_FROM) / SWEEP_SECONDS
    return SWEEP_PEAK * np.sin(2 * np.pi * (SWEEP_FROM * time + slope * time * time / 2))


def sweep():
    return Sound("sweep", faded(sweep_value(times(SWEEP_SECONDS)), 0.1))


# For stretching

CHORD = [261.6256, 329.6276, 391.9954, 440.0, 493.8833]


def chord(seconds=4):
    """Five notes within an octave, so that no overtone falls on a fundamental; overtones fall with 1/n."""
    time = times(seconds)
    notes = [np.sin(2 * np.pi * f * n * time + 0.7 * i) / n
             for i, f in enumerate(CHORD) for n in (1, 2, 3)]
    return Sound("chord", faded(0.06 * np.sum(notes, axis=0), 0.05))


def click_times():
    """Times in seconds; the intervals differ, so that they do not fall in step with a stretcher's hops."""
    return 0.4 + np.cumsum(0.31 + 0.04 * (np.arange(24) * 0.6180339887 % 1))


def clicks():
    signal = np.zeros(int((click_times()[-1] + 0.5) * RATE))
    signal[np.rint(click_times() * RATE).astype(int)] = 0.5
    return Sound("clicks", signal)


def attack_times():
    return 0.5 + np.cumsum(0.33 + 0.06 * (np.arange(16) * 0.6180339887 % 1))


def castanets():
    """Two shells of wood: resonances that die away within 40 ms, and the noise of the stroke."""
    time = np.arange(int(0.12 * RATE)) / RATE
    rng = np.random.default_rng(7)
    signal = np.zeros(int((attack_times()[-1] + 0.6) * RATE))
    for index, onset in enumerate(attack_times()):
        shift = 1 + 0.05 * (index % 3)
        stroke = 0.5 * np.exp(-time / 0.0015) * rng.uniform(-1, 1, len(time))
        for frequency, gain, decay in ((1450, 0.3, 0.008), (2650, 0.3, 0.006), (4200, 0.2, 0.004)):
            stroke += gain * np.exp(-time / decay) * np.cos(2 * np.pi * frequency * shift * time)
        start = int(round(onset * RATE))
        signal[start:start + len(time)] += 0.5 * stroke
    return Sound("castanets", signal)


def wide(seconds=5):
    """Stereo noise, partly in both channels, and a chord panned to one side."""
    count = len(times(seconds))
    rng = np.random.default_rng(11)
    common, left, right = (smoothed(rng.standard_normal(count)) for _ in range(3))
    notes = chord(seconds).frames[:, 0]
    signal = np.stack([0.05 * (common + 0.9 * left) + 0.5 * notes,
                       0.05 * (common + 0.9 * right) + 0.1 * notes], axis=1)
    return Sound("wide", signal)


def smoothed(noise):
    """Noise whose level falls with frequency as music does: 3 dB an octave above 20 Hz; its RMS is 1."""
    spectrum = np.fft.rfft(noise)
    frequency = np.fft.rfftfreq(len(noise), 1 / RATE)
    shaped = np.fft.irfft(spectrum / np.sqrt(np.maximum(frequency, 20)), len(noise))
    return shaped / np.sqrt(np.mean(shaped ** 2))


def noise(seconds=4):
    return Sound("noise", 0.1 * np.random.default_rng(3).standard_normal(int(seconds * RATE)))


def steady_tone(frequency=440, seconds=4):
    return Sound(f"steady-{frequency}",
                 faded(0.25 * np.sin(2 * np.pi * frequency * times(seconds)), 0.02))


def music():
    """The music in Samples/, 6 dB lower, so that no stretcher clips."""
    frames, rate = soundfile.read(os.path.join(ROOT, "Samples", "music.flac"), always_2d=True)
    return Sound("music", 0.5 * frames, rate)


# For the engine's gates

TONES = [110.0, 440.0, 1760.0, 3900.0, 9000.0]
def far_apart():
    """The frequencies of a chord whose partials lie so far apart that each window of a stretcher holds them apart."""
    return [note * n for n in (1, 4, 16) for note in CHORD]


def pure_chord(seconds=4):
    time = times(seconds)
    notes = [np.sin(2 * np.pi * f * time + 0.7 * i) / 15 for i, f in enumerate(far_apart())]
    return Sound("pure-chord", faded(0.5 * np.sum(notes, axis=0), 0.05))


VIBRATO = {"pitch": 440.0, "depth": 50.0, "speed": 5.5}


def vibrato(seconds=5):
    """A tone with overtones whose pitch swings by half a semitone."""
    time = times(seconds)
    bend = VIBRATO["depth"] * np.sin(2 * np.pi * VIBRATO["speed"] * time)
    phase = 2 * np.pi * np.cumsum(VIBRATO["pitch"] * 2 ** (bend / 1200)) / RATE
    return Sound("vibrato", faded(sum(0.2 / n * np.sin(n * phase) for n in range(1, 9)), 0.05))


def voice(seconds=4):
    """Glottal pulses at a pitch that glides, through the resonances of a vowel."""
    time = times(seconds)
    pitch = 120 * 2 ** (0.3 * np.sin(2 * np.pi * 0.7 * time))
    turns = np.cumsum(pitch) / RATE
    signal = np.zeros(len(time))
    signal[1:][np.diff(np.floor(turns)) > 0] = 1
    for frequency, width in ((650, 80), (1100, 90), (2450, 120), (3500, 150), (4500, 200)):
        signal = resonance(signal, frequency, width)
    return Sound("voice", faded(0.3 * signal / np.abs(signal).max(), 0.05))


def resonance(signal, frequency, width):
    """A signal through a resonator with two poles, by the spectrum of its impulse response."""
    count = int(0.25 * RATE)
    n = np.arange(count)
    omega, radius = 2 * np.pi * frequency / RATE, np.exp(-np.pi * width / RATE)
    response = radius ** n * np.sin(omega * (n + 1)) / np.sin(omega)
    size = len(signal) + count
    return np.fft.irfft(np.fft.rfft(signal, size) * np.fft.rfft(response, size), size)[:len(signal)]
