import AudioIO
import ScaleAudio

/// Arguments as bytes, passed losslessly through the strings of argument parsing.
///
/// A byte `b` that is not part of valid UTF-8 becomes the private-use scalar U+10FE00 + `b`; the bytes of
/// such a scalar in the text itself are escaped in the same way.
enum RawArgument {
  private static let escapes: ClosedRange<UInt32> = 0x10FE80...0x10FEFF

  /// The bytes of every argument of this process, its name first.
  static var commandLine: [[UInt8]] {
    (0..<Int(CommandLine.argc)).compactMap { index in
      CommandLine.unsafeArgv[index].map {
        FilePath(platformString: $0).isEmpty ? [] : bytes(at: $0)
      }
    }
  }

  private static func bytes(at start: UnsafePointer<CChar>) -> [UInt8] {
    var bytes: [UInt8] = []
    var next = start
    while next.pointee != 0 {
      bytes.append(UInt8(bitPattern: next.pointee))
      next += 1
    }
    return bytes
  }

  /// The string that represents some bytes.
  static func text(of bytes: [UInt8]) -> String {
    var scalars = String.UnicodeScalarView()
    var rest = bytes[...]
    while let first = rest.first {
      let length = first < 0x80 ? 1 : max(1, min(4, (~first).leadingZeroBitCount))
      let sequence = rest.prefix(length)
      if let scalar = String(validating: sequence, as: UTF8.self)?.unicodeScalars.first,
        !escapes.contains(scalar.value)
      {
        scalars.append(scalar)
      } else {
        // One byte at a time: valid text may follow a broken sequence.
        if let scalar = Unicode.Scalar(0x10FE00 + UInt32(first)) { scalars.append(scalar) }
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst(length)
    }
    return String(scalars)
  }

  /// The bytes that a string represents.
  static func bytes(of text: String) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar -> [UInt8] in
      if escapes.contains(scalar.value) { return [UInt8(scalar.value - 0x10FE00)] }
      return Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  /// The path that a string represents.
  static func path(of text: String) -> FilePath {
    FilePath(bytes: bytes(of: text))
  }
}

extension OutputDestination {
  /// The destination that the value of `--output` names; a slash at its end makes it a folder.
  init(argument: String?) {
    guard let argument else {
      self = .beside
      return
    }
    if argument == "-" {
      self = .standardOutput
      return
    }
    let path = RawArgument.path(of: argument)
    self = argument.utf8.last == UInt8(ascii: "/") ? .folder(path) : .path(path)
  }
}
