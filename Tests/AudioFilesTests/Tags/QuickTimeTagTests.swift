#if FFmpeg
  import AudioIO
  import Foundation
  import TestSupport
  import Testing

  @testable import AudioModel

  /// Tags that phones write beside iTunes' items: QuickTime's keys, user data, 3GPP's assets.
  @Suite("Tags of QuickTime and 3GPP")
  struct QuickTimeTagTests {
    private let recording = [
      ("com.apple.quicktime.location.ISO6709", "+48.8577+002.2950+035.000/"),
      ("com.apple.quicktime.make", "Apple"), ("com.apple.quicktime.model", "iPhone 12"),
      ("com.apple.quicktime.software", "17.1"),
      ("com.apple.quicktime.creationdate", "2023-10-01T12:00:00+0200"),
      ("com.apple.quicktime.live-photo.auto", "1"), ("com.android.version", "14"),
    ]

    @Test(arguments: ["x.mov", "x.mp4"])
    func keysAreRead(name: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 20_000)
      try fixture.encode(
        name,
        ["-c:a", "aac", "-movflags", "use_metadata_tags"]
          + recording.flatMap { ["-metadata", "\($0)=\($1)"] })
      let source = try fixture.read(name, as: Int16.self).source
      let metadata = source.metadata
      #expect(metadata.values("LOCATION") == ["+48.8577+002.2950+035.000/"])
      #expect(metadata.values("MAKE") == ["Apple"])
      #expect(metadata.values("MODEL") == ["iPhone 12"])
      #expect(metadata.values("SOFTWARE") == ["17.1"])
      #expect(metadata.values("DATE") == ["2023-10-01T12:00:00+0200"])
      #expect(metadata.values("com.apple.quicktime.live-photo.auto") == ["1"])
      #expect(metadata.values("com.android.version") == ["14"])
      #expect(metadata.comments.count == recording.count)
      #expect(source.notCarried.isEmpty)
    }

    /// Lists of chapters that contradict each other, and tracks of chapters that are not read, are named. ffmpeg writes
    /// Nero's list and a text track.
    @Test(
      arguments: [
        ("", "", [], 3), ("chpl", "free", [], 3),
        ("Beta", "Bxta", ["lists of chapters that contradict each other"], 3),
        ("tref....chap", "xref", ["a text track that no track refers to"], 3),
        ("tref....chap|chpl", "xref|free", ["a text track that no track refers to"], 0),
      ] as [(String, String, [String], Int)])
    func chapterListsAreCompared(
      place: String, change: String, lost: [String], count: Int
    ) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 48_000, rate: 48_000)
      var notes = ";FFMETADATA1\n"
      for (number, title) in ["Alpha", "Beta", "Gamma"].enumerated() {
        notes += "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(300 * number)\nEND=\(300 * number + 300)\n"
        notes += "title=\(title)\n"
      }
      try fixture.put("notes.txt", Array(notes.utf8))
      try fixture.run(
        "ffmpeg", "-v", "error", "-i", "x.wav", "-i", "notes.txt", "-map", "0:a", "-map_chapters",
        "1", "-c:a", "aac", "-f", "ipod", "x.m4b")
      // The movie follows the media with the text track's samples, so the last place is in the user data.
      let edit = """
        import re, sys
        data = open('x.m4b', 'rb').read()
        for place, change in zip(sys.argv[1].encode().split(b'|'), sys.argv[2].encode().split(b'|')):
            if not place: continue
            at = list(re.finditer(place, data, re.S))[-1].start()
            data = data[:at] + change + data[at + len(change):]
        open('x.m4b', 'wb').write(data)
        """
      try fixture.run("python3", "-c", edit, place, change)
      let source = try fixture.read("x.m4b", as: Int16.self).source
      #expect(source.notCarried.filter { $0.kind == .chapter }.map(\.text) == lost)
      #expect(source.metadata.chapters.count == count)
    }

    /// 3GPP's languages, and the parts of a rating, a classification and a place that are no text.
    @Test func partsOfAssetsAreReadOrNamed() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 20_000)
      try fixture.encode("x.3gp", ["-c:a", "aac"])
      try fixture.run(
        "AtomicParsley", "x.3gp", "--overWrite", "--3gp-title", "Titel", "lang=deu", "--3gp-title",
        "Titre", "lang=fra", "--3gp-genre", "genre", "--3gp-rating", "rated", "entity=MPAA",
        "criteria=PG13", "lang=deu", "--3gp-classification", "class", "entity=ENTI", "index=12",
        "--3gp-location", "Berlin", "longitude=13.5", "latitude=52.5", "role=real location")
      let source = try fixture.read("x.3gp", as: Int16.self).source
      func languages(_ name: String) -> [String: String?] {
        let comments = source.metadata.comments.filter { $0.name == name }
        return Dictionary(uniqueKeysWithValues: comments.map { ($0.value, $0.language) })
      }
      #expect(languages("TITLE") == ["Titel": "deu", "Titre": "fra"])
      #expect(languages("GENRE") == ["genre": "eng"])
      #expect(languages("CONTENTRATING") == ["rated": "deu"])
      #expect(languages("CLASSIFICATION") == ["class": "eng"])
      #expect(
        Set(source.notCarried.map(\.text)) == [
          "the entity and the criteria of tag CONTENTRATING",
          "the entity and the table of tag CLASSIFICATION", "the role of the location",
        ])
    }

    @Test func assetsAreRead() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 20_000)
      let given = [
        ("title", "Grüße"), ("artist", "A"), ("author", "B"), ("album", "C"), ("date", "2020"),
        ("genre", "D"), ("copyright", "E"), ("comment", "F"), ("location", "+12.5-013.25/"),
      ]
      try fixture.encode(
        "x.3gp", ["-c:a", "aac"] + given.flatMap { ["-metadata", "\($0)=\($1)"] })
      let metadata = try fixture.read("x.3gp", as: Int16.self).source.metadata
      for (name, value) in [
        ("TITLE", "Grüße"), ("ARTIST", "A"), ("AUTHOR", "B"), ("ALBUM", "C"), ("DATE", "2020"),
        ("GENRE", "D"), ("COPYRIGHT", "E"), ("DESCRIPTION", "F"),
        ("LOCATION", "+12.5000-013.2500/"),
      ] {
        #expect(metadata.values(name) == [value], "\(name)")
      }
      #expect(metadata.comments.count == given.count)
    }

    private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      Wave.le(content.count + 8, 4).reversed() + type.unicodeScalars.map { UInt8($0.value) }
        + content
    }

    /// Adds boxes to the movie, which must be the last box of the file.
    private func put(_ boxes: [UInt8], into fixture: AudioFixture, _ name: String) throws {
      var bytes = try fixture.bytes("plain.mp4")
      let place = try #require(
        bytes.indices.dropLast(4).last { bytes[$0..<$0 + 4].elementsEqual("moov".utf8) })
      let size = Wave.le(bytes.count - place + 4 + boxes.count, 4)
      bytes.replaceSubrange(place - 4..<place, with: size.reversed())
      try fixture.put(name, bytes + boxes)
    }

    /// Numbers, UTF-16 and pictures in keys; a kind that cannot be carried is named.
    @Test func kindsOfValuesAreKept() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 20_000)
      try fixture.encode("plain.mp4", "-c:a aac -fflags +bitexact -map_metadata -1")
      try fixture.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1", "x.png")
      let picture = try fixture.bytes("x.png")
      let values: [(String, Int, [UInt8])] = [
        ("com.android.capture.fps", 23, [0x41, 0xF0, 0, 0]),
        ("com.apple.quicktime.camera.identifier", 21, [0xFF, 0xFE]), ("x.count", 77, [0, 0, 1, 0]),
        ("com.apple.quicktime.title", 2, [0, 0x48, 0, 0xE9]),
        ("com.apple.quicktime.artwork", 14, picture), ("x.matrix", 79, [1, 2, 3]),
      ]
      var keys: [UInt8] = [0, 0, 0, 0, 0, 0, 0, UInt8(values.count)]
      var items: [UInt8] = []
      for (index, value) in values.enumerated() {
        keys += box("mdta", Array(value.0.utf8))
        let kind: [UInt8] = [0, 0, 0, UInt8(value.1), 0, 0, 0, 0]
        items += box(
          "\0\0\0" + String(UnicodeScalar(UInt8(index + 1))), box("data", kind + value.2))
      }
      let handler = box(
        "hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("mdta".utf8) + Array(repeating: 0, count: 13))
      try put(
        box("meta", handler + box("keys", keys) + box("ilst", items)), into: fixture, "x.mp4")
      let source = try fixture.read("x.mp4", as: Int16.self).source
      #expect(source.metadata.values("com.android.capture.fps") == ["30.0"])
      #expect(source.metadata.values("com.apple.quicktime.camera.identifier") == ["-2"])
      #expect(source.metadata.values("x.count") == ["256"])
      #expect(source.metadata.values("TITLE") == ["Hé"])
      #expect(source.metadata.pictures.map(\.data) == [picture])
      #expect(source.notCarried.map(\.text) == ["tag x.matrix"])
    }

    /// A place beside iTunes' items, in both forms; Mac OS Roman; user data that is not text is named.
    @Test func userDataCompletesItems() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 20_000)
      try fixture.encode("plain.mp4", "-c:a aac -fflags +bitexact -map_metadata -1")
      func text(_ bytes: [UInt8], _ language: Int) -> [UInt8] {
        [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)]
          + [UInt8(language >> 8), UInt8(language & 255)] + bytes
      }
      let place: [UInt8] =
        [0, 0, 0, 0, 0x55, 0xC4] + Array("Paris\0".utf8) + [0, 0, 2, 0x4B, 0x85, 0, 48, 0xDB, 0x92]
        + [0, 35, 0x80, 0] + Array("earth\0tower\0".utf8)
      let handler = box(
        "hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("mdirappl".utf8) + Array(repeating: 0, count: 9))
      let title = box("\u{A9}nam", box("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array("Title".utf8)))
      try put(
        box(
          "udta",
          box("meta", [0, 0, 0, 0] + handler + box("ilst", title))
            + box("\u{A9}nam", text(Array("Other".utf8), 0x55C4))
            + box("\u{A9}mak", text([0x47, 0x9A], 0) + text(Array("Oe".utf8), 0x15C7))
            // Japanese and Russian, as Python encodes them.
            + box("\u{A9}mod", text([0x8F, 0xE3, 0x82, 0xF0], 11))
            + box("\u{A9}wrt", text([0x8F, 0xE5, 0xF1, 0xED, 0xDF], 32))
            + box("loci", place) + box("smrd", [1, 2, 3])),
        into: fixture, "x.mp4")
      let source = try fixture.read("x.mp4", as: Int16.self).source
      let metadata = source.metadata
      #expect(metadata.values("TITLE") == ["Title"])
      #expect(metadata.values("MAKE") == ["Gö", "Oe"])
      #expect(metadata.values("MODEL") == ["上を"])
      #expect(metadata.values("COMPOSER") == ["Песня"])
      #expect(metadata.values("LOCATION") == ["+48.8577+002.2950+035.500/"])
      #expect(metadata.values("LOCATIONNAME") == ["Paris"])
      #expect(metadata.values("LOCATIONNOTES") == ["tower"])
      #expect(source.notCarried.map(\.text) == ["TITLE of the user data", "user data smrd"])
    }
  }
#endif
