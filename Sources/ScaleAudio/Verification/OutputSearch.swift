internal import AudioFiles
public import AudioIO
public import SystemPackage

/// Finds outputs and their sources, and compares them.
public struct OutputSearch: Sendable {
  /// The rules that select files in folders.
  public var walker = FileWalker()
  /// How sources are read.
  public var files = FilePolicy()

  /// A search with the default rules.
  public init() {}

  /// Compares the outputs that a manifest lists.
  public func verify(
    _ claims: [Verification.Claim], cancellation: Cancellation = Cancellation(),
    onResult: (Verification) -> Void
  ) throws(AudioFileError) {
    let journals = JournalSearch()
    for claim in claims {
      guard FileStatus(path: claim.output) != nil else {
        onResult(missing(claim.source, claim.output, "it does not exist"))
        continue
      }
      onResult(
        try Verification(
          of: claim.output, from: claim.source, claim: claim, journals: journals, files: files,
          cancellation: cancellation))
    }
  }

  /// Compares a folder of outputs with the folder of their sources: each source must have an output, and each output a
  /// source.
  public func verify(
    _ folder: FilePath, against sources: FilePath, cancellation: Cancellation = Cancellation(),
    onResult: (Verification) -> Void
  ) throws(AudioFileError) {
    let inputs = found(in: sources, avoiding: folder, cancellation)
    let outputs = found(in: folder, avoiding: sources, cancellation)
    let journals = JournalSearch(root: folder)
    let stems = Dictionary(grouping: inputs) { FileName($0.relativePath).stem }
    var answered: Set<FilePath> = []
    for output in outputs {
      guard let source = source(of: output, among: stems, journals) else {
        onResult(stray(output.path))
        continue
      }
      answered.insert(source)
      onResult(
        try Verification(
          of: output.path, from: source, journals: journals, files: files,
          cancellation: cancellation))
    }
    let places = Set(inputs.map { Self.place($0.path, FileName($0.path).stem) })
    for input in inputs where !answered.contains(input.path) {
      // What an earlier run made among the sources is no source.
      if isOutput(input.path, among: places) { continue }
      onResult(missing(input.path, nil, "it has no output in \(folder.printable)"))
    }
  }

  /// Compares the outputs beside their sources, as a conversion without another place names them: of `a.wav` those that
  /// begin with `a-`, of a folder `Music` the folders that begin with `Music-`.
  public func verify(
    besides inputs: [NamedInput], cancellation: Cancellation = Cancellation(),
    onResult: (Verification) -> Void
  ) throws(AudioFileError) {
    let list = InputList(inputs, walker: walker, cancellation: cancellation)
    for problem in list.problems { throw problem }
    for input in inputs {
      guard case .path(let path) = input, FileStatus(path: path)?.kind == .folder else { continue }
      let named = RealPath.named(path)
      guard let name = named.lastComponent else { continue }
      let start = FilePath(root: nil, [name]).bytes + [UInt8(ascii: "-")]
      let siblings = (try? FolderListing.names(in: named.folder, beginningWith: start)) ?? []
      for sibling in siblings {
        let folder = named.removingLastComponent().appending(sibling)
        guard FileStatus(path: folder)?.kind == .folder else { continue }
        try verify(folder, against: path, cancellation: cancellation, onResult: onResult)
      }
    }
    let stems = Set(list.inputs.map { Self.place($0.input.path, FileName($0.input.path).stem) })
    for input in list.inputs {
      guard case .file(let source) = input.input, !isOutput(source, among: stems) else { continue }
      let journals = JournalSearch(root: source.folder)
      let outputs = besides(source)
      let isMirrored = inputs.contains { named in
        named.path != source && FileStatus(path: named.path)?.kind == .folder
          && source.starts(with: named.path) && hasMirror(named.path)
      }
      if outputs.isEmpty, !isMirrored {
        onResult(missing(source, nil, "no output is beside it"))
      }
      for output in outputs {
        onResult(
          try Verification(
            of: output, from: source, journals: journals, files: files, cancellation: cancellation))
      }
    }
  }

  // MARK: - Finding

  private func found(
    in folder: FilePath, avoiding other: FilePath, _ cancellation: Cancellation
  ) -> [FileWalker.FoundFile] {
    let avoided = FileIdentity(path: other).map { Set([$0]) } ?? []
    return walker.walk(folder, avoiding: avoided, cancellation: cancellation).files
  }

