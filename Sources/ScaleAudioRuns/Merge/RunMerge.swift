internal import AudioIO
internal import Dispatch
public import ScaleAudio
internal import SystemPackage

/// Proves that a run is complete: every input once, with the verdict that counts, and every output as recorded.
public struct RunMerge {
  /// A discrepancy between the plan, the records and the outputs.
  public enum Finding: Hashable, Sendable {
    /// No shard has the line of this number.
    case noLine(Int)
    /// A line stands in several shards, or in one where it has nothing to do.
    case strayLine(Int, shard: Int)
    /// No attempt has recorded the output.
    case unrecorded(RunLine, output: FilePath, shard: Int)
    /// The machine was at fault.
    case unfinished(RunLine, output: FilePath, shard: Int, error: String)
    /// The output is recorded, but does not exist.
    case outputMissing(RunLine, output: FilePath, shard: Int)
    /// The output is not as it is recorded.
    case outputChanged(RunLine, output: FilePath, shard: Int)
    /// The input, or what was asked for, is at fault.
    case failed(RunLine, output: FilePath, shard: Int, error: String)
    /// A record of an output that no line of its shard has.
    case strayRecord(RunRecord.Slot, shard: Int)
    /// A line of a file of records that was not written to its end.
    case tornRecord(FilePath, line: Int)
    /// An audio file in the folder of the outputs, or a file among the records, that the run did not make.
    case strayFile(FilePath)
    /// A file that an attempt began and did not finish, or is writing now; when it was modified, in seconds since 1970.
    case halfWritten(FilePath, modified: Int64)

    /// Whether the output is not there, so that another attempt is needed.
    public var isMissing: Bool {
      switch self {
      case .noLine, .unrecorded, .unfinished, .outputMissing, .outputChanged: true
      default: false
      }
    }
  }

  /// How many outputs ended how.
  public struct Summary: Hashable, Sendable {
    /// The outputs of the plan.
    public fileprivate(set) var planned = 0
    /// Those that are there as recorded.
    public fileprivate(set) var done = 0
    /// Those that failed for good.
    public fileprivate(set) var failed = 0
    /// Those that another attempt has to make.
    public fileprivate(set) var missing = 0
    /// The shards that have something missing.
    public fileprivate(set) var unfinishedShards: [Int] = []
  }

  private let folder: RunFolder
  /// The plan of the run.
  public let plan: RunPlan
  private let records: RecordFolder
  /// Whether every output is read.
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

  /// Looks at every line, shard by shard.
  ///
  /// - Parameters:
  ///   - onFinding: Called for each finding.
  ///   - onDone: Called for each output that is done, in the order of shards and lines.
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

  /// The lines of a shard; none where its file is gone.
  private func lines(of shard: Int) throws(RunError) -> [RunLine] {
    do throws(RunError) {
      return try folder.lines(of: shard)
    } catch .file(.cannotOpen(_, .noSuchFileOrDirectory)) {
      return []
    }
  }

  // MARK: - Outputs

  private enum State { case stands, missing, changed }

  /// How each output of some lines compares with its record, looked up on several threads.
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

  /// What is wrong with an output; `nil` if it is done.
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

  /// Names files in the folder of the outputs that are none of these.
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
