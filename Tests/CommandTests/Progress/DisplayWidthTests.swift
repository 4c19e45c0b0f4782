import Testing

@testable import scaleaudio_cli

@Suite("Display width")
struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("🎵", 2), ("한글", 4), ("ｱ", 1),
    ("Ａ", 2),
  ])
  func columns(text: String, expected: Int) {
    #expect(DisplayWidth.columns(text) == expected)
  }

  @Test func cutsTheEnd() {
    #expect(DisplayWidth.cutEnd(of: "abcdef", to: 6) == "abcdef")
    #expect(DisplayWidth.cutEnd(of: "abcdef", to: 5) == "ab...")
    #expect(DisplayWidth.cutEnd(of: "日本語です", to: 8) == "日本...")
    #expect(DisplayWidth.cutEnd(of: "abcdef", to: 2) == "..")
    #expect(DisplayWidth.cutEnd(of: "abcdef", to: 0) == "")
  }

  @Test func cutsTheStart() {
    #expect(DisplayWidth.cutStart(of: "folder/name.wav", to: 11) == "...name.wav")
    // A wide character that would be cut in half is left out.
    #expect(DisplayWidth.cutStart(of: "日本語.wav", to: 10) == "日本語.wav")
    #expect(DisplayWidth.cutStart(of: "x日本語.wav", to: 10) == "...語.wav")
    // A combining mark goes with its letter.
    #expect(DisplayWidth.cutStart(of: "aaaae\u{301}b", to: 5) == "...e\u{301}b")
    #expect(DisplayWidth.cutStart(of: "aaaae\u{301}b", to: 4) == "...b")
  }
}
