import AudioPlayer
import ScaleAudio

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The level of each channel of an output: its RMS, and its peak, held for a while.
struct PlayMeters {
  private static let floor = -80.0
  private static let hold = Duration.seconds(1.5)
  private static let most = 8

  private var names: [String] = []
  private var rms: [Double] = []
  private var peaks: [(decibels: Double, until: ContinuousClock.Instant)] = []

  init() {}

  init(_ layout: ChannelLayout) {
    names = (0..<layout.channelCount).map { channel in
      layout.speakers.map { $0[channel].abbreviation } ?? "\(channel + 1)"
    }
    rms = names.map { _ in Self.floor }
    peaks = names.map { _ in (Self.floor, .now) }
  }

  /// Adds the levels of the last moment.
  mutating func add(
    _ levels: [ChannelLevel], isPlaying: Bool, now: ContinuousClock.Instant = .now
  ) {
    for channel in rms.indices {
      let level = channel < levels.count ? levels[channel] : ChannelLevel()
      if level.frameCount > 0 {
        rms[channel] = Self.decibels(level.rms)
      } else if !isPlaying {
        rms[channel] = Self.floor
      }
      let peak = Self.decibels(level.peak)
      if peak >= peaks[channel].decibels || now >= peaks[channel].until {
        peaks[channel] = (peak, now + Self.hold)
      }
    }
  }

  /// A line for each channel, of at most eight.
  func lines(columns: Int) -> [String] {
    names.indices.prefix(Self.most).map { channel in
      let name = Self.padded(names[channel], 4, atEnd: true)
      let numbers =
        Self.padded(Quantities.decimal(rms[channel], digits: 1), 6) + " dB, peak"
        + Self.padded(Quantities.decimal(peaks[channel].decibels, digits: 1), 6)
      let width = columns - name.count - numbers.count - 1
      if width < 4 { return String((name + numbers).prefix(columns)) }
      var bar = [Character](repeating: "-", count: width)
      for place in 0..<Self.place(rms[channel], width) { bar[place] = "=" }
      let peak = Self.place(peaks[channel].decibels, width)
      if peak > 0 { bar[peak - 1] = "|" }
      return name + String(bar) + " " + numbers
    }
  }

  private static func decibels(_ amplitude: Double) -> Double {
    amplitude > 0 ? max(floor, 20 * log10(amplitude)) : floor
  }

  private static func place(_ decibels: Double, _ width: Int) -> Int {
    Int(((decibels - floor) / -floor * Double(width)).rounded())
  }

  private static func padded(_ text: String, _ width: Int, atEnd: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, width - text.count))
    return atEnd ? text + blanks : blanks + text
  }
}
