"""Reasons for which `stretch` is behind another tool, by row of table 2. A text is printed only where it is."""

SEGMENTS = "`soundstretch`, `sox tempo` and `atempo` cut the sound into segments and move them"
REASONS = {
    "spread mean":
        f"{SEGMENTS}: a click stays one sample long, or is lost, or repeats, as the worst clicks show. A spectrum "
        "whose phases are turned spreads a click a little.",
    "spread worst":
        "As with the mean: a moved segment leaves the click intact. At other factors, the same "
        "tools lose clicks or double them.",
    "onset mean":
        f"{SEGMENTS}, and a segment that happens to lie where it should has its click in place.",
    "onset worst":
        f"{SEGMENTS}, and at this factor all of them happen to lie near where they should.",
    "pre-echo mean":
        f"{SEGMENTS}: the silence before a stroke stays silent unless the stroke repeats, and then both are "
        "equally loud (their worst values). A window that holds both silence and stroke leaves a little of the stroke "
        "ahead of it.",
    "pre-echo worst":
        "As with the mean, at factors where those tools repeat no stroke.",
    "correlation":
        f"{SEGMENTS} in both channels at once, so the channels cannot drift apart. The vocoder turns the phases of both "
        "channels alike only where they agree.",
    "noise level":
        f"{SEGMENTS}, within which noise is unchanged.",
    "music level":
        f"{SEGMENTS}, within which everything is unchanged.",
}
