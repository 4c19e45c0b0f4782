internal import AudioContainers
internal import AudioIO
internal import SystemPackage

/// The blocks of a track in order.
///
/// Strict, it throws at whatever cannot be decoded. Salvaging, it goes on after damage and tells how
/// much silence keeps the time of what follows.
final class LibAVBlockSource {
  /// How a track is opened, and so opened again for another pass.
  struct Opening {
    let probe: LibAVProbe
    let trackNumber: Int?
    let salvaging: Bool

    /// Whether what the container says to skip is cut off here rather than by libavcodec.
    var keepsPriming: Bool { probe.names.contains("mov") }
  }

  let decoder: LibAVDecoder
  /// Frames of silence in place of lost ones.
  private(set) var silentFrames = 0
  /// Whether anything was lost.
  private(set) var isDamaged = false
  private let isSalvaging: Bool

  /// Beyond this much silence in all, in seconds, gaps are closed instead.
  private static let mostSilence = 600

  init(_ input: borrowing InputFile, _ opening: Opening) throws(AudioFileError) {
    let container = try LibAVContainer(input, opening.probe)
    let track = try LibAVTrack(of: container, number: opening.trackNumber)
    decoder = try LibAVDecoder(
      container, track, keepsPriming: opening.keepsPriming, salvaging: opening.salvaging)
    isSalvaging = opening.salvaging
  }

  /// Decodes the next block into `decoder.block`.
  ///
  /// Returns the frames of silence that belong before it, or `nil` at the end.
  func next() throws(AudioFileError) -> Int? {
    var lost = 0
    while true {
      switch try decoder.step() {
      case .end: return nil
      case .block:
        let rate = decoder.block?.sampleRate ?? 0
        let silence = lost <= Self.mostSilence * rate - silentFrames ? lost : 0
        silentFrames += silence
        return silence
      case .loss(let loss):
        isDamaged = true
        guard isSalvaging else { throw try failure(loss) }
        lost += loss.frames
      }
    }
  }

  /// Damage that nothing follows is a missing end.
  private func failure(_ loss: LibAVDecoder.Loss) throws(AudioFileError) -> AudioFileError {
    let path = decoder.container.path
    let position = decoder.decodedFrames
    var hasMore = false
    steps: for _ in 0..<16 {
      switch try decoder.step() {
      case .end: break steps
      case .loss: continue
      case .block:
        hasMore = true
        break steps
      }
    }
    if !hasMore, position > 0 { return .truncated(path, expected: nil, found: position) }
    return .malformed(path, reason: "\(loss.reason), at frame \(position)")
  }
}
