internal import Dispatch

/// What happens to the pictures of a batch, in the order in which it happens.
public enum PlotEvent: Sendable {
  /// The picture is in place.
  case finished(PlotJob, Plot.Report)
  /// Nothing was done because the picture exists.
  case skipped(PlotJob)
  /// Nothing was made, and this is why.
  case failed(PlotJob, PlotError)
}

/// The making of many pictures, as many side by side as the machine has cores.
public struct PlotBatch: Sendable {
  /// The pictures, begun in this order.
  public var jobs: [PlotJob]

  /// A batch of pictures.
  public init(_ jobs: [PlotJob]) {
    self.jobs = jobs
  }

  /// Begins the work, on threads of its own, and tells what happens; for one consumer.
  ///
  /// `cancellation` stops the jobs in hand at their next block, and begins no others.
  public func events(cancellation: Cancellation = Cancellation()) -> AsyncStream<PlotEvent> {
    AsyncStream { continuation in
      let stop = Cancellation(parent: cancellation)
      continuation.onTermination = { if case .cancelled = $0 { stop.cancel() } }
      DispatchQueue(label: "scaleaudio.plots").async {
        let folders = CreatedFolders()
        sweep()
        DispatchQueue.concurrentPerform(iterations: jobs.count) { index in
          if stop.isCancelled { return }
          continuation.yield(Self.event(of: jobs[index], folders, stop))
        }
        folders.removeEmpty()
        continuation.finish()
      }
    }
  }

  private static func event(
    of job: PlotJob, _ folders: CreatedFolders, _ stop: Cancellation
  ) -> PlotEvent {
    do throws(PlotError) {
      return .finished(job, try job.plot.perform(making: folders, cancellation: stop))
    } catch {
      if case .file(.outputExists) = error, job.plot.settings.existing == .skip {
        return .skipped(job)
      }
      return .failed(job, error)
    }
  }

  /// Takes away what killed processes left.
  private func sweep() {
    let folders = jobs.compactMap { job in
      if case .file(let path) = job.plot.output { path.folder } else { nil }
    }
    for folder in Set(folders) { HiddenFiles.sweep(folder) }
  }
}
