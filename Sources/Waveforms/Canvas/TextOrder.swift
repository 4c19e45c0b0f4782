internal import CCairoLoader

/// Text that is read from the right, such as Hebrew and Arabic.
enum TextOrder {
  /// The text in visual order and with visual forms, from left to right, as Cairo draws it. It is unchanged if it has
  /// no right-to-left characters, or if the library FriBidi is missing.
  static func visual(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isReadFromRight) else { return text }
    let characters = text.unicodeScalars.map(\.value)
    guard let count = Int32(exactly: characters.count) else { return text }
    var visual = [UInt32](repeating: 0, count: characters.count)
    guard scaleaudio_visual_text(characters, count, &visual) else { return text }
    // A placeholder for the second letter of a ligature.
    let filler: UInt32 = 0xFEFF
    var result = String.UnicodeScalarView()
    result.append(contentsOf: visual.lazy.filter { $0 != filler }.compactMap(Unicode.Scalar.init))
    return String(result)
  }

  /// True if a character is in a block of right-to-left scripts.
  ///
  /// Source: Unicode Character Database, `Blocks.txt`, Hebrew to Arabic Extended-A, presentation forms, and the
  /// areas that `DerivedBidiClass.txt` reserves for such scripts.
  private static func isReadFromRight(_ character: Unicode.Scalar) -> Bool {
    switch character.value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }
}
