import AudioModel
import TestSupport
import Testing

@testable import AudioFiles
@testable import AudioIO

/// Text that is not in UTF-8, in chunks. The bytes are those of Python's codecs, and FFmpeg or mutagen read the outputs.
@Suite("Texts in code pages")
struct TextEncodingTests {
  struct Page: Sendable {
    let name: String
    let number: Int
    let text: String
    let bytes: [UInt8]
  }

  static let pages = [
    Page(
      name: "CP1251", number: 1251, text: "Лучшие песни",
      bytes: [0xCB, 0xF3, 0xF7, 0xF8, 0xE8, 0xE5, 0x20, 0xEF, 0xE5, 0xF1, 0xED, 0xE8]),
    Page(name: "GBK", number: 936, text: "蓝莲花", bytes: [0xC0, 0xB6, 0xC1, 0xAB, 0xBB, 0xA8]),
    Page(
      name: "SHIFT_JIS", number: 932, text: "上を向いて",
      bytes: [0x8F, 0xE3, 0x82, 0xF0, 0x8C, 0xFC, 0x82, 0xA2, 0x82, 0xC4]),
    Page(
      name: "MACINTOSH", number: 10000, text: "Élan café",
      bytes: [0x83, 0x6C, 0x61, 0x6E, 0x20, 0x63, 0x61, 0x66, 0x8E]),
    // Valid UTF-8 by chance, so that only a declaration shows what it is.
    Page(name: "GBK", number: 936, text: "联通", bytes: [0xC1, 0xAA, 0xCD, 0xA8]),
  ]

  private let fixture: AudioFixture

  init() throws { fixture = try AudioFixture() }

  private func wav(_ text: [UInt8], codePage: Int? = nil) -> [UInt8] {
    let cue =
      ChunkFile.little(1) + ChunkFile.little(7) + ChunkFile.little(10) + Array("data".utf8)
      + ChunkFile.little(0) + ChunkFile.little(0) + ChunkFile.little(10)
    let label = ChunkFile.chunk("labl", ChunkFile.little(7) + text + [0])
    let sets = codePage.map {
      [ChunkFile.chunk("CSET", ChunkFile.little($0, 2) + [0, 0, 0, 0, 0, 0])]
    }
    return ChunkFile.wav(
      frames: 100,
      [
        ChunkFile.chunk("LIST", Array("INFO".utf8) + ChunkFile.chunk("INAM", text + [0])),
        ChunkFile.chunk("cue ", cue), ChunkFile.chunk("LIST", Array("adtl".utf8) + label),
      ], before: sets ?? [])
  }

  private func aiff(_ text: [UInt8]) -> [UInt8] {
    let marker =
      ChunkFile.big(1, 2) + ChunkFile.big(1, 2) + ChunkFile.big(10)
      + [UInt8(text.count)] + text + (text.count % 2 == 0 ? [0] : [])
    return ChunkFile.aiff(
      frames: 100,
      [
        ChunkFile.chunk("NAME", text, bigEndian: true),
        ChunkFile.chunk("MARK", marker, bigEndian: true),
      ])
  }

  private func read(_ name: String, as encoding: String? = nil) throws -> SourceDescription {
    var input = try InputFile(path: fixture.path(name))
    if let encoding {
      input.tagEncoding = TextEncoding(encoding)
      #expect(input.tagEncoding != nil)
    }
    return try AudioFile.reader(for: input, salvaging: false).source
  }

  @Test(arguments: pages)
  func aDeclaredEncodingIsUsed(page: Page) throws {
    try fixture.put("a.wav", wav(page.bytes))
    try fixture.put("b.wav", wav(page.bytes, codePage: page.number))
    try fixture.put("c.aiff", aiff(page.bytes))
    for source in [
      try read("a.wav", as: page.name), try read("b.wav"), try read("c.aiff", as: page.name),
    ] {
      #expect(source.metadata.values("TITLE") == [page.text])
      #expect(source.metadata.marks.map(\.label) == [page.text])
      #expect(source.metadata.assumedTexts(writtenTo: nil) == [])
      #expect(source.notCarried == [])
    }
  }

