#if Serve
  import AudioIO
  import Foundation
  import ScaleAudioServer
  import TestSupport
  import Testing

  @Suite struct AccessTests {
    @Test func nothingIsAnsweredWithoutTheCookie() throws {
      let server = try TestServer()
      for cookie in [
        "", "Cookie: scaleaudio-\(server.port)=\(String(repeating: "0", count: 32))\r\n",
        "Cookie: scaleaudio-\(server.port)=\(server.token.dropLast())\r\n",
        "Cookie: scaleaudio-\(server.port)=\(server.token)0\r\n",
        "Cookie: scaleaudio-\(server.port)=\r\n", "Cookie: scaleaudio=\(server.token)\r\n",
        "Cookie: x-scaleaudio-\(server.port)=\(server.token)\r\n",
      ] {
        for path in ["/", "/api/session", "/page/index.html", "/audio/f1.wav", "/nowhere"] {
          let answer = try server.answer(
            to: "GET \(path) HTTP/1.1", "Host: \(server.host)\r\n\(cookie)")
          #expect(answer.status == 401)
          let isPage = answer.field("Content-Type") == "text/html; charset=utf-8"
          #expect(isPage == (path == "/"))
          #expect(!answer.text.contains(server.token))
        }
      }
      #expect(server.application.asked.withLock { $0 }.isEmpty)
    }

    @Test func theTokenIsExchangedForACookieAndACleanAddress() throws {
      let server = try TestServer()
      #expect(server.token.count == 32)
      let answer = try server.answer(
        to: "GET /?token=\(server.token) HTTP/1.1", "Host: \(server.host)", "Sec-Fetch-Site: none",
        "")
      #expect(answer.status == 303)
      #expect(answer.field("Location") == "/")
      #expect(
        answer.field("Set-Cookie")
          == "scaleaudio-\(server.port)=\(server.token); HttpOnly; SameSite=Strict; Path=/")
      let page = try server.answer(
        to: "GET / HTTP/1.1", "Host: \(server.host)", "Cookie: a=b; \(server.cookie.dropFirst(8))")
      #expect(page.status == 200)
      #expect(page.field("Content-Type") == "text/html; charset=utf-8")
    }

    @Test func aTokenThatIsWrongOpensNothing() throws {
      let server = try TestServer()
      let other = try TestServer()
      #expect(server.token != other.token)
      for token in ["", other.token, String(server.token.dropLast()), server.token + "0"] {
        // The cookie does not make up for it.
        let answer = try server.answer(to: server.request("GET", "/?token=\(token)"))
        #expect(answer.status == 401)
        #expect(answer.all("Set-Cookie").isEmpty)
      }
      let elsewhere = try server.answer(
        to: "GET /api/session?token=\(server.token) HTTP/1.1", "Host: \(server.host)", "")
      #expect(elsewhere.status == 401)
    }

    /// Browsers leave a strict cookie out of a redirection that another site, or a file, began.
    @Test func requestsFromAnotherSiteGetARedirectingPage() throws {
      let server = try TestServer()
      let answer = try server.answer(
        to: "GET /?token=\(server.token) HTTP/1.1", "Host: \(server.host)",
        "Sec-Fetch-Site: cross-site", "")
      #expect(answer.status == 200)
      #expect(answer.text.contains(#"<meta http-equiv="refresh" content="0;url=/">"#))
      #expect(answer.field("Set-Cookie")?.contains(server.token) == true)
    }

    @Test func otherHostNamesAreRefused() throws {
      let server = try TestServer()
      for host in ["127.0.0.1", "localhost", "LocalHost", "[::1]"] {
        let answer = try server.answer(
          to: "GET / HTTP/1.1", "Host: \(host):\(server.port)\r\n\(server.cookie)")
        #expect(answer.status == 200)
      }
      let port = server.port
      for host in [
        "Host: evil.example:\(port)\r\n", "Host: 127.0.0.1\r\n", "Host: 127.0.0.1:\(port + 1)\r\n",
        "Host: 127.0.0.1:\(port)0\r\n", "Host: 127.0.0.1.evil.example:\(port)\r\n",
        "Host: 0.0.0.0:\(port)\r\n", "Host: :\(port)\r\n", "Host:\r\n", "",
        "Host: 127.0.0.1:\(port)\r\nHost: evil.example:\(port)\r\n",
        "Host: evil.example:\(port)\r\nX-Forwarded-Host: 127.0.0.1:\(port)\r\n",
      ] {
        for target in ["/", "/?token=\(server.token)"] {
          let answer = try server.answer(to: "GET \(target) HTTP/1.1", "\(host)\(server.cookie)")
          #expect(answer.status == 421)
          #expect(answer.all("Set-Cookie").isEmpty)
        }
      }
      #expect(server.application.asked.withLock { $0 }.isEmpty)
    }

    @Test(arguments: ["POST", "PUT", "DELETE"])
    func changesNeedThePageOfTheServer(method: String) throws {
      let server = try TestServer(
        TestApplication(admissions: { _, _ in .accepted(TestSink()) }))
      let own = "Origin: http://\(server.host)\r\n"
      let header = "X-Scaleaudio: 1\r\n"
      func status(_ fields: String) throws -> Int {
        try server.answer(
          to: "\(method) /api/jobs HTTP/1.1",
          "Host: \(server.host)\r\n\(server.cookie)\(fields)Content-Length: 0\r\n"
        ).status
      }
      let good = method == "PUT" ? 201 : 200
      #expect(try status(own + header) == good)
      #expect(try status(own + header + "Sec-Fetch-Site: same-origin\r\n") == good)
      #expect(server.application.asked.withLock { $0.count } == 2)
      for fields in [
        "", own, header, own + "X-Scaleaudio: 0\r\n",
        own + header + "Sec-Fetch-Site: same-site\r\n",
        own + header + "Sec-Fetch-Site: cross-site\r\n", own + header + "Sec-Fetch-Site: none\r\n",
        own + header + "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site\r\n",
        own + own + header, "Origin: null\r\n" + header,
        "Origin: http://evil.example\r\n" + header, "Origin: https://\(server.host)\r\n" + header,
        "Origin: http://127.0.0.1:\(server.port + 1)\r\n" + header,
        "Origin: http://localhost:\(server.port)\r\n" + header,
        "Referer: http://\(server.host)/\r\n" + header,
      ] {
        #expect(try status(fields) == 403)
      }
      #expect(server.application.asked.withLock { $0.count } == 2)
    }

    /// A server on another port is the same site, so that its pages send the cookie.
    @Test(arguments: ["same-site", "cross-site", "same-origin\r\nSec-Fetch-Site: cross-site", ""])
    func otherPagesReadNothing(site: String) throws {
      let server = try TestServer()
      for path in ["/api/files", "/audio/f1.wav", "/page/main.js"] {
        let answer = try server.answer(
          to: server.request("GET", path, fields: "Sec-Fetch-Site: \(site)\r\n"))
        #expect(answer.status == 403)
      }
      #expect(server.application.asked.withLock { $0 }.isEmpty)
      // A link to the page itself may be anywhere.
      let page = try server.answer(
        to: server.request("GET", "/", fields: "Sec-Fetch-Site: \(site)\r\n"))
      #expect(page.status == 200)
      for own in ["same-origin", "none"] {
        let answer = try server.answer(
          to: server.request("GET", "/api/files", fields: "Sec-Fetch-Site: \(own)\r\n"))
        #expect(answer.status == 200)
      }
    }

    @Test(arguments: ["OPTIONS", "TRACE", "PATCH", "CONNECT", "PROPFIND"])
    func otherMethodsAreUnknown(method: String) throws {
      let server = try TestServer()
      let answer = try server.answer(to: server.request(method, "/"))
      #expect(answer.status == 405)
      #expect(answer.field("Allow") == "GET, HEAD, POST, PUT, DELETE")
      #expect(server.application.asked.withLock { $0 }.isEmpty)
    }

    @Test(arguments: [
      "/../etc/passwd", "/page/../../x", "/page/..%2f..%2fx", "/%2e%2e/x", "/page/%2e%2e%2fx",
      "//x",
      "/page/a%00", "http://127.0.0.1/", "/page%2findex.html",
    ])
    func noPathLeavesTheFolder(path: String) throws {
      let server = try TestServer()
      let answer = try server.answer(to: server.request("GET", path))
      #expect(answer.status == 400)
      #expect(server.application.asked.withLock { $0 }.isEmpty)
    }

    /// As the page expects them, word for word.
    static let fields = [
      "Content-Security-Policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
        + "connect-src 'self'; media-src 'self' blob:; worker-src 'self'; manifest-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        + "require-trusted-types-for 'script'",
      "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
      "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
    ]

    @Test func everyAnswerIsProtected() throws {
      var limits = HTTPLimits()
      limits.slowSeconds = 0.2
      let server = try TestServer(
        TestApplication(answers: { request in
          switch request.path.last {
          case "broken": HTTPResponse(200, headers: [("X-Name", "a\r\nSet-Cookie: b=c")])
          case "missing": .notFound
          default: HTTPResponse(200)
          }
        }), limits: limits)
      let tag = try #require(try server.answer(to: server.request("GET", "/")).field("ETag"))
      let requests: [(Int, [UInt8])] = [
        (200, server.request("GET", "/")), (200, server.request("GET", "/api/x")),
        (303, Array("GET /?token=\(server.token) HTTP/1.1\r\nHost: \(server.host)\r\n\r\n".utf8)),
        (304, server.request("GET", "/", fields: "If-None-Match: \(tag)\r\n")),
        (400, Array("GET / HTTP/9\r\n\r\n".utf8)), (400, Array("\u{1}\u{2}\r\n\r\n".utf8)),
        (400, server.request("GET", "/../x")),
        (401, Array("GET / HTTP/1.1\r\nHost: \(server.host)\r\n\r\n".utf8)),
        (403, server.request("PUT", "/api/uploads?name=a", body: [1])),
        (404, server.request("GET", "/missing")), (404, server.request("GET", "/page/missing")),
        (405, server.request("PATCH", "/")), (405, server.request("POST", "/", body: [])),
        (408, Array("GET / HTTP/1.1\r\nHost".utf8)),
        (413, server.request("POST", "/x", fields: "Content-Length: 1048577\r\n")),
        (421, Array("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n".utf8)),
        (
          431, server.request("GET", "/", fields: "X: \(String(repeating: "x", count: 20_000))\r\n")
        ),
        (500, server.request("GET", "/broken")),
      ]
      func check(_ answer: Client.Answer, _ status: Int) {
        #expect(answer.status == status)
        for (name, value) in Self.fields {
          #expect(answer.field(name) == value, "\(status) \(name)")
        }
        for field in answer.fields {
          #expect(!field.name.lowercased().hasPrefix("access-control"))
        }
        #expect(answer.all("Set-Cookie").isEmpty == (status != 303))
      }
      for (status, request) in requests { check(try server.answer(to: request), status) }
      limits.connections = 1
      let mayAnswer = Locked(false)
      let full = try TestServer(
        TestApplication(answers: { _ in
          _ = eventually { mayAnswer.withLock { $0 } }
          return HTTPResponse(200)
        }), limits: limits)
      let busy = try Client(full.port)
      busy.send(full.request("GET", "/api/x"))
      #expect(eventually { full.application.asked.withLock { $0.count } == 1 })
      check(try Client(full.port).answer(), 503)
      mayAnswer.withLock { $0 = true }
      check(try busy.answer(), 200)
    }
  }
#endif
