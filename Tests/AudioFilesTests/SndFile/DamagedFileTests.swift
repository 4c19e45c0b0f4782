import AudioFiles
import AudioModel
import TestSupport
import Testing

@testable import AudioIO

/// Cut, flipped and hostile files: a named error or the whole audio, never less in silence.
@Suite("Damaged files through libsndfile", .tags(.packageTraits))
struct DamagedFileTests {
  static let containers: [(String, Int)] = [
    ("wav", 2), ("wavex", 2), ("rf64", 2), ("w64", 2), ("aiff", 2), ("aifc", 2), ("caf", 2),
    ("caf-alac", 2), ("au", 2), ("opus", 2), ("mp3", 2),
  ]

  private func make(_ fixture: AudioFixture, _ id: String, _ channels: Int) throws -> [UInt8] {
    let isLossless = id == "caf-alac"
    try fixture.write(
      "x", Signal.tones(frames: 1500, channels: channels, rate: 16000), as: isLossless ? "wav" : id,
      layout: .assumed(channelCount: channels), rate: 16000)
    if isLossless { try fixture.run("ffmpeg", "-v", "error", "-i", "x", "-c:a", "alac", "y.caf") }
    return try fixture.bytes(isLossless ? "y.caf" : "x")
  }

  @Test(arguments: containers)
  func noPrefixIsTakenForTheWholeFile(id: String, channels: Int) throws {
    let fixture = try AudioFixture()
    let bytes = try make(fixture, id, channels)
    let allowed: Set = [
      "empty", "notAudio", "truncated", "malformed", "limitExceeded", "unsupported",
    ]
    let cuts = Array(0..<min(220, bytes.count)) + Array(stride(from: 220, to: bytes.count, by: 499))
    for count in cuts + [bytes.count - 1] {
      try fixture.put("cut", bytes[..<count])
      do {
        // Only a terminator may be missing.
        #expect(try fixture.read("cut").samples.count == 1500 * channels, "\(id) cut at \(count)")
      } catch {
        #expect(allowed.contains(errorName(error)), "\(id) cut at \(count): \(error)")
      }
    }
  }

  @Test(arguments: containers)
  func flippedBytesNeverShortenFilesSilently(id: String, channels: Int) throws {
    let fixture = try AudioFixture()
    let bytes = try make(fixture, id, channels)
    var readings = 0
    for index in 0..<min(bytes.count, 120) {
      for mask: UInt8 in [0xFF, 0x80] {
        var damaged = bytes
        damaged[index] ^= mask
        try fixture.put("bad", damaged)
        // The result is complete: as many samples as were promised, or an error.
        guard let read = try? fixture.read("bad") else { continue }
        readings += 1
        #expect(read.samples.count == read.source.frameCount * read.source.spec.channelCount)
      }
    }
    // Every byte of a page of Ogg is under its checksum. Only FFmpeg reads its own ALAC in CAF.
    #if FFmpeg
      let isRead = id != "opus"
    #else
      let isRead = id != "opus" && id != "caf-alac"
    #endif
    #expect(isRead ? readings > 50 : readings == 0, "\(id): \(readings)")
  }

