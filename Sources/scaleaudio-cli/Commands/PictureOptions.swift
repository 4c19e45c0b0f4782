public import ArgumentParser
import ScaleAudio
public import Waveforms

/// How a picture looks.
struct PictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How the audio is drawn.",
      discussion:
        "bars are decibels, envelope the lowest and highest samples, spectrogram decibels by frequency."
    ))
  var style: WaveformStyle = .bars

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Width of the picture in points, 16 to 20000; of text in a terminal, in columns.",
      discussion: "Default: 1200, or the width of the terminal's window.", valueName: "points"))
  var width: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Height of the picture in points, 16 to 20000; of text in a terminal, in lines.",
      discussion: "Default: what its lanes take.", valueName: "points"))
  var height: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Pixels in a point, 1 to 4: 2 for dense screens. Default: 1.", valueName: "count"))
  var scale: Int?

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
      "Colors such as #0072b2, parted by commas: one for each lane, or those of the gradient from edge to middle, or of a spectrogram from quiet to loud.",
      valueName: "list"),
    transform: ColorsValue.init)
  var colors: ColorsValue?

  @Option(help: "Colors for light or for dark surroundings. Default: light.")
  var theme: ThemeValue?

  @Flag(help: "Draw the audio alone: no title, no axes, no margins.")
  var bare = false

  func validate() throws {
    if let scale, !PictureSettings.scaleRange.contains(scale) {
      throw ValidationError("--scale \(scale) is not within 1 to 4.")
    }
    if !PictureSettings.barRange.contains(barWidth) || barWidth < 1 {
      throw ValidationError("--bar-width \(barWidth) is not within 1 to 1000.")
    }
    if !PictureSettings.barRange.contains(barSpacing) {
      throw ValidationError("--bar-spacing \(barSpacing) is not within 0 to 1000.")
    }
  }

  /// Throws when the size is not one of a picture, or of text in a terminal.
  func checkSize(isText: Bool) throws {
    let size = PictureSettings.sizeRange
    let ranges = isText ? (TextSettings.columnRange, TextSettings.lineRange) : (size, size)
    for (name, length, range) in [("width", width, ranges.0), ("height", height, ranges.1)] {
      if let length, !range.contains(length) {
        throw ValidationError(
          "--\(name) \(length) is not within \(range.lowerBound) to \(range.upperBound).")
      }
    }
  }

  /// What the options ask for.
  var settings: PictureSettings {
    PictureSettings(
      style: style, width: width ?? 1200, height: height, scale: scale ?? 1, barWidth: barWidth,
      barSpacing: barSpacing, hasGradient: gradient, theme: theme?.theme ?? .light,
      colors: colors?.colors ?? [], isBare: bare)
  }
}

extension WaveformStyle: ExpressibleByArgument {}

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
