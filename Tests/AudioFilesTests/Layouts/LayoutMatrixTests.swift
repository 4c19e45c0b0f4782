import AudioModel
import TestSupport
import Testing

@testable import AudioFiles
@testable import AudioIO

/// Every layout in every container that can hold it, as ffmpeg reads it.
@Suite("Layouts by container")
struct LayoutMatrixTests {
  /// Every layout with a name, single speakers that are not mono, and such as have no name.
  static let masks: [UInt32] =
    ChannelLayout.named.map(\.mask) + [0x1, 0x8, 0x200, 0xC, 0x30, 0x503F, 0x2D63F, 0x3FFFF]
  static let containers = [
    "wav", "wavex", "rf64", "w64", "caf", "aiff", "aifc", "flac", "oga",
  ]

  /// One run of ffmpeg for all layouts of a container.
  @Test(arguments: containers)
  func everyLayoutAndChannelOrderIsWritten(id: String) throws {
    let format = try #require(AudioFormat.named(id))
    let fixture = try AudioFixture()
    let masks = Self.masks.filter { format.channels.contains($0.nonzeroBitCount) }
    let names = masks.map { "\($0).\(format.extensions[0])" }
    var frames: [[Int16]] = []
    for (mask, name) in zip(masks, names) {
      let layout = try #require(ChannelLayout(mask: mask, channelCount: mask.nonzeroBitCount))
      // Handed over in the reverse of the order in which the file will have them.
      let speakers = try #require(layout.speakers)
      let reversed = try #require(ChannelLayout(speakers.reversed()))
      let frame = speakers.reversed().map { Int16($0.rawValue) * 1000 + 500 }
      try fixture.write(name, (0..<50).flatMap { _ in frame }, as: id, layout: reversed)
      frames.append(frame.reversed())
    }
    // ffmpeg ignores the mask in Ogg FLAC, which flac reads.
    if id == "oga" {
      let decoded = try Tool.run("flac", ["-sd"] + names, in: fixture.folder.path)
      try #require(decoded.status == 0, "\(decoded.errorText)")
    }
    let readable = id == "oga" ? masks.map { "\($0).wav" } : names
    let layouts = try fixture.layouts(readable, guessed: 2)
    let samples = try fixture.decodeWithFFmpeg(readable)
    for (index, mask) in masks.enumerated() {
      let hex = "\(id) 0x\(String(mask, radix: 16))"
      if id != "oga" || mask.nonzeroBitCount > 2 {
        #expect(FFmpegLayouts.mask(of: layouts[index]) == mask, "\(hex): \(layouts[index])")
      }
      #expect(samples[index] == (0..<50).flatMap { _ in frames[index] }, "\(hex)")
      let read = try fixture.read(names[index])
      let layout = ChannelLayout(mask: mask, channelCount: mask.nonzeroBitCount)
      #expect(read.source.spec.layout == layout, "\(hex)")
      #expect(read.samples == samples[index], "\(hex)")
    }
  }

  /// libsndfile's own reading of the mask, in one run for each container.
  @Test(arguments: ["wav", "rf64"])
  func libsndfileReadsTheMask(id: String) throws {
    // Plain WAV declares mono and stereo by the count.
    let masks = Self.masks.filter { $0 != 0x3 && $0 != 0x4 }
    let fixture = try AudioFixture()
    for mask in masks {
      let channels = mask.nonzeroBitCount
      let layout = try #require(ChannelLayout(mask: mask, channelCount: channels))
      try fixture.write(
        "\(mask).wav", Array(repeating: 1, count: channels), as: id, layout: layout)
    }
    let listed = try Tool.run("sndfile-info", masks.map { "\($0).wav" }, in: fixture.folder.path)
    try #require(listed.status == 0, "\(listed.errorText)")
    let parts = listed.outputText.split(separator: "File : ").dropFirst()
    try #require(parts.count == masks.count)
    for (mask, part) in zip(masks, parts) {
      #expect(part.contains("0x\(String(mask, radix: 16, uppercase: true)) ("), "\(part)")
    }
  }

