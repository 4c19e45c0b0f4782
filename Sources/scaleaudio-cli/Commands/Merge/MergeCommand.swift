import ArgumentParser
import ScaleAudio
import ScaleAudioRuns

/// Proves that a run is complete.
struct MergeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Check that all shards of a run are done, and list what is not.",
    usage: "scaleaudio merge <run> [--check] [--retry <file>]\n"
      + "                 [--write <form=path> ...] [--quiet] [--no-config]",
    discussion: """
      Every input must be in one shard, and every output recorded and as long as its record says. \
      Names what is missing, failed, stray or half-written.

      EXIT STATUS
        0    complete
        1    complete, but some inputs failed
        64   wrong usage, no plan, or records of another plan
        75   something is missing: run the named shards again
      """)

  /// An answer to those who expect it to join files.
  static let scope = "merge checks the run that plan divided; it joins no audio."

  @Argument(help: ArgumentHelp("The folder of the run.", valueName: "run"), completion: .directory)
  var folder: String

  @Flag(help: "Read every output and compare it with the SHA-256 of its record.")
  var check = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Write a line of JSON about each input that is not done to this file; plan takes it as a manifest.",
      valueName: "file"), completion: .file())
  var retry: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Write a manifest of the outputs that are done: nemo=FILE, lhotse=FILE, csv=FILE, jsonl=FILE or kaldi=FOLDER; repeatable.",
      discussion:
        "Times are scaled with the audio; other fields of the planned manifest are copied.",
      valueName: "form=path"),
    transform: MergedManifestValue.init)
  var write: [MergedManifestValue] = []

  @Flag(name: .shortAndLong, help: "Print errors only.")
  var quiet = false

  @OptionGroup var configuration: ConfigurationOptions

  func validate() throws {
    if folder.isEmpty || retry == "" { throw ValidationError("A path must not be empty.") }
  }

  func run() async throws {
    let status = MergeRun(self, Interruption.shared).run()
    if status != ExitStatus.success { throw ExitCode(status) }
  }
}
