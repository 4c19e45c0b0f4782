import ArgumentParser

/// The surroundings of a command besides its options.
struct CommandContext {
  /// The arguments of the command line, with the options of presets and defaults.
  let arguments: [String]
  /// The user's defaults and presets; `nil` if there are none, or they are ignored.
  let configuration: Configuration?
}

/// A command that depends on more than its options.
protocol ContextualCommand: ParsableCommand {
  /// Runs the command instead of `run()`.
  func run(in context: CommandContext) throws
}
