/// A file format for the peaks of audio, which players of web pages draw (peaks.js, wavesurfer.js): that of
/// BBC R&D's audiowaveform, version 2.
///
/// Both formats say the same; see `doc/DataFormat.md` of https://github.com/bbc/audiowaveform.
public enum WaveformDataFormat: String, CaseIterable, Hashable, Sendable {
  /// Text: an object with the peaks as an array of numbers.
  case json
  /// Binary: 24 bytes of header, then the peaks.
  case dat
}

/// How peaks are written as waveform data.
public struct WaveformDataSettings: Hashable, Sendable {
  /// The values that ``pixelsPerSecond`` may have.
  public static let pixelsPerSecondRange = 1...96_000

  /// How many pairs of a lowest and a highest sample a second of audio becomes, within
  /// ``pixelsPerSecondRange``. A pair stands for `sampleRate / pixelsPerSecond` frames, rounded down.
  public var pixelsPerSecond: Int
  /// The bits of each value.
  public var depth: Depth

  /// The bits of a value.
  public enum Depth: Int, CaseIterable, Hashable, Sendable {
    /// From -128 to 127.
    case bits8 = 8
    /// From -32768 to 32767.
    case bits16 = 16
  }

  /// How peaks are written; by default 100 pairs a second of 16 bits.
  public init(pixelsPerSecond: Int = 100, depth: Depth = .bits16) {
    self.pixelsPerSecond = pixelsPerSecond
    self.depth = depth
  }
}

/// Why audio cannot become waveform data.
public enum WaveformDataError: Error, Hashable, Sendable {
  /// At this sample rate, in Hz, fewer than two frames would be left for a pixel.
  case tooManyPixels(pixelsPerSecond: Int, sampleRate: Int)
  /// The format has no room for so many pixels.
  case tooLong(pixelCount: Int)

  /// The cause and the remedy, on one line.
  public var cause: String {
    switch self {
    case .tooManyPixels(let pixels, let rate):
      "\(pixels) pixels per second leave fewer than 2 of \(rate) frames for each; choose fewer "
        + "--pixels-per-second"
    case .tooLong(let count):
      "\(count) pixels are more than the format can count; choose fewer --pixels-per-second"
    }
  }
}
