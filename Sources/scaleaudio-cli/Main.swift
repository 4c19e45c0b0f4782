#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@main
enum Main {
  static func main() async {
    // File name patterns then see characters rather than bytes.
    setlocale(LC_CTYPE, "C.UTF-8")
    Interruption.shared.watch()
    await ScaleAudioCommand.main(RawArgument.commandLine.dropFirst().map(RawArgument.text))
  }
}
