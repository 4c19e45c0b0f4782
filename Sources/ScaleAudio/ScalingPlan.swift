/// What a conversion will make, settled from the source's facts before anything is written.
struct ScalingPlan {
  /// Output frames asked for / input frames.
  let factor: Double
  /// Input frames.
  let inputFrames: Int
  /// Where each moment goes, in frames from the source's first to its last; `nil` for one factor all
  /// through.
  let timeMap: TimeMap?
  let method: ScalingMethod
  let mergesChannels: Bool
  /// The weight of each of the source's channels when they are merged.
  let mergeWeights: [Double]
  /// The types that samples have on their way.
  let samples: SamplePath
  /// What is made of the level of the whole file; `nil` where nothing is, and no pass is needed to know it.
  let level: LevelRule?
  let output: OutputDescription
  /// What becomes of that which is attached to the source.
  let attachments: AttachmentPlan
  /// What the user should know about the choice of format.
  let warnings: [String]

  /// Plans the conversion of a source, read from `input`, that will be known as `path`.
  init(
    source: SourceDescription, settings: ConversionSettings, input: FilePath, path: FilePath
  ) throws(ConversionError) {
    let length = try OutputLength(source: source, settings: settings, input: input)
    factor = length.factor
    timeMap = length.map
    inputFrames = source.frameCount
    method = settings.method
    mergesChannels = settings.mergesChannels && source.spec.channelCount > 1
    var spec = source.spec
    if mergesChannels { spec.layout = .mono }
    mergeWeights = try settings.mergeWeights(of: source.spec.layout, input: input)
    let wanted = try Self.wantedFormat(source: source, settings: settings, input: input)
    let loss = settings.allowsLayoutLoss ? wanted.layoutLoss(of: spec.layout) : nil
    if let loss { spec.layout = loss.layout }
    samples = try SamplePath(source: source, settings: settings, format: wanted, path: path)
    level = try LevelRule(settings, samples, input: input)
    let format = try Self.format(
      wanted, holding: spec, frames: length.outputFrames, samples.stored, path: path)
    // An option beside an asked-for format that has no use for it is refused by the writer; of many
    // files in many formats, it is for those that have.
    let encoding =
      settings.format == nil
      ? format.usable(settings.encoding) : (options: settings.encoding, warnings: [])
    let note = format == wanted ? nil : "too long for \(wanted.name), so written as \(format.name)"
    var output = OutputDescription(
      spec: spec, frameCount: length.outputFrames, format: format, options: encoding.options,
      metadata: Metadata(),
      sourceBitRate: format.bitRate(like: source, channelCount: spec.channelCount),
      sampleFormat: samples.stored)
    output.givenLayout = loss?.givenLayout
    attachments = AttachmentPlan(
      source: source, settings: settings, factor: length.factor, map: length.map, output: output)
    output.metadata = attachments.metadata
    self.output = output
    warnings =
      encoding.warnings + samples.warnings
      + [length.warning, note, loss?.warning].compactMap(\.self)
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
        remedy: "choose a --format"))
  }

  /// The format itself, or its sibling for long files, having made sure that it holds the audio.
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
