import AudioFiles
import AudioModel
import TestSupport
import Testing

@testable import AudioIO
@testable import FLACFiles

/// Streams that `flac -t` accepts, and that its encoder does not make by itself.
@Suite("Uncommon FLAC streams")
struct UncommonFLACTests {
  /// A stream of noise in frames of 4608 samples: the content of its stream information, and its frames.
  private static func parts(_ fixture: AudioFixture) throws -> (info: [UInt8], frames: [UInt8]) {
    try fixture.run(
      "sox", "-n", "-r", "44100", "-b", "16", "-c", "2", "x.wav", "synth", "1", "whitenoise")
    try fixture.run("flac", "-s", "--lax", "-b", "4608", "x.wav", "-o", "x.flac")
    let bytes = try fixture.bytes("x.flac")
    var position = 4
    while true {
      let isLast = bytes[position] & 0x80 != 0
      position += 4 + Int(bytes[position + 1..<position + 4].bigEndianValue)
      if isLast { return (Array(bytes[8..<42]), Array(bytes[position...])) }
    }
  }

  private static func expectSame(_ fixture: AudioFixture, _ stream: [UInt8]) throws {
    try fixture.put("y.flac", stream)
    let test = try Tool.run("flac", ["-t", "-s", "y.flac"], in: fixture.folder.path)
    #expect(test.status == 0)
    let read = try fixture.read("y.flac")
    #expect(read.samples == (try fixture.decodeWithFFmpeg("x.wav")))
    #expect(read.source.format.id == "flac")
    #expect(read.source.spec == AudioSpec(sampleRate: 44100, layout: .stereo))
  }

  /// 0 to 0, 16 to 65535, and 4096 to 4096 for frames that are all of another size.
  @Test(arguments: [[UInt8](repeating: 0, count: 4), [0, 16, 0xFF, 0xFF], [16, 0, 16, 0]])
  func wrongBlockSizes(sizes: [UInt8]) throws {
    let fixture = try AudioFixture()
    let (info, frames) = try Self.parts(fixture)
    try Self.expectSame(
      fixture, Array("fLaC".utf8) + [0x80, 0, 0, 34] + sizes + info[4...] + frames)
  }

  @Test func unnumberedFrames() throws {
    let fixture = try AudioFixture()
    let (info, frames) = try Self.parts(fixture)
    let places = try FLACBytes.frames(of: fixture.path("x.flac"), in: fixture.folder).map(\.offset)
    var unnumbered: [UInt8] = []
    for (start, end) in zip(places, places.dropFirst() + [places[0] + frames.count]) {
      let frame = frames[start - places[0]..<end - places[0]]
      let isMade = Array(frame).withUnsafeBytes {
        FLACFrameNumber.append($0, numbered: 0, to: &unnumbered)
      }
      #expect(isMade)
    }
    try Self.expectSame(fixture, Array("fLaC".utf8) + [0x80, 0, 0, 34] + info + unnumbered)
    // Without the signature, nothing shows that the frames are all there.
    let unsigned = info.dropLast(16) + [UInt8](repeating: 0, count: 16)
    try fixture.put("y.flac", Array("fLaC".utf8) + [0x80, 0, 0, 34] + unsigned + unnumbered)
    #expect(throws: AudioFileError.self) { try fixture.read("y.flac") }
  }

  @Test func otherFirstMetadataBlocks() throws {
    let fixture = try AudioFixture()
    let (_, frames) = try Self.parts(fixture)
    let padding = [UInt8](repeating: 0, count: 50)
    let stream = Array("fLaC".utf8) + [0x81, 0, 0, 50] + padding + frames
    try Self.expectSame(fixture, stream)
    #expect(
      try fixture.read("y.flac").source.warnings.map(\.text).contains { $0.contains("STREAMINFO") })
  }

  @Test func framesWithoutStreamInformation() throws {
    let fixture = try AudioFixture()
    let (_, frames) = try Self.parts(fixture)
    try Self.expectSame(fixture, frames)
    // A cut within a frame shows.
    try fixture.put("y.flac", frames.dropLast(1000))
    #expect(throws: AudioFileError.self) { try fixture.read("y.flac") }
  }

  @Test(arguments: [
    "-b 16", "-b 192", "-b 4095", "-b 65535", "-l 32 -r 15 -b 4096", "-0",
    "--disable-constant-subframes --disable-fixed-subframes",
  ])
  func nonSubsetStreams(options: String) throws {
    let fixture = try AudioFixture()
    _ = try Self.parts(fixture)
    let made = try Tool.run(
      "flac",
      ["-s", "--lax"] + options.split(separator: " ").map(String.init)
        + ["x.wav", "-o", "z.flac"], in: fixture.folder.path)
    try #require(made.status == 0)
    try Self.expectSame(fixture, try fixture.bytes("z.flac"))
  }
}
