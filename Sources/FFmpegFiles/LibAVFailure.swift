internal import CLibAV

/// What FFmpeg's libraries say of their own failures.
enum LibAVFailure {
  /// The text of a negative return value.
  static func text(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    av_strerror(code, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
