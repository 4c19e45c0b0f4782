"""Real recordings, fetched from Debian packages when they are first needed: see recordings.txt."""
import os, shutil, subprocess, sys
import soundfile
from signals import ROOT, Sound

sys.path.insert(0, os.path.join(ROOT, "Tests", "Corpus"))
import fetching

FOLDER = os.path.join(ROOT, ".build", "recordings")
HALVES = ("tuning", "final")


class Recording:
    """A part of a file in a package; `kind` is drums, speech, song or music."""

    def __init__(self, line):
        self.half, self.kind, self.package, start, seconds, self.path = line.split(None, 5)
        self.start, self.seconds = float(start), float(seconds)

    @property
    def name(self):
        folder, file = os.path.splitext(self.path)[0].split("/")[-2:]
        return f"{self.kind}-{folder}-{file}".replace(" ", "-")

    @property
    def place(self):
        return os.path.join(FOLDER, self.package, self.path)

    def sound(self):
        """The samples with a peak of a half, so that nothing clips."""
        rate = soundfile.info(self.place).samplerate
        frames, rate = soundfile.read(self.place, int(self.seconds * rate), int(self.start * rate), always_2d=True)
        return Sound(self.name, 0.5 * frames / abs(frames).max(), rate)


def listed(half):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "recordings.txt")) as lines:
        found = [Recording(line.strip()) for line in lines if line.strip() and not line.startswith("#")]
    return [recording for recording in found if recording.half == half]


def fetch(recordings):
    """Downloads the packages of the recordings that are not there."""
    lacking = dict.fromkeys(one.package for one in recordings if not os.path.exists(one.place))
    if not lacking:
        return
    debian = fetching.Debian(os.path.join(FOLDER, "apt"))
    for package in lacking:
        print(f"Fetching {package}", file=sys.stderr)
        downloads = os.path.join(FOLDER, "downloads")
        os.makedirs(downloads, exist_ok=True)
        for archive in debian.package(package, downloads):
            target = os.path.join(FOLDER, package)
            os.makedirs(target, exist_ok=True)
            subprocess.run(["dpkg-deb", "--extract", archive, target], check=True)
        shutil.rmtree(downloads)
