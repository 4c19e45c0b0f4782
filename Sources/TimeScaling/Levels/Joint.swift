import Glibc

/// The place where the sound of two files meets.
package enum Joint {
  /// Coefficients of the prediction.
  private static let order = 32
  /// Frames in which the sound must be predictable after the joint, by that before it, and the reverse.
  private static let frames = 8
  /// Sound below this level, relative to full scale, has no joint that is heard.
  private static let leastLevel = 0.003
  /// The highest error of the prediction, as a multiple of that inside, and as a part of the sound: lossy codecs leave
  /// steps.
  private static let (mostTimes, mostShare) = (5.0, 0.15)

  /// True if sound goes on from one file to the next: linear prediction (Burg's method) from either side foretells the
  /// other about as well as its own. False for silence, which needs no joint.
  ///
  /// - Parameters:
  ///   - before: The last samples of each channel of the first file.
  ///   - after: The first samples of each channel of the second.
  package static func isContinuous(before: [[Double]], after: [[Double]]) -> Bool {
    guard before.count == after.count, !before.isEmpty else { return false }
    var isHeard = false
    for (one, other) in zip(before, after) {
      guard one.count > 4 * order, other.count > 4 * order else { return false }
      let near = rootMeanSquare(one.suffix(128)[...]),
        beyond = rootMeanSquare(other.prefix(128)[...])
      if min(near, beyond) >= leastLevel {
        isHeard = true
      } else if max(near, beyond) < leastLevel {
        continue
      }
      if !foretells(one, other) || !foretells(other.reversed(), one.reversed()) { return false }
    }
    return isHeard
  }

  private static func foretells(_ past: [Double], _ next: [Double]) -> Bool {
    let coefficients = burg(past)
    let known = Array(past.suffix(512)) + next.prefix(frames)
    let joint = known.count - frames
    var (inside, worst) = (0.0, 0.0)
    for index in order..<known.count {
      var error = known[index]
      for lag in 1...order { error += coefficients[lag - 1] * known[index - lag] }
      if index < joint { inside += error * error } else { worst = max(worst, error.magnitude) }
    }
    let own = (inside / Double(joint - order)).squareRoot()
    return worst <= max(mostTimes * own, mostShare * rootMeanSquare(past.suffix(512)[...]))
  }

  /// The coefficients `a` of a prediction error filter, `x[n] + a[0] x[n-1] + a[1] x[n-2] + …`.
  private static func burg(_ samples: [Double]) -> [Double] {
    var forward = samples, backward = samples
    var filter = [1.0] + [Double](repeating: 0, count: order)
    for step in 1...order {
      var (product, power) = (0.0, 0.0)
      for index in step..<samples.count {
        product += forward[index] * backward[index - 1]
        power += forward[index] * forward[index] + backward[index - 1] * backward[index - 1]
      }
      if power < 1e-20 { break }
      let reflection = -2 * product / power
      let last = filter
      for index in 1...step { filter[index] = last[index] + reflection * last[step - index] }
      for index in (step..<samples.count).reversed() {
        let (ahead, behind) = (forward[index], backward[index - 1])
        forward[index] = ahead + reflection * behind
        backward[index] = behind + reflection * ahead
      }
    }
    return Array(filter[1...])
  }

  private static func rootMeanSquare(_ samples: ArraySlice<Double>) -> Double {
    (samples.reduce(0) { $0 + $1 * $1 } / Double(max(1, samples.count))).squareRoot()
  }
}
