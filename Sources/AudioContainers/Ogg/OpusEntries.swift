/// The frames from which an Opus stream can be decoded so that later frames equal those of decoding from the start.
///
/// A decoder keeps state from packet to packet. After ``leadIn`` frames of CELT alone, this state is that of a
/// decoder that began at the start. The earlier state decays: in the energies of bands to 0.9 (2.5 ms) or 0.5 (20 ms)
/// per frame, in the pitch filter to 0.75 within 1,026 samples, and in the de-emphasis to 0.85 per sample. The rest
/// is below 1e-11, which the rounding of floats removes. SILK restarts after CELT; the state that SILK keeps has no
/// such bound.
///
/// Source: RFC 6716 sections 4.3.2.1, 4.3.7 and 4.5. RFC 7845 section 4.6 demands 80 ms.
package struct OpusEntries: Sendable {
  /// Frames of consecutive packets that leave state of unknown age behind, in order, including the encoder delay.
  private let unsteady: [Range<Int>]
  private let preSkip: Int
  private let sampleRate: Int

  private static let leadIn = 2 * OpusTiming.rate
  /// The maximum number of frames to decode before a frame.
  private static let maximumFrames = 30 * OpusTiming.rate

  /// `nil` if some frames would require decoding more.
  init?(_ timing: OpusTiming, sampleRate: Int) {
    guard let unsteady = timing.unsteady else { return nil }
    self.unsteady = unsteady
    self.sampleRate = sampleRate
    preSkip = timing.preSkip
    let ends = unsteady.map { min($0.upperBound + Self.leadIn - 1, timing.frameCount) }
    guard ends.allSatisfy({ $0 - start(decoding: $0) <= Self.maximumFrames }) else { return nil }
  }

  /// The frame at which decoding begins for a frame of the audio, both at the sample rate of the decoder.
  package func start(before frame: Int) -> Int {
    let start = start(decoding: frame * OpusTiming.rate / sampleRate + preSkip) - preSkip
    return max(0, start) * sampleRate / OpusTiming.rate
  }

  private func start(decoding frame: Int) -> Int {
    var end = frame
    for span in unsteady.reversed() where span.lowerBound < frame {
      if end - span.upperBound >= Self.leadIn { break }
      end = span.lowerBound
    }
    return max(0, end - Self.leadIn)
  }
}
