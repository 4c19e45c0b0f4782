#if Serve
  import ScaleAudioServer
  import Testing

  @Suite struct RequestTests {
    @Test func fieldsAreFoundWhateverTheirLetterCase() {
      let request = HTTPRequest(
        method: .get, path: [], query: [("a", "1"), ("a", "2")],
        headers: [("If-None-Match", "x")])
      #expect(request.header("if-none-match") == "x")
      #expect(request["a"] == "1")
      #expect(request["b"] == nil)
    }
  }
#endif
