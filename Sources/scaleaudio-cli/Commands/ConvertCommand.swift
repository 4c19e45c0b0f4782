import ArgumentParser
import ScaleAudio

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Converts files and folders.
struct ConvertCommand: AsyncParsableCommand {
  static let usage =
    "scaleaudio (-f <factor> | --speed <speed> | --duration <time>) [<options>] <path> ...\n"
    + "scaleaudio (--pitch <pitch> | --map <file>) [<options>] <path> ..."

  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Make audio files longer or shorter, with their pitch or without.",
    usage: usage,
    discussion: """
      Outputs go beside their inputs: in.flac becomes in-x1.5.flac, and a folder is mirrored: Music \
      becomes Music-x1.5. Rate, channels, tags and pictures stay. An output appears under its name \
      only when it is whole, and inputs are never changed.

      METHODS
        smoothstep  The default: linear interpolation, eased between samples when
                    lengthening. Exact to its definition, and audibly rough.
        linear      Linear interpolation at even places. Likewise.
        sinc        As clean as the best resamplers: for tapes and records, films
                    of another frame rate, training data.
        stretch     The duration without the pitch, or the pitch without the
                    duration: for speech, for practice, for fitting music to a
                    length. Factors 0.05 to 20.

      With all but stretch, speed and pitch change together, as with tape. --pitch, --formants, \
      --transients and --map choose stretch.

      EXAMPLES
        scaleaudio -f 1.5 in.flac                half as long again
        scaleaudio --speed 1.25 -o out/ *.wav    a quarter faster, into a folder
        scaleaudio --duration 1:30 jingle.aiff   exactly a minute and a half
        scaleaudio -f 3/2 --format flac Music/   a whole folder, into Music-x1.5/
        scaleaudio --preset podcast --speed 1.3 talk.mp3   at the same pitch
        scaleaudio --preset tape --speed 1.02 reel.wav     pitch and all
        scaleaudio --pitch -2 song.flac          two semitones lower
        scaleaudio --map bridge.txt song.flac    as a map says, moment by moment
        scaleaudio -f 2 - -o - < in.wav > out.wav

      EXIT STATUS
        0    everything was done, skipped files included
        1    some files failed
        64   wrong usage, or outputs that would collide; nothing was started
        66   no input was found
        75   a fault worth retrying, such as a full disk
        130  interrupted (143 by SIGTERM); nothing half-written is left
      """)

  @OptionGroup(title: "Preset") var preset: PresetOptions
  @OptionGroup(title: "Length") var time: TimeOptions
  @OptionGroup(title: "Method") var method: MethodOptions
  @OptionGroup(title: "Sound") var sound: SoundOptions
  @OptionGroup(title: "Channels") var layout: LayoutOptions
  @OptionGroup(title: "Depth") var depth: DepthOptions
  @OptionGroup(title: "Level") var level: LevelOptions
  @OptionGroup(title: "Tags") var tags: TagOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Beside the audio") var beside: SidecarOptions
  @OptionGroup(title: "Input") var input: InputOptions
  @OptionGroup(title: "Input") var track: TrackOptions
  @OptionGroup(title: "Work") var work: RunOptions

  func validate() throws {
    try time.validate(for: method)
    if layout.downmix != nil && !sound.singleChannel {
      throw ValidationError("--downmix sets the weights of --single-channel; give that too.")
    }
    try depth.validate(
      for: sound.format?.format, inFloat: method.value.interpolation == nil || level.isGiven)
    guard output.output == "-" else { return }
    if beside.sidecars {
      throw ValidationError("--sidecars means nothing for standard output.")
    }
    if beside.plot { throw ValidationError("--plot means nothing for standard output.") }
    if work.json {
      throw ValidationError("--json and the audio cannot both go to standard output.")
    }
    if !work.dryRun && isatty(STDOUT_FILENO) == 1 {
      throw ValidationError("Audio is not written to a terminal; redirect standard output.")
    }
  }

  func run() async throws {
    let status = await ConvertRun(self, Interruption.shared).run()
    if status != ExitStatus.success { throw ExitCode(status) }
  }

  /// What the options ask for.
  func request(inputs: [BatchInput], _ cancellation: Cancellation) throws -> BatchRequest {
    let length = try time.request(for: method, cancellation)
    var settings = sound.settings(
      time: length, method: method.value, existing: output.existing)
    layout.apply(to: &settings)
    depth.apply(to: &settings)
    level.apply(to: &settings)
    tags.apply(to: &settings)
    settings.track = track.track
    settings.scalesSidecars = beside.sidecars
    settings.syncsOutput = !output.noSync
    settings.drawsPicture = beside.plot
    return BatchRequest(
      inputs: inputs, naming: output.naming(time: length, method: method.value),
      settings: settings, walker: input.walker, resumes: output.resume)
  }
}