  /// The chunks of an output with the same kind of chunks have the same bytes.
  @Test(arguments: pages, [false, true])
  func bytesStay(page: Page, declares: Bool) throws {
    try fixture.put("a.wav", wav(page.bytes, codePage: declares ? page.number : nil))
    try fixture.put("a.aiff", aiff(page.bytes))
    for (input, id) in [("a.wav", "wav"), ("a.aiff", "aiff")] {
      var metadata = try read(input).metadata
      metadata.comments.append(.init(name: "ARTIST", value: "Ascii"))
      try fixture.write(
        "out", [Int16](repeating: 1, count: 100), as: id, layout: .mono, metadata: metadata)
      let isBig = id == "aiff"
      let chunks = try #require(ChunkFile.chunks(fixture.bytes("out"), bigEndian: isBig))
      let contents = chunks.map(\.content)
      if isBig {
        #expect(chunks.first { $0.name == "NAME" }?.content == page.bytes)
        // Nothing in the ID3 tag says something else.
        let isUnknown = String(validating: page.bytes, as: UTF8.self) == nil
        let tag = contents.first { $0.starts(with: "ID3".utf8) } ?? []
        #expect(tag.contains("TIT2") != isUnknown)
      } else {
        let item = Array("INAM".utf8) + ChunkFile.little(page.bytes.count + 1) + page.bytes + [0]
        #expect(contents.contains { $0.starts(with: "INFO".utf8) && $0.contains(item) })
        #expect(chunks.contains { $0.name == "CSET" } == declares)
        #expect(!chunks.contains { $0.name == "id3 " })
      }
      #expect(contents.contains { $0.contains(page.bytes) && !$0.starts(with: "INFO".utf8) })
    }
  }

  @Test func unknownEncodingsAreNamed() throws {
    let page = Self.pages[0]
    try fixture.put("a.wav", wav(page.bytes))
    let metadata = try read("a.wav").metadata
    // As Python decodes them from Windows-1252.
    #expect(metadata.values("TITLE") == ["Ëó÷øèå ïåñíè"])
    #expect(metadata.assumedTexts(writtenTo: nil).count == 2)
    #expect(metadata.assumedTexts(writtenTo: .info) == [])
  }

  @Test func utf8IsNotStoredApart() throws {
    try fixture.put("a.wav", wav(Array("Žluťoučký".utf8)))
    let metadata = try read("a.wav").metadata
    #expect(metadata.values("TITLE") == ["Žluťoučký"])
    #expect(metadata.storedTexts == nil)
  }

  /// ID3v2 whose texts are labeled Latin-1 and hold the bytes of a code page, or of UTF-8.
  private func mp3(_ bytes: [UInt8], version: UInt8) -> [UInt8] {
    func frame(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + ChunkFile.big(content.count) + [0, 0] + content
    }
    let frames =
      frame("TIT2", [0] + bytes) + frame("COMM", [0] + Array("eng".utf8) + [0] + bytes)
      + frame("TXXX", [0] + Array("Own".utf8) + [0] + bytes)
      + frame("USLT", [0] + Array("eng".utf8) + [0] + bytes)
    let size = (0..<4).reversed().map { UInt8(frames.count >> (7 * $0) & 0x7F) }
    return Array("ID3".utf8) + [version, 0, 0] + size + frames
  }

