"""What was found, as a record (record.json), and the record as a page of Markdown (FORMATS.md)."""
import json, os, re
from making import ALL_DEPTHS, KINDS
from sound import LAYOUTS, stored_depth
from sources import SOURCES
from targets import TARGETS

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "record.json")

# The meaning of each letter of a result: checked and right. The page prints words.
# S samples, L length, Y layout, T text tags, P pictures, C chapters or marks; R refused, with a remedy.
LETTERS = "RSLYTPC"
ATTACHED = {"T": "text tags", "P": "pictures", "C": "chapters"}

HEAD = """# What converts to what

Written by `scripts/matrix --write` from {count} conversions at a factor of 1.5; {wrong} were wrong.
Other programs made every source and checked every output (ffmpeg, flac, wvunpack, mpg123, mutagen).

**In {right}, samples, length and channel layout are right**, or the conversion is refused with a remedy
because the target cannot hold the layout:

- Samples: from lossless sources to lossless targets, every bit is the one that the definition of the method gives;
  from lossy sources, within 2 of 65,536 steps, as decoders differ; in lossy targets, every tone is in its channel.
- Length: exact to the frame.
- Channel layout: the source's. Raw PCM cannot state it; its channels are in the source's order.

This page lists the exceptions: what a format cannot hold.
"""

TARGET_TEXT = """
## What each target holds

✓ kept from every source that has it; — the format has no place for it. Chapters are at their scaled times; WAV, RF64,
AIFF and CAF hold them as marks. M4B holds ALAC if the source is lossless, otherwise AAC.

| target | text tags | pictures | chapters | channel layouts that it refuses |
| --- | :-: | :-: | :-: | --- |
"""

DEPTH_TEXT = """
## Bit depths

✓ kept, otherwise the depth that is stored. Lossy sources are stored as 16 bits. Checked from every source below that
holds the depth, in each of its layouts that the target can hold.

"""

SOURCE_TEXT = """
## Sources

One file of each, 16-bit stereo if the format has a depth, with these attachments by another program, was converted to
every target:

| attached | sources |
| --- | --- |
"""

TRIED_TEXT = """
## What was tried

Besides one file of every source above to every target, each layout in each depth from each of these to every target:

| source | depths | layouts | conversions | wrong |
| --- | --- | --- | ---: | ---: |
"""


# The record

def record(pairs, many):
    """All results as plain values."""
    everything = pairs + many
    kept = [result for result in many if "R" not in result.right]
    return {
        "count": len(everything),
        "wrong": sum(bool(result.faults) for result in everything),
        "pairs": pairs_of(pairs),
        "layouts": counted(many, lambda result: result.source.layout, LAYOUTS),
        "depths": counted([result for result in kept if not result.target.lossy],
                          lambda result: result.source.depth, ALL_DEPTHS),
        "sources": sources_of(many),
    }


def pairs_of(found):
    """The letters of each pair of formats."""
    cells = grouped(found, lambda result: (result.cell.source.name, result.cell.target.name))
    return {source.name: {target.name: mark(cells[source.name, target.name]) for target in TARGETS
                          if (source.name, target.name) in cells}
            for source in SOURCES}


def counted(found, key, order):
    """By value and target, the letters that its conversions have, and their number."""
    cells = grouped(found, lambda result: (key(result), result.target.name))
    return {value: {target.name: [mark(cells[value, target.name]), len(cells[value, target.name])]
                    for target in TARGETS if (value, target.name) in cells}
            for value in order}


def sources_of(found):
    groups = grouped(found, lambda result: result.source.kind.name)
    return {kind.name: {
        "depths": ["lossy"] if kind.lossy else in_order((one.source.depth for one in group), ALL_DEPTHS),
        "layouts": in_order((one.source.layout for one in group), LAYOUTS),
        "conversions": len(group), "wrong": sum(bool(one.faults) for one in group),
    } for kind in KINDS for group in [groups.get(kind.name)] if group}


def mark(results):
    """The letters that all of these have in common; the wrong ones are counted."""
    kinds = sorted({"".join(sorted(result.right, key=LETTERS.index)) for result in results})
    wrong = sum(bool(result.faults) for result in results)
    return "/".join(kinds) + (f" ✗{wrong}" if wrong else "")


