internal import CKernels

/// The choice between the long windows of the lowest band and the short ones of the bands above, by group of bins.
///
/// Long windows hold apart tones that lie close together; short ones keep what changes in time. The group goes to the
/// windows under which its spectrum is sparser: fewer bins have most of the energy. Attacks and voices that are moved by
/// whole periods stay with short windows. A group is decided before any window reaches the frame for which it is decided.
///
/// Source: Jaillet and Torrésani, "Time-frequency jigsaw puzzle" (2007), for the choice by sparsity.
final class WindowChoice {
  private let long: BandShape
  private let shorts: [BandShape]
  private let level: scaleaudio_kernel_level
  private let channelCount: Int
  /// The bins of groups, in the lowest band.
  private let groups: [Range<Int>]
  /// The group of each bin of the bands above; -1 for none.
  private let groupOfBin: [[Int]]
  /// The band above that each group is compared with.
  private let rival: [Int]
  /// The bins of each group that are compared, first and end, in the lowest band and in those above.
  private let longLimits: [Int32]
  private let shortLimits: [[Int32]]
  /// The spread of a bin of each band above over the bins of the lowest, from the middle on.
  private let spreads: [[Float]]
  /// The hops of the lowest band by which a decision comes before its frame.
  private let lead: Int
  /// The decisions for frames of the lowest band, one for each group; those of frame `n` are at `n` modulo their number.
  private let decisions: UnsafeMutableBufferPointer<Bool>
  /// True for those with a group that long windows make.
  private let isAnyLong: UnsafeMutableBufferPointer<Bool>
  /// The part of a group that one long window makes, by its distance from a frame of each band above, in the shorter of the
  /// hops of both, from minus half a window on: they overlap as the fourth power of a cosine.
  private let weights: [[Float]]
  /// The last decisions, and the sparsity of each group.
  private let isLong: UnsafeMutableBufferPointer<Bool>
  private let longSparsity, shortSparsity: UnsafeMutableBufferPointer<Float>
  /// The sums of sizes and energies of each group since the last decisions; those in the windows of each band above.
  private let longSums: UnsafeMutableBufferPointer<Float>
  private let shortSums: [UnsafeMutableBufferPointer<Float>]
  private let scratch: UnsafeMutablePointer<Float>
  private var cursor = MapCursor()
  private var attack = 0

  /// Sparsity in long windows / in short ones below which long ones begin to make a group, and above which they end.
  private static let (begins, ends): (Float, Float) = (0.82, 0.9)
  /// The part of these bounds that is left in voiced frames.
  private static let voiced: Float = 0.86
  /// The sparsity in short windows above which they show no pulses.
  private static let even: Float = 0.9
  /// The part of the last sparsity that is kept.
  private static let keeping: Float = 0.5
  private static let reach = 3

  /// - Parameter outputFrames: The output frames within which decisions are asked for.
  init(
    _ shapes: [BandShape], channelCount: Int, within outputFrames: Int,
    level: scaleaudio_kernel_level
  ) {
    let (long, shorts) = (shapes[0], Array(shapes.dropFirst()))
    (self.long, self.shorts) = (long, shorts)
    (self.channelCount, self.level) = (channelCount, level)
    var (groups, rival): ([Range<Int>], [Int]) = ([], [])
    let count = Int32(long.reachable.count)
    let crossover = long.bins.first { long.shares[$0] < 1 } ?? long.bins.upperBound
    var start: Int32 = 0
    while start < count {
      let end = scaleaudio_phases_group_end(0, start, count)
      let middle = Int(start + end) / 2
      let band = shorts.lastIndex { $0.bins.contains(middle * $0.size / long.size) }
      if Int(end) > crossover, let band {
        groups.append(Int(start)..<Int(end))
        rival.append(band)
      }
      start = end
    }
    self.groups = groups
    self.rival = rival
    var (longLimits, shortLimits) = (
      [Int32](), shorts.map { _ in [Int32](repeating: 0, count: 2 * groups.count) }
    )
    for (index, group) in groups.enumerated() {
      let shape = shorts[rival[index]]
      let ratio = long.size / shape.size
      let bins = (group.lowerBound / ratio - 1..<(group.upperBound - 1) / ratio + 2)
        .clamped(to: shape.bins)
      shortLimits[rival[index]][2 * index] = Int32(bins.lowerBound - shape.bins.lowerBound)
      shortLimits[rival[index]][2 * index + 1] = Int32(bins.upperBound - shape.bins.lowerBound)
      longLimits += [
        Int32(max(0, bins.lowerBound * ratio - ratio / 2)),
        Int32(min(Int(count), bins.upperBound * ratio - ratio / 2)),
      ]
    }
    (self.longLimits, self.shortLimits) = (longLimits, shortLimits)
    groupOfBin = shorts.map { shape in
      shape.bins.map { bin in
        groups.firstIndex { $0.contains(bin * long.size / shape.size) } ?? -1
      }
    }
    spreads = shorts.map { shape in
      let ratio = long.size / shape.size
      return (0..<Self.reach * ratio).map {
        Float(BandShape.spread(Double($0) / Double(ratio), resolution: long.size))
      }
    }
    lead = long.overlap / 2 - 1
    let slotCount = outputFrames / long.hop + 2 * long.overlap + 4
    func filled<Value>(_ value: Value, _ count: Int) -> UnsafeMutableBufferPointer<Value> {
      let memory = UnsafeMutableBufferPointer<Value>.allocate(capacity: count)
      memory.initialize(repeating: value)
      return memory
    }
    (decisions, isAnyLong) = (
      filled(false, slotCount * groups.count), filled(false, slotCount)
    )
    weights = shorts.map { shape in
      let step = min(long.hop, shape.hop)
      return stride(from: -long.size / 2, to: long.size / 2, by: step).map { distance in
        var (cosine, sine) = (0.0, 0.0)
        scaleaudio_turn(Int64(distance + long.size), Int64(2 * long.size), &cosine, &sine)
        // The angle is half a turn more, which the fourth power does not show.
        return Float(cosine * cosine * cosine * cosine * 8 / Double(3 * long.overlap))
      }
    }
    isLong = filled(false, groups.count)
    (longSparsity, shortSparsity) = (filled(1, groups.count), filled(1, groups.count))
    longSums = filled(0, 2 * groups.count)
    shortSums = shorts.map { _ in filled(0, 2 * groups.count) }
    scratch = .allocate(capacity: 2 * long.reachable.count)
    scratch.initialize(repeating: 0, count: 2 * long.reachable.count)
  }

