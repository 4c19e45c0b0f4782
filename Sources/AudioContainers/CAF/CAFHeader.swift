package import AudioIO
internal import AudioModel

extension AudioFormat.Container {
  package static let caf = Self(
    "caf", displayName: "CAF", metadata: .caf, header: CAFHeader.read,
    tags: { (input, start, reading) throws(AudioFileError) in
      try ChunkTags.read(input, start + 8..<max(start + 8, input.size), .caf, into: &reading)
    },
    end: { (input, _, _) throws(AudioFileError) in try CAFHeader.end(of: input) },
    // The file header and the header of the first chunk, `desc`, precede the sample rate and the codec.
    codec: { head in head.has("alac", at: 28) ? .alac : nil },
    recognizes: { head in head.has("caff") })
}

/// The header of Apple's Core Audio Format.
///
/// Source: Apple, "Core Audio Format Specification 1.0".
package enum CAFHeader {
  /// The offset of a second file header in place of a chunk; `nil` if there is none.
  static func end(of input: borrowing InputFile) throws(AudioFileError) -> Int? {
    var chunks = ChunkWalker(.caf, from: 8, to: input.size)
    while let chunk = try chunks.next(of: input) {
      if chunk.type == "caff" { return chunk.offset }
      // An interrupted recorder leaves the initial size, and audio may follow.
      if chunk.type == "data", chunk.declaredSize <= 4 { return nil }
      chunks.skip(chunk)
    }
    return nil
  }

  /// Reads the header up to the end of the file, or up to audio of unknown size.
  package static func read(_ input: borrowing InputFile) throws(AudioFileError) -> ContainerHeader {
    var walk = Walk()
    var chunks = ChunkWalker(.caf, from: 8, to: input.size, headByteCount: 64)
    var end: AudioEnd?
    while let chunk = try chunks.next(of: input) {
      if end?.take(chunk, fileSize: input.size) == false { break }
      walk.chunks.append(
        ContainerHeader.ChunkPlace(
          name: chunk.name, offset: chunk.contentOffset, size: chunk.declaredSize))
      if chunk.name == "data", walk.header == nil {
        try walk.takeAudio(input, at: chunk.offset, size: chunk.sizeField)
        end = AudioEnd(.caf, container: "outermost", audio: "data", size: nil, after: 0)
        guard walk.header?.declaredBytes != nil else { break }
      } else {
        try walk.take(input, chunk.head, chunk.name, at: chunk.offset, size: chunk.sizeField)
      }
      chunks.skip(chunk)
    }
    guard var header = walk.finished else {
      if chunks.position > input.size { throw .truncated(input.path, expected: nil, found: nil) }
      throw .malformed(input.path, reason: "no audio (missing desc or data chunk)")
    }
    try end?.check(&header, input, walkedTo: chunks.position)
    return header
  }

  /// True if the file ends before its last chunk does. The audio chunk may have size -1: up to the end.
  package static func isTruncated(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    var chunks = ChunkWalker(.caf, from: 8, to: input.size)
    while let chunk = try chunks.next(of: input) {
      if chunk.sizeField == .max { return false }
      chunks.skip(chunk)
      if chunks.position > input.size { return true }
    }
    // The rest is part of a chunk header.
    return chunks.position < input.size
  }

  private struct Walk {
    var chunks: [ContainerHeader.ChunkPlace] = []
    var header: ContainerHeader?
    private var layout: [UInt8]?
    private var isWrittenByLavf = false
    private var sampleRate: Double?
    private var channelCount: Int?
    private var bytesPerPacket = 0
    private var framesPerPacket = 0
    private var encoding: RawPCM.Encoding?
    private var validFrames: Int?
    private var delay = 0
    private var codedFrames: Int?
    private var encodingID: String?

    mutating func take(
      _ input: borrowing InputFile, _ head: ByteReader, _ name: String, at position: Int,
      size: UInt64
    ) throws(AudioFileError) {
      let content = min(Int(clamping: size), 4096)
      switch name {
      case "desc":
        sampleRate = head.number(at: 12, count: 8).map { Double(bitPattern: $0) }
        channelCount = head.int32(at: 36)
        encodingID = head.type(at: 20)
        bytesPerPacket = head.int32(at: 28) ?? 0
        framesPerPacket = head.int32(at: 32) ?? 0
        encoding = Self.samples(
          encodingID ?? "", flags: head.int32(at: 24) ?? 0, bits: head.int32(at: 40) ?? 0)
      case "chan":
        layout = try input.bytes(at: position + 12, count: content)
      case "info":
        let text = String(
          decoding: try input.bytes(at: position + 12, count: content), as: UTF8.self)
        isWrittenByLavf = text.contains("encoder\0Lavf")
      case "pakt":
        validFrames = head.number(at: 20, count: 8).flatMap { Int(exactly: $0) }
        delay = Int(Int32(bitPattern: head.uint32(at: 28) ?? 0))
        // Some writers leave the remainder at 0.
        codedFrames = head.number(at: 12, count: 8).flatMap { Int(exactly: $0) }.flatMap {
          let (frames, overflows) = $0.multipliedReportingOverflow(by: framesPerPacket)
          return overflows || frames <= 0 ? nil : frames
        }
      default:
        break
      }
    }

    mutating func takeAudio(
      _ input: borrowing InputFile, at position: Int, size: UInt64
    ) throws(AudioFileError) {
      // An edit count of 4 bytes comes first.
      let start = position + 12 + 4
      var declared: Int? = size == UInt64.max ? nil : Int(clamping: size) - 4
      if let count = declared, count <= 0 {
        // An interrupted recorder leaves the initial size.
        let isEmpty = try ChunkWalker.isEndOrChunks(
          input, .caf, from: position + 12 + Int(clamping: size))
        declared = isEmpty ? 0 : nil
      }
      if declared == nil, try input.bytes(at: start, count: 4).elementsEqual("caff".utf8) {
        throw .malformed(input.path, reason: ContainerHeader.repeatedHeader)
      }
      header = ContainerHeader(
        audioOffset: start, declaredBytes: declared, isBigEndian: true)
    }

    var finished: ContainerHeader? {
      guard var header, let channelCount, let sampleRate else { return nil }
      header.channelCount = channelCount
      header.takeRate(sampleRate)
      if framesPerPacket == 1 {
        header.bytesPerFrame = bytesPerPacket
        header.encoding = encoding
      }
      if framesPerPacket != 1 { header.declaredFrames = validFrames }
      header.delay = delay
      header.codedFrames = codedFrames
      header.encodingID = encodingID
      header.framesPerBlock = framesPerPacket
      if framesPerPacket > 1, bytesPerPacket > 0 { header.bytesPerBlock = bytesPerPacket }
      header.coreAudioLayout = layout
      header.isWrittenByLavf = isWrittenByLavf
      header.chunks = chunks
      return header
    }

    /// How samples are stored, by the flags of linear PCM: 1 is floating point, 2 is little-endian. `nil` for codecs, and
    /// for other widths.
    private static func samples(_ encoding: String, flags: Int, bits: Int) -> RawPCM.Encoding? {
      switch encoding {
      case "lpcm":
        RawPCM.Encoding(
          bytesPerSample: bits % 8 == 0 ? bits / 8 : 0, isFloat: flags & 1 != 0,
          isBigEndian: flags & 2 == 0)
      case "alaw": .alaw
      case "ulaw": .ulaw
      default: nil
      }
    }
  }
}
