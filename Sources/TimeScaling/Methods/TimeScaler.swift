public import AudioModel

/// The progress of one call of ``TimeScaler/process(_:into:)``, in frames.
public struct ScalingProgress: Hashable, Sendable {
  /// The number of input frames consumed.
  public var consumed: Int
  /// The number of output frames written to the start of the buffer.
  public var produced: Int

  /// Progress of these numbers of frames.
  public init(consumed: Int, produced: Int) {
    self.consumed = consumed
    self.produced = produced
  }
}

/// Changes the length of interleaved PCM, block by block.
///
/// The lengths of input and output are fixed when a scaler is created, and the output never depends on the
/// block sizes. Buffers belong to the caller; processing does not allocate.
public protocol TimeScaler<Sample> {
  /// The sample type of input and output.
  associatedtype Sample: PCMSample
  /// The number of channels, at least 1.
  var channelCount: Int { get }

  /// True if the whole input must go through ``study(_:)`` before the first call of
  /// ``process(_:into:)``.
  var needsStudy: Bool { get }

  /// Analyzes the next frames of the input, interleaved and whole.
  mutating func study(_ input: Span<Sample>) throws(ScalingError)

  /// Consumes frames of `input` and writes frames to `output`, both interleaved and whole.
  ///
  /// Input frames that were not consumed must be passed again at the start of the next call. At least one
  /// frame is consumed or produced unless a buffer is empty or the output is complete.
  ///
  /// - Throws: ``ScalingError/failed(_:)`` if the library behind the method fails.
  mutating func process(
    _ input: Span<Sample>, into output: inout MutableSpan<Sample>
  ) throws(ScalingError) -> ScalingProgress

  /// Writes the remaining frames after the whole input was consumed, and returns their number.
  ///
  /// Call until it returns 0.
  ///
  /// - Throws: ``ScalingError/failed(_:)`` if the library behind the method fails.
  mutating func finish(into output: inout MutableSpan<Sample>) throws(ScalingError) -> Int

  /// Returns to the state of a new scaler.
  mutating func reset()

  /// Makes a new scaler, or one that was reset, begin at an output frame, from 0 to the number of output frames.
  ///
  /// Returns the first input frame that it needs: the next call of ``process(_:into:)`` takes the input from there on.
  /// Output frames are those of a run from the start, or for ``SincScaler`` nearly so. Returns `nil`, and begins at the
  /// first frame, if the scaler cannot do that.
  mutating func begin(atOutput frame: Int) -> Int?
}

extension TimeScaler {
  /// `false`: the method processes the input in one pass.
  public var needsStudy: Bool { false }

  /// Does nothing.
  public mutating func study(_ input: Span<Sample>) {}

  /// `nil`, except for the first frame: the method needs everything before.
  public mutating func begin(atOutput frame: Int) -> Int? { frame == 0 ? 0 : nil }
}
