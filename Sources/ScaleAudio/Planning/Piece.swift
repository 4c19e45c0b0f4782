internal import AudioIO
internal import AudioModel
internal import SystemPackage
internal import TimeScaling

/// A piece of a source that is scaled only in parts: one of these parts, or the audio between them.
struct Piece: Hashable {
  /// The frames of the source.
  let frames: Range<Int>
  /// Frames of the output.
  let outputFrames: Int
  /// True if it is scaled; otherwise it stays unchanged.
  let isScaled: Bool
}

/// How a piece is scaled together with the audio around it, to avoid ringing and discontinuities at its ends.
struct PieceContext: Hashable {
  /// The frames of the source that the scaler gets; negative frames are silence before the source.
  var frames: Range<Int>
  /// Frames of the scaler's output before the piece.
  var outputBefore = 0
  /// The number of frames over which the piece fades from the audio before it and to the audio after it.
  var fadeIn = 0
  var fadeOut = 0
  /// The positions in the scaler's output; `nil` for a constant factor.
  var map: TimeMap?
}

extension Piece {
  /// Frames of context on either side of a piece scaled by `sinc` at a factor of at least 1.
  private static let sincContext = 4096
  /// How many more frames are tried to find a context that is a whole number of frames in the output.
  private static let maximumTried = 65_536

  /// The context that a method needs; `nil` if it needs none.
  func context(for method: ScalingMethod, factor: Double, source: SourceDescription)
    -> PieceContext?
  {
    if frames.isEmpty || outputFrames == 0 { return nil }
    switch method {
    case .smoothstep, .linear: return nil
    case .sinc: return sincContext(factor, end: source.frameCount)
    case .stretch: return stretchContext(source.spec.sampleRate, end: source.frameCount)
    }
  }

  private func sincContext(_ factor: Double, end: Int) -> PieceContext {
    let least = Int(Double(Self.sincContext) * max(1, 1 / factor))
    func error(_ count: Int) -> Double {
      let place = Double(count) * factor
      return (place - place.rounded()).magnitude
    }
    var before = least
    for count in least..<least + Self.maximumTried where error(count) < error(before) {
      before = count
      if error(count) < 1e-9 { break }
    }
    return PieceContext(
      frames: frames.lowerBound - before..<min(end, frames.upperBound + least),
      outputBefore: Int((Double(before) * factor).rounded()))
  }

  private func stretchContext(_ rate: Int, end: Int) -> PieceContext {
    let (before, after) = (
      min(frames.lowerBound, rate / 2), min(end - frames.upperBound, rate / 2)
    )
    let fade = min(rate / 100, frames.count / 4, outputFrames / 4)
    var context = PieceContext(
      frames: frames.lowerBound - before..<frames.upperBound + after, outputBefore: before,
      fadeIn: before > 0 ? fade : 0, fadeOut: after > 0 ? fade : 0)
    var points = [TimeMap.Point(source: 0, output: 0)]
    func add(_ source: Int, _ output: Int) {
      let (source, output) = (Double(source), Double(output))
      if source > points[points.count - 1].source {
        points.append(.init(source: source, output: output))
      }
    }
    add(before, before)
    add(before + frames.count, before + outputFrames)
    add(before + frames.count + after, before + outputFrames + after)
    context.map = TimeMap(points: points)
    return context
  }
}

/// The pieces of a source that is scaled only in parts.
struct Pieces {
  let pieces: [Piece]
  /// Frames of the output.
  let outputFrames: Int
  /// Output frames / input frames of the parts.
  let factor: Double
  /// The positions in the output; `nil` for an empty source.
  let map: TimeMap?

