/// One conversion in a batch.
public struct ConversionJob: Hashable, Sendable, Identifiable {
  /// The job's place in the batch, from 0.
  public var id: Int
  /// What is to be done.
  public var conversion: Conversion
  /// The size of the input in bytes, for weighing progress; 0 when unknown.
  public var inputBytes: Int
  /// The folder whose journal, `.scaleaudio.jsonl`, records the job when it is done; `nil` for none.
  public var journalFolder: FilePath?

  /// A job at place `id`.
  public init(
    id: Int, conversion: Conversion, inputBytes: Int, journalFolder: FilePath? = nil
  ) {
    self.id = id
    self.conversion = conversion
    self.inputBytes = inputBytes
    self.journalFolder = journalFolder
  }
}

/// Why a job did not need doing.
public enum SkipReason: String, Hashable, Sendable {
  /// The output exists.
  case outputExists = "output-exists"
  /// The journal says that this very conversion was done, and its output is there.
  case alreadyDone = "already-done"
}

/// What happens to the jobs of a batch, in the order in which it happens.
public enum ConversionEvent: Sendable {
  /// Work has begun.
  case started(ConversionJob)
  /// Work has come so far; at most a few times a second for each job.
  case progress(ConversionJob, ConversionProgress)
  /// The output is in place.
  case finished(ConversionJob, ConversionReport)
  /// Nothing was done because nothing needed doing.
  case skipped(ConversionJob, SkipReason)
  /// Nothing was made, and this is why.
  case failed(ConversionJob, ConversionError)
}
