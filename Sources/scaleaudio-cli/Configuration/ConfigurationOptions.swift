import ArgumentParser

/// The option that ignores the configuration file.
struct ConfigurationOptions: ParsableArguments {
  static let name = "--no-config"

  @Flag(
    name: .customLong("no-config"),
    help: ArgumentHelp(
      "Ignore the configuration file with your defaults and presets.",
      discussion: """
        It is scaleaudio/config.toml in $XDG_CONFIG_HOME, by default ~/.config, or the file that \
        $SCALEAUDIO_CONFIG names.
        """))
  var ignoresConfiguration = false
}
