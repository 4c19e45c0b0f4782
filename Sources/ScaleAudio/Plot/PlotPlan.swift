#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One picture, or cell of a sheet, of several that are to be made.
public struct PlotJob: Hashable, Sendable, Identifiable {
  /// The job's place among them, from 0.
  public var id: Int
  /// What is to be drawn.
  public var plot: Plot
  /// The size of the source in bytes, for weighing progress; 0 when unknown.
  public var inputBytes: Int
  /// Whether the source is not there, so that its picture can only fail.
  public var isMissing: Bool
}

/// The pictures that a user's names mean, settled before anything is read or written.
///
/// A picture is named after its source, `in.png` for `in.flac`, beside it or in the folder that was named;
/// what is found in folders keeps its place below them. Where sources of one plan would have one name
/// between them, their own extensions stay: `in.flac.png`, `in.mp3.png`.
public struct PlotPlan: Sendable {
  /// The pictures, in the order of the inputs, folders in the order of their walk.
  public let jobs: [PlotJob]
  /// Folders that could not be read, and links that lead nowhere.
  public let problems: [AudioFileError]
  /// Whether there is nothing to draw: folders held nothing, and every file named is missing.
  public var foundNothing: Bool { jobs.allSatisfy(\.isMissing) }

  /// Walks the folders and names every picture.
  ///
  /// - Parameters:
  ///   - inputs: What the user named, in order.
  ///   - destination: Where the pictures go.
  ///   - format: The pictures' format; `nil` for what a file's extension says, else PNG.
  ///   - settings: What the pictures show, and how.
  ///   - walker: What is taken from folders.
  ///   - cancellation: Stops the walk.
  public init(
    inputs: [BatchInput], destination: OutputNaming.Destination = .beside,
    format: PlotFormat? = nil, settings: PlotSettings = PlotSettings(),
    walker: FileWalker = FileWalker(), cancellation: Cancellation = Cancellation()
  ) throws(BatchPlanError) {
    let found = PlotSources(inputs, walker: walker, cancellation)
    if cancellation.isCancelled { throw .cancelled }
    problems = found.problems
    let names = PictureNames(destination: destination, format: format)
    jobs = try names.jobs(found.sources, takesMany: found.takesMany, settings: settings)
  }
}

/// The sources that a user's names mean.
struct PlotSources {
  /// One of them.
  struct Source {
    let input: ConversionInput
    /// The path below an output folder, with the source's own name.
    let relativePath: FilePath
    /// `nil` for standard input and missing files.
    let identity: FileIdentity?
    /// 0 when unknown.
    let bytes: Int
    let isMissing: Bool
  }

  private(set) var sources: [Source] = []
  private(set) var problems: [AudioFileError] = []
  /// Whether the names can mean several files.
  let takesMany: Bool

  init(_ inputs: [BatchInput], walker: FileWalker, _ cancellation: Cancellation) {
    takesMany =
      inputs.count != 1 || inputs.contains { FileStatus(path: $0.path)?.kind == .folder }
    var seen: Set<FileIdentity> = []
    for input in inputs {
      for source in sources(of: input, walker, cancellation)
      where source.identity.map({ seen.insert($0).inserted }) ?? true {
        sources.append(source)
      }
    }
  }

  private mutating func sources(
    of input: BatchInput, _ walker: FileWalker, _ cancellation: Cancellation
  ) -> [Source] {
    guard case .path(let path) = input else {
      return [
        Source(
          input: .standardInput, relativePath: "stdin", identity: nil, bytes: 0, isMissing: false)
      ]
    }
    let status = FileStatus(path: path)
    let isMissing = status == nil && (errno == ENOENT || errno == ENOTDIR)
    guard status?.kind == .folder else {
      let name = path.lastComponent.map { FilePath(root: nil, [$0]) } ?? path
      return [
        Source(
          input: .file(path), relativePath: name, identity: status?.identity,
          bytes: status?.kind == .file ? status?.stamp.size ?? 0 : 0, isMissing: isMissing)
      ]
    }
    let findings = walker.walk(path, cancellation: cancellation)
    problems += findings.problems
    return findings.files.map {
      Source(
        input: .file($0.path), relativePath: $0.relativePath, identity: $0.identity,
        bytes: $0.size, isMissing: false)
    }
  }
}

