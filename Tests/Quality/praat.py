"""Praat's measures of voices, by parselmouth."""
import numpy as np
import parselmouth

LOWEST = 40.0


def wrong_pitch(signal, pitch, rate):
    """The part of the frames, in per cent, without a pitch or with one more than 0.15 octaves off; by autocorrelation."""
    found = parselmouth.Sound(signal, rate).to_pitch_ac(0.01, LOWEST, pitch_ceiling=400).selected_array["frequency"]
    wrong = (found <= 0) | (np.abs(np.log2(np.maximum(found, 1) / pitch)) > 0.15)
    return 100 * float(wrong.mean())


def harmonicity(signal, rate):
    """Harmonics over noise in dB: the mean over frames that have a pitch, by autocorrelation."""
    values = parselmouth.Sound(signal, rate).to_harmonicity_ac(0.01, LOWEST, 0.1, 4.5).values
    voiced = values[values > -100]
    return float(voiced.mean()) if len(voiced) else float("nan")


def formants(signal, rate, times, ceiling):
    """The first three formants at times, times x 3, in Hz; by Burg's method."""
    found = parselmouth.Sound(signal, rate).to_formant_burg(0.01, 5, ceiling, 0.025, 50)
    return np.array([[found.get_value_at_time(number, time) for number in (1, 2, 3)] for time in times])


def loud_times(signal, rate, step=0.01, within=20.0):
    """Times at which a signal is at most so many dB below its loudest."""
    levels = parselmouth.Sound(signal, rate).to_intensity()
    times = np.arange(0.1, len(signal) / rate - 0.1, step)
    values = np.array([levels.get_value(time) for time in times])
    return times[np.nan_to_num(values, nan=-300) > levels.values.max() - within]


def formant_error(output, source, rate, ceiling=5500.0):
    """How far formants of an output of the same length lie from those of its source, in per cent, the median."""
    times = loud_times(source, rate)
    wanted, found = (formants(signal, rate, times, ceiling) for signal in (source, output))
    return 100 * float(np.nanmedian(np.abs(found / wanted - 1)))
