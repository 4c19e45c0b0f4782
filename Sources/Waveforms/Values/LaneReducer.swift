/// Makes what a lane shows from the samples of one channel, block by block, in bounded memory.
public protocol LaneReducer: Sendable {
  /// Takes the next samples of the channel, at 16 bits.
  mutating func append(_ samples: Span<Int16>)
  /// What the samples taken come to.
  var content: LaneContent { get }
}

/// What a lane of a picture shows of its channel.
public enum LaneContent: Hashable, Sendable {
  /// Decibels as bars, mirrored about the middle of the lane.
  case levels(Levels)
  /// The lowest and the highest sample of each column.
  case peaks(Peaks)
  /// Decibels over time and frequency.
  case spectrum(Spectrogram)
}
