#if RubberBand
  import AudioModel
  import Testing
  import TimeScaling

  @Suite("Stretching by a map")
  struct StretchMapTests {
    private static let rate = 44100

    /// Attacks at the points of a map, and between two of them, come where the map puts them.
    @Test func attacksFollowTheMap() throws {
      let points: [(Double, Double)] = [
        (0, 0), (20000, 26000), (45000, 42000), (66000, 75000), (88200, 101_000),
      ]
      let map = try #require(
        TimeMap(points: points.map { TimeMap.Point(source: $0.0, output: $0.1) }))
      let attacks = [20000, 32500, 45000, 66000, 77100]
      let output = try stretched(
        bursts(at: attacks, count: 88200), to: 101_000, StretchSettings(), map: map,
        block: 5000)
      #expect(output.count == 101_000)
      for (attack, place) in zip(attacks, [26000, 34000, 42000, 75000, 88000]) {
        let found = arrival(in: place - 4500..<place + 4500, of: output)
        let error = Double(found - place) / Double(Self.rate) * 1000
        #expect(abs(error) < 3.5, "the attack at \(attack): \(error) ms")
      }
    }

    /// A part of another length, as `--only` makes it: attacks before, within and after it, where R3 is between two hops
    /// when the part begins and ends.
    @Test(arguments: [16_000, 22_050, 32_000, 44_100, 48_000, 96_000], [0.75, 1.5, 2])
    func attacksInAPart(rate: Int, ratio: Double) throws {
      let frames = Double(rate)
      let (start, end) = (0.57 * frames, 1.45 * frames)
      let length = (end - start) * ratio
      let (madeEnd, made) = (start + length, 2 * frames - (end - start) + length)
      let map = try #require(
        TimeMap(points: [
          .init(source: 0, output: 0), .init(source: start, output: start),
          .init(source: end, output: madeEnd), .init(source: 2 * frames, output: made),
        ]))
      let attacks = [0.4, 0.8, 1.2, 1.6].map { Int($0 * frames) }
      let output = try stretched(
        bursts(at: attacks, count: 2 * rate, rate: rate), to: Int(made), rate: rate, map: map,
        block: 5000)
      for attack in attacks {
        let place = Double(attack)
        let wanted =
          place <= start
          ? place
          : place <= end ? start + (place - start) * ratio : madeEnd + place - end
        let window = rate / 10
        let found = arrival(in: Int(wanted) - window..<Int(wanted) + window, of: output)
        let error = (Double(found) - wanted) / frames * 1000
        // Within the part, R3 places attacks by its hops.
        let isWithin = (start..<end).contains(place)
        #expect(
          abs(error) < (isWithin ? 3.5 : 1.5), "the attack at \(place / frames) s: \(error) ms")
      }
    }

    @Test func mapsGiveTheSameForAnyBlockSize() throws {
      let map = try #require(
        TimeMap(points: [
          .init(source: 0, output: 0), .init(source: 1000, output: 1500),
          .init(source: 3000, output: 3000),
        ]))
      let settings = StretchSettings()
      let input = softNoise(6000)
      let whole = try stretched(input, channels: 2, to: 3000, settings, map: map)
      #expect(whole.count == 6000)
      // Of the same length, but not the identity.
      #expect(whole != input)
      for (block, capacity) in [(1, 512), (777, 1), (64, 3000)] {
        #expect(
          try stretched(
            input, channels: 2, to: 3000, settings, map: map, block: block, capacity: capacity)
            == whole)
      }
    }

    /// Equal points, and points after the end, are harmless.
    @Test func crowdedMapsKeepTheLength() throws {
      let points = (0..<400).map {
        TimeMap.Point(source: Double($0) * 7.5, output: Double($0) * 7.5 * 1.2)
      }
      let map = try #require(TimeMap(points: points))
      for length in [2400, 2399] {
        let output = try stretched(
          softNoise(2000), to: length, StretchSettings(), map: map)
        #expect(output.count == length)
        #expect(output.allSatisfy { $0.isFinite })
      }
    }

    @Test func mapsAreLimitedByTheLibrary() throws {
      let map = try #require(
        TimeMap(points: [
          .init(source: 0, output: 0), .init(source: 4_294_967_296, output: 4_394_967_296),
        ]))
      let long = 5_000_000_000
      let factor = 1.1
      #expect(throws: ScalingError.self) {
        _ = try StretchScaler(
          inputFrames: long, outputFrames: Int(Double(long) * factor), channelCount: 2,
          sampleRate: 44100, settings: StretchSettings(), map: map)
      }
      // Without a map there is no such end.
      _ = try StretchScaler(
        inputFrames: long, outputFrames: long * 2, channelCount: 2, sampleRate: 44100,
        settings: StretchSettings())
    }
  }
#endif
