package import AudioIO

/// The blocks of a Creative Voice file (VOC) that libavformat leaves out: silence, and repetition.
///
/// Each block begins with its type and 24 bits of size. A block of silence (type 3) has 16 bits of length, less 1, and a
/// rate of `1,000,000 / (256 - byte)` Hz; a block of type 6 repeats those up to the next of type 7.
///
/// Source: Creative Labs, "Creative Voice (VOC) file format".
package struct VOCBlocks: Sendable {
  /// A pause between blocks of samples.
  package struct Silence: Sendable {
    /// The offset of its block in the file.
    package let offset: Int
    package let seconds: Double
  }

  /// The pauses, in the order of the file.
  package private(set) var silences: [Silence] = []
  /// True if parts are to be repeated.
  package private(set) var repeats = false
  /// The maximum number of blocks to read.
  private static let maximumCount = 1 << 20

  /// Walks the blocks of `input`.
  package init(of input: borrowing InputFile) throws(AudioFileError) {
    let head = try input.bytes(at: 0, count: 26)
    guard head.count == 26, head.starts(with: "Creative Voice File".utf8) else { return }
    var window = ReadWindow()
    var offset = Int(head[20..<22].littleEndianValue)
    for _ in 0..<Self.maximumCount {
      let block = try window.bytes(of: input, at: offset, count: 7)
      guard block.count >= 4, let type = block.first, type != 0 else { return }
      let content = block.dropFirst(4)
      if type == 3, content.count == 3, let rate = content.last {
        let count = Int(content.prefix(2).littleEndianValue) + 1
        silences.append(
          Silence(offset: offset, seconds: Double(count * (256 - Int(rate))) / 1_000_000))
      }
      if type == 6 { repeats = true }
      offset += 4 + Int(block.dropFirst().prefix(3).littleEndianValue)
    }
  }
}
