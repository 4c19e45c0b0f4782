import Testing

@testable import scaleaudio_cli

@Suite("Lines drawn again and again")
struct LiveAreaTests {
  private func frame(_ text: String) -> String { "\u{1b}[?25l" + text + "\u{1b}[?25h" }

  @Test func drawsOverItself() {
    var area = LiveArea()
    #expect(area.redraw(["one", "two"], columns: 80) == frame("one\ntwo"))
    #expect(area.redraw(["three"], columns: 80) == frame("\r\u{1b}[1A\u{1b}[Jthree"))
    #expect(area.redraw(["four"], columns: 80) == frame("\r\u{1b}[Jfour"))
    #expect(area.replace(with: ["stays"], columns: 80) == "\r\u{1b}[Jstays\n")
    #expect(area.replace(with: [], columns: 80) == "")
  }

  @Test func aNarrowerWindowHasWrappedWhatWasDrawn() {
    var area = LiveArea()
    _ = area.redraw([String(repeating: "=", count: 79), "日本語日本語日本語", ""], columns: 80)
    // 79 columns are 4 rows of 20; 18 are one; an empty line is one.
    #expect(area.redraw(["x"], columns: 20) == frame("\r\u{1b}[5A\u{1b}[Jx"))
  }
}
