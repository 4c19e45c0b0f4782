public import AudioModel

/// Scales time by linear interpolation between neighboring frames, each channel on its own. Speed and pitch
/// change together, as with tape.
///
/// For control point `c`, `b = trunc(c)` and `a = c - b`, the output is `A[b] + a*(A[b+1]-A[b])` in `Double`
/// without fused multiply-add, where `A[N]` is 0, rounded to nearest, ties to even.
public struct InterpolatingScaler<Sample: PCMSample>: TimeScaler {
  /// The number of channels, at least 1.
  public let channelCount: Int

  /// The position of each output frame in the input.
  public let points: ControlPoints

  /// The kernel for frames that have both neighbors in a block; `nil` for the reference implementation.
  private let kernel: InterpolationKernel?

  /// The number of control points computed together without a kernel.
  private static var runLength: Int { 512 }
  /// The number with a kernel, which leaves only a few frames at the ends of a block.
  private static var runLengthBesideKernel: Int { 16 }

  private var nextOutput = 0
  /// The number of input frames consumed: the index of the first frame of the next call.
  private var consumed = 0
  /// The last consumed frame, which the next output frame may still need.
  private var carry: [Sample]
  /// The current control points, with indices relative to `consumed`.
  private var run: [ControlPoint]

  /// A scaler for `channelCount` channels, at least 1.
  public init(points: ControlPoints, channelCount: Int) {
    self.init(points: points, channelCount: channelCount, kernel: .best)
  }

  /// A scaler that uses `kernel` where possible; without one it is the reference for all kernels.
  package init(points: ControlPoints, channelCount: Int, kernel: InterpolationKernel?) {
    self.points = points
    self.channelCount = max(1, channelCount)
    let kernel = InterpolationKernel.handles(Sample.self) ? kernel : nil
    self.kernel = kernel
    carry = Array(repeating: Sample.silence, count: self.channelCount)
    run = Array(
      repeating: ControlPoint(index: 0, fraction: 0),
      count: kernel == nil ? Self.runLength : Self.runLengthBesideKernel)
  }

  /// Returns to the state of a new scaler.
  public mutating func reset() {
    nextOutput = 0
    consumed = 0
    for channel in carry.indices { carry[channel] = Sample.silence }
  }

  /// Begins at an output frame: its two neighbors, bit for bit.
  public mutating func begin(atOutput frame: Int) -> Int? {
    nextOutput = min(max(0, frame), points.outputFrames)
    if nextOutput == points.outputFrames {
      consumed = points.inputFrames
    } else {
      // Easing may round up to the next input frame, but never down.
      let place = min(points.uneased(nextOutput), points[nextOutput])
      consumed = min(Int(place), points.inputFrames - 1)
    }
    return consumed
  }

  /// Consumes frames of `input` and writes frames to `output`.
  @specialized(where Sample == Int8)
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  public mutating func process(
    _ input: Span<Sample>, into output: inout MutableSpan<Sample>
  ) -> ScalingProgress {
    let inputFrames = min(
      input.count / channelCount, points.inputFrames - consumed,
      InterpolationKernel.maximumInputFrames
    )
    let capacity = output.count / channelCount
    var produced = 0
    while produced < capacity {
      var count = kernelCount(limit: capacity - produced, inputFrames: inputFrames)
      if count > 0 {
        kernel?.interpolate(
          input.extracting(0..<inputFrames * channelCount), origin: consumed,
          channelCount: channelCount, points: points, frames: nextOutput..<nextOutput + count,
          into: &output, at: produced)
      } else {
        count = prepareRun(limit: capacity - produced, inputFrames: inputFrames)
        if count == 0 { break }
        interpolate(count, input, inputFrames: inputFrames, into: &output, at: produced)
      }
      nextOutput += count
      produced += count
    }
    return ScalingProgress(consumed: release(input, inputFrames: inputFrames), produced: produced)
  }

  /// Writes the remaining frames, and returns their number.
  public mutating func finish(into output: inout MutableSpan<Sample>) -> Int {
    process(Span(), into: &output).produced
  }

  /// The number of next output frames that the kernel can compute.
  private func kernelCount(limit: Int, inputFrames: Int) -> Int {
    if kernel == nil || points.uneased(nextOutput) < Double(consumed) { return 0 }
    // The very last output frame does not follow the spacing.
    let end = min(nextOutput + limit, points.outputFrames - 1)
    if end <= nextOutput { return 0 }
    return points.firstOutput(
      atOrBeyond: consumed + inputFrames - InterpolationKernel.framesBeyond,
      in: nextOutput..<end) - nextOutput
  }

  /// Computes the next control points, and returns how many of them have their input frames available.
  private mutating func prepareRun(limit: Int, inputFrames: Int) -> Int {
    var count = min(limit, run.count, points.outputFrames - nextOutput)
    if count <= 0 { return 0 }
    fillControlPoints(count)
    // Frame b+1 must be available, unless b is the very last frame, whose neighbor counts as 0.
    let isLastInput = consumed + inputFrames == points.inputFrames
    let highest = isLastInput ? inputFrames - 1 : inputFrames - 2
    while count > 0 && run[count - 1].index > highest { count -= 1 }
    return count
  }

  /// Computes the next `count` control points, relative to the first frame of the next block.
  private mutating func fillControlPoints(_ count: Int) {
    let (points, first, origin) = (points, nextOutput, consumed)
    var span = run.mutableSpan
    points.fill(from: first, count: count, origin: origin, into: &span)
  }

  private func interpolate(
    _ count: Int, _ input: Span<Sample>, inputFrames: Int, into output: inout MutableSpan<Sample>,
    at start: Int
  ) {
    for i in 0..<count {
      let (index, fraction) = (run[i].index, run[i].fraction)
      let left = index * channelCount
      let right = left + channelCount
      let target = (start + i) * channelCount
      for channel in 0..<channelCount {
        let before = index < 0 ? carry[channel].doubleValue : input[left + channel].doubleValue
        let after = index + 1 < inputFrames ? input[right + channel].doubleValue : 0
        output[target + channel] = Sample(nearest: before + fraction * (after - before))
      }
    }
  }

  /// Returns the number of input frames that no later output needs, and keeps the last of them.
  private mutating func release(_ input: Span<Sample>, inputFrames: Int) -> Int {
    var released = inputFrames
    if nextOutput < points.outputFrames {
      fillControlPoints(1)
      // The frame before the next block is kept as `carry`, so b itself may be released.
      released = min(inputFrames, max(0, run[0].index + 1))
    }
    if released > 0 {
      for channel in 0..<channelCount {
        carry[channel] = input[(released - 1) * channelCount + channel]
      }
    }
    consumed += released
    return released
  }
}
