internal import AudioIO
internal import SystemPackage

/// Scaled samples in an unnamed file, between the pass that measures their level and the one that stores them.
final class SampleSpool {
  /// Samples in a frame.
  let channelCount: Int
  /// How samples are stored: exactly as the scaler made them.
  private let format: Format
  private let file: FileDescriptor
  private var byteCount: Int64 = 0
  /// Memory for samples on their way to or from the file as `Float`.
  private var narrow: Block?

  /// The type of the samples in the file.
  enum Format {
    case float32, float64

    var byteCount: Int { self == .float32 ? 4 : 8 }
  }

  /// The spool takes at most 1 / this number of the free space: other jobs and the output need some, too.
  private static let partOfFreeSpace: Int64 = 4

  /// A spool for a number of frames; `nil` if the temporary folder has too little space, or if it would need more
  /// than `limit` bytes.
  init?(frameCount: Int, channelCount: Int, as format: Format, limit: Int64) {
    let (samples, overflow) = Int64(frameCount).multipliedReportingOverflow(by: Int64(channelCount))
    let (bytes, tooMany) = samples.multipliedReportingOverflow(by: Int64(format.byteCount))
    guard !overflow, !tooMany, bytes <= limit, let file = try? Spool.makeFile() else { return nil }
    guard bytes <= Spool.freeBytes(of: file) / Self.partOfFreeSpace else {
      try? file.close()
      return nil
    }
    self.file = file
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
      let floats = narrowed(for: block)
      for i in 0..<count { floats[i] = Float(samples[i]) }
      bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(floats)[..<(count * 4)])
    }
    guard (try? file.writeAll(toAbsoluteOffset: byteCount, bytes)) != nil else { return false }
    byteCount += Int64(bytes.count)
    return true
  }

  /// Reads up to `count` samples from an offset in bytes into a block of `Double`; returns their number.
  fileprivate func read(
    _ count: Int, at offset: Int64, into block: Block
  ) throws(AudioFileError) -> Int {
    let width = format.byteCount
    let wanted = Int(min(Int64(count * width), byteCount - offset))
    guard wanted > 0 else { return 0 }
    let memory: UnsafeMutableRawBufferPointer
    let floats = format == .float32 ? narrowed(for: block) : nil
    if let floats {
      memory = UnsafeMutableRawBufferPointer(floats)
    } else {
      memory = UnsafeMutableRawBufferPointer(block.samples(of: Double.self))
    }
    try Spool.read(
      file, at: offset, into: UnsafeMutableRawBufferPointer(rebasing: memory[..<wanted]))
    if let floats {
      let samples = block.samples(of: Double.self)
      for i in 0..<wanted / width { samples[i] = Double(floats[i]) }
    }
    return wanted / width
  }

  private func narrowed(for block: Block) -> UnsafeMutableBufferPointer<Float> {
    let memory = narrow ?? Block(byteCount: block.byteCount / 2)
    narrow = memory
    return memory.samples(of: Float.self)
  }
}

/// Reads the content of a spool, from its start.
final class SpoolReader: BlockReader {
  private let spool: SampleSpool
  private var offset: Int64 = 0

  init(_ spool: SampleSpool) { self.spool = spool }

  func read(into block: Block) throws(AudioFileError) -> Int {
    let room = block.samples(of: Double.self).count
    let count = try spool.read(room - room % spool.channelCount, at: offset, into: block)
    offset += spool.byteCount(of: count)
    return count / spool.channelCount
  }
}

extension SampleSpool {
  /// The number of bytes that samples take in the file.
  fileprivate func byteCount(of samples: Int) -> Int64 { Int64(samples * format.byteCount) }
}
