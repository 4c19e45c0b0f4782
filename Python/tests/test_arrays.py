"""Arrays, scaled in this process, against the program and against arithmetic."""
import concurrent.futures, copy, functools, multiprocessing, os, pickle, subprocess, sys

import numpy, pytest, scaleaudio, soundfile
from scaleaudio import augment
from scaleaudio.compat import librosa as like_librosa, pyrubberband as like_pyrubberband, python_stretch as like_python_stretch

RATE = 16000


@pytest.fixture(scope="module")
def voice():
    """A second of tones with attacks, in two channels: (channels, frames), float32."""
    time = numpy.arange(RATE) / RATE
    tone = sum(numpy.sin(2 * numpy.pi * 150 * k * time) / k for k in range(1, 15)) * (time % 0.3 < 0.2) * 0.1
    noise = numpy.random.default_rng(7).standard_normal(RATE) * 0.01
    return numpy.stack([tone, tone * 0.5 + noise]).astype(numpy.float32)


def program(tmp_path, samples, **options):
    """The program's output for samples of the shape (channels, frames)."""
    soundfile.write(tmp_path / "in.wav", samples.T, RATE, "DOUBLE" if samples.dtype == numpy.float64 else "FLOAT")
    scaleaudio.convert(tmp_path / "in.wav", output=tmp_path / "out.wav", overwrite=True, **options)
    made, rate = soundfile.read(tmp_path / "out.wav", dtype=samples.dtype.name, always_2d=True)
    return made.T


def test_the_verbs_are_the_program(tmp_path, voice):
    for samples in voice, voice.astype(numpy.float64):
        for made, options in (
            (scaleaudio.tempo(samples, RATE, 1.25), {"tempo": 1.25}),
            (scaleaudio.speed(samples, RATE, 1.1), {"speed": 1.1}),
            (scaleaudio.speed(samples, RATE, 1.1, quality="best"), {"speed": 1.1, "quality": "best"}),
            (scaleaudio.pitch(samples, RATE, -2, formants="preserve"), {"pitch": -2, "options": ["--formants", "preserve"]}),
            (scaleaudio.resample(samples, RATE, 22050), {"factor": 1, "rate": 22050}),
            (scaleaudio.scale(samples, 1.5), {"factor": 1.5}),
            (scaleaudio.scale(samples, 1.5, method="linear"), {"factor": 1.5, "method": "linear"}),
        ):
            assert made.dtype == samples.dtype
            assert numpy.array_equal(made, program(tmp_path, samples, **options)), options
    (tmp_path / "map.txt").write_text("0 0\n0.4 0.6\n1 1.1\n")
    expected = program(tmp_path, voice, options=["--map", str(tmp_path / "map.txt")])
    assert numpy.array_equal(scaleaudio.warp(voice, RATE, [(0, 0), (0.4, 0.6), (1, 1.1)]), expected)


def test_lengths():
    for frames in 0, 1, 2, 999, 44100:
        y = numpy.zeros(frames, numpy.float32)
        assert len(scaleaudio.tempo(y, 44100, 1.25)) == int(frames * 0.8)
        assert len(scaleaudio.speed(y, 44100, 0.9)) == int(frames * (1 / 0.9))
        assert len(scaleaudio.pitch(y, 44100, 3)) == frames
        for sr, to in (44100, 48000), (48000, 16000), (8000, 44100):
            assert len(scaleaudio.resample(y, sr, to)) == frames * to // sr
    # 624000 / 1.3 is 480,000; its reciprocal is a little below.
    assert len(scaleaudio.tempo(numpy.zeros(624_000, numpy.float32), 44100, 1.3)) == int(624_000 * (1 / 1.3)) == 479_999


