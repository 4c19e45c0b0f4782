"""Makes a page of blinded pairs of stretched sounds, and sums up what listeners answered. See scripts/listen."""
import argparse, base64, hashlib, io, json, os, random, statistics, sys, tempfile
from concurrent.futures import ThreadPoolExecutor
import numpy as np
import soundfile
import engine
import recordings
import tools
from signals import ROOT, Sound

SECONDS = 8
# Everything is played as loud as this, or as loud as the peaks of all of it allow.
LOUDNESS = -23.0
TEMPLATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "listen.html")


def own(path):
    """The beginning of a file, with a peak of a half."""
    with soundfile.SoundFile(path) as file:
        frames, rate = file.read(SECONDS * file.samplerate, always_2d=True), file.samplerate
    if not np.abs(frames).max(initial=0) > 0:
        raise RuntimeError(f"{path} is silent at the beginning")
    name = os.path.splitext(os.path.basename(path))[0].replace(" ", "-")
    return Sound(f"{hashlib.sha256(path.encode()).hexdigest()[:8]}-{name}", 0.5 * frames / np.abs(frames).max(), rate)


def loudness(binary, frames, rate, folder, name):
    """Integrated loudness by EBU R 128 in LUFS, as `info --levels` measures it."""
    path = os.path.join(folder, f"{name}.wav")
    soundfile.write(path, frames, rate, subtype="FLOAT")
    found = json.loads(tools.output_of(binary, "info", "--levels", "--json", path))["levels"].get("integratedLUFS")
    os.remove(path)
    if found is None:
        raise RuntimeError(f"{name}: shorter or quieter than loudness can be measured")
    return found


def leveled(binary, versions, rate, folder, name):
    """Versions of a sound with the same loudness, which is lower than usual where a peak would clip."""
    gains = [10 ** ((LOUDNESS - loudness(binary, frames, rate, folder, f"{name}-{index}")) / 20)
             for index, frames in enumerate(versions)]
    most = max(gain * np.abs(frames).max() for gain, frames in zip(gains, versions))
    return [frames * gain * min(1, 0.98 / most) for gain, frames in zip(gains, versions)]


def stored(frames, rate):
    """The samples as FLAC in the text of a page."""
    file = io.BytesIO()
    soundfile.write(file, frames, rate, format="FLAC", subtype="PCM_24")
    return "data:audio/flac;base64," + base64.b64encode(file.getvalue()).decode()


def trial(binary, sound, factor, pair, folder, rng):
    """One screen: the source, and the two outputs in a random order."""
    order = rng.sample(pair, 2)
    made = [tool.run(sound, factor, folder) for tool in order]
    name = f"{sound.name}-{factor}-level"
    source, *outputs = leveled(binary, [sound.frames] + made, sound.rate, folder, name)
    return {"sound": sound.name, "factor": tools.value(factor), "key": [tool.name.replace("`", "") for tool in order],
            "source": stored(source, sound.rate), "versions": [stored(frames, sound.rate) for frames in outputs]}


# What is compared if nobody says with what: the first that is installed.
PREFERRED = ("rubberband -3", "Signalsmith", "Bungee")


def chosen_pair(binary, against):
    """The vocoder and the stretcher to compare it with."""
    by_name = {tool.name.replace("`", ""): tool for tool in tools.stretchers(binary)}
    others = {name: tool for name, tool in by_name.items() if name != engine.OURS}
    against = against or next((name for name in PREFERRED if others[name].is_here), PREFERRED[0])
    if against not in others:
        raise RuntimeError(f"--against takes one of: {', '.join(others)}")
    if not others[against].is_here:
        raise RuntimeError(f"{against} is not installed: scripts/setup --quality installs it")
    return [by_name[engine.OURS], others[against]]


def page(options):
    """The text of the page."""
    if options.files:
        sounds = [own(path) for path in options.files]
    else:
        chosen = recordings.listed(options.half)
        recordings.fetch(chosen)
        sounds = [recording.sound() for recording in chosen]
    pair = chosen_pair(options.binary, options.against)
    # The number alone decides every order, whichever trial is made first.
    tasks = [(sound, factor, random.Random(f"{options.seed} {sound.name} {factor}"))
             for sound in sounds for factor in options.factors]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        for sound in sounds:
            tools.written(sound, folder)
        trials = list(pool.map(lambda task: trial(options.binary, task[0], task[1], pair, folder, task[2]), tasks))
    random.Random(options.seed).shuffle(trials)
    name = hashlib.sha256(json.dumps(trials).encode()).hexdigest()[:12]
    data = json.dumps({"page": name, "trials": trials}, ensure_ascii=True).replace("<", "\\u003c")
    with open(TEMPLATE, encoding="utf-8") as file:
        return file.read().replace("/*DATA*/null", data)


def results(page_path, paths):
    """Lines about the answers of listeners to a page."""
    with open(page_path, encoding="utf-8") as file:
        name = json.loads(file.read().split("const data = ", 1)[1].split(";\n", 1)[0])["page"]
    found, pairs = {}, {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            answers = json.load(file)
        if answers["page"] != name:
            raise RuntimeError(f"{path} answers another page ({answers['page']}, not {name})")
        for one in answers["trials"]:
            for tool, rating in zip(one["key"], one["ratings"]):
                found.setdefault((one["factor"], tool), []).append(rating)
            rated = dict(zip(one["key"], one["ratings"]))
            ours, = rated.keys() & {engine.OURS}
            other, = rated.keys() - {engine.OURS}
            pairs.setdefault((one["factor"], other), []).append(rated[ours] - rated[other])
    lines = [f"{len(paths)} listeners"]
    for (factor, tool), ratings in sorted(found.items()):
        lines.append(f"x{factor:g} {tool}: mean {statistics.mean(ratings):.1f} of 100 in {len(ratings)} ratings")
    for (factor, other), differences in sorted(pairs.items()):
        spread = statistics.stdev(differences) / len(differences) ** 0.5 if len(differences) > 1 else float("nan")
        lines.append(f"x{factor:g} {engine.OURS} less {other}: mean {statistics.mean(differences):+.1f}, "
                     f"standard error {spread:.1f}")
    return lines


def main():
    options = argparse.ArgumentParser(prog="scripts/listen", description=__doc__)
    options.add_argument("files", nargs="*")
    options.add_argument("--half", choices=recordings.HALVES, default="tuning")
    options.add_argument("--factors", nargs="+", default=["0.8", "1.5"])
    options.add_argument("--against")
    options.add_argument("--output", default="listen.html")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--binary", default=os.path.join(ROOT, ".build/release/scaleaudio"))
    options.add_argument("--results", nargs="+", metavar=("PAGE", "ANSWERS"))
    options = options.parse_args()
    options.binary = os.path.abspath(options.binary)
    try:
        if options.results:
            return print("\n".join(results(options.results[0], options.results[1:])))
        text = page(options)
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text)
        print(f"{options.output}: {len(text) / 1e6:.1f} MB")
    except (RuntimeError, OSError, ValueError, KeyError) as error:
        sys.exit(f"scripts/listen: {error}")


main()
