import AudioIO
import ScaleAudio
import ScaleAudioRuns

/// One run of `scaleaudio plan`, from its request to the exit status.
struct PlanRun {
  private let command: PlanCommand
  private let arguments: [String]
  private let interruption: Interruption

  init(_ command: PlanCommand, _ arguments: [String], _ interruption: Interruption) {
    (self.command, self.arguments, self.interruption) = (command, arguments, interruption)
  }

  /// Makes the plan, reports it, and returns the exit status.
  func run() -> Int32 {
    do {
      let planner = try RunPlanner(
        request(), in: RunFolder(RawArgument.path(of: command.run)),
        cancellation: interruption.cancellation)
      let result = try planner.run()
      for problem in result.problems { Terminal.notice(problem.fullMessage) }
      if !command.quiet {
        var output = StandardOutput()
        output.write(Array(PlanLines.text(result).utf8))
        if output.hasFailed { return ExitStatus.failedOutput(output.failure) }
      }
      return result.problems.isEmpty ? ExitStatus.success : ExitStatus.someFailed
    } catch {
      if interruption.signal != 0 { return ExitStatus.interrupted(bySignal: interruption.signal) }
      let failure = StartFailure(error)
      for line in failure.lines { Terminal.notice(line) }
      return failure.status
    }
  }

  private func request() throws -> RunRequest {
    let options = command.options
    let frozen =
      CommandTree.Command(of: PlanCommand.self).map {
        FrozenOptions(freezing: arguments.dropFirst(), of: $0)
      } ?? FrozenOptions([])
    var batch = options.request(command.input, command.track)
    try batch.readMap(options.map, interruption.cancellation)
    var sources = command.input.paths.map { RunSource.path(RawArgument.path(of: $0)) }
    if let list = command.input.filesFrom {
      sources.append(
        .list(RawArgument.path(of: list), endsInNull: command.input.endsInNull))
    }
    return RunRequest(
      batch: batch, sources: sources, output: RawArgument.path(of: options.output.output ?? ""),
      shards: command.shards, options: frozen.arguments)
  }
}

/// The lines about a plan for people.
enum PlanLines {
  static func text(_ result: RunPlanner.Result) -> String {
    let plan = result.plan
    guard let longest = plan.longest else { return "no inputs: every shard is empty\n" }
    func amount(_ weight: Int) -> String {
      plan.measure == .bytes
        ? Quantities.size(weight) : Quantities.playingTime(Double(weight) / 1e6)
    }
    var lines = [
      Quantities.count(plan.lines, "input") + ", " + Quantities.count(plan.outputs, "output") + ", "
        + amount(plan.total) + " in " + Quantities.count(plan.shards, "shard"),
      "largest shard: \(amount(plan.heaviest)); mean: \(amount(plan.total / plan.shards))",
      "floor: \(amount(longest.weight)), the longest input, \(FilePath(longest.input).printable); "
        + "more shards cannot make the run shorter than that",
    ]
    if result.repetitions > 0 {
      lines.append(
        Quantities.count(result.repetitions, "input") + " named more than once, converted once")
    }
    return lines.map { $0 + "\n" }.joined()
  }
}
