import TestSupport
import Testing

/// A program that waits with its libraries loaded does what a new one does.
struct ToolTests {
  @Test(
    arguments: [
      (
        ["-v", "error", "-f", "s16le", "-ar", "8000", "-ac", "1", "-i", "-", "-f", "s16le", "-"], 0
      ),
      (["-v", "error", "-i", "missing.wav", "-f", "null", "-"], 1),
    ] as [([String], Int32)])
  func aReadyProgramIsLikeANewOne(arguments: [String], status: Int32) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let input: [UInt8] = (0..<4000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let ready = try Tool.run("ffmpeg", arguments, in: folder.path, input: input)
    // With variables of its own, a program is started anew.
    let new = try Tool.run(
      "ffmpeg", arguments, in: folder.path, input: input, environment: ["NEW": "1"])
    #expect(ready.status == status)
    #expect(new.status == status)
    #expect(ready.output == (status == 0 ? input : []))
    #expect(ready.output == new.output)
    #expect(ready.errorText == new.errorText)
    #expect(ready.errorText.isEmpty == (status == 0))
  }
}
