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
      #expect(PageFiles().names == names.filter { $0 != "parts.css" }.sorted())
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
        func content(_ name: String) throws -> [UInt8] {
          Array(try Data(contentsOf: Self.folder.appendingPathComponent(name)))
        }
        // The style sheets are one, and so are the modules.
        let expected =
          try name == "style.css" ? content(name) + content("parts.css") : content(name)
        if name != "main.js" { #expect(difference(answer.body, expected) == nil, "\(name)") }
        let ending = String(try #require(name.split(separator: ".").last))
        #expect(answer.field("Content-Type") == types[ending])
        #expect(answer.field("Cache-Control") == "no-cache")
      }
      let index = try server.answer(to: server.request("GET", "/"))
      #expect(index.body == (try server.answer(to: server.request("GET", "/page/index.html")).body))
    }

    @Test func modulesAreJoinedInTheOrderInWhichTheyAreNeeded() {
      let joined = PageModules.joined([
        "main.js": """
        // The page.
        import { one, two as second } from "./part-one.js";
        import { Three } from "./three.js";
        export { one };
        """,
        "part-one.js": """
        import { Three } from "./three.js";
        export const one = (three) => new Three({ three });
        export const [two, four] = [2, 4];
        const five = 5;
        """,
        "three.js": """
        export class Three extends Array {
        }
        export async function six() {}
        """,
        "other.js": "export const seven = 7;",
      ])
      #expect(
        joined == """
          const $three = (() => {
          class Three extends Array {
          }
          async function six() {}
          return { Three, six };
          })();
          const $part_one = (() => {
          const { Three } = $three;
          const one = (three) => new Three({ three });
          const [two, four] = [2, 4];
          const five = 5;
          return { one, two, four };
          })();
          // The page.
          const { one, two: second } = $part_one;
          const { Three } = $three;
          export { one };

          """)
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