def test_shapes_and_axes(voice):
    expected = scaleaudio.tempo(voice, RATE, 1.25)
    assert expected.shape == (2, 12800)
    assert numpy.array_equal(scaleaudio.tempo(voice.T, RATE, 1.25, axis=0), expected.T)
    assert numpy.array_equal(scaleaudio.tempo(voice.T.copy(), RATE, 1.25, axis=0), expected.T)
    assert numpy.array_equal(scaleaudio.tempo(voice[:, None], RATE, 1.25), expected[:, None])
    middle = numpy.moveaxis(voice[:, None], -1, 1)
    assert numpy.array_equal(scaleaudio.tempo(middle, RATE, 1.25, axis=1), numpy.moveaxis(expected[:, None], -1, 1))
    assert numpy.array_equal(scaleaudio.tempo(voice[0], RATE, 1.25), scaleaudio.tempo(voice[:1], RATE, 1.25)[0])
    every = voice[:, ::2]
    assert numpy.array_equal(scaleaudio.speed(every, RATE, 1.25), scaleaudio.speed(every.copy(), RATE, 1.25))
    before = voice.copy()
    before.flags.writeable = False
    scaleaudio.tempo(before, RATE, 1.25)
    for wrong in ({"axis": 2}, {"axis": -3}):
        with pytest.raises(ValueError, match="axis"):
            scaleaudio.tempo(voice, RATE, 1.25, **wrong)
    with pytest.raises(ValueError, match="channels"):
        scaleaudio.tempo(numpy.zeros((65, 10), numpy.float32), RATE, 1.25)
    with pytest.raises(ValueError, match="channels"):
        scaleaudio.tempo(numpy.zeros((0, 10), numpy.float32), RATE, 1.25)


def test_out(voice):
    expected = scaleaudio.speed(voice, RATE, 1.25)
    out = numpy.zeros_like(expected)
    assert scaleaudio.speed(voice, RATE, 1.25, out=out) is out and numpy.array_equal(out, expected)
    wide = numpy.zeros((2, 2 * expected.shape[1]), numpy.float32)
    view = wide[:, ::2]
    assert scaleaudio.speed(voice, RATE, 1.25, out=view) is view and numpy.array_equal(view, expected)
    assert not wide[:, 1::2].any()
    for wrong in out[:, 1:], out.astype(numpy.float64), list(out):
        with pytest.raises(ValueError, match="out"):
            scaleaudio.speed(voice, RATE, 1.25, out=wrong)
    with pytest.raises(ValueError, match="memory"):
        scaleaudio.scale(voice, 1.0, out=voice)


def test_types(voice):
    whole = (voice * 32767).astype(numpy.int16)
    assert scaleaudio.scale(whole, 1.5).dtype == numpy.int16
    # An integer is rounded from what lies between its neighbors.
    assert numpy.abs(scaleaudio.scale(whole, 1.5) / 32768 - scaleaudio.scale(voice, 1.5)).max() < 1e-4
    swapped = voice.astype(">f4")
    assert numpy.array_equal(scaleaudio.tempo(swapped, RATE, 1.25), scaleaudio.tempo(voice, RATE, 1.25))
    for wrong in voice.astype(numpy.float16), voice.astype(numpy.int32), voice.astype(complex), [1, 2]:
        with pytest.raises(TypeError, match="float32, float64 or int16"):
            scaleaudio.tempo(wrong, RATE, 1.25)

    class Tensor:
        """An array of another library, by the protocol alone."""

        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    assert numpy.array_equal(scaleaudio.tempo(Tensor(voice), RATE, 1.25), scaleaudio.tempo(voice, RATE, 1.25))
    broken = voice.copy()
    broken[0, 100:200] = numpy.nan
    broken[1, 300] = numpy.inf
    silent = numpy.where(numpy.isfinite(broken), broken, 0).astype(numpy.float32)
    for change in scaleaudio.tempo, scaleaudio.speed:
        assert numpy.array_equal(change(broken, RATE, 1.25), change(silent, RATE, 1.25))
    assert numpy.array_equal(scaleaudio.scale(broken, 1.5), scaleaudio.scale(silent, 1.5))


