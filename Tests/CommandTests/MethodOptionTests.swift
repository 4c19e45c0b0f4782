import Foundation
import ScaleAudio
import TestSupport
import Testing

@Suite("Choosing a method", .tags(.packageTraits))
struct MethodOptionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(["in.wav": Sound.wav]) }

  /// The error line for arguments that must be refused when they are parsed.
  private func refusal(_ arguments: [String]) throws -> String {
    let refusal = try #require(Program.refusal(of: arguments + ["in.wav"]), "\(arguments)")
    #expect(refusal.status == 64, "\(arguments): \(refusal.message)")
    return try errorLine(refusal.message)
  }

  private func errorLine(_ message: String) throws -> String {
    let lines = message.split(separator: "\n").filter { $0.hasPrefix("Error: ") }
    #expect(lines.count == 1)
    return String(try #require(lines.first))
  }

  /// A run without a chosen method ends with one hint, on a terminal only.
  @Test(arguments: [
    (["-f", "2"], true), (["--duration", "1"], true), (["-f", "1"], false),
    (["--speed", "1"], false), (["-f", "2", "--method", "linear"], false),
    (["-f", "2", "-q"], false), (["-f", "2", "--json"], false),
  ])
  func hint(options: [String], isGiven: Bool) throws {
    let script = #filePath.replacing("MethodOptionTests.swift", with: "Support/in-terminal.py")
    let command = [Program.path] + options + ["--overwrite", "in.wav", "-o", "out.wav"]
    let seen = try Tool.run(
      "python3", [script, "200", "24", "0", "0", "env", "TERM=xterm"] + command, in: folder.path
    ).succeeded()
    #expect(seen.outputText.ranges(of: "hint: ").count == (isGiven ? 1 : 0))
    let piped = try Tool.run(Program.path, Array(command.dropFirst()), in: folder.path)
    #expect(!piped.errorText.contains("hint: ") && !piped.outputText.contains("hint: "))
  }

  /// The program itself prints the line, and does nothing.
  @Test(arguments: [
    ["--method", "linear", "--pitch", "-2"],
    ["-f", "2", "--method", "sinc", "--quality", "perfect"],
  ])
  func refusalsArePrinted(arguments: [String]) throws {
    let run = try Tool.run(Program.path, arguments + ["in.wav"], in: folder.path)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(try errorLine(run.errorText) == refusal(arguments))
    #expect(try folder.names() == ["in.wav"])
  }

  @Test(arguments: ["smoothstep", "linear", "sinc"])
  func otherMethodsNameStretch(method: String) throws {
    let pitch = try refusal(["--method", method, "--pitch", "-2"])
    #expect(
      pitch == "Error: --pitch: \(method) changes pitch with speed; use --method stretch.")
    for options in [["--formants", "preserve"], ["--engine", "r3"], ["--map", "m"]] {
      let line = try refusal(["-f", "2", "--method", method] + options)
      #expect(
        line == "Error: \(options[0]) does not apply to \(method); use --method stretch.")
    }
  }

  @Test(arguments: [[], ["--method", "smoothstep"], ["--method", "linear"]])
  func interpolationHasNoQuality(method: [String]) throws {
    let line = try refusal(["-f", "2", "--quality", "best"] + method)
    #expect(line.contains("--quality best does not apply to \(method.last ?? "smoothstep");"))
    #expect(line.contains("use --method sinc or stretch"))
  }

  @Test func unknownMethods() throws {
    #expect(try refusal(["-f", "2", "--method", "best"]).contains("smoothstep"))
    #expect(try refusal(["-f", "2", "--method", "sinc", "--quality", "perfect"]).contains("fast"))
  }

  @Test(arguments: ["fast", "best"])
  func qualityIsRecorded(quality: String) throws {
    let run = try Program.run(
      "-f", "1.5", "--method", "sinc", "--quality", quality, "--json", "in.wav", in: folder.path)
    #expect(run.outputText.contains(#""method":"sinc""#), "\(run.errorText)")
    #expect(run.outputText.contains(#""quality":"\#(quality)""#))
  }

  @Test(arguments: [
    "49", "-49", "-48.5", "4801c", "", "-", "+", "c", "st", "2s", "1e1", "two", "--2", "+-2",
    "2 ",
    "nan", "٢", "2stc",
  ])
  func malformedPitches(text: String) throws {
    let line = try refusal(["--pitch", text])
    #expect(line.contains("a pitch is within -48 to 48 semitones, such as -2, 0.5, 2st or +30c"))
  }

  @Test func factorsOutOfRangeForStretch() throws {
    for options in [["-f", "0.049"], ["-f", "20.5"], ["--speed", "25"], ["-f", "21"]] {
      let line = try refusal(options + ["--method", "stretch"])
      #expect(line.contains("is not within 0.05 to 20, the range of --method stretch"))
      #expect(try refusal(options + ["--pitch", "1"]).contains("range of --method stretch"))
    }
  }

  @Test func durationsOutOfRangeForStretchAreErrorsOfTheFile() throws {
    let run = try Program.run(
      "--duration", "30", "--method", "stretch", "--json", "in.wav", in: folder.path)
    #expect(run.status == 1)
    #expect(
      run.errorText.contains(
        "in.wav: a factor of 60.0 is not within 0.05 to 20"
      ))
    #expect(run.outputText.contains(#""errorClass":"cannot-scale""#))
    #expect(try folder.names() == ["in.wav"])
  }

  @Test func formantsWithoutEffect() throws {
    #expect(try refusal(["-f", "2", "--formants", "preserve"]).contains("needs --pitch"))
    #expect(try refusal(["-f", "2", "--formants", "keep", "--pitch", "1"]).contains("preserve"))
  }

  @Test(
    arguments: [
      ["--engine", "vocoder"], ["--quality", "fast"], ["--quality", "high"], ["--quality", "best"],
      [],
    ])
  func theVocoderIsTheEngine(options: [String]) throws {
    let request = try Program.request(
      of: ["-f", "1.5", "--method", "stretch"] + options + ["in.wav"])
    guard case .stretch(let settings) = request.settings.method else {
      Issue.record("\(request.settings.method)")
      return
    }
    #expect(settings.engine == .vocoder)
  }

  @Test func onePitchOrOneLengthIsNeeded() throws {
    #expect(try refusal(["--method", "stretch"]).contains("--factor, --speed or --duration"))
    #expect(try refusal(["--engine", "vocoder"]).contains("--factor, --speed or --duration"))
  }

  @Test(arguments: [
    (["--pitch", "-2"], "in-pitch-2.wav"), (["--pitch=-2"], "in-pitch-2.wav"),
    (["--pitch", "+30c"], "in-pitch0.3.wav"), (["--pitch", "-150c"], "in-pitch-1.5.wav"),
    (["--pitch", "2st"], "in-pitch2.wav"),
    (["--pitch", "0.5", "-f", "1.5"], "in-x1.5-pitch0.5.wav"),
    (["--pitch", "-2", "--speed", "2"], "in-speed2-pitch-2.wav"),
    (["--pitch", "-2", "-f", "1"], "in-pitch-2.wav"), (["--pitch", "0"], "in-pitch0.wav"),
    (["--pitch", "-0", "-f", "2"], "in-x2-stretch.wav"),
    (["--pitch", "-2", "--duration", "3"], "in-3s-pitch-2.wav"),
    (["--pitch", "48"], "in-pitch48.wav"), (["--pitch", "-4800c"], "in-pitch-48.wav"),
    (["--pitch", "1", "--formants", "preserve"], "in-pitch1.wav"),
    (["--engine", "vocoder", "-f", "2"], "in-x2-stretch.wav"),
  ])
  func names(options: [String], output: String) throws {
    #expect(try Program.outputs(of: options + ["in.wav"]) == [output])
  }

  @Test func pitchAloneKeepsTheLength() throws {
    let run = try Program.run("--pitch", "-2", "--json", "in.wav", in: folder.path).succeeded()
    #expect(run.outputText.contains(#""method":"stretch""#))
    #expect(run.outputText.contains(#""pitchSemitones":-2"#))
    #expect(run.outputText.contains(#""outputFrames":22050"#))
    #expect(run.errorText.contains("pitch -2 semitones"))
    #expect(try Sound.samples(folder.file("in-pitch-2.wav")).count == 44100)
  }

  /// The engine whose record and line a run has; without the trait, the option names what builds it.
  @Test func theOtherEngineIsAnOption() throws {
    #if RubberBand
      let run = try Program.run(
        "--pitch", "2", "--engine", "r3", "--json", "in.wav", in: folder.path
      ).succeeded()
      #expect(run.outputText.contains(#""engine":"r3""#))
      #expect(run.errorText.contains("stretch (r3)"))
      #expect(try Sound.samples(folder.file("in-pitch2.wav")).count == 44100)
    #else
      let line = try refusal(["--engine", "r3", "-f", "2"])
      #expect(
        line == "Error: --engine r3: this program was built without Rubber Band; "
          + "build it with swift build --traits defaults,RubberBand, or use the program rubberband."
      )
    #endif
  }
}
