public import SystemPackage

extension AudioFileError {
  /// The file at fault.
  public var path: FilePath {
    switch self {
    case .cannotOpen(let path, _), .notAFile(let path), .empty(let path), .notAudio(let path),
      .unsupported(let path, _), .malformed(let path, _), .truncated(let path, _, _),
      .limitExceeded(let path, _), .cannotRead(let path, _), .changed(let path),
      .outputExists(let path), .cannotWrite(let path, _), .encoderFailed(let path, _),
      .cannotHold(let path, _, _):
      path
    }
  }

  /// The kind of error for programs: a few lower-case words joined by hyphens, which stay the same
  /// from version to version.
  public var errorClass: String {
    switch self {
    case .cannotOpen: "cannot-open"
    case .notAFile: "not-a-file"
    case .empty: "empty"
    case .notAudio: "not-audio"
    case .unsupported: "unsupported"
    case .malformed: "malformed"
    case .truncated: "truncated"
    case .limitExceeded: "limit-exceeded"
    case .cannotRead: "cannot-read"
    case .changed: "changed"
    case .outputExists: "output-exists"
    case .cannotWrite(_, let code): Self.isFullDisk(code) ? "disk-full" : "cannot-write"
    case .encoderFailed: "encoder-failed"
    case .cannotHold: "cannot-hold"
    }
  }

  /// Whether the same work may well succeed later, because the machine was at fault, not the file.
  public var isWorthRetrying: Bool {
    switch self {
    case .cannotOpen(_, let code), .cannotRead(_, let code), .cannotWrite(_, let code):
      Self.passing.contains(code)
    default: false
    }
  }

  /// One line: the file's name, the cause, and the remedy where there is one.
  public var message: String { "\(path.printable): \(cause)" }

  /// The cause and the remedy, without the file's name.
  public var cause: String {
    switch self {
    case .cannotOpen(_, let code): "cannot be opened: \(Self.text(code))"
    case .notAFile: "not a file: a folder, a device, a socket or a terminal"
    case .empty: "the file is empty"
    case .notAudio: "not audio in any format that is known here"
    case .unsupported(_, let reason): "not handled: \(reason)"
    case .malformed(_, let reason): "damaged: \(reason); --salvage converts what can be decoded"
    case .truncated(_, let expected, let found):
      "the audio ends early\(Self.extent(expected, found)); --salvage converts what is there"
    case .limitExceeded(_, let reason): "not plausible: \(reason)"
    case .cannotRead(_, let code): "cannot be read: \(Self.text(code))"
    case .changed: "the file was changed while it was read; convert it again"
    case .outputExists: "exists already; --overwrite replaces it, --skip-existing leaves it"
    case .cannotWrite(_, let code):
      Self.isFullDisk(code)
        ? "cannot be written: \(Self.text(code)); make room and try again"
        : "cannot be written: \(Self.text(code))"
    case .encoderFailed(_, let reason): "the encoder failed: \(reason)"
    case .cannotHold(_, let reason, let remedy): reason + (remedy.map { "; \($0)" } ?? "")
    }
  }

  private static func extent(_ expected: Int?, _ found: Int?) -> String {
    guard let expected else {
      return found.map { " after \(grouped($0)) frames" } ?? ""
    }
    guard let found else { return ": \(grouped(expected)) frames were declared" }
    return ": \(grouped(found)) of \(grouped(expected)) frames"
  }

  /// Digits in groups of three: `12,345`.
  private static func grouped(_ number: Int) -> String {
    var text = ""
    for (place, digit) in String(number.magnitude).reversed().enumerated() {
      if place > 0 && place % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
  }

  /// The system's words for an error, beginning in lower case as part of a sentence.
  private static func text(_ code: Errno) -> String {
    let words = code.description
    return words.prefix(1).lowercased() + words.dropFirst()
  }

  private static func isFullDisk(_ code: Errno) -> Bool {
    code == .noSpace || code == .diskQuotaExceeded
  }

  /// Errors that pass: no space, quota, I/O, no descriptors, no memory, try again.
  private static let passing: Set<Errno> = [
    .noSpace, .diskQuotaExceeded, .ioError, .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory,
    .resourceTemporarilyUnavailable,
  ]
}

extension AudioFileError: CustomStringConvertible {
  public var description: String { message }
}
