package import AudioIO

/// Files that were concatenated, as with `cat`, in containers whose headers show where the first file ends.
package enum JoinedFile {
  /// The start of the second file; `nil` if there is only one, or if the container does not show
  /// its end.
  ///
  /// - Parameter walks: True when all blocks of the file may be walked to find the end.
  package static func offset(
    in input: borrowing InputFile, walks: Bool
  ) throws(AudioFileError) -> Int? {
    let head = FileHead(try input.bytes(at: 0, count: FileHead.byteCount))
    guard let kind = Kind(head), let end = try kind.end(of: input, head, walks: walks),
      end < input.size
    else { return nil }
    // A chunk may be padded, and tags belong to the first file.
    let padding = (kind.alignment - end % kind.alignment) % kind.alignment
    for start in [end, end + padding] {
      var position = start
      for _ in 0..<ID3Tag.maximumCount {
        guard position > 0, position < input.size else { break }
        let next = FileHead(try input.bytes(at: position, count: FileHead.byteCount))
        if kind == Kind(next), head.formType == next.formType { return position }
        guard let tagEnd = try TrailingTag.end(in: input, at: position, before: input.size),
          tagEnd > position
        else { break }
        position = tagEnd
      }
    }
    return nil
  }

  /// The first bytes of a file.
  private struct FileHead {
    static let byteCount = 32
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func has(_ text: String, at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: text.utf8)
    }

    func number(at offset: Int, count: Int, isBigEndian: Bool) -> Int? {
      ByteReader(bytes: bytes, isBigEndian: isBigEndian).number(at: offset, count: count)
        .flatMap { Int(exactly: $0) }
    }

    /// The type of the outermost chunk of RIFF or IFF; `nil` in other containers.
    var formType: [UInt8]? {
      has("RIFF") || has("RIFX") || has("FORM") ? Array(bytes.dropFirst(8).prefix(4)) : nil
    }
  }

  /// The containers that show where their files end.
  private enum Kind: Hashable {
    case riff, riffBigEndian, rf64, iff, wave64, caf, au, wavPack, mp4

    init?(_ head: FileHead) {
      // Chunks of AVI above 1 GB follow each other in one file.
      if head.has("RIFF"), head.has("WAVE", at: 8) {
        self = .riff
      } else if head.has("RIFX"), head.has("WAVE", at: 8) {
        self = .riffBigEndian
      } else if (head.has("RF64") || head.has("BW64")) && head.has("WAVE", at: 8) {
        self = .rf64
      } else if head.has("FORM") {
        self = .iff
      } else if head.has("riff"), head.bytes.dropFirst(4).starts(with: [0x2E, 0x91, 0xCF, 0x11]) {
        self = .wave64
      } else if head.has("caff"), head.has("desc", at: 8) {
        self = .caf
      } else if head.has(".snd") || head.has("dns.") {
        self = .au
      } else if head.has("wvpk") {
        self = .wavPack
      } else if head.has("ftyp", at: 4) {
        self = .mp4
      } else {
        return nil
      }
    }

    /// The multiple of bytes to which the whole file may be padded.
    var alignment: Int {
      switch self {
      case .riff, .riffBigEndian, .rf64, .iff: 2
      case .wave64: 8
      default: 1
      }
    }

    /// The end of the first file by its headers; `nil` if they do not show it.
    func end(
      of input: borrowing InputFile, _ head: FileHead, walks: Bool
    ) throws(AudioFileError) -> Int? {
      switch self {
      case .riff: return head.number(at: 4, count: 4, isBigEndian: false).map { $0 + 8 }
      case .riffBigEndian, .iff:
        return head.number(at: 4, count: 4, isBigEndian: true).map { $0 + 8 }
      case .rf64:
        guard head.has("ds64", at: 12) else { return nil }
        return sum(8, head.number(at: 20, count: 8, isBigEndian: false))
      case .wave64: return head.number(at: 16, count: 8, isBigEndian: false)
      case .caf: return try JoinedFile.endOfCAF(input)
      case .au:
        let isBigEndian = head.has(".snd")
        let offset = head.number(at: 4, count: 4, isBigEndian: isBigEndian)
        return sum(offset ?? 0, head.number(at: 8, count: 4, isBigEndian: isBigEndian))
      case .wavPack: return walks ? try WavPackBlock.end(in: input) : nil
      case .mp4: return try JoinedFile.endOfMP4(input)
      }
    }

    private func sum(_ a: Int, _ b: Int?) -> Int? {
      b.flatMap {
        let (sum, overflows) = a.addingReportingOverflow($0)
        return overflows ? nil : sum
      }
    }
  }

  /// The offset of a second file header in place of a chunk of CAF.
  private static func endOfCAF(_ input: borrowing InputFile) throws(AudioFileError) -> Int? {
    var chunks = ChunkWalker(.caf, from: 8, to: input.size)
    while let chunk = try chunks.next(of: input) {
      if chunk.type == "caff" { return chunk.offset }
      // An interrupted recorder leaves the initial size, and audio may follow.
      if chunk.type == "data", chunk.declaredSize <= 4 { return nil }
      chunks.skip(chunk)
    }
    return nil
  }

  /// The offset of a second file type box, after the index of the first file.
  private static func endOfMP4(_ input: borrowing InputFile) throws(AudioFileError) -> Int? {
    var (hasIndex, isFragmented) = (false, false)
    var end: Int?
    try MP4Box.forEach(input, in: 0..<input.size) { (_, box) throws(AudioFileError) in
      switch box.type {
      case "moov": hasIndex = true
      case "moof": isFragmented = true
      case "ftyp" where hasIndex && !isFragmented: end = end ?? box.offset
      default: break
      }
    }
    return end
  }
}
