import AudioModel
import Testing

@Suite("Times in text formats")
struct TimedTextTests {
  /// Ten minutes of audio become fifteen.
  private let scale = TimeScale(
    factor: 1.5, inputFrames: 4_800_000, outputFrames: 7_200_000, sampleRate: 8000)

  private func scaled(
    _ text: String, _ change: (TextUnits, TimeScale) -> TextUnits?, _ scale: TimeScale? = nil
  ) -> String? {
    change(TextUnits(text.utf16), scale ?? self.scale).map { String(decoding: $0, as: UTF16.self) }
  }

  @Test func lyrics() {
    let text = """
      [ti:A song]\r
      [offset:+250]\r
      [length: 10:00]\r
      \r
      [00:10.00][01:00.50]Line é\r
      [00:20.01]<00:20.01>word <00:21.50>by [00:22.33]word\r
      [99:99.00]nonsense\r
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
        [99:99.00]nonsense\r
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
    "", "\n\n", "Read me.\n", "1.0\t2.0\tlabel\nRead me.\n", "1.0 2.0 label\n", "\\\t1\t2\n",
    "1.0\n", "1.0\t2.0x\n", "-1.0\t2.0\tx\n", "1.\t2\tx",
  ])
  func otherTextIsNotALabelFile(text: String) {
    #expect(scaled(text, LabelText.scaled) == nil)
  }

  /// No text in a file may trap, regardless of its numbers.
  @Test func hostileNumbers() {
    let digits = String(repeating: "9", count: 30)
    for text in [
      "[\(digits):59.99]x", "[999999:59.999999]x", "[00:01.\(digits)]x",
      "[offset:\(digits)]\n[00:01.00]",
      "[offset:-]\n[00:01.00]x", "[length:]\n[00:01]x", "INDEX 01 \(digits):00:00",
      "INDEX 01 999999:99:99",
      "\(digits)\t1\tx", "999999999.999999999999999999\t999999999\tx",
      "999999:59:59,999999 --> 00:00:00,0",
      "WEBVTT\n\n999999:59.999 --> 1:2\n<9:", "[", "[00", "[00:", "[00:0", "<", "INDEX 01 1:",
      "1\t",
    ] {
      for change in [
        LyricsText.scaled, CueSheetText.scaled, SubRipText.scaled, WebVTTText.scaled,
        LabelText.scaled,
      ] as [(TextUnits, TimeScale) -> TextUnits?] {
        for cut in 0...text.utf16.count {
          _ = change(Array(text.utf16.prefix(cut)), scale)
        }
      }
    }
  }
}
