public import AudioModel
public import SystemPackage

/// An error in reading or writing an audio file; every case names the file.
public enum AudioFileError: ErrorWithRemedy, Hashable, Sendable {
  /// The file could not be opened.
  case cannotOpen(FilePath, Errno)
  /// Not a regular file or a pipe, but a folder, a device, or a socket.
  case notAFile(FilePath)
  /// The file is empty.
  case empty(FilePath)
  /// The content is not in a recognized audio format; what it is, as a phrase, if that is known.
  case notAudio(FilePath, content: String? = nil, remedy: Remedy? = nil)
  /// The format is supported, but not this variant of it.
  case unsupported(FilePath, reason: String, remedy: Remedy? = nil)
  /// The content violates the rules of its format.
  case malformed(FilePath, reason: String)
  /// The audio ends before its declared length, with `found` of `expected` frames; `nil` if unknown.
  case truncated(FilePath, expected: Int?, found: Int?)
  /// A file is damaged, as the error says, and nothing of it can be decoded.
  indirect case undecodable(AudioFileError)
  /// A number in the file is not plausible.
  case limitExceeded(FilePath, reason: String)
  /// Reading failed in the file system.
  case cannotRead(FilePath, Errno)
  /// The file changed while it was being read.
  case changed(FilePath)
  /// The output already exists.
  case outputExists(FilePath)
  /// Something other than a file or a stream, such as a socket, exists at the path of an output.
  case notAnOutput(FilePath, reason: String)
  /// Writing failed in the file system: no space, no permission, an I/O error.
  case cannotWrite(FilePath, Errno)
  /// The encoder refused or failed.
  case encoderFailed(FilePath, reason: String, remedy: Remedy? = nil)
  /// The output format cannot hold the layout, sample rate, channel count, or length of this audio.
  case cannotHold(FilePath, reason: String, remedy: Remedy? = nil)
  /// The method that changes the length of the audio does not support the request, or failed.
  case cannotScale(FilePath, reason: String, remedy: Remedy? = nil)
}

extension AudioFileError {
  /// The file that the error is about.
  public var path: FilePath {
    switch self {
    case .cannotOpen(let path, _), .notAFile(let path), .empty(let path), .notAudio(let path, _, _),
      .unsupported(let path, _, _), .malformed(let path, _), .truncated(let path, _, _),
      .limitExceeded(let path, _), .cannotRead(let path, _), .changed(let path),
      .outputExists(let path), .cannotWrite(let path, _), .encoderFailed(let path, _, _),
      .cannotHold(let path, _, _), .cannotScale(let path, _, _), .notAnOutput(let path, _):
      path
    case .undecodable(let error): error.path
    }
  }

  /// A stable identifier of the kind of error: lower-case words joined by hyphens.
  public var errorClass: String {
    switch self {
    case .cannotOpen: "cannot-open"
    case .notAFile: "not-a-file"
    case .empty: "empty"
    case .notAudio: "not-audio"
    case .unsupported: "unsupported"
    case .malformed: "malformed"
    case .truncated: "truncated"
    case .undecodable(let error): error.errorClass
    case .limitExceeded: "limit-exceeded"
    case .cannotRead: "cannot-read"
    case .changed: "changed"
    case .outputExists: "output-exists"
    case .notAnOutput: "not-an-output"
    case .cannotWrite(_, let code): Self.isFullDisk(code) ? "disk-full" : "cannot-write"
    case .encoderFailed: "encoder-failed"
    case .cannotHold: "cannot-hold"
    case .cannotScale: "cannot-scale"
    }
  }

  /// True if the audio before the cause of the error may be intact.
  package var endsAudio: Bool {
    switch self {
    case .truncated, .malformed: true
    // The stream changes in the middle of the file.
    case .unsupported(_, _, .salvage): true
    default: false
    }
  }

  /// True if a retry may succeed because the machine was at fault, not the file.
  public var isWorthRetrying: Bool {
    switch self {
    case .cannotOpen(_, let code), .cannotRead(_, let code), .cannotWrite(_, let code):
      Self.passing.contains(code)
    default: false
    }
  }