  deinit {
    for memory in [decisions, isAnyLong, isLong] { memory.deallocate() }
    for memory in [longSparsity, shortSparsity, longSums] + shortSums { memory.deallocate() }
    scratch.deallocate()
  }

  /// The band whose frame comes next, if one begins before an output frame.
  ///
  /// Frames of the bands above come before the one of the lowest band that lies a hop later, which may continue them.
  static func next<Band>(
    of bands: [Band], before end: Int, _ place: (Band) -> (size: Int, hop: Int, output: Int)
  ) -> Band? {
    guard !bands.isEmpty else { return nil }
    let long = place(bands[0])
    if long.output - long.size / 2 < end {
      for index in 1..<bands.count where place(bands[index]).output + long.hop <= long.output {
        return bands[index]
      }
      return bands[0]
    }
    for index in 1..<bands.count {
      let (size, _, output) = place(bands[index])
      if output - size / 2 < end { return bands[index] }
    }
    return nil
  }

  /// Continues on another map, which lacks the first attacks of the last one.
  func continueOnMap(droppingAttacks attacks: Int) {
    cursor.continueOnMap(droppingAttacks: attacks)
    attack = max(0, attack - attacks)
  }

  private func slot(_ number: Int) -> Int {
    let slot = number % isAnyLong.count
    return slot < 0 ? slot + isAnyLong.count : slot
  }

  /// The decisions for a frame of the lowest band.
  private func decision(at slot: Int) -> UnsafeMutableBufferPointer<Bool> {
    UnsafeMutableBufferPointer(
      rebasing: decisions[slot * groups.count..<(slot + 1) * groups.count])
  }

  /// Takes a frame that was analyzed; one of the lowest band decides a later one.
  func listen(to frame: AnalyzedFrame, of band: BandAnalysis, along map: StretchMap) {
    guard !groups.isEmpty else { return }
    let isLowest = band.shape === long
    let index = shorts.firstIndex { $0 === band.shape } ?? 0
    let (count, limits) = (band.shape.reachable.count, isLowest ? longLimits : shortLimits[index])
    let sums = isLowest ? longSums : shortSums[index]
    for channel in 0..<channelCount {
      let real = frame.now + channel * band.plane
      scaleaudio_phases_measure_sparsity(
        level, real, real + band.planes, Int32(count), limits, Int32(groups.count), scratch,
        scratch + long.reachable.count, sums.baseAddress)
    }
    if isLowest { decide(after: frame, along: map) }
  }

  /// A number that is smaller where fewer bins have the energy; 1 where all have the same, and for silence.
  private func sparsity(
    _ sums: UnsafeMutableBufferPointer<Float>, _ limits: [Int32], _ group: Int, frames: Int
  ) -> Float {
    let (size, energy) = (sums[2 * group], sums[2 * group + 1])
    let count = Float(Int(limits[2 * group + 1] - limits[2 * group]) * frames * channelCount)
    guard energy > 1e-12, count > 0 else { return 1 }
    return size / (count * energy).squareRoot()
  }

