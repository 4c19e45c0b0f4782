internal import AudioIO
internal import AudioModel
import Glibc
public import ScaleAudio
internal import Synchronization

/// The work of one task: a shard of a run.
public final class ShardWork {
  /// The shard, from 1.
  public let shard: Int
  /// The lines of the shard.
  public let lines: [RunLine]
  /// The jobs of all outputs; those whose records are still valid are marked.
  public let batch: Batch

  private let variants: Int
  private let records: RecordFile

  /// Reads a shard and its records.
  ///
  /// - Parameters:
  ///   - folder: The run.
  ///   - plan: Its plan.
  ///   - shard: The number of the shard.
  ///   - request: The meaning of the plan's options.
  ///   - cancellation: Stops reading outputs.
  public init(
    _ folder: RunFolder, _ plan: RunPlan, shard: Int, _ request: BatchRequest,
    cancellation: Cancellation = Cancellation()
  ) throws(RunError) {
    guard plan.version == scaleAudioVersion else {
      throw .otherVersion(folder.path, planned: plan.version, own: scaleAudioVersion)
    }
    let settings = [request.settings] + request.otherSettings
    guard settings.map({ $0.parameters(request.files) }) == plan.parameters else {
      throw .changedOptions(folder.path)
    }
    let lines = try folder.lines(of: shard)
    let found = try RecordFolder(folder, plan).records(of: shard)
    var files = request.files
    // An unrecorded output may be of an attempt that has ended, or of one that is still running. It is made again,
    // and replaced by the same bytes in one step.
    files.existing = .replace
    files.hashesFile = true
    var jobs: [ConversionJob] = []
    for line in lines {
      guard line.outputs.count == settings.count else {
        throw .badLine(
          folder.shardFile(shard), number: line.number,
          reason: "it has \(line.outputs.count) outputs")
      }
      for (variant, output) in line.outputs.enumerated() {
        var settings = settings[variant]
        if let part = line.part { settings.part = part }
        settings.format = OutputNames.format(
          of: output, from: line.input, settings, raw: files.raw)
        var job = ConversionJob(
          id: jobs.count,
          work: Conversion(
            input: .file(line.input), output: .file(output), settings: settings, files: files),
          inputBytes: line.bytes ?? Int((line.seconds ?? 0) * 1000))
        let slot = RunRecord.Slot(line: line.number, variant: variant)
        if let record = found.records[slot], record.status == .done, let state = record.file {
          job.isRecorded = RecordedOutput.stands(output, state, cancellation: cancellation)
        }
        jobs.append(job)
      }
    }
    (self.shard, self.lines) = (shard, lines)
    variants = settings.count
    batch = Batch(jobs)
    records = RecordFile(folder, plan: plan, shard: shard)
  }

  /// Records the outcome of an output.
  public func note(_ event: ConversionEvent) throws(AudioFileError) {
    switch event {
    case .started, .progress, .skipped: return
    case .finished(let job, let report):
      var record = record(job, .done)
      record.file = report.file
      record.audio = RecordedAudio(report)
      try records.add(record)
    case .failed(_, .cancelled): return
    case .failed(let job, let error):
      var record = record(job, error.isWorthRetrying ? .retry : .failed)
      (record.errorClass, record.error) = (error.errorClass, error.message)
      try records.add(record)
    }
  }

  private func record(_ job: ConversionJob, _ status: RunRecord.Status) -> RunRecord {
    let (line, variant) = job.id.quotientAndRemainder(dividingBy: variants)
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return RunRecord(
      line: lines[line].number, variant: variant, status: status,
      at: Double(now.tv_sec) + Double(now.tv_nsec / 1_000_000) / 1000)
  }
}

/// Outputs compared with their records.
enum RecordedOutput {
  /// True if an output matches its record; an output with a later modification time is read to compare it.
  static func stands(
    _ output: FilePath, _ state: OutputFileState, isRead: Bool = false, cancellation: Cancellation
  ) -> Bool {
    guard let stamp = FileStatus(path: output)?.stamp, stamp.size == state.size else {
      return false
    }
    if stamp.modified == state.modified && !isRead { return true }
    let digest = try? FileChecksum.of(output, isCancelled: { cancellation.isCancelled })
    return digest == state.sha256
  }
}
