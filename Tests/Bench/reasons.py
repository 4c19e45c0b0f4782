"""Why bars are missed, by work and what they are compared with. Printed only where one is."""

REASONS = {
    ("1 s of WAV", None):
        "By callgrind it takes 52 million instructions, of which swift-argument-parser's reading of the options takes "
        "two thirds: it looks up at run time which of some 100 types of options are what, among 4,600 conformances "
        "that Swift's libraries bring and the program adds. Binding of shared libraries takes 1 ms. Loading "
        "FFmpeg's libraries only when needed gained 35 ms; a parser of our own for the commonest options was not "
        "wanted.",
    ("10 min of FLAC", "flac -d | flac -5, not scaled"):
        "It encodes ten minutes, we fifteen. The floor is the encoder alone on all cores: the time of `flac -5` of "
        "the output over the number of cores.",
    ("10 min of MP3", "ffmpeg asetrate,aresample"):
        "libmp3lame encodes on one thread, and that is all of it, ours and FFmpeg's: `lame` alone takes as long. "
        "Decoding and scaling go on beside it.",
    ("500 FLAC files of 20 s", "xargs -P2 sox"):
        "`flac -5` of these outputs alone takes, by the figures of ten minutes below, 37 CPU seconds: on two cores "
        "0.35 of sox's time, before anything is decoded or scaled. Ours and `smoothstep`'s images also cost FLAC more "
        "than sox's smooth audio does: the output is 18 % larger. `--method sinc` was not tried here.",
    ("stretch, 2 min", "rubberband -3"):
        "It is the same library at the same work, in 1.06 times the CPU seconds. It is fed a hop at a time, so that "
        "the output does not depend on blocks, and 0.2 s of silence more; which of it costs how much was not "
        "measured.",
    ("the kernel alone, linear", None):
        "How fast this machine is changes from second to second: medians of 0.80, 1.07 and 1.28 ns were measured "
        "within a day, of the same instructions (`scripts/kernel-count`).",
}


def reason(work, against=None):
    return REASONS.get((work, against), "not looked into.")
