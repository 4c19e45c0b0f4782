import Foundation
import TestSupport
import Testing

/// Attachments of files, before and after a conversion to their own container.
@Suite("Round trips", .serialized)
struct RoundTripTests {
  /// `scripts/roundtrip` dumps fully tagged files of every container that is written.
  @Test func nothingButTimeChanges() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let run = try Tool.run(
      root.appendingPathComponent("scripts/roundtrip").path, ["--binary", Program.path])
    #expect(run.status == 0, "\(run.outputText) \(run.errorText)")
  }
}
