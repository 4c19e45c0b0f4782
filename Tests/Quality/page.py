"""What was measured as pages of Markdown."""
import os
import pictures
import reasons
import signals as s
import sinc
import stretch

HEAD = """# How it sounds

Written by `scripts/quality --write` from a run of
{versions},
each with the options that its row or column names, on the same 32-bit floating-point WAV files at 44.1 kHz.
`scripts/quality` measures anew and says which gates are missed; in this run {gates}. The instruments are tried
first, on sounds of which the answer is known (`Tests/Quality/selfcheck.py`).
"""

VARISPEED = """
## Speed and pitch together

- **SNR**: a tone, 1.5 times as long, against everything that is not that tone. 32-bit floating point itself
  ends at about 151 dB. The peers' tones may lie at another frequency than the factor says; what counts
  is the tone that is there.
- **15 kHz at x0.5**: the tone would be at 30 kHz, beyond the Nyquist frequency, and should vanish. Its level after
  over that before.
- **Image**: the loudest thing beside the line of a sweep from 20 Hz to 20 kHz, over x0.75, x1.5 and x48/44.1.
- **Flatness**: how far 24 tones up to 91 % of the lower Nyquist frequency are from their amplitude.
- **Length** and **impulse**: the largest error of the number of frames, and of the place of an impulse in the
  middle, over {factors}.
  ffmpeg's `asetrate` takes whole Hz only, which shifts the impulse.

{table}

Gates: `sinc high` at least 120 dB of SNR and `sinc best` 140 dB; both below -120 dB at 15 kHz and beside the
sweep; every `sinc` flat within 0.1 dB and within 0.01 frame; all methods exact in length.

"""

STRETCH = """
## Speed without pitch

`stretch` is the method as it is without further options; `stretch fast` has `--quality fast`.
`soundstretch` gets 24-bit files, because it takes floating point for integers.
"""

SUBJECTS = [
    ("Length error, frames", ["length"], "The largest over all sounds below."),
    ("Pitch error of a 440 Hz tone, cents", ["tone"], "The peak of the spectrum."),
    ("Pitch error of a 5-note chord, cents: mean / worst note", ["chord mean", "chord worst"],
     "C4, E4, G4, A4 and B4 with overtones."),
    ("Onset error of a click train, ms: mean / worst", ["onset mean", "onset worst"],
     "How far the moment at which each of 24 clicks first comes within 6 dB of its peak is from its moment "
     "times the factor. A click that is lost, 30 dB lower than it was, counts as 50 ms."),
    ("Spread of a click, ms: mean / worst", ["spread mean", "spread worst"],
     "The RMS duration of its energy within 50 ms of where it should be; a click in the source is one "
     "sample."),
    ("Pre-echo before castanets, dB: mean / worst", ["pre-echo mean", "pre-echo worst"],
     "The energy in the 50 to 3 ms before each of 16 strokes over that in the 20 ms from it. In the source "
     "there is silence. Below -80 dB all are taken for equal."),
    ("Change of the correlation between the channels: wide stereo / music",
     ["correlation", "music correlation"],
     "In the sources it is {correlation[0]:.3f} and {correlation[1]:.3f}. The wide one is noise, of which a "
     "part is in both channels, and a chord to the left."),
    ("Level change, dB: white noise / tone / music", ["noise level", "tone level", "music level"],
     "RMS of the whole output over that of the whole source."),
]


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def place(value):
    """An error in frames, of which less than a thousandth is none."""
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
    lines = ["A sweep from 20 Hz to 20 kHz, down to -140 dB. Every line but the rising one is an image.\n"]
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
    theirs = [tool for tool, found in results if not tool.ours and found[stretch.FACTORS[0]]]
    count = len(stretch.ROWS) * len(stretch.FACTORS) * len(theirs)
    lines = [f"### Where it is behind\n\nOf {count} comparisons of `stretch` with another tool, by measure and "
             f"factor, it is at or ahead in {count - len(behind)} and behind in {len(behind)}. Differences "
             "below " + ", ".join(tolerances()) + " are none.\n"]
    for row in stretch.ROWS:
        of_row = [entry for entry in behind if entry[0] is row]
        if not of_row:
            continue
        lines.append(f"- **{row.title}**: behind " + "; ".join(by_tool(row, of_row)) + ". "
                     + reasons.REASONS.get(row.key, "No reason is given yet."))
    return "\n".join(lines) + "\n"


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
    """Rows in which ours is behind without a word why, a line each."""
    rows = dict.fromkeys(entry[0] for entry in stretch.behind(results))
    return [f"stretch: {row.title}: behind, and reasons.py does not say why"
            for row in rows if row.key not in reasons.REASONS]


def page(varispeed, stretched, correlation, versions, missed):
    gates = "all hold" if not missed else f"{len(missed)} are missed"
    factors = ", ".join(f"x{factor}" for factor in sinc.LENGTHS).replace("480/441", "48/44.1")
    parts = [HEAD.format(versions=", ".join(versions), gates=gates),
             VARISPEED.format(table=varispeed_table(varispeed), factors=factors), gallery(), STRETCH]
    for title, keys, text in SUBJECTS:
        parts.append(f"\n### {title}\n\n{text.format(correlation=correlation)}\n\n"
                     f"{stretch_table(stretched, keys)}\n")
    return "".join(parts) + "\n" + verdict(stretched)


def summary(varispeed, stretched):
    """The short tables for the README."""
    rows = []
    for tool, found in varispeed:
        if found and (tool.ours or tool.name == "`sox speed`"):
            name = f"`--method {tool.name.replace(' ', ' --quality ')}`" if tool.ours else tool.name
            cells = varispeed_cells(found)
            rows.append([name] + cells[:4] + [cells[5]])
    first = table(["varispeed, x1.5", *(f"SNR at {f} Hz, dB" for f in sinc.TONES), "15 kHz at x0.5, dB",
                   "flat within, dB"], rows)
    keys = ["tone", "chord worst", "onset worst", "pre-echo mean", "music correlation"]
    rows = []
    for tool, found in stretched:
        if found["1.5"]:
            name = f"`--method {tool.name.replace(' ', ' --quality ')}`" if tool.ours else tool.name
            rows.append([name] + [shown(stretch.BY_KEY[key].form, found["1.5"][key]) for key in keys])
    second = table(["stretching, x1.5", "pitch of a tone, cents", "of a chord, worst note", "onset of clicks, worst, ms",
                    "pre-echo, dB", "change of stereo correlation"], rows)
    return (f"{first}\n\n![A tone of 10 kHz, 1.5 times as long]({pictures.FOLDER}/tone.png)\n\n"
            f"*A tone of 10 kHz, 1.5 times as long: every line but the first is an image.*\n\n"
            f"{second}\n\n[QUALITY.md](QUALITY.md) has all that was measured, and how.\n")


def record(text, short):
    """Writes QUALITY.md, and the README's part between its marks."""
    with open(os.path.join(s.ROOT, "QUALITY.md"), "w") as file:
        file.write(text)
    path = os.path.join(s.ROOT, "README.md")
    with open(path) as file:
        readme = file.read()
    begin, end = "<!-- quality -->\n", "<!-- /quality -->\n"
    head, _, rest = readme.partition(begin)
    _, _, tail = rest.partition(end)
    if not tail:
        raise RuntimeError("README.md has no place for the tables: <!-- quality -->, <!-- /quality -->")
    with open(path, "w") as file:
        file.write(head + begin + short + end + tail)
