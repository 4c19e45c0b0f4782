import AudioIO
import CZlib
import Glibc
import ScaleAudio
import SystemPackage

/// The destination of a manifest, and its form.
struct ManifestTarget {
  /// `nil` for standard output.
  let path: FilePath?
  let format: ManifestFormat
  /// True if an existing manifest is replaced.
  let replaces: Bool

  /// The files to write.
  var files: [FilePath] {
    guard let path else { return [] }
    return format == .kaldi ? KaldiFolder.files.map { path.appending($0) } : [path]
  }

  // MARK: - Checking

  /// Throws if the manifest cannot be written, or would replace a file of the batch or of the command line.
  func check(_ jobs: [ConversionJob], named: [FilePath]) throws(ManifestError) {
    if format == .kaldi,
      let other = jobs.map(\.work.output.path).first(where: { !KaldiFolder.canName($0) })
    {
      throw ManifestError(
        path: other, cause: "wav.scp cannot hold a name with a line break",
        remedy: .act("choose another --name"))
    }
    if format == .kaldi,
      let clash = ManifestNames(format, count: jobs.count, origin: { .init(jobs[$0]) }).clash
    {
      throw ManifestError(clash)
    }
    for file in files { try check(file, jobs, named) }
  }

  private func check(
    _ file: FilePath, _ jobs: [ConversionJob], _ named: [FilePath]
  ) throws(ManifestError) {
    let other = ManifestError.chooseOther
    let isStream: Bool
    do {
      isStream = try OutputPlace(file) == .stream
    } catch {
      throw ManifestError(path: file, cause: error.cause, remedy: other)
    }
    if isStream { return }
    if file.lastComponent == ".scaleaudio.jsonl" {
      throw ManifestError(path: file, cause: "this name is that of the journal", remedy: other)
    }
    var folders: [FilePath: FilePath] = [:]
    func resolved(_ path: FilePath) -> FilePath {
      let folder = folders[path.folder] ?? RealPath.resolve(path.folder)
      folders[path.folder] = folder
      return path.lastComponent.map { folder.appending($0) } ?? folder
    }
    let place = resolved(file)
    let outputs = jobs.map(\.work.output.path)
    if outputs.contains(where: { resolved($0) == place }) {
      throw ManifestError(path: file, cause: "the manifest would be an output", remedy: other)
    }
    if let identity = FileIdentity(path: file) {
      let inputs = jobs.map(\.work.input.path) + named
      if inputs.contains(where: { FileIdentity(path: $0) == identity }) {
        throw ManifestError(path: file, cause: "the manifest would replace an input", remedy: other)
      }
      if outputs.contains(where: { FileIdentity(path: $0) == identity }) {
        throw ManifestError(
          path: file, cause: "the manifest would replace an output", remedy: other)
      }
      if !replaces {
        throw ManifestError(
          path: file, cause: "already exists",
          remedy: .act("--overwrite, --resume or --skip-existing replaces it"))
      }
    }
    try checkFolder(of: file)
  }

  /// Checks before hours of work that a folder can be written to.
  private func checkFolder(of file: FilePath) throws(ManifestError) {
    var folder = file.folder
    while FileStatus(path: folder) == nil, folder.folder != folder { folder = folder.folder }
    guard FileStatus(path: folder)?.kind == .folder else {
      let error = AudioFileError.cannotWrite(file, .notDirectory)
      throw ManifestError(path: file, cause: error.cause, remedy: ManifestError.chooseOther)
    }
    let denied = folder.withPlatformString { folder in
      uninterrupted { access(folder, W_OK | X_OK) }
    }
    if denied != 0 {
      let error = AudioFileError.cannotWrite(file, Errno(rawValue: errno))
      throw ManifestError(path: file, cause: error.cause, remedy: ManifestError.chooseOther)
    }
  }

  // MARK: - Writing

  /// Writes the manifest: all its files or, if writing fails before the first has its name, none.
  ///
  /// - Parameter content: Passes on the content of a file, block by block.
  func write(
    syncing: Bool, isCancelled: () -> Bool,
    content: (FilePath, (_ add: [UInt8]) throws(AudioFileError) -> Void) throws(AudioFileError) ->
      Void
  ) throws(AudioFileError) {
    for file in files where FileStatus(path: file.folder) == nil {
      try CreatedFolders().make(file.folder)
    }
    try write(files[...], syncing: syncing, isCancelled, content)
  }

