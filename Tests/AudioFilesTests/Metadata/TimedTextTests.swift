import AudioModel
import Testing

@Suite("Times in text formats")
struct TimedTextTests {
  /// Ten minutes of audio become fifteen.
  private let scale = TimeScale(
    factor: 1.5, inputFrames: 4_800_000, outputFrames: 7_200_000, sampleRate: 8000)

  private typealias Change = (TextUnits, TimeScale) -> ScaledText?

  private func scaled(_ text: String, _ change: Change, _ scale: TimeScale? = nil) -> String? {
    change(TextUnits(text.utf16), scale ?? self.scale)
      .map { String(decoding: $0.units, as: UTF16.self) }
  }

  /// The same for a text in UTF-8, of which each code unit is a byte.
  private func scaledBytes(_ text: String, _ change: Change) -> String? {
    change(text.utf8.map { UInt16($0) }, scale)
      .map { String(decoding: $0.units.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self) }
  }

  private func unread(_ text: String, _ change: Change) -> [Int]? {
    change(TextUnits(text.utf16), scale)?.unreadLines
  }

  @Test func lyrics() {
    let text = """
      [ti:A song]\r
      [offset:+250]\r
      [length: 10:00]\r
      \r
      [00:10.00][01:00.50]Line é\r
      [00:20.01]<00:20.01>word <00:21.50>by [00:22.33]word\r
      [99:99.00]beyond too\r
      [10:00.00]end\r
      [59:59.99]beyond\r
      [1:02]no fraction\r
      [00:03:50]old form\r
      [01:00:00.00]an hour

      """
    #expect(
      scaled(text, LyricsText.scaled) == """
        [ti:A song]\r
        [offset:+375]\r
        [length: 15:00]\r
        \r
        [00:15.00][01:30.75]Line é\r
        [00:30.02]<00:30.02>word <00:32.25>by [00:33.50]word\r
        [15:00.00]beyond too\r
        [15:00.00]end\r
        [15:00.00]beyond\r
        [1:33]no fraction\r
        [00:05:25]old form\r
        [00:15:00.00]an hour

        """)
  }

  @Test(arguments: [
    "", "just words\nand more", "[Chorus]\nla la", "[12]\n", "words [00:01.00] within\nmore\nmore",
    "[00:01.00]\nprose\nprose\nprose\nprose",
  ])
  func otherTextIsNotLRC(text: String) {
    #expect(scaled(text, LyricsText.scaled) == nil)
    let comment = Metadata.Comment(name: "LYRICS", value: text)
    let result = Metadata(comments: [comment]).scaled(
      by: 2, from: 100_000, to: 200_000, sampleRate: 8000)
    #expect(result.comments == [comment])
  }

  @Test func cueSheets() {
    let text = """
      REM GENRE "INDEX 01 00:00:00"
      FILE "a.wav" WAVE
        TRACK 01 AUDIO
          PREGAP 00:02:00
          index 01 00:00:00
        TRACK 02 AUDIO
          INDEX 00 03:20:74
          INDEX 01 3:22:01
          POSTGAP 00:00:37
        TRACK 03 AUDIO
          INDEX 01 80:00:00
      """
    // 200 s 74 frames = 15,074 frames; half as much again is 22,611 = 5:01:36.
    // 202 s 1 frame = 15,151; 22,726.5, to the nearest 22,727 = 5:03:02. 37 -> 55.5 -> 56.
    #expect(
      scaled(text, CueSheetText.scaled) == """
        REM GENRE "INDEX 01 00:00:00"
        FILE "a.wav" WAVE
          TRACK 01 AUDIO
            PREGAP 00:03:00
            index 01 00:00:00
          TRACK 02 AUDIO
            INDEX 00 05:01:36
            INDEX 01 5:03:02
            POSTGAP 00:00:56
          TRACK 03 AUDIO
            INDEX 01 15:00:00
        """)
    #expect(
      scaled("INDEX\nINDEX 01\nINDEX x 00:00:00\nINDEXES 01 00:00:00", CueSheetText.scaled) == nil)
  }

  @Test func subRip() {
    let text =
      "1\r\n00:00:01,000 --> 00:00:02,501  X1:40\r\nAt 00:00:01,000 --> it\r\n\r\n2\r\n00:09:59,999 --> 01:00:00,000\r\nx\r\n"
    #expect(
      scaled(text, SubRipText.scaled)
        == "1\r\n00:00:01,500 --> 00:00:03,752  X1:40\r\nAt 00:00:01,000 --> it\r\n\r\n2\r\n00:14:59,999 --> 00:15:00,000\r\nx\r\n"
    )
    #expect(scaled("1\n00:00:01 -> 2\n", SubRipText.scaled) == nil)
  }

  @Test func webVTT() {
    let text = """
      WEBVTT - title

      NOTE at 00:01.000

      REGION
      id:fred

      00:01.000 --> 00:02.000 align:start region:fred
      <v Ann>Now <00:01.500>then, at 00:01.000 <b>x</b>

      id
      00:00:59.999 --> 99:59.000
      last
      """
    #expect(
      scaled(text, WebVTTText.scaled) == """
        WEBVTT - title

        NOTE at 00:01.000

        REGION
        id:fred

        00:01.500 --> 00:03.000 align:start region:fred
        <v Ann>Now <00:02.250>then, at 00:01.000 <b>x</b>

        id
        00:01:29.999 --> 15:00.000
        last
        """)
    #expect(scaled("00:01.000 --> 00:02.000\nx", WebVTTText.scaled) == nil)
  }

  /// WebVTT has minutes up to 59; from an hour on there must be hours.
  @Test func webVTTGetsHoursIfNeeded() {
    let long = TimeScale(
      factor: 2, inputFrames: 80_000_000, outputFrames: 160_000_000, sampleRate: 8000)
    #expect(
      scaled("WEBVTT\n\n40:00.000 --> 50:00.000\nx", WebVTTText.scaled, long)
        == "WEBVTT\n\n01:20:00.000 --> 01:40:00.000\nx")
  }

  @Test func labels() {
    let text =
      "1.000000\t2.500000\tone\ttab\r\n\\\t100.0\t200.0\r\n3\t3\t\r\n599.9999999\t700.5\r\n"
    #expect(
      scaled(text, LabelText.scaled)
        == "1.500000\t3.750000\tone\ttab\r\n\\\t100.0\t200.0\r\n4.500000\t4.500000\t\r\n"
        + "900.000000\t900.000000\r\n")
    #expect(scaled("1,5\t2,25\tx", LabelText.scaled) == "2,250000\t3,375000\tx")
  }

  @Test(arguments: [
    "", "\n\n", "Read me.\n", "1.0\t2.0\tlabel\nRead me.\nThen go.", "1.0 2.0 label\n",
    "\\\t1\t2\n", "1.0\n", "1.0\t2.0x\n", "1\tA song\n2\tAnother song\n", "1.5.2\t2\tx",
    "12:30\t13:00\tlunch\n",
  ])
  func otherTextIsNotALabelFile(text: String) {
    #expect(scaled(text, LabelText.scaled) == nil)
  }

  // MARK: Odd lines

  /// FFmpeg and VLC read the numbers of SubRip with `sscanf`: minutes and seconds of any size, and the last number as
  /// milliseconds. The expected times are half as late again.
  @Test(arguments: [
    ("00:00:75,000 --> 00:00:80,500", "00:01:52,500 --> 00:02:00,750"),
    ("00:01:02,5 --> 00:01:03,50", "00:01:33,008 --> 00:01:34,575"),
    ("0:1:2,000 --> 0:1:4,0000", "00:01:33,000 --> 00:01:36,000"),
    ("00:00:02.000 -> 00:00:04:000", "00:00:03.000 -> 00:00:06:000"),
    ("00:00:02,000 => 00:00:04,000", "00:00:03,000 => 00:00:06,000"),
    ("00:00:02,000 –> 00:00:04,000", "00:00:03,000 –> 00:00:06,000"),
    ("00:00:02,000 —> 00:00:04,000", "00:00:03,000 —> 00:00:06,000"),
    ("00:00:02,000-->00:00:04,000", "00:00:03,000-->00:00:06,000"),
    ("00:00:02,000 -- > 00:00:04,000", "00:00:03,000 -- > 00:00:06,000"),
    ("00:00:02,000 → 00:00:04,000", "00:00:03,000 → 00:00:06,000"),
    ("00: 00: 02, 000 --> 00:00: 04,000", "00:00:03,000 --> 00:00:06,000"),
    ("00：00：02，000 --> 00：00：04，000", "00：00：03，000 --> 00：00：06，000"),
    (
      "\u{3000}\u{200B}00:00:02,000 --> 00:00:04,000",
      "\u{3000}\u{200B}00:00:03,000 --> 00:00:06,000"
    ),
    ("  00:00:02,000 --> 00:00:04,000 X1:40", "  00:00:03,000 --> 00:00:06,000 X1:40"),
    ("-00:00:02,000 --> 00:00:04,000", "00:00:00,000 --> 00:00:06,000"),
    ("00:00:-02,000 --> 00:00:04,000", "00:00:00,000 --> 00:00:06,000"),
    ("00:02 --> 00:04", "00:03 --> 00:06"),
  ])
  func oddSubtitles(line: String, expected: String) {
    func file(_ line: String, _ times: String) -> String {
      "1\r\n\(times)\r\none\r\n\r\n2\r\n\(line)\r\n12:00 -> noon\r\n"
    }
    let before = file(line, "00:00:01,000 --> 00:00:02,000")
    let after = file(expected, "00:00:01,500 --> 00:00:03,000")
    #expect(scaled(before, SubRipText.scaled) == after)
    #expect(scaledBytes(before, SubRipText.scaled) == after)
    #expect(unread(before, SubRipText.scaled) == [])
  }

  @Test func unreadSubtitlesAreNamed() {
    let text = """
      1
      00:00:01,000 --> 00:00:02,000
      Arrows --> and 1984 are text

      2
      00:00:0l,000 --> 00:00:02,000
      x

      3
      from the start
      x

      00:00:03,000 -> soon

      00:00:03,000 --> 00:00:0x
      """
    #expect(unread(text, SubRipText.scaled) == [6, 10, 13, 15])
    #expect(
      scaled(text, SubRipText.scaled)
        == text.replacing(
          "00:00:01,000 --> 00:00:02,000", with: "00:00:01,500 --> 00:00:03,000"))
    let web = """
      WEBVTT

      NOTE 00:01.000 --> later

      1
      00:01.0O0 --> 00:02.000
      x

      00:01.000 --> 00:02.000
      <00:0I.500>x <01:30 later>
      """
    #expect(unread(web, WebVTTText.scaled) == [6, 10])
  }

  @Test(arguments: [
    ("00:75.000 --> 00:80.500 line:0", "01:52.500 --> 02:00.750 line:0"),
    ("00:00:02,000 --> 00:00:04,000", "00:00:03,000 --> 00:00:06,000"),
    ("00:02.5 -> 00:04.00", "00:03.008 -> 00:06.000"),
    (" 00：02.000 –> 00：04.000", " 00：03.000 –> 00：06.000"),
  ])
  func oddCaptions(line: String, expected: String) {
    #expect(
      scaled("WEBVTT\n\n\(line)\n< 00:62.000 >x", WebVTTText.scaled)
        == "WEBVTT\n\n\(expected)\n<01:33.000>x")
  }

  @Test(arguments: [
    ("[00:75.00]x", "[01:52.50]x"), ("[0:2.5]x", "[0:03.8]x"), ("[00:2.500]x", "[00:03.750]x"),
    ("[00：02，00]x", "[00：03，00]x"), ("[ 00:02.00 ] x", "[00:03.00] x"),
    ("[00.02.00]x", "[00.03.00]x"), ("[-00:02.00]x", "[-00:03.00]x"),
    ("\u{FEFF}[00:02.00]x", "\u{FEFF}[00:03.00]x"), ("[00:02.1234567890]x", "[00:03.185185184]x"),
    ("[bg: <00:06.50>ooh <00:07.00>]", "[bg: <00:09.75>ooh <00:10.50>]"),
    ("<00:07.00>word <00:07.50>by", "<00:10.50>word <00:11.25>by"),
    ("[00:02.00]a [00:03.00]b <00:04.00>c", "[00:03.00]a [00:04.50]b <00:06.00>c"),
    ("[v1: <00:02.00>la]", "[v1: <00:03.00>la]"),
    ("[Length: 3:20]", "[Length: 5:00]"), ("[LENGTH:1:03:20]", "[LENGTH:00:15:00]"),
    ("[Offset:+500]", "[Offset:+750]"), ("[ OFFSET : -250 ]", "[ OFFSET : -375 ]"),
    ("[ti:12:30]", "[ti:12:30]"), ("[Chorus 2]", "[Chorus 2]"),
    ("[00:02.00](00:03.00)x", "[00:03.00](00:04.50)x"),
    ("[00:02.00](00:04)x", "[00:03.00](00:06)x"),
    ("[00:02.00] (00:03.00)(00:04)x", "[00:03.00] (00:04.50)(00:06)x"),
    ("［00:02.00］x", "［00:03.00］x"),
    // No times of these lyrics: other forms, before the line, beyond the audio, or in a line without a time.
    ("[00:02.00] (3:16) For God", "[00:03.00] (3:16) For God"),
    ("[00:02.00](3:16) For God", "[00:03.00](3:16) For God"),
    ("[00:02.00] (03:16) For God", "[00:03.00] (03:16) For God"),
    ("[00:02.00](12:16) For God", "[00:03.00](12:16) For God"),
    ("[00:02.00]{00:01}x (00:01.50)y", "[00:03.00]{00:01}x (00:01.50)y"),
    (
      "[00:02.00]at (7:30.5) (1:02:03.5) (10:00.01)", "[00:03.00]at (7:30.5) (1:02:03.5) (10:00.01)"
    ),
    ("[00:02.00]at (10:00.00)", "[00:03.00]at (15:00.00)"),
    ("Chorus (0:50.5)", "Chorus (0:50.5)"), ("Chorus (00:50.50)", "Chorus (00:50.50)"),
    ("(00:50.50) Chorus", "(00:50.50) Chorus"),
    ("[00:02.00]{00:03.00}x", "[00:03.00]{00:04.50}x"),
    ("[00:02.00]（00:03.00）x", "[00:03.00]（00:04.50）x"),
    ("[00:02.00]【00:03.00】x", "[00:03.00]【00:04.50】x"),
    ("[00:02.00]one (00:03.00)two", "[00:03.00]one (00:04.50)two"),
    ("[00:02.00]at half past (7:30) (not 8)", "[00:03.00]at half past (7:30) (not 8)"),
  ])
  func oddLyrics(line: String, expected: String) {
    let text = "[00:01.00]first\n\(line)\n[00:09.00]last\n"
    let result = scaled(text, LyricsText.scaled)
    #expect(result == "[00:01.50]first\n\(expected)\n[00:13.50]last\n")
    #expect(unread(text, LyricsText.scaled) == [])
    // The same in a tag.
    let comment = Metadata.Comment(name: "LYRICS", value: text)
    let changed = Metadata(comments: [comment]).scaled(
      by: 1.5, from: 4_800_000, to: 7_200_000, sampleRate: 8000)
    #expect(changed.values("LYRICS") == [result])
  }

  /// The names under which taggers, and FFmpeg's copies of ID3, keep lyrics.
  @Test(arguments: [
    "SYNCED LYRICS", "SyncedLyrics", "UNSYNCED LYRICS", "lyrics-eng", "SYNCHRONIZED_LYRICS",
    "UNSYNCHRONISEDLYRICS", "WM/Lyrics", "TXXX:Synced Lyrics",
  ])
  func namesOfLyrics(name: String) {
    let metadata = Metadata(comments: [.init(name: name, value: "[00:02.00]x\n")])
    let changed = metadata.scaled(by: 1.5, from: 4_800_000, to: 7_200_000, sampleRate: 8000)
    #expect(changed.comments.map(\.value) == ["[00:03.00]x\n"])
  }

  /// A part of 30 s to 60 s keeps lines without a time.
  @Test func otherTimesInLyricsOfAPart() {
    let part = TimeScale(
      factor: 1, inputFrames: 4_800_000, outputFrames: 240_000, sampleRate: 8000,
      part: 240_000..<480_000)
    let text = "[00:31.00]a\nChorus (0:10.5)\n{01:10.00} b\n<01:10.00>c\n[00:59.00]d\n"
    #expect(
      scaled(text, LyricsText.scaled, part)
        == "[00:01.00]a\nChorus (0:10.5)\n{01:10.00} b\n[00:29.00]d\n")
  }

  /// Lengths and offsets without colons. 10,000 s and more would be hours, so such numbers are milliseconds.
  @Test(arguments: [
    ("[length: 60]", "[length: 90]"), ("[length:60.5]", "[length:90.8]"),
    ("[LENGTH: 61,25 s]", "[LENGTH: 91,88 s]"), ("[length:60000]", "[length:90000]"),
    ("[length: 60500ms]", "[length: 90750ms]"), ("[length: 90 sec]", "[length: 135 sec]"),
    ("[offset:+500ms]", "[offset:+750ms]"), ("[offset: -0.5 s]", "[offset: -0.8 s]"),
    ("[length: unknown]", "[length: unknown]"), ("[length:]", "[length:]"),
  ])
  func lengthsWithoutColons(line: String, expected: String) {
    let text = "\(line)\n[00:01.00]first\n[00:09.00]last\n"
    #expect(
      scaled(text, LyricsText.scaled) == "\(expected)\n[00:01.50]first\n[00:13.50]last\n")
    #expect(unread(text, LyricsText.scaled) == [])
  }

  @Test(arguments: ["[length: 3m20s]", "[length: about 200 seconds]", "[offset: 12 frames]"])
  func lengthsInOtherFormsAreNamed(line: String) {
    let text = "[00:01.00]first\n\(line)\n[00:09.00]last\n"
    #expect(scaled(text, LyricsText.scaled) == "[00:01.50]first\n\(line)\n[00:13.50]last\n")
    #expect(unread(text, LyricsText.scaled) == [2])
  }

  @Test func tablesOfWhisper() {
    let text = "\u{FEFF}start\tend\ttext\r\n0\t1500\tone\r\n1500\t2001\ttwo\t2\r\nx\t1\ty\r\n"
    let expected =
      "\u{FEFF}start\tend\ttext\r\n0\t2250\tone\r\n2250\t3002\ttwo\t2\r\nx\t1\ty\r\n"
    #expect(scaled(text, TableText.scaled) == expected)
    #expect(scaledBytes(text, TableText.scaled) == expected)
    #expect(unread(text, TableText.scaled) == [4])
    #expect(scaled("start\tend\tlabel\n0\t1\tx\n", TableText.scaled) == nil)
    #expect(scaled("0\t1500\tone\n", TableText.scaled) == nil)
  }

  /// A list that begins later is one by the names of its fields, or by the name of its file.
  @Test func chaptersThatBeginLater() {
    let keyed = "CHAPTER01=00:00:05.000\nCHAPTER01NAME=a\nCHAPTER02=00:00:06,500\nCHAPTER02NAME=b\n"
    let changed =
      "CHAPTER01=00:00:07.500\nCHAPTER01NAME=a\nCHAPTER02=00:00:09,750\nCHAPTER02NAME=b\n"
    let plain = "00:00:05.000 a\n"
    #expect(scaled(keyed, { ChapterText.scaled($0, $1) }) == changed)
    #expect(scaled(plain, { ChapterText.scaled($0, $1) }) == nil)
    #expect(scaled(plain, { ChapterText.scaled($0, $1, isNamed: true) }) == "00:00:07.500 a\n")
    #expect(scaled("no times\n", { ChapterText.scaled($0, $1, isNamed: true) }) == nil)
  }

  @Test func unreadLyricsAreNamed() {
    let text = "[00:01.00]a\n[00:1x.00]b\n[O0:02.00]c\n[00:03.00]<00:0x.00>d\n[3rd] e: f\n"
    #expect(unread(text, LyricsText.scaled) == [2, 4])
    #expect(unread("[00:01.00]a\n[00:02.00](00:0x.00)b\n", LyricsText.scaled) == [2])
  }

  @Test(arguments: [
    ("INDEX 01 03:75:10", "INDEX 01 06:22:53"), ("INDEX 1 0:2:5", "INDEX 1 0:03:08"),
    ("INDEX 01 00:02:80", "INDEX 01 00:04:45"), ("INDEX 01 00：02：00", "INDEX 01 00：03：00"),
    ("INDEX 01 00:02.00", "INDEX 01 00:03:00"), ("\tINDEX 01 00:02", "\tINDEX 01 00:03:00"),
    ("INDEX 01 00:002:000", "INDEX 01 00:03:00"), ("INDEX01 00:02:00", "INDEX01 00:03:00"),
  ])
  func oddCueSheets(line: String, expected: String) {
    // 255 s 10 frames = 19,135 frames; half as much again is 28,702.5. 155 frames: 232.5. 230: 345.
    let text = "TRACK 01 AUDIO\nINDEX 01 00:00:00\n\(line)\n"
    #expect(
      scaled(text, CueSheetText.scaled)
        == "TRACK 01 AUDIO\nINDEX 01 00:00:00\n\(expected)\n")
    #expect(unread(text, CueSheetText.scaled) == [])
    #expect(unread(text + "INDEX 02 0O:01:00\nPREGAP x\n", CueSheetText.scaled) == [4, 5])
  }

  /// Audacity reads negative times, times without an end, and skips what it cannot read.
  @Test func oddLabels() {
    let text =
      "Start\tEnd\n-0.5\t1\tpre\n  2\t3.5\tx\n4\tno end\n.5\t1.\tx\n0:07\t8\tx\n5\t6\n"
    #expect(
      scaled(text, LabelText.scaled)
        == "Start\tEnd\n-0.750000\t1.500000\tpre\n  3.000000\t5.250000\tx\n6.000000\tno end\n"
        + "0.750000\t1.500000\tx\n0:07\t8\tx\n7.500000\t9.000000\n")
    #expect(unread(text, LabelText.scaled) == [1, 6])
    #expect(scaled("1.0\t2.0\tx\nbad\n", LabelText.scaled) == "1.500000\t3.000000\tx\nbad\n")
  }

  /// Audacity reads numbers as `strtod` does; NumPy and Python write them so.
  @Test func labelsWithExponents() {
    let text = "5e-05\t1.0\ta\n1.500000000000000000e+00\t2,25E0\tb\n1e2\t1.2e+2\tc\n1e\t2\tx\n"
    #expect(
      scaled(text, LabelText.scaled)
        == "0.000075\t1.500000\ta\n2.250000\t3,375000\tb\n150.000000\t180.000000\tc\n1e\t2\tx\n")
    #expect(unread(text, LabelText.scaled) == [4])
    for hostile in ["9e999\t1\tx\n", "9e99\t1\tx\n", "1e-999\t1\tx\n"] {
      #expect(LabelText.scaled(TextUnits((hostile + "1\t2\ty\n").utf16), scale) != nil)
    }
  }

  /// `\kt` and `\k` with decimals are those of libass, and so are the delays of moving text.
  @Test(arguments: [
    ("Banner;50;0;20", #"{\k20}a{\k30.5}b"#, "Banner;75;0;20", #"{\k30}a{\k46}b"#),
    ("Scroll up;10;200;30;1", #"{\kt100\k20}a"#, "Scroll up;10;200;45;1", #"{\kt150\k30}a"#),
    (
      "scroll down; 10;20; 5 ", #"{\t(0.5,\fs20)}a"#, "scroll down; 10;20; 8 ", #"{\t(0.5,\fs20)}a"#
    ),
    ("Karaoke", "a;50", "Karaoke", "a;50"), ("Banner;x", "a", "Banner;x", "a"),
  ])
  func effectsOfSubtitles(effect: String, text: String, after: String, changed: String) {
    func file(_ times: String, _ effect: String, _ text: String) -> String {
      "[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
        + "Dialogue: 0,\(times),Default,,0,0,0,\(effect),\(text), more\n"
    }
    #expect(
      scaled(file("0:00:02.00,0:00:04.00", effect, text), SubStationText.scaled)
        == file("0:00:03.00,0:00:06.00", after, changed))
  }

  @Test func timesWithinOtherText() {
    let text = "1\n00:00:01,000 --> 00:00:02,000\nI <3 you <00:00:01,500>so\n"
    #expect(
      scaled(text, SubRipText.scaled)
        == "1\n00:00:01,500 --> 00:00:03,000\nI <3 you <00:00:02,250>so\n")
    #expect(unread(text, SubRipText.scaled) == [])
    #expect(unread("[00:01.00]a\n00:02.50 b\n[3.5]c\n[00:04.00]d\n", LyricsText.scaled) == [2, 3])
    // A header for HTTP Live Streaming: only from 0 on is it true of other audio.
    for (local, lines) in [("00:00:00.000", []), ("00:00:10.000", [2])] {
      let web =
        "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:\(local)\n\n00:01.000 --> 00:02.000\nx\n"
      #expect(unread(web, WebVTTText.scaled) == lines)
    }
  }

  /// Lists of chapters with numbers, and with ends.
  @Test(arguments: [
    ("1. 0:00 One\n2. 1:00 Two\n", "1. 0:00 One\n2. 1:30 Two\n"),
    ("01) 00:00 One\n02) 01:00 Two\n", "01) 00:00 One\n02) 01:30 Two\n"),
    ("0:00 - 1:00 One\n1:00 - 2:30 Two\n", "0:00 - 1:30 One\n1:30 - 3:45 Two\n"),
    ("(0:00–1:00) One\n(1:00–2:30) Two\n", "(0:00–1:30) One\n(1:30–3:45) Two\n"),
    ("0:00 - 4:33\n5:00 - Two\n", "0:00 - 4:33\n7:30 - Two\n"),
  ])
  func formsOfChapterLists(text: String, expected: String) {
    for isNamed in [false, true] {
      #expect(scaled(text) { ChapterText.scaled($0, $1, isNamed: isNamed) } == expected)
    }
  }

  /// Audacity skips lines whose times blanks separate.
  @Test func spacedLabels() {
    let text = "1.0\t2.0\ta\n3.0 4.0 b\n5.00  6.00\tc\n"
    #expect(
      scaled(text, LabelText.scaled) == "1.500000\t3.000000\ta\n3.0 4.0 b\n5.00  6.00\tc\n")
    #expect(unread(text, LabelText.scaled) == [2, 3])
    func spaced(_ text: String) -> [Int] { LabelText.spacedLines(of: TextUnits(text.utf16)) }
    #expect(spaced("1.0 2.0 a\n\n3.0 4.0 b\n") == [1, 3])
    #expect(spaced("Labels\n1.0 2.0 a\n") == [2])
    for other in [
      "1.0 2.0 a\nmore\nmore\n", "3.0 4.0 a\n1.0 2.0 b\n", "2.0 1.0 a\n", "1 2 a\n", "",
    ] {
      #expect(spaced(other) == [], "\(other)")
    }
  }

  /// No text in a file may trap, regardless of its numbers.
  @Test func hostileNumbers() {
    let digits = String(repeating: "9", count: 30)
    for text in [
      "[\(digits):59.99]x", "[00:01.00]see [\(digits)] <\(digits):1>", "[999999:59.999999]x",
      "[00:01.\(digits)]x",
      "[offset:\(digits)]\n[00:01.00]",
      "[offset:-]\n[00:01.00]x", "[length:]\n[00:01]x", "INDEX 01 \(digits):00:00",
      "INDEX 01 999999:99:99",
      "\(digits)\t1\tx", "999999999.999999999999999999\t999999999\tx",
      "999999:59:59,999999 --> 00:00:00,0", "-999999:999999:999999,999999999 --> \(digits)",
      "[999999:999999:999999.\(digits)]x", "[-999999:999999.9]x", "<999999:9>",
      "WEBVTT\n\n999999:59.999 --> 1:2\n<9:", "[", "[00", "[00:", "[00:0", "<", "INDEX 01 1:",
      "1\t",
    ] {
      for change in [
        LyricsText.scaled, CueSheetText.scaled, SubRipText.scaled, WebVTTText.scaled,
        LabelText.scaled,
      ] as [Change] {
        for cut in 0...text.utf16.count {
          _ = change(Array(text.utf16.prefix(cut)), scale)
        }
      }
    }
  }
}
