import ScaleAudio

/// The path with everything escaped that could move the cursor or reorder text, or is not UTF-8: `\n`, `\u{1b}`,
/// `\u{202e}`; `\xff` is a byte.
func escapedForTerminal(_ path: FilePath) -> String {
  path.withPlatformString { name in
    var bytes: [UInt8] = []
    var index = 0
    while name[index] != 0 {
      bytes.append(UInt8(bitPattern: name[index]))
      index += 1
    }
    return escapedForTerminal(bytes)
  }
}

/// The text on one line, escaped for a terminal.
func escapedForTerminal(_ text: String) -> String {
  var shown = ""
  for scalar in text.unicodeScalars { append(scalar, to: &shown) }
  return shown
}

private func escapedForTerminal(_ bytes: [UInt8]) -> String {
  var shown = ""
  var rest = bytes.makeIterator()
  var parser = Unicode.UTF8.ForwardParser()
  var position = 0
  while true {
    switch parser.parseScalar(from: &rest) {
    case .valid(let encoded):
      append(Unicode.UTF8.decode(encoded), to: &shown)
      position += encoded.count
    case .error(let length):
      for byte in bytes[position..<position + length] { shown += "\\x" + hexadecimal(byte) }
      position += length
    case .emptyInput:
      return shown
    }
  }
}

private func append(_ scalar: Unicode.Scalar, to shown: inout String) {
  switch scalar.value {
  case 0x09: shown += "\\t"
  case 0x0A: shown += "\\n"
  case 0x0D: shown += "\\r"
  // Controls; line and paragraph separators; the marks that reorder text (UAX #9, section 2).
  case 0x00..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
    shown += "\\u{" + String(scalar.value, radix: 16) + "}"
  default: shown.unicodeScalars.append(scalar)
  }
}

private func hexadecimal(_ value: UInt8) -> String {
  let digits = String(value, radix: 16)
  return digits.count < 2 ? "0" + digits : digits
}
