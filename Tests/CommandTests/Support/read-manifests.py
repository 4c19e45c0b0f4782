"""Reads the manifests `m.lhotse.jsonl.gz`, `m.kaldi` and `m.nemo` with lhotse and kaldiio and all audio that they list.

Prints a line for each: the reader, the name, the rate, the number of samples.
"""
import json
import os

import torchless  # before lhotse
import kaldiio
import soundfile
from lhotse import RecordingSet, SupervisionSegment, SupervisionSet, validate
from lhotse.kaldi import load_kaldi_data_dir
from lhotse.qa import validate_recordings_and_supervisions

recordings = RecordingSet.from_file("m.lhotse.jsonl.gz").to_eager()
validate(recordings)
for recording in recordings:
    samples = recording.load_audio()
    assert samples.shape == (recording.num_channels, recording.num_samples), recording
    print("lhotse", recording.id, recording.sampling_rate, recording.num_samples)

# The names are those that lhotse itself gives to what it perturbs.
originals = [r for r in recordings if "_sp" not in r.id]
for original in originals:
    segment = SupervisionSegment(original.id, original.id, 0, original.duration)
    for speed in [0.9, 1.1]:
        perturbed = segment.perturb_speed(speed, original.sampling_rate)
        assert perturbed.recording_id in {r.id for r in recordings}, perturbed.recording_id
segments = SupervisionSet.from_segments(
    SupervisionSegment(r.id, r.id, 0, r.duration) for r in originals)
validate_recordings_and_supervisions(recordings, segments)

for recording in load_kaldi_data_dir("m.kaldi", 16000)[0]:
    samples = recording.load_audio()
    assert samples.shape == (recording.num_channels, recording.num_samples), recording
    print("kaldi", recording.id, recording.sampling_rate, recording.num_samples)
for name, (rate, samples) in kaldiio.load_scp("m.kaldi/wav.scp").items():
    print("kaldiio", name, rate, len(samples))

# As NeMo's documentation describes it.
with open("m.nemo", encoding="utf-8") as lines:
    for line in lines:
        record = json.loads(line)
        with soundfile.SoundFile(os.fsencode(record["audio_filepath"])) as file:
            assert abs(file.frames / file.samplerate - record["duration"]) < 1e-9, record
            print("nemo", os.path.basename(record["audio_filepath"]), file.samplerate, file.frames)
