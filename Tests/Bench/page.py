"""What was timed as a page of Markdown."""
import os, platform, re, subprocess
import reasons
from timing import ratio

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

HEAD = """# How fast it is

Written by `scripts/bench --write`, which times whole processes, in turn (A B C A B C …), after one run of each
that is not counted: medians, with the least and the most in brackets; **ratio** is our program's time over
theirs, round by round. Everything is read from memory and written to memory (tmpfs). What every program made
in its first run is looked at: ours sample by sample (`linear`, `smoothstep` to WAV) or for its exact length and
level, the others' for length, within 0.1 s, and level, within 3 dB. CPU seconds are those of all threads and
processes; memory is that of the largest process, in the run that is not counted.

{machine}

"""


def page(works, growth, kernels, binary):
    parts = [HEAD.format(machine=machine(binary)), bars(works, kernels)]
    for work, contenders in works:
        parts.append(f"## {work.title}\n\n{work.text}\n\n{table(contenders)}\n")
    for title, text, contenders in growth:
        parts.append(f"## {title}\n\n{text}\n\n{growth_table(contenders)}\n")
    parts.append("## Commands\n\n" + "".join(
        f"- {work.title}, {one.name}: `{shown(one)}`\n" for work, contenders in works
        for one in contenders))
    return "\n".join(parts)


def span(figures, form):
    return f"{form(figures[0])} ({form(figures[1])} – {form(figures[2])})"


def seconds(value):
    return f"{value * 1000:.1f} ms" if value < 0.1 else f"{value:.2f} s"


def nanoseconds(value):
    return f"{value:.2f} ns"


def cell(text):
    return text.replace("|", "\\|")


def megabytes(value):
    return f"{value / 1e6:.1f}"


def table(contenders):
    lines = ["| program | wall | ratio | CPU | memory, MB | output, MB |",
             "| --- | ---: | ---: | ---: | ---: | ---: |"]
    first = contenders[0]
    for one in contenders:
        against = "" if one is first else span(ratio(first, one), lambda x: f"{x:.2f}")
        lines.append(
            f"| {cell(one.name)} | {span(one.figures('wall'), seconds)} | {against} | "
            f"{seconds(one.figures('cpu')[0])} | {megabytes(one.peak)} | "
            f"{megabytes(one.size)} |")
    return "\n".join(lines) + f"\n\nRatios are those of {first.name}.\n"


def growth_table(contenders):
    lines = ["| | wall | CPU | memory, MB |", "| --- | ---: | ---: | ---: |"]
    for one in contenders:
        lines.append(f"| {one.name} | {span(one.figures('wall'), seconds)} | "
                     f"{seconds(one.figures('cpu')[0])} | {megabytes(one.peak)} |")
    return "\n".join(lines) + "\n"


def measured(bar, contenders):
    """A bar's figures: median, least and most; `None` where a program is not here."""
    named = {one.name: one for one in contenders}
    if bar.ours not in named or bar.against and bar.against not in named:
        return None
    ours = named[bar.ours]
    if not bar.against:
        return (ours.peak,) * 3 if bar.field == "peak" else ours.figures(bar.field)
    if bar.field == "size":
        return (ours.size / named[bar.against].size,) * 3
    return ratio(ours, named[bar.against], bar.field)


def bars(works, kernels):
    """The table of bars, and a word on each that is missed."""
    lines = ["## Bars", "", "| work | at most | measured | |", "| --- | --- | ---: | --- |"]
    missed = []
    for work, contenders in works:
        for bar in work.bars:
            figures = measured(bar, contenders)
            if figures is None:
                continue
            holds = figures[0] <= bar.most
            limit, form = limits(bar)
            lines.append(f"| {bar.work} | {limit} | {span(figures, form)} | "
                         f"{'held' if holds else 'missed'} |")
            if not holds:
                missed.append(f"- **{bar.work}**, {limit}: {reasons.reason(bar.work, bar.against)}\n")
    for kernel in kernels:
        holds = kernel.figures[0] <= kernel.most
        work = f"the kernel alone, {kernel.method}"
        lines.append(f"| {work}, `Int16` stereo, x1.5, an output frame | {nanoseconds(kernel.most)} | "
                     f"{span(kernel.figures, nanoseconds)} | {'held' if holds else 'missed'} |")
        if not holds:
            missed.append(f"- **{work}**, {nanoseconds(kernel.most)}: {reasons.reason(work)}\n")
    text = "\n".join(lines) + "\n\n"
    return text + ("Why some are missed:\n\n" + "".join(missed) + "\n" if missed else "")


def limits(bar):
    if not bar.against:
        form = seconds if bar.field == "wall" else lambda value: f"{megabytes(value)} MB"
        return form(bar.most), form
    what = {"wall": "", "cpu": "CPU seconds, ", "size": "size, "}[bar.field]
    return f"{what}{bar.most} × {cell(bar.against)}", lambda value: f"{value:.2f}"


def shown(contender):
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
    processor = re.search(r"Model name:\s*(.*)", said("lscpu"))
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
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
            f"{memory:.0f} GiB, Linux {platform.release().split('-')[0]}.\n"
            f"Programs: {', '.join(text for text in versions if text)}.")


def summary(works):
    """The README's table: how many times as long as ours others take."""
    lines = ["| work | scaleaudio | others take so many times as long |", "| --- | ---: | --- |"]
    for work, contenders in works:
        ours, others = contenders[0], [one for one in contenders if not one.ours]
        times = ", ".join(f"{cell(one.name)} **{1 / ratio(ours, one)[0]:.2g}**" for one in others)
        lines.append(f"| {work.title} | {seconds(ours.figures('wall')[0])} | {times} |")
    return "\n".join(lines) + "\n"


def record(text, short):
    """Writes BENCHMARKS.md, and the README's part between its marks."""
    with open(os.path.join(ROOT, "BENCHMARKS.md"), "w") as file:
        file.write(text)
    path = os.path.join(ROOT, "README.md")
    with open(path) as file:
        readme = file.read()
    head, begin, rest = readme.partition("<!-- bench -->\n")
    _, end, tail = rest.partition("<!-- /bench -->\n")
    if not end:
        raise RuntimeError("README.md has no place for the table: <!-- bench -->, <!-- /bench -->")
    with open(path, "w") as file:
        file.write(head + begin + short + end + tail)
