internal import AudioContainers
package import AudioIO
package import AudioModel
internal import CLibAV
internal import SystemPackage

/// A writer of AAC and ALAC in M4A, of ALAC in CAF, and of WavPack, that uses libavcodec's encoders.
package final class LibAVWriter: AudioFileWriter {
  package private(set) var warnings: [String] = []
  package private(set) var notCarried: [MetadataLoss] = []
  /// The bytes after the packets: the tag of WavPack, the chunks of CAF.
  private let tail: [UInt8]
  private let path: FilePath
  private let description: OutputDescription
  private let layout: EncoderLayout
  private let encoder: LibAVEncoder
  /// The encoder that begins anew where that of the next output does; `nil` if there is none.
  private let nextEncoder: LibAVEncoder?
  private let file: any PacketFile
  /// The packets of an output that begins or ends within a stream that goes on; `nil` for other outputs.
  private let splice: PacketSplice?
  private let output: OutputCursor
  private var framesWritten = 0

  package init(_ output: borrowing OutputFile, _ description: OutputDescription)
    throws(AudioFileError)
  {
    path = output.path
    self.description = description
    guard let packets = description.format.packets else {
      throw .encoderFailed(
        path, reason: "\(description.format.name) is not written through libavcodec")
    }
    let codec = packets.codec
    if let limit = description.format.limit(
      for: description.spec, frameCount: description.frameCount)
    {
      throw .cannotHold(path, reason: limit, remedy: nil)
    }
    try description.format.checkThereIsAudio(description, path: path)
    guard let layout = EncoderLayout(description.spec.layout, codec: codec) else {
      throw .cannotHold(
        path,
        reason: "\(description.format.name) cannot store the layout \(description.spec.layout)",
        remedy: .useFormat(["flac", "wav"]))
    }
    self.layout = layout
    try Self.checkOptions(description, codec, path)
    let bitDepth = try Self.bitDepth(description, codec, path)
    encoder = try Self.encoder(for: description, codec, layout, bitDepth, path)
    let cursor = try OutputCursor(output)
    self.output = cursor
    tail = try Self.tail(description, notCarried: &notCarried, path)
    if packets.file == .wavPack {
      file = WavPackFile(
        cursor, frameCount: description.frameCount, bytesPerSample: bitDepth / 8, path: path)
      (splice, nextEncoder) = (nil, nil)
      return
    }
    let needs = PacketSplice.Needs(
      framesPerPacket: encoder.framesPerPacket, before: 1, shared: 1...5)
    let delay = PacketSplice.delay(description, delay: encoder.delay, needs)
    let stream = try Self.stream(
      codec, description, layout.layout, encoder, delay: delay, bitDepth, path)
    if packets.file == .caf {
      file = try ALACInCAF(cursor, stream: stream, path: path)
    } else {
      var metadata = description.metadata
      let covers = LibAVPicture.forMP4(metadata.pictures)
      metadata.pictures = covers.held
      let movie = MP4Movie(stream: stream, metadata: metadata)
      file = try MP4File(
        cursor, brand: packets.file == .m4b ? "M4B " : "M4A ", movie: movie, path: path)
      warnings = movie.warnings
      notCarried += movie.notCarried + covers.lost
    }
    if description.preRoll == 0, description.postRoll == 0 {
      (splice, nextEncoder) = (nil, nil)
      return
    }
    let splice = PacketSplice(
      description, delay: encoder.delay, needs, into: file, kind: AACConfiguration.windows(of:))
    self.splice = splice
    var next = description
    next.sourceBitRate = description.nextSourceBitRate
    nextEncoder =
      splice.nextStart == nil ? nil : try Self.encoder(for: next, codec, layout, bitDepth, path)
  }

  private static func encoder(
    for description: OutputDescription, _ codec: AudioFormat.PacketEncoding.Codec,
    _ layout: EncoderLayout, _ bitDepth: Int, _ path: FilePath
  ) throws(AudioFileError) -> LibAVEncoder {
    try LibAVEncoder(
      codec, layout: codec == .aac ? AACConfiguration.encoded(layout.layout) : layout.layout,
      sampleRate: description.spec.sampleRate,
      bitRate: codec == .aac ? EncoderBitRate.bitRate(for: description, path: path) : nil,
      bitDepth: bitDepth, isFloat: description.sampleFormat?.isFloat ?? false, path: path)
  }

  package func write<Sample: PCMSample>(_ frames: Span<Sample>) throws(AudioFileError) {
    let channels = layout.order.count
    let count = frames.count / channels
    guard count <= description.writtenFrames - framesWritten else {
      throw .encoderFailed(
        path, reason: "received more than the \(description.writtenFrames) announced frames")
    }
    if splice?.isComplete != true {
      try encoder.encode(frames, order: layout.order, into: splice ?? file)
    }
    if let splice, let nextEncoder, let start = splice.nextStart, !splice.nextIsComplete,
      case let skipped = max(0, start - framesWritten), skipped < count
    {
      try nextEncoder.encode(
        frames.extracting(skipped * channels..<count * channels), order: layout.order,
        into: NextPackets(splice))
    }
    framesWritten += count
  }

  package func finish() throws(AudioFileError) {
    guard framesWritten == description.writtenFrames else {
      throw .encoderFailed(
        path,
        reason: "received only \(framesWritten) of \(description.writtenFrames) announced frames")
    }
    if splice?.isComplete != true { try encoder.finish(into: splice ?? file) }
    if let splice {
      if !splice.nextIsComplete { try nextEncoder?.finish(into: NextPackets(splice)) }
      try splice.finish()
    }
    try file.finish()
    let isWritten = tail.withUnsafeBytes { output.write($0) }
    guard isWritten else { throw .cannotWrite(path, output.failure ?? .ioError) }
  }

  /// The tags and marks after the packets; a movie has them among its boxes.
  private static func tail(
    _ description: OutputDescription, notCarried: inout [MetadataLoss], _ path: FilePath
  ) throws(AudioFileError) -> [UInt8] {
    let metadata = description.metadata
    switch description.format.metadata {
    case .ape: return try TagWriter.ape(of: metadata, notCarried: &notCarried, path: path)
    case .caf:
      if !metadata.pictures.isEmpty { notCarried.append(MetadataLoss(.picture, "pictures")) }
      var chunks = CAFMarks(metadata).chunks
      if let info = TextChunks.caf(metadata) {
        chunks.append(Chunk(name: "info", content: info))
      }
      var bytes = ByteWriter()
      for chunk in chunks { bytes.appendCAF(chunk) }
      return bytes.bytes
    default: return []
    }
  }

  private static func checkOptions(
    _ description: OutputDescription, _ codec: AudioFormat.PacketEncoding.Codec, _ path: FilePath
  ) throws(AudioFileError) {
    if let (setting, lack) = description.format.usable(description.options).unused.first {
      throw .cannotHold(path, reason: lack, remedy: .omit(setting, orUseFormat: []))
    }
  }

  /// The bit depth to encode.
  private static func bitDepth(
    _ description: OutputDescription, _ codec: AudioFormat.PacketEncoding.Codec, _ path: FilePath
  ) throws(AudioFileError) -> Int {
    if codec == .wavPack { return description.sampleFormat?.bitDepth ?? 16 }
    guard codec == .alac, let format = description.sampleFormat else { return 16 }
    guard !format.isFloat, format.bitDepth <= 24 else {
      throw .cannotHold(
        path,
        reason: "ALAC holds integer samples of 16 and 24 bits, not \(format.rawValue)",
        remedy: .any([.set(.sampleFormat, to: "24"), .useFormat(["wav"])]))
    }
    return format.bitDepth <= 16 ? 16 : 24
  }

  private static func stream(
    _ codec: AudioFormat.PacketEncoding.Codec, _ description: OutputDescription,
    _ layout: ChannelLayout, _ encoder: LibAVEncoder, delay: Int, _ bitDepth: Int, _ path: FilePath
  ) throws(AudioFileError) -> PacketStream {
    let configuration =
      codec == .aac
      ? AACConfiguration.corrected(encoder.extradata, for: layout)
      : ALACConfiguration.bytes(encoder.extradata)
    guard let configuration, !configuration.isEmpty, configuration.count <= 127 - 37 else {
      throw .encoderFailed(path, reason: "libavcodec's encoder does not describe its packets")
    }
    return PacketStream(
      codec: codec,
      spec: AudioSpec(sampleRate: description.spec.sampleRate, layout: layout),
      frameCount: description.frameCount, delay: delay,
      framesPerPacket: encoder.framesPerPacket, bitDepth: bitDepth, configuration: configuration)
  }
}

