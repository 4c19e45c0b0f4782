import AudioPlayer
import Glibc
import ScaleAudio

/// The level of each channel of an output: its RMS of the last moments, and its peak, held for a while.
struct PlayMeters {
  private static let floor = -80.0
  private static let hold = Duration.seconds(1.5)
  /// The time over which the RMS is taken.
  private static let window = Duration.seconds(0.3)
  private static let most = 8

  private var channels: [Channel] = []
  /// The greatest sample that the file can have: below 1 for whole numbers, which reach farther below 0 than above.
  private var fullScale = 1.0

  /// Shows the levels of another file, whose samples have this format, where it is known.
  mutating func begin(_ format: SampleFormat?) {
    guard let format, !format.isFloat else { return fullScale = 1 }
    fullScale = 1 - 1 / Double(UInt64(1) << UInt64(format.bitDepth - 1))
  }

  private struct Channel {
    let name: String
    /// The levels that were played within the window, with their times.
    var pieces: [(level: ChannelLevel, time: ContinuousClock.Instant)] = []
    var rms = floor
    var peak = (decibels: floor, until: ContinuousClock.now)
  }

  init() {}

  init(_ layout: ChannelLayout) {
    channels = (0..<layout.channelCount).map { channel in
      Channel(name: layout.speakers.map { $0[channel].abbreviation } ?? "\(channel + 1)")
    }
  }

  /// Adds the levels of the last moment.
  mutating func add(
    _ levels: [ChannelLevel], isPlaying: Bool, now: ContinuousClock.Instant = .now
  ) {
    for index in channels.indices {
      var channel = channels[index]
      let level = index < levels.count ? levels[index] : ChannelLevel()
      if level.frameCount > 0 { channel.pieces.append((level, now)) }
      channel.pieces.removeAll { !isPlaying || $0.time + Self.window < now }
      var sum = ChannelLevel()
      for piece in channel.pieces {
        sum.frameCount += piece.level.frameCount
        sum.squares += piece.level.squares
      }
      channel.rms = Self.decibels(sum.rms)
      let peak = Self.decibels(level.peak)
      if peak >= channel.peak.decibels || now >= channel.peak.until {
        channel.peak = (peak, now + Self.hold)
      }
      channels[index] = channel
    }
  }

  /// A channel as it is shown.
  struct Reading: Equatable {
    var name: String
    /// In dB, at least -80.
    var rms: Double
    var peak: Double
    /// The level of the greatest sample that the file can have.
    var fullScale = 0.0
    var isClipping: Bool { peak >= fullScale }
  }

  /// The channels, of at most eight.
  var readings: [Reading] {
    channels.prefix(Self.most).map {
      Reading(
        name: $0.name, rms: $0.rms, peak: $0.peak.decibels,
        fullScale: Self.decibels(fullScale))
    }
  }

  private static func decibels(_ amplitude: Double) -> Double {
    amplitude > 0 ? max(floor, 20 * log10(amplitude)) : floor
  }
}
