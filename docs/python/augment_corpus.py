"""Makes three versions of each utterance of a corpus, in worker processes, and writes their cuts as a manifest of lhotse.

  python augment_corpus.py CORPUS OUTPUT

CORPUS has an audio file for each utterance and beside it, under the same name, a .txt with the words. Needs only
`pip install scaleaudio[arrays]`. Numbers are drawn by the names of utterances, so every run makes the same files, whatever the number
of workers.
"""
import json
import multiprocessing
import sys
from pathlib import Path

import soundfile
from scaleaudio.augment import Pitch, Speed, Tempo

CHANGES = {
    "tempo": Tempo(0.9, 1.1, seed=1),
    "speed": Speed(0.9, 1.1, seed=1),
    "pitch": Pitch(-2, 2, formants="preserve", seed=1),
}


def augment(job):
    """Writes the versions of an utterance; returns their cuts."""
    source, folder = job
    samples, rate = soundfile.read(source, dtype="float32")
    text = source.with_suffix(".txt").read_text().strip()
    cuts = []
    for name, change in CHANGES.items():
        # soundfile has the time first, everything else last.
        changed = change(samples.T, rate, key=source.stem)
        path = folder / f"{source.stem}-{name}.wav"
        soundfile.write(path, changed.T, rate, subtype="FLOAT")
        cuts.append(cut(path, changed.shape[-1], rate, text, {name: change.value}))
    return cuts


def cut(path, frames, rate, text, changes):
    """A cut of lhotse: a whole file of one channel with one supervision."""
    seconds = frames / rate
    recording = {
        "id": path.stem, "sources": [{"type": "file", "channels": [0], "source": str(path)}], "sampling_rate": rate,
        "num_samples": frames, "duration": seconds, "channel_ids": [0]}
    spoken = {
        "id": path.stem, "recording_id": path.stem, "start": 0, "duration": seconds, "channel": 0, "text": text}
    return {
        "id": path.stem, "start": 0, "duration": seconds, "channel": 0, "supervisions": [spoken], "recording": recording,
        "custom": changes, "type": "MonoCut"}


def main():
    corpus, folder = map(Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [(path, folder) for path in sorted(corpus.iterdir()) if path.suffix in (".wav", ".flac")]
    with multiprocessing.Pool() as pool, open(folder / "cuts.jsonl", "w") as manifest:
        for cuts in pool.imap(augment, jobs, chunksize=8):
            for each in cuts:
                print(json.dumps(each), file=manifest)


if __name__ == "__main__":
    main()
