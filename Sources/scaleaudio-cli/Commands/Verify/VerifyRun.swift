import AudioIO
internal import FoundationEssentials
import ScaleAudio
import SystemPackage

/// One run of `scaleaudio verify`, from its options to the exit status.
final class VerifyRun {
  private let command: VerifyCommand
  private let interruption: Interruption
  private var output = StandardOutput()
  private var counts: [Verification.Status: Int] = [:]

  init(_ command: VerifyCommand, _ interruption: Interruption) {
    self.command = command
    self.interruption = interruption
  }

  /// Compares the outputs, and returns the exit status.
  func run() -> Int32 {
    do throws(AudioFileError) {
      try verify()
    } catch {
      if interruption.signal != 0 { return ExitStatus.interrupted(bySignal: interruption.signal) }
      // A reader of standard output that left ends the run.
      if output.hasFailed { return ExitStatus.failedOutput(output.failure) }
      Terminal.notice(error.fullMessage)
      return error.isWorthRetrying ? ExitStatus.tryAgain : ExitStatus.noInput
    }
    let total = counts.values.reduce(0, +)
    if total == 0 {
      Terminal.notice(command.input.nothingFound)
      return ExitStatus.noInput
    }
    if !command.json, !command.quiet { summarize() }
    if !command.json, !command.quiet, counts[.ok] == nil, let hint {
      Terminal.standardError.write(hint + "\n")
    }
    if output.hasFailed { return ExitStatus.failedOutput(output.failure) }
    return counts[.ok] == total ? ExitStatus.success : ExitStatus.someFailed
  }

  /// The likely mistake of a run in which nothing matches; `nil` for none.
  private var hint: String? {
    if command.manifest != nil { return nil }
    if command.against == nil {
      guard counts[.missing] == counts.values.reduce(0, +) else { return nil }
      // Two folders are most likely the sources and the outputs.
      let paths = command.input.paths
      let folders = paths.filter { FileStatus(path: RawArgument.path(of: $0))?.kind == .folder }
      if paths.count == 2, folders.count == 2 {
        let shown = paths.map { escapedForTerminal(RawArgument.path(of: $0)) }
        return
          "hint: for the outputs in \(shown[1]), write: scaleaudio verify \(shown[1]) --against \(shown[0])"
      }
      return
        "hint: verify takes sources; for a folder of outputs, write --against and the folder of their sources"
    }
    return knownCount == 0
      ? "hint: nothing tells how these were made; the folder of the outputs comes first, --against names that of their sources"
      : nil
  }

  /// Outputs of which something tells how they were made.
  private var knownCount = 0

  private func verify() throws(AudioFileError) {
    var search = OutputSearch()
    search.walker = command.input.walker
    search.files.raw = command.input.raw?.pcm
    let cancellation = interruption.cancellation
    if let manifest = command.manifest {
      let claims = try Self.claims(RawArgument.path(of: manifest), cancellation)
      return try search.verify(claims, cancellation: cancellation, onResult: report)
    }
    let inputs = try command.input.inputs(cancellation)
    for input in inputs {
      if case .path(let path) = input, FileStatus(path: path) == nil {
        throw .cannotOpen(path, .noSuchFileOrDirectory)
      }
    }
    guard let against = command.against.map(RawArgument.path(of:)) else {
      return try search.verify(besides: inputs, cancellation: cancellation, onResult: report)
    }
    for input in inputs {
      for folder in [input.path, against] {
        guard let status = FileStatus(path: folder) else {
          throw .cannotOpen(folder, .noSuchFileOrDirectory)
        }
        if status.kind != .folder { throw .cannotOpen(folder, .notDirectory) }
      }
      try search.verify(
        input.path, against: against, cancellation: cancellation, onResult: report)
    }
  }

  private func report(_ result: Verification) {
    counts[result.status, default: 0] += 1
    if result.basis != nil { knownCount += 1 }
    if command.json {
      output.write(VerificationRecord(result).jsonLine)
    } else if !command.quiet || result.status != .ok {
      output.write(Array((Self.line(result) + "\n").utf8))
    }
    if output.failure != nil { interruption.cancellation.cancel() }
  }

