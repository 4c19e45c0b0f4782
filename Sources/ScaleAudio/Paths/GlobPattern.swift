import Glibc
internal import SystemPackage

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
