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
  /// The length of the audio that the container declares, in frames.
  private let declared: Int?
  /// Total bytes of the packets, if they were counted.
  private let packetBytes: Int

  /// Uses the declared length, otherwise `estimate`. Decodes all blocks if there is neither, and to
  /// salvage.
  init(
    _ blocks: LibAVBlockSource, _ properties: LibAVProperties, salvaging: Bool, estimate: Int?
  ) throws(AudioFileError) {
    let declaredFrames = properties.declaredFrames
    if !salvaging, let declaredFrames {
      (basis, decoded, packetBytes) = (.declared, declaredFrames, 0)
    } else if !salvaging, let estimate {
      (basis, decoded, packetBytes) = (.estimated, estimate, 0)
    } else {
      while try blocks.next() != nil {}
      basis = .counted
      decoded = blocks.decoder.decodedFrames + blocks.silentFrames
      packetBytes = blocks.decoder.packetBytes
    }
    silentFrames = blocks.silentFrames
    pausedFrames = blocks.decoder.pausedFrames
    var missed: Int?
    if basis != .estimated, let promise = properties.promise,
      promise.frames - decoded > promise.tolerance
    {
      missed = promise.frames
      guard salvaging else {
        throw .truncated(blocks.decoder.container.path, expected: missed, found: decoded)
      }
    }
    isDamaged = blocks.isDamaged || missed != nil || salvaging && decoded < declaredFrames ?? 0
    let timing = properties.timing(decoded: decoded)
    ranges = timing?.ranges ?? [0..<decoded]
    delay = timing?.delay ?? 0
    declared =
      missed
      ?? declaredFrames.map { frames in
        properties.timing(decoded: frames)?.ranges.reduce(0) { $0 + $1.count } ?? frames
      }
  }

  /// The number of frames of the audio.
  var frameCount: Int { ranges.reduce(0) { $0 + $1.count } }

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
    guard let rate = decoder.block?.sampleRate else { return nil }
    // CAF's packet table contains the number of frames, which libavformat does not report.
    if decoder.container.demuxerNames.first == "caf",
      let frames = try CAFHeader.read(input).declaredFrames, frames > 0
    {
      return frames
    }
    let stream = decoder.track.stream.pointee
    if stream.duration > 0, stream.time_base.den > 0 {
      let base = Double(stream.time_base.num) / Double(stream.time_base.den)
      return frames(seconds: Double(stream.duration) * base, rate)
    }
    let duration = decoder.container.pointer.pointee.duration
    return duration > 0 ? frames(seconds: Double(duration) / Double(AV_TIME_BASE), rate) : nil
  }

  private static func frames(seconds: Double, _ rate: Int) -> Int? {
    let frames = (seconds * Double(rate)).rounded()
    return frames >= 1 ? Int(exactly: frames) : nil
  }
}

/// Detects files that are shorter than their container declares, which libavformat ignores.
enum LibAVExtent {
  /// Whether the end is missing, for containers that declare their length.
  static func isCut(
    _ input: borrowing InputFile, demuxer: [String]
  ) throws(AudioFileError) -> Bool {
    switch demuxer.first {
    case "matroska": return try isCutMatroska(input)
    case "asf": return try ASFHeader.isCut(input)
    case "avi", "wav": return try RIFFHeader.isCut(input)
    case "caf": return try CAFHeader.isCut(input)
    case "ogg": return try OggStreamEnd(of: input).map { !$0.isWhole && !$0.isOpen } ?? false
    case "mpegts": return input.size % 188 != 0 && input.size % 192 != 0 && input.size % 204 != 0
    default: return false
    }
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
}
