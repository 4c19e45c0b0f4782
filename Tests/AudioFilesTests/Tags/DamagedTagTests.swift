import AudioModel
import SystemPackage
import TestSupport
import Testing

@testable import AudioContainers
@testable import AudioIO

/// Tags that lie, end early, or are made to cost time and memory.
@Suite("Damaged tags")
struct DamagedTagTests {
  private let fixture: AudioFixture

  init() throws { fixture = try AudioFixture() }

  private func read(_ bytes: [UInt8]) throws -> TagContents {
    try fixture.put("x", bytes)
    return try TagReader.read(InputFile(path: fixture.path("x")), sampleRate: 48000)
  }

  private static func synchsafe(_ count: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) }
  }

  private static func bigEndian(_ count: Int, _ bytes: Int = 4) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
  }

  /// A frame of version 2.4 with its second byte of flags.
  private static func frame(_ id: String, _ content: [UInt8], flags: UInt8 = 0) -> [UInt8] {
    Array(id.utf8) + synchsafe(content.count) + [0, flags] + content
  }

  private static func tag(_ body: [UInt8], version: UInt8 = 4, flags: UInt8 = 0) -> [UInt8] {
    Array("ID3".utf8) + [version, 0, flags] + synchsafe(body.count) + body
  }

  private static let title = frame("TIT2", [3] + Array("Title".utf8))

  /// Every prefix and every flipped byte gives an answer.
  @Test(arguments: ["mp3", "wav", "aiff", "opus", "m4a", "wma", "ape"])
  func anyDamageIsSurvived(kind: String) throws {
    let tagger = Tagger(fixture: fixture)
    try tagger.makePictures()
    try fixture.run(
      "sox", "-R", "-n", "-r", "48000", "-c", "1", "-b", "16", "s.wav", "synth", "0.02", "sine",
      "400")
    switch kind {
    case "ape":
      try fixture.put("y.ape", Array(repeating: 1, count: 300))
      try tagger.python(
        "from mutagen.apev2 import APEv2; t = APEv2(); t['Title'] = 'a'; t['Artist'] = ['b', 'c']; "
          + "t.save('y.ape')")
    case "wma":
      try fixture.run("ffmpeg", "-v", "error", "-i", "s.wav", "-c:a", "wmav2", "y.wma")
      try tagger.python(
        "f = mutagen.File('y.wma'); f['Title'] = ['a']; f['WM/Mood'] = ['b', 'c']; f.save()")
    case "m4a":
      try fixture.run("ffmpeg", "-v", "error", "-i", "s.wav", "-metadata", "title=a", "y.m4a")
    default:
      var metadata = Metadata(comments: [
        .init(name: "TITLE", value: "a"), .init(name: "ARTIST", value: "b"),
        .init(name: "COMMENT", value: "c"),
      ])
      metadata.chapters = [Metadata.Chapter(start: 0, title: "one")]
      metadata.syncedLyrics = [
        Metadata.SyncedLyrics(lines: [Metadata.SyncedLyrics.Line(start: 5, text: "word")])
      ]
      metadata.pictures = [
        Metadata.Picture(
          type: 3, mimeType: "image/png", description: "d", data: try fixture.bytes("red.png"))
      ]
      try fixture.write(
        "y.\(kind)", Signal.tones(frames: 100, channels: 1), as: kind, layout: .mono,
        metadata: metadata)
    }
    let bytes = try fixture.bytes("y.\(kind)")
    #expect(try read(bytes).metadata.values("TITLE") == ["a"])
    // The tags are at one end of the file.
    let reach = min(bytes.count, 1500)
    for step in stride(from: 1, to: reach, by: 7) {
      _ = try read(Array(bytes.prefix(step)))
      _ = try read(Array(bytes.prefix(bytes.count - step)))
      for index in [step, bytes.count - step] {
        for value in [UInt8(0xFF), 0, bytes[index] ^ 0x80] {
          var damaged = bytes
          damaged[index] = value
          _ = try read(damaged)
        }
      }
    }
  }

  /// A frame that claims to be larger than the tag ends it; what came before stays.
  @Test func missingPicturesAreNotInvented() throws {
    let picture =
      Array("APIC".utf8) + Self.synchsafe(200 << 20) + [0, 0, 3]
      + Array("image/png\0".utf8) + [3, 0, 1, 2, 3]
    let contents = try read(Self.tag(Self.title + picture))
    #expect(contents.metadata.values("TITLE") == ["Title"])
    #expect(contents.metadata.pictures == [])
    // The same with a tag that claims to be as large, before nothing.
    var whole = Self.tag(Self.title + picture)
    whole.replaceSubrange(6..<10, with: Self.synchsafe(200 << 20))
    #expect(try read(whole).metadata.values("TITLE") == ["Title"])
  }

  @Test func unsynchronizedTagsAreRead() throws {
    // 0xFF followed by 0xE0 or more, or by 0, is separated by a zero (ID3v2.4 structure, section 6.1).
    let text: [UInt8] = [1, 0xFF, 0xFE, 0xE4, 0x00, 0xFF, 0x00]
    let parted: [UInt8] = [1, 0xFF, 0, 0xFE, 0xE4, 0x00, 0xFF, 0x00, 0x00]
    let plain = try read(Self.tag(Self.frame("TIT2", text)))
    #expect(plain.metadata.values("TITLE") == ["äÿ"])
    let old = Array("TIT2".utf8) + Self.bigEndian(text.count) + [0, 0] + parted
    #expect(try read(Self.tag(old, version: 3, flags: 0x80)).metadata == plain.metadata)
    let new = Self.frame("TIT2", parted, flags: 0x02)
    #expect(try read(Self.tag(new)).metadata == plain.metadata)
    let unmarked = Self.frame("TIT2", parted)
    #expect(try read(Self.tag(unmarked, flags: 0x80)).metadata == plain.metadata)
  }

  /// Some taggers set the flag of unsynchronization and write the bytes without separating zeros.
  @Test(arguments: [(4, 0x80, 0), (4, 0x00, 0x02), (3, 0x80, 0)] as [(UInt8, UInt8, UInt8)])
  func falselyUnsynchronizedDataIsKept(version: UInt8, tag: UInt8, frame: UInt8) throws {
    let data: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 0xFF, 0, 2, 0xFF, 0xFE, 0xFF, 0xD9]
    let content = Array("\0image/jpeg\0\u{3}\0".utf8) + data
    let picture = Self.frame("APIC", content, flags: frame)
    #expect(
      try read(Self.tag(picture, version: version, flags: tag)).metadata.pictures.map(\.data) == [
        data
      ])
  }

  /// Old versions of iTunes wrote sizes with 8 bits per byte, as in version 2.3. A text may look like the ID of a
  /// frame.
  @Test(arguments: [0, 50], [false, true])
  func sizesWith8BitsPerByteAreRead(padding: Int, isLast: Bool) throws {
    let text = String(repeating: "C", count: 300)
    let long =
      Array("COMM".utf8) + Self.bigEndian(305) + [0, 0] + [3] + Array(("eng\0" + text).utf8)
    let artist = Self.frame("TPE1", [3] + Array("Artist".utf8))
    let frames = isLast ? Self.title + artist + long : Self.title + long + artist
    let tag = try read(Self.tag(frames + [UInt8](repeating: 0, count: padding))).metadata
    #expect(tag.values("TITLE") == ["Title"])
    #expect(tag.values("ARTIST") == ["Artist"])
    #expect(tag.values("COMMENT") == [text])
  }

  /// An empty frame hides no others, and the group of a frame is not part of its text.
  @Test func emptyAndGroupedFramesAreRead() throws {
    let artist = Self.frame("TPE1", [5, 3] + Array("Artist".utf8), flags: 0x40)
    let frames = Self.frame("TALB", []) + Self.title + artist
    #expect(try read(Self.tag(frames)).metadata.values("TITLE") == ["Title"])
    #expect(try read(Self.tag(frames)).metadata.values("ARTIST") == ["Artist"])
    let old = Array("TPE1".utf8) + Self.bigEndian(8) + [0, 0x20, 5, 0] + Array("Artist".utf8)
    #expect(try read(Self.tag(old, version: 3)).metadata.values("ARTIST") == ["Artist"])
  }

  /// A footer may be declared and missing, and the bit means nothing before version 4. The audio begins after the tag.
  @Test(arguments: [(4, true), (4, false), (3, false)] as [(UInt8, Bool)])
  func footersAreFound(version: UInt8, isThere: Bool) throws {
    try fixture.run(
      "sox", "-R", "-n", "-r", "44100", "-b", "16", "x.wav", "synth", "1", "sine", "400")
    try fixture.run("lame", "--quiet", "-t", "x.wav", "x.mp3")
    let audio = try fixture.bytes("x.mp3")
    let frames = try fixture.read("x.mp3").source.frameCount
    let text = Array("TIT2".utf8) + Self.bigEndian(6) + [0, 0, 0] + Array("Title".utf8)
    var tag = Self.tag(text, version: version, flags: 0x10)
    if isThere { tag += Array("3DI".utf8) + tag[3..<10] }
    try fixture.put("tagged.mp3", tag + audio)
    let read = try fixture.read("tagged.mp3").source
    #expect(read.frameCount == frames)
    #expect(read.metadata.values("TITLE") == ["Title"])
    #expect(read.warnings == [])
    guard isThere else { return }
    try fixture.put("tagged.mp3", audio + tag)
    #expect(try fixture.read("tagged.mp3").source.metadata.values("TITLE") == ["Title"])
    #expect(try fixture.read("tagged.mp3").source.frameCount == frames)
  }

  @Test func extendedHeadersAreSkipped() throws {
    let new = Self.synchsafe(6) + [1, 0]
    #expect(try read(Self.tag(new + Self.title, flags: 0x40)).metadata.values("TITLE") == ["Title"])
    let old = Self.bigEndian(6) + [0, 0, 0, 0, 0, 0]
    #expect(
      try read(Self.tag(old + Self.title, version: 3, flags: 0x40)).metadata.values("TITLE")
        == ["Title"])
  }

  /// Packed frames are unpacked, but not without end.
  @Test func packedFramesAreReadUpToALimit() throws {
    func packed(_ count: Int) throws -> [UInt8] {
      let made = try Tool.run(
        "python3",
        [
          "-c",
          "import sys, zlib; sys.stdout.buffer.write(zlib.compress(b'\\3' + b'a' * \(count)))",
        ])
      return Self.synchsafe(count + 1) + made.output
    }
    let small = Self.frame("TIT2", try packed(100), flags: 0x09)
    #expect(
      try read(Self.tag(small)).metadata.values("TITLE") == [String(repeating: "a", count: 100)])
    // 100 MB of the same letter pack into 100 KB.
    let large = Self.frame("TALB", try packed(100_000_000), flags: 0x09)
    let contents = try read(Self.tag(large + small))
    #expect(contents.notCarried.map(\.text) == ["tag compressed TALB"])
    #expect(contents.metadata.comments.map(\.name) == ["TITLE"])
  }

  @Test func encryptedFramesAreNamed() throws {
    let secret = Self.frame("TALB", [7, 1, 2, 3], flags: 0x04)
    let contents = try read(Self.tag(secret + Self.title))
    #expect(contents.notCarried.map(\.text) == ["tag encrypted TALB"])
    #expect(contents.metadata.comments.map(\.name) == ["TITLE"])
  }

  /// Chapters within chapters, each of which TagLib would parse within the one before.
  @Test func nestedChaptersDoNotRecurse() throws {
    let header = Array("c\0".utf8) + Array(repeating: 0, count: 16)
    var nested = Self.title
    for _ in 0..<100 { nested = Self.frame("CHAP", header + nested) }
    // Each of these claims the next two million bytes, and so all that follow it.
    let lying = Array("CHAP".utf8) + Self.synchsafe(2_000_000) + [0, 0] + header
    let deep = (0..<50000).flatMap { _ in lying } + Array(repeating: 0, count: 2_000_000)
    for body in [nested, deep] {
      let contents = try read(Self.tag(body))
      #expect(contents.metadata.chapters == [])
      #expect(contents.notCarried.map(\.text) == ["nested chapters"])
    }
  }

  /// Tables of contents that contain each other are not followed.
  @Test func circularTablesAreHarmless() throws {
    func table(_ id: String, _ child: String) -> [UInt8] {
      Self.frame("CTOC", Array("\(id)\0".utf8) + [3, 1] + Array("\(child)\0".utf8))
    }
    let chapter = Self.frame(
      "CHAP",
      Array("c\0".utf8) + Self.bigEndian(1000) + Self.bigEndian(2000)
        + Array(repeating: 0xFF, count: 8) + Self.title)
    let body = table("a", "b") + table("b", "a") + table("c", "c") + chapter
    let contents = try read(Self.tag(body))
    var expected = Metadata.Chapter(start: 48000, end: 96000, title: "Title")
    expected.id = .element("c")
    #expect(contents.metadata.chapters == [expected])
    #expect(contents.notCarried.map(\.text) == [])
  }

  @Test func framesAreReadUpToALimit() throws {
    let frames = (0..<100_000).flatMap { Self.frame("TXXX", [3] + Array("n\($0)\0v".utf8)) }
    let contents = try read(Self.tag(frames))
    #expect(contents.metadata.comments.count == 16384)
    let last = try #require(contents.metadata.comments.last)
    #expect((last.name, last.value) == ("n16383", "v"))
    #expect(contents.notCarried.map(\.text) == ["frames beyond the first 16384"])
  }

  @Test func tagsAboveTheLimitAreRefused() throws {
    let size = TagContents.maximumByteCount + 1
    var head = Self.tag(Self.title)
    head.replaceSubrange(6..<10, with: Self.synchsafe(size))
    try fixture.put("big", head)
    try fixture.run("truncate", "-s", "\(size + 20)", "big")
    let contents = try TagReader.read(InputFile(path: fixture.path("big")), sampleRate: 48000)
    #expect(contents.metadata.isEmpty)
    #expect(contents.warnings == ["ignored a tag of \(size + 10) bytes, more than 64 MB"])
  }

  /// Atoms within atoms, each of which TagLib would parse within the one before.
  @Test func deepAtomsDoNotRecurse() throws {
    func atom(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Self.bigEndian(content.count + 8) + Array(name.utf8) + content
    }
    let text = atom(
      "aART", atom("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array("who".utf8)))
    // Each level claims the rest of the file.
    let deep = (0..<200_000).flatMap { Self.bigEndian(8 * (200_000 - $0)) + Array("moov".utf8) }
    for items in [text + deep, deep + text] {
      let file =
        atom("ftyp", Array("M4A ".utf8))
        + atom("moov", atom("udta", atom("meta", [0, 0, 0, 0] + atom("ilst", items))))
      #expect(try read(file).metadata.values("ALBUMARTIST") == ["who"])
    }
    let top = atom("ftyp", Array("M4A ".utf8)) + deep
    #expect(try read(top).metadata.isEmpty)
    // An atom of no size, and one that is larger than everything.
    #expect(try read(Self.bigEndian(1) + Array("moov".utf8)).metadata.isEmpty)
    let lie = Self.bigEndian(1) + Array("moov".utf8) + Array(repeating: 0xFF, count: 8) + text
    #expect(try read(lie).metadata.isEmpty)
  }

  /// A comment packet over pages that never end it costs neither time nor memory without bound.
  @Test func endlessOggPagesAreAbandoned() throws {
    try fixture.write("y.opus", Signal.tones(frames: 100, channels: 1), as: "opus", layout: .mono)
    let bytes = try fixture.bytes("y.opus")
    let second = try #require(
      bytes.indices.dropFirst(4).first { bytes[$0...].starts(with: Array("OggS".utf8)) })
    // Pages without a single segment, and so without an end of anything.
    let empty = Array(bytes[second..<second + 26]) + [0]
    let many = Array(bytes[..<second]) + (0..<200_000).flatMap { _ in empty }
    #expect(try read(many).metadata.isEmpty)
  }
}
