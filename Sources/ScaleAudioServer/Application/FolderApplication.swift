internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import ScaleAudio
package import SystemPackage
internal import TimeScaling

/// Serves folders of audio to a page: lists, waveforms, sound and conversions.
package final class FolderApplication: ServerApplication {
  /// The settings of the server.
  package struct Settings: Sendable {
    /// The folders, as they were named.
    package var folders: [FilePath]
    /// True if nothing may be written.
    package var isReadOnly = false
    /// The folder for cached waveforms; `nil` for none.
    package var cacheFolder: FilePath? = WaveCache.userFolder
    /// The size of the largest upload, in bytes.
    package var maximumUploadBytes = 4 << 30
    /// The folder for marks, loops, speeds and keys of files; `nil` to keep none.
    package var notesFolder: FilePath?

    package init(folders: [FilePath]) { self.folders = folders }
  }

  let settings: Settings
  let program: any ServerProgram
  let library: FileLibrary
  let inspections: Inspections
  let waves: WaveStore
  let sounds = SoundPool()
  let jobs: JobList
  let notes: FileNotes
  let events: EventLog
  /// Stops all work.
  let cancellation: Cancellation

  /// Begins to serve; files are found on a thread of its own.
  package init(_ settings: Settings, _ program: any ServerProgram) {
    self.settings = settings
    self.program = program
    let events = EventLog(version: scaleAudioVersion)
    let cancellation = Cancellation()
    (self.events, self.cancellation) = (events, cancellation)
    struct Revision: Encodable { let revision: Int }
    library = FileLibrary(settings.folders, cancellation: cancellation) {
      events.post("files", Revision(revision: $0))
    }
    inspections = Inspections(program)
    struct Ready: Encodable {
      let id: String
      let ready, pixels: Int
      let isEnded: Bool
    }
    waves = WaveStore(
      cache: settings.cacheFolder.flatMap { WaveCache(folder: $0) }, cancellation: cancellation
    ) { events.post("peaks", Ready(id: $0, ready: $1, pixels: $2, isEnded: $3)) }
    jobs = JobList(program, library, events, cancellation: cancellation)
    notes = FileNotes(
      settings.notesFolder.map { PracticeStore(folder: $0) }, isReadOnly: settings.isReadOnly,
      events)
  }

  /// Stops all work at its next block, and returns the commands of jobs that were not done.
  package func stop() -> [String] {
    let running = jobs.running
    cancellation.cancel()
    return running
  }

  package func answer(_ request: HTTPRequest) -> HTTPResponse {
    do throws(HTTPFailure) {
      return try routed(request).compressed(for: request)
    } catch {
      return error.response
    }
  }

  private func routed(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
    let isReading = !request.method.isChange
    switch (request.path.first, request.path.dropFirst().first, Array(request.path.dropFirst(2))) {
    case ("audio", let name?, []) where isReading: return try sound(request, name)
    case ("files", let id?, []) where isReading: return try download(request, try file(id))
    case ("api", "session", []) where isReading: return session
    case ("api", "files", []) where isReading: return listing(request)
    case ("api", "facts", []) where isReading: return facts(request)
    case ("api", "files", let rest) where isReading && rest.count <= 2:
      return try fileAnswer(request, try file(rest[0]), rest.dropFirst().first)
    case ("api", "notes", let rest) where isReading && rest.count == 1:
      return try keptNotes(try file(rest[0]))
    case ("api", "notes", let rest) where request.method == .post && rest.count == 1:
      return try changeNotes(request, try file(rest[0]))
    case ("api", "folder", let rest) where request.method == .post && rest.count == 1:
      return try showFolder(try file(rest[0]))
    case ("api", "events", []) where isReading: return eventStream(request)
    case ("api", "jobs", []) where isReading:
      struct Jobs: Encodable { let jobs: [JobList.JobState] }
      return .json(Jobs(jobs: jobs.shown))
    case ("api", "plan", []) where request.method == .post: return try plan(request)
    case ("api", "jobs", []) where request.method == .post: return try startJob(request)
    case ("api", "jobs", let rest) where request.method == .delete && rest.count == 1:
      guard jobs.cancel(rest[0]) else { return .notFound }
      return HTTPResponse(204)
    default:
      let isKnown =
        request.path.first == "audio" || request.path.first == "files"
        || request.path.dropFirst().first.map(Self.names.contains) == true
      if !isKnown || isReading { return .notFound }
      return .failure(405, "this address does not support \(request.method.rawValue)")
    }
  }

  private static let names: Set<String> = [
    "session", "files", "facts", "events", "jobs", "plan", "uploads", "folder", "notes",
  ]

  /// The file of an id.
  func file(_ id: String) throws(HTTPFailure) -> FileLibrary.File {
    guard let file = library.file(id) else {
      throw HTTPFailure(
        404, Problem(cause: "the file no longer exists", remedy: "reload the page"))
    }
    return file
  }

  /// Runs work on a file; its errors become answers.
  func read<Result: ~Copyable>(
    _ work: () throws(AudioFileError) -> Result
  ) throws(HTTPFailure) -> Result {
    do throws(AudioFileError) {
      return try work()
    } catch {
      throw HTTPFailure(422, program.problem(error))
    }
  }

  // MARK: - Session and lists

  private var session: HTTPResponse {
    struct Method: Encodable {
      let id: String
      let keepsPitch, isPreview: Bool
    }
    struct Format: Encodable {
      let id, name: String
      let isLossless: Bool
    }
    struct Limits: Encodable { let factor, stretchFactor, rate, semitones: [Double] }
    struct Session: Encodable {
      let version: String
      let folders: [String]
      let output: String?
      let readOnly, canUpload, canShowFolders: Bool
      let maxUploadBytes: Int
      let methods: [Method]
      let presets: [PresetDescription]
      let formats: [Format]
      let limits: Limits
    }
    func pair(_ range: ClosedRange<Double>) -> [Double] { [range.lowerBound, range.upperBound] }
    return .json(
      Session(
        version: scaleAudioVersion, folders: settings.folders.map(\.printable),
        output: program.outputFolder?.printable, readOnly: settings.isReadOnly,
        canUpload: !settings.isReadOnly, canShowFolders: program.showsFolders,
        maxUploadBytes: settings.maximumUploadBytes,
        methods: ScalingMethod.Kind.allCases.map {
          Method(id: $0.rawValue, keepsPitch: $0 == .stretch, isPreview: $0 == .stretch)
        },
        presets: program.presets,
        formats: AudioFormat.all.filter(\.isWritable).map {
          Format(id: $0.id, name: $0.name, isLossless: $0.isLossless)
        },
        limits: Limits(
          factor: pair(TimeFactor.range), stretchFactor: pair(StretchSettings.factorRange),
          rate: pair(StretchSettings.liveRateRange), semitones: pair(StretchSettings.semitoneRange))
      ))
  }

  /// The files, written here: a general encoder took most of the time until the rows of ten thousand show.
  private func listing(_ request: HTTPRequest) -> HTTPResponse {
    library.waitForFirstWalk()
    let list = library.listing
    library.refresh()
    // A page that has this list needs no other.
    let isKnown = !list.isScanning && request["known"] == "\(list.revision)"
    let files = isKnown ? [] : list.files
    var body: [UInt8] = []
    body.reserveCapacity(128 * (files.count + 1))
    body += "{\"revision\":\(list.revision),\"isScanning\":\(list.isScanning),\"files\":[".utf8
    // Files of one folder follow each other.
    var folder = (root: FilePath(), path: FilePath(), quoted: "")
    for (index, file) in files.enumerated() {
      let path = file.relativePath.removingLastComponent()
      if folder.path != path || folder.root != file.root {
        folder = (file.root, path, JSONText.quoted(file.shownFolder))
      }
      body += (index > 0 ? ",{\"id\":" : "{\"id\":").utf8
      JSONText.append(file.id, to: &body)
      body += ",\"name\":".utf8
      JSONText.append(file.name, to: &body)
      body += ",\"folder\":\(folder.quoted),\"bytes\":\(file.size),".utf8
      body += "\"modified\":\(Double(file.modified) / 1e9)}".utf8
    }
    body += "],\"problems\":[".utf8
    for (index, error) in list.problems.enumerated() {
      let problem = program.problem(error)
      let remedy = problem.remedy.map(JSONText.quoted) ?? "null"
      body += (index > 0 ? ",{\"path\":" : "{\"path\":").utf8
      JSONText.append(error.path.printable, to: &body)
      body += ",\"cause\":\(JSONText.quoted(problem.cause)),\"remedy\":\(remedy)}".utf8
    }
    body += "]}".utf8
    return HTTPResponse(200, json: body)
  }

  /// Shows the folder of a file on the desktop of this machine.
  private func showFolder(_ file: FileLibrary.File) throws(HTTPFailure) -> HTTPResponse {
    guard program.showsFolders, program.showFolder(file.path.folder) else {
      throw HTTPFailure(422, Problem(cause: "no program here shows folders"))
    }
    return HTTPResponse(204)
  }

  private func facts(_ request: HTTPRequest) -> HTTPResponse {
    struct All: Encodable { let facts: [ListedFile] }
    let ids = (request["ids"] ?? "").split(separator: ",").prefix(100)
    let files = ids.compactMap { library.file(String($0)) }
    return .json(All(facts: files.map { inspections.facts($0) }))
  }

  private func eventStream(_ request: HTTPRequest) -> HTTPResponse {
    let last = request.header("Last-Event-ID").flatMap { Int($0) }
    guard let stream = events.stream(after: last) else {
      return .failure(503, "too many pages are open", remedy: "close one of them")
    }
    return HTTPResponse(
      200, headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")],
      body: .made(stream, byteCount: nil))
  }
}

extension HTTPFailure {
  /// An answer that names a problem.
  init(_ status: Int, _ problem: Problem, headers: [(String, String)] = []) {
    var response = HTTPResponse.problem(status, problem)
    response.headers += headers
    self.init(response)
  }
}
