public import AudioModel

/// The reason why audio cannot be scaled.
public enum ScalingError: ErrorWithRemedy, Hashable, Sendable {
  /// The program was built without the library that the engine needs.
  case unavailable(StretchSettings.Engine)
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
        .act("build it with swift build --traits default,RubberBand"),
        .act("use the program rubberband"),
      ])
    case .outOfRange(_, let remedy): remedy
    case .failed: nil
    }
  }

  /// The cause, in one line.
  public var cause: String {
    switch self {
    case .unavailable(let engine):
      "the engine \(engine.rawValue) is not here: this program was built without Rubber Band"
    case .outOfRange(let reason, _): reason
    case .failed(let reason): "scaling failed: \(reason)"
    }
  }
}
