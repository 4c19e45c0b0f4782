import AudioIO
import AudioModel
import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import AudioPlayer

/// What is heard, compared with the frames of the files.
struct PlayingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func numbered(
    _ name: String, frames: Int, from first: Int = 0, rate: Int = 48_000
  ) throws -> FilePath {
    let path = folder.file(name)
    try Numbered.write(path, frames: frames, from: first, rate: rate)
    return path
  }

  @Test func everyFrameIsHeardOnce() throws {
    let deck = Deck([try numbered("a.wav", frames: 60_000)], latency: 700)
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

  #if FFmpeg
    /// A long file begins before its length is known, and its frames are those of a conversion.
    @Test(arguments: [("a.mp3", ["-write_xing", "0"]), ("a.mka", ["-c:a", "libmp3lame"])])
    func aLongFileIsMeasuredWhileItPlays(_ name: String, _ options: [String]) throws {
      let path = folder.file(name)
      // More than is measured first, in few samples.
      let source = "anoisesrc=d=15:a=0.3:r=48000:seed=1"
      let made = try Tool.run(
        "ffmpeg",
        ["-v", "error", "-nostdin", "-f", "lavfi", "-i", source, "-b:a", "320k"] + options
          + [path.string])
      try #require(made.status == 0, "\(made.errorText)")
      var settings = ConversionSettings(time: .unchanged, method: .linear)
      (settings.format, settings.sampleFormat) = (.named("wav"), .float32)
      let written = try converted(path, settings)
      let deck = Deck([path])
      deck.playToEnd()
      let heard = deck.outputs[0].heard
      // Not compared as arrays: to find how long ones differ takes too much time.
      let same = zip(heard, written).prefix { $0 == $1 }.count
      #expect(same == written.count && same == heard.count, "\(same) of \(heard.count)")
      let measured = try #require(deck.player.status.track?.source)
      #expect(measured.lengthBasis != .estimated)
      #expect(measured.frameCount == written.count)
    }
  #endif

  @Test func seekingDiscardsWhatIsQueued() throws {
    let deck = Deck([try numbered("a.wav", frames: 200_000)], latency: 3000)
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
    let deck = Deck([try numbered("a.wav", frames: 40_000)])
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
    let deck = Deck([try numbered("a.wav", frames: 400_000)], latency: 500)
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
    let deck = Deck([try numbered("a.wav", frames: 5003)], settings)
    let output = deck.output()
    output.pull(5003 * 4)
    let rounds = Array(repeating: Array(0..<5003), count: 4).flatMap { $0 }
    #expect(Numbered.numbers(output.heard) == rounds)
  }

  @Test func filesFollowWithoutAGap() throws {
    let files = try [
      numbered("a.wav", frames: 7001), numbered("b.wav", frames: 13, from: 7001),
      numbered("c.wav", frames: 9000, from: 7014),
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
      numbered("a.wav", frames: 9000), numbered("b.wav", frames: 8000, rate: 44_100),
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
    let first = try numbered("a.wav", frames: 100_000)
    _ = try Tool.run("flac", ["--silent", "-o", whole.string, first.string])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: whole.string))
    let damaged = folder.file("damaged.flac")
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: damaged.string))
    let text = folder.file("text.wav")
    try Data("no audio".utf8).write(to: URL(fileURLWithPath: text.string))
    let last = try numbered("b.wav", frames: 3000, from: 200_000)
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

  private func converted(_ path: FilePath, _ settings: ConversionSettings) throws -> [Float] {
    let output = folder.file("converted.wav")
    try? FileManager.default.removeItem(atPath: output.string)
    _ = try Conversion(input: .file(path), output: .file(output), settings: settings).run()
    let decoded = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", output.string, "-f", "f32le", "-"]
    ).output
    return decoded.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  @Test(arguments: [ScalingMethod.linear, .smoothstep])
  func seekingInAConversionPlaysWhatItWrites(_ method: ScalingMethod) throws {
    let path = try numbered("a.wav", frames: 60_000)
    let settings = ConversionSettings(time: .factor(try #require(TimeFactor(1.37))), method: method)
    let written = try converted(path, settings)
    let deck = Deck([PlayItem(.file(path), conversion: settings)])
    let output = deck.output()
    output.pull(5000)
    deck.player.perform(.seek(frame: 40_001))
    #expect(deck.wait { deck.player.status.frame == 40_001 })
    output.pull(20_000)
    deck.player.perform(.seek(frame: 123))
    #expect(deck.wait { deck.player.status.frame == 123 })
    deck.playToEnd()
    #expect(
      output.heard == Array(written[..<10_000] + written[80_002..<120_002] + written[246...]))
  }

  @Test func seekingInSincIsWithinItsBound() throws {
    let path = try numbered("a.wav", frames: 60_000)
    var settings = ConversionSettings(
      time: .factor(try #require(TimeFactor(0.61))), method: .sinc(quality: .high))
    settings.sampleFormat = .float32
    let written = try converted(path, settings)
    let deck = Deck([PlayItem(.file(path), conversion: settings)])
    let output = deck.output()
    output.pull(5000)
    deck.player.perform(.seek(frame: 20_001))
    #expect(deck.wait { deck.player.status.frame == 20_001 })
    deck.playToEnd()
    let expected = written[..<10_000] + written[40_002...]
    #expect(output.heard.count == expected.count)
    #expect(zip(output.heard, expected).allSatisfy { abs($0 - $1) < 2e-6 })
  }

  /// Source and conversion follow each other at the same moment, without a gap.
  @Test func comparingKeepsThePosition() throws {
    let path = folder.file("ramp.wav")
    let count = 96_000
    try WAV.write(path, floats: (0..<count).map { Float($0) / Float(count) }, channels: 1)
    let settings = ConversionSettings(
      time: .factor(try #require(TimeFactor(2))), method: .linear)
    let deck = Deck([PlayItem(.file(path), conversion: settings)], latency: 700)
    let output = deck.output()
    var heard = 0
    for isSource in [true, false, true] {
      output.pull(9000)
      heard += 9000
      deck.player.perform(.compare)
      #expect(deck.wait { deck.player.status.hearsSource == isSource })
    }
    output.pull(9000)
    let samples = output.heard.map { Double($0) * Double(count) }
    // A ramp names its moment: steps of half a frame while the conversion is heard, and of a frame otherwise. A fade
    // from one to the other begins with the step of the one, and ends with up to half a frame beyond that of the other.
    let steps = zip(samples, samples.dropFirst()).map { $1 - $0 }
    #expect(steps.allSatisfy { $0 > -0.05 && $0 < 1.55 }, "\(steps.min()!) \(steps.max()!)")
    #expect(steps.count { abs($0 - 0.5) < 0.02 } > 10_000)
    #expect(steps.count { abs($0 - 1) < 0.02 } > 10_000)
    // The position that is shown is that of the sample that is heard next.
    #expect(deck.wait { abs(deck.player.status.frame - samples.last!) < 2 })
    #expect(deck.player.status.track?.source.frameCount == count)
  }

  #if RubberBand
    @Test func comparingARatePlaysTheFileAndReturns() throws {
      var settings = PlayerSettings()
      settings.rate = 1.5
      let path = folder.file("ramp.wav")
      let count = 480_000
      try WAV.write(
        path, floats: (0..<count).map { 0.5 * Float(sin(Double($0) * 0.05)) }, channels: 1)
      let deck = Deck([PlayItem(.file(path))], settings)
      let output = deck.output()
      output.pull(20_000)
      deck.player.perform(.compare)
      #expect(deck.wait { deck.player.status.hearsSource })
      #expect(deck.player.status.rate == 1.5)
      output.pull(48_000)
      #expect(deck.wait { deck.player.status.frame > 60_000 })
      #expect(
        deck.wait {
          let frame = Int(deck.player.status.frame)
          return output.heard.last == 0.5 * Float(sin(Double(frame - 1) * 0.05))
        })
      let frame = Int(deck.player.status.frame)
      deck.player.perform(.compare)
      #expect(deck.wait { !deck.player.status.hearsSource })
      output.pull(20_000)
      #expect(deck.wait { deck.player.status.frame > Double(frame) + 25_000 })
      deck.player.perform(.compare)
      deck.player.perform(.setRate(2))
      #expect(deck.wait { deck.player.status.rate == 2 && !deck.player.status.hearsSource })
    }
  #endif

  @Test func pausingKeepsTheFrame() throws {
    let deck = Deck([try numbered("a.wav", frames: 50_000)], latency: 300)
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
    let deck = Deck([try numbered("a.wav", frames: 50_000)], latency: 300)
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
    let deck = Deck([try numbered("a.wav", frames: 50_000)])
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
      try numbered("\($0).wav", frames: 90_000, from: $0 * 100_000)
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

/// Channels by speaker.
struct ChannelMatrixTests {
  private func mapped(_ frame: [Float], _ source: ChannelLayout, _ output: ChannelLayout) -> [Float]
  {
    var result = [Float](repeating: 9, count: output.channelCount)
    let matrix = ChannelMatrix(from: source, to: output)
    matrix.map(frame, to: &result, frameCount: 1)
    return result
  }

  private let surround = ChannelLayout(mask: 0x3F, channelCount: 6) ?? .mono

  @Test func surroundIsMixedToStereoByITU() {
    // L' = L + 0.7071 C + 0.7071 LS, and so the right, over the sum of the weights.
    let side = 1 + 2 * 0.5.squareRoot()
    let mixed = mapped([0.5, -0.25, 0.75, 1, 0.125, 0.3], surround, .stereo).map(Double.init)
    let left = (0.5 + 0.5.squareRoot() * (0.75 + 0.125)) / side
    let right = (-0.25 + 0.5.squareRoot() * (0.75 + Double(Float(0.3)))) / side
    #expect(abs(mixed[0] - left) < 1e-6)
    #expect(abs(mixed[1] - right) < 1e-6)
  }

  @Test func speakersFindTheirChannels() {
    let swapped = ChannelLayout([.frontRight, .frontLeft])!
    #expect(mapped([1, 0.5], .stereo, swapped) == [0.5, 1])
    #expect(mapped([0.5], .mono, .stereo) == [0.5, 0.5])
    #expect(mapped([0.5], .mono, surround) == [0, 0, 0.5, 0, 0, 0])
    #expect(mapped([0.5, 0.25], .stereo, surround) == [0.5, 0.25, 0, 0, 0, 0])
    #expect(mapped([0.5, 0.25], .stereo, .mono) == [0.375])
    #expect(mapped([1, 2, 3], .unspecified(3), .unspecified(3)) == [1, 2, 3])
  }
}
