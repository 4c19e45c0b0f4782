package import AudioIO
internal import AudioModel
package import SystemPackage

extension AudioFormat.Container {
  package static let wavPack = Self(
    "wavpack", metadata: .ape,
    end: { (input, _, walks) throws(AudioFileError) in
      walks ? try WavPackBlock.end(in: input) : nil
    }, recognizes: { head in head.has("wvpk") })
}

/// Writes a WavPack file: the blocks of libavcodec's encoder, with header values that the encoder does not know.
///
/// These are the length of the file, positions beyond 32 bits, and the depths of 8 and 24 bits. Source: "WavPack 4 &
/// 5 Binary File / Block Format", section 2.
package final class WavPackFile: PacketFile {
  private let path: FilePath
  private let output: OutputCursor
  private let frameCount: Int
  private let bytesPerSample: Int
  private var framesWritten = 0

  private static let headerCount = 32
  /// The flag of the last block of a packet; each block has one or two channels.
  private static let isFinal = 0x1000

  package init(
    _ output: OutputCursor, frameCount: Int, bytesPerSample: Int, path: FilePath
  ) {
    self.path = path
    self.output = output
    self.frameCount = frameCount
    self.bytesPerSample = bytesPerSample
  }

  package func append(_ packet: UnsafeRawBufferPointer) throws(AudioFileError) {
    var bytes = Array(packet)
    var start = 0
    while start < bytes.count {
      guard bytes.count - start >= Self.headerCount,
        bytes[start..<start + 4].elementsEqual("wvpk".utf8),
        case let end = start + 8 + Int(bytes[start + 4..<start + 8].littleEndianValue),
        end <= bytes.count
      else {
        throw .encoderFailed(path, reason: "libavcodec's encoder returned no blocks of WavPack")
      }
      complete(&bytes, at: start)
      start = end
    }
    let isWritten = bytes.withUnsafeBytes { output.write($0) }
    guard isWritten else { throw .cannotWrite(path, output.failure ?? .ioError) }
  }

  /// Completes the header of a block.
  private func complete(_ bytes: inout [UInt8], at start: Int) {
    func put(_ value: Int, at offset: Int, count: Int) {
      bytes.replaceSubrange(
        start + offset..<start + offset + count, with: value.littleEndianBytes(count))
    }
    // All bits set means an unknown length, so this number is skipped, and higher ones are larger by one.
    let total = frameCount + frameCount / 0xFFFF_FFFF
    put(framesWritten >> 32, at: 10, count: 1)
    put(total >> 32, at: 11, count: 1)
    put(total & 0xFFFF_FFFF, at: 12, count: 4)
    put(framesWritten & 0xFFFF_FFFF, at: 16, count: 4)
    var flags = Int(bytes[start + 24..<start + 28].littleEndianValue)
    // The encoder treats 8 bits as 16, and 24 as 32.
    flags = flags & ~3 | (bytesPerSample - 1)
    put(flags, at: 24, count: 4)
    if flags & Self.isFinal != 0 {
      framesWritten += Int(bytes[start + 20..<start + 24].littleEndianValue)
    }
  }

  package func finish() throws(AudioFileError) {
    guard framesWritten == frameCount else {
      throw .encoderFailed(
        path, reason: "libavcodec's encoder returned \(framesWritten) of \(frameCount) frames")
    }
  }
}
