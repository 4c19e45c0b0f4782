import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import scaleaudio_cli

@Suite("Configuration")
struct ConfigurationTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(["in.wav": Sound.wav]) }

  private func configure(_ text: String) throws {
    try folder.write("home/.config/scaleaudio/config.toml", Array(text.utf8))
  }

  /// Runs the program with the folder `home` as the user's, or another environment.
  private func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Tool {
    let variables = ["HOME": folder.file("home").string].merging(environment) { $1 }
    let unset = ["SCALEAUDIO_CONFIG", "XDG_CONFIG_HOME", "HOME"].flatMap { ["-u", $0] }
    return try Tool.run(
      "env", unset + variables.map { "\($0)=\($1)" } + [Program.path] + arguments,
      in: folder.path)
  }

  private func record(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> [String: Any] {
    let run = try run(["--json", "--overwrite", "in.wav"] + arguments, environment)
    #expect(run.status == 0, "\(run.errorText)")
    return try #require(
      try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
  }

  // MARK: - What wins

  @Test func theCommandLineWinsOverPresetsOverDefaults() throws {
    try configure(
      """
      [convert]
      method = "sinc"
      quality = "fast"
      suffix = "-mine"

      [preset.best]
      quality = "best"
      """)
    var made = try record("-f", "1.5")
    #expect(made["method"] as? String == "sinc" && made["quality"] as? String == "fast")
    #expect(made["output"] as? String == "in-mine.wav")
    made = try record("-f", "1.5", "--preset", "best")
    #expect(made["method"] as? String == "sinc" && made["quality"] as? String == "best")
    made = try record("-f", "1.5", "--preset", "best", "--quality", "high")
    #expect(made["quality"] as? String == "high")
    made = try record("-f", "1.5", "--preset", "dataset")
    #expect(made["quality"] as? String == "high")
    made = try record("-f", "1.5", "--no-config")
    #expect(made["method"] as? String == "smoothstep")
    #expect(made["output"] as? String == "in-x1.5.wav")
  }

  /// A default that cannot go with what was typed is left out, and named by `--verbose`.
  @Test func defaultsGiveWay() throws {
    try configure(
      "[convert]\nquality = \"fast\"\nmethod = \"sinc\"\nnormalize = -1\nquiet = true\n")
    let run = try run(["-f", "1.5", "--loudness", "-16", "--method", "linear", "-v", "in.wav"])
    #expect(run.status == 0, "\(run.errorText)")
    #expect(
      run.errorText.contains("not with these options: --quality=fast --normalize=-1 --quiet"),
      "\(run.errorText)")
    #expect(run.errorText.contains("in.wav -> in-x1.5-linear.wav"))
  }

  @Test func verboseReportsWhatTheFileSets() throws {
    try configure("[convert]\nguard = true\nmethod = \"sinc\"\n[plot]\ntheme = \"dark\"\n")
    let run = try run(["-f", "1.5", "-v", "in.wav"])
    let path = folder.file("home/.config/scaleaudio/config.toml").string
    #expect(run.errorText.contains("config: \(path): convert: --guard --method=sinc\n"))
    #expect(!run.errorText.contains("dark"))
    #expect(try !self.run(["-f", "2", "in.wav"]).errorText.contains("config"))
  }

  /// Without the defaults there must be something to do.
  @Test func defaultsRequestNothing() throws {
    try configure("[convert]\nformat = \"flac\"\n")
    let run = try run(["in.wav"])
    #expect(run.status == 64 && run.errorText.contains("Say what to change"), "\(run.errorText)")
    #expect(try folder.names() == ["home", "in.wav"])
  }

  @Test func otherCommandsHaveTables() throws {
    try configure("[plot]\nwidth = 300\n[info]\nget = [\"rate\", \"channels\"]\n")
    #expect(try run(["plot", "in.wav", "-o", "a.png"]).status == 0)
    #expect(Array(try folder.bytes("a.png")[16..<20]) == [0, 0, 1, 44])
    #expect(try run(["info", "in.wav"]).outputText == "44100\t2\n")
    #expect(try run(["info", "--no-config", "in.wav"]).outputText.contains("Sample rate"))
    #expect(try run(["--no-config", "info", "in.wav"]).outputText.contains("Sample rate"))
    #expect(try run(["--no-config", "formats"]).status == 0)
  }

  // MARK: - Presets

  @Test func ownPresetsAreListedAndUsed() throws {
    try configure(
      """
      [preset.lecture]
      purpose = "talks, faster"
      speed = 1.25
      method = "sinc"
      guard = true
      """)
    let table = try run(["presets"])
    #expect(
      table.outputText.contains("lecture   talks, faster"), "\(table.outputText) \(table.errorText)"
    )
    #expect(table.outputText.contains("--speed=1.25 --method=sinc --guard\n"))
    #expect(try !run(["presets", "--no-config"]).outputText.contains("lecture"))
    let made = try record("--preset", "lecture")
    #expect(made["factor"] as? Double == 0.8 && made["method"] as? String == "sinc")
    #expect(try record("--preset", "lecture", "-f", "2")["factor"] as? Double == 2)
    let unknown = try run(["--preset", "lectures", "in.wav"])
    #expect(unknown.status == 64 && unknown.errorText.contains("dataset, lecture"))
  }

  // MARK: - Faults

  @Test(arguments: [
    ("[convert]\nmetod = \"sinc\"", "2: unknown option 'metod' of convert; did you mean 'method'?"),
    ("[convert]\ntheme = \"dark\"", "2: unknown option 'theme' of convert; it is one of [plot]"),
    ("[covert]\nguard = true", "1: unknown table [covert]; did you mean [convert]?"),
    ("method = \"sinc\"", "1: 'method' is outside any table; put it in one, such as [convert]"),
    ("[convert]\n\nguard = 1", "3: 'guard' must be true or false"),
    ("[convert]\nmethod = true", "2: 'method' must be text or a number"),
    ("[convert]\nmethod = 10:30:00", "2: 'method' must be text; write it in quotes"),
    ("[convert]\nmethod = \"sync\"", "2: The value 'sync' is invalid for '--method"),
    ("[convert]\njobs = 0", "2: --jobs 0 is not within 1 to 256."),
    (
      "[convert]\nfactor = 2",
      "2: 'factor' cannot be a default: give it on the command line, or in a preset"
    ),
    ("[convert]\noverwrite = true", "2: 'overwrite' is only given on the command line"),
    ("[preset.a]\noutput = \"x\"", "2: 'output' is only given on the command line"),
    ("[preset.tape]\nguard = true", "1: 'tape' is a built-in preset; choose another name"),
    ("[convert]\nmethod = ", "2: "), ("[convert]\nguard = true\nguard = true", "3: "),
  ])
  func errorsNameFileAndLine(text: String, problem: String) throws {
    try configure(text)
    let run = try run(["-f", "2", "in.wav"])
    #expect(run.status == 78)
    let path = folder.file("home/.config/scaleaudio/config.toml").string
    #expect(run.errorText.hasPrefix("Error: \(path):\(problem)"), "\(run.errorText)")
    #expect(try folder.names() == ["home", "in.wav"])
    // Help, and what reads no configuration, goes on.
    #expect(try self.run(["--help"]).status == 0)
    #expect(try self.run(["formats"]).status == 0)
    #expect(try self.run(["-f", "2", "--no-config", "in.wav"]).status == 0)
  }

  @Test func bytesThatAreNotText() throws {
    try folder.write(
      "home/.config/scaleaudio/config.toml", Array("[convert]\n# \u{e9}\n".utf8) + [0xFF])
    let run = try run(["-f", "2", "in.wav"])
    #expect(run.status == 78 && run.errorText.contains("config.toml:2: "), "\(run.errorText)")
  }

  // MARK: - The place

  @Test func theEnvironmentNamesTheFile() throws {
    try configure("[convert]\nsuffix = \"-home\"\n")
    try folder.write("xdg/scaleaudio/config.toml", Array("[convert]\nsuffix = \"-xdg\"\n".utf8))
    try folder.write("other.toml", Array("[convert]\nsuffix = \"-other\"\n".utf8))
    func output(_ environment: [String: String]) throws -> String? {
      try record("-f", "2", environment: environment)["output"] as? String
    }
    let xdg = folder.file("xdg").string
    #expect(try output([:]) == "in-home.wav")
    #expect(try output(["XDG_CONFIG_HOME": xdg]) == "in-xdg.wav")
    #expect(try output(["XDG_CONFIG_HOME": "xdg"]) == "in-home.wav")
    #expect(
      try output(["XDG_CONFIG_HOME": xdg, "SCALEAUDIO_CONFIG": "other.toml"]) == "in-other.wav")
    #expect(try output(["SCALEAUDIO_CONFIG": ""]) == "in-x2.wav")
    #expect(try output(["SCALEAUDIO_CONFIG": "/dev/null"]) == "in-x2.wav")
    #expect(try output(["HOME": "/nonexistent"]) == "in-x2.wav")
    #expect(try output(["HOME": ""]) == "in-x2.wav")
    let missing = try run(["-f", "2", "in.wav"], ["SCALEAUDIO_CONFIG": "none.toml"])
    #expect(missing.status == 78)
    #expect(missing.errorText.hasPrefix("Error: none.toml: no such file"), "\(missing.errorText)")
  }

  @Test(arguments: [
    ("mkdir c", 78, "it is a folder"), ("mkfifo c", 78, "it is not a file"),
    ("ln -s nowhere c", 0, ""), ("echo '[convert]' > t; ln -s t c", 0, ""),
    ("head -c 2000000 /dev/zero > c", 78, "larger than 1 MiB"),
  ])
  func otherThingsInPlaceOfTheFile(making: String, status: Int32, message: String) throws {
    let place = "home/.config/scaleaudio"
    let line = "mkdir -p \(place) && cd \(place) && (\(making)) && mv c config.toml"
    #expect(try Program.shell(line, in: folder.path).status == 0)
    let run = try run(["-f", "2", "in.wav"])
    #expect(
      run.status == status && (message.isEmpty || run.errorText.contains(message)),
      "\(run.errorText)")
  }

  @Test(.enabled(if: getuid() != 0)) func anUnreadableFileIsAnError() throws {
    try configure("")
    #expect(chmod(folder.file("home/.config/scaleaudio/config.toml").string, 0) == 0)
    let run = try run(["-f", "2", "in.wav"])
    #expect(run.status == 78 && run.errorText.contains("ermission denied"))
    #expect(run.errorText.contains("--no-config"))
  }
}
