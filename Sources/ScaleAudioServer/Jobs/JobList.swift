internal import AudioIO
internal import AudioModel
internal import ScaleAudio
internal import SystemPackage

/// The conversions that the page asked for, each a batch as the command line makes it.
final class JobList: Sendable {
  enum Progress: String, Encodable, Sendable {
    case waiting, running, done, skipped, failed, cancelled

    var isEnd: Bool { self != .waiting && self != .running }
  }

  /// One file of a job, as the page sees it.
  struct FileState: Encodable, Sendable {
    /// The id of the source; `nil` for one that is not on offer.
    let id: String?
    var state: Progress
    var fraction = 0.0
    var output: String?
    var problem: Problem?
    var warnings: [String] = []
    var resultId: String?
  }

  /// A job, as the page sees it.
  struct JobState: Encodable, Sendable {
    let id: String
    var state: Progress
    let command: String
    var files: [FileState]
  }

  private struct FileNews: Encodable {
    let job: String
    let file: FileState

    private enum Keys: CodingKey { case job }

    /// Encodes both into one object.
    func encode(to encoder: any Encoder) throws {
      try file.encode(to: encoder)
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(job, forKey: .job)
    }
  }

  private struct JobNews: Encodable {
    let id: String
    let state: Progress
    let done, failed, total: Int
    let fraction: Double
  }

  private struct Job: Sendable {
    var shown: JobState
    let cancellation: Cancellation
    /// The bytes of each source, by which progress is weighed, and their sum.
    let weights: [Double]
    let whole: Double
    /// Files that were scaled or skipped, files that failed, and the weight of what is made.
    private(set) var done = 0
    private(set) var failed = 0
    private(set) var made = 0.0

    init(_ shown: JobState, _ cancellation: Cancellation, bytes: [Int]) {
      (self.shown, self.cancellation) = (shown, cancellation)
      weights = bytes.map { Double(max(1, $0)) }
      whole = weights.reduce(0, +)
    }

    var news: JobNews {
      JobNews(
        id: shown.id, state: shown.state, done: done, failed: failed, total: shown.files.count,
        fraction: min(1, made / whole))
    }

    /// Changes a file, and updates the counts.
    mutating func change(_ index: Int, _ body: (inout FileState) -> Void) -> FileState {
      count(shown.files[index], weights[index], by: -1)
      body(&shown.files[index])
      count(shown.files[index], weights[index], by: 1)
      return shown.files[index]
    }

    private mutating func count(_ file: FileState, _ weight: Double, by sign: Int) {
      if file.state == .done || file.state == .skipped { done += sign }
      if file.state == .failed { failed += sign }
      made += Double(sign) * (file.state.isEnd ? 1 : file.fraction) * weight
    }
  }

  /// Finished jobs that stay in the list.
  private static let maximumKept = 50

  private let program: any ServerProgram
  private let library: FileLibrary
  private let events: EventLog
  private let cancellation: Cancellation
  private let jobs = Locked<(list: [Job], count: Int)>(([], 0))

  init(
    _ program: any ServerProgram, _ library: FileLibrary, _ events: EventLog,
    cancellation: Cancellation
  ) {
    (self.program, self.library, self.events) = (program, library, events)
    self.cancellation = cancellation
  }

  var shown: [JobState] { jobs.withLock { $0.list.map(\.shown) } }

  /// The batch that a choice means for files.
  func batch(_ choice: Choice, _ files: ChosenFiles) throws(Problem) -> Batch {
    var request = try program.request(choice)
    request.inputs = files.inputs.map { .path($0) }
    request.files.existing = files.existing
    request.files.keepsReplaced = true
    request.files.inputRoots = files.roots
    // A whole folder gets one for its outputs beside it.
    request.files.outputRoots =
      files.roots + library.roots.map { RealPath.named($0).removingLastComponent() }
      + (program.outputFolder.map { [Self.existing($0)] } ?? [])
    request.resumes = files.resumes
    do throws(PlanningError) {
      return try Batch(request, cancellation: cancellation)
    } catch {
      throw program.problem(error)
    }
  }

  /// The folder, or the deepest one on its path that exists.
  private static func existing(_ folder: FilePath) -> FilePath {
    var folder = folder
    while FileStatus(path: folder) == nil, !folder.components.isEmpty {
      folder.removeLastComponent()
    }
    return folder
  }

