package import AudioIO

/// A block of WavPack, the first of a packet: its header has the number of its first frame.
///
/// Source: "WavPack 4 & 5 Binary File / Block Format", section 2.
package struct WavPackBlock {
  /// The start of the block, in bytes.
  package let offset: Int
  /// The frames of the audio before it.
  package let firstFrame: Int
  private let frameCount: Int
  private let isInitial: Bool
  /// True if it is the last block of its packet.
  private let isFinal: Bool
  private let end: Int

  private static let headerCount = 32
  /// The maximum size of a block, in bytes.
  private static let maximumBytes = 1 << 20
  private static let isInitial = 0x800
  private static let isFinal = 0x1000
  /// The size of a range, in bytes, below which blocks are walked one by one instead of by bisection.
  private static let nearBytes = 1 << 18

  /// The first block of the packet that holds a frame, found by bisection; `nil` if there is none.
  package static func holding(
    _ frame: Int, in input: borrowing InputFile
  ) throws(AudioFileError) -> WavPackBlock? {
    guard var low = try first(from: 0, to: input.size, in: input), low.firstFrame == 0 else {
      return nil
    }
    var high = input.size
    while high - low.offset > nearBytes {
      let middle = low.offset + (high - low.offset) / 2
      if let block = try first(from: middle, to: high, in: input), block.firstFrame <= frame {
        low = block
      } else {
        high = middle
      }
    }
    var next = try WavPackBlock(at: low.end, in: input)
    while let block = next, !block.isInitial || block.firstFrame <= frame {
      if block.isInitial, block.frameCount > 0 { low = block }
      next = try WavPackBlock(at: block.end, in: input)
    }
    return frame < low.firstFrame + low.frameCount ? low : nil
  }

  /// The end of the file's blocks, before the blocks of another file or before other bytes.
  static func end(in input: borrowing InputFile) throws(AudioFileError) -> Int {
    var position = 0
    // True once a packet with frames is complete; no later packet may begin with frame 0.
    var hasPacket = false
    while let block = try WavPackBlock(at: position, in: input) {
      if hasPacket, block.firstFrame == 0, block.frameCount > 0 { break }
      hasPacket = hasPacket || block.isFinal && block.frameCount > 0
      position = block.end
    }
    return position
  }

  /// Returns true if the last block extends past the end of the file.
  package static func isTruncated(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    try end(in: input) > input.size
  }

  /// The first block of a packet in a range of bytes that is followed by another block or by the end.
  private static func first(
    from start: Int, to end: Int, in input: borrowing InputFile
  ) throws(AudioFileError) -> WavPackBlock? {
    var position = start
    while position < end {
      let bytes = try input.bytes(at: position, count: 1 << 16)
      if bytes.count < headerCount { return nil }
      for index in 0..<bytes.count - 3
      where bytes[index] == 0x77 && position + index < end
        && bytes[index + 1] == 0x76 && bytes[index + 2] == 0x70 && bytes[index + 3] == 0x6B
      {
        guard let block = try WavPackBlock(at: position + index, in: input), block.isInitial,
          block.frameCount > 0
        else { continue }
        let follows = try input.bytes(at: block.end, count: 4)
        if follows.count < 4 || follows.elementsEqual("wvpk".utf8) { return block }
      }
      position += bytes.count - 3
    }
    return nil
  }

  /// The block at an offset; `nil` if there is none.
  private init?(at offset: Int, in input: borrowing InputFile) throws(AudioFileError) {
    let bytes = try input.bytes(at: offset, count: Self.headerCount)
    guard bytes.count == Self.headerCount, bytes[0..<4].elementsEqual("wvpk".utf8) else {
      return nil
    }
    func number(_ range: Range<Int>) -> Int { Int(bytes[range].littleEndianValue) }
    let size = number(4..<8)
    guard (24...Self.maximumBytes).contains(size), (0x402...0x410).contains(number(8..<10)) else {
      return nil
    }
    self.offset = offset
    end = offset + 8 + size
    firstFrame = number(16..<20)
    frameCount = number(20..<24)
    isInitial = number(24..<28) & Self.isInitial != 0
    isFinal = number(24..<28) & Self.isFinal != 0
  }
}
