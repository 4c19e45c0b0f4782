/// Places of a loop in tags, as engines of games read them: `LOOPSTART` with `LOOPLENGTH` or `LOOPEND` in frames (RPG
/// Maker), `LOOP_START` and `LOOP_END` in frames or as a time (ZDoom), `LOOPPOINT` in frames and `LOOPMS` in milliseconds
/// (Sonic Robo Blast 2). Numbers with decimals are seconds.
enum LoopTags {
  private static let starts = ["LOOPSTART", "LOOP_START", "LOOP START", "LOOPPOINT"]
  private static let ends = ["LOOPEND", "LOOP_END", "LOOP END"]
  private static let lengths = ["LOOPLENGTH", "LOOP_LENGTH", "LOOP LENGTH"]
  private static let milliseconds = "LOOPMS"

  /// True if a field is a place or the length of a loop.
  static func isLoop(_ name: String) -> Bool {
    let field = StaleTags.fieldName(name)
    return field == milliseconds || (starts + ends + lengths).contains(field)
  }

  /// True if a value is a place in a form that can be scaled.
  static func isRead(_ value: String) -> Bool { Place(value) != nil }

  /// Scales the loops of a file.
  static func scale(_ comments: inout [Metadata.Comment], _ scale: TimeScale) {
    let isSame =
      scale.factor == 1 && scale.map == nil && scale.part == nil
      && scale.outputRate == scale.sampleRate
    if isSame { return }
    let start = comments.first { starts.contains(StaleTags.fieldName($0.name)) }
      .flatMap { Place($0.value) }
    for index in comments.indices where isLoop(comments[index].name) {
      guard let place = Place(comments[index].value) else { continue }
      let field = StaleTags.fieldName(comments[index].name)
      if field == milliseconds {
        comments[index].value = place.scaled(scale, unitsPerSecond: 1000)
      } else if lengths.contains(field) {
        comments[index].value = place.length(from: start, scale)
      } else {
        comments[index].value = place.scaled(scale)
      }
    }
  }

  /// A number of frames, or a time.
  private struct Place {
    /// Frames, or units of the last digit of a time.
    let units: Int
    private let time: ClockTime?
    private let decimals: Int?

    init?(_ value: String) {
      var rest = Array(value.utf16)[...].trimmed
      if let time = ClockTime.take(from: &rest, .decimal) {
        guard rest.isEmpty, time.units >= 0 else { return nil }
        (self.time, units, decimals) = (time, time.units, nil)
        return
      }
      guard let whole = rest.takeNumber(most: 15) else { return nil }
      time = nil
      guard rest.take(".") else {
        guard rest.isEmpty else { return nil }
        (units, decimals) = (whole.value, nil)
        return
      }
      guard whole.width <= 9, let part = rest.takeNumber(), rest.isEmpty else { return nil }
      decimals = part.width
      units = (0..<part.width).reduce(whole.value) { number, _ in number * 10 } + part.value
    }

    private var resolution: Int { (0..<(decimals ?? 0)).reduce(1) { number, _ in number * 10 } }

    /// The place in audio of another length. `unitsPerSecond` is that of numbers without colons; `nil` for frames, or for
    /// seconds if they have decimals.
    func scaled(_ scale: TimeScale, unitsPerSecond: Int? = nil) -> String {
      if let time { return text(time.scaled(scale).units) }
      if let unitsPerSecond {
        return text(scale.time(units, resolution: unitsPerSecond * resolution))
      }
      if decimals != nil { return text(scale.time(units, resolution: resolution)) }
      return "\(Int(scale.frame(Double(units))))"
    }

    /// The length of a part that begins at `start`.
    func length(from start: Place?, _ scale: TimeScale) -> String {
      let first = start?.frames(scale.sampleRate) ?? 0
      let stretch = scale.stretch(from: first, to: first + frames(scale.sampleRate))
      let length = stretch.end - stretch.start
      guard let perSecond = time?.resolution ?? decimals.map({ _ in resolution }) else {
        return "\(Int(length))"
      }
      let units = (length / Double(max(1, scale.outputRate)) * Double(perSecond)).rounded()
      return text(Int(exactly: units) ?? self.units)
    }

    private func frames(_ sampleRate: Int) -> Double {
      guard let perSecond = time?.resolution ?? decimals.map({ _ in resolution }) else {
        return Double(units)
      }
      return Double(units) / Double(perSecond) * Double(sampleRate)
    }

    /// Units in the form of this place.
    private func text(_ units: Int) -> String {
      if var time {
        time.units = units
        var text = TextUnits()
        time.append(to: &text, withHours: true, padsHours: false)
        return String(decoding: text, as: UTF16.self)
      }
      if decimals == nil { return "\(units)" }
      let digits = String(units % resolution)
      let zeros = String(repeating: "0", count: max(0, (decimals ?? 0) - digits.utf8.count))
      return "\(units / resolution).\(zeros)\(digits)"
    }
  }
}
