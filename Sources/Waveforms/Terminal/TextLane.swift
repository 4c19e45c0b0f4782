internal import AudioModel

/// What a lane shows as stretches of its height, one for each part of a column of text.
struct TextLane {
  /// From -1 at the lower edge to 1 at the upper; `nil` where nothing is drawn.
  let stretches: [ClosedRange<Double>?]

  /// What a lane that is `parts` parts of columns wide shows of its audio.
  ///
  /// - Parameters:
  ///   - content: What the lane shows.
  ///   - parts: Its width.
  ///   - bar: How wide bars are.
  ///   - loudest: The level at the edge of the lane, in dB.
  init(_ content: LaneContent, parts: Int, bar: TextBar, loudest: Double) {
    switch content {
    case .levels(let levels):
      stretches = Self.bars(levels.heights(loudest: loudest), parts: parts, bar)
    case .peaks(let peaks): stretches = Self.envelope(peaks, parts: parts)
    case .spectrum: stretches = Array(repeating: nil, count: parts)
    }
  }

  private static func bars(
    _ heights: [Double], parts: Int, _ bar: TextBar
  ) -> [ClosedRange<Double>?] {
    if heights.isEmpty { return Array(repeating: 0...0, count: parts) }
    var stretches: [ClosedRange<Double>?] = Array(repeating: nil, count: parts)
    // Fewer bars than have room stand further apart.
    let room = bar.count(in: parts) * bar.pitch
    for (index, height) in heights.enumerated() {
      let start = index * room / heights.count
      for part in start..<min(parts, start + bar.width) { stretches[part] = -height...height }
    }
    return stretches
  }

  private static func envelope(_ peaks: Peaks, parts: Int) -> [ClosedRange<Double>?] {
    if peaks.count == 0 { return Array(repeating: 0...0, count: parts) }
    if peaks.count < parts { return line(peaks.maximums.map(height), parts: parts) }
    var previous: ClosedRange<Double>?
    return (0..<min(parts, peaks.count)).map { index in
      let low = height(peaks.minimums[index])
      let high = height(peaks.maximums[index])
      // The wave passes through all that lies between two columns.
      let stretch = min(low, previous?.upperBound ?? low)...max(high, previous?.lowerBound ?? high)
      previous = low...high
      return stretch
    }
  }

  /// The line through samples that are fewer than there are parts.
  private static func line(_ samples: [Double], parts: Int) -> [ClosedRange<Double>?] {
    func value(at part: Int) -> Double {
      let place = Double(part * samples.count) / Double(parts)
      let index = min(Int(place), samples.count - 1)
      let next = min(index + 1, samples.count - 1)
      return samples[index] + (samples[next] - samples[index]) * (place - Double(index))
    }
    return (0..<parts).map { part in
      let (start, end) = (value(at: part), value(at: part + 1))
      return min(start, end)...max(start, end)
    }
  }

  private static func height(_ sample: Int16) -> Double { Double(sample) / 32768 }

  /// The rows of a stretch in a lane of `count` rows, from the top: at least one, and for levels one on
  /// either side of the middle.
  static func rows(
    of stretch: ClosedRange<Double>, count: Int, isMirrored: Bool
  ) -> Range<Int> {
    let half = Double(count) / 2
    if isMirrored {
      let rise = max(1, Int((stretch.upperBound * half).rounded()))
      return max(0, count / 2 - rise)..<min(count, count / 2 + rise)
    }
    let top = min(count - 1, max(0, Int(((1 - stretch.upperBound) * half).rounded())))
    let bottom = min(count, max(top + 1, Int(((1 - stretch.lowerBound) * half).rounded())))
    return top..<bottom
  }
}
