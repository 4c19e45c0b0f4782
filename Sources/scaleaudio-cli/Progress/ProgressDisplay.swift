import ScaleAudio
import SystemPackage

/// Shows a batch's events to a person on standard error.
final class ProgressDisplay {
  enum Style: String, CaseIterable { case auto, bar, plain, none }
  enum Verbosity { case quiet, normal, verbose }

  private let style: Style
  private let verbosity: Verbosity
  private var failures: [String] = []
  private var done = 0
  private var skipped = 0

  init(style: Style, verbosity: Verbosity, jobs: [ConversionJob]) {
    self.style = style
    self.verbosity = verbosity
  }

  /// Called by the one consumer, in order.
  func handle(_ event: ConversionEvent) {
    switch event {
    case .started, .progress: break
    case .finished(let job, let report):
      done += 1
      if verbosity != .quiet && style != .none {
        print("\(escapedForTerminal(job.conversion.output.path)): \(report.outputFrames) frames")
      }
      for warning in report.warnings {
        print("\(escapedForTerminal(job.conversion.input.path)): warning: \(warning)")
      }
    case .skipped: skipped += 1
    case .failed(_, let error):
      failures.append(error.message)
      print(error.message)
    }
  }

  /// Called about ten times a second while work goes on.
  func tick() {}

  /// A line that must stay visible (errors of the walk, warnings).
  func notice(_ text: String) { print(text) }

  /// Removes the bar and prints the summary, every failure named.
  func finish(interrupted: Bool) {
    if verbosity == .quiet { return }
    print("\(done) done, \(skipped) skipped, \(failures.count) failed")
  }

  private func print(_ text: String) {
    _ = try? FileDescriptor.standardError.writeAll(Array("scaleaudio: \(text)\n".utf8))
  }
}
