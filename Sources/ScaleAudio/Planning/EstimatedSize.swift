internal import AudioIO
internal import AudioModel

extension ConversionPlan {
  /// About the size of a compressed output, in bytes.
  ///
  /// A lossy encoding has the bit rate that is asked for, that of the source, or its encoder's default. A lossless one
  /// compresses as well as the source, or to six tenths.
  func estimatedBytes(of source: SourceDescription, fileBytes: Int) -> Int {
    let pictures = output.metadata.pictures.reduce(0) { $0 + $1.data.count }
    let seconds = output.spec.seconds(frames: output.frameCount)
    if let stored = samples.stored {
      let bytes = Double(stored.bitDepth / 8 * output.spec.channelCount * output.frameCount)
      return Int(clampedTo: bytes * compression(of: source, fileBytes: fileBytes)) + pictures
    }
    let rate =
      output.options.bitRate ?? output.sourceBitRate
      ?? Self.usualBitRate(of: output.format.codec) * output.spec.channelCount
    return Int(clampedTo: Double(rate) / 8 * seconds) + pictures
  }

  /// Bytes of the source for each byte of its samples, if it is compressed without loss.
  private func compression(of source: SourceDescription, fileBytes: Int) -> Double {
    let usual = 0.6
    guard let depth = source.sampleFormat?.bitDepth, !source.storage.isLossy else { return usual }
    let samples = Double(depth / 8 * source.spec.channelCount) * Double(source.frameCount)
    let pictures = source.metadata.pictures.reduce(0) { $0 + $1.data.count }
    let ratio = samples > 0 ? Double(max(0, fileBytes - pictures)) / samples : 1
    return ratio > 0 && ratio < 0.99 ? ratio : usual
  }

  /// The default bit rate of an encoder for each channel, in bits per second.
  private static func usualBitRate(of codec: AudioFormat.Codec?) -> Int {
    switch codec {
    case .mpegLayer3: 96_000
    case .opus: 64_000
    default: 80_000
    }
  }
}

extension Int {
  /// The nearest integer; the greatest one for a number beyond it.
  fileprivate init(clampedTo number: Double) {
    self = number < 1e18 ? Int(Swift.max(0, number.rounded())) : Int(1e18)
  }
}
