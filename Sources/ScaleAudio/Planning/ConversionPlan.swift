internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import SystemPackage
internal import TimeScaling

/// The plan of one conversion's output, determined from the description of the source before anything is
/// written.
struct ConversionPlan {
  /// The part of the source that is converted; `nil` for all of it.
  let part: SourcePart?
  /// Requested output frames / input frames.
  var factor: Double
  /// The pieces of a source that is scaled only in parts, in order; empty if all of it is scaled.
  var pieces: [Piece] = []
  /// Output frames / input frames of these parts.
  let piecesFactor: Double
  /// The audio that is scaled around a piece; `nil` for a whole source.
  var context: PieceContext?
  /// The place in an album that is scaled as one stream; `nil` for a source of its own.
  var cut: GaplessCut?
  /// Input frames.
  var inputFrames: Int
  /// Frames of the output, at the source's sample rate.
  var scaledFrames: Int
  /// The sample rate of the source, in Hz.
  let sourceRate: Int
  /// The quality of the resampler that follows the method; `nil` if the sample rate stays, or if the
  /// method changes it together with the length.
  let rateQuality: ScalingQuality?
  /// The positions in the output, in frames, from the first to the last frame of the source; `nil` if the factor is
  /// constant.
  var timeMap: TimeMap?
  var method: ScalingMethod
  /// The weight of each of the source's channels in the mix to one channel; `nil` if channels are not merged.
  let mergeWeights: [Double]?
  /// The types of the samples.
  var samples: SampleFormats
  /// How the level of the whole file changes; `nil` if it cannot, so that no pass has to measure it.
  let level: LevelRule?
  /// The level of the album that the source belongs to; `nil` for a level of its own.
  let album: AlbumLevel?
  var output: OutputDescription
  /// The metadata of the output.
  let metadata: CarriedMetadata
  /// Warnings for the user about the choice of format.
  let warnings: [AudioWarning]

  /// Plans the conversion of a source, read from `input`, to `path`.
  init(
    source whole: SourceDescription, settings: ConversionSettings, input: FilePath, path: FilePath,
    album: AlbumLevel? = nil, gapless: GaplessPlace? = nil
  ) throws(ConversionError) {
    let settings = try settings.atTempo(of: whole, input: input).settings
    let found = try Self.part(of: whole, settings, input: input)
    part = found?.part
    let source = part?.source ?? whole
    let wanted = try Self.wantedFormat(source: source, settings: settings, input: input)
    sourceRate = source.spec.sampleRate
    let rate = try Self.rate(of: wanted, settings, from: sourceRate, input: input)
    var cut: GaplessCut?
    let length = try OutputLength(
      source: source, settings: settings, outputRate: rate.hertz, input: input, gapless, &cut)
    self.cut = cut
    factor = length.factor
    pieces = length.pieces?.pieces ?? []
    piecesFactor = length.pieces?.factor ?? length.factor
    if !pieces.isEmpty { try Self.checkPieces(settings, rate.hertz, sourceRate, input: input) }
    timeMap = length.map
    inputFrames = source.frameCount
    scaledFrames = length.scaledFrames
    mergeWeights = try settings.mergeWeights(of: source.spec.layout, input: input)
    var spec = source.spec
    spec.sampleRate = rate.hertz
    let keepsRate = rate.hertz == sourceRate
    // At its own length, rate and pitch, audio is copied; filters and dither would change it.
    let copies = keepsRate && piecesFactor == 1 && timeMap == nil && settings.method.semitones == 0
    method = copies && settings.method.interpolation == nil ? .linear : settings.method
    if keepsRate || settings.method.kind == .sinc {
      rateQuality = nil
    } else {
      rateQuality = settings.rateQuality
    }
    if mergeWeights != nil { spec.layout = .mono }
    let loss = settings.allowsLayoutLoss ? wanted.layoutLoss(of: spec.layout) : nil
    if let loss { spec.layout = loss.layout }
    samples = try SampleFormats(
      source: source, settings: settings, format: wanted,
      interpolates: method.interpolation != nil && keepsRate, path: path)
    level = try LevelRule(settings, samples, input: input)
    self.album = album
    let format = try Self.format(
      wanted, holding: spec, frames: length.outputFrames, samples.stored, path: path)
    // With an explicit format, the writer refuses an option that the format does not use. For many files
    // in many formats, an option applies to those that use it.
    let encoding =
      settings.format == nil
      ? format.usable(settings.encoding) : (options: settings.encoding, unused: [])
    let note = format == wanted ? nil : "too long for \(wanted.name), so written as \(format.name)"
    var output = OutputDescription(
      spec: spec, frameCount: length.outputFrames, format: format, options: encoding.options,
      metadata: Metadata(),
      sourceBitRate: format.bitRate(like: source, channelCount: spec.channelCount),
      sampleFormat: samples.stored)
    output.givenLayout = loss?.givenLayout
    output.keepsLevel = level?.setsLevel == true
    if let cut {
      let rolls = format.rolls(at: spec.sampleRate)
      // Blocks lie at multiples of their length in the whole album, so that both sides of a joint lose the same.
      func preRoll(before frame: Int) -> Int {
        frame - max(0, frame - rolls.before) / rolls.block * rolls.block
      }
      let end = cut.framesBefore + length.outputFrames
      output.preRoll = preRoll(before: cut.framesBefore)
      output.postRoll = min(rolls.after, cut.whole.outputFrames - end)
      if let next = cut.place.next, rolls.before > 0 {
        output.nextPreRoll = preRoll(before: end)
        output.nextSourceBitRate = format.bitRate(
          like: next.source, channelCount: spec.channelCount)
      }
    }
    if spec.layout == source.spec.layout { output.coreAudioLayout = source.coreAudioLayout }
    metadata = CarriedMetadata(
      source: source, settings: settings, factor: length.factor, map: length.map, output: output)
    output.metadata = metadata.written
    self.output = output
    let hasOwnRate = encoding.options.bitRate != nil || encoding.options.quality != nil
    let bitRate =
      hasOwnRate ? nil : format.bitRateWarning(like: source, channelCount: spec.channelCount)
    let others: [(kind: AudioWarning.Kind, text: String?)] = [
      (.length, found?.warning), (.length, length.warning), (.sampleRate, rate.warning),
      (.format, note), (.layout, loss?.warning), (.bitRate, bitRate),
    ]
    warnings =
      encoding.unused.map { AudioWarning(.ignoredSetting, "\($0.lack); the one given is ignored") }
      + samples.warnings + [metadata.encodingWarning].compactMap(\.self)
      + others.compactMap { (kind, text) in text.map { AudioWarning(kind, $0) } }
  }

