"""The matrix as a page of Markdown."""
from making import ALL_DEPTHS, KINDS
from sound import LAYOUTS
from sources import SOURCES
from targets import TARGETS

HEAD = """# What converts to what

Written by `scripts/matrix --write` from a run in which other programs checked every output: {count}
conversions at a factor of 1.5, {wrong} of them wrong.

In each cell: **S** the samples are those of the arithmetic (lossless: every bit; from lossy sources: as
near as decoders differ; to lossy targets: every tone in its own channel), **L** the length is exact,
**Y** the layout is the source's, **T** all text tags, **P** all pictures, **C** the chapters are there at
their scaled moments; **R** the target cannot say the layout, and the conversion is refused with a remedy.
A letter that is missing is of something that the source does not have or the target has no place for.
**✗** marks what is wrong.
"""

FORMATS = """
## From each format to each

Stereo of 16 bits, with tags, pictures and chapters where the source can have them.
"""

LAYOUT_TEXT = """
## Layouts

From every source below that can say the layout, in each of its depths, with the number of conversions.
"""

DEPTH_TEXT = """
## Depths

From every source below that holds the depth, in each of its layouts that the target can say. Lossy sources
are under 16. A target that lacks the depth takes the nearest of its own.
"""

SOURCE_TEXT = """
## Sources

What layouts and depths were tried from: each layout in each depth, to every target above.

| source | depths | layouts | conversions | wrong |
| --- | --- | --- | --- | --- |
"""


def table(columns, rows):
    lines = ["", "| | " + " | ".join(columns) + " |", "| --- |" + " --- |" * len(columns)]
    lines += [f"| {name} | " + " | ".join(cells) + " |" for name, cells in rows]
    return "\n".join(lines) + "\n"


def mark(results):
    """The letters that all of these have in common; the wrong ones are counted."""
    if not results:
        return ""
    kinds = sorted({"".join(sorted(result.right, key="RSLYTPC".index)) for result in results})
    wrong = sum(bool(result.faults) for result in results)
    return "/".join(kinds) + (f" ✗{wrong}" if wrong else "")


def counted(results):
    return f"{mark(results)} {len(results)}" if results else ""


def grouped(results, key):
    groups = {}
    for result in results:
        groups.setdefault(key(result), []).append(result)
    return groups


def formats(found):
    cells = grouped(found, lambda result: (result.cell.source.name, result.cell.target.name))
    return FORMATS + table([target.name for target in TARGETS], [
        (source.name, [mark(cells.get((source.name, target.name))) for target in TARGETS])
        for source in SOURCES])


def layouts(found):
    cells = grouped(found, lambda result: (result.source.layout, result.target.name))
    return LAYOUT_TEXT + table([target.name for target in TARGETS], [
        (layout, [counted(cells.get((layout, target.name))) for target in TARGETS])
        for layout in LAYOUTS])


def depths(found):
    kept = [result for result in found if "R" not in result.right]
    cells = grouped(kept, lambda result: (result.source.depth, result.target.name))
    lossless = [target.name for target in TARGETS if not target.lossy]
    return DEPTH_TEXT + table(lossless, [
        (depth, [counted(cells.get((depth, target))) for target in lossless])
        for depth in ALL_DEPTHS])


def sources(found):
    groups = grouped(found, lambda result: result.source.kind.name)

    def in_order(values, order):
        return ", ".join(value for value in order if value in values)

    rows = [(kind, groups[kind.name]) for kind in KINDS if kind.name in groups]
    return SOURCE_TEXT + "".join(
        f"| {kind.name} | "
        + ("lossy" if kind.lossy else in_order({one.source.depth for one in group}, ALL_DEPTHS))
        + f" | {in_order({one.source.layout for one in group}, LAYOUTS)} | {len(group)} | "
        + f"{sum(bool(one.faults) for one in group)} |\n" for kind, group in rows)


def page(cells, product):
    everything = cells + product
    return (HEAD.format(count=f"{len(everything):,}",
                        wrong=sum(bool(result.faults) for result in everything))
            + formats(cells) + layouts(product) + depths(product) + sources(product))
