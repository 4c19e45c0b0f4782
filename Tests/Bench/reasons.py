"""Why targets are missed, in words. Figures are computed from the record; everything else that was
measured is in docs/decisions/speed.md, which the page links to."""

NOTES = "docs/decisions/speed.md"


def one_second(record):
    return ("Most of the time is spent before any audio is read: the dynamic linker, and swift-argument-parser "
            "looking up types at run time", "start-up-time")


def flac(record):
    programs = by_name(record, "Ten minutes of FLAC")
    encoder = programs["flac -5 of the output"]
    return ("The other side encodes ten minutes, this program the fifteen minutes of its output. The encoder alone "
            f"takes {encoder['cpu']:.2f} CPU seconds for that", "long-flac-files")


def mp3(record):
    programs = by_name(record, "Ten minutes of MP3")
    ours, lame = programs["scaleaudio"]["wall"][0], programs["lame of the output"]["wall"][0]
    return ("libmp3lame encodes on one thread, in ffmpeg too, and everything else runs beside it: `lame` alone takes "
            f"{lame:.2f} s of this program's {ours:.2f} s", "mp3")


def many_flac_files(record):
    many, ten = by_name(record, "500 FLAC files of 20 seconds"), by_name(record, "Ten minutes of FLAC")
    encoder = ten["flac -5 of the output"]
    seconds = encoder["cpu"] * many["scaleaudio"]["size"] / encoder["size"]
    more = many["scaleaudio"]["size"] / many["xargs -P2 sox"]["size"] - 1
    return (f"Encoding dominates: at the rate of the ten-minute file, `flac -5` alone would take {seconds:.0f} CPU "
            f"seconds for these outputs. They are also {more:.0%} larger than sox's, because `smoothstep` leaves "
            "images that FLAC must store; `--method sinc` was not timed here", "many-flac-files")


def stretch(record):
    return "It is the same library doing the same work", "stretching"


def vocoder(record):
    return ("One core reads the source while another makes the output; two cores that share a memory slow each other, as "
            "the CPU seconds show", "stretching")


def kernel(record):
    return ("The time varies with the machine's clock and neighbors; the number of instructions, which "
            "`scripts/kernel-count` checks, does not", "interpolation-kernels")


REASONS = {
    ("1 s of WAV", None): one_second,
    ("10 min of FLAC", "flac -d | flac -5, not scaled"): flac,
    ("10 min of MP3", "ffmpeg asetrate,aresample"): mp3,
    ("500 FLAC files of 20 s", "xargs -P2 sox"): many_flac_files,
    ("stretch, 2 min", "rubberband -3"): stretch,
    **{(f"stretch fast, 2 min x{factor}", "rubberband -3"): vocoder for factor in ("0.8", "1.25", "1.5", "2")},
    ("the kernel alone, linear", None): kernel,
    ("the kernel alone, smoothstep", None): kernel,
}


def by_name(record, title):
    works = {work["title"]: work for work in record["works"]}
    return {program["name"]: program for program in works[title]["programs"]}


def reason(record, target):
    """A sentence or two, with a link to what was tried."""
    found = REASONS.get((target["work"], target["against"]))
    if not found:
        return "Not investigated."
    try:
        text, anchor = found(record)
    except KeyError as missing:
        return f"Not worked out: {missing} was not timed."
    return f"{text}. See [what was tried]({NOTES}#{anchor})."
