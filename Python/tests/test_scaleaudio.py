"""The module against the real program."""
import os, signal, subprocess, sys, time

import numpy, pytest, scaleaudio, soundfile

RATE = 8000
# Where FFmpeg's libraries are missing, the file might be something that only they read.
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


def test_errors_are_raised_where_asked(folder):
    with pytest.raises(scaleaudio.ConversionError) as raised:
        list(scaleaudio.convert([folder / "bad.wav"], factor=2, output=folder / "out", on_error="raise"))
    assert raised.value.error_class in NO_AUDIO
    assert raised.value.record.input == str(folder / "bad.wav")


def test_wrong_arguments(folder):
    with pytest.raises(scaleaudio.ScaleAudioError) as raised:
        list(scaleaudio.convert(folder / "in.wav", factor=1000))
    assert raised.value.status == 64
    assert "0.01 to 100" in str(raised.value) and "Usage" not in str(raised.value)
    with pytest.raises(ValueError):
        scaleaudio.convert(folder / "in.wav", factor=2, on_error="ignore")
    assert names(folder) == ["bad.wav", "in.wav"]


def test_a_missing_file_is_a_record(folder):
    [record] = scaleaudio.convert(folder / "missing.wav", factor=2)
    assert (record.status, record.error_class) == ("failed", "cannot-open")


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
    with scaleaudio.convert(
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
        f"list(scaleaudio.convert({str(folder / 'long.flac')!r}, factor=90, method='sinc'))")
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
