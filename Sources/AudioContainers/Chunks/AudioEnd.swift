package import AudioIO
internal import AudioModel

/// The end of a file of chunks, from the end of its audio on.
///
/// It shows whether the audio chunk holds all of the audio. A wrong size leaves audio behind the chunk, where a walk
/// finds no chunk.
struct AudioEnd {
  /// The grammar of the chunks.
  let grammar: ChunkWalker.Grammar
  /// The name of the chunk that contains all others, such as `RIFF`.
  let container: String
  /// The name of the chunk that holds the audio, such as `data`.
  let audio: String
  /// The end of the file by the size of the chunk that contains all others; `nil` if that is left open.
  let declaredEnd: Int?
  /// The offset of bytes after the audio that are no chunk.
  private var strayOffset: Int?
  /// The name of a chunk that ends after the file.
  private var cutName: String?
  /// Further ranges of audio, in chunks of the same name.
  private var furtherAudio: [Range<Int>] = []
  /// Chunks of the same name with other capitals.
  private var capitalized: [(name: String, content: Range<Int>)] = []

  /// - Parameter size: The bytes after the first `offset` ones that the outermost chunk declares; `nil` without one.
  init(
    _ grammar: ChunkWalker.Grammar, container: String, audio: String, size: Int?, after offset: Int
  ) {
    self.grammar = grammar
    self.container = container
    self.audio = audio
    // An interrupted recorder leaves the initial size.
    let isOpen = size.map { $0 < 4 || OpenLength.is32($0) || $0 >= Int.max - offset } ?? true
    declaredEnd = isOpen ? nil : size.map { $0 + offset }
  }

  /// Notes a chunk after the audio; returns false if it is no chunk that can be read.
  mutating func take(_ chunk: ChunkWalker.Found, fileSize: Int) -> Bool {
    let isNamed = grammar == .wave64 ? chunk.declaredSize >= 0 : chunk.hasPrintableName
    let rest = fileSize - chunk.contentOffset
    if isNamed, chunk.declaredSize >= 0, chunk.declaredSize <= rest {
      if chunk.name.lowercased() == audio.lowercased() {
        // SSND begins with an offset and a block size, and CAF's audio with an edit count.
        let skipped = min(chunk.declaredSize, audio == "SSND" ? 8 : grammar == .caf ? 4 : 0)
        let start = chunk.contentOffset
        let content = start + skipped..<start + chunk.declaredSize
        if chunk.name == audio {
          furtherAudio.append(content)
        } else {
          capitalized.append((chunk.name, content))
        }
      }
      return true
    }
    let isKnown = Self.names.contains(chunk.name)
    if isNamed, grammar != .wave64 || isKnown, isKnown || declaredEnd.map({ $0 > fileSize }) ?? true
    {
      cutName = chunk.name
    } else {
      strayOffset = chunk.offset
    }
    return false
  }

  /// Names of chunks that follow audio.
  private static let names: Set<String> = [
    "LIST", "list", "id3 ", "ID3 ", "cue ", "smpl", "inst", "acid", "bext", "iXML", "fact", "PEAK",
    "JUNK", "junk", "PAD ", "FLLR", "afsp", "_PMX", "cart", "MARK", "INST", "COMT", "NAME", "AUTH",
    "ANNO", "(c) ", "APPL", "COMM", "CHAN", "info", "mark", "regn", "strg", "free", "levl",
  ]

