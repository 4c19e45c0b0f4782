package import AudioIO
internal import AudioModel

extension AudioFormat.Container {
  package static let aiff = Self(
    "aiff", metadata: .iff, header: IFFHeader.read, tags: readTags, alignment: 2, end: end,
    recognizes: { head in head.has("FORM") && head.has("AIFF", at: 8) })

  package static let aiffC = Self(
    "aiffC", metadata: .iff, header: IFFHeader.read, tags: readTags, alignment: 2, end: end,
    recognizes: { head in head.has("FORM") && head.has("AIFC", at: 8) })

  package static let svx = Self(
    "svx", metadata: .iffTexts, header: IFFHeader.read, tags: readTags, alignment: 2, end: end,
    recognizes: { head in
      head.has("FORM") && (head.has("8SVX", at: 8) || head.has("16SV", at: 8))
    })

  private static let readTags: Tags = { (input, start, reading) throws(AudioFileError) in
    try ChunkTags.read(input, start + 12..<max(start + 12, input.size), .iff, into: &reading)
  }

  private static let end: End = { _, head, _ in
    head.end(of: 8, sizeAt: 4, count: 4, isBigEndian: true)
  }
}

/// The headers of the IFF audio formats: AIFF, AIFF-C, 8SVX, and 16SV.
///
/// Source: Apple, "Audio Interchange File Format AIFF-C", draft of 26 August 1991; Electronic Arts,
/// "8SVX" (1985).
enum IFFHeader {
  static func read(_ input: borrowing InputFile) throws(AudioFileError) -> ContainerHeader {
    var walk = Walk(isWide: try input.bytes(at: 8, count: 4).elementsEqual("16SV".utf8))
    var chunks = ChunkWalker(.iff, from: 12, to: input.size, headByteCount: 40)
    let size = try ByteReader(of: input, isBigEndian: true, at: 4, count: 4).int32(at: 0)
    var end: AudioEnd?
    while let chunk = try chunks.next(of: input) {
      if end?.take(chunk, fileSize: input.size) == false { break }
      let (name, contentSize) = (chunk.name, chunk.declaredSize)
      walk.chunks.append(
        ContainerHeader.ChunkPlace(name: name, offset: chunk.contentOffset, size: contentSize))
      if walk.header == nil, name == "SSND" || name == "BODY" {
        try walk.takeAudio(input, chunk)
        end = AudioEnd(.iff, container: "FORM", audio: name, size: size, after: 8)
        let rest = input.size - chunk.contentOffset
        guard let header = walk.header, let declared = header.declaredBytes, declared <= rest
        else { break }
        // A size that is open says nothing.
        let found = header.audioOffset - chunk.contentOffset + declared
        chunks.skip(chunk, contentSize: contentSize <= rest ? contentSize : found)
        continue
      } else if name == "CHAN" {
        walk.layout = try input.bytes(at: chunk.contentOffset, count: min(contentSize, 4096))
        // FFmpeg writes it first; the specification leaves the order open.
        walk.hasLayoutFirst = walk.chunks.allSatisfy { ["FVER", "CHAN"].contains($0.name) }
      } else {
        walk.take(chunk.head, name)
      }
      chunks.skip(chunk)
    }
    guard var header = walk.finished else {
      if chunks.position > input.size { throw .truncated(input.path, expected: nil, found: nil) }
      throw .malformed(input.path, reason: "no audio (missing sound chunk)")
    }
    try end?.check(&header, input, walkedTo: chunks.position)
    end?.checkPadding(&header, firstUnpadded: chunks.firstUnpadded)
    return header
  }

  private struct Walk {
    let isWide: Bool
    var chunks: [ContainerHeader.ChunkPlace] = []
    var header: ContainerHeader?
    /// True if the layout precedes the other chunks.
    var hasLayoutFirst = false
    var layout: [UInt8]?
    private var channelCount: Int?
    private var sampleRate: Double?
    private var frameCount: Int?
    private var samples: RawPCM.Encoding?
    private var bytesPerFrame: Int?
    private var encodingID: String?
    private var block: (bytes: Int, frames: Int)?

    init(isWide: Bool) { self.isWide = isWide }

    mutating func take(_ head: ByteReader, _ name: String) {
      if name == "VHDR" {
        sampleRate = head.int16(at: 20).map { Double($0) }
        bytesPerFrame = isWide ? 2 : 1
        // Fibonacci delta is 1, exponential delta 2: half a byte per sample.
        encodingID = head.bytes.count > 23 ? "\(head.bytes[23])" : nil
        if encodingID != "0" { bytesPerFrame = nil }
        return
      }
      guard name == "COMM" else { return }
      channelCount = head.int16(at: 8)
      frameCount = head.int32(at: 10)
      sampleRate = head.number(at: 16, count: 2).flatMap { exponent in
        head.number(at: 18, count: 8).map { extended(exponent: exponent, mantissa: $0) }
      }
      let size = head.int32(at: 4) ?? 0
      let encoding = size >= 22 ? head.type(at: 26) ?? "" : "NONE"
      encodingID = encoding
      samples = head.int16(at: 14).flatMap { Self.samples(encoding, bits: $0) }
      if let channelCount, let samples {
        bytesPerFrame = samples.bytesPerSample * channelCount
      } else if let channelCount, let block = Self.block(encoding) {
        self.block = (block.bytes * channelCount, block.frames)
      }
    }

