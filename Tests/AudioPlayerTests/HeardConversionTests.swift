import AudioIO
import AudioModel
import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import AudioPlayer

/// Sound that is heard, compared with what a conversion writes.
@Suite(.tags(.packageTraits, .threaded))
struct HeardConversionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func converted(_ path: FilePath, _ settings: ConversionSettings) throws -> [Float] {
    let output = folder.file("converted.wav")
    try? FileManager.default.removeItem(atPath: output.string)
    _ = try Conversion(input: .file(path), output: .file(output), settings: settings).run()
    let decoded = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", output.string, "-f", "f32le", "-"]
    ).output
    return decoded.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
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

  @Test(arguments: [ScalingMethod.linear, .smoothstep])
  func seekingInAConversionPlaysWhatItWrites(_ method: ScalingMethod) throws {
    let path = try folder.numbered("a.wav", frames: 60_000)
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
    let wanted = Array(written[..<10_000] + written[80_002..<120_002] + written[246...])
    let fades = [10_000, 50_000]
    #expect(
      besidesFades(output.heard, at: fades, count: 2 * fadeFrames)
        == besidesFades(wanted, at: fades, count: 2 * fadeFrames))
  }

  @Test func seekingInSincIsWithinItsBound() throws {
    let path = try folder.numbered("a.wav", frames: 60_000)
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
    let expected = Array(written[..<10_000] + written[40_002...])
    #expect(output.heard.count == expected.count)
    let pairs = zip(
      besidesFades(output.heard, at: [10_000], count: 2 * fadeFrames),
      besidesFades(expected, at: [10_000], count: 2 * fadeFrames))
    #expect(pairs.allSatisfy { abs($0 - $1) < 2e-6 })
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

  /// GSM is decoded from its start, so its level is measured on another thread while the source is heard: it is as loud
  /// as the result then. Between two samples of noise, the mean is less loud.
  @Test func theSourceIsAsLoudWhereSeekingTakesLong() throws {
    let path = folder.file("noise.wav")
    try Tool.run(
      "sox",
      [
        "-R", "-n", "-r", "8000", "-e", "gsm-full-rate", path.string, "synth", "60", "whitenoise",
        "vol", "0.3",
      ]
    ).succeeded()
    let settings = ConversionSettings(
      time: .factor(try #require(TimeFactor(2))), method: .linear)
    /// The level of the next frames in dB.
    func level(_ deck: Deck) -> Double {
      let start = deck.output().heard.count
      deck.output().pull(8_000)
      let heard = deck.output().heard.dropFirst(start)
      return 10 * log10(heard.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(heard.count))
    }
    let plain = Deck([path])
    let source = (0..<4).map { _ in level(plain) }.reduce(0, +) / 4
    let deck = Deck([PlayItem(.file(path), conversion: settings)])
    let result = (0..<8).map { _ in level(deck) }.reduce(0, +) / 8
    #expect(result - source < -0.6, "\(result) \(source)")
    deck.player.perform(.compare)
    #expect(deck.wait { deck.player.status.hearsSource })
    var compared: [Double] = []
    for _ in 0..<40 where compared.suffix(3).allSatisfy({ abs($0 - result) > 0.3 }) {
      usleep(50_000)
      compared.append(level(deck))
    }
    #expect(abs((compared.last ?? 0) - result) < 0.3, "\(compared) \(result) \(source)")
  }
}
