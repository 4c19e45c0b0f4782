import Foundation
import TestSupport
import Testing

/// Samples without a header, through pipes and by their options.
@Suite("Options for raw PCM")
struct RawPCMOptionTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try make(
      "sox",
      ["-R", "-n", "-r", "44100", "-b", "32", "-c", "2", "in.wav"]
        + "synth 0.2 pinknoise gain -2".split(separator: " ").map(String.init))
  }

  private func make(_ tool: String, _ arguments: [String]) throws {
    try Tool.run(tool, arguments, in: folder.path).succeeded()
  }

  /// Writes `in.raw` with ffmpeg, which calls µ-law by another name.
  private func makeRaw(_ encoding: String) throws {
    try make(
      "ffmpeg",
      ["-v", "error", "-i", "in.wav", "-f", encoding == "ulaw" ? "mulaw" : encoding, "in.raw"]
    )
  }

  @Test(arguments: ["s16le", "s24be"])
  func throughPipes(encoding: String) throws {
    try makeRaw(encoding)
    try make(
      "ffmpeg",
      ["-v", "error", "-f", encoding, "-ar", "44100", "-ac", "2", "-i", "in.raw"]
        + ["-c:a", "pcm_\(encoding.prefix(3))le", "same.wav"])
    for line in [
      "cat same.wav | $scaleaudio -f 1 --format \(encoding) - -o - | cmp - in.raw",
      "cat in.raw | $scaleaudio -f 1 --raw \(encoding):44.1k:stereo - -o - | cmp - in.raw",
    ] {
      let run = try Program.shell(line + " && echo same", in: folder.path)
      #expect(run.outputText == "same\n", "\(run.errorText)")
    }
  }

  @Test func aFileThatEndsWithinAFrameIsDamaged() throws {
    try folder.write("cut.raw", [UInt8](repeating: 1, count: 4001))
    let run = try Program.run(
      "-f", "1", "--raw", "s16le:44100:2", "cut.raw", "-o", "out.wav", in: folder.path)
    #expect(run.status == 1)
    #expect(run.errorText.contains("it ends early, in the middle of a frame"))
    #expect(run.errorText.contains("--salvage"))
    let info = try Program.run("info", "--raw", "s16le:44100:2", "cut.raw", in: folder.path)
    #expect(info.status == 1 && info.outputText.contains("1,000 frames"))
  }

  @Test func foldersAreSearchedForIt() throws {
    try makeRaw("s16le")
    try folder.write("set/a.raw", folder.bytes("in.raw"))
    try folder.write("set/d.wav", Sound.wav)
    let run = try Program.run("-n", "-f", "2", "--raw", "s16le:44100:2", "set", in: folder.path)
    #expect(run.outputText.split(separator: " ").first == "set/a.raw")
  }

  @Test func infoAndPlotReadIt() throws {
    try makeRaw("s24be")
    let info = try Program.run(
      "info", "--json", "--raw", "s24be:48k:2", "in.raw", in: folder.path)
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(info.output)) as? [String: Any])
    #expect(record["inputFrames"] as? Int == 8820 && record["inputSampleRate"] as? Int == 48000)
    #expect(record["bitRate"] as? Int == 48000 * 2 * 24)
    try Program.run(
      "plot", "--raw", "s24be:48k:2", "in.raw", "-o", "out.png", in: folder.path
    ).succeeded()
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
  }
}
