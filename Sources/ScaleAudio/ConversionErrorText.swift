extension ConversionError {
  /// The file at fault; `nil` when none is.
  public var path: FilePath? {
    switch self {
    case .file(let error): error.path
    case .nothingLeft(let path, _, _), .factorOutOfRange(let path, _), .inPlace(let path),
      .cannotScale(let path, _), .mapTooShort(let path, _, _, _):
      path
    case .cancelled: nil
    }
  }

  /// The kind of error for programs: a few lower-case words joined by hyphens, which stay the same
  /// from version to version.
  public var errorClass: String {
    switch self {
    case .file(let error): error.errorClass
    case .nothingLeft: "nothing-left"
    case .factorOutOfRange: "factor-out-of-range"
    case .inPlace: "in-place"
    case .cannotScale: "cannot-scale"
    case .mapTooShort: "map-too-short"
    case .cancelled: "cancelled"
    }
  }

  /// Whether the same work may well succeed later, because the machine was at fault, not the file.
  public var isWorthRetrying: Bool {
    if case .file(let error) = self { error.isWorthRetrying } else { false }
  }

  /// One line: the file's name, the cause, and the remedy where there is one.
  public var message: String {
    path.map { "\($0.printable): \(cause)" } ?? cause
  }

  /// The cause and the remedy, without the file's name.
  public var cause: String {
    switch self {
    case .file(let error): error.cause
    case .nothingLeft(_, let frames, let factor):
      "nothing is left of \(frames) \(frames == 1 ? "frame" : "frames") at a factor of \(factor); "
        + "choose a larger one"
    case .factorOutOfRange(_, let factor):
      "the length asked for means a factor of \(factor), which is not within "
        + "\(TimeFactor.range.lowerBound) to \(Int(TimeFactor.range.upperBound))"
    case .cannotScale(_, let error): error.cause
    case .mapTooShort(_, let end, let frames, let sampleRate):
      "the time map ends at \(Self.place(end, sampleRate)), but the audio is "
        + "\(Self.place(Double(frames), sampleRate)) long; add a line for its end"
    case .inPlace: "the output would replace the input itself; choose another --output or --suffix"
    case .cancelled: "stopped before it was done"
    }
  }

  /// `12.000 s (529200f)`
  private static func place(_ frames: Double, _ sampleRate: Int) -> String {
    let milliseconds = Int((frames / Double(max(1, sampleRate)) * 1000).rounded())
    let fraction = String(String(1000 + milliseconds % 1000).dropFirst())
    return "\(milliseconds / 1000).\(fraction) s (\(Int(frames.rounded(.down)))f)"
  }
}

extension ConversionError: CustomStringConvertible {
  public var description: String { message }
}

extension ScalingError {
  /// The cause and the remedy.
  public var cause: String {
    switch self {
    case .unavailable(let method, let remedy): "--method \(method.rawValue) is not here: \(remedy)"
    case .outOfRange(let reason): reason
    case .failed(let reason): "scaling failed: \(reason)"
    }
  }
}
