internal import AudioIO
internal import SystemPackage

/// Decides about jobs by the outputs that exist and, when resuming, by the journals; records finished jobs.
final class ExistingOutputCheck: Sendable {
  private let resumes: Bool
  private let journals = Locked<[FilePath: Journal]>([:])

  init(resumes: Bool) {
    self.resumes = resumes
  }

  /// The verdict on a job at this moment.
  func verdict(on job: ConversionJob) -> JobVerdict {
    if resumes, case .file(let output) = job.work.output,
      FileStatus(path: output, followingLinks: false) != nil,
      let verdict = journalVerdict(on: job, output: output)
    {
      return verdict
    }
    return JobVerdict(on: job)
  }

  /// Records a finished job. A failure to do so is a warning in its report, because the output exists.
  func recorded(_ outcome: Conversion.Outcome, of job: ConversionJob) -> ConversionReport {
    var report = outcome.report
    do throws(Errno) {
      try record(job, sourceStamp: outcome.sourceStamp)
    } catch {
      report.warnings.append("not recorded in the journal: \(error)")
    }
    return report
  }

  private func record(_ job: ConversionJob, sourceStamp: FileStamp?) throws(Errno) {
    guard let folder = job.journalFolder, let sourceStamp, case .file(let source) = job.work.input,
      case .file(let output) = job.work.output
    else { return }
    let journal = journal(in: folder)
    let entry = journal.makeEntry(
      source: source, stamp: sourceStamp,
      parameters: job.work.settings.parameters(job.work.files), output: output)
    if let entry { try journal.record(entry) }
  }

  /// The journal in a folder, read once.
  private func journal(in folder: FilePath) -> Journal {
    journals.withLock { (journals) in
      if let journal = journals[folder] { return journal }
      let journal = Journal(folder: folder)
      journals[folder] = journal
      return journal
    }
  }

  /// The verdict by the journal; `nil` if it does not record this output with these parameters.
  private func journalVerdict(on job: ConversionJob, output: FilePath) -> JobVerdict? {
    guard let folder = job.journalFolder, case .file(let source) = job.work.input else {
      return nil
    }
    let journal = journal(in: folder)
    guard let entry = journal.entry(for: output), entry.sourcePath == journal.relative(source),
      entry.parameters == job.work.settings.parameters(job.work.files)
    else { return nil }
    if FileStatus(path: source)?.stamp == entry.sourceStamp { return .skip(.alreadyDone) }
    // The source has changed. Its output may be replaced if nothing has changed it since.
    let isUntouched = FileStatus(path: output)?.stamp == entry.outputStamp
    return isUntouched ? .run(replacing: true) : nil
  }
}
