import AudioModel
import TestSupport
import Testing

@testable import AudioContainers
@testable import AudioIO

/// WAV, RF64 and BW64 as other programs lay them out.
@Suite("Chunks of WAV and RF64")
struct RIFFChunkTests {
  private func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func chunk(_ name: String, _ content: [UInt8], declared: Int? = nil) -> [UInt8] {
    Array(name.utf8) + little(declared ?? content.count, 4) + content
      + (content.count % 2 == 0 ? [] : [0])
  }

  private var format: [UInt8] {
    chunk(
      "fmt ",
      little(1, 2) + little(1, 2) + little(8000, 4) + little(16000, 4) + little(2, 2)
        + little(16, 2))
  }

  private let samples: [Int16] = (0..<501).map { Int16($0 * 60 - 15000) }
  private var audio: [UInt8] { samples.flatMap { little(Int(UInt16(bitPattern: $0)), 2) } }

  private func file(_ id: String, _ chunks: [UInt8]) -> [UInt8] {
    Array(id.utf8) + little(id == "RIFF" ? chunks.count + 4 : 0xFFFF_FFFF, 4)
      + Array("WAVE".utf8) + chunks
  }

  private func sizes(_ count: Int, table: [UInt8] = []) -> [UInt8] {
    chunk(
      "ds64",
      little(count + 100, 8) + little(count, 8) + little(count / 2, 8) + little(table.count / 12, 4)
        + table)
  }

  private func expectAudio(
    _ bytes: [UInt8], as id: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let fixture = try AudioFixture()
    try fixture.put("x.wav", bytes)
    let read = try fixture.read("x.wav")
    #expect(read.samples == samples, sourceLocation: sourceLocation)
    #expect(read.source.format.id == id, sourceLocation: sourceLocation)
  }

  /// A list of pieces and pauses, of the specification of 1991, is no missing audio.
  @Test func listsOfPiecesAreNamed() throws {
    let fixture = try AudioFixture()
    let pieces = Array("wavl".utf8) + chunk("data", audio) + chunk("slnt", little(100, 4))
    try fixture.put("x.wav", file("RIFF", format + chunk("LIST", pieces)))
    let error = #expect(throws: AudioFileError.self) { try fixture.read("x.wav") }
    #expect(error?.errorClass == "unsupported")
    #expect(error?.cause.contains("LIST wavl") ?? false)
  }

  @Test(arguments: [0, 1, 27, 28, 4097])
  func junkOfAnyLength(count: Int) throws {
    let junk = chunk("JUNK", [UInt8](repeating: 0x11, count: count))
    let odd = chunk("abcd", [1, 2, 3])
    try expectAudio(file("RIFF", junk + format + odd + chunk("data", audio)), as: "wav")
    try expectAudio(file("RIFF", format + junk + chunk("data", audio) + odd + junk), as: "wav")
  }

  @Test(arguments: [0, 501, 7, 0xFFFF_FFFF])
  func factDoesNotShortenPCM(frames: Int) throws {
    let fact = chunk("fact", little(frames, 4))
    try expectAudio(file("RIFF", format + fact + chunk("data", audio)), as: "wav")
  }

  @Test(arguments: ["RF64", "BW64"])
  func sizesOf64Bits(id: String) throws {
    let data = chunk("data", audio, declared: 0xFFFF_FFFF)
    try expectAudio(file(id, sizes(audio.count) + format + data), as: "rf64")
    let odd = chunk("bext", [UInt8](repeating: 0, count: 603))
    try expectAudio(file(id, sizes(audio.count) + odd + format + data + odd), as: "rf64")
    // A table of the sizes of other chunks may follow in `ds64`.
    let table = Array("abcd".utf8) + little(3, 8)
    try expectAudio(
      file(id, sizes(audio.count, table: table) + format + data + chunk("abcd", [1, 2, 3])),
      as: "rf64")
  }

  /// The 64-bit size counts only where the 32-bit one points to it.
  @Test(arguments: ["RF64", "BW64"])
  func plain32BitSizesInRF64(id: String) throws {
    try expectAudio(file(id, sizes(audio.count) + format + chunk("data", audio)), as: "rf64")
  }

  @Test(arguments: [0, 0xFFFF_FFFF])
  func unwrittenSizes(declared: Int) throws {
    let list = chunk("LIST", Array("INFOISFT".utf8) + little(14, 4) + Array("Lavf59.27.100\0".utf8))
    var bytes = file("RIFF", format + list + chunk("data", audio, declared: declared))
    for index in 4..<8 { bytes[index] = UInt8(truncatingIfNeeded: declared) }
    try expectAudio(bytes, as: "wav")
  }

  /// As FFmpeg, the first description of the samples counts, and the others are named.
  @Test(arguments: [false, true])
  func furtherFormats(isBehind: Bool) throws {
    let other = chunk(
      "fmt ",
      little(1, 2) + little(2, 2) + little(44100, 4) + little(176_400, 4) + little(4, 2)
        + little(16, 2))
    let data = chunk("data", audio)
    let bytes = file("RIFF", format + (isBehind ? data + other : other + data))
    try expectAudio(bytes, as: "wav")
    let fixture = try AudioFixture()
    try fixture.put("x.wav", bytes)
    #expect(try fixture.decodeWithFFmpeg("x.wav") == samples)
    #expect(
      try fixture.read("x.wav").source.warnings.map(\.text)
        == ["it has more than one fmt chunk; the first one is used"])
  }

  /// Audio in a chunk whose name is capitalized, which no player reads.
  @Test(arguments: ["DATA", "Data"])
  func audioInCapitals(name: String) throws {
    let fixture = try AudioFixture()
    try fixture.put("x.wav", file("RIFF", format + chunk("data", []) + chunk(name, audio)))
    let error = #expect(throws: AudioFileError.self) { try fixture.read("x.wav") }
    #expect(error?.cause.contains("it has 2 data chunks instead of one") ?? false)
    #expect(try fixture.read("x.wav", salvaging: true).samples == samples)
  }

  /// Besides audio, a chunk with a capitalized name holds something else.
  @Test(arguments: ["DATA", "Data"])
  func otherContentInCapitals(name: String) throws {
    let other = chunk(name, Array("made by a program".utf8))
    let fixture = try AudioFixture()
    try fixture.put("x.wav", file("RIFF", format + chunk("data", audio) + other))
    let read = try fixture.read("x.wav")
    #expect(read.samples == samples)
    #expect(
      read.source.warnings.map(\.text)
        == ["its \(name) chunk is not read as audio, which is in data"])
  }

  /// A size that is one byte more or less than whole frames.
  @Test(arguments: [1, -1])
  func sizesWithinAFrame(by difference: Int) throws {
    let data = chunk("data", audio, declared: audio.count + difference)
    let fixture = try AudioFixture()
    try fixture.put("x.wav", file("RIFF", format + data))
    let read = try fixture.read("x.wav")
    #expect(read.samples == (try fixture.decodeWithFFmpeg("x.wav")))
    #expect(read.samples == (difference > 0 ? samples : samples.dropLast()))
    #expect(
      read.source.warnings.map(\.text)
        == (difference > 0 ? [] : ["its audio ends within a frame: the last byte is left out"]))
  }
}
