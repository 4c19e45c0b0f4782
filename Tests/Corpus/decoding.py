"""The samples of a file as two other programs decode them: ffmpeg, and one that fits the codec."""
import io, json, re, subprocess
import numpy as np
import soundfile

SECONDS = 600
# Beyond this, only lengths are compared.
MOST_SAMPLES = 40_000_000
# Lines that ffmpeg prints about files that it decodes whole.
HARMLESS = ("Estimating duration from bitrate", "Could not update timestamps", "Application provided duration",
            "Invalid stream index", "Skipping NAL", "incomplete frame")


class Decoded:
    """What another program made of a file."""

    def __init__(self, program, samples=None, frames=0, rate=0, complaint=None):
        self.program, self.samples, self.frames, self.rate, self.complaint = (
            program, samples, frames, rate, complaint)

    @property
    def is_clean(self):
        return self.complaint is None

    def at_rate(self, rate):
        """The same without samples, at a rate that divides its own."""
        return Decoded(self.program, None, self.frames * rate // max(1, self.rate), rate, self.complaint)


def facts(path):
    """The first audio stream and the format, as ffprobe reports them; `None` if there is none."""
    done = run("ffprobe", "-v", "error", "-show_streams", "-show_format", "-of", "json", path)
    try:
        found = json.loads(done.stdout)
    except ValueError:
        return None
    streams = [stream for stream in found.get("streams", []) if stream.get("codec_type") == "audio"]
    if not streams or not streams[0].get("channels") or not int(streams[0].get("sample_rate", 0)):
        return None
    return streams[0] | {"format": found.get("format", {}).get("format_name", "")}


def run(*command):
    """Runs another program; raises `subprocess.TimeoutExpired` if it does not end, which proves nothing about the file."""
    return subprocess.run(command, capture_output=True, timeout=SECONDS, stdin=subprocess.DEVNULL)


def by_ffmpeg(path, stream):
    """The decode of the first audio stream; ffmpeg's own words are its complaint."""
    channels, rate = stream["channels"], int(stream["sample_rate"])
    done = run("ffmpeg", "-v", "error", "-i", path, "-map", "0:a:0", "-ac", str(channels), "-ar", str(rate),
               "-f", "f32le", "-")
    words = [line for line in done.stderr.decode(errors="replace").splitlines()
             if not any(part in line for part in HARMLESS)]
    complaint = "; ".join(words)[:300] or (f"exit status {done.returncode}" if done.returncode else None)
    return in_frames("ffmpeg", done.stdout, channels, rate, complaint)


def with_first_packet(path, stream):
    """The decodes of AAC in MP4 without the frames that ffmpeg skips by itself, whole and as long as the track."""
    if stream["codec_name"] != "aac" or "mp4" not in stream["format"]:
        return []
    channels, rate = stream["channels"], int(stream["sample_rate"])
    done = run("ffmpeg", "-v", "error", "-flags2", "+skip_manual", "-i", path, "-map", "0:a:0", "-ac", str(channels),
               "-ar", str(rate), "-f", "f32le", "-")
    whole = in_frames("ffmpeg", done.stdout, channels, rate, None)
    length = round(float(stream.get("duration", 0)) * rate)
    if whole.samples is None or not 0 < length < whole.frames:
        return [whole]
    return [whole, Decoded("ffmpeg", whole.samples[:length], length, rate)]


def with_stated_length(path, stream):
    """The part of ffmpeg's decode that iTunSMPB states, as delay, padding and length: ffmpeg drops the delay of AAC in
    MP4 alone, and of MP3 nothing; the decoder of MP3 adds 529 frames of its own."""
    found = re.search(r"iTunSMPB=\s*\w+ (\w+) \w+ (\w{16})", run(
        "ffprobe", "-v", "error", "-show_entries", "format_tags", path).stdout.decode(errors="replace"))
    other = by_ffmpeg(path, stream)
    if not found or other.samples is None or not ("mp4" in stream["format"] or stream["format"] == "mp3"):
        return []
    start = int(found[1], 16) + 529 if stream["format"] == "mp3" else 0
    length = int(found[2], 16)
    if not 0 < length <= other.frames - start:
        return []
    return [Decoded("ffmpeg", other.samples[start:start + length], length, other.rate)]


def with_packet_durations(path, stream):
    """The part of ffmpeg's decode up to the end of the last packet in MP4: its duration in the index may be shorter
    than what the codec yields, which ffmpeg plays."""
    other = by_ffmpeg(path, stream)
    if "mp4" not in stream["format"] or other.samples is None or stream.get("time_base") != f"1/{other.rate}":
        return []

    def packets(*options):
        lines = run("ffprobe", "-v", "error", *options, "-select_streams", "a:0", "-show_entries",
                    "packet=pts,duration", "-of", "csv=p=0", path).stdout.decode().split()
        return [[int(value) for value in line.split(",")[:2]] for line in lines if "N/A" not in line]

    # The edit list, whose unit may be a millisecond, gives only how much is skipped.
    length = sum(duration for _, duration in packets("-ignore_editlist", "1"))
    length += min([pts for pts, _ in packets()], default=0)
    return [Decoded("ffmpeg", other.samples[:length], length, other.rate)] if 0 < length < other.frames else []


def in_frames(program, raw, channels, rate, complaint):
    frames = len(raw) // (4 * channels)
    samples = None
    if 0 < frames * channels <= MOST_SAMPLES:
        samples = np.frombuffer(raw[: frames * channels * 4], "<f4").reshape(-1, channels)
    return Decoded(program, samples, frames, rate, complaint)


def by_another(path, stream):
    """The decode by a program for this codec; `None` if there is none here."""
    codec, container = stream.get("codec_name", ""), stream["format"]
    channels, rate = stream["channels"], int(stream["sample_rate"])
    if codec == "mp3" and container == "mp3":
        done = run("mpg123", "-q", "-s", "-e", "f32", path)
    elif codec == "opus" and container == "ogg":
        done = run("opusdec", "--quiet", "--float", "--rate", "48000", "--no-dither", path, "-")
        rate = 48000
        if done.stdout[:4] == b"RIFF":
            done.stdout = done.stdout[done.stdout.find(b"data") + 8:]
    elif codec == "flac" and container in ("flac", "ogg"):
        return by_flac(path, *(["--ogg"] if container == "ogg" else []))
    elif codec == "vorbis" and container == "ogg":
        return by_libsndfile(path)
    elif codec == "wavpack":
        return of_wav(run("wvunpack", "-q", "-y", path, "-o", "-"))
    elif codec.startswith(("pcm_", "adpcm_ima_wav", "adpcm_ms", "gsm_ms")) and container in (
            "wav", "aiff", "au", "caf", "voc", "w64", "avr", "sox", "nistsphere", "xa"):
        done = run("sox", "-D", path, "-t", "raw", "-e", "float", "-b", "32", "-L", "-")
    else:
        return None
    words = done.stderr.decode(errors="replace").strip()[:300]
    if done.returncode != 0 or not done.stdout:
        return Decoded(done.args[0], complaint=words or f"exit status {done.returncode}")
    return in_frames(done.args[0], done.stdout, channels, rate, words or None)


def of_wav(done):
    """What a decoder wrote to standard output as WAV."""
    words = done.stderr.decode(errors="replace").strip()[:300]
    if done.returncode != 0 or not done.stdout:
        return Decoded(done.args[0], complaint=words or f"exit status {done.returncode}")
    try:
        samples, rate = soundfile.read(io.BytesIO(done.stdout), always_2d=True, dtype="float32")
    except soundfile.LibsndfileError as error:
        return Decoded(done.args[0], complaint=str(error))
    return Decoded(done.args[0], samples, len(samples), rate, words or None)


def by_flac(path, *options):
    return of_wav(run("flac", "-d", "-s", "-c", *options, path))


def by_libsndfile(path):
    try:
        samples, rate = soundfile.read(path, always_2d=True, dtype="float32")
    except (soundfile.LibsndfileError, RuntimeError) as error:
        return Decoded("libsndfile", complaint=str(error))
    return Decoded("libsndfile", samples if samples.size <= MOST_SAMPLES else None, len(samples), rate)
