import ScaleAudio

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
      return await run(try BatchPlan(request, cancellation: interruption.cancellation))
    } catch {
      return RunLog.status(of: error, command.work, interruption)
    }
  }

  private func run(_ plan: BatchPlan) async -> Int32 {
    var batch = Batch(
      plan.jobs, workerCount: command.work.workerCount,
      stopsAtFirstFailure: command.work.failFast, resumes: command.output.resume)
    batch.threadCount = command.work.threads
    var log = RunLog(command.work, interruption, files: plan.jobs.map(BatchFile.init))
    log.begin(plan.problems)
    if command.work.dryRun {
      for (job, verdict) in zip(batch.jobs, batch.verdicts()) {
        log.plan(job.conversion.input, job.conversion.output, verdict)
      }
    } else if !plan.jobs.isEmpty {
      await convert(batch, &log)
    }
    return log.status(foundNothing: plan.foundNothing)
  }

  private func convert(_ batch: Batch, _ log: inout RunLog) async {
    for await update in ticking(batch.events(cancellation: interruption.cancellation)) {
      guard case .event(let event) = update else {
        log.tick()
        continue
      }
      log.handle(FileEvent(event))
      if let record = FileRecord<ConversionFacts>(event) { log.write(record) }
    }
    log.summarize()
  }
}
