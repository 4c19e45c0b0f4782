import ArgumentParser
import AudioIO
import ScaleAudio
import ScaleAudioRuns

/// Plans a run that many tasks share.
struct PlanCommand: ContextualCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Divide the conversion of many files into shards, for the tasks of a cluster.",
    usage:
      "scaleaudio plan --shards <count> --run <folder> -o <folder>\n"
      + "                [<options of convert>] <path> ...",
    discussion: """
      Reads the inputs, names all outputs, refuses those that would collide, and freezes the options of \
      convert. Each task then does one shard, and merge checks that all are done:

        scaleaudio plan all.jsonl --shards 1000 --speed 0.9,1.1 -o out/ --run run/
        scaleaudio convert --run run/ --shard auto
        scaleaudio merge run/

      An input is a file, a folder, or a manifest: lines of JSON in a .jsonl or .json file, of NeMo (audio_filepath, \
      duration, offset) or of lhotse (recordings, cuts), or a data folder of Kaldi. Shards are equally long: the \
      longest input first, each to the shard with the least so far, by the durations of a manifest, otherwise by the \
      sizes of files. Each file is scaled by itself: tracks of an album, which convert joins, are not joined. The \
      plan has paths as they were given, so tasks must start in the same folder. For the \
      METHODS, see scaleaudio help convert.

      EXIT STATUS
        0    the plan is made
        1    some folders could not be read; the plan is made without them
        64   wrong usage, or outputs would collide or exist; there is no plan
        66   a list or a manifest cannot be read
        75   temporary failure worth retrying, such as a full disk
      """)

  @Option(
    help: ArgumentHelp("The number of shards, 1 to 1000000.", valueName: "count"))
  var shards: Int

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The folder of the run, which is created.", valueName: "folder"),
    completion: .directory)
  var run: String

  @Flag(name: .shortAndLong, help: "Print errors only.")
  var quiet = false

  @OptionGroup var options: ConversionOptions
  @OptionGroup(title: "Input") var input: InputOptions
  @OptionGroup(title: "Input") var track: TrackOptions
  @OptionGroup var configuration: ConfigurationOptions

  func validate() throws {
    try input.validateGiven()
    if !RunError.shardRange.contains(shards) {
      throw ValidationError("--shards \(shards) is not within 1 to 1000000.")
    }
    if run.isEmpty { throw ValidationError("--run needs a path.") }
    if input.paths.contains("-") {
      throw ValidationError("A plan needs files, not standard input.")
    }
    let output = options.output
    guard output.output != nil, output.output != "-" else {
      throw ValidationError("A plan needs a folder for the outputs: -o FOLDER.")
    }
    if options.beside.copyOthers {
      throw ValidationError(
        "--copy-others is an option of convert: the tasks of a run make outputs only.")
    }
    if output.resume || output.skipExisting {
      let name = output.resume ? "--resume" : "--skip-existing"
      throw ValidationError("\(name) is not needed: a run records what is done.")
    }
    try options.check(track, inputs: []) {}
  }

  func run(in context: CommandContext) throws {
    let status = PlanRun(self, context.arguments, Interruption.shared).run()
    if status != ExitStatus.success { throw ExitCode(status) }
  }
}
