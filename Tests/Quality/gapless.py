"""The curvature of the sound where the tracks of an album meet, in made albums and in recordings that are cut into tracks."""
import json, os, shutil, subprocess
import numpy as np
import soundfile
import recordings
import signals as s

TRACKS = 4
# Options and the factor.
RUNS = (
    ("sinc", ("--speed", "0.8")),
    ("smoothstep", ("-f", "1.25", "--method", "smoothstep")),
    ("stretch", ("--tempo", "0.8")),
)
# The ending of the tracks, and the options of ffmpeg's encoder.
FORMATS = {
    "flac": ("-c:a", "flac", "-sample_fmt", "s32"),
    "mp3": ("-c:a", "libmp3lame", "-b:a", "192k"),
    "m4a": ("-c:a", "aac", "-b:a", "192k"),
    "ogg": ("-c:a", "libvorbis", "-q:a", "6"),
}
# The ending, and the options of a lossy output whose encoder gets the sound around each track.
OUTPUTS = {"mp3": ("--format", "mp3"), "m4a": ("--format", "m4a-aac"), "opus": ("--format", "opus")}
# Kind, package, first second, seconds, path: music that goes on where it is cut.
RECORDINGS = (
    ("song", "fretsonfire-songs-sectoid", 60, 8, "usr/share/games/fretsonfire/data/songs/sectoid/Feelings/song.ogg"),
    ("choir", "sonic-pi-samples", 0, 1.5, "usr/share/sonic-pi/samples/ambi_choir.flac"),
    ("guitar", "sonic-pi-samples", 0, 8, "usr/share/sonic-pi/samples/guit_e_fifths.flac"),
)
# dB above the inside that a joint may have.
MOST = 3.0


class Piece:
    """A package and a path in it, as `recordings.fetch` reads them."""

    def __init__(self, package, path):
        self.package, self.place = package, os.path.join(recordings.FOLDER, package, path)


def made():
    """Albums of arithmetic: a tone, and a chord in two channels."""
    tone, chord = s.tone(441.7).frames[:4 * s.RATE], s.chord(4).frames
    return {"tone": (tone, s.RATE), "chord": (chord, s.RATE)}


def recorded():
    """The recordings, each with a peak of a half."""
    recordings.fetch([Piece(package, path) for _, package, _, _, path in RECORDINGS])
    found = {}
    for kind, package, start, seconds, path in RECORDINGS:
        place = Piece(package, path).place
        rate = soundfile.info(place).samplerate
        frames, _ = soundfile.read(place, int(seconds * rate), int(start * rate), always_2d=True)
        found[kind] = (0.5 * frames / abs(frames).max(), rate)
    return found


def joint(tracks, rate):
    """The highest curvature within 60 frames of a joint beside the highest within 50 ms of it, in dB; the worst joint."""
    whole, place, worst = np.concatenate(tracks), 0, -np.inf
    bend = np.abs(np.diff(whole, 2, axis=0))
    for track in tracks[:-1]:
        place += len(track)
        near, around = bend[place - 61:place + 59], rate // 20
        inside = np.concatenate([bend[place - around:place - 120], bend[place + 120:place + around]])
        for channel in range(whole.shape[1]):
            worst = max(worst, 20 * np.log10(max(near[:, channel].max(), 1e-9) / max(inside[:, channel].max(), 1e-9)))
    return float(worst)


def converted(sources, outputs, options):
    """Converts files by one run of ffmpeg, which takes away the delays of encoders where it reads."""
    command = ["ffmpeg", "-v", "error", "-y"] + [text for path in sources for text in ("-i", path)]
    for number, path in enumerate(outputs):
        command += ["-map", f"{number}:a", *options, path]
    subprocess.run(command, check=True)


def cut(frames, rate, ending, album):
    """Writes an album into a folder, and returns the samples of its tracks as other programs decode them.

    FFmpeg 5 leaves the padding at the end of AAC, which is taken away."""
    os.makedirs(album)
    edges = np.linspace(0, len(frames), TRACKS + 1).astype(int)
    waves = [f"{album}-{number}.wav" for number in range(TRACKS)]
    for wave, first, end in zip(waves, edges, edges[1:]):
        soundfile.write(wave, frames[first:end], rate, subtype="PCM_24")
    tracks = [os.path.join(album, f"0{number} Track.{ending}") for number in range(1, TRACKS + 1)]
    converted(waves, tracks, FORMATS[ending])
    # FFmpeg loses the first block of Vorbis, which libsndfile reads.
    if ending == "ogg":
        waves = tracks
    else:
        converted(tracks, waves, ("-c:a", "pcm_f32le"))
    decoded = [soundfile.read(wave, end - first, always_2d=True)[0] for wave, first, end in zip(waves, edges, edges[1:])]
    if sum(map(len, decoded)) != len(frames):
        raise RuntimeError(f"gapless: {sum(map(len, decoded))} of {len(frames)} frames of {album} are decoded")
    return decoded


