"""Files of every kind that holds more than one layout or depth, made by other programs."""
import os, re, struct, subprocess
import sound, tools
from sound import LAYOUTS
from targets import ALAC, ALL_LAYOUTS, COUNT_ONLY, VORBIS

LITTLE = {"8": "pcm_u8", "16": "pcm_s16le", "24": "pcm_s24le", "32": "pcm_s32le", "f32": "pcm_f32le",
          "f64": "pcm_f64le"}
BIG = {depth: name.replace("le", "be").replace("pcm_u8", "pcm_s8") for depth, name in LITTLE.items()}
SIGNED = dict(LITTLE, **{"8": "pcm_s8"})
# libavcodec reports the surrounds of ATSC A/52 as side speakers.
AC3 = {"mono", "stereo", "2.1", "3.0", "quad(side)", "5.0(side)", "5.1(side)"}
# Layouts that `flac` supports: the standard orders of RFC 9639 and those of its mask comment.
FLAC = ALL_LAYOUTS - {"2.1", "7.1(wide)"}


class Kind:
    """A kind of source: what it can hold, and who makes it.

    options: for ffmpeg, as a function of the depth. program: a command in its stead.
    """

    def __init__(self, name, extension, depths, layouts, options=None, program=None, lossy=False,
                 exact=True):
        self.name, self.extension, self.depths, self.layouts = name, extension, depths, layouts
        self.options, self.program, self.lossy, self.exact = options, program, lossy, exact


def pcm(codecs, *more):
    return lambda depth: ["-c:a", codecs[depth], *more]


def codec(*options):
    return lambda depth: ["-c:a", *options]


ALL_DEPTHS = list(LITTLE)
KINDS = [
    Kind("wav", "wav", ALL_DEPTHS, ALL_LAYOUTS, pcm(LITTLE)),
    Kind("rf64", "rf64.wav", ALL_DEPTHS, ALL_LAYOUTS, pcm(LITTLE, "-rf64", "always")),
    Kind("w64", "w64", ALL_DEPTHS, ALL_LAYOUTS, pcm(LITTLE)),
    Kind("aiff", "aiff", ALL_DEPTHS, ALL_LAYOUTS, pcm(BIG)),
    Kind("caf", "caf", ALL_DEPTHS, ALL_LAYOUTS - {"quad(side)", "5.0(side)", "5.1(side)"}, pcm(SIGNED)),
    Kind("au", "au", ALL_DEPTHS, COUNT_ONLY, pcm(BIG)),
    Kind("mov", "mov", ALL_DEPTHS, ALL_LAYOUTS, pcm(dict(BIG, **{"8": "pcm_u8"}))),
    Kind("flac", "flac", ["8", "16", "24", "32"], FLAC,
         program="flac -s -f -o {path} {wav}"),
    Kind("oga", "oga", ["8", "16", "24", "32"], FLAC,
         program="flac -s -f --ogg -o {path} {wav}"),
    Kind("mka-flac", "mka", ["16", "24"], FLAC, codec("flac")),
    Kind("m4a-alac", "m4a", ["16", "24"], ALAC, codec("alac")),
    Kind("caf-alac", "alac.caf", ["16", "24"], ALAC, codec("alac")),
    Kind("wavpack", "wv", ["8", "16", "24", "32", "f32"], ALL_LAYOUTS,
         program="wavpack -q -y {wav} -o {path}"),
    Kind("tta", "tta", ["16", "24"], COUNT_ONLY, codec("tta")),
    Kind("ogg", "ogg", ["16"], VORBIS, program="oggenc -Q -o {path} {wav}", lossy=True),
    Kind("opus", "opus", ["16"], VORBIS, program="opusenc --quiet {wav} {path}", lossy=True),
    # ffmpeg 5.1 puts the channels of 5.0 and 6.1 into Opus in another order than it reads them.
    Kind("webm", "webm", ["16"], VORBIS - {"5.0", "6.1"}, codec("libopus"), lossy=True),
    Kind("aac", "m4a", ["16"], {"mono", "stereo", "3.0", "5.0", "5.1", "7.1"}, codec("aac"), lossy=True),
    Kind("mp3", "mp3", ["16"], COUNT_ONLY, program="lame --quiet {wav} {path}", lossy=True),
    Kind("ac3", "ac3", ["16"], AC3, codec("ac3"), lossy=True, exact=False),
    Kind("eac3", "eac3", ["16"], AC3, codec("eac3"), lossy=True, exact=False),
]


