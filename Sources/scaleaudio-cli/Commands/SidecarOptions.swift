import ArgumentParser

/// What becomes of the text files beside an input.
struct SidecarOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Also convert the text files named like each input: .lrc, .cue, .srt, .vtt, Audacity .txt.",
      discussion: "Their times are scaled, and they go beside the output, under its name."))
  var sidecars = false
}
