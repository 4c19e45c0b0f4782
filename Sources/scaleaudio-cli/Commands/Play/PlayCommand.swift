import ArgumentParser
import ScaleAudio

/// Plays audio.
struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play audio files, as they are or as convert would write them.",
    usage: "scaleaudio play <path> ... [<options>]",
    discussion: """
      Plays files, folders and playlists (M3U, M3U8, PLS) one after another, without a gap where sample rate \
      and channels agree. Without options, the samples are those of the files. A damaged file plays up to \
      the damage. The amplitude is the cube of the volume.

      With options of convert, the samples are those that convert writes (with sinc, before rounding). The method \
      stretch, which --pitch selects too, studies the whole file first, so play previews it: its engine runs live, with \
      the same length and pitch but slightly other samples, at rates of 0.25 to 4 and up to 12 semitones. The keys for \
      rate and pitch use that engine too.

      KEYS
      \(PlayKeys.help.map { "  " + $0 }.joined(separator: "\n"))

      JSON
        One object per line for each event: "output", "started", "position" (every
        second), "paused", "resumed", "failed", "moved", "lost", "stalled",
        "continued", "writing" (key s, with its percentage), "written", "ended";
        with --follow "waiting", "replaced". play.schema.json, installed in
        share/scaleaudio, describes them. With --list-devices, one object per
        device.

      EXAMPLES
        scaleaudio play song.flac
        scaleaudio play --tempo 1.5 talk.mp3           faster, same pitch
        scaleaudio play --speed 1.02 reel.wav          what convert writes
        scaleaudio play --from 1:30 --to -10 --pitch -2 song.ogg
        scaleaudio play --follow recording.wav         a recording while it grows
        scaleaudio play -o heard.wav Music/            into a file
        scaleaudio play --loop 4 -o beat.wav bar.wav   four times
        scaleaudio play --list-devices                 the names for --device

      For the METHODS, see scaleaudio help convert. Exit statuses are those of info.
      """)

  @OptionGroup(title: "Preset") var preset: PresetOptions
  @OptionGroup(title: "Length") var time: TimeOptions
  @OptionGroup(title: "Part") var part: PartOptions
  @OptionGroup(title: "Method") var methodOptions: MethodOptions
  @OptionGroup(visibility: .hidden) var engineOptions: EngineOptions
  @OptionGroup(title: "Channels") var mix: MixOptions
  @OptionGroup(title: "Channels") var weights: DownmixOptions
  @OptionGroup(visibility: .hidden) var level: LevelOptions
  @OptionGroup(title: "Sound") var options: PlayOptions
  @OptionGroup(title: "Output") var output: PlayOutputOptions

  @Flag(
    help: ArgumentHelp(
      "Follow a growing file, such as a recording in progress: at its end, wait for more."))
  var follow = false

  @Flag(help: "Keep no marks, loops, speeds and positions of files, and use none.")
  var noState = false

  @Flag(help: "Print a JSON object per event to standard output, one per line.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print errors only.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print the output, the format of each file, and underruns.")
  var verbose = false

  @OptionGroup(title: "Input") var input: InputOptions
  @OptionGroup(title: "Input") var encoding: TagEncodingOption
  @OptionGroup(title: "Input") var configuration: ConfigurationOptions

  var method: MethodChoice { MethodChoice(methodOptions, engineOptions, time) }

  func validate() throws {
    if output.listDevices {
      if input.isGiven {
        throw ValidationError("--list-devices plays nothing; leave the paths out.")
      }
    } else {
      try input.validateGiven()
    }
    if follow, input.paths.count != 1 || input.paths.contains("-") {
      throw ValidationError("--follow plays one file, not several and no pipe.")
    }
    if quiet && verbose { throw ValidationError("-q and -v exclude each other; give one.") }
    if output.isFile, options.loop?.count == .max {
      throw ValidationError(
        "--loop alone never ends, and a file has to; give the number of times, such as --loop 2.")
    }
    if output.isFile, options.loopList {
      throw ValidationError("--loop-list never ends, and a file has to; leave it out.")
    }
    try validateSound()
    if follow, sound.conversion != nil || sound.pace != nil || method.map != nil {
      throw ValidationError(
        "--follow plays a file as it is, or at a --tempo: without a part, another method, --single-channel, --duration or --map."
      )
    }
  }

  func run() async throws {
    if output.listDevices {
      let status = PlayDevices.list(asJSON: json)
      if status != ExitStatus.success { throw ExitCode(status) }
      return
    }
    let run = PlayRun(
      PlayRequest(
        input: input, settings: settings, sound: sound,
        map: time.given == nil ? method.map.map(RawArgument.path) : nil,
        output: output, follows: follow, keepsState: !noState,
        tagEncoding: encoding.tagEncoding,
        form: json ? .json : quiet ? .quiet : .text,
        isVerbose: verbose),
      Interruption.shared)
    let status = run.run()
    if status != ExitStatus.success { throw ExitCode(status) }
  }
}
