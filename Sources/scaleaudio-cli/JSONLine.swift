internal import FoundationEssentials
import SystemPackage

extension Encodable {
  /// What `--json` says of one file: one object a line.
  var jsonLine: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding fails only for numbers that are not finite, and there are none.
    guard let data = try? encoder.encode(self) else { return [] }
    return Array(data) + [UInt8(ascii: "\n")]
  }
}

extension FilePath {
  /// Its bytes where they are not UTF-8, so that a string cannot hold them.
  var bytesUnlessText: Data? {
    String(validating: bytes, as: UTF8.self) == nil ? Data(bytes) : nil
  }
}
