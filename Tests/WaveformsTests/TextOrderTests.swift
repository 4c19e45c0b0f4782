import Testing

@testable import Waveforms

/// The expected forms are those of the Unicode standard's tables of Arabic presentation forms.
@Suite("Right-to-left text")
struct TextOrderTests {
  @Test(arguments: [
    ("plain, ä, 日本", "plain, ä, 日本"),
    // Shin, lamed, vav, final mem.
    ("\u{5E9}\u{5DC}\u{5D5}\u{5DD}", "\u{5DD}\u{5D5}\u{5DC}\u{5E9}"),
    // Numbers keep their order, and brackets face the other way.
    ("\u{5D0} (12)", "(12) \u{5D0}"),
    // A name in a Latin sentence.
    ("by \u{5D0}\u{5D1}, live", "by \u{5D1}\u{5D0}, live"),
    // Seen, lam, alef, meem: initial seen, final ligature lam-alef, isolated meem.
    ("\u{633}\u{644}\u{627}\u{645}", "\u{FEE1}\u{FEFC}\u{FEB3}"),
    // Beh three times: initial, medial, final.
    ("\u{628}\u{628}\u{628}", "\u{FE90}\u{FE92}\u{FE91}"),
    // A point below a letter stays with it.
    ("\u{5D1}\u{5B4}\u{5D2}", "\u{5D2}\u{5D1}\u{5B4}"),
  ])
  func orderAndForms(text: String, seen: String) {
    #expect(
      TextOrder.visual(text).unicodeScalars.map(\.value) == seen.unicodeScalars.map(\.value))
  }
}
