internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// Decides about jobs by the existing outputs and, when resuming, by the journals; records finished jobs.
final class ExistingOutputCheck: Sendable {
  private let resumes: Bool
  private let journals = Locked<[FilePath: Journal]>([:])

  init(resumes: Bool) {
    self.resumes = resumes
  }

  /// The current verdict on a job.
  func verdict(on job: ConversionJob) -> JobVerdict {
    if resumes, case .file(let output) = job.work.output,
      FileStatus(path: output, followingLinks: false) != nil,
      let verdict = journalVerdict(on: job, output: output)
    {
      return verdict
    }
    return JobVerdict(on: job)
  }

  /// Refuses jobs whose outputs are recorded in journals as outputs of other sources that still exist: another list
  /// may contain a file of the same name.
  func refuseOutputsOfOthers(in jobs: inout [ConversionJob]) {
    for index in jobs.indices where jobs[index].refusal == nil {
      guard let folder = jobs[index].journalFolder,
        case .file(let output) = jobs[index].work.output,
        case .file(let source) = jobs[index].work.input,
        let entry = journal(in: folder, jobs[index].work.files).entry(for: output)
      else { continue }
      let other = folder.appending(entry.sourcePath.components)
      guard let identity = FileIdentity(path: other), identity != FileIdentity(path: source),
        FileStatus(path: output) != nil
      else { continue }
      jobs[index].refusal = .sameOutput(
        source, other: other.lexicallyNormalized(), output: output, remedy: .chooseOutput)
    }
  }

  /// Records a finished job. A failure to do so is a warning in its report, because the output exists.
  func recorded(_ outcome: Conversion.Outcome, of job: ConversionJob) -> ConversionReport {
    var report = outcome.report
    do throws(Errno) {
      try record(job, sourceStamp: outcome.sourceStamp)
    } catch {
      report.warnings.append(AudioWarning(.journal, "not recorded in the journal: \(error)"))
    }
    return report
  }

  private func record(_ job: ConversionJob, sourceStamp: FileStamp?) throws(Errno) {
    guard let folder = job.journalFolder, let sourceStamp, case .file(let source) = job.work.input,
      case .file(let output) = job.work.output
    else { return }
    let journal = journal(in: folder, job.work.files)
    let entry = journal.makeEntry(
      source: source, stamp: sourceStamp,
      parameters: job.work.settings.parameters(job.work.files), output: output)
    if let entry { try journal.record(entry) }
  }

  /// The journal in a folder, read once.
  private func journal(in folder: FilePath, _ files: FilePolicy) -> Journal {
    journals.withLock { (journals) in
      if let journal = journals[folder] { return journal }
      let journal = Journal(folder: folder, beneath: files.outputRoots)
      journals[folder] = journal
      return journal
    }
  }

  /// The verdict by the journal; `nil` if the journal records this output with other parameters or from another
  /// source.
  private func journalVerdict(on job: ConversionJob, output: FilePath) -> JobVerdict? {
    guard let folder = job.journalFolder, case .file(let source) = job.work.input else {
      return nil
    }
    let journal = journal(in: folder, job.work.files)
    guard let entry = journal.entry(for: output) else {
      // An output that may be replaced is made again, without comparing it.
      let isAlike = job.work.existing == .refuse && OutputLikeness.holds(for: job.work)
      return isAlike ? .skip(.alike) : nil
    }
    guard entry.sourcePath == journal.relative(source),
      entry.parameters == job.work.settings.parameters(job.work.files)
    else { return nil }
    if FileStatus(path: source)?.stamp == entry.sourceStamp { return .skip(.alreadyDone) }
    // The source has changed. Its output may be replaced if it has not been modified since.
    let isUntouched = FileStatus(path: output)?.stamp == entry.outputStamp
    return isUntouched ? .run(replacing: true) : nil
  }
}

/// Compares an output that no journal records with the output that its job would make.
///
/// Outputs get their names when they are complete, so one that a killed run has left is complete. Properties that a
/// file does not show, such as the method, are not compared.
private enum OutputLikeness {
  /// The maximum difference in seconds: encoders add or drop a few packets if their format stores no exact length.
  private static let lossySlack = 0.2

  /// True if the output is a file, no older than its source, with the format, length, rate, channels and
  /// depth that the job would give it.
  static func holds(for work: Conversion) -> Bool {
    // Parts of one source may be equally long.
    guard work.settings.part == nil, work.settings.only.isEmpty,
      case .file(let output) = work.output, case .file(let source) = work.input,
      let made = FileStatus(path: output, followingLinks: false), made.kind == .file,
      let read = FileStatus(path: source), read.kind == .file, made.identity != read.identity,
      made.stamp.modified >= read.stamp.modified,
      let existing = try? description(
        of: work.output.path, beneath: work.files.outputRoots, salvaging: false, track: nil),
      let original = try? description(
        of: work.input.path, beneath: work.files.inputRoots, salvaging: work.files.salvages,
        track: work.settings.track),
      let plan = try? ConversionPlan(
        source: original, settings: work.settings, input: source, path: output,
        gapless: work.gapless)
    else { return false }
    let wanted = plan.output
    let slack =
      plan.samples.stored == nil ? lossySlack * Double(wanted.spec.sampleRate) : 0
    return existing.format.container == wanted.format.container
      && existing.format.codec == wanted.format.codec
      && existing.spec.sampleRate == wanted.spec.sampleRate
      && existing.spec.channelCount == wanted.spec.channelCount
      && existing.sampleFormat == plan.samples.stored
      && Double(abs(existing.frameCount - wanted.frameCount)) <= slack
  }

  private static func description(
    of path: FilePath, beneath roots: [FilePath], salvaging: Bool, track: Int?
  ) throws(AudioFileError) -> SourceDescription {
    let file = try ConversionInput.file(path).opened(Cancellation(), beneath: roots)
    return try AudioFile.reader(for: file, salvaging: salvaging, track: track).source
  }
}
