import AudioFiles
import AudioModel
import TestSupport
import Testing

@testable import AudioIO

/// MP3 with damage in its middle, or other bytes before it: one number of frames, whoever asks.
@Suite("Damaged MP3")
struct DamagedMP3Tests {
  private static let frames = 441_000

  /// Ten seconds as `x.mp3`, with a constant bit rate: a delay of 576 frames, which LAME's header states.
  private func encode(_ fixture: AudioFixture) throws -> [UInt8] {
    try fixture.run(
      "sox", "-R", "-n", "-r", "44100", "-c", "2", "-b", "16", "x.wav", "synth", "10",
      "pinknoise", "vol", "0.4")
    try fixture.run("lame", "--quiet", "--cbr", "-b", "128", "x.wav", "x.mp3")
    return try fixture.bytes("x.mp3")
  }

  /// The offsets of the frames by the arithmetic of ISO 11172-3: 144 x 128,000 / 44,100 bytes, and one for padding.
  private func offsets(_ bytes: [UInt8]) -> [Int] {
    var offsets: [Int] = []
    var position = 0
    while position + 4 <= bytes.count, bytes[position] == 0xFF {
      offsets.append(position)
      position += 417 + Int(bytes[position + 2] >> 1 & 1)
    }
    return offsets
  }

  /// Expects these frames from salvaging, of all, and the same number in the warning.
  private func expectSalvaged(_ fixture: AudioFixture, lost: Int) throws {
    let read = try fixture.read("y.mp3", salvaging: true)
    let count = Self.frames - lost * 1152
    #expect(read.source.frameCount == count)
    #expect(read.samples.count == 2 * count)
    let warning =
      lost == 0 ? "salvaged" : "salvaged \(count.grouped) of \(Self.frames.grouped) frames"
    #expect(read.source.warnings.contains { $0.text.hasPrefix(warning) }, "\(read.source.warnings)")
    #expect(
      !read.source.warnings.contains { $0.text.contains("joined") }, "\(read.source.warnings)")
  }

  @Test func damageInTheMiddleIsNoEarlyEnd() throws {
    let fixture = try AudioFixture()
    let whole = try encode(fixture)
    let offsets = offsets(whole)
    try #require(offsets.count > 380)
    // Zeros over five whole frames; then bytes missing from within one frame to within another; random bytes inserted.
    let start = offsets[100]
    var zeros = whole
    for index in start..<offsets[105] { zeros[index] = 0 }
    var cut = whole
    cut.removeSubrange(start + 200..<offsets[103] + 100)
    var longer = whole
    longer.insert(contentsOf: (0..<777).map { UInt8(truncatingIfNeeded: $0 &* 37) }, at: start)
    // Of the frame that is cut, the header and the declared number of bytes are there.
    for (bytes, place, intact, lost) in [
      (zeros, start, 99, 5), (cut, offsets[101], 100, 3), (longer, start, 99, 0),
    ] {
      try fixture.put("y.mp3", bytes)
      let input = try InputFile(path: fixture.path("y.mp3"))
      #expect {
        try fixture.read("y.mp3")
      } throws: {
        errorName($0) == "malformed" && "\($0)".contains("no MPEG frame begins at byte \(place)")
      }
      let (reader, damage) = try AudioFile.listeningReader(for: input)
      #expect(damage.map(errorName) == "malformed")
      // The first frame is LAME's header; decoding begins 529 frames later than encoding.
      #expect(reader.source.frameCount == intact * 1152 - 576 - 529)
      try expectSalvaged(fixture, lost: lost)
    }
  }

  /// The numbers of the error are those of the audio, as the salvaged file has it.
  @Test func missingEndIsCountedInAudio() throws {
    let fixture = try AudioFixture()
    let whole = try encode(fixture)
    let offsets = offsets(whole)
    try fixture.put("y.mp3", whole[..<(offsets[200] + 50)])
    let found = 199 * 1152 - 576 - 529
    #expect(
      throws: AudioFileError.truncated(
        fixture.path("y.mp3"), expected: Self.frames, found: found)
    ) { try fixture.read("y.mp3") }
    let salvaged = try fixture.read("y.mp3", salvaging: true).source
    #expect(salvaged.frameCount == found)
    #expect(
      salvaged.warnings.contains {
        $0.text.hasPrefix("salvaged \(found.grouped) of \(Self.frames.grouped) frames")
      }, "\(salvaged.warnings)")
  }

  /// Files from discs and failed downloads begin with zeros.
  @Test(arguments: [1000, 65_536, 300_000], [false, true])
  func zerosBeforeTheFirstFrameAreSkipped(count: Int, hasTag: Bool) throws {
    let fixture = try AudioFixture()
    let whole = try encode(fixture)
    let tag: [UInt8] =
      Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 128)
    try fixture.put(
      "y.mp3", (hasTag ? tag : []) + [UInt8](repeating: 0, count: count) + whole)
    let read = try fixture.read("y.mp3")
    #expect(read.source.frameCount == Self.frames)
    #expect(try read.samples == fixture.read("x.mp3").samples)
  }
}
