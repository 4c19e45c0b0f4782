public import AudioModel
public import SystemPackage

/// Why an audio file could not be read or written; every case names the file.
public enum AudioFileError: ErrorWithRemedy, Hashable, Sendable {
  /// The file could not be opened.
  case cannotOpen(FilePath, Errno)
  /// The file is not a regular file or a pipe: a folder, a device, a socket.
  case notAFile(FilePath)
  /// The file holds no bytes.
  case empty(FilePath)
  /// The content is not in a known audio format.
  case notAudio(FilePath)
  /// The format is known, but this file's variant of it is not supported.
  case unsupported(FilePath, reason: String, remedy: Remedy? = nil)
  /// The content breaks its format's rules.
  case malformed(FilePath, reason: String)
  /// The audio ends before the length that the file declares; `found` of `expected` frames, where
  /// known.
  case truncated(FilePath, expected: Int?, found: Int?)
  /// A number in the file is out of the plausible range.
  case limitExceeded(FilePath, reason: String)
  /// Reading failed below the level of the format.
  case cannotRead(FilePath, Errno)
  /// The file changed while it was read.
  case changed(FilePath)
  /// The output exists.
  case outputExists(FilePath)
  /// Writing failed below the level of the format: no space, no permission, an I/O error.
  case cannotWrite(FilePath, Errno)
  /// The encoder refused or failed.
  case encoderFailed(FilePath, reason: String, remedy: Remedy? = nil)
  /// The target format cannot hold this audio: its layout, rate, channel count or length.
  case cannotHold(FilePath, reason: String, remedy: Remedy? = nil)
}

extension AudioFileError {
  /// The file at fault.
  public var path: FilePath {
    switch self {
    case .cannotOpen(let path, _), .notAFile(let path), .empty(let path), .notAudio(let path),
      .unsupported(let path, _, _), .malformed(let path, _), .truncated(let path, _, _),
      .limitExceeded(let path, _), .cannotRead(let path, _), .changed(let path),
      .outputExists(let path), .cannotWrite(let path, _), .encoderFailed(let path, _, _),
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

  /// What can be done about it.
  public var remedy: Remedy? {
    switch self {
    case .malformed, .truncated: .salvage
    case .changed: .retry
    case .outputExists: .replaceOrSkip
    case .cannotWrite(_, let code): Self.isFullDisk(code) ? .freeSpace : nil
    case .unsupported(_, _, let remedy), .encoderFailed(_, _, let remedy),
      .cannotHold(_, _, let remedy):
      remedy
    default: nil
    }
  }

  /// One line: the file's name and the cause.
  public var message: String { "\(path.printable): \(cause)" }

  /// The cause, without the file's name and without the remedy.
  public var cause: String {
    switch self {
    case .cannotOpen(_, let code): "cannot be opened: \(Self.text(code))"
    case .notAFile: "not a file: a folder, a device, a socket or a terminal"
    case .empty: "the file is empty"
    case .notAudio: "not a recognized audio file"
    case .unsupported(_, let reason, _): "not supported: \(reason)"
    case .malformed(_, let reason): "damaged: \(reason)"
    case .truncated(_, let expected, let found):
      "the audio ends early\(Self.extent(expected, found))"
    case .limitExceeded(_, let reason): "not plausible: \(reason)"
    case .cannotRead(_, let code): "cannot be read: \(Self.text(code))"
    case .changed: "the file changed while it was read"
    case .outputExists: "exists already"
    case .cannotWrite(_, let code): "cannot be written: \(Self.text(code))"
    case .encoderFailed(_, let reason, _): "the encoder failed: \(reason)"
    case .cannotHold(_, let reason, _): reason
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
