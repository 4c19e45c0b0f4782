package import AudioIO
internal import AudioModel

extension AudioFormat.Container {
  package static let wave64 = Self(
    "wave64", metadata: .wave64, header: Wave64Header.read, alignment: 8,
    end: { _, head, _ in head.number(at: 16, count: 8, isBigEndian: false) },
    recognizes: { head in
      // The GUID is `riff` followed by 12 fixed bytes.
      head.has("riff") && head.has([0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB], at: 4)
    })
}

/// The header of Sony Wave64: RIFF with GUIDs as names, and 64-bit sizes.
///
/// Source: Sony Pictures Digital, "Sony Wave64 audio file format". A size includes the 24 bytes of the
/// chunk header; chunks begin at multiples of 8.
enum Wave64Header {
  static func read(_ input: borrowing InputFile) throws(AudioFileError) -> ContainerHeader {
    var channelCount: Int?
    var sampleRate: Int?
    var encoding: RawPCM.Encoding?
    var bytesPerFrame: Int?
    var factFrames: Int?
    var framesPerBlock: Int?
    var bytesPerBlock: Int?
    var bitsPerSample: Int?
    var hasFurtherFormat = false
    var mask: UInt32?
    var encodingID: String?
    var header: ContainerHeader?
    var chunks: [ContainerHeader.ChunkPlace] = []
    var walker = ChunkWalker(.wave64, from: 40, to: input.size, headByteCount: 64)
    let stated = try ByteReader(of: input, isBigEndian: false, at: 16, count: 8).uint64(at: 0)
    var end: AudioEnd?
    while let chunk = try walker.next(of: input) {
      if end?.take(chunk, fileSize: input.size) == false { break }
      let (name, head, position) = (chunk.name, chunk.head, chunk.offset)
      chunks.append(
        ContainerHeader.ChunkPlace(
          name: name, offset: chunk.contentOffset, size: max(0, chunk.declaredSize)))
      if name == "fmt ", channelCount != nil {
        hasFurtherFormat = true
      } else if name == "fmt " {
        var tag = head.int16(at: 24)
        channelCount = head.int16(at: 26)
        sampleRate = head.int32(at: 28)
        framesPerBlock = head.int16(at: 42)
        encodingID = tag.map(WaveEncoding.id(ofTag:))
        if tag == 0xFFFE, chunk.sizeField >= 64, head.bytes.count >= 64 {
          let guid = head.bytes[48..<64]
          tag = WaveEncoding.tag(guid)
          encodingID = tag.map(WaveEncoding.id(ofTag:)) ?? WaveEncoding.id(ofGUID: guid)
          mask = head.uint32(at: 44)
        }
        bitsPerSample = head.int16(at: 38)
        encoding = tag.flatMap {
          WaveEncoding.samples(tag: $0, bits: bitsPerSample, isBigEndian: false)
        }
        bytesPerBlock = head.int16(at: 36)
        if let tag, [1, 3, 6, 7].contains(tag) { bytesPerFrame = bytesPerBlock }
      } else if name == "fact" {
        factFrames = head.number(at: 24, count: 8).flatMap { Int(exactly: $0) }
      } else if name == "data", header == nil {
        end = AudioEnd(
          .wave64, container: "riff", audio: "data", size: stated.map { Int(clamping: $0) },
          after: 0)
        header = data(chunk.sizeField, at: position, fileSize: input.size)
        if header?.declaredBytes == nil,
          try input.bytes(at: position + 24, count: 4).elementsEqual("riff".utf8)
        {
          throw .malformed(input.path, reason: ContainerHeader.repeatedHeader)
        }
      }
      // A size smaller than the header is invalid: end the walk.
      walker.skip(chunk, contentSize: chunk.declaredSize < 0 ? .max : chunk.declaredSize)
    }
    guard var header else {
      if walker.position > input.size { throw .truncated(input.path, expected: nil, found: nil) }
      throw .malformed(input.path, reason: "no audio (missing data chunk)")
    }
    guard let channelCount, let sampleRate else {
      throw .malformed(input.path, reason: "unknown encoding (missing fmt chunk)")
    }
    header.channelCount = channelCount
    header.sampleRate = Double(sampleRate)
    header.encoding = encoding
    header.bytesPerFrame = bytesPerFrame
    header.framesPerBlock = framesPerBlock
    header.bitsPerSample = bitsPerSample
    if hasFurtherFormat { header.warnings.append(ContainerHeader.furtherFormat) }
    if bytesPerFrame == nil { header.bytesPerBlock = bytesPerBlock }
    header.channelMask = mask
    header.encodingID = encodingID
    try end?.check(&header, input, walkedTo: walker.position)
    try leaveOutPadding(of: &header, input, factFrames)
    if bytesPerFrame == nil { header.declaredFrames = factFrames }
    header.chunks = chunks
    return header
  }

