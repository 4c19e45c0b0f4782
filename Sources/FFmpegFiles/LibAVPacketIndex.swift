internal import AudioModel
internal import CLibAV

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The packets of a track whose decoding can begin at any of them, by the index of its container.
///
/// There is none unless the index has every packet and gives its first frame exactly: in units of the sample rate, without
/// gaps, in agreement with the number of frames that the track decodes to.
struct LibAVPacketIndex {
  /// A packet, and the decoded frame that it begins with.
  struct Start {
    let timestamp: Int64
    let frame: Int
  }

  /// The number of packets that are decoded before the one that holds a frame.
  let leadIn: Int
  /// Whether the samples may depend on packets before the lead-in, which a ``LibAVTwin`` finds out.
  let needsTwin: Bool
  private let count: Int
  private let origin: Int64

  /// Demuxers that know all packets once they have read the header.
  private static let indexing = ["mov", "caf", "tta", "ape"]

  init?(_ decoder: LibAVDecoder, _ encoding: LibAVEncoding, decodedFrames: Int) {
    let stream = decoder.track.stream
    let parameters = stream.pointee.codecpar.pointee
    let base = stream.pointee.time_base
    guard Self.indexing.contains(where: { decoder.container.demuxerNames.contains($0) }),
      let block = decoder.block, base.num == 1, Int(base.den) == block.sampleRate,
      case let count = Int(avformat_index_get_entries_count(stream)), count > 1,
      let first = avformat_index_get_entry(stream, 0)?.pointee
    else { return nil }
    var bytesPerFrame: Int?
    switch parameters.codec_id {
    case AV_CODEC_ID_ALAC, AV_CODEC_ID_FLAC, AV_CODEC_ID_TTA, AV_CODEC_ID_APE:
      (leadIn, needsTwin) = (0, false)
    case AV_CODEC_ID_AAC:
      // Band replication, prediction and the coupling of channels carry more from packet to packet.
      guard decoder.profile == FF_PROFILE_AAC_LOW, block.frameCount == 1024,
        block.channelCount <= 2
      else { return nil }
      (leadIn, needsTwin) = (2, true)
    default:
      guard encoding.isPCM, encoding.codec == .pcm else { return nil }
      (leadIn, needsTwin) = (0, false)
      let bits = Int(av_get_exact_bits_per_sample(parameters.codec_id)) * block.channelCount
      guard bits % 8 == 0 else { return nil }
      bytesPerFrame = bits / 8
    }
    self.count = count
    origin = first.timestamp
    guard
      Self.isExact(stream, count, frames: decodedFrames, bytesPerFrame: bytesPerFrame)
    else { return nil }
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

  /// The packet at which decoding begins for a decoded frame, with the lead-in.
  func start(for frame: Int, in stream: UnsafeMutablePointer<AVStream>) -> Start? {
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

/// A second decoder of the same AAC packets, whose generator of random numbers is in another state.
///
/// Perceptual noise substitution draws the samples of some bands from a generator that runs on from packet to packet, so
/// that they depend on every packet before. Where both decoders give the same samples, none were drawn.
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

  /// Whether the next samples are those of `other`; of the first packet, whose overlap is of another, nothing is known.
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

  /// Decodes a packet of noise; `false` if nothing is heard of it.
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

  /// A packet whose channels have noise in one band and nothing else (ISO/IEC 14496-3, 4.4.2).
  private static func noise(channelCount: Int) -> [UInt8] {
    // One long window with one band, without prediction.
    let window = [(0, 4), (1, 6), (0, 1)]
    // The gain; then, after the window: a section of codebook 13 with one band, its energy; no pulses, no TNS, no gain
    // control.
    let (gain, rest) = ([(150, 8)], [(13, 4), (1, 5), (256, 9), (0, 3)])
    let element =
      channelCount == 1
      ? [(0, 3), (0, 4)] + gain + window + rest
      : [(1, 3), (0, 4), (1, 1)] + window + [(0, 2)] + gain + rest + gain + rest
    var bits: [Bool] = []
    for (value, width) in element + [(7, 3)] {
      for bit in (0..<width).reversed() { bits.append(value >> bit & 1 == 1) }
    }
    var bytes = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
    for (index, bit) in bits.enumerated() where bit { bytes[index / 8] |= 0x80 >> (index % 8) }
    return bytes
  }
}
