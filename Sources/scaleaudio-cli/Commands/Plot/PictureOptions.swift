public import ArgumentParser
import ScaleAudio
public import Waveforms

/// The appearance of a picture.
struct PictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Style of the picture: see STYLES.",
      discussion:
        "envelope shows the lowest and highest samples, bars decibels, spectrogram decibels by frequency, both an envelope above a spectrogram, loudness LUFS over time."
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

  @Option(
    help: ArgumentHelp(
      "Colors such as #0072b2, separated by commas: one per lane, or a spectrogram from quiet to loud.",
      valueName: "list"),
    transform: ColorsValue.init)
  var colors: ColorsValue?

  @Flag(
    help: ArgumentHelp(
      "Scale the loudest audio to the full height of the lanes.",
      discussion: "Default: full scale has the full height, so quieter files look quieter."))
  var fit = false

  @Option(
    help: ArgumentHelp(
      "Frequencies of spectrograms: linear, log or mel.",
      discussion: "Default: log for music of 30 s or more, otherwise linear.",
      valueName: "scale"))
  var frequency: FrequencyScale?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Samples in a window of a spectrogram, a power of two from 64 to 65536.",
      discussion: "Default: about 46 ms, with log 93 ms.", valueName: "count"))
  var fft: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Highest frequency of spectrograms, in Hz: 8000 or 8k.",
      discussion: "Default: half the sample rate, or with linear as far as there is sound.",
      valueName: "Hz"),
    transform: FrequencyValue.hertz)
  var maxFrequency: Double?

  @Option(help: "Color theme: light or dark. Default: light.")
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
    let windows = SpectrogramSettings.windowRange
    if let fft, !windows.contains(fft) || fft.nonzeroBitCount != 1 {
      throw ValidationError(
        "--fft \(fft) is not a power of two within \(windows.lowerBound) to \(windows.upperBound).")
    }
    if !style.hasSpectrogram, let option = givenForSpectrograms {
      throw ValidationError("\(option) needs a spectrogram: --style spectrogram or both.")
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

  /// One of the given options about spectrograms; `nil` if none is given.
  private var givenForSpectrograms: String? {
    if frequency != nil { return "--frequency" }
    if fft != nil { return "--fft" }
    return maxFrequency != nil ? "--max-frequency" : nil
  }

  /// The settings that the options select.
  var settings: PictureSettings {
    PictureSettings(
      style: style, width: width ?? 1200, height: height, scale: scale ?? 1, barWidth: barWidth,
      barSpacing: barSpacing, theme: theme?.theme ?? .light,
      colors: colors?.colors ?? [],
      spectrogram: SpectrogramSettings(
        scale: frequency, windowLength: fft, highestFrequency: maxFrequency),
      fitsLoudest: fit, isBare: bare)
  }
}

extension WaveformStyle: ExpressibleByArgument {
  fileprivate var hasSpectrogram: Bool { self == .spectrogram || self == .both }
}

extension FrequencyScale: ExpressibleByArgument {}

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
