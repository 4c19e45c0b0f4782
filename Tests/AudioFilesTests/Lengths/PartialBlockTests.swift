import AudioFiles
import AudioModel
import TestSupport
import Testing

@testable import AudioIO

/// Codecs in blocks whose last block is incomplete, judged by FFmpeg's decoders.
@Suite("Incomplete blocks")
struct PartialBlockTests {
  /// A file that ffmpeg wrote, whose audio then ends within a block.
  struct Source: Sendable, CustomTestStringConvertible {
    let codec: String
    let name: String
    let channels: Int
    /// Bytes of a block, and the numbers of bytes that are left of the last one.
    let block: Int
    let rests: [Int]
    var testDescription: String { "\(codec) in \(name), \(channels) channels" }
  }

  private static let sources: [Source] =
    ["x.wav", "x.w64", "x.rf64"].flatMap { name in
      [1, 2].flatMap { channels in
        [
          Source(
            codec: "adpcm_ms", name: name, channels: channels, block: 1024,
            rests: [2, 14, 16, 514, 1022]),
          Source(
            codec: "adpcm_ima_wav", name: name, channels: channels, block: 1024,
            rests: [2, 8, 12, 514, 1016]),
        ]
      }
    } + [
      Source(codec: "adpcm_ima_qt", name: "x.aifc", channels: 1, block: 34, rests: [2, 20, 32]),
      Source(codec: "adpcm_ima_qt", name: "x.aifc", channels: 2, block: 68, rests: [2, 34, 66]),
      Source(codec: "libgsm_ms", name: "x.wav", channels: 1, block: 65, rests: [3, 33, 63]),
      Source(codec: "libgsm_ms", name: "x.w64", channels: 1, block: 65, rests: [33, 64]),
    ]

  /// Ends the audio after 3 blocks and some bytes. The sizes in the headers agree if `declares`.
  private func end(
    _ fixture: AudioFixture, _ source: Source, rest: Int, declares: Bool = true
  ) throws {
    var bytes = try fixture.bytes(source.name)
    func put(_ value: Int, at offset: Int, count: Int, isBigEndian: Bool = false) {
      let number = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      bytes.replaceSubrange(
        offset..<offset + count, with: isBigEndian ? number.reversed() : number)
    }
    let size = 3 * source.block + rest
    let isAIFF = source.name == "x.aifc"
    let name = Array((isAIFF ? "SSND" : "data").utf8)
    let place = try #require(bytes.firstRange(of: name)).lowerBound
    let isWave64 = source.name == "x.w64"
    let start = place + (isAIFF ? 16 : isWave64 ? 24 : 8)
    bytes.removeLast(bytes.count - start - size)
    if declares {
      switch source.name {
      case "x.w64":
        put(size + 24, at: place + 16, count: 8)
        put(bytes.count, at: 16, count: 8)
      case "x.rf64":
        put(bytes.count - 8, at: 20, count: 8)
        put(size, at: 28, count: 8)
      case "x.aifc":
        put(size + 8, at: place + 4, count: 4, isBigEndian: true)
        put(bytes.count - 8, at: 4, count: 4, isBigEndian: true)
      default:
        put(size, at: place + 4, count: 4)
        put(bytes.count - 8, at: 4, count: 4)
      }
    }
    try fixture.put(source.name, bytes)
  }

  private func make(_ fixture: AudioFixture, _ source: Source) throws {
    let kind = ["x.w64": "w64", "x.aifc": "aiff"][source.name] ?? "wav"
    let options = source.name == "x.rf64" ? ["-rf64", "always"] : []
    try Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i", "sine=440:r=8000:d=2", "-ac",
        "\(source.channels)", "-c:a", source.codec,
      ] + options + ["-f", kind, source.name], in: fixture.folder.path
    ).succeeded()
  }

  /// The samples that FFmpeg decodes, in as many frames; seeks do not change them.
  @Test(arguments: sources)
  func framesThatAreThereAreRead(source: Source) throws {
    let fixture = try AudioFixture()
    for rest in source.rests {
      try make(fixture, source)
      try end(fixture, source, rest: rest)
      let expected = try fixture.decodeWithFFmpeg(source.name)
      let read = try fixture.read(source.name)
      #expect(read.source.frameCount == expected.count / source.channels, "\(rest) bytes")
      #expect(read.samples.count == expected.count)
      let most = zip(read.samples, expected).map { abs(Int($0) - Int($1)) }.max() ?? 0
      // libsndfile takes the 9 bits of Apple's predictor, and FFmpeg goes on from the block before.
      #expect(most <= (source.codec == "adpcm_ima_qt" ? 128 : 16), "\(rest) bytes")
      try expectSeeks(fixture, source, read.samples, rest: rest)
    }
  }

  private func expectSeeks(
    _ fixture: AudioFixture, _ source: Source, _ samples: [Int16], rest: Int
  ) throws {
    let reader = try AudioFile.reader(
      for: InputFile(path: fixture.path(source.name)), salvaging: false)
    let frames = reader.source.frameCount
    for place in [frames - 1, 0, frames - 2, frames / 2, frames - 30] {
      try reader.seek(toFrame: place)
      var buffer = [Int16](repeating: 0x5A5A, count: 40 * source.channels)
      var span = buffer.mutableSpan
      let count = try reader.read(into: &span) * source.channels
      #expect(count > 0)
      let start = place * source.channels
      #expect(
        Array(buffer[..<count]) == Array(samples[start..<start + count]),
        "\(rest) bytes, frame \(place)")
    }
  }

  /// A file that ends within a block has the frames before that.
  @Test(arguments: sources.filter { $0.codec != "libgsm_ms" })
  func cutFilesAreSalvaged(source: Source) throws {
    let fixture = try AudioFixture()
    try make(fixture, source)
    try end(fixture, source, rest: source.rests[2], declares: false)
    #expect(throws: AudioFileError.self) { try fixture.read(source.name) }
    let expected = try fixture.decodeWithFFmpeg(source.name)
    let read = try fixture.read(source.name, salvaging: true)
    #expect(read.source.frameCount == expected.count / source.channels)
    #expect(read.samples.count == expected.count)
  }

  /// Bytes that are less than a block are named if no decoder makes frames of them.
  @Test(arguments: sources.suffix(4))
  func leftoversAreNamed(source: Source) throws {
    let fixture = try AudioFixture()
    try make(fixture, source)
    try end(fixture, source, rest: source.rests[1])
    let warnings = try fixture.read(source.name).source.warnings.map(\.text)
    #expect(
      warnings == [
        "its last \(source.rests[1]) bytes of audio are less than a block and are left out"
      ])
  }

  /// Bytes after the audio in Wave64 are no block.
  @Test(arguments: ["adpcm_ms", "adpcm_ima_wav", "libgsm_ms"])
  func chunksAfterTheAudioAreNoBlocks(codec: String) throws {
    let fixture = try AudioFixture()
    let source = Source(
      codec: codec, name: "x.w64", channels: 1, block: codec == "libgsm_ms" ? 65 : 1024, rests: [])
    try make(fixture, source)
    let plain = try fixture.read("x.w64")
    var bytes = try fixture.bytes("x.w64")
    while bytes.count % 8 != 0 { bytes.append(0) }
    let tail: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0xD1, 0x8C, 0, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
    let size = 24 + 2000
    bytes += Array("levl".utf8) + tail + (0..<8).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
    bytes += [UInt8](repeating: 0x33, count: 2000)
    try fixture.put("x.w64", bytes)
    let read = try fixture.read("x.w64")
    #expect(read.source.frameCount == plain.source.frameCount)
    #expect(read.samples == plain.samples)
  }
}
