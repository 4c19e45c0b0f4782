/// A part of a file kept in memory, for reading a few bytes at a time in ascending order.
package struct ReadWindow {
  private static let length = 1 << 18
  private var start = 0
  private var bytes: [UInt8] = []

  package init() {}

  /// The bytes of `input` from `offset`, at most `count`, which is small; fewer at its end.
  package mutating func bytes(
    of input: borrowing InputFile, at offset: Int, count: Int
  ) throws(AudioFileError) -> ArraySlice<UInt8> {
    let (end, overflows) = offset.addingReportingOverflow(count)
    guard offset >= 0, !overflows else { return [] }
    if offset < start || end > start + bytes.count {
      start = offset
      bytes = try input.bytes(at: offset, count: max(count, Self.length))
    }
    let from = offset - start
    return bytes[from..<min(from + count, bytes.count)]
  }
}
