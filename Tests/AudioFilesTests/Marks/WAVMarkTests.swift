import AudioModel
import Testing

@testable import AudioIO

@Suite("Marks in WAV")
struct WAVMarkTests {
  private let fixture: AudioFixture
  private let silence = [Int16](repeating: 7, count: 2000)

  init() throws { fixture = try AudioFixture() }

  private var metadata: Metadata {
    var metadata = Metadata()
    metadata.marks = [
      .init(id: 5, start: 0, label: "Anfang"),
      .init(id: 5, start: 100, length: 50, label: "odd", note: "a note", purpose: "mark"),
      .init(start: 1999), .init(start: 2000, label: "Ende é 終"),
    ]
    metadata.instrument = .init(
      baseNote: 61, detune: -25, gain: -3, notes: 10...20, velocities: 1...100,
      loops: [
        .init(markID: 9, mode: .alternating, start: 10, end: 20, playCount: 3),
        .init(mode: .backward, start: 0, end: 2000),
      ])
    metadata.loopProperties = .init(
      flags: 3, rootNote: 48, beats: 16, meterNumerator: 3, meterDenominator: 8, tempo: 99.5)
    return metadata
  }

  @Test(arguments: ["wav", "wavex"])
  func chunksFollowTheSpecification(format: String) throws {
    try fixture.write("a.wav", silence, as: format, layout: .mono, metadata: metadata)
    let chunks = try #require(ChunkFile.chunks(fixture.bytes("a.wav")))
    let cue = try #require(chunks.first { $0.name == "cue " })
    #expect(cue.content.count == 4 + 4 * 24)
    #expect(cue.little(at: 0) == 4)
    let points = (0..<4).map { (cue.little(at: 4 + $0 * 24), cue.little(at: 24 + $0 * 24)) }
    #expect(points.map(\.1) == [0, 100, 1999, 2000])
    #expect(Set(points.map(\.0)).count == 4)
    #expect(points[0].0 == 5)
    let list = try #require(chunks.last { $0.name == "LIST" })
    #expect(list.content.starts(with: "adtl".utf8))
    let text = String(decoding: list.content, as: UTF8.self)
    for label in ["Anfang\0", "odd\0", "a note\0", "Ende é 終\0"] { #expect(text.contains(label)) }
    let smpl = try #require(chunks.first { $0.name == "smpl" })
    // 25 cents below note 61 are three quarters of the way up from 60.
    #expect(smpl.little(at: 8) == 1_000_000_000 / 48000)
    #expect(smpl.little(at: 12) == 60)
    #expect(smpl.little(at: 16) == 0xC000_0000)
    #expect(smpl.little(at: 28) == 2)
    #expect((0..<6).map { smpl.little(at: 36 + $0 * 4) } == [9, 1, 10, 19, 0, 3])
    #expect((0..<6).map { smpl.little(at: 60 + $0 * 4) } == [1, 2, 0, 1999, 0, 0])
    let inst = try #require(chunks.first { $0.name == "inst" })
    #expect(inst.content == [61, 25, 253, 10, 20, 1, 100])
    let acid = try #require(chunks.first { $0.name == "acid" })
    #expect(acid.content.count == 24)
    #expect([acid.little(at: 0), acid.little(at: 4, 2), acid.little(at: 12)] == [3, 48, 16])
    #expect([acid.little(at: 16, 2), acid.little(at: 18, 2)] == [8, 3])
    #expect(Float(bitPattern: UInt32(acid.little(at: 20))) == 99.5)
  }

  @Test(arguments: ["wav", "wavex", "rf64"])
  func everythingComesBack(format: String) throws {
    try fixture.write("a.wav", silence, as: format, layout: .mono, metadata: metadata)
    let read = try fixture.read("a.wav")
    #expect(read.samples == silence)
    #expect(read.source.warnings.isEmpty)
    let found = read.source.metadata
    #expect(found.marks.map(\.start) == [0, 100, 1999, 2000])
    #expect(found.marks.map(\.label) == ["Anfang", "odd", "", "Ende é 終"])
    #expect(found.marks[1].length == 50)
    #expect(found.marks[1].note == "a note")
    #expect(found.marks[1].purpose == "mark")
    #expect(found.instrument?.loops.map(\.start) == [10, 0])
    #expect(found.instrument?.loops.map(\.end) == [20, 2000])
    #expect(found.instrument?.loops.map(\.mode) == [.alternating, .backward])
    #expect(found.instrument?.loops.map(\.playCount) == [3, 0])
    #expect(found.instrument?.baseNote == 61)
    #expect(abs((found.instrument?.detune ?? 0) + 25) < 1e-6)
    #expect(found.instrument?.gain == -3)
    #expect(found.instrument?.notes == 10...20)
    var properties = found.loopProperties
    properties?.chunk = []
    #expect(properties == metadata.loopProperties)
  }

  /// Other programs read the audio as before, and libsndfile's own tools the marks.
  @Test func otherProgramsReadIt() throws {
    try fixture.write("a.wav", silence, as: "wav", layout: .mono, metadata: metadata)
    try fixture.write("a.rf64", silence, as: "rf64", layout: .mono, metadata: metadata)
    for name in ["a.wav", "a.rf64"] {
      #expect(try fixture.decodeWithFFmpeg(name) == silence)
    }
    #expect(try fixture.decodeWithSox("a.wav") == silence)
    let text = try fixture.run("sndfile-info", "a.wav").outputText
    #expect(text.contains("Pos :   100"))
    #expect(text.contains(": Anfang"))
    #expect(text.contains("Tempo     : 99.5"))
    let instrument = try fixture.run("sndfile-info", "--instrument", "a.wav").outputText
    #expect(instrument.contains("Loop points : 2"))
    #expect(instrument.contains("Mode : alt     Start :     10   End :     20"))
  }

  @Test func manyMarksAndLongNames() throws {
    var metadata = Metadata()
    let long = String(repeating: "né", count: 5000)
    metadata.marks = (0..<3000).map {
      .init(start: Double($0 % 2000), label: $0 == 7 ? long : "m\($0)")
    }
    try fixture.write("a.wav", silence, as: "wav", layout: .mono, metadata: metadata)
    let found = try fixture.read("a.wav").source.metadata
    #expect(found.marks.count == 3000)
    #expect(found.marks.map(\.label) == metadata.marks.map(\.label))
    #expect(try fixture.decodeWithFFmpeg("a.wav") == silence)
  }

  @Test func broadcastExtension() throws {
    var bytes = [UInt8](repeating: 0, count: 602)
    bytes.replaceSubrange(0..<5, with: "Title".utf8)
    bytes.replaceSubrange(338..<346, with: ChunkFile.little(123_456_789_012, 8))
    bytes[346] = 2
    for index in 348..<422 { bytes[index] = 0x55 }
    bytes += "A=ANALOGUE,M=mono,T=tape".utf8
    var chunk = try #require(BroadcastExtension(bytes))
    #expect(
      chunk.dropMeasurements().map(\.text) == [
        "the unique material identifier (UMID) in the broadcast extension",
        "the loudness in the broadcast extension",
      ])
    #expect(chunk.dropMeasurements() == [])
    chunk.addHistory(sampleRate: 48000, bitDepth: 16, channelCount: 1, text: "test")
    var metadata = Metadata()
    metadata.broadcastExtension = chunk.bytes
    try fixture.write("a.wav", silence, as: "wav", layout: .mono, metadata: metadata)
    let text = try fixture.run("sndfile-info", "--broadcast", "a.wav").outputText
    #expect(text.contains("Description              : Title"))
    #expect(text.contains("Time ref                 : 0x1cbe991a14"))
    #expect(text.contains("A=ANALOGUE,M=mono,T=tape"))
    #expect(text.contains("A=PCM,F=48000,W=16,M=mono,T=test"))
    let chunks = try #require(ChunkFile.chunks(fixture.bytes("a.wav")))
    let names = chunks.map(\.name)
    let bext = try #require(names.firstIndex(of: "bext"))
    #expect(bext < (names.firstIndex(of: "data") ?? 0))
    #expect(chunks[bext].content[348..<412].allSatisfy { $0 == 0 })
    #expect((0..<5).allSatisfy { chunks[bext].little(at: 412 + $0 * 2, 2) == 0x7FFF })
    #expect(chunks[bext].content.contains("tape\r\nA=PCM".utf8))
    // Longer than libsndfile's header may be.
    metadata.broadcastExtension = chunk.bytes + Array(repeating: UInt8(ascii: "x"), count: 200_001)
    try fixture.write("b.wav", silence, as: "wav", layout: .mono, metadata: metadata)
    #expect(
      try fixture.read("b.wav").source.metadata.broadcastExtension == metadata.broadcastExtension)
    #expect(try fixture.decodeWithFFmpeg("b.wav") == silence)
  }

  @Test func olderBroadcastVersionsKeepTheirReservedBytes() throws {
    var bytes = [UInt8](repeating: 0x55, count: 602)
    (bytes[346], bytes[347]) = (0, 0)
    var chunk = try #require(BroadcastExtension(bytes))
    #expect(chunk.dropMeasurements() == [])
    #expect(chunk.bytes == bytes)
    #expect(BroadcastExtension(Array(bytes.dropLast())) == nil)
  }
}
