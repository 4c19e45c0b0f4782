internal import CKernels

/// Frames before a source and behind it, as if its sound went on, so that a begin or an end in mid-note is no attack.
///
/// They are predicted from the first and the last frames of each channel.
struct SourceEdges {
  /// The frames on either side.
  let frames: Int
  /// The frames before the first one and behind the last one, interleaved; empty until ``predict()``.
  private(set) var before: [Double] = [], behind: [Double] = []
  /// The first frames of the source and, before ``predict()``, the last ones, interleaved.
  private(set) var first: [Double] = []
  private var last: [Double] = []
  private let channelCount: Int
  private let goesOn: Bool
  private let level: scaleaudio_kernel_level

  /// - Parameter goesOn: True if noise goes on as well; otherwise it dies away.
  init(frames: Int, channelCount: Int, goesOn: Bool, level: scaleaudio_kernel_level) {
    (self.frames, self.channelCount, self.goesOn, self.level) = (
      frames, channelCount, goesOn, level
    )
  }

  /// The frames from which the sound is predicted.
  private var known: Int { frames / 2 }

  /// True if all of ``first`` is there.
  var isFirstComplete: Bool { first.count == known * channelCount }

  /// Takes the next frames of the source, interleaved. Returns how many frames of them belong to ``first``.
  mutating func take(_ input: Span<Double>, frameCount: Int) -> Int {
    let missing = min(frameCount, known - first.count / channelCount)
    for index in 0..<missing * channelCount { first.append(input[index]) }
    let kept = known * channelCount
    for index in max(0, frameCount * channelCount - kept)..<frameCount * channelCount {
      last.append(input[index])
    }
    if last.count > kept { last.removeFirst(last.count - kept) }
    return missing
  }

  /// Predicts the frames before the first one.
  mutating func predictBefore() {
    before = predicted(from: first, isBackward: true)
  }

  /// Predicts the frames behind the last one, when all of the source was taken.
  mutating func predictBehind() {
    behind = predicted(from: last, isBackward: false)
    last = []
  }

  private func predicted(from source: [Double], isBackward: Bool) -> [Double] {
    let count = source.count / channelCount
    var result = [Double](repeating: 0, count: frames * channelCount)
    guard count > 0 else { return result }
    var plane = [Float](repeating: 0, count: count)
    var line = [Double](repeating: 0, count: count)
    var next = [Double](repeating: 0, count: frames)
    var scratch = [Double](
      repeating: 0, count: max(2 * count, Int(SCALEAUDIO_PREDICTION_ORDER) + frames))
    let cosines = Turns(frames).cosines
    for channel in 0..<channelCount {
      plane.withUnsafeMutableBufferPointer { plane in
        guard let base = plane.baseAddress else { return }
        Spectra.take(
          channel, of: channelCount, from: 0, count: count, in: source.span, into: base,
          level: level)
      }
      for frame in 0..<count {
        line[isBackward ? count - 1 - frame : frame] = Double(plane[frame])
      }
      scaleaudio_predict(level, line, Int32(count), goesOn, &next, Int32(frames), &scratch)
      for frame in 0..<frames {
        // It ends smoothly, beyond any window that reaches into the source.
        let cosine = frame > frames / 2 ? cosines[frame - frames / 2] : 1
        let place = isBackward ? frames - 1 - frame : frame
        result[place * channelCount + channel] = next[frame] * (0.5 + 0.5 * cosine)
      }
    }
    return result
  }
}
