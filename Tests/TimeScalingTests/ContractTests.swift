import Testing
import TimeScaling

/// The guarantees of ``TimeScaler``, for every method.
@Suite("The contract of scalers", .tags(.packageTraits))
struct ContractTests {
  static let inputFrames = 150
  static let lengths = [1, 2, 15, 149, 150, 151, 225, 1095]

  private func input(_ channels: Int, seed: UInt64 = 1) -> [Double] {
    floatNoise(Self.inputFrames * channels, seed: seed)
  }

  @Test(arguments: ContractCase.all, [1, 2, 3])
  func blockSizesChangeNothing(method: ContractCase, channels: Int) throws {
    let cuts = [(1, 8192), (149, 1), (2, 3), (3, 64), (7, 7), (64, 2), (1, 1)]
    let input = input(channels)
    for length in method.possible(Self.lengths, of: Self.inputFrames) {
      let whole = try method.scaled(input, channels: channels, to: length)
      #expect(whole.count == length * channels)
      for (block, capacity) in cuts {
        let cut = try method.scaled(
          input, channels: channels, to: length, block: block, capacity: capacity)
        #expect(cut == whole, "\(length) frames, \(block) in, \(capacity) out")
      }
    }
  }

  /// Longer than any of the buffers on the way.
  @Test(arguments: ContractCase.all)
  func blockSizesChangeNothingInLongAudio(method: ContractCase) throws {
    let input = floatNoise(40_000)
    for length in method.possible([400, 30_011, 60_000], of: input.count) {
      let whole = try method.scaled(input, to: length)
      #expect(whole.count == length)
      for (block, capacity) in [(512, 8192), (33_333, 100), (7777, 4099)] {
        let cut = try method.scaled(input, to: length, block: block, capacity: capacity)
        #expect(cut == whole)
      }
    }
  }

  @Test(arguments: ContractCase.all, [1, 2, 3])
  func resetEqualsFresh(method: ContractCase, channels: Int) throws {
    let (first, second) = (input(channels, seed: 3), input(channels, seed: 4))
    for length in method.possible([1, 90, 150, 450], of: Self.inputFrames) {
      let expected = try method.scaled(second, channels: channels, to: length)
      var scaler = try method.make(Self.inputFrames, length, channels)
      for used in [0, 1, 50, Self.inputFrames] {
        try method.study(first, with: &scaler)
        var scratch = [Double](repeating: 0, count: 30 * channels)
        var buffer = scratch.mutableSpan
        _ = try scaler.process(first.span.extracting(0..<used * channels), into: &buffer)
        scaler.reset()
        let afterPart = try method.scale(second, with: &scaler, block: 7)
        #expect(afterPart == expected)
        scaler.reset()
        let afterAll = try method.scale(second, with: &scaler)
        #expect(afterAll == expected)
        scaler.reset()
      }
    }
  }

  @Test(arguments: ContractCase.all)
  func inputPastTheAnnouncedLengthIsIgnored(method: ContractCase) throws {
    let input = input(2)
    let announced = Array(input.prefix(100 * 2))
    for length in method.possible([1, 40, 100, 170], of: 100) {
      var scaler = try method.make(100, length, 2)
      try method.study(announced, with: &scaler)
      let output = try run(&scaler, input)
      let expected = try method.scaled(announced, channels: 2, to: length)
      #expect(output == expected)
    }
  }

  @Test(arguments: ContractCase.all)
  func noRoomMeansNoOutput(method: ContractCase) throws {
    let input = input(2)
    for length in method.possible([1, 40, 150, 225], of: Self.inputFrames) {
      var scaler = try method.make(Self.inputFrames, length, 2)
      try method.study(input, with: &scaler)
      var none: [Double] = []
      var buffer = none.mutableSpan
      let progress = try scaler.process(input.span, into: &buffer)
      #expect(progress.produced == 0)
      let finished = try scaler.finish(into: &buffer)
      #expect(finished == 0)
      let output = try run(&scaler, Array(input[(progress.consumed * 2)...]))
      let expected = try method.scaled(input, channels: 2, to: length)
      #expect(output == expected)
    }
  }

  /// While input and room are left and output is missing, every call gets on.
  @Test(arguments: ContractCase.all)
  func everyCallMakesProgress(method: ContractCase) throws {
    let input = input(1)
    for length in method.possible([1, 2, 40, 150, 1095], of: Self.inputFrames) {
      var scaler = try method.make(Self.inputFrames, length, 1)
      try method.study(input, with: &scaler)
      var (consumed, produced) = (0, 0)
      while consumed < Self.inputFrames && produced < length {
        var scratch = [Double](repeating: 0, count: 2)
        var buffer = scratch.mutableSpan
        let progress = try scaler.process(
          input.span.extracting(consumed..<min(consumed + 3, Self.inputFrames)), into: &buffer)
        try #require(progress.consumed > 0 || progress.produced > 0)
        consumed += progress.consumed
        produced += progress.produced
      }
      #expect(consumed <= Self.inputFrames && produced <= length)
    }
  }

  @Test(arguments: ContractCase.all)
  func lengthsAreExact(method: ContractCase) throws {
    for count in [0, 1, 2, 3, 7, 100] {
      for length in method.possible([0, 1, 2, 3, 7, 100, 500], of: count) {
        let output = try method.scaled(floatNoise(count * 2), channels: 2, to: length)
        #expect(output.count == (count == 0 ? 0 : length * 2))
        #expect(output.allSatisfy { $0.isFinite })
      }
    }
  }

  /// Each channel is scaled as if alone, regardless of the others.
  @Test(arguments: ContractCase.resampling, 1...5)
  func channelsAreIndependent(method: ContractCase, channels: Int) throws {
    let frames = 200
    let signals = (0..<channels).map { channel in
      floatNoise(frames, seed: UInt64(channel + 7)).map { $0 * (channel == 1 ? 1e6 : 1) }
    }
    let input = (0..<frames).flatMap { frame in signals.map { $0[frame] } }
    for length in [20, 199, 200, 301] {
      let output = try method.scaled(
        input, channels: channels, to: length, block: 13, capacity: 7)
      for channel in 0..<channels {
        let one = (0..<length).map { output[$0 * channels + channel] }
        let alone = try method.scaled(signals[channel], to: length)
        #expect(one == alone)
      }
    }
  }
}
