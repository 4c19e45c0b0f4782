import AudioFiles
import AudioIO
import AudioPlayer
internal import Dispatch
import Glibc
import ScaleAudio

/// The greatest and the least sample of some frames, and their mean square, over all channels; full scale 1.
struct PlayLevel: Equatable {
  var low: Float = 0
  var high: Float = 0
  var square: Float = 0

  /// Merges pieces of about the same length.
  init?(_ pieces: some Collection<PlayLevel>) {
    guard let first = pieces.first else { return nil }
    self = first
    var sum: Float = 0
    for piece in pieces {
      (low, high) = (min(low, piece.low), max(high, piece.high))
      sum += piece.square
    }
    square = sum / Float(pieces.count)
  }

  init(low: Float = 0, high: Float = 0, square: Float = 0) {
    (self.low, self.high, self.square) = (low, high, square)
  }

  var peak: Float { max(high, -low) }
}

/// The levels of a file, measured on a thread of its own while it plays: first what is shown, then the rest.
///
/// Each piece is 10 ms long. A long file that can be read at any frame is sampled for the whole of it, so that this takes
/// little time, and measured only where it is shown.
final class PlayLevels: Sendable {
  /// Pieces in a second, and in a chunk, which is measured at once.
  static let piecesPerSecond = 100
  private static let chunkPieces = 500
  /// The most chunks kept; the farthest are dropped.
  private static let maximumChunks = 720
  private static let segmentCount = 1000
  private static let blockFrames = 4096
  /// Frames above which a file is sampled.
  private static let maximumFrames = 1 << 25

  private struct State {
    var chunks: [Int: [PlayLevel]] = [:]
    /// The level of each part of the whole, as far as measured.
    var segments: [PlayLevel?] = []
    var isSampled = false
    var peak: Float = 0
    /// The chunks that are shown, and those near the place that is heard.
    var wanted = 0..<0
    var near = 0..<0
    /// True while the thread has something to do.
    var isMeasuring = false
    var hasFailed = false
    var identity: AudioIdentity?
    var revision = 0
  }

  private let state = Locked(State())
  private let cancellation = Cancellation()
  private let news = DispatchSemaphore(value: 0)
  /// The frames that were there when the file was opened.
  let frameCount: Int
  let sampleRate: Int

  /// Measures the file of a track; a pipe is left out, since it can be read once, and a part is, since the whole is not
  /// its picture.
  ///
  /// - Parameter identifies: True to find the identity of the audio, after what is shown.
  init(_ track: Track, identifies: Bool = false) {
    (frameCount, sampleRate) = (track.source.frameCount, max(1, track.source.spec.sampleRate))
    guard case .file(let path) = track.item.input, !track.item.isPipe,
      track.item.conversion?.part == nil
    else {
      return
    }
    let (raw, follows) = (track.item.raw, track.item.follows)
    state.withLock { $0.isMeasuring = true }
    DispatchQueue(label: "scaleaudio.levels", qos: .utility).async {
      [state, cancellation, news] in
      try? Self.measure(
        path, raw, grows: follows, identifies: identifies && !follows, state, news, cancellation)
      state.withLock { ($0.isMeasuring, $0.hasFailed) = (false, true) }
    }
  }

  func cancel() {
    cancellation.cancel()
    news.signal()
  }

  /// True when the whole was measured or sampled.
  var isComplete: Bool {
    state.withLock { $0.hasFailed || !$0.segments.isEmpty && !$0.segments.contains { $0 == nil } }
  }

  /// The identity of the audio, once it is known.
  var identity: AudioIdentity? { state.withLock { $0.identity } }

  /// A number that changes when more was measured.
  var revision: Int { state.withLock { $0.revision } }

  /// The greatest magnitude that was found.
  var peak: Float { state.withLock { $0.peak } }

  /// Has a part measured before the rest, then what is near a moment, in seconds.
  func show(_ part: Range<Double>, near second: Double) {
    let (wanted, near) = (Self.chunks(part), Self.chunks(Self.part(near: second)))
    let isNew = state.withLock { state in
      defer { (state.wanted, state.near) = (wanted, near) }
      return state.wanted != wanted || state.near != near
    }
    if isNew { news.signal() }
  }

