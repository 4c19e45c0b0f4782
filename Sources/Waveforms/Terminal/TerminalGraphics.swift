internal import CSixel

/// A protocol for pictures in terminals.
public enum TerminalGraphics: String, CaseIterable, Hashable, Sendable {
  /// DEC's Sixel, supported by xterm, foot, mlterm, WezTerm and others, with 256 colors.
  case sixel
  /// The graphics protocol of kitty, supported also by Ghostty and others.
  case kitty
}

extension WaveformPicture {
  /// The bytes that make a terminal show the picture at the cursor and move the cursor below it.
  public func render(
    _ scene: WaveformScene, for terminal: TerminalGraphics
  ) throws(RenderingError) -> [UInt8] {
    switch terminal {
    case .kitty: return KittyEncoder.encode(png: try render(scene, as: .png))
    case .sixel: return try SixelEncoder.encode(try pixels(of: scene)) + [UInt8(ascii: "\n")]
    }
  }
}

/// The encoding of kitty: PNG in base64, in chunks in escape sequences.
///
/// Source: kitty's documentation, "The terminal graphics protocol".
enum KittyEncoder {
  /// The maximum number of characters in a chunk.
  private static let pieceLength = 4096

  static func encode(png: [UInt8]) -> [UInt8] {
    // Transmits and shows PNG. Suppresses the response, which programs would read as typed input.
    encode(png, "a=T,f=100,q=2,") + [UInt8(ascii: "\n")]
  }

  /// Data in as many sequences as needed, the first with parameters.
  static func encode(_ data: [UInt8], _ parameters: String) -> [UInt8] {
    let text = base64(data)
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: text.count, by: pieceLength) {
      let end = min(start + pieceLength, text.count)
      let first = start == 0 ? parameters : ""
      bytes += "\u{1b}_G\(first)m=\(end < text.count ? 1 : 0);".utf8
      bytes += text[start..<end]
      bytes += "\u{1b}\\".utf8
    }
    return bytes
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Base64 (RFC 4648, section 4).
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

/// The encoding of Sixel, by libsixel.
enum SixelEncoder {
  static func encode(_ image: PixelImage) throws(RenderingError) -> [UInt8] {
    let sink = Sink()
    var output: OpaquePointer?
    var dither: OpaquePointer?
    defer {
      sixel_output_unref(output)
      sixel_dither_unref(dither)
    }
    try check(
      sixel_output_new(
        &output,
        { data, size, closure in
          guard let data, let closure, size > 0 else { return 0 }
          let sink = Unmanaged<Sink>.fromOpaque(closure).takeUnretainedValue()
          data.withMemoryRebound(to: UInt8.self, capacity: Int(size)) {
            sink.bytes.append(contentsOf: UnsafeBufferPointer(start: $0, count: Int(size)))
          }
          return size
        }, Unmanaged.passUnretained(sink).toOpaque(), nil))
    try check(sixel_dither_new(&dither, 256, nil))
    var pixels = image.bytes
    let (width, height) = (Int32(image.width), Int32(image.height))
    try check(
      sixel_dither_initialize(
        dither, &pixels, width, height, Int32(SIXEL_PIXELFORMAT_RGB888),
        Int32(SIXEL_LARGE_AUTO), Int32(SIXEL_REP_AUTO), Int32(SIXEL_QUALITY_HIGH)))
    // Pictures have few colors and sharp edges, so errors are not diffused.
    sixel_dither_set_diffusion_type(dither, Int32(SIXEL_DIFFUSE_NONE))
    try check(sixel_encode(&pixels, width, height, 3, dither, output))
    return sink.bytes
  }

  private final class Sink {
    var bytes: [UInt8] = []
  }

  private static func check(_ status: SIXELSTATUS) throws(RenderingError) {
    guard status & 0x1000 != 0 else { return }
    throw .failed(reason: sixel_helper_format_error(status).map { String(cString: $0) } ?? "")
  }
}
