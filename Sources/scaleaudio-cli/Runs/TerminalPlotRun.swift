import ScaleAudio

/// One run of `scaleaudio plot` that shows its pictures in the terminal, one after another.
struct TerminalPlotRun {
  private let command: PlotCommand
  private let mode: TerminalMode
  private let interruption: Interruption

  init(_ command: PlotCommand, _ mode: TerminalMode, _ interruption: Interruption) {
    self.command = command
    self.mode = mode
    self.interruption = interruption
  }

  /// Shows what a user named, tells what went wrong, and returns the exit status.
  func run(_ inputs: [BatchInput]) -> Int32 {
    let list = InputList(
      inputs, walker: command.input.walker, cancellation: interruption.cancellation)
    let files = list.inputs.enumerated().map { BatchFile(id: $0, path: $1.path, bytes: 0) }
    var log = RunLog(command.work, interruption, files: files, showsProgress: false)
    log.begin(list.problems)
    if command.work.dryRun {
      for input in list.inputs {
        log.write(Array("\(escapedForTerminal(input.path)) -> the terminal\n".utf8))
      }
    } else {
      show(list.inputs, files, &log)
    }
    return log.status(foundNothing: list.isWithoutFiles)
  }

  private func show(_ inputs: [ConversionInput], _ files: [BatchFile], _ log: inout RunLog) {
    let screen = TerminalScreen(mode: mode, options: command.picture)
    var settings = command.settings
    settings.picture = screen.picture
    var isFirst = true
    for (input, file) in zip(inputs, files) where !interruption.cancellation.isCancelled {
      let plot = TerminalPlot(input: input, screen: screen.screen, settings: settings)
      do throws(PlotError) {
        let picture = try plot.run(cancellation: interruption.cancellation)
        log.write(isFirst ? picture : [UInt8(ascii: "\n")] + picture)
        log.handle(FileEvent(file: file, news: .finished(FileResult())))
        isFirst = false
      } catch {
        log.handle(FileEvent(file: file, error))
        if command.work.failFast { return }
      }
    }
  }
}
