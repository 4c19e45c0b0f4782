/// How terminals take pictures.
public enum TerminalGraphics: String, CaseIterable, Hashable, Sendable {
  /// DEC's Sixel, as xterm, foot, mlterm, WezTerm and others show it; 256 colors.
  case sixel
  /// The graphics protocol of kitty, which Ghostty and others show too.
  case kitty
}

extension PicturePlan {
  /// The bytes that have a terminal show the picture where its cursor stands, and put it below.
  public func render(
    _ scene: WaveformScene, for terminal: TerminalGraphics
  ) throws(RenderingError) -> [UInt8] {
    switch terminal {
    case .kitty: return KittyEncoder.encode(png: try render(scene, as: .png))
    case .sixel: return try SixelEncoder.encode(try pixels(of: scene)) + [UInt8(ascii: "\n")]
    }
  }
}

/// Pictures as kitty takes them: PNG in base64, in pieces between escape sequences (its documentation, "The
/// terminal graphics protocol").
enum KittyEncoder {
  /// The most characters of one piece.
  private static let pieceLength = 4096

  static func encode(png: [UInt8]) -> [UInt8] {
    let text = base64(png)
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: text.count, by: pieceLength) {
      let end = min(start + pieceLength, text.count)
      // Shown at once, as PNG, and not answered: an answer would be taken for typed.
      let first = start == 0 ? "a=T,f=100,q=2," : ""
      bytes += "\u{1b}_G\(first)m=\(end < text.count ? 1 : 0);".utf8
      bytes += text[start..<end]
      bytes += "\u{1b}\\".utf8
    }
    return bytes + [UInt8(ascii: "\n")]
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// RFC 4648, section 4.
  static func base64(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      let group = (0..<3).reduce(0) { $0 << 8 | ($1 < count ? Int(bytes[start + $1]) : 0) }
      for index in 0..<4 {
        text.append(index <= count ? alphabet[group >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
      }
    }
    return text
  }
}
