import AudioModel
import Testing

/// Ten seconds at 8,000 Hz, and as many of output: the first four at their speed, the next two twice as
/// long, the rest half as long.
@Suite("Metadata with times, by a time map")
struct MappedTimeTests {
  private let map = TimeMap(points: [
    .init(source: 0, output: 0), .init(source: 32000, output: 32000),
    .init(source: 48000, output: 64000), .init(source: 80000, output: 80000),
  ])
  private var scale: TimeScale {
    TimeScale(factor: 1, inputFrames: 80000, outputFrames: 80000, sampleRate: 8000, map: map)
  }

  @Test(
    arguments: [
      [], [(0, 0)], [(0, 1), (2, 2)], [(1, 0), (2, 2)], [(1, 1), (2, 2)], [(0, 0), (2, 2), (2, 3)],
      [(0, 0), (2, 2), (3, 2)], [(0, 0), (2, 2), (1, 3)], [(0, 0), (1, .nan)],
      [(0, 0), (.infinity, 1)], [(0, 0), (1, .infinity)],
    ] as [[(Double, Double)]])
  func invalidPointsAreRefused(points: [(Double, Double)]) {
    #expect(TimeMap(points: points.map { .init(source: $0.0, output: $0.1) }) == nil)
  }

  @Test(arguments: [
    (0, 0), (16000, 16000), (32000, 32000), (40000, 48000), (48000, 64000), (64000, 72000),
    (80000, 80000), (90000, 80000), (-5, 0), (40000.5, 48001), (64001, 72001), (.nan, 0),
  ])
  func moments(source: Double, output: Double) {
    #expect(scale.frame(source) == output)
  }

  @Test(arguments: [
    (4000, 1000, 4000), (5000, 1000, 6000), (6000, 1000, 8000), (8000, 1000, 9000),
    (10000, 1000, 10000),
    (12000, 1000, 10000), (375, 75, 450), (5_500_000, 1_000_000, 7_000_000), (500, 100, 600),
  ])
  func times(source: Int, resolution: Int, output: Int) {
    #expect(scale.time(source, resolution: resolution) == output)
  }

  @Test func bothEndsAreMoved() {
    var metadata = Metadata()
    metadata.chapters = [
      Metadata.Chapter(start: 0, end: 40000, title: "one"),
      Metadata.Chapter(start: 40000, end: 80000, title: "two"),
    ]
    metadata.marks = [Metadata.Mark(start: 24000, length: 16000, label: "across")]
    let scaled = metadata.scaled(by: 1, from: 80000, to: 80000, sampleRate: 8000, map: map)
    #expect(scaled.chapters.map(\.start) == [0, 48000])
    #expect(scaled.chapters.map(\.end) == [48000, 80000])
    #expect(scaled.marks.map(\.start) == [24000])
    #expect(scaled.marks.map(\.length) == [24000])
  }

  @Test func textsAndTempo() {
    var metadata = Metadata()
    metadata.comments = [
      .init(name: "LYRICS", value: "[00:04.00]a\n[00:05.00]b <00:05.50>c\n[00:08.00]d\n"),
      .init(name: "CUESHEET", value: "TRACK 01 AUDIO\nINDEX 01 00:05:00\n"),
      .init(name: "BPM", value: "120"),
    ]
    let scaled = metadata.scaled(by: 1, from: 80000, to: 80000, sampleRate: 8000, map: map)
    #expect(
      scaled.comments.map(\.value) == [
        "[00:04.00]a\n[00:06.00]b <00:07.00>c\n[00:09.00]d\n",
        "TRACK 01 AUDIO\nINDEX 01 00:06:00\n",
        "120",
      ])
  }
}
