import SystemPackage
import TestSupport
import Testing

@testable import AudioContainers
@testable import AudioIO

@Suite("The end of an Ogg stream")
struct OggStreamEndTests {
  let folder: TemporaryFolder
  let path: FilePath
  let bytes: [UInt8]
  let pages: [OggBytes.Page]

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("in.opus")
    try Fixture.music(frames: 20_000, channels: 1, rate: 48_000).writeWAV(to: folder.file("in.wav"))
    let tool = try Tool.run(
      "opusenc",
      [
        "--quiet", "--bitrate", "24", "--max-delay", "40", "--serial", "4242",
        folder.file("in.wav").string,
        path.string,
      ])
    try #require(tool.status == 0, "\(tool.errorText)")
    bytes = try Files.read(path)
    pages = OggBytes.pages(bytes)
    try #require(pages.count > 5)
  }

  private func end(
    _ bytes: some Sequence<UInt8>, serialNumber: UInt32? = nil
  ) throws -> OggStreamEnd? {
    try Files.write(Array(bytes), to: path)
    return try OggStreamEnd(of: InputFile(path: path), serialNumber: serialNumber)
  }

  @Test func aWholeStreamIsMarked() throws {
    let whole = try #require(try end(bytes))
    #expect(whole.isWhole && whole.isMarked && whole.trailingByteCount == 0)
    #expect(whole.serialNumber == 4242)
    // 20,000 frames and the 312 that Opus encoders put before them.
    #expect(whole.granulePosition == 20_312)
    #expect(try end(bytes, serialNumber: 4242) == whole)
    #expect(try end(bytes, serialNumber: 4243) == nil)
  }

  @Test func everyCutIsDetected() throws {
    for end in 1..<bytes.count where end % 13 == 0 || pages.contains(where: { $0.offset == end }) {
      #expect(try self.end(bytes.prefix(end))?.isWhole != true, "cut to \(end) bytes")
    }
    #expect(try end(bytes.dropLast())?.isFollowedByBrokenPage == true)
  }

  @Test func junkAfterTheEndIsNotAPage() throws {
    let junk = Array("OggSOggS\u{0}\u{4}".utf8) + [UInt8](repeating: 0x4F, count: 300)
    let tag = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
    let tagged = try #require(try end(bytes + tag))
    #expect(tagged.isWhole && tagged.trailingByteCount == 128)
    let after = try #require(try end(bytes + tag + junk))
    #expect(after.isWhole && after.trailingByteCount == 128 + junk.count)
    #expect(try end(bytes + junk)?.isWhole == false)
    #expect(try end(bytes + [UInt8](repeating: 0, count: 500_000))?.isWhole == true)
    #expect(try end([UInt8](repeating: 0x4F, count: 500_000)) == nil)
  }

  @Test func damagedLastPagesDoNotCount() throws {
    let last = try #require(pages.last)
    for index in last.offset..<last.offset + last.size {
      var flipped = bytes
      flipped[index] ^= 0x40
      #expect(try end(flipped)?.isWhole != true, "byte \(index - last.offset)")
    }
  }

  @Test func capturePatternsWithinAPageAreNotPages() throws {
    // The body of the last page begins with what looks like a page.
    var bytes = bytes
    let last = try #require(pages.last)
    let body = last.offset + 27 + Int(bytes[last.offset + 26])
    bytes.replaceSubrange(body..<body + 6, with: Array("OggS\u{0}\u{0}".utf8))
    OggBytes.seal(&bytes, pageAt: last.offset)
    #expect(try end(bytes)?.isWhole == true)
  }
}
