import Foundation
import TestSupport
import Testing

@testable import scaleaudio_cli

/// The program's own texts, as `scripts/snapshots` recorded them.
@Suite("Recorded snapshots")
struct SnapshotTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("Snapshots")

  @Test(arguments: [
    ("help.txt", ["--help"]), ("help-convert.txt", ["help", "convert"]),
    ("scaleaudio.bash", ["--generate-completion-script", "bash"]),
    ("_scaleaudio", ["--generate-completion-script", "zsh"]),
    ("scaleaudio.fish", ["--generate-completion-script", "fish"]),
    ("scaleaudio.1", ["--generate-manual"]),
  ])
  func isAsRecorded(name: String, arguments: [String]) throws {
    let recorded = try String(
      contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
    let reported = try Tool.run(Program.path, arguments, environment: ["COLUMNS": "80"]).succeeded()
    #expect(reported.outputText == recorded, "scripts/snapshots records it")
  }

  /// The output of `man` has the tables and examples of the help, line by line.
  @Test func theManPageKeepsTablesAndExamples() throws {
    func recorded(_ name: String) throws -> String {
      try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
    }
    let shown = try Tool.run(
      "bash", ["-c", "man -l \"$1\" | col -bx", "bash", Self.folder.path + "/scaleaudio.1"],
      environment: ["MANWIDTH": "80", "MANPAGER": "cat", "LC_ALL": "C.UTF-8"]
    ).succeeded()
    let help = try recorded("help-convert.txt")
    let lines = help.prefix(upTo: try #require(help.firstRange(of: "USAGE")?.lowerBound))
      .split(separator: "\n").filter { $0.hasPrefix("  ") }
    #expect(lines.count > 20)
    for line in lines {
      #expect(shown.outputText.contains(line.dropFirst(2)), "\(line)")
    }
    for line in shown.outputText.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  /// All sections that a reader of man pages looks for, without a warning of man, and no option is missing.
  @Test func theManPageIsWhole() throws {
    let page = Self.folder.path + "/scaleaudio.1"
    let shown = try Tool.run(
      "bash", ["-c", "man --warnings -l \"$1\" | col -bx", "bash", page],
      environment: ["MANWIDTH": "80", "MANPAGER": "cat", "LC_ALL": "C.UTF-8"])
    #expect(shown.errorText.isEmpty)
    let lines = shown.outputText.split(separator: "\n")
    let headings = lines.filter { $0.first?.isUppercase == true }.map(String.init)
    #expect(
      headings.dropFirst().prefix { $0 != "SEE ALSO" } == [
        "NAME", "SYNOPSIS", "DESCRIPTION", "METHODS", "OPTIONS", "COMMANDS", "EXIT STATUS",
        "ENVIRONMENT", "FILES", "EXAMPLES",
      ])
    // man justifies lines.
    let text = shown.outputText.replacing(#/ +/#, with: " ")
    let synopsis = try #require(text.firstMatch(of: /SYNOPSIS\n(?s:.*?)\nDESCRIPTION/))
    #expect(synopsis.output.contains("path ..."))
    for name in ScaleAudioCommand.commandNames.dropFirst() {
      #expect(synopsis.output.contains("scaleaudio \(name)"))
    }
    for option in try #require(ScaleAudioCommand.tree).commands.flatMap(\.options) {
      for name in option.names { #expect(shown.outputText.contains(name), "\(name)") }
    }
  }

  @Test(arguments: ScaleAudioCommand.commandNames)
  func helpFits80Columns(command: String) throws {
    let help = try Tool.run(Program.path, ["help", command], environment: ["COLUMNS": "80"])
    let lines = help.outputText.split(separator: "\n")
    #expect(help.status == 0 && lines.count > 4)
    for line in lines { #expect(line.count <= 80, "\(line)") }
  }

  @Test func theShortHelpIsOneScreen() throws {
    let help = try Tool.run(Program.path, ["-h"]).succeeded()
    #expect(try Tool.run(Program.path, ["convert", "-h"]).output == help.output)
    let lines = help.outputText.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 26 && lines.allSatisfy { $0.count <= 80 })
    let tree = try #require(ScaleAudioCommand.tree)
    let names = Set(tree.defaultCommand.options.flatMap(\.names))
    let shown = help.outputText.matches(of: /--?[a-z][a-z-]*/).map { String($0.output) }
    #expect(shown.count > 15)
    for name in shown { #expect(names.contains(name), "\(name)") }
    let commands = try #require(lines.split(separator: "").last).joined(separator: " ")
    for name in ScaleAudioCommand.commandNames where name != "help" {
      #expect(commands.contains(name), "\(name)")
    }
    // The long one has every option.
    let all = try Tool.run(Program.path, ["convert", "--help"]).outputText
    for name in names { #expect(all.contains(name)) }
  }
}
