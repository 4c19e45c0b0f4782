/// How the containers store their audio whose headers are read here (``ContainerHeader``).
enum ContainerStorage {
  static func add(
    to facts: inout StorageFacts, _ input: borrowing InputFile, format: AudioFormat
  ) throws(AudioFileError) {
    // The row of an opened file tells extensible WAV apart, whose header is read like any other's.
    let row = format.id == "wavex" ? AudioFormat.named("wav") ?? format : format
    guard let header = try ContainerHeader.read(input, format: row) else { return }
    let byteCount = header.availableBytes(fileSize: input.size)
    facts.audioOffset = header.audioOffset
    facts.audioByteCount = byteCount
    if header.bytesPerFrame != nil { facts.bitRateMode = .constant }
    if let block = blockBytes(header), let frames = header.framesPerBlock, frames > 1 {
      facts.bitRateMode = .constant
      facts.packets = StorageFacts.Packets(
        count: byteCount / block, bytes: block...block, frameCount: frames)
    }
    try addPacketTable(to: &facts, input, header)
  }

  /// The bytes of a block of ADPCM, GSM and the like in WAV (`nBlockAlign`).
  private static func blockBytes(_ header: ContainerHeader) -> Int? {
    guard header.bytesPerFrame == nil, let format = header.waveFormat, format.count >= 14
    else { return nil }
    let order = header.lengthField.isBigEndian
    let size = HeaderBytes(bytes: format, isBigEndian: order).int16(at: 12) ?? 0
    return size > 0 ? size : nil
  }

  /// Adds what CAF's packet table says: packets, frames, and those before and behind the audio.
  ///
  /// Source: Apple, "Core Audio Format Specification 1.0", packet table chunk.
  static func addPacketTable(
    to facts: inout StorageFacts, _ input: borrowing InputFile, _ header: ContainerHeader
  ) throws(AudioFileError) {
    guard let chunk = header.chunks.first(where: { $0.name == "pakt" }) else { return }
    let table = HeaderBytes(
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
