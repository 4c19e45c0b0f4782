#if Serve
  import AudioIO
  import ScaleAudio
  import ScaleAudioServer
  import SystemPackage
  import Glibc

  /// The request of `scaleaudio serve`.
  struct ServeRequest {
    let folders: [FilePath]
    let output: FilePath?
    let isReadOnly: Bool
    let keepsState: Bool
    let configuration: Configuration?
    let server: ServerOptions
  }

  /// One run of `scaleaudio serve`, from its request to the exit status.
  struct ServeRun {
    private static let firstPort = 8765

    private let request: ServeRequest
    private let interruption: Interruption

    init(_ request: ServeRequest, _ interruption: Interruption) {
      self.request = request
      self.interruption = interruption
    }

    /// Serves until a signal arrives, and returns the exit status.
    func run() -> Int32 {
      let server: HTTPServer
      let application: FolderApplication
      do {
        for folder in request.folders {
          guard let status = FileStatus(path: folder) else {
            throw AudioFileError.cannotOpen(folder, Errno(rawValue: errno))
          }
          guard status.kind == .folder else {
            let holder = folder.folder.printable
            Terminal.notice(
              "\(folder.printable): not a folder; serve the one that holds it: \(holder)")
            return ExitStatus.noInput
          }
        }
        var settings = FolderApplication.Settings(folders: request.folders)
        settings.isReadOnly = request.isReadOnly
        settings.notesFolder = request.keepsState ? PracticeStore.userFolder : nil
        application = FolderApplication(
          settings,
          ServeProgram(
            outputFolder: request.output, folders: request.folders,
            configuration: request.configuration,
            showsFolders: OpenedPage.canOpen && request.server.listen == nil))
        server = try HTTPServer(
          request.server.port.map { .only($0) } ?? .from(Self.firstPort),
          address: request.server.listen, application)
      } catch {
        let failure = StartFailure(error)
        for line in failure.lines { Terminal.notice(line) }
        return failure.status
      }
      defer { stop(server, application) }
      let page = show(server)
      // The page file contains the key, so it is removed at the end.
      withExtendedLifetime(page) { interruption.waitForSignal() }
      return ExitStatus.success
    }

    /// Ends the work, and prints commands for what is left undone.
    private func stop(_ server: HTTPServer, _ application: FolderApplication) {
      let stopped = application.stop()
      server.stop()
      if stopped.isEmpty { return }
      Terminal.notice("stopped before the end; these commands do the rest:")
      for command in stopped { line("  " + command) }
    }

    /// Prints the addresses, and opens the page if requested.
    private func show(_ server: HTTPServer) -> OpenedPage? {
      let names = request.folders.map { $0.printable }.joined(separator: ", ")
      let aim =
        request.isReadOnly
        ? ", read-only" : request.output.map { ", scaled into \($0.printable)" } ?? ""
      line("Serving \(names)\(aim). The address holds the key; Ctrl-C ends.")
      if request.server.listen != nil {
        line("Anyone with the address can reach it; nothing is encrypted.")
      }
      // Loopback has two addresses for the same page.
      let hosts = request.server.listen == nil ? server.hosts.prefix(1) : server.hosts[...]
      var output = StandardOutput()
      for host in hosts { output.write(Array((server.address(on: host) + "\n").utf8)) }
      guard request.server.open ?? OpenedPage.hasDesktop, let host = hosts.first else { return nil }
      let page = OpenedPage(server.address(on: host))
      if page == nil, request.server.open == true {
        Terminal.notice("cannot open the page: xdg-open is missing or failed")
      }
      return page
    }

    private func line(_ text: String) {
      Terminal.standardError.write(escapedForTerminal(text) + "\n")
    }
  }
#endif
