internal import AudioIO
internal import AudioModel
internal import SystemPackage
internal import Waveforms

/// A source of a picture: its outline, and its samples as they are read.
struct PlotSource {
  let path: FilePath
  let reader: any FrameStream
  let outline: TrackOutline
  private let channels: PlotChannels
  /// True when means of channels are rounded toward zero, as audiowaveform does.
  private let truncatesMeans: Bool

  /// Selects the part of an opened source that a picture with these settings shows.
  init(
    _ reader: any FrameStream, path: FilePath, settings: PlotSettings,
    truncatesMeans: Bool = false
  ) throws(PlotError) {
    let source = reader.source
    self.path = path
    self.reader = reader
    self.truncatesMeans = truncatesMeans
    channels = source.spec.channelCount == 1 ? .merged : settings.shownChannels
    if case .channel(let number) = settings.shownChannels, number > source.spec.channelCount {
      throw .noSuchChannel(path, channel: number, channelCount: source.spec.channelCount)
    }
    let frames = try Self.frames(of: settings.range, in: source, path)
    outline = TrackOutline(
      name: path.lastComponent.map { FilePath(root: nil, [$0]).printable } ?? path.printable,
      facts: TrackOutline.facts(frameCount: source.frameCount, spec: source.spec, shown: frames),
      sampleRate: source.spec.sampleRate, frames: frames,
      laneNames: Self.laneNames(channels, source.spec.layout),
      markers: Self.markers(of: source),
      bitDepth: source.sampleFormat.map { $0.isFloat ? 16 : $0.bitDepth } ?? 16)
  }

  private static func frames(
    of range: TimeRange?, in source: SourceDescription, _ path: FilePath
  ) throws(PlotError) -> Range<Int> {
    guard let range else { return 0..<source.frameCount }
    do throws(TimeRangeError) {
      return try range.frames(of: source).frames
    } catch {
      throw .nothingInRange(path, error)
    }
  }

  private static func laneNames(_ channels: PlotChannels, _ layout: ChannelLayout) -> [String] {
    func name(_ index: Int) -> String {
      guard let speakers = layout.speakers, index < speakers.count else { return "\(index + 1)" }
      return speakers[index].abbreviation
    }
    switch channels {
    case .merged: return [""]
    case .split: return (0..<layout.channelCount).map(name)
    case .channel(let number): return [name(number - 1)]
    }
  }

  private static func markers(of source: SourceDescription) -> [TimeMarker] {
    let rate = Double(source.spec.sampleRate)
    let chapters = source.metadata.chapters.map {
      TimeMarker(kind: .chapter, seconds: $0.start / rate, label: oneLine($0.title))
    }
    return chapters
      + source.metadata.marks.map {
        TimeMarker(kind: .mark, seconds: $0.start / rate, label: oneLine($0.label))
      }
  }

  /// Converts text from a file to one line.
  static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }

  // MARK: - Samples

  /// Samples in a block, over all channels.
  private static let blockSamples = 65_536

  /// Reads the shown frames through the reducers, an equal number for each lane. Without reducers, measures loudness
  /// in `columns` columns.
  ///
  /// A file that is shown to its end is read to its end, so that damage there is found.
  func lanes(
    reducedBy reducers: [any LaneReducer], columns: Int, cancellation: Cancellation,
    onProgress: (ConversionProgress) -> Void = { _ in }
  ) throws(PlotError) -> [LaneContent] {
    if reducers.isEmpty { return try loudness(columns: columns, cancellation, onProgress) }
    // Merged channels are reduced one by one: their levels are merged, not their samples.
    let merged = channels == .merged ? reader.source.spec.channelCount : 1
    let parts = max(1, reducers.count / max(1, outline.laneNames.count))
    var reducers = Array(repeatElement(reducers, count: merged).joined())
    try forEachBlock(of: merged > 1 ? .split : channels, cancellation: cancellation) {
      (lane, samples) in
      for index in lane * parts..<(lane + 1) * parts { reducers[index].append(samples) }
    } afterBlock: { (progress) throws(PlotError) in
      onProgress(progress)
    }
    let contents = reducers.map(\.content)
    if merged == 1 { return contents }
    return (0..<parts).compactMap { (part) in
      LaneContent.merged(stride(from: part, to: contents.count, by: parts).map { contents[$0] })
    }
  }

  private func loudness(
    columns: Int, _ cancellation: Cancellation, _ onProgress: (ConversionProgress) -> Void
  ) throws(PlotError) -> [LaneContent] {
    let spec = reader.source.spec
    guard
      let meter = LoudnessCurveMeter(spec, frameCount: outline.frames.count, columns: columns)
    else { throw .cannotMeasureLoudness(path) }
    try forEachShown(cancellation: cancellation) { (frames) in
      meter.add(frames)
    } afterBlock: { (progress) throws(PlotError) in
      onProgress(progress)
    }
    return [.loudness(meter.curve)]
  }

  /// Reads the shown frames and passes the samples of each lane to `body`, block by block; `afterBlock`
  /// gets the progress.
  func forEachBlock(
    of channels: PlotChannels? = nil, cancellation: Cancellation,
    _ body: (_ lane: Int, _ samples: Span<Int16>) -> Void,
    afterBlock: (ConversionProgress) throws(PlotError) -> Void
  ) throws(PlotError) {
    var picker = ChannelPicker(
      channels ?? self.channels, channelCount: reader.source.spec.channelCount,
      truncatesMeans: truncatesMeans)
    try forEachShown(cancellation: cancellation) { (frames) in
      picker.pick(frames, body)
    } afterBlock: { (progress) throws(PlotError) in
      try afterBlock(progress)
    }
  }

  /// Reads the shown frames and passes them to `body`, interleaved, block by block.
  private func forEachShown(
    cancellation: Cancellation, _ body: (_ frames: Span<Int16>) -> Void,
    afterBlock: (ConversionProgress) throws(PlotError) -> Void
  ) throws(PlotError) {
    let channelCount = reader.source.spec.channelCount
    let block = Block(.int16, sampleCount: max(1, Self.blockSamples / channelCount) * channelCount)
    let start = outline.frames.lowerBound
    var position = start
    let end = outline.frames.upperBound
    if start > 0 { try PlotError.files(reader.seek(toFrame: start)) }
    let isToEnd = end == reader.source.frameCount
    while isToEnd || position < end {
      if cancellation.isCancelled { throw .cancelled }
      let frames = try PlotError.files(reader.read(into: block))
      if frames == 0 { break }
      let shown = outline.frames.clamped(to: position..<position + frames)
      if !shown.isEmpty {
        let (first, end) = (shown.lowerBound - position, shown.upperBound - position)
        body(
          block.samples(of: Int16.self).span
            .extracting(first * channelCount..<end * channelCount))
      }
      position += frames
      try afterBlock(
        ConversionProgress(
          frames: position - start, totalFrames: end - start, sampleRate: outline.sampleRate))
    }
  }
}
