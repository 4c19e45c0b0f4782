internal import AudioModel
internal import CSndFile
internal import SystemPackage

/// Writes what libsndfile writes.
final class SndFileWriter: AudioFileWriter {
  var warnings: [String] { attached.warnings }
  var notCarried: [String] { tags.notCarried + attached.notCarried }
  private var tags: SndFileTagTarget
  private let path: FilePath
  private let channels: Int
  private let expectedFrames: Int
  private let target: SndFileTarget
  private var attached: AttachedChunks
  private let stream: SndFileStream
  private var handle: SndFileHandle?
  private var framesWritten = 0
  private var shorts: [Int16] = []
  private var floats: [Float] = []

  init(_ output: borrowing OutputFile, _ description: OutputDescription) throws(AudioFileError) {
    path = output.path
    channels = description.spec.channelCount
    expectedFrames = description.frameCount
    target = try SndFileTarget(description, path: path)
    attached = AttachedChunks(description)
    tags = SndFileTagTarget(description, path: path)
    let encoder = try EncoderSettings(description, path: path)
    let descriptor = try Self.duplicate(output)
    let tag = try tags.leadingTag()
    do {
      _ = try descriptor.writeAll(toAbsoluteOffset: 0, tag)
    } catch {
      try? descriptor.close()
      throw .cannotWrite(path, error as? Errno ?? .ioError)
    }
    stream = SndFileStream(writing: descriptor, from: tag.count)
    var info = SF_INFO()
    info.samplerate = Int32(description.spec.sampleRate)
    info.channels = Int32(channels)
    info.format = target.format
    let opened: SndFileHandle
    do throws(SndFileFailure) {
      opened = try SndFileHandle(stream, mode: Int32(SFM_WRITE), info: info)
    } catch {
      if let cause = stream.failure { throw .cannotWrite(path, cause) }
      throw .encoderFailed(path, reason: error.message)
    }
    try encoder.apply(to: opened, path: path)
    try target.applyLayout(to: opened, path: path)
    for chunk in attached.leading
    where !SndFileTarget.setChunk(chunk.name, chunk.content, of: opened) {
      throw .encoderFailed(path, reason: "libsndfile refused the \(chunk.name) chunk")
    }
    if let info = tags.leadingInformation, !SndFileTarget.setChunk("info", info, of: opened) {
      throw .encoderFailed(path, reason: "libsndfile refused the tags")
    }
    handle = opened
  }

  func write<Sample: PCMSample>(_ frames: Span<Sample>) throws(AudioFileError) {
    let count = frames.count / channels
    if count == 0 { return }
    let done = target.takesFloats ? writeFloats(frames) : writeShorts(frames)
    framesWritten += count
    if let cause = stream.failure { throw .cannotWrite(path, cause) }
    if done != count || handle?.complaint != nil {
      throw .encoderFailed(path, reason: handle?.complaint ?? "it took \(done) of \(count) frames")
    }
  }

  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  private func writeShorts<Sample: PCMSample>(_ frames: Span<Sample>) -> Int {
    if shorts.count < frames.count { shorts = Array(repeating: 0, count: frames.count) }
    var samples = shorts.mutableSpan
    for i in 0..<frames.count {
      let source = target.order.source(of: i, channelCount: channels)
      samples[i] = Int16(nearest: frames[source].doubleValue)
    }
    guard let pointer = handle?.pointer else { return 0 }
    return Int(sf_writef_short(pointer, shorts, sf_count_t(frames.count / channels)))
  }

  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  private func writeFloats<Sample: PCMSample>(_ frames: Span<Sample>) -> Int {
    if floats.count < frames.count { floats = Array(repeating: 0, count: frames.count) }
    var samples = floats.mutableSpan
    for i in 0..<frames.count {
      let source = target.order.source(of: i, channelCount: channels)
      samples[i] = Float(frames[source].normalized)
    }
    guard let pointer = handle?.pointer else { return 0 }
    return Int(sf_writef_float(pointer, floats, sf_count_t(frames.count / channels)))
  }

  func finish() throws(AudioFileError) {
    // Closing writes the headers, trailing tags and what an encoder still holds.
    handle = nil
    if let cause = stream.failure { throw .cannotWrite(path, cause) }
    guard framesWritten == expectedFrames else {
      throw .encoderFailed(
        path, reason: "it was given \(framesWritten) of \(expectedFrames) frames")
    }
    try target.verify(stream, frames: framesWritten, path: path)
    try tags.complete(stream.reopened(path: path))
    try attached.complete(stream.reopened(path: path))
  }

  private static func duplicate(
    _ output: borrowing OutputFile
  ) throws(AudioFileError) -> FileDescriptor {
    do {
      return try output.descriptor.duplicate()
    } catch {
      throw .cannotWrite(output.path, error as? Errno ?? .ioError)
    }
  }
}
