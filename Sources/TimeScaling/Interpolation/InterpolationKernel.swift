package import AudioModel
internal import CKernels

/// Interpolation with the vector instructions of the processor.
///
/// Every kernel computes the same bits as ``InterpolatingScaler`` without a kernel.
package struct InterpolationKernel: Hashable, Sendable, CustomStringConvertible {
  private let level: UInt32

  /// The fastest kernel of this processor.
  package static let best = InterpolationKernel(
    level: UInt32(scaleaudio_kernel_best_level().rawValue))

  /// All kernels that this processor can run.
  package static let available = (0...best.level).map(InterpolationKernel.init(level:))

  /// The maximum number of input frames per call.
  package static let maximumInputFrames = (1 << 20) - 1

  /// The number of input frames needed after the one of a control point: its neighbor, and one more because
  /// easing may round up to it.
  package static let framesBeyond = 2

  /// The level of the kernel.
  package var description: String { "level \(level)" }

  /// True if there are kernels for a sample type.
  package static func handles<Sample: PCMSample>(_ type: Sample.Type) -> Bool {
    kind(of: type) != nil
  }

  /// Computes the output frames `frames` and writes them to `output` from its frame `start`.
  ///
  /// `input` holds at most ``maximumInputFrames`` frames from input frame `origin`. Control points, before
  /// easing, are at least `origin`, and `input` includes ``framesBeyond`` frames after each. The very last
  /// output frame is not in `frames`.
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
  /// True if control points are eased; and their spacing.
  fileprivate var forKernel: (Bool, Double) {
    switch self {
    case .even(let step): (false, step)
    case .eased(let stretch): (true, stretch)
    }
  }
}
