internal import AudioIO
internal import AudioModel
internal import Glibc

/// The frames of one track after another, in the channels of the output.
///
/// Tracks follow without a gap while they have the rate and the layout of the first. A loop continues from its last
/// frame at its first, exactly or with a fade, which takes no time of its own. Frames stay available for ``historyFrames`` after they were read.
///
/// A sequence is not a ``FrameStream``. It has no length, because tracks and loops are added while it runs. After an
/// error, it continues with the next track. It can be asked later which frame of which track is at a place.
final class TrackSequence {
  /// The rate of the tracks, and the layout of the output.
  let spec: AudioSpec
  /// The number of frames that ``trim(before:)`` keeps.
  let historyFrames: Int
  /// The number of frames read.
  private(set) var end = 0
  /// True when no frame follows.
  private(set) var isAtEnd = false
  /// The track being read.
  private(set) var track: Track
  /// The next track, if it needs another sequence.
  private(set) var following: Track?

  /// The part of the track to repeat.
  private(set) var loop: Range<Int>?
  /// The sound between the rounds of a loop.
  var between = LoopBreak.nothing
  /// The break that is being read, and how much of it was.
  private var still: (sound: LoopBreak, frameCount: Int, done: Int)?
  /// The number of rounds of loops that were begun.
  var round = 0

  /// The layout of the tracks.
  private let trackLayout: ChannelLayout
  /// The track in the channels of the output.
  private var stream: any FrameStream
  private let fadesJumps: Bool
  /// The fade into the frames that are read next.
  private var seam: Seam?
  private let onFailure: (Track, AudioFileError) -> Void
  private let gain: (Track) -> Float
  /// The factor of the samples of the track.
  private var factor: Float
  private let match: LevelMatch?
  private let repeats: () -> Bool
  private let nextTrack: (Track, Bool) -> Track?
  /// The next frame of the track, and whether any was read since its start.
  private(set) var frame: Int
  private var hasRead = false
  /// The parts of tracks, in order.
  private var spans: [Span]
  /// The frames within reach, and the place of the first one.
  private var window: [Float] = []
  private var windowStart = 0

  /// Frames of a track that follow each other.
  struct Span {
    /// The place of its first frame in the sequence.
    let start: Int
    let track: Track
    /// Its first frame in the track.
    let frame: Int
    /// The pause or clicks between the rounds of a loop, where no frame of the track passes; `nil` in the track.
    var still: Still?
    var isStill: Bool { still != nil }
    /// The number of rounds that were begun before it.
    var round = 0
  }

  /// A place between the rounds of a loop.
  struct Still {
    let sound: LoopBreak
    /// The first frame of the loop.
    let loopStart: Int
    /// The frames since the round ended.
    var passed = 0

    /// The frames of the output that frames from here on take, in a track whose frames have a pace.
    func outputFrames(_ count: Int, at pace: TimeMap) -> Double {
      switch sound {
      // A pause takes as long as the round before it.
      case .pause:
        let start = Double(loopStart + passed)
        return pace.output(at: start + Double(count)) - pace.output(at: start)
      // Clicks have the pace with which the round begins.
      case .clicks, .nothing:
        let start = Double(loopStart)
        return Double(count) * (pace.output(at: start + 1) - pace.output(at: start))
      }
    }
  }

  private static var blockFrames: Int { 2048 }

  /// A sequence that begins with a frame of a track whose stream is already at that frame.
  ///
  /// - Parameters:
  ///   - fadesJumps: True if the end of a loop fades into its start.
  ///   - repeats: Called at the end of a track; true if it begins again.
  ///   - nextTrack: The track that follows another, which is true if that had no frames; `nil` at the end of the list.
  ///   - gain: The factor of the samples of a track.
  ///   - match: Measures the tracks.
  ///   - onFailure: Called when a track cannot be read to its end; the sequence continues with the next.
  init(
    _ track: Track, frame: Int, outputLayout: ChannelLayout, fadesJumps: Bool = false,
    round: Int = 0,
    repeats: @escaping () -> Bool,
    nextTrack: @escaping (Track, Bool) -> Track?,
    gain: @escaping (Track) -> Float = { _ in 1 },
    match: LevelMatch? = nil,
    onFailure: @escaping (Track, AudioFileError) -> Void
  ) {
    let source = track.source.spec
    self.track = track
    self.frame = frame
    self.fadesJumps = fadesJumps
    self.repeats = repeats
    self.nextTrack = nextTrack
    (self.gain, factor, self.match) = (gain, gain(track), match)
    self.onFailure = onFailure
    spec = AudioSpec(sampleRate: source.sampleRate, layout: outputLayout)
    trackLayout = source.layout
    stream = track.stream.mapped(to: outputLayout)
    historyFrames = max(source.sampleRate / 2, 1 << 15)
    self.round = round
    spans = [Span(start: 0, track: track, frame: frame, round: round)]
  }

