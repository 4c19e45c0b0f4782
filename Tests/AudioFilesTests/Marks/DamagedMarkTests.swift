import AudioModel
import TestSupport
import Testing

@testable import AudioIO

/// Wrong marks: the audio is still read, and nothing crashes or allocates by their numbers alone.
@Suite("Damaged marks")
struct DamagedMarkTests {
  private let fixture: AudioFixture
  private typealias C = ChunkFile

  init() throws { fixture = try AudioFixture() }

  private static let damage = "its markers are damaged; readable ones are kept"

  private func source(_ file: [UInt8]) throws -> SourceDescription {
    try fixture.put("a", file)
    let read = try fixture.read("a")
    #expect(read.source.frameCount == 1000)
    #expect(read.samples.count == 1000)
    return read.source
  }

  private static func cue(_ count: Int, _ points: [(id: Int, position: Int)]) -> [UInt8] {
    var content = C.little(count)
    for point in points {
      content += C.little(point.id) + C.little(point.position)
      content += Array("data".utf8)
      content += C.little(0) + C.little(0) + C.little(point.position)
    }
    return C.chunk("cue ", content)
  }

  @Test(arguments: [2, 1 << 16, 0x7FFF_FFFF, 0xFFFF_FFFF])
  func cuePointCountsThatAreTooLarge(count: Int) throws {
    let found = try source(C.wav(frames: 1000, [Self.cue(count, [(1, 500)])]))
    #expect(found.metadata.marks.map(\.start) == [500])
    #expect(found.warnings.map(\.text).contains(Self.damage))
  }

  @Test(arguments: [0, 1, 3])
  func cueChunksThatAreTooShort(size: Int) throws {
    let found = try source(C.wav(frames: 1000, [C.chunk("cue ", Array(repeating: 1, count: size))]))
    #expect(found.metadata.marks.isEmpty)
    #expect(found.warnings.map(\.text).contains(Self.damage))
  }

  @Test func damagedLists() throws {
    let label = C.little(1) + Array("open".utf8)
    let nested = C.chunk(
      "LIST", Array("adtl".utf8) + C.chunk("labl", C.little(1) + Array("no\0".utf8)))
    let list =
      Array("adtl".utf8) + C.chunk("labl", label) + C.chunk("labl", []) + C.chunk("labl", [1])
      + C.chunk("note", C.little(99) + Array("nobody\0".utf8)) + C.chunk("ltxt", C.little(1))
      + C.chunk(
        "ltxt", C.little(1) + C.little(0xFFFF_FFFF) + [0, 1, 2, 3] + C.little(0) + C.little(0))
      + nested + Array("note".utf8) + C.little(0xFFFF_FFF0) + C.little(1) + Array("cut".utf8)
    let found = try source(
      C.wav(
        frames: 1000,
        [Self.cue(1, [(1, 500)]), C.chunk("LIST", list), C.chunk("LIST", Array("adtl".utf8))]))
    #expect(found.metadata.marks.map(\.label) == ["open"])
    #expect(found.metadata.marks.map(\.note) == ["cut"])
    #expect(found.metadata.marks.map(\.purpose) == [""])
    #expect(found.warnings.map(\.text).contains(Self.damage))
    // The region goes beyond the end; so it does not when it is written.
    let scaled = found.metadata.scaled(by: 2, from: 1000, to: 2000, sampleRate: 8000)
    #expect(scaled.marks.map(\.length) == [1000])
  }

  @Test func loopsOutOfRange() throws {
    func loop(_ start: Int, _ end: Int) -> [UInt8] {
      C.little(0) + C.little(77) + C.little(start) + C.little(end) + C.little(0) + C.little(0)
    }
    let head = [0, 0, 0, 0xFFFF_FFFF, 0xFFFF_FFFF, 0, 0, 0xFFFF_FFFF, 0].flatMap { C.little($0) }
    let smpl = C.chunk("smpl", head + loop(10, 5) + loop(900, 0xFFFF_FFFF) + loop(5000, 6000))
    let found = try source(
      C.wav(frames: 1000, [smpl, C.chunk("inst", [200, 1, 2, 90, 10, 255, 255])]))
    #expect(found.metadata.instrument?.loops.count == 2)
    #expect(found.metadata.instrument?.baseNote == 127)
    #expect(found.metadata.instrument?.notes == 0...127)
    #expect(found.warnings.map(\.text).contains(Self.damage))
    let scaled = found.metadata.scaled(by: 1.5, from: 1000, to: 1500, sampleRate: 8000)
    #expect(scaled.instrument?.loops.map(\.start) == [1350])
    #expect(scaled.instrument?.loops.map(\.end) == [1500])
  }

