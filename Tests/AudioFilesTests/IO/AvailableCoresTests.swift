import AudioIO
import SystemPackage
import TestSupport
import Testing

@Suite("Limits of cores and memory")
struct AvailableCoresTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes the files of a group and returns their root.
  private func make(_ files: [String: String]) throws -> FilePath {
    for (name, text) in files {
      let made = try Tool.run(
        "install", ["-D", "/dev/stdin", name], in: folder.path, input: Array(text.utf8))
      try #require(made.status == 0, "\(made.errorText)")
    }
    return folder.path
  }

  @Test func version2UsesTheTightestGroup() throws {
    let root = try make([
      "a/cpu.max": "250000 100000\n", "a/b/cpu.max": "max 100000\n", "a/b/memory.max": "max\n",
      "a/memory.max": "1073741824\n", "other/cpu.max": "1000 100000\n",
    ])
    let limits = ControlGroupLimits(membership: "0::/a/b\n", root: root)
    #expect(limits.cores == 3)
    #expect(limits.bytes == 1 << 30)
  }

  /// A container sees its own group as the root, and a path of the host that is not there.
  @Test func inAContainerTheRootIsItsOwnGroup() throws {
    let root = try make(["cpu.max": "50000 100000\n"])
    #expect(ControlGroupLimits(membership: "0::/docker/0123\n", root: root).cores == 1)
    #expect(ControlGroupLimits(membership: "0::/../x\n", root: root).cores == 1)
  }

  @Test func version1MountsEachControllerSeparately() throws {
    let root = try make([
      "cpu,cpuacct/slurm/job/cpu.cfs_quota_us": "400000\n",
      "cpu,cpuacct/slurm/job/cpu.cfs_period_us": "100000\n",
      "cpu,cpuacct/slurm/cpu.cfs_quota_us": "-1\n",
      "cpu,cpuacct/slurm/cpu.cfs_period_us": "100000\n",
      "memory/slurm/memory.limit_in_bytes": "536870912\n",
    ])
    let limits = ControlGroupLimits(
      membership: "11:memory:/slurm/job\n4:cpu,cpuacct:/slurm/job\n1:name=systemd:/\n", root: root)
    #expect(limits.cores == 4)
    #expect(limits.bytes == 512 << 20)
  }

  @Test func nothingIsLimitedWithoutControlGroups() throws {
    for membership in ["", "nonsense", "0::", "0::/\n", "7:cpu:/x\n"] {
      let limits = ControlGroupLimits(membership: membership, root: folder.path)
      #expect(limits.cores == nil && limits.bytes == nil)
    }
    let root = try make(["cpu.max": "0 0\n", "memory.max": "99999999999999999999\n"])
    #expect(
      ControlGroupLimits(membership: "0::/\n", root: root)
        == ControlGroupLimits(membership: "", root: root))
  }
}
