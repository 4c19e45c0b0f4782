"""The library for C against the program: the same bits, for every method, whatever the blocks.

  Tests/Library/check.py [EXAMPLE]    EXAMPLE is the compiled example of docs/library.md

SCALEAUDIO_LIBRARY names the library, SCALEAUDIO_PROGRAM the program (.build/release/scaleaudio).
"""
import ctypes, os, subprocess, sys, tempfile
from pathlib import Path

import numpy, soundfile

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SCALEAUDIO_PROGRAM", ROOT / ".build/release/scaleaudio")
RATE = 16000
METHODS = {
    "smoothstep": {"method": 0}, "linear": {"method": 1},
    "sinc fast": {"method": 2, "quality": 0}, "sinc high": {"method": 2, "quality": 1}, "sinc best": {"method": 2, "quality": 2},
    "stretch": {"method": 3}, "stretch up": {"method": 3, "semitones": 3.5},
    "stretch kept": {"method": 3, "semitones": -4.0, "formants": 1},
}
NAMES = ("smoothstep", "linear", "sinc", "stretch")
QUALITIES = ("fast", "high", "best")
TYPES = {"<f4": 0, "<f8": 1, "<i2": 2}
SUBTYPES = {"<f4": "FLOAT", "<f8": "DOUBLE", "<i2": "PCM_16"}


class Settings(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t), *((name, ctypes.c_int32) for name in (
            "method", "quality", "formants", "sample_type", "layout", "dither", "channels", "sample_rate")),
        ("factor", ctypes.c_double), ("semitones", ctypes.c_double), ("input_frames", ctypes.c_int64),
        ("output_frames", ctypes.c_int64), ("map", ctypes.POINTER(ctypes.c_double)), ("map_points", ctypes.c_int64)]


LIBRARY = ctypes.CDLL(os.environ["SCALEAUDIO_LIBRARY"])
for name in "output_frames", "scale", "pull", "begin":
    getattr(LIBRARY, f"scaleaudio_{name}").restype = ctypes.c_int64
LIBRARY.scaleaudio_version.restype = LIBRARY.scaleaudio_error_text.restype = ctypes.c_char_p
N = ctypes.c_int64


def settings(**values):
    made = Settings()
    assert LIBRARY.scaleaudio_defaults(ctypes.byref(made), N(ctypes.sizeof(made))) == 0
    for key, value in values.items():
        setattr(made, key, value)
    return made


def whole(samples, **values):
    """Scales an array of the shape (frames, channels) at once."""
    made = settings(channels=samples.shape[1], sample_type=TYPES[samples.dtype.str], sample_rate=RATE, **values)
    frames = LIBRARY.scaleaudio_output_frames(ctypes.byref(made), N(len(samples)))
    assert frames >= 0, LIBRARY.scaleaudio_error_text(N(frames))
    output = numpy.zeros((frames, samples.shape[1]), samples.dtype)
    message = ctypes.create_string_buffer(300)
    done = LIBRARY.scaleaudio_scale(
        ctypes.byref(made), samples.ctypes.data_as(ctypes.c_void_p), N(len(samples)),
        output.ctypes.data_as(ctypes.c_void_p), N(frames), message, N(300))
    assert done == frames, message.value
    return output


def planes(array):
    """Pointers to the channels of an array of the shape (channels, frames)."""
    return (ctypes.c_void_p * len(array))(*(plane.ctypes.data for plane in array))


