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
      "Format of the pictures. Default: by the extension of --output, else png."))
  var format: PictureFormat?

  @Flag(help: "Draw all files on one contact sheet.")
  var sheet = false

  @Flag(help: "Replace pictures that exist. Default: that is an error for the file.")
  var overwrite = false

  @Flag(help: "Leave pictures that exist alone.")
  var skipExisting = false

  @Flag(name: .shortAndLong, help: "Say nothing but errors.")
  var quiet = false

  func validate() throws {
    if overwrite && skipExisting {
      throw ValidationError("--overwrite and --skip-existing exclude each other; give one.")
    }
    if output == "" { throw ValidationError("--output needs a path.") }
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
