import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AudioContainers
@testable import AudioIO
@testable import AudioModel

/// Data in a form of its own comes back in a file of the same kind.
@Suite("Tags in the same container")
struct SameContainerTests {
  private let fixture: AudioFixture

  init() throws { fixture = try AudioFixture() }

  private func write(_ name: String, as kind: String, _ metadata: Metadata = Metadata()) throws {
    try fixture.write(
      name, Signal.tones(frames: 4800, channels: 1), as: kind, layout: .mono, metadata: metadata)
  }

  /// Writes the metadata of a file to another one of the same kind; returns what was not carried.
  @discardableResult
  private func copy(_ name: String, to other: String, as kind: String) throws -> [String] {
    let source = try fixture.read(name).source
    try write(other, as: kind, source.metadata)
    return source.notCarried.map(\.text)
  }

  // MARK: MP4

  private func python(_ code: String) throws -> String {
    try Tagger(fixture: fixture).python(code)
  }

  private func makeMP4(_ names: String...) throws {
    try fixture.run("sox", "-R", "-n", "-r", "48000", "-c", "1", "s.wav", "synth", "0.1", "noise")
    try fixture.run("ffmpeg", "-v", "error", "-i", "s.wav", "-f", "ipod", "plain.m4a")
    for name in names { try fixture.put(name, fixture.bytes("plain.m4a")) }
  }

  private func copyMP4() throws -> TagContents {
    let contents = try TagReader.read(InputFile(path: fixture.path("x.m4a")), sampleRate: 48000)
    try write("y.m4a", as: "m4a-alac", contents.metadata)
    return contents
  }

  private let listing = """
    def said(name):
        t = mutagen.File(name).tags
        return sorted((k, [bytes(v) if k[0] == '-' or k == 'covr' else v for v in (t[k] if isinstance(t[k], list)
            else [t[k]])]) for k in t if 'too' not in k)

    """

