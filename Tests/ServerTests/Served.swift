#if Serve
  import AudioIO
  import Foundation
  import SystemPackage
  import TestSupport

  @testable import ScaleAudioServer
  @testable import scaleaudio_cli

  /// A folder that an application serves within the test.
  final class Served {
    let folder: TemporaryFolder
    let state: TemporaryFolder
    let application: FolderApplication

    /// Serves files that `make` creates with sox, by its arguments; `NAME` stands for each path.
    init(
      _ files: [(name: String, arguments: String)] = [], outputFolder: Bool = false,
      isReadOnly: Bool = false, keepsNotes: Bool = true
    ) throws {
      folder = try TemporaryFolder()
      state = try TemporaryFolder()
      for (name, arguments) in files { try folder.sox(name, arguments) }
      var settings = FolderApplication.Settings(folders: [folder.path])
      settings.cacheFolder = nil
      settings.isReadOnly = isReadOnly
      settings.notesFolder = keepsNotes ? state.file("notes") : nil
      application = FolderApplication(
        settings,
        ServeProgram(
          outputFolder: outputFolder ? folder.file("out") : nil, folders: [folder.path],
          configuration: nil))
    }

    deinit { _ = application.stop() }

    /// The folder for notes.
    var notesFolder: FilePath { state.file("notes") }

    /// An answer with its whole body.
    func get(
      _ path: String, _ query: [(String, String)] = [], _ headers: [(String, String)] = []
    ) throws -> (response: HTTPResponse, body: [UInt8]) {
      let response = application.answer(
        HTTPRequest(
          method: .get, path: path.split(separator: "/").map(String.init),
          query: query.map { (name: $0.0, value: $0.1) },
          headers: headers.map { (name: $0.0, value: $0.1) }))
      return (response, try Self.bytes(of: response))
    }

    func post(_ path: String, _ body: String) throws -> (
      response: HTTPResponse, json: [String: Any]
    ) {
      let response = application.answer(
        HTTPRequest(
          method: .post, path: path.split(separator: "/").map(String.init),
          body: Array(body.utf8)))
      return (response, try object(Self.bytes(of: response)))
    }

    func json(_ path: String, _ query: [(String, String)] = []) throws -> [String: Any] {
      try object(get(path, query).body)
    }

    /// The id of a file, as soon as the list has it.
    func id(_ name: String) async throws -> String {
      for _ in 0..<2000 {
        let files = try json("api/files")["files"] as? [[String: Any]] ?? []
        if let file = files.first(where: { $0["name"] as? String == name }) {
          return file["id"] as? String ?? ""
        }
        try await Task.sleep(for: .milliseconds(5))
      }
      throw CocoaError(.fileNoSuchFile)
    }

    /// The files of a job when the job has ended.
    func ended(_ job: String) async throws -> [[String: Any]] {
      for _ in 0..<4000 {
        let jobs = try json("api/jobs")["jobs"] as? [[String: Any]] ?? []
        if let job = jobs.first(where: { $0["id"] as? String == job }),
          job["state"] as? String != "running"
        {
          return job["files"] as? [[String: Any]] ?? []
        }
        try await Task.sleep(for: .milliseconds(5))
      }
      throw CocoaError(.fileNoSuchFile)
    }

    private func object(_ bytes: [UInt8]) throws -> [String: Any] {
      if bytes.isEmpty { return [:] }
      return try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
    }

    private static func bytes(of response: HTTPResponse) throws -> [UInt8] {
      switch response.body {
      case .bytes(let bytes): return bytes
      case .made(let source, _):
        var bytes: [UInt8] = []
        while let more = try source.next() { bytes += more }
        source.close()
        return bytes
      }
    }
  }

  extension HTTPResponse {
    func header(_ name: String) -> String? { headers.first { $0.0 == name }?.1 }
    func number(_ name: String) -> Int { header(name).flatMap { Int($0) } ?? -1 }
  }

  extension TemporaryFolder {
    /// Makes a file with sox; `NAME` in the arguments stands for its path.
    func sox(_ name: String, _ arguments: String) throws {
      let words = arguments.split(separator: " ").map {
        $0.replacingOccurrences(of: "NAME", with: file(name).string)
      }
      let tool = try Tool.run("sox", ["-R"] + words)
      precondition(tool.status == 0, tool.errorText)
    }

    /// The samples of a file as another program decodes them, interleaved.
    func floats(_ path: FilePath) throws -> [Float] {
      let tool = try Tool.run(
        "ffmpeg", ["-v", "error", "-i", path.string, "-f", "f32le", "-c:a", "pcm_f32le", "-"])
      return tool.output.floats
    }
  }

  /// The first difference of two long arrays; `nil` if they do not. A plain comparison that fails takes minutes to be shown.
  func difference<Element: Equatable>(_ one: [Element], _ other: [Element]) -> String? {
    if one == other { return nil }
    let place = zip(one, other).enumerated().first { $1.0 != $1.1 }
    guard let (index, values) = place else { return "\(one.count) and \(other.count) elements" }
    return "\(values.0) and \(values.1) at \(index), of \(one.count) and \(other.count)"
  }

  extension [UInt8] {
    /// The bytes as 32-bit floating point, little-endian.
    var floats: [Float] {
      (0..<count / 4).map { index in
        let bits = self[4 * index..<4 * index + 4].reversed().reduce(UInt32(0)) {
          $0 << 8 | UInt32($1)
        }
        return Float(bitPattern: bits)
      }
    }

    var int16s: [Int16] {
      (0..<count / 2).map {
        Int16(truncatingIfNeeded: Int(self[2 * $0]) | Int(self[2 * $0 + 1]) << 8)
      }
    }
  }
#endif
