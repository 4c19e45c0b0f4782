import ScaleAudio
import TestSupport
import Testing

@Suite("Channel layouts of conversions")
struct LayoutConversionTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
    // Constant signals, different in every channel: 1000 for the front left, 2000 for the right, …
    let values = (1...6).map { "\(Double($0) * 1000 / 32768)" }.joined(separator: "|")
    for layout in ["5.1", "5.1(side)"] {
      try bench.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i",
        "aevalsrc=\(values):c=\(layout):s=48000:d=0.1", "-c:a", "pcm_s16le", "\(layout).wav")
    }
    // The same channels without a mask.
    try bench.run("sox", "5.1.wav", "-t", "au", "bare.au")
  }

  private func layout(of name: String) throws -> String {
    try bench.entries("stream=channel_layout", of: name)
  }

  /// A frame as ffmpeg decodes it, in the order of the WAVE mask.
  private func frame(of name: String, at index: Int = 0, channels: Int = 6) throws -> [Int] {
    let raw = try bench.run(
      "ffmpeg", "-v", "error", "-i", name, "-f", "s16le", "-c:a", "pcm_s16le", "-")
    return Raw.int16(raw.output)[(index * channels)...].prefix(channels).map(Int.init)
  }

  private let reported = [1000, 2000, 3000, 4000, 5000, 6000]

  @Test func layoutLossIsRefusedUnlessAllowed() throws {
    let refused = try bench.failure(of: "5.1(side).wav", to: "x.ogg", .by(1))
    #expect(refused.contains("Ogg Vorbis cannot store the layout 5.1(side)"))
    #expect(!bench.folder.exists("x.ogg"))
    let report = try bench.convert("5.1(side).wav", to: "x.ogg", .by(1)) {
      $0.allowsLayoutLoss = true
    }
    #expect(report.warningText.contains("it is written as 5.1, with SL as BL, SR as BR"))
    #expect(try layout(of: "x.ogg") == "5.1")
    let heard = try frame(of: "x.ogg", at: 2400)
    // A low-frequency channel loses its constant, and the codec is lossy.
    for channel in [0, 1, 2, 4, 5] { #expect(abs(heard[channel] - reported[channel]) < 300) }
  }

  @Test func formatsWithoutLayoutsGetMaskOrder() throws {
    // A source in another order: Vorbis has the center second.
    try bench.convert("5.1.wav", to: "x.ogg", .by(1))
    #expect(throws: ConversionError.self) { try bench.convert("x.ogg", to: "x.au", .by(1)) }
    let report = try bench.convert("x.ogg", to: "x.au", .by(1)) { $0.allowsLayoutLoss = true }
    #expect(
      report.warningText.contains("in the order FL FR FC LFE BL BR, without their positions"))
    let heard = try frame(of: "x.au", at: 2400)
    for channel in [0, 1, 2, 4, 5] { #expect(abs(heard[channel] - reported[channel]) < 300) }
  }

  @Test func unknownLayoutsAreAssumedInMaskOrder() throws {
    #expect(throws: ConversionError.self) { try bench.convert("bare.au", to: "x.opus", .by(1)) }
    let report = try bench.convert("bare.au", to: "x.opus", .by(1)) { $0.allowsLayoutLoss = true }
    #expect(report.warningText.contains("the order FL FR FC LFE BL BR is assumed"))
    #expect(try layout(of: "x.opus") == "5.1")
  }

  /// Halves go to the even one.
  @Test func theMeanIsRounded() throws {
    try bench.folder.write("in.wav", Sound.wav)
    try bench.convert("in.wav", to: "mean.wav", .by(1)) { $0.channels = .mono(.mean) }
    let source = try bench.int16("in.wav")
    let means = stride(from: 0, to: source.count, by: 2).map {
      Int16(((Double(source[$0]) + Double(source[$0 + 1])) / 2).rounded(.toNearestOrEven))
    }
    #expect(try bench.int16("mean.wav") == means)
  }

  @Test func mixesToOneChannelByMeanAndByITU() throws {
    try bench.convert("5.1.wav", to: "mean.wav", .by(1)) { $0.channels = .mono(.mean) }
    #expect(try frame(of: "mean.wav", channels: 1) == [3500])
    try bench.convert("5.1(side).wav", to: "itu.wav", .by(1)) { $0.channels = .mono(.itu) }
    // (0.7071 * (1000 + 2000) + 3000 + 0.5 * (5000 + 6000)) / (2 * 0.7071 + 1 + 2 * 0.5)
    #expect(try frame(of: "itu.wav", channels: 1) == [3111])
    let unknown = try bench.failure(of: "bare.au", to: "x.au", .by(1)) {
      $0.channels = .mono(.itu)
    }
    #expect(unknown.contains("are not known, so it has no ITU downmix"))
    #expect(!bench.folder.exists("x.au"))
  }
}