  /// Freeform items with the name of an atom, in any spelling, and atoms with several values.
  @Test func itemsKeepTheirNames() throws {
    try makeMP4("x.m4a")
    let wanted = try python(
      listing + """
        f = mutagen.File('x.m4a')
        for name in 'publisher Conductor DIRECTOR narrator Title encodedby LYRICS year Label a:b'.split():
            f['----:com.apple.iTunes:' + name] = b'of ' + name.encode()
        f['----:com.apple.iTunes:TRACKTOTAL'] = b'9'; f['trkn'] = [(3, 0)]
        f['----:org.own:publisher'] = b'own'; f['----:com.apple.iTunes:Two'] = [b'1', b'2', b'1']
        f['©con'] = ['c1', 'c2']; f['©nam'] = ['t1', 't2', 't1']; f['©pub'] = ['atom']
        f.save(); print(said('x.m4a'))
        """)
    let contents = try copyMP4()
    #expect(contents.notCarried.map(\.text) == [])
    #expect(contents.metadata.values("TITLE") == ["t1", "t2", "t1"])
    #expect(try python(listing + "print(said('y.m4a'))") == wanted)
  }

  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    Wave.le(content.count + 8, 4).reversed() + type.unicodeScalars.map { UInt8($0.value) } + content
  }

  private func value(_ kind: UInt8, _ content: [UInt8]) -> [UInt8] {
    box("data", [0, 0, 0, kind, 0, 0, 0, 0] + content)
  }

  private func text(_ text: String) -> [UInt8] { value(1, Array(text.utf8)) }

  private func free(_ name: String?, _ values: [UInt8]) -> [UInt8] {
    let own = name.map { box("name", [0, 0, 0, 0] + Array($0.utf8)) } ?? []
    return box("----", box("mean", [0, 0, 0, 0] + Array("com.apple.iTunes".utf8)) + own + values)
  }

  /// Repeated atoms, other encodings and types, and items without a name: carried, or named.
  @Test func unusualItemsAreReadOrReported() throws {
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0]
    let items =
      box("\u{A9}nam", text("a")) + box("\u{A9}nam", text("b")) + box("\u{A9}nam", text("a"))
      + box("\u{A9}cmt", value(2, [0, 0xFC, 0x26, 0x03])) + box("\u{A9}alb", value(0, [0x41]))
      + free("DUP", text("1")) + free("DUP", text("2")) + free(nil, text("x"))
      + free("MIX", text("t") + value(0, [1, 2])) + box("covr", value(14, png))
      + box("covr", value(14, png + [1])) + box("tmpo", value(21, [120]))
      + box("efgh", value(21, [5])) + box("ijkl", value(1, [0x6B]))
    let handler = box(
      "hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("mdirappl".utf8) + Array(repeating: 0, count: 9))
    let meta = box("meta", [0, 0, 0, 0] + handler + box("ilst", items))
    try fixture.put(
      "x.m4a", box("ftyp", Array("M4A ".utf8)) + box("moov", box("udta", meta)))
    let contents = try TagReader.read(InputFile(path: fixture.path("x.m4a")), sampleRate: 48000)
    let metadata = contents.metadata
    #expect(metadata.values("TITLE") == ["a", "b"])
    #expect(metadata.values("COMMENT") == ["ü☃"])
    #expect(metadata.values("ALBUM") == ["A"])
    #expect(metadata.values("DUP") == ["1", "2"])
    #expect(metadata.values("MIX") == ["t"])
    #expect(metadata.values("BPM") == ["120"])
    #expect(metadata.values("MP4:ijkl") == ["k"])
    #expect(metadata.pictures.map(\.data) == [png, png + [1]])
    #expect(
      contents.notCarried.map(\.text) == ["tag ----:com.apple.iTunes:", "tag MIX", "tag MP4:efgh"])
  }

  /// iTunes' number of a genre, alone and beside a name; a number without a name is named.
  @Test func numberedGenresStayNumbers() throws {
    let number = box("gnre", value(0, [0, 18]))
    let handler = box(
      "hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("mdirappl".utf8) + Array(repeating: 0, count: 9))
    func put(_ items: [UInt8]) throws {
      let meta = box("meta", [0, 0, 0, 0] + handler + box("ilst", items))
      try fixture.put("x.m4a", box("ftyp", Array("M4A ".utf8)) + box("moov", box("udta", meta)))
    }
    try put(number + box("\u{A9}gen", text("Own")))
    let contents = try copyMP4()
    #expect(contents.metadata.values("GENRE").sorted() == ["Own", "Rock"])
    #expect(contents.notCarried.map(\.text) == [])
    let file = try fixture.bytes("y.m4a")
    for item in [number, box("\u{A9}gen", text("Own"))] {
      #expect(file.firstRange(of: item) != nil)
    }
    let said = try fixture.run("AtomicParsley", "y.m4a", "-t").outputText
    #expect(said.contains("Atom \"gnre\" contains: Rock"), "\(said)")
    try put(box("gnre", value(0, [1, 0])))
    let unknown = try TagReader.read(InputFile(path: fixture.path("x.m4a")), sampleRate: 48000)
    #expect(unknown.notCarried.map(\.text) == ["tag MP4:gnre"])
    // Of equal values of one meaning, one stays.
    try put(number + box("\u{A9}gen", text("Rock")))
    #expect(try copyMP4().metadata.values("GENRE") == ["Rock"])
  }

  /// Data beside the items: XMP and other data of users, and metadata of other kinds.
  @Test func boxesBesideTheItemsAreNamed() throws {
    try makeMP4()
    // Source: Adobe, "XMP Specification Part 3", section MPEG-4.
    let xmp: [UInt8] = [
      0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF,
      0xAC,
    ]
    try fixture.put(
      "x.m4a", fixture.bytes("plain.m4a") + box("uuid", xmp + Array("<x:xmpmeta/>".utf8)))
    func notCarried(_ name: String) throws -> [String] {
      try TagReader.read(InputFile(path: fixture.path(name)), sampleRate: 48000)
        .notCarried.map(\.text)
    }
    #expect(try notCarried("x.m4a") == ["XMP"])
    let handler = box(
      "hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("ID32".utf8) + Array(repeating: 0, count: 13))
    try fixture.put(
      "y.m4a", fixture.bytes("plain.m4a") + box("uuid", Array(repeating: 7, count: 20)))
    #expect(try notCarried("y.m4a") == ["user-defined data (uuid)"])
    try fixture.put(
      "z.m4a",
      box("ftyp", Array("M4A ".utf8)) + box("moov", box("meta", [0, 0, 0, 0] + handler)))
    #expect(try notCarried("z.m4a") == ["metadata of kind ID32"])
  }

  /// The language of the track, and when the recording was made, which the movie's header says.
  @Test func headersOfMoviesStay() throws {
    try makeMP4()
    try fixture.run(
      "ffmpeg", "-v", "error", "-i", "plain.m4a", "-c", "copy", "-metadata:s:a", "language=deu",
      "-metadata", "creation_time=2020-05-06T07:08:09Z", "x.m4a")
    let metadata = try fixture.read("x.m4a").source.metadata
    try write("y.m4a", as: "m4a-aac", metadata)
    let said = try fixture.run(
      "ffprobe", "-v", "error", "-show_entries", "stream_tags=language:format_tags=creation_time",
      "-of", "csv=p=0", "y.m4a"
    ).outputText
    #expect(said == "deu\n2020-05-06T07:08:09.000000Z\n")
  }

  // MARK: ID3v2

  private func tag(_ version: UInt8, _ frames: [UInt8]) -> [UInt8] {
    let size = [21, 14, 7, 0].map { UInt8(frames.count >> $0 & 0x7F) }
    return Array("ID3".utf8) + [version, 0, 0] + size + frames
  }

  private func frame(_ id: String, _ content: [UInt8]) -> [UInt8] {
    Array(id.utf8) + (id.utf8.count == 3 ? [] : [0])
      + [0, UInt8(content.count >> 7), UInt8(content.count & 0x7F)]
      + (id.utf8.count == 3 ? [] : [0, 0]) + content
  }

  private func latin(_ id: String, _ text: String) -> [UInt8] {
    frame(id, [0] + Array(text.unicodeScalars.map { UInt8($0.value) }))
  }

  private func readID3(_ version: UInt8, _ frames: [UInt8]) throws -> TagContents {
    try fixture.put("x.mp3", tag(version, frames))
    return try TagReader.read(InputFile(path: fixture.path("x.mp3")), sampleRate: 48000)
  }

  /// Frames of the same meaning, and several of one description: each stays what it was.
  @Test func framesKeepTheirKinds() throws {
    try write("x.mp3", as: "mp3")
    let listing = """
      def said(name):
          return sorted((f.FrameID, getattr(f, 'desc', ''), getattr(f, 'lang', ''), getattr(f, 'text', None) or
              getattr(f, 'url', None)) for f in mutagen.File(name).tags.values() if f.FrameID not in ('TSSE', 'CHAP', 'CTOC'))

      def ids(name):
          return sorted(f.element_id for f in mutagen.File(name).tags.getall('CHAP'))

      """
    let wanted = try python(
      listing + """
        f = mutagen.File('x.mp3')
        if f.tags is None: f.add_tags()
        for desc in ('Album Artist', 'LABEL', 'COMMENT', 'lyrics', 'URL', 'Work', 'own', 'OWN', 'TITLE', 'DATE', ''):
            f.tags.add(TXXX(encoding=3, desc=desc, text=['of ' + desc, 'two', 'two']))
        f.tags.add(COMM(encoding=3, lang='XXX', desc='', text=['plain', 'again']))
        f.tags.add(USLT(encoding=3, lang='eng', desc='', text='words'))
        f.tags.add(TPE1(encoding=3, text=['Ann', 'Bob', 'Ann'])); f.tags.add(TIT2(encoding=3, text='title'))
        f.tags.add(WXXX(encoding=3, desc='', url='http://a'))
        for id in ('one', 'two'):
            f.tags.add(CHAP(element_id=id, start_time=0, end_time=50, start_offset=0, end_offset=0))
        f.save(); print(said('x.mp3'), ids('x.mp3'))
        """)
    #expect(try copy("x.mp3", to: "y.mp3", as: "mp3") == [])
    let found = try python(listing + "print(said('y.mp3'), ids('y.mp3'))")
    // mutagen keeps the texts of one frame of several.
    #expect(
      found.replacing("['plain', 'again']", with: "['plain']")
        == wanted.replacing("['plain', 'again']", with: "['plain']"))
    let metadata = try fixture.read("y.mp3").source.metadata
    #expect(metadata.values("ARTIST") == ["Ann", "Bob", "Ann"])
    #expect(metadata.values("COMMENT").first == "plain")
  }

  /// UTF-16 without a byte order mark, in either order, in every kind of text.
  @Test(arguments: [true, false])
  func missingByteOrderIsGuessed(isLittle: Bool) throws {
    func wide(_ text: String) -> [UInt8] {
      text.utf16.flatMap { isLittle ? Wave.le(Int($0), 2) : Wave.le(Int($0), 2).reversed() }
    }
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0]
    let frames =
      frame("TIT2", [1] + wide("Title")) + frame("TPE1", [1, 0xFF, 0xFE] + Wave.le(0x41, 2))
      + frame("TXXX", [1] + wide("Own") + [0, 0] + wide("value"))
      + frame("COMM", [1] + Array("eng".utf8) + wide("d") + [0, 0] + wide("said"))
      + frame("APIC", [1] + Array("image/png\0".utf8) + [3] + wide("front") + [0, 0] + png)
      + frame("TALB", [3] + Array("after".utf8))
    let metadata = try readID3(3, frames).metadata
    #expect(metadata.values("TITLE") == ["Title"])
    #expect(metadata.values("ARTIST") == ["A"])
    #expect(metadata.values("Own") == ["value"])
    #expect(metadata.values("COMMENT:d") == ["said"])
    #expect(metadata.values("ALBUM") == ["after"])
    #expect(metadata.pictures.map(\.description) == ["front"])
    #expect(metadata.pictures.map(\.data) == [png])
  }

  /// The day and the time have frames of their own before version 2.4.
  @Test(
    arguments: [(2, ["TYE", "TDA", "TIM"]), (3, ["TYER", "TDAT", "TIME"])] as [(UInt8, [String])])
  func partsOfADateAreJoined(version: UInt8, ids: [String]) throws {
    let day = latin(ids[1], "1504"), time = latin(ids[2], "1213")
    let whole = try readID3(version, latin(ids[0], "1999") + day + time)
    #expect(whole.metadata.values("DATE") == ["1999-04-15T12:13"])
    #expect(whole.notCarried.map(\.text) == [])
    let alone = try readID3(version, day + latin(version == 2 ? "TT2" : "TIT2", "x"))
    #expect(alone.notCarried.map(\.text) == ["tag TDAT"])
  }

  /// Names of version 2.2 that TagLib takes for others. Source: ID3v2.2 and ID3v2.4 native frames, section 4.2.
  @Test func framesOfVersion2KeepTheirMeaning() throws {
    let metadata = try readID3(
      2,
      latin("TXT", "lyricist") + frame("TOA", [1, 0xFF, 0xFE] + Wave.le(0x41, 2))
        + latin("TOL", "original lyricist") + latin("TOT", "original album")
    ).metadata
    #expect(metadata.values("LYRICIST") == ["lyricist"])
    #expect(metadata.values("ORIGINALARTIST") == ["A"])
    #expect(metadata.values("ORIGINALLYRICIST") == ["original lyricist"])
    #expect(metadata.values("ORIGINALALBUM") == ["original album"])
  }

  @Test func lossesAreReported() throws {
    // The frame declares more bytes than the tag has.
    let cut = try readID3(4, latin("TIT2", "x") + latin("TALB", "album").dropLast(2))
    #expect(cut.notCarried.map(\.text) == ["a cut frame TALB"])
    #expect(cut.metadata.values("TITLE") == ["x"])
    let times = [UInt8](repeating: 0, count: 16)
    let chapter = frame("CHAP", Array("c1\0".utf8) + times)
    let nested = try readID3(
      4,
      chapter + frame("CTOC", Array("toc\0".utf8) + [3, 1] + Array("t2\0".utf8))
        + frame("CTOC", Array("t2\0".utf8) + [1, 1] + Array("c1\0".utf8)))
    #expect(nested.notCarried.map(\.text) == ["a nested table of contents"])
  }

  /// Another tag of the file with other values; a cut, joined or shorter text is not a contradiction.
  @Test func contradictionsAreReported() throws {
    func field(_ text: String, _ count: Int) -> [UInt8] {
      Array(text.utf8) + Array(repeating: 0, count: count - text.utf8.count)
    }
    let long = "A title of more than thirty characters"
    let version1 =
      Array("TAG".utf8) + field(String(long.prefix(30)), 30) + field("Ann/Bob", 30)
      + field("Other album", 30) + field("1999", 4) + field("", 28) + [0, 3, 12]
    let frames =
      latin("TIT2", long) + frame("TPE1", [3] + Array("Ann\0Bob".utf8)) + latin("TALB", "Album")
      + latin("TDRC", "1999-05-06") + latin("TRCK", "03/9") + latin("TCON", "Own")
    try fixture.put("x.mp3", tag(4, frames) + [0xFF, 0xFB, 0x90, 0] + version1)
    let contents = try TagReader.read(InputFile(path: fixture.path("x.mp3")), sampleRate: 48000)
    #expect(contents.notCarried.map(\.text) == ["ALBUM of ID3v1"])
  }
}
