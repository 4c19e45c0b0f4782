internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// The audio of a Vorbis file in order, a block at a time.
///
/// Strict, it throws at damage. Salvaging, it goes on after damage and tells how much silence keeps the
/// time of what follows.
final class VorbisBlockSource: BlockSource {
  let decoder: VorbisDecoder
  /// Samples delivered so far that were beyond full scale and had to be clamped.
  private(set) var clipping = Clipping()
  /// Samples delivered so far that were no finite numbers.
  private(set) var nonFiniteSamples = 0
  /// The block's frames, interleaved.
  private var block: [Float] = []
  /// Frames that were decoded.
  private(set) var decodedFrames = 0
  /// Frames of silence in place of missing ones, when salvaging.
  private(set) var silentFrames = 0
  /// Whether anything was found wrong, when salvaging.
  private(set) var isDamaged = false

  private let path: FilePath
  private let channelCount: Int
  private let sampleRate: Int
  private let salvaging: Bool
  /// The position that the next frame should have.
  private var nextPosition: Int
  /// The position after what was decoded last, as libvorbisfile tells it.
  private var runningPosition = 0
  /// Whether the next packet is the first after a hole.
  private var followsHole = false
  private var damageCount = 0
  private var hasEnded = false

  /// Frames that are asked of libvorbisfile at a time.
  private static let framesAtATime = 4096
  /// Samples that may wait for the position of the first of them.
  private static let mostHeldSamples = 1 << 20
  /// Beyond so many pieces of damage the rest is given up.
  private static let mostDamage = 10_000
  /// Positions can lie; beyond this much silence in all, in seconds, gaps are closed instead.
  private static let mostSilence = 600

  /// A source whose first block comes after `leadingFrames` frames that are lost.
  init(
    _ decoder: VorbisDecoder, spec: AudioSpec, salvaging: Bool, leadingFrames: Int, path: FilePath
  ) {
    self.decoder = decoder
    channelCount = spec.channelCount
    sampleRate = spec.sampleRate
    self.salvaging = salvaging
    self.path = path
    nextPosition = -leadingFrames
  }

  /// Decodes the next block.
  ///
  /// Returns the frames of silence that belong before it, or `nil` at the end.
  func next() throws(AudioFileError) -> Int? {
    block.removeAll(keepingCapacity: true)
    // After a hole libvorbisfile knows the position only from the end of a page on; what comes before
    // is held until then.
    var isHolding = false
    while !hasEnded {
      switch try decoder.decode(atMost: Self.framesAtATime) {
      case .damage:
        guard salvaging else {
          throw .malformed(
            path, reason: "damaged or missing Ogg pages at frame \(decodedFrames)")
        }
        isDamaged = true
        isHolding = true
        followsHole = true
        damageCount += 1
        if damageCount > Self.mostDamage { hasEnded = true }
      case .frames(let channels, let count, let position):
        let isPlaced = !isHolding || position != runningPosition
        runningPosition = position + count
        // libvorbis laps the first packet after a hole over the last one before it.
        if followsHole {
          followsHole = false
          if isPlaced { isHolding = false }
          continue
        }
        let start = position - blockFrameCount
        append(channels, count: count)
        if isPlaced || block.count > Self.mostHeldSamples { return deliver(from: start) }
      case .end:
        hasEnded = true
        if isHolding { return deliverLast() }
      }
    }
    return block.isEmpty ? nil : deliver(from: nextPosition)
  }

  var blockFrameCount: Int { block.count / channelCount }

  @specialized(where Sample == Int8)
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  func interleave<Sample: PCMSample>(
    from first: Int, count: Int, into buffer: inout MutableSpan<Sample>, at start: Int
  ) {
    let samples = block
    var (clipping, nonFinite) = (clipping, nonFiniteSamples)
    let shift = (first - start) * channelCount
    for index in start * channelCount..<(start + count) * channelCount {
      buffer[index] = Sample(
        decoded: Double(samples[index + shift]), clipping: &clipping, nonFinite: &nonFinite)
    }
    (self.clipping, nonFiniteSamples) = (clipping, nonFinite)
  }

  private func append(_ channels: UnsafePointer<UnsafeMutablePointer<Float>?>, count: Int) {
    let start = block.count
    block.append(contentsOf: repeatElement(0, count: count * channelCount))
    for channel in 0..<channelCount {
      guard let plane = channels[channel] else { continue }
      var target = start + channel
      for frame in 0..<count {
        block[target] = plane[frame]
        target += channelCount
      }
    }
  }

  /// Counts the block, which begins at `position`, and returns the silence before it.
  private func deliver(from position: Int) -> Int {
    let missing = position.subtractingReportingOverflow(nextPosition).partialValue
    var silence = 0
    if salvaging, missing != 0 {
      isDamaged = true
      if missing > 0, missing <= Self.mostSilence * sampleRate - silentFrames {
        silence = missing
      }
    }
    silentFrames += silence
    decodedFrames += blockFrameCount
    nextPosition = position &+ blockFrameCount
    return silence
  }

  /// Counts what was held when the end came: it ends where the file does.
  private func deliverLast() -> Int? {
    guard !block.isEmpty else { return nil }
    guard let total = decoder.declaredFrames, total >= nextPosition else {
      return deliver(from: nextPosition)
    }
    let excess = max(0, blockFrameCount - (total - nextPosition))
    block.removeLast(excess * channelCount)
    return deliver(from: total - blockFrameCount)
  }
}
