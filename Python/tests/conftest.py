"""Sounds that the tests convert, made by libsndfile."""
import numpy, pytest, soundfile

RATE = 8000


@pytest.fixture
def noise():
    """A second of stereo noise, the same in every run."""
    return numpy.random.default_rng(7).integers(-20000, 20000, (RATE, 2), numpy.int16)


@pytest.fixture
def folder(tmp_path, noise):
    """A folder with a WAV file of that noise, and with a file that is not audio."""
    soundfile.write(tmp_path / "in.wav", noise, RATE)
    (tmp_path / "bad.wav").write_bytes(b"not audio at all")
    return tmp_path
