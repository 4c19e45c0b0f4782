import AudioModel
import Testing

@testable import AudioFiles
@testable import AudioIO

/// The output for layouts that a format cannot store, where that is allowed.
@Suite("Loss of layouts")
struct LayoutLossTests {
  private func layout(_ mask: UInt32) throws -> ChannelLayout {
    try #require(ChannelLayout(mask: mask, channelCount: mask.nonzeroBitCount))
  }

  private func format(_ id: String) throws -> AudioFormat { try #require(AudioFormat.named(id)) }

  @Test(
    arguments: [
      (0x60F, 0x3F, "SL as BL, SR as BR"), (0x607, 0x37, "SL as BL, SR as BR"),
      (0x603, 0x33, "SL as BL, SR as BR"), (0xFF, 0x63F, "FLC as SL, FRC as SR"),
      (0x13F, 0x70F, "BL as SL, BR as SR"), (0xB, 0x7, "LFE as FC"), (0x103, 0x7, "BC as FC"),
      (0x107, 0x33, "FC as BL, BC as BR"), (0x8, 0x4, "LFE as FC"),
      (0xC03, 0x33, "SR as BR, TC as BL"),
    ] as [(UInt32, UInt32, String)])
  func layoutsBecomeTheNearestOfTheSameCount(given: UInt32, written: UInt32, moves: String) throws {
    for id in ["ogg", "opus"] {
      let loss = try #require(try format(id).layoutLoss(of: layout(given)))
      #expect(loss.layout.mask == written)
      #expect(loss.givenLayout == nil)
      #expect(loss.warning.hasSuffix(moves), "\(loss.warning)")
      // Every channel keeps its place in the frames; only its speaker is another.
      #expect(loss.layout.channelCount == given.nonzeroBitCount)
    }
  }

  @Test func nothingIsLostIfTheFormatHoldsTheLayout() throws {
    for id in ["ogg", "opus"] { #expect(try format(id).layoutLoss(of: layout(0x3F)) == nil) }
    for id in ["wav", "flac", "caf", "aiff", "rf64"] {
      #expect(try format(id).layoutLoss(of: layout(0x60F)) == nil)
      #expect(try format(id).layoutLoss(of: .unspecified(6)) == nil)
    }
    #expect(try format("au").layoutLoss(of: .unspecified(6)) == nil)
  }

  @Test func unknownLayoutsAreAssumedInMaskOrder() throws {
    let loss = try #require(try format("ogg").layoutLoss(of: .unspecified(6)))
    #expect(loss.layout == (try layout(0x3F)))
    #expect(loss.warning.hasSuffix("so the order FL FR FC LFE BL BR is assumed"))
  }

  /// Formats that give only a count have the channels in the order of the mask.
  @Test func formatsWithoutLayoutsGetMaskOrder() throws {
    let id = "au"
    let fixture = try AudioFixture()
    let given = try #require(
      ChannelLayout([.frontLeft, .frontCenter, .frontRight, .sideLeft, .sideRight, .lowFrequency]))
    let loss = try #require(try format(id).layoutLoss(of: given))
    #expect(loss.layout == .unspecified(6))
    #expect(loss.warning.contains("FL FR FC LFE SL SR"))
    let output = try OutputFile(path: fixture.path("x"))
    var description = OutputDescription(
      spec: AudioSpec(sampleRate: 48000, layout: loss.layout), frameCount: 2,
      format: try format(id), options: EncodingOptions(), metadata: Metadata(), sourceBitRate: nil)
    description.givenLayout = loss.givenLayout
    let writer = try AudioFile.writer(to: output, as: description)
    let samples: [Int16] = [1, 3, 2, 5, 6, 4, 11, 13, 12, 15, 16, 14]
    try writer.write(samples.span)
    try writer.finish()
    try output.commit(replacing: true)
    #expect(try fixture.decodeWithSox("x", type: id) == [1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16])
  }

  @Test func refusalsOfferLayoutLoss() throws {
    let spec = AudioSpec(sampleRate: 48000, layout: try layout(0x60F))
    let refusal = try #require(try format("ogg").refusal(of: spec, frameCount: 1))
    #expect(refusal.reason == "Ogg Vorbis cannot store the layout 5.1(side)")
    guard case .any(let remedies) = refusal.remedy else {
      Issue.record("\(String(describing: refusal.remedy))")
      return
    }
    #expect(remedies.contains(.allowLayoutLoss))
    // If something else is wrong, the option would not help.
    let fast = AudioSpec(sampleRate: 500_000, layout: .stereo)
    guard case .any(let others) = try format("ogg").refusal(of: fast, frameCount: 1)?.remedy else {
      Issue.record("the remedy is not one of several")
      return
    }
    #expect(!others.contains(.allowLayoutLoss))
  }
}

extension AudioFixture {
  /// The samples of a file that has no extension, as sox or, where that cannot, libsndfile decodes them.
  func decodeWithSox(_ name: String, type: String) throws -> [Int16] {
    try run("sndfile-convert", "-override-sample-rate=48000", name, "converted.wav")
    return try decodeWithSox("converted.wav")
  }
}
