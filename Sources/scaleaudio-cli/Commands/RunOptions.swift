import ArgumentParser
import ScaleAudio

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How the work is done and what is told of it.
struct RunOptions: ParsableArguments {
  @Option(
    name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "Files in work side by side, 1 to 256. Default: the threads.", valueName: "count"))
  var jobs: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Threads that all files share, 1 to 256: those that files leave free help with long ones. Default: the cores.",
      valueName: "count"))
  var threads: Int?

  @Flag(name: [.customShort("n"), .long], help: "Print what would be done, and do nothing.")
  var dryRun = false

  @Flag(help: "Stop at the first failure. Default: go on with the other files.")
  var failFast = false

  @Option(help: "How progress is shown on standard error.")
  var progress: ProgressDisplay.Style = .auto

  @Flag(help: "Write a JSON object for each finished file to standard output.")
  var json = false

  @Flag(name: .shortAndLong, help: "Say nothing but errors.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Say more about each file.")
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

  /// Jobs side by side.
  var workerCount: Int {
    let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    return jobs ?? threads ?? min(max(cores, 1), Batch.workerRange.upperBound)
  }

  /// Has pictures made as the options say.
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
