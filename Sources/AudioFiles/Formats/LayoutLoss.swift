package import AudioIO
package import AudioModel

extension AudioFormat {
  /// The layout that is written in place of one that a format cannot represent.
  package struct LayoutLoss: Hashable, Sendable {
    /// The layout written to the file, with channels in the order of the source.
    package var layout: ChannelLayout
    /// The layout of the source, if `layout` does not determine the order in which channels are
    /// written.
    package var givenLayout: ChannelLayout?
    /// The warning that describes what is lost.
    package var warning: String
  }

  /// The layout that is written in place of one that this format cannot represent; `nil` if it can
  /// represent it, or if there is no substitute.
  ///
  /// If the file stores only a channel count, channels are written in the order of the WAVE mask.
  /// Otherwise, the layout with the same channel count that shares the most speakers is used; the other
  /// channels go to the remaining places, on their own side if possible. Channels without positions
  /// are assumed to be in the order of the WAVE mask.
  package func layoutLoss(of layout: ChannelLayout) -> LayoutLoss? {
    guard layoutRefusal(of: layout) != nil else { return nil }
    let speakers = Set(layout.speakers ?? [])
    func shared(_ candidate: ChannelLayout) -> Int {
      speakers.intersection(candidate.speakers ?? []).count
    }
    var best: ChannelLayout?
    for candidate in ChannelLayout.named
    where candidate.channelCount == layout.channelCount && layoutRefusal(of: candidate) == nil {
      if best.map({ shared(candidate) > shared($0) }) ?? true { best = candidate }
    }
    if layouts != .countOnly, let best { return nearest(to: layout, fixed: best) }
    let plain = ChannelLayout.assumed(channelCount: layout.channelCount)
    return layoutRefusal(of: plain) == nil ? countAlone(of: layout) : nil
  }

  private func countAlone(of layout: ChannelLayout) -> LayoutLoss {
    let order = layout.inMaskOrder.names
    return LayoutLoss(
      layout: .assumed(channelCount: layout.channelCount), givenLayout: layout,
      warning: "\(name) cannot store the layout \(layout): its channels are written in the order "
        + "\(order), without their positions")
  }

  private func nearest(to layout: ChannelLayout, fixed: ChannelLayout) -> LayoutLoss? {
    guard let places = fixed.speakers else { return nil }
    guard let speakers = layout.speakers else {
      return LayoutLoss(
        layout: fixed,
        warning:
          "written as \(fixed): the source does not say which channel is which, so the order "
          + "\(fixed.names) is assumed")
    }
    var written = speakers.map { places.contains($0) ? $0 : nil }
    var free = places.filter { !speakers.contains($0) }
    var moves: [String] = []
    for matchesSide in [true, false] {
      for (channel, speaker) in speakers.enumerated() where written[channel] == nil {
        let place = free.firstIndex { !matchesSide || $0.side == speaker.side }
        guard let place else { continue }
        let found = free.remove(at: place)
        written[channel] = found
        moves.append("\(speaker.abbreviation) as \(found.abbreviation)")
      }
    }
    guard let nearest = ChannelLayout(written.compactMap(\.self)),
      nearest.channelCount == layout.channelCount
    else { return nil }
    return LayoutLoss(
      layout: nearest,
      warning: "\(name) cannot store the layout \(layout): it is written as \(fixed), with "
        + moves.joined(separator: ", "))
  }
}

extension ChannelLayout {
  /// The speakers' abbreviations in channel order, such as `FL FR LFE`.
  fileprivate var names: String {
    (speakers ?? []).map(\.abbreviation).joined(separator: " ")
  }
}
