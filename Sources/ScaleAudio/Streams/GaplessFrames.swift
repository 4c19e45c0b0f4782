internal import AudioIO
internal import AudioModel
internal import SystemPackage
internal import TimeScaling

/// The scaled frames of an album without gaps, which one track after another takes.
///
/// Only one thread at a time uses it: the one that took it from its album.
final class GaplessFrames: @unchecked Sendable {
  /// The frames before scaling.
  let joined: JoinedStream
  /// `nil` if nothing is limited.
  let limiter: Limiter?
  /// The way in which the frames are made.
  let form: Form
  /// The next frame.
  private(set) var position = 0
  private var chain: StreamChain
  /// Frames that were made beyond the end of a track, in order, and how many of the first block were taken.
  private var pending: [Block] = []
  private var taken = 0

  /// Frames of different forms differ.
  struct Form: Hashable {
    /// The type of the samples.
    let format: SampleFormat
    /// True if they are interpolated in this type.
    let interpolates: Bool
    /// True if samples of the source are rounded to 16 bits.
    let rounds: Bool
    /// The limiter; `nil` for none.
    let search: LimitSearch?
  }

  init(_ chain: StreamChain, of joined: JoinedStream, limiter: Limiter?, _ form: Form) {
    (self.chain, self.joined, self.limiter, self.form) = (chain, joined, limiter, form)
  }

  deinit { chain.stop() }

  private var channels: Int { chain.last.spec.channelCount }

  /// Fills `buffer` with the next frames, and returns how many; 0 at the end of the album.
  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    guard let block = pending.first else {
      let frames = try chain.last.read(into: buffer)
      position += frames
      return frames
    }
    let count = min(buffer.sampleCount / channels, block.frameCount - taken)
    buffer.store(block, from: taken * channels, count: count * channels, at: 0)
    taken += count
    position += count
    if taken == block.frameCount {
      pending.removeFirst()
      taken = 0
    }
    return count
  }

  /// Goes on to a frame: at once where frames are interpolated, otherwise by making those before it.
  func skip(to frame: Int, onBlock: () throws(ConversionError) -> Void) throws(ConversionError) {
    if frame == position { return }
    if form.interpolates {
      (pending, taken) = ([], 0)
      try ConversionError.files(chain.last.seek(toFrame: frame))
      position = frame
      return
    }
    let block = Block(form.format, sampleCount: 8192 * channels)
    while position < frame {
      let wanted = min(8192, frame - position) * channels
      if try ConversionError.files(read(into: block.buffer.extracting(0..<wanted))) == 0 { return }
      try onBlock()
    }
  }

  /// Makes frames until a track was read to its end, to find damage there before its output gets its name.
  func finish(track index: Int) throws(AudioFileError) {
    while !joined.result(ofTrack: index).hasEnded {
      let block = Block(form.format, sampleCount: 256 * channels)
      if try chain.last.read(into: block) == 0 { return }
      pending.append(block)
    }
  }
}

/// The frames of one track of a scaled album.
final class GaplessTrack: FrameStream {
  let source: SourceDescription
  let seeking: Seeking = .decoding
  private let frames: GaplessFrames
  private let cut: GaplessCut

  init(_ frames: GaplessFrames, _ cut: GaplessCut, as source: SourceDescription) {
    (self.frames, self.cut, self.source) = (frames, cut, source)
  }

  var clipping: Clipping { frames.joined.result(ofTrack: cut.place.index).clipping }
  var nonFiniteSamples: Int { frames.joined.result(ofTrack: cut.place.index).nonFiniteSamples }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    let channels = spec.channelCount
    let left = cut.framesBefore + source.frameCount - frames.position
    let wanted = min(buffer.sampleCount / channels, left)
    if wanted <= 0 {
      try frames.finish(track: cut.place.index)
      return 0
    }
    return try frames.read(into: buffer.extracting(0..<wanted * channels))
  }

  func seek(toFrame frame: Int) throws(AudioFileError) {
    preconditionFailure("a track of an album is read once, from its first frame")
  }
}
