internal import AudioIO
internal import Dispatch
public import ScaleAudio
internal import SystemPackage

/// Proves that a run is complete: every input is planned once and has a final outcome, and every output is as
/// recorded.
public struct RunMerge {
  /// A discrepancy between the plan, the records and the outputs.
  public enum Finding: Hashable, Sendable {
    /// No shard has the line with this number.
    case noLine(Int)
    /// A line is in several shards, or in a shard to which it does not belong.
    case strayLine(Int, shard: Int)
    /// No attempt has recorded the output.
    case unrecorded(RunLine, output: FilePath, shard: Int)
    /// The last attempt failed because of the machine, so that another one may succeed.
    case unfinished(RunLine, output: FilePath, shard: Int, error: String)
    /// The output is recorded, but does not exist.
    case outputMissing(RunLine, output: FilePath, shard: Int)
    /// The output is not as recorded.
    case outputChanged(RunLine, output: FilePath, shard: Int)
    /// The last attempt failed because of the input or the options.
    case failed(RunLine, output: FilePath, shard: Int, error: String)
    /// A record of an output that is not in its shard.
    case strayRecord(RunRecord.Slot, shard: Int)
    /// An incomplete line of a file of records.
    case tornRecord(FilePath, line: Int)
    /// An audio file in the output folder, or a file among the records, that the run did not make.
    case strayFile(FilePath)
    /// A file that an attempt has not finished, or is writing now; `modified` is in seconds since 1970.
    case halfWritten(FilePath, modified: Int64)

    /// True if the output is missing or invalid, so that another attempt is needed.
    public var isMissing: Bool {
      switch self {
      case .noLine, .unrecorded, .unfinished, .outputMissing, .outputChanged: true
      default: false
      }
    }
  }

  /// The numbers of outputs by outcome.
  public struct Summary: Hashable, Sendable {
    /// All outputs of the plan.
    public fileprivate(set) var planned = 0
    /// Outputs that exist as recorded.
    public fileprivate(set) var done = 0
    /// Outputs that failed because of the input or the options.
    public fileprivate(set) var failed = 0
    /// Outputs that need another attempt.
    public fileprivate(set) var missing = 0
    /// The shards with missing outputs.
    public fileprivate(set) var unfinishedShards: [Int] = []
  }

  private let folder: RunFolder
  /// The plan of the run.
  public let plan: RunPlan
  private let records: RecordFolder
  /// True if every output is read to compare its checksum.
  private let isReading: Bool
  private let cancellation: Cancellation

  /// A merge of the run in `folder`; `isReading` compares the content of every output with its record.
  public init(
    _ folder: RunFolder, isReading: Bool = false, cancellation: Cancellation = Cancellation()
  ) throws(RunError) {
    self.folder = folder
    (self.isReading, self.cancellation) = (isReading, cancellation)
    plan = try folder.plan()
    records = try RecordFolder(folder, plan)
  }

  /// Checks every line, shard by shard.
  ///
  /// - Parameters:
  ///   - onFinding: Called for each finding.
  ///   - onDone: Called for each finished output, in the order of shards and lines.
  public func run(
    onFinding: (Finding) -> Void,
    onDone: (RunLine, Int, RunRecord) throws(RunError) -> Void = { _, _, _ in }
  ) throws(RunError) -> Summary {
    var summary = Summary()
    summary.planned = plan.outputs
    var isSeen = [Bool](repeating: false, count: plan.lines)
    var outputs: Set<Int> = []
    for shard in 1...plan.shards {
      if cancellation.isCancelled { throw .planning(.cancelled) }
      let lines = try lines(of: shard)
      var found = try records.records(of: shard)
      for torn in found.torn { onFinding(.tornRecord(torn.path, line: torn.line)) }
      let states = verify(lines, found)
      var isComplete = true
      for (index, line) in lines.enumerated() {
        guard (1...plan.lines).contains(line.number), !isSeen[line.number - 1],
          line.outputs.count == plan.parameters.count
        else {
          onFinding(.strayLine(line.number, shard: shard))
          continue
        }
        isSeen[line.number - 1] = true
        for (variant, output) in line.outputs.enumerated() {
          outputs.insert(output.hashValue)
          let slot = RunRecord.Slot(line: line.number, variant: variant)
          let record = found.records.removeValue(forKey: slot)
          let finding = finding(
            line, output, shard, record, state: states[index * plan.parameters.count + variant])
          guard let finding else {
            summary.done += 1
            if let record { try onDone(line, variant, record) }
            continue
          }
          onFinding(finding)
          if finding.isMissing {
            summary.missing += 1
            isComplete = false
          } else {
            summary.failed += 1
          }
        }
      }
      for slot in found.records.keys.sorted(by: { ($0.line, $0.variant) < ($1.line, $1.variant) }) {
        onFinding(.strayRecord(slot, shard: shard))
      }
      if !isComplete { summary.unfinishedShards.append(shard) }
    }
    for (index, isSeen) in isSeen.enumerated() where !isSeen {
      onFinding(.noLine(index + 1))
      summary.missing += plan.parameters.count
    }
    for path in records.strays { onFinding(.strayFile(path)) }
    findStrays(below: FilePath(plan.output), outputs, onFinding)
    return summary
  }

