"""Table 3: our own vocoder beside Rubber Band's R3, by what the papers found audible."""
from concurrent.futures import ThreadPoolExecutor
import os
import numpy as np
import bands as b
import measures as m
import recordings
import signals as s
import stretch
import tools
import voices as v

FACTORS = stretch.FACTORS
OURS, REFERENCE = "stretch", "`rubberband -3`"


class Gate:
    """One measure: its unit, how it is printed, and the most that may be, of a number and of that of R3.

    `least` stands for `most` where more is better, as `is_more` says where there is no bound."""

    def __init__(self, key, title, form, most=None, least=None, is_more=False):
        self.key, self.title, self.form = key, title, form
        self.is_more = is_more or least is not None
        self.most, self.least = most, least

    def bound(self, reference):
        rule = self.most or self.least
        return rule(reference) if rule else None

    def is_missed(self, value, reference):
        bound = self.bound(reference)
        if bound is None or value is None or np.isnan(value):
            return False
        return value < bound - 1e-9 if self.least else value > bound + 1e-9


def within(bound):
    return lambda reference: bound


def more(than):
    return lambda reference: reference + than


def times(part):
    return lambda reference: reference * part


GATES = [
    Gate("length", "Length error, frames", "{:.0f}", within(0)),
    Gate("tone", "Pitch error of five tones, worst, cents", "{:.3f}", within(0.05)),
    Gate("chord worst", "Pitch error of a chord, worst note, cents", "{:.3f}", within(0.1)),
    Gate("tone purity", "Purity of five tones, worst, dB", "{:.1f}", is_more=True),
    Gate("chord purity", "Purity of a chord of 15 tones, dB", "{:.1f}", least=within(30)),
    Gate("onset worst", "Onset error of clicks, worst, ms", "{:.2f}", more(0)),
    Gate("spread worst", "Spread of a click, worst, ms", "{:.2f}", more(0)),
    Gate("pre-echo mean", "Pre-echo before castanets, mean, dB", "{:.1f}", more(1)),
    Gate("attack loss", "Attack contrast lost in recordings, dB", "{:.2f}", times(0.5)),
    Gate("coherence", "Change of coherence between channels in recordings", "{:.3f}", within(0.04)),
    Gate("level difference", "Change of level difference between channels in recordings, dB", "{:.2f}"),
    Gate("mid", "Change of the mid level in recordings, worst, dB", "{:.3f}", within(0.05)),
    Gate("wide", "Change of the correlation of wide noise", "{:.3f}", within(0.05)),
    Gate("noise level", "Level change of noise, dB", "{:.2f}", more(0)),
    Gate("music level", "Level change of recordings, worst, dB", "{:.2f}", within(0.2)),
    Gate("noise envelope", "Change of the wavering of noise, dB", "{:.2f}"),
    Gate("SD 4096", "Spectral distance of recordings, window 4096, dB", "{:.3f}", times(1.05)),
    Gate("SD 1024", "Spectral distance of recordings, window 1024, dB", "{:.3f}", times(1.05)),
    Gate("SD 256", "Spectral distance of recordings, window 256, dB", "{:.3f}", times(1.05)),
    Gate("ESTOI", "Intelligibility of speech (ESTOI)", "{:.4f}", least=more(-0.01)),
    Gate("vibrato", "Error of a vibrato, of its depth", "{:.3f}", more(0.05)),
    Gate("peakiness", "Peakiness lost by a voice's pulses, dB", "{:.2f}", more(0.1)),
]
BY_KEY = {gate.key: gate for gate in GATES}


def made():
    """The sounds that are made here."""
    found = [s.steady_tone(frequency, 3) for frequency in s.TONES]
    found += [s.chord(), s.pure_chord(), s.clicks(), s.castanets(), s.wide(), s.noise(), s.vibrato(), s.voice()]
    return {sound.name: sound for sound in found}


