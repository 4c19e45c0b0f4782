import ScaleAudio

/// Shows the events of a batch on standard error.
final class ProgressDisplay {
  /// The kind of display: `auto` is a bar on a terminal and plain lines elsewhere.
  enum Style: String, CaseIterable { case auto, bar, plain, none }
  /// The amount of detail: `quiet` shows errors only, `verbose` also formats, rates, layouts and methods.
  enum Verbosity { case quiet, normal, verbose }

  /// Seconds between redraws of the bar.
  private static let interval = 0.1

  private let terminal: Terminal
  private let now: () -> Double
  private let verbosity: Verbosity
  private let drawsBar: Bool
  /// Whether each file gets a line when it ends.
  private let printsFiles: Bool
  private let start: Double
  private var state: ProgressState
  private var live = LiveArea()
  private var lastDrawing = -Double.infinity

  /// A display on standard error for these files.
  convenience init(style: Style, verbosity: Verbosity, files: [BatchFile]) {
    let clock = ContinuousClock()
    let origin = clock.now
    self.init(
      style: style, verbosity: verbosity, files: files, terminal: .standardError,
      now: { (clock.now - origin) / .seconds(1) })
  }

  /// A display on any terminal; `now` returns the time in seconds.
  init(
    style: Style, verbosity: Verbosity, files: [BatchFile], terminal: Terminal,
    now: @escaping () -> Double
  ) {
    var style = style
    if style == .auto { style = terminal.movesCursor ? .bar : .plain }
    // A bar needs a terminal that can move its cursor, even if it was requested.
    if style == .bar && !terminal.movesCursor { style = .plain }
    self.terminal = terminal
    self.now = now
    self.verbosity = verbosity
    drawsBar = style == .bar && verbosity != .quiet
    // The line of a single file is its summary.
    printsFiles =
      style == .plain || style == .bar && verbosity == .verbose || files.count == 1
    start = now()
    state = ProgressState(files: files)
  }

  /// Shows an event; called by one consumer, in order.
  func handle(_ event: FileEvent) {
    state.apply(event)
    switch event.news {
    case .started, .progress, .cancelled: break
    case .finished(let result): showFinished(result)
    case .skipped(let line):
      if printsFiles && verbosity != .quiet { print(["skipped  " + line]) }
    case .failed(let failure):
      if printsFiles || verbosity == .quiet { print(["failed  " + failure.line]) }
    }
  }

  /// Redraws the bar, if there is one; called about ten times a second.
  func tick() {
    guard drawsBar, now() - lastDrawing >= Self.interval else { return }
    lastDrawing = now()
    let size = terminal.size()
    let lines = BarRenderer.lines(
      state, elapsed: now() - start, columns: size.columns, rows: size.rows)
    terminal.write(live.redraw(lines, columns: size.columns))
  }

  /// Prints a permanent line unchanged.
  func line(_ line: String) { print([line]) }

  /// Prints a permanent line with the name of the program.
  func notice(_ text: String) {
    print(["scaleaudio: " + escapedForTerminal(text)])
  }

  /// Removes the bar and prints the summary with every failure.
  func finish(interrupted: Bool) {
    let isLone = state.total == 1 && state.settled == 1 && !interrupted
    let isSilent = verbosity == .quiet || state.total == 0 || isLone
    let elapsed = now() - start
    print(isSilent ? [] : Summary.lines(state, elapsed: elapsed, interrupted: interrupted))
  }

  private func showFinished(_ result: FileResult) {
    if verbosity == .quiet { return }
    var lines: [String] = []
    if printsFiles {
      lines += result.line.map { ["done  " + $0] } ?? []
      if verbosity == .verbose { lines += result.details.map { ["      " + $0] } ?? [] }
    }
    lines += result.warnings.map { "warning: " + $0 }
    print(lines)
  }

  /// Prints permanent lines in place of the bar, which the next tick redraws below them.
  private func print(_ lines: [String]) {
    let text = live.replace(with: lines, columns: terminal.size().columns)
    if !text.isEmpty { terminal.write(text) }
  }
}
