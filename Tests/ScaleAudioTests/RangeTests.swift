import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Parts of files, against files that sox and ffmpeg cut, and times worked out by hand.
@Suite("Parts of files")
struct RangeTests {
  private let bench: Workbench

  init() throws { bench = try Workbench(["in.wav": Sound.wav]) }

  /// Converts a part of a file, from and to times as people type them.
  @discardableResult
  private func convert(
    _ input: String, to output: String?, from start: String? = nil, until end: String? = nil,
    _ time: TimeRequest = .unchanged, _ method: ScalingMethod = .smoothstep,
    files: FilePolicy = FilePolicy(existing: .replace),
    _ change: (inout ConversionSettings) -> Void = { _ in }
  ) throws -> ConversionReport {
    try bench.convert(input, to: output, time, method, files: files) {
      $0.part = try Self.part(start, end)
      change(&$0)
    }
  }

  private static func part(_ start: String?, _ end: String?) throws -> TimeRange {
    func position(_ text: String?) throws -> TimePosition? {
      try text.map { try #require(TimePosition($0), "\($0)") }
    }
    return TimeRange(from: try position(start), to: try position(end))
  }

  // MARK: - Samples

  @Test(arguments: [
    ("5000f", "12000f", 5000..<12000), ("100ms", "0.25", 4410..<11025),
    ("20%", "-25%", 4410..<16538),
    ("-0.1", "-10f", 17640..<22040), ("0:00.2", "100", 8820..<22050),
  ])
  func everyFormOfTime(from: String, to: String, frames: Range<Int>) throws {
    let report = try convert("in.wav", to: "out.wav", from: from, until: to)
    let whole = try bench.int16("in.wav")
    #expect(
      try bench.int16("out.wav") == Array(whole[frames.lowerBound * 2..<frames.upperBound * 2]))
    #expect(report.part == frames)
    #expect(report.source.frameCount == 22050)
    #expect(report.warningText.contains("before the end of the part") == (to == "100"))
  }

  @Test(
    arguments: [
      (1.5, .smoothstep), (0.7, .linear), (1.3, .sinc()),
    ] as [(Double, ScalingMethod)])
  func scalesLikeAFileCutBySox(factor: Double, method: ScalingMethod) throws {
    try bench.run("sox", "in.wav", "cut.wav", "trim", "5000s", "=12000s")
    try convert("in.wav", to: "a.wav", from: "5000f", until: "12000f", .by(factor), method)
    try bench.convert("cut.wav", to: "b.wav", .by(factor), method)
    #expect(try bench.int16("a.wav") == bench.int16("b.wav"))
  }

  @Test(arguments: ["flac", "ogg", "mp3", "m4a", "opus"])
  func everyCodecIsCutToTheFrame(format: String) throws {
    try bench.folder.write("long.wav", Sound.long)
    let input = "in.\(format)"
    try bench.run("ffmpeg", "-v", "error", "-i", "long.wav", input)
    try convert(input, to: "part.wav", from: "3.3", until: "9.7") { $0.sampleFormat = .int16 }
    try bench.convert(input, to: "whole.wav", .by(1)) { $0.sampleFormat = .int16 }
    let rate = format == "opus" ? 48000.0 : 44100.0
    let (first, end) = (Int((3.3 * rate).rounded()), Int((9.7 * rate).rounded()))
    #expect(try bench.int16("part.wav") == Array(bench.int16("whole.wav")[first..<end]))
  }

  @Test func levelsAreThoseOfThePart() throws {
    try bench.shell(
      "sox -n -r 44100 -b 16 two.wav synth 0.5 sine 440 vol 0.1 : synth 0.5 sine 440 vol 0.5")
    try convert("two.wav", to: "out.wav", until: "0.5") { $0.level = .normalized(peak: -6) }
    let peak = try bench.int16("out.wav").map { abs(Int($0)) }.max() ?? 0
    // Dither adds up to one step, and the peak of the source is rounded.
    #expect(abs(peak - 16423) <= 3)
  }

