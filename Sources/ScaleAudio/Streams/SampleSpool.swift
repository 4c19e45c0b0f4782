internal import AudioIO
internal import SystemPackage

/// Scaled samples in an unnamed file, kept from the pass that measures their level for the pass that stores them.
final class SampleSpool {
  /// Samples in a frame.
  let channelCount: Int
  /// How samples are stored: exactly as the scaler made them.
  private let format: Format
  private let file: FileDescriptor
  private var byteCount: Int64 = 0
  /// The description of the samples.
  fileprivate let source: SourceDescription
  /// Memory for samples on their way to or from the file as `Float`.
  private var narrow: Block?

  /// The type of the samples in the file.
  enum Format {
    case float32, float64

    var byteCount: Int { self == .float32 ? 4 : 8 }
  }

  /// The spool takes at most 1 / this number of the free space: other jobs and the output need some, too.
  private static let partOfFreeSpace: Int64 = 4

  /// A spool for the frames of a source; `nil` if the temporary folder has too little space, or if it would need more
  /// than `limit` bytes.
  init?(_ source: SourceDescription, as format: Format, limit: Int64) {
    let channelCount = source.spec.channelCount
    let (samples, overflow) = Int64(source.frameCount).multipliedReportingOverflow(
      by: Int64(channelCount))
    let (bytes, tooMany) = samples.multipliedReportingOverflow(by: Int64(format.byteCount))
    guard !overflow, !tooMany, bytes <= limit, let file = try? Spool.makeFile() else { return nil }
    guard bytes <= Spool.freeBytes(of: file) / Self.partOfFreeSpace else {
      try? file.close()
      return nil
    }
    self.file = file
    self.source = source
    self.channelCount = channelCount
    self.format = format
  }

  deinit { try? file.close() }

  /// Adds the frames of a block of `Double`; `false` if the file system has no room for them.
  func append(_ block: Block) -> Bool {
    let count = block.frameCount * channelCount
    let samples = block.samples(of: Double.self)
    var bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(samples)[..<(count * 8)])
    if format == .float32 {
      let floats = narrowed(count)
      for i in 0..<count { floats[i] = Float(samples[i]) }
      bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(floats)[..<(count * 4)])
    }
    guard (try? file.writeAll(toAbsoluteOffset: byteCount, bytes)) != nil else { return false }
    byteCount += Int64(bytes.count)
    return true
  }

  /// Reads up to `count` samples from an index on into a buffer of `Double`; returns their number.
  fileprivate func read(
    _ count: Int, at first: Int, into buffer: FrameBuffer
  ) throws(AudioFileError) -> Int {
    let width = format.byteCount
    let offset = Int64(first) * Int64(width)
    let wanted = Int(min(Int64(count) * Int64(width), byteCount - offset))
    guard wanted > 0 else { return 0 }
    let floats = format == .float32 ? narrowed(wanted / width) : nil
    let memory = floats.map { UnsafeMutableRawBufferPointer($0) } ?? buffer.memory
    try Spool.read(
      file, at: offset, into: UnsafeMutableRawBufferPointer(rebasing: memory[..<wanted]))
    if let floats {
      buffer.withSamples(of: Double.self) { samples in
        for i in 0..<wanted / width { samples[i] = Double(floats[i]) }
      }
    }
    return wanted / width
  }

  private func narrowed(_ sampleCount: Int) -> UnsafeMutableBufferPointer<Float> {
    var memory = narrow ?? Block(.float32, sampleCount: sampleCount)
    if memory.buffer.sampleCount < sampleCount {
      memory = Block(.float32, sampleCount: sampleCount)
    }
    narrow = memory
    return memory.samples(of: Float.self)
  }
}

/// The samples of a spool, as `Double`.
final class SpoolStream: FrameStream {
  private let spool: SampleSpool
  /// The next frame.
  private var position = 0

  init(_ spool: SampleSpool) { self.spool = spool }

  var source: SourceDescription { spool.source }
  var seeking: Seeking { .direct }

  func seek(toFrame frame: Int) { position = frame }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    let channels = spool.channelCount
    let room = buffer.sampleCount / channels * channels
    let frames = try spool.read(room, at: position * channels, into: buffer) / channels
    position += frames
    return frames
  }
}
