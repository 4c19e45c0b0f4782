#if RubberBand
  internal import AudioModel

  /// Changes rate and pitch of a stream while it runs, by the real-time mode of Rubber Band's R3 engine.
  ///
  /// The output of the lead is kept back.
  package final class LiveStretcher: LiveScaler {
    /// The number of frames to put before the first one that is heard.
    package let leadFrames: Int
    /// The number of channels.
    package let channelCount: Int

    private let stretcher: Stretcher
    /// Output frames to skip at the start, and how many there are at the pitch of the start.
    private var toSkip: Int
    private let firstDelay: Int
    /// Frames put, with those of the lead, and output frames retrieved, with those skipped.
    private var put = 0
    private var retrieved = 0
    /// The input positions of output frames; the first one is at or before the next output frame.
    private var knots: [(output: Double, input: Double)] = []

    package init(channelCount: Int, sampleRate: Int, rate: Double, semitones: Double) {
      self.channelCount = channelCount
      stretcher = Stretcher(
        liveAt: rate, semitones: semitones, channelCount: channelCount, sampleRate: sampleRate)
      leadFrames = stretcher.startPad
      firstDelay = stretcher.startDelay
      toSkip = firstDelay
    }

    /// Changes rate and pitch from the next frame put on.
    package func set(rate: Double, semitones: Double) {
      stretcher.set(rate: rate, semitones: semitones)
    }

    package func suits(rate: Double, semitones: Double) -> Bool { true }

    /// The number of frames to put before anything can be retrieved; valid while nothing is available.
    package var lacking: Int { stretcher.lacking }

    /// Takes frames, at most those that are ``lacking``.
    package func put(_ frames: UnsafePointer<Float>, count: Int) {
      stretcher.put(frames, count: count)
      put += count
      if stretcher.lacking > 0 && stretcher.room > 0 { return }
      stretcher.process(isLast: false)
      if stretcher.available > 0 {
        // A window is centered on its frame: half of it was put after that, and half is retrieved before it.
        let input = Double(put - 2 * leadFrames)
        let output = Double(retrieved + stretcher.startDelay - firstDelay)
        if let last = knots.last, last.output >= output { knots.removeLast() }
        knots.append((output, input))
      }
    }

    /// The number of frames that can be retrieved.
    package var available: Int {
      skip()
      return stretcher.available
    }

    /// The position of the next output frame in the input, counted from the first frame after the lead; and the
    /// number of output frames, at least 1, that follow it with the same step between them.
    package var position: (input: Double, step: Double, frameCount: Int) {
      let next = Double(retrieved - firstDelay)
      while knots.count > 2, knots[1].output <= next { knots.removeFirst() }
      guard knots.count >= 2 else { return (max(0, next), 1, 1) }
      let (one, two) = (knots[0], knots[1])
      let step = (two.input - one.input) / (two.output - one.output)
      let count = two.output > next ? Int((two.output - next).rounded(.up)) : 64
      return (one.input + (next - one.output) * step, step, max(1, count))
    }

    /// Retrieves up to `count` frames, interleaved, and returns their number.
    package func retrieve(_ count: Int, into output: UnsafeMutablePointer<Float>) -> Int {
      skip()
      let made = stretcher.retrieve(count, into: output)
      retrieved += made
      return made
    }

    private func skip() {
      while toSkip > 0, stretcher.available > 0 {
        let made = stretcher.skip(min(toSkip, stretcher.available))
        toSkip -= made
        retrieved += made
        if made == 0 { break }
      }
    }
  }
#endif
