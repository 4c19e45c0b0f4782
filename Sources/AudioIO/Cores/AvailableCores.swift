import Glibc
package import SystemPackage

/// The cores and the memory that this process may use. In containers, in jobs of a cluster, and under `taskset`, they
/// are fewer than the machine has.
package enum AvailableCores {
  /// The number of cores: those of the process's affinity, within the quotas of its control groups; at least 1.
  package static var count: Int {
    let online = affinity ?? Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let limits = ControlGroupLimits.ofThisProcess
    return max(
      1, min(online, limits.cores ?? online, limits.bytes.map { $0 / bytesPerCore } ?? online))
  }

  /// The threads that wanted to run for each core of the machine, in the mean of the last minute; 0 if that is unknown.
  package static var load: Double {
    var load = 0.0
    guard getloadavg(&load, 1) == 1 else { return 0 }
    return load / Double(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }

  /// The memory that each core's work may need: files that are converted side by side.
  private static let bytesPerCore = 96 << 20

  /// The cores that the scheduler may use for this process; `nil` if unknown.
  ///
  /// This is the mask of `sched_getaffinity`, which Swift's module of the C library lacks.
  private static var affinity: Int? {
    let line = SystemText.read("/proc/self/status")?.split(separator: "\n")
      .first { $0.hasPrefix("Cpus_allowed:") }
    // Hexadecimal digits in groups of eight.
    let count = line?.dropFirst("Cpus_allowed:".count).compactMap(\.hexDigitValue)
      .reduce(0) { $0 + $1.nonzeroBitCount }
    return count == 0 ? nil : count
  }
}

/// The limits of the control groups that a process is in, and of those around them.
///
/// Source: the Linux kernel's documentation of `cpu.max` and `memory.max` (version 2), `cpu.cfs_quota_us`,
/// `cpu.cfs_period_us` and `memory.limit_in_bytes` (version 1).
package struct ControlGroupLimits: Hashable, Sendable {
  /// Cores, rounded up; `nil` without a quota.
  package private(set) var cores: Int?
  /// Bytes of memory; `nil` without a limit.
  package private(set) var bytes: Int?

  static let ofThisProcess = ControlGroupLimits(
    membership: SystemText.read("/proc/self/cgroup") ?? "", root: "/sys/fs/cgroup")

  /// Reads the limits of the groups that `membership` lists, as `/proc/self/cgroup` does, below `root`.
  ///
  /// In a container its own group may be mounted as the root, regardless of the list.
  package init(membership: String, root: FilePath) {
    for line in membership.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let controllers = fields[1].split(separator: ",")
      // Version 2 has one line without controllers.
      let mounts =
        controllers.isEmpty
        ? [root]
        : [root.appending(String(fields[1]))] + controllers.map { root.appending(String($0)) }
      for mount in mounts {
        var group = mount.appending(String(fields[2].drop { $0 == "/" }))
        while group.starts(with: mount) {
          read(group)
          guard group != mount, group.removeLastComponent() else { break }
        }
      }
    }
  }

  private mutating func read(_ group: FilePath) {
    func numbers(_ name: String) -> [Int] {
      SystemText.read(group.appending(name))?.split(whereSeparator: \.isWhitespace)
        .compactMap { Int($0) } ?? []
    }
    // A group without a quota has `max` or -1.
    for pair in [
      numbers("cpu.max"), numbers("cpu.cfs_quota_us") + numbers("cpu.cfs_period_us"),
    ] where pair.count == 2 && pair[0] > 0 && pair[1] > 0 {
      let whole = pair[0] / pair[1] + (pair[0] % pair[1] > 0 ? 1 : 0)
      cores = min(cores ?? whole, whole)
    }
    for limit in numbers("memory.max") + numbers("memory.limit_in_bytes") where limit > 0 {
      bytes = min(bytes ?? limit, limit)
    }
  }
}

/// Files of the kernel, which have no size.
enum SystemText {
  /// The first 64 kB; `nil` if there is no such file.
  static func read(_ path: FilePath) -> String? {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else {
      return nil
    }
    defer { try? file.close() }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    guard let count = try? bytes.withUnsafeMutableBytes({ try file.read(into: $0) }) else {
      return nil
    }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
