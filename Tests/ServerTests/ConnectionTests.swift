#if Serve
  import AudioIO
  import Foundation
  import ScaleAudioServer
  import TestSupport
  import Testing

  @Suite struct ConnectionTests {
    @Test func pipelinedRequestsAreAnsweredInOrder() throws {
      let isOpen = Locked(false)
      let server = try TestServer(
        TestApplication(answers: { request in
          // The first waits for the others to have arrived.
          if request["n"] == "0" { _ = eventually { isOpen.withLock { $0 } } }
          return HTTPResponse(200, body: .bytes(Array((request["n"] ?? "").utf8)))
        }))
      let client = try Client(server.port)
      client.send((0..<200).flatMap { server.request("GET", "/api/x?n=\($0)") })
      isOpen.withLock { $0 = true }
      for number in 0..<200 { #expect(try client.answer().text == "\(number)") }
      // One byte at a time.
      for byte in server.request("GET", "/api/x?n=last") { client.send([byte]) }
      #expect(try client.answer().text == "last")
    }

    @Test func aConnectionServesRequestsOfAllKinds() throws {
      let server = try TestServer(
        TestApplication(answers: { HTTPResponse(200, body: .bytes($0.body)) }))
      let client = try Client(server.port)
      for _ in 0..<3 {
        client.send(server.request("POST", "/api/x", body: Array("abc".utf8)))
        #expect(try client.answer().text == "abc")
        client.send(server.request("POST", "/api/x", fields: "Transfer-Encoding: chunked\r\n"))
        client.send("2\r\nde\r\n1\r\nf\r\n0\r\n\r\n")
        #expect(try client.answer().text == "def")
        client.send(server.request("DELETE", "/api/x"))
        #expect(try client.answer().body.isEmpty)
        client.send(server.request("GET", "/nowhere/../x"))
        #expect(try client.answer().status == 400)
        client.send(server.request("HEAD", "/"))
        let head = try client.answer(toHead: true)
        client.send(server.request("GET", "/"))
        let page = try client.answer()
        #expect(head.field("Content-Length") == "\(page.body.count)")
        #expect(head.field("ETag") == page.field("ETag"))
      }
    }

    @Test func http10ConnectionsAreClosed() throws {
      let server = try TestServer(
        TestApplication(answers: { _ in
          HTTPResponse(200, body: .made(TestBody([65, 66], times: 3), byteCount: nil))
        }))
      let start = "GET /api/x HTTP/1.0\r\nHost: \(server.host)\r\n\(server.cookie)"
      let client = try Client(server.port)
      client.send(start + "Connection: keep-alive\r\n\r\n")
      let answer = try client.answer()
      #expect(answer.text == "ABABAB")
      #expect(answer.field("Transfer-Encoding") == nil)
      #expect(answer.field("Connection") == "close")
    }

    @Test(arguments: ["Upgrade: websocket\r\nConnection: Upgrade\r\n", "Connection: close\r\n"])
    func malformedRequestsEndTheConnection(fields: String) throws {
      let server = try TestServer()
      let client = try Client(server.port)
      client.send(server.request("GET", "/api/x", fields: fields) + server.request("GET", "/"))
      let answer = try client.answer()
      #expect(answer.status == 200)
      #expect(answer.field("Connection") == "close")
      #expect(try client.ends())
    }

    @Test func aLongHeaderIsRefusedBeforeItsEnd() throws {
      let server = try TestServer()
      let client = try Client(server.port)
      let long = String(repeating: "x", count: 1 << 20)
      client.send("GET / HTTP/1.1\r\nHost: \(server.host)\r\nX: \(long)")
      #expect(try client.answer().status == 431)
      #expect(try server.answer(to: "GET /\(long) HTTP/1.1", "Host: x", "").status == 431)
      let many = (0..<200).map { "X\($0): y\r\n" }.joined()
      #expect(try server.answer(to: server.request("GET", "/", fields: many)).status == 431)
      let some = (0..<20).map { "X\($0): \(String(repeating: "y", count: 700))\r\n" }.joined()
      #expect(try server.answer(to: server.request("GET", "/", fields: some)).status == 200)
      #expect(server.application.asked.withLock { $0 }.isEmpty)
    }

    @Test func aLongBodyIsRefusedBeforeItsEnd() throws {
      let server = try TestServer()
      let limit = 1 << 20
      let declared = server.request(
        "POST", "/api/x", fields: "Expect: 100-continue\r\nContent-Length: \(limit + 1)\r\n")
      #expect(try server.answer(to: declared).status == 413)
      let client = try Client(server.port)
      client.send(server.request("POST", "/api/x", fields: "Transfer-Encoding: chunked\r\n"))
      let block = [UInt8](repeating: 1, count: 65_536)
      for _ in 0..<32 { client.send(Array("10000\r\n".utf8) + block + Array("\r\n".utf8)) }
      #expect(try client.answer().status == 413)
      #expect(server.application.asked.withLock { $0 }.isEmpty)
      let whole = [UInt8](repeating: 1, count: limit)
      #expect(try server.answer(to: server.request("POST", "/api/x", body: whole)).status == 200)
      let reading = server.request("GET", "/api/x", fields: "Content-Length: 1\r\n")
      #expect(try server.answer(to: reading).status == 400)
    }

    @Test func admittedRequestsGetContinue() throws {
      let server = try TestServer(
        TestApplication(answers: { HTTPResponse(200, body: .bytes($0.body)) }))
      let client = try Client(server.port)
      client.send(
        server.request(
          "POST", "/api/x", fields: "Expect: 100-continue\r\nContent-Length: 2\r\n"))
      #expect(try client.head().status == 100)
      client.send("ab")
      #expect(try client.answer().text == "ab")
      // Without the cookie there is nothing to wait for.
      let refused = try server.answer(
        to: "POST /api/x HTTP/1.1", "Host: \(server.host)", "Expect: 100-continue",
        "Content-Length: 2", "")
      #expect(refused.status == 401)
      #expect(refused.field("Connection") == "close")
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHo", "POST /api/x HTTP/1.1\r\n"])
    func aSlowRequestEnds(start: String) throws {
      var limits = HTTPLimits()
      limits.slowSeconds = 0.3
      let server = try TestServer(limits: limits)
      let client = try Client(server.port)
      if start.hasPrefix("POST") {
        client.send(server.request("POST", "/api/x", fields: "Content-Length: 2\r\n") + [65])
      } else {
        client.send(start)
      }
      #expect(try client.answer().status == 408)
      #expect(try client.ends())
    }

    @Test func idleConnectionsEndUnlessAnAnswerIsPending() throws {
      var limits = HTTPLimits()
      limits.idleSeconds = 0.3
      let hasEnded = Locked(false)
      let server = try TestServer(
        TestApplication(answers: { _ in
          // Longer than another connection may be idle.
          _ = eventually { hasEnded.withLock { $0 } }
          return HTTPResponse(200, body: .bytes([65]))
        }), limits: limits)
      let busy = try Client(server.port)
      busy.send(server.request("GET", "/api/x"))
      let idle = try Client(server.port)
      idle.send(server.request("GET", "/"))
      #expect(try idle.answer().status == 200)
      #expect(try idle.ends())
      #expect(try Client(server.port).ends())
      hasEnded.withLock { $0 = true }
      #expect(try busy.answer().text == "A")
      #expect(try busy.ends())
    }

    @Test func connectionsWithRequestsAreLimited() throws {
      var limits = HTTPLimits()
      limits.connections = 4
      let mayAnswer = Locked(false)
      let server = try TestServer(
        TestApplication(answers: { _ in
          _ = eventually { mayAnswer.withLock { $0 } }
          return HTTPResponse(200, body: .bytes([65]))
        }), limits: limits)
      let busy = try (0..<4).map { _ in try Client(server.port) }
      for client in busy { client.send(server.request("GET", "/api/x")) }
      #expect(eventually { server.application.asked.withLock { $0.count } == 4 })
      for _ in 0..<8 { #expect(try Client(server.port).answer().status == 503) }
      mayAnswer.withLock { $0 = true }
      for client in busy { #expect(try client.answer().text == "A") }
      // Now they wait, and give way.
      #expect(try server.answer(to: server.request("GET", "/")).status == 200)
    }

    @Test(arguments: ["", "GET / HT", "GET / HTTP/1.1\r\n\r\n"])
    func silentConnectionsLockNobodyOut(start: String) throws {
      let mayAnswer = Locked(false)
      let server = try TestServer(
        TestApplication(answers: { _ in
          _ = eventually { mayAnswer.withLock { $0 } }
          return HTTPResponse(200, body: .bytes([65]))
        }))
      let known = try Client(server.port)
      known.send(server.request("GET", "/"))
      #expect(try known.answer().status == 200)
      let busy = try Client(server.port)
      busy.send(server.request("GET", "/api/x"))
      #expect(eventually { !server.application.asked.withLock { $0 }.isEmpty })
      // Held open until the end.
      var silent: [Client] = []
      for _ in 0..<350 {
        silent.append(try Client(server.port))
        silent.last?.send(start)
      }
      for _ in 0..<8 {
        #expect(try server.answer(to: server.request("GET", "/")).status == 200)
      }
      known.send(server.request("GET", "/"))
      #expect(try known.answer().status == 200)
      mayAnswer.withLock { $0 = true }
      #expect(try busy.answer().text == "A")
      #expect(silent.count == 350)
    }

    @Test func curlIsServed() throws {
      let sink = TestSink()
      let server = try TestServer(TestApplication(admissions: { _, _ in .accepted(sink) }))
      let folder = try TemporaryFolder()
      let jar = folder.file("cookies").string
      let base = "http://localhost:\(server.port)"
      let page = try Tool.run(
        "curl", ["-sSL", "-c", jar, "-b", jar, "\(base)/?token=\(server.token)"])
      #expect(page.output == (try server.answer(to: server.request("GET", "/"))).body)
      let head = try Tool.run("curl", ["-sSI", "-b", jar, "\(base)/page/index.html"])
      #expect(head.outputText.hasPrefix("HTTP/1.1 200 OK\r\n"))
      let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let upload = try Tool.run(
        "curl",
        [
          "-sS", "-b", jar, "-T", "-", "-H", "Origin: \(base)", "-H", "X-Scaleaudio: 1",
          "\(base)/api/uploads?name=a.wav", "-w", "%{http_code}",
        ], input: bytes)
      #expect(upload.outputText == "{}201")
      #expect(sink.state.withLock { $0.bytes == bytes && $0.hasFinished })
    }
  }
#endif
