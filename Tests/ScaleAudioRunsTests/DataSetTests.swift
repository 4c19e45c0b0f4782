import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import ScaleAudioRuns

/// Manifests of data sets as inputs of a run, and what a merge makes of their lines.
@Suite("Data sets as inputs")
struct DataSetTests {
  let bench: RunBench

  init() throws { bench = try RunBench() }

  /// The lines that a plan makes of a file or folder.
  private func lines(_ name: String) throws -> [RunLine] {
    try bench.plan(name)
    return try bench.run.lines(of: 1)
  }

  private func manifest(_ lines: [String], _ name: String = "m.jsonl") throws -> String {
    let text = lines.map { $0 + "\n" }.joined()
    try bench.folder.write(
      name, Array(text.replacing("IN", with: bench.folder.file("in").string).utf8))
    return name
  }

  // MARK: - NeMo and lhotse

  @Test func nemoLinesAreFilesAndParts() throws {
    let lines = try lines(
      manifest([
        #"{"audio_filepath": "IN/a.wav", "duration": 0.1125, "text": "one"}"#, "  ",
        #"{"audio_filepath": "IN/sub/b.wav", "duration": 0.1, "offset": 0.025, "text": "two"}"#,
      ]))
    #expect(lines.map { bench.name($0.input) } == ["in/a.wav", "in/sub/b.wav"])
    #expect(lines.map(\.seconds) == [0.1125, 0.1])
    #expect(lines.map(\.start) == [nil, 0.025] && lines.map(\.end) == [nil, 0.125])
    #expect(lines.map(\.source) == [.nemo, .nemo])
    let plan = try bench.run.plan()
    // All lengths are known, so they are the weights.
    #expect(plan.measure == .microseconds)
    #expect((plan.total, plan.longest?.weight) == (212_500, 112_500))
  }

