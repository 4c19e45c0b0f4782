internal import AudioFiles
internal import AudioIO
internal import SystemPackage

extension FileLibrary.File {
  /// Opens the file for reading; no symbolic link below its root is followed.
  func opened() throws(AudioFileError) -> InputFile { try InputFile(path: path, beneath: [root]) }

  /// A reader of the audio that can be decoded: of a damaged file, up to the damage.
  func reader() throws(AudioFileError) -> any FrameStream {
    let file = try opened()
    guard file.isRegular else { throw .notAFile(path) }
    do throws(AudioFileError) {
      return try AudioFile.reader(for: file, salvaging: false, seeksNearby: true)
    } catch {
      guard error.isDamage else { throw error }
      return try AudioFile.reader(for: file, salvaging: true, seeksNearby: true)
    }
  }
}

extension InputFile {
  /// True if it is a regular file: a pipe has no stamp.
  fileprivate var isRegular: Bool { stamp != nil }
}
