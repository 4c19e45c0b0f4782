internal import FoundationEssentials
import ScaleAudio

/// What became of a file, as every record of `--json` says it.
struct FileOutcome: Encodable {
  enum Status: String, Encodable { case planned, done, skipped, failed }
  /// What became of it, and why.
  enum Outcome {
    case planned
    case done
    case skipped(SkipReason)
    case failed(_ errorClass: String, _ message: String)
  }

  let input: String
  /// The bytes of the input's path where they are not UTF-8; likewise the output's.
  let inputBase64: Data?
  let output: String?
  let outputBase64: Data?
  let status: Status
  private(set) var reason: String?
  private(set) var errorClass: String?
  private(set) var error: String?

  init(_ input: ConversionInput, _ output: ConversionOutput, _ outcome: Outcome) {
    self.init(input.path, output: output.path, outcome)
  }

  /// What would become of a file.
  init(_ input: ConversionInput, _ output: ConversionOutput, _ verdict: JobVerdict) {
    switch verdict {
    case .convert: self.init(input, output, .planned)
    case .skip(let reason): self.init(input, output, .skipped(reason))
    case .refuse:
      let refusal = AudioFileError.outputExists(output.path)
      self.init(input, output, .failed(refusal.errorClass, refusal.message))
    }
  }

  /// What could not be walked.
  init(_ problem: AudioFileError) {
    self.init(problem.path, output: nil, .failed(problem.errorClass, problem.message))
  }

  private init(_ input: FilePath, output: FilePath?, _ outcome: Outcome) {
    self.input = input.string
    inputBase64 = input.bytesUnlessText
    self.output = output?.string
    outputBase64 = output?.bytesUnlessText
    switch outcome {
    case .planned: status = .planned
    case .done: status = .done
    case .skipped(let reason):
      status = .skipped
      self.reason = reason.rawValue
    case .failed(let errorClass, let message):
      status = .failed
      self.errorClass = errorClass
      error = message
    }
  }
}

/// What `--json` says about one file: one object a line.
struct FileRecord<Facts: Encodable>: Encodable {
  var outcome: FileOutcome
  /// What is known of what was done; beside the outcome, in the one object.
  var facts: Facts?

  func encode(to encoder: any Encoder) throws {
    try outcome.encode(to: encoder)
    try facts?.encode(to: encoder)
  }
}
