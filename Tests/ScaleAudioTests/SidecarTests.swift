import ScaleAudio
import TestSupport
import Testing

@Suite("Sidecars")
struct SidecarTests {
  private let bench: Workbench

  init() throws { bench = try Workbench(["in.wav": Sound.wav]) }

  private func put(_ name: String, _ text: String) throws {
    try bench.folder.write(name, Array(text.utf8))
  }

  /// Makes a file twice as long, with its sidecars; returns their names, and the warnings.
  @discardableResult
  private func scale(
    _ input: String = "in.wav", to output: String? = nil, existing: ExistingOutput = .refuse
  ) throws -> (names: [String], warnings: String) {
    let files = FilePolicy(existing: existing, scalesSidecars: true)
    let report = try bench.convert(input, to: output, .by(2), files: files)
    return (report.sidecars.map(bench.name), report.warningText)
  }

  @Test func everyKindBesideOneFile() throws {
    try put("in.lrc", "[ar:x]\r\n[00:00.10]one\r\n[00:00.45]two\r\n")
    try put("in.cue", "FILE \"in.wav\" WAVE\r\n  TRACK 01 AUDIO\r\n    INDEX 01 00:00:10\r\n")
    try put("in.srt", "1\n00:00:00,100 --> 00:00:00,900\nHello\n")
    try put("in.vtt", "WEBVTT\n\n00:00.100 --> 00:00.200 line:0\nHello\n")
    try put("in.txt", "0.100000\t0.200000\tlabel\n\\\t1.0\t2.0\n")
    let made = try scale().names
    #expect(try bench.text("in-x2.lrc") == "[ar:x]\r\n[00:00.20]one\r\n[00:00.90]two\r\n")
    #expect(
      try bench.text("in-x2.cue")
        == "FILE \"in-x2.wav\" WAVE\r\n  TRACK 01 AUDIO\r\n    INDEX 01 00:00:20\r\n")
    // The output is one second long.
    #expect(try bench.text("in-x2.srt") == "1\n00:00:00,200 --> 00:00:01,000\nHello\n")
    #expect(try bench.text("in-x2.vtt") == "WEBVTT\n\n00:00.200 --> 00:00.400 line:0\nHello\n")
    #expect(try bench.text("in-x2.txt") == "0.200000\t0.400000\tlabel\n\\\t1.0\t2.0\n")
    #expect(made == ["lrc", "cue", "srt", "vtt", "txt"].map { "in-x2.\($0)" })
    // Other programs read what was made.
    #expect(try bench.entries("packet=pts_time", of: "in-x2.srt").hasPrefix("0.200000"))
  }

  @Test func subtitlesWithEffects() throws {
    let text = """
      [Script Info]\r
      ScriptType: v4.00+\r
      [Events]\r
      Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\r
      Dialogue: 0,0:00:00.10,0:00:00.30,Default,,0,0,0,,{\\k5}a{\\kf15}b, {\\fad(50,20)}c\r
      Comment: 0,0:00:00.40,0:00:00.50,Default,,0,0,0,,x\r

      """
    try put("in.ass", text)
    try put("in.ssa", "[Events]\nDialogue: Marked=0,0:00:00.10,0:00:00.20,D,,0,0,0,,hi\n")
    #expect(try scale().names == ["in-x2.ass", "in-x2.ssa"])
    let wanted = text.replacing("0:00:00.10,0:00:00.30", with: "0:00:00.20,0:00:00.60")
      .replacing("0:00:00.40,0:00:00.50", with: "0:00:00.80,0:00:01.00")
      .replacing("\\k5", with: "\\k10").replacing("\\kf15", with: "\\kf30")
      .replacing("50,20", with: "100,40")
    #expect(try bench.text("in-x2.ass") == wanted)
    #expect(
      try bench.text("in-x2.ssa")
        == "[Events]\nDialogue: Marked=0,0:00:00.20,0:00:00.40,D,,0,0,0,,hi\n")
    #expect(try bench.entries("packet=pts_time", of: "in-x2.ass").hasPrefix("0.200000"))
  }

  /// Praat's two forms, with a quotation mark, a point and a number within a text.
  @Test(arguments: [true, false])
  func annotationsOfPraat(isLong: Bool) throws {
    func text(_ scale: Double) -> String {
      func number(_ value: Double) -> String {
        let scaled = value * scale
        return Int(exactly: scaled).map(String.init) ?? "\(scaled)"
      }
      let head = "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n"
      if !isLong {
        return head
          + "0\n\(number(0.5))\n<exists>\n2\n\"IntervalTier\"\n\"w\"\n0\n\(number(0.5))\n2\n"
          + "0\n\(number(0.125))\n\"a \"\"3 b\"\n\(number(0.125))\n\(number(0.5))\n\"\"\n"
          + "\"TextTier\"\n\"p\"\n0\n\(number(0.5))\n1\n\(number(0.25))\n\"x\"\n"
      }
      return head + """
        xmin = 0\u{20}
        xmax = \(number(0.5))\u{20}
        tiers? <exists>\u{20}
        size = 2\u{20}
        item []:\u{20}
            item [1]:
                class = "IntervalTier"\u{20}
                name = "w"\u{20}
                xmin = 0\u{20}
                xmax = \(number(0.5))\u{20}
                intervals: size = 2\u{20}
                intervals [1]:
                    xmin = 0\u{20}
                    xmax = \(number(0.125))\u{20}
                    text = "a ""3 b"\u{20}
                intervals [2]:
                    xmin = \(number(0.125))\u{20}
                    xmax = \(number(0.5))\u{20}
                    text = ""\u{20}
            item [2]:
                class = "TextTier"\u{20}
                name = "p"\u{20}
                xmin = 0\u{20}
                xmax = \(number(0.5))\u{20}
                points: size = 1\u{20}
                points [1]:
                    number = \(number(0.25))\u{20}
                    mark = "x"\u{20}

        """
    }
    try put("in.TextGrid", text(1))
    #expect(try scale().names == ["in-x2.TextGrid"])
    #expect(try bench.text("in-x2.TextGrid") == text(2))
  }

  @Test func listsOfChapters() throws {
    try put(
      "in.chapters.json",
      #"{"version": "1.2.0", "chapters": [{"startTime": 0, "title": "startTime: 1"}, {"startTime": 0.125, "endTime": 0.25}]}"#
    )
    try put(
      "in.chapters.txt",
      "CHAPTER01=00:00:00.000\nCHAPTER01NAME=One\nCHAPTER02=00:00:00.100\nCHAPTER02NAME=2\n")
    try put("in.txt", "My show\n0:00 Intro\n0:01 End 0:05\n")
    try put("in.sbv", "0:00:00.100,0:00:00.200\nx\n")
    let made = try scale()
    #expect(
      try bench.text("in-x2.chapters.json")
        == #"{"version": "1.2.0", "chapters": [{"startTime": 0, "title": "startTime: 1"}, {"startTime": 0.25, "endTime": 0.5}]}"#
    )
    #expect(
      try bench.text("in-x2.chapters.txt")
        == "CHAPTER01=00:00:00.000\nCHAPTER01NAME=One\nCHAPTER02=00:00:00.200\nCHAPTER02NAME=2\n")
    // The output is one second long.
    #expect(try bench.text("in-x2.txt") == "My show\n0:00 Intro\n0:01 End 0:05\n")
    #expect(made.names == ["in-x2.chapters.json", "in-x2.chapters.txt", "in-x2.txt"])
    #expect(made.warnings.contains("in.sbv: its times cannot be scaled in this form"))
  }

  @Test func everyCommonName() throws {
    let text = "1\n00:00:00,100 --> 00:00:00,200\nHello\n"
    for name in [
      "in.en.srt", "in.pt-BR.forced.SRT", "in.wav.srt", "in.live.srt", "in.2.srt", "in.mp3.srt",
    ] {
      try put(name, text)
    }
    // Another file whose name begins in the same way has a sidecar of its own.
    try bench.folder.write("in.live.wav", Sound.wav)
    #expect(
      Set(try scale().names) == ["in-x2.en.srt", "in-x2.pt-BR.forced.SRT", "in-x2.wav.srt"])
    #expect(try scale("in.live.wav").names == ["in.live-x2.srt"])
  }

  @Test func onlyOnRequest() throws {
    try put("in.lrc", "[00:00.10]one\n")
    try bench.convert("in.wav", .by(2))
    #expect(try bench.folder.names() == ["in-x2.wav", "in.lrc", "in.wav"])
  }

  @Test func encodingsPassThrough() throws {
    try bench.folder.write("in.lrc", [0xEF, 0xBB, 0xBF] + Array("[00:00.10]é\r\n".utf8))
    try bench.folder.write(
      "in.srt", Array("1\n00:00:00,100 --> 00:00:00,200\ncaf\u{65}".utf8) + [0xE9, 0x0A])
    let cue = "FILE \"in.wav\" WAVE\n  TRACK 01 AUDIO\n  TITLE \"終\"\n  INDEX 01 00:00:05\n"
    try bench.folder.write(
      "in.cue", [0xFF, 0xFE] + cue.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    try scale()
    #expect(
      try bench.folder.bytes("in-x2.lrc") == [0xEF, 0xBB, 0xBF] + Array("[00:00.20]é\r\n".utf8))
    #expect(
      try bench.folder.bytes("in-x2.srt")
        == Array("1\n00:00:00,200 --> 00:00:00,400\ncafe".utf8) + [0xE9, 0x0A])
    let expected = cue.replacing("in.wav", with: "in-x2.wav").replacing(
      "00:00:05", with: "00:00:10")
    #expect(
      try bench.folder.bytes("in-x2.cue")
        == [0xFF, 0xFE] + expected.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
  }

  /// The bytes are those of Python's codecs.
  @Test(arguments: [
    ("песня.wav", [0xEF, 0xE5, 0xF1, 0xED, 0xFF] as [UInt8]),
    ("песня.wav", [0xD0, 0xC5, 0xD3, 0xCE, 0xD1]),
    ("上を.wav", [0x8F, 0xE3, 0x82, 0xF0]), ("蓝莲花.wav", [0xC0, 0xB6, 0xC1, 0xAB, 0xBB, 0xA8]),
    ("café.wav", [0x63, 0x61, 0x66, 0xE9]), ("café.wav", [0x63, 0x61, 0x66, 0x8E]),
  ])
  func cueSheetsKeepTheirEncoding(name: String, stem: [UInt8]) throws {
    try bench.folder.write(name, Sound.wav)
    let (start, end) = (Array("FILE \"".utf8), Array("\" WAVE\nTRACK 01 AUDIO\nTITLE \"".utf8))
    // EAC names the WAV file, whatever it was compressed to.
    for written in [".wav", ".flac"] {
      let cue =
        start + stem + Array(written.utf8) + end + stem + Array("\"\nINDEX 01 00:00:05\n".utf8)
      try bench.folder.write(name.replacing(".wav", with: ".cue"), cue)
      try scale(name, existing: .replace)
      let made = try bench.folder.bytes(name.replacing(".wav", with: "-x2.cue"))
      #expect(
        made == start + stem + Array("-x2.wav".utf8) + end + stem
          + Array("\"\nINDEX 01 00:00:10\n".utf8))
    }
  }

  @Test func cueSheetsNameTheOutput() throws {
    try put("in.cue", "REM x\nFILE in.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:05\n")
    try scale(to: "my out.aiff")
    #expect(
      try bench.text("my out.cue")
        == "REM x\nFILE \"my out.aiff\" AIFF\nTRACK 01 AUDIO\nINDEX 01 00:00:10\n")
    try put(
      "in.cue",
      "FILE \"other.wav\" WAVE\nINDEX 01 00:00:05\nFILE \"C:\\x\\in.wav\" WAVE\nINDEX 01 00:00:06\n"
    )
    try scale(to: "two.wav")
    #expect(
      try bench.text("two.cue")
        == "FILE \"other.wav\" WAVE\nINDEX 01 00:00:05\nFILE \"two.wav\" WAVE\nINDEX 01 00:00:12\n")
  }

  /// Times in odd forms move as those do that ffmpeg reads.
  @Test func oddTimesAreThoseThatFFmpegReads() throws {
    try bench.run("sox", "-n", "-r", "8000", "-b", "16", "in.wav", "synth", "200", "sine", "300")
    let lines = [
      "00:00:01,000 --> 00:00:02,000", "00:00:75,000 --> 00:00:80,500",
      "00:02:02,5 --> 00:02:03,50",
      "0:2:5,000-->0:2:6,0000", "00: 02: 07, 000 --> 00:02: 08,000", "00:00:130.250 --> 00:2:12.5",
    ]
    let text = lines.enumerated().map { "\($0 + 1)\r\n\($1)\r\nx\r\n\r\n" }.joined()
    try bench.folder.write("in.srt", [0xEF, 0xBB, 0xBF] + Array(text.utf8))
    #expect(try scale().warnings == "")
    func times(_ name: String) throws -> [Double] {
      try bench.entries("packet=pts_time,duration_time", of: name)
        .split { $0 == "\n" || $0 == "," }.compactMap { Double($0) }
    }
    let (before, after) = (try times("in.srt"), try times("in-x2.srt"))
    #expect(before.count == 2 * lines.count)
    #expect(after == before.map { 2 * $0 })
  }

  /// A line that cannot be read keeps its time, and is named.
  @Test func unreadLinesAreNamed() throws {
    try put(
      "in.srt", "1\n00:00:00,100 --> 00:00:00,200\nx\n\n2\n00:00:0O,300 --> 00:00:00,400\ny\n")
    try put("in.txt", "Start\tEnd\n0.1\t0.2\tx\n0.3\t0.4\ty\n")
    try put("in.cue", "FILE in.wav WAVE\nTRACK 01 AUDIO\nINDEX 00 x\nINDEX 01 00:00:05\n")
    try put("in.lrc", "[00:00.10]one\n[00:00,2x]two\n")
    let warnings = try scale().warnings
    let cannot = "cannot be read and are unchanged"
    #expect(warnings.contains("in.srt: the times in line 6 \(cannot)"))
    #expect(warnings.contains("in.txt: the times in line 1 \(cannot)"))
    #expect(warnings.contains("in.cue: the times in line 3 \(cannot)"))
    #expect(warnings.contains("in.lrc: the times in line 2 \(cannot)"))
    #expect(
      try bench.text("in-x2.txt")
        == "Start\tEnd\n0.200000\t0.400000\tx\n0.600000\t0.800000\ty\n")
  }

  /// Labels that Audacity does not read are named, and not copied with their old times.
  @Test func spacedLabelsAreNamed() throws {
    try put("in.txt", "0.1 0.2 x\n0.3 0.4 y\n")
    #expect(
      try scale().warnings.contains(
        "in.txt: the times in lines 1 and 2 are separated by spaces, which Audacity does not read; "
          + "not converted; separate them by tabs"))
    #expect(throws: (any Error).self) { try bench.text("in-x2.txt") }
  }

  /// The captions of a long recording are larger than a megabyte.
  @Test func largeCaptionsAreRead() throws {
    let line = "00:00.100 --> 00:00.200\n" + String(repeating: "words ", count: 200) + "\n\n"
    let text = "WEBVTT\n\n" + String(repeating: line, count: 1100)
    try #require(text.utf8.count > 1 << 20)
    try put("in.vtt", text)
    #expect(try scale().warnings == "")
    #expect(
      try bench.text("in-x2.vtt")
        == text.replacing("00:00.100 --> 00:00.200", with: "00:00.200 --> 00:00.400"))
  }

  @Test func cueSheetsLoseWhatWasMeasured() throws {
    let sheet =
      "REM REPLAYGAIN_ALBUM_GAIN -3 dB\nFILE in.wav WAVE\nTRACK 01 AUDIO\n"
      + "REM REPLAYGAIN_TRACK_GAIN -3 dB\nINDEX 01 00:00:05\n"
    try put("in.cue", sheet)
    let warnings = try scale().warnings
    #expect(
      warnings.contains(
        "in.cue: left out because no longer valid: REPLAYGAIN_ALBUM_GAIN, REPLAYGAIN_TRACK_GAIN"))
    #expect(
      try bench.text("in-x2.cue")
        == "FILE in-x2.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:10\n")
  }

  #if FFmpeg
    /// Captions of a file whose audio starts late move by its delay, as its chapters do.
    @Test(arguments: ["in.mka", "in.m4a"])
    func sidecarsMoveWithDelayedAudio(name: String) throws {
      try bench.run("sox", "-n", "-r", "48000", "-b", "16", "long.wav", "synth", "2", "sine", "300")
      if name == "in.mka" {
        try bench.shell("flac -s long.wav && mkvmerge -q -o in.mka --sync 0:500 long.flac")
      } else {
        try bench.shell(
          "ffmpeg -v error -itsoffset 0.5 -i long.wav -c:a alac -movflags +use_metadata_tags in.m4a"
        )
      }
      try put("in.srt", "1\n00:00:01,000 --> 00:00:01,500\nx\n")
      try put("in.lrc", "[00:00.20]early\n[00:01.00]x\n")
      try scale(name, to: "out.wav")
      #expect(try bench.text("out.srt") == "1\n00:00:01,000 --> 00:00:02,000\nx\n")
      #expect(try bench.text("out.lrc") == "[00:00.00]early\n[00:01.00]x\n")
    }

    /// Parts of recordings may keep their times, an hour after 0; their captions begin with the film.
    @Test(arguments: ["in.mkv", "in.mp4", "in.mka"])
    func sidecarsOfRecordingsThatBeginLate(name: String) throws {
      let picture = name == "in.mka" ? "" : "-f lavfi -i testsrc=s=64x64:r=25:d=2 -c:v mpeg4"
      try bench.shell(
        """
        sox -n -r 48000 -b 16 long.wav synth 2 sine 300
        ffmpeg -v error -i long.wav \(picture) -c:a flac -strict -2 -output_ts_offset 3600 \(name)
        """)
      try put("in.srt", "1\n00:00:01,000 --> 00:00:01,500\nx\n")
      try scale(name, to: "out.wav")
      #expect(try bench.text("out.srt") == "1\n00:00:02,000 --> 00:00:03,000\nx\n")
    }

    /// The sound of films in Ogg, in WTV and in M2TS with MPEG-4 begins late by its first position.
    @Test(arguments: [
      ("in.ogv", "-c:v libtheora -c:a libvorbis"), ("in.ogv", "-c:v libtheora -c:a libopus"),
      ("in.m2ts", "-c:v mpeg4 -c:a aac"), ("in.m2ts", "-c:v mpeg4 -c:a mp2"),
      ("in.wtv", "-c:v mpeg2video -c:a mp2"), ("in.wtv", "-c:v mpeg2video -c:a ac3"),
    ])
    func sidecarsMoveWithDelayedAudioOfOtherFilms(name: String, codecs: String) throws {
      try bench.shell(
        """
        sox -n -r 48000 -b 16 long.wav synth 2 sine 300
        ffmpeg -v error -f lavfi -i testsrc=s=64x64:r=25:d=3 -itsoffset 0.5 -i long.wav \(codecs) \(name)
        """)
      func start(_ kind: String) throws -> Double {
        let text = try bench.run(
          "ffprobe", "-v", "error", "-select_streams", kind, "-show_entries",
          "stream=start_time", "-of", "csv=p=0", name
        ).outputText
        // Side data of the stream may follow.
        let first = text.split { $0.isNewline || $0 == "," }.first
        return try #require(first.flatMap { Double($0) })
      }
      let stated = try start("a") - start("v")
      #expect(abs(stated - 0.5) < 0.03)
      // FFmpeg counts 128 frames of Vorbis' first packet, which makes none.
      let delay = name == "in.ogv" ? 0.5 : stated
      try put("in.srt", "1\n00:00:01,000 --> 00:00:01,500\nx\n")
      try scale(name, to: "out.wav")
      func stamp(_ seconds: Double) -> String {
        let milliseconds = Int((2000 * (seconds - delay)).rounded())
        let rest = String(milliseconds % 1000)
        return "00:00:0\(milliseconds / 1000)," + String(repeating: "0", count: 3 - rest.count)
          + rest
      }
      #expect(try bench.text("out.srt") == "1\n\(stamp(1)) --> \(stamp(1.5))\nx\n")
    }

    /// Sound that is shorter than its delay keeps its place in a film that begins before it.
    @Test(arguments: ["late.mp4", "late.mkv"])
    func sidecarsMoveWithLateSoundThatIsShort(name: String) throws {
      try bench.shell(
        """
        ffmpeg -v error -f lavfi -i testsrc=s=64x64:r=25:d=12 -itsoffset 5 -f lavfi \
          -i sine=r=48000:d=2 -c:v mpeg4 -c:a aac \(name)
        """)
      try put("late.srt", "1\n00:00:05,500 --> 00:00:06,000\nx\n")
      try scale(name, to: "out.wav")
      let text = try bench.text("out.srt")
      let times = text.matches(of: /00:00:0(\d),(\d{3})/).compactMap {
        Double("\($0.output.1).\($0.output.2)")
      }
      // FFmpeg counts the encoder delay of AAC, 21 ms, among the delay or not.
      #expect(times.count == 2 && abs(times[0] - 1) < 0.06 && abs(times[1] - 2) < 0.06, "\(text)")
    }

    /// In films, the timeline begins with the picture. AVI states the start of a track in its header, in frames of PCM.
    @Test(arguments: ["in.nut", "in.avi"])
    func sidecarsMoveWithDelayedAudioOfFilms(name: String) throws {
      let picture = "-f lavfi -i testsrc=s=32x32:r=25:d=3"
      let offset = name == "in.avi" ? "" : "-itsoffset 0.5"
      try bench.shell(
        """
        sox -n -r 48000 -b 16 long.wav synth 2 sine 300
        ffmpeg -v error \(picture) \(offset) -i long.wav -c:v mpeg4 -c:a pcm_s16le \(name)
        """)
      if name == "in.avi" {
        var bytes = try bench.bytes(name)
        let header = try #require(bytes.firstRange(of: Array("auds".utf8))).lowerBound
        bytes.replaceSubrange(header + 28..<header + 32, with: [0xC0, 0x5D, 0, 0])
        try bench.folder.write(name, bytes)
      }
      try put("in.srt", "1\n00:00:01,000 --> 00:00:01,500\nx\n")
      try scale(name, to: "out.wav")
      #expect(try bench.text("out.srt") == "1\n00:00:01,000 --> 00:00:02,000\nx\n")
    }
  #endif

  @Test func existingSidecarsAreKept() throws {
    try put("in.lrc", "[00:00.10]one\n")
    try put("in-x2.lrc", "mine")
    #expect(try scale().warnings.contains("in-x2.lrc exists and is kept"))
    #expect(try bench.text("in-x2.lrc") == "mine")
    try scale(existing: .replace)
    #expect(try bench.text("in-x2.lrc") == "[00:00.20]one\n")
  }

  @Test func aSidecarNeverReplacesItself() throws {
    try put("in.lrc", "[00:00.10]one\n")
    let warnings = try scale(to: "in.flac", existing: .replace).warnings
    #expect(warnings.contains("its output would replace it"))
    #expect(try bench.text("in.lrc") == "[00:00.10]one\n")
    #expect(bench.folder.exists("in.flac"))
  }

  @Test func damagedSidecarsAreWarnings() throws {
    try put("in.lrc", "nothing of the kind\n")
    try bench.folder.write("in.srt", [])
    try bench.folder.write("in.cue", [0xFF, 0xFE, 0x41])
    try put("in.txt", "Notes on the recording.\n")
    let warnings = try scale().warnings
    #expect(warnings.contains("in.lrc: contains no readable times for this audio"))
    #expect(warnings.contains("in.srt: "))
    #expect(warnings.contains("in.cue: "))
    #expect(!warnings.contains("in.txt"))
    #expect(
      try bench.folder.names() == ["in-x2.wav", "in.cue", "in.lrc", "in.srt", "in.txt", "in.wav"])
  }

  @Test func foldersIncludeThem() async throws {
    try bench.folder.write("Music/a/one.wav", Sound.wav)
    try bench.folder.write("Music/a/one.lrc", Array("[00:00.10]one\n".utf8))
    try bench.folder.write("Music/two.flac", Sound.flac)
    try bench.folder.write("Music/two.LRC", Array("[00:00.20]two\n".utf8))
    try bench.folder.write("Music/alone.lrc", Array("[00:00.20]alone\n".utf8))
    let batch = try bench.batch(["Music"], .by(2)) { $0.files.scalesSidecars = true }
    #expect(await Set(bench.results(of: batch).values) == ["done"])
    #expect(try bench.text("Music-x2/a/one.lrc") == "[00:00.20]one\n")
    #expect(try bench.text("Music-x2/two.LRC") == "[00:00.40]two\n")
    #expect(!bench.folder.exists("Music-x2/alone.lrc"))
  }

  @Test func failuresLeaveNothing() throws {
    try put("bad.wav", "RIFF....WAVE")
    try put("bad.lrc", "[00:00.10]one\n")
    #expect(throws: ConversionError.self) { try scale("bad.wav") }
    #expect(try bench.folder.names() == ["bad.lrc", "bad.wav", "in.wav"])
  }
}
