internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import CLibAV
internal import SystemPackage

/// The blocks of a track in order.
///
/// In strict mode it throws if a packet cannot be decoded. In salvaging mode it continues after
/// damage and returns how many frames of silence keep the following audio in time.
final class LibAVDecodedBlocks {
  /// The parameters for opening a track, used again for another pass.
  struct Opening {
    let probe: LibAVProbe
    let trackNumber: Int?
    let salvaging: Bool
    /// True when the whole file may be scanned for the end of its content.
    var walks = true
    /// The file offset of the first packet after the blocks.
    var end: Int?

    /// True when the encoder delay is trimmed here rather than by libavcodec. In Matroska, it depends on libavformat's
    /// version whether libavcodec trims it.
    var keepsDelay: Bool { ["mov", "caf", "matroska"].contains(where: probe.names.contains) }
  }

  let decoder: LibAVDecoder
  /// Frames of silence that replace lost frames.
  private(set) var silentFrames = 0
  /// True when any frame was lost.
  private(set) var isDamaged = false
  /// The reason for dropping the last packet of a stream that may end within a frame; `nil` if it was kept.
  private(set) var splitEnd: String?
  private let isSalvaging: Bool
  /// The reason for the loss of the first packet, and the number of packets lost before the first block.
  private var (firstLoss, lossesAtStart) = (String?.none, 0)

  /// The reason for the loss of the first packet, if several packets and no blocks were found; `nil` otherwise.
  var lostEverything: String? {
    decoder.decodedFrames == 0 && lossesAtStart >= Self.fewestLosses ? firstLoss : nil
  }

  /// The number of packets, none of which is decoded, that are a variant of the codec rather than damage.
  private static let fewestLosses = 4

  /// Maximum total silence, in seconds; beyond this limit gaps are closed.
  private static let maximumSilence = 600

  init(_ input: borrowing InputFile, _ opening: Opening) throws(AudioFileError) {
    let container = try LibAVContainer(input, opening.probe, walks: opening.walks)
    let track = try LibAVTrack(of: container, number: opening.trackNumber)
    decoder = try LibAVDecoder(
      container, track, keepsDelay: opening.keepsDelay, salvaging: opening.salvaging,
      end: opening.end,
      silences: opening.probe.names.first == "voc" ? try VOCBlocks(of: input).silences : [])
    isSalvaging = opening.salvaging
  }

  /// Decodes the next block into `decoder.block`.
  ///
  /// Returns the number of frames of silence before the block, or `nil` at the end.
  func next() throws(AudioFileError) -> Int? {
    var lost = 0
    while true {
      switch try decoder.step() {
      case .end: return nil
      case .block:
        let rate = decoder.block?.sampleRate ?? 0
        let silence = lost <= Self.maximumSilence * rate - silentFrames ? lost : 0
        silentFrames += silence
        return silence
      case .loss(let loss):
        if decoder.decodedFrames == 0, !loss.isTruncated {
          firstLoss = firstLoss ?? loss.reason
          lossesAtStart += 1
        }
        guard isSalvaging else {
          let failure = try failure(loss)
          if decoder.isSplit, case .truncated = failure {
            splitEnd = loss.reason
            return nil
          }
          isDamaged = true
          throw failure
        }
        isDamaged = true
        lost += loss.frames
      }
    }
  }

  /// The maximum number of encoded frames after a loss in the last packet of a stream.
  private static let mostFramesInPacket = 64

  /// The error for a loss: `truncated` if nothing follows its packet, otherwise `malformed`.
  private func failure(_ loss: LibAVDecoder.Loss) throws(AudioFileError) -> AudioFileError {
    let path = decoder.container.path
    let position = decoder.decodedFrames
    var (hasMore, hasEnded, losses) = (false, false, 1)
    steps: for _ in 0..<Self.mostFramesInPacket {
      switch try decoder.step() {
      case .end:
        hasEnded = true
        break steps
      case .loss: losses += 1
      case .block:
        hasMore = true
        // The last packet of a program or transport stream holds several frames; some of them are complete.
        if !decoder.isSplit { break steps }
      }
    }
    decoder.decodedFrames = position
    if !hasMore || decoder.isSplit && hasEnded, position > 0 {
      return .truncated(path, expected: nil, found: position)
    }
    if !hasMore, position == 0, losses >= Self.fewestLosses {
      return decoder.lack(loss.reason)
    }
    return .malformed(path, reason: "\(loss.reason), at frame \(position)")
  }
}

/// The PCM of one decoded frame of libavcodec; valid until the next one is decoded.
struct LibAVBlock {
  /// The properties that must not change between blocks.
  struct Spec: Hashable, CustomStringConvertible {
    var sampleRate: Int
    var channelCount: Int
    var format: Int32

