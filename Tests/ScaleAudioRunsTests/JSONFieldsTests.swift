import Foundation
import TestSupport
import Testing

@testable import ScaleAudioRuns

@Suite("Fields of lines of JSON")
struct JSONFieldsTests {
  @Test func valuesStayAsWritten() throws {
    let line = #" { "a" : [1, {"b": "}"}] , "n":1.50e3,"t": "x\"y", "z": null, "e":{}, "i":-7 } "#
    let fields = try #require(JSONFields(Array(line.utf8)[...]))
    #expect(fields.fields.map(\.name) == ["a", "n", "t", "z", "e", "i"])
    #expect(fields.value("a").map(Array.init) == Array(#"[1, {"b": "}"}]"#.utf8))
    #expect(fields.number("n") == 1500)
    #expect(fields.text("t") == Array("x\"y".utf8))
    #expect(fields.value("z") == nil)
    #expect(fields.object("e")?.fields.isEmpty == true)
    #expect(fields.integer("i") == -7)
  }

  /// Lines as Python writes them, and what Python reads from lines as this writes them.
  @Test func textsEqualThoseOfPython() throws {
    let names: [[UInt8]] = [
      Array("plain".utf8), Array("ünï 日本 😀 \\ \" / \t\n\u{1} \u{7f}".utf8),
      [0x61, 0xFF, 0xC3, 0x28],
      [0xED, 0xB0, 0x80],
    ]
    for name in names {
      let hex = name.map { String(format: "%02x", $0) }.joined()
      let written = try Tool.run(
        "python3",
        [
          "-c",
          "import json,os,sys; print(json.dumps({'a': os.fsdecode(bytes.fromhex(sys.argv[1]))}))",
          hex,
        ])
      let fields = try #require(JSONFields(written.output[...]), "\(written.errorText)")
      #expect(fields.text("a") == name)
      let read = try Tool.run(
        "python3",
        [
          "-c",
          "import json,os,sys; sys.stdout.write(os.fsencode(json.load(sys.stdin)).hex())",
        ], input: JSONWriter.text(name))
      #expect(read.outputText == hex, "\(read.errorText)")
    }
  }

  @Test(arguments: [
    "", "[]", "{", "{}x", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":"x}"#, #"{"a":tru}"#,
    #"{a:1}"#,
    #"{"a":"\q"}"#, #"{"a":"\u12"}"#, #"{"a":1 2}"#, #"{"a":[1,]}"#, #"{"a":"\ud800"}"#,
  ])
  func otherBytesAreRefused(text: String) {
    #expect(JSONFields(Array(text.utf8)[...]) == nil)
  }

  @Test func deepNestingIsRefused() {
    let text = #"{"a":"# + String(repeating: "[", count: 100_000)
    #expect(JSONFields(Array(text.utf8)[...]) == nil)
  }
}