  /// Puts warnings and a contradiction into the header of a file whose walk ended at `position`.
  func check(
    _ header: inout ContainerHeader, _ input: borrowing InputFile, walkedTo position: Int
  ) throws(AudioFileError) {
    guard let declared = header.declaredBytes, case let size = input.size,
      declared <= size - header.audioOffset
    else { return }
    let end = header.audioOffset + declared
    let found = strayOffset ?? (cutName == nil && position < size - 1 ? position : nil)
    if let cutName {
      header.warnings.append(
        "the file ends within its \(cutName) chunk, after the audio, so tags or markers are missing"
      )
    } else if let declaredEnd, declaredEnd > size, let found, size - found < 8 {
      header.warnings.append(
        "the file ends within a chunk after the audio, so tags or markers are missing")
    } else if let offset = found {
      header.strayOffset = offset
      try checkBytes(from: offset, end, &header, input)
    } else if let declaredEnd, declaredEnd > size + 8 {
      header.warnings.append(
        "the file ends \(declaredEnd - size) bytes before its \(container) chunk does, so what followed the audio, "
          + "such as tags, is missing")
    }
    // Some writers capitalize the name of the audio, which no player reads; others have other content under it.
    let isElsewhere = declared == 0 && furtherAudio.isEmpty
    for chunk in capitalized where !isElsewhere {
      header.warnings.append("its \(chunk.name) chunk is not read as audio, which is in \(audio)")
    }
    let further = furtherAudio + (isElsewhere ? capitalized.map(\.content) : [])
    if !further.isEmpty, header.contradiction == nil {
      let ranges = [header.audioOffset..<end] + further
      header.contradiction = .init(
        reason: "it has \(ranges.count) \(audio) chunks instead of one", audio: ranges)
    }
  }

  /// Notes the first chunk that follows one of odd size without its pad byte: before the audio an error, after it a
  /// warning.
  func checkPadding(_ header: inout ContainerHeader, firstUnpadded: Int?) {
    guard let offset = firstUnpadded else { return }
    let reason = "the chunk before byte \(offset) has an odd size and no pad byte"
    if offset > header.audioOffset {
      header.warnings.append(reason)
    } else if header.contradiction == nil {
      let end = header.declaredBytes.map { header.audioOffset.addingReportingOverflow($0) }
      header.contradiction = .init(
        reason: reason, audio: [header.audioOffset..<(end.map { $1 ? .max : $0 } ?? .max)])
    }
  }

  /// Decides whether bytes that are no chunk are audio, given the end of the audio chunk.
  private func checkBytes(
    from offset: Int, _ end: Int, _ header: inout ContainerHeader, _ input: borrowing InputFile
  ) throws(AudioFileError) {
    let isNext = (0..<grammar.alignment).contains(offset - end)
    let head = try input.bytes(at: offset, count: 1 << 12)
    let isOther = Self.isOtherContent(head)
    let isZero = try isZero(input, from: offset)
    let isCounted = declaredEnd.map { $0 >= offset + 8 } ?? false
    let isAudio =
      if isCounted { true } else { try continues(header, input, from: offset, head) }
    if isNext, isAudio, !isOther, !isZero, input.size - offset >= 8 {
      let counted = isCounted ? min(input.size, declaredEnd ?? input.size) : input.size
      // Chunks may follow the rest of the audio.
      let last = try Self.trailingChunks(input, grammar, from: offset) ?? counted
      header.contradiction = .init(
        reason: "its \(audio) chunk ends at byte \(end), and audio seems to follow",
        audio: [header.audioOffset..<last])
      return
    }
    header.warnings.append(
      "\(input.size - offset) bytes after the audio, from byte \(offset) on, are not a chunk and are left out"
    )
  }

  /// True if all bytes from an offset on are zeros, and few enough to be padding.
  private func isZero(
    _ input: borrowing InputFile, from offset: Int
  ) throws(AudioFileError) -> Bool {
    let most = 1 << 20
    guard input.size - offset <= most else { return false }
    return try input.bytes(at: offset, count: most).allSatisfy { $0 == 0 }
  }

  /// True if bytes are text, or begin like a tag.
  private static func isOtherContent(_ bytes: [UInt8]) -> Bool {
    let starts = ["TAG", "APETAGEX", "ID3", "LYRICSBEGIN", "RIFF", "FORM", "PK\u{3}\u{4}"]
    if starts.contains(where: { bytes.starts(with: $0.utf8) }) { return true }
    let text = bytes.prefix { (0x20..<0x7F).contains($0) || (0x09...0x0D).contains($0) }
    return !text.isEmpty && bytes.dropFirst(text.count).allSatisfy { $0 == 0 }
  }

