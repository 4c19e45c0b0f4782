internal import AudioIO
internal import CZlib
internal import ScaleAudio
internal import SystemPackage

/// Reads the lines of a file one after another, without holding the file in memory.
final class LineReader {
  /// The maximum length of a line, in bytes; longer lines are refused, because such a file is not a list.
  static let longest = 1 << 24

  let path: FilePath
  /// The number of the last line, from 1.
  private(set) var number = 0
  /// True if the last line had no line feed.
  private(set) var endsTorn = false
  private let file: FileDescriptor
  private let isOwned: Bool
  /// The decompressor of a gzip file; `nil` for other files.
  private var packed: gzFile?
  private let separator: UInt8
  private let cancellation: Cancellation
  private var block = [UInt8](repeating: 0, count: 1 << 18)
  private var unread = 0..<0
  private var isAtEnd = false

  /// Reads a file, or standard input for `-`.
  init(
    _ path: FilePath, separator: UInt8 = UInt8(ascii: "\n"),
    cancellation: Cancellation = Cancellation()
  ) throws(AudioFileError) {
    self.path = path
    self.separator = separator
    self.cancellation = cancellation
    isOwned = path != "-"
    file = path == "-" ? .standardInput : try FileDescriptor.reading(path)
    if path.extension?.lowercased() == "gz" {
      // zlib closes its own descriptor.
      packed = (try? file.duplicate()).flatMap { gzdopen($0.rawValue, "rb") }
      if packed == nil { throw .cannotOpen(path, .noMemory) }
    }
  }

  /// Reads an open file from its start; errors name `path`.
  init(_ file: FileDescriptor, path: FilePath, cancellation: Cancellation) throws(AudioFileError) {
    (self.path, self.file, self.cancellation) = (path, file, cancellation)
    separator = UInt8(ascii: "\n")
    isOwned = false
    do {
      _ = try file.seek(offset: 0, from: .start)
    } catch {
      throw .cannotRead(path, error as? Errno ?? .ioError)
    }
  }

  deinit {
    if let packed { gzclose(packed) }
    if isOwned { try? file.close() }
  }

  /// The next line without its end; `nil` after the last one.
  func next() throws(AudioFileError) -> [UInt8]? {
    var line: [UInt8] = []
    while true {
      if unread.isEmpty {
        if !isAtEnd {
          let count = try read()
          isAtEnd = count == 0
          unread = 0..<count
        }
        if isAtEnd {
          if line.isEmpty { return nil }
          endsTorn = true
          number += 1
          return line
        }
      }
      let rest = block[unread]
      if let end = rest.firstIndex(of: separator) {
        line += rest[..<end]
        unread = end + 1..<unread.upperBound
        number += 1
        return line
      }
      line += rest
      unread = 0..<0
      if line.count > Self.longest {
        throw .malformed(path, reason: "line \(number + 1) is longer than 16 MB")
      }
    }
  }
}

extension LineReader {
  /// Fills the block; 0 at the end.
  private func read() throws(AudioFileError) -> Int {
    guard let packed else {
      return try Spool.readWhenReady(
        file, &block, path: path, isCancelled: { cancellation.isCancelled })
    }
    let count = gzread(packed, &block, UInt32(block.count))
    var problem: Int32 = 0
    _ = gzerror(packed, &problem)
    // A truncated file is read to its end before the error is reported.
    if count < 0 || problem == Z_BUF_ERROR || problem == Z_DATA_ERROR {
      throw .malformed(path, reason: "its gzip data is damaged or truncated")
    }
    return Int(count)
  }
}

/// Writes lines to a file in large blocks.
struct LineWriter: ~Copyable {
  private let file: FileDescriptor
  private let path: FilePath
  private var waiting: [UInt8] = []

  /// A writer for an open file; errors name `path`.
  init(_ file: FileDescriptor, path: FilePath) {
    (self.file, self.path) = (file, path)
  }

  /// Adds a line, without its end.
  mutating func add(_ line: [UInt8]) throws(AudioFileError) {
    waiting += line
    waiting.append(UInt8(ascii: "\n"))
    if waiting.count >= 1 << 18 { try flush() }
  }

  /// Writes the buffered lines.
  mutating func flush() throws(AudioFileError) {
    do {
      try file.writeAll(waiting)
    } catch {
      throw .cannotWrite(path, error as? Errno ?? .ioError)
    }
    waiting.removeAll(keepingCapacity: true)
  }
}
