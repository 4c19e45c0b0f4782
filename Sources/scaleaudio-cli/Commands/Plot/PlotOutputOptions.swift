import ArgumentParser
import ScaleAudio
import Waveforms

/// The destination of pictures, and what happens to existing ones.
struct PlotOutputOptions: ParsableArguments {
  @Option(
    name: [.customShort("o", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "Picture file for one input file; otherwise a folder, created if missing. - is standard output.",
      valueName: "path"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Format of the pictures or the data: png, svg, pdf, json or dat.",
      discussion: "Default: the extension of --output, otherwise png.", valueName: "format"),
    completion: .list(PlotFormat.all.map(\.fileExtension)), transform: Self.format)
  var format: PlotFormat?

  @Flag(help: "Overwrite existing pictures. Default: an existing picture is an error.")
  var overwrite = false

  @Flag(help: "Skip inputs whose pictures exist.")
  var skipExisting = false

  private static func format(_ name: String) throws -> PlotFormat {
    guard let format = PlotFormat(fileExtension: name) else {
      throw ValidationError("formats are png, svg, pdf, json and dat")
    }
    return format
  }

  /// One of the given options about files; `nil` if none is given.
  var givenForFiles: String? {
    if output != nil { return "--output" }
    if format != nil { return "--format" }
    if overwrite { return "--overwrite" }
    return skipExisting ? "--skip-existing" : nil
  }

  /// True if the options select a data format.
  var asksForData: Bool {
    let ending = output?.split(separator: ".").last.map(String.init)
    guard case .data = format ?? ending.flatMap(PlotFormat.init(fileExtension:)) else {
      return false
    }
    return true
  }

  func validate() throws {
    if overwrite && skipExisting {
      throw ValidationError("--overwrite and --skip-existing exclude each other; give one.")
    }
    if output == "" { throw ValidationError("--output needs a path.") }
  }

  var existing: ExistingOutput {
    overwrite ? .replace : skipExisting ? .skip : .refuse
  }

  var destination: OutputDestination { OutputDestination(argument: output) }
}
