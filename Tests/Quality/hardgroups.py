"""Sounds on which stretchers fail: what is measured of each, and the gates of the vocoder."""
from functools import lru_cache
import numpy as np
import bands as b
import hardsounds as h
import measures as m
import praat
import recordings
import signals as s
import tonal
import tools

class Measure:
    """One figure: its key, how it is printed, and its bounds.

    Less is better, or more where `least` or `is_more` says so. `most` or `least` bounds the figure; `beside` bounds by how
    much it may be worse than R3's. `slack` is a difference that does not count. Measures of one `row` share a cell."""

    def __init__(self, key, row, form, most=None, least=None, beside=None, is_more=False, slack=0.0):
        self.key, self.row, self.form, self.slack = key, row, form, slack
        self.most, self.least, self.beside = most, least, beside
        self.is_more = is_more or least is not None

    @property
    def has_gate(self):
        return self.most is not None or self.least is not None or self.beside is not None

    def worse(self, value, other):
        """By how much a value is worse than another."""
        return other - value if self.is_more else value - other

    def bounds(self, reference):
        """The bounds as numbers; that beside R3 only where R3 was measured."""
        found = [bound for bound in (self.most, self.least) if bound is not None]
        if self.beside is not None and reference is not None:
            found.append(reference - self.beside if self.is_more else reference + self.beside)
        return found

    def is_missed(self, value, reference):
        return any(not self.worse(value, bound) <= 1e-9 for bound in self.bounds(reference))


class Group:
    """A table: measures, and `measured(run, shift, whole)`, which gives a tool's figures by key.

    `run` makes a tool's output of a sound and a factor; `shift` that of a sound and semitones, or is `None`. Without
    `whole`, only what has a gate and needs neither a recording nor another program is measured."""

    def __init__(self, title, text, measures, measured):
        self.title, self.text, self.measures, self.measured = title, text, measures, measured


def decibel(key, row, **bounds):
    return Measure(key, row, "{:.0f}", slack=1, **bounds)


# Close tones

TONE_FACTORS = ("0.8", "1.5")
# The middle tones, in Hz, and the least distance of those that have a gate.
GATED, LEAST_APART = (700, 1200, 3000, 6500), 60


def close_measures():
    found = []
    for center, apart in h.CLOSE:
        gate = {"least": 10, "beside": 1} if center in GATED and apart >= LEAST_APART else {"is_more": True}
        found += [decibel(f"close {center}/{apart} x{factor}", f"{center} Hz, {apart} Hz apart", **gate)
                  for factor in TONE_FACTORS]
    return found + [decibel(f"crossover x{factor}", "500 and 600 Hz alone", is_more=True) for factor in TONE_FACTORS]


def close_tones(run, shift, whole):
    found = {}
    for factor in TONE_FACTORS:
        for center, apart in h.CLOSE:
            frequencies = h.close(center, apart)
            output = run(h.steady(frequencies, f"close-{center}-{apart}"), factor)[:, 0]
            found[f"close {center}/{apart} x{factor}"] = tonal.contrast(output, frequencies)
        output = run(h.steady((500, 600), "close-500-600"), factor)[:, 0]
        found[f"crossover x{factor}"] = tonal.contrast(output, (500, 600))
    return found


def beat_measures():
    return [Measure(f"beat {center}/{apart} x{factor}", f"{center} and {center + apart} Hz", "{:.1f}", most=0.5, slack=0.1)
            for center, apart in h.BEATING for factor in TONE_FACTORS]


def beats(run, shift, whole):
    found = {}
    for factor in TONE_FACTORS:
        for center, apart in h.BEATING:
            output = run(h.steady((center, center + apart), f"beat-{center}-{apart}"), factor)[:, 0]
            found[f"beat {center}/{apart} x{factor}"] = abs(tonal.beat_rate(output) - apart)
    return found


# Scores and channels

SCORE_FACTORS = ("0.67", "1.5")
CHANNEL_FACTORS = ("0.8", "1.5", "2")


