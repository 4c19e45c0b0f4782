internal import AudioFiles
public import AudioIO
import Glibc
public import SystemPackage

/// Finds the audio files in a folder.
///
/// An audio file has a known extension, other than those of raw PCM, or its first bytes are those of a known format.
/// Hidden files and folders, devices, sockets and pipes are ignored. Names are sorted by their bytes, folder by folder,
/// so the same tree always gives the same list.
public struct FileWalker: Hashable, Sendable {
  /// True if subfolders are walked.
  public var isRecursive: Bool
  /// True if symbolic links are followed, except those that lead to a folder that contains them.
  public var followsSymbolicLinks: Bool
  /// If not empty, only files that match one of these are taken.
  public var includes: [GlobPattern]
  /// Files and folders that match one of these are ignored.
  public var excludes: [GlobPattern]
  /// True if only files with the extensions of raw PCM are taken; otherwise such files are taken only if they
  /// have a header.
  public var takesRawPCM = false

  /// A walker; by default it takes every audio file at any depth.
  public init(
    isRecursive: Bool = true, followsSymbolicLinks: Bool = false, includes: [GlobPattern] = [],
    excludes: [GlobPattern] = []
  ) {
    self.isRecursive = isRecursive
    self.followsSymbolicLinks = followsSymbolicLinks
    self.includes = includes
    self.excludes = excludes
  }

  /// An audio file in a folder.
  public struct FoundFile: Hashable, Sendable {
    /// The path to open: the folder's path followed by the relative path.
    public let path: FilePath
    /// The path below the walked folder.
    public let relativePath: FilePath
    /// The size in bytes.
    public var size: Int { stamp.size }
    package let stamp: FileStamp
    package let identity: FileIdentity
  }

  /// The result of a walk.
  public struct Findings: Hashable, Sendable {
    /// The files, in order.
    public internal(set) var files: [FoundFile] = []
    /// The files that are no audio, such as covers and notes, in order.
    public internal(set) var others: [FoundFile] = []
    /// The folders that could not be read, and broken links.
    public internal(set) var problems: [AudioFileError] = []
  }

  /// Walks `folder`, even if it is a link or hidden.
  public func walk(_ folder: FilePath, cancellation: Cancellation = Cancellation()) -> Findings {
    walk(folder, avoiding: [], cancellation: cancellation)
  }

  /// Walks `folder` without entering any of the `avoided` folders, except `folder` itself.
  package func walk(
    _ folder: FilePath, avoiding avoided: Set<FileIdentity>, cancellation: Cancellation
  ) -> Findings {
    var findings = Findings()
    var others: [FoundFile] = []
    findings.problems = walk(
      folder, avoiding: avoided, cancellation: cancellation, onOther: { others.append($0) }
    ) {
      findings.files.append($0)
    }
    findings.others = others
    return findings
  }

  /// Walks `folder` in the same way and passes on each file as it is found. Returns the folders that could not be
  /// read, and broken links.
  package func walk<Failure: Error>(
    _ folder: FilePath, avoiding avoided: Set<FileIdentity>, cancellation: Cancellation,
    onOther: (FoundFile) -> Void = { _ in }, onFile: (FoundFile) throws(Failure) -> Void
  ) throws(Failure) -> [AudioFileError] {
    var problems: [AudioFileError] = []
    guard let status = FileStatus(path: folder) else {
      return [.cannotOpen(folder, Errno(rawValue: errno))]
    }
    // A stack of the entries that have not been visited yet, the next one last.
    var waiting = [Entry(path: folder, relative: FilePath(), ancestors: [], status: status)]
    while let entry = waiting.popLast(), !cancellation.isCancelled {
      if entry.status.kind != .folder {
        guard isIncluded(entry) else { continue }
        if isAudio(entry) { try onFile(entry.file) } else { onOther(entry.file) }
        continue
      }
      do throws(Errno) {
        let names = try FolderListing.names(in: entry.path)
        let entries = names.compactMap {
          self.entry($0, in: entry, avoiding: avoided, problems: &problems)
        }
        waiting += entries.reversed()
      } catch {
        problems.append(.cannotOpen(entry.path, error))
      }
    }
    return problems
  }

