internal import AudioIO
internal import AudioModel
internal import CFLAC
internal import SystemPackage

/// The blocks of a FLAC stream in order, checked against what the stream declares.
///
/// In strict mode it throws if the audio is not complete and exact. In salvaging mode it continues
/// after damage and returns how many frames of silence keep the following audio in time.
final class FLACBlockSource: BlockSource {
  private(set) var decoder: FLACDecoder
  /// Frames decoded so far.
  private(set) var decodedFrames = 0
  /// Frames of silence that replace missing frames, when salvaging.
  private(set) var silentFrames = 0
  /// True if any damage was found while salvaging.
  private(set) var isDamaged = false

  private let input: InputFile
  private let path: FilePath
  private let size: Int
  private let declaredFrames: Int?
  private let bitDepth: Int
  private let expectation: Expectation
  private var hasEnded = false
  /// The number of the first frame, by which libFLAC finds others; `nil` before a block is decoded.
  private var origin: UInt64?
  /// True while every block has the number that matches its position.
  private(set) var hasExactNumbers = true
  /// True if frames can be found by their numbers.
  var findsNumbers: Bool
  /// The offset after the last decoded block; `nil` in Ogg.
  private var soundBytes: Int?

  /// The container of a stream and the checks applied to it.
  struct Expectation {
    var salvaging: Bool
    var inOgg: Bool
    /// True if the last page of an Ogg file is missing.
    var lacksLastPage: Bool
    var checksMD5: Bool
  }

  /// Maximum total silence, in seconds. Frame numbers can be wrong; gaps that exceed this limit are closed.
  private static let maximumSilence = 600

  init(_ input: borrowing InputFile, _ expectation: Expectation) throws(AudioFileError) {
    self.input = try InputFile(input, bytes: 0..<input.size)
    path = input.path
    size = input.size
    self.expectation = expectation
    decoder = try FLACDecoder(input, expectation)
    declaredFrames = decoder.metadata.declaredFrames
    bitDepth = Int(decoder.metadata.streamInfo?.bits_per_sample ?? 0)
    findsNumbers = declaredFrames != nil
    if findsNumbers { origin = 0 }
  }

  var seeking: Seeking {
    !expectation.salvaging && findsNumbers && decoder.hasNumbers ? .direct : .decoding
  }

  func seek(toFrame frame: Int, from position: Int) throws(AudioFileError) -> Int? {
    if hasEnded || seeking == .decoding { try restart() }
    if origin == nil { _ = try next() }
    if seeking == .direct, let origin {
      if try decoder.seek(toFrame: UInt64(frame), from: origin) {
        decodedFrames = frame
        return frame
      }
      try restart()
    }
    return 0
  }

  /// Returns to the first block.
  private func restart() throws(AudioFileError) {
    decoder = try FLACDecoder(input, expectation)
    (decodedFrames, silentFrames) = (0, 0)
    hasEnded = false
    soundBytes = nil
  }

  /// Decodes the next block into `decoder.block`.
  ///
  /// Returns the number of frames of silence before the block, or `nil` at the end, once the end
  /// has been checked.
  func next() throws(AudioFileError) -> Int? {
    if hasEnded { return nil }
    let found = try decoder.decodeBlock()
    let silence =
      expectation.salvaging ? salvage(found: found) : try check(found: found)
    guard found else {
      hasEnded = true
      try finish()
      return nil
    }
    if let origin {
      let place = origin &+ UInt64(decodedFrames + silentFrames)
      hasExactNumbers = hasExactNumbers && decoder.block.firstFrame == place
    } else {
      origin = decoder.block.firstFrame
    }
    decodedFrames += decoder.block.frameCount
    soundBytes = decoder.soundBytes
    silentFrames += silence
    return silence
  }

  var blockFrameCount: Int { decoder.isAhead ? 0 : decoder.block.frameCount }

  func interleave<Sample: PCMSample>(
    from first: Int, count: Int, into buffer: inout MutableSpan<Sample>, at start: Int
  ) {
    decoder.block.interleave(
      from: first, count: count, bitDepth: bitDepth, into: &buffer, at: start)
  }

  /// Throws unless the stream declares this block, or the end, next.
  private func check(found: Bool) throws(AudioFileError) -> Int {
    if decodedFrames == declaredFrames {
      // Anything may follow the last frame, such as tags of other formats, except another frame.
      if found { throw excess() }
      return 0
    }
    if let damage = decoder.damage { try check(damage, found: found) }
    if !found {
      try checkEnd()
    } else if numbersJump {
      throw .malformed(path, reason: "the frame numbers jump \(position)")
    } else if let declaredFrames, decodedFrames + decoder.block.frameCount > declaredFrames {
      throw excess()
    }
    return 0
  }

  /// True if the frame numbers show missing or repeated frames.
  ///
  /// Some streams do not count them. Then the declared length and the signature show at the end whether any are
  /// missing.
  private var numbersJump: Bool {
    let isSigned =
      declaredFrames != nil && decoder.metadata.signature != nil && expectation.checksMD5
    return decoder.missingFrames > 0 || decoder.missingFrames < 0 && !isSigned
  }

