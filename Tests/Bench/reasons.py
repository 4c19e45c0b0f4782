"""Why bars are missed, by work and what they are compared with. Printed only where one is."""

SINC = (
    "libsoxr's filters alone take about two thirds of the processor time, and run on one thread, which the other "
    "stages wait for. Its own threads (`num_threads` 0, with three ways of waiting) were tried and changed nothing.")

REASONS = {
    ("1 h of WAV, sinc", "sox speed"): SINC,
    ("1 h of WAV, sinc", "ffmpeg with resampler=soxr"): SINC,
    ("10 min of FLAC", "flac -d | flac -5, not scaled"):
        "It encodes ten minutes, we fifteen. The floor is the encoder alone on all cores: the time of `flac -5` of "
        "the output over the number of cores.",
}


def reason(bar):
    return REASONS.get((bar.work, bar.against), "not looked into.")