def of_made(run, factor, sounds):
    """The measures of one tool on the sounds that are made here; `run` makes the output of a sound."""
    ratio = tools.value(factor)
    out = {name: run(sound, factor) for name, sound in sounds.items()}
    tones = [(frequency, out[f"steady-{frequency}"][:, 0]) for frequency in s.TONES]
    chord = m.middle(out["pure-chord"][:, 0])
    left = m.fit(chord, s.far_apart())[1]
    clicks, height = out["clicks"][:, 0], sounds["clicks"].frames.max()
    moments = s.click_times() * ratio
    return {
        "length": max(abs(len(out[name]) - int(len(sound) * ratio)) for name, sound in sounds.items()),
        "tone": max(abs(m.cents_off(signal, frequency)) for frequency, signal in tones),
        "chord worst": max(abs(m.cents_off(out["chord"][:, 0], note)) for note in s.CHORD),
        "tone purity": min(m.signal_to_noise(signal, frequency) for frequency, signal in tones),
        "chord purity": m.decibels(m.rms(chord - left) / m.rms(left)),
        "onset worst": 1000 * np.abs(m.onset_errors(clicks, moments, height)).max(),
        "spread worst": 1000 * m.spreads(clicks, moments, height).max(),
        "pre-echo mean": m.pre_echoes(out["castanets"][:, 0], s.attack_times() * ratio).mean(),
        "wide": abs(m.correlation(out["wide"]) - m.correlation(sounds["wide"].frames)),
        "noise level": abs(m.level_change(out["noise"], sounds["noise"].frames)),
        "noise envelope": abs(b.envelope_change(out["noise"], sounds["noise"].frames, s.RATE)),
        "vibrato": v.vibrato_error(out["vibrato"][:, 0], ratio, s.RATE, **s.VIBRATO),
        "peakiness": v.peakiness_loss(out["voice"][:, 0], sounds["voice"].frames[:, 0], ratio, s.RATE),
    }


def of_recording(output, sound, kind, factor):
    """The measures of one output of a recording."""
    ratio, source, rate = tools.value(factor), sound.frames, sound.rate
    found = {f"SD {size}": b.spectral_distance(output, source, ratio, size, rate) for size in b.WINDOWS}
    found["attack loss"] = b.attack_loss(output, source, ratio, rate)
    found["music level"] = abs(m.level_change(output, source))
    found["length"] = abs(len(output) - int(len(source) * ratio))
    if kind == "speech":
        found["ESTOI"] = v.estoi(output, source, ratio, rate)
    # Two channels with the same samples have nothing to lose.
    if source.shape[1] == 2 and not np.array_equal(source[:, 0], source[:, 1]):
        found["coherence"], found["level difference"] = b.stereo_changes(output, source, ratio, rate)
        found["mid"] = abs(b.mid_change(output, source))
    return found


WORST = ("length", "mid", "music level")


def together(found):
    """The measures of several outputs as one: means, and of some the worst."""
    result = {}
    for key in dict.fromkeys(key for one in found for key in one):
        values = [one[key] for one in found if one.get(key) is not None]
        if values:
            result[key] = float(max(values) if key in WORST else np.mean(values))
    return result


def measured(runs, factors, half, sounds=None):
    """For each run, by factor, what was measured on sounds made here and on the recordings of a half."""
    chosen = recordings.listed(half)
    recordings.fetch(chosen)
    real = [(recording.kind, recording.sound()) for recording in chosen]
    sounds = made() if sounds is None else sounds

    def one(task):
        run, factor = task
        by_recording = {sound.name: of_recording(run(sound, factor), sound, kind, factor) for kind, sound in real}
        found = together(([of_made(run, factor, sounds)] if sounds else []) + list(by_recording.values()))
        return found, by_recording
    tasks = [(run, factor) for run in runs for factor in factors]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(tasks, pool.map(one, tasks)))
    return [{factor: found[run, factor] for factor in factors} for run in runs]


