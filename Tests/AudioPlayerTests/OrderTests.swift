import AudioModel
import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import AudioPlayer

/// The order of files, their levels, and what happens when a device has nothing to play.
@Suite(.tags(.threaded))
struct OrderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func files(_ count: Int, frames: Int = 100) throws -> [FilePath] {
    try (0..<count).map {
      try folder.numbered("\($0).wav", frames: frames, from: $0 * frames)
    }
  }

  /// After the last frame of the last file comes the first of the first, without a gap.
  @Test func theListRepeats() throws {
    let deck = Deck(try files(3)) { $0.loopsList = true }
    deck.output().pull(1000)
    let numbers = Numbered.numbers(deck.output().heard)
    #expect(numbers == (0..<1000).map { $0 % 300 })
    // Both ends lead to the other.
    deck.player.perform(.pause)
    for (places, index) in [(-1, 2), (1, 0), (-1, 2)] {
      deck.player.perform(.go(places > 0 ? 2 : 0))
      #expect(deck.wait { deck.player.status.track?.index == (places > 0 ? 2 : 0) })
      #expect(deck.player.status.hasNext)
      deck.player.perform(.skip(places))
      #expect(deck.wait { deck.player.status.track?.index == index })
    }
  }

  /// A list without one file that can be played ends, each failure reported once in a lap at most.
  @Test func aListOfBrokenFilesEnds() throws {
    for name in ["a.wav", "b.wav"] { try folder.write(name, Array("RIFF".utf8)) }
    let deck = Deck(["a.wav", "b.wav"].map(folder.file)) { $0.loopsList = true }
    #expect(deck.wait { deck.hasEnded })
    #expect(deck.failures.count == 2)
  }

  @Test func shuffledFilesArePlayedOnce() throws {
    let paths = try files(12, frames: 20_000)
    let orders = (0..<3).map { _ in
      let deck = Deck(paths) { $0.isShuffled = true }
      deck.playToEnd()
      return deck.startedFiles
    }
    for order in orders { #expect(order.sorted() == Array(0..<12)) }
    // One of 12! orders three times.
    #expect(Set(orders).count > 1)
  }

  @Test func shufflingBeginsAndEndsWhilePlaying() throws {
    let deck = Deck(try files(12, frames: 48_000))
    deck.output().pull(100)
    deck.player.perform(.go(5))
    #expect(deck.wait { deck.player.status.track?.index == 5 })
    deck.player.perform(.setShuffled(true))
    #expect(deck.wait { deck.player.status.isShuffled })
    // All others follow the one that is heard.
    var order = [5]
    for _ in 0..<11 {
      deck.player.perform(.skip(1))
      #expect(deck.wait { deck.player.status.track?.index != order.last })
      order.append(deck.player.status.track?.index ?? -1)
    }
    #expect(order.sorted() == Array(0..<12))
    #expect(!deck.player.status.hasNext)
    deck.player.perform(.go(3))
    deck.player.perform(.setShuffled(false))
    deck.player.perform(.skip(1))
    #expect(deck.wait { deck.player.status.track?.index == 4 })
  }

  @Test func theKeyForRepeatingGoesRound() throws {
    let deck = Deck(try files(2, frames: 48_000))
    deck.output().pull(100)
    for (file, list) in [(true, false), (false, true), (false, false), (true, false)] {
      deck.player.perform(.nextRepeat)
      #expect(
        deck.wait { deck.player.status.loopsTrack == file && deck.player.status.loopsList == list })
    }
  }

  // MARK: - Levels

  private static func metadata(_ fields: [(String, String)]) -> Metadata {
    var metadata = Metadata()
    metadata.comments = fields.map { Metadata.Comment(name: $0.0, value: $0.1) }
    return metadata
  }

  @Test(arguments: [
    ([("REPLAYGAIN_TRACK_GAIN", "-6.50 dB")], -6.5, -6.5),
    ([("replaygain_track_gain", "+3 dB"), ("REPLAYGAIN_ALBUM_GAIN", "-1.25 dB")], 3, -1.25),
    // Not louder than the peak allows: 20 log10(1 / 0.9) dB.
    ([("REPLAYGAIN_TRACK_GAIN", "3 dB"), ("REPLAYGAIN_TRACK_PEAK", "0.9")], 0.915, 0.915),
    ([("REPLAYGAIN_TRACK_GAIN", "3 dB"), ("REPLAYGAIN_TRACK_PEAK", "1.2")], 0, 0),
    ([("REPLAYGAIN_TRACK_GAIN", "-3 dB"), ("REPLAYGAIN_TRACK_PEAK", "1.2")], -3, -3),
    // 256ths of a dB, for -23 LUFS.
    ([("R128_TRACK_GAIN", "-1280"), ("R128_ALBUM_GAIN", "256")], 0, 6),
    ([("REPLAYGAIN_TRACK_GAIN", "loud")], 0, 0), ([("REPLAYGAIN_TRACK_GAIN", "nan")], 0, 0),
    ([("REPLAYGAIN_TRACK_GAIN", "1e9 dB")], 1, 1), ([("R128_TRACK_GAIN", "99999999")], 0, 0),
    ([], 0, 0),
  ])
  func gainsOfTags(_ fields: [(String, String)], track: Double, album: Double) {
    let metadata = Self.metadata(fields)
    #expect(abs(ReplayGain(of: metadata, .track).decibels - track) < 0.001)
    #expect(abs(ReplayGain(of: metadata, .album).decibels - album) < 0.001)
    #expect(ReplayGain(of: metadata, .off).factor == 1)
  }

  /// Pauses between the rounds of a loop, and the source while it is heard, are no part of the level of the result.
  @Test func pausesHaveNoLevel() throws {
    let path = folder.file("tone.wav")
    let samples = (0..<480_000).map { 0.25 * Float(sin(Double($0) * 0.05)) }
    try WAV.write(path, floats: samples, channels: 1)
    let deck = Deck([path])
    _ = deck.output()
    deck.player.perform(.setBetween(.pause))
    deck.player.perform(.setLoop(0..<48_000))
    deck.player.perform(.setSemitones(12))
    #expect(deck.wait { deck.player.status.semitones == 12 && deck.player.status.loop != nil })
    deck.output().pull(288_000)
    deck.player.perform(.setBetween(.nothing))
    deck.player.perform(.compare)
    #expect(deck.wait { deck.player.status.hearsSource })
    deck.output().pull(96_000)
    // With the pauses, the result would be 3 dB lower, and so the source: a peak of 0.18.
    let heard = deck.output().heard.suffix(48_000)
    let peak = heard.map { abs($0) }.max() ?? 0
    #expect(abs(peak - 0.25) < 0.03, "\(peak)")
  }

  /// Noise that is stretched loses some level; the source is as loud while both are compared.
  @Test func aComparisonIsLevelMatched() throws {
    // Of pink noise, about 0.4 dB; of white noise, nearly none.
    let path = folder.file("noise.wav")
    try Tool.run(
      "sox",
      [
        "-n", "-r", "48000", "-c", "1", "-b", "16", path.string, "synth", "8", "pinknoise", "vol",
        "0.5",
      ], in: folder.path
    ).succeeded()
    let deck = Deck([path]) { $0.rate = 0.5 }
    func level(_ frames: Int, of deck: Deck) -> Double {
      let start = deck.output().heard.count
      deck.output().pull(frames)
      let heard = deck.output().heard.dropFirst(start)
      let square = heard.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(heard.count)
      return 10 * log10(square)
    }
    _ = level(48_000, of: deck)
    let result = level(192_000, of: deck)
    let plain = Deck([path])
    _ = level(24_000, of: plain)
    let source = level(96_000, of: plain)
    // There is something to match.
    let difference = result - source
    #expect(difference < -0.2, "\(result) \(source)")
    deck.player.perform(.compare)
    #expect(deck.wait { deck.player.status.hearsSource })
    // What is queued comes first. Then the source is as much lower than it is.
    _ = level(9600, of: deck)
    let first = 120_000 + 9600
    let compared = level(96_000, of: deck)
    let other = Deck([path])
    _ = level(first, of: other)
    #expect(abs(compared - level(96_000, of: other) - difference) < 0.2)
    // The result is as it was.
    deck.player.perform(.compare)
    #expect(deck.wait { !deck.player.status.hearsSource })
    #expect(deck.player.status.rate == 0.5)
  }

  // MARK: - Devices

  /// After a break the output holds twice as much, then four times, and goes on where it was.
  @Test(arguments: [[1000, 2000, 4000], [2000, 4000]]) func theBufferGrows(
    _ latencies: [Int]
  ) throws {
    let deck = Deck(
      [PlayItem(.file(try folder.numbered("a.wav", frames: 400_000)))], latency: 1000,
      firstGrowth: latencies[0] / 1000, mostGrowth: 4)
    let last = latencies.count - 1
    for (index, latency) in latencies.enumerated() {
      let output = deck.output(index)
      #expect(output.latency == latency)
      output.pull(10_000)
      // What is lacking soon after the start is no fault of the buffer.
      usleep(700_000)
      output.pull(1000)
      output.breakOff()
      if index < last { #expect(deck.wait { deck.outputs.count == index + 2 }) }
    }
    usleep(100_000)
    deck.output(last).pull(1000)
    #expect(deck.outputs.count == latencies.count)
    let numbers = deck.outputs.flatMap { Numbered.numbers($0.heard) }
    #expect(numbers == Array(0..<numbers.count))
  }

  /// An output that can hold more does so while it plays; one that refuses gives way to another.
  @Test(arguments: [true, false]) func theBufferGrowsWhileItPlays(_ isAccepted: Bool) throws {
    let deck = Deck(
      [PlayItem(.file(try folder.numbered("a.wav", frames: 400_000)))], latency: 1000,
      mostGrowth: 4, growth: isAccepted)
    deck.output().pull(10_000)
    usleep(700_000)
    deck.output().pull(1000)
    deck.output().breakOff()
    let last = isAccepted ? 0 : 1
    #expect(deck.wait { deck.output(last).latency == 2000 })
    deck.output(last).pull(10_000)
    #expect(deck.outputs.count == last + 1)
    let numbers = deck.outputs.flatMap { Numbered.numbers($0.heard) }
    #expect(numbers == Array(0..<numbers.count))
  }

  /// An output that accepts nothing for a second, though there is sound, is reported once, and that it accepts some again. A
  /// pause is not reported; seeking and another output do not end a stall.
  @Test func anOutputStalls() throws {
    /// The status that other programs see.
    func shown(_ deck: Deck) -> BusValue? {
      MediaProperties(status: deck.player.status, isStopped: false, coverPath: nil)
        .player.first { $0.name == "PlaybackStatus" }?.value
    }
    let deck = Deck([
      try folder.numbered("a.wav", frames: 400_000),
      try folder.numbered("b.wav", frames: 400_000, rate: 44_100),
    ])
    deck.output().pull(1000)
    deck.player.perform(.pause)
    #expect(deck.wait { deck.player.status.state == .paused })
    usleep(1_300_000)
    #expect(deck.stalls == [])
    deck.player.perform(.play)
    #expect(deck.wait { deck.player.status.isStalled })
    #expect(deck.stalls == [true])
    #expect(shown(deck) == .string("Paused"))
    deck.player.perform(.seek(frame: 100_000))
    #expect(deck.wait { deck.player.status.frame == 100_000 })
    usleep(1_300_000)
    #expect(deck.stalls == [true])
    deck.output().pull(1000)
    #expect(deck.wait { !deck.player.status.isStalled })
    #expect(deck.stalls == [true, false])
    #expect(shown(deck) == .string("Playing"))
    #expect(deck.outputs.count == 1)
    #expect(deck.wait { deck.player.status.isStalled })
    deck.player.perform(.skip(1))
    let second = deck.output(1)
    usleep(300_000)
    #expect(deck.stalls == [true, false, true])
    second.pull(1000)
    #expect(deck.wait { !deck.player.status.isStalled })
    #expect(deck.stalls == [true, false, true, false])
  }
}
