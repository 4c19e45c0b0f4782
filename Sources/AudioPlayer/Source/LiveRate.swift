internal import AudioModel
internal import TimeScaling

/// The frames of a sequence at a rate and a pitch that change while it runs.
///
/// At rate 1 and pitch 0, frames pass unchanged. Changes between passing and stretching are cross-faded.
/// `n` frames at one rate to the end of the sequence become `n / rate`, truncated, as in a conversion.
final class LiveRate {
  private let sequence: TrackSequence
  private let channelCount: Int
  private let fadeFrames: Int
  private var rate: Double
  private var semitones: Double
  /// The current rate of the scaler, which includes the pace of its frames.
  private var pacedRate = 1.0
  /// The next frame of the sequence, while frames pass.
  private var next = 0
  private let engine: StretchSettings.Engine
  private var scaler: (any LiveScaler)?
  /// The first frame of the sequence that the scaler received, and the next one to give it.
  private var origin = 0
  private var fed = 0
  /// The output frames due for the frames given to the scaler, and the output frames that it produced.
  private var owed = 0.0
  private var stretched = 0
  /// The number of frames given to the scaler after the frame that it processes.
  private var lead = 0
  private var fade: Fade?
  private var scratch: [Float]

  /// A cross-fade between passing and stretching, or to a new scaler.
  private struct Fade {
    /// The frames to fade from, unless they are frames of the sequence.
    var tail: [Float] = []
    /// True when frames pass unchanged after it.
    let endsInPassing: Bool
    /// The next frame that passes.
    var frame: Int
    var done = 0
  }

  /// Output frames with the same step between them.
  struct Piece {
    let frameCount: Int
    /// The place of the first in the sequence, and the distance from one to the next.
    let start: Double
    let step: Double
  }

  private static var blockFrames: Int { 4096 }

  init(_ sequence: TrackSequence, rate: Double, semitones: Double, engine: StretchSettings.Engine) {
    (self.sequence, self.engine) = (sequence, engine)
    channelCount = sequence.spec.channelCount
    fadeFrames = max(1, sequence.spec.sampleRate / 100)
    scratch = Array(repeating: 0, count: Self.blockFrames * channelCount)
    self.rate = rate
    self.semitones = semitones
  }

  /// Changes rate and pitch from the next frame on.
  func set(rate: Double, semitones: Double) {
    (self.rate, self.semitones) = (rate, semitones)
    guard let scaler else { return }
    if isChanging(at: max(0, Int(place(scaler)))), !scaler.suits(rate: rate, semitones: semitones) {
      return replace(scaler)
    }
    scaler.set(rate: rate, semitones: semitones)
    pacedRate = rate
  }

  /// True when a frame of the sequence does not pass unchanged.
  private func isChanging(at frame: Int) -> Bool {
    rate != 1 || semitones != 0
      || sequence.spans(in: frame..<frame + 1).contains { $0.track.pace != nil }
  }

  /// The output frames for a range of the sequence at its pace, at a rate of 1.
  private func paced(_ range: Range<Int>) -> Double {
    var (sum, end) = (0.0, range.upperBound)
    for span in sequence.spans(in: range).reversed() {
      let count = end - span.start
      if count <= 0 { continue }
      end = span.start
      guard let pace = span.track.pace else {
        sum += Double(count)
        continue
      }
      if let still = span.still {
        sum += still.outputFrames(count, at: pace)
        continue
      }
      let frame = Double(span.frame)
      sum += pace.output(at: frame + Double(count)) - pace.output(at: frame)
    }
    return sum
  }

  /// Makes up to `capacity` frames, at least one; `nil` at the end of the sequence.
  func produce(_ capacity: Int, into output: UnsafeMutablePointer<Float>) -> Piece? {
    if scaler == nil, isChanging(at: next) { begin() }
    if let scaler { return stretch(scaler, capacity, into: output) }
    sequence.read(upTo: next + capacity)
    let count = min(capacity, sequence.end - next)
    if count <= 0 { return nil }
    sequence.copy(next..<next + count, to: output)
    let piece = Piece(frameCount: count, start: Double(next), step: 1)
    next += count
    sequence.trim(before: next)
    return piece
  }

  private func begin() {
    pacedRate = 1 / length(next..<next + 1)
    let scaler = try? engine.liveScaler(
      channelCount: channelCount, sampleRate: sequence.spec.sampleRate, rate: pacedRate,
      semitones: semitones)
    // If memory for a scaler is lacking, frames pass unchanged.
    guard let scaler else { return }
    lead = scaler.leadFrames
    (origin, fed, owed, stretched) = (next, next - lead, 0, 0)
    // At the start of the sound there is nothing to fade from.
    fade = next == 0 ? nil : Fade(endsInPassing: false, frame: next)
    self.scaler = scaler
  }

  /// The place in the sequence of the next frame of a scaler.
  private func place(_ scaler: any LiveScaler) -> Double { Double(origin) + scaler.position.input }

