"""Why `stretch` is behind another tool, by row of table 2. A text is printed only where it is."""

SEGMENTS = "`soundstretch`, `sox tempo` and `atempo` cut the sound into segments and move them"

REASONS = {
    "spread mean":
        f"{SEGMENTS}: a click stays one sample long, or is lost, or occurs twice, as the worst clicks show. Rubber "
        "Band works on the spectra of windows, within which a click spreads; it loses none.",
    "spread worst":
        "As with the mean: a segment that was moved holds the click unchanged. At other factors the same "
        "tools lose clicks or double them.",
    "onset mean":
        f"{SEGMENTS}, and a segment that happens to lie where it should has its click in place.",
    "onset worst":
        f"{SEGMENTS}, and at this factor all of them happen to lie near where they should.",
    "pre-echo mean":
        f"{SEGMENTS}: the silence before a stroke stays silent unless a stroke occurs twice, and then the "
        "first is as loud as the second (their worst values). A Rubber Band window holds silence and stroke, "
        "and spreads a little of the stroke ahead of it.",
    "pre-echo worst":
        "As with the mean, at factors where none of those tools repeats a stroke. Among programs that use "
        "Rubber Band, chance decides where the loudest stroke falls within a window: the silence that scaleaudio "
        "puts before the source shifts the windows.",
    "correlation":
        f"{SEGMENTS} in both channels at once, so the channels cannot drift apart. Rubber Band's R3 engine locks "
        "the phases of the channels where both have a spectral peak and leaves noise unlocked: noise that is "
        "partly in both channels becomes more independent. Music has more peaks and changes less.",
    "music correlation":
        f"{SEGMENTS} in both channels at once. Rubber Band's R3 engine locks the channels at the peaks of their "
        "spectra and leaves the noise between unlocked.",
    "noise level":
        f"{SEGMENTS}, within which noise is unchanged. In Rubber Band, windows of noise overlap with other phases "
        "than in the source and partly cancel.",
    "music level":
        f"{SEGMENTS}, within which everything is unchanged. Rubber Band loses some level of the noise in music, as "
        "it does with noise alone.",
    "tone level": f"{SEGMENTS}. Rubber Band's windows of a tone overlap almost as in the source.",
}
