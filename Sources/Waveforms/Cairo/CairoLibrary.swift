internal import CCairo
internal import CCairoLoader

/// The library that draws, loaded when it is first needed.
enum CairoLibrary {
  /// The font of all pictures; where it is missing, fontconfig takes another.
  static let fontFamily = "DejaVu Sans"

  /// The family of a font that has a character; `nil` where none is known.
  static func fontFamily(with character: Unicode.Scalar) -> String? {
    var name = [CChar](repeating: 0, count: 256)
    guard scaleaudio_font_family(fontFamily, character.value, &name, name.count) else { return nil }
    return String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Throws where the library cannot be had; none of its functions may be called before.
  static func load() throws(RenderingError) {
    if let reason = scaleaudio_cairo_failure() {
      throw .unavailable(reason: String(cString: reason))
    }
  }

  /// Throws what a status other than success says.
  static func check(_ status: cairo_status_t) throws(RenderingError) {
    if status == CAIRO_STATUS_SUCCESS { return }
    throw .failed(reason: cairo_status_to_string(status).map { String(cString: $0) } ?? "")
  }
}

/// Where Cairo writes a file's bytes.
final class CairoSink {
  private(set) var bytes: [UInt8] = []

  /// What Cairo calls, with the sink as its closure.
  static let write: cairo_write_func_t = { closure, data, length in
    guard let closure else { return CAIRO_STATUS_WRITE_ERROR }
    let sink = Unmanaged<CairoSink>.fromOpaque(closure).takeUnretainedValue()
    sink.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
    return CAIRO_STATUS_SUCCESS
  }

  /// The closure that Cairo is given; the sink must outlive its use.
  var closure: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}
