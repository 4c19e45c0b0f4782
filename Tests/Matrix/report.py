"""The matrix as a page of Markdown."""
from sound import DEPTHS, LAYOUTS
from sources import SOURCES
from targets import TARGETS

HEAD = """# What converts to what

Written by `scripts/matrix --write` from a run in which other programs checked every output: {count}
conversions at a factor of 1.5, {wrong} of them wrong.

In each cell: **S** the samples are those of the arithmetic (lossless: every bit; from lossy sources: as
near as decoders differ; to lossy targets: every tone in its own channel), **L** the length is exact,
**Y** the layout is told, **T** all text tags, **P** all pictures, **C** the chapters are there at their
scaled moments; **R** the target cannot hold it, and the conversion is refused with a remedy. A letter
that is missing is of something that the source does not have or the target has no place for. **✗** marks
what is wrong.
"""


def table(title, results, rows, columns, row_of):
    lines = [f"\n## {title}\n", "| | " + " | ".join(columns) + " |",
             "| --- |" + " --- |" * len(columns)]
    by_place = {(row_of(result.cell), result.cell.target.name): result for result in results}
    for row in rows:
        marks = [mark(by_place.get((row, column))) for column in columns]
        lines.append(f"| {row} | " + " | ".join(marks) + " |")
    return "\n".join(lines) + "\n"


def mark(result):
    if result is None:
        return ""
    return "".join(sorted(result.right, key="RSLYTPC".index)) + ("✗" if result.faults else "")


def page(results):
    def of(name):
        return [result for result in results if result.cell.table == name]
    targets = [target.name for target in TARGETS]
    lossless = [target.name for target in TARGETS if not target.lossy]
    return (HEAD.format(count=len(results), wrong=sum(bool(result.faults) for result in results))
            + table("From each format to each", of("format"), [source.name for source in SOURCES],
                    targets, lambda cell: cell.source.name)
            + table("Layouts, from WAV", of("layout"), list(LAYOUTS), targets,
                    lambda cell: cell.layout)
            + table("Depths, from WAV", of("depth"), list(DEPTHS), lossless, lambda cell: cell.depth))
