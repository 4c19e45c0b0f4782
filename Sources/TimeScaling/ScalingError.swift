/// Why audio cannot be scaled.
public enum ScalingError: Error, Hashable, Sendable {
  /// The program was built without what the method needs; the remedy says how to get it.
  case unavailable(method: ScalingMethod.Kind, remedy: String)
  /// A setting lies outside what the method does.
  case outOfRange(String)
  /// The library that does the work failed.
  case failed(String)
}
