import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import scaleaudio_cli

@Suite("Presets", .tags(.packageTraits))
struct PresetTests {
  private func expanded(_ line: String) -> String {
    PresetExpansion(
      line.split(separator: " ").map(String.init), commands: ScaleAudioCommand.commandNames
    ).all.joined(separator: " ")
  }

  private func options(_ name: String) throws -> String {
    try #require(Preset.builtIn.first { $0.name == name }).options.joined(separator: " ")
  }

  @Test func comeBeforeTypedOptions() throws {
    let tape = try options("tape")
    #expect(expanded("-f 2 --preset tape in.wav") == "\(tape) -f 2 --preset tape in.wav")
    #expect(expanded("-f 2 in.wav --preset=tape") == "\(tape) -f 2 in.wav --preset=tape")
    #expect(expanded("convert --preset tape x") == "convert \(tape) --preset tape x")
    let both = try tape + " " + options("dataset")
    #expect(
      expanded("--preset tape --preset dataset x") == "\(both) --preset tape --preset dataset x")
  }

  @Test(arguments: [
    "-f 2 in.wav", "-f 2 -- --preset tape", "formats --preset tape", "presets --preset tape",
    "help --preset tape", "-f 2 --preset none in.wav", "-f 2 --preset", "--presets tape", "",
  ])
  func otherArgumentsStayUnchanged(line: String) {
    #expect(expanded(line) == line)
  }

  @Test func unknownOnesAreRefused() throws {
    let folder = try TemporaryFolder(["in.wav": Sound.wav])
    let run = try Program.run("-f", "2", "--preset", "nightcore", "in.wav", in: folder.path)
    #expect(run.status == 64)
    let lines = run.errorText.split(separator: "\n").filter { $0.hasPrefix("Error: ") }
    #expect(lines.count == 1)
    #expect(run.errorText.contains("choose one of podcast, draft, practice, tape, dataset"))
    #expect(try folder.names() == ["in.wav"])
  }

  /// A draft stretches, and does not measure the level first.
  @Test func draftsStretch() throws {
    let folder = try TemporaryFolder(["in.wav": Sound.wav])
    let run = try Program.run(
      "--preset", "draft", "--speed", "2", "--json", "-o", "out.wav", "in.wav", in: folder.path
    ).succeeded()
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
    #expect(record["method"] as? String == "stretch" && record["engine"] as? String == "vocoder")
    #expect(record["gainDecibels"] == nil && record["quality"] == nil)
    let frames = try #require(record["inputFrames"] as? Int)
    #expect(record["outputFrames"] as? Int == frames / 2)
  }

  @Test func areListed() throws {
    let folder = try TemporaryFolder()
    let table = try Program.run("presets", in: folder.path).succeeded()
    for preset in Preset.builtIn {
      #expect(
        table.outputText.contains(preset.options.joined(separator: " ") + "\n"), "\(preset.name)")
      #expect(table.outputText.contains("\n" + preset.name))
    }
    let json = try Program.run("presets", "--json", in: folder.path)
    let records = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output)) as? [[String: Any]])
    #expect(records.map { $0["name"] as? String } == Preset.builtIn.map(\.name))
    #expect(records.map { $0["options"] as? [String] } == Preset.builtIn.map(\.options))
  }

  /// Every preset is one that works, on a real file.
  @Test(arguments: Preset.builtIn.map(\.name))
  func convert(name: String) throws {
    let options = try #require(Preset.builtIn.first { $0.name == name }).options
    let folder = try TemporaryFolder(["in.wav": Sound.wav])
    let run = try Program.run(
      "-f", "1.5", "in.wav", "--json", "--preset", name, in: folder.path
    ).succeeded()
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
    let method = try #require(options.firstIndex(of: "--method"))
    #expect(record["method"] as? String == options[method + 1])
    let quality = options.firstIndex(of: "--quality").map { options[$0 + 1] }
    #expect(record["quality"] as? String == quality)
    #expect(record["outputFrames"] as? Int == 33075)
    #expect(record["outputChannels"] as? Int == 2)
  }

  @Test(arguments: [
    ["--preset", "dataset", "--quality", "fast"], ["--quality", "fast", "--preset", "dataset"],
  ])
  func typedOptionsWin(options: [String]) throws {
    let request = try Program.request(of: options + ["-f", "1.5", "in.wav"])
    #expect(request.settings.method == .sinc(quality: .fast))
  }

  @Test func levelsMayBeSetOnTopOfAPreset() throws {
    let request = try Program.request(
      of: ["-f", "1.5", "--preset", "tape", "--normalize", "-6", "in.wav"])
    #expect(request.settings.level == .normalized(peak: -6))
    #expect(request.settings.method.kind == .sinc)
  }

  /// What a preset cannot do beside the typed options it leaves out, and a line says so.
  @Test(
    arguments: [
      (["--preset", "practice", "--tempo", "0.7", "--only", "0.1-0.2"], "practice", "--guard"),
      (["--preset", "podcast", "--speed", "1.3", "--only", "0.1-0.2"], "podcast", "--guard"),
      (["--preset", "tape", "--tempo", "0.9"], "tape", "--method"),
      (["--preset", "tape", "--pitch", "-1"], "tape", "--method"),
      (["--preset", "dataset", "--speed", "0.9", "--manifest", "-"], "dataset", "--json"),
    ] as [([String], String, String)])
  func conflictsAreLeftOut(options: [String], preset: String, option: String) throws {
    let folder = try TemporaryFolder(["in.wav": Sound.wav])
    let command = options + ["--overwrite", "-o", "out.wav", "in.wav"]
    let run = try Tool.run(Program.path, command, in: folder.path).succeeded()
    #expect(run.errorText.contains("preset \(preset): convert leaves out \(option)\n"))
    let quiet = try Tool.run(Program.path, command + ["-q"], in: folder.path).succeeded()
    #expect(quiet.errorText.isEmpty, "\(quiet.errorText)")
  }

  /// A preset is not given up for what it cannot do at all.
  @Test func theMethodOfAPresetStays() throws {
    let folder = try TemporaryFolder(["in.wav": Sound.wav])
    let run = try Program.run(
      "--preset", "practice", "--speed", "25x", "in.wav", in: folder.path)
    #expect(run.status == 64 && run.errorText.contains("not within 0.05 to 100"))
    let settings = try Program.request(of: ["--preset", "practice", "--speed", "0.7", "in.wav"])
      .settings
    #expect(settings.method == .stretch() && settings.level == .guarded)
  }

  @Test(arguments: [
    "--preset practice --tempo 0.7 --no-guard", "--no-guard --preset practice --tempo 0.7",
    "--tempo 0.7 --guard --no-guard",
    "convert --preset tape --speed 0.7 --no-guard --no-album --no-mono",
  ])
  func switchesAreSwitchedOff(line: String) throws {
    let arguments = line.split(separator: " ").map(String.init) + ["in.wav"]
    #expect(try Program.request(of: arguments).settings.level == .unchanged)
  }

  /// Also those of a configuration; what is an option itself, a value or unknown keeps its meaning.
  @Test func switchesOfAConfiguration() throws {
    let folder = try TemporaryFolder([
      "in.wav": Sound.wav,
      "config.toml": Array("[convert]\nmono = true\nnormalize = -3\n".utf8),
    ])
    func line(_ options: String...) throws -> Tool {
      try Tool.run(
        "env",
        ["SCALEAUDIO_CONFIG=config.toml", Program.path, "-f", "1", "--json", "--overwrite"]
          + options + ["-o", "out.wav", "in.wav"], in: folder.path)
    }
    #expect(try line().succeeded().outputText.contains(#""outputChannels":1"#))
    let off = try line("--no-mono", "--no-normalize").succeeded()
    #expect(off.outputText.contains(#""outputChannels":2"#))
    #expect(!off.outputText.contains("gainDecibels"))
    let unknown = try line("--no-such")
    #expect(unknown.status == 64 && unknown.errorText.contains("Unknown option '--no-such'"))
  }
}
