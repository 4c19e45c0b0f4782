/// A file format for the peaks of audio: version 2 of that of BBC R&D's audiowaveform, which players in web pages
/// draw (peaks.js, wavesurfer.js).
///
/// Both formats have the same content; see `doc/DataFormat.md` of https://github.com/bbc/audiowaveform.
public enum WaveformDataFormat: String, CaseIterable, Hashable, Sendable {
  /// Text: a JSON object with the peaks as an array of numbers.
  case json
  /// Binary: a header of 24 bytes, then the peaks.
  case dat
}

/// The resolution of waveform data.
public struct WaveformDataSettings: Hashable, Sendable {
  /// The valid values of ``pixelsPerSecond``.
  public static let pixelsPerSecondRange = 1...96_000

  /// The number of pixels per second, within ``pixelsPerSecondRange``. A pixel is the lowest and the highest
  /// sample of `sampleRate / pixelsPerSecond` frames, rounded down.
  public var pixelsPerSecond: Int
  /// The bit depth of each value.
  public var depth: Depth

  /// The bit depth of a value.
  public enum Depth: Int, CaseIterable, Hashable, Sendable {
    /// From -128 to 127.
    case bits8 = 8
    /// From -32768 to 32767.
    case bits16 = 16
  }

  /// A resolution; by default 100 pixels per second with 16 bits.
  public init(pixelsPerSecond: Int = 100, depth: Depth = .bits16) {
    self.pixelsPerSecond = pixelsPerSecond
    self.depth = depth
  }
}

/// The reason why audio cannot be encoded as waveform data.
public enum WaveformDataError: Error, Hashable, Sendable {
  /// A pixel would have fewer than two frames at this sample rate in Hz.
  case tooManyPixels(pixelsPerSecond: Int, sampleRate: Int)
  /// The format cannot count the pixels.
  case tooLong(pixelCount: Int)

  /// The cause, in one line.
  public var cause: String {
    switch self {
    case .tooManyPixels(let pixels, let rate):
      "\(pixels) pixels per second leave fewer than 2 of \(rate) frames for each"
    case .tooLong(let count):
      "\(count) pixels are more than the format can count"
    }
  }
}
