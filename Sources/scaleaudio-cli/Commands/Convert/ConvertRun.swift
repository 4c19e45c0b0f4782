import AudioIO
import ScaleAudio

/// The request of `scaleaudio convert`.
struct ConvertRequest {
  /// The inputs.
  let input: InputOptions
  /// The file of a time map, which replaces the time of the settings.
  let map: FilePath?
  /// The rest of the batch, without its inputs.
  var batch: BatchRequest
  let work: RunOptions
  /// `nil` for no manifest.
  let manifest: ManifestTarget?
  /// True if files of folders that are no audio are copied.
  let copiesOthers: Bool
  /// A hint to print once at the end.
  let hint: String?
}

/// One run of `scaleaudio convert`, from its request to the exit status.
final class ConvertRun {
  private let request: ConvertRequest
  private let interruption: Interruption

  init(_ request: ConvertRequest, _ interruption: Interruption) {
    self.request = request
    self.interruption = interruption
  }

  /// Runs the request, reports it, and returns the exit status.
  func run() async -> Int32 {
    do {
      var batch = try batch()
      if let threads = request.work.threads { Batch.threadCount = threads }
      request.work.apply(to: &batch)
      let manifest = try request.manifest.map { (target) in
        try Manifest(
          target, hashes: request.batch.files.hashesSamples, of: batch,
          named: [request.map, request.input.listPath].compactMap(\.self))
      }
      return await RunLog.run(
        batch, request.work, interruption, input: request.input,
        hint: request.hint,
        resuming: batch.jobs.count > 1 ? "The same command with --resume does the rest." : nil,
        onEvent: { manifest?.note($0) }
      ) { (log) in
        OtherFiles(batch.others, request).finish(log, interruption.cancellation)
        if let manifest { write(manifest, log) }
      }
    } catch {
      return RunLog.status(of: error, request.work, interruption)
    }
  }

  private func write(_ manifest: Manifest, _ log: RunLog) {
    do throws(AudioFileError) {
      let written = try manifest.write(
        syncing: request.batch.files.syncsOutput, interruption.cancellation)
      for problem in written.problems { log.fail(problem) }
      if !written.bytes.isEmpty { log.write(written.bytes) }
    } catch {
      let remedy = error.remedy == .chooseOutputFile ? ManifestError.chooseOther : error.remedy
      let failure = ManifestError(path: error.path, cause: error.cause, remedy: remedy)
      log.fail(
        FileFailure(line: failure.fullMessage, isWorthRetrying: error.isWorthRetrying))
    }
  }

  private func batch() throws -> Batch {
    let cancellation = interruption.cancellation
    var batch = request.batch
    batch.inputs = try request.input.inputs(cancellation)
    try batch.readMap(request.map, cancellation)
    return try Batch(batch, cancellation: cancellation)
  }
}

extension BatchRequest {
  /// Reads a time map, which replaces the time of all settings; `nil` changes nothing.
  mutating func readMap(_ map: FilePath?, _ cancellation: Cancellation) throws {
    guard let map else { return }
    let time = TimeRequest.map(try TimeMapRequest(contentsOf: map, cancellation: cancellation))
    settings.time = time
    for index in otherSettings.indices { otherSettings[index].time = time }
  }
}

/// The files of folders that are no audio: copied on request, otherwise counted.
private struct OtherFiles {
  private let files: [OtherFile]
  private let request: ConvertRequest

  init(_ files: [OtherFile], _ request: ConvertRequest) {
    (self.files, self.request) = (files, request)
  }

  /// Copies the files or says how many are not copied.
  func finish(_ log: RunLog, _ cancellation: Cancellation) {
    let scalesTexts = request.batch.files.scalesSidecars
    let texts = files.filter(\.isTimed)
    let others = files.filter { !texts.contains($0) }
    if request.copiesOthers { copy(others, log, cancellation) } else { count(others, log) }
    if !scalesTexts, !texts.isEmpty {
      log.say("\(Self.names(texts, "text")) with times not copied; --sidecars scales them")
    }
  }

  private func copy(_ others: [OtherFile], _ log: RunLog, _ cancellation: Cancellation) {
    var count = 0
    var policy = request.batch.files
    if request.batch.resumes, policy.existing == .refuse { policy.existing = .skip }
    for file in others where !cancellation.isCancelled {
      do throws(AudioFileError) {
        if try file.copy(policy) == .copied { count += 1 }
      } catch {
        log.fail(error)
      }
    }
    if count > 0 { log.say("\(Quantities.groupedCount(count, "other file")) copied") }
  }

  private func count(_ others: [OtherFile], _ log: RunLog) {
    if others.isEmpty { return }
    log.say("\(Self.names(others, "other file")) not copied; --copy-others copies them")
  }

  /// `3 other files (cover.jpg, notes.txt, …)`
  private static func names(_ files: [OtherFile], _ noun: String) -> String {
    let most = 2
    let names = files.prefix(most).compactMap { $0.source.lastComponent }.map {
      escapedForTerminal(FilePath(root: nil, [$0]))
    }
    let more = files.count > most ? ", …" : ""
    return Quantities.groupedCount(files.count, noun) + " (\(names.joined(separator: ", "))\(more))"
  }
}
