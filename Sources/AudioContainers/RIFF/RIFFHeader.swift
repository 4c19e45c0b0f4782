internal import AudioIO
internal import SystemPackage

/// The headers of WAV: RIFF, its big-endian twin RIFX, and RF64 for more than 4 GiB.
///
/// Source: IBM and Microsoft, "Multimedia Programming Interface and Data Specifications 1.0" (1991);
/// EBU Tech 3306 (RF64).
enum RIFFHeader {
  /// Chunks beyond this many are not looked at.
  private static let mostChunks = 4096

  static func read(_ input: borrowing InputFile) throws(AudioFileError) -> ContainerHeader {
    let opening = try input.bytes(at: 0, count: 12)
    let isBigEndian = opening.starts(with: Array("RIFX".utf8))
    var walk = Walk(path: input.path, isBigEndian: isBigEndian)
    // libsndfile knows RF64 by its first name only.
    if opening.starts(with: Array("BW64".utf8)) {
      walk.repairs.append(HeaderPatch(offset: 0, bytes: Array("RF64".utf8)))
    }
    var position = 12
    for _ in 0..<mostChunks where position < input.size {
      let head = ByteReader(
        bytes: try input.bytes(at: position, count: 8 + 40), isBigEndian: isBigEndian)
      guard let name = head.text(at: 0), let size = head.int32(at: 4) else { break }
      walk.chunks.append(
        ContainerHeader.ChunkPlace(
          name: name == "LIST" ? "LIST \(head.text(at: 8) ?? "")" : name, offset: position + 8,
          size: size))
      if name == "data" {
        try walk.takeData(input, at: position, size: size)
        guard let declared = walk.header?.declaredBytes, declared <= input.size - position - 8
        else { break }
        position += 8 + declared + declared & 1
      } else {
        walk.take(name, head, size: size)
        position += 8 + size + size & 1
      }
    }
    return try walk.finish(wasCut: position > input.size)
  }

  /// What has been found so far.
  private struct Walk {
    let path: FilePath
    let isBigEndian: Bool
    var chunks: [ContainerHeader.ChunkPlace] = []
    var header: ContainerHeader?
    var repairs: [HeaderPatch] = []
    /// The content of the `fmt ` chunk.
    private var format: [UInt8] = []
    private var channelCount: Int?
    private var sampleRate: Int?
    private var bytesPerFrame: Int?
    private var framesPerBlock: Int?
    private var bytesPerBlock: Int?
    private var mask: UInt32?
    private var factFrames: Int?
    /// The size of the audio and where it stands, from RF64's `ds64`.
    private var largeSize: UInt64?
    private var largeSizeOffset = 0

    init(path: FilePath, isBigEndian: Bool) {
      self.path = path
      self.isBigEndian = isBigEndian
    }

    mutating func take(_ name: String, _ head: ByteReader, size: Int) {
      switch name {
      case "fmt " where channelCount == nil:
        channelCount = head.int16(at: 10)
        format = Array(head.bytes.dropFirst(8).prefix(min(size, 40)))
        sampleRate = head.int32(at: 12)
        let tag = head.int16(at: 8)
        if size >= 20 { framesPerBlock = head.int16(at: 26) }
        let isExtensible = tag == 0xFFFE && size >= 40
        if isExtensible { mask = head.uint32(at: 28) }
        let encoding = isExtensible ? head.int16(at: 32) : tag
        // PCM, floating point, A-law and µ-law have frames of fixed size.
        bytesPerBlock = head.int16(at: 20)
        if let encoding, [1, 3, 6, 7].contains(encoding) { bytesPerFrame = bytesPerBlock }
      case "fact":
        factFrames = head.int32(at: 8)
      case "ds64":
        largeSize = head.number(at: 16, count: 8)
        largeSizeOffset = 12 + 16
      default:
        break
      }
    }

    mutating func takeData(
      _ input: borrowing InputFile, at position: Int, size: Int
    ) throws(AudioFileError) {
      let start = position + 8
      var field = ContainerHeader.LengthField(
        offset: position + 4, byteCount: 4, isBigEndian: isBigEndian, overhead: 0)
      var declared: Int? = size
      if let largeSize, size == 0xFFFF_FFFF {
        declared = OpenLength.is64(largeSize) ? nil : Int(exactly: largeSize)
        field = ContainerHeader.LengthField(
          offset: largeSizeOffset, byteCount: 8, isBigEndian: false, overhead: 0)
      } else if try isOpen(size, input, from: start) {
        declared = nil
      }
      if declared == 0, try !isEndOrChunks(input, from: start) {
        // A recorder that was interrupted leaves the size it began with.
        declared = nil
      }
      header = ContainerHeader(
        audioOffset: start, declaredBytes: declared, lengthField: field)
    }

    /// Whether a 32-bit size says nothing: it stands for "not known", or wrapped around at 4 GiB.
    private func isOpen(
      _ size: Int, _ input: borrowing InputFile, from start: Int
    ) throws(AudioFileError) -> Bool {
      let rest = input.size - start
      if size > rest { return OpenLength.is32(size) }
      guard OpenLength.is32(size) || rest - size >= 1 << 32 else { return false }
      return try !isEndOrChunks(input, from: start + size + size & 1)
    }

    /// Whether the rest of the file is chunks, or nothing.
    private func isEndOrChunks(
      _ input: borrowing InputFile, from start: Int
    ) throws(AudioFileError) -> Bool {
      var position = start
      for _ in 0..<64 where position + 8 <= input.size {
        let head = ByteReader(
          bytes: try input.bytes(at: position, count: 8), isBigEndian: isBigEndian)
        guard let size = head.int32(at: 4),
          head.bytes[0..<4].allSatisfy({ (0x20..<0x7F).contains($0) })
        else { return false }
        position += 8 + size + size & 1
      }
      return abs(position - input.size) <= 1
    }

    func finish(wasCut: Bool) throws(AudioFileError) -> ContainerHeader {
      guard var header else {
        if wasCut { throw .truncated(path, expected: nil, found: nil) }
        throw .malformed(path, reason: "there is no audio in it (no data chunk)")
      }
      guard let channelCount, let sampleRate else {
        throw .malformed(path, reason: "it does not say its encoding (no fmt chunk)")
      }
      header.channelCount = channelCount
      header.sampleRate = Double(sampleRate)
      header.bytesPerFrame = bytesPerFrame
      header.waveFormat = format
      header.repairs += repairs
      header.channelMask = mask
      header.chunks = chunks
      header.framesPerBlock = framesPerBlock
      if bytesPerFrame == nil { header.bytesPerBlock = bytesPerBlock }
      if bytesPerFrame == nil { header.declaredFrames = factFrames }
      return header
    }
  }
}
