import AudioIO
import ScaleAudio
import ScaleAudioRuns

/// One run of `scaleaudio merge`, from its request to the exit status.
final class MergeRun {
  private let command: MergeCommand
  private let interruption: Interruption
  private var output = StandardOutput()
  /// The number of lines printed about each kind of finding.
  private var printed: [String: Int] = [:]
  /// The maximum number of printed lines of a kind; further ones are only counted.
  private static let most = 100

  init(_ command: MergeCommand, _ interruption: Interruption) {
    (self.command, self.interruption) = (command, interruption)
  }

  /// Merges, reports it, and returns the exit status.
  func run() -> Int32 {
    do {
      let folder = RunFolder(RawArgument.path(of: command.folder))
      let merge = try RunMerge(
        folder, isReading: command.check, cancellation: interruption.cancellation)
      let manifests = try manifests(merge.plan)
      let list = command.retry.map { RawArgument.path(of: $0) }
      var written = WrittenFiles(folder)
      try check((list.map { [$0] } ?? []) + manifests.flatMap(\.files), written)
      var todo = try list.map { try RetryList($0) }
      let outputs = try manifests.isEmpty ? nil : MergedOutputs(merge.plan)
      var failure: (any Error)?
      let summary = try merge.run(
        onFinding: { finding in
          show(finding)
          todo?.add(finding)
        },
        onDone: { (line, variant, record) in
          guard failure == nil, let outputs, let output = MergedLine(line, variant, record) else {
            return
          }
          do {
            for manifest in manifests { try manifest.add(output) }
            try outputs.add(output)
          } catch {
            failure = error
          }
        })
      if let failure { throw failure }
      if let retry = todo.take(), let list {
        try retry.finish()
        written.note(list)
      }
      if let outputs {
        for manifest in manifests {
          try manifest.write(outputs, interruption.cancellation)
          manifest.files.forEach { written.note($0) }
        }
      }
      showRest()
      say(MergeLines.summary(summary, merge.plan))
      if output.hasFailed { return ExitStatus.failedOutput(output.failure) }
      if summary.missing > 0 { return ExitStatus.tryAgain }
      return summary.failed > 0 ? ExitStatus.someFailed : ExitStatus.success
    } catch {
      if interruption.signal != 0 { return ExitStatus.interrupted(bySignal: interruption.signal) }
      let failure = StartFailure(error)
      for line in failure.lines { Terminal.notice(line) }
      let noPlan: Bool =
        switch error {
        case RunError.noPlan, RunError.file(.cannotOpen(_, .notDirectory)): true
        default: false
        }
      if noPlan { Terminal.standardError.write("hint: \(MergeCommand.scope)\n") }
      return failure.status
    }
  }

  /// Throws if a file would be replaced that no merge of this run has written.
  private func check(_ files: [FilePath], _ written: WrittenFiles) throws(ManifestError) {
    if let file = files.first(where: written.isForeign) {
      throw ManifestError(
        path: file, cause: "already exists, and is not what merge wrote there",
        remedy: .act("choose another name, or remove it"))
    }
  }

  private func manifests(_ plan: RunPlan) throws -> [MergedManifest] {
    if command.write.isEmpty { return [] }
    let request = try FrozenOptions(plan.options).request(interruption.cancellation)
    return command.write.map { MergedManifest($0, request) }
  }

  private func show(_ finding: RunMerge.Finding) {
    let (kind, text) = MergeLines.line(finding)
    printed[kind, default: 0] += 1
    if printed[kind, default: 0] <= Self.most { write(kind + "  " + text) }
  }

  private func showRest() {
    for (kind, count) in printed.sorted(by: { $0.key < $1.key }) where count > Self.most {
      write("\(kind)  and \(count - Self.most) more like these; --retry lists what is not done")
    }
  }

  private func say(_ lines: [String]) { if !command.quiet { lines.forEach(write) } }

  private func write(_ line: String) { output.write(Array((line + "\n").utf8)) }
}

/// The lines about a merge for people.
enum MergeLines {
  /// The kind of a finding, and the line about it.
  static func line(_ finding: RunMerge.Finding) -> (kind: String, text: String) {
    switch finding {
    case .noLine(let number): ("missing", "input \(number) of the plan is in no shard")
    case .strayLine(let number, let shard):
      ("stray", "input \(number) in shard \(shard): the plan does not have it there")
    case .unrecorded(let line, let output, let shard):
      ("missing", "\(arrow(line, output)): not recorded (shard \(shard))")
    case .unfinished(_, _, let shard, let error): ("missing", "\(error) (shard \(shard))")
    case .outputMissing(let line, let output, let shard):
      ("missing", "\(arrow(line, output)): recorded, but it does not exist (shard \(shard))")
    case .outputChanged(let line, let output, let shard):
      ("changed", "\(arrow(line, output)): differs from its record (shard \(shard))")
    case .failed(_, _, let shard, let error): ("failed", "\(error) (shard \(shard))")
    case .strayRecord(let slot, let shard):
      ("stray", "shard \(shard) has a record of input \(slot.line), which is not in it")
    case .tornRecord(let path, let line):
      ("torn", "\(path.printable), line \(line): incomplete; ignored")
    case .strayFile(let path): ("stray", "\(path.printable): not made by this run")
    case .halfWritten(let path, _):
      (
        "half-written",
        "\(path.printable): left by a stopped attempt, or still being written"
      )
    }
  }

  private static func arrow(_ line: RunLine, _ output: FilePath) -> String {
    "\(line.input.printable) -> \(output.printable)"
  }

  static func summary(_ summary: RunMerge.Summary, _ plan: RunPlan) -> [String] {
    var parts = ["\(summary.done) done"]
    if summary.failed > 0 { parts.append("\(summary.failed) failed") }
    if summary.missing > 0 { parts.append("\(summary.missing) missing") }
    let state = summary.missing > 0 ? "incomplete" : "complete"
    var lines = [
      "\(state): " + parts.joined(separator: ", ") + ", of "
        + Quantities.count(plan.outputs, "output") + " in " + Quantities.count(plan.shards, "shard")
    ]
    if !summary.unfinishedShards.isEmpty {
      lines.append("run again: --shard " + ranges(summary.unfinishedShards))
    }
    return lines
  }

  /// `3,7,12-14`, as Slurm's `--array` takes it.
  static func ranges(_ numbers: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ",")
  }
}

/// The inputs that are not done, as a manifest.
struct RetryList: ~Copyable {
  private let file: OutputFile
  private var bytes: [UInt8] = []
  private var last = 0

  init(_ path: FilePath) throws(AudioFileError) { file = try OutputFile(path: path) }

  /// Adds the input of a finding once, if it is not done.
  mutating func add(_ finding: RunMerge.Finding) {
    let line: RunLine
    switch finding {
    case .unrecorded(let found, _, _), .unfinished(let found, _, _, _),
      .outputMissing(let found, _, _), .outputChanged(let found, _, _), .failed(let found, _, _, _):
      line = found
    default: return
    }
    if line.number == last { return }
    last = line.number
    bytes += line.manifestLine + [UInt8(ascii: "\n")]
  }

  /// Gives the file its name, replacing an older list.
  consuming func finish() throws(AudioFileError) {
    do {
      try file.descriptor.writeAll(bytes)
    } catch {
      throw .cannotWrite(file.path, error as? Errno ?? .ioError)
    }
    try file.commit(replacing: true)
  }
}
