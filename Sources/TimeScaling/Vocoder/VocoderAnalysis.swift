internal import CKernels
internal import Dispatch

/// The half of a vocoder that reads the source: it places the frames of all bands along the map and analyzes them.
///
/// Nothing here depends on what is made of the frames, so they may be analyzed ahead of time.
final class VocoderAnalysis {
  /// Of the bands, in the order in which those of one block are made.
  let bands: [BandAnalysis]
  private var map: StretchMap
  private let channels: [Int]
  private let sourceChannels: Int
  private var channelCount: Int { channels.count }
  private let level: scaleaudio_kernel_level
  private let voice: PitchSynchronizer
  private let choice: WindowChoice
  /// Planes of source frames from `base` on; `filled` of them are present.
  private let source: UnsafeMutablePointer<Float>
  private let capacity: Int
  private var base: Int
  private var filled: Int
  private let blockFrames: Int
  /// The first output frame of the block whose frames come next.
  private(set) var next: Int
  private var levelCursor = MapCursor()
  /// The greatest mean energy of the source near each block of output; that of block `n` is at `n` modulo their number.
  private var nearby: [Float]
  private var nearbyCursor = MapCursor()
  /// The source frames on either side that count as near.
  private let near: Int

  /// The parts of a hop within which the map counts as straight.
  private static let levelParts = 8
  private static let nearSeconds = 0.01

  /// - Parameters:
  ///   - channels: The channels that are analyzed, of `sourceChannels` in a frame.
  ///   - steepest: The most source frames for an output frame.
  ///   - aheadFrames: The output frames that may be analyzed ahead of those that are made.
  ///   - next: The first output frame of all.
  ///   - edgeFrames: The frames before the source that are put.
  init(
    bands: [BandAnalysis], map: StretchMap, channels: [Int], of sourceChannels: Int,
    sampleRate: Int, steepest: Double, blockFrames: Int, aheadFrames: Int, next: Int,
    edgeFrames: Int,
    level: scaleaudio_kernel_level
  ) {
    (self.bands, self.map, self.level) = (bands, map, level)
    (self.channels, self.sourceChannels) = (channels, sourceChannels)
    let channelCount = channels.count
    (self.blockFrames, self.next) = (blockFrames, next)
    let size = -next
    near = Int(Self.nearSeconds * Double(sampleRate))
    nearby = Array(repeating: 0, count: (aheadFrames + 4 * size) / blockFrames + 2)
    for band in bands { band.makeRoom(within: aheadFrames + 2 * size) }
    choice = WindowChoice(
      bands.map(\.shape), channelCount: channelCount, within: aheadFrames + 2 * size, level: level)
    voice = PitchSynchronizer(
      start: bands.map(\.output).min() ?? 0, hop: blockFrames, memory: size,
      channelCount: channelCount, sampleRate: sampleRate, level: level)
    capacity = Int(steepest * Double(2 * size + aheadFrames)) + 4 * size + 8192
    base = -2 * size
    filled = 2 * size - edgeFrames
    source = .allocate(capacity: capacity * channelCount)
    source.initialize(repeating: 0, count: capacity * channelCount)
  }

  deinit { source.deallocate() }

  /// Takes interleaved source frames, at most those that are lacking; `nil` for silence.
  func put(_ input: Span<Double>?, from start: Int, count: Int) {
    makeRoom(count)
    for (index, channel) in channels.enumerated() {
      let plane = source + index * capacity + filled
      if let input {
        Spectra.take(
          channel, of: sourceChannels, from: start, count: count, in: input, into: plane,
          level: level
        )
      } else {
        plane.update(repeating: 0, count: count)
      }
    }
    filled += count
  }

  /// Analyzes the next frame of the next band. Returns how many source frames are lacking; if so, nothing is done.
  func advance() -> Int {
    while true {
      if let band = nextBand { return advance(band) }
      completeBlock()
    }
  }

  /// Analyzes all frames of the blocks before an output frame. Returns how many source frames are lacking for the rest.
  func advance(to end: Int) -> Int {
    while next < end {
      if let band = nextBand {
        let lacking = advance(band)
        if lacking > 0 { return lacking }
      } else {
        completeBlock()
      }
    }
    return 0
  }