  private static func chunks(_ part: Range<Double>) -> Range<Int> {
    let length = Double(chunkPieces) / Double(piecesPerSecond)
    let first = max(0, Int(min(part.lowerBound / length, 1e6)))
    return first..<max(first, Int(min(part.upperBound / length, 1e6))) + 1
  }

  /// The part in which a sentence at a moment begins and ends.
  private static func part(near second: Double) -> Range<Double> {
    max(0, second - 30)..<max(0, second) + 30
  }

  /// True if what is near a moment is measured, or cannot be.
  func isMeasured(near second: Double) -> Bool {
    let end = Double(max(0, frameCount - 1)) / Double(sampleRate)
    let chunks = Self.chunks(Self.part(near: second))
      .clamped(to: Self.chunks(0..<end))
    return state.withLock { state in
      !state.isMeasuring || chunks.allSatisfy { state.chunks[$0] != nil }
    }
  }

  /// The levels of equal parts from `start` on, in seconds; `nil` for those that are not measured.
  func levels(from start: Double, each length: Double, count: Int) -> [PlayLevel?] {
    state.withLock { state in
      (0..<count).map { index in
        let from = (start + Double(index) * length) * Double(Self.piecesPerSecond)
        let first = Int(max(0, (from + 1e-6).rounded(.down)))
        let end = max(
          first + 1, Int((from + length * Double(Self.piecesPerSecond) + 1e-6).rounded(.down)))
        if from < -1 { return nil }
        var pieces: [PlayLevel] = []
        var piece = first
        while piece < end {
          let (chunk, place) = piece.quotientAndRemainder(dividingBy: Self.chunkPieces)
          guard let levels = state.chunks[chunk] else {
            // A part longer than a chunk is taken from the sampled whole.
            return end - first >= Self.chunkPieces / 8
              ? Self.segment(state, first, end, sampleRate, frameCount) : nil
          }
          let last = min(levels.count, place + end - piece)
          if place < last { pieces += levels[place..<last] }
          piece = (chunk + 1) * Self.chunkPieces
        }
        return PlayLevel(pieces)
      }
    }
  }

  private static func segment(
    _ state: State, _ first: Int, _ end: Int, _ rate: Int, _ frameCount: Int
  ) -> PlayLevel? {
    let length = Double(frameCount) / Double(rate) * Double(piecesPerSecond)
    let count = Double(state.segments.count)
    guard length > 0, count > 0 else { return nil }
    let from = Int(Double(first) / length * count)
    guard from < state.segments.count else { return nil }
    let to = min(state.segments.count, max(from + 1, Int(Double(end) / length * count)))
    return PlayLevel(state.segments[from..<to].compactMap { $0 })
  }

  /// The levels of equal parts of the whole, if it has so many frames; `nil` for those that are not measured.
  func overview(columns: Int, of total: Int) -> [PlayLevel?] {
    state.withLock { state in
      let count = state.segments.count
      let shown = frameCount < total ? max(1, columns * frameCount / max(1, total)) : columns
      return (0..<columns).map { column in
        guard column < shown, count > 0 else { return nil }
        let first = column * count / shown
        let end = max(first + 1, (column + 1) * count / shown)
        let parts = state.segments[first..<min(count, end)]
        if parts.contains(where: { $0 == nil }) { return nil }
        return PlayLevel(parts.compactMap { $0 })
      }
    }
  }

  /// The start of the sentence before a moment, or of the one after it, in seconds: where sound follows a pause of 0.24 s
  /// or more. The part within a minute is searched, as far as it is measured.
  func phraseStart(before second: Double, grace: Double) -> Double? {
    phraseStarts(in: max(0, second - 60)..<second).last { $0 < second - grace }
  }

  func phraseStart(after second: Double) -> Double? {
    phraseStarts(in: second..<second + 60).first { $0 > second + 0.05 }
  }

  /// The sentence at a moment or the next after it, with 50 ms on both sides.
  func phrase(at second: Double) -> Range<Double>? {
    phrases(in: max(0, second - 60)..<second + 60).first { $0.upperBound > second }
  }

