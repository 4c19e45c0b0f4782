import ScaleAudio

/// One run of `scaleaudio plot` that shows its pictures in the terminal, one after another.
final class TerminalPlotRun {
  private let request: PlotRequest
  private let screen: TerminalScreen
  private let interruption: Interruption

  init(_ request: PlotRequest, _ screen: TerminalScreen, _ interruption: Interruption) {
    self.request = request
    self.screen = screen
    self.interruption = interruption
  }

  /// Shows the inputs, reports failures, and returns the exit status.
  func run(_ inputs: [NamedInput]) -> Int32 {
    let list = InputList(
      inputs, walker: request.input.walker, cancellation: interruption.cancellation)
    let files = list.inputs.enumerated().map {
      BatchFile(id: $0, path: $1.input.path, bytes: 0)
    }
    let log = RunLog(request.work, interruption, files: files, showsProgress: false)
    log.begin(list.problems, .plot, request.input)
    if request.work.dryRun {
      for file in files {
        log.write(Array("\(escapedForTerminal(file.path)) -> the terminal\n".utf8))
      }
    } else {
      show(list.inputs.map(\.input), files, log)
    }
    return log.status(foundNothing: list.foundNothing && request.input.filesFrom == nil)
  }

  private func show(_ inputs: [ConversionInput], _ files: [BatchFile], _ log: RunLog) {
    var settings = request.settings
    settings.picture = screen.picture
    var isFirst = true
    let shown = screen.screen(isSingle: inputs.count == 1)
    for (input, file) in zip(inputs, files) where !interruption.cancellation.isCancelled {
      let plot = TerminalPlot(input: input, screen: shown, settings: settings)
      do throws(PlotError) {
        let picture = try plot.run(cancellation: interruption.cancellation)
        log.write(isFirst ? picture : [UInt8(ascii: "\n")] + picture)
        log.handle(FileEvent(file: file, news: .finished(FileResult())))
        isFirst = false
      } catch {
        log.handle(FileEvent(file: file, error))
        if request.work.failFast { return }
      }
    }
  }
}
