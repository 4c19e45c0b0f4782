package import AudioIO
package import AudioModel
internal import SystemPackage

extension AudioFormat.Container {
  package static let wav = Self(
    "wav", metadata: .riff, header: RIFFHeader.read, tags: ChunkTags.readRIFF, alignment: 2,
    end: { _, head, _ in
      head.end(of: 8, sizeAt: 4, count: 4, isBigEndian: head.has("RIFX"))
    },
    recognizes: { head in (head.has("RIFF") || head.has("RIFX")) && head.has("WAVE", at: 8) })

  package static let rf64 = Self(
    "rf64", metadata: .riff, header: RIFFHeader.read, tags: ChunkTags.readRIFF, alignment: 2,
    end: { _, head, _ in
      guard head.has("ds64", at: 12) else { return nil }
      return head.end(of: 8, sizeAt: 20, count: 8, isBigEndian: false)
    },
    recognizes: { head in (head.has("RF64") || head.has("BW64")) && head.has("WAVE", at: 8) })

  /// RIFF with other content, such as AVI, recognized by FFmpeg's libraries.
  package static let riff = Self(
    "riff", tags: ChunkTags.readRIFF, recognizes: { head in head.has("RIFF") })
}

/// The headers of WAV: RIFF, its big-endian twin RIFX, and RF64 for more than 4 GiB.
///
/// Source: IBM and Microsoft, "Multimedia Programming Interface and Data Specifications 1.0" (1991);
/// EBU Tech 3306 (RF64).
package enum RIFFHeader {
  static func read(_ input: borrowing InputFile) throws(AudioFileError) -> ContainerHeader {
    let opening = try input.bytes(at: 0, count: 12)
    let isBigEndian = opening.starts(with: Array("RIFX".utf8))
    var walk = Walk(path: input.path, isBigEndian: isBigEndian)
    var chunks = ChunkWalker(
      isBigEndian ? .riffBigEndian : .riff, from: 12, to: input.size, headByteCount: 8 + 40)
    var end: AudioEnd?
    while let chunk = try chunks.next(of: input) {
      if end?.take(chunk, fileSize: input.size) == false { break }
      walk.chunks.append(
        ContainerHeader.ChunkPlace(
          name: placeName(of: chunk), offset: chunk.contentOffset, size: chunk.declaredSize))
      if chunk.name == "data", walk.header == nil {
        try walk.takeData(input, at: chunk.offset, size: chunk.declaredSize)
        end = AudioEnd(
          isBigEndian ? .riffBigEndian : .riff, container: "RIFF", audio: "data",
          size: walk.fileSize(stated: opening), after: 8)
        guard let declared = walk.header?.declaredBytes,
          declared <= input.size - chunk.contentOffset
        else { break }
        chunks.skip(chunk, contentSize: declared)
      } else {
        walk.take(chunk.name, chunk.head, size: chunk.declaredSize)
        chunks.skip(chunk)
      }
    }
    var header = try walk.finish(wasCut: chunks.position > input.size)
    try end?.check(&header, input, walkedTo: chunks.position)
    end?.checkPadding(&header, firstUnpadded: chunks.firstUnpadded)
    return header
  }

  /// The name of a chunk, for a list with its type: `LIST adtl`. Field recorders write both in lower case.
  private static func placeName(of chunk: ChunkWalker.Found) -> String {
    guard chunk.name == "LIST" || chunk.name == "list" else { return chunk.name }
    let type = chunk.head.text(at: 8) ?? ""
    return
      "LIST \(type.uppercased() == "INFO" ? "INFO" : type.lowercased() == "adtl" ? "adtl" : type)"
  }

  /// True if the file ends before one of its RIFF chunks does; AVI files above 1 GB have several.
  package static func isTruncated(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    var chunks = ChunkWalker(.riff, from: 0, to: input.size)
    while let chunk = try chunks.next(of: input), chunk.name == "RIFF" {
      if chunk.declaredSize == 0 || chunk.declaredSize >= 0xFFFF_FFFF { return false }
      chunks.skip(chunk)
      if chunk.contentOffset + chunk.declaredSize > input.size { return true }
    }
    return false
  }

  /// The values found so far.
  private struct Walk {
    let path: FilePath
    let isBigEndian: Bool
    private var grammar: ChunkWalker.Grammar { isBigEndian ? .riffBigEndian : .riff }
    var chunks: [ContainerHeader.ChunkPlace] = []
    var header: ContainerHeader?
    /// The content of the `fmt ` chunk.
    private var format: [UInt8] = []
    private var channelCount: Int?
    private var sampleRate: Int?
    private var encoding: RawPCM.Encoding?
    private var bytesPerFrame: Int?
    private var framesPerBlock: Int?
    private var bytesPerBlock: Int?
    private var bitsPerSample: Int?
    private var mask: UInt32?
    private var encodingID: String?
    private var factFrames: Int?
    private var hasFurtherFormat = false
    /// The size of the audio, from RF64's `ds64` chunk.
    private var largeSize: UInt64?
    /// The size of the file after its first 8 bytes, from the same chunk.
    private var largeFileSize: UInt64?

    init(path: FilePath, isBigEndian: Bool) {
      self.path = path
      self.isBigEndian = isBigEndian
    }

    mutating func take(_ name: String, _ head: ByteReader, size: Int) {
      switch name {
      case "fmt " where channelCount != nil: hasFurtherFormat = true
      case "fmt ":
        channelCount = head.int16(at: 10)
        format = Array(head.bytes.dropFirst(8).prefix(min(size, 40)))
        sampleRate = head.int32(at: 12)
        let tag = head.int16(at: 8)
        if size >= 20 { framesPerBlock = head.int16(at: 26) }
        let isExtensible = tag == 0xFFFE && size >= 40
        if isExtensible { mask = head.uint32(at: 28) }
        let stated = isExtensible ? WaveEncoding.tag(head.bytes.dropFirst(32), isBigEndian) : tag
        encodingID =
          stated.map(WaveEncoding.id(ofTag:)) ?? WaveEncoding.id(ofGUID: head.bytes.dropFirst(32))
        // PCM, floating point, A-law, and µ-law have frames of fixed size.
        bytesPerBlock = head.int16(at: 20)
        bitsPerSample = head.int16(at: 22)
        if let stated, [1, 3, 6, 7].contains(stated) { bytesPerFrame = bytesPerBlock }
        encoding = stated.flatMap {
          WaveEncoding.samples(tag: $0, bits: bitsPerSample, isBigEndian: isBigEndian)
        }
      case "fact":
        factFrames = head.int32(at: 8)
      case "ds64":
        largeFileSize = head.number(at: 8, count: 8)
        largeSize = head.number(at: 16, count: 8)
      default:
        break
      }
    }

    mutating func takeData(
      _ input: borrowing InputFile, at position: Int, size: Int
    ) throws(AudioFileError) {
      let start = position + 8
      var declared: Int? = size
      if let largeSize, size == 0xFFFF_FFFF {
        declared = OpenLength.is64(largeSize) ? nil : Int(exactly: largeSize)
      } else if try isOpen(size, input, from: start) {
        declared = nil
      }
      if declared == 0, try !ChunkWalker.isEndOrChunks(input, grammar, from: start) {
        // An interrupted recorder leaves the initial size.
        declared = nil
      }
      var warning: String?
      if declared == nil,
        let end = try AudioEnd.trailingChunks(input, grammar, from: start)
      {
        declared = end - start
        warning = AudioEnd.openSizeWarning("data", end: end)
      }
      header = ContainerHeader(
        audioOffset: start, declaredBytes: declared, isBigEndian: isBigEndian)
      header?.warnings += [warning].compactMap(\.self)
    }

    /// The size of the file after its first 8 bytes, as its start or `ds64` states it.
    func fileSize(stated opening: [UInt8]) -> Int? {
      let size = ByteReader(bytes: opening, isBigEndian: isBigEndian).int32(at: 4)
      guard size == 0xFFFF_FFFF, let largeFileSize else { return size }
      return Int(exactly: largeFileSize)
    }

    /// True if a 32-bit size is invalid: it means "unknown", or it overflowed at 4 GiB.
    private func isOpen(
      _ size: Int, _ input: borrowing InputFile, from start: Int
    ) throws(AudioFileError) -> Bool {
      let rest = input.size - start
      if size > rest { return OpenLength.is32(size) }
      guard OpenLength.is32(size) || rest - size >= 1 << 32 else { return false }
      return try !ChunkWalker.isEndOrChunks(input, grammar, from: start + size + size & 1)
    }

    func finish(wasCut: Bool) throws(AudioFileError) -> ContainerHeader {
      guard var header else {
        if wasCut { throw .truncated(path, expected: nil, found: nil) }
        if chunks.contains(where: { $0.name == "LIST wavl" }) {
          throw .unsupported(path, reason: "its audio is a list of pieces and pauses (LIST wavl)")
        }
        throw .malformed(path, reason: "no audio (missing data chunk)")
      }
      guard let channelCount, let sampleRate else {
        throw .malformed(path, reason: "unknown encoding (missing fmt chunk)")
      }
      header.channelCount = channelCount
      header.sampleRate = Double(sampleRate)
      header.encoding = encoding
      header.bytesPerFrame = bytesPerFrame
      header.waveFormat = format
      header.encodingID = encodingID
      header.channelMask = mask
      header.chunks = chunks
      header.framesPerBlock = framesPerBlock
      header.bitsPerSample = bitsPerSample
      if bytesPerFrame == nil { header.bytesPerBlock = bytesPerBlock }
      if bytesPerFrame == nil { header.declaredFrames = factFrames }
      if hasFurtherFormat { header.warnings.append(ContainerHeader.furtherFormat) }
      return header
    }
  }
}

