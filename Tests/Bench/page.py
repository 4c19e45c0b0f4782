"""A record of the bench as pages of Markdown."""
import os, platform, re, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "Tests", "Pages"))
import marked

# Processes that run before anything is timed.
BEFORE = round(os.getloadavg()[0])

HEAD = """# Benchmarks

{machine}
Written by `scripts/bench --write`: [how it is measured](#how-it-is-measured).

## Results

The time of scaleaudio in seconds, and of other programs as a multiple of it: **above 1 they are slower, below 1
faster.** `linear` and `smoothstep`, the default, interpolate without a filter; ffmpeg and sox filter, and so does `sinc`,
which the [table for an hour of WAV](#one-hour-of-wav) has beside them.

"""

METHOD = """## How it is measured

- Each program runs once as a warm-up. Then they run in turn (A B C A B C ...), and whole processes are timed.
- Compare times only within a table: tables may come from different days and machines.
- Figures are medians, with the lowest and highest in parentheses. **Ratio** is scaleaudio's time / the other
  program's, round by round.
- Input and output are in memory (tmpfs).
- The output of every warm-up is checked. scaleaudio's must be right in every sample (`linear` and `smoothstep` to WAV)
  or exact in length and within 3 dB in level, the others' within 0.1 s and 3 dB.
- CPU seconds cover all threads and processes. Memory is that of the largest process in the warm-up.
- {programs}
"""


def page(record):
    parts = [HEAD.format(machine=record["machine"]) + results(record)]
    for work in record["works"]:
        parts.append(f"## {work['title']}\n\n{text_of(work)}\n\n{table(work['programs'])}")
    for series in record["growth"]:
        parts.append(f"## {series['title']}\n\n{text_of(series)}\n\n{growth_table(series['programs'])}")
    parts.append(METHOD.format(programs=record["programs"]))
    parts.append("## Commands\n\n" + "".join(
        f"- {work['title']}, {one['name']}: `{one['command']}`\n" for work in record["works"]
        for one in work["programs"]))
    return "\n".join(parts)


def text_of(work):
    """The text of some work, with its machine if that is not the one of the rest."""
    return f"{work['text']} {work['machine']}" if "machine" in work else work["text"]


def elsewhere(one):
    return " (another machine)" if "machine" in one else ""


def results(record):
    """One line for each piece of work: our time, and the others' relative to it."""
    lines = ["| work | scaleaudio | ffmpeg | sox | others |", "| --- | ---: | --- | --- | --- |"]
    for work in record["works"]:
        if not work["is_leading"]:
            continue
        ours, others = work["programs"][0], [one for one in work["programs"] if not one["ours"]]
        columns = {"ffmpeg": [], "sox": [], "": []}
        for one in others:
            tool = next(tool for tool in columns if tool in one["name"].split() or not tool)
            what = one["name"].replace(tool, "", 1).strip() if tool else one["name"]
            columns[tool].append(f"**{1 / one['ratio'][0]:.2g}** {cell(what)}")
        name = "" if ours["name"] == "scaleaudio" else f", `{ours['name'].replace('scaleaudio ', '')}`"
        name += elsewhere(work)
        times = " | ".join("<br>".join(column) for column in columns.values())
        lines.append(f"| {work['title'].replace(', stretched', '').replace(' stretched', '')}{name} | "
                     f"{seconds(ours['wall'][0])} | {times} |")
    return "\n".join(lines) + "\n"


def summary(record):
    """Three lines for the README: programs that filter, engines that stretch, and where this program is slower."""
    works = {work["title"]: work for work in record["works"]}

    def time(title, name):
        return seconds(next(one for one in works[title]["programs"] if one["name"] == name)["wall"][0])
    hour, second, mp3 = "One hour of WAV", "One second of WAV", "Ten minutes of MP3"
    # Peers other than R3 may be in a table of their own, from another day.
    stretched = works["Two minutes of WAV, stretched x1.5"]
    peers = max((work for work in works.values() if "stretched" in work["title"]), key=lambda work: len(work["programs"]))
    return (f"- **Speed and pitch together**, an hour of stereo WAV, band-limited: {time(hour, 'scaleaudio sinc')} with "
            f"`sinc`, {time(hour, 'ffmpeg with resampler=soxr')} with ffmpeg and soxr, {time(hour, 'sox speed')} with "
            f"sox.\n- **Speed alone**, two minutes of WAV: {time(stretched['title'], 'scaleaudio stretch')} with "
            f"`stretch`, {time(stretched['title'], 'rubberband -3')} with `rubberband -3`; {faster(peers, stretched)} take "
            f"less than `stretch`.\n- **Slower**: a second of WAV takes "
            f"{time(second, 'scaleaudio')}, mostly start-up (sox {time(second, 'sox speed')}); ten minutes of MP3 take "
            f"{time(mp3, 'scaleaudio')}, mostly LAME's one thread (ffmpeg {time(mp3, 'ffmpeg asetrate,aresample')}).\n")


