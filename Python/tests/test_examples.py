"""The example of the documentation, as a new user runs it: with nothing but the module, numpy and soundfile."""
import json, pathlib, subprocess, sys

import numpy, pytest, scaleaudio, soundfile

EXAMPLE = pathlib.Path(__file__).parents[2] / "docs/python/augment_corpus.py"
RATE, COUNT = 16000, 500


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """The folders of a corpus and of what the example makes of it, and the frames of each utterance."""
    random = numpy.random.default_rng(3)
    folder = tmp_path_factory.mktemp("corpus")
    utterances = {}
    for number in range(COUNT):
        time = numpy.arange(random.integers(RATE // 4, RATE // 2)) / RATE
        tone = numpy.sin(2 * numpy.pi * random.uniform(90, 300) * time) * (time % 0.2 < 0.15) * 0.3
        name = f"u{number:03}"
        soundfile.write(folder / f"{name}.flac", tone + random.standard_normal(len(time)) * 0.001, RATE)
        (folder / f"{name}.txt").write_text(f"word {number}\n")
        utterances[name] = len(time)
    out = tmp_path_factory.mktemp("out")
    subprocess.run([sys.executable, EXAMPLE, folder, out], check=True)
    return folder, out, utterances


def test_lengths_and_numbers(corpus):
    _, out, utterances = corpus
    cuts = [json.loads(line) for line in (out / "cuts.jsonl").read_text().splitlines()]
    assert [cut["id"] for cut in cuts] == [f"{name}-{kind}" for name in utterances for kind in ("tempo", "speed", "pitch")]
    drawn = {"tempo": set(), "speed": set(), "pitch": set()}
    for cut in cuts:
        name, kind = cut["id"].split("-")
        [value] = cut["custom"].values()
        drawn[kind].add(value)
        frames = utterances[name] if kind == "pitch" else int(utterances[name] * (1 / value))
        [spoken] = cut["supervisions"]
        found = soundfile.info(cut["recording"]["sources"][0]["source"])
        assert found.frames == cut["recording"]["num_samples"] == frames
        assert cut["duration"] == spoken["duration"] == cut["recording"]["duration"] == frames / RATE
        assert spoken["text"] == f"word {int(name[1:])}"
        assert (-2 <= value <= 2) if kind == "pitch" else (0.9 <= value <= 1.1)
    assert [len(values) for values in drawn.values()] == [COUNT] * 3


def test_samples_are_those_of_the_program(corpus, tmp_path):
    folder, out, _ = corpus
    cuts = [json.loads(line) for line in (out / "cuts.jsonl").read_text().splitlines()]
    for cut in cuts[3 * 17:3 * 17 + 3]:
        name, kind = cut["id"].split("-")
        [value] = cut["custom"].values()
        source, target = tmp_path / "in.wav", tmp_path / "out.wav"
        soundfile.write(source, soundfile.read(folder / f"{name}.flac", dtype="float32")[0], RATE, "FLOAT")
        options = ["--formants", "preserve"] if kind == "pitch" else []
        scaleaudio.convert(source, **{kind: value}, output=target, overwrite=True, options=options)
        made = soundfile.read(cut["recording"]["sources"][0]["source"], dtype="float32")[0]
        assert numpy.array_equal(made, soundfile.read(target, dtype="float32")[0])


def test_lhotse_reads_the_manifest(corpus, lhotse):
    from lhotse.qa import validate

    _, out, utterances = corpus
    cuts = lhotse.CutSet.from_file(out / "cuts.jsonl")
    validate(cuts)
    assert len(cuts) == 3 * len(utterances)
    for cut in list(cuts)[:30]:
        assert cut.load_audio().shape == (1, cut.num_samples)