def scaled(binary, album, options, mode):
    """The tracks of a scaled album, and how many of them were scaled as one stream."""
    output = album + "-out"
    shutil.rmtree(output, ignore_errors=True)
    done = subprocess.run([binary, "--json", "--no-sync", mode, *options, "--format", "wav", "--bits", "24", "-o", output, album],
                          capture_output=True, text=True, check=True)
    joined = sum("gaplessTrack" in json.loads(line) for line in done.stdout.splitlines())
    return [soundfile.read(os.path.join(output, name), always_2d=True)[0] for name in sorted(os.listdir(output))], joined


def measured(binary, folder, albums):
    """A row for each album, format and method: dB at the worst joint of the tracks, of the scaled album, and of tracks that
    are scaled one by one."""
    rows = []
    for kind, (frames, rate) in albums.items():
        for ending in FORMATS:
            album = os.path.join(folder, f"gapless-{kind}-{ending}")
            source = joint(cut(frames, rate, ending, album), rate)
            for method, options in RUNS:
                together, joined = scaled(binary, album, options, "--gapless")
                if joined != TRACKS:
                    raise RuntimeError(f"gapless: {joined} of {TRACKS} tracks of {kind}, {ending}, were joined")
                apart, _ = scaled(binary, album, options, "--no-gapless")
                rows.append({"kind": kind, "ending": ending, "method": method, "source": round(source, 2),
                             "joint": round(joint(together, rate), 2), "apart": round(joint(apart, rate), 2)})
    return rows


def encoded(binary, folder, albums):
    """A row for each album and lossy format of outputs: dB at the worst joint of the scaled tracks, of tracks that are scaled
    one by one, and at the same places in the same sound that is encoded as one file."""
    rows = []
    for kind, (frames, rate) in albums.items():
        album = os.path.join(folder, f"gapless-{kind}-to-lossy")
        cut(frames, rate, "flac", album)
        whole = album + "-whole"
        os.makedirs(whole)
        soundfile.write(os.path.join(whole, "whole.wav"), frames, rate, subtype="PCM_24")
        for ending, options in OUTPUTS.items():
            runs = [played(binary, source, options, mode)
                    for source, mode in ((album, "--gapless"), (album, "--no-gapless"), (whole, "--no-gapless"))]
            (together, output_rate), (apart, _), (one, _) = runs
            places = np.cumsum([len(track) for track in together])
            if len(together) != TRACKS or len(one) != 1 or len(one[0]) != places[-1]:
                raise RuntimeError(f"gapless: {places} frames of {kind}, {ending}, are decoded")
            rows.append({"kind": kind, "ending": ending, "source": round(joint(np.split(one[0], places[:-1]), output_rate), 2),
                         "joint": round(joint(together, output_rate), 2), "apart": round(joint(apart, output_rate), 2)})
    return rows


def played(binary, source, options, mode):
    """The tracks of a folder that is scaled into a lossy format, as ffmpeg decodes them, and their rate.

    FFmpeg 5 leaves the padding at the end of AAC, which is taken away."""
    output = source + "-out"
    shutil.rmtree(output, ignore_errors=True)
    done = subprocess.run([binary, "--json", "--no-sync", mode, "--speed", "0.8", *options, "-o", output, source],
                          capture_output=True, text=True, check=True)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    lengths = {os.path.basename(record["output"]): record["outputFrames"] for record in records if "outputFrames" in record}
    paths = [os.path.join(output, name) for name in sorted(os.listdir(output))]
    waves = [path + ".wav" for path in paths]
    # FFmpeg loses the first block of Vorbis, which libsndfile reads.
    if paths[0].endswith("ogg"):
        waves = paths
    else:
        converted(paths, waves, ("-c:a", "pcm_f32le"))
    tracks = [soundfile.read(wave, lengths[os.path.basename(path)], always_2d=True)[0] for path, wave in zip(paths, waves)]
    return tracks, soundfile.info(waves[0]).samplerate


