import AudioIO
import Glibc
import ScaleAudio

/// Reports a run over many files: to people on standard error, to programs on standard output, and to the shell
/// by an exit status.
final class RunLog {
  private let options: RunOptions
  private let interruption: Interruption
  private let display: ProgressDisplay
  private let fileCount: Int
  private var tally = Tally()
  private var output = StandardOutput()

  /// A log of work on these files; without progress, it shows only failures.
  init(
    _ options: RunOptions, _ interruption: Interruption, files: [BatchFile],
    showsProgress: Bool = true
  ) {
    self.options = options
    self.interruption = interruption
    fileCount = files.count
    // On a shared terminal, lines of JSON would overwrite the bar.
    let sharesTerminal = options.json && isatty(STDOUT_FILENO) == 1
    display = ProgressDisplay(
      style: sharesTerminal && options.progress == .auto ? .plain : options.progress,
      verbosity: showsProgress ? options.verbosity : .quiet, files: files)
  }

  /// Reports folders that could not be read, and that there are no files. `input` is the user's input, `nil` for a shard.
  func begin(_ problems: [AudioFileError], _ schema: RecordSchema, _ input: InputOptions?) {
    for problem in problems {
      tally.countFailure(isWorthRetrying: problem.isWorthRetrying)
      notice(problem.fullMessage)
      write(FileOutcome(problem, schema: schema))
    }
    if fileCount == 0 { notice(input?.nothingFound ?? "this shard has no files") }
  }

  /// Counts and shows an event.
  func handle(_ event: FileEvent) {
    count(event)
    show(event)
  }

  /// Counts and shows an event, and writes its record.
  func handle<Work: ReportedWork>(_ event: JobEvent<Work>) {
    handle(FileEvent(event))
    if let record = FileRecord(event) { write(record) }
  }

  /// Counts an event for the exit status.
  func count(_ event: FileEvent) { tally.count(event) }

  /// Shows an event.
  func show(_ event: FileEvent) { display.handle(event) }

  /// Reports a failure outside the files of the batch.
  func fail(_ failure: FileFailure) {
    tally.countFailure(isWorthRetrying: failure.isWorthRetrying)
    display.line("failed  " + failure.line)
  }

  /// Reports a file that cannot be read or written, outside the files of the batch.
  func fail(_ error: AudioFileError) {
    fail(FileFailure(line: error.fullMessage, isWorthRetrying: error.isWorthRetrying))
  }

  /// Prints a line about the whole run, unless `--quiet`.
  func say(_ line: String) {
    if options.verbosity != .quiet { display.line(line) }
  }

  /// Prints a permanent line.
  func notice(_ text: String) { display.notice(text) }

  /// Redraws the bar, if there is one. If the run turns out to take more than a minute, says so once, and what would be
  /// `faster`.
  func tick(faster: String? = nil) {
    if let faster, !hasToldPace, !options.json, let pace = display.pace() {
      hasToldPace = true
      say("\(pace) \(faster)")
    }
    display.tick()
  }

  /// True when a line has told how long the run takes.
  private var hasToldPace = false

  /// Lists the planned outcome of each file.
  func list<Batch: JobBatch>(
    _ batch: Batch, _ copies: ForeseenCopies?
  ) where Batch.Work: ReportedWork {
    var total = ForeseenTotal(schema: Batch.Work.schema, copies)
    for (job, verdict) in zip(batch.jobs, batch.verdicts()) {
      if let refusal = job.refusal {
        tally.countFailure(isWorthRetrying: false)
        write(FileOutcome(job.work, .failed(refusal.errorClass, refusal.fullMessage)))
        if !options.json { write(FileLines.refused(job.work, refusal)) }
        continue
      }
      var foreseen: ForeseenFile?
      if case .run(let replacing) = verdict {
        var work = job.work
        work.existing = replacing ? .replace : .refuse
        do throws(Batch.Work.Failure) {
          foreseen = try work.foreseen(interruption.cancellation)
        } catch {
          if interruption.cancellation.isCancelled { return }
          tally.countFailure(isWorthRetrying: error.isWorthRetrying)
          write(FileOutcome(job.work, .failed(error.errorClass, error.fullMessage)))
          if !options.json { write(FileLines.refused(job.work, error)) }
          continue
        }
      }
      total.count(verdict, foreseen)
      write(FileRecord(outcome: FileOutcome(job.work, verdict), details: foreseen?.record))
      if !options.json {
        write(
          FileLines.planned(job.work, verdict, foreseen, isVerbose: options.verbosity == .verbose))
      }
    }
    guard total.files > 0 || copies != nil, interruption.signal == 0 else { return }
    if options.json { write(total) } else { say(total.line) }
  }

  /// Writes a record if `--json` is given.
  func write(_ record: some Encodable) {
    if options.json { write(record.jsonLine) }
  }

  /// Writes to standard output; a failure stops the run.
  func write(_ bytes: [UInt8]) {
    output.write(bytes)
    if output.failure != nil { interruption.cancellation.cancel() }
  }

  /// Removes the bar and prints the summary, followed by the hint unless programs read the output.
  func summarize(hint: String?) {
    display.finish(interrupted: interruption.signal != 0)
    if let hint, !options.json, tally.finished > 0, interruption.signal == 0 { say(hint) }
  }