def score_measures():
    made = [Measure(f"{score.name} x{factor}", f"{score.name}, by arithmetic", "{:.2f}", most=1.5, slack=0.1)
            for score in h.SCORES for factor in SCORE_FACTORS]
    return made + [Measure(f"played {score.name} x{factor}", f"{score.name}, sampled", "{:.2f}", most=1.5, slack=0.1)
                   for score in h.SCORES if score.program is not None for factor in SCORE_FACTORS]


def scores(run, shift, whole):
    found = {}
    for factor in SCORE_FACTORS:
        tempo = tools.value(factor)
        for score in h.SCORES:
            output = run(score.made(), factor)[:, 0]
            found[f"{score.name} x{factor}"] = float(np.abs(score_cents(output, score.made, tempo)).mean())
            if whole and score.program is not None and h.can_play():
                output = run(score.played(), factor)[:, 0]
                found[f"played {score.name} x{factor}"] = float(np.abs(score_cents(output, score.played, tempo)).mean())
    return found


@lru_cache(maxsize=None)
def true_partials(perform, tempo):
    """The partials of a score in each of its spans, as they are when `perform` plays it at a tempo."""
    truth = perform(tempo).frames[:, 0]
    return [tonal.partials(truth, span) for span in perform.__self__.spans(tempo)]


def score_cents(output, perform, tempo):
    """How far the partials of an output lie from those of the score played at that tempo, in cents."""
    return tonal.cents_off(output, perform.__self__.spans(tempo), true_partials(perform, tempo))


def channel_measures():
    rows = [("stereo", "stereo, 200 and 210 Hz", CHANNEL_FACTORS),
            ("six", "six channels, 7 Hz apart from 200 Hz", CHANNEL_FACTORS),
            ("dual", "dual mono, beside the file alone", TONE_FACTORS),
            ("tracks", "three tracks, beside the files alone", TONE_FACTORS)]
    return [Measure(f"{kind} x{factor}", label, "{:.3f}", most=0.1, slack=0.01)
            for kind, label, factors in rows for factor in factors]


def channels(run, shift, whole):
    found = {}
    for factor in CHANNEL_FACTORS:
        for kind, frequencies in (("stereo", (200, 210)), ("six", [200 + 7 * i for i in range(6)])):
            output = run(h.apart(frequencies, f"apart-{kind}"), factor)
            found[f"{kind} x{factor}"] = max(abs(m.cents_off(output[:, i], frequency))
                                             for i, frequency in enumerate(frequencies))
    for factor in TONE_FACTORS:
        tempo = tools.value(factor)
        made = [score.made() for score in h.SCORES]
        alone = [run(sound, factor)[:, 0] for sound in made]
        count = min(len(sound) for sound in made)
        dual = run(s.Sound("dual", np.repeat(made[0].frames, 2, axis=1)), factor)
        tracks = run(s.Sound("tracks", np.concatenate([sound.frames[:count] for sound in made], axis=1)), factor)

        def largest(output, index):
            made = h.SCORES[index].made
            together, single = (score_cents(signal, made, tempo) for signal in (output, alone[index]))
            return float(np.abs(together - single).max())
        found[f"dual x{factor}"] = max(largest(dual[:, i], 0) for i in (0, 1))
        found[f"tracks x{factor}"] = max(largest(tracks[:, i], i) for i in range(len(made)))
    return found


# Right results

RIGHT_FACTORS = ("1.5", "2")
RIGHT_WINDOW = 1024


def performed():
    """What plays at every tempo, by name."""
    return {"castanets": h.strokes} | {f"{score.name}, by arithmetic": score.made for score in h.SCORES}


def distance(output, source, factor):
    return b.spectral_distance(output, source.frames, factor, RIGHT_WINDOW, source.rate)


def right_measures():
    found = [Measure(f"right {name} x{factor}", f"{name}, beside the right result", "{:.2f}", slack=0.05)
             for name in performed() for factor in RIGHT_FACTORS]
    return found + [Measure(f"slowed castanets x{factor}", "castanets, along the source", "{:.2f}", slack=0.05)
                    for factor in RIGHT_FACTORS]


