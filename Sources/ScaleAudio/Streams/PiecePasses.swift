internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// The samples of a conversion that scales only parts: one stream after another, with one writer.
struct PiecePasses {
  let plan: ConversionPlan
  let settings: ConversionSettings
  let writer: any AudioFileWriter
  /// The input, for errors.
  let path: FilePath

  /// Processes all pieces. Every piece has a reader of its own, because its sample type may differ.
  ///
  /// - Parameters:
  ///   - source: The description of the converted source.
  ///   - onBlock: Called after each block with the source frames done so far.
  ///   - open: Opens the source at its beginning.
  func run(
    source: SourceDescription, onBlock: Passes.Progress,
    open: () throws(ConversionError) -> any FrameStream
  ) throws(ConversionError) -> Passes.Result {
    var result = Passes.Result()
    for piece in plan.pieces {
      let plan = try plan.plan(of: piece, source: source, settings: settings, path: path)
      let frames = plan.context?.frames ?? piece.frames
      func part() throws(ConversionError) -> any FrameStream {
        PartStream(try open(), frames, of: source)
      }
      let edges = try edges(of: piece, plan, open)
      let reader = try part()
      let share = Double(piece.frames.count) / Double(max(1, frames.count))
      let made = try Passes(
        plan: plan, reader: reader, writer: writer, path: path, edges: edges
      ).run(
        onBlock: { (done) throws(ConversionError) in
          try onBlock(piece.frames.lowerBound + Int(Double(done) * share))
        }, reopen: part)
      result.clipping.add(made.clipping)
      result.clipping.add(reader.clipping)
      result.nonFiniteSamples += reader.nonFiniteSamples
    }
    return result
  }

  /// The first and last frames of a piece before scaling, for its fades.
  private func edges(
    of piece: Piece, _ plan: ConversionPlan,
    _ open: () throws(ConversionError) -> any FrameStream
  ) throws(ConversionError) -> PieceEdges {
    guard let context = plan.context, context.fadeIn + context.fadeOut > 0 else {
      return PieceEdges()
    }
    let source = try open()
    let (first, last) = (piece.frames.lowerBound, piece.frames.upperBound - context.fadeOut)
    return PieceEdges(
      first: try frames(first..<first + context.fadeIn, of: source, plan),
      last: try frames(last..<piece.frames.upperBound, of: source, plan))
  }

  /// Some frames of the source, converted like scaled ones but not scaled.
  private func frames(
    _ frames: Range<Int>, of source: any FrameStream, _ plan: ConversionPlan
  ) throws(ConversionError) -> [Double] {
    if frames.isEmpty { return [] }
    var stream: any FrameStream = PartStream(source, frames, of: source.source)
    if plan.samples.forcesInt16 { stream = RoundedStream(stream) }
    if let weights = plan.mergeWeights { stream = MonoStream(stream, weights: weights) }
    let channels = plan.output.spec.channelCount
    let block = Block(.float64, sampleCount: frames.count * channels)
    var samples: [Double] = []
    while samples.count < frames.count * channels,
      try ConversionError.files(stream.read(into: block)) > 0
    {
      samples += block.samples(of: Double.self).prefix(block.frameCount * channels)
    }
    return samples
  }
}

/// The first and last frames of a piece, interleaved.
struct PieceEdges {
  var first: [Double] = []
  var last: [Double] = []
}
