internal import AudioContainers

/// A header of RF64 made anew for audio that libsndfile would not find: it reads no more of WAV than a 32-bit
/// size can say, and stumbles over chunks of odd length and tables of sizes in RF64.
extension ContainerHeader {
  /// The audio behind a plain RF64 header; `nil` for encodings in blocks, and for other containers.
  ///
  /// Source: EBU Tech 3306, section 3.
  func canonicalRF64(fileSize: Int) -> SndFileView? {
    guard let waveFormat, waveFormat.count >= 16, !lengthField.isBigEndian,
      let bytesPerFrame, bytesPerFrame > 0
    else { return nil }
    var bytes = availableBytes(fileSize: fileSize)
    bytes -= bytes % bytesPerFrame
    let head = Self.rf64Head(format: waveFormat, bytes: bytes, frames: bytes / bytesPerFrame)
    // The bytes that it is shown in place of must be there.
    guard head.count <= fileSize else { return nil }
    return SndFileView(
      ranges: [0..<head.count, audioOffset..<audioOffset + bytes],
      patches: [HeaderPatch(offset: 0, bytes: head)])
  }

  private static func rf64Head(format: [UInt8], bytes: Int, frames: Int) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let open = number(0xFFFF_FFFF, 4)
    let fmt = Array("fmt ".utf8) + number(format.count, 4) + format
    let sizes =
      number(bytes + 12 + 36 + fmt.count, 8) + number(bytes, 8) + number(frames, 8) + number(0, 4)
    return Array("RF64".utf8) + open + Array("WAVEds64".utf8) + number(sizes.count, 4) + sizes + fmt
      + Array("data".utf8) + open
  }
}
