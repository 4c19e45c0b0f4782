internal import AudioIO
import Glibc
package import SystemPackage

/// A folder of pyramids, named by the identity of their sources; the oldest go when they become too many.
package struct WaveCache: Sendable {
  /// The bytes that all pyramids together may take.
  private static let maximumBytes = 512 << 20
  private static let ending = "wave"

  private let folder: FilePath

  /// The cache in a folder, which is created if it is missing; `nil` if it cannot be.
  package init?(folder: FilePath) {
    UserFolder.make(folder)
    guard FileStatus(path: folder)?.kind == .folder else { return nil }
    self.folder = folder
  }

  /// `$XDG_CACHE_HOME/scaleaudio/waves`, by default below `~/.cache`; `nil` without a home.
  package static var userFolder: FilePath? {
    UserFolder.cache.path?.appending("waves")
  }

  private func path(_ identity: FileIdentity, _ stamp: FileStamp) -> FilePath {
    let numbers = [
      String(identity.device, radix: 36), String(identity.inode, radix: 36),
      String(stamp.size, radix: 36), String(stamp.modified, radix: 36),
    ]
    return folder.appending(numbers.joined(separator: "-") + "." + Self.ending)
  }

  /// The complete pyramid of a source; `nil` if there is none.
  func wave(of identity: FileIdentity, _ stamp: FileStamp) -> Wave? {
    let path = path(identity, stamp)
    guard let file = try? InputFile(path: path),
      let header = try? file.bytes(at: 0, count: WaveLayout.headerByteCount),
      let layout = WaveLayout(header: header), layout.byteCount == file.size,
      layout.header(of: identity, stamp) == header,
      let descriptor = try? file.duplicate()
    else { return nil }
    // The most recently used stays longest.
    futimens(descriptor.rawValue, nil)
    return Wave(layout, in: descriptor, isComplete: true)
  }

  /// A new file for the pyramid of a source.
  func place(for identity: FileIdentity, _ stamp: FileStamp) throws(AudioFileError) -> Place {
    Place(try OutputFile(path: path(identity, stamp)), of: self)
  }

  /// Removes the oldest pyramids until the rest is small enough.
  fileprivate func trim() {
    guard let names = try? FolderListing.names(in: folder) else { return }
    var files = names.compactMap { name -> (path: FilePath, stamp: FileStamp)? in
      let path = folder.appending(name)
      guard path.extension == Self.ending, let status = FileStatus(path: path) else { return nil }
      return (path, status.stamp)
    }
    files.sort { $0.stamp.modified < $1.stamp.modified }
    var total = files.reduce(0) { $0 + $1.stamp.size }
    for file in files where total > Self.maximumBytes {
      _ = file.path.withPlatformString { unlink($0) }
      total -= file.stamp.size
    }
  }
}

extension WaveCache {
  /// A file in which a pyramid grows until it is complete; without a name, it disappears when it is
  /// closed.
  final class Place: @unchecked Sendable {
    private var output: OutputFile?
    private let unnamed: FileDescriptor?
    private let cache: WaveCache?

    fileprivate init(_ output: consuming OutputFile, of cache: WaveCache) {
      self.output = consume output
      unnamed = nil
      self.cache = cache
    }

    /// A file without a name, which this value closes.
    init(unnamed: FileDescriptor) {
      (self.unnamed, cache) = (unnamed, nil)
    }

    deinit { try? unnamed?.close() }

    /// Another descriptor of the file.
    func duplicate() throws(AudioFileError) -> FileDescriptor {
      do {
        if let unnamed { return try unnamed.duplicate() }
        return try output?.descriptor.duplicate() ?? { throw Errno.badFileDescriptor }()
      } catch {
        throw .cannotOpen(cache?.folder ?? "", error as? Errno ?? .ioError)
      }
    }

    /// Gives the complete file its name.
    func publish() throws(AudioFileError) {
      guard let output = output.take() else { return }
      try output.commit(replacing: true, syncing: false)
      cache?.trim()
    }
  }
}

extension WaveLayout {
  /// The layout that a header names; `nil` if it is not valid.
  init?(header: [UInt8]) {
    guard header.count == Self.headerByteCount else { return nil }
    func number(_ offset: Int, _ count: Int) -> Int {
      Int(truncatingIfNeeded: header[offset..<offset + count].littleEndianValue)
    }
    // The sign of 8 bytes is checked with the range.
    self.init(frameCount: number(16, 8), channelCount: number(24, 4), sampleRate: number(28, 4))
  }
}