def grouped(results, key):
    groups = {}
    for result in results:
        groups.setdefault(key(result), []).append(result)
    return groups


def in_order(values, order):
    values = set(values)
    return [value for value in order if value in values]


def load():
    with open(PATH) as file:
        return json.load(file)


def save(found):
    """Writes the record, with short lists on one line."""
    text = json.dumps(found, indent=1, ensure_ascii=False)
    text = re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda match: "[" + re.sub(r"\s+", " ", match[1]) + "]", text)
    with open(PATH, "w") as file:
        file.write(text + "\n")


# The page

def page(found):
    right = "all of them" if not found["wrong"] else f"all but {found['wrong']} of them"
    return (HEAD.format(count=f"{found['count']:,}", wrong=found["wrong"], right=right)
            + TARGET_TEXT + "".join(target_row(found, target) for target in TARGETS) + wrong(found)
            + DEPTH_TEXT + depths(found) + SOURCE_TEXT + sources(found) + exceptions(found)
            + TRIED_TEXT + tried(found))


def target_row(found, target):
    held = holds(found, target.name)
    cells = ["✓" if letter in held else "—" for letter in ATTACHED]
    return f"| {target.name} | {' | '.join(cells)} | {refused(found, target.name)} |\n"


def holds(found, target):
    """The letters of what is attached that a target keeps from any source."""
    return {letter for row in found["pairs"].values() for letter in row[target] if letter in ATTACHED}


def brings(found, source):
    """The letters of what is attached that any target gets from a source."""
    return {letter for marks in found["pairs"][source].values() for letter in marks if letter in ATTACHED}


def refused(found, target):
    always, sometimes = [], []
    for layout, by_target in found["layouts"].items():
        marks = by_target[target][0].split(" ")[0].split("/")
        if "R" in marks:
            (always if marks == ["R"] else sometimes).append(layout)
    if len(always) == len(found["layouts"]) - 2:
        return "all but mono and stereo"
    texts = [", ".join(always)] if always else []
    if sometimes:
        texts.append(f"as ALAC also {', '.join(sometimes)}")
    return "; ".join(texts)


def depths(found):
    lossless = [target for target in TARGETS if not target.lossy]
    lines = ["| source | " + " | ".join(target.name for target in lossless) + " |",
             "| --- |" + " :-: |" * len(lossless)]
    for depth in found["depths"]:
        cells = []
        for target in lossless:
            stored = stored_depth(depth, target.depths)
            marks = found["depths"][depth][target.name][0]
            cells.append(("✓" if stored == depth else stored) + (" ✗" if "✗" in marks else ""))
        lines.append(f"| {depth} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def sources(found):
    groups = {}
    for source in found["pairs"]:
        letters = "".join(letter for letter in ATTACHED if letter in brings(found, source))
        groups.setdefault(letters, []).append(source)
    return "".join(f"| {', '.join(ATTACHED[letter] for letter in letters) or 'nothing'} | {', '.join(groups[letters])} |\n"
                   for letters in sorted(groups, key=len, reverse=True))


def exceptions(found):
    """Pairs that lack what both sides can hold."""
    lines = []
    for source, row in found["pairs"].items():
        for target, marks in row.items():
            for letter in ATTACHED:
                if letter in brings(found, source) & holds(found, target) and letter not in marks:
                    lines.append(f"- {source} to {target}: {ATTACHED[letter]} are lost\n")
    return "\n" + ("Exceptions:\n\n" + "".join(lines) if lines else "Every target that can hold an attachment got it: there are no other exceptions.\n")


def wrong(found):
    """Everything that came out wrong, by source, layout or depth and target."""
    lines = [f"- {name} to {target}: {marks if isinstance(marks, str) else marks[0]}\n"
             for kind in ("pairs", "layouts") for name, row in found[kind].items()
             for target, marks in row.items() if "✗" in str(marks)]
    return "\nWrong:\n\n" + "".join(lines) if lines else ""


def tried(found):
    return "".join(
        f"| {name} | {', '.join(one['depths'])} | "
        f"{'all 13' if len(one['layouts']) == len(LAYOUTS) else ', '.join(one['layouts'])} | "
        f"{one['conversions']:,} | {one['wrong']} |\n" for name, one in found["sources"].items())
