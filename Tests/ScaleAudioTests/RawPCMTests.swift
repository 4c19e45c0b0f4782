import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Samples without a header, compared with those of ffmpeg.
@Suite("Raw PCM")
struct RawPCMTests {
  private let bench: Workbench

  init() throws {
    bench = try Workbench()
    try bench.shell("sox -R -n -r 44100 -b 32 -c 2 in.wav synth 0.2 pinknoise gain -2")
  }

  /// Writes `in.raw` with ffmpeg, which calls µ-law by another name.
  private func makeRaw(_ encoding: RawPCM.Encoding) throws {
    try bench.run(
      "ffmpeg", "-v", "error", "-i", "in.wav", "-f", Self.ffmpegName(encoding), "in.raw")
  }

  private static func ffmpegName(_ encoding: RawPCM.Encoding) -> String {
    encoding == .ulaw ? "mulaw" : encoding.rawValue
  }

  /// The samples of a file with a header, or of a raw one.
  private func values(_ name: String, _ encoding: RawPCM.Encoding? = nil) throws -> [UInt8] {
    let options = encoding.map { ["-f", Self.ffmpegName($0), "-ar", "44100", "-ac", "2"] } ?? []
    let run = try Tool.run(
      "ffmpeg", ["-v", "error"] + options + ["-i", name, "-f", "f64le", "-"], in: bench.folder.path
    ).succeeded()
    return run.output
  }

  /// Files of headerless samples.
  private static func raw(
    _ encoding: RawPCM.Encoding, _ rate: Int = 44_100, salvages: Bool = false
  ) -> FilePolicy {
    var files = FilePolicy(salvages: salvages)
    files.raw = RawPCM(encoding: encoding, spec: AudioSpec(sampleRate: rate, layout: .stereo))
    return files
  }

  @Test(arguments: RawPCM.Encoding.allCases)
  func samplesEqualThoseOfFFmpeg(encoding: RawPCM.Encoding) throws {
    try makeRaw(encoding)
    try bench.convert("in.raw", to: "out.wav", .by(1), files: Self.raw(encoding))
    let expected = try values("in.raw", encoding)
    #expect(expected.count == 8820 * 2 * 8)
    #expect(try values("out.wav") == expected)
    guard encoding.sampleFormat != nil else { return }
    // And back.
    try bench.convert("out.wav", to: "back.raw", .by(1)) {
      $0.format = .raw(encoding)
      $0.sampleFormat = encoding.sampleFormat
    }
    #expect(try bench.bytes("back.raw") == bench.bytes("in.raw"))
    try bench.convert("in.raw", to: "same.raw", .by(1), files: Self.raw(encoding))
    #expect(try bench.bytes("same.raw") == bench.bytes("in.raw"))
  }

  /// Outputs of raw inputs have their encoding; others are little-endian in the depth of their source, or in the
  /// requested one.
  @Test func outputsKeepTheByteOrder() throws {
    try makeRaw(.s16be)
    try bench.shell("ffmpeg -v error -f s16be -ar 44100 -ac 2 -i in.raw in16.wav")
    try bench.convert("in.raw", to: "big.pcm", .by(1.5), files: Self.raw(.s16be))
    try bench.convert("in16.wav", to: "little.raw", .by(1.5))
    try bench.convert("in16.wav", to: "deep.raw", .by(1.5)) { $0.sampleFormat = .int24 }
    #expect(try values("big.pcm", .s16be) == values("little.raw", .s16le))
    #expect(try bench.bytes("deep.raw").count == 8820 * 3 / 2 * 2 * 3)
  }

  @Test func aFileThatEndsWithinAFrameIsDamaged() throws {
    try bench.folder.write("cut.raw", [UInt8](repeating: 1, count: 4001))
    let refused = try bench.failure(
      of: "cut.raw", to: "out.wav", .by(1), files: Self.raw(.s16le))
    #expect(refused.contains("it ends early, in the middle of a frame"))
    let salvaged = try bench.convert(
      "cut.raw", to: "out.wav", .by(1), files: Self.raw(.s16le, salvages: true))
    #expect(salvaged.warningText.contains("salvaged 1,000 of 1,001 frames"))
    let report = try bench.inspect("cut.raw", .init(raw: Self.raw(.s16le).raw))
    #expect(report.problem != nil && report.source.frameCount == 1000)
  }

  @Test func foldersAreSearchedForRawOnlyWhereItIsDeclared() throws {
    for name in ["a.raw", "b.pcm", "c.dat"] {
      try bench.folder.write("set/\(name)", [UInt8](repeating: 1, count: 400))
    }
    try bench.folder.write("set/d.wav", Sound.wav)
    func planned(raw: Bool) throws -> [String] {
      try bench.batch(["set"], .by(2)) {
        if raw { $0.files.raw = Self.raw(.s16le).raw }
        $0.walker.takesRawPCM = raw
      }.jobs.map { bench.name($0.work.input.path) }
    }
    #expect(try planned(raw: false) == ["set/d.wav"])
    #expect(try planned(raw: true) == ["set/a.raw", "set/b.pcm"])
  }

  @Test func factsAreThoseOfTheDeclaration() throws {
    try makeRaw(.s24be)
    let report = try bench.inspect("in.raw", .init(raw: Self.raw(.s24be, 48_000).raw))
    #expect(report.source.frameCount == 8820 && report.source.spec.sampleRate == 48_000)
    #expect(report.averageBitRate == 48_000 * 2 * 24)
  }

  /// A header is not guessed away.
  @Test func headersOfDeclaredFilesAreReported() throws {
    let report = try bench.convert("in.wav", to: "out.wav", .by(1), files: Self.raw(.s32le))
    #expect(report.warningText.contains("the file has a header of WAV"))
  }
}
