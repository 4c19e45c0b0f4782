import Foundation
import ScaleAudio
import TestSupport
import Testing

@Suite("Marks in other containers, as other programs read them")
struct MarkTests {
  private let bench: Workbench

  init() throws {
    bench = try Workbench()
    try bench.folder.write("in.wav", Self.withMarks(Sound.wav))
  }

  private static func little(_ value: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little(content.count) + content + (content.count % 2 == 1 ? [0] : [])
  }

  /// A WAV file of 22,050 frames with two cue points, a region, a loop, a tempo and a history.
  private static func withMarks(_ wav: [UInt8]) -> [UInt8] {
    func point(_ id: Int, _ position: Int) -> [UInt8] {
      little(id) + little(position) + Array("data".utf8) + little(0) + little(0) + little(position)
    }
    func label(_ id: Int, _ text: String) -> [UInt8] {
      chunk("labl", little(id) + Array(text.utf8) + [0])
    }
    var more = chunk("cue ", little(2) + point(1, 4410) + point(2, 11025))
    let region = chunk(
      "ltxt", little(2) + little(2205) + Array("rgn ".utf8) + little(0) + little(0))
    more += chunk("LIST", Array("adtl".utf8) + label(1, "Intro") + label(2, "Verse é") + region)
    let head = [0, 0, 22675, 60, 0, 0, 0, 1, 0].flatMap { little($0) }
    more += chunk("smpl", head + [0, 0, 1000, 2000, 0, 0].flatMap { little($0) })
    let tempo = little(Int(Float(120).bitPattern))
    more += chunk("acid", little(0) + little(60) + little(0) + little(4) + little(0x4_0004) + tempo)
    let bext =
      [UInt8](repeating: 0, count: 338) + little(777, 8) + [2, 0]
      + [UInt8](repeating: 0, count: 254)
    more += chunk("bext", bext + Array("A=PCM,T=recorder\r\n".utf8))
    let body = Array(wav[8...]) + more
    return Array("RIFF".utf8) + little(body.count) + body
  }

  /// Twice as long at half the sample rate, marks keep their frames; the tempo is half.
  @Test func marksCountFramesOfTheOutput() throws {
    try bench.convert("in.wav", to: "out.wav", .by(2)) { $0.sampleRate = 22_050 }
    let same = try bench.run("sndfile-info", "out.wav").outputText
    for line in ["Sample Rate : 22050", "Frames      : 22050", "Pos :  4410", "Pos : 11025"] {
      #expect(same.contains(line), "\(same)")
    }
    try bench.convert("in.wav", to: "twice.wav", .by(1)) { $0.sampleRate = 88_200 }
    let twice = try bench.run("sndfile-info", "twice.wav").outputText
    for line in ["Pos :  8820", "Pos : 22050"] {
      #expect(twice.contains(line), "\(twice)")
    }
    // The time reference, 777 frames of 44.1 kHz, is a time of day.
    let bytes = try bench.bytes("twice.wav")
    let start = try #require(Data(bytes).range(of: Data("bext".utf8))?.upperBound) + 4 + 338
    #expect(Array(bytes[start..<start + 8]) == Self.little(1554, 8))
  }

  @Test func wavToWav() throws {
    try bench.convert("in.wav", to: "out.wav", .by(1.5))
    let text = try bench.run("sndfile-info", "out.wav").outputText
    #expect(text.contains("Pos :  6615"))
    // 11,025 * 1.5 = 16,537.5, to the nearest 16,538.
    #expect(text.contains("Pos : 16538"))
    #expect(text.contains("labl : 2 : Verse é"))
    // Frames 1000 to 2000, the last one included, become 1500 to 3001: 2001 * 1.5 = 3001.5 is 3002.
    #expect(text.contains("Start :  1500  End :  3001"))
    #expect(text.contains("Tempo     : 80.0"))
    let history = try bench.run("sndfile-info", "--broadcast", "out.wav").outputText
    #expect(history.contains("Time ref                 : 0x000000309"))
    #expect(history.contains("A=PCM,T=recorder"))
    #expect(history.contains("A=PCM,F=44100,W=16,M=stereo,T=scaleaudio 0.1.0 factor=1.5"))
    #expect(history.contains("Loudness value           : 327.67 LUFS"))
    let metadata = try bench.run("sndfile-metadata-get", "--bext-coding-hist", "out.wav").outputText
    #expect(metadata.contains("factor=1.5"))
  }

  @Test(arguments: ["flac", "ogg", "mp3"])
  func marksBecomeChapters(format: String) throws {
    try bench.convert("in.wav", to: "out.\(format)", .by(1.5))
    let probe = try bench.entries(
      "chapter=start_time:chapter_tags=title", of: "out.\(format)")
    // 6615 and 16,538 frames at 44,100 Hz, in milliseconds.
    #expect(probe == "0.150000,Intro\n0.375000,Verse é")
    try bench.convert("out.\(format)", to: "back.wav", .by(2))
    let text = try bench.run("sndfile-info", "back.wav").outputText
    #expect(text.contains("Pos : 13230"))
    #expect(text.contains("Pos : 33075"))
    #expect(text.contains("labl : 1 : Intro"))
  }

  @Test func textTags() throws {
    let tags = [
      "BPM=120", "CUESHEET=TRACK 01 AUDIO\nINDEX 01 00:00:15",
      "LYRICS=[00:00.20]one\n[00:00.40]two",
    ]
    try Tool.run(
      "flac", ["-s", "-o", "in.flac"] + tags.map { "--tag=\($0)" } + ["in.wav"],
      in: bench.folder.path
    ).succeeded()
    try bench.convert("in.flac", to: "out.flac", .by(1.5))
    let listed = try bench.flacTags("out.flac")
    #expect(listed.contains("BPM=80\n"))
    #expect(listed.contains("INDEX 01 00:00:23"))
    #expect(listed.contains("LYRICS=[00:00.30]one\n[00:00.60]two\n"))
  }
}
