import ArgumentParser
import AudioPlayer
import ScaleAudio

/// How `play` begins.
struct PlayOptions: ParsableArguments {
  @Option(
    name: [.customShort("f", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "Length / length of the source at the same pitch, 0.25 to 4: 1.5, 3/2 or 150%.",
      valueName: "factor"),
    transform: FactorValue.init)
  var factor: FactorValue?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Rate at the same pitch, 1 / factor, 0.25 to 4: 1.25, 5/4 or 125%.", valueName: "speed"),
    transform: SpeedValue.init)
  var speed: SpeedValue?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Shift the pitch: -2, 0.5 or 2st semitones, +30c cents, up to 12 semitones.",
      valueName: "pitch"),
    transform: PitchValue.init)
  var pitch: PitchValue?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Begin at this time of the first file: 90, 1:30, 500ms or 90000f.", valueName: "time"),
    transform: PlayTimeValue.init)
  var from: PlayTimeValue?

  @Option(help: ArgumentHelp("Volume in percent, 0 to 100. Default: 100.", valueName: "percent"))
  var volume = 100

  @Flag(help: "Repeat each file.")
  var loop = false

  func validate() throws {
    if factor != nil && speed != nil {
      throw ValidationError("--factor and --speed exclude each other; give one.")
    }
    guard (0...100).contains(volume) else {
      throw ValidationError("--volume \(volume) is not within 0 to 100.")
    }
    let (rates, pitches) = (Player.rateRange, Player.semitoneRange)
    if rates.lowerBound == rates.upperBound, rate != 1 || semitones != 0 {
      throw ValidationError(
        "--factor, --speed and --pitch need Rubber Band; this program was built without it.")
    }
    guard rates.contains(rate) else {
      throw ValidationError("play changes the rate within 0.25 to 4; convert goes further.")
    }
    guard pitches.contains(semitones) else {
      throw ValidationError("play shifts the pitch by up to 12 semitones; convert goes further.")
    }
  }

  private var rate: Double { factor?.factor.speed ?? speed?.factor.speed ?? 1 }
  private var semitones: Double { pitch?.semitones ?? 0 }

  var settings: PlayerSettings {
    var settings = PlayerSettings()
    settings.rate = rate
    settings.semitones = semitones
    settings.volume = Volume(level: Double(volume) / 100)
    settings.loopsTrack = loop
    settings.start = from?.time
    return settings
  }
}

/// The value of `--from`: `0`, `90`, `1:30`, `500ms` or `90000f`.
struct PlayTimeValue {
  let time: TypedTime

  init(_ text: String) throws {
    guard let time = TypedTime(text), time.frames(at: 1) <= 36_000_000 * 192_000 else {
      throw ValidationError(refusing: text, "a time is 90, 500ms, 1:30, 1:02:03.5 or 90000f")
    }
    self.time = time
  }
}

/// Where `play` sends the sound.
struct PlayOutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp(
      "A WAV file for what is heard, written without waiting, or null for silence in real time.",
      valueName: "file or null"),
    completion: .file())
  var output: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The device to play through, by its name. Default: that of the system.",
      valueName: "name"), completion: .shellCommand(PlayDevices.namesCommand))
  var device: String?

  @Flag(help: "List the devices of the sound server, or else of ALSA, and exit.")
  var listDevices = false

  @Flag(help: "Replace an output file that exists.")
  var overwrite = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Sound on its way to the device, 10 to 1000 milliseconds. Default: 60.", valueName: "ms"))
  var latency = 60

  func validate() throws {
    guard (10...1000).contains(latency) else {
      throw ValidationError("--latency \(latency) is not within 10 to 1000 milliseconds.")
    }
    if device != nil && output != nil {
      throw ValidationError("--device and --output exclude each other; give one.")
    }
    guard let output, output != "null" else { return }
    guard output.lowercased().hasSuffix(".wav") else {
      throw ValidationError("--output takes a file name that ends in .wav, or null.")
    }
  }
}