  /// Drops the zeros that pad the audio to a multiple of 8 bytes if the size of its chunk includes them, as ffmpeg
  /// writes it.
  private static func leaveOutPadding(
    of header: inout ContainerHeader, _ input: borrowing InputFile, _ factFrames: Int?
  ) throws(AudioFileError) {
    guard let declared = header.declaredBytes, declared > 0, declared % 8 == 0 else { return }
    guard let width = header.bytesPerFrame, width > 0 else {
      // An incomplete block is shorter than any block.
      let rest = header.bytesPerBlock.map { $0 > 8 ? declared % $0 : 0 } ?? 0
      let isPadding = try endsInZeros(header, input, count: rest)
      if rest < 8, isPadding { header.declaredBytes = declared - rest }
      return
    }
    if let factFrames {
      let (bytes, overflows) = factFrames.multipliedReportingOverflow(by: width)
      if !overflows, bytes < declared, declared - bytes < 8 { header.declaredBytes = bytes }
      return
    }
    // For PCM, ffmpeg stores no number of frames. Zeros are silence, except in 8 bits, where they are the lowest value.
    guard width == header.channelCount, header.encodingID == "0x0001" else { return }
    let end = try input.bytes(at: header.audioOffset + declared - 8, count: 8)
    let zeros = end.reversed().prefix { $0 == 0 }.count
    guard header.audioOffset + declared == input.size, (1..<8).contains(zeros), declared >= 8
    else { return }
    // Audio that really ends at the lowest value comes near it before.
    let before = try input.bytes(
      at: header.audioOffset + max(0, declared - 4096), count: min(declared, 4096) - zeros)
    guard before.last ?? 0 >= 64, !before.contains(0) else { return }
    let frames = (declared - zeros + width - 1) / width
    let lost = declared / width - frames
    header.declaredBytes = frames * width
    guard lost > 0 else { return }
    header.warnings.append(
      "ignored \(lost) frame\(lost == 1 ? "" : "s") of zeros at its end: padding that ffmpeg counts as audio"
    )
  }

  /// True if the last bytes that a header declares are zeros.
  private static func endsInZeros(
    _ header: ContainerHeader, _ input: borrowing InputFile, count: Int
  ) throws(AudioFileError) -> Bool {
    guard count > 0, let declared = header.declaredBytes else { return false }
    let end = try input.bytes(at: header.audioOffset + declared - count, count: count)
    return end.count == count && end.allSatisfy { $0 == 0 }
  }

  private static func data(_ size: UInt64, at position: Int, fileSize: Int) -> ContainerHeader {
    let start = position + 24
    var declared: Int? = OpenLength.is64(size) ? nil : Int(exactly: size).map { $0 - 24 }
    // An interrupted recorder leaves the initial size, which covers only the header.
    if let count = declared, count <= 0 { declared = fileSize > start + 8 ? nil : 0 }
    return ContainerHeader(
      audioOffset: start, declaredBytes: declared, isBigEndian: false)
  }
}
