import ScaleAudio

/// One run of `scaleaudio plot`, from the options to the exit status.
struct PlotRun {
  private let command: PlotCommand
  private let interruption: Interruption

  init(_ command: PlotCommand, _ interruption: Interruption) {
    self.command = command
    self.interruption = interruption
  }

  /// Does what was asked, tells of it, and returns the exit status.
  func run() async -> Int32 {
    do {
      let inputs = try command.input.inputs(interruption.cancellation)
      if let mode = command.terminalMode {
        return show(
          try TerminalPlotPlan(
            inputs: inputs, walker: command.input.walker, cancellation: interruption.cancellation),
          mode)
      }
      if command.output.sheet { return drawSheet(try sheet(of: inputs)) }
      return await draw(
        try PlotPlan(
          inputs: inputs, destination: command.output.destination,
          format: command.output.format, settings: command.settings,
          walker: command.input.walker, cancellation: interruption.cancellation))
    } catch {
      return status(of: error)
    }
  }

  /// Tells of a failure before anything was started.
  private func status(of error: any Error) -> Int32 {
    if interruption.signal != 0 { return ExitStatus.interrupted(bySignal: interruption.signal) }
    switch error {
    case let error as BatchPlanError:
      for line in error.message.split(separator: "\n") { notice(String(line)) }
      return ExitStatus.usage
    case let error as AudioFileError:
      notice(error.message)
      return error.isWorthRetrying ? ExitStatus.tryAgain : ExitStatus.noInput
    default:
      notice("\(error)")
      return ExitStatus.usage
    }
  }

  private func draw(_ plan: PlotPlan) async -> Int32 {
    var tally = Tally()
    for problem in plan.problems {
      tally.fail(isWorthRetrying: problem.isWorthRetrying)
      notice(problem.message)
    }
    if plan.jobs.isEmpty { notice("No audio was found in what was named.") }
    for await event in PlotBatch(plan.jobs).events(cancellation: interruption.cancellation) {
      switch event {
      case .finished(let job, _): tell("done  \(names(job))")
      case .skipped(let job): tell("skipped  \(names(job))  the picture exists")
      case .failed(_, .cancelled): continue
      case .failed(_, let error):
        fail(error, &tally)
      }
      tally.settled += 1
    }
    return status(tally, of: plan)
  }

  private func status(_ tally: Tally, of plan: PlotPlan) -> Int32 {
    // A signal that came when everything was done already changed nothing.
    if interruption.signal != 0 && tally.settled < plan.jobs.count {
      return ExitStatus.interrupted(bySignal: interruption.signal)
    }
    return tally.status(foundNothing: plan.foundNothing)
  }

  // MARK: - The terminal

  private func show(_ plan: TerminalPlotPlan, _ mode: TerminalMode) -> Int32 {
    var tally = Tally()
    for problem in plan.problems {
      tally.fail(isWorthRetrying: problem.isWorthRetrying)
      notice(problem.message)
    }
    if plan.inputs.isEmpty { notice("No audio was found in what was named.") }
    TerminalPlotRun(command: command, mode: mode, cancellation: interruption.cancellation).show(
      plan
    ) {
      fail($0, &tally)
    }
    if interruption.signal != 0 { return ExitStatus.interrupted(bySignal: interruption.signal) }
    return tally.status(foundNothing: plan.foundNothing)
  }

  // MARK: - Contact sheets

  private func sheet(of inputs: [BatchInput]) throws(BatchPlanError) -> PlotSheet {
    let output: ConversionOutput =
      switch command.output.destination {
      case .path(let path), .folder(let path): .file(path)
      case .beside, .standardOutput: .standardOutput
      }
    return try PlotSheet(
      inputs: inputs, output: output, format: command.output.pictureFormat,
      settings: command.settings,
      walker: command.input.walker, cancellation: interruption.cancellation)
  }

  private func drawSheet(_ sheet: PlotSheet) -> Int32 {
    var tally = Tally()
    for problem in sheet.problems {
      tally.fail(isWorthRetrying: problem.isWorthRetrying)
      notice(problem.message)
    }
    if sheet.inputs.isEmpty {
      notice("No audio was found in what was named.")
      return tally.status(foundNothing: true)
    }
    do throws(PlotError) {
      let report = try sheet.run(cancellation: interruption.cancellation)
      for failure in report.failures { fail(failure, &tally) }
      tell("done  \(files(report.drawn)) -> \(escapedForTerminal(sheet.output.path))")
    } catch {
      if case .cancelled = error, interruption.signal != 0 {
        return ExitStatus.interrupted(bySignal: interruption.signal)
      }
      if case .file(.outputExists) = error, command.output.existing == .skip {
        tell("skipped  \(escapedForTerminal(sheet.output.path))  the picture exists")
      } else {
        fail(error, &tally)
      }
    }
    return tally.status(foundNothing: false)
  }

  private func files(_ count: Int) -> String { Quantities.count(count, "file") }

  // MARK: - What is told

  private func names(_ job: PlotJob) -> String {
    escapedForTerminal(job.plot.input.path) + " -> " + escapedForTerminal(job.plot.output.path)
  }

  private func tell(_ line: String) {
    if !command.output.quiet { Terminal.standardError.write(line + "\n") }
  }

  private func fail(_ error: PlotError, _ tally: inout Tally) {
    tally.fail(isWorthRetrying: error.isWorthRetrying)
    Terminal.standardError.write("failed  \(escapedForTerminal(error.message))\n")
  }

  private func notice(_ text: String) {
    Terminal.standardError.write("scaleaudio: \(escapedForTerminal(text))\n")
  }
}

/// What became of the pictures, counted.
private struct Tally {
  var settled = 0
  private(set) var failures = 0
  private(set) var isWorthRetrying = false

  mutating func fail(isWorthRetrying: Bool) {
    failures += 1
    if isWorthRetrying { self.isWorthRetrying = true }
  }

  /// The exit status that this comes to.
  func status(foundNothing: Bool) -> Int32 {
    if isWorthRetrying { return ExitStatus.tryAgain }
    if foundNothing { return ExitStatus.noInput }
    return failures > 0 ? ExitStatus.someFailed : ExitStatus.success
  }
}