  /// Writes the manifest of these outputs.
  func write(
    _ entries: [ManifestEntry], _ names: [ManifestName], syncing: Bool, isCancelled: () -> Bool
  ) throws(AudioFileError) {
    var order = Array(entries.indices)
    if format == .kaldi {
      var folder = KaldiFolder()
      names.forEach { folder.add($0) }
      order = folder.sorted()
    }
    let columns = ManifestColumns(entries)
    try write(syncing: syncing, isCancelled: isCancelled) { (file, add) throws(AudioFileError) in
      try add(format.header(columns))
      for index in order {
        try add(
          format == .kaldi
            ? file.lastComponent.map { KaldiFolder.line($0, entries[index], names[index]) } ?? []
            : format.line(entries[index], names[index], columns))
      }
    }
  }

  /// Writes all files before the first one gets its name.
  private func write(
    _ files: ArraySlice<FilePath>, syncing: Bool, _ isCancelled: () -> Bool,
    _ content: (FilePath, (_ add: [UInt8]) throws(AudioFileError) -> Void) throws(AudioFileError) ->
      Void
  ) throws(AudioFileError) {
    guard let path = files.first else { return }
    let file = try OutputFile(path: path, isCancelled: isCancelled)
    let writer = try ManifestWriter(file, path)
    try content(path) { (bytes) throws(AudioFileError) in try writer.add(bytes) }
    try writer.finish()
    try write(files.dropFirst(), syncing: syncing, isCancelled, content)
    try file.commit(replacing: replaces, syncing: syncing, isCancelled: isCancelled)
  }
}

/// Why a manifest cannot be written; nothing was started.
struct ManifestError: ErrorWithRemedy {
  let path: FilePath
  let cause: String
  let remedy: Remedy?

  /// The remedy where only another name helps.
  static let chooseOther = Remedy.act("choose another --manifest")

  var message: String { "\(path.printable): \(cause)" }
}

/// Writes a file in blocks, compressed by gzip if its name ends in `.gz`.
private final class ManifestWriter {
  private let file: FileDescriptor
  private let path: FilePath
  private let isPacked: Bool
  private var stream = z_stream()
  private var waiting: [UInt8] = []

  private static var blockBytes: Int { 1 << 18 }

  init(_ output: borrowing OutputFile, _ path: FilePath) throws(AudioFileError) {
    file = output.descriptor
    self.path = path
    isPacked = path.extension?.lowercased() == "gz"
    if isPacked, scaleaudio_gzip_begin(&stream) != Z_OK { throw .cannotWrite(path, .noMemory) }
  }

  deinit { if isPacked { deflateEnd(&stream) } }

  func add(_ bytes: [UInt8]) throws(AudioFileError) {
    waiting += bytes
    if waiting.count >= Self.blockBytes { try flush(isLast: false) }
  }

  func finish() throws(AudioFileError) { try flush(isLast: true) }

  private func flush(isLast: Bool) throws(AudioFileError) {
    do {
      if isPacked {
        try pack(isLast: isLast)
      } else {
        try file.writeAll(waiting)
      }
    } catch {
      throw .cannotWrite(path, error as? Errno ?? .ioError)
    }
    waiting.removeAll(keepingCapacity: true)
  }

  private func pack(isLast: Bool) throws {
    let count = waiting.count
    let flush = isLast ? Z_FINISH : Z_NO_FLUSH
    try waiting.withUnsafeMutableBufferPointer { (input) in
      stream.next_in = input.baseAddress
      stream.avail_in = uInt(count)
      while true {
        var left = 0
        let packed = [UInt8](unsafeUninitializedCapacity: Self.blockBytes) { (output, made) in
          stream.next_out = output.baseAddress
          stream.avail_out = uInt(output.count)
          _ = deflate(&stream, flush)
          left = Int(stream.avail_out)
          made = output.count - left
        }
        try file.writeAll(packed)
        if left > 0 { return }
      }
    }
  }
}
