import ScaleAudio
import Waveforms

/// The request of `scaleaudio plot`.
struct PlotRequest {
  let input: InputOptions
  let settings: PlotSettings
  /// The terminal that shows the pictures; `nil` if they are files.
  let screen: TerminalScreen?
  let destination: OutputDestination
  /// `nil` for the format of the output's extension.
  let format: PlotFormat?
  let work: RunOptions
}

/// One run of `scaleaudio plot`, from its request to the exit status.
final class PlotRun {
  private let request: PlotRequest
  private let interruption: Interruption

  init(_ request: PlotRequest, _ interruption: Interruption) {
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
}