def blocks(samples, random, known, planar, studied=False, reset=False, begin=None, early=False, **values):
    """Scales it in blocks of random sizes; `early` demands that frames come before the end."""
    channels = samples.shape[1]
    made = settings(
        channels=channels, sample_type=TYPES[samples.dtype.str], sample_rate=RATE, layout=int(planar),
        input_frames=len(samples) if known else -1, **values)
    scaler = ctypes.c_void_p()
    message = ctypes.create_string_buffer(300)
    assert LIBRARY.scaleaudio_create(ctypes.byref(made), ctypes.byref(scaler), message, N(300)) == 0, message.value
    call = lambda name, *rest: getattr(LIBRARY, f"scaleaudio_{name}")(scaler, *rest)
    room = numpy.zeros((5000, channels), samples.dtype)
    plain = numpy.zeros((channels, 5000), samples.dtype)
    parts = []

    def pull():
        while True:
            capacity = int(random.integers(1, 5000))
            target = planes(plain) if planar else room.ctypes.data_as(ctypes.c_void_p)
            count = call("pull", target, N(capacity))
            assert 0 <= count <= capacity
            if count == 0:
                return
            parts.append((plain.T if planar else room)[:count].copy())

    def give(name, block):
        block = numpy.ascontiguousarray(block.T if planar else block)
        address = planes(block) if planar else block.ctypes.data_as(ctypes.c_void_p)
        assert call(name, address, N(block.shape[1] if planar else len(block))) == 0

    for turn in range(2 if reset else 1):
        if turn:
            assert call("reset") == 0
            parts.clear()
        first = 0
        if begin is not None:
            first = call("begin", N(begin))
            assert first >= 0
        if studied:
            give("study", samples)
        while first < len(samples):
            count = int(random.integers(0, 3000))
            give("push", samples[first:first + count])
            first = min(len(samples), first + count)
            if random.integers(2):
                pull()
        pull()
        before = sum(len(part) for part in parts)
        assert before > 0 if early else True, f"no frames before the end: {values}, {known=}"
        if values["factor"] == 1 and "semitones" not in values:
            # Without a length, the last frame may be held back.
            assert before >= len(samples) - (begin or 0) - (not known), "frames were held back"
        assert call("end") == 0
        pull()
    call("destroy")
    return numpy.concatenate([samples[:0], *parts])


def program(path, target, values, samples):
    """The program's output for the same settings."""
    options = ["--method", NAMES[values["method"]]]
    if values["method"] == 2:
        options += ["--quality", QUALITIES[values["quality"]]]
    if "semitones" in values:
        options += [f"--pitch={values['semitones']}", "--formants", "preserve" if values.get("formants") else "shift"]
    subprocess.run(
        [PROGRAM, "convert", "-f", str(values["factor"]), *options, "--quiet", "--overwrite", path, "-o", target],
        check=True, env={**os.environ, "SCALEAUDIO_CONFIG": ""}, stdout=subprocess.DEVNULL)
    return soundfile.read(target, dtype={"<f4": "float32", "<f8": "float64", "<i2": "int16"}[samples.dtype.str], always_2d=True)[0]


def same(one, two, what):
    if one.tobytes() != two.tobytes():
        where = numpy.flatnonzero((one != two).any(axis=1))[:3] if one.shape == two.shape else ""
        sys.exit(f"{what}: differs; {one.shape} and {two.shape} {where}")


def errors():
    """Numbers and sentences of errors, as the header has them."""
    frames = numpy.zeros(100, "<f4")
    address = frames.ctypes.data_as(ctypes.c_void_p)
    count = 0

    def scaler(**values):
        made, message = ctypes.c_void_p(), ctypes.create_string_buffer(300)
        error = LIBRARY.scaleaudio_create(ctypes.byref(settings(**values)), ctypes.byref(made), message, N(300))
        assert error == 0, message.value
        return made

    def expect(scaler, result, wanted, part=b""):
        nonlocal count
        message = ctypes.create_string_buffer(300)
        assert LIBRARY.scaleaudio_message(scaler, message, N(300)) == 0
        assert result == wanted and part in message.value, (result, wanted, message.value)
        count += 1

    # Only stretch uses the rate, and only it studies.
    for method in range(4):
        made = settings(method=method, sample_rate=0, factor=1.5)
        assert (LIBRARY.scaleaudio_output_frames(ctypes.byref(made), N(100)) == -2) == (method == 3)
        made = settings(method=method, factor=0, output_frames=1)
        assert LIBRARY.scaleaudio_output_frames(ctypes.byref(made), N(0)) == -2
        made = settings(method=method, factor=0, output_frames=0)
        assert LIBRARY.scaleaudio_output_frames(ctypes.byref(made), N(0)) == 0
    for method in range(3):
        for known in 100, -1:
            one = scaler(method=method, factor=1.5, input_frames=known)
            expect(one, LIBRARY.scaleaudio_pull(one, address, N(10)), 0)
            if known > 0:
                assert LIBRARY.scaleaudio_begin(one, N(75)) >= 0
            expect(one, LIBRARY.scaleaudio_study(one, address, N(60)), 0)
            expect(one, LIBRARY.scaleaudio_study(one, address, N(100)), 0)
            assert LIBRARY.scaleaudio_reset(one) == 0
            expect(one, LIBRARY.scaleaudio_push(one, address, N(100)), 0)
            expect(one, LIBRARY.scaleaudio_study(one, address, N(100)), 0)
            LIBRARY.scaleaudio_destroy(one)
    one = scaler(method=3, factor=1.5, input_frames=60)
    expect(one, 0, 0)
    expect(one, LIBRARY.scaleaudio_study(one, address, N(100)), -4, b"60")
    expect(one, LIBRARY.scaleaudio_study(one, address, N(40)), 0)
    expect(one, LIBRARY.scaleaudio_push(one, address, N(60)), -3, b"40 of 60")
    expect(one, LIBRARY.scaleaudio_begin(one, N(91)), -2, b"91")
    assert LIBRARY.scaleaudio_reset(one) == 0
    expect(one, LIBRARY.scaleaudio_push(one, None, N(9)), -1, b"NULL")
    expect(one, LIBRARY.scaleaudio_push(one, address, N(-9)), -1, b"-9")
    LIBRARY.scaleaudio_destroy(one)
    one = scaler(method=3, factor=1.5)
    expect(one, LIBRARY.scaleaudio_study(one, address, N(100)), -3, b"input_frames")
    LIBRARY.scaleaudio_destroy(one)
    assert LIBRARY.scaleaudio_message(None, None, N(0)) == -1
    return count


