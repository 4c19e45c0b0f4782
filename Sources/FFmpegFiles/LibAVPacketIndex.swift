internal import AudioModel
internal import CLibAV

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
