import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Conversions of files on a bench by the library, planned as for a user who names them in its folder.
extension Workbench {
  /// The batch for inputs, which are files or folders of the bench.
  ///
  /// - Parameters:
  ///   - output: A file, or a folder, whose name ends with a slash; `nil` for outputs beside their inputs.
  ///   - change: Changes the request. Nothing is replaced unless it says so.
  func batch(
    _ inputs: [String], to output: String? = nil, _ time: TimeRequest,
    _ method: ScalingMethod = .smoothstep, _ change: (inout BatchRequest) throws -> Void = { _ in }
  ) throws -> Batch {
    var request = BatchRequest(
      inputs: inputs.map { .path(folder.file($0)) },
      destination: output.map {
        $0.hasSuffix("/") ? .folder(folder.file($0)) : .path(folder.file($0))
      } ?? .beside,
      settings: ConversionSettings(time: time, method: method))
    request.files.syncsOutput = false
    try change(&request)
    return try Batch(request)
  }

  /// The report of each input of a batch, by its name. Throws the first failure.
  func reports(of batch: Batch) async throws -> [String: ConversionReport] {
    var reports: [String: ConversionReport] = [:]
    for await event in batch.events() {
      switch event {
      case .finished(let job, let report): reports[name(job.work.input.path)] = report
      case .failed(_, let error): throw error
      default: break
      }
    }
    return reports
  }

  /// Converts one file. An existing output is replaced; the extension of its name chooses its format.
  @discardableResult
  func convert(
    _ input: String, to output: String? = nil, _ time: TimeRequest,
    _ method: ScalingMethod = .smoothstep, files: FilePolicy = FilePolicy(existing: .replace),
    _ change: (inout ConversionSettings) throws -> Void = { _ in }
  ) throws -> ConversionReport {
    let batch = try batch([input], to: output, time, method) {
      $0.files = files
      $0.files.syncsOutput = false
      try change(&$0.settings)
    }
    let job = try #require(batch.jobs.first)
    if let refusal = job.refusal { throw refusal }
    return try job.work.run()
  }

  /// The message of the error with which a conversion fails.
  func failure(
    of input: String, to output: String? = nil, _ time: TimeRequest,
    _ method: ScalingMethod = .smoothstep, files: FilePolicy = FilePolicy(),
    _ change: (inout ConversionSettings) throws -> Void = { _ in }
  ) throws -> String {
    do {
      let report = try convert(input, to: output, time, method, files: files, change)
      Issue.record("\(input) was converted: \(report)")
      return ""
    } catch let error as ConversionError {
      return error.message
    } catch let error as PlanningError {
      return error.message
    }
  }

  /// Inspects a file.
  func inspect(
    _ name: String, _ request: InspectionRequest = .init()
  ) throws -> InspectionReport {
    try InspectionReport(of: .file(folder.file(name)), request)
  }

  /// The paths of a batch's outputs, below the folder of the bench.
  func outputs(of batch: Batch) -> [String] {
    batch.jobs.map { name($0.work.output.path) }
  }

  /// A path as it is below the folder of the bench.
  func name(_ path: FilePath) -> String {
    let prefix = folder.path.string + "/"
    let path = path.lexicallyNormalized().string
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }

  /// Runs a batch. Returns what became of each input, by its path below the folder of the bench: `done`, the reason
  /// why it was skipped, or the class of its error.
  func results(of batch: Batch) async -> [String: String] {
    var results: [String: String] = [:]
    for await event in batch.events() {
      switch event {
      case .started, .progress: break
      case .finished(let job, _): results[name(job.work.input.path)] = "done"
      case .skipped(let job, let reason): results[name(job.work.input.path)] = reason.rawValue
      case .failed(let job, let error): results[name(job.work.input.path)] = error.errorClass
      }
    }
    return results
  }
}

extension TimeRequest {
  /// A factor, which must be valid.
  static func by(_ factor: Double) -> TimeRequest { .factor(valid(TimeFactor(factor))) }

  /// A speed, which must be valid.
  static func at(speed: Double) -> TimeRequest { .speed(valid(TimeFactor(speed: speed))) }
}

extension AudioFormat {
  /// The format of this name, or that of a codec of this name in MP4, which must exist.
  static func of(_ name: String) -> AudioFormat {
    valid(AudioFormat.ofCodec(name) ?? AudioFormat.named(name))
  }
}

/// A value that must exist.
private func valid<Value>(_ value: Value?) -> Value {
  guard let value else { preconditionFailure("no \(Value.self)") }
  return value
}

extension InspectionReport {
  /// Significant bits of a sample; `nil` for lossy codecs.
  var bitDepth: Int? { source.storage.bitDepth ?? source.sampleFormat?.bitDepth }
}

extension ConversionReport {
  /// The warnings, a line each.
  var warningText: String { warnings.map(\.text).joined(separator: "\n") }
}
