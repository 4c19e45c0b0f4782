internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// A writer of samples that are stored one by one: the header, which states the announced length, the samples, and the
/// chunks after them.
final class PCMWriter: AudioFileWriter {
  let warnings: [String]
  let notCarried: [MetadataLoss]
  let plannedBytes: Int?
  private let path: FilePath
  private let channelCount: Int
  private let expectedFrames: Int
  private let sampleFormat: SampleFormat
  private let encoding: RawPCM.Encoding
  /// For each channel of the file, the channel of the frames to write; `nil` if they are the same.
  private let order: [Int]?
  private let output: OutputCursor
  /// The bytes after the samples.
  private let tail: [UInt8]
  private var framesWritten = 0
  /// Samples as they are stored.
  private var stored: [UInt8] = []

  init(_ output: borrowing OutputFile, _ description: OutputDescription) throws(AudioFileError) {
    let format = description.format
    path = output.path
    channelCount = description.spec.channelCount
    expectedFrames = description.frameCount
    sampleFormat = description.sampleFormat ?? .int16
    if let limit = format.limit(
      for: description.spec, frameCount: expectedFrames, sampleFormat: sampleFormat)
    {
      throw .cannotHold(path, reason: limit, remedy: nil)
    }
    if let (setting, lack) = format.usable(description.options).unused.first {
      throw .cannotHold(path, reason: lack, remedy: .omit(setting, orUseFormat: []))
    }
    guard let encoding = PCMLibrary.encoding(of: format, storing: sampleFormat) else {
      throw .cannotHold(
        path, reason: "\(format.name) holds no \(sampleFormat) samples", remedy: nil)
    }
    self.encoding = encoding
    let given = description.givenLayout ?? description.spec.layout
    let layout = Self.layout(description, given)
    guard let order = given.order(for: layout) else {
      throw .cannotHold(
        path, reason: "\(format.name) cannot store the layout \(given)", remedy: nil)
    }
    self.order = order == Array(order.indices) ? nil : order
    let attached = try AttachedChunks(description, path: path)
    let surroundings = PCMSurroundings(
      description, encoding: encoding, layout: layout, attached: attached)
    warnings = attached.warnings
    notCarried = attached.notCarried + surroundings.notCarried
    tail = surroundings.tail
    plannedBytes = surroundings.byteCount
    self.output = try OutputCursor(output)
    try write(surroundings.head)
  }

  /// The order of the channels in the file.
  private static func layout(
    _ description: OutputDescription, _ given: ChannelLayout
  ) -> ChannelLayout {
    switch description.format.layouts {
    // Core Audio's own description may have any order.
    case .coreAudio where description.coreAudioLayout != nil: given
    case .countOnly where description.givenLayout == nil: given
    default: given.inMaskOrder
    }
  }

  func write<Sample: PCMSample>(_ frames: Span<Sample>) throws(AudioFileError) {
    if frames.isEmpty { return }
    framesWritten += frames.count / channelCount
    if Sample.format == sampleFormat { return try put(frames) }
    let block = Block(sampleFormat, sampleCount: frames.count)
    block.buffer.store(frames, at: 0)
    func putConverted<Stored: PCMSample>(_: Stored.Type) throws(AudioFileError) {
      try put(block.samples(of: Stored.self).span)
    }
    try putConverted(sampleFormat.sampleType)
  }

  /// Writes samples of the stored format.
  private func put<Sample: PCMSample>(_ frames: Span<Sample>) throws(AudioFileError) {
    if order == nil, isStoredAsInMemory {
      guard frames.withUnsafeBytes({ output.write($0) }) else { throw failure }
      return
    }
    let byteCount = frames.count * encoding.bytesPerSample
    if stored.count < byteCount { stored = [UInt8](repeating: 0, count: byteCount) }
    let isWritten = stored.withUnsafeMutableBytes { all in
      let memory = UnsafeMutableRawBufferPointer(rebasing: all[..<byteCount])
      frames.store(in: memory)
      if encoding == .u8 {
        for index in memory.indices { memory[index] ^= 0x80 }
      }
      encoding.exchangeBytes(of: memory)
      if let order { Self.arrange(memory, order, bytesPerSample: encoding.bytesPerSample) }
      return output.write(UnsafeRawBufferPointer(memory))
    }
    guard isWritten else { throw failure }
  }

  /// True if the bytes in memory are those of the file.
  private var isStoredAsInMemory: Bool {
    switch encoding {
    case .s8, .s16le, .s32le, .f32le, .f64le: true
    default: false
    }
  }

  /// Puts the channels of stored frames into the order of the file.
  private static func arrange(
    _ memory: UnsafeMutableRawBufferPointer, _ order: [Int], bytesPerSample: Int
  ) {
    let frameBytes = order.count * bytesPerSample
    var frame = [UInt8](repeating: 0, count: frameBytes)
    for start in stride(from: 0, to: memory.count, by: frameBytes) {
      frame.withUnsafeMutableBytes {
        $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<start + frameBytes]))
      }
      for (channel, source) in order.enumerated() {
        for byte in 0..<bytesPerSample {
          memory[start + channel * bytesPerSample + byte] = frame[source * bytesPerSample + byte]
        }
      }
    }
  }

  func finish() throws(AudioFileError) {
    guard framesWritten == expectedFrames else {
      throw .encoderFailed(
        path, reason: "received \(framesWritten) of \(expectedFrames) announced frames")
    }
    try write(tail)
  }

  private func write(_ bytes: [UInt8]) throws(AudioFileError) {
    guard bytes.withUnsafeBytes({ output.write($0) }) else { throw failure }
  }

  private var failure: AudioFileError { .cannotWrite(path, output.failure ?? .ioError) }
}
