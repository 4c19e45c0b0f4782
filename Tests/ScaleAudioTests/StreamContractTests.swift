import AudioFiles
import AudioIO
import AudioModel
import Foundation
import TestSupport
import Testing

@testable import ScaleAudio

/// Every kind of stream keeps the contract of ``FrameStream``.
@Suite("Contract of streams")
struct StreamContractTests {
  /// The kinds of streams of this library and those below.
  enum Kind: String, CaseIterable, Sendable {
    case wav, flac, ogg, chained
    #if FFmpeg
      case m4a
    #endif
    case part, partAfterSilence, mono, rounded
    case linear, smoothstep, sinc, partOfMono
    case live, liveMapped, downsampled, upsampled, resampledLive
    case ahead, aheadTwice
  }

  private static let files = Result { try Files() }

  @Test(arguments: Kind.allCases, [SampleFormat.int16, .float32, .float64])
  func holds(_ kind: Kind, _ format: SampleFormat) throws {
    let files = try Self.files.get()
    // The filters of libsoxr add in another order, in single precision.
    let slack = 2e-6 + (format == .int16 ? 0x1p-15 : 0)
    let afterSeek: StreamContract.AfterSeek =
      switch kind {
      case .live, .liveMapped, .resampledLive: .anew
      case .sinc, .downsampled, .upsampled: .within(slack)
      default: .equal
      }
    let result = try StreamContract(as: format, afterSeek: afterSeek) {
      try files.stream(kind, format)
    }.check()
    #expect(result.violations == [])
    #expect(result.checked > 50)
  }

  /// Files of the same noise.
  private final class Files: Sendable {
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try write("in.wav", frames: 30_011, seed: 1)
      try write("next.wav", frames: 9_000, seed: 2)
      for (source, name, format) in [
        ("in.wav", "in.flac", "flac"), ("in.wav", "in.ogg", "ogg"), ("next.wav", "next.ogg", "ogg"),
      ] {
        try convert(source, name, format)
      }
      #if FFmpeg
        try convert("in.wav", "in.m4a", "m4a")
      #endif
      var chained = try Data(contentsOf: URL(fileURLWithPath: folder.file("in.ogg").string))
      chained += try Data(contentsOf: URL(fileURLWithPath: folder.file("next.ogg").string))
      try chained.write(to: URL(fileURLWithPath: folder.file("chained.ogg").string))
    }

    private func convert(_ source: String, _ name: String, _ format: String) throws {
      var settings = ConversionSettings(time: .unchanged, method: .linear)
      settings.format = .named(format)
      _ = try Conversion(
        input: .file(folder.file(source)), output: .file(folder.file(name)), settings: settings
      ).run()
    }

    /// Writes stereo noise of 16 bits, with a smooth beginning and full scale at places.
    private func write(_ name: String, frames: Int, seed: UInt64) throws {
      var numbers = SeededNumbers(seed: seed)
      var data = Data()
      for frame in 0..<frames {
        for channel in 0..<2 {
          let tone = sin(Double(frame) * (channel == 0 ? 0.05 : 0.031))
          let noise = Double.random(in: -1...1, using: &numbers)
          let sample = min(1, max(-1, tone * 0.6 + noise * 0.5))
          withUnsafeBytes(of: Int16((sample * 32_767).rounded()).littleEndian) {
            data.append(contentsOf: $0)
          }
        }
      }
      func number(_ value: Int, _ bytes: Int) -> Data {
        Data((0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
      }
      let format =
        number(1, 2) + number(2, 2) + number(44_100, 4) + number(176_400, 4) + number(4, 2)
        + number(16, 2)
      let body =
        Data("WAVEfmt ".utf8) + number(16, 4) + format + Data("data".utf8) + number(data.count, 4)
        + data
      try (Data("RIFF".utf8) + number(body.count, 4) + body).write(
        to: URL(fileURLWithPath: folder.file(name).string))
    }

    /// Another stream of a kind, at its first frame.
    func stream(_ kind: Kind, _ format: SampleFormat) throws -> any FrameStream {
      let path = folder.file("in.wav")
      switch kind {
      case .wav: return try file("in.wav")
      case .flac: return try file("in.flac")
      case .ogg: return try file("in.ogg")
      case .chained: return try file("chained.ogg")
      #if FFmpeg
        case .m4a: return try file("in.m4a")
      #endif
      case .part:
        let whole = try file("in.flac")
        return PartStream(whole, SourcePart(7_001..<23_456, of: whole.source))
      case .partAfterSilence:
        let whole = try file("in.wav")
        return PartStream(whole, -777..<20_000, of: whole.source)
      case .mono: return MonoStream(try file("in.wav"), weights: [0.5, 0.5])
      case .rounded: return RoundedStream(try file("in.ogg"))
      case .linear: return try converted("in.wav", .linear, 1.37)
      case .smoothstep: return try converted("in.flac", .smoothstep, 0.61)
      case .sinc: return try converted("in.ogg", .sinc(), 1.25)
      case .partOfMono:
        return try converted("in.flac", .linear, 0.8) { settings in
          settings.channels = .mono(.mean)
          settings.part = TimeRange(from: .afterStart(.frames(5000)), to: .fraction(0.9))
        }
      case .live: return try LiveStream(try file("in.wav"), rate: 1.5, semitones: 2, path: path)
      case .liveMapped:
        let whole = try file("in.wav")
        let frames = Double(whole.source.frameCount)
        let map = TimeMap(points: [
          .init(source: 0, output: 0), .init(source: 9_000.4, output: 13_000.7),
          .init(source: 12_000, output: 14_000), .init(source: frames, output: frames + 5000),
        ])
        return try LiveStream(whole, map: #require(map), semitones: 1, path: path)
      case .downsampled: return try ResampledStream(try file("in.wav"), to: 32_000, path: path)
      case .upsampled: return try ResampledStream(try file("in.flac"), to: 96_000, path: path)
      case .resampledLive:
        let live = try LiveStream(try file("in.flac"), rate: 0.7, semitones: 0, path: path)
        return try ResampledStream(live, to: 48_000, path: path)
      case .ahead:
        return ReadAhead(
          try file("in.flac"), as: format, blockSamples: 2 * 4096, after: nil,
          budget: CoreBudget(cores: 2))
      case .aheadTwice:
        let first = ReadAhead(
          try file("in.flac"), as: .int16, blockSamples: 2 * 1000, after: nil,
          budget: CoreBudget(cores: 1))
        return ReadAhead(
          RoundedStream(first), as: format, blockSamples: 2 * 700, after: first,
          budget: CoreBudget(cores: 3))
      }
    }

    private func file(_ name: String) throws -> any FrameStream {
      try AudioFile.reader(for: try InputFile(path: folder.file(name)), salvaging: false)
    }

    private func converted(
      _ name: String, _ method: ScalingMethod, _ factor: Double,
      _ change: (inout ConversionSettings) -> Void = { _ in }
    ) throws -> ConvertedStream {
      var settings = ConversionSettings(
        time: .factor(try #require(TimeFactor(factor))), method: method)
      settings.format = .named("wav")
      change(&settings)
      return try ConvertedStream(try file(name), settings: settings, path: folder.file(name))
    }
  }
}