  /// The interpolation between neighboring frames, if nothing else is done to them; `nil` if samples are
  /// scaled in floating point.
  var interpolation: Interpolation? { rateQuality == nil ? method.interpolation : nil }

  /// Output frames for each frame at the source's sample rate.
  var rateRatio: Double { Double(output.spec.sampleRate) / Double(sourceRate) }

  /// Throws if audio that is not scaled could not stay unchanged.
  private static func checkPieces(
    _ settings: ConversionSettings, _ rate: Int, _ sourceRate: Int, input: FilePath
  ) throws(ConversionError) {
    if rate != sourceRate {
      throw .cannotScale(
        input,
        .outOfRange(
          "only parts are scaled, so its sample rate must stay at \(sourceRate) Hz",
          remedy: .useFormat(["flac", "wav"])))
    }
    if settings.level != .unchanged {
      throw .cannotScale(
        input, .outOfRange("only parts are scaled, so the level of the rest must stay"))
    }
  }

  /// The part of a source that settings request, and a warning for the user.
  private static func part(
    of source: SourceDescription, _ settings: ConversionSettings, input: FilePath
  ) throws(ConversionError) -> (part: SourcePart, warning: String?)? {
    guard let range = settings.part else { return nil }
    do throws(TimeRangeError) {
      let found = try range.frames(of: source)
      let length = TimeRangeError.seconds(source.spec.seconds(frames: source.frameCount))
      return (
        SourcePart(found.frames, of: source),
        found.isCut ? "the audio ends at \(length), before the end of the part" : nil
      )
    } catch {
      throw .noSuchPart(input, error)
    }
  }

  /// A reader of the converted part, given a reader of the whole source.
  func reader(of source: any FrameStream) -> any FrameStream {
    part.map { PartStream(source, $0) } ?? source
  }

  /// The sample rate of the output, and a warning for the user.
  private static func rate(
    of format: AudioFormat, _ settings: ConversionSettings, from rate: Int, input: FilePath
  ) throws(ConversionError) -> (hertz: Int, warning: String?) {
    if let asked = settings.sampleRate {
      let range = ConversionSettings.sampleRateRange
      guard range.contains(asked) else {
        throw .cannotScale(
          input,
          .outOfRange(
            "a sample rate of \(asked) Hz is not within \(range.lowerBound) to \(range.upperBound)")
        )
      }
      return (asked, nil)
    }
    guard let written = format.writtenRate(for: rate), written != rate else { return (rate, nil) }
    return (written, "\(format.name) has no sample rate of \(rate) Hz: resampled to \(written) Hz")
  }

  private static func wantedFormat(
    source: SourceDescription, settings: ConversionSettings, input: FilePath
  ) throws(ConversionError) -> AudioFormat {
    if let format = settings.format ?? source.format.writtenForm {
      return source.sampleFormat == nil ? format : format.losslessForm(for: settings.encoding)
    }
    throw .file(
      .cannotHold(
        input, reason: "\(source.format.name) is read but not written",
        remedy: .chooseFormat))
  }

  /// The format itself, or its variant for long files; throws if it cannot hold the audio.
  private static func format(
    _ format: AudioFormat, holding spec: AudioSpec, frames: Int, _ sampleFormat: SampleFormat?,
    path: FilePath
  ) throws(ConversionError) -> AudioFormat {
    let form = format.largeForm(for: spec, frameCount: frames, sampleFormat: sampleFormat)
    if let refusal = form.refusal(of: spec, frameCount: frames, sampleFormat: sampleFormat) {
      throw .file(.cannotHold(path, reason: refusal.reason, remedy: refusal.remedy))
    }
    return form
  }
}

extension ConversionSettings {
  /// The weight of each channel of a source with this layout, if its channels are merged.
  fileprivate func mergeWeights(
    of layout: ChannelLayout, input: FilePath
  ) throws(ConversionError) -> [Double]? {
    guard case .mono(let downmix) = channels, layout.channelCount > 1 else { return nil }
    if let weights = downmix.weights(for: layout) { return weights }
    let cause =
      layout.speakers == nil
      ? "the positions of its \(layout) are not known"
      : "ITU-R BS.775 has no weights for the layout \(layout)"
    throw .file(
      .cannotHold(
        input, reason: "\(cause), so it has no ITU downmix",
        remedy: .omit(.downmix, orUseFormat: [])))
  }
}