def runner(tool, folder):
    """A tool as a function of a sound and a factor; each writes a sound where no other does."""
    def run(sound, factor):
        place = os.path.join(folder, f"{id(tool)}-{factor}")
        os.makedirs(place, exist_ok=True)
        tools.written(sound, place)
        return tool.run(sound, factor, place)
    return run


def missed(ours, reference, name):
    """The gates that are not met, a line each."""
    lines = []
    for factor, (found, _) in ours.items():
        for gate in GATES:
            value, other = found.get(gate.key), reference[factor][0].get(gate.key)
            if value is not None and gate.is_missed(value, other):
                lines.append(f"{name}: {gate.title} at x{factor} is {gate.form.format(value)}, beside R3's "
                             f"{gate.form.format(other)}; the bound is {gate.form.format(gate.bound(other))}")
    return lines


def text(ours, reference):
    """Both at every factor, a line for each measure; what misses its gate has an asterisk."""
    lines = ["ours / R3".ljust(52) + "".join(f"x{factor}".rjust(19) for factor in ours)]
    for gate in GATES:
        cells = []
        for factor, (found, _) in ours.items():
            value, other = found.get(gate.key), reference[factor][0].get(gate.key)
            if value is None:
                cells.append("-")
                continue
            star = "*" if gate.is_missed(value, other) else " "
            cells.append(f"{gate.form.format(value)} / {gate.form.format(other)}{star}")
        lines.append(gate.title[:52].ljust(52) + "".join(cell.rjust(19) for cell in cells))
    return "\n".join(lines)


PAIR = (OURS, REFERENCE.replace("`", ""))


def compared(binary, folder, half="final", factors=FACTORS, names=None, sounds=None):
    """Every tool that stretches, or those of some names, and what was measured of it at each factor.

    `sounds` are those that are made here; of none, only the recordings are measured."""
    chosen = tools.chosen(binary, names)
    found = measured([runner(tool, folder) for tool in chosen], factors, half, sounds)
    return [(tool, {factor: together for factor, (together, _) in by_factor.items()})
            for tool, by_factor in zip(chosen, found)]


def pair(results):
    """The vocoder and R3 as `missed` and `text` take them; `None` for R3 where it is not installed."""
    by_name = {tool.name: {factor: (found, None) for factor, found in by_factor.items()} for tool, by_factor in results}
    return by_name[OURS], by_name.get(REFERENCE)


def checked(binary, folder, recorded, factors):
    """Every gate of the vocoder, a line each, and a line for each that held in the record and is missed now.

    Measured are the sounds that are made here, at `factors`, beside R3 as it was recorded; the rest is as recorded."""
    sounds = made()
    run = runner(next(tool for tool in tools.stretchers(binary) if tool.name == OURS), folder)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(factors, pool.map(lambda factor: of_made(run, factor, sounds), factors)))
    before, reference = pair(recorded)
    listing, lost = [], []
    for gate in GATES:
        if gate.bound(0) is None:
            continue
        cells = []
        for factor in before:
            recorded_value, other = before[factor][0].get(gate.key), reference[factor][0].get(gate.key)
            value = found.get(factor, {}).get(gate.key, recorded_value)
            is_new = gate.key in found.get(factor, {})
            is_missed = gate.is_missed(value, other)
            cells.append(f"x{factor} {gate.form.format(value)}{'' if is_new else ' (recorded)'}"
                         f"{' MISSED' if is_missed else ''}")
            if is_missed and is_new and not gate.is_missed(recorded_value, other):
                lost.append(f"{OURS}: {gate.title} at x{factor} held in the record and is {gate.form.format(value)} now; "
                            f"the bound is {gate.form.format(gate.bound(other))}")
        state = "missed" if any("MISSED" in cell for cell in cells) else "holds"
        listing.append(f"{state.ljust(7)} {gate.title}: " + ", ".join(cells))
    return listing, lost
