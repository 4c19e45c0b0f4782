internal import AudioIO
internal import ScaleAudio
internal import SystemPackage

/// Lines in an unnamed temporary file.
struct SpoolFile: ~Copyable {
  private let descriptor: FileDescriptor

  init() throws(AudioFileError) { descriptor = try Spool.makeFile() }

  deinit { try? descriptor.close() }

  /// A writer that adds lines; valid as long as the file.
  var writer: LineWriter { LineWriter(descriptor, path: "(temporary file)") }

  /// A reader of all lines; use only one at a time.
  func reader(_ cancellation: Cancellation) throws(AudioFileError) -> LineReader {
    try LineReader(descriptor, path: "(temporary file)", cancellation: cancellation)
  }
}

/// The files of all shards while they are written, with some lines of each in memory.
struct ShardFiles {
  private let folder: RunFolder
  private var waiting: [[UInt8]]
  private var isBegun: [Bool]
  /// The maximum number of buffered bytes for all files together.
  private static let most = 32 << 20
  private var size = 0

  init(_ folder: RunFolder, count: Int) {
    self.folder = folder
    waiting = Array(repeating: [], count: count)
    isBegun = Array(repeating: false, count: count)
  }

  /// Adds a line to a shard, from 1.
  mutating func add(_ line: [UInt8], to shard: Int) throws(AudioFileError) {
    waiting[shard - 1] += line
    waiting[shard - 1].append(UInt8(ascii: "\n"))
    size += line.count + 1
    if size > Self.most {
      for index in waiting.indices where !waiting[index].isEmpty { try write(index) }
      size = 0
    }
  }

  /// Writes the buffered lines, and the files of shards without lines.
  mutating func finish() throws(AudioFileError) {
    for index in waiting.indices where !waiting[index].isEmpty || !isBegun[index] {
      try write(index)
    }
  }

  private mutating func write(_ index: Int) throws(AudioFileError) {
    let path = folder.shardFile(index + 1)
    do {
      // The first lines replace those of an unfinished plan.
      let file = try FileDescriptor.open(
        path, .writeOnly,
        options: [.create, isBegun[index] ? .append : .truncate, .closeOnExec],
        permissions: FilePermissions(rawValue: 0o666))
      defer { try? file.close() }
      try file.writeAll(waiting[index])
    } catch {
      throw .cannotWrite(path, error as? Errno ?? .ioError)
    }
    waiting[index] = []
    isBegun[index] = true
  }
}
