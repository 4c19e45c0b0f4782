extension Metadata {
  /// The same, true of the audio at another length.
  ///
  /// A moment `t` becomes `t * factor`, rounded to the nearest frame, or to what a text tag can tell;
  /// the order is kept and nothing lies beyond the end. Tempos are divided by the factor. With a map a
  /// moment goes where that puts it.
  ///
  /// - Parameters:
  ///   - factor: Output length / input length, as asked.
  ///   - inputFrames: The length of the audio that this describes.
  ///   - outputFrames: The length of the audio that the result describes.
  ///   - sampleRate: In Hz; that of both.
  ///   - map: Where each moment goes, in frames; `nil` for one factor all through.
  public func scaled(
    by factor: Double, from inputFrames: Int, to outputFrames: Int, sampleRate: Int,
    map: TimeMap? = nil
  ) -> Metadata {
    let scale = TimeScale(
      factor: factor, inputFrames: inputFrames, outputFrames: outputFrames, sampleRate: sampleRate,
      map: map)
    var result = self
    result.comments = comments.map { $0.scaled(scale) }
    result.chapters = chapters.map { $0.scaled(scale) }
    result.marks = marks.map { $0.scaled(scale) }
    result.instrument = instrument?.scaled(scale)
    result.loopProperties = loopProperties?.scaled(scale)
    result.cueSheet = cueSheet?.scaled(scale)
    result.syncedLyrics = syncedLyrics.map { $0.scaled(scale) }
    return result
  }
}

extension Metadata.Chapter {
  fileprivate func scaled(_ scale: TimeScale) -> Self {
    var result = self
    if let end {
      let stretch = scale.stretch(from: start, to: end)
      (result.start, result.end) = (stretch.start, stretch.end)
    } else {
      result.start = scale.frame(start)
    }
    return result
  }
}

extension Metadata.Mark {
  fileprivate func scaled(_ scale: TimeScale) -> Self {
    let stretch = scale.stretch(from: start, to: start + max(0, length))
    var result = self
    result.start = stretch.start
    result.length = stretch.end - stretch.start
    return result
  }
}

extension Metadata.Instrument {
  /// Loops that lie outside the audio are none.
  fileprivate func scaled(_ scale: TimeScale) -> Self {
    var result = self
    result.loops = loops.compactMap { loop in
      guard loop.start >= 0, loop.start < Double(scale.inputFrames), loop.end > loop.start,
        scale.outputFrames > 0
      else { return nil }
      let stretch = scale.stretch(from: loop.start, to: loop.end)
      var scaled = loop
      (scaled.start, scaled.end) = (stretch.start, stretch.end)
      return scaled
    }
    return result
  }
}

extension Metadata.LoopProperties {
  fileprivate func scaled(_ scale: TimeScale) -> Self {
    var result = self
    result.tempo = Float(Double(tempo) / scale.factor)
    return result
  }
}

extension Metadata.CueSheet {
  /// The lead-in is silence of the disc, not part of the audio. The last track is the lead-out, which
  /// begins where the audio ends.
  fileprivate func scaled(_ scale: TimeScale) -> Self {
    var result = self
    result.tracks = tracks.enumerated().map { number, track in
      var scaled = track
      let isLeadOut = number == tracks.count - 1
      scaled.offset = isLeadOut ? Double(scale.outputFrames) : scale.frame(track.offset)
      scaled.indices = track.indices.map { index in
        var moved = index
        moved.offset = max(0, scale.frame(track.offset + index.offset) - scaled.offset)
        return moved
      }
      return scaled
    }
    return result
  }
}

extension Metadata.SyncedLyrics {
  fileprivate func scaled(_ scale: TimeScale) -> Self {
    var result = self
    result.lines = lines.map { Line(start: scale.frame($0.start), text: $0.text) }
    return result
  }
}
