"""Table 1: methods that change speed and pitch together."""
from concurrent.futures import ThreadPoolExecutor
import os
import numpy as np
import measures as m
import signals as s
import tools

TONES = [997, 5000, 10000]
SWEEPS = ["0.75", "1.5", "480/441"]
LENGTHS = ["0.5", "0.75", "1.5", "480/441", "3.7"]
IMPULSES = ["0.5", "0.75", "1.5", "480/441", "3.7"]
# To 91 % of the lower Nyquist frequency: the source's at x1.5, the output's at x0.5.
BAND = 0.91
TOP = {"1.5": s.RATE / 2, "0.5": s.RATE / 4}


def band(factor):
    return list(np.linspace(0.02, BAND, 24) * TOP[factor])


def sounds():
    """The sounds of this table, by name."""
    made = [s.tone(f) for f in TONES] + [s.tone(15000), s.impulse(), s.sweep()]
    made += [s.tones(band(factor), f"band-{factor}") for factor in TOP]
    return {sound.name: sound for sound in made}


class Varispeed:
    """The measures of one tool."""

    def __init__(self, tool, all_sounds, folder):
        self.tool, self.sounds, self.folder = tool, all_sounds, folder

    def output(self, name, factor):
        return self.tool.run(self.sounds[name], factor, self.folder)[:, 0]

    def ratio(self, source, output, factor):
        """Output frames for each input frame: the factor, or for interpolation from end to end."""
        if self.tool.ours and not self.tool.name.startswith("sinc"):
            return (len(output) - 1) / (len(source) - 1)
        return tools.value(factor)

    def signal_to_noise(self, frequency):
        sound = self.sounds[f"tone-{frequency}"]
        output = self.output(sound.name, "1.5")
        expected = frequency / self.ratio(sound, output, "1.5")
        # Other programs may have a slightly different map: their noise is what no sine close by explains.
        if not self.tool.ours:
            expected = m.refined_frequency(output, expected)
        return m.signal_to_noise(output, expected)

    def vanishing_tone(self):
        source = self.sounds["tone-15000"].frames[:, 0]
        return m.level_change(m.middle(self.output("tone-15000", "0.5")), m.middle(source))

    def flatness(self, factor):
        sound = self.sounds[f"band-{factor}"]
        output = self.output(sound.name, factor)
        ratio = self.ratio(sound, output, factor)
        places = [f / ratio for f in band(factor)]
        return m.largest_deviation(output, places, s.tones_amplitude(len(places)))

    def length_error(self):
        errors = []
        for factor in LENGTHS:
            source = self.sounds["impulse"]
            wanted = int(float(len(source)) * tools.value(factor))
            errors.append(len(self.output("impulse", factor)) - wanted)
        return max(errors, key=abs)

    def impulse_error(self):
        errors = []
        for factor in IMPULSES:
            source = self.sounds["impulse"]
            output = self.output("impulse", factor)
            expected = (len(source) - 1) / 2 * self.ratio(source, output, factor)
            bandwidth = min(1, 1 / tools.value(factor))
            errors.append(m.impulse_position(output, expected, bandwidth) - expected)
        # Interpolation may step over an impulse.
        return max(errors, key=lambda error: np.inf if np.isnan(error) else abs(error))

    def image(self):
        """The loudest component off the line of the sweep, over all its factors."""
        found = []
        for factor in SWEEPS:
            source = self.sounds["sweep"]
            output = self.output("sweep", factor)
            ratio = self.ratio(source, output, factor)
            found.append(m.outside_line(
                output, lambda time: s.sweep_frequency(time / ratio) / ratio, s.SWEEP_PEAK))
        return max(found)

    def measures(self):
        if not self.tool.is_here:
            return None
        found = {f"snr {f}": self.signal_to_noise(f) for f in TONES}
        found["vanishing"] = self.vanishing_tone()
        found["image"] = self.image()
        found["flat 1.5"] = self.flatness("1.5")
        found["flat 0.5"] = self.flatness("0.5")
        found["length"] = self.length_error()
        found["impulse"] = self.impulse_error()
        return found


def measured(binary, folder, only_ours=False):
    """Tools and what was measured of each; `None` for one that is not installed."""
    all_sounds = sounds()
    for sound in all_sounds.values():
        tools.written(sound, folder)
    chosen = [tool for tool in tools.varispeed(binary) if tool.ours or not only_ours]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda tool: Varispeed(tool, all_sounds, folder).measures(), chosen)
        return list(zip(chosen, found))


# The bounds, in dB.
LEAST_SNR = {"sinc high": 120, "sinc best": 140}


def missed(results):
    """The gates that are not met, a line each."""
    lines = []

    def gate(tool, name, found, holds, wanted):
        if not holds:
            lines.append(f"{tool}: {name} is {found:.4g}, not {wanted}")
    for tool, found in results:
        if not tool.ours:
            continue
        gate(tool.name, "length error", found["length"], found["length"] == 0, "0 frames")
        if not tool.name.startswith("sinc"):
            continue
        name = "error of an impulse's place"
        gate(tool.name, name, found["impulse"], abs(found["impulse"]) <= 0.01, "within 0.01 frame")
        for factor in TOP:
            level = found[f"flat {factor}"]
            gate(tool.name, f"passband at x{factor}", level, level <= 0.1, "within 0.1 dB")
        if tool.name not in LEAST_SNR:
            continue
        for frequency in TONES:
            level, least = found[f"snr {frequency}"], LEAST_SNR[tool.name]
            gate(tool.name, f"SNR at {frequency} Hz", level, level >= least, f"at least {least} dB")
        for name, key in (("15 kHz at x0.5", "vanishing"), ("image of a sweep", "image")):
            gate(tool.name, name, found[key], found[key] < -120, "below -120 dB")
    return lines
