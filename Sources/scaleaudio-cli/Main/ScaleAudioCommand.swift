import ArgumentParser
import ScaleAudio

/// The program and its subcommands.
struct ScaleAudioCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scaleaudio",
    abstract: "Change the length of audio files, one or thousands, exact to the sample.",
    usage: ConvertCommand.usage + "\nscaleaudio <subcommand> ...",
    discussion: """
      `scaleaudio -f 1.5 in.flac` writes in-x1.5.flac, 1.5 times as long, beside in.flac. Speed and \
      pitch change together, as with tape; `--method stretch` changes one without the other. \
      `scaleaudio presets` lists groups of options for podcasts, practice, tapes and data sets.

      `convert` is the default subcommand: `scaleaudio help convert` lists its options, with examples.
      """,
    version: scaleAudioVersion,
    subcommands: [
      ConvertCommand.self, InfoCommand.self, PlotCommand.self, PlayCommand.self,
      ServeCommand.self, VerifyCommand.self, PlanCommand.self, MergeCommand.self,
      FormatsCommand.self, PresetsCommand.self,
    ],
    defaultSubcommand: ConvertCommand.self)

  /// The first arguments that name a command.
  static var commandNames: [String] {
    configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
  }

  /// The commands and their options.
  static var tree: CommandTree? { CommandTree(description: _dumpHelp()) }
}
