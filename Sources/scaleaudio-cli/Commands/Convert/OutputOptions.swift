import ArgumentParser
import ScaleAudio

/// Where outputs go, and what happens to existing ones.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customShort("o", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "Output file for one input file; otherwise a folder, created if missing. - is standard output.",
      valueName: "path"),
    completion: .file())
  var output: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Text added to names before the extension. Default: the requested change, such as -x1.5.",
      valueName: "text"))
  var suffix: String?

  @Flag(help: "Replace existing outputs. Default: an existing output is an error.")
  var overwrite = false

  @Flag(help: "Skip inputs whose outputs exist.")
  var skipExisting = false

  @Flag(
    help: ArgumentHelp(
      "Skip conversions that are done: same unchanged source, same options.",
      discussion: "Finished conversions are recorded in .scaleaudio.jsonl in the output folder."))
  var resume = false

  @Flag(
    help: ArgumentHelp(
      "Do not flush outputs to the disk: faster, but a power failure may lose them."
    ))
  var noSync = false

  func validate() throws {
    if overwrite && skipExisting {
      throw ValidationError("--overwrite and --skip-existing exclude each other; give one.")
    }
    if resume && skipExisting {
      throw ValidationError("--resume and --skip-existing exclude each other; give one.")
    }
    if output == "" { throw ValidationError("--output needs a path.") }
    if resume && output == "-" {
      throw ValidationError("--resume does not apply to standard output.")
    }
    if noSync && output == "-" {
      throw ValidationError("--no-sync does not apply to standard output.")
    }
    guard let suffix else { return }
    if suffix.utf8.contains(UInt8(ascii: "/")) || suffix.utf8.contains(0) {
      throw ValidationError("--suffix '\(suffix)' must not contain a slash.")
    }
    if RawArgument.bytes(of: suffix) != Array(suffix.utf8) {
      throw ValidationError("--suffix must be UTF-8.")
    }
  }

  var existing: ExistingOutput {
    overwrite ? .replace : skipExisting ? .skip : .refuse
  }

  var destination: OutputDestination { OutputDestination(argument: output) }
}
