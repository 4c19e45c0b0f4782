/// The help of `-h`: the most common options, on one screen.
enum ShortHelp {
  static let text = """
    Change the length of audio files, with or without their pitch.

    scaleaudio (--tempo <tempo> | --speed <speed> | -f <factor> | --duration <time>)
               [<options>] <path> ...

      --tempo <tempo>        Same pitch: 0.7 is slower, 1.25 or 125% faster.
      --speed <speed>        Speed and pitch together, as with tape: 1.02.
      -f, --factor <factor>  Output length / input length, by exact arithmetic; the
                             pitch changes too: 1.5, 3/2 or 150%.
      --duration <time>      Length of the output: 90, 500ms, 1:30 or 90000f.
      --pitch <semitones>    Move the pitch; without a length, the length stays.
      --method <method>      stretch keeps the pitch; sinc, smoothstep and linear
                             move it with the speed.
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

/// The help of the program itself: what it is for, the options of `convert` by group, and the other commands.
enum ProgramHelp {
  static var text: String {
    let program = ScaleAudioCommand.helpMessage()
    let convert = ConvertCommand.helpMessage()
    // Groups follow the usage, and the last ones are the options that every command has.
    guard let usage = convert.firstRange(of: "\nUSAGE: "),
      let groups = convert[usage.upperBound...].firstRange(of: "\n\n"),
      let end = convert.firstRange(of: "\nOPTIONS:\n"), groups.upperBound < end.lowerBound,
      let options = program.firstRange(of: "\nOPTIONS:\n")
    else { return program + "\n" }
    return program[..<options.lowerBound] + "\n" + convert[groups.upperBound..<end.lowerBound]
      + program[options.lowerBound...] + "\n"
  }
}
