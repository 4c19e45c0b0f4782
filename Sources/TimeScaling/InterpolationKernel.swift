package import AudioModel
internal import CKernels

/// Makes frames by interpolation, with what the processor at hand has for it.
///
/// What every kernel makes is the same, to the last bit, as what ``InterpolatingScaler`` makes without
/// one.
package struct InterpolationKernel: Hashable, Sendable, CustomStringConvertible {
  private let level: UInt32

  /// The fastest of this processor.
  package static let best = InterpolationKernel(
    level: UInt32(scaleaudio_kernel_best_level().rawValue))

  /// All that this processor can run.
  package static let available = (0...best.level).map(InterpolationKernel.init(level:))

  /// The most input frames that a kernel takes at a time.
  package static let mostInputFrames = (1 << 20) - 1

  /// How many input frames there must be after the one in which an output frame lies: its neighbor, and
  /// one more because easing may round up to that.
  package static let framesBeyond = 2

  package var description: String { "level \(level)" }

  /// Whether there are kernels for a type of sample.
  package static func handles<Sample: PCMSample>(_ type: Sample.Type) -> Bool {
    kind(of: type) != nil
  }

  /// Makes output frames `frames` of the input frames from `origin` on, at most ``mostInputFrames``, and
  /// writes them to `output` from its frame `start` on.
  ///
  /// Control points, before they are eased, are at least `origin`, and ``framesBeyond`` frames after
  /// that in which each lies are in `input`. The last output frame of all is not among `frames`.
  package func interpolate<Sample: PCMSample>(
    _ input: Span<Sample>, origin: Int, channelCount: Int, points: ControlPoints,
    frames: Range<Int>, into output: inout MutableSpan<Sample>, at start: Int
  ) {
    guard let kind = Self.kind(of: Sample.self), !frames.isEmpty else { return }
    let target = start * channelCount..<(start + frames.count) * channelCount
    precondition(target.lowerBound >= 0 && target.upperBound <= output.count)
    input.withUnsafeBytes { source in
      output.withUnsafeMutableBytes { buffer in
        var work = scaleaudio_interpolation()
        (work.is_eased, work.spacing) = points.spacing.forKernel
        work.channels = Int32(channelCount)
        work.input = source.baseAddress
        work.input_frames = Int64(input.count / channelCount)
        work.origin = Int64(origin)
        work.output = buffer.baseAddress?.advanced(
          by: target.lowerBound * MemoryLayout<Sample>.stride)
        work.output_frames = Int64(frames.count)
        work.first_output = Int64(frames.lowerBound)
        scaleaudio_interpolate(scaleaudio_kernel_level(.init(level)), kind, &work)
      }
    }
  }

  private static func kind<Sample: PCMSample>(
    of type: Sample.Type
  ) -> scaleaudio_kernel_sample? {
    switch type {
    case is Int8.Type: SCALEAUDIO_KERNEL_INT8
    case is Int16.Type: SCALEAUDIO_KERNEL_INT16
    case is Int24.Type, is Int32.Type: SCALEAUDIO_KERNEL_INT32
    case is Float.Type: SCALEAUDIO_KERNEL_FLOAT
    case is Double.Type: SCALEAUDIO_KERNEL_DOUBLE
    default: nil
    }
  }
}

extension ControlPoints.Spacing {
  /// Whether control points are eased, and the number that spaces them.
  fileprivate var forKernel: (Bool, Double) {
    switch self {
    case .even(let step): (false, step)
    case .eased(let stretch): (true, stretch)
    }
  }
}
