"""Times whole processes, in turn, from their start to their end."""
import os, shutil, subprocess, tempfile, time
from dataclasses import dataclass
from statistics import median


@dataclass
class Run:
    """What one process, and those it waited for, took."""
    wall: float
    cpu: float


class Contender:
    """A program doing a piece of work. `command` is its arguments, or a line for `sh`; `output` is the file
    or folder that it makes, which is removed before each run."""

    def __init__(self, name, command, output, ours=False, check=None):
        self.name = name
        self.command = ["sh", "-c", command] if isinstance(command, str) else command
        self.output = output
        self.ours = ours
        self.check = check
        self.runs = []
        # Bytes of the output, and of the largest process.
        self.size = 0
        self.peak = 0

    @property
    def is_here(self):
        words = self.command[-1].split() if self.command[0] == "sh" else self.command
        return all(shutil.which(word) for word in words[:1])

    def warm_up(self):
        """Runs it once, and measures its memory.

        The kernel counts the memory of the process that starts another as that one's too, until it has
        begun: `time` is smaller than this one.
        """
        with tempfile.NamedTemporaryFile() as report:
            self.run("/usr/bin/time", "-f", "%M", "-o", report.name)
            self.peak = int(report.read().split()[-1]) * 1024
        self.size = size_of(self.output)

    def run(self, *starter):
        clear(self.output)
        # Not through a pipe: reading it would use the other core.
        with tempfile.TemporaryFile() as said:
            start = time.perf_counter()
            child = subprocess.Popen(
                [*starter, *self.command], stdin=subprocess.DEVNULL, stdout=said, stderr=said)
            _, status, usage = os.wait4(child.pid, 0)
            wall = time.perf_counter() - start
            child.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            text = said.read().decode(errors="replace").strip()
        if child.returncode != 0:
            raise RuntimeError(f"{self.name}: status {child.returncode}: {text[-500:]}")
        return Run(wall, usage.ru_utime + usage.ru_stime)

    def figures(self, field):
        """Median, minimum and maximum of the runs."""
        values = [getattr(run, field) for run in self.runs]
        return median(values), min(values), max(values)


def compare(contenders, rounds, verify):
    """Runs all contenders once to warm up and check their outputs, then in turn `rounds` times."""
    contenders = [one for one in contenders if one.is_here]
    for one in contenders:
        one.warm_up()
        if one.check:
            verify(one)
        clear(one.output)
    for _ in range(rounds):
        for one in contenders:
            one.runs.append(one.run())
            if size_of(one.output) != one.size and one.ours:
                raise RuntimeError(f"{one.name}: a different size than before")
            clear(one.output)
    return contenders


def ratio(one, other, field="wall"):
    """One's figure divided by the other's, round by round: median, minimum and maximum."""
    pairs = [getattr(a, field) / getattr(b, field) for a, b in zip(one.runs, other.runs)]
    return median(pairs), min(pairs), max(pairs)


def size_of(path):
    if os.path.isdir(path):
        return sum(os.path.getsize(os.path.join(path, name)) for name in os.listdir(path))
    return os.path.getsize(path)


def clear(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.remove(path)