def missed(rows):
    """The gates that are not met, a line each; one is that the measure shows what joining is for."""
    lines = [f"gapless: the joint of {row['kind']}, {row['ending']}, by {row.get('method', 'encoding')} is {row['joint']:+.1f} dB; the bound is "
             f"{bound(row):+.1f} dB" for row in rows if not row["joint"] <= bound(row)]
    if not any(row["apart"] > bound(row) for row in rows):
        lines.append("gapless: no joint is heard between tracks that are scaled one by one, so the measure shows nothing")
    return lines


def bound(row):
    """The highest joint that is allowed: above the inside, or above what an encoder left in the source, or does within a file."""
    return max(0, row["source"]) + MOST


def checked(binary, folder):
    """The gates of made albums, a line for each format, and a line for each that is missed."""
    rows = measured(binary, folder, made())
    listing, lost = [], missed(rows)
    for ending in FORMATS:
        of_format = [row for row in rows if row["ending"] == ending]
        state = "missed" if any(row["joint"] > bound(row) for row in of_format) else "holds"
        cells = ", ".join(f"{row['kind']} {row['method']} {row['joint']:+.1f} ({bound(row):+.1f})" for row in of_format)
        listing.append(f"{state.ljust(7)} Joints of albums, {ending}, dB (bound): {cells}")
    rows = encoded(binary, folder, made())
    cells = ", ".join(f"{row['kind']} {row['ending']} {row['joint']:+.1f} ({bound(row):+.1f})" for row in rows)
    state = "missed" if any(row["joint"] > bound(row) for row in rows) else "holds"
    listing.append(f"{state.ljust(7)} Joints of albums that are encoded, dB (bound): {cells}")
    return listing, lost + missed(rows)


SECTION = """
## Gapless albums

Albums of {tracks} tracks that `--gapless` scales as one stream, to 1.25 times their length: the highest curvature (second difference)
within 60 frames of a joint, relative to the highest within 50 ms beside it, in dB; the worst joint. A cell has the tracks as they
are, the scaled album, and the same tracks scaled one by one. Tone and chord are made, the others are recordings. A lossy encoder begins each track
anew and leaves a step in the source, which no scaling takes away. Gate: at most {most:g} dB above the inside, or above the
joint of the source where that is higher.

{table}

`smoothstep` looks at two frames of the source for each of the output, so that its tracks meet without a step one by one, too.
"""

ENCODED = """
Lossy outputs of the same albums, by `sinc` from FLAC: at the same places in the same sound that is encoded as one file, at the joints of the
scaled album, and of tracks that are scaled one by one. Gate: at most {most:g} dB above the inside, or above the one file where
that is higher.

{encoded}
"""


def values(row):
    """The three figures of a row; that of the joint is bold where its gate is missed."""
    texts = [f"{row[key]:+.1f}".replace("-0.0", "0.0").replace("+0.0", "0.0") for key in ("source", "joint", "apart")]
    if row["joint"] > bound(row):
        texts[1] = f"**{texts[1]}**"
    return " / ".join(texts)


def encoded_table(rows):
    """The table of lossy outputs."""
    lines = ["| one file / scaled / one by one, dB | " + " | ".join(OUTPUTS) + " |", "|" + " --- |" * (len(OUTPUTS) + 1)]
    for kind in dict.fromkeys(row["kind"] for row in rows):
        cells = {row["ending"]: values(row) for row in rows if row["kind"] == kind}
        lines.append(f"| {kind} | " + " | ".join(cells[ending] for ending in OUTPUTS) + " |")
    return "\n".join(lines)


def section(rows, encoded_rows):
    """The part of QUALITY.md; nothing if nothing is recorded."""
    if not rows:
        return ""
    head = ["tracks, joint / scaled / one by one, dB"] + [method for method, _ in RUNS]
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for kind, ending in dict.fromkeys((row["kind"], row["ending"]) for row in rows):
        cells = []
        for method, _ in RUNS:
            row = next(row for row in rows if (row["kind"], row["ending"], row["method"]) == (kind, ending, method))
            cells.append(values(row))
        lines.append(f"| {kind}, {ending} | " + " | ".join(cells) + " |")
    more = ENCODED.format(most=MOST, encoded=encoded_table(encoded_rows)) if encoded_rows else ""
    return SECTION.format(tracks=TRACKS, most=MOST, table="\n".join(lines)) + more
