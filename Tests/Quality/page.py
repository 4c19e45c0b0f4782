"""What was measured as pages of Markdown."""
import os, sys
import engine
import hard
import hardgroups
import levels
import pictures
import reasons
import signals as s
import sinc
import stretch

sys.path.insert(0, os.path.join(s.ROOT, "Tests", "Pages"))
import marked

HEAD = """# Quality

What the methods do to sound, compared with other programs:
{versions}.
Every program gets the same 32-bit floating-point WAV files at 44.1 kHz. `scripts/quality --write` writes this page; it
first checks its instruments on sounds with known answers (`Tests/Quality/selfcheck.py`, `heardcheck.py`, `hardcheck.py`).
These are measurements: nobody has compared the sounds by ear.

## Results

At x1.5 unless stated otherwise. [Varispeed](#speed-and-pitch-together) changes speed and pitch together;
[stretching](#speed-without-pitch) changes the speed alone.

{short}
Of {count} comparisons of `stretch` with another tool, by measure and factor, `stretch` is level or ahead in {ahead} and
[behind in {behind}](#where-stretch-is-behind). Of {hard_count} more on [sounds on which stretchers
fail](#sounds-on-which-stretchers-fail), it is behind in [{hard_behind}](#where-stretch-is-behind-on-them), and misses
[{missed} of {gates} gates](#gates-that-are-missed).
"""

VARISPEED = """
## Speed and pitch together

- **SNR**: the level of a tone at x1.5, relative to everything else in the output. A program whose tone is slightly off in
  frequency is not penalized here. The 32-bit files limit the best rows.
- **15 kHz at x0.5**: the tone would be at 30 kHz, above the Nyquist frequency, and should vanish. The figure is its level in
  the output relative to the source.
- **Image**: the loudest component beside a sweep from 20 Hz to 20 kHz, over x0.75, x1.5 and x48/44.1.
- **Flatness**: the largest change in amplitude of 24 tones, up to 91 % of the lower Nyquist frequency.
- **Length** and **impulse**: the largest error in the number of frames, and in the position of an impulse in the
  middle, over {factors}. "Lost" means that interpolation stepped over the impulse.
  ffmpeg's `asetrate` takes whole Hz only, which shifts the impulse.

{table}

"""

STRETCH = """
## Speed without pitch

`stretch` is our own phase vocoder. `rubberband -3` is Rubber Band's R3 engine, `-2` its R2; Signalsmith and Bungee are
Signalsmith Stretch (`python-stretch`) and Bungee (`bungee-python`) from PyPI. `soundstretch` gets 24-bit files, because it
reads floating-point files as integers.
"""

HEARD = """
## The vocoder beside R3

The measures are those that listening tests found to matter, on synthetic sounds and
on {count} recordings from Debian packages that were not used for tuning (`Tests/Quality/recordings.txt`). A cell has the
values at {factors}: means over all recordings, or the worst where stated.

- **Spectral distance**: the mean difference in level between output and source in ERB bands, at corresponding times.
- **Attack contrast lost**: how much less the level rises at attacks than in the source.
- **Coherence, level difference**: between the channels, in ERB bands.
- **ESTOI**: the correlation of short-time spectra of speech with those of the source; 1 means identical.
- **Vibrato**: the pitch error relative to the vibrato's depth. **Peakiness**: how much flatter a voice's pulses become.

{table}

{verdict}

The spectral distance on the {tuning} recordings that were used for tuning:

{tuned}

### Where stretch is behind in this table

Every difference that the table shows.

{behind}
"""

HARD = """
## Sounds on which stretchers fail

Sounds that showed faults of this vocoder or of others. All are made by arithmetic, but for sampled scores and recordings.
A dash stands where a tool cannot do it; **bold** marks a gate that `stretch` misses.
"""

