"""Tries the instruments of tonal.py, praat.py and hardgroups.py on sounds whose answer is known."""
import numpy as np
import hardgroups as g
import hardsounds as h
import measures as m
import praat
import signals as s
import tonal
from selfcheck import below, near


def close_tones():
    frequencies = h.close(700, 60)
    pure = h.steady(frequencies, "pure").frames[:, 0]
    faults = below("what close tones leave", -tonal.contrast(pure, frequencies), -150)
    hiss = np.random.default_rng(1).standard_normal(len(pure))
    faults += near("contrast of close tones", tonal.contrast(pure + 0.1 * m.rms(pure) * hiss, frequencies), 20, 0.2)
    # Tones of other frequencies are not theirs.
    faults += below("contrast of tones 1 Hz off", tonal.contrast(h.steady([f + 1 for f in frequencies], "off").frames[:, 0],
                                                                 frequencies), 0)
    for apart in (40, 27):
        faults += near("rate of beats", tonal.beat_rate(h.steady((1200, 1200 + apart), "beat").frames[:, 0]), apart, 0.05)
    return faults


def scores():
    faults = []
    for score in h.SCORES:
        source = score.made().frames[:, 0]
        for tempo in (0.67, 1.5):
            found = np.abs(tonal.cents_off(source, score.spans(1), g.true_partials(score.made, tempo)))
            faults += near(f"partials of the {score.name}", len(found), 150, 100)
            faults += below(f"cents of the {score.name} played at another tempo", found.mean(), 0.15)
        # The same samples at another rate are 5 cents higher.
        higher = tonal.cents_off(source, score.spans(1), g.true_partials(score.made, 1.0), s.RATE * 2 ** (5 / 1200))
        faults += near(f"cents of the {score.name}", np.median(higher), 5, 0.05)
    return faults


def right_results():
    # Of the same strokes, the same signal lies around each onset, and silence between.
    slow = h.strokes(2.0).frames[:, 0]
    first, later = (int(round(s.attack_times()[0] * tempo * s.RATE)) for tempo in (1, 2))
    count = int(0.1 * s.RATE)
    faults = near("a stroke at another tempo", float(np.abs(
        slow[later:later + count] - s.castanets().frames[first:first + count, 0]).max()), 0, 1e-9)
    faults += near("distance of castanets from themselves", g.distance(h.strokes().frames, h.strokes(), 1), 0, 1e-9)
    quiet = 10 ** (-3 / 20) * h.strokes().frames
    return faults + near("distance of castanets 3 dB lower", g.distance(quiet, h.strokes(), 1), 3, 0.3)


def voices():
    faults = []
    for pitch in (50, 100, 150):
        voice = h.low_voice(pitch)
        found = [praat.harmonicity(h.low_voice(pitch, tempo).frames[:, 0], voice.rate) for tempo in (1, 0.67, 1.5)]
        faults += near(f"harmonics of a voice of {pitch} Hz sung faster and slower", np.ptp(found), 0, 0.3)
        for wanted, wrong in ((pitch, 0), (2 * pitch, 100)):
            found = praat.wrong_pitch(voice.frames[:, 0], wanted, voice.rate)
            faults += near(f"wrong pitch of a voice of {pitch} Hz that should have {wanted}", found, wrong, 0)
    voice = h.low_voice(100).frames[:, 0]
    faults += near("breath of a voice sung faster", g.breath(h.low_voice(100, 0.67).frames[:, 0], s.RATE)
                   - g.breath(voice, s.RATE), 0, 0.2)
    faults += near("breath of a voice at half its level", g.breath(voice / 2, s.RATE) - g.breath(voice, s.RATE), -6.02, 0.01)
    # Noise of a hundredth of the power of a tone.
    time = s.times(3)
    tone = sum(np.cos(2 * np.pi * 100 * k * time) / k for k in range(1, 20))
    hiss = np.random.default_rng(2).standard_normal(len(time)) * m.rms(tone) / 10
    faults += near("harmonics over noise", praat.harmonicity(tone + hiss, s.RATE), 20, 0.7)
    return faults


def formants():
    low, high = (h.sung(120, [(f * part, width) for f, width in h.VOWELS["a"]], "moved").frames[:, 0] for part in (1, 1.1))
    faults = near("formants of the same", praat.formant_error(low, low, s.RATE, 5000), 0, 1e-9)
    return faults + near("formants a tenth higher", praat.formant_error(high, low, s.RATE, 5000), 10, 1.5)


def ends():
    time = s.times(2)
    tone = 0.5 * np.sin(2 * np.pi * 200 * time)
    faults = below("click of a tone cut off at a zero", g.end_click(tone), -80)
    faults += below("click of a tone cut off elsewhere", g.end_click(tone[:-60]), -60)
    bent = tone.copy()
    bent[-22] += 0.05
    return faults + ([] if g.end_click(bent) > -30 else [f"instrument click: {g.end_click(bent):.0f} dB"])


def faults():
    """The faults of the instruments, one line each."""
    return close_tones() + scores() + right_results() + voices() + formants() + ends()
