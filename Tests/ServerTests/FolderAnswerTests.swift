#if Serve
  import AudioIO
  import Foundation
  import TestSupport
  import Testing

  @testable import ScaleAudioServer

  /// Lists, facts, plans, jobs and uploads of the page.
  @Suite struct FolderAnswerTests {
    private static let noise = "-n -r 44100 -c 2 -b 16 NAME synth 1 pinknoise"

    @Test func listsExistingAndNewFiles() async throws {
      let served = try Served([("b.wav", Self.noise), ("a.flac", Self.noise)])
      _ = try await served.id("a.flac")
      try Data("no audio".utf8).write(to: URL(fileURLWithPath: served.folder.file("n.txt").string))
      symlink("/etc/hostname", served.folder.file("link.wav").string)
      try served.folder.sox("c.aiff", Self.noise)
      _ = try await served.id("c.aiff")
      let files = try served.json("api/files")["files"] as? [[String: Any]] ?? []
      #expect(files.map { $0["name"] as? String } == ["a.flac", "b.wav", "c.aiff"])
      // A page that has this list gets no other.
      let revision = try #require(try served.json("api/files")["revision"] as? Int)
      let known = try served.json("api/files", [("known", "\(revision)")])
      #expect((known["files"] as? [Any])?.isEmpty == true)
      #expect(known["revision"] as? Int == revision)
      let older = try served.json("api/files", [("known", "\(revision - 1)")])
      #expect((older["files"] as? [Any])?.count == 3)
    }

    /// The first answer waits for the first walk.
    @Test func theFirstListIsWhole() throws {
      let served = try Served([("b.wav", Self.noise), ("a.flac", Self.noise)])
      let list = try served.json("api/files")
      #expect((list["files"] as? [Any])?.count == 2 && list["isScanning"] as? Bool == false)
    }

    @Test func factsReportProblems() async throws {
      let served = try Served([("a.flac", Self.noise)])
      let tagged = try Tool.run(
        "metaflac",
        [
          "--set-tag=TITLE=<script>alert(1)</script>", "--set-tag=ARTIST=Ada",
          served.folder.file("a.flac").string,
        ])
      try #require(tagged.status == 0)
      try Data("RIFF....WAVE".utf8).write(
        to: URL(fileURLWithPath: served.folder.file("bad.wav").string))
      let ids = try await [served.id("a.flac"), served.id("bad.wav")]
      let facts =
        try served.json("api/facts", [("ids", ids.joined(separator: ","))])["facts"]
        as? [[String: Any]] ?? []
      try #require(facts.count == 2)
      #expect(facts[0]["title"] as? String == "<script>alert(1)</script>")
      #expect(facts[0]["artist"] as? String == "Ada")
      #expect(facts[0]["frames"] as? Int == 44_100 && facts[0]["depth"] as? String == "16-bit")
      let problem = facts[1]["problem"] as? [String: Any]
      #expect((problem?["cause"] as? String)?.isEmpty == false)
    }

    /// Covers have the type of their bytes, not the one that the file claims; SVG is never sent.
    @Test func coversAreSniffed() async throws {
      let served = try Served([("a.flac", Self.noise), ("b.flac", Self.noise)])
      let png = served.folder.file("cover.bin").string
      let svg = served.folder.file("cover.svg").string
      _ = try Tool.run(
        "python3",
        ["-c", "from PIL import Image; Image.new('RGB', (4, 4)).save('\(png)', 'PNG')"])
      try Data("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>".utf8).write(
        to: URL(fileURLWithPath: svg))
      for (name, type, path) in [("a.flac", "image/svg+xml", png), ("b.flac", "image/png", svg)] {
        let tool = try Tool.run(
          "metaflac",
          [
            "--import-picture-from=3|\(type)|cover|4x4x24|\(path)", served.folder.file(name).string,
          ])
        try #require(tool.status == 0)
      }
      let good = try await served.get("api/files/\(served.id("a.flac"))/cover")
      #expect(good.response.header("Content-Type") == "image/png")
      #expect(try await served.get("api/files/\(served.id("b.flac"))/cover").response.status == 404)
    }

    /// A file that becomes a link while it is listed is not followed.
    @Test func linksAreNotFollowed() async throws {
      let served = try Served([("a.wav", Self.noise)])
      let id = try await served.id("a.wav")
      let elsewhere = try TemporaryFolder()
      try elsewhere.sox("secret.wav", Self.noise)
      let path = served.folder.file("a.wav").string
      unlink(path)
      symlink(elsewhere.file("secret.wav").string, path)
      for part in ["peaks", "overview", "samples", "cover"] {
        #expect(try served.get("api/files/\(id)/\(part)").response.status == 422)
      }
      #expect(try served.get("audio/\(id).wav").response.status == 422)
      let body = #"{"files":["\#(id)"],"choice":{"factor":"2"}}"#
      let plan = try served.post("api/plan", body).json["outputs"] as? [[String: Any]]
      #expect(plan?.map { $0["verdict"] as? String } == ["refuse"])
      let start = try served.post("api/jobs", body)
      let files = try await served.ended(#require(start.json["id"] as? String))
      #expect(files.map { $0["state"] as? String } == ["failed"])
      #expect(try served.folder.names() == ["a.wav"])
    }

    /// No conversion reads through a folder that becomes a link.
    @Test(arguments: [#"["ID"]"#, #""all""#])
    func linkedFoldersAreNotFollowed(files: String) async throws {
      let served = try Served([("a.wav", Self.noise)])
      let (folder, elsewhere) = (served.folder, try TemporaryFolder())
      try elsewhere.sox("b.wav", Self.noise)
      mkdir(folder.file("inner").string, 0o755)
      try folder.sox("inner/b.wav", Self.noise)
      served.application.library.walk()
      let id = try await served.id("b.wav")
      rename(folder.file("inner").string, folder.file("outer").string)
      symlink(elsewhere.path.string, folder.file("inner").string)
      let start = try served.post(
        "api/jobs",
        #"{"files":\#(files.replacing("ID", with: id)),"choice":{"factor":"2"}}"#)
      let states = try await served.ended(#require(start.json["id"] as? String)).map {
        $0["state"] as? String
      }
      #expect(states == (files.contains("ID") ? ["failed"] : ["done", "done"]))
      #expect(try elsewhere.names() == ["b.wav"])
    }

    /// No conversion writes through a folder that becomes a link, or over what a link leads to.
    @Test(arguments: ["inner", "inner/b.wav"])
    func linksAreNotWrittenThrough(link: String) async throws {
      let served = try Served([("a.wav", Self.noise)], outputFolder: true)
      let (folder, elsewhere) = (served.folder, try TemporaryFolder())
      try elsewhere.sox("b.wav", Self.noise)
      let before = try Data(contentsOf: URL(fileURLWithPath: elsewhere.file("b.wav").string))
      for name in ["inner", "out", "out/inner"] { mkdir(folder.file(name).string, 0o755) }
      try folder.sox("inner/b.wav", Self.noise)
      served.application.library.walk()
      _ = try await served.id("b.wav")
      if link == "inner" { rmdir(folder.file("out/inner").string) }
      let target = link == "inner" ? elsewhere.path : elsewhere.file("b.wav")
      symlink(target.string, folder.file("out/\(link)").string)
      let start = try served.post(
        "api/jobs", #"{"files":"all","choice":{"factor":"2"},"existing":"replace","resume":true}"#)
      let files = try await served.ended(#require(start.json["id"] as? String))
      #expect(Set(files.map { $0["state"] as? String }) == ["done", "failed"])
      let after = try Data(contentsOf: URL(fileURLWithPath: elsewhere.file("b.wav").string))
      #expect(after == before)
      #expect(try elsewhere.names() == ["b.wav"])
    }

    @Test func plansEqualThoseOfTheCommandLine() async throws {
      let served = try Served([("it's.flac", Self.noise), ("b.wav", Self.noise)])
      let ids = try await [served.id("it's.flac"), served.id("b.wav")]
      try served.folder.sox("b-x1.25-sinc.wav", Self.noise)
      let plan = try served.post(
        "api/plan",
        #"{"files":["\#(ids[0])","\#(ids[1])"],"choice":{"factor":"1.25","method":"sinc"}}"#
      ).json
      let command = try #require(plan["command"] as? String)
      let list = try Tool.run(
        "bash", ["-c", "eval \"set -- ${LINE#scaleaudio}\"; printf '%s\\n' \"$@\""],
        environment: ["LINE": command])
      #expect(
        list.outputText.split(separator: "\n").map(String.init) == [
          "-f", "1.25", "--method", "sinc", served.folder.file("it's.flac").string,
          served.folder.file("b.wav").string,
        ])
      let outputs = plan["outputs"] as? [[String: Any]] ?? []
      #expect(
        outputs.map { $0["output"] as? String } == ["it's-x1.25-sinc.flac", "b-x1.25-sinc.wav"])
      #expect(outputs.map { $0["verdict"] as? String } == ["run", "refuse"])
      #expect(outputs[0]["seconds"] as? Double == 1.25)
      let refused = try served.post("api/plan", #"{"files":["\#(ids[0])"],"choice":{"speed":"x"}}"#)
      #expect(refused.response.status == 422)
      #expect(try served.post("api/plan", "[]").response.status == 400)
      #expect(
        try served.post("api/plan", #"{"files":["f99"],"choice":{}}"#).response.status == 404)
    }

    @Test func jobsWriteAndReport() async throws {
      let served = try Served([("a.flac", Self.noise), ("b.wav", Self.noise)], outputFolder: true)
      try Data("RIFF....WAVE".utf8).write(
        to: URL(fileURLWithPath: served.folder.file("bad.wav").string))
      _ = try await (served.id("bad.wav"), served.id("a.flac"))
      let before = try #require(served.application.events.stream(after: nil))
      let start = try served.post("api/jobs", #"{"files":"all","choice":{"factor":"2"}}"#)
      #expect(start.response.status == 202)
      let files = try await served.ended(#require(start.json["id"] as? String))
      let states = Dictionary(
        uniqueKeysWithValues: files.map { ($0["id"] as? String, $0["state"] as? String) })
      #expect(states[try await served.id("a.flac")] == "done")
      #expect(states[try await served.id("b.wav")] == "done")
      #expect(states[try await served.id("bad.wav")] == "failed")
      let failed = try #require(files.first { $0["state"] as? String == "failed" })
      #expect((failed["problem"] as? [String: Any])?["cause"] is String)
      let soxi = try Tool.run("soxi", ["-s", served.folder.file("out").appending("b.wav").string])
      #expect(soxi.outputText == "88200\n")
      // The result can be heard at once.
      let done = try #require(files.first { $0["output"] as? String != nil })
      let result = try #require(done["resultId"] as? String)
      #expect(try served.get("audio/\(result).wav").response.number("X-Frames") == 88_200)
      // Every event has come.
      var text = ""
      while !text.contains(#""state":"done","total":3"#) {
        text += String(decoding: try #require(try before.next()), as: UTF8.self)
      }
      before.close()
      #expect(text.contains(#""done":2,"failed":1"#))
      #expect(text.hasPrefix("event: hello\n"))
      let numbers = text.split(separator: "\n").compactMap { line in
        line.hasPrefix("id: ") ? Int(line.dropFirst(4)) : nil
      }
      #expect(numbers == Array((numbers.first ?? 0)..<(numbers.first ?? 0) + numbers.count))
      // A page that was away gets what it missed.
      let middle = numbers[numbers.count / 2]
      let replay = try #require(served.application.events.stream(after: middle))
      _ = try replay.next()
      let missed = String(decoding: try #require(try replay.next()), as: UTF8.self)
      #expect(missed.hasPrefix("id: \(middle + 1)\n"))
      replay.close()
      #expect(try replay.next() == nil)
    }

    @Test func cancelledJobsLeaveNothing() async throws {
      let served = try Served([("long.wav", "-n -r 44100 -c 2 -b 16 NAME synth 120 pinknoise")])
      let id = try await served.id("long.wav")
      let start = try served.post(
        "api/jobs",
        #"{"files":["\#(id)"],"choice":{"factor":"3","method":"sinc","quality":"best"}}"#)
      let job = try #require(start.json["id"] as? String)
      let answer = served.application.answer(
        HTTPRequest(method: .delete, path: ["api", "jobs", job]))
      #expect(answer.status == 204)
      #expect(try await served.ended(job).map { $0["state"] as? String } == ["cancelled"])
      #expect(try served.folder.names() == ["long.wav"])
    }

    @Test func uploadsAreWholeOrNotAtAll() async throws {
      let served = try Served()
      let other = try TemporaryFolder()
      try other.sox("new.wav", Self.noise)
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: other.file("new.wav").string)))
      func begin(_ name: String, count: Int? = nil) -> UploadAdmission {
        served.application.upload(
          HTTPRequest(method: .put, path: ["api", "uploads"], query: [("name", name)]),
          byteCount: count)
      }
      func sink(_ name: String) throws -> any UploadSink {
        guard case .accepted(let sink) = begin(name) else { throw CocoaError(.fileWriteUnknown) }
        return sink
      }
      let cut = try sink("cut.wav")
      try cut.write(Array(bytes[..<1000]))
      cut.abort()
      let text = try sink("text.wav")
      try text.write(Array("hello".utf8))
      #expect(text.finish().status == 422)
      let page = try sink("page.wav")
      try page.write(Array("<html><title>404</title></html>".utf8))
      let refusal = page.finish()
      #expect(refusal.status == 422)
      guard case .bytes(let problem) = refusal.body else { throw CocoaError(.fileReadUnknown) }
      #expect(String(decoding: problem, as: UTF8.self).contains("a web page"))
      #expect(try served.folder.names() == [])
      let whole = try sink("new.wav")
      for start in stride(from: 0, to: bytes.count, by: 10_000) {
        try whole.write(Array(bytes[start..<min(bytes.count, start + 10_000)]))
      }
      #expect(whole.finish().status == 201)
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: served.folder.file("new.wav").string))
          == Data(bytes))
      _ = try await served.id("new.wav")
      let hidden = ["a\nb.wav", "a\u{0}.wav", "a\u{85}b.wav", "a\u{2028}b.wav", "a\u{202E}vaw.exe"]
      for (name, status) in [("new.wav", 409), ("../x.wav", 400), (".x.wav", 400), ("", 400)]
        + hidden.map({ ($0, 400) })
      {
        guard case .refused(let response) = begin(name) else {
          Issue.record("\(name) was accepted")
          continue
        }
        #expect(response.status == status)
      }
      try sink("שלום 👩‍🎤.wav").abort()
      guard case .refused(let response) = begin("huge.wav", count: 1 << 40) else {
        Issue.record("a huge file was accepted")
        return
      }
      #expect(response.status == 413)
    }

    @Test(arguments: [
      (["api", "nothing"], 404), (["api", "files", "f77"], 404), (["audio", "f1"], 404),
      (["api", "files", "f1", "peaks", "x"], 404),
    ])
    func unknownAddressesAreNotFound(path: [String], status: Int) async throws {
      let served = try Served([("a.wav", Self.noise)])
      _ = try await served.id("a.wav")
      #expect(served.application.answer(HTTPRequest(method: .get, path: path)).status == status)
    }
  }
#endif
