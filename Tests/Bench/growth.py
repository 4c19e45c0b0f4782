"""How time and memory grow with length, channels, files and cores."""
import os
from timing import Contender, compare


class Growth:
    """Series of runs of this program alone: rows of a name, a source, options and a check."""

    def __init__(self, material, rounds, verify):
        self.material, self.rounds, self.verify = material, rounds, verify

    def series(self, rows):
        contenders = []
        for name, source, options, check in rows:
            output = self.material.path("out" if os.path.isdir(source) else "out" + os.path.splitext(source)[1])
            command = [self.material.binary, "-q", "-f", "1.5", *options, source, "-o",
                       output + "/" if os.path.isdir(source) else output]
            contenders.append(Contender(name, command, output, ours=True, check=check))
        return compare(contenders, self.rounds, self.verify)

    def lengths(self):
        """Mono at 22.05 kHz, as audiobooks are, so that ten hours fit into memory."""
        rows = []
        for name, seconds in [("10 s", 10), ("1 min", 60), ("10 min", 600), ("1 h", 3600),
                              ("10 h", 36000)]:
            source = self.material.wav(seconds, channels=1, rate=22050)
            rows.append((name, source, [], ["exact", "smoothstep", "1.5", source]))
        return self.series(rows)

    def channels(self):
        rows = []
        for count in (1, 2, 3, 4, 6, 8):
            source = self.material.wav(300, channels=count)
            rows.append((str(count), source, [], ["exact", "smoothstep", "1.5", source]))
        return self.series(rows)

    def files(self):
        rows = []
        for count in (1, 10, 100, 1000, 10000):
            folder = self.material.path(f"in-{count}-short")
            if not os.path.exists(folder):
                os.mkdir(folder)
                source = self.material.wav(1)
                for number in range(count):
                    with open(source, "rb") as file, open(f"{folder}/{number:05}.wav", "wb") as copy:
                        copy.write(file.read())
            rows.append((f"{count:,}", folder, [], None))
        return self.series(rows)

    def cores(self):
        rows = []
        hour, long = self.material.wav(3600), self.material.flac(self.material.wav(600))
        many = self.material.many(500, 20, "flac", self.material.flac)
        for name, source in [("1 h of WAV", hour), ("10 min of FLAC", long),
                             ("500 FLAC files of 20 s", many)]:
            for threads in range(1, os.cpu_count() + 1):
                rows.append((f"{name}, --threads {threads}", source, ["--threads", str(threads)],
                             None))
        return self.series(rows)
