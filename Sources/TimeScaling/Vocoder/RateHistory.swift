/// The rates and pitches of a stream, one after another, and where they put its frames.
///
/// Source frames count from the first one put, and stretched ones from the first one heard: those are what the vocoder
/// makes, before they are resampled for the pitch.
struct RateHistory {
  private struct Leg {
    let start: StretchMap.Place
    /// Source frames / stretched frames.
    var rate: Double
    /// Stretched frames / output frames.
    var pitch: Double
  }

  private var legs: [Leg]

  /// Longer than any audio, in frames.
  private static let far = 0x1p40

  /// A history that begins after `lead` source frames, which run at their original speed.
  init(lead: Int, rate: Double, pitch: Double) {
    let lead = Double(lead)
    legs = [
      Leg(start: StretchMap.Place(source: 0, output: -lead), rate: 1, pitch: pitch),
      Leg(start: StretchMap.Place(source: lead, output: 0), rate: rate / pitch, pitch: pitch),
    ]
  }

  /// Sets the rate, source frames / output frames, and the pitch of all frames from one on; returns whether that is a
  /// change.
  mutating func set(rate: Double, pitch: Double, from source: Double) -> Bool {
    let (last, rate) = (legs.count - 1, rate / pitch)
    if legs[last].rate == rate, legs[last].pitch == pitch { return false }
    if source <= legs[last].start.source {
      (legs[last].rate, legs[last].pitch) = (rate, pitch)
    } else {
      let start = StretchMap.Place(source: source, output: output(at: source))
      legs.append(Leg(start: start, rate: rate, pitch: pitch))
    }
    return true
  }

  /// The stretched frame of a source frame.
  func output(at source: Double) -> Double {
    let leg = legs.last { $0.start.source <= source } ?? legs[0]
    return leg.start.output + (source - leg.start.source) / leg.rate
  }

  /// The source frame of a stretched frame.
  func source(at output: Double) -> Double {
    let leg = leg(at: output)
    return leg.start.source + (output - leg.start.output) * leg.rate
  }

  /// The source frame of a stretched one, the source frames for each stretched one from there on, and the stretched
  /// frame where that changes; `nil` if it does not.
  func position(at output: Double) -> (source: Double, rate: Double, end: Double?) {
    let next = legs.first { $0.start.output > output }
    return (source(at: output), leg(at: output).rate, next?.start.output)
  }

  /// The pitch of a stretched frame.
  func pitch(at output: Double) -> Double { leg(at: output).pitch }

  /// The first stretched frame after another at which the pitch changes.
  func change(of pitch: Double, after output: Double) -> Double? {
    legs.first { $0.start.output > output && $0.pitch != pitch }?.start.output
  }

  /// The map, at the original speed around attacks, in source frames.
  func map(around attacks: [Int], sampleRate: Int) -> StretchMap {
    let last = legs[legs.count - 1]
    let end = StretchMap.Place(
      source: last.start.source + Self.far, output: last.start.output + Self.far / last.rate)
    return StretchMap(corners: legs.map(\.start) + [end])
      .around(attacks, sampleRate: sampleRate)
  }

  /// Drops what lies before a stretched frame, and returns how many of the attacks do.
  mutating func trim(before output: Double, _ attacks: [Int]) -> Int {
    while legs.count > 1, legs[1].start.output <= output { legs.removeFirst() }
    let source = source(at: output)
    return attacks.firstIndex { Double($0) >= source } ?? attacks.count
  }

  private func leg(at output: Double) -> Leg { legs.last { $0.start.output <= output } ?? legs[0] }
}
