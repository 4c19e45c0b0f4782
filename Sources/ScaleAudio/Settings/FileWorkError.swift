public import AudioIO
public import AudioModel
public import SystemPackage

/// An error of the work on one file.
public protocol FileWorkError: ErrorWithRemedy, Hashable, Sendable, CustomStringConvertible {
  /// The input or output file is at fault.
  static func file(_ error: AudioFileError) -> Self
  /// The output would replace the input itself.
  static func inPlace(_ path: FilePath) -> Self
  /// The work was asked to stop.
  static var cancelled: Self { get }

  /// The underlying error of a file; `nil` if there is none.
  var fileError: AudioFileError? { get }
  /// The file at fault; `nil` if none is.
  var path: FilePath? { get }
  /// The kind of error for programs: lowercase words joined by hyphens, the same in every version.
  var errorClass: String { get }
}

extension FileWorkError {
  /// One line: the file's name and the cause.
  public var message: String {
    path.map { "\($0.printable): \(cause)" } ?? cause
  }

  /// The ``message``.
  public var description: String { message }

  /// True if the same work may succeed later, because the machine was at fault, not the file.
  public var isWorthRetrying: Bool { fileError?.isWorthRetrying ?? false }

  /// Runs work on files; its errors become errors of this type.
  package static func files<Result: ~Copyable>(
    _ work: @autoclosure () throws(AudioFileError) -> Result
  ) throws(Self) -> Result {
    try lifting(Self.file, work)
  }
}

/// Runs work; its errors become those that `lift` makes of them.
package func lifting<Result: ~Copyable, Cause: Error, Lifted: Error>(
  _ lift: (Cause) -> Lifted, _ work: () throws(Cause) -> Result
) throws(Lifted) -> Result {
  do throws(Cause) {
    return try work()
  } catch {
    throw lift(error)
  }
}
