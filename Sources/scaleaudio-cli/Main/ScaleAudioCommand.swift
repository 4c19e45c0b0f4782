import ArgumentParser
import ScaleAudio

/// The program and its subcommands.
struct ScaleAudioCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scaleaudio",
    abstract: "Change the length of audio files, one or thousands, exact to the sample.",
    usage: ConvertCommand.usage + "\nscaleaudio <subcommand> ...",
    discussion: """
        --tempo 0.7    slower, same pitch
        --speed 1.02   speed and pitch together, as with tape
        -f 1.5         1.5 times as long, by exactly defined arithmetic

      `scaleaudio --tempo 0.7 in.flac` writes in-tempo0.7.flac beside in.flac. \
      `scaleaudio presets` lists groups of options for podcasts, practice, tapes and data sets.

      The options are those of `convert`, the default subcommand; `scaleaudio help convert` adds methods and examples, `-h` \
      shows the commonest.
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

  /// The usage of a command, as its help has it.
  static func usage(of command: String) -> String {
    let type = configuration.subcommands.first { $0.configuration.commandName == command }
    return type.map { usageString(for: $0) } ?? ""
  }

  /// The commands and their options.
  static var tree: CommandTree? { CommandTree(description: _dumpHelp()) }
}
