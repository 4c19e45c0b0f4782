import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Reports about containers and codecs, compared with those of other programs.
@Suite("Inspected files: formats")
struct InspectedFormatTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  private func makeNoise(seconds: Double = 2, channels: Int = 2) throws {
    try bench.shell(
      "sox -R -n -r 44100 -c \(channels) -b 16 x.wav synth \(seconds) pinknoise gain -3")
  }

  /// Uncompressed audio: everything that ffprobe reports.
  @Test(
    arguments: [
      ("x.aiff", "-c:a pcm_s24be", 24, true), ("x.caf", "-c:a pcm_s16le", 16, true),
      ("x.au", "-c:a pcm_f64be", 64, true), ("x.w64", "-c:a pcm_s32le", 32, true),
      ("y.wav", "-c:a pcm_u8", 8, true), ("z.wav", "-c:a pcm_alaw", 0, false),
    ])
  func uncompressed(name: String, options: String, bits: Int, isLossless: Bool) throws {
    try makeNoise()
    try bench.shell("ffmpeg -v error -i x.wav \(options) \(name)")
    let facts = try bench.inspect(name)
    let (stream, format) = try bench.probe(name)
    #expect(facts.problem == nil)
    #expect(facts.byteCount == Int(format["size"] as? String ?? ""))
    #expect(facts.isLossless == isLossless)
    #expect(facts.bitDepth == (isLossless ? bits : nil))
    #expect(facts.source.spec.sampleRate == Int(stream["sample_rate"] as? String ?? ""))
    #expect(facts.source.spec.channelCount == stream["channels"] as? Int)
    #expect(facts.source.spec.layout.speakers?.map(\.abbreviation) == ["FL", "FR"])
    #expect(facts.source.frameCount == 88200)
    #expect(facts.source.lengthBasis.rawValue == "declared")
    #expect(facts.averageBitRate == Int(stream["bit_rate"] as? String ?? ""))
    #expect(facts.source.storage.bitRateMode?.rawValue == "constant")
  }

  @Test func speakers() throws {
    let samples = FilePath(#filePath).removingLastComponent().removingLastComponent()
      .removingLastComponent().appending("Samples").string
    let facts = try InspectionReport(of: .file(FilePath("\(samples)/7.1.wav")))
    #expect(facts.source.spec.layout.description == "7.1")
    #expect(
      facts.source.spec.layout.speakers?.map(\.abbreviation) == [
        "FL", "FR", "FC", "LFE", "BL", "BR", "SL", "SR",
      ])
    #expect(facts.source.format.id == "wavex")
  }

  @Test func blocks() throws {
    try makeNoise()
    try bench.shell("sox x.wav -e ms-adpcm y.wav")
    let facts = try bench.inspect("y.wav")
    let (stream, _) = try bench.probe("y.wav")
    #expect(facts.isLossless == false)
    #expect(facts.source.storage.bitRateMode?.rawValue == "constant")
    let declared = try #require(Double(stream["bit_rate"] as? String ?? ""))
    let rate = try #require(facts.averageBitRate)
    #expect(abs(Double(rate) / declared - 1) < 0.02, "\(rate) \(declared)")
  }

  @Test func flac() throws {
    try makeNoise()
    try bench.shell("flac -s x.wav -o x.flac && metaflac --add-padding=3000 x.flac")
    let facts = try bench.inspect("x.flac")
    func reported(_ what: String) throws -> String {
      try bench.shell("metaflac --show-\(what) x.flac").outputText
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
    #expect(facts.source.storage.declaredMD5 == (try reported("md5sum")))
    #expect(facts.source.frameCount == Int(try reported("total-samples")))
    #expect(facts.bitDepth == Int(try reported("bps")))
    let list = try bench.shell("flac -a -s -o - x.flac").outputText
    let offset = try #require(
      list.split(whereSeparator: { $0 == "\t" || $0 == "\n" })
        .first { $0.hasPrefix("offset=") }.flatMap { Int($0.dropFirst("offset=".count)) })
    let audio = Double(try bench.bytes("x.flac").count - offset) * 8 / 2
    #expect(facts.averageBitRate == Int(audio.rounded()))
  }

  /// 20 bits in FLAC are kept in 24.
  @Test func significantBits() throws {
    try bench.shell("sox -R -n -r 44100 -c 1 -b 24 -t raw x.raw synth 0.2 sine 440")
    let raw = try bench.bytes("x.raw")
    var samples: [UInt8] = []
    for index in stride(from: 0, to: raw.count - 2, by: 3) {
      samples += [raw[index] & 0xF0, raw[index + 1], raw[index + 2]]
    }
    func field(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    // WAVE_FORMAT_EXTENSIBLE: PCM in 24 bits, of which 20 are valid.
    let format =
      field(0xFFFE, 2) + field(1, 2) + field(44100, 4) + field(132_300, 4) + field(3, 2)
      + field(24, 2) + field(22, 2) + field(20, 2) + field(4, 4) + field(1, 2)
      + [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    let chunks =
      Array("WAVEfmt ".utf8) + field(format.count, 4) + format + Array("data".utf8)
      + field(samples.count, 4) + samples
    try bench.folder.write("y.wav", Array("RIFF".utf8) + field(chunks.count, 4) + chunks)
    try bench.shell("flac -s y.wav -o y.flac")
    let facts = try bench.inspect("y.flac")
    #expect(facts.bitDepth == 20)
    #expect(facts.source.sampleFormat?.rawValue == "int24")
  }

  @Test(arguments: [
    ("--cbr -b 128", "constant"), ("-V 4", "variable"), ("--abr 100 --resample 44.1", "variable"),
  ])
  func mp3(options: String, mode: String) throws {
    try makeNoise()
    try bench.shell("lame --quiet \(options) x.wav x.mp3")
    let facts = try bench.inspect("x.mp3")
    let media = try bench.shell("mediainfo --Inform='Audio;%BitRate_Mode%' x.mp3").outputText
    #expect(media.hasPrefix(mode == "constant" ? "CBR" : "VBR"))
    #expect(facts.source.storage.bitRateMode?.rawValue == mode)
    let sizes = try bench.packetSizes("x.mp3")
    #expect(facts.source.frameCount == 88200)
    let delay = try #require(facts.source.storage.delay)
    let padding = try #require(facts.source.storage.padding)
    // LAME's own decoder names the delay with that of decoding, 529 frames, in it.
    let reported = try Tool.run("lame", ["--decode", "x.mp3", "/dev/null"], in: bench.folder.path)
    #expect(reported.errorText.contains("skipping initial \(delay + 529) samples"))
    #expect(delay + 88200 + padding == sizes.count * 1152)
    let seconds = Double(sizes.count * 1152) / 44100
    let average = Int(Double(sizes.reduce(0, +)) * 8 / seconds)
    #expect(facts.averageBitRate == (mode == "constant" ? 128_000 : average))
  }

  @Test func vorbis() throws {
    try makeNoise()
    try bench.shell("oggenc -Q -q 4 x.wav -o x.ogg")
    let facts = try bench.inspect("x.ogg")
    let sizes = try bench.packetSizes("x.ogg")
    #expect(facts.source.format.containerName == "Ogg")
    #expect(facts.source.codec == "Vorbis")
    let rate = try #require(facts.averageBitRate)
    #expect(abs(Double(sizes.reduce(0, +) * 8) / 2 / Double(rate) - 1) < 0.02)
  }

  @Test func opus() throws {
    try bench.shell("sox -R -n -r 48000 -c 2 -b 16 x.wav synth 2.0071 pinknoise gain -3")
    try bench.shell("opusenc --quiet --framesize 40 --bitrate 64 x.wav x.opus")
    let facts = try bench.inspect("x.opus")
    let sizes = try bench.packetSizes("x.opus")
    let reported = try bench.shell("opusinfo x.opus").outputText
    let delay = try #require(facts.source.storage.delay)
    #expect(reported.contains("Pre-skip: \(delay)"))
    let frames = facts.source.frameCount
    #expect(frames == 96341)
    let length = Double(sizes.count * 1920) / 48000
    let rate = try #require(facts.averageBitRate)
    #expect(abs(Double(sizes.reduce(0, +) * 8) / length / Double(rate) - 1) < 0.02)
    // The last packet may be shorter.
    let decoded = delay + frames + (facts.source.storage.padding ?? 0)
    #expect([sizes.count * 1920, sizes.count * 1920 - 960].contains(decoded))
  }

  /// The header counts the pre-skip in frames of 48 kHz, regardless of the rate of the source.
  @Test(arguments: [8000, 16000, 24000])
  func opusOfLowerRates(rate: Int) throws {
    try bench.shell("sox -R -n -r \(rate) -c 1 -b 16 x.wav synth 1 pinknoise gain -3")
    try bench.shell("opusenc --quiet --framesize 20 --bitrate 32 x.wav x.opus")
    let facts = try bench.inspect("x.opus")
    let reported = try bench.shell("opusinfo x.opus").outputText
    let line = try #require(reported.split(separator: "\n").first { $0.contains("Pre-skip:") })
    let preSkip = try #require(Int(line.filter(\.isNumber)))
    #expect(facts.source.spec.sampleRate == rate)
    #expect(facts.source.frameCount == rate)
    #expect(facts.source.storage.delay == preSkip * rate / 48000)
  }

  @Test func flacInOgg() throws {
    try makeNoise()
    try bench.shell("flac -s --ogg x.wav -o x.oga && flac -s x.wav -o x.flac")
    let facts = try bench.inspect("x.oga")
    #expect(
      facts.source.storage.declaredMD5 == (try bench.inspect("x.flac").source.storage.declaredMD5))
  }
}
