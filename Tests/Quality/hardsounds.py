"""Sounds on which stretchers fail. All are made by arithmetic, but for scores that fluidsynth plays."""
from functools import lru_cache
import os, shutil, subprocess, tempfile
import numpy as np
import signals as s
from signals import RATE, Sound

# Tones

# Hz of the middle one of three tones, and of their distance.
# 900 Hz is nearly seven times 130 Hz, so that the three tones nearly repeat themselves, as a voice does.
CLOSE = [(400, 60), (700, 40), (700, 60), (700, 90), (900, 130), (1200, 60), (1200, 130), (3000, 60), (3000, 90),
         (3000, 200), (6500, 60), (6500, 130), (6500, 200)]
# Hz of the lower one of two tones, and of their distance.
BEATING = [(center, apart) for center in (700, 1200, 3000, 6500) for apart in (40, 60)]


def close(center, apart):
    """The frequencies of three tones."""
    return [center - apart, center, center + apart]


def steady(frequencies, name, seconds=4):
    """Tones of equal amplitude."""
    each = [np.sin(2 * np.pi * frequency * s.times(seconds) + 1.3 * i) for i, frequency in enumerate(frequencies)]
    return Sound(name, s.faded(0.6 / len(frequencies) * np.sum(each, axis=0), 0.05))


def apart(frequencies, name, seconds=3):
    """A tone in each channel."""
    each = [s.faded(0.3 * np.sin(2 * np.pi * frequency * s.times(seconds)), 0.05) for frequency in frequencies]
    return Sound(name, np.stack(each, axis=1))


# Scores