  /// The greatest mean energy of the source, all channels together, near a block of output whose frames are analyzed.
  func energyNear(_ output: Int) -> Float {
    if next <= output { completeBlock() }
    return nearby[blockSlot(output)]
  }

  private func blockSlot(_ output: Int) -> Int {
    let slot = output / blockFrames % nearby.count
    return slot < 0 ? slot + nearby.count : slot
  }

  /// Goes to the next block, once the frames that begin in this one are analyzed.
  private func completeBlock() {
    let first = Int(nearbyCursor.place(at: next, on: map).source) - near
    let end = Int(nearbyCursor.place(at: next + blockFrames, on: map).source) + near
    var greatest = 0.0
    var start = max(first, base)
    while start < min(end, base + filled) {
      let part = min(start + blockFrames, end, base + filled)
      greatest = max(greatest, meanEnergy(from: start, to: part))
      start = part
    }
    nearby[blockSlot(next)] = Float(greatest)
    next += blockFrames
  }

  /// About how many source frames are lacking for the blocks before an output frame.
  func lacking(to end: Int) -> Int {
    guard let longest = bands.first else { return 0 }
    var cursor = levelCursor
    let source = Int(cursor.place(at: end + longest.shape.size / 2, on: map).source)
    return source + max(voice.reach, longest.shape.size) - (base + filled)
  }

  private var nextBand: BandAnalysis? {
    WindowChoice.next(of: bands, before: next + blockFrames) {
      ($0.shape.size, $0.shape.hop, $0.output)
    }
  }

  private func advance(_ band: BandAnalysis) -> Int {
    if !band.isPlaced {
      while voice.output <= band.output {
        let lacking = voice.needsTo(along: map) - (base + filled)
        if lacking > 0 { return lacking }
        voice.advance(along: map, plane: capacity) { self.frames($0, 0) }
      }
      band.place(along: map, voice)
    }
    let lacking = band.needsTo - (base + filled)
    if lacking > 0 { return lacking }
    let energy = band === bands.first ? energy(before: band.output, hop: band.shape.hop) : nil
    let output = band.output
    band.advance(energy: energy, choice: choice) { channel, start in self.frames(start, channel) }
    choice.listen(to: band.frame(at: output), of: band, along: map)
    return 0
  }

  /// The energy that the source has along the map in the hop before an output frame.
  private func energy(before end: Int, hop: Int) -> Double? {
    // Before frame 0, windows are lacking.
    guard end >= hop else { return nil }
    var energy = 0.0
    var first = levelCursor.place(at: end - hop, on: map).source
    for part in 1...Self.levelParts {
      let last = levelCursor.place(at: end - hop + hop * part / Self.levelParts, on: map).source
      let (start, count) = (
        Int(first.rounded()), max(1, Int(last.rounded()) - Int(first.rounded()))
      )
      energy += meanEnergy(from: max(start, base), to: min(start + count, base + filled))
      first = last
    }
    return energy * Double(hop) / Double(Self.levelParts)
  }

  private func meanEnergy(from start: Int, to end: Int) -> Double {
    guard start < end else { return 0 }
    let energy = VocoderAnalysis.energy(
      of: source, plane: capacity, channelCount: channelCount, from: start - base,
      count: end - start)
    return energy / Double(end - start)
  }

  /// The energy of frames in planes of all channels.
  static func energy(
    of planes: UnsafeMutablePointer<Float>, plane capacity: Int, channelCount: Int,
    from first: Int, count: Int
  ) -> Double {
    var whole = 0.0
    for channel in 0..<channelCount {
      let plane = UnsafeRawPointer(planes + channel * capacity + first)
      var (sums, rest) = (SIMD8<Float>(), Float(0))
      for index in 0..<count / 8 {
        let frames = plane.loadUnaligned(fromByteOffset: 32 * index, as: SIMD8<Float>.self)
        sums += frames * frames
      }
      for frame in count / 8 * 8..<count {
        let sample = planes[channel * capacity + first + frame]
        rest += sample * sample
      }
      whole += Double(sums.sum()) + Double(rest)
    }
    return whole
  }