  @Test(arguments: ["smpl", "inst", "acid", "bext"])
  func shortChunks(name: String) throws {
    for size in [0, 1, 5, 23, 35] {
      let chunk = C.chunk(name, Array(repeating: 0xFF, count: size))
      _ = try source(C.wav(frames: 1000, [chunk]))
      _ = try source(C.wav(frames: 1000, [], before: [chunk]))
    }
  }

  @Test func wrongMarkersInAIFF() throws {
    let entry = C.big(1, 2) + C.big(500) + [3] + Array("abc".utf8)
    for content in [
      [], [0xFF], [0xFF, 0xFF], [0xFF, 0xFF] + entry,
      [0, 2] + entry + C.big(2, 2) + C.big(1) + [255, 65],
    ] {
      let found = try source(C.aiff(frames: 1000, [C.chunk("MARK", content, bigEndian: true)]))
      #expect(found.metadata.marks.map(\.start) == (content.count > 2 ? [500] : []))
      #expect(found.warnings.map(\.text).contains(Self.damage))
    }
    let mark = C.chunk("MARK", [0, 1] + entry, bigEndian: true)
    for content in [
      [], [60, 0, 0, 127], Array(repeating: 0xFF, count: 20),
      [60, 0, 0, 127, 0, 127, 0, 0] + [0, 1, 0, 1, 0, 1] + [0, 1, 0, 9, 0, 8],
    ] as [[UInt8]] {
      let found = try source(
        C.aiff(frames: 1000, [mark, C.chunk("INST", content, bigEndian: true)]))
      #expect(found.metadata.instrument?.loops.isEmpty != false)
      #expect(found.warnings.map(\.text).contains(Self.damage))
    }
    let comment = C.chunk(
      "COMT", [0xFF, 0xFF] + C.big(0) + [0, 1, 0xFF, 0xFF, 65], bigEndian: true)
    #expect(try source(C.aiff(frames: 1000, [mark, comment])).metadata.marks.map(\.note) == ["A"])
  }

  @Test func wrongMarkersInCAF() throws {
    let nan = C.big(0) + C.double(.nan) + C.big(1) + C.big(0, 8) + C.big(0)
    let infinite = C.big(0) + C.double(-.infinity) + C.big(1) + C.big(0, 8) + C.big(0)
    let good = C.big(0) + C.double(12.5) + C.big(1) + C.big(0, 8) + C.big(0)
    let mark = C.big(0) + C.big(0xFFFF_FFFF) + nan + infinite + good
    let regions = C.big(0) + C.big(0xFFFF_FFFF) + C.big(1) + C.big(7) + C.big(0xFFFF_FFFF)
    let names = C.big(1) + C.big(1) + C.double(.nan) + Array("x".utf8)
    let instrument = C.big(Int(Float.nan.bitPattern)) + Array(repeating: 0xFF, count: 24)
    let found = try source(
      C.caf(
        frames: 1000,
        [("mark", mark), ("regn", regions), ("strg", names), ("inst", instrument)]))
    #expect(found.metadata.marks.map(\.start) == [12.5])
    #expect(found.metadata.instrument == nil)
    #expect(found.warnings.map(\.text).contains(Self.damage))
    for name in ["mark", "regn", "strg", "inst"] {
      for size in [0, 3, 4, 7, 8] {
        _ = try source(C.caf(frames: 1000, [(name, Array(repeating: 0xFF, count: size))]))
      }
    }
  }

  /// Every byte of every kind of chunk, flipped: the audio is the same.
  @Test func flippedBytes() throws {
    var metadata = Metadata()
    metadata.marks = [
      .init(id: 1, start: 5, length: 9, label: "label", note: "note"),
      .init(id: 2, start: 90, label: "x"),
    ]
    metadata.instrument = .init(gain: 2, loops: [.init(start: 5, end: 90)])
    metadata.loopProperties = .init(
      flags: 1, rootNote: 2, beats: 3, meterNumerator: 4, meterDenominator: 4, tempo: 5)
    let samples = Signal.noise(frames: 100, channels: 1)
    for format in ["wav", "aiff", "caf"] {
      try fixture.write("a", samples, as: format, layout: .mono, metadata: metadata)
      let file = try fixture.bytes("a")
      // Behind the audio; in CAF, whose audio begins at byte 4096, before it.
      let range =
        switch format {
        case "wav": 44 + 200..<file.count
        case "aiff": 54 + 200..<file.count
        default: 52..<360
        }
      var readings = 0
      for index in range {
        var damaged = file
        damaged[index] ^= index % 2 == 0 ? 0xFF : 0x80
        try fixture.put("b", damaged)
        // A size that leads astray may be an error; it is never other audio.
        guard let read = try? fixture.read("b") else { continue }
        readings += 1
        #expect(read.samples == samples)
      }
      #expect(readings > range.count * 3 / 4)
    }
  }
}