def test_wrong_values(voice):
    for call in (
        lambda: scaleaudio.tempo(voice, RATE, 0), lambda: scaleaudio.tempo(voice, RATE, float("nan")),
        lambda: scaleaudio.tempo(voice, RATE, 70), lambda: scaleaudio.pitch(voice, RATE, 49),
        lambda: scaleaudio.pitch(voice, RATE, float("inf")), lambda: scaleaudio.tempo(voice, 0, 1.1),
        lambda: scaleaudio.tempo(voice, 10**30, 1.1), lambda: scaleaudio.tempo(voice, RATE + 0.5, 1.1),
        lambda: scaleaudio.resample(voice, 0, 8000), lambda: scaleaudio.scale(voice, 0), lambda: scaleaudio.scale(voice, -1),
        lambda: scaleaudio.scale(voice, 2, method="cubic"), lambda: scaleaudio.speed(voice, RATE, 2, quality="great"),
        lambda: scaleaudio.warp(voice, RATE, []), lambda: scaleaudio.warp(voice, RATE, [(0, 0), (0.5, 1)]),
        lambda: scaleaudio.warp(voice, RATE, [(0, 0), (0.5, 1), (1, 0.5)]),
        lambda: scaleaudio.tempo(voice, RATE, 10**400), lambda: scaleaudio.pitch(voice, RATE, 10**400),
        lambda: scaleaudio.scale(voice, 10**400), lambda: scaleaudio.warp(voice, RATE, [(0, 0), (1, 10**400)]),
        lambda: like_librosa.time_stretch(voice, rate=5e-324),
        lambda: augment.Tempo(0, 1), lambda: augment.Tempo(0.5, 21), lambda: augment.Tempo(float("nan"), 1), lambda: augment.Tempo(2, 1),
        lambda: augment.Tempo(1, 2, p=1.5), lambda: augment.Speed(0, 1), lambda: augment.Speed(1, 10**400), lambda: augment.Pitch(-49, 0),
        lambda: augment.Pitch(0, 1, formants="keep"), lambda: scaleaudio.Stream(RATE, 65, speed=2), lambda: scaleaudio.Stream(RATE, tempo=2, method="linear", semitones=1),
    ):
        with pytest.raises(scaleaudio.ScalingError) as raised:
            call()
        assert str(raised.value) and isinstance(raised.value, (scaleaudio.ScaleAudioError, ValueError))
        same = pickle.loads(pickle.dumps(raised.value))
        assert type(same) is scaleaudio.ScalingError and str(same) == str(raised.value) and same.status == 64
        assert str(copy.copy(raised.value)) == str(raised.value)
    for call, part in (
        (lambda: scaleaudio.tempo(voice, float("nan"), 1.1), "sr is nan"), (lambda: scaleaudio.tempo(voice, float("inf"), 1.1), "sr is inf"),
        (lambda: scaleaudio.Stream(RATE, frames=float("nan")), "frames is nan"), (lambda: scaleaudio.Stream(RATE, frames=-1), "frames is -1"),
        (lambda: scaleaudio.Stream(RATE, channels=float("inf")), "channels is inf"), (lambda: scaleaudio.Stream(RATE, frames=2**41), str(2**41)),
    ):
        with pytest.raises(scaleaudio.ScalingError, match=part):
            call()


def test_the_ends_of_the_ranges(voice):
    short = voice[:, :2000]
    for change, low, high in (
        (augment.Tempo, 0.01, 20), (augment.Speed, 2.0**-8, 2.0**16), (augment.Pitch, -48, 48),
    ):
        for value in low, high:
            made = change(value, value)(short, RATE)
            assert made.shape[1] == (2000 if change is augment.Pitch else int(2000 * (1 / value)))


