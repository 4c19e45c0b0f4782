import ScaleAudio
import TestSupport
import Testing

@testable import AudioIO

/// Guarantees of every method in the conversion of a file.
@Suite("Every method in a conversion", .tags(.packageTraits))
struct MethodTests {
  /// Every method there is; studied, when it studies, before it works.
  static let methods =
    [ScalingMethod.smoothstep, .linear] + ScalingQuality.allCases.map { .sinc(quality: $0) }
    + [.stretch()]

  static let frames = 100_000

  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try Tool.run(
      "sox",
      [
        "-R", "-n", "-r", "8000", "-b", "16", "-c", "2", folder.file("in.wav").string, "synth",
        "\(Double(Self.frames) / 8000)", "pinknoise",
      ])
  }

  private func conversion(
    _ method: ScalingMethod, factor: Double, to name: String = "out.wav"
  ) throws -> Conversion {
    var settings = ConversionSettings(
      time: .factor(try #require(TimeFactor(factor))), method: method)
    settings.format = AudioFormat.named(name.hasSuffix("ogg") ? "ogg" : "wav")
    return Conversion(
      input: .file(folder.file("in.wav")), output: .file(folder.file(name)), settings: settings)
  }

  /// Lossless outputs and lossy ones are written by different ways.
  @Test(arguments: methods, ["out.wav", "out.ogg"])
  func progressGoesForwardToTheEnd(method: ScalingMethod, name: String) throws {
    for factor in [0.5, 1, 3] {
      var reported: [ConversionProgress] = []
      let conversion = try conversion(method, factor: factor, to: name)
      let report = try conversion.run { reported.append($0) }
      #expect(report.outputFrames == Int(Double(Self.frames) * factor))
      #expect(reported.count > 3)
      #expect(reported.allSatisfy { $0.totalFrames == Self.frames && $0.sampleRate == 8000 })
      #expect(zip(reported, reported.dropFirst()).allSatisfy { $0.frames <= $1.frames })
      #expect(reported.last?.frames == Self.frames)
      _ = try Tool.run("rm", [folder.file(name).string])
    }
  }

  /// Cancelled after the first block, in the middle, and when all input is done.
  @Test(arguments: methods, [0, frames / 2, frames])
  func cancellingLeavesNothing(method: ScalingMethod, after: Int) throws {
    let cancellation = Cancellation()
    var blocksAfter = 0
    let conversion = try conversion(method, factor: 1.5)
    #expect(throws: ConversionError.cancelled) {
      _ = try conversion.run(cancellation: cancellation) { progress in
        if cancellation.isCancelled { blocksAfter += 1 }
        if progress.frames >= after { cancellation.cancel() }
      }
    }
    #expect(blocksAfter == 0)
    #expect(try folder.names() == ["in.wav"])
  }
}
