import Glibc

@main
enum Main {
  static func main() async {
    fillStandardDescriptors()
    // Patterns for file names then match characters instead of bytes.
    setlocale(LC_CTYPE, "C.UTF-8")
    Interruption.shared.watch()
    let arguments = RawArgument.commandLine.dropFirst().map(RawArgument.text)
    if let text = completionScript(arguments) ?? manual(arguments) {
      var output = StandardOutput()
      output.write(Array(text.utf8))
      exit(output.status)
    }
    await CommandLineRun.run(arguments)
  }

  /// The completions that `--generate-completion-script SHELL` requests; `nil` if none are requested, or for an
  /// unknown shell.
  private static func completionScript(_ arguments: [String]) -> String? {
    guard arguments.count == 2, arguments[0] == "--generate-completion-script",
      let tree = ScaleAudioCommand.tree
    else { return nil }
    return CompletionScript(rawValue: arguments[1])?.text(for: tree)
  }

  /// The man page that `--generate-manual` requests; `nil` if it is not requested.
  private static func manual(_ arguments: [String]) -> String? {
    guard arguments == ["--generate-manual"], let tree = ScaleAudioCommand.tree else { return nil }
    return ManualPage(tree: tree, usage: ScaleAudioCommand.usage).text
  }

  /// Opens closed standard streams so that using them fails; otherwise a file opened later would get their
  /// numbers.
  private static func fillStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
