#if Serve
  import Foundation
  import TestSupport
  import Testing

  @testable import ScaleAudioServer

  @Suite struct PageFileTests {
    static let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/CServerPage/Page")

    @Test func everyFileOfTheFolderIsEmbedded() throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
      #expect(PageFiles().names == names.sorted())
    }

    @Test func filesArriveUnchanged() throws {
      let server = try TestServer()
      let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "flac": "audio/flac",
      ]
      for name in PageFiles().names {
        let answer = try server.answer(to: server.request("GET", "/page/\(name)"))
        #expect(answer.status == 200)
        #expect(
          answer.body == Array(try Data(contentsOf: Self.folder.appendingPathComponent(name))))
        let ending = String(try #require(name.split(separator: ".").last))
        #expect(answer.field("Content-Type") == types[ending])
        #expect(answer.field("Cache-Control") == "no-cache")
      }
      let index = try server.answer(to: server.request("GET", "/"))
      #expect(index.body == (try server.answer(to: server.request("GET", "/page/index.html")).body))
    }

    @Test func aKnownFileIsNotSentAgain() throws {
      let server = try TestServer()
      let tag = try #require(try server.answer(to: server.request("GET", "/")).field("ETag"))
      #expect(tag.hasPrefix("\"") && tag.hasSuffix("\""))
      for known in [tag, "W/\(tag)", "\"x\", \(tag)", "\(tag) , \"x\"", "*"] {
        let answer = try server.answer(
          to: server.request("GET", "/", fields: "If-None-Match: \(known)\r\n"))
        #expect(answer.status == 304)
        #expect(answer.field("ETag") == tag)
        #expect(answer.field("Content-Length") == nil)
      }
      for unknown in ["\"x\"", String(tag.dropFirst().dropLast())] {
        let answer = try server.answer(
          to: server.request("GET", "/", fields: "If-None-Match: \(unknown)\r\n"))
        #expect(answer.status == 200)
      }
    }
  }
#endif
