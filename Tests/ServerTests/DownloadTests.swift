#if Serve
  import AudioIO
  import Foundation
  import TestSupport
  import Testing

  @testable import ScaleAudioServer

  /// Files as they are, for a page on another machine; lists in gzip; names of uploads; the tempo of a file.
  @Suite struct DownloadTests {
    private static let noise = "-n -r 44100 -c 2 -b 16 NAME synth 1 pinknoise"

    @Test func filesAreSentAsTheyAre() async throws {
      let served = try Served([("a b\u{e4}.flac", Self.noise)])
      let id = try await served.id("a b\u{e4}.flac")
      let path = served.folder.file("a b\u{e4}.flac").string
      let whole = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
      let (response, body) = try served.get("files/\(id)")
      #expect(response.status == 200 && body == whole)
      #expect(response.header("Content-Type") == "application/octet-stream")
      #expect(
        response.header("Content-Disposition")
          == "attachment; filename=\"a b_.flac\"; filename*=UTF-8''a%20b%C3%A4.flac")
      let (part, bytes) = try served.get("files/\(id)", [], [("Range", "bytes=10-1009")])
      #expect(part.status == 206 && bytes == Array(whole[10..<1010]))
      #expect(part.header("Content-Range") == "bytes 10-1009/\(whole.count)")
      let tail = try served.get("files/\(id)", [], [("Range", "bytes=-7")])
      #expect(tail.body == Array(whole.suffix(7)))
      let beyond = try served.get("files/\(id)", [], [("Range", "bytes=\(whole.count)-")])
      #expect(beyond.response.status == 416)
      let tag = try #require(response.header("ETag"))
      #expect(try served.get("files/\(id)", [], [("If-None-Match", tag)]).response.status == 304)
      // A part of another version is no part of this one.
      let other = [("If-Range", "\"other\""), ("Range", "bytes=0-9")]
      #expect(try served.get("files/\(id)", [], other).response.status == 200)
    }

    /// Only what is on offer is sent, and nothing that has taken its place.
    @Test func nothingElseIsSent() async throws {
      let served = try Served([("a.wav", Self.noise)])
      let id = try await served.id("a.wav")
      for path in ["files/f999", "files/..", "files/a.wav", "files/\(id)/x"] {
        #expect(try served.get(path).response.status == 404)
      }
      let elsewhere = try TemporaryFolder()
      try elsewhere.sox("secret.wav", Self.noise)
      unlink(served.folder.file("a.wav").string)
      symlink(elsewhere.file("secret.wav").string, served.folder.file("a.wav").string)
      #expect(try served.get("files/\(id)").response.status == 422)
      // A pipe that nobody fills must not be waited for.
      unlink(served.folder.file("a.wav").string)
      mkfifo(served.folder.file("a.wav").string, 0o600)
      for path in ["files/\(id)", "api/files/\(id)/tempo", "api/files/\(id)/cover"] {
        #expect(try served.get(path).response.status == 422)
      }
    }

    @Test(arguments: [
      ("gzip", true), ("deflate, GZIP;q=0.5", true), ("gzip;q=0", false), ("br", false),
      ("", false),
    ])
    func listsAreCompressed(accepted: String, isPacked: Bool) async throws {
      let served = try Served((0..<30).map { ("file \($0).wav", Self.noise) })
      _ = try await served.id("file 29.wav")
      let plain = try served.get("api/files").body
      let (response, body) = try served.get("api/files", [], [("Accept-Encoding", accepted)])
      #expect((response.header("Content-Encoding") == "gzip") == isPacked)
      guard isPacked else { return #expect(body == plain) }
      let file = served.folder.file("list.gz").string
      try Data(body).write(to: URL(fileURLWithPath: file))
      #expect(try Tool.run("gzip", ["-dc", file]).output == plain)
      #expect(body.count * 3 < plain.count)
    }

    @Test(arguments: [
      ("CON", false), ("con.flac", false), ("Lpt1.wav", false), ("nul .wav", false),
      ("-rf.flac", false), ("music.html", false), ("a.wav.", false), ("a.wav ", false),
      ("a:b.wav", false), (".hidden.wav", false), ("console.wav", true), ("com.wav", true),
      ("com10.wav", true), ("\u{fc}ber.FLAC", true), ("video.mkv", true), ("plain", true),
    ])
    func namesOfUploadsWorkEverywhere(name: String, isTaken: Bool) throws {
      let served = try Served()
      let request = HTTPRequest(
        method: .put, path: ["api", "uploads"], query: [(name: "name", value: name)])
      switch served.application.upload(request, byteCount: 10) {
      case .accepted(let sink):
        sink.abort()
        #expect(isTaken, "\(name) was taken")
      case .refused(let response): #expect(!isTaken && response.status == 400, "\(name)")
      }
    }

    @Test func theTempoIsThatOfTheCommand() async throws {
      let served = try Served([
        ("loop_96bpm.wav", Self.noise), ("still.wav", "-n -r 44100 NAME trim 0 1"),
      ])
      let named = try await served.json("api/files/\(served.id("loop_96bpm.wav"))/tempo")
      #expect(named["beatsPerMinute"] as? Double == 96 && named["origin"] as? String == "name")
      #expect(named["isClear"] as? Bool == true)
      let still = try await served.json("api/files/\(served.id("still.wav"))/tempo")
      #expect(still["beatsPerMinute"] == nil && still["isClear"] as? Bool == false)
    }

    /// Files that come, change, move and go are in the list without a request for it, in new folders too.
    @Test func theFolderIsWatched() async throws {
      let served = try Served([("a.wav", Self.noise)])
      _ = try await served.id("a.wav")
      let library = served.application.library
      func until(_ holds: ([FileLibrary.File]) -> Bool) async throws -> Bool {
        for _ in 0..<1000 {
          if holds(library.listing.files) { return true }
          try await Task.sleep(for: .milliseconds(10))
        }
        return false
      }
      // The watcher begins after the first walk, and the page's own request for a walk is over.
      try await Task.sleep(for: .milliseconds(1500))
      try served.folder.sox("b.wav", Self.noise)
      #expect(try await until { $0.map(\.name) == ["a.wav", "b.wav"] })
      mkdir(served.folder.file("inner").string, 0o755)
      try await Task.sleep(for: .milliseconds(300))
      try served.folder.sox("inner/c.wav", Self.noise)
      #expect(try await until { $0.map(\.name) == ["a.wav", "b.wav", "c.wav"] })
      let size = library.listing.files.first?.size
      try served.folder.sox("a.wav", Self.noise.replacing("synth 1", with: "synth 2"))
      #expect(try await until { $0.first?.size != size })
      // A plan may meet a change before the walk does.
      let before = library.listing.revision
      try served.folder.sox("a.wav", Self.noise.replacing("synth 1", with: "synth 3"))
      _ = library.register(served.folder.file("a.wav"), below: nil)
      #expect(try await until { _ in library.listing.revision > before })
      rename(served.folder.file("b.wav").string, served.folder.file("d.wav").string)
      #expect(try await until { $0.map(\.name) == ["a.wav", "d.wav", "c.wav"] })
      unlink(served.folder.file("d.wav").string)
      #expect(try await until { $0.map(\.name) == ["a.wav", "c.wav"] })
      // A file that is no audio changes nothing for the pages.
      let revision = library.listing.revision
      try Data("x".utf8).write(to: URL(fileURLWithPath: served.folder.file("n.txt").string))
      // Later than the next walk: two seconds after the one before.
      try await Task.sleep(for: .milliseconds(2600))
      #expect(library.listing.revision == revision)
    }
  }
#endif
