public import ArgumentParser
import ScaleAudio
public import Waveforms

/// The look of a picture.
struct PictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Style of the picture: see STYLES.",
      discussion:
        "envelope shows the lowest and highest samples, bars decibels, spectrogram decibels by frequency."
    ))
  var style: WaveformStyle = .envelope

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Width in points, 16 to 20000; in columns for text in a terminal.",
      discussion: "Default: 1200, or the width of the terminal.", valueName: "points"))
  var width: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Height in points, 16 to 20000; in lines for text in a terminal.",
      discussion: "Default: the height of the lanes.", valueName: "points"))
  var height: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Pixels per point, 1 to 4; 2 for high-density screens. Default: 1.", valueName: "count"))
  var scale: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Width of a bar in points.", valueName: "points"))
  var barWidth = 3

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Gap between bars in points.", valueName: "points"))
  var barSpacing = 2

  @Flag(help: "Color lanes with a gradient from middle to edges.")
  var gradient = false

  @Option(
    help: ArgumentHelp(
      "Colors such as #0072b2, separated by commas: one per lane, or a gradient from edge to middle, or a spectrogram from quiet to loud.",
      valueName: "list"),
    transform: ColorsValue.init)
  var colors: ColorsValue?

  @Flag(
    help: ArgumentHelp(
      "Let the loudest audio reach the edges of the lanes.",
      discussion: "Default: full scale does, so that quieter files look quieter."))
  var fit = false

  @Option(help: "Colors for light or dark surroundings. Default: light.")
  var theme: ThemeValue?

  @Flag(help: "Draw only the audio: no title, axes or margins.")
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

  /// Throws if the size is out of range for a picture, or for text in a terminal.
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

  /// The settings of the options.
  var settings: PictureSettings {
    PictureSettings(
      style: style, width: width ?? 1200, height: height, scale: scale ?? 1, barWidth: barWidth,
      barSpacing: barSpacing, hasGradient: gradient, theme: theme?.theme ?? .light,
      colors: colors?.colors ?? [], fitsLoudest: fit, isBare: bare)
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
