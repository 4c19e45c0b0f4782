import ArgumentParser
import AudioIO
import Glibc
import SystemPackage

/// Problems with a configuration file.
struct ConfigurationError: Error {
  let path: FilePath
  /// From 1; `nil` if it is the file itself.
  var line: Int?
  let reason: String

  /// `config.toml:3: unknown option 'metod'`, escaped.
  var message: String {
    let place = line.map { "\(escapedForTerminal(path)):\($0)" } ?? escapedForTerminal(path)
    return "\(place): \(escapedForTerminal(reason))"
  }
}

/// The location of a user's configuration file.
struct ConfigurationPlace: Equatable {
  /// The environment variable that names another file, or, if empty, disables the file.
  static let variable = "SCALEAUDIO_CONFIG"
  /// The maximum size of the file, in bytes.
  private static let maximumBytes = 1 << 20

  let path: FilePath
  /// True if the environment variable names the file, which must then exist.
  let isNamed: Bool

  /// The location according to environment variables; `nil` if there is none.
  init?(_ variable: (String) -> FilePath?) {
    if let named = variable(Self.variable) {
      if named.isEmpty { return nil }
      (path, isNamed) = (named, true)
      return
    }
    guard let folder = UserFolder.configuration.path(variable) else { return nil }
    (path, isNamed) = (folder.appending("config.toml"), false)
  }

  /// The location for this process.
  static var ofProcess: ConfigurationPlace? {
    ConfigurationPlace { getenv($0).map { FilePath(platformString: $0) } }
  }

  /// The bytes of the file; `nil` if it does not exist and the environment variable does not name it.
  func bytes() throws(ConfigurationError) -> [UInt8]? {
    guard let status = FileStatus(path: path) else {
      // A folder that may not be searched is probably another user's home.
      if isNamed {
        throw refusal("\(Errno(rawValue: errno).words); \(Self.variable) names this file")
      }
      return nil
    }
    switch status.kind {
    case .file: break
    case .pipe where isNamed, .characterDevice where isNamed: break
    case .folder: throw refusal("it is a folder, not a configuration file")
    default: throw refusal("it is not a file")
    }
    let bytes: [UInt8]
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
      bytes = try file.closeAfter {
        try Spool.bytes(of: file, path: path, limit: Self.maximumBytes) { false }
      }
    } catch AudioFileError.cannotRead(_, let code) {
      throw refusal("\(code); --no-config ignores this file")
    } catch {
      throw refusal("\((error as? Errno ?? .ioError).words); --no-config ignores this file")
    }
    if bytes.count > Self.maximumBytes { throw refusal("it is larger than 1 MiB") }
    return bytes
  }

  private func refusal(_ reason: String) -> ConfigurationError {
    ConfigurationError(path: path, reason: reason)
  }
}

/// The option that ignores the configuration file.
struct ConfigurationOptions: ParsableArguments {
  static let name = "--no-config"

  @Flag(
    name: .customLong("no-config"),
    help: ArgumentHelp(
      "Ignore the configuration file with your defaults and presets.",
      discussion: """
        It is scaleaudio/config.toml in $XDG_CONFIG_HOME, by default ~/.config, or the file that \
        $SCALEAUDIO_CONFIG names.
        """))
  var ignoresConfiguration = false
}
