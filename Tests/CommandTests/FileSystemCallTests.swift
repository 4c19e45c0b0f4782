import TestSupport
import Testing

@Suite("Calls to the file system")
struct FileSystemCallTests {
  /// How often a conversion brings its output to the disk, as `strace` sees it.
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

  @Test func noSyncOmitsTheCalls() throws {
    #expect(try syncs() == 1)
    #expect(try syncs("--no-sync") == 0)
  }

  /// How many calls with a path the shard of a run makes for some files one by one, as `strace` sees it; side by
  /// side, the files share the first look for their folder, or not.
  private func callsByPath(files: Int) throws -> Int {
    let folder = try TemporaryFolder()
    for number in 1...files { try folder.write("in/\(number).wav", Sound.wav) }
    let plan = ["plan", "--shards", "1", "--run", "run", "--speed", "0.9", "-o", "out/", "in"]
    let planned = try Tool.run(Program.path, plan, in: folder.path)
    #expect(planned.status == 0, "\(planned.errorText)")
    let run = try Tool.run(
      "strace",
      ["-f", "-qq", "-e", "trace=%file", "-e", "signal=none", "-o", "calls", Program.path]
        + ["convert", "--run", "run", "--shard", "1", "-j", "1"], in: folder.path)
    #expect(run.status == 0, "\(run.errorText)")
    let calls = String(decoding: try folder.bytes("calls"), as: UTF8.self)
    // An empty path means a descriptor; an interrupted call has a second line; the process's own state in `/proc`
    // is not on any storage.
    return calls.split(separator: "\n").count {
      !$0.contains(", \"\",") && !$0.contains(" resumed>")
        && !$0.contains("openat(AT_FDCWD, \"/proc/")
    }
  }

  /// Servers of shared storage answer calls by path more slowly than anything else.
  @Test func aShardMakesFewForEachFile() throws {
    let (few, many) = (try callsByPath(files: 2), try callsByPath(files: 12))
    #expect(many - few <= 10 * 12, "\(many - few) calls for 10 files")
  }
}
