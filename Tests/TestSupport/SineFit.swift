import Foundation

/// The sine of a known frequency that is nearest to a signal by least squares, and what is left.
public struct SineFit: Sendable {
  /// The amplitude of the sine.
  public let amplitude: Double
  /// Its phase at frame 0, in radians.
  public let phase: Double
  /// The power of the sine over that of the rest, in dB.
  public let signalToNoise: Double

  /// The amplitude in dB.
  public var decibels: Double { 20 * log10(amplitude) }

  /// Fits a sine that turns by `step` radians a frame to `frames` of a signal.
  public init(_ signal: [Double], step: Double, frames: Range<Int>) {
    // The normal equations of s*sin + c*cos.
    var (ss, sc, cc, sy, cy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for frame in frames {
      let (s, c, y) = (sin(step * Double(frame)), cos(step * Double(frame)), signal[frame])
      ss += s * s
      sc += s * c
      cc += c * c
      sy += s * y
      cy += c * y
    }
    let determinant = ss * cc - sc * sc
    let (a, b) = ((sy * cc - cy * sc) / determinant, (cy * ss - sy * sc) / determinant)
    amplitude = hypot(a, b)
    phase = atan2(b, a)
    var (power, noise) = (0.0, 0.0)
    for frame in frames {
      let sine = a * sin(step * Double(frame)) + b * cos(step * Double(frame))
      power += sine * sine
      noise += (signal[frame] - sine) * (signal[frame] - sine)
    }
    signalToNoise = 10 * log10(power / noise)
  }

  /// A sine of amplitude 1 that begins at phase 0, as a `Float` holds it.
  public static func tone(step: Double, frames: Int) -> [Double] {
    (0..<frames).map { Double(Float(sin(step * Double($0)))) }
  }
}