  /// The source of an output: the one that the journal names, or the one in the same subfolder with the longest stem that
  /// the output's stem begins with. The subfolders of outputs may lie in one for each of several requests.
  private func source(
    of output: FileWalker.FoundFile, among inputs: [[UInt8]: [FileWalker.FoundFile]],
    _ journals: JournalSearch
  ) -> FilePath? {
    if let source = journals.source(of: output.path), FileStatus(path: source) != nil {
      return source
    }
    let stem = FileName(output.relativePath).stem
    let folder = output.relativePath.removingLastComponent()
    let inner = FilePath(root: nil, folder.components.dropFirst())
    let ends = [stem.count] + stem.indices.filter { [0x2D, 0x2E].contains(stem[$0]) }.reversed()
    for end in ends {
      for candidates in [inputs[Array(stem[..<end])] ?? []] {
        for place in folder.isEmpty ? [folder] : [folder, inner] {
          let near = candidates.filter { $0.relativePath.removingLastComponent() == place }
          if let source = Self.likeliest(near.map(\.path), of: output.path) { return source }
        }
      }
    }
    return nil
  }

  /// The source of an output among files of one stem: one whose whole name the output's begins with, else one of the
  /// output's extension, else the first.
  private static func likeliest(_ sources: [FilePath], of output: FilePath) -> FilePath? {
    let stem = FileName(output).stem
    let whole = sources.first { source in
      source.lastComponent.map { stem.starts(with: FilePath(root: nil, [$0]).bytes) } ?? false
    }
    return whole ?? sources.first { $0.extension == output.extension } ?? sources.first
  }

  /// The outputs beside a source that this program made.
  private func besides(_ source: FilePath) -> [FilePath] {
    let journal = Journal(folder: source.folder)
    let own = FileName(source).stem
    let start = own + [UInt8(ascii: "-")]
    let names = (try? FolderListing.names(in: source.folder, beginningWith: start)) ?? []
    let dot = own + [UInt8(ascii: ".")]
    let namesakes = ((try? FolderListing.names(in: source.folder, beginningWith: dot)) ?? [])
      .map { source.removingLastComponent().appending($0) }
      .filter { FileName($0).stem == own && $0.extension.flatMap(AudioFormat.forExtension) != nil }
    return names.map { source.removingLastComponent().appending($0) }.filter { path in
      guard path != source, FileStatus(path: path)?.kind == .file,
        path.extension.flatMap(AudioFormat.forExtension) != nil,
        [nil, source].contains(Self.likeliest(namesakes, of: path))
      else { return false }
      return journal.entry(for: path) != nil || Provenance(of: path, files) != nil
    }
  }

  private func hasMirror(_ folder: FilePath) -> Bool {
    let named = RealPath.named(folder)
    guard let name = named.lastComponent else { return false }
    let start = FilePath(root: nil, [name]).bytes + [UInt8(ascii: "-")]
    return !((try? FolderListing.names(in: named.folder, beginningWith: start)) ?? []).isEmpty
  }

  /// True if a source is itself an output of another one.
  private func isOutput(_ path: FilePath, among stems: Set<FilePath>) -> Bool {
    let stem = FileName(path).stem
    let hasSource = stem.indices.contains {
      $0 > 0 && stem[$0] == UInt8(ascii: "-") && stems.contains(Self.place(path, stem[..<$0]))
    }
    return hasSource && Provenance(of: path, files) != nil
  }

  private static func place(_ path: FilePath, _ stem: some Sequence<UInt8>) -> FilePath {
    path.removingLastComponent().appending(FilePath(bytes: Array(stem)).components)
  }

  private func missing(_ source: FilePath, _ output: FilePath?, _ reason: String) -> Verification {
    var result = Verification(source: source, output: output, status: .missing)
    result.differences = [reason]
    return result
  }

  private func stray(_ output: FilePath) -> Verification {
    var result = Verification(source: nil, output: output, status: .stray)
    result.differences = ["no source has its name"]
    return result
  }
}

/// The journals of outputs: in their folders, and in those above up to a root.
final class JournalSearch {
  private let root: FilePath?
  private var journals: [FilePath: Journal] = [:]

  /// Journals in the folders of outputs and, if a root is given, in those above up to it.
  init(root: FilePath? = nil) { self.root = root }

  /// The entry for an output; `nil` if there is none.
  func entry(for output: FilePath) -> JournalEntry? { found(output)?.entry }

  /// The source of an output; `nil` if no journal names it.
  func source(of output: FilePath) -> FilePath? {
    found(output).map {
      $0.folder.appending($0.entry.sourcePath.components).lexicallyNormalized()
    }
  }

  private func found(_ output: FilePath) -> (folder: FilePath, entry: JournalEntry)? {
    var folder = output.folder
    while true {
      let journal = journals[folder] ?? Journal(folder: folder)
      journals[folder] = journal
      if let entry = journal.entry(for: output) { return (folder, entry) }
      guard let root, folder != root, folder.starts(with: root) else { return nil }
      folder = folder.folder
    }
  }
}
