/// What is to be done about a job, seeing what is there already.
public enum JobVerdict: Hashable, Sendable {
  /// It is to be converted; `replacing` an output that is there.
  case convert(replacing: Bool)
  /// Nothing needs doing.
  case skip(SkipReason)
  /// The output is there and must not be replaced.
  case refuse
}

extension JobVerdict {
  /// The verdict by the output alone, as things are now.
  init(on output: ConversionOutput, existing: ExistingOutput) {
    guard case .file(let path) = output, FileStatus(path: path, followingLinks: false) != nil else {
      self = .convert(replacing: existing == .replace)
      return
    }
    switch existing {
    case .refuse: self = .refuse
    case .replace: self = .convert(replacing: true)
    case .skip: self = .skip(.outputExists)
    }
  }
}

/// Decides about jobs by the outputs that are there and, when resuming, by the journals.
final class ExistingOutputCheck: Sendable {
  private let resumes: Bool
  private let journals = Locked<[FilePath: Journal]>([:])

  init(resumes: Bool) {
    self.resumes = resumes
  }

  /// The verdict on a job, as things are now.
  func verdict(on job: ConversionJob) -> JobVerdict {
    let existing = job.conversion.settings.existing
    if resumes, case .file(let output) = job.conversion.output,
      FileStatus(path: output, followingLinks: false) != nil,
      let verdict = journalVerdict(on: job, output: output)
    {
      return verdict
    }
    return JobVerdict(on: job.conversion.output, existing: existing)
  }

  /// The journal in a folder, read once.
  func journal(in folder: FilePath) -> Journal {
    journals.withLock { (journals) in
      if let journal = journals[folder] { return journal }
      let journal = Journal(folder: folder)
      journals[folder] = journal
      return journal
    }
  }

  /// What the journal says; `nil` when it knows nothing of this output, or only of other parameters.
  private func journalVerdict(on job: ConversionJob, output: FilePath) -> JobVerdict? {
    guard let folder = job.journalFolder, case .file(let source) = job.conversion.input else {
      return nil
    }
    let journal = journal(in: folder)
    guard let entry = journal.entry(for: output), entry.sourcePath == journal.relative(source),
      entry.parameters == job.conversion.settings.parameters
    else { return nil }
    if FileStatus(path: source)?.stamp == entry.sourceStamp { return .skip(.alreadyDone) }
    // The source has changed. Its output may be replaced when nobody has touched it since it was made.
    let isUntouched = FileStatus(path: output)?.stamp == entry.outputStamp
    return isUntouched ? .convert(replacing: true) : nil
  }
}
