package import AudioIO
package import AudioModel

extension AudioFormat {
  /// What is written of a layout that a format cannot say.
  package struct LayoutLoss: Hashable, Sendable {
    /// The layout that the file will say, of channels in the order in which they are given.
    package var layout: ChannelLayout
    /// The layout in which the frames come, where `layout` gives no order to write them in.
    package var givenLayout: ChannelLayout?
    /// What is lost, for people.
    package var warning: String
  }

  /// What becomes of a layout that this format cannot say; `nil` when it can, or when nothing helps.
  ///
  /// Where the file gives only a count, the channels stand in the order of the WAVE mask. Else the
  /// layout of the same count is taken that shares most speakers; the others go to the places left over,
  /// those at the left to the left. Channels without positions are taken in the order of the WAVE mask.
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
        + "\(order), and which is which is lost")
  }

  private func nearest(to layout: ChannelLayout, fixed: ChannelLayout) -> LayoutLoss? {
    guard let places = fixed.speakers else { return nil }
    guard let speakers = layout.speakers else {
      return LayoutLoss(
        layout: fixed,
        warning:
          "written as \(fixed): the source does not say the positions of its channels, which are "
          + "taken in the order \(fixed.names)")
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

extension Speaker {
  fileprivate enum Side { case left, center, right }

  fileprivate var side: Side {
    switch self {
    case .frontLeft, .backLeft, .frontLeftOfCenter, .sideLeft, .topFrontLeft, .topBackLeft: .left
    case .frontRight, .backRight, .frontRightOfCenter, .sideRight, .topFrontRight, .topBackRight:
      .right
    case .frontCenter, .lowFrequency, .backCenter, .topCenter, .topFrontCenter, .topBackCenter:
      .center
    }
  }
}

extension ChannelLayout {
  /// The speakers' abbreviations in the order of the channels: `FL FR LFE`.
  fileprivate var names: String {
    (speakers ?? []).map(\.abbreviation).joined(separator: " ")
  }
}