  /// True if a file is named like samples without a header.
  package static func isNamedRaw(_ path: FilePath) -> Bool {
    ["raw", "pcm"].contains(path.extension?.lowercased())
  }

  /// A way to solve the problem.
  public var remedy: Remedy? {
    switch self {
    case .undecodable, .truncated(_, expected: nil, found: 0): .act("copy or download it again")
    case .malformed, .truncated: .salvage
    case .notAudio(let path, _, nil) where Self.isNamedRaw(path): .declareRaw
    case .notAudio(_, _, let remedy): remedy ?? .seeFormats
    case .limitExceeded: .repairHeader
    case .changed: .retry
    case .outputExists: .replaceOrSkip
    case .notAnOutput: .chooseOutputFile
    case .cannotWrite(_, .fileNameTooLong): .shortenName
    case .cannotWrite(_, .permissionDenied), .cannotWrite(_, .readOnlyFileSystem),
      .cannotWrite(_, .notDirectory), .cannotWrite(_, .noSuchFileOrDirectory),
      .cannotWrite(_, .notPermitted):
      .chooseOutputFile
    case .cannotWrite(_, let code): Self.isFullDisk(code) ? .freeSpace : nil
    case .cannotOpen(_, .permissionDenied): .act("allow this user to read it")
    case .cannotOpen(_, .tooManySymbolicLinkLevels):
      .act("name the file itself instead of a link")
    case .notAFile: .act("name an audio file")
    case .empty: .act("copy or download it again")
    case .unsupported(_, _, let remedy):
      remedy ?? .act("convert it to WAV with a program that can decode it")
    case .encoderFailed(_, _, let remedy), .cannotHold(_, _, let remedy),
      .cannotScale(_, _, let remedy):
      remedy
    default: nil
    }
  }

  /// The file name and the cause, in one line.
  public var message: String { "\(path.printable): \(cause)" }

  /// The cause, without the file name and the remedy.
  public var cause: String {
    switch self {
    case .cannotOpen(_, let code): "cannot be opened: \(code.words)"
    case .notAFile: "not a file but a folder, device, socket, or terminal"
    case .empty: "the file is empty"
    case .notAudio(_, let content, _):
      "not a recognized audio file\(content.map { ": it is \($0)" } ?? "")"
    case .unsupported(_, let reason, _): "not supported: \(reason)"
    case .malformed(_, let reason): "damaged: \(reason)"
    case .truncated(_, let expected, let found):
      "the audio ends early\(Self.extent(expected, found))"
    case .undecodable(let error): error.cause
    case .limitExceeded(_, let reason): "not plausible: \(reason)"
    case .cannotRead(_, let code): "cannot be read: \(code.words)"
    case .changed: "the file changed while it was read"
    case .outputExists: "already exists"
    case .notAnOutput(_, let reason): "not written: it is \(reason)"
    case .cannotWrite(_, let code): "cannot be written: \(code.words)"
    case .encoderFailed(_, let reason, _): "the encoder failed: \(reason)"
    case .cannotHold(_, let reason, _), .cannotScale(_, let reason, _): reason
    }
  }

  private static func extent(_ expected: Int?, _ found: Int?) -> String {
    guard let expected else {
      return found.map { " after \($0.grouped) frames" } ?? ""
    }
    guard let found else { return ": \(expected.grouped) frames were declared" }
    return ": \(found.grouped) of \(expected.grouped) frames"
  }

  /// True if the error means that no space or no quota is left.
  private static func isFullDisk(_ code: Errno) -> Bool {
    code == .noSpace || code == .diskQuotaExceeded
  }

  /// Temporary errors: no space, quota, I/O, no descriptors, no memory, try again.
  private static let passing: Set<Errno> = [
    .noSpace, .diskQuotaExceeded, .ioError, .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory,
    .resourceTemporarilyUnavailable,
  ]
}

extension Errno {
  /// The system's words for the error, as part of a sentence.
  package var words: String {
    let text = description
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension AudioFileError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
