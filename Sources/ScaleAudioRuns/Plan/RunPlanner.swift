internal import AudioIO
public import ScaleAudio
internal import SystemPackage

/// The request for a run.
public struct RunRequest: Sendable {
  /// The settings, the names of outputs, and the filter for files in folders. Its inputs and its destination are not
  /// used.
  public var batch: BatchRequest
  /// The sources of inputs, in order.
  public var sources: [RunSource]
  /// The folder of the outputs.
  public var output: FilePath
  /// The number of shards, within ``RunError/shardRange``.
  public var shards: Int
  /// The options that the plan stores for the program that will run it.
  public var options: [String]

  /// A request.
  public init(
    batch: BatchRequest, sources: [RunSource], output: FilePath, shards: Int, options: [String]
  ) {
    (self.batch, self.sources, self.output) = (batch, sources, output)
    (self.shards, self.options) = (shards, options)
  }
}

/// Plans a run: reads all inputs, names and checks all outputs, and divides the work.
///
/// Lines are kept in unnamed temporary files; a line takes about 40 bytes of memory.
public struct RunPlanner {
  /// The plan, and the problems found while planning.
  public struct Result: Sendable {
    /// The plan.
    public let plan: RunPlan
    /// Folders that could not be read, broken links, and files that were named and cannot be looked at.
    public let problems: [AudioFileError]
    /// The number of inputs that were named again and are converted only once.
    public let repetitions: Int
  }

  private let request: RunRequest
  private let folder: RunFolder
  private let cancellation: Cancellation
  private let names: OutputNames

  /// A planner for a run in `folder`, which must not contain a plan yet.
  public init(
    _ request: RunRequest, in folder: RunFolder, cancellation: Cancellation = Cancellation()
  ) throws(RunError) {
    guard RunError.shardRange.contains(request.shards) else {
      throw .shardCount(request.shards)
    }
    if FileStatus(path: folder.planFile) != nil { throw .planExists(folder.path) }
    if let status = FileStatus(path: request.output), status.kind != .folder {
      throw .planning(.notAFolder(request.output))
    }
    names = try RunError.planning(OutputNames(request.batch, below: request.output))
    (self.request, self.folder, self.cancellation) = (request, folder, cancellation)
  }

  /// Makes the plan. The folder has a plan only after everything else is written.
  public func run() throws(RunError) -> Result {
    let listed = try listInputs()
    // An empty plan would stand for inputs that cannot be read.
    if listed.count == 0, let problem = listed.problems.first { throw .file(problem) }
    var planned = try nameOutputs(listed)
    try checkExisting(planned)
    let repetitions = try checkCollisions(&planned)
    let partition = Partition(planned.weights, shards: request.shards)
    let plan = try plan(planned, partition)
    try writeShards(planned, partition)
    try write(plan)
    return Result(plan: plan, problems: listed.problems, repetitions: repetitions)
  }

  // MARK: - Passes

  private struct Listed: ~Copyable {
    let file: SpoolFile
    var count = 0
    var haveSeconds = true
    var problems: [AudioFileError] = []
  }

  /// Writes all inputs to a temporary file.
  private func listInputs() throws(RunError) -> Listed {
    var listed = Listed(file: try RunError.files(SpoolFile()))
    var writer = listed.file.writer
    var reader = InputReader(request.batch, output: request.output, cancellation)
    let hasPart = request.batch.settings.part != nil || !request.batch.settings.only.isEmpty
    var (count, haveSeconds) = (0, true)
    for source in request.sources {
      try reader.read(source) { (line) throws(RunError) in
        if cancellation.isCancelled { throw .planning(.cancelled) }
        if hasPart, line.part != nil { throw .partsTwice(line.input) }
        count += 1
        if line.seconds == nil { haveSeconds = false }
        try RunError.files(writer.add(line.json))
      }
    }
    try RunError.files(writer.flush())
    if cancellation.isCancelled { throw .planning(.cancelled) }
    (listed.count, listed.haveSeconds) = (count, haveSeconds)
    listed.problems = reader.problems
    return listed
  }

  /// The lines with their outputs, and what is known about them.
  private struct Planned: ~Copyable {
    var file: SpoolFile
    let measure: RunPlan.Measure
    var weights: [Int] = []
    var longest: RunPlan.Longest?
    var collisions = CollisionCheck()
  }

  private func nameOutputs(_ listed: borrowing Listed) throws(RunError) -> Planned {
    var planned = Planned(
      file: try RunError.files(SpoolFile()), measure: listed.haveSeconds ? .microseconds : .bytes)
    planned.weights.reserveCapacity(listed.count)
    var writer = planned.file.writer
    let reader = try RunError.files(listed.file.reader(cancellation))
    while var line = try nextLine(reader) {
      line.number = planned.weights.count + 1
      if planned.measure == .bytes, line.bytes == nil {
        line.bytes = FileStatus(path: line.input)?.stamp.size
      }
      line.outputs = names.outputs(
        of: line.input, below: line.below, id: line.id, part: line.part, index: line.number,
        count: listed.count)
      line.below = nil
      planned.collisions.add(line)
      let weight = Self.weight(of: line, planned.measure)
      planned.weights.append(weight)
      if weight > planned.longest?.weight ?? -1 {
        planned.longest = RunPlan.Longest(
          line: line.number, input: line.input.string, weight: weight)
      }
      try RunError.files(writer.add(line.json))
    }
    try RunError.files(writer.flush())
    return planned
  }

