internal import AudioIO
internal import AudioModel
import Glibc

/// The levels of a source and of what is made of it, so that both can be compared at the same level.
final class LevelMatch {
  var source = PowerMeter()
  var result = PowerMeter()

  /// Levels closer than this, in dB, are left as they are; greater differences than this are not evened out.
  private static let (least, greatest) = (0.2, 12.0)

  /// The factor of the source by which it is as loud as the result, without clipping; 1 until both are known.
  var factor: Float { Self.factor(source, result) }

  /// The factor by which a part of a source is as loud as a part of its result.
  static func factor(
    _ source: Track, _ part: Range<Int>, _ result: Track, _ heard: Range<Int>,
    in layout: ChannelLayout
  ) -> Float {
    factor(PowerMeter(source, part, in: layout), PowerMeter(result, heard, in: layout))
  }

  static func factor(_ source: PowerMeter, _ result: PowerMeter) -> Float {
    guard let one = source.mean, let other = result.mean, one > 1e-9, other > 1e-9 else { return 1 }
    let decibels = 10 * log10(other / one)
    guard abs(decibels) >= least else { return 1 }
    let factor = pow(10, min(max(decibels, -greatest), greatest) / 20)
    return Float(factor > 1 ? max(1, min(factor, 1 / max(source.peak, 1e-9))) : factor)
  }
}

/// The mean square and the greatest magnitude of a sound, full scale 1.
struct PowerMeter {
  private(set) var peak = 0.0
  private var sum = 0.0
  private var frames = 0.0
  /// After so many seconds, a sound counts e times less.
  private var memory = 3.0

  /// A meter of the last seconds.
  init() {}

  /// The level of some frames of a track, in the channels of an output. Its stream is then elsewhere.
  init(_ track: Track, _ range: Range<Int>, in layout: ChannelLayout) {
    memory = .infinity
    let rate = max(1, track.source.spec.sampleRate)
    let stream = track.stream.mapped(to: layout)
    let channels = layout.channelCount
    var samples = [Float](repeating: 0, count: 4096 * channels)
    var left = range.count
    do throws(AudioFileError) {
      try track.stream.seek(toFrame: track.limited(range.lowerBound))
      while left > 0 {
        var span = samples.mutableSpan
        var part = span._mutatingExtracting(0..<min(4096, left) * channels)
        let made = try stream.read(into: &part)
        if made == 0 { return }
        add(samples[..<(made * channels)], channelCount: channels, sampleRate: rate)
        left -= made
      }
    } catch {
      // The frames read so far are enough.
    }
  }

  /// The mean square; `nil` before any sound.
  var mean: Double? { frames > 0 ? sum / frames : nil }

  /// Adds frames of interleaved samples.
  mutating func add(_ samples: some Collection<Float>, channelCount: Int, sampleRate: Int) {
    guard !samples.isEmpty, channelCount > 0, sampleRate > 0 else { return }
    var (squares, highest) = (0.0, 0.0)
    for sample in samples where sample.isFinite {
      let value = Double(sample)
      squares += value * value
      highest = max(highest, abs(value))
    }
    let count = Double(samples.count / channelCount)
    let kept = exp(-count / Double(sampleRate) / memory)
    sum = sum * kept + squares / Double(channelCount)
    frames = frames * kept + count
    peak = max(peak * kept, highest)
  }
}
