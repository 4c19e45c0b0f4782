"""The module against the real program."""
import concurrent.futures, copy, decimal, fractions, functools, json, multiprocessing, os, pickle, signal, subprocess, sys, time

import numpy, pytest, scaleaudio, soundfile

RATE = 8000
# If FFmpeg's libraries are missing, the file might be something that only they read.
NO_AUDIO = ("not-audio", "unsupported")


def names(folder):
    return sorted(os.listdir(folder))


def test_a_file(folder):
    [record] = scaleaudio.convert(folder / "in.wav", factor=1.5, output=folder / "out.flac")
    assert (record.status, record.output_frames, record.factor) == ("done", RATE * 3 // 2, 1.5)
    assert record.output == str(folder / "out.flac")
    assert soundfile.info(record.output).frames == RATE * 3 // 2


def test_several_files_with_a_bad_one(folder):
    records = {os.path.basename(record.input): record for record in scaleaudio.convert(
        [folder / "in.wav", folder / "bad.wav"], speed=1.25, output=folder / "out")}
    assert records["in.wav"].output_frames == RATE * 4 // 5
    assert records["bad.wav"].status == "failed"
    assert records["bad.wav"].error_class in NO_AUDIO
    assert "bad.wav" in records["bad.wav"].error
    assert names(folder / "out") == ["in-speed1.25.wav"]


def test_losses_and_verification(folder):
    [record] = scaleaudio.convert(folder / "in.wav", factor=1.5, strict=True, options=["--dry-run"])
    assert (record.status, record.output_frames) == ("planned", RATE * 3 // 2)
    scaleaudio.convert(folder / "in.wav", factor=1.5)
    [found] = scaleaudio.verify(folder / "in.wav")
    assert (found.status, found.differences) == ("ok", [])
    assert found.output == str(folder / "in-x1.5.wav")
    with pytest.raises(scaleaudio.ScaleAudioError):
        scaleaudio.verify(folder / "none", against=folder)


def test_errors_are_raised_where_asked(folder):
    with pytest.raises(scaleaudio.ConversionError) as raised:
        scaleaudio.convert([folder / "bad.wav"], factor=2, output=folder / "out", on_error="raise")
    assert raised.value.error_class in NO_AUDIO
    assert raised.value.record.input == str(folder / "bad.wav")


def test_wrong_arguments(folder):
    with pytest.raises(scaleaudio.ScaleAudioError) as raised:
        scaleaudio.convert(folder / "in.wav", factor=1000)
    assert raised.value.status == 64
    assert "0.01 to 100" in str(raised.value) and "Usage" not in str(raised.value)
    with pytest.raises(ValueError):
        scaleaudio.convert(folder / "in.wav", factor=2, on_error="ignore")
    assert names(folder) == ["bad.wav", "in.wav"]


def test_it_converts_without_a_loop(folder):
    scaleaudio.convert(folder, factor=2, output=folder / "out")
    assert soundfile.info(folder / "out/in.wav").frames == RATE * 2


def test_one_file_that_fails_raises(folder):
    for name, kinds in ("missing.wav", ("cannot-open",)), ("bad.wav", NO_AUDIO):
        with pytest.raises(scaleaudio.ConversionError, match=name) as raised:
            scaleaudio.convert(folder / name, factor=2)
        assert raised.value.error_class in kinds
        [record] = scaleaudio.convert(folder / name, factor=2, on_error="yield")
        assert record.status == "failed"


def test_a_missing_file_among_several_is_a_record(folder):
    done, missing = sorted(
        scaleaudio.convert([folder / "missing.wav", folder / "in.wav"], factor=2, output=folder / "out"),
        key=lambda record: record.status)
    assert (missing.status, missing.error_class) == ("failed", "cannot-open")
    assert done.status == "done"
    [record] = scaleaudio.conversions([folder / "missing.wav"], factor=2, output=folder / "out")
    assert record.status == "failed"


def failing(path):
    return scaleaudio.convert(path, factor=2)


def test_exceptions_survive_other_processes_and_copies(folder):
    with pytest.raises(scaleaudio.ConversionError) as failed:
        scaleaudio.convert(folder / "bad.wav", factor=2)
    with pytest.raises(scaleaudio.FileError) as unreadable:
        scaleaudio.info(folder / "bad.wav")
    with pytest.raises(scaleaudio.ScaleAudioError) as refused:
        scaleaudio.convert(folder / "in.wav", factor=1000)
    for error in failed.value, unreadable.value, refused.value:
        error.where = "an attribute of the caller's"
        protocols = range(pickle.HIGHEST_PROTOCOL + 1)
        copies = [pickle.loads(pickle.dumps(error, protocol)) for protocol in protocols]
        for same in [*copies, copy.copy(error), copy.deepcopy(error)]:
            assert type(same) is type(error) and same is not error
            assert (str(same), same.args, vars(same)) == (str(error), error.args, vars(error))
    with multiprocessing.get_context("fork").Pool(1) as pool:
        found = pool.map_async(failing, [folder / "bad.wav"])
        with pytest.raises(scaleaudio.ConversionError, match="bad.wav") as raised:
            found.get(timeout=60)
    assert raised.value.record == failed.value.record
    assert (raised.value.status, raised.value.error_class) == (1, failed.value.error_class)


def test_arrays_are_sent_to_their_functions(folder):
    numpy = pytest.importorskip("numpy")
    for samples in (numpy.zeros(16), numpy.zeros((2, 16), "float32"), numpy.zeros(0), numpy.array(0.5), [0.0, 0.5]):
        with pytest.raises(TypeError, match="scaleaudio.tempo, speed, pitch or scale"):
            scaleaudio.convert(samples, factor=2)
    with pytest.raises(TypeError, match="not ndarray"):
        scaleaudio.info(numpy.zeros(16))


def test_numbers_of_any_kind(folder):
    half = [3 / 2, "1.5", fractions.Fraction(3, 2), decimal.Decimal("1.5"), numpy.array(1.5)]
    half += [kind(1.5) for kind in (numpy.float16, numpy.float32, numpy.float64, numpy.longdouble)]
    for value in half:
        [record] = scaleaudio.convert(folder / "in.wav", factor=value, output=folder / "a.wav", overwrite=True)
        assert (record.factor, record.output_frames) == (1.5, RATE * 3 // 2)
        [record] = scaleaudio.convert(folder / "in.wav", duration=value, output=folder / "a.wav", overwrite=True)
        assert record.output_frames == RATE * 3 // 2
    for kind in int, numpy.int8, numpy.int64, numpy.uint16:
        [record] = scaleaudio.convert(
            folder / "in.wav", factor=kind(2), rate=numpy.int64(RATE), bits=numpy.int64(24), jobs=numpy.int32(1),
            output=folder / "a.wav", overwrite=True)
        assert (record.factor, record.output_frames) == (2, RATE * 2)
    [record] = scaleaudio.convert(folder / "in.wav", factor=fractions.Fraction(1, 3), output=folder / "third.wav")
    assert record.factor == 1 / 3
    [record] = scaleaudio.convert(folder / "in.wav", factor=numpy.float64(1) / 3, output=folder / "third2.wav")
    assert record.factor == 1 / 3


def test_lists_of_numbers_make_an_output_each(folder):
    for number, speeds in enumerate(([1, 2], (0.9, 1.1), numpy.array([0.5, 2]), numpy.array([2, 4]), {0.5: "a key", 2: ""},
                                     [fractions.Fraction(9, 10), decimal.Decimal("1.1")], range(1, 3), "0.9,1.1")):
        wanted = [0.9, 1.1] if isinstance(speeds, str) else [float(speed) for speed in speeds]
        records = scaleaudio.convert(folder / "in.wav", speed=speeds, output=folder / f"{number}/")
        assert sorted(RATE * RATE / record.output_frames for record in records) == pytest.approx(
            sorted(RATE * speed for speed in wanted), rel=1e-3)
        assert len(names(folder / f"{number}")) == 2
    assert len(scaleaudio.convert(folder / "in.wav", factor=[1.5, 3], output=folder / "factors")) == 2
    assert len(scaleaudio.convert(folder / "in.wav", speed=[2.0], output=folder / "one.wav")) == 1


@pytest.mark.parametrize("empty", [[], (), "", iter(())])
def test_empty_numbers_are_refused(folder, empty):
    with pytest.raises(scaleaudio.ScaleAudioError, match="speed is empty"):
        scaleaudio.convert(folder / "in.wav", speed=empty, output=folder / "out.wav")


def test_three_verbs(folder):
    for verb, method in (("tempo", "stretch"), ("speed", "sinc")):
        [record] = scaleaudio.convert(folder / "in.wav", **{verb: 1.25}, output=folder / f"{verb}.wav")
        assert (record.fields["method"], record.factor) == (method, 0.8)
    [record] = scaleaudio.convert(folder / "in.wav", factor=0.8, output=folder / "factor.wav")
    assert record.fields["method"] == "smoothstep"
    assert len(scaleaudio.convert(folder / "in.wav", tempo=[0.9, 1.1], output=folder / "tempos")) == 2
    with pytest.raises(scaleaudio.ScaleAudioError, match="70%"):
        scaleaudio.convert(folder / "in.wav", tempo=70, output=folder / "none.wav")


def test_nothing_to_do(folder):
    assert list(scaleaudio.convert([], factor=2, output=folder / "out")) == []


def test_numbers_keep_all_their_digits(folder):
    [record] = scaleaudio.convert(folder / "in.wav", factor=1 / 3, output=folder / "third.wav")
    assert record.factor == 1 / 3
    [record] = scaleaudio.convert(folder / "in.wav", duration=0.0625, output=folder / "short.wav")
    assert record.output_frames == RATE // 16


def test_names_that_are_not_utf8(folder):
    name = os.fsencode(folder) + b"/\xff\n.wav"
    os.rename(folder / "in.wav", name)
    [record] = scaleaudio.convert([name], factor=2, output=folder / "out")
    assert os.fsencode(record.input) == name
    assert os.path.exists(record.output)
    assert scaleaudio.info(name).frames == RATE


def test_a_name_that_looks_like_an_option(folder, monkeypatch):
    monkeypatch.chdir(folder)
    os.rename("in.wav", "-f.wav")
    [record] = scaleaudio.convert("-f.wav", factor=2)
    assert record.status == "done"


def test_many_files_and_skipped_ones(folder):
    for number in range(1000):
        os.link(folder / "in.wav", folder / f"{number}.wav")
    paths = [folder / f"{number}.wav" for number in range(1000)]
    assert [record.status for record in scaleaudio.convert(paths, factor=2, output=folder / "out")] == ["done"] * 1000
    again = scaleaudio.convert(paths, factor=2, output=folder / "out", options=["--skip-existing"])
    assert {record.reason for record in again} == {"output-exists"}


def test_closing_interrupts_and_leaves_nothing_partial(folder):
    soundfile.write(folder / "long.flac", numpy.zeros((RATE * 3600, 1), numpy.int16), RATE)
    with scaleaudio.conversions(
        [folder / "in.wav", folder / "long.flac"], factor=90, method="sinc", output=folder / "out", jobs=2,
    ) as records:
        assert next(records).status == "done"
    assert names(folder / "out") == ["in-x90-sinc.wav"]
    assert list(records) == []


def test_a_key_interrupts_python_and_the_program(folder):
    soundfile.write(folder / "long.flac", numpy.zeros((RATE * 3600, 1), numpy.int16), RATE)
    code = (
        # Also where the tests run in the background, which ignores the key.
        "import scaleaudio, signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\nprint('ready', flush=True)\n"
        f"scaleaudio.convert({str(folder / 'long.flac')!r}, factor=90, method='sinc')")
    python = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    assert python.stdout.readline() == b"ready\n"
    time.sleep(0.5)
    os.killpg(python.pid, signal.SIGINT)
    _, errors = python.communicate(timeout=60)
    assert b"KeyboardInterrupt" in errors
    assert names(folder) == ["bad.wav", "in.wav", "long.flac"]


def test_info(folder):
    found = scaleaudio.info(folder / "in.wav")
    assert (found.frames, found.channels, found.sample_rate, found.bits) == (RATE, 2, RATE, 16)
    assert (found.format, found.layout, found.seconds) == ("wav", "stereo", 1.0)
    with pytest.raises(scaleaudio.FileError) as raised:
        scaleaudio.info(folder / "bad.wav")
    assert raised.value.error_class in NO_AUDIO


def test_peaks_are_those_of_the_samples(folder, noise):
    peaks = scaleaudio.peaks(folder / "in.wav", per_second=50, split_channels=True)
    blocks = noise.reshape(50, RATE // 50, 2)
    assert (peaks.frames_per_value, peaks.sample_rate) == (RATE // 50, RATE)
    assert numpy.array_equal(peaks.minimum, blocks.min(axis=1).T)
    assert numpy.array_equal(peaks.maximum, blocks.max(axis=1).T)
    assert scaleaudio.peaks(folder / "in.wav", bits=8).minimum.dtype == numpy.int8
    with pytest.raises(scaleaudio.FileError, match="bad.wav"):
        scaleaudio.peaks(folder / "bad.wav")


def test_configuration_files_are_ignored(folder, monkeypatch):
    (folder / "scaleaudio").mkdir()
    (folder / "scaleaudio/config.toml").write_text("[convert]\nformat = 'flac'\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    [record] = scaleaudio.convert(folder / "in.wav", factor=2)
    assert record.output.endswith(".wav")


def test_the_program_alone(folder):
    done = subprocess.run([sys.executable, "-m", "scaleaudio", "--version"], text=True, capture_output=True)
    assert done.stdout.strip().endswith(scaleaudio.__version__) or scaleaudio.__version__.startswith("@")
    done = subprocess.run(
        [sys.executable, "-m", "scaleaudio", "--version"], text=True, capture_output=True,
        env={**os.environ, "SCALEAUDIO_PROGRAM": "/no/such"})
    assert done.returncode == 1 and "/no/such" in done.stderr


def test_an_output_for_each_input(folder):
    soundfile.write(folder / "two.wav", numpy.zeros((RATE // 2, 1), numpy.int16), RATE)
    soundfile.write(folder / "three.wav", numpy.zeros((RATE // 4, 1), numpy.int16), RATE)
    sources = [folder / "in.wav", folder / "two.wav", folder / "three.wav"]
    outputs = [folder / "new/x.flac", folder / "y.wav", folder / "new/z.aiff"]
    os.mkdir(folder / "new")
    for given in outputs, tuple(outputs), dict(zip(sources, outputs)):
        for jobs in None, 1, 2:
            records = scaleaudio.convert(sources, factor=2, output=given, jobs=jobs, overwrite=True)
            assert [(record.input, record.output) for record in records] == [(str(a), str(b)) for a, b in zip(sources, outputs)]
            assert [soundfile.info(output).frames for output in outputs] == [RATE * 2, RATE, RATE // 2]
    assert [soundfile.info(output).format for output in outputs] == ["FLAC", "WAV", "AIFF"]
    # A file that fails is a record among the others, or ends the run.
    sources[1] = folder / "bad.wav"
    assert [record.status for record in scaleaudio.convert(sources, factor=2, output=outputs, overwrite=True)] == ["done", "failed", "done"]
    with pytest.raises(scaleaudio.ConversionError, match="bad.wav"):
        scaleaudio.convert(sources, factor=2, output=outputs, overwrite=True, on_error="raise")
    assert scaleaudio.convert([], factor=2, output=[]) == []
    [record] = scaleaudio.convert([folder / "in.wav"], factor=2, output=[folder / "t.wav"], options=["--threads", "1"])
    assert record.status == "done"
    before = (folder / "in.wav").read_bytes()
    for sources, outputs, part in (
        (["in.wav", "two.wav"], ["a.wav"], "1 paths for 2 inputs"), (["in.wav", "two.wav"], ["a.wav", "a.wav"], "a.wav"),
        (["in.wav", "two.wav"], ["a.wav", "./a.wav"], "two inputs"), (["in.wav", "two.wav"], ["a.wav", "in.wav"], "is an input"),
    ):
        with pytest.raises(scaleaudio.ScaleAudioError, match=part):
            scaleaudio.convert(
                [folder / name for name in sources], factor=2, output=[f"{folder}/{name}" for name in outputs], overwrite=True)
    for outputs, options, part in (
        ([f"{folder}/o/", f"{folder}/o/"], (), "is a folder"), ([folder, folder / "a.wav"], (), "is a folder"),
        ((name for name in [folder / "a.wav", folder / "b.wav"]), ["--manifest", "m.csv"], "one run"),
        ([folder / "a.wav", folder / "b.wav"], ["--manifest=m.csv"], "one run"),
    ):
        with pytest.raises(scaleaudio.ScaleAudioError, match=part):
            scaleaudio.convert([folder / "in.wav", folder / "two.wav"], factor=2, output=outputs, options=options)
    with pytest.raises(scaleaudio.ScaleAudioError, match="two.wav"):
        scaleaudio.convert([folder / "two.wav"], factor=2, output={folder / "in.wav": folder / "a.wav"})
    with pytest.raises(scaleaudio.ScaleAudioError, match="0.01 to 100"):
        scaleaudio.convert([folder / "in.wav", folder / "two.wav"], factor=1000, output=[folder / "a.wav", folder / "b.wav"])
    assert (folder / "in.wav").read_bytes() == before and not os.path.exists(folder / "a.wav")


def test_closing_interrupts_all_of_several_programs(folder):
    soundfile.write(folder / "long.flac", numpy.zeros((RATE * 3600, 1), numpy.int16), RATE)
    with scaleaudio.conversions(
        [folder / "in.wav", folder / "long.flac"], factor=90, method="sinc", output=[folder / "a.wav", folder / "b.flac"], jobs=2,
    ) as records:
        assert next(records).output.endswith("a.wav")
    assert names(folder) == ["a.wav", "bad.wav", "in.wav", "long.flac"]
    assert list(records) == []


def test_facts_about_several_files(folder):
    good, bad, missing = scaleaudio.info([folder / "in.wav", folder / "bad.wav", folder / "missing.wav"])
    assert (good.input, good.frames, good.error) == (str(folder / "in.wav"), RATE, None)
    assert "bad.wav" in bad.error and "missing.wav" in missing.error
    assert bad.input == str(folder / "bad.wav")


def test_runs_of_many_tasks(folder, monkeypatch):
    monkeypatch.chdir(folder)
    os.makedirs("corpus")
    for number in range(5):
        os.link("in.wav", f"corpus/{number}.wav")
    plan = scaleaudio.plan("corpus", shards=3, run="run", output="out", speed=[0.8, 1.25], format="flac")
    assert (list(plan.shards), plan.inputs, plan.outputs, plan.problems) == ([1, 2, 3], 5, 10, [])
    assert os.fspath(plan) == plan.run == "run" and pickle.loads(pickle.dumps(plan)) == plan
    before = scaleaudio.merge(plan)
    assert (before.complete, before.done, before.failed, before.missing, before.shards) == (False, 0, 0, 10, [1, 2, 3])
    assert {kind for kind, _ in before.findings} == {"missing"} and len(before.findings) == 10
    os.link("bad.wav", "corpus/bad.wav")
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        records = [record for part in pool.map(functools.partial(scaleaudio.shard, plan), plan.shards) for record in part]
    assert sorted(record.output_frames for record in records) == [RATE * 4 // 5] * 5 + [RATE * 5 // 4] * 5
    merged = scaleaudio.merge("run", check=True, write={"nemo": folder / "all.json"})
    assert (merged.complete, merged.done, merged.failed, merged.missing, merged.shards, merged.findings) == (True, 10, 0, 0, [], [])
    lines = [json.loads(line) for line in (folder / "all.json").read_text().splitlines()]
    assert sorted(line["duration"] for line in lines) == [0.8] * 5 + [1.25] * 5
    # Lists of files, folders and manifests together, of which one fails.
    (folder / "list.jsonl").write_text('{"audio_filepath": "corpus/3.wav", "duration": 1}\n')
    plan = scaleaudio.plan(
        [b"corpus/1.wav", folder / "corpus/bad.wav", "list.jsonl"], shards=1, run=folder / "run2", output=folder / "out2", tempo=2,
        options=["--bits", "24"])
    assert plan.inputs == 3
    assert sorted(record.status for record in scaleaudio.shard(plan, 1, jobs=1)) == ["done", "done", "failed"]
    merged = scaleaudio.merge(plan, retry="todo.jsonl")
    assert (merged.complete, merged.done, merged.failed, merged.missing) == (True, 2, 1, 0)
    [(kind, sentence)] = merged.findings
    assert kind == "failed" and "bad.wav" in sentence and "bad.wav" in (folder / "todo.jsonl").read_text()
    for call, part in (
        (lambda: scaleaudio.plan("corpus", shards=0, run="run3", output="out3", speed=2), "shards"),
        (lambda: scaleaudio.plan("corpus", shards=1, run="run", output="out3", speed=2), "run"),
        (lambda: scaleaudio.plan("corpus", shards=1, run="run4", output="out", speed=[0.8, 1.25], format="flac"), "exist"),
        (lambda: scaleaudio.merge("nowhere"), "no plan"), (lambda: scaleaudio.shard("nowhere", 1), "no plan"),
        (lambda: scaleaudio.shard("run", 4), "4"), (lambda: scaleaudio.merge("run", write={"xml": "a.xml"}), "nemo"),
    ):
        with pytest.raises(scaleaudio.ScaleAudioError, match=part):
            call()
    with pytest.raises(TypeError, match="jobs"):
        scaleaudio.plan("corpus", shards=1, run="run5", output="out5", jobs=3)


def test_many_outputs_are_verified(folder):
    paths = [folder / f"{number}.wav" for number in range(300)]
    for path in paths:
        os.link(folder / "in.wav", path)
    scaleaudio.convert(paths, factor=2)
    found = scaleaudio.verify(paths)
    assert [one.status for one in found] == ["ok"] * 300 and {one.input for one in found} == {str(path) for path in paths}


def test_names_are_found_when_they_are_used():
    code = (
        "import sys\nbefore = set(sys.modules)\nimport scaleaudio\n"
        "assert not {'subprocess', 'tempfile', 'dataclasses', 'ctypes', 'json', 'typing'} & (set(sys.modules) - before)\n"
        "for name in scaleaudio.__all__: assert name in dir(scaleaudio) and getattr(scaleaudio, name) is not None, name\n"
        "from scaleaudio import *\nassert convert is scaleaudio.convert and tempo is scaleaudio.tempo\n"
        "assert scaleaudio.compat.librosa.effects and scaleaudio.augment.Tempo\n"
        "assert not hasattr(scaleaudio, 'subprocess') and not hasattr(scaleaudio, 'json')")
    subprocess.run([sys.executable, "-c", code], check=True)
