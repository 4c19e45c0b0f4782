import ArgumentParser

/// How pictures are drawn in the terminal.
struct TerminalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Draw in the terminal: auto, blocks, braille, sixel or kitty.",
      discussion:
        "Default without an output path or format: auto, the best that the terminal supports."))
  var terminal: TerminalMode?
}

/// The value of `--terminal`.
enum TerminalMode: String, CaseIterable, ExpressibleByArgument {
  case auto, blocks, braille, sixel, kitty
}
