internal import AudioFiles
internal import AudioIO
internal import ScaleAudio
internal import SystemPackage

extension FolderApplication {
  /// A request to convert, or to describe what a conversion would do.
  private struct Asked: Decodable {
    /// Ids, or all files.
    enum Files: Decodable {
      case all
      case ids([String])

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let ids = try? container.decode([String].self) {
          self = .ids(ids)
        } else if try container.decode(String.self) == "all" {
          self = .all
        } else {
          throw DecodingError.dataCorruptedError(in: container, debugDescription: "not all")
        }
      }
    }

    let files: Files
    let choice: [String: String]
    var existing: String?
    var resume: Bool?
    /// True if only the command line is requested, for which no file is opened.
    var isCommandOnly: Bool?
  }

  /// Outputs listed in a plan, and those whose length is computed.
  private static let (maximumListed, maximumMeasured) = (200, 8)

  private func asked(_ request: HTTPRequest) throws(HTTPFailure)
    -> (choice: Choice, files: ChosenFiles, isCommandOnly: Bool)
  {
    guard let asked = JSON.value(Asked.self, request.body),
      let existing = ExistingOutput(rawValue: asked.existing ?? ExistingOutput.refuse.rawValue)
    else { throw HTTPFailure(400, Problem(cause: "malformed request")) }
    var (inputs, roots) = (library.roots, library.roots)
    if case .ids(let ids) = asked.files {
      inputs = []
      for id in ids {
        let file = try file(id)
        inputs.append(file.path)
        if !roots.contains(file.root) { roots.append(file.root) }
      }
    }
    if inputs.isEmpty { throw HTTPFailure(422, Problem(cause: "no file is chosen")) }
    return (
      Choice { asked.choice[$0] },
      ChosenFiles(
        inputs: inputs, roots: roots, existing: existing, resumes: asked.resume ?? false),
      asked.isCommandOnly ?? false
    )
  }

  /// Reports what a conversion would do.
  func plan(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
    struct Output: Encodable {
      let id: String?
      let output: String
      var seconds: Double?
      var verdict = "run"
      var problem: Problem?
    }
    struct Plan: Encodable {
      let command: String
      let count: Int
      let keepsPitch: Bool
      let outputs: [Output]
    }
    let (choice, files, isCommandOnly) = try asked(request)
    let batch: Batch
    do throws(Problem) {
      if isCommandOnly {
        _ = try program.request(choice)
        return .json(["command": program.command(choice, files)])
      }
      batch = try jobs.batch(choice, files)
    } catch {
      throw HTTPFailure(422, error)
    }
    let verdicts = zip(batch.jobs.prefix(Self.maximumListed), batch.verdicts())
    let outputs = verdicts.enumerated().map { index, planned in
      let (job, verdict) = planned
      let id = library.register(job.work.input.path, below: nil)
      var output = Output(id: id, output: JobList.name(of: job.work))
      switch verdict {
      case .run: break
      case .skip: output.verdict = "skip"
      case .refuse:
        output.verdict = "refuse"
        output.problem = program.problem(AudioFileError.outputExists(job.work.output.path))
      }
      if let refusal = job.refusal {
        (output.verdict, output.problem) = ("refuse", program.problem(refusal))
      }
      guard index < Self.maximumMeasured, let id, let file = library.file(id) else { return output }
      do throws(ConversionError) {
        let (read, facts) = inspections.report(file)
        guard let report = read else {
          (output.verdict, output.problem) = ("refuse", facts.problem)
          return output
        }
        let planned = try PlannedOutput(report, input: job.work.input, settings: job.work.settings)
        output.seconds = planned.spec.seconds(frames: planned.frameCount)
      } catch {
        (output.verdict, output.problem) = ("refuse", program.problem(error))
      }
      return output
    }
    return .json(
      Plan(
        command: program.command(choice, files), count: batch.jobs.count,
        keepsPitch: batch.jobs.first?.work.settings.method.kind == .stretch, outputs: outputs))
  }

  /// Begins a conversion.
  func startJob(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
    try checkWritable()
    struct Started: Encodable { let id: String }
    let (choice, files, _) = try asked(request)
    do throws(Problem) {
      return .json(Started(id: try jobs.start(choice, files)), status: 202)
    } catch {
      throw HTTPFailure(422, error)
    }
  }

  func checkWritable() throws(HTTPFailure) {
    if settings.isReadOnly {
      throw HTTPFailure(
        403,
        Problem(
          cause: "this server is read-only", remedy: "restart it with write access"))
    }
  }

  // MARK: - Uploads

  package func upload(_ request: HTTPRequest, byteCount: Int?) -> UploadAdmission {
    do throws(HTTPFailure) {
      guard request.path == ["api", "uploads"] else { return .refused(.notFound) }
      try checkWritable()
      let asked = request["name"] ?? ""
      guard !asked.unicodeScalars.contains(where: Self.isHidden),
        let name = FilePath.Component(asked), name.kind == .regular, Self.isUsable(asked),
        let folder = library.roots.first
      else {
        throw HTTPFailure(
          400,
          Problem(
            cause: "not a valid file name",
            remedy:
              "give it a plain name that ends like audio, such as song.flac, then add it again"))
      }
      if let byteCount, byteCount > settings.maximumUploadBytes { throw Self.tooLarge }
      let path = folder.appending(name)
      if FileStatus(path: path, followingLinks: false) != nil {
        throw HTTPFailure(
          409,
          Problem(
            cause: "\(FilePath(root: nil, [name]).printable) exists already",
            remedy: "rename the file, then add it again"))
      }
      let output = try read { () throws(AudioFileError) in
        try OutputFile(path: path, beneath: library.roots)
      }
      return .accepted(Upload(output, path, self))
    } catch {
      return .refused(error.response)
    }
  }

  /// True if a name can be used anywhere: other systems have names of devices and drop what ends a name, programs take a
  /// hyphen for an option, and what does not end like audio is opened by something else.
  private static func isUsable(_ name: String) -> Bool {
    let devices = ["CON", "PRN", "AUX", "NUL", "COM", "LPT"]
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let stem = (parts.first ?? "").uppercased().filter { $0 != " " }
    let isDevice = devices.contains { device in
      guard stem.hasPrefix(device) else { return false }
      let rest = stem.dropFirst(device.count)
      let isNumbered = device == "COM" || device == "LPT"
      return isNumbered ? rest.count == 1 && "0123456789¹²³".contains(rest) : rest.isEmpty
    }
    let ending = parts.count > 1 ? String(parts[parts.count - 1]) : ""
    return !isDevice && !name.hasPrefix(".") && !name.hasPrefix("-") && !name.hasPrefix(" ")
      && !name.hasSuffix(" ") && !name.hasSuffix(".")
      && !name.contains { "<>:\"|?*\\".contains($0) }
      && (ending.isEmpty || AudioFormat.forExtension(ending) != nil || ending.lowercased() == "ts")
  }

  /// True if a character would make a name look like another one, or break a line: controls, line separators,
  /// and characters that change the direction of text (Unicode Standard Annex 9, section 2).
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
  }

  fileprivate static var tooLarge: HTTPFailure {
    HTTPFailure(
      413, Problem(cause: "the file is too large for this page", remedy: "copy it into the folder"))
  }

  /// A file that a page sends; it gets its name when it is whole, and audio.
  private final class Upload: UploadSink, @unchecked Sendable {
    private var output: OutputFile?
    private let path: FilePath
    private let application: FolderApplication
    private var byteCount = 0

    init(_ output: consuming OutputFile, _ path: FilePath, _ application: FolderApplication) {
      self.output = consume output
      (self.path, self.application) = (path, application)
    }

    func write(_ bytes: [UInt8]) throws {
      byteCount += bytes.count
      if byteCount > application.settings.maximumUploadBytes { throw FolderApplication.tooLarge }
      _ = try output?.descriptor.writeAll(bytes)
    }

    func finish() -> HTTPResponse {
      struct Added: Encodable { let id: String }
      guard let output = output.take() else { return .notFound }
      let program = application.program
      do throws(AudioFileError) {
        let copy: FileDescriptor
        do {
          copy = try output.descriptor.duplicate()
        } catch {
          throw .cannotRead(path, error as? Errno ?? .ioError)
        }
        let file = try InputFile(descriptor: copy, path: path)
        guard try ContentSniffer.format(of: file) != nil else {
          throw try ContentSniffer.refusal(of: file)
        }
        try output.commit(replacing: false)
        let id = application.library.register(path, below: nil)
        application.library.walk()
        return .json(Added(id: id ?? ""), status: 201)
      } catch {
        return .problem(422, program.problem(error))
      }
    }

    func abort() { _ = output.take() }
  }
}
