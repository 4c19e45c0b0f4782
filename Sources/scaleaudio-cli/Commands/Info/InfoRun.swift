import AudioIO
import ScaleAudio
import SystemPackage

/// The request of `scaleaudio info`.
struct InfoRequest {
  let input: InputOptions
  /// The facts to report about each file.
  let inspection: InspectionRequest
  let form: InfoRun.Form
  /// The conversion whose output is predicted.
  let settings: ConversionSettings
  /// True if that conversion changes the length.
  let isScaled: Bool
}

/// One run of `scaleaudio info`, from its request to the exit status.
final class InfoRun {
  /// The form of a report.
  enum Form {
    case rows, json, short
    case csv([InspectionField])
    case values([InspectionField])
  }

  private let request: InfoRequest
  private let interruption: Interruption
  /// The width of the text.
  private let columns = TerminalWindow.textColumns
  private var tally = Tally()
  private var output = StandardOutput()
  private var isFirst = true

  init(_ request: InfoRequest, _ interruption: Interruption) {
    self.request = request
    self.interruption = interruption
  }

  /// Reports every file, and returns the exit status.
  func run() -> Int32 {
    do {
      let list = InputList(
        try request.input.inputs(interruption.cancellation), walker: request.input.walker,
        cancellation: interruption.cancellation)
      for problem in list.problems { fail(problem) }
      if case .csv(let fields) = request.form {
        write(CSVLine.bytes(fields.map { Array($0.rawValue.utf8) }))
      }
      if list.inputs.isEmpty { Terminal.notice(request.input.nothingFound) }
      for found in list.inputs where interruption.signal == 0 && output.failure == nil {
        report(found.input)
      }
      return status(foundNothing: list.foundNothing && request.input.filesFrom == nil)
    } catch {
      guard interruption.signal == 0 else { return status(foundNothing: false) }
      Terminal.notice(error.fullMessage)
      return error.isWorthRetrying ? ExitStatus.tryAgain : ExitStatus.noInput
    }
  }

  private func status(foundNothing: Bool) -> Int32 {
    if output.failure == .brokenPipe { return ExitStatus.failedOutput(output.failure) }
    return tally.status(
      fileCount: nil, foundNothing: foundNothing, signal: interruption.signal)
  }

  private func report(_ input: ConversionInput) {
    do {
      let report = try InspectionReport(
        of: input, request.inspection, cancellation: interruption.cancellation)
      if let problem = report.problem { count(problem) }
      write(text(of: report, input))
      isFirst = false
    } catch {
      // A read that fails after a signal was interrupted by it.
      if interruption.signal == 0 { fail(error) }
    }
  }

  private func text(of report: InspectionReport, _ input: ConversionInput) -> [UInt8] {
    let output: Result<PlannedOutput, ConversionError>
    do {
      output = .success(try PlannedOutput(report, input: input, settings: request.settings))
    } catch {
      output = .failure(error)
      // A damaged file has already been counted.
      if report.problem == nil { tally.countFailure(isWorthRetrying: false) }
    }
    switch request.form {
    case .rows: return rows(of: report, input, output)
    case .json: return InspectionRecord(report, input.path, output).jsonLine
    case .short: return InspectionLine.short(report, input.path)
    case .csv(let fields): return CSVLine.bytes(fields.map { $0.value(report, input.path) })
    case .values(let fields):
      return InspectionLine.values(fields.map { $0.value(report, input.path) })
    }
  }

  private func rows(
    of report: InspectionReport, _ input: ConversionInput,
    _ output: Result<PlannedOutput, ConversionError>
  ) -> [UInt8] {
    let rows = InspectionRows(
      report, output, isScaled: request.isScaled,
      hasTempo: request.inspection.measuresTempo
    ).lines(columns: columns)
    let title = escapedForTerminal(input.path)
    return Array(((isFirst ? "" : "\n") + ([title] + rows).joined(separator: "\n") + "\n").utf8)
  }

  /// Reports a file or folder that cannot be read.
  private func fail(_ problem: AudioFileError) {
    count(problem)
    switch request.form {
    case .json: write(InspectionRecord(problem).jsonLine)
    // A row for each file, so that rows can be matched to files.
    case .csv(let fields): write(CSVLine.bytes(fields.map { $0.value(of: problem.path) }))
    case .values(let fields):
      write(InspectionLine.values(fields.map { $0.value(of: problem.path) }))
    case .rows, .short: break
    }
  }

  private func count(_ problem: AudioFileError) {
    tally.countFailure(isWorthRetrying: problem.isWorthRetrying)
    Terminal.notice(problem.fullMessage)
  }

  /// Writes to standard output; a failure ends the run.
  private func write(_ bytes: [UInt8]) {
    guard output.failure == nil else { return }
    output.write(bytes)
    guard let failure = output.failure else { return }
    if failure != .brokenPipe { Terminal.notice("standard output: \(failure.words)") }
    let error = AudioFileError.cannotWrite("-", failure)
    tally.countFailure(isWorthRetrying: error.isWorthRetrying)
  }
}
