import AudioModel
import Testing

@Suite("Metadata at another length")
struct ScaledMetadataTests {
  /// Lengths and factors, with ties, odd lengths and extremes among them.
  static let cases: [(frames: Int, factor: Double)] = [
    (1000, 1.5), (1001, 1.5), (44100, 0.8), (44101, 1.0 / 3), (7, 0.5), (999, 100), (100_000, 0.01),
    (1, 0.6), (5, 1),
  ]

  /// `t * factor` to the nearest whole number, halves up, within the output; in whole arithmetic on
  /// tenths, with factors that are exact in floating point.
  private func expected(_ t: Int, _ frames: Int, _ factor: Double) -> Double {
    let length = Int(Double(frames) * factor)
    var best = 0
    // The nearest by search, not by rounding.
    var distance = Double.infinity
    let guess = Int(Double(t) * factor)
    for candidate in max(0, guess - 2)...guess + 2 {
      let d = abs(Double(candidate) - Double(t) * factor)
      if d <= distance { (best, distance) = (candidate, d) }
    }
    return Double(min(best, length))
  }

  private func scaled(_ metadata: Metadata, _ frames: Int, _ factor: Double) -> Metadata {
    metadata.scaled(
      by: factor, from: frames, to: Int(Double(frames) * factor), sampleRate: 44100)
  }

  @Test(arguments: cases)
  func everyTimeIsScaledToItsFrame(frames: Int, factor: Double) {
    let moments = [0, 1, 2, frames / 3, frames / 2, frames - 1, frames, frames + 50]
      .filter { $0 >= 0 }.sorted()
    var metadata = Metadata()
    metadata.chapters = moments.map { Metadata.Chapter(start: Double($0), title: "c\($0)") }
    metadata.marks = moments.map { Metadata.Mark(id: UInt32($0), start: Double($0), label: "m") }
    metadata.syncedLyrics = [
      Metadata.SyncedLyrics(lines: moments.map { .init(start: Double($0), text: "l") })
    ]
    let result = scaled(metadata, frames, factor)
    let wanted = moments.map { expected($0, frames, factor) }
    #expect(result.chapters.map(\.start) == wanted)
    #expect(result.chapters.map(\.title) == metadata.chapters.map(\.title))
    #expect(result.marks.map(\.start) == wanted)
    #expect(result.marks.map(\.id) == metadata.marks.map(\.id))
    #expect(result.syncedLyrics[0].lines.map(\.start) == wanted)
    #expect(wanted == wanted.sorted())
    #expect(wanted.allSatisfy { $0 <= Double(Int(Double(frames) * factor)) })
  }

  @Test(arguments: cases)
  func loopsStayLoops(frames: Int, factor: Double) {
    let length = Int(Double(frames) * factor)
    var instrument = Metadata.Instrument()
    for start in [0, frames / 2, max(0, frames - 1)] {
      for end in [start + 1, frames, frames + 1000] where end > start {
        instrument.loops.append(.init(start: Double(start), end: Double(end)))
      }
    }
    instrument.loops.append(.init(start: Double(frames), end: Double(frames + 5)))
    instrument.loops.append(.init(start: 5, end: 5))
    var metadata = Metadata()
    metadata.instrument = instrument
    let loops = scaled(metadata, frames, factor).instrument?.loops ?? []
    if length == 0 {
      #expect(loops.isEmpty)
      return
    }
    #expect(loops.count == instrument.loops.count - 2)
    for (loop, source) in zip(loops, instrument.loops) {
      #expect(loop.start >= 0 && loop.start < loop.end && loop.end <= Double(length))
      let ends = expected(Int(source.end), frames, factor)
      if expected(Int(source.start), frames, factor) < ends { #expect(loop.end == ends) }
    }
  }

  @Test func regionsKeepTheirEnds() {
    var metadata = Metadata()
    metadata.marks = [
      .init(start: 10, length: 5, label: "a"), .init(start: 99, length: 500),
      .init(start: 50, length: 0), .init(start: 100, length: 10),
    ]
    let marks = metadata.scaled(by: 1.5, from: 100, to: 150, sampleRate: 8000).marks
    #expect(marks.map(\.start) == [15, 149, 75, 149])
    // 15 * 1.5 = 22.5, to the nearest 23.
    #expect(marks.map(\.length) == [8, 1, 0, 1])
    #expect(marks[0].label == "a")
  }

  @Test func temposAreDivided() {
    var metadata = Metadata()
    metadata.loopProperties = .init(
      flags: 2, rootNote: 60, beats: 8, meterNumerator: 3, meterDenominator: 4, tempo: 120)
    metadata.comments = [
      .init(name: "BPM", value: "120"), .init(name: "tbpm", value: "128"),
      .init(name: "TEMPO", value: "120.00"), .init(name: "BPM", value: "100.5"),
      .init(name: "BPM", value: "fast"), .init(name: "TITLE", value: "120"),
    ]
    let result = metadata.scaled(by: 1.5, from: 100, to: 150, sampleRate: 8000)
    #expect(
      result.comments.map(\.value) == ["80", "85.33", "80.00", "67.0", "fast", "120"])
    #expect(result.loopProperties?.tempo == 80)
    #expect(result.loopProperties?.beats == 8)
    #expect(result.loopProperties?.meterNumerator == 3)
  }

