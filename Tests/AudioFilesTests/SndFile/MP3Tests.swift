import AudioFiles
import AudioModel
import TestSupport
import Testing

@testable import AudioIO

/// MP3 does not declare its length: what encoders state, and what is there.
@Suite("MP3")
struct MP3Tests {
  private func source(_ fixture: AudioFixture, rate: Int = 44100, channels: Int = 2) throws {
    try fixture.run(
      "sox", "-R", "-n", "-r", "\(rate)", "-c", "\(channels)", "-b", "16", "x.wav", "synth", "1.5",
      "pinknoise", "vol", "0.4")
  }

  /// Without a header all frames count; with LAME's, delay and padding are cut off.
  @Test(arguments: [
    ["--cbr", "-b", "128"], ["-t", "--cbr", "-b", "128"], ["--abr", "140"], ["-t", "--abr", "140"],
    ["-V2"], ["-t", "-V2"], ["-V5"], ["-t", "-p", "--cbr", "-b", "160"], ["-p", "-V4"],
    ["--tt", "Title", "--id3v1-only"], ["--tt", "Title", "--id3v2-only"],
  ])
  func lengthsOfLAMEFilesAreExact(options: [String]) throws {
    let fixture = try AudioFixture()
    try source(fixture)
    _ = try Tool.run("lame", ["--quiet"] + options + ["x.wav", "x.mp3"], in: fixture.folder.path)
    let expected = try fixture.decodeWithFFmpeg("x.mp3").count / 2
    let read = try fixture.read("x.mp3")
    #expect(read.source.frameCount == expected)
    #expect(read.samples.count == expected * 2)
    if !options.contains("-t") { #expect(expected == 66150) }
    if options.contains("Title") { #expect(read.source.metadata.values("TITLE") == ["Title"]) }
  }

  @Test(arguments: [["-b:a", "128k"], ["-q:a", "3"], ["-b:a", "96k", "-write_xing", "0"]])
  func lengthsOfFilesByFFmpegAreExact(options: [String]) throws {
    let fixture = try AudioFixture()
    try source(fixture)
    _ = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", "x.wav"] + options + ["-metadata", "title=Ünï 日本", "x.mp3"],
      in: fixture.folder.path)
    let expected = try fixture.decodeWithFFmpeg("x.mp3").count / 2
    let read = try fixture.read("x.mp3")
    #expect(read.source.frameCount == expected)
    #expect(read.source.metadata.values("TITLE") == ["Ünï 日本"])
  }

  @Test(arguments: [8000, 11025, 16000, 22050, 24000, 32000, 48000], [1, 2])
  func allRatesAreReadAndWritten(rate: Int, channels: Int) throws {
    let fixture = try AudioFixture()
    let samples = Signal.tones(frames: 7001, channels: channels, rate: rate)
    try fixture.write(
      "x.mp3", samples, as: "mp3", layout: .assumed(channelCount: channels), rate: rate)
    #expect(try fixture.decodeWithFFmpeg("x.mp3").count == samples.count)
    let read = try fixture.read("x.mp3")
    #expect(read.source.frameCount == 7001)
    #expect(read.source.spec.sampleRate == rate)
    // No sample is far off, which a block written from half its samples would be.
    let noise = zip(read.samples, samples).map { Double(abs(Int($0) - Int($1))) }.reduce(0, +)
    #expect(noise / Double(samples.count) < 800)
  }

  @Test(arguments: [
    (44100, 320_000), (44100, 64000), (48000, 128_000), (32000, 48000), (22050, 160_000),
    (24000, 64000), (11025, 64000), (8000, 32000),
  ])
  func bitRateIsTheRequestedOne(rate: Int, bitRate: Int) throws {
    let fixture = try AudioFixture()
    let samples = Signal.noise(frames: rate, channels: 2).map { $0 / 4 }
    try fixture.write(
      "x.mp3", samples, as: "mp3", layout: .stereo, rate: rate,
      options: EncodingOptions(bitRate: bitRate))
    #expect(try fixture.probe("x.mp3", "bit_rate") == "\(bitRate)")
    #expect(try fixture.decodeWithFFmpeg("x.mp3").count == samples.count)
    #expect(try fixture.read("x.mp3").source.bitRate == bitRate)
  }

  /// The frames of the lowest rates are too short for the header with the length.
  @Test(arguments: [(44100, 32000), (22050, 8000), (22050, 40000), (8000, 8000)])
  func lengthIsExactAtTheLowestRates(rate: Int, bitRate: Int) throws {
    let fixture = try AudioFixture()
    let samples = Signal.tones(frames: rate, channels: 2, rate: rate)
    try fixture.write(
      "x.mp3", samples, as: "mp3", layout: .stereo, rate: rate,
      options: EncodingOptions(bitRate: bitRate))
    #expect(try fixture.decodeWithFFmpeg("x.mp3").count == samples.count)
  }

  @Test func lowerQualityMakesSmallerFilesAtTheSameRate() throws {
    let fixture = try AudioFixture()
    let samples = Signal.noise(frames: 44100, channels: 2).map { $0 / 4 }
    var sizes: [Int] = []
    for quality in [0.0, 4, 9] {
      try fixture.write(
        "x.mp3", samples, as: "mp3", layout: .stereo, rate: 44100,
        options: EncodingOptions(quality: quality))
      sizes.append(try fixture.bytes("x.mp3").count)
    }
    #expect(sizes == sizes.sorted(by: >))
    try fixture.write(
      "x.mp3", samples, as: "mp3", layout: .stereo, rate: 44100, sourceBitRate: 128_000)
    #expect(try fixture.probe("x.mp3", "bit_rate") == "128000")
    try fixture.write(
      "x.mp3", samples, as: "mp3", layout: .stereo, rate: 44100, sourceBitRate: 133_994)
    let average = try #require(try fixture.read("x.mp3").source.bitRate)
    #expect(abs(average - 134_000) < 12_000)
  }

  @Test func tagsAreWrittenInUTF8() throws {
    let fixture = try AudioFixture()
    let picture = Metadata.Picture(
      type: 3, mimeType: "image/png", description: "", width: 0, height: 0, depth: 0, colors: 0,
      data: try png(fixture))
    let metadata = Metadata(
      comments: [
        .init(name: "TITLE", value: "Ünï 日本"), .init(name: "artist", value: "A"),
        .init(name: "ARTIST", value: "B"), .init(name: "DATE", value: "2001-02-03"),
        .init(name: "COMMENT", value: "a comment"), .init(name: "MOOD", value: "чудо"),
      ], pictures: [picture])
    try fixture.write(
      "x.mp3", Signal.tones(frames: 5000, channels: 1), as: "mp3", layout: .mono,
      metadata: metadata)
    let tags = try fixture.run(
      "ffprobe", "-v", "error", "-show_entries", "format_tags", "-of", "default=noprint_wrappers=1",
      "x.mp3"
    ).outputText
    for line in ["TAG:title=Ünï 日本", "TAG:artist=A", "TAG:date=2001-02-03", "TAG:TMOO=чудо"] {
      #expect(tags.contains(line), "\(line) in \(tags)")
    }
    #expect(tags.contains("a comment"))
    // ffprobe shows the first of several values, which are separated by a zero.
    let tag = try fixture.bytes("x.mp3").prefix(2000)
    #expect(tag.indices.contains { tag[$0...].starts(with: [0x41, 0, 0x42]) })
    let streams = try fixture.run(
      "ffprobe", "-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", "x.mp3")
    #expect(streams.outputText.contains("png"))
    let read = try fixture.read("x.mp3")
    #expect(read.samples.count == 5000)
    #expect(read.source.metadata.values("TITLE") == ["Ünï 日本"])
    #expect(read.source.metadata.values("mood") == ["чудо"])
    #expect(read.source.metadata.pictures.map(\.data) == [picture.data])
    #expect(read.source.warnings.map(\.text) == [])
  }

  private func png(_ fixture: AudioFixture) throws -> [UInt8] {
    try fixture.run(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=s=8x8:d=1", "-frames:v", "1", "c.png")
    return try fixture.bytes("c.png")
  }

  @Test(arguments: [["--cbr"], ["-t", "--cbr"], ["-V2"], ["-t", "-V2"]])
  func aCutFileIsTruncated(options: [String]) throws {
    let fixture = try AudioFixture()
    try source(fixture)
    _ = try Tool.run("lame", ["--quiet"] + options + ["x.wav", "x.mp3"], in: fixture.folder.path)
    let bytes = try fixture.bytes("x.mp3")
    for count in [2000, 5003, bytes.count / 3, bytes.count - 300, bytes.count - 1] {
      try fixture.put("cut.mp3", bytes[..<count])
      #expect("at \(count) of \(bytes.count)") { try fixture.read("cut.mp3") } throws: {
        errorName($0) == "truncated"
      }
      let salvaged = try fixture.read("cut.mp3", salvaging: true)
      #expect(salvaged.samples.count == salvaged.source.frameCount * 2)
      #expect(salvaged.source.warnings.map(\.text).first?.hasPrefix("salvaged ") == true)
    }
  }

  /// Fraunhofer's encoders declare the count of frames 32 bytes after the header of a frame of its own.
  @Test func aVBRIHeaderDeclaresTheFrames() throws {
    let fixture = try AudioFixture()
    try source(fixture)
    try fixture.run("lame", "--quiet", "-t", "--cbr", "-b", "128", "x.wav", "x.mp3")
    let audio = try fixture.bytes("x.mp3")
    let plain = try fixture.read("x.mp3")
    let frames = plain.source.frameCount / 1152
    try #require(frames * 1152 == plain.source.frameCount)
    // Without padding, a frame of 128 kb/s has 144 * 128000 / 44100 bytes.
    let byteCount = 417
    func field(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }
    func file(declaring frames: Int) -> [UInt8] {
      var frame = [audio[0], audio[1], audio[2] & ~2, audio[3]] + [UInt8](repeating: 0, count: 32)
      frame += Array("VBRI".utf8) + [0, 1, 0, 0, 0, 75]
      frame += field(byteCount + audio.count) + field(frames)
      return frame + [UInt8](repeating: 0, count: byteCount - frame.count) + audio
    }
    try fixture.put("vbri.mp3", file(declaring: frames))
    let read = try fixture.read("vbri.mp3")
    #expect(read.source.frameCount == plain.source.frameCount)
    #expect(read.samples == plain.samples)
    try fixture.put("vbri.mp3", file(declaring: frames + 2))
    #expect { try fixture.read("vbri.mp3") } throws: { errorName($0) == "truncated" }
  }

  @Test func garbageBetweenFramesIsAnErrorWithoutSalvaging() throws {
    let fixture = try AudioFixture()
    try source(fixture)
    try fixture.run("lame", "--quiet", "--cbr", "x.wav", "x.mp3")
    let bytes = try fixture.bytes("x.mp3")
    let garbage = Signal.noise(frames: 500, channels: 1).map {
      UInt8(truncatingIfNeeded: $0) & 0x7F
    }
    try fixture.put("bad.mp3", bytes[..<9000] + garbage + bytes[9000...])
    #expect { try fixture.read("bad.mp3") } throws: { errorName($0) == "malformed" }
    let salvaged = try fixture.read("bad.mp3", salvaging: true)
    #expect(salvaged.source.frameCount > 64000)
    try fixture.put("zeros.mp3", [UInt8](repeating: 0, count: 4000) + bytes)
    #expect(try fixture.read("zeros.mp3").source.frameCount == 66150)
  }

  @Test func aDamagedFrameIsAnErrorWithoutSalvaging() throws {
    let fixture = try AudioFixture()
    try source(fixture)
    try fixture.run("lame", "--quiet", "--cbr", "-m", "s", "x.wav", "x.mp3")
    var bytes = try fixture.bytes("x.mp3")
    // The second half of the file begins its next frame at a header; its side information is set to ones.
    let start = try #require(
      bytes.indices.dropFirst(bytes.count / 2).first {
        bytes[$0] == 0xFF && bytes[$0 + 1] == 0xFB && bytes[$0 + 2] & 0xFC == 0x90
      })
    for index in start + 6..<start + 30 { bytes[index] = 0xFF }
    try fixture.put("bad.mp3", bytes)
    #expect { try fixture.read("bad.mp3") } throws: { errorName($0) == "malformed" }
    #expect(try fixture.read("bad.mp3", salvaging: true).source.frameCount > 60000)
  }

