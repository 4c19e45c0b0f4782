import AudioIO
import CZlib
import Glibc
import ScaleAudio

/// The destination of a manifest, and its form.
struct ManifestTarget {
  /// `nil` for standard output.
  let path: FilePath?
  let format: ManifestFormat
  /// True if an existing manifest is replaced.
  let replaces: Bool

  /// The files to write.
  private var files: [FilePath] {
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
    for file in files { try check(file, jobs, named) }
  }

  private func check(
    _ file: FilePath, _ jobs: [ConversionJob], _ named: [FilePath]
  ) throws(ManifestError) {
    let other = Remedy.act("choose another --manifest")
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
      throw ManifestError(path: file, cause: error.cause, remedy: nil)
    }
    if folder.withPlatformString({ access($0, W_OK | X_OK) }) != 0 {
      let error = AudioFileError.cannotWrite(file, Errno(rawValue: errno))
      throw ManifestError(path: file, cause: error.cause, remedy: nil)
    }
  }

  // MARK: - Writing

  /// Writes the manifest: all its files or, if writing fails before the first has its name, none.
  func write(
    _ entries: [ManifestEntry], _ names: [ManifestName], syncing: Bool, isCancelled: () -> Bool
  ) throws(AudioFileError) {
    guard let path else { return }
    guard format == .kaldi else {
      return try write(
        format.bytes(entries, names: names), syncing: syncing, isCancelled: isCancelled)
    }
    let kaldi = KaldiFolder(entries, names)
    let contents = KaldiFolder.files.map { (path.appending($0), kaldi.content(of: $0)) }
    for (file, _) in contents { try CreatedFolders().make(file.folder) }
    try write(contents[...], syncing: syncing, isCancelled)
  }

  /// Writes a manifest of one file, compressed if its name ends in `.gz`.
  func write(
    _ content: [UInt8], syncing: Bool, isCancelled: () -> Bool
  ) throws(AudioFileError) {
    guard let path else { return }
    var bytes = content
    if path.extension?.lowercased() == "gz" {
      guard let packed = Gzip.compressed(content) else { throw .cannotWrite(path, .noMemory) }
      bytes = packed
    }
    try CreatedFolders().make(path.folder)
    try write([(path, bytes)], syncing: syncing, isCancelled)
  }

  /// Writes all files before the first one gets its name.
  private func write(
    _ contents: ArraySlice<(FilePath, [UInt8])>, syncing: Bool, _ isCancelled: () -> Bool
  ) throws(AudioFileError) {
    guard let (path, bytes) = contents.first else { return }
    let file = try OutputFile(path: path, isCancelled: isCancelled)
    do {
      try file.descriptor.writeAll(bytes)
    } catch {
      throw .cannotWrite(path, error as? Errno ?? .ioError)
    }
    try write(contents.dropFirst(), syncing: syncing, isCancelled)
    try file.commit(replacing: replaces, syncing: syncing, isCancelled: isCancelled)
  }
}

/// Why a manifest cannot be written; nothing was started.
struct ManifestError: ErrorWithRemedy {
  let path: FilePath
  let cause: String
  let remedy: Remedy?

  var message: String { "\(path.printable): \(cause)" }
}

/// Compression by gzip.
enum Gzip {
  /// The compressed bytes, without name and time; `nil` if there is not enough memory.
  static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    let most = scaleaudio_gzip_bound(bytes.count)
    let result = [UInt8](unsafeUninitializedCapacity: most) { (buffer, count) in
      count = bytes.withUnsafeBytes {
        scaleaudio_gzip($0.baseAddress, $0.count, buffer.baseAddress, most)
      }
    }
    return result.isEmpty ? nil : result
  }
}
