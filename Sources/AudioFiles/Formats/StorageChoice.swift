public import AudioIO
public import AudioModel
internal import SndFileFiles

extension AudioFormat {
  /// How this format stores samples of another: as they are; else in the smallest way that holds every
  /// value; else in the way that loses least. `nil` when it stores none (lossy formats).
  public func storage(for samples: SampleFormat) -> SampleFormat? {
    let formats = sampleFormats
    if formats.contains(samples) { return samples }
    // The cases stand from the smallest to the largest.
    if let holding = formats.first(where: { $0.holds(samples) }) { return holding }
    return Self.nearest[samples]?.first { formats.contains($0) } ?? formats.last
  }

  /// What comes closest to a format where nothing holds all of it, the best first. Integers end at full
  /// scale; 24 bits are what a 32-bit float tells apart there.
  private static let nearest: [SampleFormat: [SampleFormat]] = [
    .float64: [.float32, .int32, .int24, .int16], .float32: [.int24, .int32, .int16],
    .int32: [.int24, .float32, .int16], .int24: [.int16], .int16: [.int8],
  ]
}
