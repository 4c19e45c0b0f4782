internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// The blocks of a FLAC stream in order, held to what the stream declares.
///
/// Strict, it throws at whatever keeps the audio from being whole and exact. Salvaging, it goes on
/// after damage and tells how much silence keeps the time of what follows.
final class FLACBlockSource: BlockSource {
  let decoder: FLACDecoder
  /// Frames that were decoded.
  private(set) var decodedFrames = 0
  /// Frames of silence in place of missing ones, when salvaging.
  private(set) var silentFrames = 0
  /// Whether anything was found wrong, when salvaging.
  private(set) var isDamaged = false

  private let path: FilePath
  private let size: Int
  private let declaredFrames: Int?
  private let bitDepth: Int
  private let expectation: Expectation
  private var hasEnded = false
  /// The byte after the last block that was taken; `nil` in Ogg.
  private var soundBytes: Int?

  /// What a stream is held to.
  struct Expectation {
    var salvaging: Bool
    var inOgg: Bool
    /// Whether an Ogg file lacks its last page.
    var lacksLastPage: Bool
    var checksMD5: Bool
  }

  /// Frame numbers can lie; beyond this much silence in all, in seconds, gaps are closed instead.
  private static let mostSilence = 600

  init(_ input: borrowing InputFile, _ expectation: Expectation) throws(AudioFileError) {
    path = input.path
    size = input.size
    self.expectation = expectation
    decoder = try FLACDecoder(
      input, inOgg: expectation.inOgg, checksMD5: expectation.checksMD5,
      salvaging: expectation.salvaging)
    declaredFrames = decoder.metadata.declaredFrames
    bitDepth = Int(decoder.metadata.streamInfo?.bits_per_sample ?? 0)
  }

  /// Decodes the next block into `decoder.block`.
  ///
  /// Returns the frames of silence that belong before it, or `nil` at the end, which has been checked.
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
    decodedFrames += decoder.block.frameCount
    soundBytes = decoder.soundBytes
    silentFrames += silence
    return silence
  }

  var blockFrameCount: Int { decoder.block.frameCount }

  func interleave<Sample: PCMSample>(
    from first: Int, count: Int, into buffer: inout MutableSpan<Sample>, at start: Int
  ) {
    decoder.block.interleave(
      from: first, count: count, bitDepth: bitDepth, into: &buffer, at: start)
  }

  /// Throws unless the block, or the end, is what must come next.
  private func check(found: Bool) throws(AudioFileError) -> Int {
    if decodedFrames == declaredFrames {
      // What follows the last frame may be anything (tags of other formats), but no frame.
      if found { throw excess() }
      return 0
    }
    if let damage = decoder.damage { try check(damage, found: found) }
    if !found {
      try checkEnd()
    } else if decoder.missingFrames != 0 {
      throw .malformed(path, reason: "the frame numbers jump \(position)")
    } else if let declaredFrames, decodedFrames + decoder.block.frameCount > declaredFrames {
      throw excess()
    }
    return 0
  }

  private func check(_ damage: FLACDamage, found: Bool) throws(AudioFileError) {
    if !found, !decoder.isGivenUp, damage == .lostSync || damage == .cut {
      if declaredFrames == nil, try isFollowedByTag() { return }
      throw .truncated(path, expected: declaredFrames, found: decodedFrames)
    }
    throw .malformed(path, reason: "\(damage.description) \(position)")
  }

  /// Throws unless the stream may end here.
  private func checkEnd() throws(AudioFileError) {
    var isCut = declaredFrames.map { decodedFrames < $0 } ?? false
    if declaredFrames == nil {
      // A stream of unknown length can be told to be cut only by what is left of its last frame or
      // by the lack of its last page; one that was completed, though empty, has a signature.
      let isComplete = decodedFrames == 0 && decoder.metadata.hasSignature
      var isPartial = decoder.soundBytes.map { $0 < size } ?? false
      if isPartial { isPartial = try !isFollowedByTag() }
      isCut = !isComplete && (isPartial || expectation.lacksLastPage || decodedFrames == 0)
    }
    if isCut { throw .truncated(path, expected: declaredFrames, found: decodedFrames) }
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
      if decoder.damage != nil || decoder.missingFrames != 0 || decoder.isGivenUp {
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
    return missing > 0 && missing <= Self.mostSilence * rate - silentFrames ? missing : 0
  }

  /// Where the stream stands, for messages.
  private var position: String {
    let bytes = soundBytes.map { ", after byte \($0)" } ?? ""
    return "at frame \(decodedFrames)\(bytes)"
  }

  private func excess() -> AudioFileError {
    .malformed(
      path, reason: "there are more than the \(declaredFrames ?? 0) frames that it declares")
  }

  /// Whether an ID3v1 or APE tag, which is no part of the stream, stands after its last frame.
  private func isFollowedByTag() throws(AudioFileError) -> Bool {
    guard let end = decoder.soundBytes, let rest = try decoder.bytes(at: end, count: 8) else {
      return false
    }
    return (rest.starts(with: Array("TAG".utf8)) && size - end == 128)
      || rest == Array("APETAGEX".utf8)
  }
}
