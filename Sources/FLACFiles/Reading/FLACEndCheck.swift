internal import AudioContainers
package import AudioIO
internal import SystemPackage

/// A check that the last frame of a native FLAC file is the last declared one, without decoding.
///
/// Source: RFC 9639 sections 9.1 (frame header) and 9.3 (checksum).
package enum FLACEndCheck {
  /// How many bytes at the end are searched if the header does not state the maximum frame size.
  private static let reach = 1 << 20
  /// Maximum length of a frame header in bytes.
  private static let longestHeader = 16

  /// Throws if frames are found near the end, but the last declared frame is not complete among
  /// them, or if more follow it.
  package static func check(_ input: borrowing InputFile) throws(AudioFileError) {
    guard let head = try FLACHead(of: input), head.info.frameCount > 0 else { return }
    let most = head.info.frameBytes.most
    // Tags of other formats may follow the audio.
    let count = most > 0 ? 2 * most + 4096 : reach
    let start = max(head.audioOffset, input.size - count)
    let bytes = try input.bytes(at: start, count: input.size - start)
    var lastEnd = 0
    var isComplete = false
    var ends: Set<Int> = []
    for offset in bytes.indices where bytes[offset] == 0xFF {
      guard let frame = extent(bytes[offset...], head.info) else { continue }
      ends.insert(frame.upperBound)
      if frame.upperBound > head.info.frameCount {
        // A single header beyond the end may be chance.
        guard ends.contains(frame.lowerBound), isWhole(bytes[offset...]) else { continue }
        throw .malformed(
          input.path, reason: "it contains more than the \(head.info.frameCount) frames it declares"
        )
      }
      if frame.upperBound == head.info.frameCount {
        if isWhole(bytes[offset...]) {
          isComplete = true
          continue
        }
        lastEnd = max(lastEnd, frame.lowerBound)
      } else {
        lastEnd = max(lastEnd, frame.upperBound)
      }
    }
    guard lastEnd > 0, !isComplete else { return }
    throw .truncated(input.path, expected: head.info.frameCount, found: nil)
  }

  /// The position after the last frame near the end; `nil` if there is none.
  static func lastPosition(in input: borrowing InputFile) throws(AudioFileError) -> Int? {
    guard let head = try FLACHead(of: input) else { return nil }
    let start = max(head.audioOffset, input.size - reach)
    let bytes = try input.bytes(at: start, count: input.size - start)
    for offset in bytes.indices.reversed() where bytes[offset] == 0xFF {
      guard let frame = extent(bytes[offset...], head.info), isWhole(bytes[offset...]) else {
        continue
      }
      return frame.upperBound
    }
    return nil
  }

  /// The position of the first pair of frames that follows an offset; `nil` if there is none near it.
  static func position(
    after offset: Int, in input: borrowing InputFile, _ info: FLACStreamInfo
  ) throws(AudioFileError) -> Int? {
    let most = info.frameBytes.most
    let bytes = try input.bytes(at: offset, count: min(most > 0 ? 4 * most : reach / 8, reach))
    // A single header may be chance.
    var starts: [Int: Int] = [:]
    for index in bytes.indices where bytes[index] == 0xFF {
      guard let frame = extent(bytes[index...], info) else { continue }
      if let start = starts[frame.lowerBound] { return start }
      starts[frame.upperBound] = frame.lowerBound
    }
    return nil
  }

  /// The audio frames in the FLAC frame whose header is at the start of `bytes`; `nil` if there is
  /// none.
  private static func extent(_ bytes: ArraySlice<UInt8>, _ info: FLACStreamInfo) -> Range<Int>? {
    // A whole frame of silence may be shorter than the longest header.
    var head = Array(bytes.prefix(longestHeader))
    head += Array(repeating: 0, count: longestHeader - head.count)
    let isFixed = info.blockFrames.least == info.blockFrames.most
    guard head[1] == (isFixed ? 0xF8 : 0xF9), head[2] & 15 != 15,
      head[3] & 1 == 0
    else { return nil }
    let codeLength = FLACFrameNumber.codeLength(head[4])
    guard codeLength <= 7 else { return nil }
    var number = codeLength == 1 ? Int(head[4]) : Int(head[4]) & (0x7F >> codeLength)
    for byte in head[5..<4 + codeLength] { number = number << 6 | Int(byte & 0x3F) }
    var position = 4 + codeLength
    let code = Int(head[2] >> 4)
    let frames: Int
    switch code {
    case 1: frames = 192
    case 2...5: frames = 576 << (code - 2)
    case 6:
      frames = Int(head[position]) + 1
      position += 1
    case 7:
      frames = Int(head[position..<position + 2].bigEndianValue) + 1
      position += 2
    case 8...15: frames = 256 << (code - 8)
    default: return nil
    }
    position += head[2] & 15 == 12 ? 1 : head[2] & 15 > 12 ? 2 : 0
    guard position < bytes.count, FLACFrameNumber.checksum8(head[..<position]) == head[position]
    else { return nil }
    let (start, overflows) = number.multipliedReportingOverflow(
      by: isFixed ? info.blockFrames.most : 1)
    return overflows || start > Int.max / 2 ? nil : start..<start + frames
  }

  /// True if `bytes` begin with a frame that has a valid checksum; anything may follow it.
  private static func isWhole(_ bytes: ArraySlice<UInt8>) -> Bool {
    var checksum: UInt16 = 0
    for (index, byte) in bytes.enumerated() {
      checksum = FLACFrameNumber.adding(byte, to: checksum)
      if checksum == 0, index > 5 { return true }
    }
    return false
  }
}
