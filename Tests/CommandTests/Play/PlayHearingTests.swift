import Foundation
import ScaleAudio
import TestSupport
import Testing

/// The sound and its length are those of the output of `convert`.
@Suite("play as convert writes", .tags(.packageTraits))
struct PlayHearingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func bytes(_ name: String) throws -> [UInt8] {
    try Tool.run(
      "ffmpeg", ["-v", "error", "-i", name, "-f", "f32le", "-"], in: folder.path
    ).output
  }

  /// The sound is that of the output of `convert` with the same options.
  @Test(arguments: [
    ["-f", "1.37"], ["--speed", "1.7", "--method", "linear"], ["--duration", "777ms"],
    ["-f", "0.61", "--method", "sinc"], ["-f", "2.5", "--method", "sinc", "--quality", "fast"],
    ["--single-channel"], ["-f", "1.3", "--mono", "--method", "linear"],
    ["--from", "25%", "--to", "-100f", "-f", "1.5"], ["--from", "5000f", "--to", "9000f"],
    ["--preset", "tape", "--speed", "1.25"],
  ])
  func playsWhatConvertWrites(_ options: [String]) throws {
    try folder.write("a.wav", Sound.wav)
    try folder.write("b.flac", Sound.flac)
    let run = try Tool.run(
      Program.path, ["play", "a.wav", "b.flac", "-o", "heard.wav"] + options, in: folder.path)
    #expect(run.status == 0, "\(run.errorText)")
    let preset = options.contains("--preset")
    #expect(run.errorText.contains("preset tape: play leaves out --guard") == preset)
    let isSinc = options.contains("sinc") || preset
    let kind = isSinc ? ["--bits", "f32"] : []
    var written: [UInt8] = []
    for name in ["a.wav", "b.flac"] {
      let run = try Tool.run(
        Program.path,
        ["convert", name, "-o", "\(name).out.wav", "--dither", "none"] + kind
          + options, in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
      written += try bytes("\(name).out.wav")
    }
    let heard = try bytes("heard.wav")
    #expect(heard.count == written.count)
    #expect(heard == written)
  }

  /// The live engine gives files the lengths that `convert` gives them.
  @Test(
    .enabled(if: ScalingMethod.stretches),
    arguments: [
      ["--duration", "777ms"], ["--duration", "1.9", "--pitch", "3"],
      ["--duration", "600ms", "--from", "25%", "--to", "-100f"], ["--map", "map.txt"],
      ["--map", "map.txt", "--single-channel"], ["--duration", "22050f"],
    ])
  func lengthsAreThoseOfConvert(_ options: [String]) throws {
    try folder.write("a.wav", Sound.wav)
    try folder.write("b.flac", Sound.flac)
    try folder.write("map.txt", Array("0.25 0.125\n0.5 0.7\n5 4\n".utf8))
    var (heard, frames) = ([Int](), [Int]())
    for name in ["a.wav", "b.flac"] {
      for arguments in [
        ["play", "-q", name, "-o", "\(name).heard.wav"],
        ["convert", "-q", name, "-o", "\(name).out.wav"],
      ] {
        let run = try Tool.run(
          Program.path, arguments + options + ["--method", "stretch"], in: folder.path)
        #expect(run.status == 0, "\(run.errorText)")
      }
      heard.append(try frameCount("\(name).heard.wav"))
      frames.append(try frameCount("\(name).out.wav"))
    }
    #expect(heard == frames)
    // One after the other, too: what the first one ends with does not move the second.
    let run = try Tool.run(
      Program.path,
      ["play", "-q", "a.wav", "b.flac", "-o", "both.wav", "--method", "stretch"] + options,
      in: folder.path)
    #expect(run.status == 0, "\(run.errorText)")
    #expect(try frameCount("both.wav") == frames.reduce(0, +))
  }

  /// The vocoder plays in every build, in the length that `convert` writes.
  @Test(arguments: [["--speed", "1.3"], ["--factor", "1.7", "--pitch", "2"], ["--pitch", "-3"]])
  func qualityFastIsTheVocoder(_ options: [String]) throws {
    try folder.write("a.flac", Sound.flac)
    let fast = options + ["--method", "stretch", "--quality", "fast"]
    for (command, name) in [("play", "heard.wav"), ("convert", "out.wav")] {
      let run = try Tool.run(
        Program.path, [command, "-q", "a.flac", "-o", name] + fast, in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
    }
    // With a speed, `convert` truncates the length and `play` rounds it.
    #expect(try abs(frameCount("heard.wav") - frameCount("out.wav")) <= 1)
    // Keys change the rate by it too: the option needs no method, and alone it changes nothing.
    for (options, name) in [(["--quality", "fast"], "plain.wav"), ([], "same.wav")] {
      let run = try Tool.run(
        Program.path, ["play", "-q", "a.flac", "-o", name] + options, in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
    }
    #expect(try bytes("plain.wav") == bytes("same.wav"))
    guard ScalingMethod.stretches else { return }
    let run = try Tool.run(
      Program.path, ["play", "-q", "a.flac", "-o", "high.wav", "--method", "stretch"] + options,
      in: folder.path)
    #expect(run.status == 0)
    #expect(try frameCount("high.wav") == frameCount("heard.wav"))
    #expect(try bytes("high.wav") != bytes("heard.wav"))
  }

  private func frameCount(_ name: String) throws -> Int {
    let run = try Tool.run("soxi", ["-s", name], in: folder.path)
    return try #require(Int(run.outputText.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  @Test(.enabled(if: ScalingMethod.stretches)) func mapsThatCannotBePlayed() throws {
    try folder.write("a.wav", Sound.wav)
    try folder.write("bad.txt", Array("0.5\n".utf8))
    try folder.write("fast.txt", Array("0.5 0.05\n5 2\n".utf8))
    for (map, message) in [
      ("bad.txt", "bad.txt"), ("missing.txt", "missing.txt"),
      ("fast.txt", "it would play at a rate of 10"),
    ] {
      let run = try Program.run("play", "a.wav", "--map", map, "-o", "null", in: folder.path)
      #expect(run.status != 0)
      #expect(run.errorText.contains(message), "\(run.errorText)")
    }
  }
}
