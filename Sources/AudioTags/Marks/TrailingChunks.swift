package import AudioContainers
package import AudioIO
internal import SystemPackage

/// Chunks put behind those of a finished RIFF, RF64, IFF or CAF file.
package enum TrailingChunks {
  /// Appends chunks and says so in the container's header.
  ///
  /// `false`, with nothing written, where the header's 32 bits cannot count them.
  package static func append(
    _ chunks: [Chunk], to file: borrowing InputFile
  ) throws(AudioFileError) -> Bool {
    let head = try file.bytes(at: 0, count: 28)
    let isIFF = head.starts(with: Array("FORM".utf8))
    let isCAF = head.starts(with: Array("caff".utf8))
    let isLarge = head.starts(with: Array("RF64".utf8))
    // What comes behind an odd chunk begins at an even byte, except in CAF.
    var bytes: [UInt8] = isCAF || file.size % 2 == 0 ? [] : [0]
    for chunk in chunks {
      let size = chunk.content.count
      bytes += Array(chunk.name.utf8)
      if isCAF {
        bytes += size.bigEndianBytes(8)
      } else {
        bytes += isIFF ? size.bigEndianBytes(4) : size.littleEndianBytes(4)
      }
      bytes += chunk.content
      if !isCAF, size % 2 == 1 { bytes.append(0) }
    }
    let total = file.size + bytes.count - 8
    if !isCAF, !isLarge, total > Int(UInt32.max) { return false }
    try write(bytes, at: file.size, to: file)
    if isLarge {
      // RF64: the size stands in the `ds64` chunk, behind its own header (EBU Tech 3306).
      try write(total.littleEndianBytes(8), at: 20, to: file)
    } else if !isCAF {
      let size = total.bigEndianBytes(4)
      try write(isIFF ? size : size.reversed(), at: 4, to: file)
    }
    return true
  }

  private static func write(
    _ bytes: [UInt8], at offset: Int, to file: borrowing InputFile
  ) throws(AudioFileError) {
    do {
      try file.descriptor.writeAll(toAbsoluteOffset: Int64(offset), bytes)
    } catch {
      throw .cannotWrite(file.path, error as? Errno ?? .ioError)
    }
  }
}
