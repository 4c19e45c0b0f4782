"""Why `stretch` is behind another tool, by row of table 2. A text is printed only where it is."""

PIECES = "`soundstretch`, `sox tempo` and `atempo` cut the sound into pieces and put them elsewhere"

REASONS = {
    "spread mean":
        f"{PIECES}: a click stays one sample long, or is lost, or comes twice, as the worst clicks show. Rubber "
        "Band works on the spectra of windows, within which a click spreads; it loses none.",
    "spread worst":
        "As with the mean: a piece that was cut and moved holds the click as it was. At other factors the same "
        "tools lose clicks or double them.",
    "onset mean":
        f"{PIECES}, and a piece that happens to lie where it should has its click in place.",
    "onset worst":
        f"{PIECES}, and at this factor all of them happen to lie near where they should.",
    "pre-echo mean":
        f"{PIECES}: the silence before a stroke remains silence, unless a stroke comes twice, and then the "
        "first is as loud as the second (their worst values). Rubber Band's windows hold silence and stroke, "
        "and a little of the stroke gets in front of it.",
    "pre-echo worst":
        "As with the mean, at factors where none of those tools repeats a stroke. Between programs that use "
        "Rubber Band it is chance how the loudest stroke lies to the windows: the silence that is put in front "
        "of the source here moves them.",
    "correlation":
        f"{PIECES}, the same for both channels, so nothing can come between these. Rubber Band's R3 engine ties "
        "the phases of the channels to each other where both have a peak, and leaves those of noise untied: "
        "noise that is partly in both channels comes out more independent, which is heard as wider. "
        "With music, which has more peaks, the change is a small part of that.",
    "music correlation":
        f"{PIECES}, the same for both channels. Rubber Band's R3 engine ties the channels to each other at the "
        "peaks of their spectra and leaves the noise between untied; its R2 engine has other ways.",
    "noise level":
        f"{PIECES}, in which noise stays as it was. In Rubber Band, windows of noise overlap with other phases "
        "than they had, and partly cancel each other.",
    "music level":
        f"{PIECES}, in which everything stays as it was. Of what is noise in music Rubber Band loses some "
        "level, as with noise alone.",
    "tone level": f"{PIECES}. Rubber Band's windows of a tone overlap almost as they did.",
}
