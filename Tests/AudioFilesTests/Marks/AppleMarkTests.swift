import AudioModel
import Testing

@testable import AudioContainers
@testable import AudioIO

@Suite("Marks in AIFF and CAF")
struct AppleMarkTests {
  private let fixture: AudioFixture
  private let silence = [Int16](repeating: 7, count: 2000)

  init() throws { fixture = try AudioFixture() }

  private var metadata: Metadata {
    var metadata = Metadata()
    metadata.marks = [
      .init(id: 3, start: 100, label: "one", note: "odd"), .init(id: 1, start: 500, label: ""),
      .init(id: 70000, start: 2000, label: "Ende é"),
    ]
    metadata.instrument = .init(
      baseNote: 61, detune: -25, gain: -3, notes: 10...20, velocities: 1...100,
      loops: [
        .init(mode: .alternating, start: 100, end: 300),
        .init(start: 500, end: 2000, isRelease: true),
      ])
    return metadata
  }

  @Test(arguments: ["aiff", "aifc"])
  func aiffChunks(format: String) throws {
    try fixture.write("a.aiff", silence, as: format, layout: .mono, metadata: metadata)
    let chunks = try #require(ChunkFile.chunks(fixture.bytes("a.aiff"), bigEndian: true))
    let mark = try #require(chunks.first { $0.name == "MARK" })
    #expect(mark.big(at: 0, 2) == 4)
    #expect([mark.big(at: 2, 2), mark.big(at: 4)] == [3, 100])
    #expect(mark.content[8..<12].elementsEqual([3] + "one".utf8))
    // An empty label is a zero and another to make it even.
    #expect([mark.big(at: 12, 2), mark.big(at: 14), mark.big(at: 18, 2)] == [1, 500, 0])
    let inst = try #require(chunks.first { $0.name == "INST" })
    #expect(inst.content.prefix(6) == [61, 25, 10, 20, 1, 100])
    #expect(inst.big(at: 6, 2) == 0x1_0000 - 3)
    #expect([inst.big(at: 8, 2), inst.big(at: 14, 2)] == [2, 1])
    #expect(inst.big(at: 10, 2) == 3)
    #expect(inst.big(at: 16, 2) == 1)
    let comment = try #require(chunks.first { $0.name == "COMT" })
    #expect(comment.content == [0, 1, 0, 0, 0, 0, 0, 3, 0, 3] + Array("odd".utf8) + [0])
    let text = try fixture.run("sndfile-info", "a.aiff").outputText
    #expect(text.contains("Name     : Ende é"))
    #expect(try fixture.decodeWithSox("a.aiff") == silence)
    #expect(try fixture.decodeWithFFmpeg("a.aiff") == silence)
  }

  @Test(arguments: ["aiff", "aifc", "caf"])
  func everythingComesBack(format: String) throws {
    try fixture.write("a", silence, as: format, layout: .mono, metadata: metadata)
    let read = try fixture.read("a")
    #expect(read.samples == silence)
    #expect(read.source.warnings.isEmpty)
    let found = read.source.metadata
    let named = found.marks.filter { !["beg loop", "end loop"].contains($0.label) }
    #expect(named.map(\.start) == [100, 500, 2000])
    #expect(named.map(\.label) == ["one", "", "Ende é"])
    #expect(named[0].note == (format == "caf" ? "" : "odd"))
    #expect(found.instrument?.loops.map(\.start) == [100, 500])
    #expect(found.instrument?.loops.map(\.end) == [300, 2000])
    #expect(found.instrument?.loops.map(\.mode) == [.alternating, .forward])
    #expect(found.instrument?.loops.map(\.isRelease) == [false, true])
    #expect(found.instrument?.baseNote == 61)
    #expect(abs((found.instrument?.detune ?? 0) + 25) < 0.001)
    #expect(found.instrument?.gain == -3)
    #expect(found.instrument?.notes == 10...20)
    #expect(found.instrument?.velocities == 1...100)
  }

  @Test func longLabelsAreCutBetweenCharacters() throws {
    var metadata = Metadata()
    metadata.marks = [
      .init(start: 1, label: String(repeating: "é", count: 200)), .init(start: 2, label: "b"),
    ]
    try fixture.write("a.aiff", silence, as: "aiff", layout: .mono, metadata: metadata)
    #expect(
      try fixture.read("a.aiff").source.metadata.marks.map(\.label)
        == [String(repeating: "é", count: 127), "b"])
  }

  @Test func cafRegionsAndManyMarks() throws {
    var metadata = Metadata()
    metadata.marks = (0..<4000).map {
      .init(start: Double($0 % 2000), length: $0 % 2 == 0 ? 0 : 1, label: "label \($0)")
    }
    try fixture.write("a.caf", silence, as: "caf", layout: .mono, metadata: metadata)
    let read = try fixture.read("a.caf")
    #expect(read.samples == silence)
    #expect(read.source.metadata.marks.count == 4000)
    #expect(Set(read.source.metadata.marks.map(\.label)) == Set(metadata.marks.map(\.label)))
    #expect(read.source.metadata.marks.count { $0.length == 1 } == 2000)
    #expect(try fixture.decodeWithFFmpeg("a.caf") == silence)
    metadata.marks.removeLast(3990)
    try fixture.write("b.caf", silence, as: "caf", layout: .mono, metadata: metadata)
    #expect(try fixture.decodeWithFFmpeg("b.caf") == silence)
    #expect(try fixture.probe("b.caf", "nb_read_frames").isEmpty == false)
    #expect(try fixture.run("soxi", "-s", "b.caf").outputText == "2000\n")
  }

  /// A region with its own kinds of markers, SMPTE times and a name, as in the specification.
  @Test func cafOfOtherPrograms() throws {
    typealias C = ChunkFile
    func marker(_ type: String, _ position: Double, _ id: Int) -> [UInt8] {
      Array(type.utf8) + C.double(position) + C.big(id) + [1, 2, 3, 4] + C.big(0) + C.big(0)
    }
    let regions =
      C.big(1) + C.big(1) + C.big(40) + C.big(0) + C.big(3)
      + marker("rsyn", 700, 41) + marker("rbeg", 600, 42) + marker("rend", 900, 43)
    let names = C.big(1) + C.big(42) + C.big(0, 8) + Array("Region\0".utf8)
    try fixture.put("a.caf", C.caf(frames: 1000, [("regn", regions), ("strg", names)]))
    let source = try fixture.read("a.caf").source
    #expect(source.metadata.marks.map(\.start) == [600])
    #expect(source.metadata.marks.map(\.length) == [300])
    #expect(source.metadata.marks.map(\.label) == ["Region"])
    #expect(source.notCarried.map(\.text) == ["further markers of regions", "SMPTE times"])
  }
}