def right(run, shift, whole):
    found = {}
    for factor in RIGHT_FACTORS if whole else ():
        tempo = tools.value(factor)
        for name, perform in performed().items():
            output = run(perform(1.0), factor)
            found[f"right {name} x{factor}"] = distance(output, perform(tempo), 1)
            if name == "castanets":
                found[f"slowed castanets x{factor}"] = distance(output, perform(1.0), tempo)
    return found


def right_along_source(factor):
    """How far the right result for castanets is from the source, measured as results of recordings are."""
    tempo = tools.value(factor)
    return distance(h.strokes(tempo).frames, h.strokes(), tempo)


# Voices

VOICE_FACTORS = ("0.5", "0.67", "0.8", "1.5")
GLIDING = (60, 100, 150)
BREATHING = (100, 150)


def voice_measures():
    found = [Measure(f"pitch {pitch} x{factor}", f"{pitch} Hz: wrong pitch, % of frames", "{:.0f}", most=0, slack=0.5)
             for pitch in h.VOICES for factor in ("0.67", "1.5")]
    # Two dB of noise more than in the source may be; and one more than R3's where a voice becomes shorter.
    bounds = {"0.5": {"beside": 1, "is_more": True}, "0.67": {"least": -2, "beside": 1},
              "0.8": {"beside": 1, "is_more": True}, "1.5": {"least": -2}}
    found += [Measure(f"harmonics {pitch} x{factor}", f"{pitch} Hz: change of harmonics to noise, dB", "{:+.1f}",
                      slack=0.5, **bounds[factor]) for pitch in h.VOICES for factor in VOICE_FACTORS]
    found += [Measure(f"harmonics of gliding {pitch} x{factor}", f"{pitch} Hz, gliding, beside the voice at that tempo: "
                      "change of harmonics to noise, dB", "{:+.1f}", least=-2, slack=0.5)
              for pitch in GLIDING for factor in ("0.67", "1.5")]
    found += [Measure(f"breath {pitch} x{factor}", f"{pitch} Hz: breath above 8 kHz, how far off its level, dB", "{:.1f}",
                      slack=0.2) for pitch in BREATHING for factor in ("0.5", "0.67", "0.8")]
    return found + [Measure(f"harmonics of speech x{factor}", "recorded speech: change of harmonics to noise, dB",
                            "{:+.1f}", beside=1, is_more=True, slack=0.5) for factor in ("0.5", "0.67", "0.8")]


def breath(signal, rate):
    """The level above 8 kHz, where the made voices have breath alone, in dB."""
    power = np.abs(np.fft.rfft(signal * np.hanning(len(signal)))) ** 2
    return 10 * np.log10(power[np.fft.rfftfreq(len(signal), 1 / rate) >= 8000].sum() / len(signal) ** 2)


def voices(run, shift, whole):
    found = {}
    for pitch in h.VOICES:
        sound = h.low_voice(pitch)
        before = praat.harmonicity(sound.frames[:, 0], sound.rate)
        for factor in VOICE_FACTORS:
            output = run(sound, factor)[:, 0]
            found[f"pitch {pitch} x{factor}"] = praat.wrong_pitch(output, pitch, sound.rate)
            found[f"harmonics {pitch} x{factor}"] = praat.harmonicity(output, sound.rate) - before
            found[f"breath {pitch} x{factor}"] = abs(breath(output, sound.rate) - breath(sound.frames[:, 0], sound.rate))
    for pitch in GLIDING:
        sound = h.gliding_voice(pitch)
        for factor in ("0.67", "1.5"):
            truth = h.gliding_voice(pitch, tools.value(factor))
            output = run(sound, factor)[:, 0]
            found[f"harmonics of gliding {pitch} x{factor}"] = (
                praat.harmonicity(output, sound.rate) - praat.harmonicity(truth.frames[:, 0], sound.rate))
    if whole:
        for factor in ("0.5", "0.67", "0.8"):
            changes = []
            for sound in speech():
                before = praat.harmonicity(sound.frames[:, 0], sound.rate)
                changes.append(praat.harmonicity(run(sound, factor)[:, 0], sound.rate) - before)
            found[f"harmonics of speech x{factor}"] = float(np.mean(changes))
    return {key: value for key, value in found.items() if key in KEYS}


