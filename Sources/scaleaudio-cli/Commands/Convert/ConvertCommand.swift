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
    abstract: "Change the length of audio files, with or without their pitch.",
    usage: usage,
    discussion: """
      Outputs go beside their inputs: in.flac becomes in-x1.5.flac, and the folder Music is mirrored \
      as Music-x1.5. Sample rate, channels, tags and pictures stay. An output gets its name once it is \
      complete, and inputs are never changed.

      METHODS
        smoothstep  The default: linear interpolation, eased between samples when
                    lengthening. Exactly defined; tones get images.
        linear      Linear interpolation at even distances. Likewise.
        sinc        Band-limited resampling, without images: for tapes and
                    records, film frame rates, training data.
        stretch     Changes tempo and keeps the pitch, or the reverse: for
                    speech, practice, fitting music to a length. Factors 0.05
                    to 20.

      With every method except stretch, speed and pitch change together, as with tape. --pitch, \
      --formants, --transients, --engine and --map select stretch.

      EXAMPLES
        scaleaudio -f 1.5 in.flac                half as long again
        scaleaudio --speed 1.25 -o out/ *.wav    a quarter faster, into a folder
        scaleaudio --duration 1:30 jingle.aiff   exactly a minute and a half
        scaleaudio -f 3/2 --format flac Music/   a whole folder, into Music-x1.5/
        scaleaudio --preset podcast --speed 1.3 talk.mp3   faster, at the same pitch
        scaleaudio --preset tape --speed 1.02 reel.wav     speed and pitch together
        scaleaudio --pitch -2 song.flac          two semitones lower
        scaleaudio --map bridge.txt song.flac    a tempo that changes over time
        scaleaudio -f 0.9,1.0,1.1 -o out/ *.wav  three outputs each
        scaleaudio -f 2 -o out --manifest m.csv in/   and a table of the outputs
        scaleaudio --from 1:30 --to 2:00 -f 1.5 in.flac   only that part
        scaleaudio --only 1:30-2:00 -f 1.5 in.flac        all of it, with that part longer
        scaleaudio --format flac *.wav           only the format; the sound stays
        scaleaudio -f 2 - -o - < in.wav > out.wav

      EXIT STATUS
        0    success; skipped files count as success
        1    some files failed
        64   wrong usage, or all outputs would collide; nothing was started
        66   no input found
        75   temporary failure worth retrying, such as a full disk
        78   the configuration file is wrong
        130  interrupted (143 by SIGTERM); no partial output is left
      """)

  /// The refusal of options that ask for nothing.
  static let nothingAsked =
    "Give a length: --factor, --speed or --duration (or --map, or --pitch), or what else changes, such as --format."

  @OptionGroup(title: "Preset") var preset: PresetOptions
  @OptionGroup(title: "Length") var time: TimeOptions
  @OptionGroup(title: "Part") var range: RangeOptions
  @OptionGroup(title: "Method") var method: MethodOptions
  @OptionGroup(title: "Sound") var sound: SoundOptions
  @OptionGroup(title: "Channels") var layout: LayoutOptions
  @OptionGroup(title: "Depth") var depth: DepthOptions
  @OptionGroup(title: "Level") var level: LevelOptions
  @OptionGroup(title: "Tags") var tags: TagOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Beside the audio") var beside: SidecarOptions
  @OptionGroup(title: "Manifest") var manifest: ManifestOptions
  @OptionGroup(title: "Input") var input: InputOptions
  @OptionGroup(title: "Input") var track: TrackOptions
  @OptionGroup(title: "Work") var work: RunOptions
  @OptionGroup(title: "Work") var configuration: ConfigurationOptions

  func validate() throws {
    try input.validateGiven()
    let keepsLength =
      sound.isGiven || depth.isGiven || level.normalize != nil || level.loudness != nil
      || track.track != nil || range.part != nil
      || level.guardsLevel && method.method == nil
      || tags.metadata != .keep
    try method.validate(for: time, resamples: sound.rate != nil)
    if !range.only.isEmpty {
      if method.map != nil {
        throw ValidationError("--only and --map exclude each other; give one.")
      }
      if level.isGiven || sound.rate != nil {
        throw ValidationError(
          "--only leaves the rest as it is; leave out --\(sound.rate != nil ? "rate" : level.name)."
        )
      }
      if !method.hasLength(time) {
        throw ValidationError(
          "--only needs a length or a pitch: --factor, --speed, --duration or --pitch.")
      }
    }
    if layout.downmix != nil && !sound.singleChannel {
      throw ValidationError("--downmix needs --single-channel.")
    }
    if let bits = depth.bits, let samples = sound.format?.sampleFormat, bits.format != samples {
      throw ValidationError(
        "--format names \(samples) samples and --bits \(bits.rawValue) others; give one.")
    }
    try depth.validate(
      for: sound.format?.format,
      inFloat: method.value.interpolation == nil || level.isGiven || sound.rate != nil)
    if output.output == "-" || output.isStream { try validateStream() }
    if work.json && manifest.manifest == "-" {
      throw ValidationError("--json and --manifest - cannot both go to standard output.")
    }
    // Whatever else is wrong comes first.
    if !keepsLength && !method.hasLength(time) {
      throw ValidationError(Self.nothingAsked)
    }
  }

  /// Throws for options that do not go with audio on a stream.
  private func validateStream() throws {
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
    let status = await ConvertRun(request, Interruption.shared).run()
    if status != ExitStatus.success { throw ExitCode(status) }
  }

  /// The request that the options make.
  var request: ConvertRun.Request {
    var settings = ConversionSettings(
      time: time.given ?? .unchanged, method: method.value,
      channels: layout.channels(areMerged: sound.singleChannel), format: sound.format?.format,
      encoding: sound.encoding)
    settings.part = range.part
    settings.only = range.only.map(\.range)
    settings.allowsLayoutLoss = layout.allowLayoutLoss
    settings.level = level.change
    settings.sampleRate = sound.rate?.hertz
    settings.rateQuality = method.quality ?? .high
    settings.track = track.track
    depth.apply(to: &settings)
    settings.sampleFormat = settings.sampleFormat ?? sound.format?.sampleFormat
    tags.apply(to: &settings)
    var files = FilePolicy(
      existing: output.existing, salvages: sound.salvage, scalesSidecars: beside.sidecars,
      drawsPicture: beside.plot, keepsFileTimes: tags.keepMtime, syncsOutput: !output.noSync)
    files.hashesSamples = manifest.manifestHash
    files.raw = input.raw?.pcm
    var batch = BatchRequest(
      inputs: [], destination: output.destination, suffix: output.suffix, settings: settings,
      files: files, walker: input.walker, resumes: output.resume)
    batch.base = output.base.map(RawArgument.path(of:))
    // The length of a list must not decide what a path means.
    if input.filesFrom != nil, case .path(let path) = batch.destination {
      batch.destination = .folder(path)
    }
    batch.template = output.name
    batch.keepsExtensions = output.keepExtension
    batch.showsMethod = method.showsInNames
    batch.otherSettings = Array(variants(of: settings).dropFirst())
    return ConvertRun.Request(
      input: input, map: time.given == nil ? method.map.map(RawArgument.path) : nil,
      batch: batch, work: work,
      manifest: manifest.target(replaces: output.existing != .refuse || output.resume), hint: hint)
  }

  /// The settings with each length and each pitch.
  private func variants(of settings: ConversionSettings) -> [ConversionSettings] {
    let times = time.all.isEmpty ? [settings.time] : time.all
    return times.flatMap { (time) in
      method.values.map { (method) in
        var variant = settings
        variant.time = time
        variant.method = method
        return variant
      }
    }
  }

  /// What someone may not expect who chose no method.
  private var hint: String? {
    let changesLength = time.duration != nil || time.factors.contains { $0.value != 1 }
    guard method.isDefault, changesLength else { return nil }
    return "hint: the pitch moved with the speed. --method sinc does so without images; "
      + "--preset podcast keeps the pitch. Any --method hides this."
  }
}
