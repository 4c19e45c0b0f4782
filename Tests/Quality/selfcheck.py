"""Tries every instrument on sounds, made here in 64 bits, whose answer is known."""
import numpy as np
import measures as m
import signals as s


def near(name, found, wanted, within):
    if not abs(found - wanted) <= within:
        return [f"instrument {name}: {found:.6g}, not {wanted:.6g} within {within:g}"]
    return []


def below(name, found, limit):
    return [] if found < limit else [f"instrument {name}: {found:.6g}, not below {limit:g}"]


def sine(frequency, seconds=2, peak=0.9):
    return peak * np.sin(2 * np.pi * frequency * s.times(seconds) + 0.3)


def tones():
    frequency = 997 / 1.5
    pure = sine(frequency)
    hiss = np.random.default_rng(1).standard_normal(len(pure)) * m.rms(pure) * 10 ** (-130 / 20)
    faults = below("SNR of a pure tone", -m.signal_to_noise(pure, frequency), -190)
    faults += near("SNR", m.signal_to_noise(pure + hiss, frequency), 130, 0.2)
    faults += near("SNR of float32", m.signal_to_noise(pure.astype(np.float32), frequency), 152, 4)
    faults += near("frequency", m.refined_frequency(sine(6666.7001), 6666.6667), 6666.7001, 1e-8)
    places = [50.0, 1000.0, 9000.0, 13377.0]
    several = sum(gain * sine(f, peak=0.1) for f, gain in zip(places, (1, 1, 10 ** (-0.05 / 20), 1)))
    faults += near("deviation", m.largest_deviation(several, places, 0.1), 0.05, 1e-6)
    quiet = sine(15000, peak=1e-6)
    faults += near("level", m.level_change(quiet, sine(1000, peak=1)), -120, 0.01)
    for cents in (-7.3, 0, 0.02, 3):
        bent = sine(440 * 2 ** (cents / 1200))
        faults += near("cents of a tone", m.cents_off(bent, 440), cents, 0.002)
    bent = s.chord(2)
    for note in s.CHORD:
        faults += near("cents of a chord", m.cents_off(bent.frames[:, 0], note), 0, 0.02)
    return faults


def impulses():
    faults = []
    n = np.arange(8001)
    for place, bandwidth in ((4000.0123, 1), (3999.5, 2 / 3), (4003.25, 0.1)):
        signal = bandwidth * np.sinc(bandwidth * (n - place)) * np.kaiser(8001, 20)
        faults += near("position", m.impulse_position(signal, 4000, bandwidth), place, 1e-4)
    return faults


def sweeps():
    pure = s.sweep()
    clean = m.outside_line(pure.frames[:, 0], s.sweep_frequency, s.SWEEP_PEAK)
    faults = below("image of a pure sweep", clean, -140)
    time = s.times(s.SWEEP_SECONDS)
    image = 10 ** (-110 / 20) * s.SWEEP_PEAK * np.sin(2 * np.pi * 12345 * time)
    found = m.outside_line(pure.frames[:, 0] + image, s.sweep_frequency, s.SWEEP_PEAK)
    return faults + near("image", found, -110, 0.6)


def moments():
    moment = s.click_times()
    signal = s.clicks().frames[:, 0]
    errors = m.onset_errors(signal, moment, 0.5)
    faults = near("onset", np.abs(errors).max(), 0, 2e-5)
    late = np.roll(signal, 441)
    faults += near("late onset", m.onset_errors(late, moment, 0.5).mean(), 0.01, 2e-5)
    faults += near("lost click", m.onset_errors(0 * signal, moment, 0.5).max(), m.LOST, 0)
    double = signal + np.roll(signal, 441)
    faults += near("spread", m.spreads(double, moment + 0.005, 0.5).mean(), 0.005, 1e-5)
    faults += near("spread of one", m.spreads(signal, moment, 0.5).max(), 0, 1e-9)
    faults += near("spread of a lost click", m.spreads(1e-3 * signal, moment, 0.5).min(), m.LOST, 0)
    dry = s.castanets().frames[:, 0]
    faults += below("pre-echo of none", m.pre_echoes(dry, s.attack_times()).max(), -80)
    wet = dry.copy()
    for time in s.attack_times():
        start = int(round(time * s.RATE))
        attack = np.sum(np.square(dry[start:start + int(m.ATTACK * s.RATE)]))
        begin, end = start - int(0.045 * s.RATE), start - int(0.005 * s.RATE)
        wet[begin:end] += np.sqrt(attack * 1e-4 / (end - begin)) * np.where(np.arange(end - begin) % 2, 1, -1)
    faults += near("pre-echo", m.pre_echoes(wet, s.attack_times()).mean(), -40, 0.5)
    return faults


def stereo():
    rng = np.random.default_rng(2)
    one, two = rng.standard_normal((2, 200000))
    wanted = 0.6
    pair = np.stack([one, wanted * one + np.sqrt(1 - wanted ** 2) * two], axis=1)
    return near("correlation", m.correlation(pair), wanted, 0.01)


def faults():
    """The faults of the instruments, one line each."""
    return tones() + impulses() + sweeps() + moments() + stereo()
