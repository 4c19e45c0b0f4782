import ScaleAudio

/// Shows a batch's events to a person on standard error.
final class ProgressDisplay {
  /// What is shown while work goes on: `auto` is a bar on a terminal and plain lines elsewhere.
  enum Style: String, CaseIterable { case auto, bar, plain, none }
  /// How much is said: `quiet` only errors, `verbose` also formats, rates, layouts and methods.
  enum Verbosity { case quiet, normal, verbose }

  /// Seconds between two drawings of the bar.
  private static let interval = 0.1

  private let terminal: Terminal
  private let now: () -> Double
  private let verbosity: Verbosity
  private let drawsBar: Bool
  /// Whether each file gets a line when it is settled.
  private let printsFiles: Bool
  private let start: Double
  private var state: ProgressState
  private var live = LiveArea()
  private var lastDrawing = -Double.infinity

  /// A display on standard error for these jobs.
  convenience init(style: Style, verbosity: Verbosity, jobs: [ConversionJob]) {
    let clock = ContinuousClock()
    let origin = clock.now
    self.init(
      style: style, verbosity: verbosity, jobs: jobs, terminal: .standardError,
      now: { (clock.now - origin) / .seconds(1) })
  }

  /// A display on any terminal; `now` tells the time in seconds.
  init(
    style: Style, verbosity: Verbosity, jobs: [ConversionJob], terminal: Terminal,
    now: @escaping () -> Double
  ) {
    var style = style
    if style == .auto { style = terminal.movesCursor ? .bar : .plain }
    // A bar needs a terminal that can move its cursor, even when it was asked for by name.
    if style == .bar && !terminal.movesCursor { style = .plain }
    self.terminal = terminal
    self.now = now
    self.verbosity = verbosity
    drawsBar = style == .bar && verbosity != .quiet
    // The one line of a lone file is its summary.
    printsFiles =
      style == .plain || style == .bar && verbosity == .verbose || jobs.count == 1
    start = now()
    state = ProgressState(jobs: jobs)
  }

  /// Takes an event; called by the one consumer, in order.
  func handle(_ event: ConversionEvent) {
    state.apply(event)
    switch event {
    case .started, .progress: break
    case .finished(let job, let report): tellFinished(job, report)
    case .skipped(let job, let reason): tellSkipped(job, reason)
    case .failed(let job, let error): tellFailed(job, error)
    }
  }

  /// Draws the bar anew where there is one; called about ten times a second while work goes on.
  func tick() {
    guard drawsBar, now() - lastDrawing >= Self.interval else { return }
    lastDrawing = now()
    let size = terminal.size()
    let lines = BarRenderer.lines(
      state, elapsed: now() - start, columns: size.columns, rows: size.rows)
    terminal.write(live.redraw(lines, columns: size.columns))
  }

  /// Prints a line that stays.
  func notice(_ text: String) {
    print(["scaleaudio: " + escapedForTerminal(text)])
  }

  /// Removes the bar and prints the summary, every failure named.
  func finish(interrupted: Bool) {
    let isLone = state.total == 1 && state.settled == 1 && !interrupted
    let isSilent = verbosity == .quiet || state.total == 0 || isLone
    let elapsed = now() - start
    print(isSilent ? [] : Summary.lines(state, elapsed: elapsed, interrupted: interrupted))
  }

  private func tellFinished(_ job: ConversionJob, _ report: ConversionReport) {
    if verbosity == .quiet { return }
    var lines: [String] = []
    if printsFiles { lines.append("done  " + FileLines.finished(job, report)) }
    if printsFiles && verbosity == .verbose { lines.append("      " + FileLines.details(report)) }
    lines += FileLines.warnings(job, report).map { "warning: " + $0 }
    print(lines)
  }

  private func tellSkipped(_ job: ConversionJob, _ reason: SkipReason) {
    if printsFiles && verbosity != .quiet { print(["skipped  " + FileLines.skipped(job, reason)]) }
  }

  private func tellFailed(_ job: ConversionJob, _ error: ConversionError) {
    if error == .cancelled || !printsFiles && verbosity != .quiet { return }
    print(["failed  " + FileLines.failed(error)])
  }

  /// Prints lines that stay, in place of the bar, which the next tick draws again below them.
  private func print(_ lines: [String]) {
    let text = live.replace(with: lines, columns: terminal.size().columns)
    if !text.isEmpty { terminal.write(text) }
  }
}
