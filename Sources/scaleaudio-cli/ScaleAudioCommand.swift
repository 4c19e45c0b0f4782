import ArgumentParser
import ScaleAudio

@main
struct ScaleAudioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scaleaudio", abstract: "Change the length of audio files, in bulk.")

  @Option(name: .shortAndLong) var factor: Double
  @Argument var paths: [String]

  func run() throws {
    guard let factor = TimeFactor(factor) else { throw ValidationError("factor out of range") }
    for path in paths {
      let input = FilePath(path)
      let output = input.removingLastComponent().appending(
        "\(input.stem ?? "")-x\(factor.value).\(input.extension ?? "wav")")
      let report = try Conversion(
        input: .file(input), output: .file(output),
        settings: ConversionSettings(time: .factor(factor))
      ).run()
      print("\(output): \(report.outputFrames) frames")
    }
  }
}
