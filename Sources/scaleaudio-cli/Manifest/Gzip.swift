import CZlib

/// Compression by gzip.
enum Gzip {
  /// The compressed bytes, without name and time; `nil` if memory is missing.
  static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    let most = scaleaudio_gzip_bound(bytes.count)
    let result = [UInt8](unsafeUninitializedCapacity: most) { (buffer, count) in
      count = bytes.withUnsafeBytes {
        scaleaudio_gzip($0.baseAddress, $0.count, buffer.baseAddress, most)
      }
    }
    return result.isEmpty ? nil : result
  }
}
