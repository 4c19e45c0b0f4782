"""Table 4: sounds on which stretchers fail, by all of them, and the gates that the vocoder misses."""
from concurrent.futures import ThreadPoolExecutor
import os, sys, threading
import recordings
import tools
from hardgroups import GROUPS, spoken

REFERENCE = "`rubberband -3`"


def measured(chosen, shifting, folder, whole=True):
    """For each tool, its figures by key. `shifting` are the tools that keep formants, by name."""
    def one(task):
        tool, group = task
        try:
            shifter = shifting.get(tool.name)
            return group.measured(runner(tool, folder), shifter and runner(shifter, folder), whole)
        except (RuntimeError, ValueError, IndexError) as error:
            if tool.ours:
                raise
            # Another tool that fails, or whose output is too short to be measured, has no figures.
            print(f"{tool.name}: {group.title}: {error}", file=sys.stderr)
            return {}
    tasks = [(tool, group) for group in GROUPS for tool in chosen]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(tasks, pool.map(one, tasks)))
    return [(tool, {key: value for group in GROUPS for key, value in found[tool, group].items()}) for tool in chosen]


def runner(tool, folder):
    """A tool as a function of a sound and a factor, or semitones, for one thread."""
    def run(sound, factor):
        place = os.path.join(folder, f"hard-{threading.get_ident()}")
        os.makedirs(place, exist_ok=True)
        tools.written(sound, place)
        return tool.run(sound, factor, place)
    return run


def compared(binary, folder, names=None):
    """Every tool that stretches, or those of some names, with its figures; the others only where they are installed."""
    recordings.fetch(spoken())
    shifting = {tool.name: tool for tool in tools.shifters(binary)}
    return measured(tools.chosen(binary, names), shifting, folder)


def pair(results):
    """The figures of the vocoder, and those of R3 or `None`."""
    by_name = {tool.name: found for tool, found in results}
    return next(found for tool, found in results if tool.ours), by_name.get(REFERENCE)


def missed(ours, reference):
    """The gates that are not met, a line each."""
    lines = []
    for group in GROUPS:
        for measure in group.measures:
            value, other = ours.get(measure.key), (reference or {}).get(measure.key)
            if value is not None and measure.is_missed(value, other):
                lines.append(line(group, measure, value, other))
    return lines


def line(group, measure, value, other):
    bounds = " and ".join(f"{'at least' if measure.is_more else 'at most'} {measure.form.format(bound)}"
                          for bound in measure.bounds(other))
    return f"{group.title.split(':')[0]}: {measure.key}: {measure.form.format(value)}; the bound is {bounds}"


def behind(results):
    """Where `stretch` is behind: group, measure, tool, its value, that of the tool."""
    ours, _ = pair(results)
    found = []
    for group in GROUPS:
        for measure in group.measures:
            for tool, theirs in results:
                mine, other = ours.get(measure.key), theirs.get(measure.key)
                if not tool.ours and mine is not None and other is not None and measure.worse(mine, other) > measure.slack:
                    found.append((group, measure, tool, mine, other))
    return found


def checked(binary, folder, recorded):
    """The gates of the vocoder, a line for each row, and a line for each that held in the record and is missed now.

    R3 is as recorded, and so are the gates of recordings and of sampled scores."""
    tool, shifting = tools.stretchers(binary)[0], {one.name: one for one in tools.shifters(binary)}
    found = measured([tool], shifting, folder, whole=False)[0][1]
    by_name = {tool.name: figures for tool, figures in recorded}
    before, reference = by_name.get(tool.name, {}), by_name.get(REFERENCE, {})
    listing, lost = [], []
    for group in GROUPS:
        for row in dict.fromkeys(measure.row for measure in group.measures if measure.has_gate):
            cells = []
            for measure in (one for one in group.measures if one.row == row):
                value, other = found.get(measure.key, before.get(measure.key)), reference.get(measure.key)
                if value is None:
                    continue
                is_missed = measure.is_missed(value, other)
                cells.append(measure.form.format(value) + ("" if measure.key in found else " (recorded)")
                             + (" MISSED" if is_missed else ""))
                held = measure.key in before and not measure.is_missed(before[measure.key], other)
                if is_missed and measure.key in found and held:
                    lost.append(f"held in the record, missed now: {line(group, measure, value, other)}")
            state = "missed" if any("MISSED" in cell for cell in cells) else "holds"
            listing.append(f"{state.ljust(7)} {group.title.split(':')[0]}, {row}: {', '.join(cells)}")
    return listing, lost
