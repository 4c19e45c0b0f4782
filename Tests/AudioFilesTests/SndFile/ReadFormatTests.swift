import AudioFiles
import AudioModel
import TestSupport
import Testing

@testable import AudioIO

/// Files that other programs made.
@Suite("Formats of other programs", .tags(.packageTraits))
struct ReadFormatTests {
  @Test(arguments: [
    "wav", "aiff", "aifc", "au", "caf", "w64", "nist", "sph", "ircam", "paf", "mat4", "mat5",
    "pvf",
  ])
  func samplesOfSoxFilesAreKept(kind: String) throws {
    let fixture = try AudioFixture()
    try fixture.run(
      "sox", "-n", "-r", "22050", "-c", "2", "-b", "16", "x.\(kind)", "synth", "0.2", "sine", "440",
      "sine", "1000")
    let expected = try fixture.decodeWithSox("x.\(kind)")
    let read = try fixture.read("x.\(kind)")
    #expect(read.samples == expected)
    #expect(read.source.frameCount == expected.count / 2)
    #expect(read.source.spec == AudioSpec(sampleRate: 22050, layout: .stereo))
  }

  @Test(arguments: ["8svx", "sds", "xi", "htk", "wve"])
  func monoFormatsAreRead(kind: String) throws {
    let fixture = try AudioFixture()
    try fixture.run(
      "sox", "-n", "-r", "8000", "-c", "1", "-b", "16", "x.wav", "synth", "0.2", "sine", "440")
    if kind == "8svx" {
      try fixture.run("sox", "-D", "x.wav", "-b", "8", "x.8svx")
    } else {
      try fixture.run(
        "sndfile-convert", kind == "wve" ? "-alaw" : "-override-sample-rate=8000", "x.wav",
        "x.\(kind)")
    }
    let read = try fixture.read("x.\(kind)")
    try fixture.run("sndfile-convert", "-pcm16", "x.\(kind)", "y.wav")
    #expect(read.samples == (try fixture.decodeWithFFmpeg("y.wav")))
    #expect(read.source.frameCount == 1600)
  }

  /// Without FFmpeg's libraries, its ALAC is not read: the header leaves out the bit depth.
  private static let codecs: [(String, String)] = {
    let codecs = [
      ("pcm_u8", "wav"), ("pcm_s24le", "wav"), ("pcm_s32le", "wav"), ("pcm_mulaw", "wav"),
      ("pcm_alaw", "wav"), ("adpcm_ima_wav", "wav"), ("adpcm_ms", "wav"), ("pcm_mulaw", "au"),
      ("pcm_s24be", "aiff"), ("pcm_mulaw", "caf"),
    ]
    #if FFmpeg
      return codecs + [("alac", "caf")]
    #else
      return codecs
    #endif
  }()

  /// Codecs inside WAV, AIFF and AU become PCM in the same container.
  @Test(arguments: codecs)
  func codecsKeepTheirContainer(codec: String, kind: String) throws {
    let fixture = try AudioFixture()
    try fixture.run(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=d=0.3:r=16000", "-c:a", codec,
      "x.\(kind)")
    let read = try fixture.read("x.\(kind)")
    // FFmpeg writes deep samples with an extensible header.
    let ids = ["alac": "caf-alac", "pcm_s24le": "wavex", "pcm_s32le": "wavex"]
    #expect(read.source.format.id == ids[codec] ?? kind)
    let expected = try fixture.decodeWithFFmpeg("x.\(kind)")
    // Block codecs are padded by one program and not by the other; the audio is the same.
    #expect(read.source.frameCount >= 4800)
    #expect(read.source.frameCount - 4800 < 2048)
    let most = zip(read.samples, expected).map { abs(Int($0) - Int($1)) }.max() ?? 0
    #expect(most <= (codec.hasPrefix("adpcm") ? 16 : 2))
  }