def main():
    random = numpy.random.default_rng(7)
    assert LIBRARY.scaleaudio_abi() == 0
    version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True).stdout
    assert LIBRARY.scaleaudio_version().decode() in version
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "in.wav"), Path(folder, "out.wav")
        # A voice-like sound with attacks, and noise.
        time = numpy.arange(3 * RATE) / RATE
        tone = sum(numpy.sin(2 * numpy.pi * 140 * k * time) / k for k in range(1, 20)) * (time % 0.4 < 0.25)
        sound = numpy.stack([tone, 0.5 * tone + 0.1 * random.standard_normal(len(time))], 1) * 0.1
        for kind in TYPES:
            for channels in 1, 2:
                samples = sound[:, :channels]
                samples = (samples * 32767).round() if kind == "<i2" else samples
                samples = numpy.ascontiguousarray(samples.astype(kind))
                soundfile.write(source, samples, RATE, SUBTYPES[kind])
                for name, method in METHODS.items():
                    for factor in (0.8, 1.0, 1.37) if kind == "<f4" else (1.37,):
                        values = {**method, "factor": factor}
                        what = f"{name}, factor {factor}, {channels} channels of {kind}"
                        expected = program(source, target, values, samples)
                        same(whole(samples, **values), expected, what)
                        for known in True, False:
                            for planar in True, False:
                                early = method["method"] == 2 or method["method"] < 2 and known
                                same(blocks(samples, random, known, planar, early=early, **values), expected,
                                     f"{what}, in blocks, {known=}, {planar=}")
                                count += 1
                        same(blocks(samples, random, True, False, studied=True, reset=True, **values), expected, f"{what}, studied")
                        place = int(random.integers(len(expected)))
                        got = blocks(samples, random, True, False, begin=place, **values)
                        if method["method"] == 2 and factor != 1:
                            assert len(got) == len(expected) - place
                            error = numpy.abs(got.astype(float) - expected[place:].astype(float)).max()
                            assert error <= (1 if kind == "<i2" else 2e-5 if name == "sinc fast" else 2e-6), (what, error)
                        else:
                            same(got, expected[place:], f"{what}, from {place}")
                        count += 3
        if len(sys.argv) > 1:
            samples = numpy.ascontiguousarray(sound[:, :1].astype("<f4"))
            soundfile.write(source, samples, RATE, "FLOAT")
            expected = program(source, target, {"method": 3, "factor": 0.8}, samples)
            done = subprocess.run([sys.argv[1]], input=samples.tobytes(), capture_output=True, check=True)
            assert done.stdout == expected.tobytes(), "the example's output is not the program's"
            count += 1
    print(f"{count} outputs of the library are the program's, {errors()} answers those of the header")


main()