  /// Tempos as DJ software and people write them, at two thirds.
  @Test(arguments: [
    ("BPM", "128,5", "85,67"), ("BPM", "174 BPM", "116 BPM"), ("TBPM", "174bpm", "116bpm"),
    ("BPM", "120,00", "80,00"), ("BPM", "90-120", "60-80"),
    ("BPM", "90 \u{2013} 120 bpm", "60 \u{2013} 80 bpm"),
    ("BPM", "~120", "~80"), ("BPM", "0", "0"), ("BPM", " 120 ", " 80 "),
    ("BPM", "120 beats per minute", "80 beats per minute"), ("WM/BeatsPerMinute", "120", "80"),
    ("----:com.apple.iTunes:fBPM", "128.5", "85.67"), ("BPM", "120 in 4/4", "120 in 4/4"),
  ])
  func temposKeepTheirForm(name: String, text: String, expected: String) {
    let metadata = Metadata(comments: [.init(name: name, value: text)])
    let result = metadata.scaled(by: 1.5, from: 100, to: 150, sampleRate: 8000)
    #expect(result.comments.map(\.value) == [expected])
  }

  /// A part that begins with one chapter and ends with it has none of its neighbors, although parts are whole frames
  /// and chapters are not.
  @Test(arguments: [0.0, 0.3, 0.5, 0.7, 7.9])
  func partsHaveNoNeighborsOfNoLength(fraction: Double) {
    var metadata = Metadata()
    let second = 44100 + fraction
    let third = 88200 + fraction
    metadata.chapters = [
      .init(start: 0, end: second, title: "1"), .init(start: second, end: third, title: "2"),
      .init(start: third, title: "3"),
    ]
    metadata.marks = [.init(start: second, label: "2"), .init(start: third, label: "3")]
    for (first, last) in [(second.rounded(), third.rounded()), (44100, 88208)] {
      let part = metadata.part(Int(first)..<Int(last), of: 132_300, sampleRate: 44100)
      #expect(part.chapters.map(\.title) == ["2"])
    }
    let part = metadata.part(
      Int(second.rounded())..<Int(third.rounded()), of: 132_300, sampleRate: 44100)
    #expect(part.marks.map(\.label) == ["2"])
    #expect(metadata.part(40_000..<89_000, of: 132_300, sampleRate: 44100).chapters.count == 3)
  }

  @Test func lengthsAreThoseOfTheOutput() {
    var metadata = Metadata()
    metadata.comments = [
      .init(name: "TLEN", value: "1"), .init(name: "LENGTH", value: "10000"),
      .init(name: "LENGTH", value: "42"), .init(name: "TLEN", value: "long"),
    ]
    let result = metadata.scaled(by: 0.5, from: 80000, to: 40000, sampleRate: 8000)
    #expect(result.comments.map(\.value) == ["5000", "5000", "42", "long"])
  }

  /// Chapters under the names of Vorbis comments, in tags of other containers.
  @Test(arguments: ["CHAPTER001", "----:com.apple.iTunes:CHAPTER01", "TXXX:Chapter002"])
  func chapterComments(name: String) {
    var metadata = Metadata()
    metadata.comments = [
      .init(name: name, value: "00:00:01.500"), .init(name: name + "NAME", value: "00:00:01"),
      .init(name: name, value: "I"), .init(name: name, value: "00:00:01.5 x"),
    ]
    let result = metadata.scaled(by: 2, from: 80000, to: 160_000, sampleRate: 8000)
    #expect(
      result.comments.map(\.value) == ["00:00:03.000", "00:00:01", "I", "00:00:01.5 x"])
  }

  @Test func cueSheetTracksAndIndices() {
    var metadata = Metadata()
    metadata.cueSheet = Metadata.CueSheet(
      leadIn: 88200, isCD: true,
      tracks: [
        .init(number: 1, offset: 0, indices: [.init(number: 1, offset: 0)]),
        .init(
          number: 2, offset: 588,
          indices: [.init(number: 0, offset: 0), .init(number: 1, offset: 589)]),
        .init(number: 170, offset: 5880),
      ])
    let sheet = metadata.scaled(by: 1.5, from: 5880, to: 8820, sampleRate: 44100).cueSheet
    #expect(sheet?.leadIn == 88200)
    #expect(sheet?.tracks.map(\.offset) == [0, 882, 8820])
    // (588 + 589) * 1.5 = 1765.5, to the nearest 1766, from the track's 882.
    #expect(sheet?.tracks[1].indices.map(\.offset) == [0, 884])
  }

  @Test func factorOneChangesNothing() {
    var metadata = Metadata(comments: [
      .init(name: "BPM", value: "120"),
      .init(name: "LYRICS", value: "[00:01.50]One\n[00:02.25]Two"),
      .init(name: "CUESHEET", value: "TRACK 01 AUDIO\r\n  INDEX 01 00:01:37\r\n"),
    ])
    metadata.chapters = [.init(start: 3, end: 9, title: "x")]
    metadata.marks = [.init(id: 4, start: 5, length: 6, label: "y", note: "z", purpose: "rgn ")]
    metadata.instrument = .init(loops: [.init(start: 1, end: 200_000)])
    #expect(metadata.scaled(by: 1, from: 200_000, to: 200_000, sampleRate: 44100) == metadata)
  }
}