class Score:
    """Chords of equal length for one instrument, by MIDI's numbers of notes and of the instrument, if samples play it."""

    def __init__(self, name, program, chords, partials, rise, decay, stiffness=0.0, strum=0.0):
        self.name, self.program, self.chords = name, program, chords
        # Of a note that is made here: the amplitudes of its partials, the seconds in which it rises, how fast each
        # partial fades, how far partials lie above harmonics, and the seconds from one string to the next.
        self.partials, self.rise, self.decay, self.stiffness, self.strum = partials, rise, decay, stiffness, strum

    SECONDS = 1.6
    TAIL = 0.3

    def spans(self, tempo):
        """First and last second of what sustains of each chord, played `tempo` times as slowly."""
        return [((i * self.SECONDS + 0.25) * tempo, ((i + 1) * self.SECONDS - 0.1) * tempo)
                for i in range(len(self.chords))]

    @lru_cache(maxsize=None)
    def made(self, tempo=1.0):
        """The score by arithmetic, played `tempo` times as slowly."""
        length = len(self.chords) * self.SECONDS * tempo + self.TAIL
        signal = np.zeros(int(length * RATE))
        for i, chord in enumerate(self.chords):
            for k, note in enumerate(chord):
                at = (i * self.SECONDS + k * self.strum) * tempo
                start, stop = int(at * RATE), int(((i + 1) * self.SECONDS * tempo + 0.02) * RATE)
                time = np.arange(stop - start) / RATE
                pitch = 440 * 2 ** ((note - 69) / 12)
                sound = np.zeros(len(time))
                for n, gain in self.partials.items():
                    frequency = n * pitch * np.sqrt(1 + self.stiffness * n * n)
                    if frequency < 0.45 * RATE:
                        sound += gain * np.exp(-self.decay * np.sqrt(n) * time / tempo) * np.sin(
                            2 * np.pi * frequency * time + n * n)
                edge = np.minimum(1, time / self.rise) * np.minimum(1, (time[-1] - time) / 0.04)
                signal[start:stop] += sound * (0.5 - 0.5 * np.cos(np.pi * edge))
        return Sound(f"{self.name}-{tempo:g}", 0.5 * signal / np.abs(signal).max())

    @lru_cache(maxsize=None)
    def played(self, tempo=1.0):
        """The score as fluidsynth plays it, `tempo` times as slowly."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "score")
            with open(path + ".mid", "wb") as file:
                file.write(self.midi(tempo))
            # As raw samples: the header of its WAV files is not complete.
            subprocess.run(["fluidsynth", "-ni", "-q", "-r", str(RATE), "-R", "0", "-C", "0", "-g", "0.4", "-T", "raw",
                            "-O", "s16", "-F", path + ".raw", SOUNDFONT, path + ".mid"], check=True, capture_output=True)
            frames = np.fromfile(path + ".raw", "<i2").reshape(-1, 2).mean(axis=1)
        wanted = int((len(self.chords) * self.SECONDS * tempo + self.TAIL) * RATE)
        frames = np.pad(frames, (0, max(0, wanted - len(frames))))[:wanted]
        return Sound(f"played-{self.name}-{tempo:g}", 0.5 * frames / np.abs(frames).max())

    def midi(self, tempo):
        """A standard MIDI file with 1,000 ticks a second."""
        events = []
        for i, chord in enumerate(self.chords):
            for k, note in enumerate(chord):
                events.append(((i * self.SECONDS + k * self.strum) * tempo, 0x90, note, 90))
                events.append(((i + 1) * self.SECONDS * tempo - 0.02, 0x80, note, 0))
        body, now = bytearray([0, 0xC0, self.program]), 0
        for at, *event in sorted(events):
            ticks = round(1000 * at)
            body += variable(ticks - now) + bytes(event)
            now = ticks
        body += b"\x00\xff\x2f\x00"
        # Half a second for a quarter note of 500 ticks is MIDI's default.
        return (b"MThd" + (6).to_bytes(4, "big") + bytes([0, 0, 0, 1]) + (500).to_bytes(2, "big")
                + b"MTrk" + len(body).to_bytes(4, "big") + bytes(body))


def variable(number):
    """A number as MIDI writes it, seven bits to a byte."""
    found = [number & 0x7F]
    while number := number >> 7:
        found.append(number & 0x7F | 0x80)
    return bytes(reversed(found))


# In timgm6mb-soundfont of Debian.
SOUNDFONT = "/usr/share/sounds/sf2/TimGM6mb.sf2"


def can_play():
    return bool(shutil.which("fluidsynth")) and os.path.exists(SOUNDFONT)


CLOSE_HARMONY = [(60, 64, 67, 70), (57, 60, 64, 67), (53, 60, 65, 69), (55, 59, 62, 65)]
SCORES = [
    Score("organ", 19, CLOSE_HARMONY, {1: 1, 2: 0.8, 3: 0.6, 4: 0.5, 6: 0.3, 8: 0.3}, 0.02, 0),
    Score("brass", None, [(58, 62, 65), (60, 63, 67), (55, 60, 64), (57, 62, 66)],
          {n: 0.9 ** n for n in range(1, 15)}, 0.06, 0.1),
    Score("guitar", 25, [(40, 47, 52, 56, 59, 64), (45, 52, 57, 61, 64), (50, 57, 62, 66), (43, 47, 50, 55, 59, 67)],
          {n: 1 / n for n in range(1, 25)}, 0.002, 0.6, 4e-5, 0.03),
]


def strokes(tempo=1.0):
    """Castanets played `tempo` times as slowly: each stroke sounds as it does at any tempo."""
    source = s.castanets().frames[:, 0]
    signal = np.zeros(int(len(source) * tempo))
    for onset in s.attack_times():
        start, place, count = round(onset * RATE), round(onset * tempo * RATE), int(0.12 * RATE)
        signal[place:place + count] = source[start:start + count]
    return Sound(f"strokes-{tempo:g}", signal)


# Voices

VOICES = [50, 60, 70, 80, 100, 150]
VOWELS = {"a": ((730, 90), (1090, 110), (2440, 150), (3400, 200)), "i": ((300, 60), (2200, 120), (2900, 170), (3500, 220)),
          "u": ((340, 60), (870, 90), (2240, 140), (3300, 200)), "e": ((530, 70), (1840, 110), (2480, 160), (3500, 200))}


def sung(pitch, resonances, name, swing=0.03, seconds=3, hiss=0.003, tempo=1.0):
    """Pulses whose pitch swings a little, through resonances, with some breath; sung `tempo` times as slowly."""
    time = s.times(seconds * tempo)
    phase = np.cumsum(pitch * (1 + swing * np.sin(2 * np.pi * 0.7 * time / tempo))) / RATE
    signal = sum(np.cos(2 * np.pi * k * phase) / k for k in range(1, int(5000 / pitch)))
    for frequency, width in resonances:
        signal = s.resonance(signal, frequency, width)
    signal = 0.5 * signal / np.abs(signal).max()
    return Sound(name, s.faded(signal + hiss * np.random.default_rng(1).standard_normal(len(time)), 0.05))


LOW_VOWEL = ((600, 80), (1040, 90), (2250, 120), (2450, 150), (3500, 200))


@lru_cache(maxsize=None)
def low_voice(pitch, tempo=1.0):
    """A voice of nearly one pitch, with as much breath at every tempo."""
    return sung(pitch, LOW_VOWEL, f"voice-{pitch}-{tempo:g}", 0.01, 2, 0.02, tempo)


@lru_cache(maxsize=None)
def gliding_voice(pitch, tempo=1.0):
    """A voice whose pitch glides, so that Praat finds less harmonics in it the faster it is sung."""
    return sung(pitch, LOW_VOWEL, f"gliding-{pitch}-{tempo:g}", 0.03, 2, 0.003, tempo)


@lru_cache(maxsize=None)
def vowels():
    return [sung(pitch, resonances, f"vowel-{vowel}-{pitch}", seconds=2, hiss=0.001)
            for pitch in (120, 200) for vowel, resonances in VOWELS.items()]


# Silence, ends, and what has no pitch

# The second of an onset after silence, and of an end after which there is silence.
ONSET, END = 1.0, 2.2


def after_silence():
    """Sounds that begin and end at once, in silence."""
    time = s.times(END - ONSET)
    rng = np.random.default_rng(0)
    found = {
        "piano": 0.2 * sum(np.exp(-time * (1.5 + 0.3 * k)) * np.sin(2 * np.pi * f * k * time) / k
                           for f in (220, 277.2, 329.6) for k in range(1, 8)),
        "tone": 0.5 * np.sin(2 * np.pi * 440 * time),
        "noise": 0.15 * np.clip(rng.standard_normal(len(time)), -3, 3),
    }
    silence = np.zeros(int(ONSET * RATE))
    return [Sound(f"silence-{name}", np.concatenate([silence, signal, silence])) for name, signal in found.items()]


def cut_notes(seconds=2):
    """Strings that are cut off while they sound."""
    time = s.times(seconds)
    return Sound("cut", 0.2 * sum(np.exp(-time * (0.8 + 0.2 * k)) * np.sin(2 * np.pi * f * k * time + k) / k
                                  for f in (110, 146.8) for k in range(1, 8)))


def square(seconds=1.5):
    return Sound("square", np.where(np.sin(2 * np.pi * 220 * s.times(seconds)) >= 0, 1.0, -1.0))


def offset(seconds=1):
    return Sound("offset", np.full(int(seconds * RATE), 0.5))
