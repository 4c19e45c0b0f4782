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

  /// A run whose length alone was given ends with one hint, on a terminal and elsewhere.
  @Test(
    arguments: [
      (["-f", "2"], true), (["--duration", "1"], true), (["-f", "2.0,3.0"], true),
      (["-f", "1"], false),
      (["--speed", "2"], false), (["--tempo", "2"], false),
      (["-f", "2", "--method", "linear"], false), (["-f", "2", "-q"], false),
      (["-f", "2", "--json"], false), (["-f", "2", "-n"], false),
    ] as [([String], Bool)])
  func hint(options: [String], isGiven: Bool) throws {
    let script = #filePath.replacing("MethodOptionTests.swift", with: "Support/in-terminal.py")
    let output = options.contains("2.0,3.0") ? "out/" : "out.wav"
    let command = [Program.path] + options + ["--overwrite", "in.wav", "-o", output]
    let hint = "The pitch changed too. --tempo keeps it; --speed is cleaner."
    let seen = try Tool.run(
      "python3", [script, "200", "24", "0", "0", "env", "TERM=xterm"] + command, in: folder.path
    ).succeeded()
    #expect(seen.outputText.ranges(of: hint).count == (isGiven ? 1 : 0))
    let piped = try Tool.run(Program.path, Array(command.dropFirst()), in: folder.path)
    #expect(piped.errorText.ranges(of: hint).count == (isGiven ? 1 : 0))
    #expect(!piped.outputText.contains(hint))
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
    #expect(line.contains("use --method sinc"))
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
    for options in [["-f", "0.049"], ["--speed", "25x"]] {
      let line = try refusal(options + ["--method", "stretch"])
      #expect(line.contains("is not within 0.05 to 100, the range of --method stretch"))
      #expect(try refusal(options + ["--pitch", "1"]).contains("range of --method stretch"))
    }
  }

  @Test func durationsOutOfRangeForStretchAreErrorsOfTheFile() throws {
    let run = try Program.run(
      "--duration", "20ms", "--method", "stretch", "--json", "in.wav", in: folder.path)
    #expect(run.status == 1)
    #expect(
      run.errorText.contains(
        "in.wav: a factor of 0.04 is not within 0.05 to 100"
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
    #expect(try refusal(["--method", "stretch"]).contains("Say what to change"))
    #expect(try refusal(["--engine", "vocoder"]).contains("Say what to change"))
  }

  @Test(
    arguments: [
      (["--pitch", "-2"], "in-pitch-2.wav"), (["--pitch=-2"], "in-pitch-2.wav"),
      (["--pitch", "+30c"], "in-pitch0.3.wav"), (["--pitch", "-150c"], "in-pitch-1.5.wav"),
      (["--pitch", "2st"], "in-pitch2.wav"),
      (["--pitch", "0.5", "-f", "1.5"], "in-x1.5-pitch0.5.wav"),
      (["--pitch", "-2", "--speed", "2"], "in-speed2-pitch-2.wav"),
      (["--pitch", "-2", "--tempo", "2"], "in-tempo2-pitch-2.wav"),
      (["--tempo", "0.7"], "in-tempo0.7.wav"), (["--tempo", "70%"], "in-tempo0.7.wav"),
      (["--tempo", "1.5", "--method", "stretch"], "in-tempo1.5-stretch.wav"),
      (["--speed", "1.02"], "in-speed1.02.wav"),
      (["--speed", "1.02", "--method", "sinc"], "in-speed1.02-sinc.wav"),
      (["--tempo", "0.7", "--name", "{stem} {tempo} {speed}"], "in 0.7 0.7.wav"),
      (["--pitch", "-2", "-f", "1"], "in-pitch-2.wav"), (["--pitch", "0"], "in-pitch0.wav"),
      (["--pitch", "-0", "-f", "2"], "in-x2-stretch.wav"),
      (["--pitch", "-2", "--duration", "3"], "in-3s-pitch-2.wav"),
      (["--pitch", "48"], "in-pitch48.wav"), (["--pitch", "-4800c"], "in-pitch-48.wav"),
      (["--pitch", "1", "--formants", "preserve"], "in-pitch1.wav"),
      (["--engine", "vocoder", "-f", "2"], "in-x2-stretch-vocoder.wav"),
    ] as [([String], String)])
  func names(options: [String], output: String) throws {
    #expect(try Program.outputs(of: options + ["in.wav"]) == [output])
  }

  /// The method that each verb selects, what its line says of the pitch, and the frames.
  @Test(
    arguments: [
      (["--tempo", "0.8"], "stretch", "same pitch", 27562),
      (["--tempo", "125%"], "stretch", "same pitch", 17640),
      (["--tempo", "0.8", "--pitch", "-2"], "stretch", "pitch -2 semitones", 27562),
      // 12 * log2(1.25) and 12 * log2(0.8)
      (["--speed", "1.25"], "sinc", "pitch +3.9 semitones", 17640),
      (["--speed", "0.8x"], "sinc", "pitch -3.9 semitones", 27562),
      // 12 * log2(1.02) is 0.343, and 12 * log2(0.71) is -5.930.
      (["--speed", "1.02"], "sinc", "pitch +0.34 semitones", 21617),
      (["--speed", "0.71"], "sinc", "pitch -5.9 semitones", 31056),
      (["-f", "2"], "smoothstep", "pitch -12 semitones", 44100),
      (["--speed", "1.25", "--method", "stretch"], "stretch", "same pitch", 17640),
    ] as [([String], String, String, Int)])
  func verbs(options: [String], method: String, pitch: String, frames: Int) throws {
    let run = try Tool.run(
      Program.path, options + ["--json", "-o", "out.wav", "in.wav"], in: folder.path
    ).succeeded()
    #expect(run.outputText.contains(#""method":"\#(method)""#))
    #expect(run.outputText.contains(#""outputFrames":\#(frames)"#))
    let line = try #require(run.errorText.split(separator: "\n").first { $0.hasPrefix("done") })
    #expect(line.hasSuffix(", \(pitch)") && line.count <= 80, "\(line)")
  }

  @Test(arguments: ["sinc", "linear", "smoothstep"])
  func aTempoKeepsThePitch(method: String) throws {
    let line = try refusal(["--tempo", "0.7", "--method", method])
    #expect(
      line
        == "Error: --tempo keeps the pitch, and \(method) moves it; use --speed, or leave out --method."
    )
  }

  /// A number that is surely a percentage is asked about.
  @Test(arguments: [
    ("--speed", "70", "; for 70 per cent write 70%, for 70 times 70x"),
    ("--tempo", "130", "; for 130 per cent write 130%"), ("--tempo", "10.5", "write 10.5%"),
    ("--speed", "0.9,70", "70 is 70 times as fast"), ("--tempo", "1000", "write 1000%"),
    ("--tempo", "+10%", "; write 110%"), ("--speed", "-2.5 %", "; write 97.5%"),
    ("--tempo", "-100%", "such as 1.25"),
  ])
  func percentages(option: String, value: String, message: String) throws {
    #expect(try refusal([option, value]).contains(message))
  }

  @Test(
    arguments: [
      ("--speed", "70x", 1.0 / 70), ("--speed", "70%", 1 / 0.7), ("--tempo", "130%", 1 / 1.3),
      ("--speed", "10", 0.1), ("--tempo", "0.7x", 1 / 0.7), ("--speed", "25/24", 24.0 / 25),
    ] as [(String, String, Double)])
  func ratios(option: String, value: String, factor: Double) throws {
    let settings = try Program.request(of: [option, value, "in.wav"]).settings
    switch settings.time {
    case .speed(let found), .tempo(let found): #expect(abs(found.value - factor) < 1e-12)
    default: Issue.record("\(settings.time)")
    }
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
          + "build it with swift build --traits default,RubberBand, or use the program rubberband."
      )
    #endif
  }
}
