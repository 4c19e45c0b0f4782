import ArgumentParser
import ScaleAudio

/// Where outputs go and what happens to those that are there.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Output file, for one input file; else a folder, made when missing. - is standard output.",
      valueName: "path"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Text put after the stem of what was named. Default: what was asked, such as -x1.5.",
      valueName: "text"))
  var suffix: String?

  @Flag(help: "Replace outputs that exist. Default: that is an error for the file.")
  var overwrite = false

  @Flag(help: "Leave outputs that exist, and their inputs, alone.")
  var skipExisting = false

  @Flag(
    help: ArgumentHelp(
      "Skip what was done before: the same source, unchanged, with the same options.",
      discussion: "What was done is recorded in .scaleaudio.jsonl in the output folder."))
  var resume = false

  @Flag(
    help: ArgumentHelp(
      "Do not wait until each output is on the disk: faster, for outputs that a power cut may take."
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
      throw ValidationError("--resume means nothing for standard output.")
    }
    if noSync && output == "-" {
      throw ValidationError("--no-sync means nothing for standard output.")
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

  func naming(time: TimeRequest, method: ScalingMethod) -> OutputNaming {
    OutputNaming(destination: destination, suffix: suffix, time: time, method: method)
  }

  private var destination: OutputNaming.Destination {
    guard let output else { return .beside }
    if output == "-" { return .standardOutput }
    let path = RawArgument.path(of: output)
    return output.utf8.last == UInt8(ascii: "/") ? .folder(path) : .path(path)
  }
}
