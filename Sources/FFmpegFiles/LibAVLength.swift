internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import CLibAV
internal import SystemPackage

/// The length of a track: declared by its container, estimated, or counted by decoding.
struct LibAVLength {
  /// The decoded frames that are the audio, in order.
  let ranges: [Range<Int>]
  /// The number of frames that decoding yields.
  let decoded: Int
  let basis: SourceDescription.LengthBasis
  /// Seconds from the start of the container's timeline to the first frame.
  let delay: Double
  private let isDamaged: Bool
  private let silentFrames: Int
  private let pausedFrames: Int
  private let gaps: LibAVGaps?
  /// The length of the audio that the container declares, in frames.
  private let declared: Int?
  /// Total bytes of the packets, if they were counted.
  private let packetBytes: Int
  /// The packets met while the frames were counted; `nil` if they were not.
  let checkpoints: LibAVCheckpoints?
  /// Frames that the container promises, if the decoded ones are fewer.
  private(set) var missed: Int?

  /// More frames than a file can have.
  static let mostFrames = 1 << 48

  /// Uses the declared length, otherwise `estimate`. Decodes all blocks if there is neither, and to
  /// salvage; those before damage, if the audio ends there.
  init(
    _ input: borrowing InputFile, _ blocks: LibAVBlockSource, _ properties: LibAVProperties,
    _ options: ReadingOptions, estimate: Int?
  ) throws(AudioFileError) {
    let salvaging = options.salvages
    let declaredFrames = properties.declaredFrames
    if !salvaging, let declaredFrames {
      (basis, decoded, packetBytes) = (.declared, declaredFrames, 0)
    } else if !salvaging, let estimate {
      (basis, decoded, packetBytes) = (.estimated, estimate, 0)
    } else {
      do throws(AudioFileError) {
        while try blocks.next() != nil {}
      } catch {
        guard options.endsAtDamage, error.endsAudio else { throw error }
      }
      basis = .counted
      decoded = blocks.decoder.decodedFrames + blocks.silentFrames
      packetBytes = blocks.decoder.packetBytes
    }
    checkpoints = basis == .counted ? blocks.decoder.checkpoints : nil
    missed =
      basis == .counted ? try LibAVPromise.missed(by: decoded, blocks.decoder, input) : nil
    silentFrames = blocks.silentFrames
    pausedFrames = blocks.decoder.pausedFrames
    gaps = basis == .counted ? blocks.decoder.gaps : nil
    if basis != .estimated, missed == nil, let promise = properties.promise,
      promise.frames - decoded > promise.tolerance
    {
      missed = promise.frames
    }
    isDamaged = blocks.isDamaged || missed != nil || salvaging && decoded < declaredFrames ?? 0
    let timing = properties.timing(decoded: decoded)
    let counted = timing?.ranges ?? [properties.extent(decoded: decoded) ?? 0..<decoded]
    frameCount = counted.reduce(0) { $0 + $1.count }
    // Of an estimated length, the end is where decoding ends.
    let open = properties.timing(decoded: Self.mostFrames)?.ranges ?? [0..<Self.mostFrames]
    ranges = basis == .estimated ? open : counted
    delay = timing?.delay ?? 0
    declared =
      missed
      ?? declaredFrames.map { frames in
        properties.timing(decoded: frames)?.ranges.reduce(0) { $0 + $1.count } ?? frames
      }
  }

  /// The number of frames of the audio.
  let frameCount: Int

  /// Warnings about lost frames and pauses.
  func warnings(_ properties: LibAVProperties, isCut: Bool) -> [String] {
    var warnings: [String] = []
    if isCut || isDamaged {
      warnings.append(
        SalvageReport(
          decoded: frameCount - silentFrames, silent: silentFrames, declared: declared,
          sampleRate: properties.spec.sampleRate
        ).text)
    }
    if pausedFrames > 0 {
      warnings.append(
        "\(pausedFrames) frames that its encoder marked as pauses (comfort noise) are silent")
    }
    if let gaps, gaps.count > 0 { warnings.append(gaps.warning) }
    return warnings
  }

