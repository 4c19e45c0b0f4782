internal import AudioContainers
package import AudioIO
package import AudioModel
internal import CKernels
internal import CSndFile
internal import SystemPackage

/// A writer of MP3 and Opus.
///
/// Frames are passed as floating point: libsndfile's MP3 encoder copies only half of the 16-bit samples of a stereo
/// block. No tags are written through libsndfile, which supports ten strings, and treats UTF-8 as Latin-1.
package final class SndFileWriter: AudioFileWriter {
  package var warnings: [String] {
    guard limitedSamples > 0 else { return [] }
    return [
      "\(limitedSamples) samples above \(Int(Self.lameMaximum)) times full scale are limited to it, because the MP3 encoder would fail"
    ]
  }
  package private(set) var notCarried: [MetadataLoss] = []
  /// The way of Opus into the file; `nil` for other formats.
  private let opus: OpusOutput?
  private let path: FilePath
  private let description: OutputDescription
  private var isOpus: Bool { description.format.codec == .opus }
  /// The offset of the audio in the file.
  private let start: Int
  /// For each channel of the file, the channel of the frames to write.
  private let order: [Int]
  private let stream: SndFileStream
  private var handle: SndFileHandle?
  /// The encoder that begins anew where that of the next output does, for a splice.
  private var next: (handle: SndFileHandle, start: Int)?
  /// The factor for samples that undoes what the encoder does to the level.
  private let gain: Float
  private var framesWritten = 0
  private var limitedSamples = 0
  private var samples: [Float] = []
  /// The last samples of Opus, which foretell those after the end.
  private var lastSamples: [Float] = []

  /// The maximum magnitude passed to libmp3lame 3.100, which ends the process at about 10^6 times full scale. Samples
  /// that hold 16-bit integers stay unchanged.
  private static let lameMaximum: Float = 0x1p15

  package init(_ output: borrowing OutputFile, _ description: OutputDescription)
    throws(AudioFileError)
  {
    let format = description.format
    let path = output.path
    self.path = path
    let metadata = description.metadata
    let isOpus = format.codec == .opus
    self.description = description
    try format.checkThereIsAudio(description, path: path)
    if let limit = format.limit(
      for: description.spec, frameCount: description.frameCount, sampleFormat: nil)
    {
      throw .cannotHold(path, reason: limit, remedy: nil)
    }
    order = try Self.order(description, path)
    // Refuses settings before anything is written.
    let settings = try EncoderSettings(description, path: path)
    gain = description.keepsLevel ? Float(1 / settings.gain) : 1
    let tag =
      isOpus
      ? []
      : try TagWriter.id3(
        of: metadata, spec: description.spec, frameCount: description.frameCount,
        notCarried: &notCarried, path: path)
    if isOpus, !metadata.syncedLyrics.isEmpty {
      notCarried.append(MetadataLoss(.lyrics, "synchronized lyrics"))
    }
    let descriptor = try Self.duplicate(output)
    do {
      _ = try descriptor.writeAll(toAbsoluteOffset: 0, tag)
    } catch {
      try? descriptor.close()
      throw .cannotWrite(path, error as? Errno ?? .ioError)
    }
    start = tag.count
    if isOpus {
      let opus = try OpusOutput(output, description)
      self.opus = opus
      notCarried += opus.notCarried
      stream = SndFileStream(writing: descriptor) { (bytes) throws(AudioFileError) in
        try opus.take(bytes)
      }
      if let preRoll = description.nextPreRoll {
        let stream = SndFileStream(writing: try Self.duplicate(output)) { opus.takeNext($0) }
        var other = description
        other.sourceBitRate = description.nextSourceBitRate
        next = (
          try Self.open(stream, other, channelCount: order.count, path),
          description.preRoll + description.frameCount - preRoll
        )
      }
    } else {
      opus = nil
      stream = SndFileStream(writing: descriptor, from: tag.count)
    }
    handle = try Self.open(stream, description, channelCount: order.count, path)
  }

  /// Opens an encoder whose output goes to a stream.
  private static func open(
    _ stream: SndFileStream, _ description: OutputDescription, channelCount: Int, _ path: FilePath
  ) throws(AudioFileError) -> SndFileHandle {
    let encoder = try EncoderSettings(description, path: path)
    var info = SF_INFO()
    info.samplerate = Int32(description.spec.sampleRate)
    info.channels = Int32(channelCount)
    info.format = description.format.library.code
    let opened: SndFileHandle
    do throws(SndFileFailure) {
      opened = try SndFileHandle(stream, mode: Int32(SFM_WRITE), info: info)
    } catch {
      try check(stream, path)
      throw .encoderFailed(path, reason: error.message)
    }
    try encoder.apply(to: opened, path: path)
    return opened
  }

  /// Throws the cause if writing failed.
  private static func check(_ stream: SndFileStream, _ path: FilePath) throws(AudioFileError) {
    if let refusal = stream.refusal { throw refusal }
    if let cause = stream.failure { throw .cannotWrite(path, cause) }
  }

  /// The order of the channels in the file: that of Vorbis for Opus.
  private static func order(
    _ description: OutputDescription, _ path: FilePath
  ) throws(AudioFileError) -> [Int] {
    let given = description.givenLayout ?? description.spec.layout
    let layout =
      if description.givenLayout != nil {
        given.inMaskOrder
      } else if description.format.layouts == .vorbis, given.speakers != nil {
        VorbisLayout.layout(channelCount: given.channelCount)
      } else {
        given
      }
    guard let order = given.order(for: layout) else {
      throw .cannotHold(
        path, reason: "\(description.format.name) cannot store the layout \(given)", remedy: nil)
    }
    return order
  }

  @specialized(where Sample == Int8)
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  package func write<Sample: PCMSample>(_ frames: Span<Sample>) throws(AudioFileError) {
    let channels = order.count
    let count = frames.count / channels
    guard count > 0, let handle else { return }
    if samples.count < frames.count { samples = Array(repeating: 0, count: frames.count) }
    var target = samples.mutableSpan
    for frame in 0..<count {
      for channel in 0..<channels {
        var sample = gain * Float(frames[frame * channels + order[channel]].normalized)
        if !isOpus, sample.magnitude > Self.lameMaximum {
          sample = sample < 0 ? -Self.lameMaximum : Self.lameMaximum
          limitedSamples += 1
        }
        target[frame * channels + channel] = sample
      }
    }
    try encode(count, handle)
    if isOpus { keepLast(count) }
  }

  /// Passes frames of `samples` to the encoders that still need them.
  private func encode(_ count: Int, _ handle: SndFileHandle) throws(AudioFileError) {
    if opus?.isComplete != true { try encode(samples[...], count, handle) }
    if let next, case let skipped = max(0, next.start - framesWritten), skipped < count {
      try encode(samples[(skipped * order.count)...], count - skipped, next.handle)
    }
    framesWritten += count
  }

  /// Keeps the last 40 ms.
  private func keepLast(_ count: Int) {
    let most = description.spec.sampleRate / 25 * order.count
    let added = samples[..<(count * order.count)].suffix(most)
    lastSamples.removeFirst(max(0, lastSamples.count + added.count - most))
    lastSamples += added
  }

  /// Continues the sound after its end, where the encoder would lose its last frames or take the end for a step.
  ///
  /// It dies away in the 80 ms that follow tracks of an album. The file does not play it.
  private func encodeAfterEnd(_ handle: SndFileHandle) throws(AudioFileError) {
    let count =
      description.format.rolls(at: description.spec.sampleRate).after - description.postRoll
    let channels = order.count
    guard count > 0 else { return }
    samples = Array(repeating: 0, count: count * channels)
    let known = lastSamples.count / channels
    var line = [Double](repeating: 0, count: known)
    var next = [Double](repeating: 0, count: count)
    var scratch = [Double](
      repeating: 0, count: max(2 * known, Int(SCALEAUDIO_PREDICTION_ORDER) + count))
    for channel in 0..<channels {
      for frame in 0..<known { line[frame] = Double(lastSamples[frame * channels + channel]) }
      scaleaudio_predict(
        SCALEAUDIO_KERNEL_PORTABLE, line, Int32(known), false, &next, Int32(count), &scratch)
      for frame in 0..<count {
        let left = 1 - Double(frame) / Double(count)
        samples[frame * channels + channel] = Float(next[frame] * left * left * (3 - 2 * left))
      }
    }
    try encode(count, handle)
  }

  private func encode(
    _ samples: ArraySlice<Float>, _ count: Int, _ handle: SndFileHandle
  ) throws(AudioFileError) {
    let done = samples.withUnsafeBufferPointer {
      Int(sf_writef_float(handle.pointer, $0.baseAddress, sf_count_t(count)))
    }
    try Self.check(handle.stream, path)
    if done != count || handle.complaint != nil {
      throw .encoderFailed(
        path, reason: handle.complaint ?? "libsndfile accepted \(done) of \(count) frames")
    }
  }

  package func finish() throws(AudioFileError) {
    guard framesWritten == description.writtenFrames else {
      throw .encoderFailed(
        path,
        reason: "received \(framesWritten) of \(description.writtenFrames) announced frames")
    }
    if isOpus, let handle { try encodeAfterEnd(handle) }
    // Closing writes the encoders' remaining output.
    handle = nil
    try Self.check(stream, path)
    let nextStream = next?.handle.stream
    next = nil
    if let nextStream { try Self.check(nextStream, path) }
    try opus?.finish()
    if !isOpus, description.preRoll > 0 || description.postRoll > 0 { try hideRolls() }
  }

  /// Adds the frames before and after the audio to those that LAME's header keeps from being played.
  private func hideRolls() throws(AudioFileError) {
    do {
      // No frame is longer.
      let head = try withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { room in
        let count = try stream.descriptor.read(
          fromAbsoluteOffset: Int64(start), into: room)
        return Array(room[..<count])
      }
      guard
        let frame = MPEGInfoFrame.frame(
          of: head, delayedBy: description.preRoll, paddedBy: description.postRoll)
      else { throw AudioFileError.encoderFailed(path, reason: "LAME wrote no header of its delay") }
      _ = try stream.descriptor.writeAll(toAbsoluteOffset: Int64(start), frame)
    } catch {
      throw error as? AudioFileError ?? .cannotWrite(path, error as? Errno ?? .ioError)
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
