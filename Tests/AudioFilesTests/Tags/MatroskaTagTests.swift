#if FFmpeg
  import AudioFiles
  import AudioModel
  import TestSupport
  import Testing

  @testable import AudioIO

  /// The tags of Matroska, which has levels, languages, editions and attached files, as mkvmerge writes them.
  @Suite("Tags of Matroska")
  struct MatroskaTagTests {
    private let fixture: AudioFixture

    init() throws { fixture = try AudioFixture() }

    private static let declaration = "<?xml version=\"1.0\"?>\n"

    private func simple(_ name: String, _ value: String, _ more: String = "") -> String {
      "<Simple><Name>\(name)</Name><String>\(value)</String>\(more)</Simple>"
    }

    private func tag(_ level: Int, _ simple: [String]) -> String {
      "<Tag><Targets><TargetTypeValue>\(level)</TargetTypeValue></Targets>"
        + simple.joined() + "</Tag>"
    }

    private func chapter(_ start: String, _ titles: [String], _ more: String = "") -> String {
      "<ChapterAtom><ChapterTimeStart>00:00:\(start)</ChapterTimeStart>"
        + titles.map {
          "<ChapterDisplay><ChapterString>\($0)</ChapterString><ChapterLanguage>"
            + "\($0 == titles[0] ? "eng" : "ger")</ChapterLanguage></ChapterDisplay>"
        }.joined() + more + "</ChapterAtom>"
    }

    private func edition(isDefault: Bool, _ chapters: String) -> String {
      "<EditionEntry><EditionFlagDefault>\(isDefault ? 1 : 0)</EditionFlagDefault>\(chapters)"
        + "</EditionEntry>"
    }

    private func make(tags: String, chapters: String, _ options: [String] = []) throws {
      try fixture.makeNoise(frames: 48_000, rate: 48_000)
      try fixture.put("t.xml", Array("\(Self.declaration)<Tags>\(tags)</Tags>".utf8))
      try fixture.put("c.xml", Array("\(Self.declaration)<Chapters>\(chapters)</Chapters>".utf8))
      try fixture.run("ffmpeg", "-v", "error", "-i", "x.wav", "plain.flac")
      let run = try Tool.run(
        "mkvmerge",
        ["-q", "-o", "x.mka", "--global-tags", "t.xml", "--chapters", "c.xml"] + options
          + ["plain.flac"], in: fixture.folder.path)
      try #require(run.status == 0, "\(run.outputText)")
    }

    @Test func everythingIsReadOrNamed() throws {
      try fixture.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1",
        "cover.png")
      try fixture.put("note.txt", Array("note".utf8))
      try make(
        tags: tag(
          50,
          [
            simple("TITLE", "Album"), simple("ARTIST", "Band"), simple("TOTAL_PARTS", "9"),
            simple("DATE_RELEASED", "2020"),
          ])
          + tag(
            30,
            [
              simple("TITLE", "Song"), simple("ARTIST", "Ann"), simple("ARTIST", "Bob"),
              simple("PART_NUMBER", "3"), simple("OWN", "v", simple("SUB", "nested")),
              simple("TITLE", "Lied", "<TagLanguage>ger</TagLanguage>"),
              "<Simple><Name>BLOB</Name><Binary format=\"hex\">0102</Binary></Simple>",
            ]),
        chapters: edition(isDefault: false, chapter("00.1", ["Other"]))
          + edition(
            isDefault: true,
            chapter("00.0", ["One", "Eins"], chapter("00.2", ["Part"])) + chapter("00.5", ["Two"])),
        [
          "--title", "File", "--track-name", "0:Track", "--attachment-description", "front",
          "--attach-file", "cover.png", "--attachment-mime-type", "text/plain", "--attach-file",
          "note.txt",
        ])
      let source = try fixture.read("x.mka").source
      let metadata = source.metadata
      for (name, values) in [
        ("TITLE", ["Song"]), ("TITLE-GER", ["Lied"]), ("ALBUM", ["Album"]),
        ("ARTIST", ["Ann", "Bob"]), ("ALBUMARTIST", ["Band"]), ("TRACKNUMBER", ["3"]),
        ("TRACKTOTAL", ["9"]), ("DATE", ["2020"]), ("OWN", ["v"]), ("OWN/SUB", ["nested"]),
      ] {
        #expect(metadata.values(name) == values, "\(name)")
      }
      #expect(metadata.comments.count == 11)
      #expect(metadata.chapters.map(\.title) == ["One", "Part", "Two"])
      #expect(metadata.chapters.map(\.start) == [0, 9600, 24_000])
      #expect(metadata.pictures.map(\.data) == [try fixture.bytes("cover.png")])
      #expect(metadata.pictures.map(\.description) == ["front"])
      #expect(
        Set(source.notCarried.map(\.text)) == [
          "the attached file note.txt", "tag BLOB", "chapters of other editions",
          "the nesting of chapters",
          "chapter titles in other languages", "the title of the track", "the title of the file",
        ])
    }

    /// Chapters in chapters follow each other, and have the title of a chapter that begins with them.
    @Test func nestedChaptersFollowEachOther() throws {
      let end = "<ChapterTimeEnd>00:00:00.9</ChapterTimeEnd>"
      let deep = chapter("00.0", ["Scene"]) + chapter("00.1", ["Next"])
      try make(
        tags: tag(50, [simple("ARTIST", "Ann")]),
        chapters: edition(
          isDefault: true,
          chapter("00.0", ["Part one"], chapter("00.0", ["Chapter one"], deep) + end)
            + chapter("00.4", ["Part two"], chapter("00.7", ["Late"]) + chapter("00.6", ["Early"])))
      )
      let source = try fixture.read("x.mka").source
      let chapters = source.metadata.chapters
      #expect(
        chapters.map(\.title) == [
          "Part one: Chapter one: Scene", "Next", "Part two", "Early", "Late",
        ])
      #expect(chapters.map(\.start) == [0, 4800, 19_200, 28_800, 33_600])
      #expect(chapters[2].end == 28_800)
      #expect(source.notCarried.map(\.text) == ["the nesting of chapters"])
    }

    /// Chapters that flags hide or disable are hidden, with those in them.
    @Test func hiddenChaptersAreRead() throws {
      let hidden = "<ChapterFlagHidden>1</ChapterFlagHidden>"
      let disabled = "<ChapterFlagEnabled>0</ChapterFlagEnabled>"
      try make(
        tags: tag(50, [simple("ARTIST", "Ann")]),
        chapters: edition(
          isDefault: true,
          chapter("00.0", ["One"], chapter("00.0", ["Secret"], hidden))
            + chapter("00.2", ["Off"], disabled + chapter("00.3", ["Within"]))
            + chapter("00.5", ["Two"])))
      let source = try fixture.read("x.mka").source
      #expect(source.metadata.chapters.filter { !$0.isHidden }.map(\.title) == ["One", "Two"])
      #expect(
        Set(source.metadata.chapters.filter(\.isHidden).map(\.title))
          == ["Secret", "Off", "Within"])
    }

    /// A hidden edition is not listed.
    @Test func hiddenEditionsAreRead() throws {
      try make(
        tags: tag(50, [simple("ARTIST", "Ann")]),
        chapters: "<EditionEntry><EditionFlagHidden>1</EditionFlagHidden>"
          + chapter("00.0", ["One"]) + "</EditionEntry>")
      #expect(try fixture.read("x.mka").source.metadata.chapters.map(\.isHidden) == [true])
    }

    /// Chapters are relative to the first frame of a track that starts late, by the delay that mkvmerge was given. Texts
    /// of tags are too.
    @Test(arguments: ["flac", "opus", "m4a", "ogg", "mp3"])
    func chaptersMoveWithADelayedTrack(kind: String) throws {
      try fixture.makeNoise(frames: 96_000, rate: 48_000)
      try fixture.run(
        "ffmpeg", "-v", "error", "-i", "x.wav", "-strict", "-2", "-metadata", "title=x",
        "plain.\(kind)")
      let chapters = edition(isDefault: true, chapter("00.0", ["One"]) + chapter("01.5", ["Two"]))
      let tags = tag(30, [simple("LYRICS", "[00:01.50]word")])
      try fixture.put("c.xml", Array("\(Self.declaration)<Chapters>\(chapters)</Chapters>".utf8))
      try fixture.put("t.xml", Array("\(Self.declaration)<Tags>\(tags)</Tags>".utf8))
      for (milliseconds, start, text) in [(500, 1.0, "01.00"), (0, 1.5, "01.50")] {
        try fixture.run(
          "mkvmerge", "-q", "-o", "x.mka", "--chapters", "c.xml", "--global-tags", "t.xml",
          "--sync",
          "0:\(milliseconds)", "plain.\(kind)")
        let source = try fixture.read("x.mka").source
        let found = try #require(source.metadata.chapters.last).start / 48_000
        // Lossy codecs may have their encoder delay in front.
        #expect(abs(found - start) < 0.03, "\(found)")
        #expect(source.metadata.chapters.first?.start == 0)
        #expect(milliseconds == 0 ? source.delay == 0 : abs(source.delay - 0.5) < 0.03)
        if kind == "flac" || milliseconds == 0 {
          #expect(source.metadata.values("LYRICS") == ["[00:\(text)]word"])
        }
      }
    }

    /// Recordings of broadcasts begin at any time, so the delay is relative to the first track.
    @Test(arguments: [
      ("x.ts", "mpeg2video", "mp2"), ("x.mpg", "mpeg2video", "mp2"), ("x.mkv", "mpeg4", "flac"),
      ("x.flv", "flv", "mp3"), ("x.wmv", "wmv2", "wmav2"),
    ])
    func delaysInFilms(name: String, video: String, audio: String) throws {
      try fixture.makeNoise(frames: 44_100, rate: 44_100)
      for delay in [0.5, 0] {
        try fixture.run(
          "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=s=64x64:r=25:d=1",
          "-itsoffset", "\(delay)", "-i", "x.wav", "-map", "0", "-map", "1", "-c:v", video, "-c:a",
          audio, name)
        let found = try fixture.read(name).source.delay
        // Windows Media has 2,048 frames of encoder delay.
        #expect(abs(found - delay) < 0.07 && (delay > 0 || found == 0), "\(found), not \(delay)")
      }
    }

    /// A cut with ffmpeg begins near 0.
    @Test func cutsHaveNoDelay() throws {
      try fixture.makeNoise(frames: 96_000, rate: 48_000)
      for options in ["-c:a aac c.mka", "-c:a libopus c.webm"] {
        let words = options.split(separator: " ").map(String.init)
        try fixture.run("ffmpeg", "-v", "error", "-i", "x.wav", words[0], words[1], words[2])
        try fixture.run(
          "ffmpeg", "-v", "error", "-ss", "0.7", "-i", words[2], "-c", "copy", "cut-\(words[2])")
        #expect(try fixture.read("cut-\(words[2])").source.delay == 0)
      }
    }

    /// The language of a tag is kept, but one that is not determined is none.
    @Test func languagesAreRead() throws {
      try make(
        tags: tag(
          30,
          [
            simple("COMMENT", "Wort", "<TagLanguage>ger</TagLanguage>"), simple("ARTIST", "Ann"),
            simple("COMMENT", "word", "<TagLanguage>und</TagLanguage>"),
          ]), chapters: edition(isDefault: true, chapter("00.0", ["One"])))
      let comments = try fixture.read("x.mka").source.metadata.comments
      #expect(Set(comments.map(\.name)) == ["COMMENT", "ARTIST"])
      #expect(comments.filter { $0.name == "COMMENT" }.map(\.language) == ["ger", nil])
    }

    /// A title of the file or the track is the title where no tag has one.
    @Test(arguments: [["--title", "Name"], ["--track-name", "0:Name"]])
    func titlesOfTheFileAreRead(options: [String]) throws {
      try make(
        tags: tag(50, [simple("ARTIST", "Ann"), simple("ARTIST", "Ann")]),
        chapters: edition(isDefault: true, chapter("00.0", ["One"])), options)
      let source = try fixture.read("x.mka").source
      #expect(source.metadata.values("TITLE") == ["Name"])
      #expect(source.metadata.values("ARTIST") == ["Ann"])
      #expect(source.notCarried.map(\.text) == [])
    }

    /// The tags of the track that is read, not those of another.
    @Test(arguments: [1, 2])
    func tagsOfTheTrackAreRead(track: Int) throws {
      try fixture.makeNoise(frames: 48_000, rate: 48_000)
      try fixture.run("ffmpeg", "-v", "error", "-i", "x.wav", "plain.flac")
      for title in ["First", "Second"] {
        let tags = tag(30, [simple("OWN", title)])
        try fixture.put("\(title).xml", Array("\(Self.declaration)<Tags>\(tags)</Tags>".utf8))
      }
      try fixture.run(
        "mkvmerge", "-q", "-o", "x.mka", "--tags", "0:First.xml", "plain.flac", "--tags",
        "0:Second.xml", "plain.flac")
      let input = try InputFile(path: fixture.path("x.mka"))
      let reader = try AudioFile.reader(for: input, salvaging: false, track: track)
      #expect(reader.source.metadata.values("OWN") == [track == 1 ? "First" : "Second"])
      #expect(reader.source.notCarried.map(\.text) == ["tags of other tracks"])
    }
  }
#endif
