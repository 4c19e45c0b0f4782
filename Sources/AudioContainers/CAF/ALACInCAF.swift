package import AudioIO
internal import AudioModel
package import SystemPackage

/// Writes a CAF file of ALAC packets.
///
/// Source: Apple, "Core Audio Format Specification 1.0".
package final class ALACInCAF: PacketFile {
  private let path: FilePath
  private let output: OutputCursor
  private let stream: PacketStream
  private let dataStart: Int
  /// The content of the packet table: the size of each packet in 7-bit groups.
  private var sizes = ByteWriter()
  private var packetCount = 0

  package init(
    _ output: OutputCursor, stream: PacketStream, path: FilePath
  ) throws(AudioFileError) {
    self.path = path
    self.output = output
    self.stream = stream
    let header = Self.header(stream)
    dataStart = header.count
    try write(header)
  }

  package func append(_ packet: UnsafeRawBufferPointer) throws(AudioFileError) {
    guard output.write(packet) else { throw .cannotWrite(path, output.failure ?? .ioError) }
    for place in (0..<5).reversed() {
      let rest = packet.count >> (7 * place)
      if rest > 0 || place == 0 { sizes.append8(rest & 0x7F | (place > 0 ? 0x80 : 0)) }
    }
    packetCount += 1
  }

  package func finish() throws(AudioFileError) {
    guard packetCount == stream.packetCount else {
      throw .encoderFailed(
        path, reason: "it produced \(packetCount) packets instead of \(stream.packetCount)")
    }
    let end = output.position
    var table = ByteWriter()
    table.appendCAFChunkHeader("pakt", size: 24 + sizes.bytes.count)
    table.append64(packetCount)
    table.append64(stream.frameCount)
    table.append32(0)
    table.append32(packetCount * stream.framesPerPacket - stream.frameCount)
    try write(table.bytes)
    try write(sizes.bytes)
    guard output.seek(to: dataStart - 12) else { throw .cannotWrite(path, .ioError) }
    var size = ByteWriter()
    size.append64(end - dataStart + 4)
    try write(size.bytes)
    _ = output.seek(to: end + table.bytes.count + sizes.bytes.count)
  }

  private func write(_ bytes: [UInt8]) throws(AudioFileError) {
    guard bytes.withUnsafeBytes({ output.write($0) }) else {
      throw .cannotWrite(path, output.failure ?? .ioError)
    }
  }

  /// Everything up to the first packet.
  private static func header(_ stream: PacketStream) -> [UInt8] {
    let channels = stream.spec.channelCount
    var bytes = ByteWriter()
    bytes.append("caff")
    bytes.append16(1)
    bytes.append16(0)
    bytes.appendCAFChunkHeader("desc", size: 32)
    bytes.append64(Int(bitPattern: UInt(Double(stream.spec.sampleRate).bitPattern)))
    bytes.append("alac")
    // The flags give the bit depth of the source: 1 is 16 bits, 3 is 24 bits.
    bytes.append32(stream.bitDepth > 16 ? 3 : 1)
    bytes.append32(0)
    bytes.append32(stream.framesPerPacket)
    bytes.append32(channels)
    bytes.append32(0)
    bytes.appendCAFChunkHeader("chan", size: 12)
    ALACConfiguration.putLayout(channelCount: channels, &bytes)
    bytes.appendCAFChunkHeader("kuki", size: channels > 2 ? 48 : 24)
    bytes.append(stream.configuration)
    if channels > 2 {
      bytes.box("chan", version: 0) {
        ALACConfiguration.putLayout(channelCount: channels, &$0)
      }
    }
    bytes.appendCAFChunkHeader("data", size: 0)
    bytes.append32(0)
    return bytes.bytes
  }
}
