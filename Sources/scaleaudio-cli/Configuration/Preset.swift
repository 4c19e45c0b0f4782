import AudioIO
import SystemPackage

/// A named group of options, applied as if they had been typed.
struct Preset: Hashable, Sendable {
  let name: String
  /// Its purpose, for people.
  let purpose: String
  /// The options, as they would be typed.
  private(set) var options: [String]
  /// The configuration file that defines it; `nil` if it is built in.
  var file: FilePath?
  /// The options in that file.
  private(set) var configured: [ConfiguredOption] = []

  /// The key of a purpose in a configuration file.
  static let purposeKey = "purpose"

  static let builtIn = [
    Preset(
      name: "podcast", purpose: "speech at another speed, same pitch",
      options: ["--method", "stretch", "--guard"]),
    Preset(
      name: "draft",
      purpose: "as podcast, without looking for clipping",
      options: ["--method", "stretch"]),
    Preset(
      name: "practice", purpose: "music slower at the same pitch, or another key",
      options: ["--method", "stretch", "--guard"]),
    Preset(
      name: "tape", purpose: "another speed, pitch included",
      options: ["--method", "sinc", "--quality", "best", "--guard", "--album"]),
    Preset(
      name: "dataset", purpose: "training data: no dither, JSON records",
      options: [
        "--method", "sinc", "--quality", "high", "--dither", "none", "--no-gapless", "--json",
      ]),
  ]

  /// The built-in presets and those of a configuration.
  static func all(with configuration: Configuration?) -> [Preset] {
    builtIn + (configuration?.presets ?? [])
  }

  /// Removes the options that a command does not have, and returns their names.
  mutating func limit(to command: CommandTree.Command) -> [String] {
    var (names, kept) = ([String](), [String]())
    var isKept = true
    for text in options {
      if text.hasPrefix("--") {
        let name = String(text.prefix { $0 != "=" })
        isKept = command.option(name) != nil
        // A default that is off cannot be missed.
        if !isKept, !name.hasPrefix("--no-") { names.append(name) }
      }
      if isKept { kept.append(text) }
    }
    options = kept
    configured.removeAll { command.option("--" + $0.key) == nil }
    return names
  }
}
