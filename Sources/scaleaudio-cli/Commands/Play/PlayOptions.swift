import ArgumentParser
import AudioPlayer
import ScaleAudio

/// The number of times that a file is played.
struct Rounds: ExpressibleByArgument, CustomStringConvertible {
  /// That many times; `Int.max` without end.
  let count: Int

  static let endless = Rounds(count: .max)

  private init(count: Int) { self.count = count }

  init?(argument: String) {
    guard let count = Int(argument) else { return nil }
    self.count = count
  }

  var description: String { self.count == Int.max ? "without end" : "\(count)" }
}

extension GainSource: ExpressibleByArgument {}

/// How `play` begins, besides the sound.
struct PlayOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Volume in percent, 0 to 100.", valueName: "percent"))
  var volume = 100

  @Option(
    defaultAsFlag: .endless, parsing: .next,
    help: ArgumentHelp(
      "Repeat each file, without end or until it was played so many times.", valueName: "times"),
    completion: .list([]))
  var loop: Rounds?

  @Flag(help: "After the last file, begin again with the first.")
  var loopList = false

  @Flag(help: "Play the files in random order, each once.")
  var shuffle = false

  @Option(
    help: ArgumentHelp(
      "Set the level by ReplayGain or R128 tags: track, album or off. Default: off.",
      valueName: "tags"))
  var gain = GainSource.off

  func validate() throws {
    guard (0...100).contains(volume) else {
      throw ValidationError("--volume \(volume) is not within 0 to 100.")
    }
    if let loop, loop.count < 1 {
      throw ValidationError("--loop \(loop) is not above 0.")
    }
  }
}

/// The options for the output of `play`.
struct PlayOutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp(
      "Write what would be heard to this WAV file, faster than real time; null plays silence in real time.",
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

  @Flag(help: "Overwrite an existing output file.")
  var overwrite = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Output latency, 10 to 1000 milliseconds.", valueName: "ms"))
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
