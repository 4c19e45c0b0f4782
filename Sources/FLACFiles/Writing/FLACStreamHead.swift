internal import AudioIO
internal import CDigests
internal import SystemPackage

/// The parts of a FLAC file's beginning that are known only at its end: the stream information and
/// the seek table.
///
/// Source: RFC 9639 sections 8.2 and 8.5.
struct FLACStreamHead {
  /// After `fLaC` and the header of the block.
  private static let informationOffset = 8
  private static let informationLength = 34
  private static let seekTableType: UInt8 = 3
  private static let pointLength = 18
  /// The frame number of a placeholder point.
  private static let placeholder = [UInt8](repeating: 0xFF, count: 8)

  private let blockFrames: Int
  private let frameCount: Int
  /// The target frames of the seek table, in ascending order.
  private let targets: [Int]
  private var nextTarget = 0
  private var points: [UInt8] = []
  private var pointCount = 0
  private var encodedFrames = 0
  private var bytesSoFar = 0
  private var smallest = Int.max
  private var largest = 0

  /// Reads the target frames from the metadata that libFLAC has written to `output`.
  init(_ output: OutputCursor, blockFrames: Int, frameCount: Int) {
    self.blockFrames = blockFrames
    self.frameCount = frameCount
    targets = Self.targets(in: output)
  }

  private static func targets(in output: OutputCursor) -> [Int] {
    let start = informationOffset + informationLength
    guard let head = output.bytes(at: start, count: 4), head[0] & 0x7F == seekTableType
    else { return [] }
    let length = Int(head[1...].bigEndianValue)
    guard let table = output.bytes(at: start + 4, count: length) else { return [] }
    return stride(from: 0, to: table.count, by: pointLength).compactMap { offset in
      let number = table[offset..<offset + 8]
      return number.elementsEqual(placeholder)
        ? nil : Int(number.bigEndianValue)
    }
  }

  /// Counts the next encoded frame of the stream, of `size` bytes.
  mutating func count(frameOfBytes size: Int) {
    let first = encodedFrames * blockFrames
    let end = min(first + blockFrames, frameCount)
    if nextTarget < targets.count, targets[nextTarget] < end {
      addPoint(first, bytesSoFar, frames: end - first)
      while nextTarget < targets.count, targets[nextTarget] < end { nextTarget += 1 }
    }
    encodedFrames += 1
    bytesSoFar += size
    smallest = min(smallest, size)
    largest = max(largest, size)
  }

  private mutating func addPoint(_ first: Int, _ offset: Int, frames: Int) {
    points += first.bigEndianBytes(8) + offset.bigEndianBytes(8)
    points += frames.bigEndianBytes(2)
    pointCount += 1
  }

  /// Writes the final values; `false` on failure.
  func write(to output: OutputCursor, digest: [UInt8]) -> Bool {
    guard var information = output.bytes(at: Self.informationOffset, count: Self.informationLength)
    else { return false }
    if encodedFrames > 0 {
      information.replaceSubrange(
        4..<10, with: smallest.bigEndianBytes(3) + largest.bigEndianBytes(3))
    }
    // The frame count has 36 bits; the byte with its upper 4 bits also holds part of the bit depth.
    information[13] = information[13] & 0xF0 | UInt8(truncatingIfNeeded: frameCount >> 32) & 0x0F
    information.replaceSubrange(14..<18, with: frameCount.bigEndianBytes(4))
    information.replaceSubrange(18..<34, with: digest)
    let unused = targets.count - pointCount
    let table =
      points
      + (0..<unused).flatMap { _ in Self.placeholder + [UInt8](repeating: 0, count: 10) }
    return output.write(information, at: Self.informationOffset)
      && output.write(table, at: Self.informationOffset + Self.informationLength + 4)
  }

}

extension OutputCursor {
  /// The bytes already written at an offset; `nil` on failure.
  fileprivate func bytes(at offset: Int, count: Int) -> [UInt8]? {
    let before = position
    defer { _ = seek(to: before) }
    var bytes = [UInt8](repeating: 0, count: count)
    guard seek(to: offset) else { return nil }
    let read = bytes.withUnsafeMutableBytes { self.read(into: $0) }
    return read == count ? bytes : nil
  }

  /// Writes at an offset; `false` on failure.
  fileprivate func write(_ bytes: [UInt8], at offset: Int) -> Bool {
    seek(to: offset) && bytes.withUnsafeBytes { write($0) }
  }
}
