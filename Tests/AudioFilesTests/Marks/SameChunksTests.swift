import TestSupport
import Testing

@testable import AudioContainers
@testable import AudioIO
@testable import AudioModel

/// Chunks that come out as they went in, apart from what time scaling changes.
@Suite("Chunks in the same container")
struct SameChunksTests {
  private let fixture: AudioFixture

  init() throws { fixture = try AudioFixture() }

  /// Writes the metadata of a file to another of the same kind; returns what was not carried.
  private func copy(_ bytes: [UInt8], as kind: String) throws -> [String] {
    try fixture.put("a", bytes)
    let source = try fixture.read("a").source
    try fixture.write(
      "b", [Int16](repeating: 0, count: 2000), as: kind, layout: .mono, rate: 8000,
      metadata: source.metadata)
    return source.notCarried.map(\.text)
  }

  private func little(_ numbers: Int...) -> [UInt8] { numbers.flatMap { ChunkFile.little($0) } }
  private func big(_ numbers: Int...) -> [UInt8] { numbers.flatMap { ChunkFile.big($0) } }

  private func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

  /// A sampler's own fields, unknown fields of ACID, regions with a language, repeated texts of INFO.
  private var waveChunks: [(name: String, content: [UInt8])] {
    let loops =
      little(7, 0, 100, 200, 0x4000_0000, 3) + little(8, 40, 10, 20, 0, 0)
    let adtl =
      Array("adtl".utf8) + ChunkFile.chunk("labl", little(5) + text("five"))
      + ChunkFile.chunk("note", little(5) + text("noted"))
      + ChunkFile.chunk(
        "ltxt", little(2, 300) + Array("rgn ".utf8) + [49, 0, 7, 0, 1, 0, 0xE4, 4] + text("region"))
    let info = [
      ("INAM", "a"), ("INAM", "b"), ("INAM", "a"), ("IALB", "c"), ("ITRK", "3/9"), ("iabc", "d"),
    ]
    return [
      (
        "acid",
        little(3, 0x1234_003C, 0x3FC0_0000, 4) + [4, 0, 3, 0] + little(0x42F0_0000)
          + Array("more".utf8)
      ),
      (
        "smpl",
        little(0x0100_0041, 2, 125_000, 61, Int(0x8000_0000), 25, 0x0102_0304, 2, 4) + loops
          + Array("data".utf8)
      ),
      (
        "cue ",
        little(2)
          + [(5, 100), (2, 50)].flatMap { id, at in
            little(id, at) + Array("data".utf8) + little(0, 0, at)
          }
      ),
      ("LIST", adtl),
      (
        "LIST",
        Array("INFO".utf8) + info.flatMap { ChunkFile.chunk($0.0, text($0.1)) }
      ),
      ("inst", [62, 0xEC, 0xFA, 10, 100, 5, 120]),
    ]
  }

