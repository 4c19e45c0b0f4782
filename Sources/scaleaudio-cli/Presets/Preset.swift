/// A group of options under a name, given as if they had been typed.
struct Preset: Hashable, Sendable {
  let name: String
  /// What it is for.
  let purpose: String
  /// The options, as they would be typed.
  let options: [String]

  static let all = [
    Preset(
      name: "podcast", purpose: "speech faster or slower, voices as they are",
      options: ["--method", "stretch", "--quality", "high", "--guard"]),
    Preset(
      name: "practice", purpose: "music slower, or in another key, for playing along",
      options: ["--method", "stretch", "--quality", "best", "--guard"]),
    Preset(
      name: "tape", purpose: "another speed, pitch and all, as clean as can be",
      options: ["--method", "sinc", "--quality", "best", "--guard"]),
    Preset(
      name: "dataset", purpose: "many files for machines: channels kept, no noise, a record of each",
      options: ["--method", "sinc", "--quality", "high", "--dither", "none", "--json"]),
  ]

  static func named(_ name: String) -> Preset? { all.first { $0.name == name } }
}
