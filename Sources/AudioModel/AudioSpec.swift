/// What interleaved PCM means: its sample rate and the speaker of each channel.
public struct AudioSpec: Hashable, Sendable {
  /// Frames per second, in Hz.
  public var sampleRate: Int
  /// The speakers, in the order of the channels in a frame.
  public var layout: ChannelLayout

  /// Describes PCM at `sampleRate` Hz whose channels are `layout`.
  public init(sampleRate: Int, layout: ChannelLayout) {
    self.sampleRate = sampleRate
    self.layout = layout
  }

  /// Samples in a frame.
  public var channelCount: Int { layout.channelCount }

  /// The playing time of so many frames, in seconds.
  public func seconds(frames: Int) -> Double { Double(frames) / Double(sampleRate) }
}
