"""The cells of the matrix: one conversion each, and what must be true of it."""
import os, subprocess
import numpy as np
import sound, tags, tools
from sources import SOURCES
from sound import DEPTHS, FRAMES, LAYOUTS, OUT_FRAMES, RATE
from targets import TARGETS


class Result:
    """What was found of one cell: letters for what is right, sentences for what is wrong."""

    def __init__(self, cell):
        self.cell, self.right, self.faults, self.refusal = cell, "", [], None

    def expect(self, letter, condition, fault):
        if condition:
            self.right += letter
        else:
            self.faults.append(fault)


class Cell:
    """One source, in a depth and a layout, converted to one target."""

    def __init__(self, table, source, target, depth="16", layout="stereo"):
        self.table, self.source, self.target = table, source, target
        self.depth, self.layout = depth, layout
        self.name = f"{table}: {source.name} {depth} {layout} -> {target.name}"

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
        channels = LAYOUTS[self.layout][1]
        original = sound.quantized(sound.sound(channels), self.depth)
        wav = os.path.join(place, "sound.wav")
        with open(wav, "wb") as file:
            file.write(tools.wav(original, self.depth, self.layout))
        path = self.source.create(wav, place)
        output = os.path.join(place, f"to.{self.target.extension}")
        done = subprocess.run([binary, "convert", "-q", "-f", str(sound.FACTOR), "--method", "linear",
                               "--format", self.target.name, path, "-o", output],
                              capture_output=True, text=True)
        if self.layout not in self.target.layouts:
            result.expect("R", done.returncode == 1 and "layout" in done.stderr,
                          f"not refused: {done.stderr.strip()[:100]}")
            return
        if done.returncode != 0:
            said = done.stderr.replace(place + os.sep, "").strip().splitlines()
            result.faults.append(said[0] if said else f"status {done.returncode}")
            return
        self.check_sound(result, path, output, original, channels)
        if self.table == "format":
            self.check_attached(result, output)

    # Sound

    def check_sound(self, result, path, output, original, channels):
        stream, _ = tools.probe(output)
        result.expect("", stream["channels"] == channels, f"{stream['channels']} channels")
        if channels > 2 or self.table == "layout":
            told = stream.get("channel_layout", "")
            result.expect("Y", self.is_same_layout(told), f"layout {told}")
        expected = self.expected_frames(path, channels)
        if self.target.lossy:
            self.check_lossy(result, output, stream, expected, channels)
        else:
            self.check_samples(result, path, output, original, expected, channels)

    def is_same_layout(self, told):
        # ffmpeg takes the surrounds of Core Audio's and MPEG's 5.x layouts for side speakers.
        if not told:
            return self.layout in ("mono", "stereo")
        if self.target.name == "oga":
            # ffmpeg does not read the mask comment of FLAC in Ogg.
            return LAYOUTS.get(told, (0, 0))[1] == LAYOUTS[self.layout][1]
        loose = self.target.name in ("aiff", "caf", "aac", "m4b", "m4a-alac")
        plain = (lambda name: name.replace("(side)", "")) if loose else (lambda name: name)
        return plain(told) == plain(self.layout)

    def expected_frames(self, path, channels):
        if self.source.exact:
            return OUT_FRAMES
        return int(float(len(tools.lossy(path, channels))) * sound.FACTOR)

    def check_lossy(self, result, output, stream, expected, channels):
        found = tools.lossy(output, channels)
        if self.target.extension in ("m4a", "m4b"):
            # ffmpeg does not cut what the edit list leaves out at the end.
            length = int(stream["duration_ts"])
        else:
            length = len(found)
        result.expect("L", length == expected, f"{length} frames, not {expected}")
        wrong = [channel for channel in range(channels)
                 if abs(sound.dominant(found[:, channel], RATE) - sound.tone(channel) / 1.5) > 3]
        result.expect("S", not wrong, f"other tones in channels {wrong}")

    def check_samples(self, result, path, output, original, expected, channels):
        depth = self.output_depth()
        found = tools.decoded(output, depth, channels)
        result.expect("L", len(found) == expected, f"{len(found)} frames, not {expected}")
        if len(found) != expected:
            return
        if self.source.lossy:
            self.check_close(result, path, found, channels)
            return
        wanted = self.arithmetic(original, depth)
        wrong = np.argwhere(found != wanted)
        result.expect("S", len(wrong) == 0, f"{len(wrong)} samples differ" + (
            f", the first at frame {wrong[0][0]}: {found[tuple(wrong[0])]}, not "
            f"{wanted[tuple(wrong[0])]}" if len(wrong) else ""))

    def output_depth(self):
        """The source's own depth, or the nearest that the target holds."""
        if self.depth in self.target.depths:
            return self.depth
        wider = {"f32": ["24"], "f64": ["32", "24"], "32": ["24"], "8": ["16"]}[self.depth]
        return next(depth for depth in wider if depth in self.target.depths)

    def arithmetic(self, original, depth):
        if depth == self.depth:
            return sound.scaled(original, depth)
        bits = DEPTHS[self.depth][1]
        return sound.quantized(sound.scaled(original / (2.0 ** (bits - 1) if bits else 1), "f64"),
                               depth)

    def check_close(self, result, path, found, channels):
        """Decoders of one codec differ in the last bits."""
        decoded = tools.lossy(path, channels)[:FRAMES if self.source.exact else None]
        whole = np.clip(np.rint(decoded * 32768), -32768, 32767)
        wanted = sound.scaled(whole, "16")
        worst = np.abs(found[:len(wanted)] - wanted[:len(found)]).max()
        result.expect("S", worst <= 2, f"samples differ by up to {worst}")

    # What is attached

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
        # ID3, Vorbis comments and ffprobe's reading of them know milliseconds.
        coarse = self.target.name in ("mp3", "ogg", "opus", "flac", "oga")
        tolerance = (0.0005 if coarse else 0) + 1.001 / RATE
        wanted = [start / 1000 * sound.FACTOR for start, _ in tags.CHAPTERS]
        near = len(found) == len(wanted) and all(
            abs(a - b) <= tolerance for a, b in zip(found, wanted))
        result.expect("C", near, f"chapters at {found}, not {wanted}")


def all_cells():
    wav = next(source for source in SOURCES if source.name == "wav")
    cells = [Cell("format", source, target) for source in SOURCES for target in TARGETS]
    cells += [Cell("layout", wav, target, layout=layout) for layout in LAYOUTS for target in TARGETS]
    cells += [Cell("depth", wav, target, depth=depth) for depth in DEPTHS for target in TARGETS
              if not target.lossy]
    return cells