  @Test(arguments: pages, [3, 4] as [UInt8])
  func latin1OfID3IsDecoded(page: Page, version: UInt8) throws {
    try fixture.run(
      "sox", "-R", "-n", "-r", "44100", "-c", "1", "x.mp3", "synth", "0.2", "sine", "440")
    let audio = try fixture.bytes("x.mp3")
    try fixture.put("a.mp3", mp3(page.bytes, version: version) + audio)
    try fixture.put("b.mp3", mp3(Array(page.text.utf8), version: version) + audio)
    // UTF-8 is recognized, and a declaration is for bytes that are valid in it.
    for source in [try read("a.mp3", as: page.name), try read("b.mp3")] {
      for name in ["TITLE", "COMMENT", "Own", "LYRICS"] {
        #expect(source.metadata.values(name) == [page.text], "\(name)")
      }
    }
    let isUTF8 = String(validating: page.bytes, as: UTF8.self) != nil
    let latin1 = String(String.UnicodeScalarView(page.bytes.map { Unicode.Scalar($0) }))
    if !isUTF8 { #expect(try read("a.mp3").metadata.values("TITLE") == [latin1]) }
  }

  /// ID3v2 keeps the bytes and the label of such texts, and other tags get them with a warning.
  @Test(arguments: pages, [3, 4] as [UInt8])
  func bytesOfID3Stay(page: Page, version: UInt8) throws {
    if String(validating: page.bytes, as: UTF8.self) != nil { return }
    try fixture.run(
      "sox", "-R", "-n", "-r", "44100", "-c", "1", "x.mp3", "synth", "0.2", "sine", "440")
    try fixture.put("a.mp3", mp3(page.bytes, version: version) + fixture.bytes("x.mp3"))
    let metadata = try read("a.mp3").metadata
    #expect(metadata.assumedTexts(writtenTo: .id3) == [])
    #expect(metadata.assumedTexts(writtenTo: nil).count == 4)
    try fixture.write(
      "out.mp3", [Int16](repeating: 1, count: 3000), as: "mp3", layout: .mono, metadata: metadata)
    let script = """
      import mutagen
      t = mutagen.File("out.mp3").tags
      for f in [t["TIT2"], t.getall("COMM")[0], t["TXXX:Own"], t.getall("USLT")[0]]:
          print(int(f.encoding), str(f).encode("latin-1").hex())
      """
    let hex = page.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(
      try fixture.run("python3", "-c", script).outputText
        == String(repeating: "0 \(hex)\n", count: 4))
  }

  /// Vorbis comments that are not in UTF-8, as old programs wrote them. mutagen writes the tags, and their bytes are
  /// replaced.
  @Test(arguments: pages, ["flac", "ogg", "opus"])
  func vorbisComments(page: Page, kind: String) throws {
    if String(validating: page.bytes, as: UTF8.self) != nil { return }
    let mark = String(repeating: "Q", count: page.bytes.count)
    let encoder = kind == "flac" ? "flac" : kind == "ogg" ? "libvorbis" : "libopus"
    try fixture.run(
      "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=d=0.2:r=48000", "-metadata",
      "TITLE=\(mark)", "-c:a", encoder, "a.\(kind)")
    var bytes = try fixture.bytes("a.\(kind)")
    let place = try #require(bytes.firstRange(of: Array(mark.utf8)))
    bytes.replaceSubrange(place, with: page.bytes)
    try fixture.put("a.\(kind)", bytes)
    if kind != "flac" { try fixture.run("python3", "-c", Self.checksums, "a.\(kind)") }
    let metadata = try read("a.\(kind)", as: page.name).metadata
    #expect(metadata.values("TITLE") == [page.text])
    #expect(metadata.assumedTexts(writtenTo: nil) == [])
    let unknown = try read("a.\(kind)").metadata
    #expect(unknown.values("TITLE").count == 1)
    for form in [nil, .info, .id3] as [Metadata.Comment.Item.Kind?] {
      #expect(unknown.assumedTexts(writtenTo: form) == unknown.values("TITLE"))
    }
  }

  /// Encodings that switch between sets by ASCII characters, which is valid UTF-8 too.
  static let switching = [
    Page(
      name: "ISO-2022-JP", number: 50220, text: "上を向いて",
      bytes: [
        0x1B, 0x24, 0x42, 0x3E, 0x65, 0x24, 0x72,
        0x38, 0x7E, 0x24, 0x24, 0x24, 0x46, 0x1B, 0x28, 0x42,
      ]),
    Page(
      name: "ISO-2022-KR", number: 50225, text: "사랑",
      bytes: [0x1B, 0x24, 0x29, 0x43, 0x0E, 0x3B, 0x67, 0x36, 0x7B, 0x0F]),
  ]

  @Test(arguments: switching, ["flac", "ogg", "opus", "wav"])
  func encodingsOfASCIICharacters(page: Page, kind: String) throws {
    let mark = String(repeating: "Q", count: page.bytes.count)
    let encoder = ["flac": "flac", "ogg": "libvorbis", "opus": "libopus"][kind] ?? "pcm_s16le"
    try fixture.run(
      "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=d=0.2:r=48000", "-metadata",
      "TITLE=\(mark)", "-metadata", "ARTIST=C+~{A", "-c:a", encoder, "a.\(kind)")
    var bytes = try fixture.bytes("a.\(kind)")
    let place = try #require(bytes.firstRange(of: Array(mark.utf8)))
    bytes.replaceSubrange(place, with: page.bytes)
    try fixture.put("a.\(kind)", bytes)
    if ["ogg", "opus"].contains(kind) {
      try fixture.run("python3", "-c", Self.checksums, "a.\(kind)")
    }
    let metadata = try read("a.\(kind)", as: page.name).metadata
    #expect(metadata.values("TITLE") == [page.text])
    #expect(metadata.values("ARTIST") == ["C+~{A"])
    // Nothing else shows what they are.
    #expect(
      try read("a.\(kind)").metadata.values("TITLE")
        == [String(decoding: page.bytes, as: UTF8.self)])
  }

  /// Computes the checksums of Ogg pages anew (RFC 3533, section 6).
  private static let checksums = """
    import struct, sys
    table = []
    for n in range(256):
        r = n << 24
        for _ in range(8): r = (r << 1) ^ (0x04C11DB7 if r & 0x80000000 else 0)
        table.append(r & 0xFFFFFFFF)
    b = bytearray(open(sys.argv[1], "rb").read())
    at = 0
    while at < len(b):
        n = b[at + 26]
        end = at + 27 + n + sum(b[at + 27:at + 27 + n])
        b[at + 22:at + 26] = bytes(4)
        c = 0
        for x in b[at:end]: c = (c << 8 & 0xFFFFFFFF) ^ table[c >> 24 ^ x]
        b[at + 22:at + 26] = struct.pack("<I", c)
        at = end
    open(sys.argv[1], "wb").write(b)
    """

