import ArgumentParser
import ScaleAudio

/// The part of each input that is converted.
struct RangeOptions: ParsableArguments {
  @OptionGroup var ends: PartOptions

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Scale only this part and leave the rest unchanged: 1:00-2:30, 90-, 25%-50%, chapter:3.",
      discussion: "Repeatable. --duration is then the length of the whole output.",
      valueName: "start-end"),
    transform: TimeRangeValue.init)
  var only: [TimeRangeValue] = []

  func validate() throws {
    if !only.isEmpty && part != nil {
      throw ValidationError("--only and --from or --to exclude each other; give one.")
    }
  }

  /// The part; `nil` for the whole input.
  var part: TimeRange? { ends.part }
}

/// The part of each input that is used.
struct PartOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Start at this time: 90, 500ms, 1:30.25, 90000f, 25%, -30 for 30 s before the end, chapter:3 or chapter:Intro.",
      discussion: "Chapters, marks and sidecars follow.", valueName: "time"),
    transform: PositionValue.init)
  var from: PositionValue?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "End at this time; for a chapter, at its end.", valueName: "time"),
    transform: PositionValue.init)
  var to: PositionValue?

  func validate() throws {
    if let part, !part.isPossible { throw ValidationError("--to must be later than --from.") }
  }

  /// The part; `nil` for the whole input.
  var part: TimeRange? {
    from == nil && to == nil ? nil : TimeRange(from: from?.position, to: to?.position)
  }
}

/// The value of `--from` and `--to`.
struct PositionValue {
  let position: TimePosition

  init(_ text: String) throws {
    guard let position = TimePosition(text) else {
      throw ValidationError(
        refusing: text,
        "a time is such as 90, 500ms, 1:30.25, 90000f, 25%, -30, chapter:3 or chapter:Intro")
    }
    self.position = position
  }
}

/// The value of `--range`: two times, either of which may be omitted, or a chapter.
struct TimeRangeValue {
  let range: TimeRange

  init(_ text: String) throws {
    guard let range = TimeRange(text), range.isPossible else {
      throw ValidationError(
        refusing: text,
        "a range is two times, the first earlier, such as 1:00-2:30, 500ms-2s, 44100f-90000f or 90-"
      )
    }
    self.range = range
  }
}
