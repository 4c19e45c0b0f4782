import AudioModel
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AudioContainers
@testable import AudioIO

/// iTunes' items without audio, against mutagen, and damaged.
@Suite("Items of MP4")
struct MP4ItemTests {
  private let fixture: AudioFixture

  init() throws { fixture = try AudioFixture() }

  private func python(_ code: String) throws -> String {
    try Tagger(fixture: fixture).python(code)
  }

  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    Wave.le(content.count + 8, 4).reversed() + type.unicodeScalars.map { UInt8($0.value) } + content
  }

  private func value(_ kind: UInt8, _ content: [UInt8]) -> [UInt8] {
    box("data", [0, 0, 0, kind, 0, 0, 0, 0] + content)
  }

  /// A file with these items and no audio.
  private func file(_ items: [UInt8]) -> [UInt8] {
    let handler = box(
      "hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("mdirappl".utf8) + Array(repeating: 0, count: 9))
    let meta = box("meta", [0, 0, 0, 0] + handler + box("ilst", items))
    return box("ftyp", Array("M4A ".utf8)) + box("moov", box("udta", meta))
  }

  private func read(_ name: String) throws -> TagContents {
    try TagReader.read(InputFile(path: fixture.path(name)), sampleRate: 48000)
  }

  /// Writes a movie whose packets are not audio.
  private func write(_ name: String, _ metadata: Metadata, delay: Int = 0) throws {
    let stream = PacketStream(
      codec: .aac, spec: AudioSpec(sampleRate: 48000, layout: .mono), frameCount: 4800,
      delay: delay, framesPerPacket: 1024, bitDepth: 16, configuration: [0x11, 0x88])
    let cursor = OutputCursor(
      descriptor: try FileDescriptor.open(
        fixture.path(name), .readWrite, options: .create, permissions: .ownerReadWrite))
    let file = try MP4File(
      cursor, brand: "M4A ", movie: MP4Movie(stream: stream, metadata: metadata),
      path: fixture.path(name))
    let packet: [UInt8] = [1, 2]
    for _ in 0..<stream.packetCount { try packet.withUnsafeBytes { try file.append($0) } }
    try file.finish()
  }

  /// The comments that each of mutagen's items stands for.
  private static let items: [(item: String, name: String, value: String, python: String)] = [
    ("©nam", "TITLE", "a", "['a']"), ("©ART", "ARTIST", "b", "['b']"),
    ("©alb", "ALBUM", "c", "['c']"), ("©cmt", "COMMENT", "d", "['d']"),
    ("©gen", "GENRE", "e", "['e']"), ("©day", "DATE", "2001", "['2001']"),
    ("©wrt", "COMPOSER", "f", "['f']"), ("©grp", "GROUPING", "g", "['g']"),
    ("aART", "ALBUMARTIST", "h", "['h']"), ("cprt", "COPYRIGHT", "i", "['i']"),
    ("©lyr", "LYRICS", "j", "['j']"), ("©too", "ENCODER", "k", "['k']"),
    ("soal", "ALBUMSORT", "l", "['l']"), ("soaa", "ALBUMARTISTSORT", "m", "['m']"),
    ("soar", "ARTISTSORT", "n", "['n']"), ("sonm", "TITLESORT", "o", "['o']"),
    ("soco", "COMPOSERSORT", "p", "['p']"), ("sosn", "SHOWSORT", "q", "['q']"),
    ("catg", "PODCASTCATEGORY", "r", "['r']"), ("desc", "PODCASTDESC", "s", "['s']"),
    ("egid", "PODCASTID", "t", "['t']"), ("purl", "PODCASTURL", "u", "['u']"),
    ("keyw", "PODCASTKEYWORDS", "v", "['v']"), ("tvsh", "TVSHOW", "w", "['w']"),
    ("ldes", "LONGDESCRIPTION", "x", "['x']"), ("purd", "ITUNESPURCHASEDATE", "y", "['y']"),
    ("©con", "CONDUCTOR", "z", "['z']"), ("©wrk", "WORK", "A", "['A']"),
    ("©mvn", "MOVEMENTNAME", "B", "['B']"), ("©mvi", "MOVEMENTNUMBER", "2", "[2]"),
    ("©mvc", "MOVEMENTCOUNT", "3", "[3]"), ("tmpo", "BPM", "120", "[120]"),
    ("stik", "ITUNESMEDIATYPE", "2", "[2]"), ("rtng", "ITUNESADVISORY", "4", "[4]"),
    ("hdvd", "ITUNESHDVIDEO", "1", "[1]"), ("cnID", "ITUNESCATALOGID", "70000", "[70000]"),
    ("atID", "ITUNESARTISTID", "70001", "[70001]"), ("geID", "ITUNESGENREID", "20", "[20]"),
    ("sfID", "ITUNESCOUNTRYID", "143", "[143]"), ("cmID", "ITUNESCOMPOSERID", "5", "[5]"),
    ("akID", "ITUNESACCOUNTTYPE", "1", "[1]"),
    ("plID", "ITUNESALBUMID", "5000000000", "[5000000000]"), ("tves", "TVEPISODE", "7", "[7]"),
    ("tvsn", "TVSEASON", "8", "[8]"), ("cpil", "COMPILATION", "1", "True"),
    ("pgap", "GAPLESSPLAYBACK", "1", "True"), ("pcst", "PODCAST", "1", "True"),
    ("shwm", "SHOWWORKMOVEMENT", "1", "[1]"),
  ]

  @Test func mutagenReadsEveryItem() throws {
    let comments = Self.items.map { Metadata.Comment(name: $0.name, value: $0.value) }
    let others: [Metadata.Comment] = [
      .init(name: "TRACKNUMBER", value: "3"), .init(name: "TRACKTOTAL", value: "300"),
      .init(name: "DISCNUMBER", value: "1"), .init(name: "ARTIST", value: "ü日🎧"),
      .init(name: "MUSICBRAINZ_ALBUMID", value: "id"), .init(name: "MP4:(c)xyz", value: "place"),
      .init(name: "Own: with colons", value: "1"), .init(name: "own: WITH colons", value: "2"),
      .init(name: "----:org.own:n", value: "3"), .init(name: "DIRECTOR", value: "one"),
      .init(name: "DIRECTOR", value: "two"), .init(name: "MOVEMENTNUMBER2", value: "70000"),
    ]
    try write("x.m4a", Metadata(comments: comments + others), delay: 1024)
    let said = try python(
      """
      t = mutagen.File('x.m4a').tags
      for k in t: print(k, [bytes(v) for v in t[k]] if k[0] == '-' else t[k])
      """
    ).split(separator: "\n").map(String.init)
    var wanted = Self.items.map { "\($0.item) \($0.python)" }
    wanted.removeAll { $0.hasPrefix("©ART") }
    let free = "----:com.apple.iTunes:"
    wanted += [
      "trkn [(3, 300)]", "disk [(1, 0)]", "©ART ['b', 'ü日🎧']", "©xyz ['place']",
      "\(free)MusicBrainz Album Id [b'id']", "\(free)Own: with colons [b'1', b'2']",
      "----:org.own:n [b'3']", "\(free)DIRECTOR [b'one', b'two']",
      "\(free)MOVEMENTNUMBER2 [b'70000']",
    ]
    // The delay, 192 frames to the end of the sixth packet, the length.
    let gapless = [
      "00000000", "00000400", "00000140", "00000000000012C0", "00000000", "00000000", "00000000",
      "00000000", "00000000", "00000000", "00000000", "00000000",
    ].map { " " + $0 }.joined()
    wanted.append("\(free)iTunSMPB [b'\(gapless)']")
    #expect(said.sorted() == wanted.sorted())
  }

  @Test func everyItemOfMutagenIsRead() throws {
    try write("x.m4a", Metadata())
    let items = Self.items.map { "f['\($0.item)'] = \($0.python)" }.joined(separator: "; ")
    _ = try python(
      """
      f = MP4('x.m4a')
      \(items)
      f['trkn'] = [(3, 300)]; f['disk'] = [(1, 0)]; f['purl'] = ['u', 'u2']
      f['----:com.apple.iTunes:MusicBrainz Album Id'] = b'id'; f['----:org.own:n'] = [b'3', b'4']
      f.save()
      """)
    let contents = try read("x.m4a")
    #expect(contents.notCarried.map(\.text) == [])
    for item in Self.items {
      let more = item.item == "purl" ? ["u2"] : []
      #expect(contents.metadata.values(item.name) == [item.value] + more, "\(item)")
    }
    #expect(contents.metadata.values("TRACKNUMBER") == ["3"])
    #expect(contents.metadata.values("TRACKTOTAL") == ["300"])
    #expect(contents.metadata.values("DISCNUMBER") == ["1"])
    #expect(contents.metadata.values("DISCTOTAL") == [])
    #expect(contents.metadata.values("MUSICBRAINZ_ALBUMID") == ["id"])
    #expect(contents.metadata.values("----:org.own:n") == ["3", "4"])
    #expect(contents.metadata.comments.count == Self.items.count + 7)
  }

  /// Pictures of every type, and tags of more than a megabyte.
  @Test func coversAndLongTextsArrive() throws {
    try Tagger(fixture: fixture).makePictures()
    try fixture.run("ffmpeg", "-v", "error", "-i", "red.png", "red.bmp")
    let files = [
      ("red.png", "image/png"), ("blue.jpg", "image/jpeg"), ("red.bmp", "image/bmp"),
    ]
    let long = String(repeating: "lang ", count: 300_000)
    var metadata = Metadata(comments: [.init(name: "LYRICS", value: long)])
    metadata.pictures = try files.enumerated().map {
      try Metadata.Picture(
        type: $0 == 0 ? 3 : 0, mimeType: $1.1, description: "", data: fixture.bytes($1.0))
    }
    #expect(MP4Items.notCarried(of: metadata).map(\.text) == [])
    try write("x.m4a", metadata)
    let said = try python(
      """
      t = mutagen.File('x.m4a').tags
      print(len(t['©lyr'][0]), [(c.imageformat, len(c)) for c in t['covr']])
      """)
    // mutagen knows JPEG and PNG.
    let jpeg = "<AtomDataType.JPEG: 13>"
    let sizes = try files.map { try fixture.bytes($0.0).count }
    let list = zip(["14", "13", jpeg], sizes).map { "(\($0), \($1))" }
    let written = try fixture.bytes("x.m4a")
    for (kind, file) in zip([14, 13, 27] as [UInt8], files) {
      #expect(try written.firstRange(of: value(kind, fixture.bytes(file.0))) != nil)
    }
    #expect(said == "1500000 [\(list.joined(separator: ", "))]\n")
    let back = try read("x.m4a").metadata
    #expect(back.values("LYRICS") == [long])
    #expect(back.pictures == metadata.pictures)
    metadata.pictures.append(
      Metadata.Picture(type: 4, mimeType: "-->", description: "", data: [0x61]))
    metadata.syncedLyrics = [.init(language: "eng", contentType: 1, description: "", lines: [])]
    #expect(
      MP4Items.notCarried(of: metadata).map(\.text) == [
        "addresses of pictures", "types and descriptions of pictures", "synchronized lyrics",
      ])
  }

  /// Numbers that an item cannot hold stay what they are, in a free item.
  @Test func largeNumbersStayWhole() throws {
    let numbers = [
      ("TRACKNUMBER", "70000"), ("MOVEMENTCOUNT", "99999"), ("ITUNESADVISORY", "256"),
      ("ITUNESCATALOGID", "4294967296"), ("BPM", "1e9"), ("RATING", "101"), ("COMPILATION", "300"),
    ]
    try write("x.m4a", Metadata(comments: numbers.map { .init(name: $0, value: $1) }))
    let said = try python(
      "t = mutagen.File('x.m4a').tags\nprint(sorted((k[22:], bytes(t[k][0]).decode()) for k in t))")
    let wanted = numbers.sorted { $0.0 < $1.0 }.map { "('\($0)', '\($1)')" }
    #expect(said == "[\(wanted.joined(separator: ", "))]\n")
    let back = try read("x.m4a").metadata
    for (name, value) in numbers { #expect(back.values(name) == [value]) }
  }

  /// A number may be longer than usual, or a text; what is no number is named.
  @Test func numbersOfOtherTypesAreReadOrNamed() throws {
    let items =
      box("tmpo", value(0, [0, 0, 0, 120])) + box("stik", value(1, Array("2".utf8)))
      + box("rtng", value(21, [1, 4])) + box("cnID", value(1, Array("x".utf8)))
      + box("rate", value(1, Array("80".utf8))) + box("cpil", value(21, []))
      + box("covr", value(1, [1, 2, 3])) + box("©nam", value(1, [0xFF, 0xFE]))
    let contents = MP4Items.contents(of: items)
    let comments = contents.metadata.comments
    #expect(comments.map(\.name) == ["RATING", "ITUNESMEDIATYPE", "BPM"])
    #expect(comments.map(\.value) == ["80", "2", "120"])
    #expect(
      contents.notCarried.map(\.text) == [
        "tag MP4:rtng", "tag MP4:cnID", "tag MP4:cpil", "tag MP4:covr", "tag MP4:(c)nam",
      ])
  }

  /// Flipped bytes, cut boxes, and sizes of 0, 1, and more than there is: what is read was in the file.
  @Test func damagedItemsAreReadInBounds() throws {
    let free =
      box("mean", [0, 0, 0, 0] + Array("com.apple.iTunes".utf8))
      + box("name", [0, 0, 0, 0] + Array("Own".utf8)) + value(1, Array("value".utf8))
    let items =
      box("©nam", value(1, Array("title".utf8))) + box("trkn", value(0, [0, 0, 0, 3, 0, 9, 0, 0]))
      + box("gnre", value(0, [0, 18])) + box("----", free) + box("tmpo", value(21, [0, 120]))
      + box("covr", value(14, [0x89, 0x50, 0x4E, 0x47]) + value(13, [0xFF, 0xD8, 0xFF]))
      + box("plID", value(21, [0, 0, 0, 0, 0, 0, 0, 1])) + box("©cmt", value(2, [0, 0x41]))
    let sizes = items.indices.filter { items[$0...].starts(with: Array("data".utf8)) }
    var random = SeededNumbers(seed: 11)
    for round in 0..<3000 {
      var damaged = items
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        switch round % 3 {
        case 0:
          damaged[Int.random(in: damaged.indices, using: &random)] = .random(
            in: 0...255, using: &random)
        case 1: damaged.removeLast(Int.random(in: 0..<damaged.count / 2, using: &random))
        default:
          let place = try #require(sizes.randomElement(using: &random)) - 4
          let size = try #require(
            [0, 1, 7, 8, 15, 0x7FFF_FFFF, 0xFFFF_FFFF].randomElement(using: &random))
          damaged.replaceSubrange(place..<place + 4, with: Wave.le(size, 4).reversed())
        }
      }
      let contents = MP4Items.contents(of: damaged)
      let bytes =
        contents.metadata.pictures.reduce(0) { $0 + $1.data.count }
        + contents.metadata.comments.reduce(0) { $0 + $1.value.utf8.count }
      // The name of a genre is longer than its number, and so are the digits of others.
      #expect(bytes <= damaged.count + 100)
      if round % 100 == 0 {
        try fixture.put("x.m4a", file(damaged))
        #expect(try read("x.m4a").metadata.comments == contents.metadata.comments)
      }
    }
  }
}
