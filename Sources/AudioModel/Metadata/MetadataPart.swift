extension Metadata {
  /// The metadata of a part of the audio, with positions relative to the start of the part.
  ///
  /// Items that extend beyond the part are clipped to it. The time reference of the broadcast extension moves later
  /// by the start of the part. The beats of a loop are scaled in proportion.
  ///
  /// - Parameters:
  ///   - frames: The part, within the audio.
  ///   - frameCount: The length of the audio.
  ///   - sampleRate: The sample rate, in Hz.
  public func part(_ frames: Range<Int>, of frameCount: Int, sampleRate: Int) -> Metadata {
    let scale = TimeScale(part: frames, of: frameCount, sampleRate: sampleRate)
    var kept = self
    kept.chapters = chapters.indices.filter { number in
      let span = chapterSpan(number, frameCount: frameCount)
      let inside =
        min(span.end, Double(frames.upperBound)) - max(span.start, Double(frames.lowerBound))
      // Less than a millisecond, the unit of most containers, is a neighbor's rounded end or start.
      let least = min(span.end - span.start, Double(sampleRate) / 1000)
      return scale.keeps(from: span.start, to: span.end)
        && span.start < Double(frames.upperBound) && inside >= least
    }.map { chapters[$0] }
    kept.marks = marks.filter { scale.keeps(from: $0.start, to: $0.start + max(0, $0.length)) }
    kept.instrument?.loops.removeAll { !scale.keeps(from: $0.start, to: $0.end) }
    kept.cueSheet = cueSheet?.part(scale)
    kept.syncedLyrics = syncedLyrics.map { $0.part(scale) }
    kept.loopProperties = loopProperties.map { $0.part(scale) }
    var result = kept.scaled(scale)
    if let bytes = broadcastExtension, var chunk = BroadcastExtension(bytes) {
      chunk.moveTimeReference(by: frames.lowerBound)
      result.broadcastExtension = chunk.bytes
    }
    return result
  }

  /// The start and end of a chapter, in frames. A chapter without an end lasts until the next one, or until the end
  /// of the audio.
  package func chapterSpan(_ index: Int, frameCount: Int) -> (start: Double, end: Double) {
    let start = chapters[index].start
    let next = index + 1 < chapters.count ? chapters[index + 1].start : Double(frameCount)
    return (start, max(start, chapters[index].end ?? next))
  }
}

extension Metadata.CueSheet {
  /// The tracks that overlap a part. A track that starts earlier is cut to the part, with its last index before it.
  fileprivate func part(_ scale: TimeScale) -> Self {
    guard let part = scale.part else { return self }
    let first = Double(part.lowerBound)
    var result = self
    result.tracks = tracks.enumerated().compactMap { number, track in
      if number == tracks.count - 1 { return track }
      guard scale.keeps(from: track.offset, to: tracks[number + 1].offset) else { return nil }
      var cut = track
      cut.offset = max(track.offset, first)
      let places = track.indices.map { track.offset + $0.offset }
      let current = places.lastIndex { $0 <= first }
      cut.indices = track.indices.enumerated().compactMap { number, index in
        let isKept = number == current || scale.keeps(from: places[number], to: places[number])
        guard isKept else { return nil }
        return .init(number: index.number, offset: max(0, places[number] - cut.offset))
      }
      return cut
    }
    return result
  }
}

extension Metadata.SyncedLyrics {
  /// The lines within a part, and the line that is being sung when it starts.
  fileprivate func part(_ scale: TimeScale) -> Self {
    guard let part = scale.part else { return self }
    let current = lines.lastIndex { $0.start <= Double(part.lowerBound) }
    var result = self
    result.lines = lines.enumerated().filter { number, line in
      number == current || scale.keeps(from: line.start, to: line.start)
    }.map(\.element)
    return result
  }
}

extension Metadata.LoopProperties {
  fileprivate func part(_ scale: TimeScale) -> Self {
    var result = self
    let share = Double(scale.outputFrames) / Double(max(1, scale.inputFrames))
    result.beats = UInt32(exactly: (Double(beats) * share).rounded()) ?? beats
    return result
  }
}