class Made:
    """One source: its kind, depth and layout, and the file."""

    def __init__(self, kind, depth, layout, folder):
        self.kind, self.depth, self.layout = kind, depth, layout
        self.stem = f"{kind.name}-{depth}"
        self.path = os.path.join(folder, f"{self.stem}.{kind.extension}")
        self.fault = None

    @property
    def name(self):
        return f"{self.kind.name} {self.depth} {self.layout}"


def make(layout, depth, folder):
    """All sources of one layout and depth."""
    channels = LAYOUTS[layout][1]
    wav = os.path.join(folder, f"sound-{depth}.wav")
    original = sound.quantized(sound.sound(channels), depth)
    samples = sound.packed(original, depth)
    with open(wav, "wb") as file:
        file.write(tools.wav(original, depth, layout))
    made = [Made(kind, depth, layout, folder) for kind in KINDS
            if depth in kind.depths and layout in kind.layouts]
    arguments = []
    for source in made:
        if source.kind.options:
            # Without this, ffmpeg changes layouts that its encoder does not support.
            arguments += ["-map", "0:a", *source.kind.options(depth), source.path]
    tools.ffmpeg("-i", wav, *arguments)
    for source in made:
        if source.kind.program:
            tools.output_of(*(part.format(wav=wav, path=source.path)
                              for part in source.kind.program.split()))
        if source.kind.name == "aiff":
            add_layout_chunk(source.path, LAYOUTS[layout][0])
        if source.kind.name in ("w64", "rf64"):
            leave_out_padding(source.path, source.kind.name, len(samples))
    check_made(made, layout)
    return made


def add_layout_chunk(path, mask):
    """A `CHAN` chunk, which no program at hand writes: Core Audio's bitmap is the WAVE mask."""
    with open(path, "r+b") as file:
        file.seek(0, os.SEEK_END)
        file.write(b"CHAN" + struct.pack(">IIII", 12, 0x10000, mask, 0))
        size = file.tell() - 8
        file.seek(4)
        file.write(struct.pack(">I", size))


def leave_out_padding(path, kind, size):
    """Corrects the size of the samples, in which ffmpeg counts the zeros after them."""
    with open(path, "r+b") as file:
        head = file.read(256)
        if kind == "rf64":
            # EBU Tech 3306: the size of the data is the second number in `ds64`.
            file.seek(head.index(b"ds64") + 16)
            file.write(struct.pack("<Q", size))
        else:
            # Wave64's sizes count the chunk's own header of 24 bytes.
            start = head.index(b"data")
            file.seek(start + 16)
            file.write(struct.pack("<Q", size + 24))


def check_made(made, layout):
    """Checks with ffmpeg that every source has the layout that it should have."""
    plain = layout.replace("(side)", "")
    for source, reported in zip(made, reported_layouts([source.path for source in made])):
        # ffmpeg reads no `CHAN` chunk, and no mask in Ogg; where there is none, 1 and 2 are not tried.
        isUnreported = source.kind.name in ("aiff", "oga") or layout in COUNT_ONLY and "channels" in reported
        # It reads the surrounds of Core Audio's and MPEG's 5.x layouts as side speakers.
        isLoose = source.kind.name in ("caf", "mov", "aac", "m4a-alac", "caf-alac")
        if not (isUnreported or reported == layout or isLoose and reported.replace("(side)", "") == plain):
            source.fault = f"it was made with the layout {reported}"


STREAM = re.compile(r"Stream #(\d+):\d+.*: Audio: .*? Hz, ([^,]+),")


def reported_layouts(paths):
    """The layouts of many files as ffmpeg reports them, in one run."""
    arguments = [part for path in paths for part in ("-guess_layout_max", "0", "-i", path)]
    said = subprocess.run(["ffmpeg", "-hide_banner", *arguments], capture_output=True)
    found = {int(match[1]): match[2] for match in STREAM.finditer(said.stderr.decode(errors="replace"))}
    if len(found) < len(paths) and len(paths) > 1:
        return [reported_layouts([path])[0] for path in paths]
    return [found.get(number, "none") for number in range(len(paths))]