SUBJECTS = [
    ("Length error, frames", ["length"], "The largest over all sounds below."),
    ("Pitch error of a 440 Hz tone, cents", ["tone"], "The peak of the spectrum."),
    ("Pitch error of a 5-note chord, cents: mean / worst note", ["chord mean", "chord worst"],
     "C4, E4, G4, A4 and B4 with overtones."),
    ("Onset error of a click train, ms: mean / worst", ["onset mean", "onset worst"],
     "The distance of each of 24 clicks from where it should be, which is its time in the source times the factor. "
     "A click is where it first comes within 6 dB of its peak; one that lost 30 dB counts as 50 ms off."),
    ("Spread of a click, ms: mean / worst", ["spread mean", "spread worst"],
     "The RMS duration of its energy within 50 ms of where it should be; a click in the source is one "
     "sample."),
    ("Pre-echo before castanets, dB: mean / worst", ["pre-echo mean", "pre-echo worst"],
     "The energy from 50 to 3 ms before each of 16 strokes, where the source is silent, relative to the 20 ms after "
     "it. Values below -80 dB count as equal."),
    ("Change of the correlation between the channels: wide stereo / music",
     ["correlation", "music correlation"],
     "In the sources it is {correlation[0]:.3f} and {correlation[1]:.3f}. Wide stereo is noise, partly in both "
     "channels, and a chord on the left."),
    ("Level change, dB: white noise / tone / music", ["noise level", "tone level", "music level"],
     "RMS of the whole output relative to the whole source."),
]


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def place(value):
    """An error in frames; less than a thousandth counts as none."""
    if value != value:
        return "lost"
    return f"{value:+.3f}" if abs(value) >= 0.0005 else "0"


def varispeed_cells(found):
    if found is None:
        return ["not here"] + [""] * 8
    return ([f"{found[f'snr {frequency}']:.0f}" for frequency in sinc.TONES]
            + [level(found["vanishing"]), level(found["image"])]
            + [decimals(found[f"flat {factor}"]) for factor in ("1.5", "0.5")]
            + [f"{found['length']:+d}" if found["length"] else "0", place(found["impulse"])])


def level(value):
    return f"{value:.0f}" if value > -200 else "none"


def decimals(value):
    return f"{value:.3f}" if value >= 0.0005 else "0"


VARISPEED_HEAD = (["method"] + [f"SNR, dB, {frequency} Hz" for frequency in sinc.TONES]
                  + ["15 kHz at x0.5, dB", "image, dB", "flatness, dB, x1.5", "x0.5", "length, frames",
                     "impulse, frames"])


def varispeed_table(results):
    rows = [[f"**{tool.name}**" if tool.ours else tool.name] + varispeed_cells(found)
            for tool, found in results]
    return table(VARISPEED_HEAD, rows)


def gallery():
    lines = ["A sweep from 20 Hz to 20 kHz, down to -140 dB. Every line except the rising one is an image.\n"]
    for factor in sinc.SWEEPS:
        name = "48/44.1" if factor == "480/441" else factor
        lines.append(f"![x{name}]({pictures.FOLDER}/{pictures.sweep_name(factor)})")
        lines.append(f"*x{name}*\n")
    return "\n".join(lines)


def stretch_table(results, keys):
    def cell(found):
        if found is None:
            return "not here"
        return " / ".join(shown(stretch.BY_KEY[key].form, found[key]) for key in keys)
    rows = [[f"x{factor}"] + [cell(by_factor[factor]) for _, by_factor in results]
            for factor in stretch.FACTORS]
    return table([""] + [f"**{tool.name}**" if tool.ours else tool.name for tool, _ in results], rows)


def shown(form, value):
    """A number as text, without the sign of a zero."""
    text = form.format(value)
    return text.lstrip("+-") if float(text) == 0 else text


def verdict(results):
    """Where `stretch` is behind, from the numbers; the reasons are texts."""
    behind = stretch.behind(results)
    lines = ["### Where stretch is behind\n\nDifferences below " + ", ".join(tolerances()) + " do not count.\n"]
    for row in stretch.ROWS:
        of_row = [entry for entry in behind if entry[0] is row]
        if not of_row:
            continue
        lines.append(f"- **{row.title}**: behind " + "; ".join(by_tool(row, of_row)) + ". "
                     + reasons.REASONS.get(row.key, "Not investigated."))
    return "\n".join(lines) + "\n"


def comparisons(results):
    """The number of comparisons of `stretch` with another tool, by measure and factor."""
    theirs = [tool for tool, found in results if not tool.ours and found[stretch.FACTORS[0]]]
    return len(stretch.ROWS) * len(stretch.FACTORS) * len(theirs)


def tolerances():
    kinds = [("tone", "cents for a tone"), ("chord worst", "for the worst note"),
             ("onset mean", "ms for means"), ("onset worst", "for the worst"),
             ("pre-echo mean", "dB of pre-echo"), ("correlation", "of correlation"),
             ("noise level", "dB of level")]
    return [f"{stretch.BY_KEY[key].within:g} {text}" for key, text in kinds]


def by_tool(row, entries):
    texts = []
    for tool in dict.fromkeys(entry[2] for entry in entries):
        differences = [f"x{factor} by {more:.3g}" for _, factor, other, _, _, more in entries
                       if other is tool]
        texts.append(f"{tool.name} ({', '.join(differences)})")
    return texts


