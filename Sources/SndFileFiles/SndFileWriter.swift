internal import AudioContainers
package import AudioIO
package import AudioModel
internal import CSndFile
internal import SystemPackage

/// A writer of the formats that libsndfile encodes.
package final class SndFileWriter: AudioFileWriter {
  package var warnings: [String] {
    guard limitedSamples > 0 else { return attached.warnings }
    return attached.warnings + [
      "\(limitedSamples) samples above \(Int(Self.lameMaximum)) times full scale are limited to it, because the MP3 encoder would fail"
    ]
  }
  package var notCarried: [MetadataLoss] {
    tags.notCarried + attached.notCarried + lostChunks + (relay?.notCarried ?? [])
  }
  private var tags: SndFileTagTarget
  private let attached: AttachedChunks
  /// The way of Opus into the file; `nil` for other formats.
  private let relay: OpusRelay?
  private var lostChunks: [MetadataLoss] = []
  private let path: FilePath
  private let channels: Int
  private let expectedFrames: Int
  private let target: SndFileTarget
  private let stream: SndFileStream
  private var handle: SndFileHandle?
  private var framesWritten = 0
  private var limitedSamples = 0
  private var shorts: [Int16] = []
  private var ints: [Int32] = []
  private var floats: [Float] = []
  private var doubles: [Double] = []

  /// The maximum magnitude passed to libmp3lame 3.100, which ends the process at about 10^6 times full scale. Samples
  /// that hold 16-bit integers stay unchanged.
  private static let lameMaximum: Float = 0x1p15

  package init(_ output: borrowing OutputFile, _ description: OutputDescription)
    throws(AudioFileError)
  {
    path = output.path
    channels = description.spec.channelCount
    expectedFrames = description.frameCount
    try description.format.checkThereIsAudio(description, path: path)
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
    relay = description.format.codec == .opus ? OpusRelay(description) : nil
    stream = SndFileStream(
      writing: descriptor, from: tag.count + target.leadingByteCount, through: relay)
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
    target.leaveOutPeaks(of: opened)
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

  @specialized(where Sample == Int8)
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  package func write<Sample: PCMSample>(_ frames: Span<Sample>) throws(AudioFileError) {
    let count = frames.count / channels
    if count == 0 { return }
    let done =
      switch target.delivery {
      case .short: write(frames, through: &shorts)
      case .int: write(frames, through: &ints)
      case .float: write(frames, through: &floats)
      case .double: write(frames, through: &doubles)
      }
    framesWritten += count
    if let cause = stream.failure { throw .cannotWrite(path, cause) }
    if done != count || handle?.complaint != nil {
      throw .encoderFailed(
        path, reason: handle?.complaint ?? "libsndfile accepted \(done) of \(count) frames")
    }
  }

  /// Writes frames in the file's channel order; returns how many libsndfile accepted.
  private func write<Sample: PCMSample, Delivered: SndFileSample>(
    _ frames: Span<Sample>, through scratch: inout [Delivered]
  ) -> Int {
    guard let pointer = handle?.pointer else { return 0 }
    if Sample.self == Delivered.self, target.order.isIdentity, !target.isMPEG {
      return frames.withUnsafeBytes { bytes in
        bytes.withMemoryRebound(to: Delivered.self) { samples in
          Self.write(samples, to: pointer, frames: frames.count / channels)
        }
      }
    }
    if scratch.count < frames.count {
      scratch = Array(repeating: .silence, count: frames.count)
    }
    var samples = scratch.mutableSpan
    for i in 0..<frames.count {
      let source = target.order.source(of: i, channelCount: channels)
      samples[i] = Delivered(storing: frames[source])
      if target.isMPEG, samples[i].limit(to: Self.lameMaximum) { limitedSamples += 1 }
    }
    return scratch.withUnsafeBufferPointer { samples in
      Self.write(samples, to: pointer, frames: frames.count / channels)
    }
  }

  private static func write<Delivered: SndFileSample>(
    _ samples: UnsafeBufferPointer<Delivered>, to handle: OpaquePointer, frames: Int
  ) -> Int {
    samples.baseAddress.map { Delivered.write(handle, $0, frames: frames) } ?? 0
  }

  package func finish() throws(AudioFileError) {
    // Closing writes the headers, the trailing tags and the encoder's remaining output.
    handle = nil
    if let cause = stream.failure { throw .cannotWrite(path, cause) }
    guard framesWritten == expectedFrames else {
      throw .encoderFailed(
        path, reason: "received only \(framesWritten) of \(expectedFrames) announced frames")
    }
    try target.verify(stream, frames: framesWritten, path: path)
    let file = try stream.reopened(path: path)
    // libsndfile finds the tags of RF64 only before markers.
    let chunks = try tags.trailingChunks() + attached.trailing
    if !chunks.isEmpty, try !TrailingChunks.append(chunks, to: file, isEmpty: framesWritten == 0) {
      lostChunks.append(
        MetadataLoss(
          .chunk, "tags and markers, because a file of this length has no room for them"))
    }
    if let relay, !relay.isComplete {
      throw .encoderFailed(path, reason: "libsndfile wrote an incomplete page of Ogg")
    }
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
