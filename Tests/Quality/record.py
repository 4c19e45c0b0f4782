"""The record of a run of the quality measurements, from which all pages are made: record.json."""
import json, os
from collections import namedtuple

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "record.json")

# The record of a tool: its name, and whether it is this program.
Measured = namedtuple("Measured", "name ours")


def save(versions, correlation, varispeed, stretched, heard, tuning, hard_sounds):
    """Writes what was measured, as it was measured; `None` means a tool that was not installed."""
    def each(results):
        return [[tool.name, tool.ours, plain(found)] for tool, found in results]
    with open(PATH, "w") as file:
        json.dump({
            "versions": versions,
            "correlation": [float(value) for value in correlation],
            "varispeed": each(varispeed), "stretched": each(stretched), "heard": each(heard), "tuning": each(tuning),
            "hard_sounds": each(hard_sounds),
        }, file, indent=1, ensure_ascii=False)
        file.write("\n")


def plain(found):
    """Numbers of numpy's as those of Python, to seven digits, also in values by factor."""
    if isinstance(found, dict):
        return {key: plain(value) for key, value in found.items()}
    return found if found is None or isinstance(found, int) else float(f"{float(found):.7g}")


def load():
    """The arguments that `save` was given, by name."""
    with open(PATH) as file:
        record = json.load(file)
    for name in ("varispeed", "stretched", "heard", "tuning", "hard_sounds"):
        record[name] = [(Measured(name, ours), found) for name, ours, found in record[name]]
    return record
