import ScaleAudio
import Testing

@testable import scaleaudio_cli

@Suite("The bar")
struct BarRendererTests {
  static let jobs =
    [Scene.job(0, "music/日本語の歌 🎵.wav"), Scene.job(1, "e\u{301}tude\n\u{1b}[31m.flac")]
    + (2..<1000).map { Scene.job($0, FilePath("\($0).wav")) }

  /// 450 of 1,000 files settled, 2 of them failed, two in progress.
  ///
  /// Not static: the leak sanitizer does not see that a global holds the paths within errors.
  let state: ProgressState

  init() {
    let (jobs, report) = (Self.jobs, Scene.report())
    var state = ProgressState(jobs: jobs)
    for job in jobs[2..<450] { state.apply(.finished(job, report)) }
    for job in jobs[450..<452] { state.apply(.failed(job, .inPlace("x"))) }
    for job in jobs[..<2] { state.apply(.started(job)) }
    state.apply(.progress(jobs[0], Scene.progress(0.5)))
    self.state = state
  }

  @Test(arguments: [
    (
      119,
      "[==================>                     ]  45%  450 of 1000 files, 2 failed  512x real time  0:11 left"
    ),
    (80, "[=======>         ]  45%  450 of 1000 files, 2 failed  512x real time  0:11 left"),
    (70, "[===========>              ]  45%  450/1000  2 failed  512x  0:11 left"),
    (59, "[======>        ]  45%  450/1000  2 failed  512x  0:11 left"),
    (50, "[=====>      ]  45%  450/1000  2 failed  0:11 left"),
    (39, "[====>      ]  45%  450/1000  0:11 left"),
    (26, "[====>    ]  45%  450/1000"),
    (19, " 45%  450/1000"),
    (10, " 45%"),
    (3, "..."),
  ])
  func overallLine(width: Int, expected: String) {
    let line = BarRenderer.overallLine(state, elapsed: 8.76, width: width)
    #expect(line == expected)
  }

  @Test func eachFileInProgressHasALine() {
    #expect(
      BarRenderer.lines(state, elapsed: 0.5, columns: 40, rows: 20).dropFirst() == [
        " 50%  music/日本語の歌 🎵.wav", "  0%  étude\\n\\u{1b}[31m.flac",
      ])
    #expect(
      BarRenderer.lines(state, elapsed: 0.5, columns: 20, rows: 20).dropFirst() == [
        " 50%  ...歌 🎵.wav", "  0%  ...}[31m.flac",
      ])
  }

  @Test func neverTakesTheLastColumnOrRow() {
    for columns in 1...130 {
      for rows in 1...6 {
        let lines = BarRenderer.lines(state, elapsed: 9, columns: columns, rows: rows)
        #expect(lines.count <= max(1, rows - 1))
        for line in lines { #expect(DisplayWidth.columns(line) <= max(1, columns - 1)) }
      }
    }
  }

  @Test func filesThatDoNotFitAreCounted() {
    var state = ProgressState(jobs: Scene.jobs(9))
    for job in Scene.jobs(9) { state.apply(.started(job)) }
    #expect(
      BarRenderer.lines(state, elapsed: 0, columns: 60, rows: 6) == [
        "[>                                     ]   0%  0 of 9 files",
        "  0%  0.wav", "  0%  1.wav", "  0%  2.wav", "      and 6 more",
      ])
  }

  @Test func aCompleteBarIsFull() {
    var state = ProgressState(jobs: Scene.jobs(1))
    state.apply(.finished(Scene.jobs(1)[0], Scene.report()))
    #expect(
      BarRenderer.overallLine(state, elapsed: 0.5, width: 60)
        == "[=========================] 100%  1 of 1 file  20x real time")
  }
}
