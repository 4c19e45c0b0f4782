import Glibc
package import SystemPackage

extension FilePath {
  /// The bytes of the path, without the terminating zero.
  package var bytes: [UInt8] {
    withPlatformString { start in
      var bytes: [UInt8] = []
      var next = start
      while next.pointee != 0 {
        bytes.append(UInt8(bitPattern: next.pointee))
        next += 1
      }
      return bytes
    }
  }

  /// A path from bytes, up to the first zero.
  package init(bytes: some Sequence<UInt8>) {
    let characters = bytes.map { CChar(bitPattern: $0) } + [0]
    self = characters.withUnsafeBufferPointer { buffer in
      // The buffer is never empty: it ends with the zero above.
      buffer.baseAddress.map { FilePath(platformString: $0) } ?? FilePath()
    }
  }

  /// The folder that contains the path's last component; `.` for a bare name.
  package var folder: FilePath {
    let folder = removingLastComponent()
    return folder.isEmpty ? "." : folder
  }

  /// The one of some folders that holds this path most closely; `nil` if none does. An empty path is the current folder.
  package func deepest(of folders: [FilePath]) -> FilePath? {
    folders.filter { $0.isEmpty ? isRelative : starts(with: $0) }
      .max { $0.components.count < $1.components.count }
  }

  /// The path in one printable line, with control characters and invalid UTF-8 escaped.
  package var printable: String {
    var rest = bytes[...]
    // The common case.
    if rest.allSatisfy({ (0x20...0x7E).contains($0) }) {
      return String(decoding: rest, as: UTF8.self)
    }
    var text = ""
    while let first = rest.first {
      let length = Self.scalarLength(first)
      let candidate = rest.prefix(length)
      if let scalar = String(validating: candidate, as: UTF8.self)?.unicodeScalars.first,
        length == candidate.count
      {
        text += Self.printable(scalar)
        rest = rest.dropFirst(length)
      } else {
        text += "\\x" + Self.hex(first)
        rest = rest.dropFirst()
      }
    }
    return text
  }

  /// The length of a UTF-8 sequence with this first byte.
  private static func scalarLength(_ first: UInt8) -> Int {
    first < 0x80 ? 1 : max(1, min(4, (~first).leadingZeroBitCount))
  }

  private static func printable(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default:
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator:
        "\\u{" + String(scalar.value, radix: 16) + "}"
      default: String(scalar)
      }
    }
  }

  private static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}

/// The names in a folder.
package enum FolderListing {
  /// All names except `.` and `..`, or those that begin with some bytes, in byte order.
  package static func names(
    in folder: FilePath, beginningWith start: [UInt8] = []
  ) throws(Errno) -> [FilePath.Component] {
    let opened = folder.withPlatformString { folder in uninterrupted { opendir(folder) } }
    guard let stream = opened else {
      throw Errno(rawValue: errno)
    }
    defer { closedir(stream) }
    var names: [(bytes: [UInt8], name: FilePath.Component)] = []
    while true {
      guard let entry = uninterrupted({ readdir(stream) }) else {
        if errno != 0 { throw Errno(rawValue: errno) }
        break
      }
      // The entry may be shorter than its type: only the bytes up to the zero are valid.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
      let begin = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
      guard
        UnsafeBufferPointer(start: begin, count: strlen(begin)).lazy
          .map({ UInt8(bitPattern: $0) }).starts(with: start)
      else { continue }
      let path = FilePath(platformString: begin)
      guard path != ".", path != "..", let name = path.lastComponent else { continue }
      let bytes = path.bytes
      names.append((bytes, name))
    }
    names.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    return names.map(\.name)
  }
}
