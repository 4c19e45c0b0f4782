import AudioIO
internal import FoundationEssentials
import SystemPackage

extension Encodable {
  /// The value as JSON on one line.
  var jsonLine: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding fails only for numbers that are not finite; no value has any.
    guard let data = try? encoder.encode(self) else { return [] }
    return Array(data) + [UInt8(ascii: "\n")]
  }
}

extension FilePath {
  /// The bytes of the path if they are not UTF-8; `nil` if a string holds them.
  var bytesUnlessText: Data? {
    String(validating: bytes, as: UTF8.self) == nil ? Data(bytes) : nil
  }
}