  /// The sentence before a moment.
  func phrase(before second: Double) -> Range<Double>? {
    phrases(in: max(0, second - 60)..<second).last { $0.upperBound <= second }
  }

  /// The sentences within a minute of the one that is looped, and that one.
  func phrases(around loop: Range<Double>) -> [Range<Double>] {
    let near = max(0, loop.lowerBound - 60)..<loop.upperBound + 60
    let others = phrases(in: near).filter { !$0.overlaps(loop) }
    return (others + [loop]).sorted { $0.lowerBound < $1.lowerBound }
  }

  /// The starts of sound after pauses.
  func phraseStarts(in part: Range<Double>) -> [Double] { phrases(in: part).map(\.lowerBound) }

  /// Sound between pauses, as far as its start is within a part and both are measured.
  func phrases(in part: Range<Double>) -> [Range<Double>] {
    let each = 1 / Double(Self.piecesPerSecond)
    let count = Int((part.upperBound - part.lowerBound) / each)
    guard count > 0 else { return [] }
    let found = levels(from: part.lowerBound, each: each, count: count)
    let loudest = found.compactMap { $0?.square }.max() ?? 0
    // 40 dB below the loudest.
    let floor = max(loudest * 1e-4, 1e-9)
    let pause = Self.piecesPerSecond * 24 / 100
    var phrases: [Range<Double>] = []
    var start: Double?
    var silence = part.lowerBound <= 0 ? pause : 0
    func end(_ index: Int) {
      guard let first = start else { return }
      start = nil
      let last = part.lowerBound + Double(index) * each + 0.05
      phrases.append(first..<max(first + each, last))
    }
    for (index, level) in found.enumerated() {
      guard let level else {
        end(index - silence)
        silence = 0
        continue
      }
      if level.square < floor {
        silence += 1
        if silence == pause { end(index + 1 - silence) }
      } else {
        if silence >= pause, start == nil {
          start = max(0, part.lowerBound + Double(index) * each - 0.05)
        }
        silence = 0
      }
    }
    end(found.count - silence)
    return phrases
  }

  // MARK: - Measuring

  private static func measure(
    _ path: FilePath, _ raw: RawPCM?, grows: Bool, identifies: Bool, _ state: Locked<State>,
    _ news: DispatchSemaphore, _ cancellation: Cancellation
  ) throws {
    let input = try ConversionInput.file(path).opened(cancellation, raw: raw)
    let reader =
      grows
      ? try AudioFile.growingReader(for: input) : try AudioFile.listeningReader(for: input).0
    let source = reader.source
    var isSampled = false
    if case .direct = reader.seeking { isSampled = source.frameCount > maximumFrames }
    let rate = max(1, source.spec.sampleRate)
    let chunkFrames = chunkPieces * rate / piecesPerSecond
    let chunkCount = (source.frameCount + chunkFrames - 1) / max(1, chunkFrames)
    let segmentCount = min(segmentCount, max(1, source.frameCount))
    state.withLock { state in
      state.isSampled = isSampled
      state.segments = Array(repeating: nil, count: segmentCount)
    }
    var meter = PieceMeter(reader, blockFrames: blockFrames)
    var segment = 0
    var nextChunk = 0
    var isIdentified = !identifies
    while !cancellation.isCancelled {
      let (wanted, known) = state.withLock { (Array($0.wanted) + $0.near, Set($0.chunks.keys)) }
      if let chunk = wanted.first(where: { $0 < chunkCount && !known.contains($0) }),
        reader.seeking == .direct || chunk == nextChunk
      {
        try measure(chunk, &meter, source.frameCount, state)
      } else if !isIdentified, !grows {
        isIdentified = true
        // A reader that has met damage reads nothing else.
        let identity = try? AudioIdentity(
          of: ConversionInput.file(path).opened(cancellation, raw: raw)
        ) { cancellation.isCancelled }
        state.withLock { $0.identity = identity }
      } else if isSampled, segment < segmentCount {
        let start = source.frameCount / segmentCount * segment
        let level = try meter.level(start..<min(source.frameCount, start + blockFrames))
        state.withLock { state in
          state.segments[segment] = level
          state.peak = max(state.peak, level.peak)
          state.revision += 1
        }
        segment += 1
      } else if !isSampled, nextChunk < chunkCount {
        if !known.contains(nextChunk) { try measure(nextChunk, &meter, source.frameCount, state) }
        nextChunk += 1
        if nextChunk == chunkCount { fill(state, source.frameCount, rate) }
      } else {
        news.wait()
      }
    }
  }

