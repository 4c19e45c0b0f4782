import AudioModel
import SystemPackage
import TestSupport
import Testing

@testable import AudioIO

@Suite("Damaged FLAC")
struct FLACDamageTests {
  let folder: TemporaryFolder
  let path: FilePath
  let fixture: Fixture
  let bytes: [UInt8]
  let frames: [(offset: Int, size: Int)]
  var samples: [Int16] { fixture.samples.map { Int16($0) } }

  init() throws {
    folder = try TemporaryFolder()
    fixture = Fixture.music(frames: 2000, channels: 2)
    path = try FLACReadingTests.encode(
      fixture, ["-b", "256", "-T", "TITLE=t", "-P", "100"], in: folder)
    bytes = try Files.read(path)
    frames = try FLACBytes.frames(of: path, in: folder)
    try #require(frames.count == 8 && frames[7].size == 2000 - 7 * 256)
  }

  private func error(_ bytes: some Sequence<UInt8>) throws -> AudioFileError? {
    try Files.write(Array(bytes), to: path)
    return readingError(path)
  }

  @Test func truncationIsNeverSilent() throws {
    for end in FLACBytes.boundaries(bytes).dropLast().flatMap({ [$0, $0 + 1, $0 + 4, $0 + 5] }) {
      switch try error(bytes.prefix(end)) {
      case .truncated(_, expected: _, found: 0), .malformed: break
      case let other: Issue.record("cut to \(end) bytes: \(String(describing: other))")
      }
    }
    let cuts = frames.flatMap { [$0.offset, $0.offset + 1, $0.offset + 2, $0.offset + 9] }
    for end in cuts + stride(from: frames[0].offset, to: bytes.count, by: 61) {
      let found = frames.enumerated().reduce(0) { sum, frame in
        let next = frame.offset + 1 < frames.count ? frames[frame.offset + 1].offset : bytes.count
        return next <= end ? sum + frame.element.size : sum
      }
      #expect(
        try error(bytes.prefix(end)) == .truncated(path, expected: 2000, found: found), "at \(end)")
    }
  }

  @Test func flippedBytesAreReportedOrHarmless() throws {
    let small = Fixture.music(frames: 250, channels: 1)
    let path = try FLACReadingTests.encode(
      small, ["-b", "64", "-T", "TITLE=t", "-P", "20"], in: folder)
    let bytes = try Files.read(path)
    let samples = small.samples.map { Int16($0) }
    let audio = try FLACBytes.frames(of: path, in: folder)[0].offset
    for index in bytes.indices {
      var flipped = bytes
      flipped[index] ^= 1 << UInt8(index % 8)
      try Files.write(flipped, to: path)
      do {
        let decoded = try Decoded(path)
        #expect(difference(decoded.samples, samples) == nil, "byte \(index) changed the audio")
        // The checksums of FLAC do not cover its metadata.
        #expect(index < audio, "byte \(index) of a frame went unnoticed")
      } catch let error as AudioFileError {
        switch error {
        case .malformed, .truncated, .limitExceeded, .unsupported, .notAudio: break
        default: Issue.record("byte \(index): \(error)")
        }
      }
      guard index % 3 == 0 else { continue }
      do {
        let salvaged = try Decoded(path, salvaging: true)
        #expect(salvaged.frames == salvaged.source.frameCount, "byte \(index)")
        let isExact = difference(salvaged.samples, samples) == nil
        #expect(isExact || !salvaged.source.warnings.isEmpty, "byte \(index)")
      } catch {
        #expect(error is AudioFileError)
      }
    }
  }

  @Test func endlessFalseFramesAreAbandoned() throws {
    // Frame headers with right checksums and 65535 frames of noise to come, every 16 bytes: each makes
    // libFLAC read on until it finds the next.
    let header: [UInt8] = [0xFF, 0xF8, 0x79, 0x18, 0x00, 0xFF, 0xFE]
    var crc: UInt8 = 0
    for byte in header {
      crc ^= byte
      for _ in 0..<8 { crc = crc & 0x80 != 0 ? crc << 1 ^ 0x07 : crc << 1 }
    }
    let trap = header + [crc, 0x02] + [UInt8](repeating: 0x11, count: 7)
    let hostile =
      Array(bytes[..<frames[0].offset]) + (0..<9000).flatMap { _ in trap }
    #expect(try error(hostile) != nil)
    #expect(readingError(path, salvaging: true) != nil)
  }

  @Test func damagedFramesAreReportedWithTheirPosition() throws {
    var damaged = bytes
    damaged[frames[3].offset + 40] ^= 0xFF
    // libFLAC looks for a frame within the damaged one before it reports the error.
    #expect(
      try error(damaged)
        == .malformed(
          path,
          reason: "bytes that are not a FLAC frame at frame 768, after byte \(frames[3].offset)"))
  }

  @Test func missingAndRepeatedFramesAreErrors() throws {
    let second = frames[1].offset..<frames[2].offset
    let missing = Array(bytes[..<second.lowerBound]) + bytes[second.upperBound...]
    guard case .malformed = try error(missing) else {
      Issue.record("a missing frame went unnoticed")
      return
    }
    let repeated = Array(bytes[..<second.upperBound]) + bytes[second.lowerBound...]
    guard case .malformed = try error(repeated) else {
      Issue.record("a repeated frame went unnoticed")
      return
    }
    #expect(
      try error(bytes + bytes[second])
        == .malformed(path, reason: "it contains more than the 2000 frames it declares"))
  }

  @Test func aWrongSignatureIsAnError() throws {
    var wrong = bytes
    wrong[8 + 20] ^= 1
    #expect(
      try error(wrong)
        == .malformed(path, reason: "the audio does not match its MD5 signature"))
    let salvaged = try Decoded(path, salvaging: true)
    #expect(difference(salvaged.samples, samples) == nil)
    #expect(salvaged.source.warnings.map(\.text) == ["the audio does not match its MD5 signature"])
  }

  @Test func wrongDeclaredLengthsAreErrors() throws {
    var more = bytes
    more[8 + 17] &+= 1
    #expect(
      try error(more)
        == .truncated(path, expected: 2000 + (more[8 + 17] > bytes[8 + 17] ? 1 : -255), found: 2000)
    )
    var absurd = bytes
    for index in 14..<18 { absurd[8 + index] = 0xFF }
    guard case .truncated(_, expected: 0xFFFF_FFFF?, found: 2000) = try error(absurd) else {
      Issue.record("an absurd length was believed")
      return
    }
    var fewer = bytes
    fewer[8 + 17] &-= 1
    guard case .malformed = try error(fewer) else {
      Issue.record("frames beyond the declared ones went unnoticed")
      return
    }
  }

  @Test func hostileMetadataIsAnError() throws {
    var zeroRate = bytes
    zeroRate[8 + 10] = 0
    zeroRate[8 + 11] = 0
    zeroRate[8 + 12] &= 0x0F
    #expect(try error(zeroRate) == .limitExceeded(path, reason: "a sample rate of 0 Hz"))
    let boundaries = FLACBytes.boundaries(bytes)
    for start in boundaries.dropLast() {
      var long = bytes
      for index in 1...3 { long[start + index] = 0xFF }
      #expect(try error(long) != nil, "a block of 16 MB at \(start)")
    }
    // A comment count and a comment length of 4 billion.
    let comments = try #require(boundaries.first { bytes[$0] & 0x7F == 4 })
    let vendor = Int(bytes[comments + 4])
    for field in [comments + 4, comments + 8 + vendor, comments + 12 + vendor] {
      var hostile = bytes
      for index in 0..<4 { hostile[field + index] = 0xFF }
      try Files.write(hostile, to: path)
      do {
        let decoded = try Decoded(path)
        #expect(difference(decoded.samples, samples) == nil)
        #expect(decoded.source.warnings.map(\.text).contains { $0.contains("damaged") })
      } catch let error as AudioFileError {
        guard case .malformed = error else {
          Issue.record("field at \(field): \(error)")
          continue
        }
      }
    }
    for junk in [[], [0x80], [UInt8](repeating: 0xFF, count: 5000)] as [[UInt8]] {
      #expect(try error(Array("fLaC".utf8) + junk) != nil)
    }
  }

  @Test func truncatedFilesAreSalvaged() throws {
    let end = frames[5].offset + 30
    try Files.write(Array(bytes.prefix(end)), to: path)
    let decoded = try Decoded(path, salvaging: true)
    #expect(decoded.source.frameCount == 5 * 256)
    #expect(difference(decoded.samples, Array(samples.prefix(5 * 256 * 2))) == nil)
    #expect(
      decoded.source.warnings.map(\.text) == ["salvaged 1,280 of 2,000 frames (0.03 of 0.05 s)"])
    try Files.write(Array(bytes.prefix(frames[0].offset + 30)), to: path)
    #expect(readingError(path, salvaging: true) == .truncated(path, expected: 2000, found: 0))
  }

  /// Without a signature, only the declared length shows that the last frames are missing.
  @Test func missingFramesAtTheEndAreReported() throws {
    var cut = Array(bytes.prefix(frames[5].offset))
    for index in 18..<34 { cut[8 + index] = 0 }
    #expect(try error(cut) == .truncated(path, expected: 2000, found: 1280))
    let decoded = try Decoded(path, salvaging: true)
    #expect(difference(decoded.samples, samples.prefix(1280 * 2)) == nil)
    #expect(
      decoded.source.warnings.map(\.text) == ["salvaged 1,280 of 2,000 frames (0.03 of 0.05 s)"])
  }

  @Test(arguments: [true, false])
  func lostFramesBecomeSilence(areCutOut: Bool) throws {
    let lost = frames[2].offset..<frames[4].offset
    var damaged = bytes
    if areCutOut {
      damaged.removeSubrange(lost)
    } else {
      for index in lost { damaged[index] = 0x55 }
    }
    try Files.write(damaged, to: path)
    let decoded = try Decoded(path, salvaging: true)
    var expected = samples
    for index in 2 * 2 * 256..<4 * 2 * 256 { expected[index] = 0 }
    #expect(difference(decoded.samples, expected) == nil)
    #expect(decoded.source.frameCount == 2000)
    #expect(
      decoded.source.warnings.map(\.text) == [
        "salvaged 1,488 of 2,000 frames (0.03 of 0.05 s), with 512 frames of silence in place of "
          + "lost ones"
      ])
  }

  @Test func lostBeginningsBecomeSilence() throws {
    var damaged = bytes
    for index in frames[0].offset..<frames[1].offset { damaged[index] = 0 }
    guard case .malformed = try error(damaged) else {
      Issue.record("a lost first frame went unnoticed")
      return
    }
    let decoded = try Decoded(path, salvaging: true)
    let expected = [Int16](repeating: 0, count: 512) + samples.dropFirst(512)
    #expect(difference(decoded.samples, expected) == nil)
  }

  @Test func intactFilesAreSalvagedWithoutWarnings() throws {
    let decoded = try Decoded(path, salvaging: true)
    #expect(difference(decoded.samples, samples) == nil)
    #expect(decoded.source.warnings.isEmpty)
  }

  @Test func changesWithinTheStreamAreErrors() throws {
    let other = try FLACReadingTests.encode(
      Fixture.music(frames: 256, channels: 1), ["-b", "256"], in: folder)
    let mono = try Files.read(other)
    let start = try FLACBytes.frames(of: other, in: folder)[0].offset
    // The mono frame has the number 0, so it can only be the first.
    let changed = Array(bytes[..<frames[0].offset]) + mono[start...] + bytes[frames[1].offset...]
    #expect(
      try error(changed)
        == .malformed(
          path,
          reason: "the channel count changes from 2 to 1 at frame 0"))
  }

  @Test func oggFLACIsCheckedTheSameWay() throws {
    let ogg = try FLACReadingTests.encode(
      Fixture.music(frames: 3000, channels: 2), ["-b", "256"], in: folder, ogg: true)
    let whole = try Files.read(ogg)
    let pages = OggBytes.pages(whole)
    for page in pages {
      for end in [page.offset, page.offset + 20, page.offset + page.size - 1] where end > 0 {
        try Files.write(Array(whole.prefix(end)), to: ogg)
        #expect(readingError(ogg) != nil, "cut to \(end) bytes")
      }
    }
    let expected = try {
      try Files.write(whole, to: ogg); return try Decoded(ogg).samples
    }()
    for index in stride(from: 0, to: whole.count, by: 53) {
      var flipped = whole
      flipped[index] ^= 0x10
      try Files.write(flipped, to: ogg)
      let decoded = try? Decoded(ogg)
      #expect(decoded.map { difference($0.samples, expected) == nil } ?? true, "byte \(index)")
    }
    // A lost page in the middle, and two streams one after the other.
    let middle = pages[pages.count - 2]
    var lost = whole
    lost.removeSubrange(middle.offset..<middle.offset + middle.size)
    try Files.write(lost, to: ogg)
    guard case .malformed = readingError(ogg) else {
      Issue.record("a lost page: \(String(describing: readingError(ogg)))")
      return
    }
    let salvaged = try Decoded(ogg, salvaging: true)
    #expect(salvaged.frames == 3000)
    #expect(difference(salvaged.samples.suffix(500), expected.suffix(500)) == nil)
  }
}
