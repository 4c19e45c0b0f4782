import AudioFiles
import AudioModel
import TestSupport
import Testing

@testable import AudioIO

/// The type of a cover is that of its bytes; covers that MP4's players do not show become PNG.
@Suite("Types of covers")
struct CoverTypeTests {
  private static let kinds = [
    ("png", "image/png"), ("jpg", "image/jpeg"), ("gif", "image/gif"), ("webp", "image/webp"),
    ("bmp", "image/bmp"), ("tiff", "image/tiff"),
  ]

  private let fixture: AudioFixture
  private let samples = [Int16](repeating: 7, count: 3000)

  init() throws { fixture = try AudioFixture() }

  /// A FLAC file whose cover of a kind has a label, and the cover's bytes.
  private func makeSource(_ kind: String, label: String) throws -> [UInt8] {
    try fixture.run(
      "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=64x48", "-frames:v", "1",
      "c.\(kind)")
    try fixture.write("in.flac", samples, as: "flac", layout: .mono)
    try fixture.run("metaflac", "--import-picture-from=3|\(label)||64x48x24|c.\(kind)", "in.flac")
    return try fixture.bytes("c.\(kind)")
  }

  @Test(arguments: kinds, ["image/png", "image/jpeg"])
  func theBytesDecide(kind: (String, String), label: String) throws {
    let file = try makeSource(kind.0, label: label)
    let source = try fixture.read("in.flac").source
    #expect(source.metadata.pictures.map(\.mimeType) == [kind.1])
    for id in ["flac", "ogg", "mp3"] {
      try fixture.write("out.\(id)", samples, as: id, layout: .mono, metadata: source.metadata)
      let script = """
        import base64, mutagen, sys
        from mutagen.flac import Picture
        f = mutagen.File(sys.argv[1])
        if hasattr(f, "pictures"): p = f.pictures[0]
        elif "metadata_block_picture" in f: p = Picture(base64.b64decode(f["metadata_block_picture"][0]))
        else: p = f.tags.getall("APIC")[0]
        print(p.mime, len(p.data))
        """
      let shown = try fixture.run("python3", "-c", script, "out.\(id)").outputText
      #expect(shown == "\(kind.1) \(file.count)\n")
    }
  }

  private static func start(_ bytes: [UInt8], _ text: String) -> [UInt8] {
    bytes + Array(text.utf8)
  }

  private static let undecoded: [(type: String, file: [UInt8])] = [
    ("image/svg+xml", start([], "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")),
    (
      "image/svg+xml",
      start([0xEF, 0xBB, 0xBF], "<?xml version=\"1.0\"?>\n<!-- a --><SVG a=\"9\"/>")
    ),
    ("text/html", start([], "\n<!DOCTYPE html><html>404</html>")),
    ("image/jxl", [0xFF, 0x0A, 0xFA, 0x0F]),
    ("image/jxl", start([0, 0, 0, 12], "JXL \r\n")),
    ("image/jp2", start([0, 0, 0, 12], "jP  \r\n")),
    ("image/heif", start([0, 0, 0, 24], "ftypmif1")),
    ("image/avif", start([0, 0, 0, 24], "ftypavis")),
    ("image/x-icon", [0, 0, 1, 0, 1, 0, 16, 16]),
  ]

  /// Files that are no pictures of pixels, or of kinds that FFmpeg 5 does not decode, labeled JPEG.
  @Test(arguments: undecoded)
  func kindsThatAreNotDecoded(type: String, file: [UInt8]) throws {
    let comment = Metadata.Picture(
      type: 3, mimeType: "image/jpeg", description: "", width: 0, height: 0, depth: 0, colors: 0,
      data: file)
    var metadata = Metadata()
    metadata.pictures = [comment]
    try fixture.write("in.flac", samples, as: "flac", layout: .mono, metadata: metadata)
    let source = try fixture.read("in.flac").source
    #expect(source.metadata.pictures.map(\.mimeType) == [type])
    #expect(source.metadata.pictures.map(\.data) == [file])
  }

  @Test(arguments: kinds)
  func coversOfMP4AreShown(kind: (String, String)) throws {
    let file = try makeSource(kind.0, label: "image/jpeg")
    let source = try fixture.read("in.flac").source
    try fixture.write("out.m4a", samples, as: "m4a-alac", layout: .mono, metadata: source.metadata)
    let picture = try #require(try fixture.read("out.m4a").source.metadata.pictures.first)
    let stays = ["png", "jpg", "bmp"].contains(kind.0)
    #expect(picture.mimeType == (stays ? kind.1 : "image/png"))
    if stays {
      #expect(picture.data == file)
      return
    }
    // ffmpeg sees the same pixels, but for the rounding of WebP's colors.
    try fixture.put("made.png", picture.data)
    func pixels(_ name: String) throws -> [UInt8] {
      try Array(
        fixture.run(
          "ffmpeg", "-v", "error", "-i", name, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"
        ).output)
    }
    let (made, expected) = (try pixels("made.png"), try pixels("c.\(kind.0)"))
    #expect(made.count == expected.count && made.count == 3 * 64 * 48)
    let greatest = zip(made, expected).map { abs(Int($0) - Int($1)) }.max() ?? 999
    #expect(greatest <= (kind.0 == "webp" ? 4 : 0))
  }

  /// APE tags name a file before the picture, whose ending some players believe.
  @Test(arguments: [
    ("image/png", "", "cover.png"), ("image/png", "front.JPG", "front.png"),
    ("image/jpeg", "front.JPEG", "front.JPEG"), ("image/jpeg", "a.b.png", "a.b.jpg"),
    ("image/avif", "front.jpg", "front.jpg"), ("image/png", "by J. Pg", "by J. Pg"),
  ])
  func theNameInAPETagsEndsInTheType(type: String, name: String, expected: String) throws {
    var metadata = Metadata()
    metadata.pictures = [
      Metadata.Picture(
        type: 3, mimeType: type, description: name, width: 0, height: 0, depth: 0, colors: 0,
        data: Array("picture".utf8))
    ]
    try fixture.write("out.wv", samples, as: "wv", layout: .mono, metadata: metadata)
    let script = """
      import mutagen
      print(mutagen.File("out.wv")["Cover Art (Front)"].value.split(bytes(1))[0].decode())
      """
    #expect(try fixture.run("python3", "-c", script).outputText == expected + "\n")
  }

  @Test func coversThatCannotBeConvertedAreNamed() throws {
    var metadata = Metadata()
    metadata.pictures = [
      Metadata.Picture(
        type: 3, mimeType: "image/webp", description: "", width: 0, height: 0, depth: 0, colors: 0,
        data: Array("RIFF....WEBPnothing".utf8))
    ]
    let output = try OutputFile(path: fixture.path("out.m4a"))
    let writer = try AudioFile.writer(
      to: output,
      as: OutputDescription(
        spec: AudioSpec(sampleRate: 48000, layout: .mono), frameCount: samples.count,
        format: try #require(AudioFormat.named("m4a-alac")), options: EncodingOptions(),
        metadata: metadata, sourceBitRate: nil))
    try writer.write(samples.span)
    try writer.finish()
    #expect(writer.notCarried.map(\.text) == ["a picture of type image/webp"])
  }
}
