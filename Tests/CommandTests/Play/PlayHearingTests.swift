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

  private func play(_ arguments: [String]) throws {
    try Tool.run(Program.path, ["play", "-q"] + arguments, in: folder.path).succeeded()
  }

  /// Converts a file as `convert` does, in this process.
  private func convert(_ input: String, to output: String, _ options: [String]) throws {
    let options = options.map { $0 == "map.txt" ? folder.file($0).string : $0 }
    try Program.convert([folder.file(input).string, "-o", folder.file(output).string] + options)
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
      Program.path, ["play", "a.wav", "b.flac", "-o", "heard.wav"] + options, in: folder.path
    ).succeeded()
    let preset = options.contains("--preset")
    #expect(run.errorText.contains("preset tape: play leaves out --guard") == preset)
    let isSinc = options.contains("sinc") || preset
    let kind = isSinc ? ["--bits", "f32"] : []
    var written: [UInt8] = []
    for name in ["a.wav", "b.flac"] {
      try convert(name, to: "\(name).out.wav", ["--dither", "none"] + kind + options)
      written += try bytes("\(name).out.wav")
    }
    let heard = try bytes("heard.wav")
    #expect(heard.count == written.count)
    #expect(heard == written)
  }

  /// The live engine gives files the lengths that `convert` gives them.
  @Test(
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
      let stretched = options + ["--method", "stretch"]
      try play([name, "-o", "\(name).heard.wav"] + stretched)
      try convert(name, to: "\(name).out.wav", stretched)
      heard.append(try frameCount("\(name).heard.wav"))
      frames.append(try frameCount("\(name).out.wav"))
    }
    #expect(heard == frames)
    // One after the other, too: what the first one ends with does not move the second.
    try play(["a.wav", "b.flac", "-o", "both.wav", "--method", "stretch"] + options)
    #expect(try frameCount("both.wav") == frames.reduce(0, +))
  }

  /// The engine that writes also plays, in the length that `convert` writes; the quality changes nothing.
  @Test(arguments: [["--speed", "1.3"], ["--factor", "1.7", "--pitch", "2"], ["--pitch", "-3"]])
  func theEngineOfConvertPlays(_ options: [String]) throws {
    try folder.write("a.flac", Sound.flac)
    let options = options + ["--method", "stretch"]
    try play(["a.flac", "-o", "heard.wav"] + options)
    try convert("a.flac", to: "out.wav", options)
    // With a speed, `convert` truncates the length and `play` rounds it.
    #expect(try abs(frameCount("heard.wav") - frameCount("out.wav")) <= 1)
    for (name, more) in [("fast", ["--quality", "fast"]), ("named", ["--engine", "vocoder"])] {
      try play(["a.flac", "-o", "\(name).wav"] + options + more)
      #expect(try bytes("\(name).wav") == bytes("heard.wav"))
    }
    guard StretchSettings.Engine.r3.isAvailable else { return }
    try play(["a.flac", "-o", "r3.wav", "--engine", "r3"] + options)
    #expect(try frameCount("r3.wav") == frameCount("heard.wav"))
    #expect(try bytes("r3.wav") != bytes("heard.wav"))
  }

  private func frameCount(_ name: String) throws -> Int {
    let run = try Tool.run("soxi", ["-s", name], in: folder.path)
    return try #require(Int(run.outputText.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  @Test func mapsThatCannotBePlayed() throws {
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
