import Foundation
import TestSupport
import Testing

/// Samples without a header, compared with those of ffmpeg.
@Suite("Raw PCM")
struct RawPCMTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try make(
      "sox",
      ["-R", "-n", "-r", "44100", "-b", "32", "-c", "2", "in.wav"]
        + "synth 0.2 pinknoise gain -2".split(separator: " ").map(String.init))
  }

  private func make(_ tool: String, _ arguments: [String]) throws {
    let run = try Tool.run(tool, arguments, in: folder.path)
    try #require(run.status == 0, "\(run.errorText)")
  }

  /// Writes `in.raw` with ffmpeg, which calls µ-law by another name.
  private func makeRaw(_ encoding: String) throws {
    try make(
      "ffmpeg",
      ["-v", "error", "-i", "in.wav", "-f", encoding == "ulaw" ? "mulaw" : encoding, "in.raw"]
    )
  }

  private func values(_ arguments: [String]) throws -> [UInt8] {
    let run = try Tool.run(
      "ffmpeg", ["-v", "error"] + arguments + ["-f", "f64le", "-"], in: folder.path)
    try #require(run.status == 0, "\(run.errorText)")
    return run.output
  }

  static let encodings = [
    "s8", "u8", "s16le", "s16be", "s24le", "s24be", "s32le", "s32be", "f32le", "f32be", "f64le",
    "f64be",
  ]

  @Test(arguments: encodings + ["alaw", "ulaw"])
  func samplesEqualThoseOfFFmpeg(encoding: String) throws {
    try makeRaw(encoding)
    let run = try Program.run(
      "-f", "1", "--raw", "\(encoding):44100:2", "--format", "wav", "-o", "out.wav", "in.raw",
      in: folder.path)
    try #require(run.status == 0, "\(run.errorText)")
    let name = encoding == "ulaw" ? "mulaw" : encoding
    let expected = try values(["-f", name, "-ar", "44100", "-ac", "2", "-i", "in.raw"])
    #expect(expected.count == 8820 * 2 * 8)
    #expect(try values(["-i", "out.wav"]) == expected)
    guard Self.encodings.contains(encoding) else { return }
    // And back, through pipes.
    let back = try Program.shell(
      "cat out.wav | $scaleaudio -f 1 --format \(encoding) - -o - | cmp - in.raw && echo same",
      in: folder.path)
    #expect(back.outputText == "same\n", "\(back.errorText)")
    let piped = try Program.shell(
      "cat in.raw | $scaleaudio -f 1 --raw \(encoding):44.1k:stereo - -o - | cmp - in.raw && echo same",
      in: folder.path)
    #expect(piped.outputText == "same\n", "\(piped.errorText)")
  }

  /// Outputs of raw inputs have their encoding; others are little-endian in the depth of their source or of `--bits`.
  @Test func outputsKeepTheByteOrder() throws {
    try makeRaw("s16be")
    try make(
      "ffmpeg",
      ["-v", "error", "-f", "s16be", "-ar", "44100", "-ac", "2", "-i", "in.raw", "in16.wav"])
    for arguments in [
      ["--raw", "s16be:44100:2", "in.raw", "-o", "big.pcm"], ["in16.wav", "-o", "little.raw"],
      ["in16.wav", "--bits", "24", "-o", "deep.raw"],
    ] {
      let run = try Tool.run(Program.path, ["-f", "1.5"] + arguments, in: folder.path)
      try #require(run.status == 0, "\(run.errorText)")
    }
    func pcm(_ encoding: String, _ name: String) throws -> [UInt8] {
      try values(["-f", encoding, "-ar", "44100", "-ac", "2", "-i", name])
    }
    #expect(try pcm("s16be", "big.pcm") == pcm("s16le", "little.raw"))
    #expect(try folder.bytes("deep.raw").count == 8820 * 3 / 2 * 2 * 3)
  }

  @Test func aFileThatEndsWithinAFrameIsDamaged() throws {
    try folder.write("cut.raw", [UInt8](repeating: 1, count: 4001))
    let arguments = ["-f", "1", "--raw", "s16le:44100:2", "cut.raw", "-o", "out.wav"]
    let run = try Tool.run(Program.path, arguments, in: folder.path)
    #expect(run.status == 1)
    #expect(run.errorText.contains("it ends early, in the middle of a frame"))
    #expect(run.errorText.contains("--salvage"))
    let salvaged = try Tool.run(Program.path, arguments + ["--salvage"], in: folder.path)
    #expect(salvaged.status == 0)
    #expect(salvaged.errorText.contains("salvaged 1000 of 1001 frames"))
    let info = try Program.run("info", "--raw", "s16le:44100:2", "cut.raw", in: folder.path)
    #expect(info.status == 1 && info.outputText.contains("1,000 frames"))
  }

  @Test func foldersAreSearchedForRawOnlyWhereItIsDeclared() throws {
    try makeRaw("s16le")
    for name in ["a.raw", "b.pcm", "c.dat"] {
      try folder.write("set/\(name)", folder.bytes("in.raw"))
    }
    try folder.write("set/d.wav", Sound.wav)
    func planned(_ options: String...) throws -> [String] {
      let run = try Tool.run(Program.path, ["-n", "-f", "2"] + options + ["set"], in: folder.path)
      return run.outputText.split(separator: "\n").compactMap {
        $0.split(separator: " ").first.map(String.init)
      }
    }
    #expect(try planned() == ["set/d.wav"])
    #expect(try planned("--raw", "s16le:44100:2") == ["set/a.raw", "set/b.pcm"])
  }

  @Test func infoAndPlotReadIt() throws {
    try makeRaw("s24be")
    let info = try Program.run(
      "info", "--json", "--raw", "s24be:48k:2", "in.raw", in: folder.path)
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(info.output)) as? [String: Any])
    #expect(record["inputFrames"] as? Int == 8820 && record["inputSampleRate"] as? Int == 48000)
    #expect(record["bitRate"] as? Int == 48000 * 2 * 24)
    let plot = try Program.run(
      "plot", "--raw", "s24be:48k:2", "in.raw", "-o", "out.png", in: folder.path)
    #expect(plot.status == 0, "\(plot.errorText)")
    #expect(try folder.bytes("out.png").starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }

  @Test func layoutsHaveNames() throws {
    try folder.write("six.raw", [UInt8](repeating: 0, count: 1200))
    for layout in ["5.1", "5.1(side)"] {
      let run = try Program.run(
        "info", "--get", "layout,frames", "--raw", "s16le:48000:\(layout)", "six.raw",
        in: folder.path)
      #expect(run.outputText == "\(layout)\t100\n", "\(run.errorText)")
    }
  }

  @Test func undeclaredInputsGetARemedy() throws {
    try makeRaw("s16le")
    let run = try Program.run("-f", "1", "in.raw", in: folder.path)
    #expect(run.status == 1 && run.errorText.contains("--raw s16le:48000:2"))
    // A header is not guessed away.
    let header = try Program.run(
      "-f", "1", "--raw", "s32le:44100:2", "in.wav", "-o", "out.wav", in: folder.path)
    #expect(header.errorText.contains("the file has a header of WAV"))
  }

  @Test(arguments: [
    ("s17:44100:2", "an encoding is one of s8 u8 s16le"),
    ("s16le:44100", "give encoding, rate and channels"),
    ("s16le:0:2", "a sample rate is within 1 to 10000000 Hz"),
    ("s16le:44100:0", "channels are a number"),
    ("s16le:44100:9.9", "channels are a number"), ("", "an encoding is one of"),
  ])
  func otherDeclarationsAreRefused(text: String, answer: String) throws {
    let run = try Program.run("-f", "1", "--raw", text, "in.wav", in: folder.path)
    #expect(run.status == 64)
    #expect(run.errorText.contains(answer), "\(run.errorText)")
  }

  @Test func formatAndDepthAgree() throws {
    let run = try Program.run(
      "-f", "1", "--format", "s16be", "--bits", "24", "in.wav", in: folder.path)
    #expect(run.status == 64 && run.errorText.contains("--format names 16-bit samples"))
  }
}
