import ScaleAudio

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a run over many files tells: people on standard error, programs on standard output, and the shell by an
/// exit status.
struct RunLog {
  private let options: RunOptions
  private let interruption: Interruption
  private let display: ProgressDisplay
  private let fileCount: Int
  private var tally = Tally()
  private var output = StandardOutput()

  /// A log of work on these files; without progress, only failures are told.
  init(
    _ options: RunOptions, _ interruption: Interruption, files: [BatchFile],
    showsProgress: Bool = true
  ) {
    self.options = options
    self.interruption = interruption
    fileCount = files.count
    // On one terminal, lines of JSON would land inside the bar.
    let sharesTerminal = options.json && isatty(STDOUT_FILENO) == 1
    display = ProgressDisplay(
      style: sharesTerminal && options.progress == .auto ? .plain : options.progress,
      verbosity: showsProgress ? options.verbosity : .quiet, files: files)
  }

  /// Tells what could not be walked, and where there is nothing to work on.
  mutating func begin(_ problems: [AudioFileError]) {
    for problem in problems {
      tally.countFailure(isWorthRetrying: problem.isWorthRetrying)
      notice(problem.message)
      write(FileOutcome(problem))
    }
    if fileCount == 0 { notice("No audio was found in what was named.") }
  }

  /// Takes an event.
  mutating func handle(_ event: FileEvent) {
    count(event)
    show(event)
  }

  /// Has an event count for the exit status.
  mutating func count(_ event: FileEvent) { tally.count(event) }

  /// Shows an event to a person.
  func show(_ event: FileEvent) { display.handle(event) }

  /// Tells of a failure that is no file's of the batch.
  mutating func fail(_ failure: FileFailure) {
    tally.countFailure(isWorthRetrying: failure.isWorthRetrying)
    display.line("failed  " + failure.line)
  }

  /// Tells something of the whole, but to those who want to hear errors alone.
  func tell(_ line: String) {
    if options.verbosity != .quiet { display.line(line) }
  }

  /// Prints a line that stays.
  func notice(_ text: String) { display.notice(text) }

  /// Draws the bar anew where there is one.
  func tick() { display.tick() }

  /// Lists what would be done about a file.
  mutating func plan(_ input: ConversionInput, _ output: ConversionOutput, _ verdict: JobVerdict) {
    write(FileOutcome(input, output, verdict))
    if !options.json { write(FileLines.planned(input, output, verdict)) }
  }

  /// Writes a record where records are asked for.
  mutating func write(_ record: some Encodable) {
    if options.json { write(record.jsonLine) }
  }

  /// Writes to standard output; once that fails, nobody hears of the rest, and the work is stopped.
  mutating func write(_ bytes: [UInt8]) {
    output.write(bytes)
    if output.failure != nil { interruption.cancellation.cancel() }
  }

  /// Removes the bar and tells of the whole.
  func summarize() { display.finish(interrupted: interruption.signal != 0) }

  /// The exit status.
  mutating func status(foundNothing: Bool) -> Int32 {
    if let failure = output.failure {
      notice("standard output: \(failure)")
      let error = AudioFileError.cannotWrite("-", failure)
      tally.countFailure(isWorthRetrying: error.isWorthRetrying)
    }
    return tally.status(
      files: fileCount, foundNothing: foundNothing, signal: interruption.signal)
  }
}

extension RunLog {
  /// Tells why nothing was started, and returns the exit status.
  static func status(
    of error: any Error, _ options: RunOptions, _ interruption: Interruption
  ) -> Int32 {
    if interruption.signal != 0 { return ExitStatus.interrupted(bySignal: interruption.signal) }
    let failure = StartFailure(error)
    let log = RunLog(options, interruption, files: [])
    for line in failure.lines { log.notice(line) }
    return failure.status
  }
}
