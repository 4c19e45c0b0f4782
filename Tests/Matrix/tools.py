"""Other programs, which make and read audio files."""
import json, struct, subprocess
import numpy as np
from sound import DEPTHS, LAYOUTS, RATE, packed


def output_of(*command, input=None):
    done = subprocess.run(command, capture_output=True, input=input)
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise RuntimeError(f"{command[0]}: {said[-1] if said else done.returncode}")
    return done.stdout


def ffmpeg(*arguments):
    output_of("ffmpeg", "-v", "error", "-y", *arguments)


def wav(samples, depth, layout):
    """The bytes of a WAVE_FORMAT_EXTENSIBLE file; samples on the scale of their depth."""
    data = packed(samples, depth)
    width = len(data) // samples.size
    channels = samples.shape[1]
    code = 3 if depth.startswith("f") else 1
    guid = struct.pack("<IHH", code, 0, 16) + bytes.fromhex("800000aa00389b71")
    fmt = struct.pack("<HHIIHHHHI", 0xFFFE, channels, RATE, RATE * channels * width,
                      channels * width, 8 * width, 22, 8 * width, LAYOUTS[layout][0]) + guid
    padding = bytes(len(data) % 2)
    body = (b"WAVEfmt " + struct.pack("<I", len(fmt)) + fmt
            + b"data" + struct.pack("<I", len(data)) + data + padding)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def probe(path):
    """What ffprobe reports about the first audio stream and the chapters."""
    reported = json.loads(output_of("ffprobe", "-v", "error", "-select_streams", "a:0", "-show_streams",
                                "-show_chapters", "-of", "json", path))
    return reported["streams"][0], reported.get("chapters", [])


def as_raw(depth, channels):
    """What ffmpeg must know of raw PCM to read it."""
    return ["-f", DEPTHS[depth][0], "-ar", str(RATE), "-ac", str(channels)]


def decoded(path, depth, channels):
    """The samples of a lossless file on the scale of their depth, in the order of the WAVE mask."""
    if path.endswith(".wv"):
        code, raw = DEPTHS[depth][0], output_of("wvunpack", "-q", "-r", path, "-o", "-")
    elif path.endswith((".flac", ".oga")):
        raw = output_of("flac", "-d", "-s", "-c", "--force-raw-format", "--endian=little",
                        "--sign=signed", path)
        code = {"8": "s8"}.get(depth, DEPTHS[depth][0])
    else:
        # ffmpeg's own 24-bit integers are the upper bits of 32.
        code = {"24": "s32le", "8": "u8"}.get(depth, DEPTHS[depth][0])
        before = as_raw(depth, channels) if path.endswith(".raw") else []
        raw = output_of("ffmpeg", "-v", "error", *before, "-i", path, "-map", "0:a:0", "-f", code, "-")
    return unpacked(raw, code, depth).reshape(-1, channels)


def unpacked(raw, code, depth):
    if code == "s24le":
        bytes_ = np.frombuffer(raw, np.uint8).reshape(-1, 3).astype(np.int32)
        return ((bytes_[:, 0] | bytes_[:, 1] << 8 | bytes_[:, 2] << 16) << 8 >> 8).astype(np.float64)
    if code == "u8":
        return np.frombuffer(raw, np.uint8).astype(np.float64) - 128
    kinds = {"s8": "i1", "s16le": "<i2", "s32le": "<i4", "f32le": "<f4", "f64le": "<f8"}
    values = np.frombuffer(raw, kinds[code]).astype(np.float64)
    return values / 256 if depth == "24" else values


def lossy(path, channels):
    """The floats of a lossy file, frames x channels, as another decoder yields them."""
    if path.endswith(".mp3"):
        raw = output_of("mpg123", "-q", "-s", "-e", "f32", path)
    elif path.endswith(".opus"):
        raw = output_of("ffmpeg", "-v", "error", "-c:a", "libopus", "-i", path, "-f", "f32le", "-")
    else:
        raw = output_of("ffmpeg", "-v", "error", "-i", path, "-map", "0:a:0", "-f", "f32le", "-")
    return np.frombuffer(raw[: len(raw) // (4 * channels) * 4 * channels], "<f4").astype(
        np.float64).reshape(-1, channels)