extension PlotSources.Source {
  /// The job at place `id` that draws this source.
  func job(_ id: Int, _ plot: Plot) -> PlotJob {
    PlotJob(id: id, plot: plot, inputBytes: bytes, isMissing: isMissing)
  }
}

/// Names for pictures.
private struct PictureNames {
  let destination: OutputNaming.Destination
  let format: PlotFormat?

  func jobs(
    _ sources: [PlotSources.Source], takesMany: Bool, settings: PlotSettings
  ) throws(BatchPlanError) -> [PlotJob] {
    let target = try Target(destination, takesMany: takesMany)
    let short = try sources.map { (source) throws(BatchPlanError) in
      try output(of: source, target, keepsExtension: false)
    }
    var uses: [ConversionOutput: Int] = [:]
    for output in short { uses[output, default: 0] += 1 }
    var owners: [ConversionOutput: ConversionInput] = [:]
    var conflicts: [BatchPlanError.Conflict] = []
    var jobs: [PlotJob] = []
    for (source, short) in zip(sources, short) {
      var output = short
      if uses[short, default: 0] > 1 {
        output = try self.output(of: source, target, keepsExtension: true)
      }
      if let owner = owners[output] {
        conflicts.append(
          .sameOutput(owner.path, source.input.path, output: output.path))
      }
      owners[output] = source.input
      let format = try format(of: output, target)
      let plot = Plot(input: source.input, output: output, format: format, settings: settings)
      jobs.append(source.job(jobs.count, plot))
    }
    if !conflicts.isEmpty { throw .conflicts(conflicts) }
    return jobs
  }

  private func format(
    of output: ConversionOutput, _ target: Target
  ) throws(BatchPlanError) -> PlotFormat {
    if let format { return format }
    guard case .file(let path) = target else { return .picture(.png) }
    return try PlotFormat(of: path)
  }

  private func output(
    of source: PlotSources.Source, _ target: Target, keepsExtension: Bool
  ) throws(BatchPlanError) -> ConversionOutput {
    switch target {
    case .standardOutput: return .standardOutput
    case .file(let path): return .file(path)
    case .folder(let folder):
      let place = source.relativePath.removingLastComponent()
      return .file(
        folder.appending(place.components).appending(name(of: source, keepsExtension).components))
    case .beside:
      guard case .file(let path) = source.input else { throw .needsOutput("-") }
      let place = RealPath.resolve(path.folder)
      // `/dev/stdin` and the pipes of process substitution are beside nothing of the user's.
      if place == "/dev" || place.starts(with: "/proc") { throw .needsOutput(path) }
      return .file(
        path.removingLastComponent().appending(name(of: source, keepsExtension).components))
    }
  }

  private func name(of source: PlotSources.Source, _ keepsExtension: Bool) -> FilePath {
    let name = FileName(source.relativePath)
    let ending = Array(".\((format ?? .picture(.png)).fileExtension)".utf8)
    return FilePath(bytes: name.stem + (keepsExtension ? name.dotted(nil) : []) + ending)
  }

  /// Where the pictures go, once it is known what the inputs are.
  private enum Target {
    case beside
    case folder(FilePath)
    case file(FilePath)
    case standardOutput

    init(
      _ destination: OutputNaming.Destination, takesMany: Bool
    ) throws(BatchPlanError) {
      switch destination {
      case .beside: self = .beside
      case .standardOutput:
        if takesMany { throw .severalToStandardOutput }
        self = .standardOutput
      case .folder(let path): self = .folder(try Self.checked(path))
      case .path(let path):
        let isFolder = FileStatus(path: path)?.kind == .folder
        self = takesMany || isFolder ? .folder(try Self.checked(path)) : .file(path)
      }
    }

    /// The path itself, unless something that is no folder is there.
    private static func checked(_ path: FilePath) throws(BatchPlanError) -> FilePath {
      if let status = FileStatus(path: path), status.kind != .folder { throw .notAFolder(path) }
      return path
    }
  }
}
