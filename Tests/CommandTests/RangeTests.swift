import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Parts of files, against files that sox and ffmpeg cut, and times worked out by hand.
@Suite("Parts of files")
struct RangeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // 22,050 frames: half a second.
    try folder.write("in.wav", Sound.wav)
  }

  private func tool(_ name: String, _ arguments: String...) throws {
    let run = try Tool.run(name, arguments, in: folder.path)
    try #require(run.status == 0, "\(run.errorText)")
  }

  private func convert(_ arguments: String...) throws -> Tool {
    try Tool.run(Program.path, arguments, in: folder.path)
  }

  private func samples(_ name: String) throws -> [Int16] { try Sound.samples(folder.file(name)) }

  private func text(_ name: String) throws -> String {
    String(decoding: try folder.bytes(name), as: UTF8.self)
  }

  // MARK: - Samples

  @Test(arguments: [
    ("5000f", "12000f", 5000..<12000), ("100ms", "0.25", 4410..<11025),
    ("20%", "-25%", 4410..<16538),
    ("-0.1", "-10f", 17640..<22040), ("0:00.2", "100", 8820..<22050),
  ])
  func everyFormOfTime(from: String, to: String, frames: Range<Int>) throws {
    let run = try convert("--from", from, "--to", to, "--json", "-o", "out.wav", "in.wav")
    #expect(run.status == 0, "\(run.errorText)")
    let whole = try samples("in.wav")
    #expect(try samples("out.wav") == Array(whole[frames.lowerBound * 2..<frames.upperBound * 2]))
    #expect(run.outputText.contains("\"fromFrame\":\(frames.lowerBound)"))
    #expect(run.outputText.contains("\"toFrame\":\(frames.upperBound)"))
    #expect(run.outputText.contains("\"inputFrames\":22050"))
    #expect(run.errorText.contains("before the end of the part") == (to == "100"))
  }

  @Test(arguments: [
    ["-f", "1.5"], ["-f", "0.7", "--method", "linear"], ["-f", "1.3", "--method", "sinc"],
  ])
  func scalesLikeAFileCutBySox(options: [String]) throws {
    try tool("sox", "in.wav", "cut.wav", "trim", "5000s", "=12000s")
    let ends = ["--from", "5000f", "--to", "12000f"]
    for arguments in [ends + ["-o", "a.wav", "in.wav"], ["-o", "b.wav", "cut.wav"]] {
      let run = try Tool.run(Program.path, options + arguments, in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
    }
    #expect(try samples("a.wav") == samples("b.wav"))
  }

  @Test(arguments: ["flac", "ogg", "mp3", "m4a", "opus"])
  func everyCodecIsCutToTheFrame(format: String) throws {
    try folder.write("long.wav", Sound.long)
    try tool("ffmpeg", "-v", "error", "-i", "long.wav", "in.\(format)")
    for arguments in [
      ["--from", "3.3", "--to", "9.7", "-o", "part.wav"], ["-f", "1", "-o", "whole.wav"],
    ] {
      let run = try Tool.run(
        Program.path, arguments + ["--bits", "16", "in.\(format)"], in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
    }
    let rate = format == "opus" ? 48000.0 : 44100.0
    let (first, end) = (Int((3.3 * rate).rounded()), Int((9.7 * rate).rounded()))
    #expect(try samples("part.wav") == Array(samples("whole.wav")[first..<end]))
  }

  @Test func levelsAreThoseOfThePart() throws {
    try tool(
      "sox", "-n", "-r", "44100", "-b", "16", "two.wav", "synth", "0.5", "sine", "440", "vol",
      "0.1", ":",
      "synth", "0.5", "sine", "440", "vol", "0.5")
    #expect(
      try convert("--to", "0.5", "--normalize", "-6", "-o", "out.wav", "two.wav").status == 0)
    let peak = try samples("out.wav").map { abs(Int($0)) }.max() ?? 0
    // Dither adds up to one step, and the peak of the source is rounded.
    #expect(abs(peak - 16423) <= 3)
  }

  // MARK: - Inputs and names

  @Test func foldersStreamsAndSeveralFactors() throws {
    try folder.write("in.wav", Sound.wav)
    let run = try convert("--from", "0.1", "--to", "0.3", "-f", "1.0,2.0", "in.wav")
    #expect(run.status == 0, "\(run.errorText)")
    #expect(try samples("in-from0.1-to0.3-x1.wav").count == 2 * 8820)
    #expect(try samples("in-from0.1-to0.3-x2.wav").count == 2 * 17640)
    let piped = try Program.run(
      "--from", "0.1", "--to", "0.3", "-", "-o", "-", in: folder.path, input: Sound.wav)
    try folder.write("piped.wav", Array(piped.output))
    #expect(try samples("piped.wav") == samples("in-from0.1-to0.3-x1.wav"))
    #expect(
      try convert("--from", "-20%", "--name", "{stem}_{from}_{to}.{ext}", "in.wav").status == 0)
    #expect(try samples("in_80%_end.wav").count == 2 * 4410)
  }

  @Test func resumingComparesTheParts() throws {
    for (to, isDone) in [("0.2", false), ("0.2", true), ("0.3", false)] {
      let run = try convert(
        "--resume", "--from", "0.1", "--to", to, "--name", "out.wav", "--json", "in.wav")
      #expect(run.outputText.contains("\"reason\":\"already-done\"") == isDone)
      // Another part does not replace an output.
      #expect((run.status == 1) == (to == "0.3"))
    }
    // Nor does an output of the same length that no journal records count as done.
    try FileManager.default.removeItem(atPath: folder.file(".scaleaudio.jsonl").string)
    let run = try convert(
      "--resume", "--from", "0.2", "--to", "0.3", "--name", "out.wav", "in.wav")
    #expect(run.status == 1)
  }

  @Test func manifestsHaveTheFrames() throws {
    #expect(
      try convert("--from", "0.1", "--to", "50%", "--manifest", "m.csv", "in.wav").status == 0)
    let rows = try text("m.csv").split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",")
    }
    #expect(rows[0].suffix(2) == ["fromFrame", "toFrame"])
    #expect(rows[1].suffix(2) == ["4410", "11025"])
  }

  // MARK: - What cannot be

  @Test(arguments: [
    (["--from", "0.5"], "the part begins at 0.500 s, but the audio is 0.500 s long"),
    (
      ["--from", "7"],
      "the part begins at 7.000 s, but the audio is 0.500 s long; choose another --from"
    ),
    (
      ["--from", "80%", "--to", "0.2"],
      "the part would end at 0.200 s, which is not after its start at 0.400 s; choose another --to"
    ),
    (["--from", "chapter:2"], "it has no chapters, so there is no chapter 2"),
  ])
  func missingParts(options: [String], message: String) throws {
    let run = try Tool.run(Program.path, options + ["in.wav"], in: folder.path)
    #expect(run.status == 1)
    #expect(run.errorText.contains("in.wav: " + message), "\(run.errorText)")
    #expect(try folder.names() == ["in.wav"])
  }

  @Test(arguments: [
    ["--from", "2", "--to", "1"], ["--from", "1", "--to", "1"], ["--from", "x"], ["--to", "0"],
    ["--from", "101%"], ["--from", "chapter:"], ["--to", "1:75"], ["--from", "-0"],
  ])
  func impossiblePartsAreRefusedAtOnce(options: [String]) {
    #expect(Program.refusal(of: options + ["in.wav"])?.status == 64)
  }

  // MARK: - What has times

  /// A chapter each at 0, 0.1, 0.2 and 0.35 s.
  private func makeChapters() throws {
    let starts = [0, 100, 200, 350, 500]
    let chapters = zip(
      zip(starts, starts.dropFirst()), ["Intro", "Verse one", "Verse two", "Outro"]
    )
    .map { "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0.0)\nEND=\($0.1)\ntitle=\($1)\n" }
    try folder.write("meta.txt", Array((";FFMETADATA1\n" + chapters.joined()).utf8))
    try tool(
      "ffmpeg", "-v", "error", "-i", "in.wav", "-i", "meta.txt", "-map_chapters", "1",
      "-c:a", "pcm_s16le", "book.mka")
  }

  @Test func chaptersByNumberAndTitle() throws {
    try makeChapters()
    let whole = try samples("in.wav")
    for (options, frames) in [
      (["--from", "chapter:2", "--to", "chapter:3"], 4410..<15435),
      (["--from", "chapter:outro"], 15435..<22050), (["--to", "chapter:Intro"], 0..<4410),
      (["--from", "chapter:one", "--to", "chapter:one"], 4410..<8820),
    ] {
      let run = try Tool.run(
        Program.path, options + ["--format", "wav", "--overwrite", "-o", "out.wav", "book.mka"],
        in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
      #expect(try samples("out.wav") == Array(whole[frames.lowerBound * 2..<frames.upperBound * 2]))
    }
    let list = "2 Verse one, 3 Verse two"
    let several = try convert("--from", "chapter:verse", "--format", "wav", "book.mka")
    #expect(several.errorText.contains("verse is the title of several chapters: \(list)"))
    let none = try convert("--from", "chapter:5", "--format", "wav", "book.mka")
    #expect(
      none.errorText.contains("it has no chapter 5; its chapters are 1 Intro, \(list), 4 Outro"))
  }

  /// ffprobe's chapters of a part: the ones within, clipped and moved, and scaled with the audio.
  @Test func chaptersFollow() throws {
    try makeChapters()
    let run = try convert(
      "--from", "0.15", "--to", "0.4", "-f", "2", "--format", "m4b", "-o", "out.m4b", "book.mka")
    #expect(run.status == 0, "\(run.errorText)")
    let probe = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "chapter=start_time,end_time:chapter_tags=title", "-of",
        "csv=p=0", "out.m4b",
      ], in: folder.path)
    let rows = probe.outputText.split(separator: "\n").map { $0.split(separator: ",") }
    #expect(rows.map { String($0[2]) } == ["Verse one", "Verse two", "Outro"])
    let times = rows.map { $0.prefix(2).compactMap { Double($0) } }
    for (found, wanted) in zip(times, [[0, 0.1], [0.1, 0.4], [0.4, 0.5]]) {
      for (one, other) in zip(found, wanted) { #expect(abs(one - other) < 0.0015) }
    }
  }

  @Test func everySidecarFollows() throws {
    func put(_ name: String, _ text: String) throws { try folder.write(name, Array(text.utf8)) }
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
    let run = try convert(
      "--sidecars", "--from", "0.2", "--to", "0.4", "-f", "2", "-o", "out.wav", "in.wav")
    #expect(run.status == 0, "\(run.errorText)")
    #expect(try text("out.lrc") == "[ar:x]\n[00:00.00]one\n[00:00.10]two\n")
    #expect(
      try text("out.cue")
        == "FILE \"out.wav\" WAVE\n  TRACK 02 AUDIO\n    INDEX 01 00:00:00\n"
        + "  TRACK 03 AUDIO\n    INDEX 01 00:00:12\n")
    #expect(
      try text("out.srt")
        == "2\n00:00:00,000 --> 00:00:00,100\nCut\n\n3\n00:00:00,200 --> 00:00:00,400\nCut too\n\n")
    #expect(try text("out.vtt") == "WEBVTT\n\n00:00.100 --> 00:00.200 line:0\nKept\n")
    #expect(try text("out.txt") == "0.100000\t0.200000\tkept\n\\\t3.0\t4.0\n")
  }
}