def spoken():
    """The recordings of speech of both halves."""
    return [one for half in recordings.HALVES for one in recordings.listed(half) if one.kind == "speech"]


def speech():
    """The recordings of speech, as one channel."""
    found = []
    for one in spoken():
        sound = one.sound()
        found.append(s.Sound(f"mono-{sound.name}", sound.frames.mean(axis=1), sound.rate))
    return found


# Formants

SHIFTS = (-7, -3, 3, 7)


def formant_measures():
    kinds = ("made", "made vowels", True), ("speech", "recorded speech", False)
    return ([Measure(f"level {kind} {shift:+d}", f"{label}: level, worst, dB", "{:.2f}", most=0.5, slack=0.1)
             for kind, label, _ in kinds for shift in SHIFTS]
            + [Measure(f"formants {kind} {shift:+d}", f"{label}: formants, % off", "{:.1f}", slack=0.5)
               for kind, label, _ in kinds for shift in SHIFTS])


def formants(run, shift, whole):
    if not shift:
        return {}
    found = {}
    for kind, sounds in (("made", h.vowels()), ("speech", speech() if whole else [])):
        for semitones in SHIFTS if sounds else ():
            levels, errors = [], []
            for sound in sounds:
                source, output = sound.frames[:, 0], shift(sound, semitones)[:len(sound), 0]
                output = np.pad(output, (0, len(source) - len(output)))
                levels.append(abs(m.level_change(output, source)))
                errors.append(praat.formant_error(output, source, sound.rate, 5000 if kind == "made" else 5500))
            found[f"level {kind} {semitones:+d}"] = max(levels)
            found[f"formants {kind} {semitones:+d}"] = float(np.mean(errors))
    return found


# Silence, and what clips

GHOST_BOUNDS = {"1.5": -60, "2": -60, "3": -50, "4": -50}
GHOST_FLOOR = -120.0


def ghost_measures():
    return [decibel(f"{side} {name} x{factor}", f"{name}, {label}", most=bound)
            for name in ("piano", "tone", "noise")
            for side, label in (("before", "150 to 50 ms before it begins"), ("after", "50 to 150 ms after it ends"))
            for factor, bound in GHOST_BOUNDS.items()]


def ghosts(run, shift, whole):
    found = {}
    for factor in GHOST_BOUNDS:
        ratio = tools.value(factor)
        for sound in h.after_silence():
            output = np.abs(run(sound, factor)[:, 0])
            name, peak = sound.name.split("-")[1], output.max()
            for side, first, last in (("before", h.ONSET * ratio - 0.15, h.ONSET * ratio - 0.05),
                                      ("after", h.END * ratio + 0.05, h.END * ratio + 0.15)):
                loudest = output[int(first * s.RATE):int(last * s.RATE)].max()
                found[f"{side} {name} x{factor}"] = max(GHOST_FLOOR, m.decibels(loudest / peak))
    return found


EDGE_FACTORS = ("0.67", "1.5", "3")


def edge_measures():
    return ([decibel(f"click x{factor}", "notes cut off at the end: loudest above 4 kHz in the last millisecond, dB")
             for factor in EDGE_FACTORS]
            + [Measure(f"square x{factor}", "full-scale square of 220 Hz: peak", "{:.2f}", slack=0.05)
               for factor in EDGE_FACTORS]
            + [Measure(f"offset x{factor}", "constant 0.5: peak", "{:.2f}", slack=0.02) for factor in EDGE_FACTORS])


def edges(run, shift, whole):
    found = {}
    for factor in EDGE_FACTORS:
        found[f"click x{factor}"] = end_click(run(h.cut_notes(), factor)[:, 0])
        found[f"square x{factor}"] = float(np.abs(run(h.square(), factor)).max())
        found[f"offset x{factor}"] = float(np.abs(run(h.offset(), factor)).max())
    return found


