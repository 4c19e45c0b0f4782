internal import AudioFiles
internal import AudioIO
internal import Dispatch
internal import ScaleAudio
package import SystemPackage

/// The served files, by opaque ids that stay valid while the server runs.
package final class FileLibrary: Sendable {
  /// A file on offer.
  struct File: Hashable, Sendable {
    let id: String
    /// The folder beneath which it is opened, and its path below that.
    let root: FilePath
    let relativePath: FilePath
    /// The size in bytes when it was found.
    let size: Int
    /// Nanoseconds since 1970.
    let modified: Int64

    var path: FilePath { root.appending(relativePath.components) }
    /// The folder as it is shown: the root's own name, and what lies below it.
    var shownFolder: String {
      let base = root.lastComponent.map { FilePath(root: nil, [$0]) } ?? root
      return base.appending(relativePath.removingLastComponent().components).printable
    }
    var name: String {
      relativePath.lastComponent.map { FilePath(root: nil, [$0]).printable } ?? ""
    }
  }

  private struct State {
    /// The files as the last walk found them, in order.
    var listed: [File] = []
    /// All files that have an id; results of conversions are here before a walk has found them.
    var files: [String: File] = [:]
    var ids: [FilePath: String] = [:]
    var problems: [AudioFileError] = []
    var revision = 0
    var isWalking = false
    /// True if something may have changed since the current walk began.
    var isStale = false
    /// Flags: a walk has ended; another will begin soon.
    var hasWalked = false
    var isDue = false
    /// Notices changes, from the first walk on; `nil` where the system cannot.
    var watcher: FolderWatcher?
    var isNewsDue = false
    var lastNews = DispatchTime(uptimeNanoseconds: 0)

    mutating func file(_ root: FilePath, _ relativePath: FilePath, size: Int, modified: Int64)
      -> File
    {
      let path = root.appending(relativePath.components)
      let id = ids[path] ?? "f\(ids.count + 1)"
      let file = File(
        id: id, root: root, relativePath: relativePath, size: size, modified: modified)
      (ids[path], files[id]) = (id, file)
      return file
    }
  }

  /// The served folders.
  package let roots: [FilePath]
  private let walker: FileWalker
  private let cancellation: Cancellation
  private let state = Locked(State())
  /// Entered until the first walk has ended.
  private let firstWalk = DispatchGroup()
  private let queue = DispatchQueue(label: "scaleaudio.library", qos: .userInitiated)
  /// Called with the revision when the list has changed.
  private let onChange: @Sendable (Int) -> Void

  /// The audio files in these folders, found on a thread of its own.
  init(
    _ roots: [FilePath], walker: FileWalker = FileWalker(), cancellation: Cancellation,
    onChange: @escaping @Sendable (Int) -> Void
  ) {
    self.roots = roots
    self.walker = walker
    self.cancellation = cancellation
    self.onChange = onChange
    firstWalk.enter()
    walk()
  }

  /// Waits a moment for the first walk, so that a page that opens at once has no empty list first.
  func waitForFirstWalk() { _ = firstWalk.wait(timeout: .now() + .milliseconds(250)) }

  /// The list as it is now.
  var listing: (revision: Int, isScanning: Bool, files: [File], problems: [AudioFileError]) {
    state.withLock { state in
      (
        state.revision, state.isWalking && state.revision == 0,
        state.listed.map { state.files[$0.id] ?? $0 }, state.problems
      )
    }
  }

  func file(_ id: String) -> File? { state.withLock { $0.files[id] } }

  /// The id of a file in a served folder, or below another folder of outputs; `nil` if there was none.
  func register(_ path: FilePath, below folder: FilePath?) -> String? {
    guard let status = FileStatus(path: path, followingLinks: false), status.kind == .file else {
      // A file that has taken its place is refused when it is opened.
      return state.withLock { $0.ids[path] }
    }
    let root = path.deepest(of: roots + [folder].compactMap(\.self))
    var relativePath = path
    guard let root, relativePath.removePrefix(root) else { return nil }
    return state.withLock { state in
      state.file(root, relativePath, size: status.stamp.size, modified: status.stamp.modified).id
    }
  }

  /// Walks the folders again, a moment after the last walk: a page asks as soon as it opens, and its rows come first.
  func refresh() {
    let isNew = state.withLock { state in
      defer { state.isDue = true }
      return !state.isDue
    }
    guard isNew else { return }
    queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
      self?.state.withLock { $0.isDue = false }
      self?.walk()
    }
  }

  /// Walks the folders again, after what is under way.
  func walk() {
    let begins = state.withLock { state in
      defer { state.isWalking = true }
      if state.isWalking { state.isStale = true }
      return !state.isWalking
    }
    if begins { queue.async { self.walkNow() } }
  }

  private func walkNow() {
    var found: [(root: FilePath, file: FileWalker.FoundFile)] = []
    var problems: [AudioFileError] = []
    for root in roots {
      let findings = walker.walk(root, cancellation: cancellation)
      found += findings.files.map { (root, $0) }
      problems += findings.problems
    }
    if cancellation.isCancelled { return leaveFirstWalk() }
    let (revision, isStale) = state.withLock { state in
      let files = found.map {
        state.file(
          $0.root, $0.file.relativePath, size: $0.file.size, modified: $0.file.stamp.modified)
      }
      // Not compared with what is known by now: a plan may have met a change before.
      let isChanged =
        state.revision == 0 || files != state.listed || problems != state.problems
      (state.listed, state.problems) = (files, problems)
      if isChanged { state.revision += 1 }
      let isStale = state.isStale
      (state.isWalking, state.isStale) = (isStale, false)
      return (isChanged ? state.revision : nil, isStale)
    }
    leaveFirstWalk()
    if let revision { onChange(revision) }
    if isStale { queue.async { self.walkNow() } }
  }

  private func leaveFirstWalk() {
    let isFirst = state.withLock { state in
      defer { state.hasWalked = true }
      return !state.hasWalked
    }
    guard isFirst else { return }
    firstWalk.leave()
    if cancellation.isCancelled { return }
    let watcher = FolderWatcher(roots) { [weak self] in self?.hearOfChange() }
    state.withLock { $0.watcher = watcher }
  }

  /// Walks again soon after the first of several changes, and every two seconds while more follow.
  private func hearOfChange() {
    let begin = state.withLock { state -> DispatchTime? in
      if state.isNewsDue { return nil }
      state.isNewsDue = true
      return max(.now() + .milliseconds(200), state.lastNews + .seconds(2))
    }
    guard let begin else { return }
    queue.asyncAfter(deadline: begin) { [weak self] in
      self?.state.withLock { state in
        state.isNewsDue = false
        state.lastNews = .now()
      }
      self?.walk()
    }
  }
}

extension FileLibrary.File {
  /// Opens the file for reading; no symbolic link below its root is followed, and a pipe in its place is refused.
  func opened() throws(AudioFileError) -> InputFile {
    try InputFile(path: path, beneath: [root], refusesPipes: true)
  }

  /// A reader of the audio that can be decoded: of a damaged file, up to the damage.
  ///
  /// - Parameter seeksNearby: False where frames must not depend on where reading began; see ``ReadingOptions``.
  func reader(seeksNearby: Bool = true) throws(AudioFileError) -> any FrameStream {
    let file = try opened()
    guard file.isRegular else { throw .notAFile(path) }
    do throws(AudioFileError) {
      return try AudioFile.reader(for: file, salvaging: false, seeksNearby: seeksNearby)
    } catch {
      guard error.isDamage else { throw error }
      return try AudioFile.reader(for: file, salvaging: true, seeksNearby: seeksNearby)
    }
  }
}

extension InputFile {
  /// True if it is a regular file: a pipe has no stamp.
  fileprivate var isRegular: Bool { stamp != nil }
}
