"""Why `stretch` is behind another tool, by row of table 2. A text is printed only where it is."""

SEGMENTS = "`soundstretch`, `sox tempo` and `atempo` cut the sound into segments and move them"

REASONS = {
    "spread mean":
        f"{SEGMENTS}: a click stays one sample long, or is lost, or repeats, as the worst clicks show. Rubber "
        "Band works on windowed spectra, which spread a click; it loses none.",
    "spread worst":
        "As with the mean: a moved segment leaves the click intact. At other factors, the same "
        "tools lose clicks or double them.",
    "onset mean":
        f"{SEGMENTS}, and a segment that happens to lie where it should has its click in place.",
    "onset worst":
        f"{SEGMENTS}, and at this factor all of them happen to lie near where they should.",
    "pre-echo mean":
        f"{SEGMENTS}: the silence before a stroke stays silent unless the stroke repeats, and then both are "
        "equally loud (their worst values). A Rubber Band window that holds both silence and stroke "
        "spreads a little of the stroke ahead of it.",
    "pre-echo worst":
        "As with the mean, at factors where those tools repeat no stroke. Among programs that use Rubber "
        "Band, it depends on where the loudest stroke happens to fall within a window; scaleaudio pads the start "
        "with silence, which shifts the windows.",
    "correlation":
        f"{SEGMENTS} in both channels at once, so the channels cannot drift apart. Rubber Band's R3 engine locks "
        "the phases of the channels where both have a spectral peak and leaves noise unlocked: noise that is "
        "partly in both channels becomes more independent. Music has more peaks and changes less.",
    "music correlation":
        f"{SEGMENTS} in both channels at once. Rubber Band's R3 engine locks the channels at the peaks of their "
        "spectra and leaves the noise between unlocked.",
    "noise level":
        f"{SEGMENTS}, within which noise is unchanged. In Rubber Band, windows of noise overlap with phases "
        "other than in the source and partly cancel.",
    "music level":
        f"{SEGMENTS}, within which everything is unchanged. Rubber Band loses some level of the noise in music, as "
        "it does with noise alone.",
    "tone level": f"{SEGMENTS}. Rubber Band's windows of a tone overlap almost as in the source.",
}
