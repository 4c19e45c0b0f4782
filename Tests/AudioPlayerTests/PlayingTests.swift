import AudioIO
import AudioModel
import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import AudioPlayer

/// What is heard, compared with the frames of the files.
@Suite(.tags(.threaded))
struct PlayingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func everyFrameIsHeardOnce() throws {
    let deck = Deck([try folder.numbered("a.wav", frames: 60_000)], latency: 700)
    deck.playToEnd()
    #expect(Numbered.numbers(deck.outputs[0].heard) == Array(0..<60_000))
    #expect(deck.startedFiles == [0])
    #expect(deck.outputs[0].hasClosed)
  }

  @Test(arguments: ["music.flac", "5.1.wav", "noise.wav"])
  func samplesEqualThoseOfFFmpeg(_ name: String) throws {
    let path = FilePath(#filePath).removingLastComponent().removingLastComponent()
      .removingLastComponent().appending("Samples").appending(name)
    let decoded = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", path.string, "-f", "f32le", "-"])
    let deck = Deck([path])
    deck.playToEnd()
    #expect(!decoded.output.isEmpty)
    #expect(deck.outputs[0].heard.withUnsafeBytes { Array($0) } == decoded.output)
  }

  @Test func seekingDiscardsTheQueue() throws {
    let deck = Deck([try folder.numbered("a.wav", frames: 200_000)], latency: 3000)
    let output = deck.output()
    output.pull(20_000)
    #expect(Numbered.numbers(output.heard) == Array(0..<17_000))
    deck.player.perform(.seek(frame: 150_001))
    #expect(deck.wait { deck.player.status.frame == 150_001 })
    output.pull(10_000)
    #expect(Numbered.numbers(output.heard) == Array(0..<17_000) + Array(150_001..<157_001))
    #expect(deck.wait { deck.player.status.frame == 157_001 })
    deck.player.perform(.move(seconds: -1))
    #expect(deck.wait { deck.player.status.frame == 109_001 })
    output.pull(4000)
    #expect(Numbered.numbers(output.heard).last == 110_000)
  }

  @Test func aThousandRoundsOfALoopDriftByNoFrame() throws {
    let deck = Deck([try folder.numbered("a.wav", frames: 40_000)])
    let output = deck.output()
    deck.player.perform(.setLoop(1111..<1414))
    #expect(deck.wait { deck.player.status.frame == 1111 && deck.player.status.loop != nil })
    output.pull(303 * 1000)
    let rounds = Array(repeating: Array(1111..<1414), count: 1000).flatMap { $0 }
    #expect(Numbered.numbers(output.heard) == rounds)
    deck.player.perform(.setLoop(nil))
    output.pull(20_000)
    let rest = Numbered.numbers(output.heard).dropFirst(rounds.count)
    #expect(rest.last! > 5000)
    #expect(zip(rest, rest.dropFirst()).allSatisfy { $1 == $0 + 1 || ($0, $1) == (1413, 1111) })
  }

  @Test func marksSetALoopAndRemoveIt() throws {
    let deck = Deck([try folder.numbered("a.wav", frames: 400_000)], latency: 500)
    let output = deck.output()
    output.pull(10_500)
    deck.player.perform(.markLoop)
    #expect(deck.wait { deck.player.status.loopStart == 10_000 })
    output.pull(5_000)
    deck.player.perform(.markLoop)
    #expect(deck.wait { deck.player.status.loop == 10_000..<15_000 })
    output.pull(12_500)
    let heard = Numbered.numbers(output.heard)
    let round = Array(10_000..<15_000)
    #expect(heard == Array(0..<15_000) + round + round + round.prefix(2000))
    deck.player.perform(.markLoop)
    #expect(deck.wait { deck.player.status.loop == nil })
  }

  @Test func aFileRepeatsWithoutAGap() throws {
    var settings = PlayerSettings()
    settings.loopsTrack = true
    let deck = Deck([try folder.numbered("a.wav", frames: 5003)], settings)
    let output = deck.output()
    output.pull(5003 * 4)
    let rounds = Array(repeating: Array(0..<5003), count: 4).flatMap { $0 }
    #expect(Numbered.numbers(output.heard) == rounds)
  }

  @Test func theEndOfAFileThatRepeatsIsItsStart() throws {
    var settings = PlayerSettings()
    settings.loopsTrack = true
    let deck = Deck(
      [try folder.numbered("a.wav", frames: 5000), try folder.numbered("b.wav", frames: 5000)],
      settings)
    let output = deck.output()
    output.pull(3000)
    #expect(deck.wait { deck.player.status.frame == 3000 })
    deck.player.perform(.seek(frame: 5000))
    #expect(deck.wait { deck.player.status.frame == 0 })
    output.pull(1000)
    #expect(Numbered.numbers(output.heard) == Array(0..<3000) + Array(0..<1000))
    #expect(deck.startedFiles == [0])
  }

  @Test func filesFollowWithoutAGap() throws {
    let files = try [
      folder.numbered("a.wav", frames: 7001), folder.numbered("b.wav", frames: 13, from: 7001),
      folder.numbered("c.wav", frames: 9000, from: 7014),
    ]
    let deck = Deck(files)
    deck.playToEnd()
    #expect(deck.outputs.count == 1)
    #expect(Numbered.numbers(deck.outputs[0].heard) == Array(0..<16_014))
    #expect(deck.startedFiles.first == 0)
    #expect(deck.startedFiles.last == 2)
  }

  @Test func anotherRateOpensAnotherOutput() throws {
    let files = try [
      folder.numbered("a.wav", frames: 9000), folder.numbered("b.wav", frames: 8000, rate: 44_100),
    ]
    let deck = Deck(files, latency: 400)
    deck.playToEnd()
    #expect(deck.outputs.map(\.spec.sampleRate) == [48_000, 44_100])
    #expect(Numbered.numbers(deck.outputs[0].heard) == Array(0..<9000))
    #expect(Numbered.numbers(deck.outputs[1].heard) == Array(0..<8000))
  }

  @Test func anOutputOfOneRateGetsAllFilesResampled() throws {
    let sine = (0..<44_100).map { Float(0.5 * sin(2 * Double.pi * 1000 * Double($0) / 44_100)) }
    let path = folder.file("sine.wav")
    try WAV.write(path, floats: sine, channels: 1, rate: 44_100)
    let deck = Deck(
      [path, path], latency: 100, fixed: AudioSpec(sampleRate: 48_000, layout: .mono))
    deck.playToEnd()
    let heard = deck.outputs[0].heard
    #expect(deck.outputs.count == 1)
    #expect(heard.count == 96_000)
    for start in [0, 48_000] where heard.count == 96_000 {
      let fit = SineFit(
        heard.map(Double.init), step: 2 * Double.pi / 48, frames: start + 4000..<start + 44_000)
      #expect(fit.signalToNoise > 100)
      #expect(abs(fit.amplitude - 0.5) < 1e-4)
    }
  }

  @Test func damageEndsAFileAndTheNextFollows() throws {
    let whole = folder.file("whole.flac")
    let first = try folder.numbered("a.wav", frames: 100_000)
    _ = try Tool.run("flac", ["--silent", "-o", whole.string, first.string])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: whole.string))
    let damaged = folder.file("damaged.flac")
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: damaged.string))
    let text = folder.file("text.wav")
    try Data("no audio".utf8).write(to: URL(fileURLWithPath: text.string))
    let last = try folder.numbered("b.wav", frames: 3000, from: 200_000)
    let deck = Deck([damaged, text, last])
    deck.playToEnd()
    let heard = Numbered.numbers(deck.outputs[0].heard)
    #expect(Array(heard.suffix(3000)) == Array(200_000..<203_000))
    let before = heard.dropLast(3000)
    #expect(before.count > 10_000)
    #expect(Array(before) == Array(0..<before.count))
    #expect(deck.failures.map(\.path) == [damaged, text])
  }

  @Test func nothingExceedsFullScaleAndNaNIsSilence() throws {
    let path = folder.file("loud.wav")
    try WAV.write(
      path, floats: [0.5, 3, -2.5, .nan, .infinity, -.infinity, 1, -1, 0.25], channels: 1)
    let deck = Deck([path])
    deck.playToEnd()
    #expect(deck.outputs[0].heard == [0.5, 1, -1, 0, 0, 0, 1, -1, 0.25])
  }

  @Test func volumeAndMuteChangeWithoutAJump() throws {
    let path = folder.file("one.wav")
    try WAV.write(path, floats: Array(repeating: 1, count: 100_000), channels: 1)
    let deck = Deck([path])
    let output = deck.output()
    output.pull(1000)
    deck.player.perform(.setVolume(Volume(level: 0.25)))
    #expect(deck.wait { deck.player.status.volume.level == 0.25 })
    output.pull(1000)
    deck.player.perform(.setVolume(Volume(level: 0.25, isMuted: true)))
    #expect(deck.wait { deck.player.status.volume.isMuted })
    output.pull(1000)
    let heard = output.heard
    #expect(heard[999] == 1 && heard[1999] == 0.25 && heard[2999] == 0)
    #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($0 - $1) < 0.003 })
    let levels = deck.player.takeLevels()
    #expect(levels.count == 1 && levels[0].peak == 1 && levels[0].frameCount == 3000)
  }

  @Test func pausingKeepsTheFrame() throws {
    let deck = Deck([try folder.numbered("a.wav", frames: 50_000)], latency: 300)
    let output = deck.output()
    output.pull(5300)
    deck.player.perform(.pause)
    #expect(deck.wait { deck.player.status.state == .paused })
    #expect(deck.player.status.frame == 5000)
    deck.player.perform(.toggle)
    #expect(deck.wait { deck.player.status.state == .playing })
    deck.playToEnd()
    #expect(Numbered.numbers(output.heard) == Array(0..<50_000))
  }

  @Test func aLostOutputPausesAtTheFrame() throws {
    let deck = Deck([try folder.numbered("a.wav", frames: 50_000)], latency: 300)
    let output = deck.output()
    output.pull(5300)
    output.send(.lost("fake"))
    #expect(deck.wait { deck.player.status.state == .paused })
    #expect(deck.player.status.frame == 5000)
    deck.player.perform(.play)
    deck.playToEnd()
    #expect(Numbered.numbers(deck.outputs[0].heard) == Array(0..<5000))
    #expect(Numbered.numbers(deck.outputs[1].heard) == Array(5000..<50_000))
  }

  @Test func otherProgramsResumeOnlyTheirOwnPause() throws {
    let deck = Deck([try folder.numbered("a.wav", frames: 50_000)])
    let output = deck.output()
    output.pull(1000)
    output.send(.corked(true))
    #expect(deck.wait { deck.player.status.state == .paused })
    output.send(.corked(false))
    #expect(deck.wait { deck.player.status.state == .playing })
    deck.player.perform(.pause)
    #expect(deck.wait { deck.player.status.state == .paused })
    output.send(.corked(true))
    output.send(.corked(false))
    usleep(100_000)
    #expect(deck.player.status.state == .paused)
    #expect(deck.outputs.count == 1)
  }

  @Test func skippingGoesToOtherFiles() throws {
    let files = try (0..<3).map {
      try folder.numbered("\($0).wav", frames: 90_000, from: $0 * 100_000)
    }
    let deck = Deck(files)
    let output = deck.output()
    output.pull(100)
    deck.player.perform(.skip(1))
    #expect(deck.wait { deck.player.status.track?.index == 1 })
    output.pull(100)
    deck.player.perform(.skip(-1))
    #expect(deck.wait { deck.player.status.track?.index == 0 })
    output.pull(100)
    #expect(
      Numbered.numbers(output.heard)
        == Array(0..<100) + Array(100_000..<100_100) + Array(0..<100))
  }
}
