// The example of docs/library.md, which a test compares with what follows this line.
import TimeScaling

/// Makes a signal longer or shorter at the same pitch. Samples are interleaved, with a full scale of 1.
func stretched(_ samples: [Double], channels: Int, rate: Int, by factor: Double) throws -> [Double]
{
  let frames = samples.count / channels
  guard let length = TimeFactor(factor)?.outputFrames(for: frames) else { return [] }
  let method = ScalingMethod.stretch()
  var scaler = try method.makeScaler(
    inputFrames: frames, outputFrames: length, channelCount: channels, sampleRate: rate)
  return try scaler.scale(samples)
}

/// Scales blocks as they come, in memory that does not grow, for a method that studies nothing.
func scale(
  _ scaler: inout any TimeScaler<Double>, from next: () -> [Double]?,
  to write: (Span<Double>) -> Void
) throws {
  var output = [Double](repeating: 0, count: 4096 * scaler.channelCount)
  var waiting: [Double] = []
  while let block = next() {
    waiting += block
    var progress: ScalingProgress
    repeat {
      var room = output.mutableSpan
      progress = try scaler.process(waiting.span, into: &room)
      waiting.removeFirst(progress.consumed * scaler.channelCount)
      write(output.span.extracting(first: progress.produced * scaler.channelCount))
    } while progress.produced > 0
  }
  var count: Int
  repeat {
    var room = output.mutableSpan
    count = try scaler.finish(into: &room)
    write(output.span.extracting(first: count * scaler.channelCount))
  } while count > 0
}
