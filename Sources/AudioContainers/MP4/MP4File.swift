package import AudioIO
internal import AudioModel
package import SystemPackage

/// Writes an M4A file: the movie atom first, so that a player of a stream knows all before the audio
/// comes, then the chapters' titles and the packets.
///
/// Room for the movie atom is left at the start; its size is known from the number of packets. It is
/// built here rather than by libavformat, whose chapters are rounded to milliseconds, which can put the
/// movie atom in front only by copying the file, and which keeps at least 64 bytes in memory for each
/// packet.
package final class MP4File: PacketFile {
  package var storesTagsInChunks: Bool { false }
  private let path: FilePath
  private let output: OutputCursor
  private var movie: MovieAtom
  private let movieOffset: Int
  private let movieRoom: Int
  private let mediaOffset: Int
  private var packetSizes: [UInt32] = []

  /// Two headers of 8 bytes: free space and media of up to 4 GiB, or one header of larger media.
  private static let mediaHeaderSize = 16

  /// `brand` is what the file is foremost: `M4A ` or `M4B `.
  package init(
    _ output: OutputCursor, brand: String, movie: MovieAtom, path: FilePath
  ) throws(AudioFileError) {
    self.path = path
    self.output = output
    self.movie = movie
    var head = ByteWriter()
    head.atom("ftyp") { atom in
      atom.append(brand)
      atom.append32(0)
      for compatible in [brand, "mp42", "isom"] { atom.append(compatible) }
    }
    movieOffset = head.bytes.count
    movieRoom = movie.byteCount
    mediaOffset = movieOffset + movieRoom
    let text = movie.chapters.textSamples.flatMap(\.self)
    self.movie.textOffset = mediaOffset + Self.mediaHeaderSize
    self.movie.audioOffset = self.movie.textOffset + text.count
    try write(head.bytes, at: 0)
    try write(text, at: self.movie.textOffset)
  }

  package func append(_ packet: UnsafeRawBufferPointer) throws(AudioFileError) {
    guard output.write(packet) else { throw .cannotWrite(path, output.failure ?? .ioError) }
    packetSizes.append(UInt32(clamping: packet.count))
  }

  package func finish() throws(AudioFileError) {
    guard packetSizes.count == movie.stream.packetCount else {
      throw .encoderFailed(
        path, reason: "it made \(packetSizes.count) packets, not \(movie.stream.packetCount)")
    }
    let end = output.position
    let bytes = movie.bytes(packetSizes: packetSizes)
    guard bytes.count == movieRoom, end <= 0xFFFF_FFFF || movie.stream.mostBytes > 0xF000_0000
    else { throw .encoderFailed(path, reason: "its packets are larger than they can be") }
    try write(bytes, at: movieOffset)
    try write(Self.mediaHeader(size: end - mediaOffset), at: mediaOffset)
  }

  /// The header of the media, for the size of header and media together.
  private static func mediaHeader(size: Int) -> [UInt8] {
    var header = ByteWriter()
    if size - 8 <= 0xFFFF_FFFF {
      header.atom("free") { _ in }
      header.append32(size - 8)
      header.append("mdat")
    } else {
      header.append32(1)
      header.append("mdat")
      header.append64(size)
    }
    return header.bytes
  }

  private func write(_ bytes: [UInt8], at position: Int) throws(AudioFileError) {
    guard output.seek(to: position), bytes.withUnsafeBytes({ output.write($0) }) else {
      throw .cannotWrite(path, output.failure ?? .ioError)
    }
  }
}
