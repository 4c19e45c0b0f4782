/// The position of each output frame on the time axis of the input, in input frames.
///
/// For `N` input and `L` output frames: the first control point is 0, the last is exactly `N - 1` if
/// `L > 1`, and control points never decrease.
public struct ControlPoints: Hashable, Sendable {
  /// The number of input frames, at least 0.
  public let inputFrames: Int
  /// The number of output frames, at least 0.
  public let outputFrames: Int

  /// The spacing of control points.
  package enum Spacing: Hashable, Sendable {
    /// Output frame `i` is at `i * step`.
    case even(step: Double)
    /// Output frame `i` is at `i / stretch`, eased toward whole numbers.
    case eased(stretch: Double)
  }

  /// The spacing of the control points.
  package let spacing: Spacing

  /// The control points from `inputFrames` to `outputFrames`. Smoothstep eases only if the audio becomes
  /// longer.
  public init(inputFrames: Int, outputFrames: Int, interpolation: Interpolation) {
    self.inputFrames = max(0, inputFrames)
    self.outputFrames = self.inputFrames == 0 ? 0 : max(0, outputFrames)
    let inputSpan = Double(self.inputFrames - 1)
    let outputSpan = Double(self.outputFrames - 1)
    if self.inputFrames <= 1 || self.outputFrames <= 1 {
      // Without a span on one side the formulas divide by zero. The only control point is the first frame.
      spacing = .even(step: 0)
    } else if interpolation == .smoothstep && self.outputFrames > self.inputFrames {
      spacing = .eased(stretch: outputSpan / inputSpan)
    } else {
      spacing = .even(step: inputSpan / outputSpan)
    }
  }

  /// Writes the control points of output frames `first ..< first + count` to the start of `points`, with
  /// indices relative to input frame `origin`.
  ///
  /// `points` holds at least `count` elements, and `first + count` is at most `outputFrames`.
  package func fill(
    from first: Int, count: Int, origin: Int, into points: inout MutableSpan<ControlPoint>
  ) {
    switch spacing {
    case .even(let step):
      for i in 0..<count {
        points[i] = ControlPoint(Double(first + i) * step, origin: origin)
      }
    case .eased(let stretch):
      for i in 0..<count {
        points[i] = ControlPoint(Self.eased(Double(first + i) / stretch), origin: origin)
      }
    }
    if outputFrames > 1 && count > 0 && first + count == outputFrames {
      points[count - 1] = ControlPoint(index: inputFrames - 1 - origin, fraction: 0)
    }
  }

  /// The first of `frames` whose control point, before easing, is at or after an input frame; the end of
  /// `frames` if there is none.
  package func firstOutput(atOrBeyond inputFrame: Int, in frames: Range<Int>) -> Int {
    let bound = Double(inputFrame)
    var (low, high) = (frames.lowerBound, frames.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if uneased(middle) < bound { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The control point of an output frame, except the last, before easing.
  package func uneased(_ frame: Int) -> Double {
    switch spacing {
    case .even(let step): Double(frame) * step
    case .eased(let stretch): Double(frame) / stretch
    }
  }

  /// `x` eased toward whole numbers by smoothstep: `floor(x) + t*t*(3-2*t)`.
  private static func eased(_ x: Double) -> Double {
    // x is not negative, so truncation is the floor; `rounded(.down)` would call libm.
    let whole = Double(Int(x))
    let t = x - whole
    return whole + t * t * (3 - 2 * t)
  }

  /// The control point of one output frame, in input frames.
  public subscript(frame: Int) -> Double {
    if outputFrames > 1 && frame == outputFrames - 1 { return Double(inputFrames - 1) }
    switch spacing {
    case .even(let step):
      return Double(frame) * step
    case .eased(let stretch):
      return Self.eased(Double(frame) / stretch)
    }
  }
}

/// A position between two input frames.
package struct ControlPoint {
  /// The frame at or before the position.
  package var index: Int
  /// The distance from that frame, in frames, 0 to 1.
  package var fraction: Double

  /// The position `fraction` after the frame `index`.
  package init(index: Int, fraction: Double) {
    self.index = index
    self.fraction = fraction
  }

  init(_ place: Double, origin: Int) {
    let whole = Int(place)
    index = whole - origin
    fraction = place - Double(whole)
  }
}