  /// Repeats a part of the track; `nil` for none. It takes effect when its end is reached.
  func setLoop(_ range: Range<Int>?) { loop = range?.isEmpty == true ? nil : range }

  /// Reads until there are frames up to `wanted`, or the sequence ends.
  func read(upTo wanted: Int) {
    while end < wanted && !isAtEnd { readBlock() }
  }

  /// Copies available frames; frames before the first and after the last are silence.
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

  /// Drops frames that are older than the history before `position`.
  func trim(before position: Int) {
    let first = position - historyFrames
    // Done rarely, because the remaining frames are moved.
    if first - windowStart > historyFrames {
      window.removeFirst((first - windowStart) * spec.channelCount)
      windowStart = first
    }
    let current = spans.lastIndex { $0.start <= position } ?? 0
    if current > 0, let later = spans.firstIndex(where: { $0.start > first }), later > 1 {
      spans.removeFirst(min(current, later - 1))
    }
  }

  /// The parts of tracks in a range of the sequence.
  func spans(in range: Range<Int>) -> [Span] {
    let first = spans.lastIndex { $0.start <= range.lowerBound } ?? 0
    return spans[first...].prefix { $0.start < max(range.upperBound, range.lowerBound + 1) }
      .map { span in
        let start = max(span.start, range.lowerBound)
        var still = span.still
        still?.passed += start - span.start
        return Span(
          start: start, track: span.track,
          frame: span.isStill ? span.frame : span.frame + start - span.start,
          still: still, round: span.round)
      }
  }

  private func readBlock() {
    if still != nil { return readBreak() }
    var limit = Self.blockFrames
    if let loop, frame < loop.upperBound {
      limit = min(limit, loop.upperBound - frame)
    }
    do throws(AudioFileError) {
      if try append(limit) == 0 { return try endOfTrack() }
      if let loop, frame == loop.upperBound { try endRound(loop) }
    } catch {
      onFailure(track, error)
      goOn()
    }
  }

  /// Appends up to `limit` frames to the window, and returns how many; 0 at the end of the track.
  private func append(_ limit: Int) throws(AudioFileError) -> Int {
    let (start, channels) = (window.count, spec.channelCount)
    var count = 0
    defer { window.removeSubrange((start + count * channels)...) }
    window.append(contentsOf: repeatElement(0, count: limit * channels))
    var span = window.mutableSpan
    var samples = span._mutatingExtracting(start..<start + limit * channels)
    count = try stream.read(into: &samples)
    if count > 0 { hasRead = true }
    if factor != 1 {
      for index in start..<start + count * channels { window[index] *= factor }
    }
    match?.source.add(
      window[start..<start + count * channels], channelCount: channels,
      sampleRate: spec.sampleRate)
    seam?.apply(to: &window, from: start, frameCount: count)
    if seam?.isOver == true { seam = nil }
    end += count
    frame += count
    return count
  }

  /// Goes to the start of a loop, after what is between its rounds.
  private func endRound(_ loop: Range<Int>) throws(AudioFileError) {
    let count = between.frameCount(loop)
    round += 1
    guard count > 0 else { return try jump(to: loop.lowerBound) }
    if fadesJumps { seam = Seam(after: window, following: followingFrames(), spec) }
    still = (between, count, 0)
    let last = max(0, frame - 1)
    // A pause belongs to the round before it.
    spans.append(
      Span(
        start: end, track: track, frame: last,
        still: Still(sound: between, loopStart: loop.lowerBound), round: round - 1))
  }

  private func readBreak() {
    guard var part = still else { return }
    let (start, channels) = (window.count, spec.channelCount)
    let count = min(Self.blockFrames, part.frameCount - part.done)
    window.append(contentsOf: repeatElement(0, count: count * channels))
    for frame in 0..<count {
      let sample = part.sound.sample(part.done + frame, sampleRate: spec.sampleRate)
      if sample == 0 { continue }
      for channel in 0..<channels { window[start + frame * channels + channel] = sample }
    }
    seam?.apply(to: &window, from: start, frameCount: count)
    if seam?.isOver == true { seam = nil }
    end += count
    part.done += count
    still = part.done < part.frameCount ? part : nil
    guard still == nil else { return }
    do throws(AudioFileError) {
      try jump(to: loop?.lowerBound ?? frame, afterBreak: true)
    } catch {
      onFailure(track, error)
      goOn()
    }
  }

  private func jump(to frame: Int, afterBreak: Bool = false) throws(AudioFileError) {
    if fadesJumps, afterBreak {
      seam = Seam(after: window, following: [], spec)
    } else if fadesJumps {
      seam = Seam(after: window, following: followingFrames(), spec)
    }
    try stream.seek(toFrame: frame)
    self.frame = frame
    spans.append(Span(start: end, track: track, frame: frame, round: round))
  }