  /// The average bit rate of a lossy track that was counted, in bits per second.
  func bitRate(_ properties: LibAVProperties) -> Int? {
    guard packetBytes > 0, frameCount > 0, properties.encoding.isLossy else { return nil }
    return Int(
      exactly: (Double(packetBytes) * 8 / properties.spec.seconds(frames: frameCount)).rounded())
  }
}

/// An estimate of a track's length from its container.
enum LibAVEstimate {
  /// Frames according to the duration of the track or of the container; `nil` if neither is known.
  static func frames(
    _ input: borrowing InputFile, _ decoder: LibAVDecoder
  ) throws(AudioFileError) -> Int? {
    // CAF's packet table contains the number of frames, which libavformat does not report.
    if decoder.container.demuxerNames.first == "caf",
      let frames = try CAFHeader.read(input).declaredFrames, frames > 0
    {
      return frames
    }
    return declared(decoder)
  }

  /// Frames according to the duration of the track or of the container as libavformat has it.
  static func declared(_ decoder: LibAVDecoder) -> Int? {
    guard let rate = decoder.block?.sampleRate else { return nil }
    let stream = decoder.track.stream.pointee
    if stream.duration > 0, stream.time_base.den > 0 {
      let base = Double(stream.time_base.num) / Double(stream.time_base.den)
      return frames(seconds: Double(stream.duration) * base, rate)
    }
    // Matroska has the durations of tracks only in tags; that of the file is the longest track's.
    if let seconds = LibAVTags.value("DURATION", of: decoder.track.stream).flatMap(seconds(inTag:))
    {
      return frames(seconds: seconds, rate)
    }
    let duration = decoder.container.pointer.pointee.duration
    return duration > 0 ? frames(seconds: Double(duration) / Double(AV_TIME_BASE), rate) : nil
  }

  /// The seconds of a text such as `00:00:02.303000000`.
  private static func seconds(inTag text: String) -> Double? {
    let parts = text.split(separator: ":").map { Double($0) }
    guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2]
    else { return nil }
    let sum = 3600 * hours + 60 * minutes + seconds
    return sum.isFinite && sum > 0 ? sum : nil
  }

  private static func frames(seconds: Double, _ rate: Int) -> Int? {
    let frames = (seconds * Double(rate)).rounded()
    return frames >= 1 ? Int(exactly: frames) : nil
  }
}

/// Detects files that are shorter than their container declares, which libavformat ignores.
enum LibAVExtent {
  /// The error for a file whose container shows that its end is missing, or that it is damaged.
  static func damage(
    _ input: borrowing InputFile, demuxer: [String], _ header: ContainerHeader?
  ) throws(AudioFileError) -> AudioFileError? {
    if demuxer.first == "flv", case .damage(let offset) = try FLVTags(of: input).end {
      return .malformed(
        input.path, reason: "from byte \(offset) on, bytes between two of its tags are no tag")
    }
    if demuxer.first == "asf", try !ASFHeader.isCut(input),
      let offset = try ASFPackets.damageOffset(in: input)
    {
      return .malformed(
        input.path, reason: "at byte \(offset), where a packet should begin, none does")
    }
    if demuxer.first == "aac", let offset = try ADTSTail(of: input).cutFrameOffset {
      return .malformed(
        input.path, reason: "the frame at byte \(offset) is cut off, and another follows")
    }
    let isCut = try isCut(input, demuxer: demuxer, header)
    return isCut ? .truncated(input.path, expected: nil, found: nil) : nil
  }

