#if FFmpeg
  @testable import AudioIO
  @testable import LibAVFiles
  import AudioFiles
  import AudioModel
  import Foundation
  import TestSupport
  import Testing

  /// Layouts, tags, chapters, pictures and tracks.
  @Suite("Metadata from FFmpeg")
  struct LibAVContentTests {
    /// Short frames of MPEG audio follow each other within one packet of a program stream, as in a bare stream.
    @Test(arguments: [("mpeg", "libmp3lame", "16k"), ("mpeg", "mp2", "32k"), ("vob", "mp2", "32k")])
    func programStreamsAreNotMPEGAudio(form: String, codec: String, bitRate: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 60_000, channels: 1, rate: 22050)
      try fixture.run(
        "ffmpeg", "-v", "error", "-i", "x.wav", "-c:a", codec, "-b:a", bitRate, "-f", form, "x.mpg")
      let read = try fixture.read("x.mpg", as: Float.self)
      #expect(read.source.format.id == "mpg")
      #expect(read.samples == Raw.float(try fixture.decode("x.mpg", as: "f32le")))
    }

    /// libavformat gives TAK only the score of a matching name; nothing here encodes it.
    @Test func takIsRecognizedByItsSignature() throws {
      let fixture = try AudioFixture()
      try fixture.put("x.tak", Array("tBaK".utf8) + [UInt8](repeating: 0, count: 2000))
      #expect(try LibAVProbe(InputFile(path: fixture.path("x.tak")))?.names == ["tak"])
      try fixture.put("y.tak", Array("tBak".utf8) + [UInt8](repeating: 0, count: 2000))
      #expect(try LibAVProbe(InputFile(path: fixture.path("y.tak"))) == nil)
    }

    // MARK: Layouts

    @Test(arguments: [
      ("mono", "m4a", "aac"), ("stereo", "m4a", "aac"), ("3.0", "m4a", "aac"),
      ("4.0", "m4a", "aac"),
      ("5.0", "m4a", "aac"), ("5.1", "m4a", "aac"), ("7.1(wide)", "m4a", "aac"),
      ("5.1", "m4a", "alac"),
      ("7.1(wide)", "m4a", "alac"), ("5.1", "mov", "pcm_s16le"), ("7.1", "mov", "pcm_s16le"),
      ("quad", "mov", "pcm_s16le"), ("5.1(side)", "ac3", "ac3"), ("5.1(side)", "mka", "ac3"),
      ("quad", "wv", "wavpack"), ("5.1", "wv", "wavpack"), ("7.1", "wv", "wavpack"),
      ("5.1", "mka", "flac"), ("5.1(side)", "mka", "flac"), ("7.1", "mka", "libopus"),
      ("6.1", "mka", "libvorbis"), ("5.1(side)", "eac3", "eac3"),
    ])
    func layoutsAgreeWithFFprobe(layout: String, kind: String, codec: String) throws {
      let fixture = try AudioFixture()
      let channels = Self.count(layout)
      try fixture.makeNoise(frames: 6000, channels: channels, rate: 48000)
      let name = "x.\(kind)"
      let made = try Tool.run(
        "ffmpeg",
        [
          "-v", "error", "-channel_layout", layout, "-i", "x.wav", "-c:a", codec, "-channel_layout",
          layout, name,
        ], in: fixture.folder.path)
      try #require(made.status == 0, "\(made.errorText)")
      let read = try fixture.read(name, as: Float.self)
      let reported = try fixture.probe(name, "channel_layout")
      let expected = reported == "unknown" ? "\(channels) channels" : reported
      #expect(read.source.spec.layout.description == expected)
      if !["m4a"].contains(kind) {
        #expect(read.samples == Raw.float(try fixture.decode(name, as: "f32le")))
      }
    }

    private static func count(_ layout: String) -> Int {
      switch layout {
      case "mono": 1
      case "stereo": 2
      case "3.0": 3
      case "4.0", "quad": 4
      case "5.0": 5
      case "5.1", "5.1(side)": 6
      case "6.1": 7
      default: 8
      }
    }

    // MARK: Tags

    @Test(arguments: [("x.m4a", "aac"), ("x.mka", "libopus"), ("x.wma", "wmav2"), ("x.mp4", "aac")])
    func tagsAndChaptersAreRead(name: String, codec: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 44_100)
      let text = """
        ;FFMETADATA1
        title=Grüße 🎧
        artist=Somebody
        album=Something
        album_artist=Everybody
        track=3/12
        date=2001
        comment=A remark
        [CHAPTER]
        TIMEBASE=1/1000
        START=0
        END=333
        title=One
        [CHAPTER]
        TIMEBASE=1/1000
        START=333
        END=1000
        title=Two and a half

        """
      try fixture.put("tags.txt", Array(text.utf8))
      try fixture.run(
        "ffmpeg", "-v", "error", "-i", "x.wav", "-i", "tags.txt", "-map_metadata", "1",
        "-map_chapters", "1", "-c:a", codec, name)
      let source = try fixture.read(name, as: Int16.self).source
      let metadata = source.metadata
      #expect(metadata.values("TITLE") == ["Grüße 🎧"])
      #expect(metadata.values("ARTIST") == ["Somebody"])
      #expect(metadata.values("ALBUM") == ["Something"])
      #expect(metadata.values("ALBUMARTIST") == ["Everybody"])
      #expect(metadata.values("TRACKNUMBER") == ["3"])
      #expect(metadata.values("TRACKTOTAL") == ["12"])
      #expect(metadata.values("DATE") == ["2001"])
      #expect(metadata.values("COMMENT") == ["A remark"])
      #expect(metadata.chapters.map(\.title) == ["One", "Two and a half"])
      let starts = try chapterStarts(fixture, name)
      #expect(starts.count == 2)
      for (chapter, start) in zip(metadata.chapters, starts) {
        #expect(abs(chapter.start - start * Double(source.spec.sampleRate)) < 1)
      }
    }

    private func chapterStarts(_ fixture: AudioFixture, _ name: String) throws -> [Double] {
      try fixture.run(
        "ffprobe", "-v", "error", "-show_entries", "chapter=start_time", "-of",
        "csv=p=0", name
      ).outputText.split(separator: "\n").compactMap { Double($0.prefix { $0 != "," }) }
    }

    @Test func manyChaptersAreRead() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 400_000, channels: 1, rate: 22050)
      var text = ";FFMETADATA1\n"
      for index in 0..<40 {
        text += "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(index * 411)\nEND=\((index + 1) * 411)\n"
        text += "title=Chapter \(index + 1)\n"
      }
      try fixture.put("tags.txt", Array(text.utf8))
      try fixture.run(
        "ffmpeg", "-v", "error", "-i", "x.wav", "-i", "tags.txt", "-map_chapters", "1", "-c:a",
        "aac", "-f", "ipod", "x.m4b")
      let source = try fixture.read("x.m4b", as: Int16.self).source
      #expect(source.format.id == "m4b")
      #expect(source.metadata.chapters.count == 40)
      let starts = try chapterStarts(fixture, "x.m4b")
      for (chapter, start) in zip(source.metadata.chapters, starts) {
        #expect(abs(chapter.start - start * 22050) < 1)
      }
      #expect(source.metadata.chapters.last?.title == "Chapter 40")
    }

    @Test(arguments: ["x.m4a", "x.mka"])
    func coversAreRead(name: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 10_000)
      try fixture.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1",
        "cover.png")
      try fixture.encode("plain.m4a", "-c:a aac")
      if name == "x.m4a" {
        try fixture.run(
          "python3", "-c",
          """
          from mutagen.mp4 import MP4, MP4Cover
          file = MP4('plain.m4a')
          file['covr'] = [MP4Cover(open('cover.png', 'rb').read(), MP4Cover.FORMAT_PNG)]
          file.save()
          """)
        try fixture.run("cp", "plain.m4a", "x.m4a")
      } else {
        try fixture.run("mkvmerge", "-q", "-o", "x.mka", "plain.m4a", "--attach-file", "cover.png")
      }
      let picture = try #require(
        try fixture.read(name, as: Int16.self).source.metadata.pictures.first)
      #expect(picture.data == (try fixture.bytes("cover.png")))
      #expect(picture.mimeType == "image/png")
      #expect(picture.type == 3)
    }

    // MARK: Tracks

    @Test func tracksAreChosen() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 20_000)
      try fixture.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:d=0.5", "-i", "x.wav", "-f",
        "lavfi", "-i", "sine=d=0.25:r=48000", "-map", "0", "-map", "1", "-map", "2", "-c:v",
        "mpeg4",
        "-c:a", "pcm_s16le", "x.mov")
      let first = try fixture.read("x.mov", as: Int16.self)
      #expect(first.samples == Signal.noise(frames: 20_000, channels: 2))
      #expect(
        first.source.warnings.map(\.text) == [
          "it has 2 audio tracks; track 1 is converted, and others can be selected by number"
        ])
      #expect(try fixture.read("x.mov", as: Int16.self, track: 1).source.warnings.isEmpty)
      let second = try fixture.read("x.mov", as: Int16.self, track: 2)
      #expect(second.source.spec == AudioSpec(sampleRate: 48000, layout: .mono))
      #expect(second.source.frameCount == 12_000)
      let error = #expect(throws: AudioFileError.self) {
        try fixture.read("x.mov", as: Int16.self, track: 3)
      }
      #expect(error?.cause.contains("only 2") == true)
    }

    @Test func otherFilesHaveOneTrack() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 100)
      #expect(try fixture.read("x.wav", as: Int16.self, track: 1).source.frameCount == 100)
      #expect(throws: AudioFileError.self) { try fixture.read("x.wav", as: Int16.self, track: 2) }
    }

    @Test func videosWithoutSoundAndPicturesAreRefused() throws {
      let fixture = try AudioFixture()
      for name in ["x.mp4", "x.mkv", "x.avi", "x.mov"] {
        try fixture.run(
          "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:d=0.2", "-c:v", "mpeg4",
          name)
        let error = #expect(throws: AudioFileError.self) { try fixture.read(name, as: Int16.self) }
        #expect(error?.cause.contains("no audio track") == true, "\(name)")
      }
      for name in ["x.png", "x.jpg", "x.gif", "x.bmp"] {
        try fixture.run(
          "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1", name)
        #expect(try fixture.sniff(name) == nil, "\(name)")
      }
    }

    // MARK: Kinds

    @Test(arguments: [
      ("x.m4a", "-c:a aac", "x.m4a", "m4a"), ("x.m4a", "-c:a aac", "x.m4r", "m4r"),
      ("x.m4a", "-c:a aac", "x.m4b", "m4b"), ("x.m4a", "-c:a aac", "x.flac", "m4a"),
      ("x.mp4", "-c:a aac", "voice.m4a", "m4a"), ("x.mp4", "-c:a aac", "x.txt", "mp4"),
      ("x.mov", "-c:a aac", "x.m4a", "mov"), ("x.3gp", "-c:a aac", "x.mp3", "3gp"),
      ("x.webm", "-c:a libopus", "x.mp3", "webm"), ("x.mkv", "-c:a aac", "x", "mka"),
      ("x.wma", "-c:a wmav2", "x.mp3", "wma"), ("x.eac3", "-c:a eac3", "x.wav", "eac3"),
      ("x.flv", "-c:a aac", "x.wav", "flv"), ("x.ts", "-c:a aac", "x.ts", "ts"),
      ("x.aac", "-c:a aac", "x.mp3", "aac"),
      ("x.spx", "-ac 1 -ar 16000 -c:a libspeex", "x.ogg", "av"),
    ])
    func contentDecidesTheFormat(made: String, options: String, name: String, id: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 20_000)
      try fixture.encode(made, options)
      if made != name { try fixture.run("mv", made, name) }
      #expect(try fixture.sniff(name)?.id == id)
    }

    /// QuickTime of old begins with its index or its data.
    @Test func quickTimeWithoutAFileTypeIsRecognized() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 5000)
      try fixture.encode("new.mov", "-c:a pcm_s16be -movflags +faststart")
      let bytes = try fixture.bytes("new.mov")
      // The file type box becomes free space of the same size.
      try fixture.put("x.mov", Array(bytes[0..<4]) + Array("free".utf8) + bytes[8...])
      #expect(try fixture.sniff("x.mov")?.id == "mov")
      #expect(
        try fixture.read("x.mov", as: Int16.self).samples == Signal.noise(frames: 5000, channels: 2)
      )
    }
  }
#endif
