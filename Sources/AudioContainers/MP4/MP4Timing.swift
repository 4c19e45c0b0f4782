/// The decoded frames of a track that are played. They determine its exact length.
///
/// Lossy codecs decode to additional frames before the audio (encoder delay) and after it (padding). Sources
/// for their number, from most to least exact: the `iTunSMPB` tag, in frames; the shorter duration of the
/// last packet, in units of the track; the edit list, with durations in units of the movie, often
/// milliseconds.
package struct MP4Timing: Hashable {
  /// The ranges of decoded frames to play, in order; usually one.
  package let ranges: [Range<Int>]
  /// The duration of leading empty edits in seconds: how much later than the movie the audio starts.
  package let delay: Double

  /// The number of frames that a track decodes to; `nil` if only decoding can find it.
  ///
  /// - Parameters:
  ///   - blockFrames: The frames in its first packet.
  ///   - isExact: True if each packet decodes to as many frames as its duration (PCM, lossless codecs).
  ///   - isPCM: True if each packet is one frame. In other codecs, writers may give the last packet the duration of a
  ///     whole packet, and add packets without audio.
  package static func decodedFrames(
    _ track: MP4IndexTrack, sampleRate: Int, blockFrames: Int, isExact: Bool, isPCM: Bool
  ) -> Int? {
    let samples = track.samples
    if isExact {
      guard track.timescale == sampleRate else { return nil }
      let isShortAtEnd =
        samples.isRegular && samples.last > 1 && samples.last < samples.first ?? 0
      return isPCM || isShortAtEnd ? samples.total : nil
    }
    guard samples.isRegular, let first = samples.first,
      let packet = frames(first, of: track.timescale, at: sampleRate), packet == blockFrames,
      frames(packet, of: sampleRate, at: track.timescale) == first
    else { return nil }
    let (product, overflow) = samples.count.multipliedReportingOverflow(by: packet)
    return overflow ? nil : product
  }

  /// The number of frames that a track declares, and the tolerance within which it must decode to that number; `nil`
  /// if it declares none.
  ///
  /// Sources: the durations of its packets; the duration of the track or of the fragmented movie, if the durations of
  /// the packets are far shorter.
  package static func promisedFrames(
    _ track: MP4IndexTrack, _ movie: MP4Index, sampleRate: Int
  ) -> (frames: Int, tolerance: Int)? {
    let samples = track.samples
    guard let total = samples.total, let first = samples.first,
      let sum = frames(total, of: track.timescale, at: sampleRate),
      let packet = frames(first, of: track.timescale, at: sampleRate)
    else { return nil }
    // The last packet may be declared with its full duration although the edit list ends within it.
    let end = editEnd(track, movie, sampleRate: sampleRate) ?? sum
    let indexed = end < sum && sum - end < packet ? end : sum
    let (packets, overflow) = packet.multipliedReportingOverflow(by: max(4, samples.count))
    if overflow { return nil }
    // A packet may be as long as the file, as in ALS.
    let tolerance = max(min(4 * packet, indexed / 2), sampleRate / 5)
    let declared =
      [
        frames(track.duration, of: track.timescale, at: sampleRate),
        frames(movie.fragmentedDuration, of: movie.timescale, at: sampleRate),
      ].compactMap(\.self).max() ?? 0
    if declared > indexed, declared - indexed > tolerance + sampleRate {
      return (declared, tolerance)
    }
    if samples.isRegular { return (min(indexed, packets), tolerance) }
    // Unequal durations may contain pauses in the recording.
    return (indexed, max(tolerance, indexed / 2))
  }

  /// The end of the last frame that the edit list plays; `nil` if it does not bound the media.
  private static func editEnd(_ track: MP4IndexTrack, _ movie: MP4Index, sampleRate: Int) -> Int? {
    if track.isFragmented { return nil }
    var end: Int?
    for edit in track.edits {
      guard let mediaTime = edit.mediaTime else { continue }
      guard edit.duration > 0,
        let start = frames(mediaTime, of: track.timescale, at: sampleRate),
        let length = frames(edit.duration, of: movie.timescale, at: sampleRate)
      else { return nil }
      let (sum, overflow) = start.addingReportingOverflow(length)
      if overflow { return nil }
      end = max(end ?? 0, sum)
    }
    return end
  }

  /// The duration of leading empty edits of a track, in seconds.
  static func delay(of track: MP4IndexTrack, movieTimescale: Int) -> Double {
    guard movieTimescale > 0 else { return 0 }
    return track.edits.prefix { $0.mediaTime == nil }.reduce(0) {
      $0 + Double($1.duration) / Double(movieTimescale)
    }
  }

  /// Finds the frames to play.
  ///
  /// - Parameters:
  ///   - decoded: The number of decoded frames.
  ///   - isFirstPacketSilent: True if the first packet has a duration but decodes to no frames (Vorbis).
  ///   - gapless: The content of an `iTunSMPB` tag.
  package init(
    _ track: MP4IndexTrack, movieTimescale: Int, sampleRate: Int, decoded: Int,
    isFirstPacketSilent: Bool = false, gapless: String?
  ) {
    func frames(_ time: Int, _ scale: Int) -> Int? {
      Self.frames(time, of: scale, at: sampleRate)
    }
    let edits = track.edits.drop { $0.mediaTime == nil }
    delay = Self.delay(of: track, movieTimescale: movieTimescale)
    // The frames of the media before the first decoded one.
    let lead =
      isFirstPacketSilent ? track.samples.first.flatMap { frames($0, track.timescale) } ?? 0 : 0
    var end = decoded
    // Units coarser than the frames of HE-AAC's core codec would lose frames.
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
    // Units coarser than a frame are rounded: an end within one unit of the last frame means the last frame.
    let unit = movieTimescale > 0 && movieTimescale < sampleRate ? sampleRate / movieTimescale : 0
    let last = end
    ranges = Self.merged(
      edits.compactMap { edit in
        guard let media = edit.mediaTime.flatMap({ frames($0, track.timescale) }),
          case let start = max(0, media - lead), start <= last
        else { return nil }
        // In a fragmented file the edit list does not cover the fragments.
        guard edit.duration > 0, !track.isFragmented,
          let length = frames(edit.duration, movieTimescale),
          length < last - start - unit
        else { return start..<last }
        return start..<start + length
      }, or: 0..<last)
  }

  /// The ranges with adjacent ones joined; `all` if there are none or they are out of order.
  private static func merged(_ ranges: [Range<Int>], or all: Range<Int>) -> [Range<Int>] {
    var merged: [Range<Int>] = []
    for range in ranges where !range.isEmpty {
      guard let previous = merged.last else {
        merged.append(range)
        continue
      }
      guard previous.upperBound <= range.lowerBound else { return [all] }
      // Adjacent segments play without a gap.
      if range.lowerBound == previous.upperBound {
        merged[merged.count - 1] = previous.lowerBound..<range.upperBound
      } else {
        merged.append(range)
      }
    }
    return merged.isEmpty ? [all] : merged
  }

  /// The frames to play according to an `iTunSMPB` tag: hexadecimal words; the second is the encoder
  /// delay, the third the padding, and the fourth the length. `nil` if they do not match the decoded frames.
  static func range(_ gapless: String, decoded: Int) -> Range<Int>? {
    let words = gapless.split(separator: " ").map { Int($0, radix: 16) }
    guard words.count >= 4, let delay = words[1], let padding = words[2], let length = words[3],
      (1...max(1, decoded)).contains(length), (0...decoded).contains(delay),
      (0...decoded).contains(padding)
    else { return nil }
    // For HE-AAC, the tag counts frames of the core codec, at half the rate.
    for scale in [1, 2] where delay + padding + length == decoded / scale {
      return scale * delay..<scale * (delay + length)
    }
    return delay + length <= decoded ? delay..<delay + length : nil
  }

  /// Converts a time in units of 1/`scale` s to frames; `nil` on overflow or if `scale` is 0.
  static func frames(_ time: Int, of scale: Int, at sampleRate: Int) -> Int? {
    guard scale > 0 else { return nil }
    if scale == sampleRate { return time }
    let (product, overflow) = time.multipliedReportingOverflow(by: sampleRate)
    return overflow ? nil : (product + scale / 2) / scale
  }
}

extension MP4Index {
  /// Seconds from the start of the movie to the first of its sounds and pictures.
  package var firstDelay: Double {
    tracks.filter { id, track in
      (track.isSound || track.handler == "vide") && !chapterTracks.contains(id)
    }.map { MP4Timing.delay(of: $0.value, movieTimescale: timescale) }.min() ?? 0
  }
}
