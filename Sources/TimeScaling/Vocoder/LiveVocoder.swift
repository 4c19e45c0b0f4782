import Glibc

/// Changes rate and pitch of a stream while it runs, by our own vocoder.
///
/// The phases of the first frame are those of the source, so the sound begins as it is there. A rate holds from a frame
/// of the source on, and positions are those of the rates, to the frame; around attacks the audio runs at its original
/// speed, as in ``VocoderScaler``. A pitch is a longer or shorter stretch, resampled. NaN is silence.
package final class LiveVocoder: LiveScaler {
  package let leadFrames: Int
  /// The number of channels.
  package let channelCount: Int

  private let sampleRate: Int
  private let vocoder: Vocoder
  private let finder: AttackFinder
  private var history: RateHistory
  /// Frames put, with those of the lead.
  private var put = 0
  /// Attacks of the finder that the vocoder knows.
  private var known = 0
  private let wide: UnsafeMutableBufferPointer<Double>
  private let made: StretchedFrames
  /// The sound that is played, and the sound that it fades to when the pitch changes.
  private var voice: PitchedFrames
  private var nextVoice: PitchedFrames?
  private var faded = 0
  private let fadeFrames: Int
  /// The source frames for each stretched one at the start.
  private let fastest: Double

  private static let putFrames = 1024
  /// Seconds that a map may deviate from its rate around an attack.
  private static let slack = 0.012

  /// A vocoder for a stream that begins at a rate, input frames / output frames, and a pitch.
  ///
  /// - Parameters:
  ///   - rate: Within 1/``StretchSettings/factorRange``.
  ///   - semitones: Within ``StretchSettings/semitoneRange``.
  ///   - formants: The treatment of formants: they move with the pitch or stay where they are at this first pitch.
  ///   - fastest: The highest rate that is expected; `nil` for the first one.
  package init(
    channelCount: Int, sampleRate: Int, rate: Double, semitones: Double,
    formants: StretchSettings.Formants = .shift, fastest: Double? = nil
  ) throws(ScalingError) {
    self.channelCount = max(1, channelCount)
    self.sampleRate = min(max(sampleRate, 1000), 1_000_000)
    let pitch = Self.pitch(semitones)
    self.fastest = max(1, max(rate, fastest ?? rate) / pitch)
    let (rates, shifts) = (StretchSettings.liveRateRange, StretchSettings.liveSemitoneRange)
    let most = rates.upperBound / Self.pitch(shifts.lowerBound)
    let channels = Array(0..<self.channelCount)
    finder = try AttackFinder(
      channels: channels, of: channels.count, sampleRate: self.sampleRate)
    let overlap = Vocoder.overlap(atMost: self.fastest)
    let window = Vocoder.windowFrames(sampleRate: self.sampleRate)
    let slack = Int(Self.slack * Double(self.sampleRate)) + 1
    leadFrames = max(window, window / 2 + slack + finder.delay)
    history = RateHistory(lead: leadFrames, rate: rate, pitch: pitch)
    vocoder = try Vocoder(
      map: history.map(around: [], sampleRate: self.sampleRate), channels: channels,
      of: channels.count, sampleRate: self.sampleRate, steepest: max(self.fastest, most),
      overlaps: (overlap, overlap),
      shift: formants == .preserve && semitones != 0 ? pitch : nil)
    wide = .allocate(capacity: Self.putFrames * self.channelCount)
    wide.initialize(repeating: 0)
    made = StretchedFrames(channelCount: self.channelCount)
    voice = try PitchedFrames(of: made, pitch: pitch, from: 0)
    fadeFrames = max(1, self.sampleRate / 100)
  }

  deinit { wide.deallocate() }

  private static func pitch(_ semitones: Double) -> Double {
    semitones == 0 ? 1 : exp2(semitones / 12)
  }

  /// The source frame up to which rates are settled, and attacks found as far as a window from there reaches.
  private var settled: Double { Double(put - leadFrames) }

  package func set(rate: Double, semitones: Double) {
    if history.set(rate: rate, pitch: Self.pitch(semitones), from: settled) { updateMap() }
  }

  package func suits(rate: Double, semitones: Double) -> Bool {
    let wanted = Vocoder.overlap(atMost: rate / Self.pitch(semitones))
    return wanted == Vocoder.overlap(atMost: fastest)
  }

  package var lacking: Int {
    guard let middle = vocoder.nextMiddle else { return 1 }
    let wanted = history.source(at: Double(middle)) - settled
    return max(1, Int(wanted.rounded(.up)))
  }

  package func put(_ frames: UnsafePointer<Float>, count: Int) {
    var start = 0
    while start < count {
      let part = min(count - start, Self.putFrames)
      for index in 0..<part * channelCount {
        wide[index] = Double(frames[start * channelCount + index])
      }
      let block = UnsafeBufferPointer(rebasing: wide[..<(part * channelCount)])
      let span = block.span
      finder.look(at: span, frameCount: part)
      vocoder.put(span, from: 0, count: part)
      put += part
      start += part
      if finder.attacks.count > known { updateMap() }
      make()
    }
  }

  /// Gives the vocoder the map with all rates and attacks that are known.
  private func updateMap() {
    let needed = min(Double(vocoder.firstNeeded), voice.place)
    let dropped = history.trim(before: needed, finder.attacks)
    finder.dropAttacks(dropped)
    known = finder.attacks.count
    vocoder.use(
      history.map(around: finder.attacks, sampleRate: sampleRate), droppingAttacks: dropped)
  }

  /// Makes blocks as far as everything about them is settled.
  private func make() {
    let end = history.output(at: settled)
    while true {
      if let middle = vocoder.nextMiddle, Double(middle) > end { return }
      switch vocoder.advance() {
      // The lead is long enough for this never to come first.
      case .lacks: return
      case .frame: break
      case .block(let start): made.append(vocoder, from: start)
      }
    }
  }

  package var available: Int {
    prepare()
    if let nextVoice {
      return min(voice.available, nextVoice.available, fadeFrames - faded)
    }
    guard let change = history.change(of: voice.pitch, after: voice.place) else {
      return voice.available
    }
    // Up to the first frame at another pitch.
    return min(voice.available, max(0, Int(((change - voice.place) / voice.pitch).rounded(.up))))
  }

  package var position: (input: Double, step: Double, frameCount: Int) {
    let voice = nextVoice ?? voice
    let (source, rate, end) = history.position(at: voice.place)
    let count = end.map { max(1, ($0 - voice.place) / voice.pitch) } ?? 4096
    return (source - Double(leadFrames), rate * voice.pitch, Int(min(4096, count).rounded(.up)))
  }

  package func retrieve(_ count: Int, into output: UnsafeMutablePointer<Float>) -> Int {
    let count = min(count, available)
    guard count > 0 else { return 0 }
    voice.take(count, into: output)
    if let nextVoice {
      nextVoice.blend(count, into: output, from: faded, of: fadeFrames)
      faded += count
      if faded == fadeFrames { (voice, self.nextVoice) = (nextVoice, nil) }
    }
    made.trim(before: voice.place)
    return count
  }

  /// Lets what is heard have all that is made, and begins a fade where the pitch changes.
  private func prepare() {
    voice.pull()
    nextVoice?.pull()
    let pitch = history.pitch(at: voice.place)
    guard nextVoice == nil, pitch != voice.pitch,
      // Without memory for another, the pitch stays.
      let other = try? PitchedFrames(of: made, pitch: pitch, near: voice.place)
    else { return }
    (nextVoice, faded) = (other, 0)
    other.pull()
  }
}
