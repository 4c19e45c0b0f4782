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

  /// The exit status, if nothing else fails.
  var status: Int32 {
    hasFailed ? ExitStatus.failedOutput(failure) : ExitStatus.success
  }

  /// True if something could not be written; then a line says why, unless the reader of a pipe has left.
  var hasFailed: Bool {
    guard let failure else { return false }
    if failure != .brokenPipe { Terminal.notice("standard output: \(failure.words)") }
    return true
  }
}