  /// The lines of a shard; empty if its file is missing.
  private func lines(of shard: Int) throws(RunError) -> [RunLine] {
    do throws(RunError) {
      return try folder.lines(of: shard)
    } catch .file(.cannotOpen(_, .noSuchFileOrDirectory)) {
      return []
    }
  }

  // MARK: - Outputs

  private enum State { case stands, missing, changed }

  /// The state of each output of some lines compared with its record, determined on several threads.
  private func verify(_ lines: [RunLine], _ found: RecordFolder.Found) -> [State] {
    let variants = plan.parameters.count
    let states = Locked([State](repeating: .missing, count: lines.count * variants))
    let threads = min(Batch.threadCount * (isReading ? 1 : 4), max(1, lines.count))
    let (isReading, cancellation) = (isReading, cancellation)
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      for index in stride(from: thread, to: lines.count, by: threads) {
        let line = lines[index]
        for (variant, output) in line.outputs.prefix(variants).enumerated() {
          let slot = RunRecord.Slot(line: line.number, variant: variant)
          guard let state = found.records[slot]?.file, FileStatus(path: output) != nil else {
            continue
          }
          let stands = RecordedOutput.stands(
            output, state, isRead: isReading, cancellation: cancellation)
          states.withLock { $0[index * variants + variant] = stands ? .stands : .changed }
        }
      }
    }
    return states.withLock { $0 }
  }

  /// The problem of an output; `nil` if it is done.
  private func finding(
    _ line: RunLine, _ output: FilePath, _ shard: Int, _ record: RunRecord?, state: State
  ) -> Finding? {
    guard let record else { return .unrecorded(line, output: output, shard: shard) }
    switch record.status {
    case .failed:
      return .failed(line, output: output, shard: shard, error: record.error ?? "")
    case .retry:
      return .unfinished(line, output: output, shard: shard, error: record.error ?? "")
    case .done:
      switch state {
      case .stands: return nil
      case .missing: return .outputMissing(line, output: output, shard: shard)
      case .changed: return .outputChanged(line, output: output, shard: shard)
      }
    }
  }

  /// Reports files in the output folder that are not outputs of the run.
  private func findStrays(
    below folder: FilePath, _ outputs: Set<Int>, _ onFinding: (Finding) -> Void
  ) {
    guard let names = try? FolderListing.names(in: folder) else { return }
    for name in names where !cancellation.isCancelled {
      let path = folder.appending(name)
      guard !outputs.contains(path.hashValue),
        let status = FileStatus(path: path, followingLinks: false)
      else { continue }
      if status.kind == .folder {
        findStrays(below: path, outputs, onFinding)
      } else if HiddenFiles.isHidden(name) {
        onFinding(.halfWritten(path, modified: status.stamp.modified / 1_000_000_000))
      } else if status.kind == .file, path.extension.flatMap(AudioFormat.forExtension) != nil {
        onFinding(.strayFile(path))
      }
    }
  }
}
