import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Files that are scaled only in parts: what stays is compared with the source, the parts with files that sox cut.
@Suite("Scaling only a part")
struct OnlyTests {
  private let bench: Workbench

  init() throws { bench = try Workbench(["in.wav": Sound.wav]) }

  /// Scales parts of a file, as people type them.
  @discardableResult
  private func convert(
    _ input: String, to output: String?, only parts: String..., by time: TimeRequest,
    _ method: ScalingMethod = .smoothstep, files: FilePolicy = FilePolicy(existing: .replace),
    _ change: (inout ConversionSettings) -> Void = { _ in }
  ) throws -> ConversionReport {
    try bench.convert(input, to: output, time, method, files: files) {
      $0.only = try parts.map { try #require(TimeRange($0), "\($0)") }
      change(&$0)
    }
  }

  private static var methods: [ScalingMethod] {
    [.smoothstep, .linear, .sinc(), .stretch()]
  }

  // MARK: - Samples

  @Test(arguments: methods, [1.37, 0.6])
  func theRestStays(method: ScalingMethod, factor: Double) throws {
    try convert("in.wav", to: "out.flac", only: "6000f-13000f", by: .by(factor), method)
    let source = try bench.int16("in.wav")
    let made = try bench.int16("out.flac")
    let scaled = Int(7000 * factor)
    #expect(made.count == 2 * (22050 - 7000 + scaled))
    #expect(made.prefix(12000) == source.prefix(12000))
    #expect(made.suffix(18100) == source.suffix(18100))
    #expect(made[12000..<made.count - 18100] != source[12000..<12000 + made.count - 30100])
  }

  @Test(arguments: [ScalingMethod.smoothstep, .linear])
  func interpolatesAPartLikeAFileCutBySox(method: ScalingMethod) throws {
    try bench.run("sox", "in.wav", "cut.wav", "trim", "6000s", "=13000s")
    try convert("in.wav", to: "a.wav", only: "6000f-13000f", by: .by(1.37), method)
    try bench.convert("cut.wav", to: "b.wav", .by(1.37), method)
    let part = try bench.int16("b.wav")
    #expect(try Array(bench.int16("a.wav")[12000..<12000 + part.count]) == part)
  }

  /// In a part, sinc has the frames of the whole file at that place: the filter knows what lies around it.
  @Test(arguments: [
    ("6000f-13000f", 6000, 7000), ("1000f-3000f", 1000, 2000), ("20000f-", 20000, 2050),
  ])
  func sincUsesTheAudioAroundAPart(range: String, first: Int, count: Int) throws {
    try convert("in.wav", to: "a.wav", only: range, by: .by(1.5), .sinc()) {
      $0.sampleFormat = .float32
    }
    try bench.convert("in.wav", to: "b.wav", .by(1.5), .sinc()) { $0.sampleFormat = .float32 }
    func floats(_ name: String, _ start: Int) throws -> [Float] {
      Raw.float(
        try bench.run(
          "sox", name, "-t", "raw", "-e", "float", "-b", "32", "-", "trim", "\(start)s",
          "\(count * 3 / 2)s"
        ).output)
    }
    let (part, whole) = (try floats("a.wav", first), try floats("b.wav", first * 3 / 2))
    #expect(part.count == count * 3)
    let worst = zip(part, whole).map { abs($0 - $1) }.max() ?? 1
    #expect(worst < 2e-7)
  }

  /// A click is a jump of the slope; a sine has few.
  @Test(
    arguments: [
      (TimeRequest.by(1.3), 0), (.at(speed: 1.7), 0), (.unchanged, -3),
    ] as [(TimeRequest, Double)])
  func stretchedPartsDoNotClick(time: TimeRequest, semitones: Double) throws {
    try bench.shell("sox -R -n -r 44100 -b 16 tone.wav synth 3 sine 440 gain -6")
    try convert(
      "tone.wav", to: "out.wav", only: "1-2", by: time,
      .stretch(StretchSettings(semitones: semitones)))
    func worst(_ name: String) throws -> Int {
      let s = try bench.int16(name).map { Int($0) }
      return (1..<s.count - 1).map { abs(s[$0 + 1] - 2 * s[$0] + s[$0 - 1]) }.max() ?? 0
    }
    #expect(try worst("out.wav") * 2 < worst("tone.wav") * 3 + 8)
  }

  @Test func severalPartsAndTheLengthOfAll() throws {
    let report = try convert(
      "in.wav", to: "out.wav", only: "15000f-17000f", "-4000f", by: .frames(25050))
    let (source, made) = (try bench.int16("in.wav"), try bench.int16("out.wav"))
    #expect(made.count == 2 * 25050)
    // 6,000 frames become 9,000.
    #expect(made[12000..<34000] == source[8000..<30000])
    #expect(made.suffix(10100) == source.suffix(10100))
    #expect(report.scaledParts == [0..<4000, 15000..<17000])
    #expect(report.partFactor == 1.5)
  }

  @Test(arguments: ["ogg", "mp3", "m4a"], [ScalingMethod.smoothstep, .sinc()])
  func lossyFormats(format: String, method: ScalingMethod) throws {
    let report = try convert("in.wav", to: nil, only: "0.1-0.2", by: .by(2), method) {
      $0.format = .of(format)
    }
    #expect(report.outputFrames == 26460)
  }

  // MARK: - What has times

  @Test func sidecarsAndChaptersFollow() throws {
    try bench.folder.write(
      "in.txt", Array("0.050000\t0.100000\ta\n0.200000\t0.250000\tb\n0.400000\t0.450000\tc\n".utf8))
    let chapters = [0, 100, 300].map {
      "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0)\nEND=\($0 + 100)\n"
    }
    try bench.folder.write("meta.txt", Array((";FFMETADATA1\n" + chapters.joined()).utf8))
    try bench.shell("ffmpeg -v error -i in.wav -i meta.txt -map_chapters 1 -c:a pcm_s16le in.mka")
    try convert(
      "in.mka", to: "out.m4a", only: "0.1-0.3", by: .by(2), files: FilePolicy(scalesSidecars: true))
    #expect(
      try bench.text("out.txt")
        == "0.050000\t0.100000\ta\n0.300000\t0.400000\tb\n0.600000\t0.650000\tc\n")
    let entries = try bench.entries("chapter=start_time", of: "out.m4a")
    let starts = entries.split(separator: "\n").compactMap { Double($0) }
    #expect(starts.count == 3)
    for (found, wanted) in zip(starts, [0, 0.1, 0.5]) { #expect(abs(found - wanted) < 0.0015) }
  }

  // MARK: - What cannot be

  @Test func missingParts() throws {
    func failure(
      _ parts: String..., time: TimeRequest = .by(2), format: String? = nil
    ) throws -> String {
      try bench.failure(of: "in.wav", time) {
        $0.only = try parts.map { try #require(TimeRange($0)) }
        $0.format = format.map { .of($0) }
      }
    }
    #expect(
      try failure("0.1-0.3", "0.2-0.4").contains(
        "the part that begins at 0.200 s overlaps the one that ends at 0.300 s"))
    #expect(try failure("0.6-").contains("the part begins at 0.600 s"))
    #expect(
      try failure("0.1-0.2", format: "opus").contains("its sample rate must stay at 44100 Hz"))
    #expect(try !failure("0.1-0.2", time: .duration(seconds: 0.3)).isEmpty)
    #expect(try bench.folder.names() == ["in.wav"])
  }
}
