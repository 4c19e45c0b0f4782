import ScaleAudio
import Waveforms

/// One run of `scaleaudio plot`, from its request to the exit status.
final class PlotRun {
  /// The request of a command line.
  struct Request {
    let input: InputOptions
    let settings: PlotSettings
    /// The terminal that shows the pictures; `nil` if they are files.
    let screen: TerminalScreen?
    /// True if all files go on one contact sheet.
    let isSheet: Bool
    let destination: OutputDestination
    /// `nil` for the format of the output's extension.
    let format: PlotFormat?
    let work: RunOptions
  }

  private let request: Request
  private let interruption: Interruption

  init(_ request: Request, _ interruption: Interruption) {
    self.request = request
    self.interruption = interruption
  }

  /// Runs the request, reports it, and returns the exit status.
  func run() async -> Int32 {
    do {
      let inputs = try request.input.inputs(interruption.cancellation)
      if let screen = request.screen {
        return TerminalPlotRun(request, screen, interruption).run(inputs)
      }
      if request.isSheet { return await run(try sheet(of: inputs)) }
      var batch = try PlotBatch(
        inputs: inputs, destination: request.destination, format: request.format,
        settings: request.settings, walker: request.input.walker,
        cancellation: interruption.cancellation)
      request.work.apply(to: &batch)
      return await RunLog.run(
        batch, request.work, interruption, input: request.input)
    } catch {
      return RunLog.status(of: error, request.work, interruption)
    }
  }

  // MARK: - Contact sheets

  private func sheet(of inputs: [NamedInput]) throws(PlanningError) -> PlotSheet {
    let output: ConversionOutput =
      switch request.destination {
      case .path(let path), .folder(let path): .file(path)
      case .beside, .standardOutput: .standardOutput
      }
    var format: PictureFormat?
    if case .picture(let asked) = request.format { format = asked }
    return try PlotSheet(
      inputs: inputs, output: output, format: format, settings: request.settings,
      walker: request.input.walker, cancellation: interruption.cancellation)
  }

  private func run(_ sheet: PlotSheet) async -> Int32 {
    var sheet = sheet
    request.work.apply(to: &sheet.batch)
    let log = RunLog(request.work, interruption, files: sheet.batch.jobs.map { BatchFile($0) })
    log.begin(sheet.problems, .plot, request.input)
    if request.work.dryRun {
      log.list(sheet.batch)
    } else if !sheet.batch.jobs.isEmpty {
      await draw(sheet, log)
    }
    return log.status(foundNothing: sheet.foundNothing && request.input.filesFrom == nil)
  }

  private func draw(_ sheet: PlotSheet, _ log: RunLog) async {
    // A cell has no effect without its sheet, so it is counted and recorded with the outcome of the sheet.
    var cells: [(job: PlotJob, report: Plot.Report)] = []
    var failed: Set<PlotJob.ID> = []
    func cellEvent(_ cell: (job: PlotJob, report: Plot.Report)) -> FileEvent {
      FileEvent(
        file: BatchFile(cell.job),
        news: .finished(FileResult(sourceSeconds: cell.report.sourceSeconds)))
    }
    for await update in ticking(sheet.events(cancellation: interruption.cancellation)) {
      switch update {
      case .tick: log.tick()
      case .event(.source(.finished(let job, let report))):
        cells.append((job, report))
        log.show(cellEvent((job, report)))
      case .event(.source(let event)):
        if case .failed(let job, _) = event { failed.insert(job.id) }
        log.handle(event)
      case .event(.finished):
        log.say("done  \(PlotLines.sheet(cells.count, sheet))")
        for cell in cells {
          log.count(cellEvent(cell))
          log.write(FileRecord(PlotEvent.finished(cell.job, cell.report)))
        }
      case .event(.skipped):
        log.say("skipped  \(PlotLines.sheet(sheet.batch.jobs.count, sheet))  the output exists")
        for job in sheet.batch.jobs { log.write(FileRecord(PlotEvent.skipped(job, .outputExists))) }
        return
      case .event(.failed(let error)):
        log.fail(FileFailure(error))
        for job in sheet.batch.jobs where !failed.contains(job.id) {
          log.write(FileRecord(PlotEvent.failed(job, error)))
        }
        if cells.isEmpty { return }
      }
    }
    log.summarize(hint: nil)
  }
}