  /// ID3v1 states no encoding. MP3 keeps the bytes, other outputs get them with a warning; accents are Windows-1252.
  @Test(arguments: pages)
  func bytesOfID3v1Stay(page: Page) throws {
    try fixture.run(
      "sox", "-R", "-n", "-r", "44100", "-c", "1", "x.mp3", "synth", "0.2", "sine", "440")
    func tag(_ title: [UInt8]) -> [UInt8] {
      Array("TAG".utf8) + title + [UInt8](repeating: 0, count: 124 - title.count) + [255]
    }
    let audio = try fixture.bytes("x.mp3")
    try fixture.put("a.mp3", audio + tag(page.bytes))
    try fixture.put("b.mp3", audio + tag([0x44, 0x6F, 0x6E, 0x92, 0x74]))
    #expect(try read("b.mp3").metadata.values("TITLE") == ["Don’t"])
    #expect(try read("b.mp3").metadata.storedTexts == nil)
    #expect(try read("a.mp3", as: page.name).metadata.values("TITLE") == [page.text])
    if String(validating: page.bytes, as: UTF8.self) != nil { return }
    let metadata = try read("a.mp3").metadata
    let isWestern = page.name == "MACINTOSH"
    #expect(metadata.assumedTexts(writtenTo: nil).count == (isWestern ? 0 : 1))
    if isWestern { return }
    try fixture.write(
      "out.mp3", [Int16](repeating: 1, count: 3000), as: "mp3", layout: .mono, metadata: metadata)
    let script =
      "import mutagen; f = mutagen.File('out.mp3').tags['TIT2']; print(int(f.encoding), str(f).encode('latin-1').hex())"
    let hex = page.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(try fixture.run("python3", "-c", script).outputText == "0 \(hex)\n")
  }

  @Test(arguments: [
    ("Größe", true), ("créée", true), ("Hääyöaie", true), ("jäääär", true), ("¿Qué? ¡Ñandú!", true),
    ("\u{C1}\u{E8}-2", false), ("Don\u{92}t", false), ("ÖÐÎÄ song", false), ("Å", true),
  ])
  func textsLabeledLatin1(text: String, isPlausible: Bool) {
    #expect((StoredTexts(labeledLatin1: [text]) == nil) == isPlausible)
  }

  /// Accents in Latin-1 are what they say.
  @Test func latin1OfID3Stays() throws {
    try fixture.run(
      "sox", "-R", "-n", "-r", "44100", "-c", "1", "x.mp3", "synth", "0.2", "sine", "440")
    try fixture.put(
      "a.mp3", mp3([0x47, 0x72, 0xF6, 0xDF, 0x65], version: 4) + fixture.bytes("x.mp3"))
    #expect(try read("a.mp3").metadata.values("TITLE") == ["Größe"])
    #expect(try read("a.mp3", as: "UTF-8").metadata.values("TITLE") == ["Größe"])
    #expect(try read("a.mp3").metadata.storedTexts == nil)
  }

  @Test func namesOfEncodings() {
    #expect(TextEncoding("nonsense") == nil)
    #expect(TextEncoding("") == nil)
    for name in ["MacRoman", "x-mac-roman", "mac_roman"] {
      #expect(TextEncoding(name)?.text([0x8E]) == "é")
    }
    for name in ["1251", "windows1251", "Windows-1251", "win-1251", "cp1251"] {
      #expect(TextEncoding(name)?.text([0xCB]) == "Л")
    }
    #expect(TextEncoding("shift-jis")?.text([0x8F, 0xE3]) == "上")
    #expect(TextEncoding(codePage: 0) == nil)
    #expect(TextEncoding("CP1251")?.bytes("終") == nil)
    #expect(TextEncoding("GBK")?.text([0xC0]) == nil)
    // An escape would begin a sequence that is none.
    #expect(TextEncoding("ISO-2022-JP")?.bytes("\u{1B}") == nil)
    for page in Self.pages {
      #expect(TextEncoding(page.name)?.text(page.bytes) == page.text)
      #expect(TextEncoding(codePage: page.number)?.bytes(page.text) == page.bytes)
    }
  }
}

extension [UInt8] {
  fileprivate func contains(_ text: String) -> Bool { contains(Array(text.utf8)) }
}
