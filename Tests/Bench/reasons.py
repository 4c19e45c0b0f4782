"""Why bars are missed, by work and what they are compared with. Printed only where one is."""

REASONS = {
    ("10 min of FLAC", "flac -d | flac -5, not scaled"):
        "It encodes ten minutes, we fifteen. The floor is the encoder alone on all cores: the time of `flac -5` of "
        "the output over the number of cores.",
}


def reason(bar):
    return REASONS.get((bar.work, bar.against), "not looked into.")