/// A layout in the channel order of libavcodec's encoders, which is the order of the WAVE mask.
package struct EncoderLayout {
  /// The layout in the encoder's order.
  let layout: ChannelLayout
  /// For each channel of the encoder, the source channel.
  let order: [Int]

  /// `nil` if the codec cannot represent the layout.
  package init?(_ given: ChannelLayout, codec: AudioFormat.PacketEncoding.Codec) {
    // One or two channels without positions mean mono and stereo in every format.
    let plain = ChannelLayout.assumed(channelCount: given.channelCount)
    layout = (given.speakers == nil ? plain : given).inMaskOrder
    guard layout.speakers != nil, Self.canSay(layout, codec) else { return nil }
    order =
      given.speakers == nil
      ? Array(0..<given.channelCount) : given.order(for: layout) ?? []
    guard order.count == given.channelCount else { return nil }
  }

  private static func canSay(_ layout: ChannelLayout, _ codec: AudioFormat.PacketEncoding.Codec)
    -> Bool
  {
    switch codec {
    case .alac: alacMasks.contains(UInt64(layout.mask))
    case .aac: AACConfiguration.canSay(layout)
    case .wavPack: true
    }
  }

  /// One layout for each channel count, because ALAC stores only the count.
  private static let alacMasks: Set<UInt64> = {
    guard LibAVSetup.failure == nil,
      let encoder = avcodec_find_encoder_by_name("alac"),
      var next = encoder.pointee.ch_layouts
    else { return [] }
    var masks: Set<UInt64> = []
    while next.pointee.nb_channels > 0 {
      masks.insert(next.pointee.u.mask)
      next += 1
    }
    return masks
  }()
}
