"""Times the interpolation kernel alone, in memory: the source of a release, built as a release builds it."""
import glob, os, subprocess, tempfile
from dataclasses import dataclass
from statistics import median

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TIMES = 30


@dataclass
class KernelTime:
    """Nanoseconds for an output frame of `Int16`, stereo, at x1.5, and the target."""
    method: str
    most: float
    nanoseconds: list

    @property
    def figures(self):
        return median(self.nanoseconds), min(self.nanoseconds), max(self.nanoseconds)


def timed():
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "kernel")
        sources = [*glob.glob(f"{ROOT}/Sources/CKernels/*.c"), f"{ROOT}/Tests/Bench/kernel.c"]
        subprocess.run(["clang", "-O2", "-I", f"{ROOT}/Sources/CKernels/include", *sources, "-lm", "-o", program],
                       check=True)
        kernels = []
        for method, most in [("linear", 1.0), ("smoothstep", 1.5)]:
            done = subprocess.run([program, "int16", "2", "1.5", method, str(TIMES)], check=True,
                                  capture_output=True, text=True)
            kernels.append(KernelTime(method, most, [float(line) for line in done.stdout.split()]))
        return kernels
