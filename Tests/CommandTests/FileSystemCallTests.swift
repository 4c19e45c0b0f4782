import TestSupport
import Testing

@Suite("Outputs on the disk")
struct FileSystemCallTests {
  /// The number of times that a conversion brings its output to the disk, as `strace` sees it.
  private func syncs(_ arguments: String...) throws -> Int {
    let folder = try TemporaryFolder(["in.wav": Sound.wav])
    try Tool.run(
      "strace",
      ["-f", "-qq", "-e", "trace=fsync", "-e", "signal=none", "-o", "calls", Program.path]
        + ["-q", "-f", "1.5", "in.wav"] + arguments, in: folder.path
    ).succeeded()
    let calls = String(decoding: try folder.bytes("calls"), as: UTF8.self)
    return calls.split(separator: "\n").count { $0.contains("fsync(") }
  }

  @Test func noSyncOmitsTheCalls() throws {
    #expect(try syncs() == 1)
    #expect(try syncs("--no-sync") == 0)
  }
}
