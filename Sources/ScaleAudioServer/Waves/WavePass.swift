internal import AudioIO
internal import Dispatch
internal import ScaleAudio
internal import SystemPackage

/// One reading of a file, which makes its pyramid.
///
/// The source is cut into parts, one for each pixel of level 7 or another. Where it can be read from any frame at once,
/// cores that are idle read parts beside the first reader. The pyramid does not depend on the reader: a part has all
/// pixels of the levels below, and the levels from there on are made of the parts in their order.
final class WavePass: @unchecked Sendable {
  private static let blockFrames = 16_384

  /// The frames of one such pixel, as far as they were read.
  private struct Part: Sendable {
    let frames: Range<Int>
    /// The next frame to read.
    var position: Int
    var pixels: PixelGatherer
    /// The pixels of each level that are written.
    var written: [Int]
  }
  private struct State: Sendable {
    /// The parts without a reader, the first one last.
    var waiting: [Part]
    /// How many parts are being read.
    var active = 0
    /// The pixels that are written of parts that the levels above lack.
    var written: [Int: [Int]] = [:]
    /// Parts that were read, until the levels above have them.
    var read: [Int: Part] = [:]
    /// The first part that the levels above do not have, and the part after the last, which is earlier where a part is
    /// damaged.
    var next = 0
    var end: Int
    var upper: PixelGatherer
    /// The pixels that follow each other from the first, of the levels below and above.
    var lowerWritten, upperWritten: [Int]
  }

  private let wave: Wave
  private let reader: any FrameStream
  private let header: [UInt8]
  private let budget: CoreBudget
  private let cancellation: Cancellation
  private let report: @Sendable () -> Void
  /// The levels that a part has by itself.
  private let partLevels: Int
  private let framesPerPart: Int
  private let partCount: Int
  private let state: Locked<State>
  /// Signaled when a reader beside the first one ends its work on a part.
  private let isDone = DispatchSemaphore(value: 0)
  private let clock = ContinuousClock()

  /// A pass by a reader at the first frame; `report` is called when more is ready.
  init(
    _ wave: Wave, reader: any FrameStream, header: [UInt8], partLevels: Int,
    budget: CoreBudget, cancellation: Cancellation, report: @escaping @Sendable () -> Void
  ) {
    (self.wave, self.reader, self.header) = (wave, reader, header)
    self.partLevels = partLevels
    (self.budget, self.cancellation, self.report) = (budget, cancellation, report)
    let layout = wave.layout
    var frames = WaveLayout.framesPerPixel
    for _ in 0..<partLevels { frames *= PixelGatherer.pixelsPerPixel }
    let lower = min(partLevels, layout.pixels.count)
    framesPerPart = frames
    partCount = lower < layout.pixels.count ? layout.pixels[lower] : 1
    let pixels = PixelGatherer(levelCount: lower, channelCount: layout.channelCount)
    let parts = (0..<partCount).map { index in
      let start = index * frames
      return Part(
        frames: start..<min(start + frames, layout.frameCount), position: start, pixels: pixels,
        written: Array(repeating: 0, count: lower))
    }
    let above = layout.pixels.count - lower
    state = Locked(
      State(
        waiting: parts.reversed(), end: partCount,
        upper: PixelGatherer(levelCount: above, channelCount: layout.channelCount),
        lowerWritten: Array(repeating: 0, count: lower),
        upperWritten: Array(repeating: 0, count: above)))
  }

  /// Makes the pyramid; returns whether it is complete. Cores that are idle read with readers that `open` makes.
  func run(_ open: @escaping @Sendable () throws(AudioFileError) -> any FrameStream) -> Bool {
    // A pass gives way to what is heard: conversions see that a core is taken.
    budget.occupy()
    defer {
      budget.release()
      wave.end()
      report()
    }
    if case .direct = reader.seeking {
      for _ in 1..<max(1, min(budget.cores, partCount)) { offer(open) }
    }
    var (own, position): ((any FrameStream)?, Int) = (reader, 0)
    while true {
      while let part = take() {
        // A reader that has failed reads nothing else.
        if own == nil { (own, position) = (try? open(), 0) }
        let end = own.flatMap { read(part, $0, at: position, yields: false) }
        if own == nil { give(part, isRead: true, isLast: true) }
        if let end { position = end } else { own = nil }
      }
      budget.withdrawOffers(by: self)
      let (isBusy, isLeft, isWhole) = state.withLock {
        ($0.active > 0, !$0.waiting.isEmpty, $0.end == partCount)
      }
      if isBusy {
        isDone.wait()
      } else if cancellation.isCancelled {
        return false
      } else if !isLeft {
        return isWhole && (try? wave.writeHeader(header)) != nil
      }
    }
  }

  /// Offers to read parts on an idle core.
  private func offer(_ open: @escaping @Sendable () throws(AudioFileError) -> any FrameStream) {
    budget.offer(by: self) { [self] in
      guard state.withLock({ !$0.waiting.isEmpty }), let reader = try? open(),
        case .direct = reader.seeking, reader.source.frameCount == wave.layout.frameCount
      else { return }
      var position = 0
      while !budget.isOverdrawn, let part = take() {
        let end = read(part, reader, at: position, yields: true)
        isDone.signal()
        guard let end else { return }
        position = end
      }
      if state.withLock({ !$0.waiting.isEmpty }) { offer(open) }
    }
  }

