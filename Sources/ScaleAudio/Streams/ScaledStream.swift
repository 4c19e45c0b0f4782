package import AudioIO
package import AudioModel
internal import SystemPackage
internal import TimeScaling

/// A stream scaled by a scaler, from any output frame on.
final class ScaledStream: FrameStream {
  let source: SourceDescription
  /// The type of the samples before and after scaling.
  var format: SampleFormat { scaler.format }

  private let input: any FrameStream
  private let scaler: any BlockScaler
  /// The file, for errors.
  private let path: FilePath
  /// Frames of the input, and how many of them the scaler has taken.
  private let block: Block
  private var consumed = 0
  /// True when the input has ended.
  private var isDraining = false
  /// Frames to drop before the next one, if the scaler could not begin there.
  private var skipped = 0
  /// Memory for frames that are dropped, or read in another sample type.
  private var scratch: Block?

  /// - Parameters:
  ///   - source: The description of the scaled frames.
  ///   - blockFrames: The frames that are read from `input` at a time.
  ///   - path: The file, for errors.
  init(
    _ input: any FrameStream, by scaler: any BlockScaler, as source: SourceDescription,
    blockFrames: Int, path: FilePath
  ) {
    (self.input, self.scaler, self.source, self.path) = (input, scaler, source, path)
    block = Block(scaler.format, sampleCount: blockFrames * scaler.channelCount)
  }

  var clipping: Clipping { input.clipping }
  var nonFiniteSamples: Int { input.nonFiniteSamples }
  var seeking: Seeking { input.seeking }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    while skipped > 0 {
      let memory = memory(scaler.channelCount * min(skipped, 4096))
      let made = try scale(
        into: memory.buffer.extracting(0..<scaler.channelCount * min(skipped, 4096)))
      if made == 0 { return 0 }
      skipped -= made
    }
    if buffer.format == format { return try scale(into: buffer) }
    let memory = memory(buffer.sampleCount)
    let frames = try scale(into: memory.buffer.extracting(0..<buffer.sampleCount))
    buffer.store(memory, from: 0, count: frames * scaler.channelCount, at: 0)
    return frames
  }

  /// Seeks to an output frame. If the scaler cannot begin there, the frames before it are scaled again; see
  /// ``TimeScaler/begin(atOutput:)``.
  func seek(toFrame frame: Int) throws(AudioFileError) {
    scaler.reset()
    let first = scaler.begin(atOutput: frame)
    if first == nil { scaler.reset() }
    skipped = first == nil ? frame : 0
    (block.frameCount, consumed, isDraining) = (0, 0, false)
    try input.seek(toFrame: first ?? 0)
  }

  /// Scales the next frames, at least one; 0 at the end. Reads the input to its end, to detect damage there.
  private func scale(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    while true {
      if isDraining { return try AudioFileError.scaling(path, scaler.finish(into: buffer)) }
      if consumed == block.frameCount {
        try input.read(into: block)
        consumed = 0
        if block.frameCount == 0 {
          isDraining = true
          continue
        }
      }
      let progress = try AudioFileError.scaling(
        path, scaler.process(block, from: consumed, into: buffer))
      consumed += progress.consumed
      // The output is complete; the rest of the block is not needed.
      if progress == ScalingProgress(consumed: 0, produced: 0) { consumed = block.frameCount }
      if progress.produced > 0 { return progress.produced }
    }
  }

  private func memory(_ sampleCount: Int) -> Block {
    if let scratch, scratch.buffer.sampleCount >= sampleCount { return scratch }
    let made = Block(format, sampleCount: sampleCount)
    scratch = made
    return made
  }
}

extension AudioFileError {
  /// Runs the work of a scaler; its errors become errors about the file at `path`.
  package static func scaling<Result>(
    _ path: FilePath, _ work: @autoclosure () throws(ScalingError) -> Result
  ) throws(AudioFileError) -> Result {
    do throws(ScalingError) {
      return try work()
    } catch {
      throw .cannotScale(path, reason: error.cause, remedy: error.remedy)
    }
  }
}
