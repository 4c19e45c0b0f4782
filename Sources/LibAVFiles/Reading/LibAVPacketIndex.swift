internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import CLibAV
import Glibc

/// The packets of a track at which its decoding can begin: by the index of its container, by the headers of blocks, or
/// as a pass that counted the frames met them.
///
/// There is none unless the first frame of each packet is exact.
struct LibAVPacketIndex {
  /// A packet, and the decoded frame that it begins with.
  struct Start {
    let timestamp: Int64
    /// Its offset in the file, where the demuxer goes to it by that.
    var position: Int64?
    let frame: Int
  }

  /// Where the packets are known from.
  private enum Packets {
    /// An index with every packet, in units of the sample rate, the first with a timestamp of `origin`.
    case indexed(count: Int, origin: Int64)
    /// The headers of WavPack, which have the first frame of each block.
    case blocks
    /// Packets that were met.
    case met(LibAVCheckpoints)
  }

  /// The number of packets that are decoded before the one that holds a frame.
  let leadIn: Int
  /// Whether the samples may depend on packets before the lead-in, which a ``LibAVTwin`` finds out.
  let needsTwin: Bool
  private let packets: Packets
  private let blockFrames: Int

  /// Demuxers that know all packets once they have read the header.
  private static let indexing = ["mov", "caf", "tta", "ape"]
  /// Frames before which 32 bits count those of WavPack.
  private static let maximumBlockFrames = 0xFFFF_0000

  /// Packets that are decoded before a frame where a codec carries state: more than overlaps and bit reservoirs need.
  private static let differingLeadIn = 16

  /// `checkpoints` are those of the pass that counted the frames, if there was one; `mayDiffer` is whether samples may
  /// differ from those of decoding from the start.
  init?(
    _ decoder: LibAVDecoder, _ encoding: LibAVEncoding, decodedFrames: Int,
    _ checkpoints: LibAVCheckpoints?, mayDiffer: Bool
  ) {
    let stream = decoder.track.stream
    let parameters = stream.pointee.codecpar.pointee
    guard let block = decoder.block else { return nil }
    blockFrames = block.frameCount
    var bytesPerFrame: Int?
    switch parameters.codec_id {
    case AV_CODEC_ID_ALAC, AV_CODEC_ID_FLAC, AV_CODEC_ID_TTA, AV_CODEC_ID_APE,
      AV_CODEC_ID_WAVPACK:
      (leadIn, needsTwin) = (0, false)
    case AV_CODEC_ID_AAC:
      // Band replication and prediction carry more from packet to packet.
      guard decoder.profile == FF_PROFILE_AAC_LOW, block.frameCount == 1024,
        LibAVTwin.elements[block.channelCount] != nil
      else { return nil }
      (leadIn, needsTwin) = (2, true)
    // Other decoders may be a packet late.
    case _ where mayDiffer && checkpoints?.goesByPosition == true && !encoding.isPCM:
      (leadIn, needsTwin) = (Self.differingLeadIn, false)
    default:
      guard encoding.isPCM, encoding.codec == .pcm else { return nil }
      (leadIn, needsTwin) = (0, false)
      let bits = Int(av_get_exact_bits_per_sample(parameters.codec_id)) * block.channelCount
      guard bits % 8 == 0 else { return nil }
      bytesPerFrame = bits / 8
    }
    let demuxers = decoder.container.demuxerNames
    if let checkpoints, !checkpoints.starts.isEmpty {
      packets = .met(checkpoints)
      return
    }
    let base = stream.pointee.time_base
    guard base.num == 1, Int(base.den) == block.sampleRate else { return nil }
    if demuxers.first == "wv", decodedFrames < Self.maximumBlockFrames {
      packets = .blocks
      return
    }
    guard Self.indexing.contains(where: { demuxers.contains($0) }),
      case let count = Int(avformat_index_get_entries_count(stream)), count > 1,
      let first = avformat_index_get_entry(stream, 0)?.pointee,
      Self.isExact(stream, count, frames: decodedFrames, bytesPerFrame: bytesPerFrame)
    else { return nil }
    packets = .indexed(count: count, origin: first.timestamp)
  }

