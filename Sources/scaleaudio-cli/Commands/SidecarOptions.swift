import ArgumentParser

/// What becomes of the text files beside an input, and what else goes beside an output.
struct SidecarOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Also convert the text files named like each input: .lrc, .cue, .srt, .vtt, Audacity .txt.",
      discussion: "Their times are scaled, and they go beside the output, under its name."))
  var sidecars = false

  @Flag(
    help: ArgumentHelp(
      "Also draw each input above its output: in-x1.5.png beside in-x1.5.flac.",
      discussion: "scaleaudio help plot tells of other pictures."))
  var plot = false
}
