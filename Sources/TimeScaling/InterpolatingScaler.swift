public import AudioModel

/// Scales time by linear interpolation between neighbouring frames at given control points, every
/// channel by itself; speed and pitch change together, as with tape.
///
/// For control point `c`, `b = trunc(c)` and `a = c - b`, the output is `A[b] + a*(A[b+1]-A[b])` in
/// `Double` without fused multiply-add, `A[N]` taken as 0, rounded to nearest, ties to even.
public struct InterpolatingScaler<Sample: PCMSample>: TimeScaler {
  public let channelCount: Int

  /// The map from output to input frames.
  public let points: ControlPoints

  /// Who makes the frames for which a block has both neighbors; the others are made here.
  private let kernel: InterpolationKernel?

  /// Output frames whose control points are worked out together, where there is no kernel.
  private static var runLength: Int { 512 }
  /// The same where there is one: few frames at the ends of a block are not for it.
  private static var runLengthBesideKernel: Int { 16 }

  private var nextOutput = 0
  /// Input frames consumed so far: the index of the first frame that the next call brings.
  private var consumed = 0
  /// The last consumed frame, which the next output frame may still lean on.
  private var carry: [Sample]
  /// The control points being worked on, indices counted from `consumed`.
  private var run: [ControlPoint]

  /// A scaler for frames of `channelCount` samples, at least 1.
  public init(points: ControlPoints, channelCount: Int) {
    self.init(points: points, channelCount: channelCount, kernel: .best)
  }

  /// A scaler that leaves what it can to `kernel`; without one it is the reference for all kernels.
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

  public mutating func reset() {
    nextOutput = 0
    consumed = 0
    for channel in carry.indices { carry[channel] = Sample.silence }
  }

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
      input.count / channelCount, points.inputFrames - consumed, InterpolationKernel.mostInputFrames
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

  public mutating func finish(into output: inout MutableSpan<Sample>) -> Int {
    process(Span(), into: &output).produced
  }

  /// How many of the next output frames a kernel may make.
  private func kernelCount(limit: Int, inputFrames: Int) -> Int {
    if kernel == nil || points.uneased(nextOutput) < Double(consumed) { return 0 }
    // The last output frame of all is not where the spacing puts it.
    let end = min(nextOutput + limit, points.outputFrames - 1)
    if end <= nextOutput { return 0 }
    return points.firstOutput(
      atOrBeyond: consumed + inputFrames - InterpolationKernel.framesBeyond,
      in: nextOutput..<end) - nextOutput
  }

  /// Works out the next control points and returns how many of them the input at hand can serve.
  private mutating func prepareRun(limit: Int, inputFrames: Int) -> Int {
    var count = min(limit, run.count, points.outputFrames - nextOutput)
    if count <= 0 { return 0 }
    fillControlPoints(count)
    // Frame b+1 must be at hand, unless b is the last frame of all, whose neighbour counts as 0.
    let isLastInput = consumed + inputFrames == points.inputFrames
    let highest = isLastInput ? inputFrames - 1 : inputFrames - 2
    while count > 0 && run[count - 1].index > highest { count -= 1 }
    return count
  }

  /// Works out the next `count` control points, counted from the first frame of the next block.
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

  /// Decides how many input frames no later output needs, and keeps the last of them.
  private mutating func release(_ input: Span<Sample>, inputFrames: Int) -> Int {
    var released = inputFrames
    if nextOutput < points.outputFrames {
      fillControlPoints(1)
      // The frame before the next block stays at hand as `carry`, so b itself may be released.
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
