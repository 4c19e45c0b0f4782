"""Table 2: methods that change the duration and keep the pitch."""
from concurrent.futures import ThreadPoolExecutor
import os
import numpy as np
import measures as m
import signals as s
import tools

FACTORS = ["0.5", "0.8", "1.25", "1.5", "2"]


class Row:
    """One measure: its unit, how it is printed, and the difference up to which two values count as equal.

    What counts is the distance from `best`, or the value itself where less is always better."""

    def __init__(self, key, title, form, within, floor=None):
        self.key, self.title, self.form, self.within, self.floor = key, title, form, within, floor

    def badness(self, value):
        return abs(value) if self.floor is None else max(value, self.floor)

    def behind(self, ours, theirs):
        """How much worse ours is than another value; 0 within the tolerance."""
        more = self.badness(ours) - self.badness(theirs)
        return more if more > self.within else 0


ROWS = [
    Row("length", "Length error, frames", "{:+d}", 0),
    Row("tone", "Pitch error of a 440 Hz tone, cents", "{:+.2f}", 0.05),
    Row("chord mean", "Pitch error of a 5-note chord, mean, cents", "{:.2f}", 0.05),
    Row("chord worst", "Pitch error of a 5-note chord, worst note, cents", "{:.2f}", 0.1),
    Row("onset mean", "Onset error of a click train, mean, ms", "{:.2f}", 0.1),
    Row("onset worst", "Onset error of a click train, worst, ms", "{:.2f}", 0.2),
    Row("spread mean", "Spread of a click, mean, ms", "{:.2f}", 0.1),
    Row("spread worst", "Spread of a click, worst, ms", "{:.2f}", 0.2),
    Row("pre-echo mean", "Pre-echo before castanets, mean, dB", "{:.0f}", 1, floor=-80),
    Row("pre-echo worst", "Pre-echo before castanets, worst, dB", "{:.0f}", 1, floor=-80),
    Row("correlation", "Change of the correlation of wide stereo", "{:+.3f}", 0.005),
    Row("music correlation", "Change of the correlation of music", "{:+.3f}", 0.005),
    Row("noise level", "Level change of noise, dB", "{:+.2f}", 0.1),
    Row("tone level", "Level change of a tone, dB", "{:+.2f}", 0.1),
    Row("music level", "Level change of music, dB", "{:+.2f}", 0.1),
]
BY_KEY = {row.key: row for row in ROWS}


def sounds():
    made = [s.steady_tone(), s.chord(), s.clicks(), s.castanets(), s.wide(), s.noise(), s.music()]
    return {sound.name: sound for sound in made}


def measures(tool, factor, all_sounds, folder):
    """One tool at one factor."""
    if not tool.is_here:
        return None
    ratio = tools.value(factor)
    out = {name: tool.run(sound, factor, folder) for name, sound in all_sounds.items()}
    lengths = [len(out[name]) - int(float(len(sound)) * ratio) for name, sound in all_sounds.items()]
    tone = out["steady-440"][:, 0]
    cents = np.abs([m.cents_off(out["chord"][:, 0], note) for note in s.CHORD])
    moments = s.click_times() * ratio
    clicks = out["clicks"][:, 0]
    height = all_sounds["clicks"].frames.max()
    late = 1000 * np.abs(m.onset_errors(clicks, moments, height))
    spread = 1000 * m.spreads(clicks, moments, height)
    echoes = m.pre_echoes(out["castanets"][:, 0], s.attack_times() * ratio)

    def correlation(name):
        return m.correlation(out[name]) - m.correlation(all_sounds[name].frames)

    def level(name):
        return m.level_change(out[name], all_sounds[name].frames)
    return {
        "length": max(lengths, key=abs), "tone": m.cents_off(tone, 440),
        "chord mean": cents.mean(), "chord worst": cents.max(),
        "onset mean": late.mean(), "onset worst": late.max(),
        "spread mean": spread.mean(), "spread worst": spread.max(),
        "pre-echo mean": echoes.mean(), "pre-echo worst": echoes.max(),
        "correlation": correlation("wide"), "music correlation": correlation("music"),
        "noise level": level("noise"), "tone level": level("steady-440"),
        "music level": level("music"),
    }


def measured(binary, folder, factors=FACTORS, names=None):
    """Tools, all or those of some names, and what was measured at each factor; `None` for one that is not installed."""
    all_sounds = sounds()
    for sound in all_sounds.values():
        tools.written(sound, folder)
    chosen = tools.stretchers(binary) if names is None else tools.chosen(binary, names)
    tasks = [(tool, factor) for tool in chosen for factor in factors]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda task: measures(*task, all_sounds, folder), tasks))
    by_task = dict(zip(tasks, found))
    return [(tool, {factor: by_task[tool, factor] for factor in factors}) for tool in chosen]


def behind(results):
    """Where `stretch` is behind: row, factor, tool, both values, difference."""
    ours = results[0][1]
    found = []
    for row in ROWS:
        for tool, theirs in results:
            if tool.ours:
                continue
            for factor in ours:
                if theirs[factor] is None:
                    continue
                mine, other = ours[factor][row.key], theirs[factor][row.key]
                more = row.behind(mine, other)
                if more:
                    found.append((row, factor, tool, mine, other, more))
    return found


# The bounds, in the units of the rows. For other rows, the page lists where other tools are better.
GATES = [("length", 0), ("tone", 0.5), ("chord worst", 1), ("onset worst", 10), ("spread worst", 6),
         ("music correlation", 0.02), ("tone level", 0.1), ("music level", 0.3)]


def missed(results):
    """The gates that `stretch` does not meet, a line each."""
    lines = []
    for tool, by_factor in results:
        if not tool.ours:
            continue
        for factor, found in by_factor.items():
            for key, most in GATES:
                if abs(found[key]) > most:
                    lines.append(f"{tool.name}: {BY_KEY[key].title} at x{factor} is "
                                 f"{found[key]:.4g}, not within {most}")
    return lines
