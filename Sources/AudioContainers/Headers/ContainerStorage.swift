package import AudioIO

/// How the containers store their audio whose headers are read here (``ContainerHeader``).
package enum ContainerStorage {
  /// Adds what the header says; `false` for formats whose headers are not read here.
  package static func add(
    to facts: inout StorageFacts, _ input: borrowing InputFile, format: AudioFormat
  ) throws(AudioFileError) -> Bool {
    guard let header = try ContainerHeader.read(input, format: format) else { return false }
    // The header of a file without frames may point anywhere.
    guard header.audioOffset <= input.size else { return true }
    let byteCount = header.availableBytes(fileSize: input.size)
    facts.audioOffset = header.audioOffset
    facts.audioByteCount = byteCount
    // AU's encodings without frames of bytes are ADPCM of so many bits a sample.
    if header.bytesPerFrame != nil || format.container == .au { facts.bitRateMode = .constant }
    if let block = header.bytesPerBlock, block > 0, let frames = header.framesPerBlock, frames > 1 {
      facts.bitRateMode = .constant
      facts.packets = StorageFacts.Packets(
        count: byteCount / block, bytes: block...block, frameCount: frames)
    }
    try addPacketTable(to: &facts, input, header)
    return true
  }

  /// Adds what CAF's packet table says: packets, frames, and those before and behind the audio.
  ///
  /// Source: Apple, "Core Audio Format Specification 1.0", packet table chunk.
  package static func addPacketTable(
    to facts: inout StorageFacts, _ input: borrowing InputFile, _ header: ContainerHeader
  ) throws(AudioFileError) {
    guard let chunk = header.chunks.first(where: { $0.name == "pakt" }) else { return }
    let table = ByteReader(
      bytes: try input.bytes(at: chunk.offset, count: 24), isBigEndian: true)
    guard let count = table.number(at: 0, count: 8).flatMap({ Int(exactly: $0) }),
      let priming = table.uint32(at: 16), let remainder = table.uint32(at: 20)
    else { return }
    if count > 0 {
      var packets = facts.packets ?? StorageFacts.Packets()
      packets.count = packets.count ?? count
      packets.frameCount = header.framesPerBlock.flatMap { $0 > 1 ? $0 : nil }
      facts.packets = packets
    }
    facts.delay = Int(Int32(bitPattern: priming))
    facts.padding = Int(Int32(bitPattern: remainder))
  }
}