  /// A file or folder not visited yet.
  private struct Entry {
    let path: FilePath
    let relative: FilePath
    /// The folders above it, the walked one first.
    let ancestors: [FileIdentity]
    let status: FileStatus

    var file: FoundFile {
      FoundFile(
        path: path, relativePath: relative, stamp: status.stamp, identity: status.identity)
    }
  }

  /// The entry for a name in a folder; `nil` if it is ignored.
  private func entry(
    _ name: FilePath.Component, in folder: Entry, avoiding avoided: Set<FileIdentity>,
    problems: inout [AudioFileError]
  ) -> Entry? {
    if name.string.hasPrefix(".") { return nil }
    let path = folder.path.appending(name)
    let relative = folder.relative.appending(name)
    guard var status = FileStatus(path: path, followingLinks: false) else {
      problems.append(.cannotOpen(path, Errno(rawValue: errno)))
      return nil
    }
    if status.kind == .link {
      if !followsSymbolicLinks { return nil }
      guard let target = FileStatus(path: path) else {
        problems.append(.cannotOpen(path, Errno(rawValue: errno)))
        return nil
      }
      status = target
    }
    let ancestors = folder.ancestors + [folder.status.identity]
    switch status.kind {
    case .file: break
    case .folder:
      if !isRecursive || avoided.contains(status.identity) || ancestors.contains(status.identity) {
        return nil
      }
    default: return nil
    }
    if excludes.contains(where: { $0.matches(relative, isFolder: status.kind == .folder) }) {
      return nil
    }
    return Entry(path: path, relative: relative, ancestors: ancestors, status: status)
  }

  private func isIncluded(_ entry: Entry) -> Bool {
    includes.isEmpty || includes.contains { $0.matches(entry.relative, isFolder: false) }
  }

  private func isAudio(_ entry: Entry) -> Bool {
    let named = entry.path.extension.flatMap(AudioFormat.forExtension)
    if takesRawPCM { return named?.container == .raw }
    if let named, named.container != .raw { return true }
    return SniffedFormat.of(entry.path) != nil
  }
}

/// A shell pattern for file names: `*`, `?`, `[a-z]` (fnmatch(3)).
///
/// A pattern without a slash is compared with names. A pattern with a slash is compared with whole paths below the
/// walked folder; its `*` does not match a slash. A trailing slash limits it to folders.
public struct GlobPattern: Hashable, Sendable {
  private let pattern: [CChar]
  private let hasSlash: Bool
  private let matchesFoldersOnly: Bool

  /// A pattern of this text.
  public init(_ text: String) {
    self.init(bytes: Array(text.utf8))
  }

  /// A pattern of these bytes, which need not be UTF-8.
  package init(bytes: [UInt8]) {
    let slash = UInt8(ascii: "/")
    var bytes = bytes[...]
    matchesFoldersOnly = bytes.count > 1 && bytes.last == slash
    if matchesFoldersOnly { bytes.removeLast() }
    hasSlash = bytes.contains(slash)
    if bytes.starts(with: Array("./".utf8)) { bytes.removeFirst(2) }
    if bytes.first == slash { bytes.removeFirst() }
    pattern = bytes.map { CChar(bitPattern: $0) } + [0]
  }

  /// True if it matches a file or folder at `path`, relative to the walked folder.
  func matches(_ path: FilePath, isFolder: Bool) -> Bool {
    if matchesFoldersOnly && !isFolder { return false }
    let subject = hasSlash ? path : path.lastComponent.map { FilePath(root: nil, [$0]) } ?? path
    return subject.withPlatformString { fnmatch(pattern, $0, hasSlash ? FNM_PATHNAME : 0) == 0 }
  }
}
