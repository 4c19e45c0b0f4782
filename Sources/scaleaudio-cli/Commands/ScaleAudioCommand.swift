import ArgumentParser
import ScaleAudio

/// The program: what it is, and its subcommands.
struct ScaleAudioCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scaleaudio",
    abstract: "Change the length of audio files, one or thousands, exact to the sample.",
    usage: ConvertCommand.usage + "\nscaleaudio <subcommand> ...",
    discussion: """
      `scaleaudio -f 1.5 in.flac` makes in-x1.5.flac, one and a half times as long, beside in.flac. \
      Speed and pitch change together, as with tape; with `--method stretch` either changes alone. \
      `scaleaudio presets` lists groups of options for podcasts, practice, tapes and data sets.

      `convert` is understood without being named: `scaleaudio help convert` tells all its options, \
      with examples.
      """,
    version: scaleAudioVersion,
    subcommands: [
      ConvertCommand.self, InfoCommand.self, PlotCommand.self, FormatsCommand.self,
      PresetsCommand.self,
    ],
    defaultSubcommand: ConvertCommand.self)

  /// What a first argument may be that names a command.
  static var commandNames: [String] {
    configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
  }
}
