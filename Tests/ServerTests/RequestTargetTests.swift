#if Serve
  import Testing

  @testable import ScaleAudioServer

  @Suite struct RequestTargetTests {
    @Test(arguments: [
      ("/", []), ("/page/app.js", ["page", "app.js"]), ("/a%20b/%C3%A4?x", ["a b", "ä"]),
      ("/...", ["..."]), ("/a+b", ["a+b"]),
    ])
    func pathsAreDecoded(target: String, path: [String]) throws {
      #expect(try #require(RequestTarget(target)).path == path)
    }

    @Test(arguments: [
      "", "page", "http://127.0.0.1/", "*", "//", "/a//b", "/a/", "/.", "/..", "/a/../b",
      "/%2e%2e/etc/passwd", "/%2E./x", "/..%2fetc", "/a%2Fb", "/a%5Cb", "/a%00", "/a%0d%0ab",
      "/%7f",
      "/%", "/%4", "/%zz", "/%FF", "/%C0%AE%C0%AE/x", "/a#b", "/a b", "/ä", "/%C2%85", "/?a=%FF",
      "/?%",
    ])
    func malformedAndUnsafeTargetsAreRefused(target: String) {
      #expect(RequestTarget(target) == nil)
    }

    @Test func queryItemsAreDecodedInOrder() throws {
      let query = try #require(
        RequestTarget("/?b=1&a=x%20y+z%2B&a=&c&=d&e=f=g&n=%E2%99%AF%2f..")
      ).query
      #expect(query.map(\.name) == ["b", "a", "a", "c", "", "e", "n"])
      #expect(query.map(\.value) == ["1", "x y z+", "", "", "d", "f=g", "♯/.."])
    }

    @Test func fieldNamesIgnoreCase() {
      let request = HTTPRequest(
        method: .get, path: [], query: [("a", "1"), ("a", "2")],
        headers: [("If-None-Match", "x")])
      #expect(request.header("if-none-match") == "x")
      #expect(request["a"] == "1")
      #expect(request["b"] == nil)
    }

    @Test func errorsAreJSON() {
      let response = HTTPResponse.failure(400, "a \"b\"\n\u{1}ä\\", remedy: "c")
      guard case .bytes(let bytes) = response.body else { return #expect(Bool(false)) }
      #expect(
        String(decoding: bytes, as: UTF8.self)
          == #"{"error":{"cause":"a \"b\"\u000a\u0001ä\\","remedy":"c"}}"#)
    }
  }
#endif