  // MARK: - Inputs and names

  @Test func severalFactorsAndNames() throws {
    let batch = try bench.batch(["in.wav"], .by(1)) {
      $0.settings.part = try Self.part("0.1", "0.3")
      var other = $0.settings
      other.time = .by(2)
      $0.otherSettings = [other]
    }
    for job in batch.jobs { _ = try job.work.run() }
    #expect(try bench.int16("in-from0.1-to0.3-x1.wav").count == 2 * 8820)
    #expect(try bench.int16("in-from0.1-to0.3-x2.wav").count == 2 * 17640)
    let named = try bench.batch(["in.wav"], .unchanged) {
      $0.settings.part = try Self.part("-20%", nil)
      $0.template = try NameTemplate("{stem}_{from}_{to}.{ext}")
    }
    _ = try #require(named.jobs.first).work.run()
    #expect(try bench.int16("in_80%_end.wav").count == 2 * 4410)
  }

  @Test func resumingComparesTheParts() async throws {
    func result(from: String = "0.1", to: String) async throws -> String? {
      let batch = try bench.batch(["in.wav"], .unchanged) {
        $0.settings.part = try Self.part(from, to)
        $0.template = try NameTemplate("out.wav")
        $0.resumes = true
      }
      return await bench.results(of: batch)["in.wav"]
    }
    #expect(try await result(to: "0.2") == "done")
    #expect(try await result(to: "0.2") == "already-done")
    // Another part does not replace an output.
    #expect(try await result(to: "0.3") == "output-exists")
    // Nor does an output of the same length that no journal records count as done.
    try bench.folder.remove(".scaleaudio.jsonl")
    #expect(try await result(from: "0.2", to: "0.3") == "output-exists")
  }

  // MARK: - What cannot be

  @Test(
    arguments: [
      ("0.5", nil, "the part begins at 0.500 s, but the audio is 0.500 s long"),
      ("7", nil, "the part begins at 7.000 s, but the audio is 0.500 s long"),
      (
        "80%", "0.2",
        "the part would end at 0.200 s, which is not after its start at 0.400 s"
      ),
      ("chapter:2", nil, "it has no chapters, so there is no chapter 2"),
    ] as [(String, String?, String)])
  func missingParts(from: String, to: String?, message: String) throws {
    let reported = try bench.failure(of: "in.wav", .unchanged) {
      $0.part = try Self.part(from, to)
    }
    #expect(reported == "\(bench.folder.file("in.wav")): " + message)
    #expect(try bench.folder.names() == ["in.wav"])
  }

  // MARK: - What has times

  /// A chapter each at 0, 0.1, 0.2 and 0.35 s.
  private func makeChapters() throws {
    let starts = [0, 100, 200, 350, 500]
    let chapters = zip(
      zip(starts, starts.dropFirst()), ["Intro", "Verse one", "Verse two", "Outro"]
    )
    .map { "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0.0)\nEND=\($0.1)\ntitle=\($1)\n" }
    try bench.folder.write("meta.txt", Array((";FFMETADATA1\n" + chapters.joined()).utf8))
    try bench.shell(
      "ffmpeg -v error -i in.wav -i meta.txt -map_chapters 1 -c:a pcm_s16le book.mka")
  }

