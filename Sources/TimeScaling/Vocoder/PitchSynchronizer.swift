internal import CKernels

/// Moves through the source in whole pitch periods where it is voiced.
///
/// There the frames of all bands follow each other as in the source, until they are half a period off the map;
/// then they move on or back by a whole period. Where the source is not voiced, and around attacks, they lie on the
/// map.
final class PitchSynchronizer {
  /// The source frame of an output frame.
  struct Step {
    var output: Int
    /// The source frame.
    var source: Double
    var isVoiced: Bool
    /// True if one period is nearly the next.
    var isSteady: Bool
  }

  /// Frames between two steps.
  let hop: Int
  /// The output frame of the next step.
  private(set) var output: Int
  /// The last steps; that at output frame `t` is at `t / hop` modulo their number.
  private var steps: [Step]
  private var cursor = MapCursor()
  private let channelCount: Int
  private let level: scaleaudio_kernel_level
  private var work = scaleaudio_periods()
  private let scratch: UnsafeMutablePointer<Double>
  /// The frames that are compared before a move.
  private let width: Int
  private var period = 0.0
  private var isVoiced = false
  private var isSteady = false
  private var source = 0.0

  /// Pitch periods, in seconds.
  private static let (shortest, longest) = (0.0025, 0.022)
  /// The correlation of one period with the next above which a source becomes voiced, and below which it ends to be.
  private static let (voiced, unvoiced) = (0.96, 0.92)
  /// The correlation above which it is steady: that of tones and made voices.
  private static let steady = 0.995
  /// The least correlation over a move.
  private static let accepted = 0.6
  /// The largest mean square of correlations over all periods of a source that becomes voiced, and that stays so. A
  /// tone has 1/2, a voice with its pulses less.
  private static let (tonal, tonalStill) = (0.3, 0.35)
  /// The same for periods longer than `low` seconds: such voices have more of their energy in pulses, and a few tones
  /// that lie close seem to have such periods.
  private static let low = 0.0125
  private static let (tonalLow, tonalLowStill) = (0.11, 0.13)

  /// The first step is at output frame `start`; steps are kept for `memory` frames.
  init(
    start: Int, hop: Int, memory: Int, channelCount: Int, sampleRate: Int,
    level: scaleaudio_kernel_level
  ) {
    (self.hop, output, self.channelCount, self.level) = (hop, start, channelCount, level)
    steps = Array(
      repeating: Step(output: .min, source: 0, isVoiced: false, isSteady: false),
      count: memory / hop + 2)
    let step = max(1, sampleRate / 5300)
    let rate = Double(sampleRate) / Double(step)
    work.channels = Int32(clamping: channelCount)
    work.step = Int32(step)
    work.shortest = Int32(Self.shortest * rate)
    work.longest = Int32(Self.longest * rate)
    work.low = Int32(Self.low * rate)
    work.length = Int32(0.022 * rate)
    width = Int(0.016 * Double(sampleRate))
    let count = Int(work.length + work.longest) + 4
    scratch = .allocate(capacity: Int(work.longest) + 2 + 2 * count * channelCount)
    work.scratch = scratch
  }

  deinit { scratch.deallocate() }

  /// How many frames of the source around a place of the map are looked at.
  var reach: Int {
    Int(scaleaudio_periods_span(&work)) / 2 + width + 2 * Int(work.longest * work.step)
  }

  /// The source frame after the last one that the next step examines.
  func needsTo(along map: StretchMap) -> Int {
    var cursor = cursor
    return Int(cursor.place(at: output, on: map).source) + reach
  }

  /// The step at an output frame; `nil` if it is not made yet, or no longer kept.
  func step(at output: Int) -> Step? {
    let step = steps[index(output)]
    return step.output == output ? step : nil
  }

  /// Continues on another map, which lacks the first attacks of the last one.
  func continueOnMap(droppingAttacks attacks: Int) {
    cursor.continueOnMap(droppingAttacks: attacks)
  }

  private func index(_ output: Int) -> Int {
    let number = output / hop % steps.count
    return number < 0 ? number + steps.count : number
  }

  /// Makes the next step; `frames` gives the place of a source frame in the first channel's plane.
  func advance(along map: StretchMap, plane: Int, frames: (Int) -> UnsafePointer<Float>) {
    let (place, slope) = cursor.place(at: output, on: map)
    let natural = isVoiced ? source + Double(hop) : place
    if output / hop % 2 == 0 { listen(at: Int(natural.rounded()), plane, frames) }
    source = place
    if isVoiced, slope != 1 {
      source = natural
      if abs(natural - place) > period / 2 {
        let periods = ((place - natural) / period).rounded()
        if periods != 0 { move(by: periods * period, plane, frames) }
        if !isVoiced { source = place }
      }
    }
    steps[index(output)] = Step(
      output: output, source: source, isVoiced: isVoiced, isSteady: isVoiced && isSteady)
    output += hop
  }

  private func listen(at middle: Int, _ plane: Int, _ frames: (Int) -> UnsafePointer<Float>) {
    work.plane = Int64(plane)
    work.frames = frames(middle - Int(scaleaudio_periods_span(&work)) / 2)
    work.most_tonal = isVoiced ? Self.tonalStill : Self.tonal
    work.most_tonal_low = isVoiced ? Self.tonalLowStill : Self.tonalLow
    var found = 0.0
    let likeness = scaleaudio_periods_find(level, &work, &found)
    isVoiced = likeness > (isVoiced ? Self.unvoiced : Self.voiced)
    isSteady = likeness > Self.steady
    period = found
  }

  /// Moves on to where the source resembles what would follow, near a distance.
  private func move(by distance: Double, _ plane: Int, _ frames: (Int) -> UnsafePointer<Float>) {
    let start = Int(source.rounded()) - width / 2
    let window = frames(start)
    func likeness(_ delay: Int) -> Double {
      scaleaudio_periods_likeness(
        level, window, Int64(plane), Int32(clamping: channelCount), Int32(width), Int64(delay))
    }
    let around = Int(work.step) + 2
    let first = Int(distance.rounded()) - around
    let values = (0...2 * around).map { likeness(first + $0) }
    guard let most = values.max(), most > Self.accepted, let best = values.firstIndex(of: most)
    else {
      isVoiced = false
      return
    }
    var fraction = 0.0
    if best > 0, best + 1 < values.count {
      let bend = values[best - 1] - 2 * most + values[best + 1]
      if bend < 0 { fraction = 0.5 * (values[best - 1] - values[best + 1]) / bend }
    }
    source += Double(first + best) + fraction
  }
}
