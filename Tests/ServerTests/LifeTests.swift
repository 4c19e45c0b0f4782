#if Serve
  import AudioIO
  import Foundation
  import ScaleAudioServer
  import TestSupport
  import Testing

  @Suite struct LifeTests {
    @Test func aServerStopsWhileItStreams() throws {
      let bodies = [
        TestBody([1], times: .max), TestBody([1], times: 1, then: .wait),
        TestBody([UInt8](repeating: 1, count: 65_536), times: .max),
      ]
      let sink = TestSink()
      let server = try TestServer(
        TestApplication(
          answers: { request in
            let number = request["n"].flatMap { Int($0) } ?? 0
            return HTTPResponse(200, body: .made(bodies[number], byteCount: nil))
          }, admissions: { _, _ in .accepted(sink) }))
      let clients = try bodies.indices.map { number in
        let client = try Client(server.port)
        client.send(server.request("GET", "/body?n=\(number)"))
        _ = try client.head()
        return client
      }
      let uploading = try Client(server.port)
      uploading.send(server.request("PUT", "/a", fields: "Content-Length: 10\r\n") + [1])
      #expect(eventually { sink.state.withLock { $0.bytes.count == 1 } })
      let idle = try Client(server.port)
      server.server.stop()
      #expect(eventually { bodies.allSatisfy { $0.closings == 1 } })
      #expect(eventually { sink.state.withLock { $0.hasAborted } })
      for client in clients { _ = try client.rest() }
      #expect(try idle.ends())
      #expect(throws: Client.Failure.self) { try Client(server.port) }
    }

    @Test func aServerStopsEvenIfItsApplicationHangs() throws {
      let isOver = Locked(false)
      let server = try TestServer(
        TestApplication(answers: { _ in
          _ = eventually(within: 60) { isOver.withLock { $0 } }
          return HTTPResponse(200)
        }))
      let client = try Client(server.port)
      client.send(server.request("GET", "/api/x"))
      #expect(eventually { server.application.asked.withLock { !$0.isEmpty } })
      server.server.stop()
      #expect(try client.ends())
      isOver.withLock { $0 = true }
    }

    @Test func takenPortsAreReportedOrSkipped() throws {
      let first = try TestServer()
      do throws(ServerError) {
        _ = try HTTPServer(.only(first.port), TestApplication())
        Issue.record("two servers listen on one port")
      } catch {
        #expect(error.cause == "port \(first.port) is in use by another program")
        #expect(error.remedy == .change([.port]))
      }
      let second = try HTTPServer(.from(first.port), TestApplication())
      defer { second.stop() }
      #expect(second.port > first.port && second.port <= first.port + 100)
    }

    @Test func aServerListensOnLoopbackOnly() throws {
      let server = try TestServer()
      #expect(server.server.hosts.first == "127.0.0.1")
      let sockets = try Tool.run("ss", ["-Hltn", "sport = :\(server.port)"]).outputText
      let addresses = sockets.split(separator: "\n").map { line in
        line.split(separator: " ")[3].description
      }
      #expect(Set(addresses) == Set(server.server.hosts.map { "\($0):\(server.port)" }))
      #expect(addresses.contains("127.0.0.1:\(server.port)"))
    }

    @Test func aServerListensOnTheRequestedAddress() throws {
      let everywhere = try HTTPServer(.only(0), address: "0.0.0.0", TestApplication())
      defer { everywhere.stop() }
      let address = everywhere.address(on: "127.0.0.2")
      func status(_ address: String) throws -> String {
        try Tool.run(
          "curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", address]
        ).outputText
      }
      #expect(try status(address) == "303")
      #expect(try status(address.replacingOccurrences(of: "127.0.0.2", with: "localhost")) == "303")
      #expect(
        try Tool.run(
          "curl",
          [
            "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H",
            "Host: evil.example:\(everywhere.port)", address,
          ]
        ).outputText == "421")
      let there = try HTTPServer(.only(0), address: "127.0.0.2", TestApplication())
      defer { there.stop() }
      #expect(there.hosts == ["127.0.0.2"])
      #expect(try status(there.address(on: "127.0.0.2")) == "303")
      #expect(try status(there.address(on: "127.0.0.1")) == "000")
    }

    @Test func anAddressOfAnotherMachineIsRefused() {
      do throws(ServerError) {
        let server = try HTTPServer(.only(0), address: "192.0.2.1", TestApplication())
        server.stop()
        Issue.record("a server listens on an address for documentation")
      } catch {
        #expect(error.cause.hasPrefix("cannot listen on port 0 of 192.0.2.1: "))
      }
    }
  }
#endif
