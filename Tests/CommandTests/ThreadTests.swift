import Foundation
import ScaleAudio
import TestSupport
import Testing

@Suite("Threads of the program", .tags(.threaded))
struct ThreadTests {
  /// Work with separate stages: containers, codecs that encode in parts, passes over the whole file.
  static let works: [(name: String, arguments: [String])] = [
    ("a.wav", ["-f", "1.5"]), ("b.flac", ["-f", "1.5"]), ("c.ogg", ["-f", "0.8"]),
    ("d.wav", ["-f", "1.5", "--bits", "24", "--dither", "tpdf"]),
    ("e.wav", ["-f", "0.7", "--method", "sinc", "--normalize=-3"]),
  ]

  @Test(arguments: works)
  func theirNumberChangesNoByte(work: (name: String, arguments: [String])) throws {
    let folder = try TemporaryFolder()
    try folder.write("in.wav", Sound.long)
    let kind = try #require(work.name.split(separator: ".").last)
    let outputs = try [1, 2, 4].map { threads in
      let output = "\(threads).\(kind)"
      let run = try Tool.run(
        Program.path,
        ["in.wav", "-o", output, "--threads", "\(threads)", "-q"] + work.arguments,
        in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
      return try folder.bytes(output)
    }
    #expect(outputs[0].count > 100_000)
    #expect(outputs[1] == outputs[0])
    #expect(outputs[2] == outputs[0])
  }

  /// Five channels that differ, in floating point, where no noise depends on a sample's place.
  private func makeChannels(in folder: TemporaryFolder) throws {
    let tones = (1...5).flatMap { ["sine", "\($0 * 300)-\($0 * 700)"] }
    let made = try Tool.run(
      "sox",
      ["-R", "-n", "-r", "44100", "-c", "5", "-e", "float", "-b", "32", "in.wav", "synth", "2"]
        + tones, in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
  }

  /// Channels that are scaled apart come out as each would alone, in their order.
  @Test(arguments: [1, 2, 3, 4, 8])
  func channelsMatchSeparateScaling(threads: Int) throws {
    let folder = try TemporaryFolder()
    try makeChannels(in: folder)
    let run = try Program.run(
      "in.wav", "-o", "out.wav", "-f", "1.5", "--method", "sinc", "--threads", "\(threads)",
      in: folder.path)
    #expect(run.status == 0, "\(run.errorText)")
    for channel in 1...5 {
      for arguments in [
        ["in.wav", "one.wav", "remix", "\(channel)"],
        ["out.wav", "part.raw", "remix", "\(channel)"],
      ] {
        #expect(try Tool.run("sox", arguments, in: folder.path).status == 0)
      }
      let alone = try Program.run(
        "one.wav", "-o", "alone.wav", "-f", "1.5", "--method", "sinc", "--threads", "1",
        "--overwrite",
        in: folder.path)
      #expect(alone.status == 0, "\(alone.errorText)")
      #expect(try Tool.run("sox", ["alone.wav", "alone.raw"], in: folder.path).status == 0)
      let expected = try folder.bytes("alone.raw")
      #expect(expected.count == 132_300 * 4)
      #expect(try folder.bytes("part.raw") == expected)
    }
  }

  /// A failure after the channels are split is reported as it is.
  @Test(arguments: [1, 3])
  func aCutSourceOfSeveralChannelsFailsAlike(threads: Int) throws {
    let folder = try TemporaryFolder()
    try makeChannels(in: folder)
    let made = try Tool.run("sox", ["-D", "in.wav", "-b", "24", "in.flac"], in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    var bytes = try folder.bytes("in.flac")
    for index in 0..<40 { bytes[bytes.count * 2 / 3 + index] ^= 0x5A }
    try folder.write("in.flac", bytes)
    let run = try Program.run(
      "in.flac", "-o", "out.wav", "-f", "1.5", "--method", "sinc", "--threads", "\(threads)",
      in: folder.path)
    #expect(run.status == 1, "\(run.errorText)")
    #expect(run.errorText.contains("FLAC frame"), "\(run.errorText)")
    #expect(try folder.tree() == ["in.flac", "in.wav"])
  }

  /// The samples are those that another arithmetic gives, on one thread and on several.
  @Test(arguments: [1, 4])
  func theSamplesAreRight(threads: Int) throws {
    let folder = try TemporaryFolder()
    let source = try folder.write("in.wav", Sound.long)
    let run = try Program.run(
      "in.wav", "-o", "out.wav", "-f", "1.5", "--threads", "\(threads)", in: folder.path)
    #expect(run.status == 0, "\(run.errorText)")
    let expected = ReferenceArithmetic.scale(
      interleaved: try Sound.samples(source), channels: 1, factor: 1.5)
    #expect(try Sound.samples(folder.file("out.wav")) == expected)
  }

  @Test(arguments: ["0", "257", "-1", "many"])
  func malformedNumbersAreRefused(threads: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("in.wav", Sound.wav)
    let run = try Program.run("in.wav", "--threads", threads, "-f", "2", in: folder.path)
    #expect(run.status == 64)
    #expect(run.errorText.contains("--threads") || run.errorText.contains("'\(threads)'"))
    #expect(try folder.tree() == ["in.wav"])
  }

  /// A source that ends early is reported in the same words, and nothing is left behind, with any number of threads.
  @Test(arguments: [1, 2, 4])
  func aCutSourceFailsAlike(threads: Int) throws {
    let folder = try TemporaryFolder()
    let whole = try folder.write("long.wav", Sound.long)
    let made = try Tool.run("flac", ["-s", "-o", "in.flac", whole.string], in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    var bytes = try folder.bytes("in.flac")
    for index in 0..<40 { bytes[bytes.count * 2 / 3 + index] ^= 0x5A }
    try folder.write("in.flac", bytes)
    let run = try Program.run(
      "in.flac", "-o", "out.flac", "-f", "1.5", "--threads", "\(threads)", in: folder.path)
    #expect(run.status == 1, "\(run.errorText)")
    #expect(run.errorText.contains("FLAC frame"), "\(run.errorText)")
    #expect(try folder.tree() == ["in.flac", "long.wav"])
  }
}
