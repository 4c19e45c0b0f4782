"""Every source in every depth and layout that it holds, to every target: many conversions in one run."""
import os, shutil, struct, subprocess
from concurrent.futures import ThreadPoolExecutor
import mutagen.flac, mutagen.oggflac, mutagen.oggvorbis
import numpy as np
import making, sound, tools
from sound import FRAMES, LAYOUTS, OUT_FRAMES, RATE
from targets import COUNT_ONLY, TARGETS

# RFC 9639 section 9.1.3: what FLAC's channels are without a mask.
FLAC_STANDARD = {1: "mono", 2: "stereo", 3: "3.0", 4: "quad", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1"}


class Outcome:
    """One conversion: letters for what is right, sentences for what is wrong."""

    def __init__(self, source, target):
        self.source, self.target, self.right, self.faults = source, target, "", []
        self.name = f"{source.name} -> {target.name}"

    def expect(self, letter, condition, fault):
        if condition:
            self.right += letter
        else:
            self.faults.append(fault)


def outcomes(binary, folder, part=None):
    """All of them; with `part` (number, parts) only one of `parts`, spread over sources and targets."""
    found = []
    for layout in LAYOUTS:
        place = os.path.join(folder, layout)
        os.makedirs(place)
        depths = [depth for depth in making.ALL_DEPTHS]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            made = sum(pool.map(lambda depth: making.make(layout, depth, place), depths), [])
            expected = Expected(made, layout)
            jobs = [(target, chosen(made, layout, number, part))
                    for number, target in enumerate(TARGETS)]
            for results in pool.map(lambda job: convert(binary, place, layout, expected, *job), jobs):
                found += results
        shutil.rmtree(place)
    return found


def chosen(made, layout, target, part):
    if part is None:
        return made
    number, parts = part
    shift = target + list(LAYOUTS).index(layout) + number
    return [source for index, source in enumerate(made) if (index + shift) % parts == 0]


class Expected:
    """The expected samples of each source, computed once for all targets."""

    def __init__(self, made, layout):
        self.channels = LAYOUTS[layout][1]
        self.signal = sound.sound(self.channels)
        self.scaled = {(depth, stored): self.arithmetic(depth, stored)
                       for depth in making.ALL_DEPTHS for stored in making.ALL_DEPTHS}
        self.decoded = {source.path: tools.lossy(source.path, self.channels)
                        for source in made if source.kind.lossy}

    def arithmetic(self, depth, stored):
        original = sound.quantized(self.signal, depth)
        return sound.expected(original, depth, stored)

    def frames(self, source):
        if source.kind.exact:
            return OUT_FRAMES
        return int(float(len(self.decoded[source.path])) * sound.FACTOR)

    def lossy_samples(self, source):
        whole = np.clip(np.rint(self.decoded[source.path][:FRAMES if source.kind.exact else None]
                                * 32768), -32768, 32767)
        return sound.scaled(whole, "16")


def convert(binary, place, layout, expected, target, sources):
    """Converts sources of one layout to one target in one run, and checks all outputs."""
    results = [Outcome(source, target) for source in sources]
    if not results:
        return []
    into = os.path.join(place, f"to-{target.name}")
    done = subprocess.run(
        [binary, "convert", "-q", "-f", str(sound.FACTOR), "--method", "linear", "--format", target.name,
         "--suffix", "", "-o", into, *[source.path for source in sources]], capture_output=True, text=True)
    said = done.stderr.splitlines()
    made = []
    for result in results:
        lines = lines_about(result.source, said)
        if result.source.fault:
            result.faults.append(result.source.fault)
        if layout not in target.layouts_for(result.source.kind.lossy):
            isReported = any("layout" in line or "channels" in line for line in lines)
            result.expect("R", isReported and not output(into, result), f"not refused: {lines[:1]}")
        elif output(into, result):
            made.append(result)
        else:
            result.faults.append((lines or ["no output"])[0][:150])
    check(made, into, layout, expected, target)
    shutil.rmtree(into, ignore_errors=True)
    return results


def lines_about(source, said):
    return [line for line in said if f"/{os.path.basename(source.path)}" in line
            or f"/{stem(source)}." in line]


def stem(source):
    return os.path.basename(source.path).rsplit(".", 1)[0]


def output(into, result):
    """The output, whose name keeps an extension that its format has too: `.wav` for RF64, `.oga` for Vorbis."""
    start = stem(result.source) + "."
    names = [name for name in (os.listdir(into) if os.path.isdir(into) else [])
             if name.startswith(start) and "." not in name[len(start):]]
    return os.path.join(into, names[0]) if names else None


def check(results, into, layout, expected, target):
    if not results:
        return
    paths = [output(into, result) for result in results]
    depths = [sound.stored_depth(result.source.depth, target.depths) for result in results]
    for result, reported in zip(results, layouts_of(paths, target) if target.saysLayout else []):
        result.expect("Y", is_same_layout(reported, layout, target), f"layout {reported}")
    for result, path, depth, samples in zip(results, paths, depths,
                                            samples_of(paths, depths, target, expected.channels)):
        try:
            if target.lossy:
                check_lossy(result, path, samples, expected)
            else:
                check_lossless(result, samples, depth, expected)
        except Exception as error:
            result.faults.append(f"{type(error).__name__}: {error}")


def layouts_of(paths, target):
    """The layouts that another program reports."""
    if target.name not in ("flac", "oga"):
        return making.reported_layouts(paths)
    # ffmpeg reads no mask in Ogg, and no FLAC of 32 bits.
    names = {mask: name for name, (mask, _) in LAYOUTS.items()}
    kind = mutagen.flac.FLAC if target.name == "flac" else mutagen.oggflac.OggFLAC
    reported = []
    for path in paths:
        file = kind(path)
        mask = file.get("waveformatextensible_channel_mask", [None])[0]
        reported.append(FLAC_STANDARD[file.info.channels] if mask is None else names.get(int(mask, 16)))
    return reported


def is_same_layout(reported, layout, target):
    if reported is None or reported.endswith("channels"):
        return layout in COUNT_ONLY
    # ffmpeg reads the surrounds of Core Audio's and MPEG's 5.x layouts as side speakers.
    loose = target.name in ("aiff", "caf", "aac", "m4b", "m4a-alac")
    plain = (lambda name: name.replace("(side)", "")) if loose else (lambda name: name)
    return plain(reported) == plain(layout)


def samples_of(paths, depths, target, channels):
    """The decoded samples of many files: on the scale of their depth, or floats of lossy ones."""
    if target.name in ("flac", "oga"):
        tools.output_of("flac", "-d", "-s", "-f", "--force-raw-format", "--endian=little",
                        "--sign=signed", *paths)
        codes = [{"8": "s8"}.get(depth, sound.DEPTHS[depth][0]) for depth in depths]
        raws = [path.rsplit(".", 1)[0] + ".raw" for path in paths]
    elif target.name == "wavpack":
        codes = [sound.DEPTHS[depth][0] for depth in depths]
        raws = [path + ".raw" for path in paths]
        for path, raw in zip(paths, raws):
            tools.output_of("wvunpack", "-q", "-r", "-y", path, "-o", raw)
    elif target.lossy:
        return [tools.lossy(path, channels) for path in paths] if target.name == "mp3" \
            else decoded_lossy(paths, target, channels)
    else:
        # ffmpeg's own 24-bit integers are the upper bits of 32.
        codes = [{"24": "s32le", "8": "u8"}.get(depth, sound.DEPTHS[depth][0]) for depth in depths]
        raws = decode_together(paths, codes, [] if target.saysLayout else [
            tools.as_raw(depth, channels) for depth in depths])
    return [in_frames(tools.unpacked(read(raw), code, depth), channels)
            for raw, code, depth in zip(raws, codes, depths)]


def in_frames(samples, channels):
    """frames x channels; a partial frame, which no correct file has, counts as nothing."""
    return samples.reshape(-1, channels) if len(samples) % channels == 0 else np.zeros((0, channels))


def decoded_lossy(paths, target, channels):
    before = [("-c:a", "libopus")] * len(paths) if target.name == "opus" else []
    return [in_frames(np.frombuffer(read(raw), "<f4").astype(np.float64), channels)
            for raw in decode_together(paths, ["f32le"] * len(paths), before)]


def decode_together(paths, codes, before=()):
    """Decodes many files with one ffmpeg; `before`: for each of them, options for reading it."""
    raws = [path + ".raw" for path in paths]
    inputs = [part for path, options in zip(paths, before or [()] * len(paths))
              for part in (*options, "-i", path)]
    outputs = [part for number, (raw, code) in enumerate(zip(raws, codes))
               for part in ("-map", f"{number}:a:0", "-f", code, raw)]
    tools.ffmpeg(*inputs, *outputs)
    return raws


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    os.remove(path)
    return data


def edited_frames(path):
    """The frames that the single edit of an MP4 file plays; `None` where all are played.

    Source: ISO/IEC 14496-12 sections 8.2.2 and 8.6.6.
    """
    with open(path, "rb") as file:
        data = file.read()
    if b"elst" not in data:
        return None
    movie, edits = data.index(b"mvhd") + 4, data.index(b"elst") + 4
    timescale = struct.unpack_from(">I", data, movie + (20 if data[movie] else 12))[0]
    count, duration = struct.unpack_from(">IQ" if data[edits] else ">II", data, edits + 4)
    return duration * RATE / timescale if count == 1 else -1


def check_lossy(result, path, samples, expected):
    wanted = expected.frames(result.source)
    # ffmpeg does not cut what the edit list leaves out at the end.
    edited = edited_frames(path) if path.endswith((".m4a", ".m4b")) else None
    length = len(samples) if edited is None else edited
    if result.target.name == "ogg":
        # Nor does it cut the end where all audio is on one page: the last position on it is the length.
        length = round(mutagen.oggvorbis.OggVorbis(path).info.length * RATE)
    result.expect("L", length == wanted, f"{length} frames, not {wanted}")
    wrong = [channel for channel in range(samples.shape[1])
             if abs(sound.dominant(samples[:, channel], RATE) - sound.tone(channel) / 1.5) > 3]
    result.expect("S", not wrong, f"other tones in channels {wrong}")


def check_lossless(result, samples, depth, expected):
    source = result.source
    wanted = expected.frames(source)
    result.expect("L", len(samples) == wanted, f"{len(samples)} frames, not {wanted}")
    if len(samples) != wanted:
        return
    if source.kind.lossy:
        # Decoders of one codec differ in the last bits.
        scale = 2.0 ** (sound.DEPTHS[depth][1] - 16)
        worst = np.abs(samples / scale - expected.lossy_samples(source)).max()
        result.expect("S", worst <= 2, f"samples differ by up to {worst}")
        return
    exact = expected.scaled[source.depth, depth]
    wrong = np.argwhere(samples != exact)
    result.expect("S", len(wrong) == 0, f"{len(wrong)} samples differ" + (
        f", the first at frame {wrong[0][0]}: {samples[tuple(wrong[0])]}, not "
        f"{exact[tuple(wrong[0])]}" if len(wrong) else ""))
