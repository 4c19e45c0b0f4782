public import AudioModel

/// What one call of ``TimeScaler/process(_:into:)`` moved, in frames.
public struct ScalingProgress: Hashable, Sendable {
  /// Input frames that need not be given again.
  public var consumed: Int
  /// Output frames written, from the start of the buffer.
  public var produced: Int

  /// So many frames taken and made.
  public init(consumed: Int, produced: Int) {
    self.consumed = consumed
    self.produced = produced
  }
}

/// Changes the length of interleaved PCM, block by block.
///
/// The lengths of input and output are settled when a scaler is made, so what it makes never depends
/// on how the input is cut into blocks. Buffers belong to the caller; processing does not allocate.
public protocol TimeScaler<Sample> {
  /// The type of a sample.
  associatedtype Sample: PCMSample
  /// Samples in a frame.
  var channelCount: Int { get }

  /// Whether the whole input must be shown to ``study(_:)`` before any of it is processed.
  var needsStudy: Bool { get }

  /// Looks at the next frames of the input, interleaved and whole, before it is processed.
  mutating func study(_ input: Span<Sample>) throws(ScalingError)

  /// Takes frames from `input` and writes frames to `output`, both interleaved and whole.
  ///
  /// Frames not reported as consumed must be given again at the start of the next call. At least one
  /// frame is consumed or produced unless one of the buffers is empty or all output has been made.
  ///
  /// - Throws: ``ScalingError/failed(_:)`` where a library at work fails.
  mutating func process(
    _ input: Span<Sample>, into output: inout MutableSpan<Sample>
  ) throws(ScalingError) -> ScalingProgress

  /// Writes frames that are left after the whole input has been consumed.
  ///
  /// Call until it returns 0.
  ///
  /// - Throws: ``ScalingError/failed(_:)`` where a library at work fails.
  mutating func finish(into output: inout MutableSpan<Sample>) throws(ScalingError) -> Int

  /// Returns to the state of a fresh scaler, which has studied nothing.
  mutating func reset()
}

extension TimeScaler {
  public var needsStudy: Bool { false }

  public mutating func study(_ input: Span<Sample>) {}
}
