internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// An output that writes what it gets into a WAV file of 32-bit floating point, as fast as samples are ready.
///
/// The file appears when the output is drained or closed. If writing fails at closing, that is reported as
/// ``SoundEvent/lost(_:)``.
final class FileOutput: SoundOutput, @unchecked Sendable {
  let spec: AudioSpec
  var name: String { path.string }
  var queuedFrames: Int { 0 }
  var underrunCount: Int { 0 }

  private static let blockFrames = 4096
  /// How often samples are asked for while none is ready.
  private static let pollSeconds = 0.002

  private let monitor = SoundMonitor()
  private let path: FilePath
  private let isReplacing: Bool
  /// Samples in the processor's byte order, until their number is known.
  private let spool: FileDescriptor
  private let block: UnsafeMutableBufferPointer<Float>
  private var thread: SoundThread?
  private var onEvent: @Sendable (SoundEvent) -> Void = { _ in }
  private var frameCount = 0
  private var writtenFrameCount: Int?
  private var failure: SoundError?
  private var isPaused = false
  private var isDraining = false
  private var isClosed = false

  /// An output to a file of this name, which must not exist unless `replacing`.
  init(path: FilePath, spec: AudioSpec, replacing: Bool) throws(SoundError) {
    self.spec = spec
    self.path = path
    isReplacing = replacing
    do throws(AudioFileError) {
      if !replacing, try OutputPlace(path) != .stream, FileStatus(path: path) != nil {
        throw .outputExists(path)
      }
      // A folder that cannot be written is found before anything plays.
      if try OutputPlace(path) != .stream { _ = try OutputFile(path: path) }
      spool = try Spool.makeFile()
    } catch {
      throw SoundError(error)
    }
    block = .allocate(capacity: Self.blockFrames * spec.channelCount)
    block.initialize(repeating: 0)
  }

  deinit {
    block.deallocate()
    try? spool.close()
  }

  func start(
    delivering deliver: @escaping @Sendable (UnsafeMutableBufferPointer<Float>) -> Int,
    onEvent: @escaping @Sendable (SoundEvent) -> Void
  ) throws(SoundError) {
    self.onEvent = onEvent
    guard let thread = SoundThread({ self.run(deliver) }) else { throw .noThread }
    self.thread = thread
  }

  private func run(_ deliver: (UnsafeMutableBufferPointer<Float>) -> Int) {
    monitor.withLock {
      while !isClosed {
        if isPaused || failure != nil {
          monitor.wait()
          continue
        }
        let count = deliver(block)
        keep(count)
        if let failure {
          onEvent(.lost(failure.message))
        } else if count > 0 {
          // Other threads get their turn.
          monitor.wait(seconds: 0)
          continue
        }
        if isDraining {
          isDraining = false
          monitor.wake()
        }
        monitor.wait(seconds: Self.pollSeconds)
      }
    }
  }

  private func keep(_ count: Int) {
    guard count > 0 else { return }
    do {
      try spool.writeAll(
        UnsafeRawBufferPointer(
          UnsafeBufferPointer(rebasing: block[..<(count * spec.channelCount)])))
      frameCount += count
    } catch {
      failure = SoundError(AudioFileError.cannotWrite(path, error as? Errno ?? .ioError))
    }
  }

  func pause() { monitor.withLock { isPaused = true } }

  func resume() {
    monitor.withLock {
      isPaused = false
      monitor.wake()
    }
  }

  func discard() -> Int { 0 }

  func reserve(frames: Double) throws(SoundError) {
    let frameBytes = Double(spec.channelCount * MemoryLayout<Float>.stride)
    let spoolBytes = frames * frameBytes
    // At the end, the file is beside the spool.
    var fileBytes = spoolBytes + Double(monitor.withLock { frameCount }) * frameBytes
    let spoolFolder = Spool.temporaryFolder
    try check(spoolBytes, in: spoolFolder)
    guard case .file(let target)? = try? OutputPlace(path) else { return }
    var folder = target.removingLastComponent()
    if folder.isEmpty { folder = "." }
    if FileIdentity(path: folder)?.device == FileIdentity(path: spoolFolder)?.device {
      fileBytes += spoolBytes
    }
    try check(fileBytes, in: folder)
  }

  private func check(_ bytes: Double, in folder: FilePath) throws(SoundError) {
    guard let free = Spool.freeBytes(in: folder), bytes > Double(free) else { return }
    let needed = Int(min(bytes / 1e9, 1e18).rounded(.up)).grouped
    throw SoundError(
      "\(path): needs \(needed) GB in \(folder), where \((Int(free) / 1_000_000_000).grouped) GB are free",
      remedy: .freeSpace, isWorthRetrying: true)
  }

  func drain() throws(SoundError) {
    try monitor.withLock { () throws(SoundError) in
      if thread != nil, !isPaused, failure == nil {
        isDraining = true
        monitor.wake()
        while isDraining { monitor.wait() }
      }
      if let failure { throw failure }
      try finish()
    }
  }

  func close() {
    monitor.withLock {
      isClosed = true
      monitor.wake()
    }
    thread?.join()
    thread = nil
    monitor.withLock {
      // A run that ends before its first frame leaves no file.
      guard failure == nil, frameCount > 0 else { return }
      do throws(SoundError) {
        try finish()
      } catch {
        onEvent(.lost(error.message))
      }
    }
  }

  /// Writes the file with what is there, unless it has that already.
  private func finish() throws(SoundError) {
    guard writtenFrameCount != frameCount else { return }
    do throws(AudioFileError) {
      try write()
    } catch {
      let error = SoundError(error)
      failure = error
      throw error
    }
    writtenFrameCount = frameCount
  }

  private func write() throws(AudioFileError) {
    guard let wav = AudioFormat.named("wav") else { return }
    let format = wav.largeForm(for: spec, frameCount: frameCount, sampleFormat: .float32)
    let file = try OutputFile(path: path)
    let writer = try AudioFile.writer(
      to: file,
      as: OutputDescription(
        spec: spec, frameCount: frameCount, format: format, options: EncodingOptions(),
        metadata: Metadata(), sourceBitRate: nil, sampleFormat: .float32))
    var done = 0
    while done < frameCount {
      let count = min(Self.blockFrames, frameCount - done)
      let samples = UnsafeMutableBufferPointer(rebasing: block[..<(count * spec.channelCount)])
      let offset = Int64(done) * Int64(spec.channelCount * MemoryLayout<Float>.stride)
      try Spool.read(spool, at: offset, into: UnsafeMutableRawBufferPointer(samples))
      try writer.write(Span(_unsafeElements: UnsafeBufferPointer(samples)))
      done += count
    }
    try writer.finish()
    // This output's own file grows.
    try file.commit(replacing: isReplacing || writtenFrameCount != nil)
  }
}

extension SoundError {
  init(_ error: AudioFileError) {
    self.init(error.message, remedy: error.remedy, isWorthRetrying: error.isWorthRetrying)
  }
}
