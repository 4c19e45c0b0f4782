import ArgumentParser
import ScaleAudio

/// How the work is done and reported.
struct RunOptions: ParsableArguments {
  @Option(
    name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "Files processed side by side, 1 to 256. Default: the number of threads.", valueName: "count")
  )
  var jobs: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Threads for all files together, 1 to 256; free threads help with long files. Default: the number of cores.",
      valueName: "count"))
  var threads: Int?

  @Flag(name: [.customShort("n"), .long], help: "Print what would be done, without doing it.")
  var dryRun = false

  @Flag(help: "Stop at the first failure. Default: continue with the other files.")
  var failFast = false

  @Option(help: "Progress on standard error.")
  var progress: ProgressDisplay.Style = .auto

  @Flag(help: "Print a JSON object per file to standard output, one per line.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print errors only.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print more about each file.")
  var verbose = false

  func validate() throws {
    if quiet && verbose { throw ValidationError("-q and -v exclude each other; give one.") }
    if let jobs, !Batch.workerRange.contains(jobs) {
      throw ValidationError("--jobs \(jobs) is not within 1 to 256.")
    }
    if let threads, !Batch.workerRange.contains(threads) {
      throw ValidationError("--threads \(threads) is not within 1 to 256.")
    }
  }

  /// The number of jobs side by side.
  private var workerCount: Int {
    jobs ?? threads ?? min(Batch.threadCount, Batch.workerRange.upperBound)
  }

  /// Adds these options to a batch of conversions.
  func apply(to batch: inout Batch) {
    batch.workerCount = workerCount
    batch.stopsAtFirstFailure = failFast
  }

  /// Adds these options to a batch of pictures.
  func apply(to batch: inout PlotBatch) {
    // A picture takes one thread.
    batch.workerCount = min(workerCount, threads ?? workerCount)
    batch.stopsAtFirstFailure = failFast
  }

  var verbosity: ProgressDisplay.Verbosity {
    quiet ? .quiet : verbose ? .verbose : .normal
  }
}

extension ProgressDisplay.Style: ExpressibleByArgument {}
