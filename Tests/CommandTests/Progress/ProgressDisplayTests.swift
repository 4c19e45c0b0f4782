import AudioModel
import ScaleAudio
import Testing

@testable import scaleaudio_cli

@Suite("The display of a batch", .tags(.threaded))
struct ProgressDisplayTests {
  let terminal = RecordingTerminal()
  let jobs = [Scene.job(0, "a.wav"), Scene.job(1, "b\n.wav"), Scene.job(2, "c.wav")]
  let doneA = "done  a.wav -> a-x1.5.wav  10.000 s -> 15.000 s, pitch -7 semitones"

  /// One file done, one failed, one skipped, in two seconds.
  private func run(_ display: ProgressDisplay) {
    display.handle(.started(jobs[0]))
    display.handle(
      .finished(jobs[0], Scene.report(clipped: 3, warnings: ["no room for\npictures"])))
    display.handle(.started(jobs[1]))
    display.handle(.failed(jobs[1], .inPlace("b\n.wav")))
    display.handle(.skipped(jobs[2], .outputExists))
    terminal.time = 2
    display.finish(interrupted: false)
  }

  @Test func plainLinesOnAPipe() {
    run(terminal.display(.auto, jobs: jobs))
    // The failure has its line, and the summary only counts it.
    #expect(terminal.lines.count == 8)
    #expect(
      terminal.lines.prefix(3) == [
        doneA, "warning: a.wav: no room for\\npictures",
        "warning: a.wav: 3 samples clipped by up to 0.8 dB; --guard lowers the level instead",
      ])
    #expect(terminal.lines[3].hasPrefix("failed  ") && terminal.lines[3].contains("b\\n.wav"))
    #expect(terminal.lines[4] == "skipped  c.wav -> c-x1.5.wav  the output exists")
    #expect(terminal.lines[5] == "1 done, 1 skipped, 1 failed in 2.0 s, 5.0x real time, smoothstep")
    #expect(terminal.lines[6] == "  3 samples clipped by up to 0.8 dB in 1 file")
    #expect(terminal.lines[7].isEmpty)
  }

  @Test func theSummaryListsFailuresThatAreOutOfSight() {
    let jobs = Scene.jobs(30)
    let display = terminal.display(.plain, jobs: jobs)
    display.handle(.failed(jobs[0], .inPlace("0.wav")))
    for job in jobs.dropFirst() { display.handle(.finished(job, Scene.report())) }
    display.finish(interrupted: false)
    #expect(terminal.lines.count { $0.contains("would replace the input itself") } == 2)
    #expect(terminal.lines.dropLast().last?.hasPrefix("  0.wav: ") == true)
  }

  @Test(arguments: [
    (-1.254, "lowered by 1.25 dB"), (3, "raised by 3.00 dB"), (-0.0003, "lowered by 0.01 dB"),
    (0, "level not changed"),
  ])
  func changesOfLevelAreReported(gain: Double, text: String) {
    let display = terminal.display(.auto, jobs: [jobs[0]])
    display.handle(.finished(jobs[0], Scene.report(clipped: 2, gain: gain)))
    #expect(terminal.lines[0].hasSuffix(", pitch -7 semitones, \(text)"))
    // No hint to ask for a level where one was asked for.
    #expect(terminal.lines[1] == "warning: a.wav: 2 samples clipped by up to 0.8 dB")
  }

  /// Loudness that was not reached is a warning about one file, and a line about many.
  @Test func missedLoudnessIsCounted() {
    func run(_ verbosity: ProgressDisplay.Verbosity, _ jobs: [ConversionJob]) -> [String] {
      let terminal = RecordingTerminal()
      let display = terminal.display(.plain, verbosity, jobs: jobs)
      for (index, job) in jobs.enumerated() {
        var report = Scene.report()
        report.missedLoudness = 1.26 + Double(index)
        report.warnings = [AudioWarning(.level, "too quiet"), AudioWarning(.output, "no room")]
        display.handle(.finished(job, report))
      }
      display.finish(interrupted: false)
      return terminal.lines
    }
    let many = run(.normal, jobs)
    #expect(!many.contains { $0.contains("too quiet") })
    #expect(many.count { $0.hasSuffix("no room") } == 3)
    #expect(many.contains("  3 files quieter than requested by up to 3.3 dB; -v names them"))
    #expect(run(.verbose, jobs).count { $0.hasSuffix(".wav: too quiet") } == 3)
    #expect(run(.normal, [jobs[0]]).contains("warning: a.wav: too quiet"))
  }

  @Test func quietPrintsOnlyErrors() {
    let display = terminal.display(.bar, .quiet, jobs: jobs, movesCursor: true)
    display.tick()
    run(display)
    #expect(terminal.writes.count == 1)
    #expect(terminal.text.hasPrefix("failed  "))
  }

  @Test func nonePrintsTheSummary() {
    let display = terminal.display(.none, jobs: jobs, movesCursor: true)
    display.tick()
    run(display)
    #expect(!terminal.text.contains("done  "))
    #expect(terminal.text.contains("1 done, 1 skipped, 1 failed in 2.0 s"))
    #expect(terminal.lines.dropLast().last?.contains("b\\n.wav") == true)
  }

  @Test func verbosePrintsFormatsAndMethod() {
    let display = terminal.display(.auto, .verbose, jobs: jobs)
    display.handle(
      .finished(
        jobs[0], Scene.report(layout: ChannelLayout(mask: 0x60F, channelCount: 6)!)))
    #expect(terminal.lines[0] == doneA)
    #expect(
      terminal.lines[1] == "      WAV (PCM 16-bit) 44100 Hz 5.1(side), 441000 frames -> "
        + "FLAC 44100 Hz 5.1(side), 661500 frames, "
        + "1.5x as long (0.667x speed), smoothstep, 500x real time")
  }

  @Test func aLoneFileIsOneLine() {
    for style in ProgressDisplay.Style.allCases {
      let terminal = RecordingTerminal()
      let display = terminal.display(style, jobs: [jobs[0]], movesCursor: true)
      display.handle(.started(jobs[0]))
      display.handle(.finished(jobs[0], Scene.report()))
      display.finish(interrupted: false)
      #expect(terminal.text == doneA + "\n")
    }
  }

  /// The time of a long run, by what it has done since its beginning: an hour of sound.
  @Test(arguments: [
    // Seconds of the clock, part done, and what is left by the rule of three.
    (2.9, 0.001, nil), (5, 0.01, "This takes about 8 minutes (7.2x real time)."),
    (5, 0.0005, "This takes about 2.8 hours (0.36x real time)."),
    (6, 0.089, "This takes about 1 minute (53x real time)."),
    (6, 0.0911, nil), (30, 0.1, "This takes about 5 minutes (12x real time)."), (30.1, 0.1, nil),
    (5, 0, nil),
  ])
  func longRunsSayHowLongTheyTake(seconds: Double, part: Double, text: String?) {
    let display = terminal.display(.plain, jobs: [jobs[0]])
    display.handle(.started(jobs[0]))
    display.handle(.progress(jobs[0], Scene.progress(part, seconds: 3600)))
    terminal.time = seconds
    #expect(display.pace() == text)
  }

  @Test func theBarIsDrawnAtMostTenTimesASecond() {
    let display = terminal.display(.auto, jobs: jobs, movesCursor: true)
    for step in 0..<100 {
      terminal.time = Double(step) / 100
      display.tick()
    }
    #expect(terminal.writes.count == 10)
  }

  @Test func linesAppearWithTheNextDrawingOfTheBar() {
    terminal.columns = 120
    let display = terminal.display(.auto, .verbose, jobs: jobs, movesCursor: true)
    display.handle(.started(jobs[0]))
    display.tick()
    let drawn = terminal.writes.count
    display.notice("x\u{1b}: left out")
    display.handle(.finished(jobs[0], Scene.report()))
    // Nothing takes the bar away before it is drawn again.
    #expect(terminal.writes.count == drawn)
    terminal.time = 0.2
    display.tick()
    #expect(terminal.writes.count == drawn + 1)
    let screen = TerminalScreenModel(columns: 120, rows: 20)
    screen.show(terminal.text)
    #expect(screen.lines[0] == "scaleaudio: x\\u{1b}: left out")
    #expect(screen.lines[1].hasPrefix("done  a.wav -> "))
    #expect(screen.lines.count { $0.hasPrefix("[") } == 1)
    display.finish(interrupted: true)
    screen.show(terminal.writes.last ?? "")
    #expect(
      screen.lines.last == "interrupted: 1 done, 2 not done in 0.20 s, 50x real time, smoothstep")
    #expect(!screen.lines.contains { $0.hasPrefix("[") })
  }

  /// A terminal echoes `^C` where the cursor is.
  @Test(arguments: [20, 60, 200])
  func anInterruptionLeavesACleanLine(columns: Int) {
    terminal.columns = columns
    let display = terminal.display(.auto, jobs: jobs, movesCursor: true)
    display.handle(.started(jobs[0]))
    display.tick()
    let screen = TerminalScreenModel(columns: columns, rows: 20)
    screen.show(terminal.text + "^C")
    display.handle(.finished(jobs[0], Scene.report(clipped: 3)))
    display.finish(interrupted: true)
    screen.show(terminal.writes.last ?? "")
    let text = screen.lines.joined(separator: " ")
    #expect(text.contains("interrupted: 1 done") || columns == 20)
    #expect(!text.contains("^C") && !text.contains("%") && !text.contains("=>"))
  }

  @Test func aDumbTerminalGetsLines() {
    let display = terminal.display(.bar, jobs: jobs, movesCursor: false)
    display.tick()
    run(display)
    #expect(!terminal.text.contains("\u{1b}"))
    #expect(terminal.lines[0] == doneA)
  }
}