  /// Whether all packets have as many frames as the first, and the last at most as many; or, if each frame has as
  /// many bytes, whether all packets have as many bytes as their frames.
  private static func isExact(
    _ stream: UnsafeMutablePointer<AVStream>, _ count: Int, frames: Int, bytesPerFrame: Int?
  ) -> Bool {
    var (position, length) = (0, Int64(0))
    for number in 0..<count {
      guard let entry = avformat_index_get_entry(stream, Int32(number))?.pointee else {
        return false
      }
      let next =
        number + 1 < count
        ? avformat_index_get_entry(stream, Int32(number + 1))?.pointee.timestamp : nil
      let (step, overflow) =
        next?.subtractingReportingOverflow(entry.timestamp)
        ?? (Int64(frames - position), false)
      guard !overflow, (1...Int64(Int32.max)).contains(step) else { return false }
      if number == 0 { length = step }
      if let bytesPerFrame {
        guard Int64(entry.size) == step * Int64(bytesPerFrame) else { return false }
      } else {
        guard number + 1 < count ? step == length : step <= length else { return false }
      }
      position += Int(step)
    }
    return position == frames
  }

  /// The packet at which decoding begins for a decoded frame, with the lead-in; `nil` for the first packet of the
  /// track, or if none is known.
  func start(
    for frame: Int, in stream: UnsafeMutablePointer<AVStream>, of input: borrowing InputFile
  ) throws(AudioFileError) -> Start? {
    switch packets {
    case .indexed(let count, let origin): return indexed(frame, stream, count, origin)
    case .met(let checkpoints): return checkpoints.last(before: frame - leadIn * blockFrames)
    case .blocks:
      guard let block = try WavPackBlock.holding(frame, in: input), block.firstFrame > 0 else {
        return nil
      }
      return Start(
        timestamp: Int64(block.firstFrame), position: Int64(block.offset), frame: block.firstFrame)
    }
  }

  private func indexed(
    _ frame: Int, _ stream: UnsafeMutablePointer<AVStream>, _ count: Int, _ origin: Int64
  ) -> Start? {
    var (low, high) = (0, count)
    while high - low > 1 {
      let middle = (low + high) / 2
      guard let entry = avformat_index_get_entry(stream, Int32(middle)) else { return nil }
      if entry.pointee.timestamp - origin <= Int64(frame) { low = middle } else { high = middle }
    }
    guard let entry = avformat_index_get_entry(stream, Int32(max(0, low - leadIn))) else {
      return nil
    }
    let timestamp = entry.pointee.timestamp
    return Int(exactly: timestamp - origin).map { Start(timestamp: timestamp, frame: $0) }
  }
}

/// Packets that a pass over a track met, some way apart, each with the frame that it begins with.
struct LibAVCheckpoints {
  /// In their order; the first packet of the track is not among them.
  private(set) var starts: [LibAVPacketIndex.Start] = []
  let goesByPosition: Bool
  /// Frames from one to the next.
  private var distance = 1 << 14
  /// The timestamp of the packet before.
  private var lastTimestamp = Int64.min

  /// Demuxers of formats without timestamps, which go to a packet by its position.
  static let withoutTimes: Set = ["aac", "ac3", "eac3", "dts", "truehd", "mlp"]

  /// Beyond as many, every second one is dropped.
  private static let maximumCount = 4096

  /// Checkpoints of a container whose demuxer goes to a packet by its timestamp or position; `nil` for others.
  init?(demuxer: String?) {
    guard let demuxer, demuxer == "matroska" || Self.withoutTimes.contains(demuxer) else {
      return nil
    }
    goesByPosition = demuxer != "matroska"
  }

  /// Notes a packet before which `frame` frames were decoded.
  mutating func note(_ packet: AVPacket, frame: Int) {
    let timestamp = packet.pts
    // One of several with the same timestamp is not found by it.
    let isDistinct = timestamp > lastTimestamp
    lastTimestamp = max(lastTimestamp, timestamp)
    guard frame - (starts.last?.frame ?? 0) >= distance else { return }
    guard goesByPosition ? packet.pos > 0 : isDistinct && timestamp >= 0 else { return }
    starts.append(
      LibAVPacketIndex.Start(
        timestamp: timestamp, position: goesByPosition ? packet.pos : nil, frame: frame))
    guard starts.count > Self.maximumCount else { return }
    starts = stride(from: 1, to: starts.count, by: 2).map { starts[$0] }
    distance *= 2
  }

  /// The last one that begins at a frame or before it.
  func last(before frame: Int) -> LibAVPacketIndex.Start? {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle].frame <= frame { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? starts[low - 1] : nil
  }
}

/// A second decoder of the same AAC packets, whose generator of random numbers is in another state.
///
/// Perceptual noise substitution draws the samples of some bands from a generator that runs on from packet to packet,
/// so that they depend on every packet before. Where both decoders give the same samples, none were drawn.
final class LibAVTwin {
  private var context: UnsafeMutablePointer<AVCodecContext>?
  private var frame: UnsafeMutablePointer<AVFrame>?
  private var hasStarted = false