  @Test(arguments: containers)
  func salvagingDecodesWhatRemains(id: String, channels: Int) throws {
    let fixture = try AudioFixture()
    let bytes = try make(fixture, id, channels)
    try fixture.put("cut", bytes[..<(bytes.count * 3 / 4)])
    // FFmpeg's packet table comes last, and this Opus is one page.
    guard !["caf-alac", "opus"].contains(id) else { return }
    let read = try fixture.read("cut", salvaging: true)
    #expect(read.source.frameCount < 1500 || id == "mp3")
    #expect(read.samples.count == read.source.frameCount * channels)
    #expect(
      read.source.warnings.map(\.text).contains {
        $0.hasPrefix("salvaged \(read.source.frameCount.grouped) ")
      })
  }

  @Test func truncatedNISTIsReported() throws {
    let fixture = try AudioFixture()
    try fixture.run(
      "sox", "-n", "-r", "16000", "-c", "1", "-b", "16", "x.sph", "synth", "0.5", "sine", "440")
    try fixture.put("cut.sph", try fixture.bytes("x.sph").dropLast(2000))
    #expect(
      throws: AudioFileError.truncated(fixture.path("cut.sph"), expected: 8000, found: 7000)
    ) { try fixture.read("cut.sph") }
    #expect(try fixture.read("cut.sph", salvaging: true).source.frameCount == 7000)
  }

  @Test func salvageWarningsStateTheLength() throws {
    let fixture = try AudioFixture()
    let data = [UInt8](repeating: 1, count: 12345 * 2)
    try fixture.put(
      "x.wav", Wave.file(channels: 1, bits: 16, rate: 44100, data: data, declared: 50000 * 2))
    #expect {
      try fixture.read("x.wav")
    } throws: {
      if case .truncated(_, expected: 50000, found: 12345) = $0 as? AudioFileError { return true }
      return false
    }
    #expect(
      try fixture.read("x.wav", salvaging: true).source.warnings.map(\.text)
        == ["salvaged 12,345 of 50,000 frames (0.28 of 1.13 s)"])
  }

  @Test(arguments: [
    [0, 8000], [65535, 8000], [257, 8000], [1, 0], [1, 0xFFFF_FFFF], [1, 10_000_001],
  ])
  func absurdNumbersAreReported(numbers: [Int]) throws {
    let (channels, rate) = (numbers[0], numbers[1])
    let fixture = try AudioFixture()
    let data = [UInt8](repeating: 0, count: 1000)
    try fixture.put("x.wav", Wave.file(channels: channels, bits: 16, rate: rate, data: data))
    #expect { try fixture.read("x.wav") } throws: { errorName($0) == "limitExceeded" }
    var au = Array(".snd".utf8)
    for number in [24, 1000, 3, rate, channels] { au += Wave.le(number, 4).reversed() }
    try fixture.put("x.au", au + data)
    #expect { try fixture.read("x.au") } throws: { errorName($0) == "limitExceeded" }
  }

  @Test(arguments: [0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFE, 1 << 62, 1 << 32] as [UInt64])
  func absurdSizesAreReported(size: UInt64) throws {
    let fixture = try AudioFixture()
    let samples = [Int16](repeating: 5, count: 2000)
    // The place of the size of the audio in the files written here: after the name of its chunk.
    for (id, name, skipped, isBigEndian) in [
      ("caf", "data", 4, true), ("w64", "data", 16, false),
    ] {
      try fixture.write("x", samples, as: id, layout: .stereo)
      var bytes = try fixture.bytes("x")
      let start =
        try #require(
          bytes.indices.first { bytes[$0...].starts(with: Array(name.utf8)) }) + skipped
      for byte in 0..<8 {
        bytes[start + (isBigEndian ? 7 - byte : byte)] = UInt8(
          truncatingIfNeeded: size >> (8 * UInt64(byte)))
      }
      try fixture.put("x", bytes)
      if let read = try? fixture.read("x") {
        // The largest numbers mean that the length is not known.
        #expect(read.samples.count == 2000 || size >= 1 << 63, "\(id)")
      }
    }
  }

  /// Frames without a whole number of samples for each channel: readers would disagree on every sample.
  @Test func contradictoryHeadersAreReported() throws {
    let fixture = try AudioFixture()
    let samples = Signal.noise(frames: 100, channels: 3)
    try fixture.write("x.wav", samples, as: "wav", layout: .assumed(channelCount: 3))
    var bytes = try fixture.bytes("x.wav")
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("fmt ".utf8)) })
    #expect(bytes[start + 20] == 6)
    bytes[start + 20] = 4
    try fixture.put("x.wav", bytes)
    #expect(
      throws: AudioFileError.limitExceeded(
        fixture.path("x.wav"), reason: "its header declares frames of 4 bytes for 3 channels")
    ) { try fixture.read("x.wav") }
  }

  @Test func otherFilesAreNotAudio() throws {
    let fixture = try AudioFixture()
    var contents: [[UInt8]] = [
      Array("just some text, longer than any magic number would be, and then some more of it".utf8),
      Array(repeating: 0, count: 5000), Array(repeating: 0xFF, count: 5000),
      Signal.noise(frames: 20000, channels: 1).map { UInt8(truncatingIfNeeded: $0) },
      Array("x".utf8),
    ]
    #if !FFmpeg
      contents += [
        [0, 0, 0, 0x20] + Array("ftypM4A ".utf8) + Array(repeating: 0, count: 100),
        Array("RIFF\u{10}\0\0\0AVI LIST".utf8),
      ]
    #else
      // These are known there, and known to be damaged.
      contents.append(Array("RIFF\u{10}\0\0\0WEBPVP8 ".utf8))
    #endif
    for bytes in contents {
      try fixture.put("x.mp3", bytes)
      #expect { try fixture.read("x.mp3") } throws: { errorName($0) == "notAudio" }
    }
  }
}
