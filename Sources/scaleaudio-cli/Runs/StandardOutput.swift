import SystemPackage

/// Standard output, until a write fails.
struct StandardOutput {
  private(set) var failure: Errno?

  mutating func write(_ bytes: [UInt8]) {
    if failure != nil { return }
    do {
      try FileDescriptor.standardOutput.writeAll(bytes)
    } catch {
      failure = error as? Errno ?? .ioError
    }
  }
}
