import Foundation
import TestSupport
import Testing

@Suite("Marks in other containers, as other programs read them")
struct MarkTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("in.wav", Self.withMarks(Sound.wav))
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

  private func convert(_ input: String, _ output: String, factor: String = "1.5") throws -> Tool {
    let run = try Program.run("-f", factor, input, "-o", output, "-q", in: folder.path)
    #expect(run.status == 0, "\(run.errorText)")
    return run
  }

  private func tool(_ name: String, _ arguments: String...) throws -> String {
    try Tool.run(name, arguments, in: folder.path).outputText
  }

  /// Twice as long at half the sample rate, marks keep their frames; the tempo is half.
  @Test func marksCountFramesOfTheOutput() throws {
    let run = try Program.run(
      "-f", "2", "--rate", "22050", "in.wav", "-o", "out.wav", "-q", in: folder.path)
    #expect(run.status == 0, "\(run.errorText)")
    let same = try tool("sndfile-info", "out.wav")
    for line in ["Sample Rate : 22050", "Frames      : 22050", "Pos :  4410", "Pos : 11025"] {
      #expect(same.contains(line), "\(same)")
    }
    _ = try Program.run(
      "-f", "1", "--rate", "88200", "in.wav", "-o", "twice.wav", "-q", in: folder.path)
    let twice = try tool("sndfile-info", "twice.wav")
    for line in ["Pos :  8820", "Pos : 22050"] {
      #expect(twice.contains(line), "\(twice)")
    }
    // The time reference, 777 frames of 44.1 kHz, is a time of day.
    let bytes = try folder.bytes("twice.wav")
    let start = try #require(Data(bytes).range(of: Data("bext".utf8))?.upperBound) + 4 + 338
    #expect(Array(bytes[start..<start + 8]) == Self.little(1554, 8))
  }

  @Test func wavToWav() throws {
    _ = try convert("in.wav", "out.wav")
    let text = try tool("sndfile-info", "out.wav")
    #expect(text.contains("Pos :  6615"))
    // 11,025 * 1.5 = 16,537.5, to the nearest 16,538.
    #expect(text.contains("Pos : 16538"))
    #expect(text.contains("labl : 2 : Verse é"))
    // Frames 1000 to 2000, the last one included, become 1500 to 3001: 2001 * 1.5 = 3001.5 is 3002.
    #expect(text.contains("Start :  1500  End :  3001"))
    #expect(text.contains("Tempo     : 80.0"))
    let history = try tool("sndfile-info", "--broadcast", "out.wav")
    #expect(history.contains("Time ref                 : 0x000000309"))
    #expect(history.contains("A=PCM,T=recorder"))
    #expect(history.contains("A=PCM,F=44100,W=16,M=stereo,T=scaleaudio 0.1.0 factor=1.5"))
    #expect(history.contains("Loudness value           : 327.67 LUFS"))
    let metadata = try tool("sndfile-metadata-get", "--bext-coding-hist", "out.wav")
    #expect(metadata.contains("factor=1.5"))
  }

  @Test(arguments: ["flac", "ogg", "mp3"])
  func marksBecomeChapters(format: String) throws {
    _ = try convert("in.wav", "out.\(format)")
    let probe = try tool(
      "ffprobe", "-v", "error", "-show_entries", "chapter=start_time:chapter_tags=title", "-of",
      "csv=p=0", "out.\(format)")
    // 6615 and 16,538 frames at 44,100 Hz, in milliseconds.
    #expect(probe == "0.150000,Intro\n0.375000,Verse é\n")
    _ = try convert("out.\(format)", "back.wav", factor: "2")
    let text = try tool("sndfile-info", "back.wav")
    #expect(text.contains("Pos : 13230"))
    #expect(text.contains("Pos : 33075"))
    #expect(text.contains("labl : 1 : Intro"))
  }

  @Test func aiffAndCAF() throws {
    _ = try convert("in.wav", "out.aiff")
    let text = try tool("sndfile-info", "out.aiff")
    #expect(text.contains("Position : 16538"))
    #expect(text.contains("Name     : Verse é"))
    #expect(text.contains("Position : 3002"))
    _ = try convert("out.aiff", "out.caf", factor: "1")
    _ = try convert("out.caf", "back.wav", factor: "1")
    let back = try tool("sndfile-info", "back.wav")
    #expect(back.contains("Pos : 16538"))
    #expect(back.contains("Start :  1500  End :  3001"))
  }

  @Test func lossesAreReported() throws {
    let run = try Program.run("-f", "2", "in.wav", "-o", "out.flac", in: folder.path)
    #expect(
      run.errorText.contains(
        "not carried to the output: sampler loops, loop properties, a broadcast extension"))
    let other = try Program.run("-f", "2", "in.wav", "-o", "out.au", in: folder.path)
    #expect(other.errorText.contains("not carried to the output: markers, sampler loops"))
  }

  @Test func textTags() throws {
    let tags = [
      "BPM=120", "CUESHEET=TRACK 01 AUDIO\nINDEX 01 00:00:15",
      "LYRICS=[00:00.20]one\n[00:00.40]two",
    ]
    let flac = try Tool.run(
      "flac", ["-s", "-o", "in.flac"] + tags.map { "--tag=\($0)" } + ["in.wav"], in: folder.path)
    #expect(flac.status == 0)
    _ = try convert("in.flac", "out.flac")
    let listed = try tool("metaflac", "--export-tags-to=-", "out.flac")
    #expect(listed.contains("BPM=80\n"))
    #expect(listed.contains("INDEX 01 00:00:23"))
    #expect(listed.contains("LYRICS=[00:00.30]one\n[00:00.60]two\n"))
  }
}