  /// Whether the end is missing, for containers that declare their length.
  private static func isCut(
    _ input: borrowing InputFile, demuxer: [String], _ header: ContainerHeader?
  ) throws(AudioFileError) -> Bool {
    if let header, header.isCut(fileSize: input.size) { return true }
    switch demuxer.first {
    case "matroska": return try isCutMatroska(input)
    case "asf": return try ASFHeader.isCut(input)
    case "avi", "wav": return try RIFFHeader.isCut(input)
    case "caf": return try CAFHeader.isCut(input)
    case "sox": return try isCutSoX(input)
    case "rm": return try isCutRealMedia(input)
    case "mpeg":
      if try StreamEnd(of: input, .programStream) == .cut { return true }
      return try ProgramStream(of: input).isCut
    case "mpegts":
      guard let stream = try TransportStream(of: input) else { return false }
      let end = try stream.end(in: input)
      guard end == .whole else { return end == .cut }
      return try stream.ending(in: input) == .cut
    case "ast", "flv", "mlp", "truehd":
      return try streamEnd(of: input, demuxer: demuxer.first) == .cut
    case "adx":
      guard let header = try ADXHeader(input) else { return false }
      return input.size < header.end
    case "voc": return try VOCFile(of: input).isCut(fileSize: input.size)
    case "ogg": return try OggStreamEnd(of: input).map { !$0.isWhole && !$0.isOpen } ?? false
    default: return false
    }
  }

  /// Whether the last frame of a stream without a container is cut; decoding also finds this.
  static func isStreamCut(
    _ input: borrowing InputFile, demuxer: String?
  ) throws(AudioFileError) -> Bool {
    switch demuxer {
    case "aac": return try ADTSTail(of: input).isCut
    case "tta": return try TTAHeader.isCut(input)
    default: return try streamEnd(of: input, demuxer: demuxer) == .cut
    }
  }

  /// The end of a stream of units that have their sizes in their headers; `nil` for other formats.
  static func streamEnd(
    of input: borrowing InputFile, demuxer: String?
  ) throws(AudioFileError) -> StreamEnd? {
    switch demuxer {
    case "ac3", "eac3": try StreamEnd(of: input, .ac3)
    case "dts": try StreamEnd(of: input, .dts)
    case "truehd", "mlp": try StreamEnd(of: input, .mlp)
    case "wv": try StreamEnd(of: input, .wavPack)
    case "mpegts": try TransportStream(of: input)?.end(in: input)
    case "ast": try endOfAST(input)
    case "flv":
      switch try FLVTags(of: input).end {
      case .cut: .cut
      case .junk(let offset): .junk(from: offset)
      case .whole, .damage: .whole
      }
    case "nut":
      if let end = try NUTIndex.end(in: input), end < input.size { .junk(from: end) } else { nil }
    default: nil
    }
  }

  /// Compares the size of the blocks in the header of AST, which has 64 bytes, with the file.
  private static func endOfAST(_ input: borrowing InputFile) throws(AudioFileError) -> StreamEnd? {
    let size = try ByteReader(of: input, isBigEndian: true, at: 4, count: 4).int32(at: 0) ?? 0
    guard size > 0, size < 0xFFFF_FFFF else { return nil }
    let end = 64 + size
    return end > input.size ? .cut : end < input.size ? .junk(from: end) : .whole
  }

  /// Checks the EBML header and the segment, whose size may be unknown (RFC 8794 sections 4 to 6).
  private static func isCutMatroska(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    var offset = 0
    for _ in 0..<8 {
      let head = try input.bytes(at: offset, count: 12)
      guard let first = head.first, first != 0 else { return false }
      let idCount = first.leadingZeroBitCount + 1
      guard idCount <= 4, head.count > idCount, head[idCount] != 0 else { return false }
      let sizeCount = head[idCount].leadingZeroBitCount + 1
      guard head.count >= idCount + sizeCount else { return true }
      let mask = UInt64(1) << UInt64(7 * sizeCount) - 1
      let size = mask & head[idCount..<idCount + sizeCount].bigEndianValue
      if size == mask { return false }
      guard let content = Int(exactly: size), content < Int.max / 2 else { return true }
      let end = offset + idCount + sizeCount + content
      if head.starts(with: [0x18, 0x53, 0x80, 0x67]) || end > input.size {
        return end > input.size
      }
      offset = end
    }
    return false
  }

