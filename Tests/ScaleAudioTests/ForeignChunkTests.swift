import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Chunks of WAV that only other programs read.
@Suite("Foreign chunks")
struct ForeignChunkTests {
  private let bench: Workbench

  private static let ixml = """
    <?xml version="1.0" encoding="UTF-8"?><BWFXML><IXML_VERSION>1.61</IXML_VERSION><SCENE>7 é</SCENE>\
    <SPEED><TIMECODE_RATE>25/1</TIMECODE_RATE><FILE_SAMPLE_RATE>44100</FILE_SAMPLE_RATE>\
    <TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>1</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>\
    <TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>5000</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>\
    <TIMESTAMP_SAMPLE_RATE>44100</TIMESTAMP_SAMPLE_RATE></SPEED><SYNC_POINT_LIST><SYNC_POINT_COUNT>2</SYNC_POINT_COUNT>\
    <SYNC_POINT><SYNC_POINT_TYPE>RELATIVE</SYNC_POINT_TYPE><SYNC_POINT_LOW>200</SYNC_POINT_LOW>\
    <SYNC_POINT_HIGH>0</SYNC_POINT_HIGH><SYNC_POINT_EVENT_DURATION>100</SYNC_POINT_EVENT_DURATION></SYNC_POINT>\
    <SYNC_POINT><SYNC_POINT_TYPE>ABSOLUTE</SYNC_POINT_TYPE><SYNC_POINT_LOW>5600</SYNC_POINT_LOW>\
    <SYNC_POINT_HIGH>1</SYNC_POINT_HIGH></SYNC_POINT></SYNC_POINT_LIST></BWFXML>
    """

