/// The help of `-h`: the most common options, on one screen.
enum ShortHelp {
  static let text = """
    Change the length of audio files, with or without their pitch.

    scaleaudio (-f <factor> | --speed <speed> | --duration <time>)
               [<options>] <path> ...

      -f, --factor <factor>  Output length / input length: 1.5, 3/2 or 150%.
      --speed <speed>        1 / factor: 1.25 is a quarter faster.
      --duration <time>      Length of the output: 90, 500ms, 1:30 or 90000f.
      --pitch <semitones>    Move the pitch; without a length, the length stays.
      --method <method>      smoothstep (default), linear or sinc: the pitch moves
                             with the speed; stretch: it stays.
      --preset <name>        podcast, draft, practice, tape or dataset.
      --format <ext>         Format of the output. Default: that of the input.
      --bits <depth>         8, 16, 24, 32, f32 or f64. Default: that of the input.
      --mono                 Mix all channels into one.
      --guard                Prevent clipping.
      -o, --output <path>    Output file or folder. Default: beside the input.
      --overwrite, --skip-existing, --resume
                             What happens to outputs that exist.
      -n, --dry-run          Print what would be done.
      -q, --quiet; -v, --verbose; --no-config; --json; --manifest <file>

    scaleaudio convert --help lists all options. Other commands: info, plot, play,
    serve, verify, plan, merge, formats, presets.

    """

  /// True if these arguments, which request help, request the short help.
  static func isAsked(_ arguments: [String], _ commands: [String], default name: String) -> Bool {
    let options = arguments.prefix { $0 != "--" }
    let command = arguments.first.flatMap { commands.contains($0) ? $0 : nil } ?? name
    return command == name && options.contains("-h") && !options.contains("--help")
  }
}
