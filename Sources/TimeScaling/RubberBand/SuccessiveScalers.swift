#if RubberBand
  internal import AudioModel

  /// One scaler after another: the second scales what the first makes.
  struct SuccessiveScalers<First: TimeScaler<Double>, Second: TimeScaler<Double>>: TimeScaler {
    let channelCount: Int
    private let inputFrames: Int
    private var first: First
    private var second: Second
    /// The frames that the first scaler has made and the second has not taken.
    private var between: FrameQueue
    /// The number of input frames that went through the first scaler for the study of the second.
    private var studied = 0

    /// Scalers for the same channels; at most one of them needs a study.
    init(_ first: First, _ second: Second, inputFrames: Int) {
      channelCount = first.channelCount
      self.inputFrames = inputFrames
      (self.first, self.second) = (first, second)
      between = FrameQueue(channelCount: channelCount)
    }

    var needsStudy: Bool { first.needsStudy || second.needsStudy }

    mutating func study(_ input: Span<Double>) throws(ScalingError) {
      if first.needsStudy { return try first.study(input) }
      let frames = min(input.count / channelCount, inputFrames - studied)
      var taken = 0
      while taken < frames {
        taken += try between.append(
          from: &first, input.extracting(taken * channelCount..<frames * channelCount)
        ).consumed
        try between.study(by: &second)
      }
      studied += frames
      guard studied == inputFrames, frames > 0 else { return }
      while try between.appendRest(of: &first) > 0 { try between.study(by: &second) }
      first.reset()
    }

    mutating func process(
      _ input: Span<Double>, into output: inout MutableSpan<Double>
    ) throws(ScalingError) -> ScalingProgress {
      let available = input.count / channelCount
      var progress = ScalingProgress(consumed: 0, produced: 0)
      while true {
        if try move(into: &output, &progress.produced) { continue }
        if between.count > 0 || progress.consumed == available { return progress }
        let moved = try between.append(
          from: &first,
          input.extracting(progress.consumed * channelCount..<available * channelCount))
        progress.consumed += moved.consumed
        if moved.consumed == 0, moved.produced == 0 { return progress }
      }
    }

    mutating func finish(into output: inout MutableSpan<Double>) throws(ScalingError) -> Int {
      let capacity = output.count / channelCount
      var made = 0
      while made < capacity {
        if try move(into: &output, &made) { continue }
        if between.count == 0, try between.appendRest(of: &first) > 0 { continue }
        var rest = output.extracting((made * channelCount)...)
        let count = try second.finish(into: &rest)
        if count == 0 { break }
        made += count
      }
      return made
    }

    /// Passes frames through the second scaler, to `output` from frame `made` on; returns whether any moved.
    private mutating func move(
      into output: inout MutableSpan<Double>, _ made: inout Int
    ) throws(ScalingError) -> Bool {
      var rest = output.extracting((made * channelCount)...)
      let moved = try between.move(through: &second, into: &rest)
      made += moved.produced
      return moved.consumed + moved.produced > 0
    }

    mutating func reset() {
      first.reset()
      second.reset()
      between.removeFirst(between.count)
      studied = 0
    }
  }

  /// Two scalers of the same input, to the same length, whose outputs are added.
  struct SummedScalers<First: TimeScaler<Double>, Second: TimeScaler<Double>>: TimeScaler {
    let channelCount: Int
    private let inputFrames: Int
    private var consumed = 0
    private var first: First
    private var second: Second
    /// The frames that one scaler has made and the other has not.
    private var fromFirst: FrameQueue
    private var fromSecond: FrameQueue

    /// The number of input frames that both take at a time.
    private static var blockFrames: Int { 1024 }

    init(_ first: First, _ second: Second, inputFrames: Int) {
      channelCount = first.channelCount
      self.inputFrames = inputFrames
      (self.first, self.second) = (first, second)
      fromFirst = FrameQueue(channelCount: channelCount)
      fromSecond = FrameQueue(channelCount: channelCount)
    }

    var needsStudy: Bool { first.needsStudy || second.needsStudy }

    mutating func study(_ input: Span<Double>) throws(ScalingError) {
      if first.needsStudy { try first.study(input) }
      if second.needsStudy { try second.study(input) }
    }

    mutating func process(
      _ input: Span<Double>, into output: inout MutableSpan<Double>
    ) throws(ScalingError) -> ScalingProgress {
      let available = min(input.count / channelCount, inputFrames - consumed)
      let capacity = output.count / channelCount
      var progress = ScalingProgress(consumed: 0, produced: 0)
      while true {
        add(into: &output, &progress.produced)
        if progress.produced == capacity || progress.consumed == available { return progress }
        let count = min(Self.blockFrames, available - progress.consumed)
        let block = input.extracting(
          progress.consumed * channelCount..<(progress.consumed + count) * channelCount)
        try fromFirst.append(allFrom: &first, block)
        try fromSecond.append(allFrom: &second, block)
        progress.consumed += count
        consumed += count
      }
    }

    mutating func finish(into output: inout MutableSpan<Double>) throws(ScalingError) -> Int {
      let capacity = output.count / channelCount
      var made = 0
      while true {
        add(into: &output, &made)
        if made == capacity { return made }
        var count = 0
        if fromFirst.count == 0 { count += try fromFirst.appendRest(of: &first) }
        if fromSecond.count == 0 { count += try fromSecond.appendRest(of: &second) }
        if count == 0 { return made }
      }
    }

    /// Writes the sums of frames that both have made, from frame `made` on.
    private mutating func add(into output: inout MutableSpan<Double>, _ made: inout Int) {
      let count = min(
        fromFirst.count, fromSecond.count, output.count / channelCount - made)
      for i in 0..<count * channelCount {
        output[made * channelCount + i] = fromFirst[i] + fromSecond[i]
      }
      fromFirst.removeFirst(count)
      fromSecond.removeFirst(count)
      made += count
    }

    mutating func reset() {
      first.reset()
      second.reset()
      fromFirst.removeFirst(fromFirst.count)
      fromSecond.removeFirst(fromSecond.count)
      consumed = 0
    }
  }

  /// Removes the frequencies that a lower sample rate can hold, and keeps the length.
  struct HighPass: TimeScaler {
    let channelCount: Int
    private var low: SuccessiveScalers<SincScaler<Double>, SincScaler<Double>>
    /// The frames of the source whose low frequencies are not known yet.
    private var source: FrameQueue

    /// - Parameter factor: The lower sample rate / that of the frames.
    init(frames: Int, factor: Double, channelCount: Int) throws(ScalingError) {
      self.channelCount = channelCount
      let lowFrames = Int((Double(frames) * factor).rounded(.up))
      let (down, up) = try (
        SincScaler<Double>(
          inputFrames: frames, outputFrames: lowFrames, factor: factor,
          channelCount: channelCount, quality: .high),
        SincScaler<Double>(
          inputFrames: lowFrames, outputFrames: frames, factor: 1 / factor,
          channelCount: channelCount, quality: .high)
      )
      low = SuccessiveScalers(down, up, inputFrames: frames)
      source = FrameQueue(channelCount: channelCount)
    }

    mutating func process(
      _ input: Span<Double>, into output: inout MutableSpan<Double>
    ) throws(ScalingError) -> ScalingProgress {
      let progress = try low.process(input, into: &output)
      source.append(input.extracting(0..<progress.consumed * channelCount))
      subtract(progress.produced, from: &output)
      return progress
    }

    mutating func finish(into output: inout MutableSpan<Double>) throws(ScalingError) -> Int {
      let made = try low.finish(into: &output)
      subtract(made, from: &output)
      return made
    }

    /// Replaces low frequencies by what else the source has. The filters look ahead, so the source is here.
    private mutating func subtract(_ count: Int, from output: inout MutableSpan<Double>) {
      let count = min(count, source.count)
      for i in 0..<count * channelCount { output[i] = source[i] - output[i] }
      source.removeFirst(count)
    }

    mutating func reset() {
      low.reset()
      source.removeFirst(source.count)
    }
  }

  /// Frames between two steps, interleaved.
  struct FrameQueue {
    private let channelCount: Int
    private var samples: [Double] = []
    /// The number of samples at the start that were removed.
    private var start = 0

    /// The number of output frames that a scaler writes in one call.
    private static var blockFrames: Int { 1024 }

    init(channelCount: Int) { self.channelCount = channelCount }

    /// The number of frames.
    var count: Int { (samples.count - start) / channelCount }

    subscript(sample: Int) -> Double { samples[start + sample] }

    /// Moves frames through a scaler, and removes those that it consumes.
    mutating func move(
      through scaler: inout some TimeScaler<Double>, into output: inout MutableSpan<Double>
    ) throws(ScalingError) -> ScalingProgress {
      let progress = try scaler.process(samples.span.extracting(start...), into: &output)
      removeFirst(progress.consumed)
      return progress
    }

    /// Has a scaler study all frames, and removes them.
    mutating func study(by scaler: inout some TimeScaler<Double>) throws(ScalingError) {
      try scaler.study(samples.span.extracting(start...))
      removeFirst(count)
    }

    mutating func removeFirst(_ frames: Int) {
      start += frames * channelCount
      if start == samples.count {
        samples.removeAll(keepingCapacity: true)
        start = 0
      }
    }

    mutating func append(_ frames: Span<Double>) {
      makeRoom()
      for i in frames.indices { samples.append(frames[i]) }
    }

    /// Appends a block of what a scaler makes.
    mutating func append(
      from scaler: inout some TimeScaler<Double>, _ input: Span<Double>
    ) throws(ScalingError) -> ScalingProgress {
      let end = addBlock()
      var all = samples.mutableSpan
      var room = all.extracting(end...)
      let progress = try scaler.process(input, into: &room)
      samples.removeLast(samples.count - end - progress.produced * channelCount)
      return progress
    }

    /// Appends all that a scaler makes of `input`.
    mutating func append(
      allFrom scaler: inout some TimeScaler<Double>, _ input: Span<Double>
    ) throws(ScalingError) {
      var taken = 0
      while true {
        let moved = try append(
          from: &scaler, input.extracting(taken..<input.count))
        taken += moved.consumed * channelCount
        if moved.consumed + moved.produced == 0 { return }
      }
    }

    /// Appends a block of what a scaler makes at its end, and returns the number of frames.
    mutating func appendRest(
      of scaler: inout some TimeScaler<Double>
    ) throws(ScalingError) -> Int {
      let end = addBlock()
      var all = samples.mutableSpan
      var room = all.extracting(end...)
      let made = try scaler.finish(into: &room)
      samples.removeLast(samples.count - end - made * channelCount)
      return made
    }

    /// Adds a silent block, and returns where it begins.
    private mutating func addBlock() -> Int {
      makeRoom()
      let end = samples.count
      samples.append(contentsOf: repeatElement(0, count: Self.blockFrames * channelCount))
      return end
    }

    /// Forgets removed samples once they are as many as the others.
    private mutating func makeRoom() {
      guard start > 0, start >= samples.count - start else { return }
      samples.removeFirst(start)
      start = 0
    }
  }
#endif
