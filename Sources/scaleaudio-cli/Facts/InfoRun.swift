import ScaleAudio
import SystemPackage

/// One run of `scaleaudio info`, from the options to the exit status.
struct InfoRun {
  private let command: InfoCommand
  private let interruption: Interruption
  /// The width of the text.
  private let columns: Int

  /// The width where no terminal shows it.
  private static let usualColumns = 100

  init(_ command: InfoCommand, _ interruption: Interruption) {
    self.command = command
    self.interruption = interruption
    let window = TerminalWindow.ofStandardOutput { _ in nil }
    columns = window.lines == nil ? Self.usualColumns : window.columns
  }

  /// Tells of every file, and returns the exit status.
  func run() -> Int32 {
    var tally = FactsTally()
    do {
      let named = try command.input.inputs(interruption.cancellation)
      let list = InputList(
        named, walker: command.input.walker, cancellation: interruption.cancellation)
      for problem in list.problems { tell(problem, &tally) }
      if list.inputs.isEmpty { notice("No audio was found in what was named.") }
      for input in list.inputs where interruption.signal == 0 && !tally.isUnheard {
        tell(of: input, &tally)
      }
      return status(tally, foundNothing: list.isWithoutFiles)
    } catch {
      guard interruption.signal == 0 else { return status(tally, foundNothing: false) }
      notice(error.message)
      return error.isWorthRetrying ? ExitStatus.tryAgain : ExitStatus.noInput
    }
  }

  private func status(_ tally: FactsTally, foundNothing: Bool) -> Int32 {
    if interruption.signal != 0 { return ExitStatus.interrupted(bySignal: interruption.signal) }
    if tally.isWorthRetrying { return ExitStatus.tryAgain }
    if foundNothing { return ExitStatus.noInput }
    return tally.failures > 0 ? ExitStatus.someFailed : ExitStatus.success
  }

  private func tell(of input: ConversionInput, _ tally: inout FactsTally) {
    do {
      let facts = try AudioFacts(
        of: input, command.facts.request, cancellation: interruption.cancellation)
      if let problem = facts.problem {
        tally.count(problem)
        notice(problem.message)
      }
      write(text(of: facts, input, isFirst: tally.isFirst), &tally)
      tally.isFirst = false
    } catch {
      // What was read when a signal came failed for no other reason.
      if interruption.signal == 0 { tell(error, &tally) }
    }
  }

  private func text(of facts: AudioFacts, _ input: ConversionInput, isFirst: Bool) -> [UInt8] {
    let output: Result<PlannedOutput, ConversionError>
    do {
      output = .success(
        try PlannedOutput(facts, input: input, settings: command.settings))
    } catch {
      output = .failure(error)
    }
    if command.facts.json { return FactsRecord(facts, input.path, output).jsonLine }
    let isScaled = command.time.given != nil
    let text = FactsText(facts, output, isScaled: isScaled).lines(columns: columns)
    let title = escapedForTerminal(input.path)
    return Array(((isFirst ? "" : "\n") + ([title] + text).joined(separator: "\n") + "\n").utf8)
  }

  /// Tells of a file or folder that nothing can be told of.
  private func tell(_ problem: AudioFileError, _ tally: inout FactsTally) {
    tally.count(problem)
    notice(problem.message)
    if command.facts.json { write(FactsRecord(problem).jsonLine, &tally) }
  }

  private func notice(_ text: String) {
    _ = try? FileDescriptor.standardError.writeAll((escapedForTerminal(text) + "\n").utf8)
  }

  private func write(_ bytes: [UInt8], _ tally: inout FactsTally) {
    do {
      try FileDescriptor.standardOutput.writeAll(bytes)
    } catch {
      notice("standard output: \(error)")
      tally.count(.cannotWrite("-", error as? Errno ?? .ioError))
      // Nobody hears of the rest.
      tally.isUnheard = true
    }
  }
}

/// What became of the files, counted.
private struct FactsTally {
  var failures = 0
  var isWorthRetrying = false
  var isFirst = true
  var isUnheard = false

  mutating func count(_ problem: AudioFileError) {
    failures += 1
    if problem.isWorthRetrying { isWorthRetrying = true }
  }
}
