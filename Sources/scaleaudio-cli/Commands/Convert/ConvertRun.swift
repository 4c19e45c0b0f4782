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
        faster: Self.faster(than: batch.jobs.map(\.work.settings.method)),
        copies: { OtherFiles(batch.others, request).foreseen(interruption.cancellation) },
        onListed: { OtherFiles(batch.others, request).countAll($0) },
        onEvent: { manifest?.note($0) }
      ) { (log) in
        OtherFiles(batch.others, request).finish(log, interruption.cancellation)
        if let manifest { write(manifest, log) }
      }
    } catch {
      return RunLog.status(of: error, request.work, interruption)
    }
  }

  /// A sentence that names faster methods; `nil` for methods that are fast.
  private static func faster(than methods: [ScalingMethod]) -> String? {
    var usesStretch = false
    for case .stretch(let settings) in methods {
      if settings.engine == .r3 { return "--engine vocoder takes about a tenth of that." }
      usesStretch = true
    }
    return usesStretch ? "--speed takes a fraction of that, and moves the pitch too." : nil
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
    if request.copiesOthers { copy(files.filter { !$0.isTimed }, log, cancellation) }
    countAll(log)
  }

  /// The files that would be copied; `nil` if none are to be.
  func foreseen(_ cancellation: Cancellation) -> ForeseenCopies? {
    guard request.copiesOthers else { return nil }
    var found = ForeseenCopies()
    for file in files where !cancellation.isCancelled {
      let outcome = file.foreseen(request.batch.files, resumes: request.batch.resumes)
      guard outcome == .copied else { continue }
      found.files += 1
      found.bytes += file.size * file.copies.count
    }
    return found
  }

  /// Reports the number of files that are not copied.
  func countAll(_ log: RunLog) {
    let texts = files.filter(\.isTimed)
    if !request.copiesOthers { count(files.filter { !texts.contains($0) }, log) }
    if !request.batch.files.scalesSidecars, !texts.isEmpty {
      log.say("\(Self.names(texts, "text")) with times not copied; --sidecars scales them")
    }
  }

  private func copy(_ others: [OtherFile], _ log: RunLog, _ cancellation: Cancellation) {
    var count = 0
    for file in others where !cancellation.isCancelled {
      do throws(AudioFileError) {
        let outcome = try file.copy(request.batch.files, resumes: request.batch.resumes)
        if outcome == .copied { count += 1 }
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
