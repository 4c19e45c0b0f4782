"""Trials of an installed program in a clean system."""
import json, re

from stage import ROOT, run

# Length of Samples/music.flac in frames, made 50 % longer by the definition of the factor.
SOURCE, FACTOR = "music.flac", 1.5


def expected(stage):
    """The frames of the source, and of the result by the definition of the factor."""
    frames = int(run("metaflac", "--show-total-samples", ROOT / "Samples" / SOURCE))
    return frames, round(frames * FACTOR)


def converts(stage, system, program, user=None, folder="/tmp/trial", without=False):
    """Converts a sample to FLAC and, by FFmpeg's libraries, to M4A, and checks the lengths; with `without`, checks
    instead that what needs a library that is missing names the library's package. Yields what was proved."""
    system.run("rm", "-rf", folder)
    system.run("mkdir", "-p", folder)
    system.put(ROOT / "Samples" / SOURCE, f"{folder}/in.flac")
    system.run("chmod", "-R", "a+rwX", folder)
    text = system.run(program, "--version", user=user)
    if stage.version not in text:
        raise SystemExit(f"{program} --version prints {text!r}, not {stage.version}")
    frames, wanted = expected(stage)
    system.run(program, "-f", str(FACTOR), "--json", f"{folder}/in.flac", "-o", f"{folder}/out.flac", user=user)
    length = int(run("metaflac", "--show-total-samples", system.path / folder.lstrip("/") / "out.flac"))
    if length != wanted:
        raise SystemExit(f"{SOURCE}, {frames} frames, became {length} frames, not {wanted}")
    yield f"{frames} frames of FLAC become {wanted}"
    to_m4a = (program, "-f", str(FACTOR), f"{folder}/in.flac", "-o", f"{folder}/out.m4a")
    to_picture = (program, "plot", f"{folder}/in.flac", "-o", f"{folder}/in.png")
    if without:
        named = []
        for command, stem in ((to_m4a, "libavformat"), (to_picture, "libcairo")):
            status, text = system.run(*command, user=user, fails=True)
            wanted = stage.loaded_packages[stem]
            named.append(wanted)
            if status == 0 or not re.search(rf"\b{re.escape(wanted)}\b", text):
                raise SystemExit(f"without {wanted}, {' '.join(command)} ends with {status} and prints {text!r}")
        yield f"errors name the missing packages {' and '.join(named)}"
    else:
        system.run(*to_m4a, user=user)
        if json.loads(system.run(program, "info", "--json", f"{folder}/out.m4a", user=user))["inputFrames"] != wanted:
            raise SystemExit(f"{folder}/out.m4a: not {wanted} frames")
        yield f"AAC in M4A has {wanted} frames too"


def pictures(system, program, user=None, folder="/tmp/trial"):
    """Draws a sample, which needs Cairo and a font. Yields what was proved."""
    system.run(program, "plot", f"{folder}/in.flac", "-o", f"{folder}/in.png", user=user)
    if not (system.path / folder.lstrip("/") / "in.png").read_bytes().startswith(b"\x89PNG"):
        raise SystemExit(f"{folder}/in.png: not a PNG file")
    yield "plot draws a PNG"
