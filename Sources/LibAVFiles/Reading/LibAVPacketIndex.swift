internal import AudioContainers
internal import AudioIO
internal import CLibAV
import Glibc

/// The packets at which decoding of a track can begin, from the container's index or from the headers of blocks.
///
/// Creation fails unless the first frame of each packet is known exactly.
struct LibAVPacketIndex {
  /// A packet and its first decoded frame.
  struct Start {
    let timestamp: Int64
    /// Its offset in the file, if the demuxer seeks by offset.
    var position: Int64?
    let frame: Int
  }

  /// The source of the packets.
  private enum Packets {
    /// An index with every packet, in units of the sample rate, the first with a timestamp of `origin`.
    case indexed(count: Int, origin: Int64)
    /// WavPack's block headers, which contain the number of the first frame.
    case blocks
  }

  /// The number of frames to decode before the requested one.
  private let leadIn: Int
  private let packets: Packets

  /// Demuxers that know all packets once they have read the header.
  private static let indexing = ["mov", "caf", "tta", "ape"]
  /// Files of WavPack must have fewer frames than this, because its headers count frames in 32 bits.
  private static let maximumBlockFrames = 0xFFFF_0000

  /// The index of a codec whose packets are decoded independently, and with `seeksNearby` of any codec.
  init?(
    _ decoder: LibAVDecoder, _ encoding: LibAVEncoding, decodedFrames: Int, seeksNearby: Bool
  ) {
    let stream = decoder.track.stream
    let parameters = stream.pointee.codecpar.pointee
    guard let block = decoder.block else { return nil }
    let demuxers = decoder.container.demuxerNames
    var bytesPerFrame: Int?
    switch parameters.codec_id {
    // The demuxer does not find the last packet.
    case AV_CODEC_ID_FLAC where demuxers.first == "caf": return nil
    case AV_CODEC_ID_ALAC, AV_CODEC_ID_FLAC, AV_CODEC_ID_TTA, AV_CODEC_ID_APE,
      AV_CODEC_ID_WAVPACK:
      leadIn = 0
    case _ where encoding.isPCM && encoding.codec == .pcm:
      leadIn = 0
      let bits = Int(av_get_exact_bits_per_sample(parameters.codec_id)) * block.channelCount
      guard bits % 8 == 0 else { return nil }
      bytesPerFrame = bits / 8
    default:
      guard seeksNearby else { return nil }
      leadIn = decoder.leadInFrames
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

  /// True when all packets have as many frames as the first, and the last at most as many; or, if each frame has as
  /// many bytes, when all packets have as many bytes as their frames.
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

  /// The packet at which decoding begins for a decoded frame; `nil` if that is the start, as in the first block of
  /// WavPack, whose demuxer does not go back to it.
  func start(
    for frame: Int, in stream: UnsafeMutablePointer<AVStream>, of input: borrowing InputFile
  ) throws(AudioFileError) -> Start? {
    let frame = max(0, frame - leadIn)
    switch packets {
    case .indexed(let count, let origin): return indexed(frame, stream, count, origin)
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
    guard let entry = avformat_index_get_entry(stream, Int32(low)) else { return nil }
    let timestamp = entry.pointee.timestamp
    return Int(exactly: timestamp - origin).map { Start(timestamp: timestamp, frame: $0) }
  }
}
