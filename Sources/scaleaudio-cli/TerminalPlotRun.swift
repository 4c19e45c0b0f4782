import ScaleAudio
import SystemPackage

/// One run of `scaleaudio plot` that shows its pictures in the terminal, one after another.
struct TerminalPlotRun {
  let command: PlotCommand
  let mode: TerminalMode
  let cancellation: Cancellation

  /// Shows the files; `onFailure` is told what went wrong. Ends early when it is cancelled.
  func show(_ plan: TerminalPlotPlan, onFailure: (PlotError) -> Void) {
    let screen = TerminalScreen(mode: mode, options: command.picture)
    var settings = command.settings
    settings.picture = screen.picture
    var isFirst = true
    for input in plan.inputs {
      if cancellation.isCancelled { return }
      let plot = TerminalPlot(input: input, screen: screen.screen, settings: settings)
      do throws(PlotError) {
        let picture = try plot.run(cancellation: cancellation)
        try Self.write(isFirst ? picture : [UInt8(ascii: "\n")] + picture)
        isFirst = false
      } catch {
        if case .cancelled = error { return }
        onFailure(error)
        if case .file(.cannotWrite) = error { return }
      }
    }
  }

  private static func write(_ bytes: [UInt8]) throws(PlotError) {
    do {
      try FileDescriptor.standardOutput.writeAll(bytes)
    } catch {
      throw .file(.cannotWrite("-", error as? Errno ?? .ioError))
    }
  }
}
