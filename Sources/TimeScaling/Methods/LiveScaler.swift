/// Changes rate and pitch of a stream while it runs.
///
/// As many frames are put as are ``lacking``, then frames are retrieved while any are ``available``. First come
/// ``leadFrames`` that lie before the first frame that is to be heard; the first frame retrieved is the one after them.
/// At any time the frame that is changed next lies ``leadFrames`` before the next one that is put, and a new rate holds
/// from there on.
package protocol LiveScaler: AnyObject {
  /// The number of frames to put before the first one that is heard.
  var leadFrames: Int { get }

  /// Changes the rate, input frames / output frames, and the pitch.
  func set(rate: Double, semitones: Double)

  /// Returns true if this scaler can continue at another rate and pitch as well as a new one would.
  func suits(rate: Double, semitones: Double) -> Bool

  /// The number of frames to put before anything can be retrieved; valid while nothing is available.
  var lacking: Int { get }

  /// Takes interleaved frames, at most those that are ``lacking``.
  func put(_ frames: UnsafePointer<Float>, count: Int)

  /// The number of frames that can be retrieved.
  var available: Int { get }

  /// The position of the next output frame in the input, counted from the first frame after the lead; and the number
  /// of output frames, at least 1, that follow it with the same step between them.
  var position: (input: Double, step: Double, frameCount: Int) { get }

  /// Retrieves up to `count` frames, interleaved, and returns their number.
  func retrieve(_ count: Int, into output: UnsafeMutablePointer<Float>) -> Int
}

extension StretchSettings {
  /// The rates that are played, input frames / output frames.
  package static let liveRateRange: ClosedRange<Double> = 0.25...4
  /// The pitch shifts that are played, in semitones.
  package static let liveSemitoneRange: ClosedRange<Double> = -12...12
}
