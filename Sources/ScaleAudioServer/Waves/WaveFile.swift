internal import AudioIO
import Glibc
internal import SystemPackage

/// The positions of a pyramid's levels in its file.
///
/// A pixel of level 0 has 256 frames, and one of each further level four pixels of the level before; the last level
/// has one pixel. After a header of 64 bytes the levels follow each other, each pixel with a record for each channel.
struct WaveLayout: Hashable, Sendable {
  static let framesPerPixel = 256
  static let headerByteCount = 64

  let frameCount: Int
  let channelCount: Int
  let sampleRate: Int
  /// The pixels of each level.
  let pixels: [Int]
  /// The start of each level in the file, in bytes.
  let offsets: [Int]
  let byteCount: Int

  /// The layout for so many frames; `nil` if the levels would not fit into a file.
  init?(frameCount: Int, channelCount: Int, sampleRate: Int) {
    guard frameCount >= 0, channelCount > 0, frameCount < 1 << 48, channelCount < 1 << 10 else {
      return nil
    }
    (self.frameCount, self.channelCount, self.sampleRate) = (frameCount, channelCount, sampleRate)
    var count = (frameCount + Self.framesPerPixel - 1) / Self.framesPerPixel
    var (pixels, offsets, offset) = ([count], [Self.headerByteCount], Self.headerByteCount)
    while true {
      offset += count * channelCount * PixelLevels.byteCount
      if count <= 1 { break }
      count = (count + PixelGatherer.pixelsPerPixel - 1) / PixelGatherer.pixelsPerPixel
      pixels.append(count)
      offsets.append(offset)
    }
    (self.pixels, self.offsets, byteCount) = (pixels, offsets, offset)
  }

  var bytesPerPixel: Int { channelCount * PixelLevels.byteCount }

  /// The header of a complete file about a source.
  func header(of identity: FileIdentity, _ stamp: FileStamp) -> [UInt8] {
    var writer = ByteWriter(isBigEndian: false)
    writer.append("scaleaudio wave1")
    writer.append64(frameCount)
    writer.append32(channelCount)
    writer.append32(sampleRate)
    writer.append(identity.device)
    writer.append(identity.inode)
    writer.append64(stamp.size)
    writer.append(stamp.modified)
    return writer.bytes
  }
}

/// The pyramid of one source, as far as it is made.
final class Wave: Sendable {
  /// How far a pyramid is made.
  struct State: Sendable {
    /// The pixels of each level that are ready.
    var ready: [Int]
    /// True if no more will follow, because all is made or the source is damaged.
    var isEnded: Bool
  }

  let layout: WaveLayout
  private let descriptor: FileDescriptor
  private let state: Locked<State>

  /// A pyramid in a file that this value closes.
  init(_ layout: WaveLayout, in descriptor: FileDescriptor, isComplete: Bool) {
    self.layout = layout
    self.descriptor = descriptor
    state = Locked(
      State(
        ready: isComplete ? layout.pixels : layout.pixels.map { _ in 0 }, isEnded: isComplete))
  }

  deinit { try? descriptor.close() }

  /// The pixels of a level that are ready.
  func ready(_ level: Int) -> Int { state.withLock { $0.ready[level] } }
  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Reads records of pixels that are ready.
  func records(level: Int, _ pixels: Range<Int>) throws(AudioFileError) -> [UInt8] {
    let pixels = pixels.clamped(to: 0..<ready(level))
    var bytes = [UInt8](repeating: 0, count: pixels.count * layout.bytesPerPixel)
    let offset = layout.offsets[level] + pixels.lowerBound * layout.bytesPerPixel
    var result: Result<Void, AudioFileError> = .success(())
    bytes.withUnsafeMutableBytes { memory in
      result = Result { () throws(AudioFileError) in
        try Spool.read(descriptor, at: Int64(offset), into: memory)
      }
    }
    try result.get()
    return bytes
  }

  /// Writes records of pixels from one on, which are not ready yet.
  func write(_ bytes: [UInt8], level: Int, from pixel: Int) throws(Errno) {
    try write(bytes, at: layout.offsets[level] + pixel * layout.bytesPerPixel)
  }

  /// Writes the header, which makes the file complete.
  func writeHeader(_ bytes: [UInt8]) throws(Errno) { try write(bytes, at: 0) }

  private func write(_ bytes: [UInt8], at offset: Int) throws(Errno) {
    do {
      try descriptor.writeAll(toAbsoluteOffset: Int64(offset), bytes)
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Notes that the first pixels of levels are written.
  func setReady(_ ready: [Int]) { state.withLock { $0.ready = ready } }

  func end() { state.withLock { $0.isEnded = true } }
}
