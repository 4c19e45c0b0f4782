public import AudioModel

/// The reason why audio cannot be scaled.
public enum ScalingError: ErrorWithRemedy, Hashable, Sendable {
  /// The program was built without the library that the method needs.
  case unavailable(method: ScalingMethod.Kind)
  /// A setting is out of the range of the method.
  case outOfRange(String, remedy: Remedy? = nil)
  /// The library behind the method failed.
  case failed(String)

  /// The ``cause``: no file is at fault.
  public var message: String { cause }

  /// A way to solve the problem; `nil` if none is known.
  public var remedy: Remedy? {
    switch self {
    case .unavailable:
      .any([
        .set(.scalingQuality, to: ScalingQuality.fast.rawValue),
        .act("build with the trait RubberBand, as swift build does by default"),
        .useMethod(ScalingMethod.Kind.sinc.rawValue),
      ])
    case .outOfRange(_, let remedy): remedy
    case .failed: nil
    }
  }

  /// The cause, in one line.
  public var cause: String {
    switch self {
    case .unavailable(let method):
      "the method \(method.rawValue) has only the quality fast: this program was built without Rubber Band"
    case .outOfRange(let reason, _): reason
    case .failed(let reason): "scaling failed: \(reason)"
    }
  }
}