/// The encoding in a `fmt ` chunk: a tag of 16 bits, or a GUID that holds one.
package enum WaveEncoding {
  /// The end of Microsoft's GUIDs, which begin with a format tag.
  package static let formatTail: [UInt8] = [
    0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
  ]
  /// The content of a `fmt ` chunk.
  ///
  /// Source: Microsoft, "Multiple Channel Audio Data and WAVE Files" (2001).
  package static func format(
    _ spec: AudioSpec, _ layout: ChannelLayout, bits: Int, isFloat: Bool, isExtensible: Bool
  ) -> [UInt8] {
    let tag = isFloat ? 3 : 1
    let bytesPerFrame = spec.channelCount * bits / 8
    var format = ByteWriter(isBigEndian: false)
    format.append16(isExtensible ? 0xFFFE : tag)
    format.append16(spec.channelCount)
    format.append32(spec.sampleRate)
    format.append32(spec.sampleRate &* bytesPerFrame)
    format.append16(bytesPerFrame)
    format.append16(bits)
    if isExtensible {
      let stated =
        layout.speakers == nil ? .assumed(channelCount: layout.channelCount) : layout
      format.append16(22)
      format.append16(bits)
      format.append(stated.mask)
      format.append16(tag)
      format.append(formatTail)
    }
    return format.bytes
  }

  /// The ends of GUIDs whose first two bytes are a format tag: Microsoft's, and the one for Ambisonic B-format.
  private static let tails: [[UInt8]] = [
    formatTail,
    [0, 0, 0x21, 0x07, 0xD3, 0x11, 0x86, 0x44, 0xC8, 0xC1, 0xCA, 0, 0, 0],
  ]

  /// The format tag in a GUID; `nil` if the GUID holds none.
  ///
  /// Big-endian files may store its first three fields in big-endian order, or only the tag, as sox does.
  static func tag(_ guid: ArraySlice<UInt8>, _ isBigEndian: Bool = false) -> Int? {
    let bytes = Array(guid.prefix(16))
    guard bytes.count == 16 else { return nil }
    var forms = [bytes]
    if isBigEndian, bytes[0] == 0 {
      forms = [
        bytes[0..<4].reversed() + bytes[4..<6].reversed() + bytes[6..<8].reversed() + bytes[8...],
        bytes[0..<2].reversed() + bytes[2...],
      ]
    }
    return forms.first { tails.contains(Array($0[2...])) }.map { Int($0[..<2].littleEndianValue) }
  }

  /// How a tag stores samples, given the bits that `fmt ` states; `nil` for codecs and other widths.
  ///
  /// A width that is not whole bytes is stored in the next wider one, in its upper bits.
  static func samples(tag: Int, bits: Int?, isBigEndian: Bool) -> RawPCM.Encoding? {
    switch tag {
    case 1, 3:
      RawPCM.Encoding(
        bytesPerSample: ((bits ?? 0) + 7) / 8, isFloat: tag == 3, isBigEndian: isBigEndian,
        isSigned: false)
    case 6: .alaw
    case 7: .ulaw
    default: nil
    }
  }

  static func id(ofTag tag: Int) -> String {
    let digits = String(tag, radix: 16, uppercase: true)
    return "0x" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  static func id(ofGUID guid: ArraySlice<UInt8>) -> String {
    "GUID " + guid.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
