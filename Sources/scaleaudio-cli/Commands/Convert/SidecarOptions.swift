import ArgumentParser

/// Files beside the audio.
struct SidecarOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Also scale text files named like each input: .lrc, .cue, .srt, .vtt, Audacity .txt.",
      discussion: "The copies go beside the output, under its name."))
  var sidecars = false

  @Flag(
    help: ArgumentHelp(
      "Also draw each input above its output, as in-x1.5.png beside in-x1.5.flac.",
      discussion: "For other pictures, see scaleaudio help plot."))
  var plot = false
}