  /// Begins a job, and returns its id.
  func start(_ choice: Choice, _ files: ChosenFiles) throws(Problem) -> String {
    var batch = try batch(choice, files)
    if batch.jobs.isEmpty { throw Problem(cause: "there is no audio file to scale") }
    batch.workerCount = min(Batch.threadCount, Batch.workerRange.upperBound)
    let states = batch.jobs.map { job in
      FileState(id: library.register(job.work.input.path, below: nil), state: .waiting)
    }
    let command = program.command(choice, files)
    let cancellation = Cancellation(parent: cancellation)
    let bytes = batch.jobs.map(\.inputBytes)
    let id = jobs.withLock { jobs in
      jobs.count += 1
      let id = "j\(jobs.count)"
      jobs.list.append(
        Job(
          JobState(id: id, state: .running, command: command, files: states), cancellation,
          bytes: bytes))
      let ended = jobs.list.filter { $0.shown.state.isEnd }
      if ended.count > Self.maximumKept, let oldest = ended.first?.shown.id {
        jobs.list.removeAll { $0.shown.id == oldest }
      }
      return id
    }
    report(id)
    Task {
      for await event in batch.events(cancellation: cancellation) { handle(event, id) }
      end(id, isCancelled: cancellation.isCancelled)
    }
    return id
  }

  /// Asks a job to stop; whether there is one.
  func cancel(_ id: String) -> Bool {
    let job = jobs.withLock { jobs in jobs.list.first { $0.shown.id == id } }
    job?.cancellation.cancel()
    return job != nil
  }

  /// The commands of jobs that run.
  var running: [String] {
    jobs.withLock { jobs in
      jobs.list.filter { !$0.shown.state.isEnd }.map(\.shown.command)
    }
  }

  private func handle(_ event: ConversionEvent, _ id: String) {
    switch event {
    case .started(let job): change(id, job.id) { $0.state = .running }
    case .progress(let job, let progress):
      let fraction = Double(progress.frames) / Double(max(1, progress.totalFrames))
      change(id, job.id) { $0.fraction = min(1, fraction) }
    case .finished(let job, let report):
      let output = job.work.output.path
      let result = library.register(output, below: output.deepest(of: job.work.files.outputRoots))
      change(id, job.id) { file in
        (file.state, file.fraction, file.resultId) = (.done, 1, result)
        (file.output, file.warnings) = (
          Self.name(of: job.work), report.warnings.map(\.text)
        )
      }
    case .skipped(let job, _):
      change(id, job.id) { file in
        (file.state, file.fraction, file.output) = (.skipped, 1, Self.name(of: job.work))
      }
    case .failed(let job, let error):
      let problem = program.problem(error)
      change(id, job.id) { file in
        file.state = error == .cancelled ? .cancelled : .failed
        if error != .cancelled { file.problem = problem }
      }
    }
  }

  /// The output as it is shown: by its name beside its input, else by its path.
  static func name(of work: Conversion) -> String {
    let (input, output) = (work.input.path, work.output.path)
    guard input.folder == output.folder, let name = output.lastComponent else {
      return output.printable
    }
    return FilePath(root: nil, [name]).printable
  }

  private func change(_ id: String, _ index: Int, _ body: (inout FileState) -> Void) {
    let news = jobs.withLock { jobs -> (FileState, isEnd: Bool)? in
      guard let job = jobs.list.firstIndex(where: { $0.shown.id == id }),
        jobs.list[job].shown.files.indices.contains(index)
      else { return nil }
      let file = jobs.list[job].change(index, body)
      return (file, file.state.isEnd)
    }
    guard let (file, isEnd) = news else { return }
    events.post("file", FileNews(job: id, file: file))
    if isEnd { report(id) }
  }

  private func end(_ id: String, isCancelled: Bool) {
    jobs.withLock { jobs in
      guard let job = jobs.list.firstIndex(where: { $0.shown.id == id }) else { return }
      jobs.list[job].shown.state = isCancelled ? .cancelled : .done
      for index in jobs.list[job].shown.files.indices
      where !jobs.list[job].shown.files[index].state.isEnd {
        _ = jobs.list[job].change(index) { $0.state = .cancelled }
      }
    }
    report(id)
    library.walk()
  }

  private func report(_ id: String) {
    let news = jobs.withLock { jobs in jobs.list.first { $0.shown.id == id }?.news }
    if let news { events.post("job", news) }
  }
}