def unexplained(results):
    """Rows in which ours is behind and no reason is given, a line each."""
    rows = dict.fromkeys(entry[0] for entry in stretch.behind(results))
    return [f"stretch: {row.title}: behind, and reasons.py has no reason"
            for row in rows if row.key not in reasons.REASONS]


def heard_table(results, gates):
    """A row for each measure, a column for each tool."""
    def cell(gate, by_factor):
        values = [found.get(gate.key) for found in by_factor.values()]
        return " / ".join("-" if value is None else shown(gate.form, value) for value in values)
    rows = [[gate.title] + [cell(gate, by_factor) for _, by_factor in results] for gate in gates]
    return table(["measure"] + [f"**{tool.name}**" if tool.ours else tool.name for tool, _ in results], rows)


def heard_verdict(results):
    """The measures by which the vocoder is behind R3."""
    ours, reference = engine.pair(results)
    lines = engine.missed(ours, reference, engine.OURS) if reference else []
    if not lines:
        return "By these measures, it is nowhere behind R3 by more than its bounds allow."
    return "It is behind R3 by more than its bounds allow in:\n\n" + "\n".join(f"- {line}" for line in lines)


def heard_section(results, tuning):
    factors = ", ".join(f"x{factor}" for factor in results[0][1])
    counts = {half: len(engine.recordings.listed(half)) for half in engine.recordings.HALVES}
    return HEARD.format(count=counts["final"], factors=factors, table=heard_table(results, engine.GATES),
                        verdict=heard_verdict(results), tuning=counts["tuning"],
                        tuned=heard_table(tuning, [gate for gate in engine.GATES if gate.key.startswith("SD")]),
                        behind=heard_losses(results))


def heard_losses(results):
    """Every measure by which `stretch` is behind a tool, as far as the table shows it."""
    ours, lines = results[0][1], []
    for gate in engine.GATES:
        worse = []
        for tool, theirs in results[1:]:
            cells = []
            for factor, found in ours.items():
                mine, other = (found.get(gate.key), theirs[factor].get(gate.key))
                if mine is None or other is None or shown(gate.form, mine) == shown(gate.form, other):
                    continue
                if (mine < other) == gate.is_more:
                    cells.append(f"x{factor} by {abs(mine - other):.3g}")
            if cells:
                worse.append(f"{tool.name} ({', '.join(cells)})")
        if worse:
            lines.append(f"- **{gate.title}**: behind {'; '.join(worse)}.")
    return "\n".join(lines)


def hard_section(results):
    """Tables of the sounds on which stretchers fail, the gates that are missed, and where ours is behind."""
    ours, reference = hard.pair(results)
    parts = [HARD]
    for group in hardgroups.GROUPS:
        chosen = [(tool, found) for tool, found in results if any(measure.key in found for measure in group.measures)]

        def cell(measure, tool, found):
            value = found.get(measure.key)
            if value is None:
                return "-"
            text = shown(measure.form, value)
            is_missed = tool.ours and measure.is_missed(value, (reference or {}).get(measure.key))
            return f"**{text}**" if is_missed else text
        rows = [[row] + [" / ".join(cell(one, *of_tool) for one in group.measures if one.row == row) for of_tool in chosen]
                for row in dict.fromkeys(one.row for one in group.measures)]
        head = [""] + [f"**{tool.name}**" if tool.ours else tool.name for tool, _ in chosen]
        text = group.text.format(
            click=hardgroups.source_click(), right=hardgroups.right_along_source("2"))
        parts.append(f"\n### {group.title}\n\n{text}\n\n{table(head, rows)}\n")
    missed = hard.missed(ours, reference)
    parts.append("\n### Gates that are missed\n\n" + ("\n".join(f"- {line}" for line in missed) or "None.") + "\n")
    parts.append("\n### Where stretch is behind on them\n\n" + hard_losses(results) + "\n")
    return "".join(parts)


def hard_losses(results):
    lines = {}
    for group, measure, tool, mine, other in hard.behind(results):
        place = measure.key.split()[-1]
        lines.setdefault((group.title.split(":")[0], measure.row), {}).setdefault(tool.name, []).append(
            f"{place}: {shown(measure.form, mine)}, {shown(measure.form, other)}")
    return "\n".join(f"- **{title}, {row}**: "
                     + "; ".join(f"{name} ({', '.join(cells)})" for name, cells in by_tool.items()) + "."
                     for (title, row), by_tool in lines.items())


def hard_count(results):
    """The number of comparisons of `stretch` with another tool."""
    ours, _ = hard.pair(results)
    return sum(key in ours for tool, found in results if not tool.ours for key in found)


