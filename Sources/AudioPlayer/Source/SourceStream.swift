internal import AudioIO
internal import AudioModel

/// The frames of one file after another as one stream, in the channels of the output.
///
/// Files follow without a gap while they have the rate and the layout of the first. A loop goes from its last frame to
/// its first. Frames before the last ones read stay within reach for ``historyFrames``.
final class SourceStream {
  /// The rate of the stream, and the layout of the output.
  let spec: AudioSpec
  /// How many frames before ``trim(before:)`` stay within reach.
  let historyFrames: Int
  /// The number of frames read.
  private(set) var end = 0
  /// Whether no frame follows.
  private(set) var isAtEnd = false
  /// The file that is read.
  private(set) var track: Track
  /// The file that follows and needs another stream.
  private(set) var following: Track?

  /// The part of the file to repeat, and whether the whole of it is repeated.
  private(set) var loop: Range<Int>?
  var loopsTrack = false

  private let sourceLayout: ChannelLayout
  private let matrix: ChannelMatrix
  private let onFailure: (Track, AudioFileError) -> Void
  private let nextTrack: (Track) -> Track?
  /// The next frame of the file, and whether any was read since its start.
  private(set) var frame: Int
  private var hasRead = false
  /// Where parts of files begin in the stream, the last one last.
  private var spans: [Span]
  /// The frames within reach; the first of them in the stream.
  private var window: [Float] = []
  private var windowStart = 0
  private var block: [Float]

  /// Frames of a file that follow each other.
  struct Span {
    /// Its first frame in the stream.
    let start: Int
    let track: Track
    /// Its first frame in the file.
    let frame: Int
  }

  private static var blockFrames: Int { 2048 }

  /// A stream that begins with a frame of a file, whose reader is there already.
  ///
  /// - Parameters:
  ///   - nextTrack: The file that follows another; `nil` at the end of the list.
  ///   - onFailure: Called when a file cannot be read to its end; the stream continues with the next.
  init(
    _ track: Track, frame: Int, outputLayout: ChannelLayout,
    nextTrack: @escaping (Track) -> Track?,
    onFailure: @escaping (Track, AudioFileError) -> Void
  ) {
    let source = track.source.spec
    self.track = track
    self.frame = frame
    self.nextTrack = nextTrack
    self.onFailure = onFailure
    spec = AudioSpec(sampleRate: source.sampleRate, layout: outputLayout)
    sourceLayout = source.layout
    matrix = ChannelMatrix(from: source.layout, to: outputLayout)
    historyFrames = max(source.sampleRate / 2, 1 << 15)
    spans = [Span(start: 0, track: track, frame: frame)]
    block = Array(repeating: 0, count: Self.blockFrames * source.channelCount)
  }

  /// Repeats a part of the file; `nil` for none. It begins to count when its end is reached.
  func setLoop(_ range: Range<Int>?) { loop = range?.isEmpty == true ? nil : range }

  /// Reads until the stream has frames up to `wanted`, or ends.
  func read(upTo wanted: Int) {
    while end < wanted && !isAtEnd { readBlock() }
  }

  /// Copies frames that are within reach; those before the stream or after its end are silence.
  func copy(_ range: Range<Int>, to output: UnsafeMutablePointer<Float>) {
    let channels = spec.channelCount
    let there = range.clamped(to: windowStart..<max(windowStart, end))
    if there.isEmpty {
      output.update(repeating: 0, count: range.count * channels)
      return
    }
    let (before, after) = (
      (there.lowerBound - range.lowerBound) * channels,
      (range.upperBound - there.upperBound) * channels
    )
    output.update(repeating: 0, count: before)
    window.withUnsafeBufferPointer { frames in
      guard let start = frames.baseAddress else { return }
      (output + before).update(
        from: start + (there.lowerBound - windowStart) * channels, count: there.count * channels)
    }
    (output + before + there.count * channels).update(repeating: 0, count: after)
  }

  /// Gives up frames that are further back than the history before `position`.
  func trim(before position: Int) {
    let first = position - historyFrames
    // Rarely, because what stays is moved.
    if first - windowStart > historyFrames {
      window.removeFirst((first - windowStart) * spec.channelCount)
      windowStart = first
    }
    let current = spans.lastIndex { $0.start <= position } ?? 0
    if current > 0, let later = spans.firstIndex(where: { $0.start > first }), later > 1 {
      spans.removeFirst(min(current, later - 1))
    }
  }

  /// The parts of files in a range of the stream.
  func spans(in range: Range<Int>) -> [Span] {
    let first = spans.lastIndex { $0.start <= range.lowerBound } ?? 0
    return spans[first...].prefix { $0.start < max(range.upperBound, range.lowerBound + 1) }
      .map { span in
        let start = max(span.start, range.lowerBound)
        return Span(start: start, track: span.track, frame: span.frame + start - span.start)
      }
  }

  private func readBlock() {
    var limit = Self.blockFrames
    if let loop, frame < loop.upperBound {
      limit = min(limit, loop.upperBound - frame)
    }
    let channels = sourceLayout.channelCount
    do throws(AudioFileError) {
      if block.count != limit * channels {
        block = Array(repeating: 0, count: limit * channels)
      }
      var samples = block.mutableSpan
      let count = try track.reader.read(into: &samples)
      if count == 0 { return try endOfTrack() }
      append(count)
      if let loop, frame == loop.upperBound { try jump(to: loop.lowerBound) }
    } catch {
      onFailure(track, error)
      goOn()
    }
  }

  private func append(_ count: Int) {
    let (start, samples) = (window.count, count * spec.channelCount)
    window.reserveCapacity(start + samples)
    window.append(contentsOf: repeatElement(0, count: samples))
    window.withUnsafeMutableBufferPointer { target in
      block.withUnsafeBufferPointer { source in
        guard let target = target.baseAddress, let source = source.baseAddress else { return }
        matrix.map(source, to: target + start, frameCount: count)
      }
    }
    end += count
    frame += count
    hasRead = true
  }

  private func jump(to frame: Int) throws(AudioFileError) {
    try track.reader.seek(toFrame: frame)
    self.frame = frame
    spans.append(Span(start: end, track: track, frame: frame))
  }

  private func endOfTrack() throws(AudioFileError) {
    if let loop, loop.lowerBound < frame, loop.upperBound >= frame {
      return try jump(to: loop.lowerBound)
    }
    let isOnTheWay = track.isPartial && track.item.isPipe
    if loopsTrack, hasRead, frame > 0, !isOnTheWay { return try jump(to: 0) }
    goOn()
  }

  /// Goes on with the next file.
  private func goOn() {
    guard let next = nextTrack(track) else {
      isAtEnd = true
      return
    }
    let spec = next.source.spec
    guard spec.sampleRate == self.spec.sampleRate, spec.layout == sourceLayout else {
      following = next
      isAtEnd = true
      return
    }
    if track.index != next.index { loop = nil }
    (track, frame, hasRead) = (next, next.start, false)
    spans.append(Span(start: end, track: next, frame: next.start))
  }
}