  /// The orders that Vorbis and Opus have for themselves.
  @Test(arguments: 1...8, ["ogg", "opus"])
  func channelsOfVorbisAreInItsOrder(channels: Int, id: String) throws {
    let fixture = try AudioFixture()
    let layout = try #require(
      ChannelLayout.named.first {
        $0.channelCount == channels && AudioFormat.named(id)?.layoutRefusal(of: $0) == nil
      })
    try fixture.write(
      "x.\(id)", Signal.tones(frames: 24000, channels: channels), as: id, layout: layout)
    #expect(FFmpegLayouts.mask(of: try fixture.layouts(["x.\(id)"], guessed: 2)[0]) == layout.mask)
    let heard = try fixture.decodeWithFFmpeg("x.\(id)")
    for (channel, speaker) in (layout.speakers ?? []).enumerated() where speaker != .lowFrequency {
      // A low-frequency channel passes only what is low: its tone would be lost.
      #expect(Signal.tone(in: heard, channel: channel, of: channels) == channel + 1)
    }
  }

  /// ffmpeg's Wave64 has the extensible header.
  @Test(arguments: [UInt32(0x3F), 0x60F, 0x63F, 0x33])
  func wave64HasAMask(mask: UInt32) throws {
    let fixture = try AudioFixture()
    let channels = mask.nonzeroBitCount
    let layout = try #require(ChannelLayout(mask: mask, channelCount: channels))
    let samples = Signal.noise(frames: 300, channels: channels)
    try fixture.write("x.wav", samples, as: "wav", layout: layout)
    try fixture.run("ffmpeg", "-v", "error", "-i", "x.wav", "x.w64")
    let read = try fixture.read("x.w64")
    #expect(read.source.spec.layout == layout)
    #expect(read.samples == samples)
  }

  /// More than 8 channels, or channels without positions, are of mapping family 255.
  @Test func opusWithoutSpeakersHasAnUnknownLayout() throws {
    let fixture = try AudioFixture()
    try fixture.write(
      "x.opus", Signal.tones(frames: 4800, channels: 10), as: "opus", layout: .unspecified(10))
    let read = try fixture.read("x.opus")
    #expect(read.source.spec.layout == .unspecified(10))
    #expect(read.source.frameCount == 4800)
    try fixture.run(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=d=0.1:r=48000", "-ac", "4", "-c:a",
      "libopus", "-mapping_family", "255", "y.opus")
    #expect(try fixture.read("y.opus").source.spec.layout == .unspecified(4))
  }
}

/// ffmpeg's names of layouts, as `ffmpeg -layouts` prints them.
enum FFmpegLayouts {
  private static let masks: [String: UInt32] = {
    guard let reported = try? Tool.run("ffmpeg", ["-hide_banner", "-layouts"]) else { return [:] }
    var masks: [String: UInt32] = [:]
    for line in reported.outputText.split(separator: "\n") {
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      if words.count == 2, let mask = mask(ofSpeakers: String(words[1])) {
        masks[String(words[0])] = mask
      }
    }
    return masks
  }()

  /// The mask of `5.1(side)`, or of `3 channels (FL+FR+TC)`.
  static func mask(of name: String) -> UInt32? {
    if let known = masks[name] { return known }
    guard let open = name.firstIndex(of: "("), name.hasSuffix(")") else { return nil }
    return mask(ofSpeakers: String(name[name.index(after: open)...].dropLast()))
  }

  private static func mask(ofSpeakers text: String) -> UInt32? {
    var mask: UInt32 = 0
    for part in text.split(separator: "+") {
      guard let speaker = Speaker.allCases.first(where: { $0.abbreviation == part }) else {
        return nil
      }
      mask |= speaker.maskBit
    }
    return mask == 0 ? nil : mask
  }
}
