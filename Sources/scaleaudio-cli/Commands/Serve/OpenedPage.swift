#if Serve
  import AudioIO
  import Dispatch
  import Glibc
  import ScaleAudio
  import SystemPackage

  /// A page that was opened in the browser.
  ///
  /// The browser gets the name of a file that redirects to the page: other users of the machine can see the arguments
  /// of programs, and the address contains the key. The file is removed with this value.
  final class OpenedPage {
    private let file: PrivateFile

    /// - Returns: `nil` if no program can open the page.
    init?(_ address: String) {
      let html = """
        <!doctype html><html lang="en"><head><meta charset="utf-8"><title>scaleaudio</title>\
        <meta name="referrer" content="no-referrer">\
        <meta http-equiv="refresh" content="0;url=\(address)"></head>\
        <body><p><a href="\(address)">Open scaleaudio</a></p></body></html>

        """
      guard let file = PrivateFile("scaleaudio-serve", ending: ".html", Array(html.utf8)),
        Self.run(Self.opener, FilePath(file.path))
      else { return nil }
      self.file = file
    }

    /// True if a browser is likely to show a page.
    static var hasDesktop: Bool {
      return ["DISPLAY", "WAYLAND_DISPLAY"].contains { (variable: String) in
        getenv(variable).map { $0.pointee != 0 } ?? false
      }
    }

    /// Shows a folder in the desktop's own program; false if there is none.
    static func show(_ folder: FilePath) -> Bool {
      let path = RealPath.resolve(folder)
      return path.isAbsolute && run(opener, path)
    }

    private static let opener = "xdg-open"

    /// True if the desktop has the program that opens pages and folders.
    static var canOpen: Bool {
      guard hasDesktop, let paths = getenv("PATH").map({ String(cString: $0) }) else {
        return false
      }
      return paths.split(separator: ":").contains { access("\($0)/\(opener)", X_OK) == 0 }
    }

    /// Starts a program, found in PATH, in its own process group, so that Ctrl-C does not end a browser.
    private static func run(_ program: String, _ path: FilePath) -> Bool {
      var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
      }
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
      // This process ignores them.
      var signals = sigset_t()
      sigemptyset(&signals)
      for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
      posix_spawnattr_setsigdefault(&attributes, &signals)
      // A name need not be UTF-8.
      let words = [strdup(program), path.withPlatformString { strdup($0) }, nil]
      defer { words.forEach { free($0) } }
      var process: pid_t = 0
      guard posix_spawnp(&process, program, &actions, &attributes, words, environ) == 0 else {
        return false
      }
      // Prevents the child from remaining a zombie.
      let child = process
      DispatchQueue(label: "scaleaudio.browser").async { waitpid(child, nil, 0) }
      return true
    }
  }
#endif
