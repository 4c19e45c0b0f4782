public import SystemPackage

/// Why an audio file could not be read or written; every case names the file.
public enum AudioFileError: Error, Hashable, Sendable {
  /// The file could not be opened.
  case cannotOpen(FilePath, Errno)
  /// The file is not a regular file or a pipe: a folder, a device, a socket.
  case notAFile(FilePath)
  /// The file holds no bytes.
  case empty(FilePath)
  /// The content is in no known audio format.
  case notAudio(FilePath)
  /// The format is known but this file's variant of it is not handled.
  case unsupported(FilePath, reason: String)
  /// The content breaks its format's rules.
  case malformed(FilePath, reason: String)
  /// The audio ends before the length that the file declares; `found` of `expected` frames, where
  /// known.
  case truncated(FilePath, expected: Int?, found: Int?)
  /// A number in the file is beyond what is sensible.
  case limitExceeded(FilePath, reason: String)
  /// Reading failed below the level of the format.
  case cannotRead(FilePath, Errno)
  /// The file was changed while it was read.
  case changed(FilePath)
  /// The output exists already.
  case outputExists(FilePath)
  /// Writing failed below the level of the format: no space, no permission, an I/O error.
  case cannotWrite(FilePath, Errno)
  /// The encoder refused or failed.
  case encoderFailed(FilePath, reason: String)
  /// The target format cannot hold this audio: its layout, rate, channel count or length.
  case cannotHold(FilePath, reason: String, remedy: String?)
}
