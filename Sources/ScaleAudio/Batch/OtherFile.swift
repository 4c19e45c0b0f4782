public import AudioIO
import Glibc
public import SystemPackage

/// A file of a walked folder that is no audio, such as a cover or notes, and its copies in the folders of the outputs.
public struct OtherFile: Hashable, Sendable {
  /// The file.
  public let source: FilePath
  /// Bytes.
  public let size: Int
  /// Its copies: one in each folder that mirrors the walked one.
  public let copies: [FilePath]

  /// The outcome of copying.
  public enum Outcome: Hashable, Sendable {
    /// Copied, with its modification time.
    case copied
    /// A copy with the same content was there.
    case unchanged
    /// It has times that a copy would not have scaled: text beside a file of audio.
    case timed
  }

  /// True if it is a text with times beside a file of audio, which ``FilePolicy/scalesSidecars`` scales.
  public var isTimed: Bool { SidecarName.isTimed(source) }

  /// Copies the file, unless it has times.
  ///
  /// An existing copy with another content is an error, unless the policy replaces or skips it, or `resumes` is true and
  /// the file has changed since, which its later modification time shows.
  public func copy(_ files: FilePolicy, resumes: Bool = false) throws(AudioFileError) -> Outcome {
    if isTimed { return .timed }
    var outcome = Outcome.unchanged
    for copy in copies {
      var policy = files
      if resumes, isNewer(than: copy) { policy.existing = .replace }
      if try write(copy, policy) { outcome = .copied }
    }
    return outcome
  }

  /// The outcome of ``copy(_:resumes:)`` by the names and times of files alone; `nil` if it would fail.
  public func foreseen(_ files: FilePolicy, resumes: Bool = false) -> Outcome? {
    if isTimed { return .timed }
    var outcome = Outcome.unchanged
    for copy in copies where FileIdentity(path: copy) != FileIdentity(path: source) {
      if FileStatus(path: copy, followingLinks: false) == nil || files.existing == .replace
        || resumes && isNewer(than: copy)
      {
        outcome = .copied
      } else if files.existing == .refuse, (try? isSame(copy)) != true {
        return nil
      }
    }
    return outcome
  }

  /// True if the file was modified after a copy, which has the time of the file that was copied.
  private func isNewer(than copy: FilePath) -> Bool {
    guard let own = FileStatus(path: source)?.stamp,
      let other = FileStatus(path: copy, followingLinks: false), other.kind == .file
    else { return false }
    return own.modified > other.stamp.modified
  }

  /// Returns false if the copy was there.
  private func write(_ copy: FilePath, _ files: FilePolicy) throws(AudioFileError) -> Bool {
    if FileIdentity(path: copy) == FileIdentity(path: source) { return false }
    if FileStatus(path: copy, followingLinks: false) != nil, files.existing != .replace {
      if files.existing == .skip { return false }
      guard try isSame(copy) else { throw .outputExists(copy) }
      return false
    }
    let folders = CreatedFolders()
    do throws(AudioFileError) {
      let input = try FileDescriptor.reading(source)
      defer { try? input.close() }
      let output = try ConversionOutput.file(copy).created(
        in: folders, beneath: files.outputRoots, Cancellation())
      var block = [UInt8](repeating: 0, count: 1 << 16)
      var offset: Int64 = 0
      while true {
        let count = pread(input.rawValue, &block, block.count, off_t(offset))
        if count < 0 {
          if errno == EINTR { continue }
          throw .cannotRead(source, Errno(rawValue: errno))
        }
        if count == 0 { break }
        do {
          try output.descriptor.writeAll(toAbsoluteOffset: offset, block[..<count])
        } catch {
          throw .cannotWrite(copy, error as? Errno ?? .ioError)
        }
        offset += Int64(count)
      }
      var status = stat()
      if fstat(input.rawValue, &status) == 0 {
        var times = [status.st_atim, status.st_mtim]
        _ = futimens(output.descriptor.rawValue, &times)
      }
      try output.commit(
        replacing: files.existing == .replace, keepingReplaced: files.keepsReplaced,
        syncing: files.syncsOutput)
      return true
    } catch {
      folders.removeEmpty()
      throw error
    }
  }

  private func isSame(_ copy: FilePath) throws(AudioFileError) -> Bool {
    guard FileStatus(path: copy)?.stamp.size == size else { return false }
    return try FileChecksum.of(copy) == FileChecksum.of(source)
  }
}
