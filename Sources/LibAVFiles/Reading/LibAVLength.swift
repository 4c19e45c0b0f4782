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
  private let splitEnd: String?
  /// Frames that the container declares, if decoding yields fewer.
  private(set) var missed: Int?
  /// Frames that the times of all packets cover, if these are further apart than they are long.
  private let spread: Int?
  private let pauses: LibAVPauses?

  /// More frames than a file can have.
  static let maximumFrames = 1 << 48

  /// Uses the declared length, otherwise `estimate`. Decodes all blocks if there is neither, and to
  /// salvage; those before damage, if the audio ends there.
  init(
    _ input: borrowing InputFile, _ blocks: LibAVDecodedBlocks, _ properties: LibAVProperties,
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
    let shortfall = basis == .counted ? LibAVPromise.shortfall(of: decoded, blocks.decoder) : nil
    missed = shortfall.flatMap { $0.isCut ? $0.promised : nil }
    spread = shortfall.flatMap { $0.isCut ? nil : $0.promised }
    silentFrames = blocks.silentFrames
    pausedFrames = blocks.decoder.pausedFrames
    splitEnd = blocks.splitEnd
    pauses =
      basis == .counted && missed == nil && spread == nil ? LibAVPauses(blocks.decoder) : nil
    if basis != .estimated, missed == nil, let promise = properties.promise,
      promise.frames - decoded > promise.tolerance
    {
      missed = promise.frames
    }
    isDamaged = blocks.isDamaged || missed != nil || salvaging && decoded < declaredFrames ?? 0
    let timing = properties.timing(decoded: decoded)
    let extent = properties.extent(decoded: decoded)
    let start = properties.delay
    let counted = timing?.ranges ?? [extent ?? min(start, decoded)..<decoded]
    frameCount = counted.reduce(0) { $0 + $1.count }
    // If the length is an estimate, the end is where decoding ends.
    let open =
      properties.timing(decoded: Self.maximumFrames)?.ranges
      ?? [extent ?? start..<Self.maximumFrames]
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
  func warnings(_ properties: LibAVProperties, isTruncated: Bool) -> [String] {
    var warnings: [String] = []
    if isTruncated || isDamaged {
      warnings.append(
        SalvageReport(
          decoded: frameCount - silentFrames, silent: silentFrames, declared: declared,
          sampleRate: properties.spec.sampleRate
        ).text)
    }
    if pausedFrames > 0 {
      warnings.append(
        "\(pausedFrames.grouped) frames that its encoder marked as pauses (comfort noise) are silent"
      )
    }
    if let spread {
      warnings.append(
        "the times of its packets cover \(spread.grouped) frames; there are \(decoded.grouped), which are read without gaps"
      )
    }
    if let pauses { warnings.append(pauses.text) }
    if let splitEnd {
      warnings.append("its last packet is left out, as where a recording was split: \(splitEnd)")
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
    // CAF's packet table contains the number of frames, which libavformat does not report.
    if decoder.container.demuxerNames.first == "caf",
      case let header = try CAFHeader.read(input),
      let frames = header.codedFrames ?? header.declaredFrames, frames > 0
    {
      return frames
    }
    if let block = decoder.block, let count = try packetCount(input, decoder),
      case let (frames, overflows) = count.multipliedReportingOverflow(by: block.frameCount),
      frames > 0, !overflows
    {
      return frames
    }
    if let frames = blocks(ofAVI: decoder) { return frames }
    guard let frames = declared(decoder) else {
      guard let first = try firstPackets(input, decoder, bytes: 1 << 20) else { return nil }
      return Int(
        exactly: (Double(first.frames) * Double(input.size) / Double(first.bytes)).rounded())
    }
    // mkvmerge stretches times, and FFmpeg reads the packets without gaps.
    guard decoder.container.demuxerNames.contains("matroska"),
      let first = try firstPackets(input, decoder, bytes: 1 << 17)
    else { return frames }
    return Int(exactly: (Double(frames) / first.spread).rounded())
  }

  /// Estimates the number of packets of a stream without a container; `nil` for other formats. libavformat would use
  /// the bit rate of the first AAC packets for the whole file.
  private static func packetCount(
    _ input: borrowing InputFile, _ decoder: LibAVDecoder
  ) throws(AudioFileError) -> Int? {
    switch decoder.container.demuxerNames.first {
    case "aac": try ADTSTail.estimatedFrameCount(of: input)
    default: nil
    }
  }

  /// Returns the frames of an AVI track with blocks of one size, which the header counts; `nil` for other files.
  /// libavformat derives their duration from a bit rate.
  private static func blocks(ofAVI decoder: LibAVDecoder) -> Int? {
    let stream = decoder.track.stream.pointee
    let parameters = stream.codecpar.pointee
    guard decoder.container.demuxerNames.first == "avi", let block = decoder.block,
      parameters.block_align > 1, decoder.packetBytes == Int(parameters.block_align),
      let count = Int(exactly: stream.nb_frames), count > 0,
      case let (frames, overflows) = count.multipliedReportingOverflow(by: block.frameCount),
      !overflows, count <= decoder.container.byteCount / decoder.packetBytes
    else { return nil }
    return frames
  }

  /// Counts the frames and bytes of the first packets of a track, up to a number of bytes; `nil` without packets. Above
  /// 1, `spread` is the ratio of the time that they cover to their length.
  ///
  /// They show the length of formats such as TrueHD, whose duration libavformat does not know.
  private static func firstPackets(
    _ input: borrowing InputFile, _ decoder: LibAVDecoder, bytes most: Int
  ) throws(AudioFileError) -> (frames: Int, bytes: Int, spread: Double)? {
    guard let probe = try LibAVProbe(input) else { return nil }
    let container = try LibAVContainer(input, probe)
    let stream = decoder.track.stream.pointee
    let index = stream.index
    let codec = stream.codecpar.pointee.codec_id
    // Times that mkvmerge has stretched make the durations of these packets longer too.
    let frameBits =
      Int(av_get_exact_bits_per_sample(codec)) * (decoder.block?.channelCount ?? 0)
    let packetFrames = codec == AV_CODEC_ID_AAC ? decoder.block?.frameCount : nil
    var packet = av_packet_alloc()
    defer { av_packet_free(&packet) }
    var (frames, bytes) = (0, 0)
    var spans = (count: 0, frames: 0, covered: 0)
    var last: (time: Int64, frames: Int)?
    while let packet, bytes < most, av_read_frame(container.pointer, packet) >= 0 {
      if packet.pointee.stream_index == index {
        let size = Int(packet.pointee.size)
        let duration =
          frameBits > 0
          ? size * 8 / frameBits : packetFrames ?? decoder.frames(of: packet.pointee.duration)
        frames += duration
        bytes += size
        let time = packet.pointee.pts
        if let last, case let (step, overflows) = time.subtractingReportingOverflow(last.time),
          !overflows
        {
          spans.count += 1
          spans.frames += last.frames
          spans.covered += decoder.frames(of: step)
        }
        last = (time, duration)
      }
      av_packet_unref(packet)
    }
    guard frames > 0, bytes > 0 else { return nil }
    // Times are often rounded to milliseconds.
    let isSpread =
      (spans.covered - spans.frames) / 2 > spans.count * (decoder.block?.sampleRate ?? 0) / 1000
    return (
      frames, bytes, isSpread && spans.frames > 0 ? Double(spans.covered) / Double(spans.frames) : 1
    )
  }

  /// The frames according to libavformat's duration of the track or of the container.
  static func declared(_ decoder: LibAVDecoder) -> Int? {
    guard let rate = decoder.block?.sampleRate else { return nil }
    let stream = decoder.track.stream.pointee
    if stream.duration > 0, stream.time_base.den > 0 {
      let base = Double(stream.time_base.num) / Double(stream.time_base.den)
      return frames(seconds: Double(stream.duration) * base, rate)
    }
    // Matroska stores track durations only in tags; the file's duration is the duration of the longest track.
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

/// Gaps between the times of a track's packets in Matroska: the sound pauses, or a part of the file is missing.
struct LibAVPauses {
  private var count = 0
  private var seconds = 0.0
  /// Seconds from the first packet to the first gap.
  private var first = 0.0

  /// `nil` if there are none, after all packets have been read.
  ///
  /// Times are often in milliseconds and jitter. Stretched times make all gaps alike.
  init?(_ decoder: LibAVDecoder) {
    guard decoder.container.demuxerNames.contains("matroska") else { return nil }
    let stream = decoder.track.stream.pointee
    guard stream.time_base.den > 0 else { return nil }
    let base = Double(stream.time_base.num) / Double(stream.time_base.den)
    for gap in decoder.gaps.wide where Double(gap.width) > 8 * decoder.gaps.mean {
      if count == 0 { first = (Double(gap.start) - Double(max(0, stream.start_time))) * base }
      count += 1
      seconds += Double(gap.width) * base
    }
    if count == 0 { return nil }
  }

  /// A sentence about them.
  var text: String {
    func text(_ seconds: Double) -> String { "\((seconds * 100).rounded() / 100) s" }
    let place =
      count == 1
      ? "pause for \(text(seconds)) at \(text(first))"
      : "pause \(count.grouped) times, for \(text(seconds)) in all, first at \(text(first))"
    return "the times of its packets \(place); they are read without gaps"
  }
}

/// The rule for every format that libavformat demuxes: a file must contain the length that its container declares.
enum LibAVPromise {
  /// Demuxers of containers whose lengths are computed here, to the frame: ``LibAVProperties/promise``, and Ogg.
  private static let walked: Set = ["mov", "caf", "ogg"]

  /// Returns the declared number of frames if decoding yields so few that encoder delay, a last block and rounding do
  /// not explain it. Otherwise, and if the container does not declare the track's length, returns `nil`.
  ///
  /// It is not cut if packets reach the declared end without a hole: mkvmerge stretches times, which makes all gaps alike.
  static func shortfall(
    of decoded: Int, _ decoder: LibAVDecoder
  ) -> (promised: Int, isCut: Bool)? {
    let container = decoder.container
    guard let block = decoder.block, let name = container.demuxerNames.first,
      !walked.contains(name), container.declaresDuration
    else { return nil }
    // If the container has other tracks, its duration may be the duration of one of them. Sound beside pictures may pause.
    let others = container.streams.filter {
      $0.pointee.index != decoder.track.stream.pointee.index
        && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
    }
    guard others.isEmpty, var promised = LibAVEstimate.declared(decoder) else { return nil }
    let stream = decoder.track.stream.pointee
    func frames(at time: Int64) -> Int {
      guard stream.time_base.den > 0 else { return 0 }
      let base = Double(stream.time_base.num) / Double(stream.time_base.den)
      return Int(exactly: (Double(time) * base * Double(block.sampleRate)).rounded()) ?? 0
    }
    let end = decoder.packetEnd.map(frames) ?? 0
    let isReached = container.demuxerNames.contains("matroska") && end > 0
    let declaredEnd = promised
    // A gap of more than a quarter of a second that is far wider than the others.
    let hasHole =
      frames(at: decoder.gaps.widest) > block.sampleRate / 4
      && Double(decoder.gaps.widest) > 8 * decoder.gaps.mean
    if stream.start_time > 0 { promised -= frames(at: stream.start_time) }
    let slack = max(4 * block.frameCount, block.sampleRate / 4) + promised / 200
    guard promised - decoded > slack else { return nil }
    return (promised, isCut: !isReached || declaredEnd - end > slack || hasHole)
  }
}
