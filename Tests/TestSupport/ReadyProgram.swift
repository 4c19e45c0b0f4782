import Foundation
import SystemPackage

/// A program that waits with its libraries loaded, and runs in a child whenever tests ask for it.
///
/// FFmpeg's programs load 215 libraries, which takes longer than most of what tests ask of them.
final class ReadyProgram: Sendable {
  private static let ffmpeg = Result { try ReadyProgram("ffmpeg") }
  private static let ffprobe = Result { try ReadyProgram("ffprobe") }

  /// The program of this name; `nil` for those that start fast enough.
  static func named(_ name: String) throws -> ReadyProgram? {
    switch name {
    case "ffmpeg": try ffmpeg.get()
    case "ffprobe": try ffprobe.get()
    default: nil
    }
  }

  /// It does not start, or has ended.
  struct Fails: Error, CustomStringConvertible {
    let name: String
    let step: String

    var description: String {
      "\(name) cannot run for tests: \(step) failed; scripts/setup --test installs what it needs"
    }
  }

  private let name: String
  /// The socket's, which is no file.
  private let address: String

  private init(_ name: String) throws {
    self.name = name
    address = "scaleaudio-test-\(UUID().uuidString)"
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let library = folder.file("ready-program.so").string
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("ready-program.c").path
    let compiler = try Process.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      arguments: ["cc", "-shared", "-fPIC", "-O1", "-o", library, source])
    compiler.waitUntilExit()
    guard compiler.terminationStatus == 0 else { throw Fails(name: name, step: "cc") }

    let listening = try socket(then: bind)
    defer { close(listening) }
    guard listen(listening, 64) == 0 else { throw Fails(name: name, step: "listen") }
    let server = Process()
    server.executableURL = URL(fileURLWithPath: "/bin/sh")
    server.arguments = ["-c", "export LD_PRELOAD=\"$0\"; exec \"$1\"", library, name]
    server.environment = try ToolEnvironment.variables()
    server.standardInput = FileHandle(fileDescriptor: listening)
    server.standardOutput = FileHandle.nullDevice
    server.standardError = FileHandle.nullDevice
    try server.run()
    // It has loaded the library when it answers.
    let nothing = "/dev/null"
    let status = try run(["-version"], in: "/", input: nothing, output: nothing, errors: nothing)
    guard status == 0 else { throw Fails(name: name, step: "its start") }
  }

  /// Runs it to its end with files for standard input, output and errors; returns its exit status, or
  /// 128 and the number of the signal that ended it.
  func run(
    _ arguments: [String], in folder: String, input: String, output: String, errors: String
  ) throws -> Int32 {
    let connection = try socket(then: connect)
    defer { close(connection) }
    var text: [UInt8] = []
    for word in [folder, input, output, errors, name] + arguments {
      text += word.utf8
      text.append(0)
    }
    let request: [UInt8] = withUnsafeBytes(of: UInt32(text.count)) { Array($0) } + text
    try FileDescriptor(rawValue: connection).writeAll(request)
    var status: Int32 = 0
    let count = withUnsafeMutableBytes(of: &status) {
      recv(connection, $0.baseAddress, $0.count, 0)
    }
    guard count == 4 else { throw Fails(name: name, step: "recv") }
    let signal = status & 0x7f
    return signal == 0 ? status >> 8 & 0xff : 128 + signal
  }

  /// A socket after a call of `bind` or `connect`.
  private func socket(
    then call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> Int32 {
    let descriptor = Foundation.socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Fails(name: name, step: "socket") }
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    // After a NUL, a name that no file system holds.
    withUnsafeMutableBytes(of: &place.sun_path) { $0[1...].copyBytes(from: address.utf8) }
    let size = MemoryLayout<sa_family_t>.size + 1 + address.utf8.count
    let status = withUnsafePointer(to: place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call(descriptor, $0, socklen_t(size))
      }
    }
    guard status == 0 else {
      defer { close(descriptor) }
      throw Fails(name: name, step: "bind or connect")
    }
    return descriptor
  }
}