  @Test func chaptersByNumberAndTitle() throws {
    try makeChapters()
    let whole = try bench.int16("in.wav")
    for (from, to, frames) in [
      ("chapter:2", "chapter:3", 4410..<15435), ("chapter:outro", nil, 15435..<22050),
      (nil, "chapter:Intro", 0..<4410), ("chapter:one", "chapter:one", 4410..<8820),
    ] as [(String?, String?, Range<Int>)] {
      try convert("book.mka", to: "out.wav", from: from, until: to)
      #expect(
        try bench.int16("out.wav") == Array(whole[frames.lowerBound * 2..<frames.upperBound * 2]))
    }
    func failure(_ from: String) throws -> String {
      try bench.failure(of: "book.mka", to: "x.wav", .unchanged) {
        $0.part = try Self.part(from, nil)
      }
    }
    let list = "2 Verse one, 3 Verse two"
    #expect(
      try failure("chapter:verse").contains("verse is the title of several chapters: \(list)"))
    #expect(
      try failure("chapter:5").contains(
        "it has no chapter 5; its chapters are 1 Intro, \(list), 4 Outro"))
  }

  /// ffprobe's chapters of a part: the ones within, clipped and moved, and scaled with the audio.
  @Test func chaptersFollow() throws {
    try makeChapters()
    try convert("book.mka", to: "out.m4b", from: "0.15", until: "0.4", .by(2))
    let entries = try bench.entries("chapter=start_time,end_time:chapter_tags=title", of: "out.m4b")
    let rows = entries.split(separator: "\n").map { $0.split(separator: ",") }
    #expect(rows.map { String($0[2]) } == ["Verse one", "Verse two", "Outro"])
    let times = rows.map { $0.prefix(2).compactMap { Double($0) } }
    for (found, wanted) in zip(times, [[0, 0.1], [0.1, 0.4], [0.4, 0.5]]) {
      for (one, other) in zip(found, wanted) { #expect(abs(one - other) < 0.0015) }
    }
  }

  @Test func everySidecarFollows() throws {
    func put(_ name: String, _ text: String) throws {
      try bench.folder.write(name, Array(text.utf8))
    }
    try put("in.lrc", "[ar:x]\n[00:00.05]zero\n[00:00.10]one\n[00:00.25]two\n[00:00.45]three\n")
    try put(
      "in.cue",
      "FILE \"in.wav\" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n  TRACK 02 AUDIO\n"
        + "    INDEX 00 00:00:06\n    INDEX 01 00:00:09\n  TRACK 03 AUDIO\n    INDEX 01 00:00:21\n"
        + "  TRACK 04 AUDIO\n    INDEX 01 00:00:33\n")
    try put(
      "in.srt",
      "1\n00:00:00,000 --> 00:00:00,100\nGone\n\n2\n00:00:00,100 --> 00:00:00,250\nCut\n\n"
        + "3\n00:00:00,300 --> 00:00:00,500\nCut too\n\n4\n00:00:00,450 --> 00:00:00,500\nGone\n")
    try put(
      "in.vtt",
      "WEBVTT\n\n00:00.000 --> 00:00.100\nGone\n\n00:00.250 --> 00:00.300 line:0\nKept\n")
    try put(
      "in.txt", "0.050000\t0.100000\tgone\n\\\t1.0\t2.0\n0.250000\t0.300000\tkept\n\\\t3.0\t4.0\n")
    // From the 15th to the 30th 75th of a second.
    try convert(
      "in.wav", to: "out.wav", from: "0.2", until: "0.4", .by(2),
      files: FilePolicy(scalesSidecars: true))
    #expect(try bench.text("out.lrc") == "[ar:x]\n[00:00.00]one\n[00:00.10]two\n")
    #expect(
      try bench.text("out.cue")
        == "FILE \"out.wav\" WAVE\n  TRACK 02 AUDIO\n    INDEX 01 00:00:00\n"
        + "  TRACK 03 AUDIO\n    INDEX 01 00:00:12\n")
    #expect(
      try bench.text("out.srt")
        == "2\n00:00:00,000 --> 00:00:00,100\nCut\n\n3\n00:00:00,200 --> 00:00:00,400\nCut too\n\n")
    #expect(try bench.text("out.vtt") == "WEBVTT\n\n00:00.100 --> 00:00.200 line:0\nKept\n")
    #expect(try bench.text("out.txt") == "0.100000\t0.200000\tkept\n\\\t3.0\t4.0\n")
  }
}