  /// Takes over a decoder that has not decoded anything; `nil` if its generator cannot be moved.
  init?(_ context: UnsafeMutablePointer<AVCodecContext>, channelCount: Int) {
    self.context = context
    frame = av_frame_alloc()
    guard let frame, drawNumbers(context, frame, channelCount: channelCount) else { return nil }
  }

  deinit {
    av_frame_free(&frame)
    avcodec_free_context(&context)
  }

  func send(_ packet: UnsafeMutablePointer<AVPacket>) {
    guard let context else { return }
    avcodec_send_packet(context, packet)
  }

  /// Whether the next samples equal those of `other`; always `true` for the first packet, whose overlap differs.
  func agrees(with other: UnsafeMutablePointer<AVFrame>) -> Bool {
    guard let context, let frame, avcodec_receive_frame(context, frame) >= 0,
      frame.pointee.nb_samples == other.pointee.nb_samples,
      frame.pointee.ch_layout.nb_channels == other.pointee.ch_layout.nb_channels,
      other.pointee.format == AV_SAMPLE_FMT_FLTP.rawValue,
      frame.pointee.format == other.pointee.format
    else { return false }
    guard hasStarted else {
      hasStarted = true
      return true
    }
    let bytes = Int(frame.pointee.nb_samples) * MemoryLayout<Float>.size
    return (0..<Int(frame.pointee.ch_layout.nb_channels)).allSatisfy {
      guard let plane = frame.pointee.extended_data[$0],
        let otherPlane = other.pointee.extended_data[$0]
      else { return false }
      return memcmp(plane, otherPlane, bytes) == 0
    }
  }

  /// Decodes a packet of noise; `false` if it decodes to silence.
  private func drawNumbers(
    _ context: UnsafeMutablePointer<AVCodecContext>, _ frame: UnsafeMutablePointer<AVFrame>,
    channelCount: Int
  ) -> Bool {
    var packet = av_packet_alloc()
    defer { av_packet_free(&packet) }
    guard let packet else { return false }
    var bytes = Self.noise(channelCount: channelCount)
    let size = bytes.count
    bytes += [UInt8](repeating: 0, count: Int(AV_INPUT_BUFFER_PADDING_SIZE))
    let isSent = bytes.withUnsafeMutableBufferPointer { buffer in
      packet.pointee.data = buffer.baseAddress
      packet.pointee.size = Int32(size)
      defer {
        packet.pointee.data = nil
        packet.pointee.size = 0
      }
      return avcodec_send_packet(context, packet) >= 0
    }
    guard isSent, avcodec_receive_frame(context, frame) >= 0,
      frame.pointee.format == AV_SAMPLE_FMT_FLTP.rawValue,
      Int(frame.pointee.ch_layout.nb_channels) == channelCount,
      let plane = frame.pointee.extended_data?[0]
    else { return false }
    let samples = UnsafeRawPointer(plane).assumingMemoryBound(to: Float.self)
    return (0..<Int(frame.pointee.nb_samples)).contains { samples[$0] != 0 }
  }

  /// The syntactic elements of the numbers of channels that have a configuration of their own, in their order
  /// (ISO/IEC 14496-3, table 1.19): 0 is one channel, 1 a pair, 3 the low frequencies.
  static let elements: [Int: [Int]] = [
    1: [0], 2: [1], 3: [0, 1], 4: [0, 1, 0], 5: [0, 1, 1], 6: [0, 1, 1, 3], 8: [0, 1, 1, 1, 3],
  ]

  /// A packet whose channels have noise in one band and nothing else (ISO/IEC 14496-3, 4.4.2).
  private static func noise(channelCount: Int) -> [UInt8] {
    // One long window with one band, without prediction.
    let window = [(0, 4), (1, 6), (0, 1)]
    // The gain; then, after the window: a section of codebook 13 with one band, its energy; no pulses, no TNS, no gain
    // control.
    let (gain, rest) = ([(150, 8)], [(13, 4), (1, 5), (256, 9), (0, 3)])
    var fields: [(Int, Int)] = []
    var numbers = [Int](repeating: 0, count: 4)
    for kind in elements[channelCount] ?? [] {
      fields += [(kind, 3), (numbers[kind], 4)]
      numbers[kind] += 1
      fields +=
        kind == 1
        ? [(1, 1)] + window + [(0, 2)] + gain + rest + gain + rest : gain + window + rest
    }
    var bits: [Bool] = []
    for (value, width) in fields + [(7, 3)] {
      for bit in (0..<width).reversed() { bits.append(value >> bit & 1 == 1) }
    }
    var bytes = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
    for (index, bit) in bits.enumerated() where bit { bytes[index / 8] |= 0x80 >> (index % 8) }
    return bytes
  }
}