  @Test func lhotseCutsAreParts() throws {
    func recording(_ name: String, _ seconds: Double) -> String {
      #""id": "r-\#(name)", "sources": [{"type": "file", "channels": [0], "source": "IN/\#(name).wav"}], "#
        + #""sampling_rate": 8000, "duration": \#(seconds)"#
    }
    let lines = try lines(
      manifest([
        "{\(recording("a", 0.1125))}",
        #"{"id": "c1", "start": 0.05, "duration": 0.1, "recording": {\#(recording("sub/b", 0.225))}}"#,
        #"{"id": "c2", "start": 0, "duration": 0.225, "recording": {\#(recording("sub/b", 0.225))}}"#,
      ]))
    #expect(lines.map { $0.id.map { String(decoding: $0, as: UTF8.self) } } == ["r-a", "c1", "c2"])
    #expect(lines.map(\.source) == [.recording, .cut, .cut])
    // 0.05 + 0.1 without final digits; the whole recording is no part.
    #expect(lines.map(\.start) == [nil, 0.05, nil] && lines.map(\.end) == [nil, 0.15, nil])
    #expect(
      lines.compactMap(\.outputs.first).map(bench.name) == [
        "out/r-a-speed0.9.wav", "out/c1-speed0.9.wav", "out/c2-speed0.9.wav",
      ])
  }

  @Test(arguments: [
    ("[]", "not a JSON object"), (#"{"text": "x"}"#, "neither audio_filepath"),
    (#"{"audio_filepath": 7}"#, "not a path"),
    (#"{"audio_filepath": "IN/a.wav", "duration": -1}"#, "duration is not a time"),
    (#"{"audio_filepath": "IN/a.wav", "offset": 0, "duration": 0}"#, "longer than 0 s"),
    (#"{"id": "r", "sources": []}"#, "needs one source"),
    (#"{"sources": [{"type": "url", "source": "x"}]}"#, "must be a file"),
    (
      #"{"sources": [{"type": "file", "source": "x"}], "transforms": [{"name": "Speed"}]}"#,
      "transforms"
    ),
    (
      #"{"channel": 1, "recording": {"sources": [{"type": "file", "source": "x"}], "channel_ids": [0, 1]}}"#,
      "channel 1 of 2"
    ),
  ])
  func unusableLinesAreNamed(line: String, reason: String) throws {
    let name = try manifest([#"{"audio_filepath": "IN/a.wav"}"#, line])
    guard case .badLine(let path, 2, let found)? = bench.refusal(of: name) else {
      Issue.record("the line was accepted")
      return
    }
    #expect(path == bench.folder.file(name))
    #expect(found.contains(reason), "\(found)")
    #expect(!bench.folder.exists("run/plan.json"))
  }

  @Test func partsOfManifestsAndOfOptionsExcludeEachOther() throws {
    let name = try manifest([#"{"audio_filepath": "IN/a.wav", "offset": 0.01, "duration": 0.05}"#])
    var request = try RunBench.request()
    request.settings.part = TimeRange(from: .afterStart(.seconds(0.01)), to: nil)
    #expect(
      bench.refusal(of: name, request: request) == .partsTwice(bench.folder.file("in/a.wav")))
  }

  // MARK: - Kaldi

  @Test func kaldiRecordingsKeepTheirNames() throws {
    _ = try manifest(["utt-1  IN/a.wav ", "", "utt/2\tIN/sub/b.wav"], "data/wav.scp")
    let lines = try lines("data")
    #expect(lines.map { bench.name($0.input) } == ["in/a.wav", "in/sub/b.wav"])
    #expect(
      lines.compactMap(\.outputs.first).map(bench.name)
        == ["out/utt-1-speed0.9.wav", "out/utt_2-speed0.9.wav"])
    #expect(lines.allSatisfy { $0.source == .kaldi && $0.start == nil })
  }

  @Test func kaldiSegmentsAreParts() throws {
    _ = try manifest(["rec IN/sub/b.wav"], "data/wav.scp")
    _ = try manifest(["u1 rec 0 0.1", "u2 rec 0.1 -1"], "data/segments")
    let lines = try lines("data")
    #expect(lines.map(\.start) == [0, 0.1] && lines.map(\.end) == [0.1, nil])
    #expect(lines.map(\.seconds) == [0.1, nil])
    #expect(
      lines.compactMap(\.outputs.last).map(bench.name)
        == ["out/u1-speed1.25.wav", "out/u2-speed1.25.wav"])
  }

  @Test(arguments: [
    ("rec", nil, "it has no file"), ("rec sox IN/a.wav -t wav - |", nil, "a command"),
    ("rec IN/a.wav", "u rec 0", "expected an utterance"),
    ("rec IN/a.wav", "u rec 0.2 0.1", "expected an utterance"),
    ("rec IN/a.wav", "u other 0 0.1", "has no other"),
  ])
  func unusableKaldiDataIsNamed(recordings: String, segments: String?, reason: String) throws {
    _ = try manifest([recordings], "data/wav.scp")
    if let segments { _ = try manifest([segments], "data/segments") }
    guard case .badLine(_, 1, let found)? = bench.refusal(of: "data") else {
      Issue.record("the data were accepted")
      return
    }
    #expect(found.contains(reason), "\(found)")
  }

  // MARK: - Merged lines

  /// A finished run of a manifest, by the names of its outputs.
  private func merged(_ name: String) async throws -> [(name: String, line: MergedLine)] {
    try bench.plan(name)
    #expect(try await bench.work().failed == 0)
    return try bench.merge().done.map { (bench.name($0.output), $0) }
  }

  private func object(_ json: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
  }

  /// 0.1 s at 8000 Hz are 800 frames: 888 at the speed 0.9, and 640 at 1.25.
  @Test func partsBecomeFilesOfTheirOwn() async throws {
    let done = try await merged(
      manifest([
        #"{"audio_filepath": "IN/sub/b.wav", "duration": 0.1, "offset": 0.025, "text": "two", "x": [1.50]}"#
      ]))
    #expect(done.map(\.line.audio.frames) == [888, 640])
    #expect(done.allSatisfy { $0.line.audio.fromFrame == 200 && $0.line.audio.toFrame == 1000 })
    let nemo = try object(done[1].line.nemo)
    #expect(nemo["audio_filepath"] as? String == done[1].line.output.string)
    #expect(nemo["duration"] as? Double == 0.08)
    #expect(nemo["offset"] as? Int == 0)
    #expect(nemo["text"] as? String == "two")
    // Other fields are copied as they are written.
    #expect(String(decoding: done[1].line.nemo, as: UTF8.self).contains("\"x\":[1.50]"))
  }

  @Test func timesOfSupervisionsAreScaled() async throws {
    let cut =
      #"{"id": "c", "start": 0, "duration": 0.225, "features": {"x": 1}, "recording": {"id": "r", "#
      + #""sources": [{"type": "file", "source": "IN/sub/b.wav"}], "duration": 0.225}, "#
      + #""supervisions": [{"id": "s", "recording_id": "r", "start": 0.05, "duration": 0.1, "text": "hi", "#
      + #""alignment": {"word": [["hi", 0.05, 0.025, 0.9]]}}]}"#
    let done = try await merged(manifest([cut]))
    let line = try object(
      done[1].line.lhotse(name: Array("c_sp1.25".utf8), change: Array("_sp1.25".utf8)))
    // 1800 frames at 1.25 times the speed are 1440.
    #expect((line["id"] as? String, line["duration"] as? Double) == ("c_sp1.25", 0.18))
    #expect(line["features"] == nil)
    let recording = try #require(line["recording"] as? [String: Any])
    #expect(recording["num_samples"] as? Int == 1440)
    #expect(recording["sampling_rate"] as? Int == 8000)
    let supervision = try #require((line["supervisions"] as? [[String: Any]])?.first)
    #expect(supervision["id"] as? String == "s_sp1.25")
    #expect(supervision["recording_id"] as? String == "c_sp1.25")
    #expect((supervision["start"] as? Double, supervision["duration"] as? Double) == (0.04, 0.08))
    let words = try #require((supervision["alignment"] as? [String: [[Any]]])?["word"]?.first)
    #expect((words[1] as? Double, words[2] as? Double, words[3] as? Double) == (0.04, 0.02, 0.9))
  }

  /// The lengths of outputs are truncated to whole frames, those of supervisions are not.
  @Test func supervisionsEndWithTheirRecording() async throws {
    let cut =
      #"{"id": "c", "start": 0.025, "duration": 0.1, "recording": {"id": "r", "#
      + #""sources": [{"type": "file", "source": "IN/sub/b.wav"}], "duration": 0.225}, "#
      + #""supervisions": [{"id": "s", "recording_id": "r", "start": 0.05, "duration": 0.05, "#
      + #""alignment": {"word": [["hi", 0.075, 0.025, 0.9]]}}]}"#
    let done = try await merged(manifest([cut]))
    // 888 of 888.9 frames at the speed 0.9.
    #expect(done.map(\.line.audio.frames) == [888, 640])
    for output in done {
      let line = try object(output.line.lhotse(name: Array("c".utf8), change: []))
      let recording = try #require(line["recording"] as? [String: Any])
      let end = try #require(recording["duration"] as? Double)
      let supervision = try #require((line["supervisions"] as? [[String: Any]])?.first)
      let start = try #require(supervision["start"] as? Double)
      let duration = try #require(supervision["duration"] as? Double)
      #expect(start + duration <= end)
      #expect(end - start - duration < 1.0 / 8000)
      let words = try #require((supervision["alignment"] as? [String: [[Any]]])?["word"]?.first)
      let (first, length) = try (#require(words[1] as? Double), #require(words[2] as? Double))
      #expect(first + length <= end)
    }
  }
}