    var description: String {
      "\(sampleRate) Hz, \(channelCount) channel\(channelCount == 1 ? "" : "s")"
    }
  }

  let spec: Spec
  let frameCount: Int
  /// The owner of the samples; `nil` for silence.
  private let frame: UnsafeMutablePointer<AVFrame>?

  var sampleRate: Int { spec.sampleRate }
  var channelCount: Int { spec.channelCount }
  var sampleFormat: AVSampleFormat { AVSampleFormat(rawValue: spec.format) }
  /// libavcodec's channel layout.
  var layout: AVChannelLayout {
    if let frame { return frame.pointee.ch_layout }
    var layout = AVChannelLayout()
    av_channel_layout_default(&layout, Int32(clamping: channelCount))
    return layout
  }

  /// A block of silence.
  init(silentFrames: Int, _ spec: Spec) {
    self.spec = spec
    frameCount = silentFrames
    frame = nil
  }

  init(_ frame: UnsafeMutablePointer<AVFrame>, path: FilePath) throws(AudioFileError) {
    let rate = Int(frame.pointee.sample_rate)
    let channels = Int(frame.pointee.ch_layout.nb_channels)
    guard (1...AudioLimits.channelCount).contains(channels) else {
      throw .limitExceeded(
        path,
        reason: "it declares \(channels) channels; 1 to \(AudioLimits.channelCount) are supported")
    }
    guard (1...AudioLimits.sampleRate).contains(rate) else {
      throw .limitExceeded(
        path,
        reason:
          "it declares a sample rate of \(rate) Hz; 1 to \(AudioLimits.sampleRate) are supported"
      )
    }
    guard (0..<AV_SAMPLE_FMT_NB.rawValue).contains(frame.pointee.format) else {
      throw .unsupported(path, reason: "its decoder outputs an unknown sample format")
    }
    spec = Spec(sampleRate: rate, channelCount: channels, format: frame.pointee.format)
    frameCount = Int(frame.pointee.nb_samples)
    self.frame = frame
  }

  /// Interleaves `count` frames of the block, from frame `first` on, into `buffer` at frame
  /// `start`.
  ///
  /// Counts samples that were clamped, and samples that were not finite.
  @specialized(where Sample == Int8)
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  func interleave<Sample: PCMSample>(
    from first: Int, count: Int, into buffer: inout MutableSpan<Sample>, at start: Int,
    clipping: inout Clipping, nonFinite: inout Int
  ) {
    let range = first..<first + count
    guard frame != nil else {
      for index in start * channelCount..<(start + count) * channelCount {
        buffer[index] = .silence
      }
      return
    }
    switch sampleFormat {
    case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P:
      each(UInt8.self, range, into: &buffer, at: start) {
        Sample(integer: Int32($0) - 128, bitDepth: 8)
      }
    case AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P:
      each(Int16.self, range, into: &buffer, at: start) {
        Sample(integer: Int32($0), bitDepth: 16)
      }
    case AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P:
      each(Int32.self, range, into: &buffer, at: start) { Sample(integer: $0, bitDepth: 32) }
    case AV_SAMPLE_FMT_S64, AV_SAMPLE_FMT_S64P:
      each(Int64.self, range, into: &buffer, at: start) {
        Sample(normalized: Double($0) * 0x1p-63, clipping: &clipping)
      }
    case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP:
      each(Float.self, range, into: &buffer, at: start) {
        Sample(decoded: Double($0), clipping: &clipping, nonFinite: &nonFinite)
      }
    case AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP:
      each(Double.self, range, into: &buffer, at: start) {
        Sample(decoded: $0, clipping: &clipping, nonFinite: &nonFinite)
      }
    default: break
    }
  }

  /// Converts each sample of the frames in `range` and writes it to its interleaved position.
  @inline(__always)
  private func each<Source: BitwiseCopyable, Sample: PCMSample>(
    _ type: Source.Type, _ range: Range<Int>, into buffer: inout MutableSpan<Sample>,
    at start: Int, _ convert: (Source) -> Sample
  ) {
    let channels = channelCount
    guard let planes = frame?.pointee.extended_data else { return }
    let isPlanar = av_sample_fmt_is_planar(sampleFormat) != 0
    for channel in 0..<channels {
      guard let plane = planes[isPlanar ? channel : 0] else { return }
      let samples = UnsafeRawPointer(plane).assumingMemoryBound(to: Source.self)
      let step = isPlanar ? 1 : channels
      var source = isPlanar ? range.lowerBound : range.lowerBound * channels + channel
      var target = start * channels + channel
      for _ in range {
        buffer[target] = convert(samples[source])
        source += step
        target += channels
      }
    }
  }
}