  /// Asked for 16 bits, the reader rounds to nearest, ties to even.
  @Test func deepIntegersAreRounded() throws {
    let fixture = try AudioFixture()
    let values: [Int32] = [
      0, 127, 128, 129, 255, 256, 384, -127, -128, -129, -384, 8_388_607, -8_388_608,
    ]
    try fixture.put(
      "x.wav",
      Wave.file(
        channels: 1, bits: 24,
        data: values.flatMap {
          [
            UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8),
            UInt8(truncatingIfNeeded: $0 >> 16),
          ]
        }))
    let read = try fixture.read("x.wav")
    #expect(read.samples == [0, 0, 0, 1, 1, 1, 2, 0, 0, -1, -2, 32767, -32768])
    #expect(read.source.sampleFormat == .int24)
    #expect(read.source.warnings.map(\.text) == [])
  }

  @Test func floatsAreClampedRoundedAndCounted() throws {
    let fixture = try AudioFixture()
    let values: [Float] = [0, 0.5, -1, 1, 1.5, -2, 0.5 / 32768, 1.5 / 32768, .nan, .infinity]
    try fixture.put(
      "x.wav",
      Wave.file(
        channels: 1, bits: 32, tag: 3,
        data: values.flatMap { value in
          (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
        }))
    let read = try fixture.read("x.wav")
    #expect(read.samples == [0, 16384, -32768, 32767, 32767, -32768, 0, 2, 0, 0])
    #expect(read.clipped == 3)
  }

  /// Chunks that only other programs read are carried as they are.
  @Test func foreignChunksAreRead() throws {
    let fixture = try AudioFixture()
    let wave = Wave.file(
      channels: 1, bits: 16, data: [0, 0, 1, 0],
      more: [
        ("cart", [UInt8](repeating: 0, count: 602)), ("cue ", [0, 0, 0, 0]),
        ("iXML", [0x3C, 0x3E]), ("levl", [UInt8](repeating: 0, count: 120)),
        ("r64m", [UInt8](repeating: 0, count: 320)), ("DGDA", [1, 2, 3, 4]), ("junk", [0, 0]),
        ("PAD ", [0, 0]),
      ])
    try fixture.put("x.wav", wave)
    let source = try fixture.read("x.wav").source
    #expect(source.notCarried == [])
    #expect(
      source.metadata.foreignChunks.map(\.title) == [
        "a cart", "iXML", "a peak envelope (levl)", "markers (r64m)", "chunk DGDA",
      ])
    #expect(source.metadata.foreignChunks.last?.content == [1, 2, 3, 4])
  }

  @Test func legacyTextIsReadAsWindows1252() throws {
    let fixture = try AudioFixture()
    let info = Array("INFOINAM".utf8) + [6, 0, 0, 0, 0x47, 0xFC, 0x6E, 0x80, 0x21, 0]
    try fixture.put(
      "x.wav", Wave.file(channels: 1, bits: 16, data: [0, 0], more: [("LIST", info)]))
    #expect(try fixture.read("x.wav").source.metadata.values("TITLE") == ["Gün€!"])
  }
}

/// WAV files put together by hand.
enum Wave {
  static func file(
    channels: Int, bits: Int, tag: Int = 1, rate: Int = 8000, mask: UInt32? = nil, data: [UInt8],
    declared: Int? = nil, more: [(String, [UInt8])] = []
  ) -> [UInt8] {
    let align = channels * bits / 8
    var format = le(mask == nil ? tag : 0xFFFE, 2) + le(channels, 2) + le(rate, 4)
    format += le(rate &* align, 4) + le(align, 2) + le(bits, 2)
    if let mask {
      format += le(22, 2) + le(bits, 2) + le(Int(mask), 4) + le(tag, 2)
      format += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    var body = Array("WAVE".utf8) + chunk("fmt ", format)
    for (name, content) in more { body += chunk(name, content) }
    body += Array("data".utf8) + le(declared ?? data.count, 4) + data
    return Array("RIFF".utf8) + le(body.count, 4) + body
  }

  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + le(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
  }

  static func le(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