  /// Compares the bytes with the number of samples, 4 bytes each, in the header of SoX's own format: after the magic,
  /// 32 bits of its own size without the magic, and 64 bits of samples.
  private static func isCutSoX(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    let isBigEndian = try input.bytes(at: 0, count: 4) == Array("XoS.".utf8)
    let head = try ByteReader(of: input, isBigEndian: isBigEndian, at: 4, count: 12)
    guard let size = head.int32(at: 0), let samples = head.uint64(at: 4), samples < 1 << 48 else {
      return false
    }
    return input.size < 4 + size + 4 * Int(samples)
  }

  /// Whether a chunk of RealMedia ends after the file: four characters, and a size of 32 bits with the header.
  private static func isCutRealMedia(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    var position = 0
    for _ in 0..<256 where position + 8 <= input.size {
      let head = try ByteReader(of: input, isBigEndian: true, at: position, count: 8)
      guard let size = head.int32(at: 4), (10..<0x7FFF_FFFF).contains(size),
        head.bytes[0..<4].allSatisfy({ (0x20..<0x7F).contains($0) })
      else { return false }
      position += size
      // FFmpeg counts ten bytes twice.
      if position > input.size + 16 { return true }
    }
    return false
  }
}

/// The header of ADX, which counts the samples; `nil` for variants.
private struct ADXHeader {
  /// The samples of each channel.
  let samples: Int
  /// The end of the audio: blocks of 18 bytes and 32 samples. Its offset is that of `(c)CRI`, which ends there.
  let end: Int

  init?(_ input: borrowing InputFile) throws(AudioFileError) {
    let head = try ByteReader(of: input, isBigEndian: true, at: 0, count: 16)
    guard let offset = head.int16(at: 2), let type = head.number(at: 4, count: 3),
      type == 0x03_12_04,
      let channels = head.number(at: 7, count: 1), let samples = head.int32(at: 12)
    else { return nil }
    self.samples = samples
    end = offset + 4 + (samples + 31) / 32 * 18 * Int(channels)
  }
}

/// What a container promises of the length of its audio.
enum LibAVPromise {
  /// Demuxers of containers that state their length.
  private static let stating: Set = ["rm", "ast", "flv", "matroska", "mmf", "nut"]

  /// The frames that the container promises if the decoded ones miss more of them than encoder delay, a last block
  /// and rounding can; `nil` otherwise.
  static func missed(
    by decoded: Int, _ decoder: LibAVDecoder, _ input: borrowing InputFile
  ) throws(AudioFileError) -> Int? {
    let container = decoder.container
    // A last block may hold samples beyond the count, and FFmpeg counts one block too many.
    if container.demuxerNames.first == "adx", let header = try ADXHeader(input) {
      return header.samples - decoded > 64 ? header.samples : nil
    }
    guard let block = decoder.block, let name = container.demuxerNames.first,
      stating.contains(name),
      container.pointer.pointee.duration_estimation_method != AVFMT_DURATION_FROM_BITRATE
    else { return nil }
    // The duration of a container with other tracks may be theirs.
    let others = container.streams.filter {
      $0.pointee.index != decoder.track.stream.pointee.index
        && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
    }
    guard others.isEmpty, var promised = LibAVEstimate.declared(decoder) else { return nil }
    let stream = decoder.track.stream.pointee
    if stream.start_time > 0, stream.time_base.den > 0 {
      let base = Double(stream.time_base.num) / Double(stream.time_base.den)
      let start = Double(stream.start_time) * base * Double(block.sampleRate)
      promised -= Int(exactly: start.rounded()) ?? 0
    }
    let slack = max(4 * block.frameCount, block.sampleRate / 4) + promised / 200
    return promised - decoded > slack ? promised : nil
  }
}
