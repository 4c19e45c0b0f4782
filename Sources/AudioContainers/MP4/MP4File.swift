package import AudioIO
internal import AudioModel
package import SystemPackage

extension AudioFormat.Container {
  package static let mp4 = Self(
    "mp4", metadata: .mp4,
    tags: { (input, start, reading) throws(AudioFileError) in
      guard let movie = try MP4Index(input, ifAt: start) else { return }
      try reading.contents.complete(
        with: movie, of: input, sampleRate: reading.sampleRate, delay: reading.delay)
    },
    end: { (input, _, _) throws(AudioFileError) in try MP4Box.endOfFirstFile(in: input) },
    recognizes: { head in
      ["ftyp", "moov", "mdat", "free", "wide", "skip"].contains { head.has($0, at: 4) }
    })

  /// The container of a file whose boxes were walked already.
  package static func mp4(of movie: MP4Index) -> Self {
    Self(
      "mp4", metadata: .mp4,
      tags: { (input, _, reading) throws(AudioFileError) in
        try reading.contents.complete(
          with: movie, of: input, sampleRate: reading.sampleRate, delay: reading.delay)
      })
  }
}

/// Writes an M4A file: the movie box first, so that a streaming player knows everything before the audio, then
/// the chapter titles and the packets.
///
/// The size of the movie box follows from the number of packets, so its space is reserved at the start.
/// libavformat is not used because it rounds chapters to milliseconds, copies the whole file to move the movie
/// box to the front, and needs at least 64 bytes of memory per packet.
package final class MP4File: PacketFile {
  private let path: FilePath
  private let output: OutputCursor
  private var movie: MP4Movie
  private let movieOffset: Int
  private let movieRoom: Int
  private let mediaOffset: Int
  private var packetSizes: [UInt32] = []

  /// Two 8-byte headers, of free space and media up to 4 GiB, or one header of larger media.
  private static let mediaHeaderSize = 16

  /// `brand` is the major brand: `M4A ` or `M4B `.
  package init(
    _ output: OutputCursor, brand: String, movie: MP4Movie, path: FilePath
  ) throws(AudioFileError) {
    self.path = path
    self.output = output
    self.movie = movie
    var head = ByteWriter()
    head.box("ftyp") { box in
      box.append(brand)
      box.append32(0)
      for compatible in [brand, "mp42", "isom"] { box.append(compatible) }
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
        path,
        reason: "it produced \(packetSizes.count) packets instead of \(movie.stream.packetCount)")
    }
    let end = output.position
    let bytes = movie.bytes(packetSizes: packetSizes)
    guard bytes.count == movieRoom, end <= 0xFFFF_FFFF || movie.stream.maximumBytes > 0xF000_0000
    else { throw .encoderFailed(path, reason: "its packets are larger than the maximum") }
    try write(bytes, at: movieOffset)
    try write(Self.mediaHeader(size: end - mediaOffset), at: mediaOffset)
  }

  /// The header of the media; `size` includes the header.
  private static func mediaHeader(size: Int) -> [UInt8] {
    var header = ByteWriter()
    if size - 8 <= 0xFFFF_FFFF {
      header.box("free") { _ in }
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
