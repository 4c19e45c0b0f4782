package import AudioIO

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
    reading.contents.metadata.comments += TextChunks.unnamed(
      TagText.string(Array(bytes.prefix { $0 != 0 })))
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
      OpenLength.is32(size) && size > input.size - offset
      // The 32-bit size overflowed.
      || input.size - offset - size >= 1 << 32 || size == 0 && input.size > offset + 8
    var header = ContainerHeader(
      audioOffset: offset, declaredBytes: isOpen ? nil : size,
      lengthField: ContainerHeader.LengthField(
        offset: 8, byteCount: 4, isBigEndian: head.isBigEndian, overhead: 0))
    header.channelCount = channels
    header.sampleRate = Double(rate)
    header.encodingID = "\(encoding)"
    header.bytesPerFrame = width(encoding).flatMap {
      let (product, overflow) = $0.multipliedReportingOverflow(by: channels)
      return overflow ? nil : product
    }
    if let bits = codeWidth(encoding) {
      // libsndfile counts an incomplete last block as a full one.
      let bytes = header.availableBytes(fileSize: input.size)
      header.framesPerBlock = adpcmBlockFrames
      header.declaredFrames = bytes.multipliedReportingOverflow(by: 8).partialValue / bits
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

  /// Bytes of one sample; `nil` for ADPCM.
  private static func width(_ encoding: Int) -> Int? {
    switch encoding {
    case 1, 2, 27: 1
    case 3: 2
    case 4: 3
    case 5, 6: 4
    case 7: 8
    default: nil
    }
  }
}
