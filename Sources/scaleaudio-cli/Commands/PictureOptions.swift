public import ArgumentParser
import ScaleAudio
public import Waveforms

/// How a picture looks.
struct PictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How the audio is drawn.",
      discussion: "bars are decibels, envelope the lowest and highest samples."))
  var style: WaveformStyle = .bars

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Width of the picture in points, 16 to 20000.", valueName: "points"))
  var width = 1200

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Height of the picture in points, 16 to 20000. Default: what its lanes take.",
      valueName: "points"))
  var height: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Pixels in a point, 1 to 4: 2 for dense screens.", valueName: "count"))
  var scale = 1

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Width of a bar in points.", valueName: "points"))
  var barWidth = 3

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Gap between bars in points.", valueName: "points"))
  var barSpacing = 2

  @Flag(help: "Let the color change from the middle of a lane to its edges.")
  var gradient = false

  @Option(
    help: ArgumentHelp(
      "Colors such as #0072b2, parted by commas: one for each lane, or those of the gradient from edge to middle.",
      valueName: "list"),
    transform: ColorsValue.init)
  var colors: ColorsValue?

  @Option(help: "Colors for light or for dark surroundings.")
  var theme: ThemeValue = .light

  @Flag(help: "Draw the audio alone: no title, no axes, no margins.")
  var bare = false

  func validate() throws {
    let range = PictureSettings.sizeRange
    for (name, length) in [("width", width), ("height", height ?? range.lowerBound)]
    where !range.contains(length) {
      throw ValidationError(
        "--\(name) \(length) is not within \(range.lowerBound) to \(range.upperBound).")
    }
    if !PictureSettings.scaleRange.contains(scale) {
      throw ValidationError("--scale \(scale) is not within 1 to 4.")
    }
    if !PictureSettings.barRange.contains(barWidth) || barWidth < 1 {
      throw ValidationError("--bar-width \(barWidth) is not within 1 to 1000.")
    }
    if !PictureSettings.barRange.contains(barSpacing) {
      throw ValidationError("--bar-spacing \(barSpacing) is not within 0 to 1000.")
    }
  }

  /// What the options ask for.
  var settings: PictureSettings {
    PictureSettings(
      style: style, width: width, height: height, scale: scale, barWidth: barWidth,
      barSpacing: barSpacing, hasGradient: gradient, theme: theme.theme,
      colors: colors?.colors ?? [], isBare: bare)
  }
}

extension WaveformStyle: ExpressibleByArgument {}
extension PictureFormat: ExpressibleByArgument {}

/// The value of `--theme`.
enum ThemeValue: String, CaseIterable, ExpressibleByArgument {
  case light, dark

  var theme: PictureTheme {
    switch self {
    case .light: .light
    case .dark: .dark
    }
  }
}

/// The value of `--colors`: `#0072b2,#c45500`.
struct ColorsValue {
  let colors: [RGBColor]

  init(_ text: String) throws {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    colors = try parts.map { part in
      guard let color = RGBColor(String(part)) else {
        throw ValidationError("a color is six hexadecimal digits, such as #0072b2, or three")
      }
      return color
    }
  }
}
