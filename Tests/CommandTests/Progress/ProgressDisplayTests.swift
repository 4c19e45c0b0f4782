import AudioModel
import ScaleAudio
import Testing

@testable import scaleaudio_cli

@Suite("What a person sees of a batch")
struct ProgressDisplayTests {
  let terminal = RecordingTerminal()
  let jobs = [Scene.job(0, "a.wav"), Scene.job(1, "b\n.wav"), Scene.job(2, "c.wav")]
  let doneA =
    "done  a.wav -> a-x1.5.wav  10.000 s -> 15.000 s, 1.5x as long (0.667x speed), 500x real time"

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
    #expect(terminal.lines.count == 9)
    #expect(
      terminal.lines.prefix(3) == [
        doneA, "warning: a.wav: no room for\\npictures",
        "warning: a.wav: 3 samples clipped by up to 0.8 dB; --guard lowers the level instead",
      ])
    #expect(terminal.lines[3].hasPrefix("failed  ") && terminal.lines[3].contains("b\\n.wav"))
    #expect(terminal.lines[4] == "skipped  c.wav -> c-x1.5.wav  the output exists")
    #expect(terminal.lines[5] == "1 done, 1 skipped, 1 failed in 2.0 s, 5.0x real time")
    #expect(terminal.lines[6] == "  3 samples clipped by up to 0.8 dB in 1 file")
    #expect(terminal.lines[7].hasPrefix("  ") && terminal.lines[7].contains("b\\n.wav"))
  }

  @Test(arguments: [
    (-1.254, "lowered by 1.25 dB"), (3, "raised by 3.00 dB"), (-0.0003, "lowered by 0.01 dB"),
    (0, "level not changed"),
  ])
  func theChangeOfLevelIsSaid(gain: Double, text: String) {
    let display = terminal.display(.auto, jobs: [jobs[0]])
    display.handle(.finished(jobs[0], Scene.report(clipped: 2, gain: gain)))
    #expect(terminal.lines[0].contains(", \(text), "))
    // No hint to ask for a level where one was asked for.
    #expect(terminal.lines[1] == "warning: a.wav: 2 samples clipped by up to 0.8 dB")
  }

  @Test func quietSaysOnlyErrors() {
    let display = terminal.display(.bar, .quiet, jobs: jobs, movesCursor: true)
    display.tick()
    run(display)
    #expect(terminal.writes.count == 1)
    #expect(terminal.text.hasPrefix("failed  "))
  }

  @Test func noneSaysTheSummary() {
    let display = terminal.display(.none, jobs: jobs, movesCursor: true)
    display.tick()
    run(display)
    #expect(!terminal.text.contains("done  "))
    #expect(terminal.text.contains("1 done, 1 skipped, 1 failed in 2.0 s"))
    #expect(terminal.lines.dropLast().last?.contains("b\\n.wav") == true)
  }

  @Test func verboseSaysFormatsAndMethod() {
    let display = terminal.display(.auto, .verbose, jobs: jobs)
    display.handle(
      .finished(
        jobs[0], Scene.report(layout: ChannelLayout(mask: 0x60F, channelCount: 6)!)))
    #expect(
      terminal.lines[1] == "      WAV (PCM 16-bit) 44100 Hz 5.1(side), 441000 frames -> "
        + "FLAC 44100 Hz 5.1(side), 661500 frames, smoothstep")
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

  @Test func theBarIsDrawnAtMostTenTimesASecond() {
    let display = terminal.display(.auto, jobs: jobs, movesCursor: true)
    for step in 0..<100 {
      terminal.time = Double(step) / 100
      display.tick()
    }
    #expect(terminal.writes.count == 10)
  }

  @Test func aNoticeTakesThePlaceOfTheBar() {
    let display = terminal.display(.auto, jobs: jobs, movesCursor: true)
    display.handle(.started(jobs[0]))
    display.tick()
    display.notice("x\u{1b}: left out")
    #expect(terminal.writes.last == "\r\u{1b}[1Ascaleaudio: x\\x1b: left out\u{1b}[K\n\u{1b}[J")
    display.finish(interrupted: true)
    #expect(terminal.writes.last == "interrupted: 0 done, 3 not done in 0.00 s\n")
  }

  @Test func aDumbTerminalGetsLines() {
    let display = terminal.display(.bar, jobs: jobs, movesCursor: false)
    display.tick()
    run(display)
    #expect(!terminal.text.contains("\u{1b}"))
    #expect(terminal.lines[0] == doneA)
  }
}
