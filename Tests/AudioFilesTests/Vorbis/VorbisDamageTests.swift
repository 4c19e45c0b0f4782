import AudioModel
import SystemPackage
import TestSupport
import Testing

@testable import AudioIO

@Suite("Damaged Ogg Vorbis")
struct VorbisDamageTests {
  let folder: TemporaryFolder
  let path: FilePath
  let bytes: [UInt8]
  let pages: [OggBytes.Page]
  let samples: [Int16]
  static let frames = 20_000

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("out.ogg")
    try Fixture.noise(frames: Self.frames, channels: 1).writeWAV(to: folder.file("in.wav"))
    // Short pages.
    let tool = try Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-i", "in.wav", "-c:a", "libvorbis", "-q:a", "2", "-metadata", "TITLE=t",
        "-page_duration", "60000", path.string,
      ], in: folder.path)
    try #require(tool.status == 0, "\(tool.errorText)")
    bytes = try Files.read(path)
    pages = OggBytes.pages(bytes)
    samples = try VorbisReadingTests.oggdec(path, in: folder)
    try #require(pages.count >= 6 && samples.count == Self.frames)
  }

  @Test func truncationIsNeverSilent() throws {
    let cuts = pages.flatMap {
      [$0.offset, $0.offset + 5, $0.offset + 27, $0.offset + $0.size - 1]
    }
    for end in cuts + stride(from: 1, to: bytes.count, by: 499) where end > 0 {
      try Files.write(Array(bytes.prefix(end)), to: path)
      switch readingError(path) {
      case .truncated, .notAudio: break
      case nil:
        // Between two pages nothing shows that any are missing.
        #expect(pages.contains { $0.offset == end })
        #expect(
          try Decoded(path).source.warnings.map(\.text).first?.contains("does not end the stream")
            == true)
      case let other: Issue.record("cut to \(end) bytes: \(String(describing: other))")
      }
    }
  }

  @Test func flippedBytesAreReportedOrHarmless() throws {
    let places =
      Array(0..<120) + stride(from: 120, to: bytes.count, by: 71)
      + pages.flatMap { $0.offset..<$0.offset + 30 }
    for index in places {
      var flipped = bytes
      flipped[index] ^= 1 << UInt8(index % 8)
      try Files.write(flipped, to: path)
      do {
        let decoded = try Decoded(path)
        #expect(difference(decoded.samples, samples) == nil, "byte \(index)")
      } catch let error as AudioFileError {
        switch error {
        case .malformed, .truncated, .unsupported, .notAudio: break
        default: Issue.record("byte \(index): \(error)")
        }
      }
      guard index % 5 == 0 else { continue }
      do {
        let salvaged = try Decoded(path, salvaging: true)
        #expect(salvaged.frames == salvaged.source.frameCount, "byte \(index)")
        let isExact = difference(salvaged.samples, samples) == nil
        #expect(isExact == salvaged.source.warnings.isEmpty, "byte \(index)")
      } catch {
        #expect(error is AudioFileError)
      }
    }
  }

  @Test func headersAreNotTrusted() throws {
    // Every byte of the identification header at its extremes, under a right checksum.
    for index in 28..<58 {
      for value in [0, 0xFF] as [UInt8] {
        var hostile = bytes
        hostile[index] = value
        OggBytes.seal(&hostile, pageAt: 0)
        try Files.write(hostile, to: path)
        if let error = readingError(path) {
          switch error {
          case .malformed, .truncated, .unsupported, .limitExceeded, .notAudio: break
          default: Issue.record("byte \(index): \(error)")
          }
        }
      }
    }
    // Lengths and counts in the comment header: vendor length, comment count, comment length.
    let second = pages[1]
    let comments = second.offset + 27 + Int(bytes[second.offset + 26]) + 7
    let vendor = Int(bytes[comments])
    for field in [comments, comments + 4 + vendor, comments + 8 + vendor] {
      var hostile = bytes
      for index in 0..<4 { hostile[field + index] = index == 3 ? 0x7F : 0xFF }
      OggBytes.seal(&hostile, pageAt: second.offset)
      try Files.write(hostile, to: path)
      guard case .malformed = readingError(path) else {
        Issue.record("\(String(describing: readingError(path)))")
        continue
      }
    }
  }

  @Test func absurdGranulePositionsAreErrors() throws {
    for value in [0x7F, 0x80, 0xFF] as [UInt8] {
      for page in [pages[pages.count - 1], pages[pages.count - 2], pages[2]] {
        var hostile = bytes
        for index in 0..<8 { hostile[page.offset + 6 + index] = index == 7 ? value : 0xFE }
        OggBytes.seal(&hostile, pageAt: page.offset)
        try Files.write(hostile, to: path)
        do {
          let decoded = try Decoded(path)
          #expect(difference(decoded.samples, samples) == nil, "\(value) at \(page.offset)")
        } catch let error as AudioFileError {
          switch error {
          case .malformed, .truncated: break
          default: Issue.record("\(error)")
          }
        }
      }
    }
  }

  @Test func aLostPageIsAnErrorAndBecomesSilence() throws {
    let lost = pages[3]
    var damaged = bytes
    damaged[lost.offset + 100] ^= 0xFF
    try Files.write(damaged, to: path)
    guard case .malformed(_, let reason) = readingError(path) else {
      Issue.record("a lost page went unnoticed")
      return
    }
    #expect(reason.hasPrefix("damaged or missing Ogg pages at frame "))
    let decoded = try Decoded(path, salvaging: true)
    #expect(decoded.frames == Self.frames)
    #expect(decoded.source.frameCount == Self.frames)
    // Noise has no long run of zeros.
    let silent = decoded.samples.indices.filter {
      decoded.samples[$0] == 0
        && (decoded.samples[max(0, $0 - 1)] == 0 || decoded.samples[$0 + 1] == 0)
    }
    let (first, last) = (try #require(silent.first), try #require(silent.last))
    #expect(difference(decoded.samples[..<first], samples[..<first]) == nil)
    #expect(difference(decoded.samples[(last + 1)...], samples[(last + 1)...]) == nil)
    #expect(decoded.samples[first...last].allSatisfy { $0 == 0 })
    let count = last - first + 1
    #expect(
      decoded.source.warnings.map(\.text) == [
        "salvaged \((Self.frames - count).grouped) of 20,000 frames "
          + "(0.\((Self.frames - count) / 441) of 0.45 s), with \(count.grouped) frames of silence in "
          + "place of lost ones"
      ])
  }

  /// libvorbisfile begins at the first page that it finds, and would count from there.
  /// A long comment fills a page without a position.
  @Test(arguments: [1, 100_000])
  func aMissingFirstPageOfAudioIsAnErrorAndBecomesSilence(commentBytes: Int) throws {
    let tool = try Tool.run(
      "ffmpeg",
      [
        "-y", "-v", "error", "-i", "in.wav", "-c:a", "libvorbis", "-q:a", "2", "-metadata",
        "TITLE=\(String(repeating: "x", count: commentBytes))", "-page_duration", "60000",
        path.string,
      ], in: folder.path)
    try #require(tool.status == 0, "\(tool.errorText)")
    let bytes = try Files.read(path)
    let pages = OggBytes.pages(bytes)
    let first = try #require(
      pages.first { bytes[$0.offset + 6..<$0.offset + 14].contains { $0 != 0 && $0 != 0xFF } })
    var damaged = bytes
    damaged.removeSubrange(first.offset..<first.offset + first.size)
    try Files.write(damaged, to: path)
    #expect(
      readingError(path)
        == .malformed(path, reason: "damaged or missing Ogg pages at frame 0"))
    let decoded = try Decoded(path, salvaging: true)
    #expect(decoded.frames == Self.frames)
    #expect(decoded.samples.prefix(1000).allSatisfy { $0 == 0 })
    #expect(difference(decoded.samples.suffix(10_000), samples.suffix(10_000)) == nil)
    #expect(decoded.source.warnings.map(\.text).first?.hasPrefix("salvaged ") == true)
  }

  @Test func truncatedFilesAreSalvaged() throws {
    let last = try #require(pages.last)
    try Files.write(Array(bytes.prefix(last.offset + 10)), to: path)
    // oggdec shows how much can be decoded.
    let expected = try VorbisReadingTests.oggdec(path, in: folder)
    let decoded = try Decoded(path, salvaging: true)
    #expect(difference(decoded.samples, expected) == nil)
    #expect(decoded.source.frameCount == expected.count)
    #expect(
      decoded.source.warnings.map(\.text).first?.hasPrefix(
        "salvaged \(expected.count.grouped) frames (")
        == true)
    #expect(
      readingError(path) == .truncated(path, expected: nil, found: expected.count))
  }

  @Test func intactFilesAreSalvagedWithoutWarnings() throws {
    let decoded = try Decoded(path, salvaging: true)
    #expect(difference(decoded.samples, samples) == nil)
    #expect(decoded.source.warnings.isEmpty)
  }

  @Test func bytesAfterTheEndAreHarmless() throws {
    for tail in [
      Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125),
      [UInt8](repeating: 0x4F, count: 80_000), Array("xxOggSxxxxOggS".utf8),
    ] {
      try Files.write(bytes + tail, to: path)
      #expect(difference(try Decoded(path).samples, samples) == nil)
    }
    // The beginning of a further stream, cut in its first page.
    try Files.write(bytes + bytes.prefix(40), to: path)
    guard case .truncated = readingError(path) else {
      Issue.record("\(String(describing: readingError(path)))")
      return
    }
  }
}
