#if os(Linux)
  import TestSupport
  import Testing

  @Suite("Bringing outputs to the disk")
  struct SyncTests {
    /// How often a conversion asks the system to, as `strace` sees it.
    private func syncs(_ arguments: String...) throws -> Int {
      let folder = try TemporaryFolder()
      try folder.write("in.wav", Sound.wav)
      let run = try Tool.run(
        "strace",
        ["-f", "-qq", "-e", "trace=fsync", "-e", "signal=none", "-o", "calls", Program.path]
          + ["-q", "-f", "1.5", "in.wav"] + arguments, in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
      let calls = String(decoding: try folder.bytes("calls"), as: UTF8.self)
      return calls.split(separator: "\n").count { $0.contains("fsync(") }
    }

    @Test func isLeftOutWhereItIsNotWanted() throws {
      #expect(try syncs() == 1)
      #expect(try syncs("--no-sync") == 0)
    }
  }
#endif
