internal import AudioIO
internal import AudioModel
internal import ScaleAudio
internal import Waveforms

/// Parts of a file read by themselves: an estimate of its whole waveform, its samples, and spectra.
struct Excerpts {
  /// The pixels of an overview.
  static let overviewPixels = 1000
  /// Frames read for a pixel of it.
  private static let overviewFrames = 2048

  private let reader: any FrameStream
  let source: SourceDescription

  init(_ file: FileLibrary.File) throws(AudioFileError) {
    reader = try file.reader()
    source = reader.source
  }

  private var channels: Int { source.spec.channelCount }

  /// The records of ``PixelLevels`` of a thousand equal parts, each estimated from its first frames; `nil` where
  /// that would need all frames.
  func overview() throws(AudioFileError) -> [UInt8]? {
    guard case .direct = reader.seeking else { return nil }
    let frames = source.frameCount
    let pixels = min(Self.overviewPixels, frames)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pixels * channels * PixelLevels.byteCount)
    for pixel in 0..<pixels {
      let start = part(pixel, of: pixels)
      let count = min(Self.overviewFrames, part(pixel + 1, of: pixels) - start)
      let samples: [Int16] = try read(start..<start + count)
      var levels = Array(repeating: PixelLevels(), count: channels)
      samples.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        for channel in 0..<channels {
          levels[channel].add(base + channel, count: buffer.count / channels, stride: channels)
        }
      }
      for level in levels { level.append(to: &bytes) }
    }
    return bytes
  }

  /// The first frame of one of `count` equal parts.
  private func part(_ index: Int, of count: Int) -> Int {
    let (whole, rest) = source.frameCount.quotientAndRemainder(dividingBy: max(1, count))
    return whole * index + rest * index / max(1, count)
  }

  /// Interleaved samples, full scale being 1, as 32-bit floating point, little-endian.
  func samples(_ frames: Range<Int>) throws(AudioFileError) -> [UInt8] {
    let samples: [Float] = try read(frames)
    return samples.span.storedBytes
  }

  /// The levels of a part over time and frequency, the mean power of all channels: column by column from low to high,
  /// from 0 at -100 dB to 255 at 0 dB.
  ///
  /// A column of many frames is estimated from one window in its middle where the file can seek.
  func spectrum(
    _ frames: Range<Int>, columns: Int, rows: Int, cancellation: Cancellation
  ) throws(AudioFileError) -> [UInt8] {
    let window = 4096
    let columns = min(columns, frames.count)
    var picker = ChannelPicker(.split, channelCount: channels)
    var isSeekable = false
    if case .direct = reader.seeking { isSeekable = true }
    if !isSeekable || frames.count / 4 < columns * window {
      var reducers = reducers(frames.count, columns: columns, rows: rows)
      try reader.seek(toFrame: frames.lowerBound)
      var left = frames.count
      while left > 0, !cancellation.isCancelled {
        let block: [Int16] = try next(min(left, 1 << 16))
        let count = block.count / channels
        if count == 0 { break }
        left -= count
        picker.pick(block.span) { channel, samples in reducers[channel].append(samples) }
      }
      return levelBytes(reducers)
    }
    var bytes: [UInt8] = []
    for column in 0..<columns where !cancellation.isCancelled {
      let (whole, rest) = frames.count.quotientAndRemainder(dividingBy: columns)
      let middle = frames.lowerBound + whole * column + rest * column / columns + whole / 2
      let start = max(0, min(middle - window / 2, source.frameCount - window))
      let block: [Int16] = try read(start..<min(start + window, source.frameCount))
      let count = block.count / channels
      var reducers = reducers(count, columns: 1, rows: rows)
      picker.pick(block.span) { channel, samples in reducers[channel].append(samples) }
      bytes += levelBytes(reducers)
    }
    return bytes
  }

  /// The frequencies at the bottom and at the top of a spectrum in Hz; between them, each row is the same interval.
  var frequencies: ClosedRange<Double> {
    let highest = Double(source.spec.sampleRate) / 2
    return FrequencyScale.log.frequency(at: 0, highest: highest)...highest
  }

  /// A reducer for each channel.
  private func reducers(_ frames: Int, columns: Int, rows: Int) -> [SpectrogramReducer] {
    let reducer = SpectrogramReducer(
      frameCount: frames, columnCount: columns, rowCount: rows,
      sampleRate: source.spec.sampleRate, scale: .log)
    return Array(repeating: reducer, count: channels)
  }

  private func levelBytes(_ reducers: [SpectrogramReducer]) -> [UInt8] {
    guard case .spectrum(let merged) = LaneContent.merged(reducers.map(\.content)) else {
      return []
    }
    return merged.levelBytes
  }

  private func read<Sample: PCMSample>(_ frames: Range<Int>) throws(AudioFileError) -> [Sample] {
    try reader.seek(toFrame: frames.lowerBound)
    return try next(frames.count)
  }

  /// The next frames; fewer at the end.
  private func next<Sample: PCMSample>(_ count: Int) throws(AudioFileError) -> [Sample] {
    var samples: [Sample] = .silence(count * channels)
    var done = 0
    while done < count {
      var span = samples.mutableSpan
      var part = span._mutatingExtracting(done * channels..<count * channels)
      let made = try reader.read(into: &part)
      if made == 0 { break }
      done += made
    }
    samples.removeSubrange((done * channels)...)
    return samples
  }
}

extension Spectrogram {
  /// The levels as bytes, in the order of ``values``: from 0 at the noise floor to 255 at 0 dB.
  fileprivate var levelBytes: [UInt8] {
    let floor = Float(noiseFloor)
    return values.map { UInt8(max(0, min(255, ((1 - $0 / floor) * 255).rounded()))) }
  }
}