def short(varispeed, stretched):
    """What counts most, one measure a line, losses included."""
    by_name = {tool.name: found for tool, found in varispeed}
    turned = {tool.name: found for tool, found in stretched}

    def row(title, names, key, form, results):
        values = [results[name] and results[name][key] for name in names]
        return [title] + ["not here" if value is None else shown(form, value) for value in values]
    names = ["sinc best", "sinc high", "smoothstep", "`sox speed`", "ffmpeg `asetrate,aresample`",
             "ffmpeg with `resampler=soxr`"]
    first = table(["varispeed"] + [name if "`" in name else f"**`{name}`**" for name in names], [
        row("SNR of a 997 Hz tone, dB", names, "snr 997", "{:.0f}", by_name),
        row("SNR of a 10 kHz tone, dB", names, "snr 10000", "{:.0f}", by_name),
        row("15 kHz at x0.5, which should vanish, dB", names, "vanishing", "{:.0f}", by_name),
        row("length error, frames, worst of five factors", names, "length", "{:+d}", by_name)])
    names, own = [tool.name for tool, _ in stretched], {tool.name for tool, _ in stretched if tool.ours}
    at = {name: found["1.5"] for name, found in turned.items()}
    lengths = {name: {"length": max((by_factor["length"] for by_factor in found.values()), key=abs)}
               if found["1.5"] else None for name, found in turned.items()}
    second = table(["stretching"] + [f"**`{name}`**" if name in own else name for name in names], [
        row("pitch error of a chord, worst note, cents", names, "chord worst", "{:.2f}", at),
        row("onset error of clicks, worst, ms", names, "onset worst", "{:.2f}", at),
        row("pre-echo, mean, dB", names, "pre-echo mean", "{:.0f}", at),
        row("change of the stereo correlation of music", names, "music correlation", "{:+.3f}", at),
        row("length error, frames, worst of five factors", names, "length", "{:+d}", lengths)])
    return f"{first}\n\n{second}\n"


def summary(varispeed, stretched):
    """A sentence for the README about the measures of both tables, at x1.5."""
    tone = {tool.name: f"{found['snr 10000']:.0f}" for tool, found in varispeed if found}
    onset = {tool.name: f"{found['1.5']['onset worst']:.1f}" for tool, found in stretched if found["1.5"]}
    return (f"At x1.5, `sinc` keeps a tone of 10 kHz {tone['sinc high']} dB above all else (ffmpeg with soxr "
            f"{tone['ffmpeg with `resampler=soxr`']}, `sox speed` {tone['`sox speed`']}; the default, `smoothstep`, which is "
            f"not band-limited, {tone['smoothstep']}), and `stretch` moves clicks by {onset['stretch']} ms at most "
            f"(Signalsmith {onset['Signalsmith']}, Bungee {onset['Bungee']}, `rubberband -3` {onset['`rubberband -3`']}, "
            f"`sox tempo` {onset['`sox tempo`']}, ffmpeg `atempo` {onset['ffmpeg `atempo`']}).\n")


def page(versions, correlation, varispeed, stretched, heard, tuning, hard_sounds):
    factors = ", ".join(f"x{factor}" for factor in sinc.LENGTHS).replace("480/441", "48/44.1")
    count, behind = comparisons(stretched), len(stretch.behind(stretched))
    parts = [HEAD.format(versions=", ".join(versions), count=count, behind=behind, ahead=count - behind,
                         short=short(varispeed, stretched), **hard_figures(hard_sounds)),
             VARISPEED.format(table=varispeed_table(varispeed), factors=factors), gallery(), STRETCH]
    for title, keys, text in SUBJECTS:
        parts.append(f"\n### {title}\n\n{text.format(correlation=correlation)}\n\n"
                     f"{stretch_table(stretched, keys)}\n")
    return "".join(parts) + "\n" + verdict(stretched) + heard_section(heard, tuning) + hard_section(hard_sounds) + levels.section()


def hard_figures(results):
    """Numbers of the section about sounds on which stretchers fail."""
    ours, reference = hard.pair(results)
    return {"hard_count": hard_count(results), "hard_behind": len(hard.behind(results)),
            "missed": len(hard.missed(ours, reference)),
            "gates": sum(measure.has_gate and measure.key in ours for measure in hardgroups.MEASURES)}


def write(**found):
    """Writes QUALITY.md, and what the README shows of it."""
    with open(os.path.join(s.ROOT, "QUALITY.md"), "w") as file:
        file.write(page(**found))
    marked.put("quality", summary(found["varispeed"], found["stretched"]))
