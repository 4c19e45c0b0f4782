"""Tries the instruments of bands.py and voices.py on sounds whose answer is known."""
import numpy as np
import bands as b
import measures as m
import signals as s
import voices as v
from selfcheck import below, near


def noise(count=100000, seed=5):
    return 0.1 * np.random.default_rng(seed).standard_normal(count)


def distances():
    one = noise()
    faults = []
    for size in b.WINDOWS:
        faults += near(f"SD {size} of the same", b.spectral_distance(one, one, 1, size, s.RATE), 0, 1e-9)
        faults += near(f"SD {size} of half as much", b.spectral_distance(0.5 * one, one, 1, size, s.RATE), 6.02, 0.01)
    # A tone that swells and fades, and the same twice as slowly.
    def swelling(seconds, late=0.0):
        time = s.times(seconds) / seconds - late
        return np.sin(2 * np.pi * 1000 * s.times(seconds)) * 10 ** (np.sin(2 * np.pi * time) / 2)
    faults += below("SD of a tone twice as slow", b.spectral_distance(
        s.faded(swelling(8), 0.2), s.faded(swelling(4), 0.1), 2, 1024, s.RATE), 0.05)
    # 10 dB times the mean slope of a sine, 4 for each turn.
    late = b.spectral_distance(swelling(4, 0.01), swelling(4), 1, 1024, s.RATE)
    return faults + near("SD of the same a hundredth late", late, 10 * 4 * 0.01, 0.02)


def stereo():
    one, two = noise(seed=1), noise(seed=2)
    same, apart = np.stack([one, one], 1), np.stack([one, two], 1)
    faults = near("coherence of the same", b.stereo_changes(apart, apart, 1, s.RATE)[0], 0, 1e-9)
    lost = b.stereo_changes(apart, same, 1, s.RATE)[0]
    # Of few independent spectra, some coherence is left.
    faults += near("coherence lost", lost, 0.75, 0.15)
    turned = np.stack([one, 0.5 * one], 1)
    faults += near("level difference", b.stereo_changes(turned, same, 1, s.RATE)[1], 6.02, 0.01)
    opposed = np.stack([one, one * 0.5], 1)
    faults += near("mid level", b.mid_change(opposed, same), 20 * np.log10(0.75 / np.sqrt(0.625)), 0.01)
    return faults


def attacks():
    dry = s.castanets().frames[:, 0]
    places = np.rint(s.attack_times() * s.RATE)
    found = np.array(b.attacks(dry, s.RATE))
    faults = near("number of attacks", len(found), len(places), 0)
    if len(found) == len(places):
        faults += below("places of attacks, s", np.abs(found - places).max() / s.RATE, 0.001)
    faults += near("attack loss of none", b.attack_loss(dry, dry, 1, s.RATE), 0, 1e-9)
    # A stroke under noise 12 dB below it has the contrast of both together.
    hum = 0.5 * np.sin(2 * np.pi * 3000 * np.arange(len(dry)) / s.RATE)
    wet = dry + 0.02 * hum
    loss = b.attack_loss(wet, dry, 1, s.RATE)
    faults += [] if 5 < loss < 40 else [f"instrument attack loss under a tone: {loss:.3g} dB"]
    # Strokes that take 40 ms to rise have no attack.
    rises = np.zeros(len(dry))
    rises[places.astype(int)] = 1
    soft = hum * np.convolve(rises, np.hanning(3528), "same")
    smeared = b.attack_loss(soft, dry, 1, s.RATE)
    return faults + ([] if smeared > 20 else [f"instrument attack loss of soft strokes: {smeared:.3g} dB"])


def envelopes():
    one = noise(200000)
    faults = near("wavering of the same", b.envelope_change(one, one, s.RATE), 0, 1e-9)
    faults += near("wavering of other noise", b.envelope_change(noise(200000, 9), one, s.RATE), 0, 0.05)
    pulsing = one * (1 + 0.9 * np.sin(2 * np.pi * 8 * np.arange(len(one)) / s.RATE))
    change = b.envelope_change(pulsing, one, s.RATE)
    return faults + ([] if change > 2 else [f"instrument wavering of pulsing noise: {change:.3g} dB"])


def intelligibility():
    voice = s.voice().frames[:, 0] + 1e-4 * noise(len(s.voice()))
    gate = 0.55 + 0.45 * np.sin(2 * np.pi * 3 * np.arange(len(voice)) / s.RATE)
    speech = voice * gate
    faults = near("ESTOI of the same", v.estoi(speech, speech, 1, s.RATE), 1, 1e-6)
    before = 1.0
    for part in (0.003, 0.03, 0.3):
        now = v.estoi(speech + part * noise(len(speech)), speech, 1, s.RATE)
        faults += [] if now < before else [f"instrument ESTOI does not fall with noise: {now:.3g}, {before:.3g}"]
        before = now
    other = v.estoi(noise(len(speech)), speech, 1, s.RATE)
    return faults + below("ESTOI of noise alone", other, 0.3)


def pulses():
    voice = s.voice().frames[:, 0]
    faults = near("peakiness lost by none", v.peakiness_loss(voice, voice, 1, s.RATE), 0, 1e-9)
    spectrum = np.fft.rfft(voice)
    # All frequencies as loud as before, with phases of their own.
    turned = np.fft.irfft(np.abs(spectrum) * np.exp(2j * np.pi * np.random.default_rng(4).random(len(spectrum))), len(voice))
    lost = v.peakiness_loss(turned, voice, 1, s.RATE)
    faults += [] if lost > 3 else [f"instrument peakiness of phases at random: {lost:.3g} dB lost"]
    return faults


def swings():
    tone = s.vibrato().frames[:, 0]
    faults = below("vibrato of itself", v.vibrato_error(tone, 1, s.RATE, **s.VIBRATO), 0.005)
    still = sum(0.2 / n * np.sin(2 * np.pi * 440 * n * s.times(5)) for n in range(1, 9))
    faults += near("vibrato all lost", v.vibrato_error(still, 1, s.RATE, **s.VIBRATO), 1, 0.01)
    time = s.times(5)
    bend = 25 * np.sin(2 * np.pi * 5.5 * time)
    half = np.sin(2 * np.pi * np.cumsum(440 * 2 ** (bend / 1200)) / s.RATE)
    faults += near("half of a vibrato", v.vibrato_error(half, 1, s.RATE, **s.VIBRATO), 0.5, 0.01)
    pure = s.pure_chord().frames[:, 0]
    middle = m.middle(pure)
    left = m.fit(middle, s.far_apart())[1]
    return faults + below("what a pure chord leaves", m.decibels(m.rms(left) / m.rms(middle)), -60)


def faults():
    """The faults of the instruments, one line each."""
    return distances() + stereo() + attacks() + envelopes() + intelligibility() + pulses() + swings()
