#if Serve
  import AudioIO
  import Foundation
  import ScaleAudioServer
  import TestSupport
  import Testing

  @Suite struct BodyTests {
    /// A server whose application answers every request with a body, and counts what reaches it.
    private func server(
      _ body: TestBody, byteCount: Int?, headers: [(String, String)] = []
    ) throws -> TestServer {
      try TestServer(
        TestApplication(answers: { request in
          guard request.path == ["body"] else { return HTTPResponse(200) }
          return HTTPResponse(200, headers: headers, body: .made(body, byteCount: byteCount))
        }))
    }

    @Test(arguments: [nil, 300_000])
    func streamedBodiesArriveWhole(byteCount: Int?) throws {
      let body = TestBody([1, 2, 3], times: 100_000)
      let server = try server(body, byteCount: byteCount)
      let client = try Client(server.port)
      client.send(server.request("GET", "/body") + server.request("GET", "/other"))
      let answer = try client.answer()
      #expect(answer.body == (0..<100_000).flatMap { _ in [1, 2, 3] as [UInt8] })
      #expect(answer.field("Content-Length") == byteCount.map { "\($0)" })
      #expect(answer.field("Transfer-Encoding") == (byteCount == nil ? "chunked" : nil))
      #expect(try client.answer().status == 200)
      #expect(eventually { body.closings == 1 })
    }

    @Test(arguments: [nil, 30])
    func headRequestsGetNoBody(byteCount: Int?) throws {
      let body = TestBody([1, 2, 3], times: 10)
      let server = try server(body, byteCount: byteCount)
      let client = try Client(server.port)
      client.send(server.request("HEAD", "/body") + server.request("GET", "/other"))
      #expect(try client.answer(toHead: true).field("Content-Length") == byteCount.map { "\($0)" })
      #expect(try client.answer().status == 200)
      #expect(eventually { body.closings == 1 })
      #expect(body.asked == 0)
    }

    @Test(
      arguments: [(3, .end, 10), (4, .end, 10), (2, .fault, 10), (2, .fault, nil)]
        as [(Int, TestBody.End, Int?)])
    func bodiesOfTheWrongLengthEndTheConnection(
      times: Int, end: TestBody.End, byteCount: Int?
    ) throws {
      let body = TestBody([1, 2, 3], times: times, then: end)
      let server = try server(body, byteCount: byteCount)
      let client = try Client(server.port)
      client.send(server.request("GET", "/body"))
      #expect(throws: Client.Failure.self) { try client.answer() }
      #expect(eventually { body.closings == 1 })
    }

    @Test(arguments: [true, false])
    func aBodyIsClosedWhenItsClientLeaves(waits: Bool) throws {
      let body = TestBody([1, 2, 3], times: waits ? 2 : .max, then: .wait)
      let server = try server(body, byteCount: nil)
      let client = try Client(server.port)
      client.send(server.request("GET", "/body"))
      _ = try client.head()
      #expect(eventually { body.asked > 2 })
      #expect(body.closings == 0)
      client.leave()
      #expect(eventually { body.closings == 1 })
      let asked = body.asked
      for _ in 0..<20 { #expect(try server.answer(to: server.request("GET", "/")).status == 200) }
      // One call may have been under way.
      #expect(body.asked <= asked + 1)
      #expect(body.closings == 1)
    }

    @Test func bodiesAreProducedOnlyAsFastAsTheyAreRead() throws {
      let size = 65_536
      let blocks = (1 << 30) / size
      let body = TestBody([UInt8](repeating: 7, count: size), times: blocks)
      let server = try server(body, byteCount: 1 << 30)
      let client = try Client(server.port, receiveBytes: 65_536)
      client.send(server.request("GET", "/body"))
      _ = try client.head()
      // Until no more is made while other clients are served.
      var asked = -1
      while asked != body.asked {
        asked = body.asked
        for _ in 0..<50 { #expect(try server.answer(to: server.request("GET", "/")).status == 200) }
      }
      // Bytes that the server and the systems of both sides hold.
      #expect(asked * size <= 4 << 20)
      // The client takes more, and more is made.
      try client.skip(64 << 20)
      #expect(eventually { body.asked * size >= 64 << 20 })
      #expect(body.asked * size <= 68 << 20)
      #expect(body.closings == 0)
      client.leave()
      #expect(eventually { body.closings == 1 })
    }

    @Test func largeAnswersToManyRequestsDoNotPileUp() throws {
      let size = 4 << 20
      let application = TestApplication(answers: { _ in
        HTTPResponse(200, body: .bytes([UInt8](repeating: 7, count: size)))
      })
      let server = try TestServer(application)
      let client = try Client(server.port, receiveBytes: 65_536)
      client.send((0..<100).flatMap { _ in server.request("GET", "/large") })
      #expect(eventually { application.asked.withLock { $0.count } == 1 })
      for _ in 0..<50 { #expect(try server.answer(to: server.request("GET", "/")).status == 200) }
      #expect(application.asked.withLock { $0.count } == 1)
      #expect(try client.answer().body.count == size)
      #expect(try client.answer().body.count == size)
    }

    @Test func eventStreamsLeaveThreadsForOtherRequests() throws {
      let bodies = (0..<16).map { _ in TestBody(Array(": hello\n\n".utf8), times: 1, then: .wait) }
      let next = Locked(0)
      let server = try TestServer(
        TestApplication(answers: { request in
          guard request.path == ["events"] else { return HTTPResponse(200) }
          let number = next.withLock { next in
            next += 1
            return next - 1
          }
          let body = number < bodies.count ? bodies[number] : TestBody([10], times: 1)
          return HTTPResponse(
            200, headers: [("Content-Type", "text/event-stream")],
            body: .made(body, byteCount: nil))
        }))
      let clients = try bodies.map { _ in try Client(server.port) }
      for client in clients {
        client.send(server.request("GET", "/events"))
        #expect(try client.head().status == 200)
      }
      #expect(eventually { bodies.allSatisfy { $0.asked == 2 } })
      #expect(try server.answer(to: server.request("GET", "/api/x")).status == 200)
      #expect(try server.answer(to: server.request("GET", "/events")).status == 503)
      clients[3].leave()
      #expect(eventually { bodies.contains { $0.closings == 1 } })
      let isServed = try eventually {
        try server.answer(to: server.request("GET", "/events")).status == 200
      }
      #expect(isServed)
    }
  }
#endif
