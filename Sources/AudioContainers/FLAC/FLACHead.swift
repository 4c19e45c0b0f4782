package import AudioIO

extension AudioFormat.Container {
  package static let flac = Self(
    "flac", metadata: .flac, codec: { _ in .flac }, recognizes: { head in head.has("fLaC") })
}

/// The metadata of a native FLAC file: STREAMINFO, and the offset of the audio.
///
/// Source: RFC 9639 sections 8.1 (metadata blocks) and 8.2 (STREAMINFO).
package struct FLACHead: Sendable {
  package let info: FLACStreamInfo
  /// In bytes.
  package let audioOffset: Int

  /// Reads the metadata blocks; `nil` if they are invalid.
  package init?(of input: borrowing InputFile) throws(AudioFileError) {
    var position = try ID3Tag.end(of: input) + 4
    var info: FLACStreamInfo?
    // Every block has at least four bytes, so the size of the file bounds the loop.
    while position < input.size {
      let head = try input.bytes(at: position, count: 4)
      guard head.count == 4 else { return nil }
      let size = Int(head[1...].bigEndianValue)
      if head[0] & 0x7F == 0, info == nil {
        info = FLACStreamInfo(try input.bytes(at: position + 4, count: FLACStreamInfo.byteCount))
      }
      position += 4 + size
      if head[0] & 0x80 != 0 { break }
    }
    guard let info, position < input.size else { return nil }
    self.info = info
    audioOffset = position
  }
}

/// The STREAMINFO block, the first metadata block of a FLAC stream.
package struct FLACStreamInfo: Sendable {
  static let byteCount = 34

  /// PCM frames in the smallest and the largest block, without the last block.
  package let blockFrames: (least: Int, most: Int)
  /// Bytes of the smallest and the largest frame; 0 if unknown.
  package let frameBytes: (least: Int, most: Int)
  /// 0 if unknown.
  package let frameCount: Int

  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount else { return nil }
    func number(_ range: Range<Int>) -> Int { Int(truncatingIfNeeded: bytes[range].bigEndianValue) }
    blockFrames = (number(0..<2), number(2..<4))
    frameBytes = (number(4..<7), number(7..<10))
    frameCount = number(13..<18) & 0xF_FFFF_FFFF
  }
}
