import AudioFiles
import AudioIO
import AudioModel
import Foundation
import TestSupport
import Testing
import TimeScaling

@testable import ScaleAudio

/// Frames read at random places, compared with converted files as sox decodes them.
@Suite("Scaled frames from any frame on")
struct ConvertedStreamTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try Tool.run(
      "sox",
      ["-R", "-n", "-r", "44100", "-c", "2", "-b", "16", "in.wav", "synth", "1.5", "pinknoise"],
      in: folder.path
    ).succeeded()
    for name in ["in.flac", "in.ogg", "in.mp3"] {
      _ = try Tool.run("ffmpeg", ["-v", "error", "-i", "in.wav", name], in: folder.path)
    }
  }

  /// The samples that a conversion writes, as doubles.
  private func converted(_ name: String, _ settings: ConversionSettings) throws -> [Double] {
    var settings = settings
    settings.format = .named("wav")
    _ = try Conversion(
      input: .file(folder.file(name)), output: .file(folder.file("out.wav")), settings: settings,
      files: FilePolicy(existing: .replace)
    ).run()
    let raw = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", "out.wav", "-f", "f64le", "-"], in: folder.path)
    return raw.output.withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
  }

  private func reader(_ name: String, _ settings: ConversionSettings) throws -> ConvertedStream {
    let file = try InputFile(path: folder.file(name))
    return try ConvertedStream(
      try AudioFile.reader(for: file, salvaging: false, track: nil), settings: settings,
      path: folder.file(name))
  }

  private func read(_ reader: ConvertedStream, frames: Int) throws -> [Double] {
    var samples = [Double](repeating: .nan, count: frames * 2)
    var done = 0
    while done < frames {
      var span = samples.mutableSpan
      var rest = span._mutatingExtracting(done * 2..<min(frames, done + 700) * 2)
      let count = try reader.read(into: &rest)
      if count == 0 { break }
      done += count
    }
    return Array(samples.prefix(done * 2))
  }

  @Test(
    arguments: ["in.wav", "in.flac", "in.ogg", "in.mp3"],
    [ScalingMethod.linear, .smoothstep, .sinc()])
  func readsWhatAConversionWrites(name: String, method: ScalingMethod) throws {
    for value in [0.7, 1.5] {
      var settings = ConversionSettings(
        time: .factor(try #require(TimeFactor(value))), method: method)
      settings.format = .named("wav")
      if method.kind == .sinc { settings.sampleFormat = .float64 }
      let whole = try converted(name, settings)
      let reader = try reader(name, settings)
      #expect(reader.frameCount == whole.count / 2)
      #expect(try read(reader, frames: reader.frameCount + 1) == whole)
      var numbers = SystemRandomNumberGenerator()
      for _ in 0..<20 {
        let start = Int.random(in: 0...reader.frameCount, using: &numbers)
        try reader.seek(toFrame: start)
        let end = min(reader.frameCount, start + 3000)
        let part = try read(reader, frames: 3000)
        #expect(part.count == (end - start) * 2)
        let worst = zip(part, whole[(start * 2)...]).map { abs($0 - $1) }.max() ?? 0
        // The filters of sinc add in another order, in single precision.
        #expect(worst <= (method.kind == .sinc ? 2e-6 : 0), "\(start)")
        #expect(reader.position == end)
      }
    }
  }

  @Test func partsAndMergedChannels() throws {
    var settings = ConversionSettings(
      time: .factor(try #require(TimeFactor(1.25))), method: .linear, channels: .mono(.mean))
    settings.part = TimeRange(from: .afterStart(.frames(10_000)), to: .fraction(0.5))
    let whole = try converted("in.wav", settings)
    let reader = try reader("in.wav", settings)
    #expect(reader.spec.channelCount == 1)
    try reader.seek(toFrame: 5000)
    var samples = [Float](repeating: 0, count: 4000)
    var span = samples.mutableSpan
    #expect(try reader.read(into: &span) == 4000)
    #expect(samples == whole[5000..<9000].map { Float($0) })
  }

  @Test func stretchIsRefused() throws {
    let settings = ConversionSettings(
      time: .factor(try #require(TimeFactor(1.5))), method: .stretch())
    #expect(throws: ConversionError.self) { try reader("in.wav", settings) }
  }
}
