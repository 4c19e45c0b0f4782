package import AudioIO

extension AudioFormat.Container {
  package static let flac = Self(
    "flac", metadata: .flac, codec: { _ in .flac }, recognizes: { head in head.has("fLaC") })
}

/// Describes how native FLAC stores its audio.
///
/// Source: RFC 9639 sections 8.1 (metadata blocks) and 8.2 (STREAMINFO).
package enum FLACStorage {
  /// Reads the metadata blocks of a stream with `frameCount` frames.
  package static func describe(
    of input: borrowing InputFile, frameCount: Int
  ) throws(AudioFileError) -> StorageDescription {
    var storage = StorageDescription(container: "FLAC")
    guard let head = try FLACHead(of: input) else { return storage }
    storage.audioOffset = head.audioOffset
    storage.audioByteCount = input.size - head.audioOffset
    storage.bitRateMode = .variable
    head.info.add(to: &storage, frameCount: frameCount)
    return storage
  }
}

/// The metadata of a native FLAC file: STREAMINFO, and the offset of the audio.
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
  let bitDepth: Int
  /// 0 if unknown.
  package let frameCount: Int
  /// All zeros if there is none.
  let md5: [UInt8]

  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount else { return nil }
    func number(_ range: Range<Int>) -> Int { Int(truncatingIfNeeded: bytes[range].bigEndianValue) }
    blockFrames = (number(0..<2), number(2..<4))
    frameBytes = (number(4..<7), number(7..<10))
    bitDepth = (number(12..<14) >> 4 & 0x1F) + 1
    frameCount = number(13..<18) & 0xF_FFFF_FFFF
    md5 = Array(bytes[18..<34])
  }

  /// Adds the block's values to the description of a stream with `frameCount` frames.
  func add(to storage: inout StorageDescription, frameCount: Int) {
    storage.bitDepth = bitDepth
    var packets = storage.packets ?? StorageDescription.Packets()
    if blockFrames.least == blockFrames.most, blockFrames.most > 0 {
      packets.frameCount = blockFrames.most
      if packets.count == nil, frameCount > 0 {
        packets.count = (frameCount - 1) / blockFrames.most + 1
      }
    }
    if packets.bytes == nil, frameBytes.least > 0, frameBytes.least <= frameBytes.most {
      packets.bytes = frameBytes.least...frameBytes.most
    }
    storage.packets = packets
    if md5.contains(where: { $0 != 0 }) {
      storage.declaredMD5 = md5.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}
