import ArgumentParser
import ScaleAudio
import ScaleAudioRuns

/// The shard of a planned run to convert.
struct ShardOptions: ParsableArguments {
  /// The name of the option that names a run.
  static let name = "--run"
  /// The options that may be combined with it; all others are frozen in the plan.
  static let beside = [
    name, "--shard", "--shard-offset", "--jobs", "--threads", "--dry-run", "--fail-fast",
    "--progress",
    "--json", "--quiet", "--verbose", "--no-config",
  ]

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Convert one shard of the run in this folder, which scaleaudio plan made.",
      discussion: "Inputs and options come from the plan.", valueName: "folder"),
    completion: .directory)
  var run: String?

  @Option(
    help: ArgumentHelp(
      "The shard: a number from 1, such as 7 or 7/1000, or auto for the task's index under Slurm, Kubernetes, AWS Batch, or Google's Cloud Run or Batch.",
      valueName: "shard"),
    transform: ShardValue.init)
  var shard: ShardValue?

  @Option(
    help: ArgumentHelp(
      "Add this to the shard number, for arrays larger than the scheduler allows.",
      valueName: "count"))
  var shardOffset: Int?

  func validate() throws {
    if run == "" { throw ValidationError("--run needs a path.") }
    if run == nil {
      let given = shard != nil ? "--shard" : shardOffset != nil ? "--shard-offset" : nil
      if let given { throw ValidationError("\(given) needs --run.") }
    } else if shard == nil {
      throw ValidationError("--run needs --shard: its number, or auto.")
    }
    if let shardOffset, shardOffset < 0 {
      throw ValidationError("--shard-offset \(shardOffset) is below 0.")
    }
  }

  /// The run; `nil` for none.
  var folder: RunFolder? { run.map { RunFolder(RawArgument.path(of: $0)) } }

  /// Throws for options that the plan of the run has frozen.
  static func check(_ arguments: [String]) throws {
    guard let command = CommandTree.Command(of: ConvertCommand.self) else { return }
    let typed = arguments.first == command.name ? arguments.dropFirst() : arguments[...]
    for (option, _) in FrozenOptions.options(typed, of: command)
    where !option.names.contains(where: beside.contains) {
      throw ValidationError(
        "\(option.names.last ?? "") is set by the plan; leave it out.")
    }
  }

  /// True if arguments name a run, so that the user's defaults do not apply.
  static func isGiven(in arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains { $0 == name || $0.hasPrefix(name + "=") }
  }
}

/// The value of `--shard`: `7`, `7/1000` or `auto`.
struct ShardValue {
  let choice: ShardChoice

  init(_ text: String) throws {
    if text == "auto" {
      choice = .auto
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Decimal.wholeValue($0) }
    guard numbers.count == parts.count, (1...2).contains(parts.count),
      numbers.allSatisfy({ $0 > 0 })
    else { throw ValidationError("a shard is a number from 1, such as 7 or 7/1000, or auto") }
    choice = .number(numbers[0], of: numbers.count > 1 ? numbers[1] : nil)
  }
}
