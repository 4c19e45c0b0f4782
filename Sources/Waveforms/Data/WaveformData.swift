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
  /// The frames of a pixel, at least 2, in place of ``pixelsPerSecond``; `nil` to compute them from it.
  public var framesPerPixel: Int?
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

/// Encodes audio as waveform data, block by block, in memory that does not grow with its length.
///
/// ```swift
/// var encoder = try WaveformDataEncoder(format: .json, sampleRate: 44_100, channelCount: 1, frameCount: n)
/// file.append(encoder.header())
/// while let block = nextBlock() {
///   encoder.append(block.span, channel: 0)
///   file.append(encoder.encodedPixels())
/// }
/// file.append(encoder.finish())
/// ```
///
/// Pixel `i` is the lowest and the highest sample of `framesPerPixel` frames from `i * framesPerPixel`. The last
/// may have fewer frames. 8-bit values are 16-bit values divided by 256, toward zero, as in audiowaveform.
public struct WaveformDataEncoder: Hashable, Sendable {
  /// The number of frames per pixel, at least 2.
  public let framesPerPixel: Int
  /// The number of pixels.
  public let pixelCount: Int
  private let format: WaveformDataFormat
  private let depth: WaveformDataSettings.Depth
  private let sampleRate: Int
  private var channels: [PixelReducer]
  private var hasPixels = false

  /// An encoder for `frameCount` frames of `channelCount` channels.
  ///
  /// Throws if a pixel would have fewer than 2 frames, or the format cannot count the pixels.
  public init(
    format: WaveformDataFormat, settings: WaveformDataSettings = WaveformDataSettings(),
    sampleRate: Int, channelCount: Int, frameCount: Int
  ) throws(WaveformDataError) {
    let framesPerPixel =
      settings.framesPerPixel ?? sampleRate / max(1, settings.pixelsPerSecond)
    guard framesPerPixel >= 2 else {
      throw .tooManyPixels(
        pixelsPerSecond: settings.pixelsPerSecond, sampleRate: sampleRate)
    }
    let (whole, rest) = max(0, frameCount).quotientAndRemainder(dividingBy: framesPerPixel)
    pixelCount = whole + (rest > 0 ? 1 : 0)
    // The count has 32 bits, and readers store sizes in signed integers.
    guard pixelCount <= Int32.max, sampleRate <= Int32.max else {
      throw .tooLong(pixelCount: pixelCount)
    }
    self.format = format
    self.sampleRate = sampleRate
    self.framesPerPixel = framesPerPixel
    depth = settings.depth
    channels = Array(
      repeating: PixelReducer(framesPerPixel: framesPerPixel), count: max(1, channelCount))
  }

  /// The bytes before the pixels.
  public func header() -> [UInt8] {
    switch format {
    case .dat:
      let fields = [
        2, depth == .bits8 ? 1 : 0, sampleRate, framesPerPixel, pixelCount, channels.count,
      ]
      return fields.flatMap { field in
        (0..<4).map { UInt8(truncatingIfNeeded: field >> (8 * $0)) }
      }
    case .json:
      let fields = [
        ("version", 2), ("channels", channels.count), ("sample_rate", sampleRate),
        ("samples_per_pixel", framesPerPixel), ("bits", depth.rawValue), ("length", pixelCount),
      ]
      let text = fields.map { "\"\($0.0)\":\($0.1)," }.joined()
      return Array("{\(text)\"data\":[".utf8)
    }
  }

  /// Appends the next samples of a channel, which is counted from 0.
  public mutating func append(_ samples: Span<Int16>, channel: Int) {
    channels[channel].append(samples)
  }

  /// The pixels that were completed, in all channels, since the last call.
  public mutating func encodedPixels() -> [UInt8] {
    let count = channels.map(\.pixels.count).min() ?? 0
    var bytes: [UInt8] = []
    for pixel in 0..<count {
      for channel in channels {
        append(channel.pixels[pixel].lowest, to: &bytes)
        append(channel.pixels[pixel].highest, to: &bytes)
      }
    }
    for channel in channels.indices { channels[channel].pixels.removeFirst(count) }
    return bytes
  }

  /// The last pixel, if it has any frames, and the bytes after the pixels.
  public mutating func finish() -> [UInt8] {
    for channel in channels.indices { channels[channel].closePixel() }
    return encodedPixels() + (format == .json ? Array("]}\n".utf8) : [])
  }

  private mutating func append(_ sample: Int16, to bytes: inout [UInt8]) {
    let value = depth == .bits8 ? sample / 256 : sample
    switch format {
    case .dat:
      bytes.append(UInt8(truncatingIfNeeded: value))
      if depth == .bits16 { bytes.append(UInt8(truncatingIfNeeded: value >> 8)) }
    case .json:
      if hasPixels { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: String(value).utf8)
    }
    hasPixels = true
  }
}

/// Computes the lowest and the highest sample of segments of a fixed length.
private struct PixelReducer: Hashable {
  struct Pixel: Hashable {
    var lowest = Int16.max
    var highest = Int16.min
  }

  /// The complete pixels.
  var pixels: [Pixel] = []
  private let framesPerPixel: Int
  private var current = Pixel()
  private var filled = 0

  init(framesPerPixel: Int) { self.framesPerPixel = framesPerPixel }

  mutating func append(_ samples: Span<Int16>) {
    var next = 0
    while next < samples.count {
      let end = next + min(samples.count - next, framesPerPixel - filled)
      var pixel = current
      samples.extracting(next..<end).withUnsafeBufferPointer { part in
        for sample in part {
          pixel.lowest = min(pixel.lowest, sample)
          pixel.highest = max(pixel.highest, sample)
        }
      }
      current = pixel
      filled += end - next
      next = end
      if filled == framesPerPixel { closePixel() }
    }
  }

  /// Ends the current pixel, unless it is empty.
  mutating func closePixel() {
    guard filled > 0 else { return }
    pixels.append(current)
    (current, filled) = (Pixel(), 0)
  }
}
