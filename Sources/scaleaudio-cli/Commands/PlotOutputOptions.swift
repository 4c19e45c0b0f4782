import ArgumentParser
import ScaleAudio
import Waveforms

/// Where pictures go and what happens to those that are there.
struct PlotOutputOptions: ParsableArguments {
  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Picture file, for one input file; else a folder, made when missing. - is standard output.",
      valueName: "path"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Format of the pictures, or of the data: png, svg, pdf, json or dat.",
      discussion: "Default: by the extension of --output, else png.", valueName: "format"),
    completion: .list(PlotFormat.all.map(\.fileExtension)), transform: Self.format)
  var format: PlotFormat?

  @Flag(help: "Draw all files on one contact sheet.")
  var sheet = false

  @Flag(help: "Replace pictures that exist. Default: that is an error for the file.")
  var overwrite = false

  @Flag(help: "Leave pictures that exist alone.")
  var skipExisting = false

  private static func format(_ name: String) throws -> PlotFormat {
    guard let format = PlotFormat(fileExtension: name) else {
      throw ValidationError("formats are png, svg, pdf, json and dat")
    }
    return format
  }

  /// The format of a picture, where one was chosen.
  var pictureFormat: PictureFormat? {
    if case .picture(let format) = format { format } else { nil }
  }

  /// One of the options for files that was given; `nil` when none was.
  var givenForFiles: String? {
    if output != nil { return "--output" }
    if format != nil { return "--format" }
    if sheet { return "--sheet" }
    if overwrite { return "--overwrite" }
    return skipExisting ? "--skip-existing" : nil
  }

  /// Whether data is asked for, as far as can be told from the options.
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
    if sheet && asksForData {
      throw ValidationError("--sheet draws one picture; json and dat are of one file each.")
    }
    if sheet && output == nil { throw ValidationError("--sheet needs a file to write: -o FILE.") }
    if sheet && output?.utf8.last == UInt8(ascii: "/") {
      throw ValidationError("--sheet makes one file; name it: -o FILE.")
    }
  }

  var existing: ExistingOutput {
    overwrite ? .replace : skipExisting ? .skip : .refuse
  }

  var destination: OutputNaming.Destination {
    guard let output else { return .beside }
    if output == "-" { return .standardOutput }
    let path = RawArgument.path(of: output)
    return output.utf8.last == UInt8(ascii: "/") ? .folder(path) : .path(path)
  }
}