  /// Continues with a new scaler, with a cross-fade.
  private func replace(_ scaler: any LiveScaler) {
    feed(scaler)
    next = max(0, Int(place(scaler).rounded()))
    var tail = [Float](repeating: 0, count: fadeFrames * channelCount)
    var made = 0
    while made < fadeFrames {
      feed(scaler)
      made += tail.withUnsafeMutableBufferPointer { samples in
        samples.baseAddress.map {
          scaler.retrieve(fadeFrames - made, into: $0 + made * channelCount)
        } ?? fadeFrames
      }
    }
    begin()
    fade = Fade(tail: tail, endsInPassing: false, frame: next)
  }

  private func stretch(
    _ scaler: any LiveScaler, _ capacity: Int, into output: UnsafeMutablePointer<Float>
  ) -> Piece? {
    feed(scaler)
    let (input, step, straight) = scaler.position
    var start = Double(origin) + input
    if !isChanging(at: max(0, Int(start))), fade == nil {
      fade = Fade(endsInPassing: true, frame: max(0, Int(start.rounded())))
    }
    if fade?.endsInPassing == true, let frame = fade?.frame { start = Double(frame) }
    var count = min(capacity, scaler.available, straight)
    if let fade { count = min(count, fadeFrames - fade.done) }
    if sequence.isAtEnd {
      let left = framesLeft(from: start)
      if left <= 0 { return nil }
      count = min(count, left)
    }
    count = scaler.retrieve(count, into: output)
    if count == 0 { return nil }
    stretched += count
    let isPassing = fade?.endsInPassing == true
    applyFade(output, count)
    sequence.trim(before: max(0, Int(start)))
    return Piece(frameCount: count, start: max(0, start), step: isPassing ? 1 : step)
  }

  /// The number of output frames up to the end of the sequence, once its end is known.
  private func framesLeft(from start: Double) -> Int {
    if fade?.endsInPassing == true { return sequence.end - Int(start) }
    let coming = max(origin, fed - lead)
    let left = coming < sequence.end ? length(coming..<sequence.end) : 0
    // Rounding may put the sum of pieces just below a whole number.
    return Int(owed + left + 1e-6) - stretched
  }

  /// Gives the scaler frames until it has some to retrieve.
  private func feed(_ scaler: any LiveScaler) {
    while scaler.available == 0 {
      var count = min(max(1, scaler.lacking), Self.blockFrames)
      sequence.read(upTo: fed + count)
      follow(scaler, fed - lead..<fed - lead + count)
      count = min(max(1, scaler.lacking), Self.blockFrames)
      sequence.read(upTo: fed + count)
      scratch.withUnsafeMutableBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return }
        sequence.copy(fed..<fed + count, to: start)
        scaler.put(start, count: count)
      }
      // A new rate affects the frames in the middle of the scaler's buffer.
      let middle = fed - lead..<fed - lead + count
      let changed = middle.clamped(to: origin..<max(origin, sequence.end))
      owed += length(changed)
      fed += count
    }
  }

  /// The output frames for a range of the sequence, limited by the live engine's range of rates.
  private func length(_ range: Range<Int>) -> Double {
    let (wanted, limits) = (paced(range) / rate, StretchSettings.liveRateRange)
    let count = Double(range.count)
    return min(max(wanted, count / limits.upperBound), count / limits.lowerBound)
  }

  /// Sets the rate for the frames that the next input will process.
  private func follow(_ scaler: any LiveScaler, _ range: Range<Int>) {
    let range = range.clamped(to: origin..<max(origin, sequence.end))
    if range.isEmpty { return }
    let now = Double(range.count) / length(range)
    if abs(now / pacedRate - 1) < 1e-9 { return }
    pacedRate = now
    scaler.set(rate: now, semitones: semitones)
  }

  private func applyFade(_ output: UnsafeMutablePointer<Float>, _ count: Int) {
    guard var fade else { return }
    sequence.read(upTo: fade.frame + count)
    scratch.withUnsafeMutableBufferPointer { buffer in
      guard let passing = buffer.baseAddress else { return }
      if fade.tail.isEmpty {
        sequence.copy(fade.frame..<fade.frame + count, to: passing)
      } else {
        for index in 0..<count * channelCount {
          passing[index] = fade.tail[fade.done * channelCount + index]
        }
      }
      for frame in 0..<count {
        let part = (Float(fade.done + frame) + 0.5) / Float(fadeFrames)
        let weight = fade.endsInPassing ? part : 1 - part
        for index in frame * channelCount..<(frame + 1) * channelCount {
          output[index] += (passing[index] - output[index]) * weight
        }
      }
    }
    fade.frame += count
    fade.done += count
    self.fade = fade
    if fade.done < fadeFrames { return }
    self.fade = nil
    if fade.endsInPassing {
      next = fade.frame
      scaler = nil
    }
  }
}
