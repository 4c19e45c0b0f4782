import ArgumentParser
import AudioIO
import ScaleAudio

/// Proves that outputs are complete and match their sources.
struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check that outputs are complete and match their sources.",
    usage: "scaleaudio verify <source> ... [--json]\n"
      + "scaleaudio verify <output folder> --against <source folder>\n"
      + "scaleaudio verify --manifest <file>",
    discussion: """
      Every output is decoded to its end and compared with what a conversion of its source would make: \
      length, tags, pictures, chapters and marks. How it was made is read from the manifest, from the \
      journal of --resume or from the output's encoder tag. With a manifest, hashes are compared too.

      Without --against, the outputs are those beside their sources: a-x1.5.wav of a.wav, and the folder \
      Music-x1.5 of the folder Music.

      EXAMPLES
        scaleaudio verify *.wav
        scaleaudio verify out/ --against in/
        scaleaudio verify --manifest out/all.jsonl --json

      EXIT STATUS
        0    everything matches
        1    something differs, is missing or has no source
        64   wrong usage
        66   no input found
      """)

  @OptionGroup var input: InputOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The folder of the sources; the path is then the folder of the outputs.", valueName: "folder"),
    completion: .directory)
  var against: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Check the outputs that this manifest (JSON lines, as --manifest or --json writes them) lists.",
      valueName: "file"), completion: .file())
  var manifest: String?

  @Flag(help: "Print a JSON object per output to standard output, one per line.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print only what does not match.")
  var quiet = false

  @OptionGroup var configuration: ConfigurationOptions

  func validate() throws {
    if against == "" || manifest == "" { throw ValidationError("A path must not be empty.") }
    if manifest != nil {
      if against != nil || input.isGiven {
        throw ValidationError("--manifest names the files; leave out the paths and --against.")
      }
      return
    }
    try input.validateGiven()
    if against != nil, input.paths.count != 1 || input.filesFrom != nil {
      throw ValidationError("--against needs one folder of outputs.")
    }
    if let against, let outputs = input.paths.first,
      let identity = FileIdentity(path: RawArgument.path(of: outputs)),
      identity == FileIdentity(path: RawArgument.path(of: against))
    {
      throw ValidationError(
        "--against names the folder of the outputs itself; name that of their sources.")
    }
    if input.paths.contains("-") {
      throw ValidationError("verify reads files, not standard input.")
    }
  }

  func run() async throws {
    let status = VerifyRun(self, Interruption.shared).run()
    if status != ExitStatus.success { throw ExitCode(status) }
  }
}
