#if Serve
  import AudioIO
  import ScaleAudioServer
  import TestSupport
  import Testing

  @Suite struct UploadTests {
    private func server(_ sink: TestSink, limits: HTTPLimits = HTTPLimits()) throws -> TestServer {
      try TestServer(
        TestApplication(admissions: { request, byteCount in
          request["name"] == "refused"
            ? .refused(.failure(403, "\(byteCount ?? -1)")) : .accepted(sink)
        }), limits: limits)
    }

    @Test(arguments: [0, 1, 5_000_000])
    func anUploadArrivesWhole(count: Int) throws {
      let sink = TestSink()
      let server = try server(sink)
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let client = try Client(server.port)
      client.send(server.request("PUT", "/api/uploads?name=a", body: bytes))
      #expect(try client.answer().status == 201)
      #expect(sink.state.withLock { $0.bytes == bytes && $0.hasFinished && !$0.hasAborted })
      client.send(server.request("GET", "/"))
      #expect(try client.answer().status == 200)
    }

    @Test func cutUploadsAreAborted() throws {
      let sink = TestSink()
      let server = try server(sink)
      let client = try Client(server.port)
      let whole = server.request(
        "PUT", "/api/uploads?name=a", body: [UInt8](repeating: 1, count: 1_000_000))
      client.send(Array(whole.dropLast(10)))
      #expect(eventually { sink.state.withLock { $0.bytes.count > 0 } })
      client.leave()
      #expect(eventually { sink.state.withLock { $0.hasAborted } })
      #expect(sink.state.withLock { !$0.hasFinished })
    }

    @Test func stalledUploadsAreAborted() throws {
      var limits = HTTPLimits()
      limits.slowSeconds = 0.3
      let sink = TestSink()
      let server = try server(sink, limits: limits)
      let client = try Client(server.port)
      client.send(
        server.request("PUT", "/api/uploads?name=a", fields: "Content-Length: 10\r\n") + [1, 2])
      #expect(try client.ends())
      #expect(eventually { sink.state.withLock { $0.hasAborted } })
      #expect(sink.state.withLock { $0.bytes == [1, 2] && !$0.hasFinished })
    }

    @Test func aRefusedUploadIsNotRead() throws {
      let sink = TestSink()
      let server = try server(sink)
      let client = try Client(server.port)
      client.send(
        server.request(
          "PUT", "/api/uploads?name=refused",
          fields: "Expect: 100-continue\r\nContent-Length: 9000000000\r\n"))
      let answer = try client.answer()
      #expect(answer.status == 403)
      #expect(answer.text.contains("9000000000"))
      #expect(answer.field("Connection") == "close")
      // Also for a client that does not wait, and sends more than anything holds.
      let hasty = try Client(server.port)
      hasty.send(
        server.request("PUT", "/api/uploads?name=refused", fields: "Content-Length: 8000000\r\n"))
      hasty.send([UInt8](repeating: 1, count: 8_000_000))
      #expect(try hasty.answer().status == 403)
      #expect(sink.state.withLock { $0.bytes.isEmpty && !$0.hasFinished && !$0.hasAborted })
    }

    @Test func aFailingSinkDeterminesTheAnswer() throws {
      let sink = TestSink(limit: 100_000)
      let server = try server(sink)
      let client = try Client(server.port)
      client.send(
        server.request(
          "PUT", "/api/uploads?name=a", body: [UInt8](repeating: 1, count: 10_000_000)))
      #expect(try client.answer().status == 413)
      #expect(eventually { sink.state.withLock { $0.hasAborted && !$0.hasFinished } })
      #expect(sink.state.withLock { $0.bytes.count } < 2_000_000)
    }

    @Test(arguments: ["gzip, chunked", "deflate,chunked", "gzip\r\nTransfer-Encoding: chunked"])
    func bodiesInUnknownCodingsAreNotStored(coding: String) throws {
      let sink = TestSink()
      let server = try server(sink)
      for (method, path) in [("PUT", "/api/uploads?name=a"), ("POST", "/api/x")] {
        let client = try Client(server.port)
        client.send(server.request(method, path, fields: "Transfer-Encoding: \(coding)\r\n"))
        client.send("3\r\nabc\r\n0\r\n\r\n")
        #expect(try client.answer().status == 501)
      }
      #expect(sink.state.withLock { $0.bytes.isEmpty && !$0.hasFinished })
      #expect(server.application.asked.withLock { $0 }.isEmpty)
    }

    @Test func malformedBodiesAbort() throws {
      let sink = TestSink()
      let server = try server(sink)
      let client = try Client(server.port)
      client.send(
        server.request("PUT", "/api/uploads?name=a", fields: "Transfer-Encoding: chunked\r\n"))
      client.send("3\r\nabc\r\nzz\r\n")
      _ = try client.rest()
      #expect(eventually { sink.state.withLock { $0.hasAborted && !$0.hasFinished } })
    }
  }
#endif
