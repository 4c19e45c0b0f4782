internal import AudioModel

/// Puts the channels of interleaved frames into another order.
struct ChannelOrder: Sendable {
  /// For each channel of the target, the channel of the source; `nil` when nothing moves.
  private let sources: [Int]?

  /// The way from one layout to another with the same speakers; `nil` when there is none.
  init?(from layout: ChannelLayout, to target: ChannelLayout) {
    guard let order = layout.order(for: target) else { return nil }
    sources = order == Array(order.indices) ? nil : order
  }

  /// Leaves every channel where it is.
  static let unchanged = ChannelOrder()

  private init() { sources = nil }

  /// Whether every channel stays where it is.
  var isIdentity: Bool { sources == nil }

  /// The index in the source's interleaved samples of each sample of the target.
  func source(of index: Int, channelCount: Int) -> Int {
    guard let sources else { return index }
    let channel = index % channelCount
    return index - channel + sources[channel]
  }
}
