"""Sounds that the tests convert, made by libsndfile."""
import importlib.util, pathlib, sys

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


@pytest.fixture
def lhotse():
    """The real lhotse, where need be with a stand-in for torch, which manifests do not use."""
    if importlib.util.find_spec("torch") is None:
        sys.path.append(str(pathlib.Path(__file__).parents[2] / "Tests/CommandTests/Support"))
        pytest.importorskip("torchless")
    return pytest.importorskip("lhotse")
