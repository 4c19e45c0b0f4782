import Foundation
import TestSupport
import Testing

/// What the program says of itself, as `scripts/snapshots` recorded it. The man page, which needs a
/// plugin, is compared by `scripts/snapshots --check`.
@Suite("Recorded snapshots")
struct SnapshotTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("Snapshots")

  @Test(arguments: [
    ("help.txt", ["--help"]), ("help-convert.txt", ["help", "convert"]),
    ("scaleaudio.bash", ["--generate-completion-script", "bash"]),
    ("_scaleaudio", ["--generate-completion-script", "zsh"]),
    ("scaleaudio.fish", ["--generate-completion-script", "fish"]),
  ])
  func isAsRecorded(name: String, arguments: [String]) throws {
    let recorded = try String(
      contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
    let reported = try Tool.run(Program.path, arguments, environment: ["COLUMNS": "80"])
    #expect(reported.status == 0)
    #expect(reported.outputText == recorded, "scripts/snapshots records it")
  }
}
