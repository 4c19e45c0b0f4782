import AudioIO
import AudioModel
import Foundation
import TestSupport
import Testing

@testable import AudioPlayer

/// Loops as people practice with them.
@Suite(.tags(.threaded))
struct PracticeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A player in a loop of a numbered file.
  private func looping(_ loop: Range<Int>, _ command: Player.Command?) throws -> Deck {
    let deck = Deck([try folder.numbered("a.wav", frames: 40_000)])
    _ = deck.output()
    if let command { deck.player.perform(command) }
    deck.player.perform(.setLoop(loop))
    #expect(
      deck.wait {
        deck.player.status.frame == Double(loop.lowerBound) && deck.player.status.loop != nil
      })
    return deck
  }

  /// A pause is as long as the loop, to the frame.
  @Test func aPauseIsAsLongAsTheLoop() throws {
    let deck = try looping(10_000..<11_200, .toggleBetween(.pause))
    deck.output().pull(1200 * 7)
    let round = Array(10_000..<11_200) + Array(repeating: 0, count: 1200)
    let wanted = (round + round + round + round).prefix(1200 * 7)
    let fades = Array(stride(from: 0, to: wanted.count, by: 1200))
    let heard = Numbered.numbers(deck.output().heard)
    #expect(besidesFades(heard, at: fades) == besidesFades(Array(wanted), at: fades))
    #expect(deck.wait { deck.player.status.round == 4 })
  }

  /// In a pause the position stays at the end of the loop, and its time passes.
  @Test func thePositionStandsInAPause() throws {
    let deck = try looping(10_000..<20_000, .toggleBetween(.pause))
    deck.output().pull(14_800)
    #expect(deck.wait { deck.player.status.frame == 19_999 })
    #expect(deck.wait { abs((deck.player.status.breakSeconds ?? 0) - 0.1) < 0.001 })
    deck.output().pull(6000)
    #expect(deck.wait { deck.player.status.frame == 10_800 })
    #expect(deck.player.status.breakSeconds == nil)
    #expect(deck.player.status.round == 2)
  }

  @Test func clicksCountIn() throws {
    let deck = try looping(10_000..<12_400, .toggleBetween(.clicks(4, frames: 4800)))
    deck.output().pull(2400 + 4 * 4800 + 500)
    let left = stride(from: 0, to: deck.output().heard.count, by: 2).map { deck.output().heard[$0] }
    let clicks = (0..<4).map { click in
      left[(2400 + click * 4800)..<(2400 + click * 4800 + 4800)]
    }
    for click in clicks {
      // A tone of 20 ms after the fade, then silence.
      #expect(click.dropFirst(fadeFrames).prefix(400).contains { abs($0) > 0.1 })
      #expect(click.dropFirst(960).allSatisfy { $0 == 0 })
    }
    let next = Numbered.numbers(deck.output().heard).suffix(200)
    #expect(zip(next, next.dropFirst()).allSatisfy { $1 == $0 + 1 })
  }

  @Test func theTrainerReachesItsGoal() throws {
    let deck = try looping(10_000..<11_000, .setRate(0.98))
    for _ in 0..<1 { deck.player.perform(.nextTrainer) }
    #expect(deck.wait { deck.player.status.trainer == Trainer(step: 0.01, rounds: 2, goal: 1) })
    for _ in 0..<400 where deck.player.status.rate < 1 { deck.output().pull(500) }
    #expect(deck.wait { deck.player.status.rate == 1 })
    #expect(deck.player.status.round >= 5)
    // Not beyond it.
    deck.output().pull(20_000)
    #expect(deck.player.status.rate == 1)
    // 1, 2 and 5 %, then none.
    let steps = [0.02, 0.05, nil]
    for step in steps {
      deck.player.perform(.nextTrainer)
      #expect(deck.wait { deck.player.status.trainer?.step == step })
    }
  }

  /// A pause ends with its loop: the sound goes on where it stood.
  @Test func aPauseEndsWithItsLoop() throws {
    let deck = try looping(10_000..<20_000, .toggleBetween(.pause))
    deck.output().pull(14_800)
    #expect(deck.wait { deck.player.status.breakSeconds != nil })
    deck.player.perform(.setLoop(nil))
    #expect(deck.wait { deck.player.status.loop == nil })
    let before = deck.output().heard.count
    deck.output().pull(4800)
    let heard = Numbered.numbers(Array(deck.output().heard.dropFirst(before + 2 * fadeFrames)))
    #expect(heard.first == 19_999 + fadeFrames)
    #expect(zip(heard, heard.dropFirst()).allSatisfy { $1 == $0 + 1 })
    #expect(deck.player.status.breakSeconds == nil)
    // The loop that comes next has its pause again.
    #expect(deck.player.status.between == .pause)
  }

  /// While the source is heard, the trainer waits.
  @Test func theTrainerWaitsWhileComparing() throws {
    let deck = try looping(10_000..<11_000, .setRate(0.9))
    deck.player.perform(.nextTrainer)
    #expect(deck.wait { deck.player.status.trainer != nil && deck.player.status.rate == 0.9 })
    deck.player.perform(.compare)
    #expect(deck.wait { deck.player.status.hearsSource })
    let round = deck.player.status.round
    for _ in 0..<20 { deck.output().pull(1000) }
    #expect(deck.player.status.rate == 0.9 && deck.player.status.hearsSource)
    #expect(deck.player.status.round == round)
    deck.player.perform(.compare)
    #expect(deck.wait { !deck.player.status.hearsSource })
    for _ in 0..<400 where deck.player.status.rate < 0.92 { deck.output().pull(500) }
    #expect(deck.wait { deck.player.status.rate >= 0.92 })
  }

  @Test func endsOfALoopMove() throws {
    let deck = try looping(10_000..<20_000, nil)
    for _ in 0..<3 { deck.player.perform(.moveLoop(start: 0.01, end: 0)) }
    deck.player.perform(.moveLoop(start: 0, end: -0.02))
    #expect(deck.wait { deck.player.status.loop == 11_440..<19_040 })
    // Not less than 10 ms.
    deck.player.perform(.moveLoop(start: 1, end: 0))
    deck.player.perform(.changeSemitones(0.05))
    deck.player.perform(.changeSemitones(0.05))
    deck.player.perform(.shiftRate(hundredths: -7))
    #expect(deck.wait { deck.player.status.rate == 0.93 })
    #expect(deck.player.status.loop == 11_440..<19_040)
    #expect(deck.player.status.semitones == 0.1)
  }
}
