import ScaleAudio

/// Measured levels as rows of text.
struct LevelRows {
  private let levels: AudioLevels
  private let source: SourceDescription

  /// The maximum number of channels that are listed individually.
  private static let maximumChannels = 16
  private static let columns = [
    "peak dB", "true peak dB", "RMS dB", "DC offset", "clipped runs",
  ]

  init(_ levels: AudioLevels, _ source: SourceDescription) {
    self.levels = levels
    self.source = source
  }

  func add(to table: inout RowTable) {
    table.add("Levels", Self.row("", Self.columns))
    table.add("", Self.row("all", values(levels.overall)))
    if (2...Self.maximumChannels).contains(levels.channels.count) {
      for (index, channel) in levels.channels.enumerated() {
        let speaker = source.spec.layout.speakers?[index].abbreviation
        table.add("", Self.row(speaker ?? "\(index + 1)", values(channel)))
      }
    }
    table.add("Loudness", loudness)
    table.add("Silence", silence)
    let all = levels.overall
    if all.clippedRuns > 0 {
      table.add(
        "Clipped",
        "\(Quantities.groupedCount(all.clippedSamples, "sample")) in "
          + "\(Quantities.groupedCount(all.clippedRuns, "run")), the longest of "
          + Quantities.grouped(all.longestClippedRun))
    }
    if levels.nonFiniteSamples > 0 {
      table.add(
        "Not finite",
        "\(Quantities.groupedCount(levels.nonFiniteSamples, "sample")), measured as silence")
    }
    table.add("MD5", "\(levels.md5) of \(levels.checksumFormat) samples")
  }

  private func values(_ channel: AudioLevels.Channel) -> [String] {
    [
      Self.decibels(channel.peak), channel.truePeak.map(Self.decibels) ?? "-",
      Self.decibels(channel.rms),
      Quantities.decimal(channel.dcOffset, digits: 6), Quantities.grouped(channel.clippedRuns),
    ]
  }

  private static func decibels(_ amplitude: Double) -> String {
    Quantities.decimal(AudioLevels.decibels(amplitude), digits: 2)
  }

  private static func row(_ name: String, _ values: [String]) -> String {
    let cells = zip(columns, values).map { column, value in
      String(repeating: " ", count: max(0, max(column.count, 8) - value.count)) + value
    }
    return name + String(repeating: " ", count: max(0, 4 - name.count)) + "  "
      + cells.joined(separator: "  ")
  }

  private var loudness: String {
    guard let integrated = levels.integratedLoudness else {
      if levels.overall.truePeak != nil { return "none above the gate of -70 LUFS" }
      return levels.overall.peak > 1e100
        ? "cannot be measured: the samples are too large"
        : "cannot be measured at this rate or with these channels"
    }
    let range = levels.loudnessRange.map { ", range \(Quantities.decimal($0, digits: 1)) LU" } ?? ""
    return "\(Quantities.decimal(integrated, digits: 1)) LUFS\(range)"
  }

  private var silence: String {
    if levels.frameCount == 0 { return "none; the file has no frames" }
    if levels.leadingSilence == levels.frameCount { return "all of it" }
    func time(_ frames: Int) -> String {
      Quantities.playingTime(source.spec.seconds(frames: frames))
    }
    return
      "\(time(levels.leadingSilence)) at the beginning, \(time(levels.trailingSilence)) at the end"
  }
}
