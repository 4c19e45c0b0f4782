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
        return TerminalPlotRun(command, mode, interruption).run(inputs)
      }
      return command.output.sheet
        ? await run(try sheet(of: inputs)) : await run(try plan(of: inputs))
    } catch {
      return RunLog.status(of: error, command.work, interruption)
    }
  }

  // MARK: - A picture for each file

  private func plan(of inputs: [BatchInput]) throws(BatchPlanError) -> PlotPlan {
    try PlotPlan(
      inputs: inputs, destination: command.output.destination, format: command.output.format,
      settings: command.settings, walker: command.input.walker,
      cancellation: interruption.cancellation)
  }

  private func run(_ plan: PlotPlan) async -> Int32 {
    var batch = PlotBatch(plan.jobs)
    command.work.apply(to: &batch)
    var log = RunLog(command.work, interruption, files: plan.jobs.map(BatchFile.init))
    log.begin(plan.problems)
    if command.work.dryRun {
      for (job, verdict) in zip(batch.jobs, batch.verdicts()) {
        log.plan(job.plot.input, job.plot.output, verdict)
      }
    } else if !batch.jobs.isEmpty {
      for await update in ticking(batch.events(cancellation: interruption.cancellation)) {
        guard case .event(let event) = update else {
          log.tick()
          continue
        }
        log.handle(FileEvent(event))
        if let record = FileRecord<PlotFacts>(event) { log.write(record) }
      }
      log.summarize()
    }
    return log.status(foundNothing: plan.foundNothing)
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
      settings: command.settings, walker: command.input.walker,
      cancellation: interruption.cancellation)
  }

  private func run(_ sheet: PlotSheet) async -> Int32 {
    var sheet = sheet
    command.work.apply(to: &sheet.batch)
    var log = RunLog(command.work, interruption, files: sheet.batch.jobs.map(BatchFile.init))
    log.begin(sheet.problems)
    if command.work.dryRun {
      for (job, verdict) in zip(sheet.batch.jobs, sheet.batch.verdicts()) {
        log.plan(job.plot.input, job.plot.output, verdict)
      }
    } else if !sheet.batch.jobs.isEmpty {
      await draw(sheet, &log)
    }
    return log.status(foundNothing: sheet.foundNothing)
  }

  private func draw(_ sheet: PlotSheet, _ log: inout RunLog) async {
    // A cell is of no use without its sheet: it counts and has its record when it is known what became of that.
    var cells: [(PlotJob, Plot.Report)] = []
    var failed: Set<PlotJob.ID> = []
    for await update in ticking(sheet.events(cancellation: interruption.cancellation)) {
      switch update {
      case .tick: log.tick()
      case .event(.source(.finished(let job, let report))):
        cells.append((job, report))
        log.show(FileEvent(cell: job, report))
      case .event(.source(let event)):
        if case .failed(let job, _) = event { failed.insert(job.id) }
        log.handle(FileEvent(event))
        if let record = FileRecord<PlotFacts>(event) { log.write(record) }
      case .event(.finished):
        log.tell("done  \(FileLines.sheet(cells.count, sheet))")
        for (job, report) in cells {
          log.count(FileEvent(cell: job, report))
          log.write(FileRecord(.finished(job, report)))
        }
      case .event(.skipped):
        log.tell("skipped  \(FileLines.sheet(sheet.batch.jobs.count, sheet))  the output exists")
        for job in sheet.batch.jobs { log.write(FileRecord<PlotFacts>(.skipped(job))) }
        return
      case .event(.failed(let error)):
        log.fail(FileFailure(error))
        for job in sheet.batch.jobs where !failed.contains(job.id) {
          log.write(FileRecord<PlotFacts>(.failed(job, error)))
        }
        if cells.isEmpty { return }
      }
    }
    log.summarize()
  }
}