  private func decide(after frame: AnalyzedFrame, along map: StretchMap) {
    let output = frame.output + lead * long.hop
    let isFree = !hasAttack(at: output, on: map)
    // The pulses of a voice count more than its partials.
    let caution: Float = frame.pull > 0 ? Self.voiced : 1
    let slot = slot(output / long.hop)
    let decision = decision(at: slot)
    for group in groups.indices {
      let shape = shorts[rival[group]]
      let limits = shortLimits[rival[group]]
      let one = sparsity(longSums, longLimits, group, frames: 1)
      longSparsity[group] += (1 - Self.keeping) * (one - longSparsity[group])
      // At low rates the hops of the bands above are longer, and not each of this band has a frame of theirs.
      if (frame.output - long.hop) % max(long.hop, shape.hop) == 0 {
        let other = sparsity(
          shortSums[rival[group]], limits, group, frames: max(1, long.hop / shape.hop))
        shortSparsity[group] += (1 - Self.keeping) * (other - shortSparsity[group])
      }
      let bound = caution * (isLong[group] ? Self.ends : Self.begins)
      decision[group] = isFree && longSparsity[group] < bound * shortSparsity[group]
    }
    if frame.pull > 0, showsPulses { decision.update(repeating: false) }
    for group in groups.indices { isLong[group] = decision[group] }
    isAnyLong[slot] = decision.contains(true)
    longSums.update(repeating: 0)
    for sums in shortSums { sums.update(repeating: 0) }
  }

  /// True if the short windows of most of the energy have little of it between pulses.
  private var showsPulses: Bool {
    var (weighted, whole): (Float, Float) = (0, 0)
    for group in groups.indices {
      weighted += longSums[2 * group + 1] * shortSparsity[group]
      whole += longSums[2 * group + 1]
    }
    return weighted < Self.even * whole
  }

  /// True if an attack lies in the long window at an output frame, there or in its source.
  private func hasAttack(at output: Int, on map: StretchMap) -> Bool {
    let reach = Double(long.size / 2)
    let source = cursor.place(at: output, on: map).source
    let attacks = map.attacks
    while attack < attacks.count, attacks[attack].output < Double(output) - reach,
      attacks[attack].source < source - reach
    { attack += 1 }
    guard attack < attacks.count else { return false }
    return attacks[attack].output < Double(output) + reach
      || attacks[attack].source < source + reach
  }

  /// Writes the share of each reachable bin of a band in the output at a frame, and returns the end of the bins whose
  /// phases must be continued, and of those that tend to the turns of one delay.
  func share(
    among shape: BandShape, at output: Int, into shares: UnsafeMutablePointer<Float>
  ) -> (end: Int, pulled: Int) {
    let bins = shape.reachable
    shares.update(from: shape.shares + bins.lowerBound, count: bins.count)
    guard let index = shorts.firstIndex(where: { $0 === shape }) else {
      return takeOver(at: output, shares)
    }
    let long = long
    // The part of each group that long windows make.
    let first = (output - long.size / 2) / long.hop
    var parts: [Float] = []
    for number in first...first + long.overlap + 1 where isAnyLong[slot(number)] {
      let distance = output - number * long.hop
      guard abs(distance) < long.size / 2 else { continue }
      if parts.isEmpty { parts = Array(repeating: 0, count: groups.count) }
      let weight = weights[index][(distance + long.size / 2) / min(long.hop, shape.hop)]
      let decision = decision(at: slot(number))
      for group in groups.indices where decision[group] { parts[group] += weight }
    }
    if !parts.isEmpty {
      for (bin, group) in groupOfBin[index].enumerated() where group >= 0 {
        shares[bin] *= max(0, 1 - parts[group])
      }
    }
    return (bins.upperBound, bins.upperBound)
  }

  /// Adds what long windows take over from the bands above.
  private func takeOver(at output: Int, _ shares: UnsafeMutablePointer<Float>) -> (
    end: Int, pulled: Int
  ) {
    var end = long.bins.upperBound
    let slot = slot(output / long.hop)
    guard isAnyLong[slot] else { return (end, end) }
    let decision = decision(at: slot)
    for (index, shape) in shorts.enumerated() {
      let (ratio, spread) = (long.size / shape.size, spreads[index])
      for (place, group) in groupOfBin[index].enumerated() where group >= 0 && decision[group] {
        let middle = (shape.bins.lowerBound + place) * ratio
        let share = shape.shares[shape.bins.lowerBound + place]
        let last = min(middle + spread.count, long.reachable.count)
        for bin in max(0, middle - spread.count + 1)..<last {
          shares[bin] += share * spread[abs(bin - middle)]
        }
        end = max(end, last)
      }
    }
    for bin in 0..<end where shares[bin] < 1e-3 { shares[bin] = 0 }
    // Tones that long windows hold apart go on by themselves.
    return (end, decision[0] ? groups[0].lowerBound : long.bins.upperBound)
  }
}
