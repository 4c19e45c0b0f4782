import ArgumentParser
import ScaleAudio

/// The options for the facts that `info` reports, and for their form.
struct InspectionOptions: ParsableArguments {
  @Flag(help: "Decode each file and count its frames.")
  var exact = false

  @Flag(
    help:
      "Decode each file and measure peaks, power, loudness, DC offset, clipping, silence and MD5.")
  var levels = false

  @Flag(
    help: "Report the tempo, by tags, acid chunk or name, or else estimated from the sound.")
  var tempo = false

  @Flag(help: "Print a JSON object per file, one per line.")
  var json = false

  @Flag(help: "Print one line per file.")
  var short = false

  @Flag(help: "Print a table as CSV, a row per file, with a header.")
  var csv = false

  @Option(
    help: ArgumentHelp(
      "Print only these values, separated by tabs, or as CSV with --csv: duration,rate.",
      discussion: "VALUES lists their names.",
      valueName: "list"),
    transform: InspectionFields.init)
  var get: InspectionFields?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Audio track, for files with several. Default: 1.",
      valueName: "n"))
  var track: Int?

  @OptionGroup var encoding: TagEncodingOption

  func validate() throws {
    let forms = [(json, "--json"), (short, "--short"), (csv, "--csv"), (get != nil, "--get")]
      .filter(\.0).map(\.1)
    if forms.count > 1, forms != ["--csv", "--get"] {
      throw ValidationError("\(forms[0]) and \(forms[1]) exclude each other; give one.")
    }
    guard let track, track < 1 else { return }
    throw ValidationError("--track \(track) is out of range; tracks count from 1.")
  }

  /// How each file is reported.
  var form: InfoRun.Form {
    if json { return .json }
    if short { return .short }
    if csv { return .csv(get?.fields ?? InspectionField.allCases) }
    return get.map { .values($0.fields) } ?? .rows
  }

  var request: InspectionRequest {
    InspectionRequest(
      countsFrames: exact, measuresLevels: levels, measuresTempo: tempo, track: track)
  }
}