  /// True if the reader of the audio on standard output has left.
  private var readerHasLeft = false

  /// True if some files are neither done nor skipped nor failed.
  private var hasRest: Bool { tally.settled < fileCount }

  /// The exit status.
  func status(foundNothing: Bool) -> Int32 {
    if readerHasLeft || output.failure == .brokenPipe {
      return ExitStatus.failedOutput(.brokenPipe)
    }
    if let failure = output.failure {
      notice("standard output: \(failure.words)")
      let error = AudioFileError.cannotWrite("-", failure)
      tally.countFailure(isWorthRetrying: error.isWorthRetrying)
    }
    return tally.status(
      fileCount: fileCount, foundNothing: foundNothing, signal: interruption.signal)
  }
}

extension RunLog {
  /// Runs a batch, or lists it for `--dry-run`, and returns the exit status. The hint is printed at the end, if a
  /// file is done, and `resuming` if the run was interrupted. `input` is the user's input, `nil` for a shard; a shard and a list of files may be empty.
  /// `faster` is said with the time that a long run takes. For `--dry-run`, `copies` are the files that are only copied, and `onListed` is called at the end.
  /// `onEvent` gets each event; `onEnd` is called once, when no jobs are running.
  static func run<Batch: JobBatch>(
    _ batch: Batch, _ options: RunOptions, _ interruption: Interruption, input: InputOptions?,
    hint: String? = nil, resuming: String? = nil, faster: String? = nil,
    copies: () -> ForeseenCopies? = { nil },
    onListed: (RunLog) -> Void = { _ in },
    onEvent: (JobEvent<Batch.Work>) -> Void = { _ in },
    onEnd: (RunLog) -> Void = { _ in }
  ) async -> Int32 where Batch.Work: ReportedWork {
    let log = RunLog(options, interruption, files: batch.jobs.map { BatchFile($0) })
    log.begin(batch.problems, Batch.Work.schema, input)
    var mistake: String?
    if options.dryRun {
      log.list(batch, copies())
      onListed(log)
    } else if !batch.jobs.isEmpty {
      for await update in ticking(batch.events(cancellation: interruption.cancellation)) {
        switch update {
        case .tick: log.tick(faster: faster)
        case .event(let event):
          onEvent(event)
          if case .failed(_, let error) = event,
            error.fileError == .cannotWrite("-", .brokenPipe)
          {
            log.readerHasLeft = true
            continue
          }
          log.handle(event)
          if case .failed(_, let error) = event, let problem = error.fileError {
            mistake = mistake ?? input?.hint(at: problem)
          }
        }
      }
      onEnd(log)
      if !log.readerHasLeft { log.summarize(hint: hint) }
      if let resuming, interruption.signal != 0, log.hasRest { log.say(resuming) }
      if let mistake { log.say(mistake) }
    }
    return log.status(foundNothing: batch.foundNothing && input?.filesFrom == nil && input != nil)
  }

  /// Reports why nothing was started, and returns the exit status.
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

/// Counts the outcomes of a run's files.
struct Tally {
  /// Files that are finished, skipped or failed.
  private(set) var settled = 0
  /// Files that are finished.
  private(set) var finished = 0
  private var failures = 0
  private var isWorthRetrying = false

  mutating func count(_ event: FileEvent) {
    switch event.news {
    case .started, .progress: break
    case .finished:
      settled += 1
      finished += 1
    case .skipped: settled += 1
    case .cancelled: failures += 1
    case .failed(let failure):
      settled += 1
      countFailure(isWorthRetrying: failure.isWorthRetrying)
    }
  }

  /// Counts a failure outside the files of the batch.
  mutating func countFailure(isWorthRetrying: Bool) {
    failures += 1
    if isWorthRetrying { self.isWorthRetrying = true }
  }

  /// The exit status of a run.
  ///
  /// - Parameters:
  ///   - fileCount: The number of files; `nil` if it is not known.
  ///   - foundNothing: True when there was no input.
  ///   - signal: The signal that interrupted the run; 0 for none.
  func status(fileCount: Int?, foundNothing: Bool, signal: Int32) -> Int32 {
    // A signal after the last file has no effect.
    if signal != 0 && settled < fileCount ?? .max {
      return ExitStatus.interrupted(bySignal: signal)
    }
    if isWorthRetrying { return ExitStatus.tryAgain }
    if foundNothing { return ExitStatus.noInput }
    return failures > 0 ? ExitStatus.someFailed : ExitStatus.success
  }
}

/// An event, or a moment between two events for redrawing a display.
enum Ticked<Event: Sendable>: Sendable {
  case event(Event)
  case tick
}

/// The events, mixed with a tick ten times a second.
func ticking<Event: Sendable>(_ events: AsyncStream<Event>) -> AsyncStream<Ticked<Event>> {
  AsyncStream { continuation in
    let ticker = Task.detached {
      while (try? await Task.sleep(for: .milliseconds(100))) != nil { continuation.yield(.tick) }
    }
    continuation.onTermination = { _ in ticker.cancel() }
    Task.detached {
      for await event in events { continuation.yield(.event(event)) }
      continuation.finish()
    }
  }
}
