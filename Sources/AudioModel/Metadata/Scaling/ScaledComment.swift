extension Metadata.Comment {
  /// The tag, true of the audio at another length.
  func scaled(_ scale: TimeScale) -> Self {
    var result = self
    result.value = scaledValue(scale)
    return result
  }

  private func scaledValue(_ scale: TimeScale) -> String {
    switch name.uppercased() {
    case "BPM", "TBPM", "TEMPO", "TMPO": Self.tempo(value, dividedBy: scale.factor)
    case "CUESHEET": scaledText(CueSheetText.scaled, scale)
    case "LYRICS", "UNSYNCEDLYRICS", "SYNCEDLYRICS": scaledText(LyricsText.scaled, scale)
    case "TLEN": Self.length(value, scale)
    // What TLEN is called outside ID3; elsewhere it may be anything.
    case "LENGTH" where Self.isLength(value, scale): Self.length(value, scale)
    default: value
    }
  }

  private func scaledText(
    _ change: (TextUnits, TimeScale) -> TextUnits?, _ scale: TimeScale
  ) -> String {
    change(TextUnits(value.utf16), scale).map { String(decoding: $0, as: UTF16.self) } ?? value
  }

  /// A number of beats a minute, with as many decimals as it had, or up to two; other text stays.
  private static func tempo(_ text: String, dividedBy factor: Double) -> String {
    guard let beats = Double(text), beats > 0, beats < 1_000_000 else { return text }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let given = parts.count == 2 ? min(parts[1].utf8.count, 6) : 0
    let decimals = max(given, 2)
    let power = (0..<decimals).reduce(1) { product, _ in product * 10 }
    let units = Int((beats / factor * Double(power)).rounded())
    var fraction = String(String(power + units % power).dropFirst())
    while fraction.utf8.count > given, fraction.hasSuffix("0") { fraction.removeLast() }
    return fraction.isEmpty ? "\(units / power)" : "\(units / power).\(fraction)"
  }

  /// Whether a number of milliseconds is, within 2 %, the length of the source.
  private static func isLength(_ text: String, _ scale: TimeScale) -> Bool {
    guard let told = Int(text), scale.sampleRate > 0 else { return false }
    let length = Double(scale.inputFrames) / Double(scale.sampleRate) * 1000
    return abs(Double(told) - length) <= max(1000, length / 50)
  }

  /// The output's length in milliseconds, in place of the source's.
  private static func length(_ text: String, _ scale: TimeScale) -> String {
    guard Int(text) != nil else { return text }
    return String(Int((scale.outputSeconds * 1000).rounded()))
  }
}
