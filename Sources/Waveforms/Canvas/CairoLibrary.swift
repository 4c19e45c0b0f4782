internal import CCairo
internal import CCairoLoader

/// The drawing library Cairo, loaded when it is first needed.
enum CairoLibrary {
  /// The font of all pictures. If it is missing, fontconfig substitutes another.
  static let fontFamily = "DejaVu Sans"

  /// The family of a font that has a character; `nil` if none is known.
  static func fontFamily(with character: Unicode.Scalar) -> String? {
    var name = [CChar](repeating: 0, count: 256)
    guard scaleaudio_font_family(fontFamily, character.value, &name, name.count) else { return nil }
    return String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Loads the library, or throws if it is not available. Call no Cairo function before.
  static func load() throws(RenderingError) {
    if let reason = scaleaudio_cairo_failure() {
      throw .unavailable(reason: String(cString: reason))
    }
  }

  /// Throws an error for a status other than success.
  static func check(_ status: cairo_status_t) throws(RenderingError) {
    if status == CAIRO_STATUS_SUCCESS { return }
    throw .failed(reason: cairo_status_to_string(status).map { String(cString: $0) } ?? "")
  }
}

/// A buffer that Cairo writes a file to.
final class CairoSink {
  private(set) var bytes: [UInt8] = []

  /// The function that Cairo calls, with the sink as its closure.
  static let write: cairo_write_func_t = { closure, data, length in
    guard let closure else { return CAIRO_STATUS_WRITE_ERROR }
    let sink = Unmanaged<CairoSink>.fromOpaque(closure).takeUnretainedValue()
    sink.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
    return CAIRO_STATUS_SUCCESS
  }

  /// The closure for Cairo. The sink must outlive its use.
  var closure: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}
