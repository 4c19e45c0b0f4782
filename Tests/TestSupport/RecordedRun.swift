import CDigests
import Foundation
import SystemPackage

/// A run of `ffmpeg` or `ffprobe`, recorded so that it is made once for all tests of a checkout.
///
/// Both do the same whenever arguments and files are the same. The record's name is the digest of the program's file, the
/// arguments, standard input, and each file that the arguments name. It holds the exit status, what was printed, and
/// the files that were written. Records are folders in `.build/recorded-runs`, which get their name when they are complete.
struct RecordedRun {
  private static let programs: Set = ["ffmpeg", "ffprobe"]
  private static let records = ToolEnvironment.root.appendingPathComponent(".build/recorded-runs")

  /// The folder of the files that the program reads and writes.
  private let folder: String
  private let record: URL
  /// The arguments, with paths from there.
  private let names: [String]
  /// The files in the folder before the run.
  private let before: [String: Version]

  /// Returns `nil` for runs that must be made each time: of other programs, or that use files which cannot be listed
  /// beforehand.
  init?(of program: String, _ arguments: [String], in folder: FilePath?, input: [UInt8]) throws {
    guard let name = program.split(separator: "/").last, Self.programs.contains(String(name)),
      let place = folder?.string ?? Self.temporaryFolder(in: arguments)
    else { return nil }
    let names = arguments.map { $0.replacing("\(place)/", with: "") }
    // A list names files that the arguments do not.
    guard !names.contains(where: { $0.contains("concat") }) else { return nil }
    self.folder = place
    self.names = names
    before = try Self.files(in: place)
    var digest = Digest()
    digest.add(program)
    digest.add("\(String(describing: Version(of: program)))")
    for name in names { digest.add(name) }
    digest.add(input)
    for file in before.keys.sorted() where names.contains(where: { $0.contains(file) }) {
      digest.add(file)
      digest.add(try Data(contentsOf: URL(fileURLWithPath: "\(place)/\(file)")))
    }
    for name in names {
      // In other folders, only files that exist are inputs, and nothing may be written.
      let path = name.hasPrefix("/") ? name : "\(place)/\(name)"
      guard name.contains("/"), Version(of: (path as NSString).deletingLastPathComponent) != nil
      else { continue }
      guard let version = Version(of: path) else { return nil }
      if version.isRegular { digest.add(try Data(contentsOf: URL(fileURLWithPath: path))) }
    }
    record = Self.records.appendingPathComponent(digest.text)
  }

  /// The run as it was recorded, with its files written again; `nil` where there is no record.
  func replayed() throws -> Tool? {
    guard let status = try? String(contentsOf: file("status"), encoding: .utf8),
      let status = Int32(status)
    else { return nil }
    let written = file("files")
    for name in try FileManager.default.contentsOfDirectory(atPath: written.path) {
      // A new file, as the program's own: not one as old as the record.
      try Data(contentsOf: written.appendingPathComponent(name)).write(
        to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    return Tool(
      status: status, output: try Array(Data(contentsOf: file("output"))),
      errors: try Array(Data(contentsOf: file("errors"))))
  }

  /// Records a run, unless the machine may have been the cause of its result, or what it printed holds for one test
  /// alone.
  func record(_ tool: Tool) throws {
    // Samples are no text, and repairing them takes minutes.
    func isPrinted(_ text: String) -> Bool {
      let pattern = Data(text.utf8)
      return [tool.errors, tool.output].contains { Data($0).range(of: pattern) != nil }
    }
    guard tool.status < 128, !isPrinted("No space left"), !isPrinted("Cannot allocate"),
      !isPrinted(folder)
    else { return }
    let changed = try Self.files(in: folder).filter { before[$0.key] != $0.value }.keys
    // Another program may have written in the folder meanwhile.
    guard changed.allSatisfy({ file in names.contains { $0.contains(file) } }) else { return }
    let manager = FileManager.default
    let draft = Self.records.appendingPathComponent("draft-\(UUID().uuidString)")
    defer { try? manager.removeItem(at: draft) }
    let written = draft.appendingPathComponent("files")
    try manager.createDirectory(at: written, withIntermediateDirectories: true)
    for name in changed {
      try manager.copyItem(
        at: URL(fileURLWithPath: "\(folder)/\(name)"), to: written.appendingPathComponent(name))
    }
    try Data(tool.output).write(to: draft.appendingPathComponent("output"))
    try Data(tool.errors).write(to: draft.appendingPathComponent("errors"))
    try Data("\(tool.status)".utf8).write(to: draft.appendingPathComponent("status"))
    // Another test or process may have recorded the same meanwhile.
    _ = rename(draft.path, record.path)
  }

  private func file(_ name: String) -> URL { record.appendingPathComponent(name) }

  /// The folder of a test in which the arguments name files by their paths.
  private static func temporaryFolder(in arguments: [String]) -> String? {
    let start = FileManager.default.temporaryDirectory.appendingPathComponent("scaleaudio-test-")
      .path
    return arguments.first { $0.hasPrefix(start) }.flatMap { path in
      path.dropFirst(start.count).firstIndex(of: "/").map { String(path[..<$0]) }
    }
  }

  /// The regular files directly in a folder.
  private static func files(in folder: String) throws -> [String: Version] {
    var files: [String: Version] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      if let version = Version(of: "\(folder)/\(name)"), version.isRegular { files[name] = version }
    }
    return files
  }

  /// A value that changes with a file's content.
  private struct Version: Equatable, CustomStringConvertible {
    var isRegular: Bool
    private var size: Int
    private var inode: UInt64
    private var seconds: Int
    private var nanoseconds: Int

    init?(of path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      isRegular = status.st_mode & S_IFMT == S_IFREG
      size = Int(status.st_size)
      inode = UInt64(status.st_ino)
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }

    var description: String { "\(size) \(seconds)" }
  }

  /// A SHA-256 digest of parts, each with its length.
  private struct Digest {
    private var state = scaleaudio_sha256()

    init() { scaleaudio_sha256_begin(&state) }

    mutating func add(_ text: String) { add(Array(text.utf8)) }

    mutating func add(_ bytes: some ContiguousBytes) {
      bytes.withUnsafeBytes { bytes in
        withUnsafeBytes(of: UInt64(bytes.count)) {
          scaleaudio_sha256_add(&state, $0.baseAddress, $0.count)
        }
        scaleaudio_sha256_add(&state, bytes.baseAddress, bytes.count)
      }
    }

    var text: String {
      var state = state
      var bytes = [UInt8](repeating: 0, count: 32)
      scaleaudio_sha256_end(&state, &bytes)
      return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}
