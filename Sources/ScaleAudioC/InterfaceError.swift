internal import CScaleAudio
internal import TimeScaling

/// An error for callers in C: its number, and a sentence.
struct InterfaceError: Error {
  let code: Int
  let message: String

  /// An error with a sentence of its own.
  init(_ code: Int, _ message: String) {
    (self.code, self.message) = (code, message)
  }

  /// The error of a scaler.
  init(_ error: ScalingError) {
    message = error.cause
    code = if case .outOfRange = error { SCALEAUDIO_OUT_OF_RANGE } else { SCALEAUDIO_FAILED }
  }

  /// Runs the work of a scaler; its errors become errors for callers in C.
  static func scaling<Result>(
    _ work: @autoclosure () throws(ScalingError) -> Result
  ) throws(InterfaceError) -> Result {
    do throws(ScalingError) { return try work() } catch { throw InterfaceError(error) }
  }

  /// The meaning of a code, in a few words that stay in memory.
  static func text(_ code: Int) -> StaticString {
    switch code {
    case 0...: "no error"
    case SCALEAUDIO_INVALID: "an argument is NULL or negative"
    case SCALEAUDIO_OUT_OF_RANGE: "a setting is out of range"
    case SCALEAUDIO_WRONG_ORDER: "a call at the wrong time"
    case SCALEAUDIO_WRONG_LENGTH: "more or fewer frames than announced"
    case SCALEAUDIO_FAILED: "scaling failed"
    default: "an unknown error"
    }
  }
}
