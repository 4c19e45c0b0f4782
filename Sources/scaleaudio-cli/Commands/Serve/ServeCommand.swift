import ArgumentParser
import AudioIO
import ScaleAudio

/// Serves folders to a browser.
struct ServeCommand: ContextualCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Play and scale the audio of a folder on a page in the browser.",
    usage: "scaleaudio serve [<folder> ...] [<options>]",
    discussion: """
      Prints the address of the page and, where there is a desktop, opens it. The page lists the audio files of \
      the folders, shows their waveforms, plays them as convert would write them, and scales one or all of \
      them. Nothing leaves this machine.

      The server listens on this machine only, and the address holds the key to the page: \
      treat it like a password. With --listen, anyone with the address can reach it, and nothing is \
      encrypted.

      Ctrl-C ends it within a second; nothing is left half-written.

      EXAMPLES
        scaleaudio serve                        the current folder
        scaleaudio serve Music/ -o Slow/        another folder for the results
        scaleaudio serve --read-only Music/     listen, write nothing
        scaleaudio serve --no-open --port 9000  only print the address
        scaleaudio serve --listen 192.168.1.20  let in a phone on the same network

      Exit statuses: 0 after Ctrl-C, 64 for wrong options or a port that is taken, 66 if a folder is missing.
      """)

  @Argument(
    help: ArgumentHelp(
      "Folders with audio files. Default: the current one.", valueName: "folder"),
    completion: .directory)
  var folders: [String] = []

  @OptionGroup(title: "Server") var server: ServerOptions

  @Flag(help: "Write nothing: no scaling, no uploads.")
  var readOnly = false

  @Flag(help: "Keep no marks, loops, speeds and keys of files, and use none.")
  var noState = false

  @Option(
    name: [.customShort("o", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "Folder for the results, created if missing. Default: beside the sources.",
      valueName: "folder"),
    completion: .directory)
  var output: String?

  @OptionGroup var configuration: ConfigurationOptions

  func validate() throws {
    if folders.contains("") || output == "" {
      throw ValidationError("A path must not be empty.")
    }
    if readOnly, output != nil {
      throw ValidationError("--read-only and --output exclude each other; give one.")
    }
  }

  func run(in context: CommandContext) throws {
    #if Serve
      let run = ServeRun(
        ServeRequest(
          folders: (folders.isEmpty ? ["."] : folders).map { RawArgument.path(of: $0) },
          output: output.map { RawArgument.path(of: $0) }, isReadOnly: readOnly,
          keepsState: !noState, configuration: context.configuration,
          server: server),
        Interruption.shared)
      let status = run.run()
    #else
      Terminal.notice(
        "this build has no server; build it with the trait Serve, as by default")
      let status = ExitStatus.usage
    #endif
    if status != ExitStatus.success { throw ExitCode(status) }
  }
}

/// The address of the server, and whether to open its page.
struct ServerOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Port, or 0 for any that is free. Default: 8765 or the next free one.", valueName: "number"))
  var port: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Listen on this address instead of 127.0.0.1 and ::1; 0.0.0.0 for all addresses.",
      valueName: "address"))
  var listen: String?

  @Flag(
    inversion: .prefixedNo,
    help: "Open the page in the browser. Default: only on a desktop.")
  var open: Bool?

  func validate() throws {
    if let port, !(0...65_535).contains(port) {
      throw ValidationError("--port \(port) is not within 0 to 65535.")
    }
    if listen == "" { throw ValidationError("--listen needs an address, such as 0.0.0.0.") }
  }
}
