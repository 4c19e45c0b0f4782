import ScaleAudio
import Synchronization

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
  /// True if each file gets a line when it ends.
  private let printsFiles: Bool
  private let start: Double
  private var state: ProgressState
  private var live = LiveArea()
  /// Permanent lines that the next tick prints above the bar, in the same write.
  private var pending: [String] = []
  /// The total number of permanent lines, and their number after each failure that got a line.
  private var lineCount = 0
  private var failureLines: [Int] = []
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
      if printsFiles || verbosity == .quiet {
        print(["failed  " + failure.line])
        failureLines.append(lineCount)
      }
    }
  }

  /// Prints pending lines and redraws the bar, if there is one; called about ten times a second.
  func tick() {
    guard drawsBar, now() - lastDrawing >= Self.interval else { return }
    lastDrawing = now()
    let size = terminal.size()
    let lines = BarRenderer.lines(
      state, elapsed: now() - start, columns: size.columns, rows: size.rows)
    terminal.write(live.redraw(lines, below: pending, columns: size.columns))
    pending = []
    Self.isDrawn.store(true, ordering: .releasing)
  }

  /// The time that is left and the speed, when a run has begun and will take more than a minute: `This takes about 12
  /// minutes (14x real time).` `nil` in the first seconds, and after its beginning.
  func pace() -> String? {
    let elapsed = now() - start
    guard Self.beginning.contains(elapsed), let left = state.secondsLeft(elapsed: elapsed),
      left > 60, let multiple = state.multipleOfRealTime(elapsed: elapsed)
    else { return nil }
    return "This takes about \(Quantities.roughly(seconds: left)) "
      + "(\(Quantities.multiple(multiple)) real time)."
  }

  /// The seconds of a run during which its pace may be reported.
  private static let beginning = 3.0...30

  /// Prints a permanent line unchanged.
  func line(_ line: String) { print([line]) }

  /// Prints a permanent line with the name of the program.
  func notice(_ text: String) {
    print(["scaleaudio: " + escapedForTerminal(text)])
  }

  /// Removes the bar and prints the summary, with the failures whose lines are out of sight.
  func finish(interrupted: Bool) {
    let isLone = state.total == 1 && state.settled == 1 && !interrupted
    let isSilent = verbosity == .quiet || state.total == 0 || isLone
    let elapsed = now() - start
    var lines: [String] = []
    if !isSilent {
      lines = Summary.lines(
        state, elapsed: elapsed, interrupted: interrupted, listsFailures: !showsEveryFailure)
    }
    flush(adding: lines)
  }

  /// True if every failure has a line that is still in the window.
  private var showsEveryFailure: Bool {
    failureLines.count == state.failures.count
      && failureLines.allSatisfy { lineCount - $0 < terminal.size().rows - 2 }
  }

  private func showFinished(_ result: FileResult) {
    if verbosity == .quiet { return }
    var lines: [String] = []
    if printsFiles {
      lines += result.line.map { ["done  " + $0] } ?? []
      if verbosity == .verbose { lines += result.details.map { ["      " + $0] } ?? [] }
    }
    var warnings = result.warnings
    if let missed = result.missedLoudness, state.total == 1 || verbosity == .verbose {
      warnings.append(missed.warning)
    }
    lines += warnings.map { "warning: " + $0 }
    print(lines)
  }

  /// Prints permanent lines: at once, or, if there is a bar, when it is drawn next.
  private func print(_ lines: [String]) {
    lineCount += lines.count
    if live.isDrawn {
      pending += lines
    } else {
      flush(adding: lines)
    }
  }

  /// Prints the pending lines and more, replacing the bar.
  private func flush(adding lines: [String]) {
    let text = live.replace(with: pending + lines, columns: terminal.size().columns)
    pending = []
    if !text.isEmpty { terminal.write(text) }
    Self.isDrawn.store(false, ordering: .releasing)
  }

  /// True while a bar is drawn on standard error, for a process that ends at once.
  private static let isDrawn = Atomic(false)

  /// Erases the bar, if there is one: the process ends now.
  static func eraseBar() {
    if isDrawn.load(ordering: .acquiring) { Terminal.standardError.write("\r" + Escape.eraseBelow) }
  }
}
