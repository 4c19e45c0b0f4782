import Foundation
import TestSupport
import Testing

@Suite("Channel layouts by command")
struct LayoutTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // Constant signals, different in every channel: 1000 for the front left, 2000 for the right, …
    let values = (1...6).map { "\(Double($0) * 1000 / 32768)" }.joined(separator: "|")
    for layout in ["5.1", "5.1(side)"] {
      let made = try Tool.run(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "aevalsrc=\(values):c=\(layout):s=48000:d=0.1",
          "-c:a", "pcm_s16le", "\(layout).wav",
        ], in: folder.path)
      try #require(made.status == 0, "\(made.errorText)")
    }
    // The same channels without a mask.
    let bare = try Tool.run("sox", ["5.1.wav", "-t", "au", "bare.au"], in: folder.path)
    try #require(bare.status == 0, "\(bare.errorText)")
  }

  private func layout(of name: String) throws -> String {
    try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "stream=channel_layout", "-of",
        "default=nokey=1:noprint_wrappers=1", name,
      ], in: folder.path
    ).outputText.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The first frame as ffmpeg decodes it, in the order of the WAVE mask.
  private func frame(of name: String, at index: Int = 0, channels: Int = 6) throws -> [Int] {
    let raw = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", name, "-f", "s16le", "-c:a", "pcm_s16le", "-"],
      in: folder.path
    ).output
    return Raw.int16(raw)[(index * channels)...].prefix(channels).map(Int.init)
  }

  private let reported = [1000, 2000, 3000, 4000, 5000, 6000]

  @Test(arguments: ["wav", "flac", "caf", "aiff", "w64", "rf64"], ["5.1", "5.1(side)"])
  func layoutsAreKept(format: String, layout: String) throws {
    let run = try Program.run(
      "-f", "1", "--format", format, "-o", "x.\(format)", "\(layout).wav", in: folder.path)
    #expect(run.status == 0, "\(run.errorText)")
    #expect(try self.layout(of: "x.\(format)") == layout)
    #expect(try frame(of: "x.\(format)") == reported)
  }

  @Test func layoutLossIsRefusedUnlessAllowed() throws {
    let refused = try Program.run(
      "-f", "1", "--format", "ogg", "-o", "x.ogg", "5.1(side).wav", in: folder.path)
    #expect(refused.status == 1)
    #expect(refused.errorText.contains("Ogg Vorbis cannot store the layout 5.1(side)"))
    #expect(refused.errorText.contains("--allow-layout-loss"))
    #expect(!folder.exists("x.ogg"))
    let allowed = try Program.run(
      "-f", "1", "--format", "ogg", "--allow-layout-loss", "-o", "x.ogg", "5.1(side).wav",
      in: folder.path)
    #expect(allowed.status == 0)
    #expect(allowed.errorText.contains("it is written as 5.1, with SL as BL, SR as BR"))
    #expect(try layout(of: "x.ogg") == "5.1")
    let heard = try frame(of: "x.ogg", at: 2400)
    // A low-frequency channel loses its constant, and the codec is lossy.
    for channel in [0, 1, 2, 4, 5] { #expect(abs(heard[channel] - reported[channel]) < 300) }
  }

  @Test func formatsWithoutLayoutsGetMaskOrder() throws {
    let format = "au"
    // A source in another order: Vorbis has the center second.
    #expect(
      try Program.run("-f", "1", "--format", "ogg", "-o", "x.ogg", "5.1.wav", in: folder.path)
        .status == 0)
    #expect(
      try Program.run("-f", "1", "--format", format, "-o", "x", "x.ogg", in: folder.path).status
        == 1)
    let allowed = try Program.run(
      "-f", "1", "--format", format, "--allow-layout-loss", "-o", "x.\(format)", "x.ogg",
      in: folder.path)
    #expect(allowed.status == 0)
    #expect(
      allowed.errorText.contains("in the order FL FR FC LFE BL BR, without their positions"))
    let heard = try frame(of: "x.\(format)", at: 2400)
    for channel in [0, 1, 2, 4, 5] { #expect(abs(heard[channel] - reported[channel]) < 300) }
  }

  @Test func unknownLayoutsAreAssumedInMaskOrder() throws {
    #expect(
      try Program.run("-f", "1", "--format", "opus", "-o", "x.opus", "bare.au", in: folder.path)
        .status == 1)
    let allowed = try Program.run(
      "-f", "1", "--format", "opus", "--allow-layout-loss", "-o", "x.opus", "bare.au",
      in: folder.path)
    #expect(allowed.status == 0, "\(allowed.errorText)")
    #expect(allowed.errorText.contains("the order FL FR FC LFE BL BR is assumed"))
    #expect(try layout(of: "x.opus") == "5.1")
  }

  @Test func mixesToOneChannelByMeanAndByITU() throws {
    let mean = try Program.run("-f", "1", "--mono", "-o", "mean.wav", "5.1.wav", in: folder.path)
    #expect(mean.status == 0)
    #expect(try frame(of: "mean.wav", channels: 1) == [3500])
    let itu = try Program.run(
      "-f", "1", "--mono", "--downmix", "itu", "-o", "itu.wav", "5.1(side).wav", in: folder.path)
    #expect(itu.status == 0, "\(itu.errorText)")
    // (0.7071 * (1000 + 2000) + 3000 + 0.5 * (5000 + 6000)) / (2 * 0.7071 + 1 + 2 * 0.5)
    #expect(try frame(of: "itu.wav", channels: 1) == [3111])
    let alone = try Program.run("-f", "1", "--downmix", "itu", "5.1.wav", in: folder.path)
    #expect(alone.status == 64)
    #expect(alone.errorText.contains("--single-channel"))
    let unknown = try Program.run(
      "-f", "1", "--mono", "--downmix", "itu", "-o", "x.au", "bare.au", in: folder.path)
    #expect(unknown.status == 1)
    #expect(
      unknown.errorText.contains("are not known, so it has no ITU downmix; leave out --downmix"))
    #expect(!folder.exists("x.au"))
  }

  /// An output that was made with other weights does not count as done.
  @Test func resumingComparesTheWeights() throws {
    func run(_ options: String...) throws -> String {
      try Tool.run(
        Program.path, ["-f", "1", "--mono", "--resume", "-o", "out/", "5.1.wav"] + options,
        in: folder.path
      ).errorText
    }
    _ = try run()
    #expect(try run().contains("skipped"))
    #expect(!(try run("--overwrite", "--downmix", "itu").contains("skipped")))
  }
}
