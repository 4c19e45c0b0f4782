"""The cells of the matrix: one conversion each, and what must hold for it."""
import os, subprocess
import numpy as np
import sound, tags, tools
from sources import SOURCES
from sound import FRAMES, OUT_FRAMES, RATE
from targets import TARGETS


class Result:
    """What was found of one cell: letters for what is right, sentences for what is wrong."""

    def __init__(self, cell):
        self.cell, self.name, self.right, self.faults = cell, cell.name, "", []

    def expect(self, letter, condition, fault):
        if condition:
            self.right += letter
        else:
            self.faults.append(fault)


DEPTH, LAYOUT, CHANNELS = "16", "stereo", 2


class Cell:
    """One source, 16-bit stereo with everything attached that it can hold, converted to one target."""

    def __init__(self, source, target):
        self.source, self.target = source, target
        self.name = f"{source.name} -> {target.name}"

    def check(self, binary, folder):
        result = Result(self)
        place = os.path.join(folder, self.name.replace(" -> ", "-to-").replace(" ", "_"))
        os.makedirs(place)
        try:
            self.convert(result, binary, place)
        except Exception as error:
            result.faults.append(f"{type(error).__name__}: {error}")
        return result

    def convert(self, result, binary, place):
        original = sound.quantized(sound.sound(CHANNELS), DEPTH)
        wav = os.path.join(place, "sound.wav")
        with open(wav, "wb") as file:
            file.write(tools.wav(original, DEPTH, LAYOUT))
        path = self.source.create(wav, place)
        output = os.path.join(place, f"to.{self.target.extension}")
        done = subprocess.run([binary, "convert", "-q", "-f", str(sound.FACTOR), "--method", "linear",
                               "--format", self.target.name, path, "-o", output],
                              capture_output=True, text=True)
        if done.returncode != 0:
            said = done.stderr.replace(place + os.sep, "").strip().splitlines()
            result.faults.append(said[0] if said else f"status {done.returncode}")
            return
        self.check_sound(result, path, output, original)
        self.check_attached(result, output)

    # Sound

    def check_sound(self, result, path, output, original):
        stream = {}
        if self.target.saysLayout:
            stream, _ = tools.probe(output)
            found = stream.get("channel_layout", LAYOUT)
            result.expect("Y", (stream["channels"], found) == (CHANNELS, LAYOUT), f"layout {found}")
        expected = self.expected_frames(path)
        if self.target.lossy:
            self.check_lossy(result, output, stream, expected)
        else:
            self.check_samples(result, path, output, original, expected)

    def expected_frames(self, path):
        if self.source.exact:
            return OUT_FRAMES
        return int(float(len(tools.lossy(path, CHANNELS))) * sound.FACTOR)

    def check_lossy(self, result, output, stream, expected):
        found = tools.lossy(output, CHANNELS)
        if self.target.extension in ("m4a", "m4b"):
            # ffmpeg does not cut what the edit list leaves out at the end.
            length = int(stream["duration_ts"])
        else:
            length = len(found)
        result.expect("L", length == expected, f"{length} frames, not {expected}")
        wrong = [channel for channel in range(CHANNELS)
                 if abs(sound.dominant(found[:, channel], RATE) - sound.tone(channel) / 1.5) > 3]
        result.expect("S", not wrong, f"other tones in channels {wrong}")

    def check_samples(self, result, path, output, original, expected):
        found = tools.decoded(output, DEPTH, CHANNELS)
        result.expect("L", len(found) == expected, f"{len(found)} frames, not {expected}")
        if len(found) != expected:
            return
        if self.source.lossy:
            self.check_close(result, path, found)
            return
        differences = np.argwhere(found != sound.scaled(original, DEPTH))
        result.expect("S", len(differences) == 0, f"{len(differences)} samples differ")

    def check_close(self, result, path, found):
        """Decoders of one codec differ in the last bits."""
        decoded = tools.lossy(path, CHANNELS)[:FRAMES if self.source.exact else None]
        whole = np.clip(np.rint(decoded * 32768), -32768, 32767)
        wanted = sound.scaled(whole, "16")
        worst = np.abs(found[:len(wanted)] - wanted[:len(found)]).max()
        result.expect("S", worst <= 2, f"samples differ by up to {worst}")

    # The attached data

    def check_attached(self, result, output):
        has, holds = self.source.holds, self.target.holds
        if self.target.read and "T" in has:
            found = self.target.read(output)
            result.expect("T", found.titles == [tags.TITLE], f"title {found.titles}")
            if "A" in has:
                result.expect("", found.artists == tags.ARTISTS, f"artists {found.artists}")
            if "M" in has:
                result.expect("", found.shelves == [tags.SHELF], f"custom field {found.shelves}")
            self.check_pictures(result, found.pictures, has, holds)
        if "C" in has and "C" in holds:
            self.check_starts(result, [float(chapter["start_time"]) for chapter in
                                       tools.probe(output)[1]])
        elif "C" in has and "K" in holds:
            self.check_starts(result, tags.marks(output, RATE))

    def check_pictures(self, result, found, has, holds):
        if not {"P", "p"} & set(has) or not {"P", "p"} & set(holds):
            return
        both = "P" in has and "P" in holds
        if both:
            wanted = tags.COVER
            result.expect("P", found == wanted, f"pictures {found}")
        else:
            count = len(tags.COVER) if "P" in has else 1
            result.expect("P", len(found) == count, f"{len(found)} pictures, not {count}")

    def check_starts(self, result, found):
        # ID3 and Vorbis comments, and ffprobe's reading of them, are precise to milliseconds.
        coarse = self.target.name in ("mp3", "ogg", "opus", "flac", "oga")
        tolerance = (0.0005 if coarse else 0) + 1.001 / RATE
        wanted = [start / 1000 * sound.FACTOR for start, _ in tags.CHAPTERS]
        near = len(found) == len(wanted) and all(
            abs(a - b) <= tolerance for a, b in zip(found, wanted))
        result.expect("C", near, f"chapters at {found}, not {wanted}")


def all_cells():
    return [Cell(source, target) for source in SOURCES for target in TARGETS]
