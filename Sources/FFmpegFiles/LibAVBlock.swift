internal import AudioIO
internal import AudioModel
internal import CLibAV
internal import SystemPackage

/// The PCM of one decoded frame of libavcodec; valid until the next one is decoded.
struct LibAVBlock {
  /// What must stay the same from block to block.
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
  /// Where the samples are; `nil` for silence.
  private let frame: UnsafeMutablePointer<AVFrame>?

  var sampleRate: Int { spec.sampleRate }
  var channelCount: Int { spec.channelCount }
  var sampleFormat: AVSampleFormat { AVSampleFormat(rawValue: spec.format) }
  /// Where the channels stand, as libavcodec says it.
  var layout: AVChannelLayout {
    if let frame { return frame.pointee.ch_layout }
    var layout = AVChannelLayout()
    av_channel_layout_default(&layout, Int32(clamping: channelCount))
    return layout
  }

  /// Silence between blocks of this kind.
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
        path, reason: "it says \(channels) channels; 1 to \(AudioLimits.channelCount) are read")
    }
    guard (1...AudioLimits.sampleRate).contains(rate) else {
      throw .limitExceeded(
        path,
        reason:
          "it says a sample rate of \(rate) Hz; 1 to \(AudioLimits.sampleRate) are read"
      )
    }
    guard (0..<AV_SAMPLE_FMT_NB.rawValue).contains(frame.pointee.format) else {
      throw .unsupported(path, reason: "its decoder gives samples of an unknown kind")
    }
    spec = Spec(sampleRate: rate, channelCount: channels, format: frame.pointee.format)
    frameCount = Int(frame.pointee.nb_samples)
    self.frame = frame
  }

  /// Interleaves `count` frames from frame `first` of the block into `buffer`, from its frame `start`.
  ///
  /// Counts samples that had to be clamped, and those that were no finite numbers.
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

  /// Writes each sample of the frames in `range`, converted, to its place among interleaved ones.
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