  private func check(_ damage: FLACDamage, found: Bool) throws(AudioFileError) {
    if !found, !decoder.isGivenUp, damage == .lostSync || damage == .truncated {
      if declaredFrames == nil, try isFollowedByTag() { return }
      throw .truncated(path, expected: declaredFrames, found: decodedFrames)
    }
    throw .malformed(path, reason: "\(damage.description) \(position)")
  }

  /// Throws unless the stream may end here.
  private func checkEnd() throws(AudioFileError) {
    var isTruncated = declaredFrames.map { decodedFrames < $0 } ?? false
    if declaredFrames == nil {
      // A truncated stream of unknown length shows only by a partial last frame or a missing last
      // page. A complete stream has a signature even if it is empty.
      let isComplete = decodedFrames == 0 && decoder.metadata.signature != nil
      var isPartial = decoder.soundBytes.map { $0 < size } ?? false
      if isPartial { isPartial = try !isFollowedByTag() }
      isTruncated = !isComplete && (isPartial || expectation.lacksLastPage || decodedFrames == 0)
    }
    if isTruncated { throw .truncated(path, expected: declaredFrames, found: decodedFrames) }
  }

  private func finish() throws(AudioFileError) {
    guard !decoder.finish() else { return }
    guard expectation.salvaging else {
      throw .malformed(path, reason: "the audio does not match its MD5 signature")
    }
    isDamaged = true
  }

  private func salvage(found: Bool) -> Int {
    if decodedFrames != declaredFrames || found {
      if decoder.damage != nil || numbersJump || decoder.isGivenUp {
        isDamaged = true
      }
    }
    guard found else {
      if let declaredFrames, declaredFrames != decodedFrames { isDamaged = true }
      if declaredFrames == nil, expectation.lacksLastPage { isDamaged = true }
      return 0
    }
    let missing = decoder.missingFrames
    let rate = Int(decoder.metadata.streamInfo?.sample_rate ?? 0)
    return missing > 0 && missing <= Self.maximumSilence * rate - silentFrames ? missing : 0
  }

  /// The position in the stream, for messages.
  private var position: String {
    let bytes = soundBytes.map { ", after byte \($0)" } ?? ""
    return "at frame \(decodedFrames)\(bytes)"
  }

  private func excess() -> AudioFileError {
    .malformed(
      path, reason: "it contains more than the \(declaredFrames ?? 0) frames it declares")
  }

  /// True if an ID3v1 or APE tag, which is not part of the stream, follows the last frame.
  private func isFollowedByTag() throws(AudioFileError) -> Bool {
    guard let end = decoder.soundBytes, let rest = try decoder.bytes(at: end, count: 8) else {
      return false
    }
    return (rest.starts(with: Array("TAG".utf8)) && size - end == 128)
      || rest == Array("APETAGEX".utf8)
  }
}

/// The samples of one decoded FLAC frame, stored channel after channel.
///
/// The memory is reused for every block and grows to at most 65535 samples of 8 channels.
struct FLACBlock {
  /// The number of the block's first frame within the stream.
  private(set) var firstFrame: UInt64 = 0
  /// Frames in the block.
  private(set) var frameCount = 0
  private(set) var channelCount = 0
  private var samples: [Int32] = []

  /// Copies the samples passed to libFLAC's write callback; `false` if they exceed the format's
  /// limits.
  mutating func take(
    _ header: FLAC__FrameHeader, _ channels: UnsafePointer<UnsafePointer<Int32>?>
  ) -> Bool {
    let frames = Int(header.blocksize)
    let count = Int(header.channels)
    guard frames <= Int(FLAC__MAX_BLOCK_SIZE), (1...Int(FLAC__MAX_CHANNELS)).contains(count),
      header.number_type == FLAC__FRAME_NUMBER_TYPE_SAMPLE_NUMBER
    else { return false }
    if samples.count < frames * count { samples = Array(repeating: 0, count: frames * count) }
    let taken = samples.withUnsafeMutableBufferPointer { buffer in
      for channel in 0..<count {
        guard let source = channels[channel], let base = buffer.baseAddress else { return false }
        (base + channel * frames).update(from: source, count: frames)
      }
      return true
    }
    guard taken else { return false }
    firstFrame = header.number.sample_number
    frameCount = frames
    channelCount = count
    return true
  }

  /// True if all samples are 0.
  var isSilent: Bool {
    samples.prefix(frameCount * channelCount).allSatisfy { $0 == 0 }
  }

  /// Removes the samples and keeps the memory.
  mutating func clear() {
    frameCount = 0
  }

  /// Interleaves `count` frames of the block, from frame `first` on, into `buffer` at frame
  /// `start`.
  @specialized(where Sample == Int8)
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  func interleave<Sample: PCMSample>(
    from first: Int, count: Int, bitDepth: Int, into buffer: inout MutableSpan<Sample>,
    at start: Int
  ) {
    let samples = samples.span
    for channel in 0..<channelCount {
      var target = start * channelCount + channel
      let plane = channel * frameCount + first
      for index in plane..<plane + count {
        buffer[target] = Sample(integer: samples[index], bitDepth: bitDepth)
        target += channelCount
      }
    }
  }
}
