import AudioFiles
import AudioModel
import TestSupport
import Testing

@testable import AudioIO

/// The tone of each speaker, as ffmpeg reads what is written here and the reverse.
@Suite("Channel layouts through libsndfile")
struct LayoutTests {
  private func layout(_ mask: UInt32) throws -> ChannelLayout {
    try #require(ChannelLayout(mask: mask, channelCount: mask.nonzeroBitCount))
  }

  /// ffmpeg gives channels in the order of the mask, regardless of the file's order.
  private func expectTones(
    _ fixture: AudioFixture, _ name: String, _ mask: UInt32,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let decoded = try fixture.decodeWithFFmpeg(name)
    let channels = mask.nonzeroBitCount
    let heard = (0..<channels).map { Signal.tone(in: decoded, channel: $0, of: channels) }
    #expect(heard == Array(1...channels), sourceLocation: sourceLocation)
  }

  /// A source in the order of Vorbis is put into the order of the target.
  @Test(arguments: ["wav", "caf", "aiff", "rf64"])
  func otherOrdersArePermuted(id: String) throws {
    let fixture = try AudioFixture()
    let order: [Speaker] = [
      .frontLeft, .frontCenter, .frontRight, .backLeft, .backRight, .lowFrequency,
    ]
    // Tone k is for the k-th speaker in the mask.
    let tones = Signal.tones(frames: 2400, channels: 6)
    let place = [0, 2, 1, 4, 5, 3]
    let samples = (0..<2400).flatMap { frame in place.map { tones[frame * 6 + $0] } }
    try fixture.write("x.\(id)", samples, as: id, layout: try #require(ChannelLayout(order)))
    try expectTones(fixture, "x.\(id)", 0x3F)
  }

  @Test(arguments: [(UInt32(0x3F), "5.1"), (0x63F, "7.1"), (0x33, "quad"), (0x70F, "6.1")])
  func opusIsInTheOrderOfVorbis(mask: (UInt32, String)) throws {
    let fixture = try AudioFixture()
    let layout = try layout(mask.0)
    let samples = Signal.tones(frames: 24000, channels: layout.channelCount)
    // A low-frequency channel passes only what is low: its tone would be lost.
    try fixture.write("x.opus", samples, as: "opus", layout: layout)
    #expect(try fixture.probe("x.opus", "channel_layout") == mask.1)
    let decoded = try fixture.decodeWithFFmpeg("x.opus")
    let read = try fixture.read("x.opus")
    #expect(read.source.spec.layout.inMaskOrder == layout)
    let speakers = try #require(layout.speakers)
    let fileOrder = try #require(read.source.spec.layout.speakers)
    for (channel, speaker) in speakers.enumerated() where speaker != .lowFrequency {
      #expect(Signal.tone(in: decoded, channel: channel, of: speakers.count) == channel + 1)
      let inFile = try #require(fileOrder.firstIndex(of: speaker))
      #expect(Signal.tone(in: read.samples, channel: inFile, of: speakers.count) == channel + 1)
    }
  }

  /// FFmpeg writes layouts into CAF by tag.
  @Test(arguments: [(UInt32(0x3F), "5.1"), (0x63F, "7.1"), (0x33, "quad"), (0x7, "3.0")])
  func layoutsWrittenByFFmpegAreRead(mask: (UInt32, String)) throws {
    let fixture = try AudioFixture()
    let layout = try layout(mask.0)
    let samples = Signal.tones(frames: 2400, channels: layout.channelCount)
    try fixture.write("x.wav", samples, as: "wav", layout: layout)
    try fixture.run("ffmpeg", "-v", "error", "-i", "x.wav", "x.caf")
    let read = try fixture.read("x.caf")
    #expect(read.source.spec.layout == layout)
    #expect(read.samples == samples)
  }

  @Test func mismatchedMasksLeaveTheLayoutUnknown() throws {
    let fixture = try AudioFixture()
    let data = [UInt8](repeating: 0, count: 120)
    try fixture.put("zero.wav", Wave.file(channels: 6, bits: 16, mask: 0, data: data))
    try fixture.put("few.wav", Wave.file(channels: 6, bits: 16, mask: 3, data: data))
    let zero = try fixture.read("zero.wav").source
    #expect(zero.spec.layout == .unspecified(6))
    #expect(zero.warnings == [])
    let few = try fixture.read("few.wav").source
    #expect(few.spec.layout == .unspecified(6))
    #expect(few.warnings.count == 1)
  }

  /// Channels of unknown position stay so; libsndfile would give 4, 6 and 8 of them positions.
  @Test func unknownLayoutsStayUnknown() throws {
    let fixture = try AudioFixture()
    var files: [(name: String, channels: Int)] = []
    for id in ["wav", "wavex", "rf64", "caf", "aiff", "w64", "au"] {
      for channels in [3, 4, 6, 8] {
        let name = "\(id)-\(channels).\(id)"
        let samples = Signal.noise(frames: 100, channels: channels)
        try fixture.write(name, samples, as: id, layout: .unspecified(channels))
        let read = try fixture.read(name)
        #expect(read.source.spec.layout == .unspecified(channels), "\(name)")
        #expect(read.samples == samples, "\(name)")
        files.append((name, channels))
      }
    }
    for (file, layout) in zip(files, try fixture.layouts(files.map(\.name))) {
      #expect(["unknown", "\(file.channels) channels"].contains(layout), "\(file.name)")
    }
  }

  @Test func plainWAVIsWrittenIfItHoldsTheLayout() throws {
    let fixture = try AudioFixture()
    try fixture.write("x.wav", [1, 2, 3, 4], as: "wav", layout: .stereo)
    // The format tag is at byte 20: 1 is PCM, 0xFFFE extensible.
    #expect(try fixture.bytes("x.wav")[20..<22].elementsEqual([1, 0]))
  }

  @Test func layoutsThatTheTargetCannotHoldAreRefused() throws {
    let fixture = try AudioFixture()
    let layout = try layout(0x3F)
    for id in ["au", "mp3"] {
      #expect(throws: AudioFileError.self) {
        try fixture.write("x", [0, 0, 0, 0, 0, 0], as: id, layout: layout)
      }
    }
    #expect(try fixture.folder.names() == [])
  }
}