  /// 0.5 s at 44.1 kHz with `bext`, `iXML`, a loop and a chunk of unknown kind.
  init() throws {
    var bext = [UInt8](repeating: 0, count: 602)
    bext.replaceSubrange(0..<5, with: Array("Scene".utf8))
    bext.replaceSubrange(256..<262, with: Array("Atelie".utf8))
    var loop: [UInt8] = Array(repeating: 0, count: 28) + [1, 0, 0, 0, 0, 0, 0, 0]
    loop[12] = 60
    loop += [1, 0, 0, 0, 0, 0, 0, 0, 100, 0, 0, 0, 199, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    var file = try Sound.wav
    for (name, content) in [
      ("bext", bext), ("iXML", Array(Self.ixml.utf8)), ("smpl", loop), ("xYz1", [1, 2, 3]),
    ] {
      file += Array(name.utf8) + (0..<4).map { UInt8(content.count >> (8 * $0) & 0xFF) } + content
      if content.count % 2 == 1 { file.append(0) }
    }
    for place in 0..<4 { file[4 + place] = UInt8((file.count - 8) >> (8 * place) & 0xFF) }
    bench = try Workbench(["in.wav": file])
  }

  /// The chunks of a file, read here: of WAV and RF64 from byte 12, of Wave64 from byte 40.
  private func chunks(_ name: String) throws -> [String: [UInt8]] {
    let bytes = try bench.bytes(name)
    let isWide = bytes.starts(with: Array("riff".utf8))
    var (position, found) = (isWide ? 40 : 12, [String: [UInt8]]())
    var large: Int?
    func number(_ at: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }
    while position + (isWide ? 24 : 8) <= bytes.count {
      let key = String(decoding: bytes[position..<position + 4], as: UTF8.self)
      let start = position + (isWide ? 24 : 8)
      var size = isWide ? number(position + 16, 8) - 24 : number(position + 4, 4)
      if key == "ds64" { large = number(start + 8, 8) }
      if key == "data", size == 0xFFFF_FFFF { size = large ?? 0 }
      found[key] = Array(bytes[start..<min(bytes.count, start + size)])
      position = start + size
      while position % (isWide ? 8 : 2) != 0 { position += 1 }
    }
    return found
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try #require(try chunks(name)["iXML"]), as: UTF8.self)
  }

  private func value(_ tag: String, _ text: some StringProtocol) -> String? {
    text.components(separatedBy: "<\(tag)>").dropFirst().first?
      .components(separatedBy: "</").first
  }

  @Test(arguments: ["wav", "rf64", "w64"])
  func framesInTheNotesOfRecordersAreScaled(format: String) throws {
    let report = try bench.convert("in.wav", to: "out.\(format)", .by(1.5))
    if format != "w64" { #expect(report.notCarried == []) }
    let text = try text("out.\(format)")
    #expect(text.contains("<SCENE>7 é</SCENE>"))
    // The audio begins at the same time of day; the points keep their place in the sound.
    #expect(value("TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO", text) == "5000")
    #expect(value("SYNC_POINT_LOW", text) == "300")
    #expect(value("SYNC_POINT_EVENT_DURATION", text) == "150")
    let second = text.components(separatedBy: "ABSOLUTE")[1]
    // 600 frames after the start become 900.
    #expect(value("SYNC_POINT_LOW", second) == "5900")
    #expect(value("SYNC_POINT_HIGH", second) == "1")
    #expect(try chunks("out.\(format)")["xYz1"] == [1, 2, 3])
    #expect(try chunks("out.\(format)")["bext"]?.starts(with: Array("Scene".utf8)) == true)
    // And from there on to WAV.
    try bench.convert("out.\(format)", to: "back.wav", .by(2))
    #expect(value("SYNC_POINT_LOW", try self.text("back.wav")) == "600")
  }

  /// Measured facts and positions of the original.
  @Test func chunksAboutTheSamplesAreNamed() throws {
    var file = try bench.bytes("in.wav")
    let loudness = """
      <BWFXML><LOUDNESS><LOUDNESS_VALUE>-23.00</LOUDNESS_VALUE></LOUDNESS><NOTE>n</NOTE>\
      \(String(repeating: "<LOUDNESS></LOUDNESS>", count: 20_000))\
      <BEXT><BWF_LOUDNESS_VALUE>-2300</BWF_LOUDNESS_VALUE></BEXT></BWFXML>
      """
    let place = try #require(file.firstRange(of: Array("iXML".utf8))).lowerBound
    let old = Self.ixml.utf8.count
    file.removeSubrange(place..<place + 8 + old + old % 2)
    for (name, content) in [
      ("iXML", Array(loudness.utf8)), ("MD5 ", [UInt8](repeating: 7, count: 16)),
      ("strc", [UInt8](repeating: 1, count: 28)), ("LGWV", [1, 2]), ("r128", [1, 2]),
    ] {
      file += Array(name.utf8) + (0..<4).map { UInt8(content.count >> (8 * $0) & 0xFF) } + content
      if content.count % 2 == 1 { file.append(0) }
    }
    for place in 0..<4 { file[4 + place] = UInt8((file.count - 8) >> (8 * place) & 0xFF) }
    try bench.folder.write("facts.wav", file)
    let report = try bench.convert("facts.wav", to: "out.wav", .by(1.5))
    #expect(
      Set(report.notCarried.map(\.text)) == [
        "a checksum of the samples (MD5)", "beats (strc)", "an overview (LGWV)",
        "a loudness (r128)", "the loudness in iXML",
      ])
    let made = try chunks("out.wav")
    #expect(try text("out.wav") == "<BWFXML><NOTE>n</NOTE><BEXT></BEXT></BWFXML>")
    #expect(made["xYz1"] == [1, 2, 3])
    #expect(["MD5 ", "strc", "LGWV", "r128"].allSatisfy { made[$0] == nil })
  }

  @Test func anotherRateCountsOtherFrames() throws {
    try bench.convert("in.wav", to: "out.wav", .by(1)) { $0.sampleRate = 88200 }
    let text = try text("out.wav")
    #expect(value("FILE_SAMPLE_RATE", text) == "88200")
    #expect(value("TIMESTAMP_SAMPLE_RATE", text) == "88200")
    // 2^32 + 5000, doubled.
    #expect(value("TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI", text) == "2")
    #expect(value("TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO", text) == "10000")
    #expect(value("SYNC_POINT_LOW", text) == "400")
  }

  @Test func aPartBeginsLater() throws {
    try bench.convert("in.wav", to: "out.wav", .by(1)) {
      $0.part = TimeRange(from: .afterStart(.frames(400)), to: .afterStart(.frames(800)))
    }
    let text = try text("out.wav")
    #expect(value("TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO", text) == "5400")
    // The first point is before the part.
    #expect(value("SYNC_POINT_COUNT", text) == "1" && !text.contains("RELATIVE"))
    #expect(value("SYNC_POINT_LOW", text) == "5600")
  }

  /// `flac --keep-foreign-metadata` reads what is written, and writes what is read.
  @Test func flacKeepsThem() throws {
    let report = try bench.convert("in.wav", to: "out.flac", .by(1.5))
    #expect(report.notCarried == [])
    try bench.run("flac", "-s", "-d", "--keep-foreign-metadata", "out.flac", "-o", "flac.wav")
    try bench.convert("in.wav", to: "wav.wav", .by(1.5))
    let (made, wanted) = (try chunks("flac.wav"), try chunks("wav.wav"))
    for name in ["iXML", "smpl", "xYz1", "data"] {
      #expect(made[name] == wanted[name], "\(name)")
    }
    // Before the audio of WAV, content is padded with zeros.
    let (bext, padded) = try (#require(made["bext"]), #require(wanted["bext"]))
    #expect(padded.starts(with: bext) && padded.count - bext.count < 4)
    // Back to WAV by this program, and on from FLAC to FLAC.
    try bench.convert("out.flac", to: "back.wav", .by(2))
    #expect(value("SYNC_POINT_LOW", try text("back.wav")) == "600")
    #expect(try chunks("back.wav")["xYz1"] == [1, 2, 3])
    // The loop from frame 100 to 199 is 3 times as long.
    let loop = try #require(try chunks("back.wav")["smpl"])
    #expect(Array(loop[44..<52]) == [300 & 0xFF, 300 >> 8, 0, 0, 599 & 0xFF, 599 >> 8, 0, 0])
    try bench.convert("out.flac", to: "again.flac", .by(2))
    try bench.run("flac", "-s", "-d", "--keep-foreign-metadata", "again.flac", "-o", "again.wav")
    #expect(value("SYNC_POINT_LOW", try text("again.wav")) == "600")

    try bench.run("flac", "-s", "--keep-foreign-metadata", "in.wav", "-o", "theirs.flac")
    try bench.convert("theirs.flac", to: "theirs.wav", .by(1.5))
    for name in ["iXML", "smpl", "xYz1"] {
      #expect(try chunks("theirs.wav")[name] == wanted[name], "\(name)")
    }
  }

  /// Without another length, everything stays byte for byte.
  @Test func formatsAloneChangeNothing() throws {
    try bench.convert("in.wav", to: "out.flac", .unchanged)
    try bench.convert("out.flac", to: "out.wav", .unchanged)
    #expect(try chunks("out.wav")["iXML"] == Array(Self.ixml.utf8))
    #expect(try bench.int16("out.wav") == bench.int16("in.wav"))
  }

  @Test func otherContainersNameThem() throws {
    let report = try bench.convert("in.wav", to: "out.mp3", .by(1.5))
    let lost = report.notCarried.map(\.text)
    #expect(lost.contains("iXML") && lost.contains("chunk xYz1"), "\(lost)")
  }
}
