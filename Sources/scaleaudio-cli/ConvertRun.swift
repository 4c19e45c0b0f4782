import ArgumentParser
import ScaleAudio
import SystemPackage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One run of `scaleaudio convert`, from the options to the exit status.
struct ConvertRun {
  private let command: ConvertCommand
  private let interruption: Interruption

  init(_ command: ConvertCommand, _ interruption: Interruption) {
    self.command = command
    self.interruption = interruption
  }

  /// Does what was asked, tells of it, and returns the exit status.
  func run() async -> Int32 {
    do {
      let inputs = try command.input.inputs(interruption.cancellation)
      let request = try command.request(inputs: inputs, interruption.cancellation)
      let plan = try BatchPlan(request, cancellation: interruption.cancellation)
      return await run(plan)
    } catch {
      return status(of: error)
    }
  }

  /// Tells of a failure before anything was started.
  private func status(of error: any Error) -> Int32 {
    if interruption.signal != 0 { return ExitStatus.interrupted(bySignal: interruption.signal) }
    let display = makeDisplay([])
    switch error {
    case let error as BatchPlanError:
      for line in error.message.split(separator: "\n") { display.notice(String(line)) }
      return ExitStatus.usage
    case let error as AudioFileError:
      return status(of: error, display)
    case TimeMapRequest.ReadingError.file(let error):
      return status(of: error, display)
    default:
      display.notice("\(error)")
      return ExitStatus.usage
    }
  }

  private func status(of error: AudioFileError, _ display: ProgressDisplay) -> Int32 {
    display.notice(error.message)
    return error.isWorthRetrying ? ExitStatus.tryAgain : ExitStatus.noInput
  }

  private func run(_ plan: BatchPlan) async -> Int32 {
    var batch = Batch(
      plan.jobs, workerCount: command.work.workerCount,
      stopsAtFirstFailure: command.work.failFast, resumes: command.output.resume)
    batch.threadCount = command.work.threads
    let display = makeDisplay(plan.jobs)
    var tally = Tally()
    var output = StandardOutput()
    for problem in plan.problems {
      tally.count(problem)
      display.notice(problem.message)
      if command.work.json { output.write(ConversionRecord(problem).line) }
    }
    if plan.jobs.isEmpty { display.notice("No audio was found in what was named.") }
    if plan.jobs.isEmpty || command.work.dryRun {
      if command.work.dryRun { tell(batch, &output) }
    } else {
      await convert(batch, display, &tally, &output)
    }
    if let failure = output.failure {
      display.notice("standard output: \(failure)")
      tally.count(AudioFileError.cannotWrite("-", failure))
    }
    return status(plan, tally)
  }

  /// Lists what would be done.
  private func tell(_ batch: Batch, _ output: inout StandardOutput) {
    for (job, verdict) in zip(batch.jobs, batch.verdicts()) {
      if command.work.json {
        output.write(ConversionRecord(job, verdict).line)
      } else {
        let (from, to) = (job.conversion.input.path, job.conversion.output.path)
        let line = "\(escapedForTerminal(from)) -> \(escapedForTerminal(to))\(note(verdict))\n"
        output.write(Array(line.utf8))
      }
    }
  }

  private func note(_ verdict: JobVerdict) -> String {
    switch verdict {
    case .convert(replacing: false): ""
    case .convert(replacing: true): " (replaced if it exists)"
    case .skip(.outputExists): " (skipped: exists)"
    case .skip(.alreadyDone): " (skipped: done before)"
    case .refuse: " (error: exists)"
    }
  }

  private func convert(
    _ batch: Batch, _ display: ProgressDisplay, _ tally: inout Tally,
    _ output: inout StandardOutput
  ) async {
    for await update in updates(of: batch) {
      switch update {
      case .tick: display.tick()
      case .event(let event):
        tally.count(event)
        display.handle(event)
        guard command.work.json, let record = ConversionRecord(event) else { continue }
        output.write(record.line)
        // Nobody hears of the rest.
        if output.failure != nil { interruption.cancellation.cancel() }
      }
    }
    display.finish(interrupted: interruption.signal != 0)
  }

  private enum Update { case event(ConversionEvent), tick }

  /// The batch's events, and a tick ten times a second among them.
  private func updates(of batch: Batch) -> AsyncStream<Update> {
    let cancellation = interruption.cancellation
    return AsyncStream { continuation in
      let ticker = Task.detached {
        while (try? await Task.sleep(for: .milliseconds(100))) != nil { continuation.yield(.tick) }
      }
      continuation.onTermination = { _ in ticker.cancel() }
      Task.detached {
        for await event in batch.events(cancellation: cancellation) {
          continuation.yield(.event(event))
        }
        continuation.finish()
      }
    }
  }

  private func makeDisplay(_ jobs: [ConversionJob]) -> ProgressDisplay {
    // On one terminal, lines of JSON would land inside the bar.
    let sharesTerminal = command.work.json && isatty(STDOUT_FILENO) == 1
    let style = sharesTerminal && command.work.progress == .auto ? .plain : command.work.progress
    return ProgressDisplay(style: style, verbosity: command.work.verbosity, jobs: jobs)
  }

  private func status(_ plan: BatchPlan, _ tally: Tally) -> Int32 {
    // A signal that came when everything was done already changed nothing.
    if interruption.signal != 0 && tally.finishedJobs < plan.jobs.count {
      return ExitStatus.interrupted(bySignal: interruption.signal)
    }
    if tally.isWorthRetrying { return ExitStatus.tryAgain }
    if plan.foundNothing { return ExitStatus.noInput }
    return tally.failures > 0 ? ExitStatus.someFailed : ExitStatus.success
  }
}

/// What became of the jobs, counted.
private struct Tally {
  private(set) var finishedJobs = 0
  private(set) var failures = 0
  private(set) var isWorthRetrying = false

  mutating func count(_ event: ConversionEvent) {
    switch event {
    case .started, .progress: break
    case .finished, .skipped: finishedJobs += 1
    case .failed(_, .cancelled): failures += 1
    case .failed(_, let error):
      finishedJobs += 1
      failures += 1
      if error.isWorthRetrying { isWorthRetrying = true }
    }
  }

  mutating func count(_ problem: AudioFileError) {
    failures += 1
    if problem.isWorthRetrying { isWorthRetrying = true }
  }
}

/// Standard output, until it takes no more.
private struct StandardOutput {
  private(set) var failure: Errno?

  mutating func write(_ bytes: [UInt8]) {
    if failure != nil { return }
    do {
      try FileDescriptor.standardOutput.writeAll(bytes)
    } catch {
      failure = error as? Errno ?? .ioError
    }
  }
}
