/// Which of a track's decoded frames are played, and so how long it is, to the frame.
///
/// Decoders of lossy codecs begin with frames that the encoder put before the audio (its delay), and
/// the last packet is padded. What says how much, from the most exact: the `iTunSMPB` tag, in frames;
/// the shorter duration of the last packet, in the track's units; the edit list, whose durations are in
/// the movie's units, which are often milliseconds.
package struct MP4Timing: Hashable {
  /// The frames that are played, in order, of those that are decoded; one stretch mostly.
  package let ranges: [Range<Int>]
  /// How long an empty stretch in front is, in seconds: the audio begins so much after the movie.
  package let delay: Double

  /// The frames that decoding a whole track gives; `nil` where that must be tried.
  ///
  /// - Parameters:
  ///   - blockFrames: The frames of its first packet.
  ///   - isExact: Whether each packet gives as many frames as its duration says (PCM, lossless codecs).
  package static func decodedFrames(
    _ track: MP4IndexTrack, sampleRate: Int, blockFrames: Int, isExact: Bool
  ) -> Int? {
    let samples = track.samples
    if isExact {
      guard track.timescale == sampleRate else { return nil }
      return samples.total
    }
    guard samples.isRegular, let first = samples.first,
      let packet = frames(first, of: track.timescale, at: sampleRate), packet == blockFrames,
      frames(packet, of: sampleRate, at: track.timescale) == first
    else { return nil }
    let (product, overflow) = samples.count.multipliedReportingOverflow(by: packet)
    return overflow ? nil : product
  }

  /// - Parameters:
  ///   - decoded: The frames that decoding gives.
  ///   - gapless: The content of an `iTunSMPB` tag.
  package init(
    _ track: MP4IndexTrack, movieTimescale: Int, sampleRate: Int, decoded: Int, gapless: String?
  ) {
    func frames(_ time: Int, _ scale: Int) -> Int? {
      Self.frames(time, of: scale, at: sampleRate)
    }
    var edits = track.edits[...]
    var delay = 0.0
    while let first = edits.first, first.mediaTime == nil {
      if movieTimescale > 0 { delay += Double(first.duration) / Double(movieTimescale) }
      edits.removeFirst()
    }
    self.delay = delay
    var end = decoded
    // Units that are coarser than those of HE-AAC's core would cost frames.
    if track.samples.isRegular, 2 * track.timescale >= sampleRate,
      let total = track.samples.total,
      let media = frames(total, track.timescale)
    {
      end = min(end, media)
    }
    if let gapless, edits.count <= 1, let range = Self.range(gapless, decoded: decoded) {
      ranges = [range]
      return
    }
    // Units that are coarser than a frame are rounded: what lies within one of the end is the end.
    let unit = movieTimescale > 0 && movieTimescale < sampleRate ? sampleRate / movieTimescale : 0
    let last = end
    ranges = Self.merged(
      edits.compactMap { edit in
        guard let start = edit.mediaTime.flatMap({ frames($0, track.timescale) }), start <= last
        else { return nil }
        // In a fragmented file the edit list knows nothing of the fragments.
        guard edit.duration > 0, !track.isFragmented,
          let length = frames(edit.duration, movieTimescale),
          length < last - start - unit
        else { return start..<last }
        return start..<start + length
      }, or: 0..<last)
  }

  /// The stretches in order, adjacent ones made one; all there is where there are none, or where some
  /// are out of order.
  private static func merged(_ ranges: [Range<Int>], or all: Range<Int>) -> [Range<Int>] {
    var merged: [Range<Int>] = []
    for range in ranges where !range.isEmpty {
      guard let previous = merged.last else {
        merged.append(range)
        continue
      }
      guard previous.upperBound <= range.lowerBound else { return [all] }
      // Rounding may leave a frame or so between stretches that are one.
      if range.lowerBound == previous.upperBound {
        merged[merged.count - 1] = previous.lowerBound..<range.upperBound
      } else {
        merged.append(range)
      }
    }
    return merged.isEmpty ? [all] : merged
  }

  /// The frames that an `iTunSMPB` tag leaves: words in hexadecimal, the second being the encoder's
  /// delay, the third the padding and the fourth the length. `nil` where they do not fit what is decoded.
  static func range(_ gapless: String, decoded: Int) -> Range<Int>? {
    let words = gapless.split(separator: " ").map { Int($0, radix: 16) }
    guard words.count >= 4, let delay = words[1], let padding = words[2], let length = words[3],
      (1...max(1, decoded)).contains(length), (0...decoded).contains(delay),
      (0...decoded).contains(padding)
    else { return nil }
    // Of HE-AAC it counts the frames of the core, at half the rate.
    for scale in [1, 2] where delay + padding + length == decoded / scale {
      return scale * delay..<scale * (delay + length)
    }
    return delay + length <= decoded ? delay..<delay + length : nil
  }

  /// A time in units of which `scale` make a second, in frames; `nil` beyond all measure.
  static func frames(_ time: Int, of scale: Int, at sampleRate: Int) -> Int? {
    guard scale > 0 else { return nil }
    if scale == sampleRate { return time }
    let (product, overflow) = time.multipliedReportingOverflow(by: sampleRate)
    return overflow ? nil : (product + scale / 2) / scale
  }
}