    mutating func takeAudio(
      _ input: borrowing InputFile, _ chunk: ChunkWalker.Found
    ) throws(AudioFileError) {
      let (size, fileSize) = (chunk.declaredSize, input.size)
      // An unfinished file has audio there.
      var isEmpty = false
      if size <= 8 {
        isEmpty = try ChunkWalker.isEndOrChunks(input, .iff, from: chunk.contentOffset + size)
      }
      // SSND begins with an offset to the first frame and a block size, 4 bytes each.
      let offset = chunk.name == "SSND" && !isEmpty ? chunk.head.int32(at: 8) ?? 0 : 0
      let skipped = chunk.name == "SSND" ? 8 + offset : 0
      let isOpenSize = OpenLength.is32(size) || size <= 8
      let there = isOpenSize ? fileSize - chunk.contentOffset : size
      if offset > 0, offset > there - 8 {
        throw .malformed(
          input.path,
          reason:
            "its SSND chunk has \(there) bytes, and names byte \(offset) of its audio as the first")
      }
      let start = chunk.contentOffset + skipped
      var declared: Int? = size - skipped
      if let count = declared {
        let isUnfinished = count <= 0 && !isEmpty && fileSize > start + 8 && (frameCount ?? 0) == 0
        let isOpen = (OpenLength.is32(count) || OpenLength.is32(size)) && count > fileSize - start
        if isUnfinished || isOpen { declared = nil } else { declared = max(0, count) }
      }
      var warning: String?
      if declared == nil, let end = try AudioEnd.trailingChunks(input, .iff, from: start) {
        declared = end - start
        warning = AudioEnd.openSizeWarning(chunk.name, end: end)
      }
      header = ContainerHeader(
        audioOffset: start, declaredBytes: declared, isBigEndian: true)
      header?.warnings += [warning].compactMap(\.self)
    }

    var finished: ContainerHeader? {
      guard var header else { return nil }
      header.channelCount = channelCount
      header.takeRate(sampleRate)
      header.encodingID = encodingID
      header.encoding = samples
      header.bytesPerFrame = bytesPerFrame
      if let bytesPerFrame, bytesPerFrame > 0 {
        header.declaredFrames = frameCount
        if let frameCount, frameCount > 0, let declared = header.declaredBytes,
          case let there = declared / bytesPerFrame, there > frameCount
        {
          header.warnings.append(
            "its header counts \(frameCount) frames, and \(there - frameCount) more in the sound chunk are read, too"
          )
        }
      }
      header.bytesPerBlock = block?.bytes
      header.framesPerBlock = block?.frames
      header.coreAudioLayout = channelCount == nil ? nil : layout
      header.isWrittenByLavf = hasLayoutFirst
      if channelCount == nil, let layout {
        header.svxChannels = ByteReader(bigEndian: layout).int32(at: 0)
      }
      header.chunks = chunks
      return header
    }

    /// The value of an unsigned 80-bit extended number: a 15-bit exponent, and 64 bits with explicit leading 1.
    private func extended(exponent: UInt64, mantissa: UInt64) -> Double {
      guard exponent < 0x7FFF else { return .infinity }
      let value = Double(mantissa)
      let power = Int(exponent) - 16383 - 63
      return power < -1000
        ? 0 : value * Double(sign: .plus, exponent: min(power, 900), significand: 1)
    }

    /// Bytes and frames per block of one channel; `nil` for encodings without blocks of equal size.
    ///
    /// Source: Apple, "Technical Note TN1081" (IMA 4:1); ETSI, "GSM 06.10" in the packing of RFC 3551.
    private static func block(_ encoding: String) -> (bytes: Int, frames: Int)? {
      switch encoding {
      case "ima4": (34, 64)
      case "GSM ": (33, 160)
      default: nil
      }
    }

    /// How samples are stored; `nil` for encodings in packets, and for other widths.
    ///
    /// A width that is not whole bytes is stored in the next wider one, in its upper bits.
    private static func samples(_ encoding: String, bits: Int) -> RawPCM.Encoding? {
      let bytes = (bits + 7) / 8
      return switch encoding {
      case "NONE", "twos", "in24", "in32":
        RawPCM.Encoding(bytesPerSample: bytes, isBigEndian: true)
      case "sowt", "42ni", "23ni": RawPCM.Encoding(bytesPerSample: bytes, isBigEndian: false)
      case "raw " where bytes == 1: .u8
      case "fl32", "FL32": .f32be
      case "fl64", "FL64": .f64be
      case "ulaw", "ULAW": .ulaw
      case "alaw", "ALAW": .alaw
      default: nil
      }
    }
  }
}