  private static func measure(
    _ chunk: Int, _ meter: inout PieceMeter, _ frameCount: Int, _ state: Locked<State>
  ) throws {
    let rate = meter.sampleRate
    var pieces: [PlayLevel] = []
    for piece in chunk * chunkPieces..<(chunk + 1) * chunkPieces {
      let start = piece * rate / piecesPerSecond
      if start >= frameCount { break }
      pieces.append(try meter.level(start..<min(frameCount, (piece + 1) * rate / piecesPerSecond)))
    }
    state.withLock { state in
      state.chunks[chunk] = pieces
      state.peak = max(state.peak, pieces.map(\.peak).max() ?? 0)
      state.revision += 1
      if state.isSampled, state.chunks.count > maximumChunks,
        let far = state.chunks.keys.max(by: {
          abs($0 - state.wanted.lowerBound) < abs($1 - state.wanted.lowerBound)
        })
      {
        state.chunks[far] = nil
      }
      if !state.isSampled { fill(&state, frameCount, rate) }
    }
  }

  private static func fill(_ state: Locked<State>, _ frameCount: Int, _ rate: Int) {
    state.withLock { fill(&$0, frameCount, rate) }
  }

  /// Takes the levels of the whole from the chunks.
  private static func fill(_ state: inout State, _ frameCount: Int, _ rate: Int) {
    let count = state.segments.count
    let length = Double(frameCount) / Double(rate) * Double(piecesPerSecond)
    for segment in state.segments.indices where state.segments[segment] == nil {
      let first = Int(Double(segment) / Double(count) * length)
      let end = max(first + 1, Int(Double(segment + 1) / Double(count) * length))
      var pieces: [PlayLevel] = []
      var isWhole = true
      for piece in first..<end {
        let (chunk, place) = piece.quotientAndRemainder(dividingBy: chunkPieces)
        guard let levels = state.chunks[chunk] else {
          isWhole = false
          break
        }
        if place < levels.count { pieces.append(levels[place]) }
      }
      if isWhole { state.segments[segment] = PlayLevel(pieces) ?? PlayLevel() }
    }
  }
}

/// Measures pieces of a file.
private struct PieceMeter {
  private let reader: any FrameStream
  private let block: Block
  private let blockFrames: Int
  private let channels: Int
  /// The frame at which the reader stands, and the frames in the block.
  private var frame = 0
  private var held = 0..<0

  init(_ reader: any FrameStream, blockFrames: Int) {
    (self.reader, self.blockFrames) = (reader, blockFrames)
    channels = reader.source.spec.channelCount
    block = Block(.float32, sampleCount: blockFrames * channels)
  }

  var sampleRate: Int { max(1, reader.source.spec.sampleRate) }

  mutating func level(_ range: Range<Int>) throws -> PlayLevel {
    var level = PlayLevel(low: .infinity, high: -.infinity)
    var sum = 0.0
    var place = range.lowerBound
    while place < range.upperBound {
      if !held.contains(place) {
        if place != frame {
          try reader.seek(toFrame: place)
          frame = place
        }
        let made = try reader.read(into: block.buffer.extracting(0..<blockFrames * channels))
        if made == 0 { break }
        held = frame..<frame + made
        frame += made
      }
      let end = min(range.upperBound, held.upperBound)
      let samples = block.samples(of: Float.self)
      let (first, last) = (
        (place - held.lowerBound) * channels, (end - held.lowerBound) * channels
      )
      for sample in samples[first..<last] where sample.isFinite {
        if sample < level.low { level.low = sample }
        if sample > level.high { level.high = sample }
        sum += Double(sample) * Double(sample)
      }
      place = end
    }
    guard level.low <= level.high else { return PlayLevel() }
    let mean = sum / Double(max(1, (place - range.lowerBound) * channels))
    level.square = Float(min(mean, Double(Float.greatestFiniteMagnitude)))
    return level
  }
}