  init(
    of source: SourceDescription, _ settings: ConversionSettings, input: FilePath
  ) throws(ConversionError) {
    let parts = try Self.parts(of: source, settings.only, input)
    let kept = source.frameCount - parts.reduce(0) { $0 + $1.count }
    let scaled = source.frameCount - kept
    factor = try Self.factor(settings.time, scaled: scaled, kept: kept, source, input)
    guard TimeFactor.range.contains(factor) else {
      throw .factorOutOfRange(input, factor: factor)
    }
    var pieces: [Piece] = []
    var points = [TimeMap.Point(source: 0, output: 0)]
    func add(_ frames: Range<Int>, _ outputFrames: Int, isScaled: Bool) {
      if frames.isEmpty { return }
      pieces.append(Piece(frames: frames, outputFrames: outputFrames, isScaled: isScaled))
      let last = points[points.count - 1]
      points.append(
        .init(source: Double(frames.upperBound), output: last.output + Double(outputFrames)))
    }
    var position = 0
    for part in parts {
      add(position..<part.lowerBound, part.lowerBound - position, isScaled: false)
      let product = TimeFactor(factor)?.outputFrames(for: part.count) ?? part.count
      // If the factor was computed from a length, the product may be slightly below that length.
      let count = settings.time.isLength ? Int((Double(part.count) * factor).rounded()) : product
      guard count > 0 else { throw .nothingLeft(input, frames: part.count, factor: factor) }
      add(part, count, isScaled: true)
      position = part.upperBound
    }
    add(position..<source.frameCount, source.frameCount - position, isScaled: false)
    self.pieces = pieces
    outputFrames = pieces.reduce(0) { $0 + $1.outputFrames }
    map = TimeMap(points: points)
  }

  /// The parts in order; throws if they overlap.
  private static func parts(
    of source: SourceDescription, _ ranges: [TimeRange], _ input: FilePath
  ) throws(ConversionError) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    for range in ranges {
      do throws(TimeRangeError) {
        parts.append(try range.frames(of: source).frames)
      } catch {
        throw .noSuchPart(input, error, isOnly: true)
      }
    }
    parts.sort { $0.lowerBound < $1.lowerBound }
    for (one, next) in zip(parts, parts.dropFirst()) where next.lowerBound < one.upperBound {
      let rate = Double(source.spec.sampleRate)
      throw .noSuchPart(
        input,
        .overlap(start: Double(next.lowerBound) / rate, end: Double(one.upperBound) / rate),
        isOnly: true)
    }
    return parts
  }

  /// The factor of the parts. A requested length is that of the whole output.
  private static func factor(
    _ time: TimeRequest, scaled: Int, kept: Int, _ source: SourceDescription, _ input: FilePath
  ) throws(ConversionError) -> Double {
    let wanted: Double
    switch time {
    case .unchanged: return 1
    case .bpm: throw .unclearTempo(input, nil)
    case .factor(let factor), .speed(let factor), .tempo(let factor): return factor.value
    case .duration(let seconds): wanted = (seconds * Double(source.spec.sampleRate)).rounded()
    case .frames(let frames): wanted = Double(frames)
    case .map:
      throw .cannotScale(input, .outOfRange("a time map and parts exclude each other"))
    }
    return (wanted - Double(kept)) / Double(max(1, scaled))
  }
}

extension TimeRequest {
  /// True for a length instead of a factor.
  fileprivate var isLength: Bool {
    switch self {
    case .duration, .frames: true
    case .factor, .speed, .tempo, .map, .bpm, .unchanged: false
    }
  }
}

extension ConversionPlan {
  /// The plan of one piece, as if it were a file, plus its context.
  func plan(
    of piece: Piece, source: SourceDescription, settings: ConversionSettings, path: FilePath
  ) throws(ConversionError) -> ConversionPlan {
    var plan = self
    plan.pieces = []
    plan.inputFrames = piece.frames.count
    plan.scaledFrames = piece.outputFrames
    plan.output.frameCount = piece.outputFrames
    plan.timeMap = nil
    if piece.isScaled {
      plan.factor = piecesFactor
      if let context = piece.context(for: method, factor: piecesFactor, source: source) {
        plan.inputFrames = context.frames.count
        plan.timeMap = context.map
        plan.context = context
        if let end = context.map?.points.last { plan.scaledFrames = Int(end.output) }
      }
      return plan
    }
    plan.factor = 1
    if samples.stored == nil, method.interpolation == nil {
      // The plan of an unscaled piece: at a factor of 1, sinc keeps every bit.
      plan.method = .sinc()
    } else {
      plan.method = .smoothstep
      plan.samples = try SampleFormats(
        source: source, settings: settings, format: output.format, interpolates: true, path: path)
    }
    return plan
  }
}