  private static func weight(of line: RunLine, _ measure: RunPlan.Measure) -> Int {
    switch measure {
    case .microseconds: Int(exactly: ((line.seconds ?? 0) * 1e6).rounded()) ?? 0
    case .bytes: line.bytes ?? 0
    }
  }

  private func nextLine(_ reader: LineReader) throws(RunError) -> RunLine? {
    if cancellation.isCancelled { throw .planning(.cancelled) }
    guard let bytes = try RunError.files(reader.next()) else { return nil }
    guard let line = RunLine(bytes[...]) else {
      throw .file(.malformed(reader.path, reason: "line \(reader.number) has changed"))
    }
    return line
  }

  // MARK: - Checks

  /// Throws if outputs exist; a folder that is missing or empty contains none.
  private func checkExisting(_ planned: borrowing Planned) throws(RunError) {
    guard request.batch.files.existing != .replace,
      let names = try? FolderListing.names(in: request.output), !names.isEmpty
    else { return }
    let reader = try RunError.files(planned.file.reader(cancellation))
    var (found, count) = ([FilePath](), 0)
    while let line = try nextLine(reader) {
      for output in line.outputs where FileStatus(path: output, followingLinks: false) != nil {
        count += 1
        if found.count < 20 { found.append(output) }
      }
    }
    if count > 0 { throw .outputsExist(found, count: count) }
  }

  /// Throws if two inputs have the same output, or an output is an input; drops repetitions and returns their number.
  private func checkCollisions(_ planned: inout Planned) throws(RunError) -> Int {
    let suspects = planned.collisions.suspects()
    if suspects.isEmpty { return 0 }
    let reader = try RunError.files(planned.file.reader(cancellation))
    var closer = CollisionCheck.Closer(suspects)
    while let line = try nextLine(reader) { closer.look(at: line) }
    if !closer.conflicts.isEmpty {
      throw .planning(.conflicts(closer.conflicts, remedy: .any([.chooseOutput, .keepExtensions])))
    }
    if closer.repeated.isEmpty { return 0 }
    try drop(closer.repeated, from: &planned)
    return closer.repeated.count
  }

  /// Removes lines, and renumbers the others.
  private func drop(_ numbers: Set<Int>, from planned: inout Planned) throws(RunError) {
    let file = try RunError.files(SpoolFile())
    var writer = file.writer
    let reader = try RunError.files(planned.file.reader(cancellation))
    var weights: [Int] = []
    let longest = planned.longest
    while var line = try nextLine(reader) {
      if numbers.contains(line.number) { continue }
      let old = line.number
      weights.append(planned.weights[old - 1])
      line.number = weights.count
      if let longest, longest.line == old {
        planned.longest = RunPlan.Longest(
          line: line.number, input: longest.input, weight: longest.weight)
      }
      try RunError.files(writer.add(line.json))
    }
    try RunError.files(writer.flush())
    planned.file = file
    planned.weights = weights
  }

  // MARK: - Writing

  private func plan(
    _ planned: borrowing Planned, _ partition: Partition
  ) throws(RunError) -> RunPlan {
    let parameters = names.settings.map { $0.parameters(request.batch.files) }
    var checksum = FileChecksum()
    func add(_ text: String) {
      Array((text + "\u{0}").utf8).withUnsafeBytes { checksum.add($0) }
    }
    for text in [scaleAudioVersion, "\(request.shards)"] + request.options + parameters {
      add(text)
    }
    let reader = try RunError.files(planned.file.reader(cancellation))
    while let line = try RunError.files(reader.next()) {
      line.withUnsafeBytes { checksum.add($0) }
      add("")
    }
    return RunPlan(
      version: scaleAudioVersion, options: request.options, parameters: parameters,
      shards: request.shards, lines: planned.weights.count, output: request.output.string,
      measure: planned.measure, total: planned.weights.reduce(0, &+),
      heaviest: partition.loads.max() ?? 0, longest: planned.longest, digest: checksum.finish())
  }

  private func writeShards(
    _ planned: borrowing Planned, _ partition: Partition
  ) throws(RunError) {
    do throws(AudioFileError) {
      let folders = CreatedFolders()
      try folders.make(folder.shards)
      try folders.make(folder.records)
      var shards = ShardFiles(folder, count: request.shards)
      let reader = try planned.file.reader(cancellation)
      while let line = try reader.next() {
        try shards.add(line, to: Int(partition.shards[reader.number - 1]) + 1)
      }
      try shards.finish()
    } catch {
      throw .cannotPlan(error)
    }
  }

  private func write(_ plan: RunPlan) throws(RunError) {
    do throws(AudioFileError) {
      let file = try OutputFile(path: folder.planFile)
      var writer = LineWriter(file.descriptor, path: folder.planFile)
      try writer.add(plan.json)
      try writer.flush()
      try file.commit(replacing: false)
    } catch .outputExists {
      throw .planExists(folder.path)
    } catch {
      throw .cannotPlan(error)
    }
  }
}