def test_streams(voice):
    random = numpy.random.default_rng(1)
    for options, expected in (
        ({"speed": 1.1}, scaleaudio.speed(voice, RATE, 1.1)), ({"speed": 1.0}, voice), ({"tempo": 1.0}, voice), (
            {"factor": 1, "method": "smoothstep"}, voice), ({"tempo": 1.25}, scaleaudio.tempo(voice, RATE, 1.25)),
        ({"semitones": 2}, scaleaudio.pitch(voice, RATE, 2)), ({"factor": 1.5, "method": "smoothstep"}, scaleaudio.scale(voice, 1.5)),
    ):
        for frames in None, RATE:
            with scaleaudio.Stream(RATE, 2, frames=frames, **options) as stream:
                for _ in range(2):
                    stream.reset()
                    places = [0, *sorted(random.integers(0, RATE, 9)), RATE]
                    parts = [stream.push(voice[:, one:next]) for one, next in zip(places, places[1:])]
                    if expected is voice:
                        assert sum(part.shape[1] for part in parts) >= RATE - 1
                    if "speed" in options or "method" in options and frames:
                        assert sum(part.shape[1] for part in parts) > RATE // 2
                    assert numpy.array_equal(numpy.concatenate([*parts, stream.end()], 1), expected)
                if frames:
                    first = stream.begin(5000)
                    parts = [stream.push(voice[:, first:]), stream.end()]
                    made = numpy.concatenate(parts, 1)
                    assert made.shape == expected[:, 5000:].shape and numpy.abs(made - expected[:, 5000:]).max() < 2e-6
    with scaleaudio.Stream(RATE, 2, tempo=1.25, frames=RATE, axis=0) as stream:
        stream.study(voice.T)
        early = stream.push(voice.T)
        assert len(early) > RATE // 2
        assert numpy.array_equal(numpy.concatenate([early, stream.end()]), scaleaudio.tempo(voice, RATE, 1.25).T)
        with pytest.raises(scaleaudio.ScalingError, match="the input has ended"):
            stream.push(voice.T)
        with pytest.raises(TypeError):
            pickle.dumps(stream)
    with pytest.raises(ValueError, match="closed"):
        stream.reset()
    with scaleaudio.Stream(RATE, 2, speed=2) as stream:
        with pytest.raises(ValueError, match="2 channels"):
            stream.push(voice[0])
        with pytest.raises(TypeError):
            stream.push(voice.astype(numpy.float64))
        with pytest.raises(scaleaudio.ScalingError, match="needs input_frames"):
            stream.begin(3)
    with scaleaudio.Stream(RATE, 2, speed=2, frames=100) as stream:
        with pytest.raises(scaleaudio.ScalingError, match="frame 51 is not within 0 to 50"):
            stream.begin(51)
        with pytest.raises(scaleaudio.ScalingError, match="frame is -1"):
            stream.begin(-1)
        with pytest.raises(scaleaudio.ScalingError, match="than the 100 that"):
            stream.push(voice)
        stream.push(voice[:, :60])
        with pytest.raises(scaleaudio.ScalingError, match="60 of 100"):
            stream.end()
    with pytest.raises(TypeError):
        scaleaudio.Stream(RATE, speed=2, tempo=2)


def faster(samples):
    return scaleaudio.tempo(samples, RATE, 1.25)


def test_processes_and_threads(voice):
    expected = faster(voice)
    for method in "fork", "spawn":
        with multiprocessing.get_context(method).Pool(2) as pool:
            for made in pool.map(faster, [voice] * 4):
                assert numpy.array_equal(made, expected)
        with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context(method)) as pool:
            assert numpy.array_equal(pool.submit(faster, voice).result(), expected)
            with pytest.raises(scaleaudio.ScalingError):
                pool.submit(scaleaudio.tempo, voice, RATE, 70).result()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for made in pool.map(faster, [voice] * 8):
            assert numpy.array_equal(made, expected)


def test_map(tmp_path, voice):
    paths = [tmp_path / f"{number}.wav" for number in range(9)]
    for number, path in enumerate(paths):
        soundfile.write(path, voice[:, number * 100:].T, RATE, "FLOAT")
    runs = []
    for threads in 1, 3:
        found = list(scaleaudio.map(paths, augment.Tempo(0.9, 1.1, seed=3), threads=threads))
        assert [path for path, _, _ in found] == paths and {rate for _, _, rate in found} == {RATE}
        runs.append([samples for _, samples, _ in found])
    change = augment.Tempo(0.9, 1.1, seed=3)
    for number, (one, two) in enumerate(zip(*runs)):
        assert numpy.array_equal(one, two)
        assert numpy.array_equal(one, change(numpy.ascontiguousarray(voice[:, number * 100:]), RATE))
    with pytest.raises(Exception, match="missing"):
        list(scaleaudio.map([paths[0], tmp_path / "missing.wav"], change))


def faster_files(paths):
    """A partition of paths, as a task of a cluster gets it."""
    return [(str(path), scaleaudio.tempo(soundfile.read(path, dtype="float32")[0].T, RATE, 1.25)) for path in paths]


