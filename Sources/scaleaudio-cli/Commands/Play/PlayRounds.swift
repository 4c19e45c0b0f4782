import AudioFiles
import AudioIO
import AudioPlayer
import Glibc
import ScaleAudio
import SystemPackage

/// The rounds of a loop as one WAV file: each at its rate, with what is heard between them.
///
/// Each rate is converted once, as `convert` does it, so it sounds better than what plays live.
struct PlayRounds {
  /// The rates in order, and how many rounds each has.
  let steps: [(rate: Double, count: Int)]
  private let between: LoopBreak
  private let loop: Range<Int>

  /// The rounds of a loop without a trainer.
  private static let usualCount = 8
  private static let mostSteps = 100
  private static let fadeSeconds = 0.005

  /// The rounds of a loop with a trainer, a pause or clicks; `nil` for another loop, or for none.
  init?(_ status: PlayerStatus) {
    guard let loop = status.loop, status.trainer != nil || status.between != .nothing else {
      return nil
    }
    (self.loop, between) = (loop, status.between)
    guard let trainer = status.trainer, trainer.step > 0 else {
      steps = [(status.rate, Self.usualCount)]
      return
    }
    var rate = status.rate
    var steps: [(rate: Double, count: Int)] = []
    while rate < trainer.goal - 1e-9, steps.count < Self.mostSteps {
      steps.append((rate, trainer.rounds))
      rate = ((rate + trainer.step) * 1000).rounded() / 1000
    }
    self.steps = steps + [(max(status.rate, trainer.goal), trainer.rounds)]
  }

  /// The file beside the source.
  static func output(of source: FilePath) -> FilePath? {
    source.stem.map { source.removingLastComponent().appending($0 + "-rounds.wav") }
  }

  /// Writes the rounds.
  ///
  /// - Parameters:
  ///   - settings: The settings of `convert` for each of the ``steps``.
  ///   - onProgress: Called with the percentage.
  func write(
    _ input: ConversionInput, _ settings: [ConversionSettings], files: FilePolicy,
    to output: FilePath, cancellation: Cancellation, onProgress: (Int) -> Void
  ) throws(ConversionError) {
    guard FileStatus(path: output) == nil else { throw .file(.outputExists(output)) }
    guard let wav = AudioFormat.named("wav") else {
      throw .file(.cannotWrite(output, .notSupported))
    }
    let folder = try Self.makeFolder()
    var parts: [FilePath] = []
    defer {
      for part in parts { _ = part.withPlatformString { unlink($0) } }
      _ = folder.withPlatformString { rmdir($0) }
    }
    for (index, step) in settings.enumerated() {
      var step = step
      (step.format, step.sampleFormat) = (wav, .float32)
      step.part = TimeRange(
        from: .afterStart(.frames(loop.lowerBound)), to: .afterStart(.frames(loop.upperBound)))
      let part = folder.appending("\(index).wav")
      parts.append(part)
      let conversion = Conversion(
        input: input, output: .file(part), settings: step, files: files)
      _ = try conversion.run(cancellation: cancellation)
      onProgress(90 * (index + 1) / settings.count)
    }
    do throws(AudioFileError) {
      try join(parts, to: output, wav, cancellation)
    } catch {
      throw cancellation.isCancelled ? .cancelled : .file(error)
    }
    onProgress(100)
  }

  private static func makeFolder() throws(ConversionError) -> FilePath {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array((base + "/scaleaudio-rounds-XXXXXX").utf8CString)
    let made = name.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { FilePath(String(cString: $0)) }
    }
    guard let made else { throw .file(.cannotWrite(FilePath(base), Errno(rawValue: errno))) }
    return made
  }

  private func join(
    _ parts: [FilePath], to output: FilePath, _ wav: AudioFormat, _ cancellation: Cancellation
  ) throws(AudioFileError) {
    var readers: [any FrameStream] = []
    for part in parts {
      let input = try ConversionInput.file(part).opened(cancellation)
      readers.append(try AudioFile.reader(for: input, salvaging: false))
    }
    guard let spec = readers.first?.source.spec else { return }
    var total = 0
    for (reader, step) in zip(readers, steps) {
      total += step.count * (reader.source.frameCount + breakFrames(step.rate))
    }
    total -= breakFrames(steps.last?.rate ?? 1)
    let file = try OutputFile(path: output)
    let writer = try AudioFile.writer(
      to: file,
      as: OutputDescription(
        spec: spec, frameCount: total,
        format: wav.largeForm(for: spec, frameCount: total, sampleFormat: .float32),
        options: EncodingOptions(), metadata: Metadata(), sourceBitRate: nil,
        sampleFormat: .float32))
    for (index, (reader, step)) in zip(readers, steps).enumerated() {
      for round in 0..<step.count {
        if cancellation.isCancelled { throw .cannotWrite(output, .canceled) }
        try copy(reader, to: writer)
        let isLast = index == steps.count - 1 && round == step.count - 1
        if !isLast { try writeBreak(step.rate, spec, to: writer) }
      }
    }
    try writer.finish()
    try file.commit(replacing: false)
  }

  private func breakFrames(_ rate: Double) -> Int {
    switch between {
    case .nothing: 0
    case .pause: Int((Double(loop.count) / rate).rounded())
    case .clicks(let count, let frames): count * Int((Double(frames) / rate).rounded())
    }
  }

  private static let blockFrames = 4096

  /// Copies a round, which fades in and out, because it begins and ends within a sound.
  private func copy(
    _ reader: any FrameStream, to writer: any AudioFileWriter
  ) throws(AudioFileError) {
    let channels = reader.source.spec.channelCount
    let count = reader.source.frameCount
    let fade = max(1, min(count / 2, Int(Self.fadeSeconds * Double(reader.source.spec.sampleRate))))
    try reader.seek(toFrame: 0)
    var block = [Float](repeating: 0, count: Self.blockFrames * channels)
    var done = 0
    while done < count {
      var span = block.mutableSpan
      let made = try reader.read(into: &span)
      if made == 0 { break }
      for frame in 0..<made {
        let near = min(done + frame, count - 1 - done - frame)
        guard near < fade else { continue }
        let factor = (Float(near) + 0.5) / Float(fade)
        for index in frame * channels..<(frame + 1) * channels { block[index] *= factor }
      }
      try writer.write(block.span.extracting(0..<made * channels))
      done += made
    }
  }

  private func writeBreak(
    _ rate: Double, _ spec: AudioSpec, to writer: any AudioFileWriter
  ) throws(AudioFileError) {
    let sound: LoopBreak =
      if case .clicks(let count, let frames) = between {
        .clicks(count, frames: Int((Double(frames) / rate).rounded()))
      } else {
        between
      }
    let count = breakFrames(rate)
    var done = 0
    while done < count {
      let part = min(Self.blockFrames, count - done)
      var block = [Float](repeating: 0, count: part * spec.channelCount)
      for index in block.indices {
        block[index] = sound.sample(
          done + index / spec.channelCount, sampleRate: spec.sampleRate)
      }
      try writer.write(block.span)
      done += part
    }
  }
}
