internal import AudioIO
internal import Dispatch
internal import Glibc
internal import SystemPackage

/// Notices that files appear, change and go in folders and those below them.
///
/// Nothing is noticed in folders that the system cannot watch. Hidden folders and those behind symbolic links are
/// left out, as the list leaves them out.
///
/// Source: inotify(7).
final class FolderWatcher: @unchecked Sendable {
  /// Folders that are watched at most; the system has a limit of its own.
  private static let maximumFolders = 20_000
  private static let events = UInt32(
    IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ONLYDIR)

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "scaleaudio.watcher", qos: .utility)
  private let roots: [FilePath]
  private let onChange: @Sendable () -> Void
  /// The watched folders by the numbers of their watches; used on the queue only.
  private var folders: [Int32: FilePath] = [:]
  private var source: (any DispatchSourceRead)?

  /// Watches folders; `onChange` is called on a thread of its own for each group of changes. `nil` where the system
  /// cannot watch.
  init?(_ roots: [FilePath], onChange: @escaping @Sendable () -> Void) {
    descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
    (self.roots, self.onChange) = (roots, onChange)
    if descriptor < 0 { return nil }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    let opened = descriptor
    source.setEventHandler { [weak self] in self?.take() }
    source.setCancelHandler { close(opened) }
    self.source = source
    source.resume()
    queue.async { [weak self] in
      self?.watchRoots()
      // Changes before the watches were there are found by another walk.
      onChange()
    }
  }

  deinit { source?.cancel() }

  private func watchRoots() {
    for root in roots { watch(root, isRoot: true) }
  }

  /// Watches a folder and those below it.
  private func watch(_ root: FilePath, isRoot: Bool) {
    var waiting = [(path: root, flags: isRoot ? 0 : UInt32(IN_DONT_FOLLOW))]
    while let (path, flags) = waiting.popLast(), folders.count < Self.maximumFolders {
      let number = path.withPlatformString {
        inotify_add_watch(descriptor, $0, Self.events | flags)
      }
      if number < 0 { continue }
      folders[number] = path
      guard let names = try? FolderListing.names(in: path) else { continue }
      for name in names where !name.string.hasPrefix(".") {
        let inner = path.appending(name)
        guard FileStatus(path: inner, followingLinks: false)?.kind == .folder else { continue }
        waiting.append((inner, UInt32(IN_DONT_FOLLOW)))
      }
    }
  }

  /// Takes the events that have arrived.
  private func take() {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var isChange = false
    while case let count = read(descriptor, &bytes, bytes.count), count > 0 {
      var rest = bytes[..<count]
      while rest.count >= MemoryLayout<inotify_event>.size {
        let event = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
        let name = rest.dropFirst(MemoryLayout<inotify_event>.size).prefix(Int(event.len))
        rest = rest.dropFirst(MemoryLayout<inotify_event>.size + Int(event.len))
        isChange = take(event, name.prefix { $0 != 0 }) || isChange
      }
    }
    if isChange { onChange() }
  }

  /// Takes one event with the name that it has; returns whether something visible may have changed.
  private func take(_ event: inotify_event, _ name: ArraySlice<UInt8>) -> Bool {
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
      // New folders may be among the events that were lost.
      watchRoots()
      return true
    }
    if event.mask & UInt32(IN_IGNORED) != 0 {
      folders[event.wd] = nil
      return false
    }
    if name.first == UInt8(ascii: ".") { return false }
    let isNew = event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0
    if isNew, event.mask & UInt32(IN_ISDIR) != 0, let folder = folders[event.wd] {
      watch(FilePath(bytes: folder.bytes + [UInt8(ascii: "/")] + name), isRoot: false)
    }
    return true
  }
}
