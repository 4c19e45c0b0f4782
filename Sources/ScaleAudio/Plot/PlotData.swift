internal import Waveforms

/// Encodes the peaks of a source as waveform data while reading it.
struct PlotData {
  let source: PlotSource
  let format: WaveformDataFormat
  let settings: WaveformDataSettings

  /// Passes the bytes of the file to `write`, piece by piece.
  func encode(
    _ cancellation: Cancellation, onProgress: (ConversionProgress) -> Void,
    to write: ([UInt8]) throws(PlotError) -> Void
  ) throws(PlotError) {
    var encoder = try encoder()
    try write(encoder.header())
    try source.forEachBlock(cancellation: cancellation) {
      encoder.append($1, channel: $0)
    } afterBlock: { (progress) throws(PlotError) in
      onProgress(progress)
      try write(encoder.encodedPixels())
    }
    try write(encoder.finish())
  }

  /// Throws if the source cannot be encoded in this format.
  func check() throws(PlotError) { _ = try encoder() }

  private func encoder() throws(PlotError) -> WaveformDataEncoder {
    let outline = source.outline
    do throws(WaveformDataError) {
      return try WaveformDataEncoder(
        format: format, settings: settings, sampleRate: outline.sampleRate,
        channelCount: outline.laneNames.count, frameCount: outline.frames.count)
    } catch {
      throw .cannotEncode(source.path, error)
    }
  }
}
