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
  /// Frames that come next and were made already, in order.
  private var pending: [Piece] = []
  /// The frames before the next one, in order; at least ``reach`` once as many were read.
  private var recent: [Piece] = []

  /// The most frames that can be read once more.
  static let reach = 40960

  /// Frames of a block.
  private struct Piece {
    let block: Block
    var frames: Range<Int>
  }

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

  /// The first frame that can be read without making frames anew.
  var firstFrame: Int { position - recent.reduce(0) { $0 + $1.frames.count } }

  /// True if frames after the next one were made.
  var hasMadeMore: Bool { !pending.isEmpty }

  /// Fills `buffer` with the next frames, and returns how many; 0 at the end of the album.
  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    guard let piece = pending.first else {
      let frames = try chain.last.read(into: buffer)
      position += frames
      keep(buffer, frames)
      return frames
    }
    let count = min(buffer.sampleCount / channels, piece.frames.count)
    let taken = piece.frames.lowerBound..<piece.frames.lowerBound + count
    buffer.store(piece.block, from: taken.lowerBound * channels, count: count * channels, at: 0)
    position += count
    keep(Piece(block: piece.block, frames: taken))
    pending[0].frames = taken.upperBound..<piece.frames.upperBound
    if pending[0].frames.isEmpty { pending.removeFirst() }
    return count
  }

  /// Keeps the last of the frames that were read into a buffer.
  private func keep(_ buffer: FrameBuffer, _ frames: Int) {
    let count = min(frames, Self.reach)
    if count == 0 { return }
    let block = Block(buffer.format, sampleCount: count * channels)
    block.buffer.memory.copyMemory(
      from: UnsafeRawBufferPointer(
        buffer.extracting((frames - count) * channels..<frames * channels).memory))
    keep(Piece(block: block, frames: 0..<count))
  }

  private func keep(_ piece: Piece) {
    recent.append(piece)
    while let first = recent.first, position - firstFrame - first.frames.count >= Self.reach {
      recent.removeFirst()
    }
  }

  /// Goes to a frame: back among those that were read last; on at once where frames are interpolated, otherwise by making
  /// those before it.
  func skip(to frame: Int, onBlock: () throws(ConversionError) -> Void) throws(ConversionError) {
    while position > max(frame, firstFrame), var piece = recent.popLast() {
      let count = min(position - frame, piece.frames.count)
      let middle = piece.frames.upperBound - count
      pending.insert(Piece(block: piece.block, frames: middle..<piece.frames.upperBound), at: 0)
      piece.frames = piece.frames.lowerBound..<middle
      position -= count
      if !piece.frames.isEmpty { recent.append(piece) }
    }
    if frame == position { return }
    if form.interpolates {
      (pending, recent) = ([], [])
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
      pending.append(Piece(block: block, frames: 0..<block.frameCount))
    }
  }
}

/// Frames of a scaled album: those of one track, or some beside it.
final class GaplessTrack: FrameStream {
  let source: SourceDescription
  let seeking: Seeking = .decoding
  private let frames: GaplessFrames
  private let end: Int
  /// The track, whose damage is found at its end; `nil` for frames beside one.
  private let track: Int?

  /// The next frames, as many as `source` has.
  init(_ frames: GaplessFrames, track: Int?, as source: SourceDescription) {
    (self.frames, self.track, self.source) = (frames, track, source)
    end = frames.position + source.frameCount
  }

  var clipping: Clipping { result.clipping }
  var nonFiniteSamples: Int { result.nonFiniteSamples }
  private var result: JoinedStream.Result {
    track.map { frames.joined.result(ofTrack: $0) } ?? JoinedStream.Result()
  }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    let channels = spec.channelCount
    let wanted = min(buffer.sampleCount / channels, end - frames.position)
    if wanted <= 0 {
      if let track { try frames.finish(track: track) }
      return 0
    }
    return try frames.read(into: buffer.extracting(0..<wanted * channels))
  }

  func seek(toFrame frame: Int) throws(AudioFileError) {
    preconditionFailure("a track of an album is read once, from its first frame")
  }
}
