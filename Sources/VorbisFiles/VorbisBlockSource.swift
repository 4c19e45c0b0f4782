internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// The audio of a Vorbis file in order, one block at a time.
///
/// In strict mode it throws at damage. In salvaging mode it continues after damage and returns how
/// many frames of silence keep the following audio in time.
final class VorbisBlockSource: BlockSource {
  private var decoder: VorbisDecoder
  /// Samples delivered so far that exceeded full scale and were clamped.
  private(set) var clipping = Clipping()
  /// Samples delivered so far that were not finite.
  private(set) var nonFiniteSamples = 0
  /// The block's frames, interleaved.
  private var block: [Float] = []
  /// Frames decoded so far.
  private(set) var decodedFrames = 0
  /// Frames of silence that replace missing frames, when salvaging.
  private(set) var silentFrames = 0
  /// True if any damage was found while salvaging.
  private(set) var isDamaged = false
  /// True if frames can be found by the positions of the pages.
  var findsPositions = true

  private let input: InputFile
  private let path: FilePath
  private let channelCount: Int
  private let sampleRate: Int
  private let salvaging: Bool
  /// Frames lost before the first block.
  private let leadingFrames: Int
  /// The expected position of the next frame.
  private var nextPosition: Int
  /// The position after the last decoded frames, as libvorbisfile reports it.
  private var runningPosition = 0
  /// True if the next packet is the first after a hole.
  private var followsHole = false
  private var damageCount = 0
  private var hasEnded = false

  /// Maximum frames in one libvorbisfile call.
  private static let framesAtATime = 4096
  /// Maximum number of samples held until the position of the first is known.
  private static let maximumHeldSamples = 1 << 20
  /// Number of damaged places after which decoding stops.
  private static let maximumDamage = 10_000
  /// Maximum total silence, in seconds. Positions can be wrong; gaps that exceed this limit are closed.
  private static let maximumSilence = 600

  /// A source whose first block follows `leadingFrames` lost frames.
  init(
    _ decoder: VorbisDecoder, of input: borrowing InputFile, spec: AudioSpec, salvaging: Bool,
    leadingFrames: Int
  ) throws(AudioFileError) {
    self.decoder = decoder
    self.input = try InputFile(input, bytes: 0..<input.size)
    channelCount = spec.channelCount
    sampleRate = spec.sampleRate
    self.salvaging = salvaging
    path = input.path
    self.leadingFrames = leadingFrames
    nextPosition = -leadingFrames
  }

  var seeking: Seeking {
    !salvaging && findsPositions && decoder.linkCount == 1 ? .direct : .decoding
  }

  func seek(toFrame frame: Int, from position: Int) throws(AudioFileError) -> Int? {
    block.removeAll(keepingCapacity: true)
    (hasEnded, followsHole) = (false, false)
    if seeking == .direct, let reached = try decoder.seek(before: frame) {
      (decodedFrames, nextPosition) = (reached, reached)
      return reached
    }
    decoder = try VorbisDecoder(input)
    (decodedFrames, silentFrames) = (0, 0)
    (nextPosition, runningPosition) = (-leadingFrames, 0)
    return 0
  }

  /// Decodes the next block.
  ///
  /// Returns the number of frames of silence before the block, or `nil` at the end.
  func next() throws(AudioFileError) -> Int? {
    block.removeAll(keepingCapacity: true)
    // After a hole libvorbisfile knows the position only at the end of the next page; earlier frames
    // are held until then.
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
        if damageCount > Self.maximumDamage { hasEnded = true }
      case .frames(let channels, let count, let position):
        let isPlaced = !isHolding || position != runningPosition
        runningPosition = position + count
        // libvorbis overlaps the first packet after a hole with the last one before it.
        if followsHole {
          followsHole = false
          if isPlaced { isHolding = false }
          continue
        }
        let start = position - blockFrameCount
        append(channels, count: count)
        if isPlaced || block.count > Self.maximumHeldSamples { return deliver(from: start) }
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

  /// Counts the block, which starts at `position`, and returns the frames of silence before it.
  private func deliver(from position: Int) -> Int {
    let missing = position.subtractingReportingOverflow(nextPosition).partialValue
    var silence = 0
    if salvaging, missing != 0 {
      isDamaged = true
      if missing > 0, missing <= Self.maximumSilence * sampleRate - silentFrames {
        silence = missing
      }
    }
    silentFrames += silence
    decodedFrames += blockFrameCount
    nextPosition = position &+ blockFrameCount
    return silence
  }

  /// Counts the frames held at the end of the file, which end with the file.
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
