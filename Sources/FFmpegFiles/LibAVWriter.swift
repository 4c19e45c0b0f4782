package import AudioContainers
package import AudioIO
package import AudioModel
package import AudioTags
package import SystemPackage

/// Writes AAC and ALAC, encoded by libavcodec, in M4A and CAF.
package final class LibAVWriter: AudioFileWriter {
  package private(set) var warnings: [String] = []
  package private(set) var notCarried: [String] = []
  private let metadata: Metadata
  private let path: FilePath
  private let frameCount: Int
  private let layout: EncoderLayout
  private let encoder: LibAVEncoder
  private let file: any PacketFile
  private let output: OutputCursor
  private var framesWritten = 0

  package init(_ output: borrowing OutputFile, _ description: OutputDescription)
    throws(AudioFileError)
  {
    path = output.path
    frameCount = description.frameCount
    metadata = description.metadata
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
    guard let layout = EncoderLayout(description.spec.layout, codec: codec) else {
      throw .cannotHold(
        path,
        reason: "\(description.format.name) cannot store the layout \(description.spec.layout)",
        remedy: .useFormat(["flac", "wav"]))
    }
    self.layout = layout
    try Self.checkOptions(description, codec, path)
    let bitDepth = try Self.bitDepth(description, codec, path)
    encoder = try LibAVEncoder(
      codec, layout: codec == .aac ? AACConfiguration.encoded(layout.layout) : layout.layout,
      sampleRate: description.spec.sampleRate,
      bitRate: codec == .aac ? EncoderBitRate.bitRate(for: description, path: path) : nil,
      bitDepth: bitDepth, path: path)
    let stream = try Self.stream(codec, description, layout.layout, encoder, bitDepth, path)
    let cursor = try OutputCursor(output)
    self.output = cursor
    if packets.file == .caf {
      file = try ALACInCAF(cursor, stream: stream, path: path)
    } else {
      let chapters = MP4Chapters(description.metadata.chapters, frameCount: frameCount)
      let movie = MP4Movie(
        stream: stream, chapters: chapters, tagRoom: Self.tagRoom(for: description.metadata))
      file = try MP4File(
        cursor, brand: packets.file == .m4b ? "M4B " : "M4A ", movie: movie, path: path)
      warnings = chapters.warnings
      notCarried = chapters.notCarried
    }
  }

  package func write<Sample: PCMSample>(_ frames: Span<Sample>) throws(AudioFileError) {
    let count = frames.count / layout.order.count
    guard count <= frameCount - framesWritten else {
      throw .encoderFailed(path, reason: "more than the \(frameCount) frames announced came")
    }
    try encoder.encode(frames, order: layout.order, into: file)
    framesWritten += count
  }

  package func finish() throws(AudioFileError) {
    guard framesWritten == frameCount else {
      throw .encoderFailed(
        path, reason: "only \(framesWritten) of the \(frameCount) frames announced came")
    }
    try encoder.finish(into: file)
    try file.finish()
    if file is ALACInCAF {
      try attachChunks()
    } else {
      notCarried += try TagWriter.writeMP4(metadata, to: output.descriptor, path: path)
    }
  }

  /// Puts tags and marks behind the packets of a CAF file.
  private func attachChunks() throws(AudioFileError) {
    if !metadata.pictures.isEmpty { notCarried.append("pictures") }
    var chunks = CAFMarks(metadata).chunks
    if let info = TextChunks.caf(metadata.comments) {
      chunks.append(Chunk(name: "info", content: info))
    }
    if chunks.isEmpty { return }
    let descriptor: FileDescriptor
    do {
      descriptor = try output.descriptor.duplicate()
    } catch {
      throw .cannotWrite(path, error as? Errno ?? .ioError)
    }
    // CAF counts in 64 bits: there is room.
    _ = try TrailingChunks.append(chunks, to: InputFile(descriptor: descriptor, path: path))
  }

  private static func checkOptions(
    _ description: OutputDescription, _ codec: AudioFormat.PacketEncoding.Codec, _ path: FilePath
  ) throws(AudioFileError) {
    if let (setting, lack) = description.format.usable(description.options).unused.first {
      throw .cannotHold(path, reason: lack, remedy: .omit(setting, orUseFormat: []))
    }
  }

  /// The depth that is encoded.
  private static func bitDepth(
    _ description: OutputDescription, _ codec: AudioFormat.PacketEncoding.Codec, _ path: FilePath
  ) throws(AudioFileError) -> Int {
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
    _ layout: ChannelLayout,
    _ encoder: LibAVEncoder, _ bitDepth: Int, _ path: FilePath
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
      frameCount: description.frameCount, priming: encoder.priming,
      framesPerPacket: encoder.framesPerPacket, bitDepth: bitDepth, configuration: configuration)
  }

  /// A little more than tags and pictures take, so that writing them moves nothing.
  private static func tagRoom(for metadata: Metadata) -> Int {
    let comments = metadata.comments.reduce(0) {
      $0 + 80 + $1.name.utf8.count + $1.value.utf8.count
    }
    return 2048 + comments + metadata.pictures.reduce(0) { $0 + 64 + $1.data.count }
  }
}
