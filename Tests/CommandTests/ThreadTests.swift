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
    let folder = try TemporaryFolder(["in.wav": Sound.long])
    let kind = try #require(work.name.split(separator: ".").last)
    let outputs = try [1, 2, 4].map { threads in
      let output = "\(threads).\(kind)"
      try Tool.run(
        Program.path,
        ["in.wav", "-o", output, "--threads", "\(threads)", "-q"] + work.arguments,
        in: folder.path
      ).succeeded()
      return try folder.bytes(output)
    }
    #expect(outputs[0].count > 100_000)
    #expect(outputs[1] == outputs[0])
    #expect(outputs[2] == outputs[0])
  }

  /// Five channels that differ, in floating point, where no noise depends on a sample's place.
  private func makeChannels(in folder: TemporaryFolder) throws {
    let tones = (1...5).flatMap { ["sine", "\($0 * 300)-\($0 * 700)"] }
    try Tool.run(
      "sox",
      ["-R", "-n", "-r", "44100", "-c", "5", "-e", "float", "-b", "32", "in.wav", "synth", "2"]
        + tones, in: folder.path
    ).succeeded()
  }

  /// Channels that are scaled apart come out as each would alone, in their order.
  @Test func channelsMatchSeparateScaling() throws {
    let folder = try TemporaryFolder()
    try makeChannels(in: folder)
    func sox(_ arguments: String...) throws {
      try #require(try Tool.run("sox", arguments, in: folder.path).status == 0)
    }
    func scale(_ input: String, _ output: String, threads: Int) throws {
      try Program.run(
        input, "-o", output, "-f", "1.5", "--method", "sinc", "--threads", "\(threads)",
        in: folder.path
      ).succeeded()
    }
    for channel in 1...5 {
      try sox("in.wav", "one\(channel).wav", "remix", "\(channel)")
      try scale("one\(channel).wav", "alone\(channel).wav", threads: 1)
      try sox("alone\(channel).wav", "alone\(channel).raw")
    }
    for threads in [1, 2, 3, 4, 8] {
      try scale("in.wav", "out\(threads).wav", threads: threads)
      for channel in 1...5 {
        try sox("out\(threads).wav", "part.raw", "remix", "\(channel)")
        let expected = try folder.bytes("alone\(channel).raw")
        #expect(expected.count == 132_300 * 4)
        #expect(try folder.bytes("part.raw") == expected, "\(threads) \(channel)")
      }
    }
  }

  /// A damaged source is reported in the same words, and nothing is left behind, with any number of threads, also
  /// where channels are scaled apart.
  @Test(arguments: [("sinc", "wav"), ("smoothstep", "flac")], [1, 2, 4])
  func aDamagedSourceFailsAlike(work: (method: String, kind: String), threads: Int) throws {
    let folder = try TemporaryFolder()
    try makeChannels(in: folder)
    try Tool.run("sox", ["-D", "in.wav", "-b", "24", "in.flac"], in: folder.path).succeeded()
    var bytes = try folder.bytes("in.flac")
    for index in 0..<40 { bytes[bytes.count * 2 / 3 + index] ^= 0x5A }
    try folder.write("in.flac", bytes)
    let run = try Program.run(
      "in.flac", "-o", "out.\(work.kind)", "-f", "1.5", "--method", work.method, "--threads",
      "\(threads)", in: folder.path)
    #expect(run.status == 1, "\(run.errorText)")
    #expect(run.errorText.contains("FLAC frame"), "\(run.errorText)")
    #expect(try folder.tree() == ["in.flac", "in.wav"])
  }
}
