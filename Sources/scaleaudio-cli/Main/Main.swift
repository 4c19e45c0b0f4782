#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@main
enum Main {
  static func main() async {
    fillStandardDescriptors()
    // File name patterns then match characters rather than bytes.
    setlocale(LC_CTYPE, "C.UTF-8")
    Interruption.shared.watch()
    let arguments = RawArgument.commandLine.dropFirst().map(RawArgument.text)
    await ScaleAudioCommand.main(
      PresetExpansion.expanded(arguments, commands: ScaleAudioCommand.commandNames))
  }

  /// Opens closed standard streams so that using them fails; otherwise a file opened later would get their
  /// numbers.
  private static func fillStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
