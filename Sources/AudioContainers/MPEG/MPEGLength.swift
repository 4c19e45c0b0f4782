package import AudioIO

extension MPEGStream {
  /// What is wrong with a stream.
  package enum Damage: Hashable, Sendable {
    /// The end is missing; this many frames of MPEG audio were to be there.
    case cut(expectedFrames: Int)
    /// Bytes between the frames, or behind them, belong to no frame and no tag.
    case strayBytes(offset: Int)
    /// A frame cannot be decoded as it stands.
    case brokenFrame(offset: Int)
  }

  /// The samples by which decoders lag, which the encoder's delay leaves out (LAME's `DECDELAY` plus 1).
  private static let decoderDelay = 529

  /// What is wrong, if anything is.
  package var damage: Damage? {
    if missingFrames > 0 { return .cut(expectedFrames: frameCount + missingFrames) }
    let isPromiseKept = info?.frameCount != nil
    // Where the encoder's header confirms the count, what follows the last frame is not missed.
    if endsInsideFrame && !isPromiseKept { return .cut(expectedFrames: frameCount + 1) }
    if let brokenFrame { return .brokenFrame(offset: brokenFrame) }
    guard let stray = strayOffsets.first else { return nil }
    let isBehind = ranges.last.map { stray >= $0.upperBound } ?? true
    return isBehind && isPromiseKept ? nil : .strayBytes(offset: stray)
  }

  /// The PCM frames that are audio, of those that decoding gives, where only iTunes' comment tells them
  /// and its numbers add up.
  package func extentByITunes(_ input: borrowing InputFile) throws(AudioFileError) -> Range<Int>? {
    guard info?.delay == nil, leadingTagBytes > 0,
      let gapless = try ITunesGapless(of: input, count: leadingTagBytes)
    else { return nil }
    let (before, overflows) = gapless.delay.addingReportingOverflow(gapless.frameCount)
    let (sum, overflowsToo) = before.addingReportingOverflow(gapless.padding)
    guard !overflows, !overflowsToo, sum == decodedFrames, gapless.delay < decodedFrames else {
      return nil
    }
    // The numbers leave out by how much decoders lag.
    let start = gapless.delay + Self.decoderDelay
    return start..<max(start, min(start + gapless.frameCount, decodedFrames))
  }

  /// PCM frames that decoding gives, where the headers say it for certain.
  ///
  /// libmpg123 cuts off the delay and the padding that LAME's header names, shifted by its own delay.
  package var promisedFrames: Int? {
    guard let info, !info.isVBRI else { return decodedFrames }
    guard info.frameCount == frameCount else { return nil }
    guard let delay = info.delay, let padding = info.padding else { return decodedFrames }
    guard padding >= Self.decoderDelay, delay + padding <= decodedFrames else { return nil }
    return decodedFrames - delay - padding
  }
}
