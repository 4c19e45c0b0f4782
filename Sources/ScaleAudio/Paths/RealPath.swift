internal import AudioIO
import Glibc
package import SystemPackage

/// Resolved paths, without links, `.` and `..`.
package enum RealPath {
  /// The absolute path of `path`; a part at its end that does not exist yet stays as written.
  package static func resolve(_ path: FilePath) -> FilePath {
    var existing = path.isEmpty ? "." : path
    var missing: [FilePath.Component] = []
    while true {
      if let real = canonical(existing) {
        return missing.reversed().reduce(real) { $0.appending($1) }.lexicallyNormalized()
      }
      guard let last = existing.lastComponent else { return path }
      missing.append(last)
      existing = existing.folder
      if existing == "." && canonical(".") == nil { return path }
    }
  }

  /// A folder by a name, which `.` and `..` are not: then its absolute path.
  package static func named(_ folder: FilePath) -> FilePath {
    folder.lastComponent?.kind == .regular ? folder : resolve(folder)
  }

  /// The path with its folder resolved, but without following the file itself if it is a link.
  static func resolveFolder(of path: FilePath) -> FilePath {
    guard let name = path.lastComponent, name.kind == .regular else { return resolve(path) }
    return resolve(path.folder).appending(name)
  }

  /// The relative path from `folder` to `path`, both resolved.
  package static func relative(_ path: FilePath, from folder: FilePath) -> FilePath {
    let from = Array(folder.components)
    let to = Array(path.components)
    let shared = zip(from, to).prefix { $0 == $1 }.count
    var relative = FilePath()
    for _ in shared..<from.count { relative.append("..") }
    for component in to[shared...] { relative.append(component) }
    return relative
  }

  private static func canonical(_ path: FilePath) -> FilePath? {
    path.withPlatformString { text in
      guard let real = uninterrupted({ realpath(text, nil) }) else { return nil }
      defer { free(real) }
      return FilePath(platformString: real)
    }
  }
}
