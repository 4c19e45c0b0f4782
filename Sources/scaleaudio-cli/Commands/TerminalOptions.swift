import ArgumentParser

/// How pictures are shown in the terminal.
struct TerminalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Draw in the terminal: auto, blocks, braille, sixel or kitty.",
      discussion:
        "Default where nothing says where pictures go: auto, what the terminal is known to show."))
  var terminal: TerminalMode?
}

/// The value of `--terminal`.
enum TerminalMode: String, CaseIterable, ExpressibleByArgument {
  case auto, blocks, braille, sixel, kitty
}
