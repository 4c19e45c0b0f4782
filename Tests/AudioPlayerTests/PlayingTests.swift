import AudioIO
import AudioModel
import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import AudioPlayer

/// Sound that is heard, compared with the frames of the files.
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

  /// Cancelled work ends the sound also if the thread that would stop the player waits for something.
  @Test func cancellingEndsIt() throws {
    let deck = Deck([try folder.numbered("a.wav", frames: 200_000)])
    deck.output().pull(10_000)
    deck.cancellation.cancel()
    #expect(deck.wait { deck.hasEnded })
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

  /// Sound that an output holds for a short time is heard before the other; sound that it holds for long is discarded.
  @Test(arguments: [3000, 20_000]) func seekingDiscardsTheQueue(latency: Int) throws {
    let kept = latency == 3000 ? latency : 0
    let deck = Deck([try folder.numbered("a.wav", frames: 200_000)], latency: latency)
    let output = deck.output()
    output.pull(40_000)
    let first = 40_000 - latency
    #expect(Numbered.numbers(output.heard) == Array(0..<first))
    deck.player.perform(.seek(frame: 150_001))
    #expect(deck.wait { deck.player.status.frame == 150_001 })
    output.pull(30_000)
    let heard = Numbered.numbers(output.heard)
    let wanted = Array(0..<first + kept) + Array(150_001..<180_001 - latency)
    #expect(heard.count == wanted.count)
    #expect(
      besidesFades(heard, at: [first + kept]) == besidesFades(wanted, at: [first + kept]))
    #expect(deck.wait { deck.player.status.frame == Double(180_001 - latency) })
    deck.player.perform(.move(seconds: -1))
    #expect(deck.wait { deck.player.status.frame == Double(132_001 - latency) })
    output.pull(30_000)
    #expect(Numbered.numbers(output.heard).last == 162_000 - 2 * latency)
  }

  @Test func aThousandRoundsOfALoopDriftByNoFrame() throws {
    let deck = Deck([try folder.numbered("a.wav", frames: 40_000)])
    let output = deck.output()
    deck.player.perform(.setLoop(1111..<1414))
    #expect(deck.wait { deck.player.status.frame == 1111 && deck.player.status.loop != nil })
    output.pull(303 * 1000)
    let rounds = Array(repeating: Array(1111..<1414), count: 1000).flatMap { $0 }
    let fades = Array(stride(from: 0, to: rounds.count, by: 303))
    #expect(
      besidesFades(Numbered.numbers(output.heard), at: fades) == besidesFades(rounds, at: fades))
    deck.player.perform(.setLoop(nil))
    output.pull(20_000)
    let rest = Numbered.numbers(output.heard).dropFirst(rounds.count)
    #expect(rest.last! > 5000)
    // The rounds that were decoded before the loop was removed are heard.
    let ahead = rest.suffix(12_000)
    #expect(zip(ahead, ahead.dropFirst()).allSatisfy { $1 == $0 + 1 })
  }

  /// A file gets the frames of a loop as they are.
  @Test(arguments: [1, 2, 5]) func aFileHoldsSoManyExactRounds(rounds: Int) throws {
    let source = try folder.numbered("a.wav", frames: 5003)
    let other = try folder.numbered("b.wav", frames: 700, from: 9000)
    let deck = Deck(
      [source, other], { $0.rounds = rounds }, fixed: AudioSpec(sampleRate: 48_000, layout: .stereo)
    )
    deck.playToEnd()
    let wanted =
      Array(repeating: Array(0..<5003), count: rounds).flatMap { $0 }
      + Array(repeating: Array(9000..<9700), count: rounds).flatMap { $0 }
    #expect(Numbered.numbers(deck.outputs[0].heard) == wanted)
  }

  /// The sound of a tone has no step that is greater than its own and that of a fade.
  @Test func jumpsAreFaded() throws {
    let (amplitude, step) = (0.9, 2 * Double.pi * 440 / 48_000)
    let path = folder.file("tone.wav")
    try WAV.write(
      path, floats: (0..<480_000).map { Float(amplitude * sin(step * Double($0))) }, channels: 1)
    let deck = Deck([path], latency: 500)
    let output = deck.output()
    func pullAndCheck(_ frames: Int, _ what: Comment) {
      output.pull(frames)
      let heard = output.heard
      let steps = zip(heard, heard.dropFirst()).map { abs($0 - $1) }
      let greatest = Float(amplitude * (step + 2 / Double(fadeFrames)))
      let place = steps.firstIndex { $0 > greatest }
      #expect(place == nil, what)
    }
    // Time passes while the sound fades.
    func pullUntilPaused() {
      while deck.player.status.state != .paused {
        output.pull(48)
        usleep(1000)
      }
    }
    pullAndCheck(9_000, "the start")
    // Half a period further: from a crest to a trough.
    deck.player.perform(.seek(frame: 48_000 + 27))
    #expect(deck.wait { deck.player.status.frame == 48_027 })
    pullAndCheck(9_000, "a seek")
    deck.player.perform(.pause)
    pullUntilPaused()
    pullAndCheck(100, "a pause")
    #expect(output.heard.last == 0)
    let frame = deck.player.status.frame
    deck.player.perform(.play)
    #expect(deck.wait { deck.player.status.state == .playing })
    pullAndCheck(9_000, "going on")
    #expect(deck.wait { deck.player.status.frame > frame + 8_000 })
    // A seek while it is paused.
    deck.player.perform(.pause)
    pullUntilPaused()
    pullAndCheck(100, "a second pause")
    deck.player.perform(.seek(frame: 10_027))
    deck.player.perform(.play)
    #expect(deck.wait { deck.player.status.state == .playing })
    pullAndCheck(9_000, "going on elsewhere")
    deck.player.perform(.setLoop(30_000..<31_027))
    #expect(deck.wait { deck.player.status.loop != nil })
    pullAndCheck(9_000, "rounds of a loop")
  }

  /// A file that ends away from where it starts repeats without a step; one whose ends meet repeats exactly.
  @Test(arguments: [0, 27]) func aRepeatedToneHasNoStep(rest: Int) throws {
    // 400 Hz: a period of 120 frames.
    let step = 2 * Double.pi / 120
    let tone = (0..<12_000 + rest).map { Float(0.9 * sin(step * Double($0))) }
    let path = folder.file("tone.wav")
    try WAV.write(path, floats: tone, channels: 1)
    let deck = Deck([path], { $0.rounds = 3 })
    deck.playToEnd()
    let heard = deck.outputs[0].heard
    #expect(heard.count == 3 * tone.count)
    let greatest = Float(0.9 * (step + 2 / Double(fadeFrames)))
    #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($0 - $1) <= greatest })
    if rest == 0 { #expect(heard == tone + tone + tone) }
    #expect(
      heard.suffix(tone.count - fadeFrames).elementsEqual(tone.suffix(tone.count - fadeFrames)))
  }

  /// Each of several commands that come together counts.
  @Test func relativeCommandsAddUp() throws {
    let deck = Deck([try folder.numbered("a.wav", frames: 480_000)])
    let output = deck.output()
    output.pull(1000)
    #expect(deck.wait { deck.player.status.frame == 1000 })
    deck.player.perform(.pause)
    for _ in 0..<10 { deck.player.perform(.changeVolume(steps: -1)) }
    for _ in 0..<3 { deck.player.perform(.toggleMute) }
    for _ in 0..<4 { deck.player.perform(.changeRate(steps: 1)) }
    for _ in 0..<2 { deck.player.perform(.scaleRate(2)) }
    for _ in 0..<3 { deck.player.perform(.changeSemitones(-1)) }
    for _ in 0..<3 { deck.player.perform(.nextRepeat) }
    for _ in 0..<5 { deck.player.perform(.move(seconds: 1)) }
    #expect(deck.wait { deck.player.status.frame == 1000 + 5 * 48_000 })
    let status = deck.player.status
    #expect(status.volume == Volume(level: 0.5, isMuted: true))
    // (1 + 4 * 0.05) * 4 is beyond the greatest rate.
    #expect(status.rate == 4)
    #expect(status.semitones == -3)
    #expect(status.loopsTrack)
    for _ in 0..<20 { deck.player.perform(.changeVolume(steps: 1)) }
    #expect(deck.wait { deck.player.status.volume.level == 1 })
  }

  /// A pause and its end are reported once each, and only those that happened.
  @Test func pausesAreReportedOnce() throws {
    let deck = Deck([try folder.numbered("a.wav", frames: 90_000)])
    let output = deck.output()
    output.pull(1000)
    deck.player.perform(.play)
    deck.player.perform(.pause)
    deck.player.perform(.pause)
    deck.player.perform(.toggle)
    deck.player.perform(.toggle)
    #expect(deck.wait { deck.pauses.count == 3 })
    deck.player.perform(.stop)
    #expect(deck.wait { deck.hasEnded })
    #expect(deck.pauses == [true, false, true])
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
    // What the output holds is heard before the first round.
    let wanted = Array(0..<15_500) + round + round + round.prefix(2000)
    let fades = [15_500, 20_500, 25_500]
    #expect(besidesFades(heard, at: fades) == besidesFades(wanted, at: fades))
    deck.player.perform(.markLoop)
    #expect(deck.wait { deck.player.status.loop == nil })
  }

  @Test func aFileRepeatsWithoutAGap() throws {
    let deck = Deck([try folder.numbered("a.wav", frames: 5003)], { $0.rounds = .max })
    let output = deck.output()
    output.pull(5003 * 4)
    let rounds = Array(repeating: Array(0..<5003), count: 4).flatMap { $0 }
    let fades = [5003, 10_006, 15_009]
    #expect(
      besidesFades(Numbered.numbers(output.heard), at: fades) == besidesFades(rounds, at: fades))
  }

  @Test func theEndOfAFileThatRepeatsIsItsStart() throws {
    let deck = Deck(
      [try folder.numbered("a.wav", frames: 5000), try folder.numbered("b.wav", frames: 5000)],
      { $0.rounds = .max })
    let output = deck.output()
    output.pull(3000)
    #expect(deck.wait { deck.player.status.frame == 3000 })
    deck.player.perform(.seek(frame: 5000))
    #expect(deck.wait { deck.player.status.frame == 0 })
    output.pull(1000)
    let wanted = Array(0..<3000) + Array(0..<1000)
    #expect(
      besidesFades(Numbered.numbers(output.heard), at: [3000]) == besidesFades(wanted, at: [3000]))
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
    #expect(heard[999] == 1 && heard[1999] == 0.015625 && heard[2999] == 0)
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
    output.pull(1000)
    deck.player.perform(.skip(1))
    #expect(deck.wait { deck.player.status.track?.index == 1 })
    output.pull(1000)
    deck.player.perform(.skip(-1))
    #expect(deck.wait { deck.player.status.track?.index == 0 })
    output.pull(1000)
    let wanted = Array(0..<1000) + Array(100_000..<101_000) + Array(0..<1000)
    #expect(
      besidesFades(Numbered.numbers(output.heard), at: [1000, 2000])
        == besidesFades(wanted, at: [1000, 2000]))
  }
}
