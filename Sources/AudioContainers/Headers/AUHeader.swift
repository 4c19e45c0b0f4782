package import AudioIO
internal import AudioModel

extension AudioFormat.Container {
  package static let au = Self(
    "au", header: AUHeader.read,
    tags: { (input, start, reading) throws(AudioFileError) in
      try AUHeader.readText(input, at: start, into: &reading)
    },
    end: { _, head, _ in
      let isBigEndian = head.has(".snd")
      let offset = head.number(at: 4, count: 4, isBigEndian: isBigEndian) ?? 0
      return head.end(of: offset, sizeAt: 8, count: 4, isBigEndian: isBigEndian)
    },
    recognizes: { head in head.has(".snd") || head.has("dns.") })
}

/// The header of Sun and NeXT AU, in either byte order.
///
/// Source: NeXT Software, `soundstruct.h`: magic, offset, size (-1 when unknown), encoding, rate, channels.
enum AUHeader {
  /// Reads the text between the header and the audio.
  static func readText(
    _ input: borrowing InputFile, at start: Int, into reading: inout TagReading
  ) throws(AudioFileError) {
    let head = try input.bytes(at: start, count: 16)
    let fields = ByteReader(bytes: head, isBigEndian: head.first == 0x2E)
    let range = 24..<max(24, min(fields.int32(at: 4) ?? 0, input.size))
    let bytes = try input.bytes(at: range.lowerBound, count: min(range.count, 1 << 16))
    var texts = TextDecoder(.info, declared: input.tagEncoding)
    reading.contents.metadata.comments += TextChunks.unnamed(
      texts.string(bytes))
  }

  static func read(_ input: borrowing InputFile) throws(AudioFileError) -> ContainerHeader {
    let bytes = try input.bytes(at: 0, count: 24)
    let head = ByteReader(bytes: bytes, isBigEndian: bytes.first == 0x2E)
    guard let offset = head.int32(at: 4), let size = head.int32(at: 8),
      let encoding = head.int32(at: 12), let rate = head.int32(at: 16),
      let channels = head.int32(at: 20), offset <= input.size
    else { throw .truncated(input.path, expected: nil, found: nil) }
    guard offset >= 24 else {
      throw .malformed(input.path, reason: "the audio offset points into the header")
    }
    let isOpen =
      size == 0xFFFF_FFFF || OpenLength.is32(size) && size > input.size - offset
      // The 32-bit size overflowed.
      || input.size - offset - size >= 1 << 32 || size == 0 && input.size > offset + 8
    var header = ContainerHeader(
      audioOffset: offset, declaredBytes: isOpen ? nil : size, isBigEndian: head.isBigEndian)
    header.channelCount = channels
    header.sampleRate = Double(rate)
    header.encodingID = "\(encoding)"
    header.encoding = samples(encoding, isBigEndian: head.isBigEndian)
    header.bytesPerFrame = header.encoding.flatMap {
      let (product, overflow) = $0.bytesPerSample.multipliedReportingOverflow(by: channels)
      return overflow ? nil : product
    }
    if let bits = codeWidth(encoding) {
      // libsndfile counts an incomplete last block as a full one.
      let bytes = header.availableBytes(fileSize: input.size)
      header.framesPerBlock = adpcmBlockFrames
      header.declaredFrames = bytes.multipliedReportingOverflow(by: 8).partialValue / bits
    }
    if !isOpen {
      try AudioEnd(.iff, container: "AU", audio: "sound", size: nil, after: 0)
        .check(&header, input, walkedTo: offset + size)
    }
    return header
  }

  /// The frames in a block of libsndfile's ADPCM.
  private static let adpcmBlockFrames = 120

  /// Bits of a code of ADPCM, of one channel: ITU-T G.721 and G.723.
  private static func codeWidth(_ encoding: Int) -> Int? {
    switch encoding {
    case 23: 4
    case 25: 3
    case 26: 5
    default: nil
    }
  }

  /// How samples are stored; `nil` for ADPCM.
  private static func samples(_ encoding: Int, isBigEndian: Bool) -> RawPCM.Encoding? {
    switch encoding {
    case 1: .ulaw
    case 2: .s8
    case 3: isBigEndian ? .s16be : .s16le
    case 4: isBigEndian ? .s24be : .s24le
    case 5: isBigEndian ? .s32be : .s32le
    case 6: isBigEndian ? .f32be : .f32le
    case 7: isBigEndian ? .f64be : .f64le
    case 27: .alaw
    default: nil
    }
  }
}
