import AudioModel
import SystemPackage
import TestSupport
import Testing

@testable import AudioIO

@Suite("Pictures in FLAC")
struct FLACPictureTests {
  /// Long enough for several Ogg pages.
  private static let data = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
  private static let mimeType = Array("image/x-test".utf8)

  private static func encode(in folder: TemporaryFolder, ogg: Bool) throws -> FilePath {
    try Files.write(data, to: folder.file("picture.bin"))
    return try FLACReadingTests.encode(
      Fixture.music(frames: 5000, channels: 1),
      ["--picture=4|image/x-test|Ünder|640x480x24/7|\(folder.file("picture.bin"))"], in: folder,
      ogg: ogg)
  }

  @Test(arguments: [false, true])
  func areReadNativeAndInOgg(ogg: Bool) throws {
    let folder = try TemporaryFolder()
    let source = try Decoded(try Self.encode(in: folder, ogg: ogg)).source
    #expect(
      source.metadata.pictures == [
        Metadata.Picture(
          type: 4, mimeType: "image/x-test", description: "Ünder", width: 640, height: 480,
          depth: 24, colors: 7, data: Self.data)
      ])
  }

  @Test func areReadAfterAnID3Tag() throws {
    let folder = try TemporaryFolder()
    let path = try Self.encode(in: folder, ogg: false)
    // RFC 9639 has no place for it, but taggers put it there.
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 20] + [UInt8](repeating: 0, count: 20)
    try Files.write(tag + Files.read(path), to: path)
    #expect(try Decoded(path).source.metadata.pictures.map(\.data) == [Self.data])
  }

  @Test(arguments: [0, 1, 2])
  func lengthsPastTheEndOfTheBlockAreDamage(field: Int) throws {
    let folder = try TemporaryFolder()
    let path = try Self.encode(in: folder, ogg: false)
    var bytes = try Files.read(path)
    let mimeType = try #require(
      bytes.indices.first { bytes[$0...].starts(with: Self.mimeType) })
    let afterType = mimeType + Self.mimeType.count
    let description = "Ünder".utf8.count
    let length = [mimeType - 4, afterType, afterType + 4 + description + 16][field]
    // 1.8 GB.
    bytes[length] = 0x70
    try Files.write(bytes, to: path)
    #expect(
      readingError(path) == .malformed(path, reason: "its FLAC metadata is damaged"))
    let salvaged = try Decoded(path, salvaging: true)
    #expect(salvaged.frames == 5000)
    #expect(salvaged.source.metadata.pictures.isEmpty)
    #expect(salvaged.source.warnings.map(\.text) == ["a damaged picture is not carried"])
  }
}