  /// True if bytes go on like the samples before them: their steps are small for their size, or like those before.
  ///
  /// In random bytes, the mean step from sample to sample is 4/3 of the mean magnitude.
  private func continues(
    _ header: ContainerHeader, _ input: borrowing InputFile, from offset: Int, _ bytes: [UInt8]
  ) throws(AudioFileError) -> Bool {
    guard let encoding = header.encoding, let channels = header.channelCount, channels > 0 else {
      return false
    }
    let frame = encoding.bytesPerSample * channels
    let end = header.audioOffset + (header.declaredBytes ?? 0)
    let start = max(header.audioOffset, end - max(1, bytes.count / frame) * frame)
    let before = try input.bytes(at: start, count: end - start)
    let own = Roughness(before, encoding, channels)
    let other = Roughness(bytes, encoding, channels)
    guard other.count > channels else { return false }
    return other.ratio < 0.7
      || other.ratio < own.ratio * 1.3 && other.magnitude < own.magnitude * 4
  }

  /// A warning about chunks that follow audio whose size is open.
  static func openSizeWarning(_ audio: String, end: Int) -> String {
    "the size of its \(audio) chunk is left open; the audio ends at byte \(end), where another chunk begins"
  }

  /// The start of whole chunks with known names that end a file; `nil` if it ends with something else.
  static func trailingChunks(
    _ input: borrowing InputFile, _ grammar: ChunkWalker.Grammar, from start: Int
  ) throws(AudioFileError) -> Int? {
    guard grammar == .riff || grammar == .riffBigEndian || grammar == .iff else { return nil }
    let first = max(start, input.size - 1 << 20)
    let bytes = try input.bytes(at: first, count: input.size - first)
    let initials = Set(names.compactMap(\.utf8.first))
    for index in bytes.indices.dropLast(7) where initials.contains(bytes[index]) {
      let name = String(decoding: bytes[index..<index + 4], as: UTF8.self)
      if names.contains(name), try ChunkWalker.isEndOrChunks(input, grammar, from: first + index) {
        return first + index
      }
    }
    return nil
  }
}

/// The mean magnitude of samples, and the mean step from each to the next of its channel.
private struct Roughness {
  let count: Int
  let magnitude: Double
  /// Mean step / mean magnitude; infinite for silence.
  let ratio: Double

  init(_ bytes: [UInt8], _ encoding: RawPCM.Encoding, _ channels: Int) {
    let width = encoding.bytesPerSample
    let reader = ByteReader(bytes: bytes, isBigEndian: encoding.isBigEndian)
    let values = stride(from: 0, to: bytes.count - width + 1, by: width).compactMap {
      reader.number(at: $0, count: width).map { Self.value($0, encoding) }
    }
    count = values.count
    let finite = values.allSatisfy { $0.magnitude < 0x1p32 }
    let total = values.reduce(0) { $0 + $1.magnitude }
    let steps = zip(values, values.dropFirst(channels)).reduce(0) { $0 + ($1.0 - $1.1).magnitude }
    magnitude = total / Double(max(1, values.count))
    ratio = total > 0 && finite ? steps / total : .infinity
  }

  private static func value(_ bits: UInt64, _ encoding: RawPCM.Encoding) -> Double {
    switch encoding {
    case .u8: return Double(bits) - 128
    case .f32le, .f32be: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case .f64le, .f64be: return Double(bitPattern: bits)
    // The sign, and the exponent with the mantissa, are nearly a logarithm.
    case .ulaw: return bits & 0x80 != 0 ? Double(bits ^ 0xFF) : -Double(bits ^ 0x7F)
    case .alaw:
      return bits & 0x80 != 0 ? Double((bits ^ 0x55) & 0x7F) : -Double((bits ^ 0x55) & 0x7F)
    default:
      let shift = UInt64(64 - 8 * encoding.bytesPerSample)
      return Double(Int64(bitPattern: bits << shift) >> Int64(shift))
    }
  }
}
