"""Limiters, joints of albums and tempos of loops: measures them, records them in levels.json, and writes their tables."""
import glob, json, os, re, subprocess
import numpy as np
import soundfile
import gapless
import recordings

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "levels.json")
CEILING = -1.0
# Kind, loudness in LUFS, package, seconds, path: what limiters get, louder than gain alone could make it.
SOUNDS = (
    ("speech", -16, "asterisk-core-sounds-en-wav", 30, "usr/share/asterisk/sounds/en_US_f_Allison/demo-congrats.wav"),
    ("song", -9, "fretsonfire-songs-sectoid", 20, "usr/share/games/fretsonfire/data/songs/sectoid/Feelings/song.ogg"),
    ("drums", -7, "sonic-pi-samples", 7, "usr/share/sonic-pi/samples/loop_amen_full.flac"),
    ("tabla", -14, "sonic-pi-samples", 11, "usr/share/sonic-pi/samples/loop_tabla.flac"),
    ("guitar", -11, "sonic-pi-samples", 8, "usr/share/sonic-pi/samples/guit_e_fifths.flac"),
)
LOOPS = "usr/share/sonic-pi/samples/loop_*.flac"
# Beats in loops of sonic-pi-samples, where a tempo makes sense: by the names of their packs and by their lengths.
BEATS = {"amen": 4, "amen_full": 16, "breakbeat": 4, "compus": 16, "drone_g_97": 8, "electric": 4, "garzul": 16,
         "industrial": 2, "mehackit1": 4, "mehackit2": 4, "mika": 16, "perc1": 4, "perc2": 4, "safari": 16, "tabla": 16,
         "weirdo": 8, "3d_printer": 16}

SECTION = """
## Limiting

Sounds that are made louder than gain alone allows, with a ceiling of {ceiling:g} dB: **loudness** and **true peak** as ffmpeg's
`ebur128` measures them, and **residue**: what is left beside the source times one gain, relative to the output. Less is better; it counts
the change of level by the limiter, and whatever is new. ffmpeg's `alimiter` gets the source at the gain that scaleaudio chose, so
that both limit the same; `loudnorm` finds its own.

{table}

`alimiter` limits samples only, so its true peaks may be above the ceiling. `loudnorm` changes levels over seconds, and may not arrive.
{joints}
## Tempo

The estimate of `info --tempo` for the {count} loops of Debian's `sonic-pi-samples`, against the tempo by their lengths and numbers of
beats: {right} right within 1 %, {octave} right at half or twice the tempo, {wrong} wrong, {refused} refused.

{loops}
"""


class Loudness:
    """Integrated loudness in LUFS and the true peak in dB, by ffmpeg."""

    def __init__(self, path):
        text = subprocess.run(["ffmpeg", "-hide_banner", "-nostats", "-i", path, "-af", "ebur128=peak=true", "-f", "null", "-"],
                              capture_output=True, text=True, check=True).stderr
        summary = text[text.rindex("Summary:"):]
        self.integrated = float(re.search(r"I:\s+(\S+) LUFS", summary)[1])
        self.peak = float(re.search(r"Peak:\s+(\S+) dBFS", summary)[1])


def residue(source, output, rate):
    """The energy of what is no multiple of the source, relative to the output, in dB; a delay is allowed."""
    count, most = min(len(source), len(output)), rate // 5
    size = 1 << int(np.ceil(np.log2(count + most)))
    across = np.fft.irfft(np.fft.rfft(output[:count].sum(1), size) * np.conj(np.fft.rfft(source[:count].sum(1), size)))
    delay = int(np.argmax(across[:most]))
    a, b = source[:count - delay].ravel(), output[delay:count].ravel()
    rest = b - (a @ b) / (a @ a) * a
    return round(float(10 * np.log10(max((rest @ rest) / (b @ b), 1e-15))), 4)


