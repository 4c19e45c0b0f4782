import AudioModel
import Foundation
import ScaleAudio
import TestSupport
import Testing
import TimeScaling

@testable import AudioPlayer

/// Rate and pitch that change while a stream runs.
@Suite(.tags(.packageTraits))
struct LiveRateTests {
  /// The engines of this build.
  private static let engines = StretchSettings.Engine.allCases.filter(\.isAvailable)

  private let folder: TemporaryFolder
  private let rate = 48_000

  init() throws { folder = try TemporaryFolder() }

  private func sequence(_ samples: [Float], pace: TimeRequest? = nil) throws -> TrackSequence {
    let path = folder.file("a.wav")
    try WAV.write(path, floats: samples, channels: 1, rate: rate)
    let track = try Opening.track(PlayItem(.file(path), pace: pace), index: 0, Cancellation())
    return TrackSequence(
      track, frame: 0, outputLayout: .mono, repeats: { false }, nextTrack: { _, _ in nil },
      onFailure: { _, _ in })
  }

  /// Output samples, with the place of each in the source.
  private struct Sound {
    var samples: [Float] = []
    var places: [Double] = []
  }

  /// The whole of a stream, or the first `most` frames; `change` is called before every block with the output frames so
  /// far.
  private func render(
    _ live: LiveRate, most: Int = .max, _ change: (Int) -> Void = { _ in }
  ) -> Sound {
    var sound = Sound()
    var block = [Float](repeating: 0, count: 480)
    while sound.samples.count < most {
      change(sound.samples.count)
      let piece = block.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.flatMap { live.produce(480, into: $0) }
      }
      guard let piece else { break }
      sound.samples += block.prefix(piece.frameCount)
      sound.places += (0..<piece.frameCount).map { piece.start + Double($0) * piece.step }
    }
    return sound
  }

  private func sine(_ seconds: Double, hertz: Double = 440) -> [Float] {
    (0..<Int(seconds * Double(rate))).map {
      Float(0.5 * sin(2 * Double.pi * hertz * Double($0) / Double(rate)))
    }
  }

  @Test(arguments: engines) func atRateOneSamplesPassUnchanged(_ engine: StretchSettings.Engine)
    throws
  {
    let samples = sine(1)
    let sound = render(LiveRate(try sequence(samples), rate: 1, semitones: 0, engine: engine))
    #expect(sound.samples == samples)
    #expect(sound.places == (0..<samples.count).map(Double.init))
  }

  @Test(arguments: engines, [0.25, 0.5, 0.8, 1.25, 2, 4])
  func theLengthFollowsTheRate(_ engine: StretchSettings.Engine, _ speed: Double) throws {
    let samples = sine(6)
    let sound = render(LiveRate(try sequence(samples), rate: speed, semitones: 0, engine: engine))
    let expected = Double(samples.count) / speed
    #expect(abs(Double(sound.samples.count) - expected) < 0.01 * Double(rate))
    // The pitch stays.
    let middle = sound.samples.map(Double.init)
    let start = Int(expected / 2)
    let fit = SineFit(
      middle, step: 2 * Double.pi * 440 / Double(rate), frames: start..<start + 4800)
    #expect(abs(fit.amplitude - 0.5) < 0.03)
  }

  /// `n` frames at one rate become `n / rate`, truncated.
  @Test(
    arguments: [0.25, 0.5, 0.75, 1.1, 1.25, 1.5, 2, 3, 4],
    [1, 1000, 44_100, 132_300, 132_301, 99_991])
  func theLengthIsExact(_ speed: Double, _ frames: Int) throws {
    let samples = Array(sine(3).prefix(frames))
    for engine in Self.engines {
      let live = LiveRate(try sequence(samples), rate: speed, semitones: 3, engine: engine)
      #expect(render(live).samples.count == Int(Double(frames) / speed))
    }
  }

  @Test(arguments: engines, [-12.0, -5, 3, 12])
  func pitchMovesBySemitones(_ engine: StretchSettings.Engine, _ semitones: Double) throws {
    let sound = render(
      LiveRate(try sequence(sine(3)), rate: 1, semitones: semitones, engine: engine))
    #expect(abs(sound.samples.count - 3 * rate) < rate / 100)
    let hertz = 440 * exp2(semitones / 12)
    let fit = SineFit(
      sound.samples.map(Double.init), step: 2 * Double.pi * hertz / Double(rate),
      frames: 60_000..<64_800)
    #expect(abs(fit.amplitude - 0.5) < 0.05)
  }

  /// Places of clicks, at any history of rates, where the table puts them.
  @Test(
    arguments: engines,
    [
      [1.5], [0.5], [4], [0.25], [1, 2, 1, 0.5, 1, 3, 1], [0.75, 1.25, 4, 0.25, 1, 1.1, 0.9, 2],
    ])
  func positionsAreExact(_ engine: StretchSettings.Engine, _ rates: [Double]) throws {
    var samples = [Float](repeating: 0, count: 60 * rate)
    let distance = rate / 4
    for click in stride(from: distance, to: samples.count, by: distance) {
      for offset in 0..<24 { samples[click + offset] = offset % 2 == 0 ? 0.9 : -0.9 }
    }
    let live = LiveRate(try sequence(samples), rate: rates[0], semitones: 0, engine: engine)
    let sound = render(live, most: 12 * rate) { done in
      live.set(rate: rates[(done / (rate * 7 / 5)) % rates.count], semitones: 0)
    }
    let errors = clicks(in: sound).map { _, place in
      (place / Double(distance)).rounded() * Double(distance) - place
    }
    let worst = errors.map(abs).max() ?? .infinity
    #expect(errors.count > 10)
    #expect(worst < 0.010 * Double(rate), "\(errors.map { ($0 * 10 / 48).rounded() / 10 })")
  }

  /// The places of clicks of 24 frames in what is heard, and in the source by the table.
  private func clicks(in sound: Sound) -> [(output: Double, source: Double)] {
    var clicks: [(Double, Double)] = []
    var index = 0
    while index < sound.samples.count - 4800 {
      guard abs(sound.samples[index]) > 0.1 else {
        index += 1
        continue
      }
      // The middle of its energy.
      let around = max(0, index - 480)..<index + 2400
      let energy = around.map { Double(sound.samples[$0] * sound.samples[$0]) }
      let sum = energy.reduce(0, +)
      clicks.append(
        (
          zip(around, energy).reduce(0.0) { $0 + Double($1.0) * $1.1 } / sum - 12,
          zip(around, energy).reduce(0.0) { $0 + sound.places[$1.0] * $1.1 } / sum - 12
        ))
      index += 4000
    }
    return clicks
  }

  /// A map moves clicks to its own places, and the table knows where they come from; a rate comes on top of it.
  @Test(arguments: engines, [1.0, 0.8, 1.5])
  func mapsAreFollowed(_ engine: StretchSettings.Engine, _ speed: Double) throws {
    let distance = rate / 4
    var samples = [Float](repeating: 0, count: 20 * rate)
    for click in stride(from: distance, to: samples.count, by: distance) {
      for offset in 0..<24 { samples[click + offset] = offset % 2 == 0 ? 0.9 : -0.9 }
    }
    let map = try #require(
      TimeMap(points: [
        TimeMap.Point(source: 0, output: 0), TimeMap.Point(source: 4, output: 3),
        TimeMap.Point(source: 9, output: 10), TimeMap.Point(source: 14, output: 15),
        TimeMap.Point(source: 20, output: 19.5),
      ]))
    let request = try #require(TimeMapRequest(map, in: .seconds))
    let live = LiveRate(
      try sequence(samples, pace: .map(request)), rate: speed, semitones: 0, engine: engine)
    let sound = render(live)
    #expect(sound.samples.count == Int(19.5 * Double(rate) / speed))
    let found = clicks(in: sound)
    #expect(found.count >= 76)
    for (index, click) in found.enumerated() {
      let frame = Double((index + 1) * distance)
      let expected = map.output(at: frame / Double(rate)) * Double(rate) / speed
      #expect(abs(click.source - frame) < 0.010 * Double(rate), "click \(index)")
      #expect(abs(click.output - expected) < 0.010 * Double(rate), "click \(index)")
    }
  }

  /// With a map, a pause takes as long as the round before it, not as long as what follows in the file.
  @Test(arguments: engines) func pausesHaveThePaceOfTheirRound(
    _ engine: StretchSettings.Engine
  ) throws {
    // Half the speed up to 4 s, then twice the speed.
    let map = try #require(
      TimeMap(points: [
        TimeMap.Point(source: 0, output: 0), TimeMap.Point(source: 4, output: 8),
        TimeMap.Point(source: 10, output: 11),
      ]))
    let request = try #require(TimeMapRequest(map, in: .seconds))
    let sequence = try sequence(sine(10), pace: .map(request))
    // From 3 to 5 s: 2 s of output for the first second, and 0.5 s for the other.
    sequence.setLoop(3 * rate..<5 * rate)
    sequence.between = .pause
    let live = LiveRate(sequence, rate: 1, semitones: 0, engine: engine)
    let sound = render(live, most: 18 * rate)
    // The loop begins at 6 s of output and ends at 8.5 s; the pause ends 2.5 s later.
    func isLoud(_ second: Double) -> Bool {
      let start = Int(second * Double(rate))
      return sound.samples[start..<start + rate / 20].contains { abs($0) > 0.1 }
    }
    for second in [6.1, 7, 8.35, 11.15, 13.3] { #expect(isLoud(second), "\(second)") }
    for second in [8.65, 10, 10.8, 13.65, 15.8] { #expect(!isLoud(second), "\(second)") }
  }

  @Test(arguments: engines) func changesDoNotClick(_ engine: StretchSettings.Engine) throws {
    let rates = [1, 1.5, 1, 0.5, 2, 1, 0.25, 4, 1]
    let live = LiveRate(try sequence(sine(40)), rate: 1, semitones: 0, engine: engine)
    let sound = render(live, most: 10 * rate) { done in
      live.set(rate: rates[(done / rate) % rates.count], semitones: 0)
    }
    let step = 2 * Double.pi * 440 / Double(rate)
    let bend = zip(zip(sound.samples, sound.samples.dropFirst()), sound.samples.dropFirst(2))
      .map { abs(Double($0.0 - 2 * $0.1 + $1)) }
    // A sine of this amplitude bends by its square of the step; a jump of 0.02 would bend by itself.
    #expect(bend.max()! < 0.5 * step * step + 0.01)
    // Back at rate 1, samples are those of the source again.
    let last = sound.places.count - 1
    let source = sine(40)
    #expect(sound.places[last] == sound.places[last].rounded())
    #expect(sound.samples[last] == source[Int(sound.places[last])])
  }
}
