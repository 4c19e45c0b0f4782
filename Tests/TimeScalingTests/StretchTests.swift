#if RubberBand
  import AudioModel
  import Foundation
  import Testing
  import TimeScaling

  @Suite("Stretching")
  struct StretchTests {
    @Test(arguments: [1, 2, 3])
    func blockSizesChangeNothing(channels: Int) throws {
      let input = softNoise(3000 * channels)
      for (length, semitones) in [(1200, 0.0), (4501, 0), (3000, 3)] {
        let settings = StretchSettings(semitones: semitones)
        let whole = try stretched(input, channels: channels, to: length, settings)
        #expect(whole.count == length * channels)
        for (block, capacity) in [(1, 4096), (333, 1), (7, 64), (.max, 5000)] {
          let cut = try stretched(
            input, channels: channels, to: length, settings, block: block, capacity: capacity)
          #expect(cut == whole, "\(length) frames, \(block) in, \(capacity) out")
        }
      }
    }

    @Test func resetEqualsFresh() throws {
      let (first, second) = (softNoise(4000, seed: 3), softNoise(4000, seed: 4))
      let settings = StretchSettings(semitones: 1)
      let fresh = try stretched(second, channels: 2, to: 3000, settings)
      var scaler = try StretchScaler(
        inputFrames: 2000, outputFrames: 3000, channelCount: 2, sampleRate: 44100,
        settings: settings)
      for used in [0, 700, 2000] {
        try scaler.study(first.span)
        var scratch = [Double](repeating: 0, count: 600)
        var buffer = scratch.mutableSpan
        _ = try scaler.process(first.span.extracting(0..<used * 2), into: &buffer)
        scaler.reset()
        #expect(try stretch(second, with: &scaler) == fresh)
        scaler.reset()
      }
    }

    /// Every call gets on while there is input and room, none makes frames without room, and what is beyond
    /// the announced end is left alone.
    @Test func callsMakeProgressAndEnd() throws {
      let input = softNoise(600)
      let settings = StretchSettings()
      var scaler = try StretchScaler(
        inputFrames: 400, outputFrames: 500, channelCount: 1, sampleRate: 44100,
        settings: settings)
      #expect(throws: ScalingError.self) {
        var scratch = [0.0]
        var buffer = scratch.mutableSpan
        _ = try scaler.process(input.span, into: &buffer)
      }
      scaler.reset()
      try scaler.study(input.span)
      var none: [Double] = []
      var empty = none.mutableSpan
      let first = try scaler.process(input.span.extracting(0..<3), into: &empty)
      #expect(first.produced == 0)
      #expect(try scaler.finish(into: &empty) == 0)
      var output: [Double] = []
      var consumed = first.consumed
      while consumed < 400 && output.count < 500 {
        var scratch = [-101.0, -101]
        var buffer = scratch.mutableSpan
        let progress = try scaler.process(input.span.extracting(consumed...), into: &buffer)
        try #require(progress.consumed + progress.produced > 0)
        consumed += progress.consumed
        output += scratch.prefix(progress.produced)
      }
      #expect(consumed == 400)
      while true {
        var scratch = [-101.0, -101]
        var buffer = scratch.mutableSpan
        let produced = try scaler.finish(into: &buffer)
        if produced == 0 { break }
        output += scratch.prefix(produced)
      }
      #expect(output == (try stretched(Array(input.prefix(400)), to: 500, settings)))
    }

    @Test func lengthsAreExact() throws {
      for frames in [0, 1, 2, 10, 100, 1000, 5000] {
        for factor in [0.05, 0.3, 1, 1.5, 20] where frames < 5000 || factor < 20 {
          let length = Int(Double(frames) * factor)
          for semitones in [0.0, 7, -12] {
            let output = try stretched(
              softNoise(frames * 2), channels: 2, to: length,
              StretchSettings(semitones: semitones))
            #expect(output.count == length * 2)
            #expect(output.allSatisfy { abs($0) < 8 })
          }
        }
      }
    }

    /// Bytes that one version of the library reads beyond its buffers and makes anything of what is there.
    @Test(arguments: [0.05, 0.065, 0.07, 0.08, 0.1, 0.124])
    func shortOutputsDoNotDependOnUninitializedMemory(factor: Double) throws {
      let input = softNoise(20000)
      let settings = StretchSettings()
      let length = Int(20000 * factor)
      let first = try stretched(input, to: length, settings)
      #expect(first.allSatisfy { abs($0) < 1 })
      for filling in [1e9, -3, 1e300] {
        // Leaves traces in memory that is free.
        for count in stride(from: 1024, through: 16384, by: 512) {
          _ = [Double](repeating: filling, count: count).reduce(0, +)
        }
        #expect(try stretched(input, to: length, settings) == first)
      }
      let lower = StretchSettings(semitones: -12)
      #expect(try stretched(input, to: length * 2, lower).allSatisfy { abs($0) < 1 })
    }

    @Test func silenceStaysSilence() throws {
      let silent = [Double](repeating: 0, count: 30000)
      for settings in [
        StretchSettings(), StretchSettings(semitones: -3.5),
      ] {
        let output = try stretched(silent, channels: 2, to: 22000, settings)
        #expect(output == [Double](repeating: 0, count: 44000))
      }
      // No more than the windows that reach it is disturbed before and after sound.
      let output = try stretched(
        bursts(at: [22050], count: 44100), to: 66150, StretchSettings())
      #expect(output[..<28000].allSatisfy { $0 == 0 })
      #expect(output[42000...].allSatisfy { $0 == 0 })
    }

    @Test func noChangeKeepsEveryBit() throws {
      let input = noiseBits(2000).map { Double(Int64(bitPattern: $0)) / 0x1p63 }
      let same = try #require(
        TimeMap(points: [.init(source: 0, output: 0), .init(source: 500, output: 500)]))
      for map in [nil, same] {
        let output = try stretched(
          input, channels: 2, to: 1000, StretchSettings(formants: .preserve),
          map: map, block: 33, capacity: 7)
        #expect(output == input)
      }
    }

    /// The first attack and the last come out as whole as one between them.
    @Test(arguments: [0.5, 0.8, 1.25, 1.5, 2, 3])
    func firstAndLastAttacksStayWhole(factor: Double) throws {
      let (count, last) = (44100, 44100 - 1500)
      let length = Int(Double(count) * factor)
      let output = try stretched(bursts(at: [0, 22050, last], count: count), to: length)
      let reach = Int(4000 * factor)
      let middle = Int(22050 * factor)
      let inside = energy(output[middle - reach..<middle + reach])
      #expect(energy(output[..<reach]) > 0.7 * inside)
      #expect(energy(output[(Int(Double(last) * factor) - reach)...]) > 0.7 * inside)
    }

    /// Attacks arrive where they belong: within 2 ms, and within 4.5 ms at three times the length.
    @Test(arguments: [0.5, 0.8, 1.1, 1.25, 1.5, 2, 3], [44100, 48000])
    func attacksAreOnTime(factor: Double, rate: Int) throws {
      let attacks = [rate / 3, rate * 3 / 4 + 101, rate * 6 / 5 + 57]
      let input = bursts(at: attacks, count: rate * 3 / 2, rate: rate)
      let output = try stretched(
        input, to: Int(Double(input.count) * factor), rate: rate, StretchSettings())
      for attack in attacks {
        let place = Double(attack) * factor
        let reach = 0.12 * Double(rate) * factor
        let found = arrival(in: Int(place - reach)..<Int(place + reach), of: output)
        let error = (Double(found) - place) / Double(rate) * 1000
        #expect(abs(error) < max(2, factor * 1.5), "\(error) ms")
      }
    }

    /// Also at rates that Rubber Band's windows do not suit, of which it places attacks up to 30 ms early.
    @Test(
      arguments: [0.67, 1.5, 2], [8000, 11025, 16000, 22050, 24000, 32000, 88200, 96000, 192_000])
    func attacksAreOnTimeAtEveryRate(factor: Double, rate: Int) throws {
      let attacks = [0, rate / 2, rate * 9 / 10 + 31, rate * 13 / 10 + 57]
      let input = bursts(at: attacks, count: rate * 8 / 5, rate: rate)
      let output = try stretched(
        input, to: Int(Double(input.count) * factor), rate: rate, StretchSettings())
      let errors = attacks.map { (attack) in
        let place = Double(attack) * factor
        let reach = 0.1 * Double(rate) * factor
        let found = arrival(in: Int(place - reach)..<Int(place + reach), of: output)
        return (Double(found) - place) / Double(rate) * 1000
      }
      // A hop makes up to 7.4 ms of output, within which an attack is not placed.
      #expect(errors.allSatisfy { abs($0) < max(2, factor * 2) }, "\(errors) ms")
      #expect(abs(errors.reduce(0, +)) / 4 < 2, "\(errors) ms")
      let reach = Int(0.05 * Double(rate) * factor)
      let made = energy(output[..<reach]) / factor
      #expect(10 * log10(made / energy(input[..<(rate / 20)])) > -5.5)
    }

    /// Between two points of a map, what makes up for early attacks is interpolated, so up to half of it is missing.
    @Test(arguments: [8000, 16000, 96000])
    func attacksFollowAMapAtEveryRate(rate: Int) throws {
      let map = try #require(
        TimeMap(points: [
          .init(source: 0, output: 0), .init(source: Double(rate), output: Double(rate)),
          .init(source: Double(rate) * 1.5, output: Double(rate) * 2),
        ]))
      let attacks = [rate / 2, rate * 5 / 4, rate * 7 / 4]
      let output = try stretched(
        bursts(at: attacks, count: rate * 2, rate: rate), to: rate * 5 / 2, rate: rate, map: map)
      for (attack, place) in zip(attacks, [rate / 2, rate * 3 / 2, rate * 9 / 4]) {
        let found = arrival(in: place - rate / 10..<place + rate / 10, of: output)
        #expect(abs(Double(found - place)) / Double(rate) < 0.01, "the attack at \(attack)")
      }
    }

    @Test(arguments: [8000, 96000])
    func blockSizesChangeNothingAtOtherRates(rate: Int) throws {
      let input = softNoise(4000)
      let whole = try stretched(input, channels: 2, to: 3001, rate: rate)
      #expect(whole.count == 6002)
      for (block, capacity) in [(1, 333), (777, 1), (64, 5000)] {
        let cut = try stretched(
          input, channels: 2, to: 3001, rate: rate, block: block, capacity: capacity)
        #expect(cut == whole, "\(block) in, \(capacity) out")
      }
      var scaler = try StretchScaler(
        inputFrames: 2000, outputFrames: 3001, channelCount: 2, sampleRate: rate,
        settings: StretchSettings())
      try scaler.study(softNoise(3000, seed: 9).span)
      scaler.reset()
      #expect(try stretch(input, with: &scaler) == whole)
    }

    /// Sound beyond hearing stays at rates above 48 kHz.
    @Test func highFrequenciesStay() throws {
      let rate = 96000
      let input = zip(
        sine(1000, frames: rate, rate: Double(rate)), sine(30_000, frames: rate, rate: Double(rate))
      )
      .map { $0 + $1 }
      let output = try stretched(input, to: rate * 3 / 2, rate: rate)
      let middle = output[rate / 2..<rate]
      for hertz in [1000.0, 30_000] {
        #expect(amplitude(of: hertz, in: middle, rate: Double(rate)) > 0.25, "\(hertz) Hz")
      }
    }

    @Test(arguments: [0.7, 1.6])
    func pitchStays(factor: Double) throws {
      let output = try stretched(
        sine(440, frames: 44100), to: Int(44100 * factor), StretchSettings())
      let middle = output[output.count / 4..<output.count * 3 / 4]
      #expect(amplitude(of: 440, in: middle) > 0.25)
      #expect(amplitude(of: 440 / factor, in: middle) < 0.01)
    }

    @Test(arguments: [-12, -2, 0.3, 7])
    func pitchIsMoved(semitones: Double) throws {
      for length in [44100, 53000] {
        let output = try stretched(
          sine(440, frames: 44100), to: length, StretchSettings(semitones: semitones))
        let middle = output[length / 4..<length * 3 / 4]
        #expect(amplitude(of: 440 * pow(2, semitones / 12), in: middle) > 0.25)
        #expect(amplitude(of: 440 * pow(2, (semitones + 1) / 12), in: middle) < 0.02)
      }
    }

    /// A vowel-like sound of 110 Hz with one resonance at 1100 Hz, an octave up: the resonance stays or
    /// moves to 2200 Hz.
    @Test func formantsStayOrMove() throws {
      let count = 44100
      var input = [Double](repeating: 0, count: count)
      for harmonic in 1...40 {
        let hertz = 110 * Double(harmonic)
        let strength = 0.1 * exp(-pow((hertz - 1100) / 300, 2)) + 0.002
        for (i, sample) in sine(hertz, frames: count).enumerated() {
          input[i] += sample * strength
        }
      }
      func resonances(_ formants: StretchSettings.Formants) throws -> (Double, Double) {
        let output = try stretched(
          input, to: count, StretchSettings(semitones: 12, formants: formants))
        let middle = output[count / 4..<count * 3 / 4]
        return (amplitude(of: 1100, in: middle), amplitude(of: 2200, in: middle))
      }
      let shifted = try resonances(.shift)
      #expect(shifted.1 > 4 * shifted.0)
      let preserved = try resonances(.preserve)
      #expect(preserved.0 > preserved.1)
    }

    @Test func channelsStayTogether() throws {
      let mono = bursts(at: [3000, 9000], count: 12000)
      let alone = try stretched(mono, to: 18000, StretchSettings())
      for channels in [2, 6, 9] {
        let output = try stretched(
          mono.flatMap { [Double](repeating: $0, count: channels) }, channels: channels,
          to: 18000, StretchSettings())
        for channel in 0..<channels {
          let one = stride(from: channel, to: output.count, by: channels).map { output[$0] }
          #expect(zip(one, alone).allSatisfy { abs($0 - $1) < 1e-3 })
        }
      }
    }

    @Test(arguments: [8000, 22050, 192_000, 400_000])
    func anySampleRateWorks(rate: Int) throws {
      let input = sine(Double(rate) / 40, frames: rate / 4, rate: Double(rate))
      let length = rate / 4 * 3 / 2
      let output = try stretched(
        input, to: length, rate: rate, StretchSettings())
      #expect(output.count == length)
      let middle = output[length / 3..<length * 2 / 3]
      #expect(amplitude(of: Double(rate) / 40, in: middle, rate: Double(rate)) > 0.2)
    }

    /// One bad sample does not spread over the rest.
    @Test(arguments: [Double.nan, .infinity, -1e300])
    func nonFiniteSamplesAreSilence(bad: Double) throws {
      var input = sine(440, frames: 20000)
      input[10000] = bad
      let output = try stretched(input, to: 30000, StretchSettings())
      #expect(output.allSatisfy { $0.isFinite })
      if bad.isNaN { #expect(amplitude(of: 440, in: output[18000..<28000]) > 0.25) }
    }
  }
#endif
