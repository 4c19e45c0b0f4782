import Foundation
import TestSupport
import Testing

@testable import ScaleAudio

/// Several passes are reported as one.
@Suite("Progress where a file is scanned first")
struct LevelProgressTests {
  @Test(arguments: [ScalingMethod.smoothstep, .linear, .sinc()], [true, false])
  func isMonotoneAndEndsAtTheEnd(method: ScalingMethod, normalizes: Bool) throws {
    let folder = try TemporaryFolder()
    try Tool.run(
      "sox",
      ["-R", "-n", "-r", "44100", "-e", "float", "-b", "32", "in.wav", "synth", "3", "noise"],
      in: folder.path
    ).succeeded()
    var settings = ConversionSettings(
      time: .factor(try #require(TimeFactor(0.9))), method: method)
    settings.level = normalizes ? .normalized(peak: -3) : .guarded
    let conversion = Conversion(
      input: .file(folder.file("in.wav")), output: .file(folder.file("out.wav")),
      settings: settings)
    var frames: [Int] = []
    let report = try conversion.run { progress in
      frames.append(progress.frames)
      #expect(progress.totalFrames == 132_300)
    }
    #expect(frames == frames.sorted())
    #expect(frames.last == 132_300)
    // The scan counts for half of the work.
    #expect((frames.first ?? .max) < 33_075)
    #expect(frames.contains { (60_000..<72_000).contains($0) })
    #expect(report.gainDecibels != nil)
  }

  /// One pass to study, one to scale, one to store what was kept: stretching again would take four.
  @Test func stretchRunsOnce() throws {
    let folder = try TemporaryFolder()
    _ = try Tool.run(
      "sox",
      ["-R", "-n", "-r", "8000", "-b", "16", "in.wav", "synth", "75", "pinknoise"],
      in: folder.path)
    var settings = ConversionSettings(
      time: .factor(try #require(TimeFactor(0.9))), method: .stretch())
    settings.level = .normalized(peak: -3)
    var frames: [Int] = []
    _ = try Conversion(
      input: .file(folder.file("in.wav")), output: .file(folder.file("out.wav")),
      settings: settings
    ).run { frames.append($0.frames) }
    #expect(frames == frames.sorted())
    #expect(frames.contains(200_000) && frames.contains(400_000))
    #expect(frames.last == 600_000)
  }

  @Test func aPeakOutOfRangeIsAnError() throws {
    let folder = try TemporaryFolder()
    _ = try Tool.run("sox", ["-n", "-b", "16", "in.wav", "synth", "0.1", "sine"], in: folder.path)
    for peak in [0.5, -60.5, .nan] {
      var settings = ConversionSettings(time: .factor(try #require(TimeFactor(2))))
      settings.level = .normalized(peak: peak)
      let conversion = Conversion(
        input: .file(folder.file("in.wav")), output: .file(folder.file("out.wav")),
        settings: settings)
      let error = #expect(throws: ConversionError.self) { try conversion.run() }
      #expect(error?.message.contains("is not within -60 to 0 dB") == true)
      #expect(try folder.names() == ["in.wav"])
    }
  }

  @Test func levelsDecideTheContent() throws {
    var settings = ConversionSettings(time: .factor(try #require(TimeFactor(2))))
    let plain = settings.parameters(FilePolicy())
    settings.level = .guarded
    let guarded = settings.parameters(FilePolicy())
    settings.level = .normalized(peak: -1)
    let normalized = settings.parameters(FilePolicy())
    settings.level = .unchanged
    settings.dither = .none
    #expect(Set([plain, guarded, normalized, settings.parameters(FilePolicy())]).count == 4)
  }
}
