internal import AudioIO
internal import AudioModel
internal import TimeScaling

/// Maps the channels of a source to those of an output, by speaker.
///
/// A channel that the output has too goes there unchanged. If the output has fewer, the weights of ``Downmix``
/// mix the others into its left and its right side; weights of a mix are divided by their sum, so it cannot clip.
struct ChannelMatrix {
  let sourceCount: Int
  let outputCount: Int
  /// The source channels of each output channel, with their weights.
  private let inputs: [[(channel: Int, weight: Float)]]
  /// True when frames pass unchanged.
  let isIdentity: Bool

  init(from source: ChannelLayout, to output: ChannelLayout) {
    sourceCount = source.channelCount
    outputCount = output.channelCount
    inputs = Self.inputs(from: source, to: output)
    isIdentity =
      sourceCount == outputCount
      && inputs.enumerated().allSatisfy { place, row in
        row.count == 1 && row[0].channel == place && row[0].weight == 1
      }
  }

  /// Maps frames of the source to as many of the output.
  func map(
    _ source: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    if isIdentity {
      output.update(from: source, count: frameCount * outputCount)
      return
    }
    for (place, row) in inputs.enumerated() {
      var target = place
      for frame in 0..<frameCount {
        let start = frame * sourceCount
        if row.count == 1 {
          output[target] = source[start + row[0].channel] * row[0].weight
        } else {
          var sum: Float = 0
          for input in row { sum += source[start + input.channel] * input.weight }
          output[target] = sum
        }
        target += outputCount
      }
    }
  }

  private typealias Row = [(channel: Int, weight: Float)]

  private static func inputs(from source: ChannelLayout, to output: ChannelLayout) -> [Row] {
    if let order = source.order(for: output) { return order.map { [($0, Float(1))] } }
    if output.channelCount == 1 { return [mono(of: source)] }
    if source.channelCount == 1 { return ofOneChannel(to: output) }
    guard let speakers = source.speakers, let wanted = output.speakers else {
      return inOrder(source.channelCount, to: output.channelCount)
    }
    let left = wanted.firstIndex(of: .frontLeft)
    let right = wanted.firstIndex(of: .frontRight)
    let weights = Downmix.itu.weights(for: source) ?? Downmix.mean.weights(for: source) ?? []
    let front = speakers.firstIndex(of: .frontLeft).map { weights[$0] } ?? 1
    var rows = [[(channel: Int, weight: Double)]](repeating: [], count: wanted.count)
    for (channel, speaker) in speakers.enumerated() {
      if let place = wanted.firstIndex(of: speaker) {
        rows[place].append((channel, 1))
        continue
      }
      // Weights of the mix to one channel, relative to that of a front channel; half to either side from the center.
      let weight = (channel < weights.count ? weights[channel] : 1) / front
      guard weight > 0 else { continue }
      switch speaker.side {
      case .left: if let left { rows[left].append((channel, weight)) }
      case .right: if let right { rows[right].append((channel, weight)) }
      case .center:
        if let left { rows[left].append((channel, weight / 2)) }
        if let right { rows[right].append((channel, weight / 2)) }
      }
    }
    // All sums are the same, so that the sides keep their balance.
    let sum = rows.map { $0.map(\.weight).reduce(0, +) }.max() ?? 1
    return rows.map { row in
      row.map { ($0.channel, Float($0.weight / max(1, sum))) }
    }
  }

  private static func mono(of source: ChannelLayout) -> Row {
    var weights = Downmix.itu.weights(for: source) ?? []
    if !weights.contains(where: { $0 > 0 }) {
      weights = Array(repeating: 1, count: source.channelCount)
    }
    let sum = weights.reduce(0, +)
    return weights.enumerated().filter { $0.element > 0 }.map {
      ($0.offset, Float($0.element / sum))
    }
  }

  /// One channel goes to the center, or else to both sides at the front.
  private static func ofOneChannel(to output: ChannelLayout) -> [Row] {
    let speakers = output.speakers ?? []
    if let center = speakers.firstIndex(of: .frontCenter) {
      return speakers.indices.map { $0 == center ? [(0, Float(1))] : [] }
    }
    let hasFront = speakers.contains(.frontLeft) && speakers.contains(.frontRight)
    return (0..<output.channelCount).map { place in
      let isFront = hasFront ? [.frontLeft, .frontRight].contains(speakers[place]) : place < 2
      return isFront ? [(0, Float(1))] : []
    }
  }

  /// Channels whose speakers are unknown keep their order; those without a place go to all.
  private static func inOrder(_ sourceCount: Int, to outputCount: Int) -> [Row] {
    if sourceCount <= outputCount {
      return (0..<outputCount).map { $0 < sourceCount ? [($0, Float(1))] : [] }
    }
    let others = Array(outputCount..<sourceCount)
    let weight = 1 / Float(others.count + 1)
    return (0..<outputCount).map { place in ([place] + others).map { ($0, weight) } }
  }
}

extension FrameStream {
  /// The stream in the channels of another layout; itself if frames pass unchanged.
  func mapped(to layout: ChannelLayout) -> any FrameStream {
    let matrix = ChannelMatrix(from: spec.layout, to: layout)
    return matrix.isIdentity ? self : MappedStream(self, matrix, to: layout)
  }
}

/// A stream in the channels of another layout.
private final class MappedStream: FrameStream {
  private let stream: any FrameStream
  private let matrix: ChannelMatrix
  private let layout: ChannelLayout
  private let input, output: Block

  private static let blockFrames = 2048

  init(_ stream: any FrameStream, _ matrix: ChannelMatrix, to layout: ChannelLayout) {
    (self.stream, self.matrix, self.layout) = (stream, matrix, layout)
    input = Block(.float32, sampleCount: Self.blockFrames * matrix.sourceCount)
    output = Block(.float32, sampleCount: Self.blockFrames * matrix.outputCount)
  }

  var source: SourceDescription {
    var source = stream.source
    source.spec.layout = layout
    return source
  }
  var clipping: Clipping { stream.clipping }
  var nonFiniteSamples: Int { stream.nonFiniteSamples }
  var seeking: Seeking { stream.seeking }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    let wanted = min(buffer.sampleCount / matrix.outputCount, Self.blockFrames)
    let count = try stream.read(
      into: input.buffer.extracting(0..<wanted * matrix.sourceCount))
    if let source = input.samples(of: Float.self).baseAddress,
      let target = output.samples(of: Float.self).baseAddress
    {
      matrix.map(source, to: target, frameCount: count)
    }
    buffer.store(output, from: 0, count: count * matrix.outputCount, at: 0)
    return count
  }

  func seek(toFrame frame: Int) throws(AudioFileError) { try stream.seek(toFrame: frame) }
}