  /// `ok       a.wav -> a-x1.5.wav`, `differs  a.wav -> a-x1.5.wav: tag TITLE is missing`
  private static func line(_ result: Verification) -> String {
    let names = [result.source, result.output].compactMap(\.self).map { escapedForTerminal($0) }
    let label = result.status.rawValue
    var line =
      label + String(repeating: " ", count: max(0, 9 - label.count))
      + names.joined(separator: " -> ")
    let words = result.differences.map { escapedForTerminal($0) }
    if !words.isEmpty { line += ": " + words.joined(separator: "; ") }
    if !result.notCompared.isEmpty {
      line += " (not compared: \(result.notCompared.joined(separator: ", ")))"
    }
    return line
  }

  private func summarize() {
    let order: [(Verification.Status, String)] = [
      (.ok, "match"), (.differs, "differ"), (.missing, "missing"), (.stray, "without a source"),
    ]
    let parts = order.compactMap { status, words in
      counts[status].map { "\(Quantities.grouped($0)) \(words)" }
    }
    Terminal.standardError.write(parts.joined(separator: ", ") + "\n")
  }

  /// The lines of a manifest in JSON that list outputs; others are ignored.
  private static func claims(
    _ path: FilePath, _ cancellation: Cancellation
  ) throws(AudioFileError) -> [Verification.Claim] {
    let file = try FileDescriptor.reading(path)
    defer { try? file.close() }
    let bytes = try Spool.bytes(
      of: file, path: path, isCancelled: { cancellation.isCancelled })
    let decoder = JSONDecoder()
    let claims = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      (try? decoder.decode(ManifestClaim.self, from: Data(line)))?.claim
    }
    guard !claims.isEmpty || bytes.isEmpty else {
      throw .unsupported(
        path, reason: "it lists no outputs",
        remedy: .act("give a manifest in JSON lines, as --manifest of convert writes it"))
    }
    return claims
  }
}

/// A line of a manifest.
private struct ManifestClaim: Decodable {
  let input: String
  let inputBase64: Data?
  let output: String?
  let outputBase64: Data?
  let status: String?
  let outputFrames: Int?
  let outputSampleRate: Int?
  let outputChannels: Int?
  let factor: Double?
  let fromFrame, toFrame: Int?
  let outputSHA256: String?
  let outputRaw: String?

  /// The claim; `nil` for a line about something else than a finished output.
  var claim: Verification.Claim? {
    guard let output, status == nil || status == "done" else { return nil }
    func path(_ text: String, _ bytes: Data?) -> FilePath {
      bytes.map { FilePath(bytes: $0) } ?? FilePath(text)
    }
    var claim = Verification.Claim(
      source: path(input, inputBase64), output: path(output, outputBase64))
    (claim.frames, claim.sampleRate) = (outputFrames, outputSampleRate)
    (claim.channels, claim.factor) = (outputChannels, factor)
    (claim.fromFrame, claim.toFrame) = (fromFrame, toFrame)
    claim.sha256 = outputSHA256
    claim.raw = outputRaw.flatMap { try? RawValue($0).pcm }
    return claim
  }
}

/// The object of `verify --json` about one output, as described by `verify.schema.json`.
struct VerificationRecord: Encodable {
  let schema = RecordSchema.verify
  let input: String?
  let inputBase64: Data?
  let output: String?
  let outputBase64: Data?
  let status: String
  let basis: String?
  let factor: Double?
  let outputFrames: Int?
  let differences: [String]
  let notCompared: [String]

  init(_ result: Verification) {
    input = result.source?.string
    inputBase64 = result.source?.bytesUnlessText
    output = result.output?.string
    outputBase64 = result.output?.bytesUnlessText
    status = result.status.rawValue
    basis = result.basis?.rawValue
    factor = result.factor
    outputFrames = result.frames
    differences = result.differences
    notCompared = result.notCompared
  }
}
