package import AudioIO

/// The encoded frames of AMR and AMR-WB, which begin with a byte that contains their type.
///
/// Source: RFC 4867 section 5.3; 3GPP TS 26.101 and TS 26.201, annex A.
package enum AMRFrame {
  case narrow, wide

  /// The bytes of a frame by its type, including the first; other types have only that.
  private static let narrowSizes = [13, 14, 16, 18, 20, 21, 27, 32, 6]
  private static let wideSizes = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6]

  package func byteCount(of first: UInt8) -> Int {
    let sizes = self == .narrow ? Self.narrowSizes : Self.wideSizes
    let type = Int(first >> 3 & 0xF)
    return sizes.indices.contains(type) ? sizes[type] : 1
  }

  /// True if a frame is comfort noise (type 8, in AMR-WB 9) or has no data (15).
  package func isPause(_ first: UInt8) -> Bool {
    let type = first >> 3 & 0xF
    return type == 15 || type == (self == .narrow ? 8 : 9)
  }

  /// The bytes at the start of a file, before its frames.
  fileprivate var magic: String { self == .narrow ? "#!AMR\n" : "#!AMR-WB\n" }
}

/// Concatenated AMR files.
///
/// Source: RFC 4867 section 5.1. No frame begins with `#`, whose two lowest bits must be 0 in one.
package enum JoinedAMR {
  /// The byte range of each file; `nil` if there is only one, or the frames of one file do not end at the next file.
  package static func parts(of input: borrowing InputFile) throws(AudioFileError) -> [Range<Int>]? {
    let head = try input.bytes(at: 0, count: 16)
    guard let kind = [AMRFrame.narrow, .wide].first(where: { head.starts(with: $0.magic.utf8) })
    else { return nil }
    let magic = Array(kind.magic.utf8)
    var (starts, position) = ([0], magic.count)
    var window = ReadWindow()
    while position < input.size {
      guard let first = try window.bytes(of: input, at: position, count: 1).first else { break }
      if first == magic[0] {
        guard
          try window.bytes(of: input, at: position, count: magic.count).elementsEqual(magic)
        else { return nil }
        starts.append(position)
        position += magic.count
      } else {
        position += kind.byteCount(of: first)
      }
    }
    return input.parts(startingAt: starts)
  }
}
