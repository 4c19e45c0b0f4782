import ArgumentParser
import Glibc
import ScaleAudio

/// Converts files and folders.
struct ConvertCommand: AsyncParsableCommand {
  static let usage =
    "scaleaudio (--tempo <tempo> | --speed <speed> | -f <factor> |\n"
    + "            --duration <time>) [<options>] <path> ...\n"
    + "scaleaudio (--pitch <pitch> | --map <file>) [<options>] <path> ..."

  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Change the length of audio files, with or without their pitch.",
    usage: usage,
    discussion: """
      Outputs go beside their inputs: in.flac becomes in-x1.5.flac, and the folder Music is mirrored \
      as Music-x1.5. Sample rate, channels, tags and pictures stay. An output gets its name once it is \
      complete, and inputs are never changed.

        --tempo 0.7    slower, same pitch          (--method stretch)
        --speed 1.02   speed and pitch together    (--method sinc)
        -f 1.5         1.5 times as long, by exactly defined arithmetic; the pitch
                       changes too                 (--method smoothstep)

      METHODS
        smoothstep  Of -f and --duration: linear interpolation, eased between
                    samples when lengthening. Simple arithmetic; adds audible
                    distortion.
        linear      Linear interpolation at even distances. Simple arithmetic;
                    adds audible distortion.
        sinc        Of --speed: band-limited resampling, adds nothing: for tapes,
                    records, film frame rates, training data.
        stretch     Of --tempo: keeps the pitch, or changes it alone: for speech,
                    practice, fitting music to a length. Factors 0.05 to
                    100.

      With every method except stretch, speed and pitch change together, as with tape. --tempo, --bpm, \
      --pitch, --formants, --engine and --map select stretch.

      EXAMPLES
        scaleaudio --tempo 0.7 song.m4a          slower, same pitch
        scaleaudio --speed 1.02 -o out/ *.wav    tapes, speed and pitch together
        scaleaudio --pitch -2 song.flac          two semitones lower
        scaleaudio --preset podcast --tempo 1.3 talk.mp3  without clipping, too
        scaleaudio --bpm 128 loops/              every loop at 128 beats a minute
        scaleaudio -f 1.5 in.flac                50 % longer
        scaleaudio --duration 1:30 jingle.aiff   exactly a minute and a half
        scaleaudio --tempo 0.9 --format flac Music/  a folder, into Music-tempo0.9/
        scaleaudio --map bridge.txt song.flac    a tempo that changes over time
        scaleaudio --speed 0.9,1.0,1.1 -o out/ *.wav  three outputs each
        scaleaudio -f 2 -o out --manifest m.csv in/   and a table of the outputs
        scaleaudio --from 1:30 --to 2:00 -f 1.5 in.flac  only that part
        scaleaudio --only 1:30-2:00 --tempo .7 in.flac  all of it, that part slower
        scaleaudio --format flac *.wav           only the format; the sound stays
        scaleaudio -f 2 - -o - < in.wav > out.wav
        scaleaudio convert --run run/ --shard auto   one shard of a planned run

      EXIT STATUS
        0    success; skipped files count as success
        1    some files failed
        64   wrong usage, or all outputs would collide; nothing was started
        66   no input found
        75   temporary failure worth retrying, such as a full disk
        78   the configuration file is wrong
        130  interrupted (143 by SIGTERM); no partial output is left
        141  the reader of standard output has left, as head does
      """)

  /// The refusal if the options request nothing.
  static let nothingAsked =
    "Say what to change, for example --tempo 0.8, --speed 1.02, --pitch -2, --duration 1:30 or --format flac."

  @OptionGroup var options: ConversionOptions
  @OptionGroup(title: "Level") var album: AlbumOptions
  @OptionGroup(title: "Length") var gapless: GaplessOptions
  @OptionGroup(title: "Manifest") var manifest: ManifestOptions
  @OptionGroup(title: "Input") var input: InputOptions
  @OptionGroup(title: "Input") var track: TrackOptions
  @OptionGroup(title: "Run on a cluster") var shard: ShardOptions
  @OptionGroup(title: "Work") var work: RunOptions
  @OptionGroup(title: "Work") var configuration: ConfigurationOptions

  func validate() throws {
    if shard.run != nil {
      if input.isGiven {
        throw ValidationError("--run takes its inputs from the plan; leave out the paths.")
      }
      return
    }
    try input.validateGiven()
    let output = options.output
    try options.check(track, inputs: input.paths) {
      try album.check(options.level)
      try gapless.check(options)
      try manifest.check(json: work.json)
      if output.output == "-" || output.isStream { try validateStream() }
      if work.json && manifest.manifest == "-" {
        throw ValidationError("--json and --manifest - cannot both go to standard output.")
      }
    }
  }

  /// Throws for options that cannot be combined with audio on a stream.
  private func validateStream() throws {
    let (output, beside) = (options.output, options.beside)
    let place = output.output == "-" ? "standard output" : "a pipe or a device"
    if beside.sidecars { throw ValidationError("--sidecars does not apply to \(place).") }
    if beside.plot { throw ValidationError("--plot does not apply to \(place).") }
    if manifest.manifest != nil {
      throw ValidationError("--manifest lists files, not \(place).")
    }
    guard output.output == "-" else { return }
    if work.json {
      throw ValidationError("--json and the audio cannot both go to standard output.")
    }
    if !work.dryRun && isatty(STDOUT_FILENO) == 1 {
      throw ValidationError("Audio is not written to a terminal; redirect standard output.")
    }
  }

  func run() async throws {
    let status =
      if let folder = shard.folder {
        await ShardRun(folder, shard, work, Interruption.shared).run()
      } else {
        await ConvertRun(request, Interruption.shared).run()
      }
    if status != ExitStatus.success { throw ExitCode(status) }
  }

  /// The request of the options.
  var request: ConvertRequest {
    let output = options.output
    var batch = options.request(input, track)
    batch.files.hashesSamples = manifest.manifestHash
    batch.keepsBalance = album.album ?? false
    batch.gapless = gapless.tracks(listed: manifest.manifest != nil)
    // The meaning of a path must not depend on the length of a list.
    if input.filesFrom != nil, case .path(let path) = batch.destination {
      batch.destination = .folder(path)
    }
    return ConvertRequest(
      input: input, map: options.map, batch: batch, work: work,
      manifest: manifest.target(replaces: output.existing != .refuse || output.resume),
      copiesOthers: options.beside.copyOthers,
      hint: options.hint)
  }
}
