import Testing

@testable import scaleaudio_cli

@Suite("Lines drawn again and again")
struct LiveAreaTests {
  private func frame(_ text: String) -> String { "\u{1b}[?25l" + text + "\u{1b}[J\u{1b}[?25h" }

  @Test func drawsOverItself() {
    var area = LiveArea()
    #expect(area.redraw(["one", "two"], columns: 80) == frame("one\u{1b}[K\ntwo"))
    #expect(area.redraw(["three"], columns: 80) == frame("\r\u{1b}[1Athree"))
    #expect(area.redraw(["four"], columns: 80) == frame("\rfour"))
    #expect(
      area.replace(with: ["stays", "too"], columns: 80) == "\rstays\u{1b}[K\ntoo\u{1b}[K\n\u{1b}[J")
    #expect(area.replace(with: ["more"], columns: 80) == "more\n")
    #expect(area.replace(with: [], columns: 80) == "")
  }

  @Test func aNarrowerWindowHasWrappedWhatWasDrawn() {
    var area = LiveArea()
    _ = area.redraw([String(repeating: "=", count: 79), "日本語日本語日本語", ""], columns: 80)
    // 79 columns are 4 rows of 20; 18 are one; an empty line is one.
    #expect(area.redraw(["x"], columns: 20) == frame("\r\u{1b}[5Ax"))
  }
}
