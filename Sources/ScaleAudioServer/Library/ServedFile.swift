internal import AudioFiles
internal import AudioIO
internal import ScaleAudio
internal import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension FileLibrary.File {
  /// Opens the file for reading, component by component below its root: no symbolic link is followed, so that none
  /// leads out of what is served.
  func opened() throws(AudioFileError) -> InputFile {
    var folder: FileDescriptor
    do {
      folder = try FileDescriptor.open(root, .readOnly, options: [.directory, .closeOnExec])
    } catch {
      throw .cannotOpen(root, error as? Errno ?? .ioError)
    }
    defer { try? folder.close() }
    for component in relativePath.removingLastComponent().components {
      let next = try step(component, in: folder, O_DIRECTORY)
      try? folder.close()
      folder = next
    }
    guard let name = relativePath.lastComponent else { throw .notAFile(path) }
    // Without O_NONBLOCK, opening a FIFO would wait for a writer.
    return try InputFile(descriptor: step(name, in: folder, O_NONBLOCK), path: path)
  }

  /// Why a conversion, which opens the file by its path, might read something else: a symbolic link took its place.
  var linkError: AudioFileError? {
    do throws(AudioFileError) {
      _ = try opened()
      return nil
    } catch {
      guard case .cannotOpen(_, let cause) = error,
        cause == .tooManySymbolicLinkLevels || cause == .notDirectory
      else { return nil }
      return error
    }
  }

  private func step(
    _ name: FilePath.Component, in folder: FileDescriptor, _ flags: Int32
  ) throws(AudioFileError) -> FileDescriptor {
    guard name.kind == .regular else { throw .notAFile(path) }
    let descriptor = FilePath(root: nil, [name]).withPlatformString {
      openat(folder.rawValue, $0, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags)
    }
    guard descriptor >= 0 else { throw .cannotOpen(path, Errno(rawValue: errno)) }
    return FileDescriptor(rawValue: descriptor)
  }

  /// A reader of the audio that can be decoded: of a damaged file, up to the damage.
  func reader() throws(AudioFileError) -> any AudioFileReader {
    let file = try opened()
    guard file.isRegular else { throw .notAFile(path) }
    do throws(AudioFileError) {
      return try AudioFile.reader(for: file, salvaging: false)
    } catch {
      guard error.isDamage else { throw error }
      return try AudioFile.reader(for: file, salvaging: true)
    }
  }
}

extension InputFile {
  /// Whether it is a file: a pipe has no stamp.
  fileprivate var isRegular: Bool { stamp != nil }
}