def faster(work, ours):
    """The programs of a work that take less time than ours in another, where both ran `rubberband -3`."""
    def share(programs, name):
        time = {one["name"]: one["wall"][0] for one in programs}
        return time[name] / time["rubberband -3"]
    most = share(ours["programs"], ours["programs"][0]["name"])
    names = [f"`{one['name']}`" for one in work["programs"] if share(work["programs"], one["name"]) < most]
    return ", ".join(names[:-1]) + " and " + names[-1]


def targets(record):
    """Targets that were missed, then those that were met, for those who work on the program."""
    missed = [target for target in record["targets"] if target["figures"][0] > target["most"]]
    met = [target for target in record["targets"] if target["figures"][0] <= target["most"]]
    text = f"{len(met)} of {len(record['targets'])} targets are met.\n"
    if missed:
        text += "\nMissed:\n\n" + target_table(missed)
    return text + "\nMet:\n\n" + target_table(met)


def target_table(chosen):
    lines = ["| work | at most | measured |", "| --- | --- | ---: |"]
    for target in chosen:
        limit, form = described(target)
        lines.append(f"| {target['work']}{elsewhere(target)} | {limit} | {span(target['figures'], form)} |")
    return "\n".join(lines) + "\n"


def described(target):
    """A target's limit as text, and how its figures are printed."""
    if target["field"] == "kernel":
        return f"{nanoseconds(target['most'])} for a frame (`Int16`, stereo, x1.5)", nanoseconds
    if not target["against"]:
        form = seconds if target["field"] == "wall" else lambda value: f"{megabytes(value)} MB"
        return form(target["most"]), form
    what = {"wall": "", "cpu": "CPU seconds, ", "size": "size, "}[target["field"]]
    return f"{what}{target['most']} × {cell(target['against'])}", lambda value: f"{value:.2f}"


def span(figures, form):
    if figures[1] == figures[2]:
        return form(figures[0])
    return f"{form(figures[0])} ({form(figures[1])} – {form(figures[2])})"


def seconds(value):
    return f"{value * 1000:.1f} ms" if value < 0.1 else f"{value:.2f} s"


def nanoseconds(value):
    return f"{value:.2f} ns"


def cell(text):
    return text.replace("|", "\\|")


def megabytes(value):
    return f"{value / 1e6:.1f}"


def table(programs):
    lines = ["| program | wall | ratio | CPU | memory, MB | output, MB |",
             "| --- | ---: | ---: | ---: | ---: | ---: |"]
    for one in programs:
        against = span(one["ratio"], lambda x: f"{x:.2f}") if one["ratio"] else ""
        lines.append(f"| {cell(one['name'])} | {span(one['wall'], seconds)} | {against} | "
                     f"{seconds(one['cpu'])} | {megabytes(one['peak'])} | {megabytes(one['size'])} |")
    return "\n".join(lines) + f"\n\nThe ratio is the time of {programs[0]['name']} / that of the other program.\n"


def growth_table(programs):
    lines = ["| | wall | CPU | memory, MB |", "| --- | ---: | ---: | ---: |"]
    for one in programs:
        lines.append(f"| {one['name']} | {span(one['wall'], seconds)} | {seconds(one['cpu'])} | "
                     f"{megabytes(one['peak'])} |")
    return "\n".join(lines) + "\n"


def shown(contender):
    """A command as it would be typed in the folder of its files."""
    words = contender.command[2:] if contender.command[0] == "sh" else contender.command
    line = " ".join(words)
    folder = os.path.dirname(contender.output.rstrip("/"))
    return line.replace(folder + "/", "").replace(os.path.join(ROOT, ".build/release/"), "")


def said(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return ""
    return (done.stdout + done.stderr).strip()


def machine(binary):
    """A sentence for the machine, with other work that kept it busy, and one for the programs."""
    processor = re.search(r"Model name:\s*(.*)", said("lscpu"))
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    busy = f", busy with {BEFORE} other processes" if BEFORE else ""
    versions = [
        f"scaleaudio {said(binary, '--version')}",
        said("sox", "--version").replace("sox:", "").replace("SoX v", "sox ").strip(),
        " ".join(said("ffmpeg", "-version").split()[:3]),
        said("flac", "--version"),
        said("oggenc", "--version").splitlines()[0],
        said("lame", "--version").splitlines()[0],
        f"rubberband {said('rubberband', '--version')}",
    ]
    return (f"Machine: {processor.group(1) if processor else platform.machine()}, {os.cpu_count()} cores, "
            f"{memory:.0f} GiB, Linux {platform.release().split('-')[0]}{busy}.",
            f"Programs: {', '.join(text for text in versions if text)}.")


def write(record):
    """Writes BENCHMARKS.md, and what the README shows of it."""
    with open(os.path.join(ROOT, "BENCHMARKS.md"), "w") as file:
        file.write(page(record))
    marked.put("bench", summary(record))