  /// Takes the first part without a reader.
  private func take() -> Part? {
    if cancellation.isCancelled { return nil }
    return state.withLock { state in
      guard let part = state.waiting.popLast() else { return nil }
      state.active += 1
      return part
    }
  }

  /// Reads a part to its end, and returns the position of the reader, `nil` if it fails; one that yields ends earlier
  /// where what is heard needs the core.
  private func read(
    _ taken: Part, _ reader: any FrameStream, at position: Int, yields: Bool
  ) -> Int? {
    var (part, last) = (taken, clock.now)
    do {
      if part.position != position { try reader.seek(toFrame: part.position) }
      let channels = wave.layout.channelCount
      let most = max(16, min(Self.blockFrames, (1 << 18) / channels))
      let block = Block(.int16, sampleCount: most * channels)
      while part.position < part.frames.upperBound {
        if cancellation.isCancelled || (yields && budget.isOverdrawn) { break }
        let wanted = min(most, part.frames.upperBound - part.position)
        let count = try reader.read(into: block.buffer.extracting(0..<wanted * channels))
        // A reader has all frames of its source.
        if count == 0 { throw Errno.ioError }
        part.pixels.append(
          UnsafeBufferPointer(rebasing: block.samples(of: Int16.self)[..<(count * channels)]),
          framesPerPixel: WaveLayout.framesPerPixel)
        part.position += count
        let now = clock.now
        if now - last >= .milliseconds(100) {
          last = now
          try show(&part)
        }
      }
      let isRead = part.position == part.frames.upperBound
      if isRead { part.pixels.end() }
      try show(&part)
      give(part, isRead: isRead)
      return part.position
    } catch {
      // Damage ends the picture; the list names it.
      part.pixels.end()
      try? show(&part)
      give(part, isRead: true, isLast: true)
      return nil
    }
  }

  /// Gives a part back: to be read on, or to the levels above. Damage makes it the last one.
  private func give(_ part: Part, isRead: Bool, isLast: Bool = false) {
    let isShown = state.withLock { state in
      state.active -= 1
      let index = index(part)
      if isLast {
        state.end = min(state.end, index + 1)
        state.waiting.removeAll { self.index($0) > index }
      }
      if index >= state.end { return false }
      guard isRead else {
        let place = state.waiting.lastIndex { self.index($0) > index }
        state.waiting.insert(part, at: place.map { $0 + 1 } ?? 0)
        return false
      }
      state.read[index] = part
      let before = state.next
      while state.next < state.end, let part = state.read.removeValue(forKey: state.next) {
        settle(state.next, part.written, &state)
        state.written[state.next] = nil
        state.next += 1
        raise(part, &state)
      }
      if state.next > before { showReady(&state) }
      return state.next > before
    }
    if isShown { report() }
  }

  /// Makes the pixels of the levels above that a part completes.
  private func raise(_ part: Part, _ state: inout State) {
    guard !state.upperWritten.isEmpty else { return }
    if part.pixels.sum.contains(where: { $0.frameCount > 0 }) {
      state.upper.append(part.pixels.sum)
    }
    if state.next == state.end { state.upper.end() }
    for (level, bytes) in state.upper.records.enumerated() where !bytes.isEmpty {
      let isWritten =
        (try? wave.write(
          bytes, level: partLevels + level, from: state.upperWritten[level])) != nil
      if isWritten { state.upperWritten[level] += bytes.count / wave.layout.bytesPerPixel }
    }
    state.upper.removeRecords()
  }

  /// Shows the pixels that are written of the parts that follow each other from the first.
  private func showReady(_ state: inout State) {
    if let written = state.written[state.next] { settle(state.next, written, &state) }
    wave.setReady(state.lowerWritten + state.upperWritten)
  }

  /// Notes how far a part is written that follows those which are settled.
  private func settle(_ index: Int, _ written: [Int], _ state: inout State) {
    for level in written.indices {
      state.lowerWritten[level] = first(index, level) + written[level]
    }
  }

  /// Writes what is made of a part, and shows it if it follows what is shown.
  private func show(_ part: inout Part) throws(Errno) {
    let index = index(part)
    for (level, bytes) in part.pixels.records.enumerated() where !bytes.isEmpty {
      try wave.write(bytes, level: level, from: first(index, level) + part.written[level])
      part.written[level] += bytes.count / wave.layout.bytesPerPixel
    }
    part.pixels.removeRecords()
    let written = part.written
    let isShown = state.withLock { state in
      guard index < state.end else { return false }
      state.written[index] = written
      if state.next == index { showReady(&state) }
      return state.next == index
    }
    if isShown { report() }
  }

  private func index(_ part: Part) -> Int { part.frames.lowerBound / framesPerPart }

  /// The first pixel of a part on a level below.
  private func first(_ index: Int, _ level: Int) -> Int {
    var pixels = index
    for _ in level..<partLevels { pixels *= PixelGatherer.pixelsPerPixel }
    return pixels
  }
}
