import AudioModel
import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Conversions to a tempo, from one that the source states in several ways, or that is estimated.
@Suite("Tempo")
struct TempoTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  /// Eight beats of clicks at 100 beats per minute.
  private func makeClicks(_ name: String, options: String = "") throws {
    try bench.shell(
      "sox -R -n -r 22050 -c 1 click.wav synth 0.03 whitenoise vol 0.8 fade t 0 0.03 0.028 pad 0 0.57 repeat 7 && "
        + "ffmpeg -v error -y -i click.wav \(options) \(name)")
  }

  private func convert(
    _ input: String, _ output: String, to tempo: Double, from: Double? = nil
  ) throws -> ConversionReport {
    try bench.convert(input, to: output, .bpm(tempo, from: from), .linear)
  }

  @Test func theTempoComesFromTheBestSource() throws {
    try makeClicks("plain.wav")
    try makeClicks("named_80bpm.wav")
    try makeClicks("tagged_80bpm.flac", options: "-metadata BPM=96")
    for (name, tempo, origin) in [
      ("plain.wav", 100, SourceTempo.Origin.estimate), ("named_80bpm.wav", 80, .name),
      ("tagged_80bpm.flac", 96, .tag),
    ] {
      let report = try convert(name, "out.wav", to: 120)
      let found = try #require(report.tempo)
      #expect(found.origin == origin && abs(found.beatsPerMinute - Double(tempo)) < 0.05)
      let frames = Double(report.source.frameCount) * found.beatsPerMinute / 120
      #expect(abs(Double(report.outputFrames) - frames) <= 1)
      #expect((found.confidence != nil) == (origin == .estimate))
      let inspected = try bench.inspect(name, .init(measuresTempo: true)).tempo
      #expect(inspected == found)
    }
    let given = try convert("tagged_80bpm.flac", "out.wav", to: 100, from: 50)
    #expect(given.outputFrames == given.source.frameCount / 2)
    #expect(given.tempo?.origin == .given)
  }

  /// The tag of the output is the tempo that was asked for, as mutagen reads it.
  @Test func theTagFollows() throws {
    try makeClicks("in.flac", options: "-metadata BPM=96")
    _ = try convert("in.flac", "out.flac", to: 128)
    let read = try Tool.run(
      "python3", ["-c", "import mutagen; print(mutagen.File('out.flac')['bpm'][0])"],
      in: bench.folder.path
    ).succeeded()
    #expect(read.outputText == "128\n")
  }

  /// A loop of 16 beats in an `acid` chunk, whose tempo is that of the output in the output.
  @Test(arguments: [(90.0, 16, 90.0), (0, 16, 200), (0, 0, nil)] as [(Double, Int, Double?)])
  func theAcidChunkCounts(tempo: Double, beats: Int, expected: Double?) throws {
    try makeClicks("in.wav")
    var chunk = Array("acid".utf8) + [24, 0, 0, 0] + [0, 0, 0, 0, 60, 0, 0, 0, 0, 0, 0, 0]
    chunk += [UInt8(beats), 0, 0, 0, 4, 0, 4, 0]
    withUnsafeBytes(of: Float(tempo).bitPattern) { chunk += $0 }
    var file = try bench.bytes("in.wav") + chunk
    let size = UInt32(file.count - 8)
    for byte in 0..<4 { file[4 + byte] = UInt8(truncatingIfNeeded: size >> (8 * UInt32(byte))) }
    try bench.folder.write("in.wav", file)
    let seconds = try bench.inspect("in.wav").source
    let found = try convert("in.wav", "out.wav", to: 120).tempo
    if let expected {
      // Without a tempo, the number of beats in 4.8 seconds.
      #expect(found?.origin == .loop && abs((found?.beatsPerMinute ?? 0) - expected) < 0.05)
    } else {
      #expect(found?.origin == .estimate, "\(seconds.frameCount)")
    }
    if tempo > 0 {
      let output = try bench.inspect("out.wav", .init(measuresTempo: true)).tempo
      #expect(output?.origin == .loop && abs((output?.beatsPerMinute ?? 0) - 120) < 1e-4)
    }
  }

  /// The number of beats in the chunk of an Apple loop: 12 in 4.8 seconds.
  @Test func anAppleLoopCounts() throws {
    try makeClicks("in.aiff")
    var file = try bench.bytes("in.aiff")
    file += Array("basc".utf8) + [0, 0, 0, 84, 0, 0, 0, 1, 0, 0, 0, 12]
    file += Array(repeating: 0, count: 76)
    let size = UInt32(file.count - 8)
    for byte in 0..<4 { file[7 - byte] = UInt8(truncatingIfNeeded: size >> (8 * UInt32(byte))) }
    try bench.folder.write("in.aiff", file)
    let tempo = try convert("in.aiff", "out.aiff", to: 120).tempo
    #expect(tempo?.origin == .loop && abs((tempo?.beatsPerMinute ?? 0) - 150) < 0.05)
  }

  @Test func withoutATempoTheFileIsRefused() throws {
    try bench.shell("sox -R -n -r 22050 in.wav synth 4 sine 300 vol 0.5 fade q 1 4 1")
    try bench.make("silence.wav", Array(repeating: 0, count: 44_100), codec: "pcm_s16le")
    try bench.make("one.wav", [0.5], codec: "pcm_s16le")
    for name in ["in.wav", "silence.wav", "one.wav"] {
      let text = try bench.failure(of: name, .bpm(120), .linear)
      #expect(text.contains("its tempo is not clear") || text.contains("it has no tempo"))
      #expect(try bench.convert(name, to: "o.wav", .bpm(60, from: 120), .linear).factor == 2)
    }
    let far = try bench.failure(of: "in.wav", .bpm(1000, from: 10), .stretch())
    #expect(far.contains("0.01"), "\(far)")
  }

  @Test(
    arguments: [
      ("loop_120bpm", 120), ("Break 98.5 BPM", 98.5), ("bpm128-amen", 128), ("amen BPM=92", 92),
      ("170bpm_drums_02", 170), ("house (124 bpm)", 124), ("a_87,5bpm", 87.5), ("loop_120", nil),
      ("abpm12", nil), ("120bpms", nil), ("90bpm to 120bpm", nil), ("song", nil), ("", nil),
    ] as [(String, Double?)])
  func namesAreRead(name: String, tempo: Double?) {
    #expect(Tempo.beats(inName: name) == tempo)
  }

  @Test(
    arguments: [
      ("128", 128), ("128.50", 128.5), ("87,5", 87.5), ("174 BPM", 174), ("120-128", nil),
      ("fast", nil), ("", nil), ("1 of 120", nil),
    ] as [(String, Double?)])
  func tagsAreRead(tag: String, tempo: Double?) {
    #expect(Tempo.beats(tag) == tempo)
  }

  /// The chunk of Apple Loops in CAF, whose entries are pairs of texts.
  @Test func beatsOfAppleLoopsInCAF() throws {
    try bench.shell(
      "sox -D -n -r 8000 -c 1 -b 16 a.wav synth 4 sine 200 && ffmpeg -v error -i a.wav a.caf")
    var bytes = try bench.bytes("a.caf")
    func chunk(_ entries: [String], count: UInt8) -> [UInt8] {
      let identity: [UInt8] = [
        0x29, 0x81, 0x92, 0x73, 0xB5, 0xBF, 0x4A, 0xEF, 0xB7, 0x8D, 0x62, 0xD1, 0xEF, 0x90, 0xBB,
        0x2C,
      ]
      let texts: [UInt8] = entries.flatMap { Array($0.utf8) + [0] }
      let content: [UInt8] = identity + [0, 0, 0, count] + texts
      let head: [UInt8] = Array("uuid".utf8) + [0, 0, 0, 0, 0, 0, 0, UInt8(content.count)]
      return head + content
    }
    let place = try #require(position(of: "data", in: bytes))
    bytes.insert(
      contentsOf: chunk(["genre", "Jazz", "beat count", "8", "key type", "major"], count: 3),
      at: place)
    try bench.folder.write("loop.caf", bytes)
    let report = try bench.convert("loop.caf", to: "out.wav", .bpm(60), .linear)
    #expect(report.tempo?.origin == .loop && report.tempo?.beatsPerMinute == 120)
    #expect(report.outputFrames == 64_000)
  }
}
