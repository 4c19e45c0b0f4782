import AudioModel
import Foundation
import Synchronization
import Testing
import TimeScaling

/// The vocoder, compared with arithmetic from the definition of its outputs.
@Suite("The vocoder")
struct VocoderTests {
  static let rate = 44100

  /// The output of the vocoder for the whole input.
  private func stretched(
    _ input: [Double], channels: Int = 1, to length: Int, rate: Int = Self.rate,
    semitones: Double = 0, formants: StretchSettings.Formants = .shift, map: TimeMap? = nil,
    isPortable: Bool = false, cores: (any SpareCores)? = nil
  ) throws -> [Double] {
    let method = ContractCase(name: "vocoder") { inputs, outputs, channels in
      try VocoderScaler(
        inputFrames: inputs, outputFrames: outputs, channelCount: channels, sampleRate: rate,
        semitones: semitones, formants: formants, map: map, isPortable: isPortable,
        cores: cores)
    }
    return try method.scaled(input, channels: channels, to: length)
  }

  private func tone(_ hertz: Double, frames: Int, rate: Int = Self.rate) -> [Double] {
    (0..<frames).map { 0.3 * sin(2 * .pi * hertz * Double($0) / Double(rate)) }
  }

  /// The amplitude of a tone, by correlation under a Hann window.
  private func amplitude(of hertz: Double, in signal: ArraySlice<Double>) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for (frame, sample) in signal.enumerated() {
      let angle = 2 * .pi * hertz * Double(frame) / Double(Self.rate)
      let window = 1 - cos(2 * .pi * Double(frame) / Double(signal.count))
      real += sample * cos(angle) * window
      imaginary += sample * sin(angle) * window
    }
    return 2 * hypot(real, imaginary) / Double(signal.count)
  }

  private func level(_ signal: some Collection<Double>) -> Double {
    (signal.reduce(0) { $0 + $1 * $1 } / Double(signal.count)).squareRoot()
  }

  @Test(arguments: [0.5, 0.8, 1.25, 2, 6], [110.0, 440, 550, 1000, 3500, 5000, 6000, 9000])
  func tonesKeepPitchAndLevel(factor: Double, hertz: Double) throws {
    let count = Int(40_000 / max(1, factor / 2))
    let output = try stretched(tone(hertz, frames: count), to: Int(Double(count) * factor))
    let middle = output[output.count / 4..<output.count * 3 / 4]
    // All of the level is at the pitch.
    let found = amplitude(of: hertz, in: middle)
    #expect(abs(found - 0.3) < 0.003)
    let whole = level(middle) * 2.0.squareRoot()
    #expect(abs(whole - found) < 0.004)
  }

  /// At 1.5 kHz, the windows of both bands are as long, and those of the lower one lie closer. A tone at their crossover has
  /// nothing beside it above -70 dB.
  @Test(arguments: [0.67, 0.8, 0.9])
  func tonesArePureAtLowRates(factor: Double) throws {
    // The tone repeats itself after 50 frames.
    let (rate, hertz, frames) = (1500, 570.0, 12_000)
    let output = try stretched(
      tone(hertz, frames: frames, rate: rate), to: Int(Double(frames) * factor), rate: rate)
    let middle = output[output.count / 4..<output.count / 4 + output.count / 100 * 50]
    var (cosine, sine) = (0.0, 0.0)
    func angle(_ frame: Int) -> Double { 2 * .pi * hertz * Double(frame) / Double(rate) }
    for frame in middle.indices {
      cosine += 2 * middle[frame] * cos(angle(frame)) / Double(middle.count)
      sine += 2 * middle[frame] * sin(angle(frame)) / Double(middle.count)
    }
    let rest = middle.indices.map { frame in
      middle[frame] - cosine * cos(angle(frame)) - sine * sin(angle(frame))
    }
    #expect(level(rest) < pow(10, -70 / 20.0) * level(middle))
  }

  @Test(arguments: [-12.0, -5, 7, 12])
  func pitchShifts(semitones: Double) throws {
    let output = try stretched(tone(440, frames: 40_000), to: 50_000, semitones: semitones)
    #expect(output.count == 50_000)
    let found = amplitude(of: 440 * exp2(semitones / 12), in: output[12_500..<37_500])
    #expect(abs(found - 0.3) < 0.005)
  }

  /// After a shift, the partials of vowels lie much closer to the envelope of the source, where that is above -26 dB.
  @Test(arguments: [-12.0, -7, -3, 4, 7, 12])
  func formantsStay(semitones: Double) throws {
    let vowels = [
      [(700.0, 110.0, 1.0), (1220, 120, 0.5), (2600, 160, 0.2)],
      [(300.0, 80.0, 1.0), (2300, 120, 0.3), (3000, 180, 0.2)],
      [(500.0, 100.0, 1.0), (1500, 120, 0.4), (2500, 160, 0.2)],
    ]
    let (pitch, frames) = (110.0, 44_100)
    let shifted = pitch * exp2(semitones / 12)
    /// The magnitude of a sum of resonances.
    func envelope(_ vowel: [(Double, Double, Double)], _ hertz: Double) -> Double {
      var (real, imaginary) = (0.0001, 0.0)
      for (middle, width, level) in vowel {
        let ratio = (hertz * hertz - middle * middle) / (hertz * width)
        real += level / (1 + ratio * ratio)
        imaginary -= level * ratio / (1 + ratio * ratio)
      }
      return (real * real + imaginary * imaginary).squareRoot()
    }
    /// The standard deviation of levels from the envelope, in dB, over all vowels.
    func spread(_ formants: StretchSettings.Formants) throws -> Double {
      let squares = try vowels.map { vowel in
        var input = [Double](repeating: 0, count: frames)
        for partial in 1...Int(10_000 / pitch) {
          let hertz = Double(partial) * pitch
          // Phases of a square of the number spread a period's energy over it, as in voices.
          for frame in 0..<frames {
            let turn = 2 * .pi * hertz * Double(frame) / Double(Self.rate)
            input[frame] += 0.3 * envelope(vowel, hertz) * sin(turn + Double(partial * partial))
          }
        }
        let output = try stretched(input, to: frames, semitones: semitones, formants: formants)
        if formants == .preserve {
          #expect(abs(20 * log10(level(output) / level(input))) < 0.25)
        }
        let errors: [Double] = (1...Int(3000 / shifted)).compactMap { partial in
          let hertz = Double(partial) * shifted
          guard envelope(vowel, hertz) > 0.05 else { return nil }
          return 20 * log10(amplitude(of: hertz, in: output[11_025..<33_075]) / 0.3)
            - 20 * log10(envelope(vowel, hertz))
        }
        let mean = errors.reduce(0, +) / Double(errors.count)
        return errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(errors.count)
      }
      return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }
    let (kept, moved) = (try spread(.preserve), try spread(.shift))
    #expect(kept < 3)
    #expect(kept < moved / 2, "\(kept) \(moved)")
  }

  /// A formant that goes to another place and back within 120 ms is there as long as in the source.
  @Test(arguments: [-3.0, 3])
  func formantsStayWhereTheyMove(semitones: Double) throws {
    let frames = 22_050
    var input = [Double](repeating: 0, count: frames)
    for partial in 1..<30 {
      let hertz = 110 * Double(partial)
      let (one, other) = ((hertz - 700) / 150, (hertz - 1800) / 150)
      let levels = (1 / (1 + one * one) + 0.003, 1 / (1 + other * other) + 0.003)
      for frame in 0..<frames {
        let time = Double(frame) / Double(Self.rate)
        let part = 0.5 - 0.5 * cos(2 * .pi * time / 0.12)
        let level = (1 - part) * levels.0 + part * levels.1
        input[frame] += 0.2 * level * sin(2 * .pi * hertz * time + Double(partial * partial))
      }
    }
    let output = try stretched(input, to: frames, semitones: semitones, formants: .preserve)
    /// The level at 700 Hz over that at 1,800 Hz, in dB, every 5 ms.
    func balance(_ signal: [Double]) -> [Double] {
      stride(from: 4410, to: frames - 4410, by: 220).map { start in
        let part = signal[start..<start + 441]
        return 20 * log10(amplitude(of: 700, in: part) / amplitude(of: 1800, in: part))
      }
    }
    let differences = zip(balance(input), balance(output)).map { abs($0 - $1) }
    let mean = differences.reduce(0, +) / Double(differences.count)
    #expect(mean < 7.3, "\(mean) dB")
  }

  @Test(arguments: [0.5, 0.8, 1.25, 2])
  func attacksAreOnTime(factor: Double) throws {
    let places = [9000, 26_000, 41_000]
    var input = [Double](repeating: 0, count: 60_000)
    let sound = floatNoise(2205, seed: 9)
    for place in places {
      for index in sound.indices {
        input[place + index] += 0.5 * sound[index] * exp(-Double(index) / 400)
      }
    }
    let output = try stretched(input, to: Int(60_000 * factor))
    for place in places {
      let expected = Int(Double(place) * factor)
      let near = output[expected - 2000..<expected + 2000]
      let loudest = near.map(abs).max() ?? 0
      let first = near.firstIndex { abs($0) > 0.25 * loudest } ?? 0
      #expect(abs(first - expected) < Self.rate / 500, "\(first - expected) frames off")
      // Almost nothing is heard more than 2 ms before.
      let before = output[expected - 2000..<expected - 88]
      let (early, heard) = (level(before), level(output[expected..<expected + 400]))
      #expect(early < 0.08 * heard)
    }
  }

  /// A channel that is another one, times a number, stays so.
  @Test func channelsStayTogether() throws {
    let left = floatNoise(20_000, seed: 4)
    let input = left.flatMap { [$0, -0.5 * $0] }
    let output = try stretched(input, channels: 2, to: 31_000)
    for frame in 0..<31_000 {
      #expect(abs(output[2 * frame + 1] + 0.5 * output[2 * frame]) < 1e-5)
    }
  }

  /// Frames of noise no longer overlap as in the source, and would partly cancel.
  @Test(arguments: [0.5, 0.8, 1.25, 2])
  func noiseKeepsItsLevel(factor: Double) throws {
    let input = floatNoise(60_000, seed: 6)
    let output = try stretched(input, to: Int(60_000 * factor))
    let change = 20 * log10(level(output) / level(input))
    #expect(abs(change) < 0.3, "\(change) dB")
  }

  /// Strokes whose pitch falls from 300 to 50 Hz; without a balance of levels they were 0.1 dB too loud.
  @Test(arguments: [0.5, 0.8, 1.5, 2])
  func strokesKeepTheirLevel(factor: Double) throws {
    var phase = 0.0
    let stroke = (0..<Self.rate * 3 / 8).map { frame in
      let time = Double(frame) / Double(Self.rate)
      phase += 2 * .pi * (50 + 250 * exp(-time / 0.015)) / Double(Self.rate)
      return 0.5 * sin(phase) * exp(-time / 0.12)
    }
    let input = Array(repeating: stroke, count: 21).flatMap { $0 }
    let output = try stretched(input, to: Int(Double(input.count) * factor))
    #expect(abs(20 * log10(level(output) / level(input))) < 0.08)
  }

  /// The same, for what two channels have in common and for the rest.
  @Test(arguments: [0.5, 0.8, 1.25, 2])
  func wideNoiseKeepsItsCorrelation(factor: Double) throws {
    let count = 120_000
    let (common, one, other) = (
      floatNoise(count, seed: 11), floatNoise(count, seed: 12), floatNoise(count, seed: 13)
    )
    let input = (0..<count).flatMap { [common[$0] + one[$0], common[$0] + other[$0]] }
    let output = try stretched(input, channels: 2, to: Int(Double(count) * factor))
    func correlation(_ signal: [Double]) -> Double {
      var (both, left, right) = (0.0, 0.0, 0.0)
      for index in stride(from: 0, to: signal.count, by: 2) {
        both += signal[index] * signal[index + 1]
        left += signal[index] * signal[index]
        right += signal[index + 1] * signal[index + 1]
      }
      return both / (left * right).squareRoot()
    }
    #expect(abs(correlation(output) - correlation(input)) < 0.03)
  }

  /// Pulses at a pitch that glides around 130 Hz, each with resonances that die away within it.
  private func voice(frames: Int) -> [Double] {
    var turns = 0.0
    return (0..<frames).map { frame in
      let glide = sin(2 * .pi * 0.7 * Double(frame) / Double(Self.rate))
      let pitch = 130 * exp2(0.2 * glide)
      turns += pitch / Double(Self.rate)
      let time = (turns - turns.rounded(.down)) / pitch
      return [(650.0, 300.0), (1100, 400), (2450, 500), (6000, 900)].reduce(0) {
        $0 + 0.12 * exp(-.pi * $1.1 * time) * sin(2 * .pi * $1.0 * time)
      }
    }
  }

  /// The peakiness of a signal, in dB: its fourth moment over the second.
  private func peakiness(_ signal: some Collection<Double>) -> Double {
    let fourth = signal.reduce(0) { $0 + $1 * $1 * $1 * $1 } / Double(signal.count)
    return 5 * log10(fourth) - 20 * log10(level(signal))
  }

  /// Phases of their own would cost the pulses 1.2 to 2.7 dB of their peaks.
  @Test(arguments: [0.5, 2, 3])
  func pulsesOfAVoiceStaySharp(factor: Double) throws {
    let input = voice(frames: 60_000)
    let output = try stretched(input, to: Int(60_000 * factor))
    let lost =
      peakiness(input[15_000..<45_000])
      - peakiness(output[output.count / 4..<output.count * 3 / 4])
    #expect(lost < 0.65, "\(lost) dB")
  }

  /// Three steady tones keep their frequencies and their beats, wherever they lie: what is not theirs is 20 dB weaker.
  @Test(
    arguments: [0.67, 0.8, 1.5, 2],
    [
      (400.0, 60.0), (700, 60), (700, 90), (1200, 60), (3000, 60), (3000, 90), (6500, 60),
      (6500, 200),
    ])
  func closeTonesStayApart(factor: Double, middle: (hertz: Double, apart: Double)) throws {
    let notes = [middle.hertz - middle.apart, middle.hertz, middle.hertz + middle.apart]
    let frames = 80_000
    let input = (0..<frames).map { frame in
      notes.enumerated().reduce(0) {
        $0 + 0.2 * sin(2 * .pi * $1.element * Double(frame) / 44100 + 1.3 * Double($1.offset))
      }
    }
    let output = try stretched(input, to: Int(Double(frames) * factor))
    let part = output[output.count * 3 / 10..<output.count * 7 / 10]
    let found = notes.map { amplitude(of: $0, in: part) }
    for amplitude in found { #expect(abs(amplitude - 0.2) < 0.004, "\(found)") }
    let power = found.reduce(0) { $0 + $1 * $1 / 2 }
    let rest = level(part) * level(part) - power
    #expect(abs(rest) < 0.01 * power)
  }

  /// Channels with tones of their own keep them: each is what it would be alone, to 0.1 cent.
  @Test(
    arguments: [0.8, 1.5, 2],
    [[200.0, 210], [200, 203], [440, 445], [200, 207, 214, 221, 228, 235]])
  func channelsKeepTheirOwnTones(factor: Double, notes: [Double]) throws {
    let frames = 120_000
    let channels = notes.map { tone($0, frames: frames) }
    let input = (0..<frames).flatMap { frame in channels.map { $0[frame] } }
    let length = Int(Double(frames) * factor)
    let output = try stretched(input, channels: notes.count, to: length)
    for (channel, note) in notes.enumerated() {
      let own = stride(from: channel, to: output.count, by: notes.count).map { output[$0] }
      expectPitch(note, in: own)
    }
  }

  /// Three tracks that have a note in common, and else nothing, keep it: that of the first is what it would be alone.
  @Test(arguments: [0.8, 1.5])
  func tracksKeepWhatTheyShareByChance(factor: Double) throws {
    let frames = 120_000
    let tracks: [[(hertz: Double, level: Double)]] = [
      [(300, 0.1), (100, 0.3)], [(300, 0.1), (318, 0.03), (140, 0.3)],
      [(300, 0.1), (336, 0.03), (180, 0.3)],
    ]
    var input: [Double] = []
    for frame in 0..<frames {
      let seconds = Double(frame) / Double(Self.rate)
      for notes in tracks {
        var sample = 0.0
        for note in notes {
          sample += note.level * sin(2 * .pi * note.hertz * seconds + note.hertz)
        }
        input.append(sample)
      }
    }
    let output = try stretched(input, channels: 3, to: Int(Double(frames) * factor))
    let first = stride(from: 0, to: output.count, by: 3).map { output[$0] }
    for note in [300.0, 100] { expectPitch(note, in: first) }
  }

  /// Channels that hold different things are stretched as files of their own, to the last bit: three that have a note in
  /// common, two speakers, a pair that belongs together beside one that does not, and two between silent ones.
  @Test(
    arguments: [0.67, 1.5],
    [[[0], [1], [2]], [[1], [3]], [[1, 4], [0]], [[5], [0], [5], [1], [5]]])
  func tracksAreFilesOfTheirOwn(factor: Double, tracks: [[Int]]) throws {
    let frames = 80_000
    let (noise, voice) = (floatNoise(frames, seed: 3), voice(frames: frames))
    let chord = zip(tone(300, frames: frames), tone(377, frames: frames)).map { 0.3 * $0 + $1 }
    let fifth = zip(tone(300, frames: frames), tone(450, frames: frames)).map { 0.3 * $0 + $1 }
    let sounds = [
      // Notes that begin at times of their own.
      chord.indices.map { $0 % 17_000 < 14_000 ? 0.5 * chord[$0] : 0 }, voice,
      fifth.indices.map { $0 % 21_000 < 18_000 ? 0.5 * fifth[$0] : 0 },
      noise.indices.map { 0.3 * noise[$0] * exp(-Double($0 % 9000) / 600) },
      // The voice in another place, and what only that place has.
      voice.indices.map { 0.5 * voice[max(0, $0 - 20)] + 0.01 * noise[$0] },
      [Double](repeating: 0, count: frames),
    ]
    func made(_ channels: [Int]) throws -> [Double] {
      let input = (0..<frames).flatMap { frame in channels.map { sounds[$0][frame] } }
      return try stretched(
        input, channels: channels.count, to: Int(Double(frames) * factor))
    }
    let channels = tracks.flatMap { $0 }
    let together = try made(channels)
    for track in tracks where track.count == 1 {
      let place = try #require(channels.firstIndex(of: track[0]))
      let own = stride(from: place, to: together.count, by: channels.count).map { together[$0] }
      #expect(try made(track) == own)
      #expect(track == [5] ? level(own) == 0 : level(own) > 0.01)
    }
    for track in tracks where track.count > 1 {
      // Both have the voice, 20 frames apart at its original speed.
      let (one, other) = (
        stride(from: 0, to: together.count, by: channels.count).map { together[$0] },
        stride(from: 1, to: together.count, by: channels.count).map { together[$0] }
      )
      let both = zip(one, other.dropFirst(20)).reduce(0) { $0 + $1.0 * $1.1 }
      let energies = one.reduce(0) { $0 + $1 * $1 } * other.reduce(0) { $0 + $1 * $1 }
      #expect(both > 0.9 * energies.squareRoot())
    }
  }

  /// Clicks lie where they should, to two frames, wherever they are within the hops in which attacks are found.
  @Test(arguments: [0.5, 0.8, 1.5, 2])
  func clicksLieWhereTheyShould(factor: Double) throws {
    let places = (0..<12).map { 6000 + 6013 * $0 }
    var input = [Double](repeating: 0, count: 80_000)
    for place in places { input[place] = 0.5 }
    let output = try stretched(input, to: Int(80_000 * factor))
    for place in places {
      let expected = Int((Double(place) * factor).rounded())
      let loudest = (expected - 500..<expected + 500).max { abs(output[$0]) < abs(output[$1]) }
      #expect(abs((loudest ?? 0) - expected) <= 2)
    }
  }

  /// Expects a tone within 0.1 cent of its frequency: its angle turns by less than that would turn it.
  private func expectPitch(_ note: Double, in output: [Double]) {
    let angles = [0.35, 0.6].map { part in
      let start = Int(Double(output.count) * part)
      let (real, imaginary) = output[start..<start + 8820].enumerated().reduce((0.0, 0.0)) {
        let window = 1 - cos(2 * .pi * Double($1.offset) / 8820)
        let angle = 2 * .pi * note * Double(start + $1.offset) / Double(Self.rate)
        return ($0.0 + window * $1.element * cos(angle), $0.1 - window * $1.element * sin(angle))
      }
      return atan2(imaginary, real)
    }
    let seconds = 0.25 * Double(output.count) / Double(Self.rate)
    let turned = remainder(angles[1] - angles[0], 2 * .pi) / (2 * .pi)
    #expect(abs(turned) < note * (exp2(0.1 / 1200) - 1) * seconds, "\(note) Hz: \(turned)")
  }

  /// Voices of 50 to 80 Hz repeat themselves after their period as in the source; without it, 0.67 to 0.87 of them do.
  @Test(arguments: [0.67, 1.5], [50.0, 60, 70, 78])
  func lowVoicesKeepTheirPeriods(factor: Double, pitch: Double) throws {
    let frames = 80_000
    // Partials that fall with 1/n, through resonances.
    var input = [Double](repeating: 0, count: frames)
    for partial in 1...Int(5000 / pitch) {
      let hertz = Double(partial) * pitch
      let (gain, angle) = resonance(hertz)
      for frame in 0..<frames {
        input[frame] +=
          0.05 / Double(partial) * gain
          * cos(2 * .pi * hertz * Double(frame) / Double(Self.rate) + angle)
      }
    }
    let output = try stretched(input, to: Int(Double(frames) * factor))
    let period = Int(Double(Self.rate) / pitch)
    let part = output.count / 4..<output.count * 3 / 4
    let repetition = (period - 12...period + 12).map { lag in
      var (both, one, other) = (0.0, 0.0, 0.0)
      for frame in part {
        both += output[frame] * output[frame + lag]
        one += output[frame] * output[frame]
        other += output[frame + lag] * output[frame + lag]
      }
      return both / (one * other).squareRoot()
    }
    #expect((repetition.max() ?? 0) > 0.99)
  }

  /// Voices whose pitch glides repeat themselves after their period as in the source: 0.9994 and more, as the same voice
  /// at that tempo does. Where steps of a few frames are not voiced, it is 0.974 to 0.998.
  @Test(arguments: [0.5, 0.67, 0.8, 1.5], [100.0, 120])
  func glidingVoicesKeepTheirPeriods(factor: Double, pitch: Double) throws {
    let frames = 60_000
    var input = [Double](repeating: 0, count: frames)
    let turns = (0..<frames).map { frame in
      let seconds = Double(frame) / Double(Self.rate)
      return pitch * (seconds - 0.06 / (1.4 * .pi) * (cos(1.4 * .pi * seconds) - 1))
    }
    for partial in 1..<Int(5000 / pitch) {
      let (gain, angle) = resonance(Double(partial) * pitch)
      for frame in 0..<frames {
        input[frame] +=
          0.05 / Double(partial) * gain
          * cos(2 * .pi * Double(partial) * turns[frame] + angle)
      }
    }
    let output = try stretched(input, to: Int(Double(frames) * factor))
    let period = Int(Double(Self.rate) / pitch)
    let starts = stride(from: output.count / 4, to: output.count * 3 / 4, by: 2000)
    let likenesses = starts.map { start in
      (period * 9 / 10...period * 11 / 10).map { lag in
        var (both, one, other) = (0.0, 0.0, 0.0)
        for frame in start..<start + period {
          both += output[frame] * output[frame + lag]
          one += output[frame] * output[frame]
          other += output[frame + lag] * output[frame + lag]
        }
        return both / (one * other).squareRoot()
      }.max() ?? 0
    }
    let mean = likenesses.reduce(0, +) / Double(likenesses.count)
    #expect(mean > 0.9985, "\(mean)")
  }

  /// The gain and the turn of a vowel's resonances.
  private func resonance(_ hertz: Double) -> (gain: Double, angle: Double) {
    var (gain, angle) = (1.0, 0.0)
    for (middle, width) in [(600.0, 80.0), (1040, 90), (2250, 120), (3500, 200)] {
      let (real, imaginary) = (
        1 - hertz * hertz / (middle * middle), hertz * width / (middle * middle)
      )
      gain /= hypot(real, imaginary)
      angle -= atan2(imaginary, real)
    }
    return (gain, angle)
  }

  /// A square keeps the phases of its harmonics: its peaks stay under 1.75. Other phases of the same harmonics have up to
  /// 2.9, and a square without those above 22 kHz has 1.18.
  @Test(arguments: [0.67, 0.8, 1.25, 1.5], [220.0, 440])
  func squaresKeepTheirShape(factor: Double, hertz: Double) throws {
    let frames = Self.rate
    let input = (0..<frames).map { frame in
      sin(2 * .pi * hertz * (Double(frame) + 0.5) / Double(Self.rate)) >= 0 ? 1.0 : -1
    }
    let output = try stretched(input, to: Int(Double(frames) * factor))
    let inner = output[output.count / 4..<output.count * 3 / 4]
    let peak = inner.reduce(0) { max($0, abs($1)) }
    #expect(peak < 1.75, "\(peak)")
    #expect(peak > 1)
  }

  /// Nothing sounds in the silence that surrounds a sound, 50 ms from it and further.
  @Test(arguments: [1.5, 1.75, 2, 3, 4])
  func silenceAroundSoundsStays(factor: Double) throws {
    let (before, sounding) = (20_000, 20_000)
    let silence = [Double](repeating: 0, count: before)
    let input = silence + tone(440, frames: sounding) + silence
    let output = try stretched(input, to: Int(Double(input.count) * factor))
    let (start, end) = (Int(Double(before) * factor), Int(Double(before + sounding) * factor))
    let ahead = output[..<(start - Self.rate / 20)].reduce(0) { max($0, abs($1)) }
    let behind = output[(end + Self.rate / 20)...].reduce(0) { max($0, abs($1)) }
    // -60 dB of the tone.
    #expect(ahead < 0.0003, "\(ahead)")
    #expect(behind < 0.0003, "\(behind)")
  }

  /// A file cut in mid-note gets no click there: its differences are no larger than in the source.
  @Test(arguments: [0.5, 0.67, 1.5, 2, 3], [100.0, 440, 1500])
  func cutNotesDoNotClick(factor: Double, hertz: Double) throws {
    let input = (0..<20_000).map { frame in
      var sample = 0.0
      for partial in 1...4 {
        let turn = 2 * .pi * hertz * Double(partial * frame) / Double(Self.rate)
        sample += 0.2 / Double(partial) * sin(turn + Double(partial))
      }
      return sample
    }
    let output = try stretched(input, to: Int(20_000 * factor))
    /// The largest fourth difference: nothing is left of low notes, and much of clicks.
    func roughness(_ part: ArraySlice<Double>) -> Double {
      var part = Array(part)
      for _ in 0..<4 { part = zip(part, part.dropFirst()).map { $1 - $0 } }
      return part.reduce(0) { max($0, abs($1)) }
    }
    let most = 1.5 * roughness(input[10_000..<10_441]) + 1e-5
    #expect(roughness(output.suffix(44)) < most)
    #expect(roughness(output.prefix(44)) < most)
  }

  @Test(arguments: [0.5, 0.67, 1.5, 3])
  func constantsStayConstant(factor: Double) throws {
    let output = try stretched(
      Array(repeating: 0.5, count: 20_000), to: Int(20_000 * factor))
    #expect(output.allSatisfy { abs($0 - 0.5) < 0.001 })
  }

  /// In very long output, noise wavers as much as noise of its bandwidth does, and tones stay where they are.
  @Test(arguments: [8.0, 19.5, 50, 100])
  func longStretchesAreSmooth(factor: Double) throws {
    let (rate, frames) = (8000, 4000)
    let noise = try stretched(
      floatNoise(frames, seed: 3), to: Int(Double(frames) * factor), rate: rate)
    #expect(noise.count == Int(Double(frames) * factor))
    // The energies of blocks of 20 ms; those of noise vary by the square root of 2 / their frames.
    let energies = stride(from: noise.count / 5, to: noise.count * 4 / 5 - 160, by: 160).map {
      noise[$0..<$0 + 160].reduce(0) { $0 + $1 * $1 }
    }
    let mean = energies.reduce(0, +) / Double(energies.count)
    let variance = energies.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(energies.count)
    #expect(variance.squareRoot() / mean < 1.17 * (2.0 / 160).squareRoot())
    #expect(abs(10 * log10(mean / 160) - 20 * log10(level(floatNoise(frames, seed: 3)))) < 0.5)

    let output = try stretched(
      tone(440, frames: frames, rate: rate), to: Int(Double(frames) * factor), rate: rate)
    // The angle against the tone turns by less than a frequency 0.1 cent away would turn it.
    let angles = [0.4, 0.5].map { part in
      let start = Int(Double(output.count) * part)
      let (real, imaginary) = output[start..<start + 1000].enumerated().reduce((0.0, 0.0)) {
        let angle = 2 * .pi * 440 * Double(start + $1.offset) / Double(rate)
        let window = 1 - cos(2 * .pi * Double($1.offset) / 1000)
        return ($0.0 + window * $1.element * cos(angle), $0.1 - window * $1.element * sin(angle))
      }
      #expect(abs(hypot(real, imaginary) / 500 - 0.3) < 0.01)
      return atan2(imaginary, real)
    }
    let seconds = 0.1 * Double(output.count) / Double(rate)
    let turned = remainder(angles[1] - angles[0], 2 * .pi) / (2 * .pi)
    #expect(abs(turned) < 440 * (exp2(0.1 / 1200) - 1) * seconds)
  }

  /// A stroke sounds once in very long output: nothing of it comes back.
  @Test(arguments: [8.0, 20])
  func longStretchesRepeatNothing(factor: Double) throws {
    let (rate, frames) = (8000, 6000)
    let sound = floatNoise(frames, seed: 9)
    let input = (0..<frames).map { frame in
      frame < 3000 ? 0 : sound[frame] * exp(-Double(frame - 3000) / 100)
    }
    let output = try stretched(input, to: Int(Double(frames) * factor), rate: rate)
    // Levels of 20 ms rise to the stroke and fall from it, within the 3 dB by which noise wavers.
    let levels = stride(from: 0, to: output.count - 160, by: 160).map {
      10 * log10(output[$0..<$0 + 160].reduce(1e-9) { $0 + $1 * $1 })
    }
    let loudest = levels.indices.max { levels[$0] < levels[$1] } ?? 0
    for (one, step) in [(loudest, 1), (loudest, -1)] {
      var (lowest, place) = (levels[one], one)
      while levels.indices.contains(place), levels[place] > levels[loudest] - 30 {
        #expect(levels[place] < lowest + 6, "\(place) of \(loudest)")
        lowest = min(lowest, levels[place])
        place += step
      }
    }
  }

  @Test(arguments: [8.0, 20])
  func longStretchesMakeTheSameBitsAnywhere(factor: Double) throws {
    let input = mixture(5000, channels: 2)
    let length = Int(5000 * factor)
    let alone = try stretched(input, channels: 2, to: length)
    #expect(try stretched(input, channels: 2, to: length, isPortable: true) == alone)
    let cores = Cores(takingEach: 1)
    #expect(try stretched(input, channels: 2, to: length, cores: cores) == alone)
    #expect(cores.begun > 0)
  }

  /// Simultaneous sounds without a common period keep their parts.
  @Test(arguments: [0.5, 0.8, 1.25, 2])
  func chordsKeepTheirNotes(factor: Double) throws {
    let notes = [261.6256, 391.9954, 493.8833, 1318.51, 1975.533, 5274.04]
    var input = [Double](repeating: 0, count: 60_000)
    for note in notes {
      for (frame, sample) in tone(note, frames: input.count).enumerated() {
        input[frame] += sample / 3
      }
    }
    let output = try stretched(input, to: Int(60_000 * factor))
    let middle = output[output.count / 4..<output.count * 3 / 4]
    let found = notes.map { amplitude(of: $0, in: middle) }
    for amplitude in found { #expect(abs(amplitude - 0.1) < 0.002) }
    // Nothing is left for anything else.
    let power = found.reduce(0) { $0 + $1 * $1 / 2 }
    #expect(abs(level(middle) - power.squareRoot()) < 0.003)
  }

  /// A voice, strokes and noise in the first channel, others' mixtures in further ones.
  private func mixture(_ frames: Int, channels: Int) -> [Double] {
    let voice = voice(frames: frames)
    let noise = floatNoise(frames, seed: 21)
    return (0..<frames).flatMap { frame in
      (0..<channels).map { channel in
        let stroke = noise[frame] * exp(-Double(frame % 9000) / 400)
        return 0.3 * voice[frame] + 0.3 * stroke
          + 0.01 * Double(channel) * noise[frames - 1 - frame]
      }
    }
  }

  @Test(arguments: [0.3, 0.5, 0.8, 2], [1, 2, 3])
  func everyProcessorMakesTheSameBits(factor: Double, channels: Int) throws {
    let input = mixture(30_000, channels: channels)
    func made(_ isPortable: Bool) throws -> [Double] {
      try stretched(
        input, channels: channels, to: Int(30_000 * factor), isPortable: isPortable)
    }
    let (best, portable) = (try made(false), try made(true))
    #expect(best == portable)
    #expect(level(best) > 0.01)
  }

  /// Cores that take every offer, or only each of some number.
  private final class Cores: SpareCores {
    private let each: Int
    private struct Counts {
      var offers = 0, begun = 0
      /// The owners of offers that wait.
      var waiting: Set<ObjectIdentifier> = []
    }
    private let counts = Mutex(Counts())

    init(takingEach each: Int) { self.each = each }

    var begun: Int { counts.withLock { $0.begun } }

    func offer(by owner: AnyObject, _ work: @escaping @Sendable () -> Void) {
      let owner = ObjectIdentifier(owner)
      let begins = counts.withLock { counts in
        counts.offers += 1
        let begins = counts.offers % each == 0
        if begins { counts.begun += 1 } else { counts.waiting.insert(owner) }
        return begins
      }
      if begins { Thread.detachNewThread(work) }
    }

    func withdrawOffers(by owner: AnyObject) -> Bool {
      let owner = ObjectIdentifier(owner)
      return counts.withLock { $0.waiting.remove(owner) != nil }
    }
  }

  /// Output of several batches, with another core always, sometimes, or never free.
  @Test(
    .tags(.threaded),
    arguments: [(60_000, 0.3, 3), (60_000, 0.8, 1), (25_000, 1.5, 3), (10_000, 6, 1)])
  func otherCoresDoNotChangeBits(frames: Int, factor: Double, channels: Int) throws {
    let input = mixture(frames, channels: channels)
    let length = Int(Double(frames) * factor)
    let alone = try stretched(input, channels: channels, to: length)
    for each in [1, 2, .max] {
      let cores = Cores(takingEach: each)
      let helped = try stretched(input, channels: channels, to: length, cores: cores)
      #expect(helped == alone, "\(each)")
      #expect(each == .max ? cores.begun == 0 : cores.begun > 0)
    }
    #expect(level(alone) > 0.01)
  }

  /// The same of channels that are stretched as files of their own.
  @Test(.tags(.threaded), arguments: [0.5, 2])
  func otherCoresDoNotChangeBitsOfTracks(factor: Double) throws {
    let frames = 60_000
    let (voice, noise) = (voice(frames: frames), floatNoise(frames, seed: 9))
    let input = (0..<frames).flatMap { [voice[$0], 0.3 * noise[$0]] }
    let length = Int(Double(frames) * factor)
    let alone = try stretched(input, channels: 2, to: length)
    for each in [1, 2] {
      let cores = Cores(takingEach: each)
      #expect(try stretched(input, channels: 2, to: length, cores: cores) == alone, "\(each)")
      #expect(cores.begun > 0)
    }
    let first = stride(from: 0, to: alone.count, by: 2).map { alone[$0] }
    #expect(try stretched(voice, to: length) == first)
  }

  /// A voice, in blocks of any size.
  @Test func blocksDoNotMatter() throws {
    let voice = voice(frames: 20_000)
    func made(_ block: Int) throws -> [Double] {
      var scaler = try VocoderScaler(
        inputFrames: voice.count, outputFrames: 31_000, channelCount: 1, sampleRate: Self.rate)
      var output: [Double] = []
      var room = [Double](repeating: 0, count: block)
      for start in stride(from: 0, to: voice.count, by: block) {
        try scaler.study(voice.span.extracting(start..<min(start + block, voice.count)))
      }
      var taken = 0
      while output.count < 31_000 {
        let part = voice.span.extracting(taken..<min(taken + block, voice.count))
        var target = room.mutableSpan
        var progress = try scaler.process(part, into: &target)
        if progress.produced == 0, taken + progress.consumed == voice.count {
          progress.produced = try scaler.finish(into: &target)
        }
        taken += progress.consumed
        output += room[..<progress.produced]
      }
      return output
    }
    let whole = try made(20_000)
    #expect(try made(777) == whole)
    #expect(try made(128) == whole)
  }

  @Test func followsAMap() throws {
    let map = try #require(
      TimeMap(points: [
        TimeMap.Point(source: 0, output: 0), TimeMap.Point(source: 20_000, output: 40_000),
        TimeMap.Point(source: 40_000, output: 50_000),
      ]))
    var input = [Double](repeating: 0, count: 40_000)
    for place in [10_000, 30_000] { input[place] = 0.9 }
    let output = try stretched(input, to: 50_000, map: map)
    for expected in [20_000, 45_000] {
      let loudest = output.indices[expected - 4000..<expected + 4000].max {
        abs(output[$0]) < abs(output[$1])
      }
      #expect(abs((loudest ?? 0) - expected) < 90)
    }
  }

  @Test(
    arguments: [8000, 44100, 384_000], [0.05, 0.3, 1.7, 20, 100])
  func badInputMakesExactLengthsAndFiniteSamples(rate: Int, factor: Double) throws {
    let signals: [[Double]] = [
      Array(repeating: 0, count: 3000), Array(repeating: 1, count: 3000),
      (0..<3000).map { $0 / 50 % 2 == 0 ? 1 : -1 }, [0.5],
      (0..<3000).map { $0 == 7 ? .nan : $0 == 900 ? .infinity : 0 },
      (0..<3000).map { $0 % 300 == 0 ? 1 : 0 }, Array(repeating: 1e-310, count: 3000),
      Array(repeating: 1e300, count: 3000), [1, -1], Array(repeating: .nan, count: 500),
    ]
    for input in signals {
      let length = max(1, Int(Double(input.count) * factor))
      let output = try stretched(input, to: length, rate: rate)
      #expect(output.count == length)
      #expect(!output.contains { !$0.isFinite })
      let isSilent = !input.contains { !(abs($0) < 1e-300) }
      if isSilent { #expect(!output.contains { $0 != 0 }) }
    }
  }

  /// Silence after a sound stays silent: nothing bursts there.
  @Test(arguments: [0.3, 0.67, 1.5, 3])
  func silenceAfterNoiseStays(factor: Double) throws {
    let input = floatNoise(8000, seed: 5) + [Double](repeating: 0, count: 12_000)
    let output = try stretched(input, to: Int(20_000 * factor))
    let silence = output[Int(8000 * factor + 0.05 * Double(Self.rate))...]
    #expect(!silence.isEmpty)
    #expect(silence.allSatisfy { abs($0) < 0.001 })
  }

  @Test(arguments: 1...40)
  func shortSignalsMakeExactLengths(part: Int) throws {
    let frames = part * part * 3 + part % 3
    for (factor, rate) in [(0.4, 192_000), (1.5, 44100), (7, 8000)] {
      let length = max(1, Int(Double(frames) * factor))
      let output = try stretched(floatNoise(frames, seed: 7), to: length, rate: rate)
      #expect(output.count == length)
      #expect(output.allSatisfy { abs($0) < 4 })
    }
  }

  @Test func manyChannels() throws {
    let input = floatNoise(4000 * 32, seed: 8)
    let output = try stretched(input, channels: 32, to: 5000)
    #expect(output.count == 5000 * 32)
    #expect(!output.contains { !$0.isFinite })
  }
}
