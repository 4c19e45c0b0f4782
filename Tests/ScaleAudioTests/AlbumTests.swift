import Foundation
import ScaleAudio
import TestSupport
import Testing

/// One gain for all files of a folder, measured by ffmpeg on all of them together.
@Suite("Albums")
struct AlbumTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  /// Three chapters, of which the second is 12 dB quieter, and a fourth in a folder of its own.
  private func makeBook() throws {
    try bench.shell(
      """
      mkdir -p book/other && for n in 1 2 3; do
        sox -R -n -r 22050 -c 1 -b 24 book/$n.wav synth 4 pinknoise vol 0.$((n * 2)) tremolo $n 50
      done && sox book/2.wav quiet.wav vol -12dB && mv quiet.wav book/2.wav && sox book/3.wav book/other/4.wav vol 0.1
      """)
  }

  private func convert(
    _ level: LevelChange, workers: Int = 2, _ change: (inout BatchRequest) -> Void = { _ in }
  ) async throws -> [String: ConversionReport] {
    var batch = try bench.batch(["book"], to: "out/", .by(1.1), .sinc()) {
      $0.settings.level = level
      $0.keepsBalance = true
      $0.files.existing = .replace
      change(&$0)
    }
    batch.workerCount = workers
    return try await bench.reports(of: batch)
  }

  /// Integrated loudness and true peak of files one after another, by ffmpeg.
  private func measured(_ names: [String]) throws -> (loudness: Double, truePeak: Double) {
    try bench.shell("sox \(names.joined(separator: " ")) -e float -b 32 all.wav")
    let text = try bench.shell(
      "ffmpeg -hide_banner -nostats -i all.wav -af ebur128=peak=true -f null - 2>&1"
    ).outputText
    let summary = try #require(text.range(of: "Summary:", options: .backwards)?.upperBound)
    func number(_ label: String) throws -> Double {
      let line = try #require(
        text[summary...].split(separator: "\n").first {
          $0.trimmingCharacters(in: .whitespaces).hasPrefix(label)
        })
      return try #require(line.split(separator: " ").compactMap { Double($0) }.first)
    }
    return (try number("I:"), try number("Peak:"))
  }

  private static let chapters = ["out/1.wav", "out/2.wav", "out/3.wav"]

  @Test func loudnessIsThatOfAllTogether() async throws {
    try makeBook()
    let reports = try await convert(.loudness(target: -23, truePeak: -1)) {
      $0.suffix = ""
    }
    let gains = try ["1", "2", "3"].map {
      try #require(reports["book/\($0).wav"]?.gainDecibels)
    }
    #expect(Set(gains).count == 1)
    #expect(reports["book/other/4.wav"]?.albumLoudness == nil)
    #expect(abs(try measured(Self.chapters).loudness - -23) <= 0.15)
    let album = try #require(reports["book/2.wav"]?.albumLoudness)
    #expect(abs(album - -23) < 0.02)
    // Each reports its own loudness, too.
    let own = try #require(reports["book/2.wav"]?.loudness)
    #expect(abs(try measured(["out/2.wav"]).loudness - own) <= 0.11 && own < -28)
    // The folder below is an album of its own, with one file.
    #expect(abs(try measured(["out/other/4.wav"]).loudness - -23) <= 0.11)
  }

  @Test func peaksAreThoseOfTheLoudest() async throws {
    try makeBook()
    for level in [LevelChange.normalized(peak: -3), .guarded] {
      let reports = try await convert(level) { $0.suffix = "" }
      let gains = ["1", "2", "3"].map { reports["book/\($0).wav"]?.gainDecibels }
      #expect(Set(gains).count == 1)
      guard level != .guarded else {
        // None of them would clip.
        #expect(gains[0] == 0)
        continue
      }
      let peaks = try Self.chapters.map { try bench.samples($0).map(\.magnitude).max() ?? 0 }
      #expect(abs((peaks.max() ?? 0) - pow(10, -3.0 / 20)) < 1e-4)
      #expect((peaks.min() ?? 1) < 0.3)
    }
  }

  /// The limiter works on all files at one gain, and what it takes from the loudness of all is made up for.
  @Test(arguments: [-14.0, -16]) func albumsAreLimitedTogether(target: Double) async throws {
    try makeBook()
    let reports = try await convert(.loudness(target: target, truePeak: -1)) { $0.suffix = "" }
    let gains = Set(["1", "2", "3"].map { reports["book/\($0).wav"]?.gainDecibels })
    #expect(gains.count == 1)
    let found = try measured(Self.chapters)
    #expect(abs(found.loudness - target) <= 0.25 && found.truePeak <= -0.85, "\(found)")
    #expect(reports["book/3.wav"]?.limiting != nil && reports["book/2.wav"]?.limiting == nil)
  }

  /// The number of workers does not matter, and an interrupted run goes on at the same gain.
  @Test func albumsAreResumed() async throws {
    try makeBook()
    let level = LevelChange.loudness(target: -20, truePeak: -1)
    _ = try await convert(level, workers: 1) {
      $0.suffix = ""
      $0.resumes = true
    }
    let first = try Self.chapters.map { try bench.bytes($0) }
    try bench.shell("rm out/2.wav")
    let second = try await convert(level, workers: 3) {
      $0.suffix = ""
      $0.resumes = true
      $0.files.existing = .refuse
    }
    #expect(Set(second.keys) == ["book/2.wav"])
    #expect(try Self.chapters.map { try bench.bytes($0) } == first)
    // Another chapter makes it another album.
    try bench.shell("cp book/1.wav book/5.wav")
    let third = try await convert(level) {
      $0.suffix = ""
      $0.resumes = true
    }
    #expect(third.keys.filter { !$0.contains("other") }.count == 4)
  }

  /// A file that cannot be read fails by itself.
  @Test func aDamagedFileDoesNotCount() async throws {
    try makeBook()
    try bench.folder.write("book/0.wav", Array("RIFF".utf8) + Array(repeating: 0, count: 100))
    var batch = try bench.batch(["book"], to: "out/", .by(1.1), .linear) {
      $0.settings.level = .normalized(peak: -6)
      $0.keepsBalance = true
      $0.suffix = ""
    }
    batch.workerCount = 1
    var (done, failed) = (0, 0)
    for await event in batch.events() {
      if case .finished = event { done += 1 }
      if case .failed = event { failed += 1 }
    }
    #expect(done == 4 && failed == 1)
    let peaks = try Self.chapters.map { try bench.samples($0).map(\.magnitude).max() ?? 0 }
    #expect(abs((peaks.max() ?? 0) - pow(10, -6.0 / 20)) < 1e-4)
  }
}