def end_click(signal, rate=s.RATE, above=4000.0):
    """The loudest that is above a frequency in the last millisecond, in dB below the peak of all.

    The signal goes on as its own image in the last sample, which makes no step and no bend there."""
    count = int(0.1 * rate)
    piece = signal[-count:]
    whole = np.concatenate([piece, 2 * piece[-1] - piece[-2::-1]])
    # A straight line takes the ends to the same height.
    whole = whole - np.linspace(whole[0], whole[-1], len(whole))
    spectrum = np.fft.rfft(whole * np.hanning(len(whole)))
    frequency = np.fft.rfftfreq(len(whole), 1 / rate)
    spectrum *= 0.5 - 0.5 * np.cos(np.pi * np.clip((frequency - 0.75 * above) / (0.5 * above), 0, 1))
    high = np.abs(np.fft.irfft(spectrum, len(whole)))
    return m.decibels(high[count - int(0.001 * rate):count].max() / np.abs(signal).max())


GROUPS = [
    Group("Close tones: theirs over everything else, dB",
          "Three steady tones of equal level. A cell has the values at x0.8 / x1.5. Gate, from 700 Hz and 60 Hz apart on: "
          "at least 10, and at most 1 less than `rubberband -3`.", close_measures(), close_tones),
    Group("Beats: how far off their rate, Hz",
          "Two steady tones beat as often in a second as they lie apart in Hz, at every factor. A cell has the values at "
          "x0.8 / x1.5. Gate: at most 0.5.", beat_measures(), beats),
    Group("Partials of scores: how far off, cents, the mean",
          "Chords by arithmetic and by samples (Debian's timgm6mb-soundfont), beside the same score played at the other "
          "tempo. A cell has the values at x0.67 / x1.5. Gate: at most 1.5.", score_measures(), scores),
    Group("Right results: spectral distance, window 1024, dB",
          "Castanets whose strokes last as long at every tempo, and the scores by arithmetic, beside what they are at the other "
          "tempo; and the castanets along the source, as recordings are measured, for which no right result is known. Along the "
          "source, a tool does best that makes each stroke as slow as the rest: the right result itself is {right:.1f} dB off at "
          "x2. A cell has the values at x1.5 / x2. There is no gate.", right_measures(), right),
    Group("Channels that hold different things: cents, the worst",
          "A cell has the values at x0.8 / x1.5 / x2, and beside files alone at x0.8 / x1.5. The tracks are the three "
          "scores. Gate: at most 0.1.", channel_measures(), channels),
    Group("Low voices",
          "Made voices, by Praat's autocorrelation from 40 Hz up; those of one pitch have as much breath at every tempo. "
          "Wrong is a pitch more than 0.15 octaves off. A cell has the values at x0.67 / x1.5, or for harmonics over noise "
          "of voices of one pitch at x0.5 / x0.67 / x0.8 / x1.5, and of the recordings of speech of both halves at x0.5 / "
          "x0.67 / x0.8. Gates: no wrong pitch; at x0.67 and x1.5 a change of at least -2 dB; below x1 at most 1 dB less "
          "than `rubberband -3`. Noise that a tool loses raises harmonics over noise: see how far breath is off, at x0.5 / "
          "x0.67 / x0.8.", voice_measures(), voices),
    Group("Ghosts: the loudest sample where there should be silence, dB",
          "Relative to the peak; -120 is silence. A cell has the values at x1.5 / x2 / x3 / x4. Gate: at most -60, at x3 "
          "and x4 -50.", ghost_measures(), ghosts),
    Group("Pitch with formants kept",
          "A cell has the values at -7 / -3 / +3 / +7 semitones; other tools keep no formants. Gate for the level: at most "
          "0.5.", formant_measures(), formants),
    Group("Ends, squares and constants",
          "In the sources, the click at the end of the notes has {click:.0f} dB, and the peaks are 1 and 0.5. A cell has "
          "the values at x0.67 / x1.5 / x3. There is no gate. `rubberband` lowers its gain where its output would clip, and "
          "clips the rest, as 24 bits clip that of `soundstretch`: their peaks do not compare.",
          edge_measures(), edges),
]
MEASURES = [measure for group in GROUPS for measure in group.measures]
KEYS = {measure.key: measure for measure in MEASURES}


def source_click():
    return end_click(h.cut_notes().frames[:, 0])
