"""The record of a run of the quality measurements, from which all pages are made: record.json."""
import json, os
from collections import namedtuple

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "record.json")

# The record of a tool: its name, and whether it is this program.
Measured = namedtuple("Measured", "name ours")


def save(varispeed, stretched, heard, correlation, versions):
    """Writes what was measured, as it was measured; `None` means a tool that was not installed."""
    with open(PATH, "w") as file:
        json.dump({
            "versions": versions,
            "correlation": [float(value) for value in correlation],
            "varispeed": [[tool.name, tool.ours, plain(found)] for tool, found in varispeed],
            "stretched": [[tool.name, tool.ours, {factor: plain(found) for factor, found in by_factor.items()}]
                          for tool, by_factor in stretched],
            "heard": [[tool.name, tool.ours, {factor: plain(found) for factor, found in by_factor.items()}]
                      for tool, by_factor in heard],
        }, file, indent=1, ensure_ascii=False)
        file.write("\n")


def plain(found):
    """Numbers of numpy's as those of Python, to seven digits."""
    return found and {key: value if isinstance(value, int) else float(f"{float(value):.7g}")
                      for key, value in found.items()}


def load():
    """The arguments that `save` was given."""
    with open(PATH) as file:
        record = json.load(file)
    varispeed = [(Measured(name, ours), found) for name, ours, found in record["varispeed"]]
    stretched = [(Measured(name, ours), by_factor) for name, ours, by_factor in record["stretched"]]
    heard = [(Measured(name, ours), by_factor) for name, ours, by_factor in record["heard"]]
    return varispeed, stretched, heard, record["correlation"], record["versions"]