  /// The samples that would follow the last frame, as many as a fade takes; fewer at the end of the track.
  private func followingFrames() -> [Float] {
    let (start, before) = (window.count, (end, frame))
    defer {
      window.removeSubrange(start...)
      (end, frame) = before
    }
    seam = nil
    // A read error here only shortens the fade.
    _ = try? append(Int(SoundQueue.fadeSeconds * Double(spec.sampleRate)))
    return Array(window[start...])
  }

  private func endOfTrack() throws(AudioFileError) {
    if let loop, loop.lowerBound < frame, loop.upperBound >= frame {
      return try endRound(loop)
    }
    let isOnTheWay = track.isPartial && track.item.isPipe
    if hasRead, frame > 0, !isOnTheWay, repeats() { return try jump(to: 0) }
    goOn()
  }

  /// Continues with the next track.
  private func goOn() {
    guard let next = nextTrack(track, !hasRead && frame == 0) else {
      isAtEnd = true
      return
    }
    let spec = next.source.spec
    guard spec.sampleRate == self.spec.sampleRate, spec.layout == trackLayout else {
      following = next
      isAtEnd = true
      return
    }
    if track.index != next.index {
      loop = nil
    } else if fadesJumps, next.start != frame {
      seam = Seam(after: window, following: [], spec)
    }
    (track, frame, hasRead, factor) = (next, next.start, false, gain(next))
    stream = next.stream.mapped(to: self.spec.layout)
    spans.append(Span(start: end, track: next, frame: next.start, round: round))
  }
}

/// The sound between two rounds of a loop, at the sample rate of the player.
package enum LoopBreak: Hashable, Sendable {
  case nothing
  /// Silence as long as the loop.
  case pause
  /// Clicks, as many, so many frames apart.
  case clicks(Int, frames: Int)

  /// The frames that it takes.
  func frameCount(_ loop: Range<Int>) -> Int {
    switch self {
    case .nothing: 0
    case .pause: loop.count
    case .clicks(let count, let frames): count * frames
    }
  }

  /// A sample of it: a click is a tone of 20 ms that ends, the first of them an octave higher.
  package func sample(_ frame: Int, sampleRate: Int) -> Float {
    guard case .clicks(_, let frames) = self, frames > 0 else { return 0 }
    let (click, place) = frame.quotientAndRemainder(dividingBy: frames)
    let seconds = Double(place) / Double(sampleRate)
    guard seconds < 0.02 else { return 0 }
    let pitch = click == 0 ? 2000.0 : 1000
    return Float(0.4 * (1 - seconds / 0.02) * sin(2 * .pi * pitch * seconds))
  }
}

/// The place where a sequence jumps, and how the sound before it becomes that after it.
///
/// If frames would have followed, they fade out while the others fade in. At the end of a file there are none: there
/// the step is spread over the fade, unless it is no greater than twice those beside it.
private struct Seam {
  private let channelCount, frameCount: Int
  private let following: [Float]
  /// The last frame, and the one before it.
  private let last, previous: [Float]
  /// The step from the last frame to the first.
  private var steps: [Float] = []
  private var done = 0

  init(after window: [Float], following: [Float], _ spec: AudioSpec) {
    channelCount = spec.channelCount
    frameCount = max(1, Int(SoundQueue.fadeSeconds * Double(spec.sampleRate)))
    self.following = following
    last = Array(window.suffix(channelCount))
    previous = Array(window.dropLast(channelCount).suffix(channelCount))
  }

  var isOver: Bool { done >= frameCount }

  mutating func apply(to window: inout [Float], from start: Int, frameCount count: Int) {
    guard count > 0, !isOver else { return }
    if following.isEmpty, done == 0 {
      guard let found = audibleSteps(window, start, count) else {
        done = frameCount
        return
      }
      steps = found
    }
    for frame in 0..<min(count, frameCount - done) {
      let part = (Float(done) + 0.5) / Float(frameCount)
      for channel in 0..<channelCount {
        let index = start + frame * channelCount + channel
        let place = done * channelCount + channel
        if !following.isEmpty {
          let other = place < following.count ? following[place] : 0
          window[index] = other + (window[index] - other) * part
        } else {
          window[index] += steps[channel] * (1 - part)
        }
      }
      done += 1
    }
  }

  /// The step in each channel; `nil` if none is greater than twice the steps beside it.
  private func audibleSteps(_ window: [Float], _ start: Int, _ count: Int) -> [Float]? {
    guard last.count == channelCount else { return nil }
    let steps = (0..<channelCount).map { last[$0] - window[start + $0] }
    let isAudible = (0..<channelCount).contains { channel in
      let before = previous.count == channelCount ? abs(last[channel] - previous[channel]) : 0
      let first = start + channel
      let after = count > 1 ? abs(window[first + channelCount] - window[first]) : 0
      // NaN is not heard.
      return abs(steps[channel]) > 2 * max(before, after)
    }
    return isAudible && steps.allSatisfy(\.isFinite) ? steps : nil
  }
}