def limited(binary, folder, kind, target, package, seconds, path):
    """The figures of each limiter for one sound."""
    place = os.path.join(recordings.FOLDER, package, path)
    rate = soundfile.info(place).samplerate
    frames, _ = soundfile.read(place, int(seconds * rate), always_2d=True)
    source, output = os.path.join(folder, "limit-in.wav"), os.path.join(folder, "limit-out.wav")
    soundfile.write(source, frames, rate, subtype="DOUBLE")
    found = {}

    def add(name, *command):
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        made, _ = soundfile.read(output, always_2d=True)
        level = Loudness(output)
        found[name] = [level.integrated, level.peak, residue(frames, made, rate)]
        return done.stdout

    record = json.loads(add("scaleaudio", binary, "--json", "--no-sync", "--overwrite", f"--loudness={target}",
                            f"--true-peak={CEILING}", "--bits", "f64", source, "-o", output))
    ceiling = 10 ** (CEILING / 20)

    def ffmpeg(name, chain):
        add(name, "ffmpeg", "-v", "error", "-y", "-i", source, "-af", chain, "-ar", str(rate), "-c:a", "pcm_f64le", output)

    for release in (50, 200):
        ffmpeg(f"ffmpeg `alimiter`, release {release}",
               f"volume={record['gainDecibels']}dB:precision=double,alimiter=limit={ceiling}:level=0:release={release}")
    ffmpeg("ffmpeg `loudnorm`", f"loudnorm=I={max(-70, target)}:TP={CEILING}")
    return {"kind": kind, "target": target, "most": record.get("limitedDecibels", 0),
            "seconds": record.get("limitedSeconds", 0), "found": found}


def tempos(binary):
    """The length of each loop, the tempo that is reported, its confidence, and if it is clear."""
    rows = {}
    for path in sorted(glob.glob(os.path.join(recordings.FOLDER, "sonic-pi-samples", LOOPS))):
        record = json.loads(subprocess.run([binary, "info", "--tempo", "--json", path], capture_output=True, text=True, check=True).stdout)
        tempo = record.get("tempo", {})
        rows[os.path.basename(path)[5:-5]] = [record["inputSeconds"], tempo.get("bpm"), tempo.get("confidence"), tempo.get("clear", False)]
    return rows


class Package:
    """What `recordings.fetch` needs to know."""

    def __init__(self, package, path):
        self.package, self.place = package, os.path.join(recordings.FOLDER, package, path)


def measure(binary, folder):
    """Measures and records everything; returns the gates that are missed."""
    recordings.fetch([Package(package, path) for _, _, package, _, path in SOUNDS])
    albums = gapless.made() | gapless.recorded()
    record = {"limiting": [limited(binary, folder, *sound) for sound in SOUNDS], "tempos": tempos(binary),
              "gapless": gapless.measured(binary, folder, albums), "gapless_encoded": gapless.encoded(binary, folder, albums)}
    with open(PATH, "w") as file:
        json.dump(record, file, indent=1)
        file.write("\n")
    return gapless.missed(record["gapless"]) + gapless.missed(record["gapless_encoded"])


def verdict(name, seconds, bpm, clear):
    """`right`, `octave`, `wrong` or `refused`."""
    if not clear:
        return "refused"
    octaves = np.log2(bpm / (BEATS[name] * 60 / seconds))
    if abs(2 ** (octaves - round(octaves)) - 1) > 0.01:
        return "wrong"
    return "octave" if round(octaves) else "right"


def table(head, rows):
    return "\n".join(["| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows]])


def section():
    """The part of QUALITY.md; nothing if nothing is recorded."""
    if not os.path.exists(PATH):
        return ""
    with open(PATH) as file:
        record = json.load(file)
    names = list(record["limiting"][0]["found"])
    rows = []
    for sound in record["limiting"]:
        cells = [" / ".join(f"{value:.1f}" for value in sound["found"][name]) for name in names]
        rows.append([f"{sound['kind']}, {sound['target']} LUFS", f"{sound['most']:.1f} dB, {sound['seconds']:.1f} s"] + cells)
    head = ["LUFS / true peak, dB / residue, dB", "limited by up to, for"]
    head += [f"**{name}**" if name == "scaleaudio" else name for name in names]
    verdicts = {name: verdict(name, seconds, bpm, clear) for name, (seconds, bpm, _, clear) in record["tempos"].items()}
    loops = [[f"`{name}`", f"{seconds:.3f} s", f"{BEATS[name] * 60 / seconds:.1f}", "-" if bpm is None else f"{bpm:.1f}",
              "-" if confidence is None else f"{confidence:.2f}", verdicts[name]]
             for name, (seconds, bpm, confidence, _) in record["tempos"].items()]
    kinds = list(verdicts.values())
    return SECTION.format(
        ceiling=CEILING, table=table(head, rows), count=len(kinds), right=kinds.count("right"), octave=kinds.count("octave"),
        joints=gapless.section(record.get("gapless"), record.get("gapless_encoded")), wrong=kinds.count("wrong"), refused=kinds.count("refused"),
        loops=table(["loop", "length", "BPM by its length", "estimate", "confidence", ""], loops))
