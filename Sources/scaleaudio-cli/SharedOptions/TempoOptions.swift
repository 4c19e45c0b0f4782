import ArgumentParser
import ScaleAudio

/// The tempo of the output.
struct TempoOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Change the tempo to this many beats a minute, at the same pitch: 128, or 96:128 from 96.",
      discussion:
        "The tempo of the source is that of its tags, its acid chunk or its name (loop_120bpm.wav), or an estimate; info --tempo reports it.",
      valueName: "bpm"),
    transform: { try SeveralValues($0, each: TempoValue.init) })
  var bpm: SeveralValues<TempoValue>?

  /// The lengths that the option gives.
  var all: [TimeRequest] { bpm?.values.map(\.time) ?? [] }
}

/// The value of `--bpm`: `128`, `128bpm`, `92.5` or `96:128`.
struct TempoValue {
  let time: TimeRequest

  init(_ text: String) throws {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let beats = parts.compactMap(Self.beats)
    guard beats.count == parts.count, let wanted = beats.last, beats.count <= 2 else {
      throw ValidationError(
        refusing: text,
        "a tempo is within 10 to 1000 beats a minute, such as 128, or 96:128 from 96 to 128")
    }
    time = .bpm(wanted, from: beats.count == 2 ? beats[0] : nil)
  }

  private static func beats(_ text: Substring) -> Double? {
    let number = text.lowercased().hasSuffix("bpm") ? text.dropLast(3) : text
    return Decimal.value(number).flatMap { SourceTempo.range.contains($0) ? $0 : nil }
  }
}
