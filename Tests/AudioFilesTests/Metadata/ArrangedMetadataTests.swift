import AudioModel
import Testing

@testable import AudioIO

@Suite("Marks in other containers")
struct ArrangedMetadataTests {
  @Test func chaptersAsComments() {
    var metadata = Metadata(comments: [.init(name: "TITLE", value: "x")])
    metadata.chapters = [
      .init(start: 0, title: "One"),
      .init(start: 48000 * 3661 + 24, title: "Two", address: "http://a"),
    ]
    let comments = metadata.makingChapterComments(sampleRate: 48000)
    #expect(
      comments.comments.map { "\($0.name)=\($0.value)" } == [
        "TITLE=x", "CHAPTER000=00:00:00.000", "CHAPTER000NAME=One", "CHAPTER001=01:01:01.001",
        "CHAPTER001NAME=Two", "CHAPTER001URL=http://a",
      ])
    #expect(comments.chapters.isEmpty)
    let back = comments.takingChapterComments(sampleRate: 48000)
    #expect(back.comments == metadata.comments)
    #expect(back.chapters.map(\.title) == ["One", "Two"])
    #expect(back.chapters.map(\.start) == [0, 48000 * 3661 + 48])
    #expect(back.chapters[1].address == "http://a")
  }

  @Test func commentsWithoutTimesStay() {
    let comments: [Metadata.Comment] = [
      .init(name: "CHAPTER", value: "3"), .init(name: "CHAPTER001", value: "soon"),
      .init(name: "CHAPTER001NAME", value: "x"), .init(name: "CHAPTER1", value: "00:00:01.000"),
      .init(name: "CHAPTERS001", value: "00:00:01.000"),
      .init(name: "CHAPTER99999999999999999999", value: "00:00:01.000"),
    ]
    let metadata = Metadata(comments: comments)
    #expect(metadata.takingChapterComments(sampleRate: 8000) == metadata)
  }

  @Test func chaptersAreInOrderOfTime() {
    let metadata = Metadata(comments: [
      .init(name: "chapter02", value: "00:00:02.5"), .init(name: "CHAPTER01", value: "00:00:05"),
      .init(name: "Chapter02Name", value: "early"),
    ])
    let chapters = metadata.takingChapterComments(sampleRate: 1000).chapters
    #expect(chapters.map(\.start) == [2500, 5000])
    #expect(chapters.map(\.title) == ["early", ""])
  }

  @Test func chaptersPastTheThousandthAreDropped() {
    var metadata = Metadata()
    metadata.chapters = (0..<1005).map { .init(start: Double($0), title: "") }
    let (result, lost) = metadata.arranged(for: .chapterComments, sampleRate: 8000)
    #expect(result.comments.count == 2000)
    #expect(result.comments[1998].name == "CHAPTER999")
    #expect(lost.map(\.text) == ["chapters beyond the 1000th"])
  }

  @Test func marksAndChaptersReplaceEachOther() {
    var chapters = Metadata()
    chapters.chapters = [.init(start: 5, end: 9, title: "a"), .init(start: 9, title: "b")]
    let (asMarks, lost) = chapters.arranged(for: [.marks, .regions], sampleRate: 8000)
    #expect(asMarks.marks.map(\.start) == [5, 9])
    #expect(asMarks.marks.map(\.label) == ["a", "b"])
    #expect(asMarks.chapters.isEmpty && lost.isEmpty)
    var marks = Metadata()
    marks.marks = [
      .init(start: 9, label: "later"), .init(start: 2, length: 3, note: "noted"),
      .init(start: 9, label: "same"),
    ]
    let (asChapters, none) = marks.arranged(for: .chapters, sampleRate: 8000)
    #expect(asChapters.chapters.map(\.start) == [2, 9])
    #expect(asChapters.chapters.map(\.end) == [5, nil])
    #expect(asChapters.chapters.map(\.title) == ["noted", "later"])
    #expect(asChapters.marks.isEmpty)
    #expect(none.map(\.text) == ["further markers at one position"])
  }

  /// Parts of a mark that chapters with a title and a start do not have.
  @Test func whatStandsInHasLessIsNamed() {
    var marks = Metadata()
    marks.marks = [.init(start: 2, length: 3, label: "one", note: "noted"), .init(start: 9)]
    marks.marks[0].text = "text"
    let (_, lost) = marks.arranged(for: .chapterComments, sampleRate: 8000)
    #expect(lost.map(\.text) == ["notes on markers", "texts of regions"])
    #expect(
      marks.arranged(for: [.marks, .regions, .notes], sampleRate: 8000).lost.map(\.text)
        == ["texts of regions"])
    var chapters = Metadata()
    chapters.chapters = [.init(start: 0, end: 8000, title: "a"), .init(start: 9000, title: "b")]
    for support in [.chapterComments, .marks] as [TimeMarkSupport] {
      #expect(
        chapters.arranged(for: support, sampleRate: 8000).lost.map(\.text) == [
          "the ends of chapters"
        ])
    }
    #expect(chapters.arranged(for: .chapters, sampleRate: 8000).lost.map(\.text) == [])
    // Within the precision of ID3.
    chapters.chapters[0].end = 8992
    #expect(chapters.arranged(for: .marks, sampleRate: 8000).lost.map(\.text) == [])
  }

  /// Loops of AIFF that are off, and how often WAV plays a loop.
  @Test func loopsThatAreNotHeldAreNamed() {
    var metadata = Metadata()
    metadata.instrument = .init(loops: [
      .init(mode: .off, start: 1, end: 2), .init(start: 3, end: 4, playCount: 2, isRelease: true),
    ])
    let (wave, lost) = metadata.arranged(for: .instrument, sampleRate: 8000)
    #expect(wave.instrument?.loops.map(\.start) == [3])
    #expect(lost.map(\.text) == ["sampler loops that are off"])
    let (aiff, times) = metadata.arranged(for: [.keyedLoops, .idleLoops], sampleRate: 8000)
    #expect(aiff.instrument?.loops.map(\.start) == [1, 3])
    #expect(times.map(\.text) == ["how often loops are played"])
  }

  /// If both are present, each goes to its own place, and a container with marks takes both.
  @Test func marksAndChaptersAreBothKept() {
    var metadata = Metadata()
    metadata.chapters = [.init(start: 5, title: "a"), .init(start: 7, title: "b")]
    metadata.marks = [.init(id: 3, start: 7, label: "m")]
    let (chapters, lost) = metadata.arranged(for: .chapters, sampleRate: 8000)
    #expect(chapters.chapters == metadata.chapters)
    #expect(lost.map(\.text) == ["markers"])
    let (marks, none) = metadata.arranged(for: .marks, sampleRate: 8000)
    #expect(marks.marks.map(\.start) == [7, 5])
    #expect(marks.marks.map(\.label) == ["m", "a"])
    #expect(none.isEmpty)
  }

  @Test func lossesAreReported() {
    var metadata = Metadata()
    metadata.marks = [.init(start: 1, length: 2, note: "n")]
    metadata.instrument = .init(loops: [.init(start: 1, end: 2)])
    metadata.loopProperties = .init(
      flags: 0, rootNote: 0, beats: 1, meterNumerator: 4, meterDenominator: 4, tempo: 1)
    metadata.syncedLyrics = [.init(lines: [])]
    metadata.broadcastExtension = [1]
    metadata.cueSheet = .init(isCD: false, tracks: [])
    let (result, lost) = metadata.arranged(for: [], sampleRate: 8000)
    #expect(result.isEmpty)
    #expect(
      lost.map(\.text) == [
        "the cue sheet", "markers", "sampler loops", "loop properties", "synchronized lyrics",
        "a broadcast extension",
      ])
    let parts = metadata.arranged(for: [.marks, .keyedLoops], sampleRate: 8000).lost.map(\.text)
    #expect(parts.contains("the lengths of regions") && parts.contains("notes on markers"))
    #expect(!parts.contains("some sampler loops"))
  }

  @Test func tracksOfADiscBecomeChapters() {
    var metadata = Metadata()
    metadata.cueSheet = .init(
      isCD: false,
      tracks: [
        .init(number: 1, offset: 0, indices: [.init(number: 1, offset: 0)]),
        .init(
          number: 2, offset: 50,
          indices: [.init(number: 0, offset: 0), .init(number: 1, offset: 7)]),
        .init(number: 255, offset: 100),
      ])
    let (result, lost) = metadata.arranged(for: .chapters, sampleRate: 8000)
    #expect(result.chapters.map(\.start) == [0, 57])
    #expect(result.chapters.map(\.title) == ["Track 1", "Track 2"])
    #expect(lost.isEmpty)
  }
}