  @Test func wavComesBack() throws {
    let given = waveChunks
    let chunks = given.map { ChunkFile.chunk($0.name, $0.content) }
    #expect(try copy(ChunkFile.wav(frames: 2000, chunks), as: "wav") == [])
    let found = try #require(ChunkFile.chunks(fixture.bytes("b")))
    for chunk in given {
      #expect(
        found.contains { $0.name == chunk.name && $0.content == chunk.content },
        "\(chunk.name): \(found.filter { $0.name == chunk.name })")
    }
    // INFO holds everything, so nothing is added.
    #expect(!found.contains { $0.name == "id3 " })
  }

  /// A file has `inst` alone, or a plain one.
  @Test func instrumentsStayInTheirChunk() throws {
    let chunk = ChunkFile.chunk("inst", [60, 0, 0, 0, 127, 0, 127])
    #expect(try copy(ChunkFile.wav(frames: 2000, [chunk]), as: "wav") == [])
    let found = try #require(ChunkFile.chunks(fixture.bytes("b")))
    #expect(found.first { $0.name == "inst" }?.content == [60, 0, 0, 0, 127, 0, 127])
    #expect(!found.contains { $0.name == "smpl" })
  }

  /// `LIST INFO` does not replace a tag.
  @Test func id3StaysID3() throws {
    let frame = Array("TIT2".utf8) + [0, 0, 0, 2, 0, 0, 3, 0x54]
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
    #expect(
      try copy(ChunkFile.wav(frames: 2000, [ChunkFile.chunk("id3 ", tag)]), as: "wav") == [])
    let found = try #require(ChunkFile.chunks(fixture.bytes("b")))
    #expect(found.contains { $0.name == "id3 " })
  }

  /// A loop that is off has markers, of which another is at the same place; or none.
  @Test func idleLoopsKeepTheirMarkers() throws {
    let marks =
      ChunkFile.big(3, 2)
      + [(1, 100), (7, 100), (2, 900)].flatMap { id, at in
        ChunkFile.big(id, 2) + ChunkFile.big(at) + [1, 0x61]
      }
    let head: [UInt8] = [60, 0, 0, 127, 1, 127, 0, 3]
    let loops = [0, 7, 2, 0, 0, 0].flatMap { ChunkFile.big($0, 2) }
    let chunks = [("MARK", marks), ("INST", head + loops)].map {
      ChunkFile.chunk($0, $1, bigEndian: true)
    }
    #expect(try copy(ChunkFile.aiff(frames: 2000, chunks), as: "aiff") == [])
    let found = try #require(ChunkFile.chunks(fixture.bytes("b"), bigEndian: true))
    #expect(found.first { $0.name == "INST" }?.content == head + loops)
    #expect(found.first { $0.name == "MARK" }?.content == marks)
  }

  @Test func lossesInWAVAreNamed() throws {
    let bext = ChunkFile.chunk("bext", Array(repeating: 0, count: 602))
    let cue = ChunkFile.chunk(
      "cue ", little(1) + little(1, 100) + Array("data".utf8) + little(0, 0, 100))
    let second = ChunkFile.chunk(
      "cue ", little(1) + little(2, 200) + Array("data".utf8) + little(0, 0, 200))
    let adtl = ChunkFile.chunk(
      "LIST",
      Array("adtl".utf8) + ChunkFile.chunk("labl", little(1) + text("one"))
        + ChunkFile.chunk("labl", little(1) + text("uno"))
        + ChunkFile.chunk("labl", little(9) + text("nine")) + ChunkFile.chunk("file", little(1, 0)))
    let foreign = ["NAME", "mark", "strg"].map { ChunkFile.chunk($0, Array("text".utf8)) }
    let lost = try copy(
      ChunkFile.wav(frames: 2000, [bext, bext, cue, second, adtl] + foreign), as: "wav")
    #expect(
      lost == [
        "further labels of one marker", "labels without markers", "chunk LIST adtl file",
        "another broadcast extension",
      ])
    let read = try fixture.read("b").source.metadata
    #expect(read.marks.map(\.start) == [100, 200])
    #expect(read.marks.map(\.label) == ["one", ""])
    #expect(read.foreignChunks.map(\.name) == ["NAME", "mark", "strg"])
  }

  /// A region that has only a text gets no label, but has one for other containers.
  @Test func regionTextsAreNotLabels() throws {
    let given = ChunkFile.wav(frames: 2000, waveChunks.map { ChunkFile.chunk($0.name, $0.content) })
    try fixture.put("a", given)
    #expect(try fixture.read("a").source.metadata.marks.map(\.label) == ["five", "region"])
  }

  /// Comments on the whole file, and the times at which comments were made.
  @Test func aiffCommentsComeBack() throws {
    let marks = ChunkFile.chunk(
      "MARK", ChunkFile.big(1, 2) + ChunkFile.big(3, 2) + big(100) + [3] + Array("one".utf8),
      bigEndian: true)
    let comments =
      ChunkFile.big(2, 2) + big(3_000_000_000) + ChunkFile.big(3, 2) + ChunkFile.big(2, 2)
      + Array("on".utf8) + big(3_000_000_001) + ChunkFile.big(0, 2) + ChunkFile.big(4, 2)
      + Array("file".utf8)
    let file = ChunkFile.aiff(
      frames: 2000, [marks, ChunkFile.chunk("COMT", comments, bigEndian: true)])
    #expect(try copy(file, as: "aiff") == [])
    #expect(try fixture.read("a").source.metadata.values("COMMENT") == ["file"])
    let found = try #require(ChunkFile.chunks(fixture.bytes("b"), bigEndian: true))
    #expect(found.first { $0.name == "COMT" }?.content == comments)
    #expect(!found.contains { $0.name == "ANNO" })
  }

  /// Identifiers, channels and invalid times of markers; keys of information in their own spelling.
  @Test func cafComesBack() throws {
    func marker(_ type: String, _ at: Double, _ id: Int) -> [UInt8] {
      Array(type.utf8) + ChunkFile.double(at) + big(id)
        + [UInt8](repeating: 0xFF, count: 8) + big(1)
    }
    let marks = big(0, 2) + marker("beat", 480.5, 9) + marker("pbeg", 600, 3)
    let regions = big(0, 1) + big(4, 6, 2) + marker("rbeg", 100, 4) + marker("rend", 200, 4)
    let names = big(1) + big(9) + ChunkFile.big(0, 8) + text("nine")
    let info =
      big(4) + text("title") + text("a") + text("title") + text("b") + text("Own key") + text("v")
      + text("comment") + text("c")
    let file = ChunkFile.caf(
      frames: 2000, [("mark", marks), ("regn", regions), ("strg", names), ("info", info)])
    #expect(try copy(file, as: "caf") == [])
    let bytes = try fixture.bytes("b")
    func holds(_ part: [UInt8]) -> Bool {
      bytes.indices.dropLast(part.count - 1).contains { bytes[$0...].starts(with: part) }
    }
    for part in [marks, regions, names, info] { #expect(holds(part)) }
    let lossy = ChunkFile.caf(
      frames: 2000,
      [
        ("strg", big(1) + big(77) + ChunkFile.big(0, 8) + text("name")),
        ("inst", big(0x4270_0000) + [0, 127, 1, 127] + big(0, 5, 0, 0, 77)),
      ])
    #expect(
      try copy(lossy, as: "caf") == [
        "the start region of the instrument", "the name of the instrument",
      ])
  }

  @Test func textInTheHeaderOfAUIsAComment() throws {
    try fixture.run(
      "sox", "-n", "-r", "8000", "-c", "1", "-b", "16", "--comment", "said", "a.au", "synth",
      "0.1", "sine", "400")
    let metadata = try fixture.read("a.au").source.metadata
    #expect(metadata.comments == [.init(name: "COMMENT", value: "said")])
  }
}