  /// The offset of LAME's extension of the encoder's header: its name.
  private func extensionStart(_ bytes: [UInt8]) throws -> Int {
    try #require(bytes.indices.first { bytes[$0...].starts(with: Array("LAME3".utf8)) })
  }

  /// Without delay and padding, the header does not show what to trim.
  @Test(arguments: [["-V4"], ["--cbr", "-b", "128"]])
  func headersWithoutLAMEFieldsTrimNothing(options: [String]) throws {
    let fixture = try AudioFixture()
    try source(fixture)
    _ = try Tool.run("lame", ["--quiet"] + options + ["x.wav", "x.mp3"], in: fixture.folder.path)
    var bytes = try fixture.bytes("x.mp3")
    let start = try extensionStart(bytes)
    for index in start..<start + 36 { bytes[index] = 0 }
    try fixture.put("x.mp3", bytes)
    let read = try fixture.read("x.mp3")
    #expect(read.samples.count == (try fixture.decodeWithFFmpeg("x.mp3")).count)
    #expect(read.source.frameCount % 1152 == 0)
    // Old versions of libavformat wrote their name and no numbers: the decoder's delay is cut off.
    for (index, byte) in "Lavf".utf8.enumerated() { bytes[start + index] = byte }
    try fixture.put("x.mp3", bytes)
    #expect(
      try fixture.read("x.mp3").samples.count == (try fixture.decodeWithFFmpeg("x.mp3")).count)
  }

  /// Some encoders count the frame of the header, too; the size shows that nothing is missing.
  @Test(arguments: [0, 1], [false, true])
  func aFraunhoferHeaderMayCountItself(more: Int, countsItsBytes: Bool) throws {
    let fixture = try AudioFixture()
    try source(fixture)
    try fixture.run("lame", "--quiet", "-t", "--cbr", "-b", "128", "x.wav", "x.mp3")
    let audio = try fixture.bytes("x.mp3")
    let frames = try fixture.decodeWithFFmpeg("x.mp3").count / 2 / 1152
    func header(_ frames: Int, _ bytes: Int) -> [UInt8] {
      let numbers = [bytes, frames].flatMap { number in
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
      }
      var frame = [UInt8](repeating: 0, count: 417)
      let fields = Array("VBRI".utf8) + [0, 1, 0, 0, 0, 75] + numbers
      frame.replaceSubrange(0..<4, with: audio[0..<4])
      frame.replaceSubrange(36..<36 + fields.count, with: fields)
      return frame
    }
    let size = audio.count + (countsItsBytes ? 417 : 0)
    try fixture.put("x.mp3", header(frames + more, size) + audio)
    #expect(try fixture.read("x.mp3").source.frameCount == 1152 * frames)
    try fixture.put("x.mp3", header(frames + more, size) + audio.dropLast(418))
    #expect { try fixture.read("x.mp3") } throws: { errorName($0) == "truncated" }
  }

  /// Tags, zeros, and a few stray bytes after the last frame are not damage.
  @Test(arguments: [
    ("zeros ID3v1", 0), ("ID3v1 ID3v2", 0), ("ID3v1 APE", 0), ("ID3v1 APEfooter", 0),
    ("APEfooter ID3v1", 0), ("zeros APE ID3v1 zeros", 0), ("lyrics ID3v1", 0), ("footed", 0),
    ("zeros ID3v2 zeros ID3v1", 0), ("stray", 1), ("ID3v1 stray", 1), ("stray ID3v1", 1),
    ("ID3v1 noise", 1), ("noise ID3v1", nil), ("noise", nil), ("sync", nil),
  ])
  func tailsAreNotDamage(tail: String, warnings: Int?) throws {
    let fixture = try AudioFixture()
    try source(fixture)
    try fixture.run("lame", "--quiet", "-t", "--cbr", "-b", "128", "x.wav", "x.mp3")
    let item: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0] + Array("Key".utf8) + [0, 0x41]
    func ape(_ flags: UInt8) -> [UInt8] {
      var tag = Array("APETAGEX".utf8)
      tag += [0xD0, 7, 0, 0, UInt8(32 + item.count), 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, flags]
      return tag + [UInt8](repeating: 0, count: 8)
    }
    let lyrics = "LYRICSBEGININD0000200LYR00003abc"
    func text(_ text: String, _ bytes: [UInt8] = [], zeros: Int) -> [UInt8] {
      Array(text.utf8) + bytes + [UInt8](repeating: 0, count: zeros)
    }
    let footer = text("3DI", [4, 0, 0x10, 0, 0, 0, 20], zeros: 0)
    let parts: [Substring: [UInt8]] = [
      "zeros": text("", zeros: 300), "ID3v1": text("TAGA title", zeros: 118),
      "ID3v2": text("ID3", [3, 0, 0, 0, 0, 0, 20], zeros: 20),
      "footed": text("ID3", [4, 0, 0x10, 0, 0, 0, 20], zeros: 20) + footer,
      "APE": ape(0xA0) + item + ape(0x80), "APEfooter": item + ape(0),
      "lyrics": Array((lyrics + "000032LYRICS200").utf8), "stray": [0x0A],
      "noise": (0..<3000).map { UInt8(truncatingIfNeeded: $0 * 7 % 251) & 0x7F },
      "sync": [0xFF, 0xFB],
    ]
    let bytes = try fixture.bytes("x.mp3")
    let expected = try fixture.decodeWithFFmpeg("x.mp3").count
    try fixture.put(
      "x.mp3", bytes + (try tail.split(separator: " ").flatMap { try #require(parts[$0]) }))
    if let warnings {
      let read = try fixture.read("x.mp3")
      #expect(read.samples.count == expected)
      #expect(read.source.warnings.count == warnings, "\(read.source.warnings)")
    } else {
      #expect(throws: AudioFileError.self) { try fixture.read("x.mp3") }
    }
    #expect(try fixture.read("x.mp3", salvaging: true).samples.count == expected)
  }

  /// LAME's header counts even if other bytes follow it: its delay is trimmed, and frames that it promises are missed.
  @Test(arguments: [false, true]) func headersAreReadBeforeOtherBytes(isTruncated: Bool) throws {
    let fixture = try AudioFixture()
    try source(fixture)
    try fixture.run("lame", "--quiet", "-p", "--cbr", "-b", "192", "x.wav", "x.mp3")
    let bytes = try fixture.bytes("x.mp3")
    let expected = try fixture.decodeWithFFmpeg("x.mp3").count
    // Frames of 626 or 627 bytes; the first one, the header, has no padding.
    let noise = (0..<585).map { UInt8(truncatingIfNeeded: $0 * 7 % 251) & 0x7F }
    let kept = isTruncated ? 626 * 20 : bytes.count
    try fixture.put("x.mp3", bytes[..<626] + noise + bytes[626..<kept])
    #expect { try fixture.read("x.mp3") } throws: { errorName($0) == "malformed" }
    // The 18 remaining frames lack the delay of encoder and decoder.
    let left = isTruncated ? (18 * 1152 - 576 - 529) * 2 : expected
    let salvaged = try fixture.read("x.mp3", salvaging: true)
    #expect(salvaged.samples.count == left)
    let report =
      "salvaged \((left / 2).grouped) \(isTruncated ? "of \((expected / 2).grouped) " : "")frames"
    #expect(salvaged.source.warnings.contains { $0.text.hasPrefix(report) })
  }

  /// libmp3lame ends the process at samples far above full scale, as in files that hold 24-bit integers as floats.
  @Test(arguments: [1e4, 1e6, 8e6, 1e12, 3e38], ["128000", "V0", "V9"])
  func hugeSamplesAreLimited(peak: Double, setting: String) throws {
    let fixture = try AudioFixture()
    let samples: [Float] = Signal.tones(frames: 9000, channels: 2, rate: 44100).enumerated().map {
      Float($0.element) / 32768 * ($0.offset / 2000 % 2 == 0 ? Float(peak) : 1)
    }
    let options =
      setting.hasPrefix("V")
      ? EncodingOptions(quality: Double(setting.dropFirst())) : EncodingOptions(bitRate: 128_000)
    let warnings = try fixture.write(
      "x.mp3", samples, as: "mp3", layout: .stereo, rate: 44100, options: options)
    #expect(warnings.isEmpty == (peak < 32768), "\(warnings)")
    #expect(try fixture.decodeWithFFmpeg("x.mp3").count == samples.count)
  }

  @Test func optionsOutOfRangeAreNamed() throws {
    let fixture = try AudioFixture()
    for options in [
      EncodingOptions(bitRate: 100_000), EncodingOptions(quality: 11), EncodingOptions(quality: -1),
      EncodingOptions(compressionLevel: 5),
    ] {
      #expect {
        try fixture.write("x.mp3", [0, 0], as: "mp3", layout: .mono, options: options)
      } throws: { errorName($0) == "cannotHold" }
    }
    for options in [
      EncodingOptions(bitRate: 128_000), EncodingOptions(quality: 3),
      EncodingOptions(compressionLevel: 5),
    ] {
      #expect {
        try fixture.write("x.wav", [0, 0], as: "wav", layout: .mono, options: options)
      } throws: { errorName($0) == "cannotHold" }
    }
  }
}