  private func frames(_ start: Int, _ channel: Int) -> UnsafePointer<Float> {
    UnsafePointer(source + channel * capacity + max(0, start - base))
  }

  /// Takes another map, on which the frames that were analyzed lie as well; it lacks the first attacks of the last one.
  func use(_ map: StretchMap, droppingAttacks attacks: Int) {
    self.map = map
    voice.continueOnMap(droppingAttacks: attacks)
    levelCursor.continueOnMap(droppingAttacks: attacks)
    nearbyCursor.continueOnMap(droppingAttacks: attacks)
    choice.continueOnMap(droppingAttacks: attacks)
    for band in bands { band.continueOnMap(droppingAttacks: attacks) }
  }

  /// Drops source frames that no band needs any more.
  private func makeRoom(_ count: Int) {
    guard filled + count > capacity else { return }
    var least = base + filled
    // A frame at an attack may lie up to a hop before the map.
    for band in bands { least = min(least, band.needsFrom - band.shape.hop - voice.reach) }
    let drop = max(filled + count - capacity, min(filled, least - base))
    for channel in 0..<channelCount {
      let plane = source + channel * capacity
      plane.update(from: plane + drop, count: filled - drop)
    }
    base += drop
    filled -= drop
  }
}

/// Cores that can do a part of a scaler's work while it does the rest.
package protocol SpareCores: AnyObject, Sendable {
  /// Queues work to run on its own thread when a core is free.
  ///
  /// `owner` can withdraw it until it starts, and must do so before it is released.
  func offer(by owner: AnyObject, _ work: @escaping @Sendable () -> Void)
  /// Withdraws the offers of an owner that have not started; returns whether there were any.
  func withdrawOffers(by owner: AnyObject) -> Bool
}

/// Analyzes frames of a vocoder in batches, each on a spare core while phases of the one before are computed.
///
/// If no core is free in that time, the vocoder's own thread does it afterwards. The frames are the same in either
/// case.
final class AnalysisAhead: @unchecked Sendable {
  // One thread at a time has the analysis; `done` and `cores` pass it on.
  private let analysis: VocoderAnalysis
  private let cores: any SpareCores
  private let done = DispatchSemaphore(value: 0)
  private var isOffered = false
  /// The output frame before which all blocks have their frames.
  private(set) var ready: Int
  /// The output frame at which the next batch ends.
  private var end: Int
  private let batchFrames: Int
  /// No batch ends after this output frame.
  private let last: Int

  /// The output frames of a batch, for a band with `hop` between its frames, the longest of all.
  static func batchFrames(hop: Int, channelCount: Int) -> Int {
    max(2, 16384 / (hop * channelCount)) * hop
  }

  /// - Parameter outputFrames: The output frames that will be made, if known. More may be.
  init(_ analysis: VocoderAnalysis, batchFrames: Int, outputFrames: Int, cores: any SpareCores) {
    (self.analysis, self.cores, self.batchFrames) = (analysis, cores, batchFrames)
    ready = analysis.next
    end = analysis.next + batchFrames
    last = outputFrames
  }

  /// Makes the next batch ready, and lets the one after it begin.
  ///
  /// Returns how many source frames are lacking; if there are any, they must be put before the next call.
  func takeBatch() -> Int {
    settle()
    var lacking = analysis.advance(to: end)
    if lacking > 0 { return lacking }
    let isLast = end >= last
    if !isLast {
      lacking = analysis.lacking(to: end + batchFrames)
      if lacking > 0 { return lacking }
    }
    ready = end
    end += batchFrames
    if !isLast {
      isOffered = true
      cores.offer(by: self) { [self] in
        _ = analysis.advance(to: end)
        done.signal()
      }
    }
    return 0
  }

  /// Waits until no other thread has the analysis.
  func settle() {
    guard isOffered else { return }
    isOffered = false
    if !cores.withdrawOffers(by: self) { done.wait() }
  }

  /// Ends work ahead of time that has not begun.
  func stop() {
    if isOffered { _ = cores.withdrawOffers(by: self) }
  }
}
