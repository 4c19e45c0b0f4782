import ScaleAudio

/// Tempos in lines.
enum TempoText {
  /// `96 to 128 BPM (by its tag)`
  static func change(_ tempo: SourceTempo, factor: Double) -> String {
    let wanted = beats(tempo.beatsPerMinute / factor)
    return
      "\(beats(tempo.beatsPerMinute)) to \(wanted) BPM\(origin(of: tempo).map { " (\($0))" } ?? "")"
  }

  /// `128 BPM, by its tag`, `121.5 BPM, estimated with a confidence of 0.76; half or twice as many may be meant`
  static func line(_ tempo: SourceTempo?) -> String {
    guard let tempo else { return "none found" }
    guard let confidence = tempo.confidence else {
      return ["\(beats(tempo.beatsPerMinute)) BPM", origin(of: tempo)].compactMap(\.self)
        .joined(separator: ", ")
    }
    let number = Quantities.decimal(confidence, digits: 2)
    if !tempo.isClear {
      return "not clear; perhaps \(beats(tempo.beatsPerMinute)) BPM, with a confidence of \(number)"
    }
    return "\(beats(tempo.beatsPerMinute)) BPM, estimated with a confidence of \(number); "
      + "half or twice as many may be meant"
  }

  private static func beats(_ value: Double) -> String {
    let text = Quantities.decimal(value, digits: 2)
    guard text.contains(".") else { return text }
    var short = text[...]
    while short.hasSuffix("0") { short.removeLast() }
    return String(short.hasSuffix(".") ? short.dropLast() : short)
  }

  private static func origin(of tempo: SourceTempo) -> String? {
    switch tempo.origin {
    case .given: nil
    case .tag: "by its tag"
    case .loop: "by its loop chunk"
    case .name: "by its name"
    case .estimate: "estimated"
    }
  }
}