def test_dask_where_it_is_installed(tmp_path, voice):
    dask = pytest.importorskip("dask")
    import dask.array, dask.bag

    expected = faster(voice)
    for scheduler in "threads", "processes":
        [made] = dask.compute(dask.delayed(faster)(voice), scheduler=scheduler)
        assert numpy.array_equal(made, expected)
        paths = [str(tmp_path / f"{number}.wav") for number in range(6)]
        for path in paths:
            soundfile.write(path, voice.T, RATE, "FLOAT")
        found = dask.bag.from_sequence(paths, npartitions=3).map_partitions(faster_files).compute(scheduler=scheduler)
        assert [path for path, _ in found] == paths and all(numpy.array_equal(made, expected) for _, made in found)
        # Utterances of one length: (utterances, frames), in blocks of some utterances.
        whole = dask.array.from_array(numpy.stack([voice[0]] * 4), chunks=(2, -1))
        made = whole.map_blocks(each_faster, dtype=numpy.float32, chunks=(whole.chunks[0], (RATE * 4 // 5,))).compute(scheduler=scheduler)
        assert numpy.array_equal(made, numpy.stack([faster(voice[0])] * 4))
        # Partitions of paths, each by one run of the program.
        convert = functools.partial(scaleaudio.convert, tempo=1.25, output=tmp_path / scheduler)
        records = dask.bag.from_sequence(paths, npartitions=2).map_partitions(convert).compute(scheduler=scheduler)
        assert [record.output_frames for record in records] == [RATE * 4 // 5] * 6


def each_faster(block):
    return numpy.stack([faster(utterance) for utterance in block])


def drawn(change):
    return [change.draw() for _ in range(3)]


def test_augmentation(voice):
    for kind, low, high, name in (
        (augment.Tempo, 0.9, 1.1, "tempo"), (augment.Speed, 0.9, 1.1, "speed"), (augment.Pitch, -2, 2, "pitch"),
    ):
        one, two = kind(low, high, seed=7), kind(low, high, seed=7)
        for _ in range(3):
            made = one(voice, RATE)
            assert numpy.array_equal(made, two(voice, RATE)) and made.dtype == numpy.float32
            assert low <= one.value <= high
            assert numpy.array_equal(made, getattr(scaleaudio, name)(voice, RATE, one.value))
        assert one(voice, RATE) is not voice
        assert kind(low, high, p=0)(voice, RATE) is voice
        assert one.draw("utterance") == kind(low, high, seed=7).draw(b"utterance") != kind(low, high, seed=8).draw("utterance")
        one.freeze_parameters()
        value = one.value
        one(voice, RATE)
        assert one.value == value and one.parameters["should_apply"]
        one.unfreeze_parameters()
        one(voice, RATE)
        assert one.value != value
        pickle.loads(pickle.dumps(one))(voice, RATE)
    values = [augment.Tempo(0.9, 1.1, seed=1).draw(number) for number in range(1000)]
    assert 0.99 < numpy.mean(values) < 1.01 and min(values) < 0.905 and max(values) > 1.095
    for wrong in ({"low": 2, "high": 1}, {"low": 1, "high": 2, "p": 1.5}):
        with pytest.raises(ValueError):
            augment.Tempo(**wrong)
    # Changes of the same seed stand in one chain, and must not move together.
    tempo, pitch = augment.Tempo(0.9, 1.1, seed=1), augment.Pitch(-2, 2, seed=1)
    pairs = [(tempo.draw(), pitch.draw()) for _ in range(1000)]
    keyed = [(augment.Tempo(0.9, 1.1, seed=seed).draw(key), augment.Pitch(-2, 2, seed=seed).draw(key)) for seed in (1, None) for key in range(1000)]
    for drawn_together in pairs, keyed[:1000], keyed[1000:]:
        # Of 1000 independent pairs, the correlation is 0.03 on average.
        assert abs(numpy.corrcoef(numpy.transpose(drawn_together))[0, 1]) < 0.15
    # Workers draw other numbers than each other, and the same in every run.
    change = augment.Tempo(0.9, 1.1, seed=5)
    here = drawn(change)
    runs = []
    for _ in range(2):
        found = []
        for worker in range(2):
            context = multiprocessing.get_context("fork")
            receiver, sender = context.Pipe(False)
            process = context.Process(target=lambda: sender.send(drawn(change)))
            # The number of a worker is that of its process among those of its parent.
            process._identity = (worker + 1,)
            process.start()
            found.append(receiver.recv())
            process.join()
        runs.append(found)
    assert runs[0] == runs[1] and len({tuple(values) for values in [here, *runs[0]]}) == 3


def test_the_names_of_librosa(voice):
    for rate in 0.9, 1.1, 1.37:
        for frames in RATE, RATE - 1, 777:
            made = like_librosa.time_stretch(voice[0, :frames], rate=rate)
            assert len(made) == round(frames / rate) and made.dtype == numpy.float32
    assert numpy.array_equal(like_librosa.effects.time_stretch(voice, rate=1.25, sr=RATE), scaleaudio.tempo(voice, RATE, 1.25))
    assert numpy.array_equal(like_librosa.effects.pitch_shift(voice, sr=RATE, n_steps=4, res_type="kaiser_best"), scaleaudio.pitch(voice, RATE, 4))
    assert numpy.array_equal(like_librosa.pitch_shift(voice, sr=RATE, n_steps=4, bins_per_octave=24), scaleaudio.pitch(voice, RATE, 2))
    made = like_librosa.resample(voice[:, 1:], orig_sr=RATE, target_sr=22050)
    assert made.shape == (2, -(-(RATE - 1) * 22050 // RATE))
    frames = (RATE - 1) * 22050 // RATE
    assert numpy.array_equal(made[:, :frames], scaleaudio.resample(voice[:, 1:], RATE, 22050))


def test_the_names_of_pyrubberband(voice):
    assert numpy.array_equal(like_pyrubberband.time_stretch(voice.T, RATE, 1.25), scaleaudio.tempo(voice, RATE, 1.25).T)
    assert numpy.array_equal(like_pyrubberband.pitch_shift(voice[0], RATE, 3), scaleaudio.pitch(voice[0], RATE, 3))
    made = like_pyrubberband.timemap_stretch(voice[0], RATE, [(0, 0), (6400, 9600), (16000, 17600)])
    assert numpy.array_equal(made, scaleaudio.warp(voice[0], RATE, [(0, 0), (0.4, 0.6), (1, 1.1)]))


def test_the_names_of_python_stretch(voice):
    stretch = like_python_stretch.Signalsmith.Stretch()
    stretch.preset(2, RATE)
    stretch.setTimeFactor(1.25)
    assert numpy.array_equal(stretch.process(voice), scaleaudio.tempo(voice, RATE, 1.25))
    stretch.setTransposeFactor(2.0)
    assert numpy.array_equal(stretch.process(voice), scaleaudio.tempo(voice, RATE, 1.25, semitones=12))
    with pytest.raises(scaleaudio.ScalingError):
        stretch.process(voice[:1])


def test_lengths_are_those_of_the_packages_where_they_are_installed(voice):
    """The real packages, of which none needs torch."""
    librosa, python_stretch = pytest.importorskip("librosa"), pytest.importorskip("python_stretch")
    for rate in 0.77, 0.9, 1.1, 1.3, 1.7:
        for frames in 15998, 15999, 16000:
            y = voice[:, :frames]
            assert like_librosa.effects.time_stretch(y, rate=rate).shape == librosa.effects.time_stretch(y, rate=rate).shape
            made = like_librosa.resample(y, orig_sr=RATE, target_sr=int(RATE * rate))
            assert made.shape == librosa.resample(y, orig_sr=RATE, target_sr=int(RATE * rate)).shape
            shapes = []
            for package in like_python_stretch, python_stretch:
                stretch = package.Signalsmith.Stretch()
                stretch.preset(2, RATE)
                stretch.setTimeFactor(rate)
                shapes.append(stretch.process(y).shape)
            assert shapes[0] == shapes[1]
    assert like_librosa.effects.pitch_shift(voice, sr=RATE, n_steps=2).shape == librosa.effects.pitch_shift(voice, sr=RATE, n_steps=2).shape


def test_audiomentations_where_it_is_installed(voice):
    audiomentations = pytest.importorskip("audiomentations")
    chain = audiomentations.Compose([augment.Tempo(0.9, 1.1, seed=3), audiomentations.Gain(-6, -6, p=1), augment.Pitch(-1, 1, p=0)])
    made = chain(voice, RATE)
    expected = augment.Tempo(0.9, 1.1, seed=3)(voice, RATE)
    assert made.shape == expected.shape and numpy.allclose(made, expected * 10 ** (-6 / 20), atol=1e-6)
    chain.freeze_parameters()
    assert numpy.array_equal(chain(voice, RATE), made)


def test_cuts_of_lhotse(tmp_path, voice, lhotse):
    from lhotse.qa import validate
    from lhotse.supervision import AlignmentItem

    soundfile.write(tmp_path / "in.wav", voice[0], RATE, "FLOAT")
    recording = lhotse.Recording.from_file(tmp_path / "in.wav")
    words = {"word": [AlignmentItem("two", 0.25, 0.5)]}
    spoken = lhotse.SupervisionSegment("s", recording.id, 0.25, 0.625, text="two words", speaker="a", alignment=words)
    late = lhotse.SupervisionSegment("t", recording.id, 0.5, 0.75, text="cut off")
    cut = lhotse.MonoCut("c", 0.125, 0.75, 0, supervisions=[spoken, late], recording=recording, custom={"set": 1})
    for change, same in (augment.Tempo(0.8, 1.2, seed=3), False), (augment.Speed(0.8, 1.2, seed=3), False), (augment.Pitch(-2, 2), True):
        made = change.cut(cut)
        validate(made)
        expected = change.apply(voice[:1, RATE // 8:RATE // 8 + RATE * 3 // 4], RATE, change.draw("c"))
        assert numpy.array_equal(made.load_audio(), expected)
        assert made.num_samples == made.recording.num_samples == expected.shape[1] and made.custom == {"set": 1}
        factor = expected.shape[1] / (RATE * 0.75)
        assert (factor == 1) == same
        one, two = made.supervisions
        assert (one.text, one.speaker) == ("two words", "a")
        assert one.start == pytest.approx(0.25 * factor) and one.duration == pytest.approx(0.5 * factor)
        [item] = one.alignment["word"]
        assert (item.start, item.duration) == (pytest.approx(0.25 * factor), pytest.approx(0.5 * factor))
        assert two.end == pytest.approx(made.duration)
    assert augment.Tempo(0.8, 1.2, p=0).cut(cut) is cut
    from lhotse.array import Array, TemporalArray

    array = Array("numpy_files", str(tmp_path), "a.npy", [100])
    over_time = TemporalArray(array, temporal_dim=0, frame_shift=0.01, start=0)
    for content in recording, array, over_time:
        whole = lhotse.MonoCut("c", 0, 1, 0, recording=recording, custom={"set": 1, "target": content})
        part = lhotse.MonoCut("c", 0, 1, 0, recording=recording, supervisions=[
            lhotse.SupervisionSegment("s", recording.id, 0, 1, custom={"target": content})])
        for one in whole, part:
            with pytest.raises(scaleaudio.ScalingError, match="'target'"):
                augment.Tempo(0.8, 1.2, seed=3).cut(one)
            assert augment.Tempo(0.8, 1.2, p=0).cut(one) is one
    assert [each.id for each in lhotse.CutSet.from_cuts([cut]).map(augment.Tempo(0.8, 1.2, seed=3).cut)] == [augment.Tempo(0.8, 1.2, seed=3).cut(cut).id]


def test_without_numpy():
    code = (
        "import sys\nsys.modules['numpy'] = None\nimport scaleaudio, scaleaudio.augment\n"
        "try: scaleaudio.tempo([0.0], 16000, 2)\nexcept ImportError as error: assert 'pip install numpy' in str(error), error\n"
        "else: raise SystemExit(1)")
    subprocess.run([sys.executable, "-c", code], check=True)
    # The module alone imports neither.
    code = "import scaleaudio, sys\nassert 'numpy' not in sys.modules and 'soundfile' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_missing_library(voice):
    code = "import numpy, scaleaudio\ntry: scaleaudio.tempo(numpy.zeros(9), 16000, 2)\nexcept ImportError as error: assert '/no/such' in str(error)\nelse: raise SystemExit(1)"
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "SCALEAUDIO_LIBRARY": "/no/such"})
