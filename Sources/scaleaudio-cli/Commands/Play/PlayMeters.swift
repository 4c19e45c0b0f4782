import AudioPlayer
import Glibc
import ScaleAudio

/// The level of each channel of an output: its RMS of the last moments, and its peak, held for a while.
struct PlayMeters {
  private static let floor = -80.0
  private static let hold = Duration.seconds(1.5)
  /// How long the RMS is taken over, and how long a number stays, so that it can be read.
  private static let (window, stay) = (Duration.seconds(0.3), Duration.seconds(0.2))
  private static let most = 8

  private var channels: [Channel] = []
  private var nextNumbers = ContinuousClock.now

  private struct Channel {
    let name: String
    /// The levels that were played within the window, with their times.
    var pieces: [(level: ChannelLevel, time: ContinuousClock.Instant)] = []
    var rms = floor
    var peak = (decibels: floor, until: ContinuousClock.now)
    var numbers = (rms: floor, peak: floor)
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
    let showsNumbers = now >= nextNumbers || !isPlaying
    if showsNumbers { nextNumbers = now + Self.stay }
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
      if showsNumbers { channel.numbers = (channel.rms, channel.peak.decibels) }
      channels[index] = channel
    }
  }

  /// A line for each channel, of at most eight, and a scale below if `maximumLines` admit it.
  func lines(columns: Int, maximumLines: Int, _ style: PlayStyle) -> [String] {
    let numbers = columns >= 60 ? " -80.0 dB  peak -80.0".count : " -80.0 -80.0".count
    let start = 4
    let width = columns - start - numbers
    if width < 4 {
      return channels.prefix(min(Self.most, maximumLines)).map { channel in
        String(
          (Self.padded(channel.name, start, atEnd: true)
            + Self.number(channel.numbers.rms) + Self.number(channel.numbers.peak))
            .prefix(columns))
      }
    }
    var lines = channels.prefix(min(Self.most, maximumLines)).map { channel in
      var bar = [Character](repeating: " ", count: width)
      for place in 0..<Self.place(channel.rms, width) { bar[place] = style.bar }
      let peak = Self.place(channel.peak.decibels, width)
      if peak > 0 { bar[peak - 1] = style.peak }
      let shown = style.bar(bar) { Double($0 + 1) / Double(width) * -Self.floor + Self.floor }
      let (rms, peakText) = (Self.number(channel.numbers.rms), Self.number(channel.numbers.peak))
      return Self.padded(channel.name, start, atEnd: true) + shown
        + (columns >= 60 ? rms + " dB  peak" + peakText : rms + peakText)
    }
    if lines.count < maximumLines, !lines.isEmpty {
      lines.append(
        style.faint(
          String(repeating: " ", count: start) + Self.scale(width)
            + (columns >= 60 ? "" : "   RMS  peak")))
    }
    return lines
  }

  /// The numbers of the scale below bars of so many columns.
  private static func scale(_ width: Int) -> String {
    var row = [Character](repeating: " ", count: width)
    for level in [-80, -60, -40, -20, -6, 0]
    where width >= 30 || level % 40 == 0 {
      let text = Array("\(level)")
      // The last character is where the bar of that level ends.
      let end = max(text.count, place(Double(level), width))
      let start = end - text.count
      if level > -80, row[max(0, start - 1)..<end].contains(where: { $0 != " " }) { continue }
      for (offset, character) in text.enumerated() { row[start + offset] = character }
    }
    return String(row)
  }

  private static func decibels(_ amplitude: Double) -> Double {
    amplitude > 0 ? max(floor, 20 * log10(amplitude)) : floor
  }

  private static func place(_ decibels: Double, _ width: Int) -> Int {
    min(width, Int(((decibels - floor) / -floor * Double(width)).rounded()))
  }

  private static func number(_ decibels: Double) -> String {
    padded(Quantities.decimal(decibels, digits: 1), 6)
  }

  private static func padded(_ text: String, _ width: Int, atEnd: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, width - text.count))
    return atEnd ? text + blanks : blanks + text
  }
}
