internal import Glibc
package import SystemPackage

/// The folders of this program below those of its user.
///
/// Source: XDG Base Directory Specification, version 0.8.
package enum UserFolder {
  case configuration, state, cache

  /// `$XDG_STATE_HOME/scaleaudio`, by default below `~/.local/state`, and the like; `nil` without a home.
  package var path: FilePath? {
    path { name in getenv(name).map { FilePath(platformString: $0) } }
  }

  /// The folder according to the values of environment variables.
  package func path(_ variable: (String) -> FilePath?) -> FilePath? {
    let (name, usual) =
      switch self {
      case .configuration: ("XDG_CONFIG_HOME", ".config")
      case .state: ("XDG_STATE_HOME", ".local/state")
      case .cache: ("XDG_CACHE_HOME", ".cache")
      }
    // A relative path is to be ignored, says the specification, and so is an empty one.
    func folder(_ name: String) -> FilePath? { variable(name).flatMap { $0.isAbsolute ? $0 : nil } }
    let base = folder(name) ?? folder("HOME")?.appending(usual)
    return base?.appending("scaleaudio")
  }

  /// Makes a folder and those above it that are missing, for this user alone. One that cannot be made is missing later.
  package static func make(_ folder: FilePath) {
    var path = FilePath(root: folder.root, [FilePath.Component]())
    for component in folder.components {
      path.append(component)
      _ = path.withPlatformString { path in uninterrupted { mkdir(path, 0o700) } }
    }
  }
}
