import ScaleAudio
import TestSupport
import Testing

@Suite("Conversions by stretching", .tags(.packageTraits))
struct StretchConversionTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try Tool.run(
      "sox",
      ["-R", "-n", "-r", "44100", "-b", "16", "-c", "2", "in.wav"]
        + ["synth", "1.01", "sine", "440", "gain", "-12"], in: folder.path
    ).succeeded()
  }

  private func conversion(factor: Double, _ settings: StretchSettings) throws -> Conversion {
    Conversion(
      input: .file(folder.file("in.wav")), output: .file(folder.file("new/out.wav")),
      settings: ConversionSettings(time: .by(factor), method: .stretch(settings)))
  }

  /// Refused before anything is made.
  private func refusal(factor: Double, _ settings: StretchSettings) throws -> String {
    let conversion = try conversion(factor: factor, settings)
    let error = #expect(throws: ConversionError.self) { _ = try conversion.run() }
    #expect(error?.errorClass == "cannot-scale")
    #expect(try folder.names() == ["in.wav"])
    return error?.message ?? ""
  }

  @Test(
    arguments: [0.5, 1.5], StretchSettings.Engine.allCases.filter(\.isAvailable))
  func lengthChangesAndPitchDoesNot(factor: Double, engine: StretchSettings.Engine) throws {
    var reported: [ConversionProgress] = []
    let settings = StretchSettings(engine: engine)
    let report = try conversion(factor: factor, settings).run { reported.append($0) }
    #expect(report.outputFrames == Int(44541 * factor))
    #expect(report.warnings == [])
    #expect(zip(reported, reported.dropFirst()).allSatisfy { $0.frames <= $1.frames })
    #expect(reported.last?.frames == 44541)
    let output = folder.file("new/out.wav").string
    #expect(try Tool.run("soxi", ["-s", output]).outputText == "\(Int(44541 * factor))\n")
    // The rest beside the tone, by a filter of sox, which itself takes 16 ms to settle.
    let rest = try rms(output, ["bandreject", "440", "20h"])
    #expect(rest < 0.3 * (try rms(output, [])))
  }

  @Test(arguments: [0.01, 0.04])
  func factorsOutOfRange(factor: Double) throws {
    let message = try refusal(factor: factor, StretchSettings())
    #expect(message.contains("0.05 to 100") && message.contains("in.wav"))
  }

  @Test func pitchesOutOfRange() throws {
    let message = try refusal(factor: 1, StretchSettings(semitones: 50))
    #expect(message.contains("-48 to 48"))
  }

  private func rms(_ file: String, _ effects: [String]) throws -> Double {
    let text = try Tool.run(
      "sh",
      [
        "-c", "sox \"$0\" -n trim 0.1 -0.1 \"$@\" stat 2>&1 | awk '/^RMS +amp/ { print $3 }'",
        file,
      ] + effects)
    return try #require(Double(text.outputText.prefix { $0 != "\n" }))
  }

  #if !RubberBand
    @Test func withoutItsLibraryTheEngineNamesIt() throws {
      let message = try refusal(factor: 1.5, StretchSettings(engine: .r3))
      #expect(message.contains("built without Rubber Band"))
    }
  #endif
}
