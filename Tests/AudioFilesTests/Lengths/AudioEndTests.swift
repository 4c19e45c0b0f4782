import AudioFiles
import AudioModel
import TestSupport
import Testing

@testable import AudioIO

/// Bytes behind the audio chunk: more audio, tags, parts of chunks, and bytes that are none.
///
/// Files are put together here, so that every position of the audio in them is known.
@Suite("The end of the audio in chunks")
struct AudioEndTests {
  private let fixture: AudioFixture
  private let samples: [Int16] = Signal.tones(frames: 6000, channels: 1)
  private var audio: [UInt8] { bytes(samples) }
  private static let title = Wave.chunk("LIST", Array("INFO".utf8) + Wave.chunk("INAM", [84, 0]))

  private static func random(_ count: Int) -> [UInt8] {
    var numbers = SeededNumbers(seed: 7)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
  }

  init() throws { fixture = try AudioFixture() }

  private func bytes(_ samples: [Int16], bigEndian: Bool = false) -> [UInt8] {
    samples.flatMap {
      let pair = Wave.le(Int(UInt16(bitPattern: $0)), 2)
      return bigEndian ? pair.reversed() : pair
    }
  }

  /// A WAV file of 16 bits; `size` is the RIFF chunk's, by default the right one.
  private func wav(
    _ audio: [UInt8], declared: Int? = nil, before: [UInt8] = [], after: [UInt8] = [],
    size: Int? = nil, bits: Int = 16, align: Int? = nil
  ) -> [UInt8] {
    let frame = align ?? bits / 8
    let format =
      Wave.le(1, 2) + Wave.le(1, 2) + Wave.le(8000, 4) + Wave.le(8000 * frame, 4)
      + Wave.le(frame, 2) + Wave.le(bits, 2)
    let body =
      Array("WAVE".utf8) + before + Wave.chunk("fmt ", format) + Array("data".utf8)
      + Wave.le(declared ?? audio.count, 4) + audio + after
    return Array("RIFF".utf8) + Wave.le(size ?? body.count, 4) + body
  }

  /// An AIFF file whose COMM chunk counts `frames`.
  private func aiff(
    frames: Int, declared: Int? = nil, offset: Int = 0, after: [UInt8] = [], rate: [UInt8]? = nil
  ) -> [UInt8] {
    let audio = bytes(samples, bigEndian: true)
    let common =
      ChunkFile.big(1, 2) + ChunkFile.big(frames) + ChunkFile.big(16, 2)
      + (rate ?? [0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0])
    let body =
      Array("AIFF".utf8) + ChunkFile.chunk("COMM", common, bigEndian: true) + Array("SSND".utf8)
      + ChunkFile.big(declared ?? audio.count + 8) + ChunkFile.big(offset)
      + [UInt8](repeating: 0, count: 4) + audio + after
    return Array("FORM".utf8) + ChunkFile.big(body.count) + body
  }

  private func warnings(_ name: String, salvaging: Bool = false) throws -> String {
    try fixture.read(name, salvaging: salvaging).source.warnings.map(\.text).joined(separator: "; ")
  }

  /// Expects an error with these words, and all samples when the file is salvaged.
  private func expectDamage(
    _ file: [UInt8], _ words: String, salvaged: [Int16],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try fixture.put("x", file)
    #expect(sourceLocation: sourceLocation) {
      try fixture.read("x")
    } throws: {
      guard let error = $0 as? AudioFileError, error.remedy == .salvage else { return false }
      return errorName(error) == "malformed" && error.message.contains(words)
    }
    let read = try fixture.read("x", salvaging: true)
    #expect(read.samples == salvaged, sourceLocation: sourceLocation)
    #expect(
      read.source.warnings.map(\.text).joined().contains(words), sourceLocation: sourceLocation)
  }

  /// The first frame of AIFF may stand anywhere in its chunk, and nowhere else.
  @Test func theFirstFrameIsInItsChunk() throws {
    try fixture.put("in", aiff(frames: samples.count - 100, offset: 200))
    #expect(try fixture.read("in").samples == Array(samples[100...]))
    try fixture.put("in", aiff(frames: 0, declared: 0, offset: 4))
    #expect(try fixture.read("in").samples == Array(samples[2...]))
    for (offset, declared) in [
      (audio.count + 1, nil), (3 * audio.count, nil), (0xFFFF_FFFF, nil),
      (3 * audio.count + 1, 0x7F00_0000), (0xFFFF_FFFF, 0xFFFF_FFFF),
    ] {
      try fixture.put(
        "out",
        aiff(frames: samples.count, declared: declared, offset: offset, after: audio + audio))
      #expect {
        try fixture.read("out")
      } throws: {
        guard let error = $0 as? AudioFileError else { return false }
        return errorName(error) == "malformed"
          && error.message.contains("names byte \(offset) of its audio")
      }
    }
  }

  @Test(arguments: [2, 3000, 6000, 11_000])
  func audioBehindItsChunkIsDamage(declared: Int) throws {
    try expectDamage(
      wav(audio, declared: declared), "audio seems to follow", salvaged: samples)
    try expectDamage(
      wav(audio, declared: declared, after: Self.title), "audio seems to follow", salvaged: samples)
    // Chunks and their sizes tell it where the outer size does not.
    if declared < 3000 { return }
    try expectDamage(
      wav(audio, declared: declared, size: 36 + declared), "audio seems to follow",
      salvaged: samples)
  }

  @Test func insertedAudioPushesTheEndOut() throws {
    let long = Array(samples[..<3000] + samples[1000..<3048] + samples[3000...])
    for after in [[], Self.title] {
      try expectDamage(
        wav(bytes(long), declared: audio.count, after: after, size: 36 + audio.count + after.count),
        "audio seems to follow", salvaged: long)
    }
  }

  @Test func severalAudioChunksAreDamage() throws {
    let second = Array(samples[..<1001])
    try expectDamage(
      wav(audio, after: Wave.chunk("data", bytes(second))), "2 data chunks",
      salvaged: samples + second)
    try expectDamage(
      wav(audio, after: Self.title + Wave.chunk("data", bytes(second)) + Self.title),
      "2 data chunks", salvaged: samples + second)
  }

  @Test func positionsInSeveralAudioChunks() throws {
    let second = Array(samples[..<1001])
    try fixture.put("x", wav(audio, after: Self.title + Wave.chunk("data", bytes(second))))
    let all = samples + second
    let reader = try AudioFile.reader(for: InputFile(path: fixture.path("x")), salvaging: true)
    for frame in [0, 5999, 6000, 6001, 5990, 7000, 3] {
      try reader.seek(toFrame: frame)
      var block = [Int16](repeating: 9, count: 20)
      var span = block.mutableSpan
      let got = try reader.read(into: &span)
      #expect(got == min(20, all.count - frame))
      #expect(block[..<got] == all[frame..<frame + got], "\(frame)")
    }
  }

  /// AU declares the size of its audio, and nothing of what follows.
  @Test(arguments: [3000, 6000, 11_000])
  func audioBehindItsSizeInAU(declared: Int) throws {
    let head =
      Array(".snd".utf8) + ChunkFile.big(24) + ChunkFile.big(declared) + ChunkFile.big(3)
      + ChunkFile.big(8000) + ChunkFile.big(1)
    let sound = bytes(samples, bigEndian: true)
    try expectDamage(head + sound, "audio seems to follow", salvaged: samples)
    try fixture.put("x", head + sound[..<declared] + Array("A remark at the end.".utf8))
    #expect(try fixture.read("x").samples == Array(samples[..<(declared / 2)]))
    #expect(try warnings("x").contains("20 bytes after the audio"))
    try fixture.put("x", head + sound[..<declared] + [0])
    #expect(try warnings("x") == "")
  }

  @Test(arguments: [(500, true), (3000, true), (500, false)])
  func audioBehindItsChunkInAIFF(frames: Int, counted: Bool) throws {
    let after = ChunkFile.chunk("NAME", Array("Title".utf8), bigEndian: true)
    try expectDamage(
      aiff(frames: counted ? frames : 6000, declared: 8 + 2 * frames, after: after),
      "audio seems to follow", salvaged: samples)
  }

  @Test(arguments: [
    [UInt8](repeating: 0, count: 512), Array("TAG".utf8) + [UInt8](repeating: 0, count: 125),
    Array("Some text that a program appended.\r\n".utf8), AudioEndTests.random(4096),
    AudioEndTests.random(333),
  ])
  func otherBytesAreNamed(junk: [UInt8]) throws {
    try fixture.put("x", wav(audio) + junk)
    #expect(try fixture.read("x").samples == samples)
    let words = "\(junk.count) bytes after the audio, from byte \(44 + audio.count) on"
    #expect(try warnings("x").contains(words))
    // Behind other chunks, too, and when the outer size counts them.
    try fixture.put("x", wav(audio, after: Self.title + junk))
    let read = try fixture.read("x")
    #expect(read.samples == samples)
    #expect(read.source.metadata.values("TITLE") == ["T"])
    #expect(try warnings("x").contains("\(junk.count) bytes after the audio"))
    try fixture.put("x", aiff(frames: 6000) + junk)
    #expect(try fixture.read("x").samples == samples)
    #expect(try warnings("x").contains("\(junk.count) bytes after the audio"))
  }

  @Test func aFileThatEndsWithinAChunkLacksTags() throws {
    let whole = wav(audio, after: Self.title)
    for cut in 1...Self.title.count {
      try fixture.put("x", whole.dropLast(cut))
      let read = try fixture.read("x")
      #expect(read.samples == samples)
      // The pad byte alone is no loss; there is none here, so every cut is one.
      #expect(read.source.warnings.contains { $0.text.contains("the file ends") }, "\(cut)")
    }
    let name = ChunkFile.chunk("NAME", Array("Titles".utf8), bigEndian: true)
    for cut in 1...name.count {
      try fixture.put("x", aiff(frames: 6000, after: name).dropLast(cut))
      #expect(try warnings("x").contains("the file ends"), "\(cut)")
    }
  }

  @Test func wholeFilesHaveNoWarnings() throws {
    for after in [[], Self.title, Wave.chunk("abcd", [1, 2, 3])] {
      try fixture.put("x", wav(audio, after: after))
      #expect(try warnings("x") == "")
    }
    try fixture.put("x", aiff(frames: 6000))
    #expect(try warnings("x") == "")
  }

  /// A streaming writer leaves the sizes open.
  @Test(arguments: [0, 0xFFFF_FFFF, 0x7FFF_F000])
  func chunksBehindAudioOfUnknownSize(size: Int) throws {
    try fixture.put("x", wav(audio, declared: size, after: Self.title, size: size))
    let read = try fixture.read("x")
    #expect(read.samples == samples)
    #expect(read.source.metadata.values("TITLE") == ["T"])
    #expect(try warnings("x").contains("left open"))
    try fixture.put("x", wav(audio, declared: size, size: size))
    #expect(try fixture.read("x").samples == samples)
    #expect(try warnings("x") == "")
  }

  @Test func anOddChunkWithoutItsPadByte() throws {
    let odd = Array(Wave.chunk("abcd", [UInt8](repeating: 120, count: 27)).dropLast())
    try expectDamage(wav(audio, before: odd), "no pad byte", salvaged: samples)
    // After the audio it is read.
    try fixture.put("x", wav(audio, after: odd + Self.title))
    let read = try fixture.read("x")
    #expect(read.samples == samples)
    #expect(read.source.metadata.values("TITLE") == ["T"])
    #expect(try warnings("x").contains("no pad byte"))
    // The audio itself.
    let eight = samples.prefix(4001).map { UInt8(truncatingIfNeeded: Int($0) >> 8 + 128) }
    try fixture.put("x", wav(eight, after: Self.title, bits: 8))
    #expect(try fixture.read("x").source.frameCount == 4001)
    #expect(try fixture.read("x").source.metadata.values("TITLE") == ["T"])
    #expect(try warnings("x").contains("no pad byte"))
  }

  @Test func itemsOfListsWithoutPadBytes() throws {
    let list =
      Array("INFO".utf8) + Wave.chunk("INAM", Array("One".utf8)).dropLast()
      + Wave.chunk("IART", Array("Two".utf8)).dropLast() + Wave.chunk("IPRD", Array("3".utf8) + [0])
    try fixture.put("x", wav(audio, after: Wave.chunk("LIST", list)))
    let tags = try fixture.read("x").source.metadata
    #expect(
      [tags.values("TITLE"), tags.values("ARTIST"), tags.values("ALBUM")] == [
        ["One"], ["Two"], ["3"],
      ])
  }

  @Test func labelsInALowerCaseList() throws {
    let cue =
      Wave.le(1, 4) + Wave.le(7, 4) + Wave.le(100, 4) + Array("data".utf8)
      + Wave.le(0, 4) + Wave.le(0, 4) + Wave.le(100, 4)
    let label = Wave.chunk("labl", Wave.le(7, 4) + Array("Here\0".utf8))
    try fixture.put(
      "x",
      wav(audio, after: Wave.chunk("cue ", cue) + Wave.chunk("list", Array("adtl".utf8) + label)))
    let read = try fixture.read("x")
    #expect(read.source.metadata.marks.map(\.label) == ["Here"])
    #expect(read.source.notCarried == [])
  }

  // MARK: Contradictions in the header

  @Test func samplesOf24BitsIn4BytesAreRefused() throws {
    try fixture.put("x", wav(audio, bits: 24, align: 4))
    #expect { try fixture.read("x") } throws: { errorName($0) == "limitExceeded" }
    // ffmpeg reads samples of 16 bits as packed.
    try fixture.put("x", wav(audio, bits: 16, align: 4))
    #expect(try fixture.read("x").samples == samples)
    #expect(try fixture.decodeWithFFmpeg("x") == samples)
  }

  @Test func framesBeyondThoseOfCOMMAreNamed() throws {
    try fixture.put("x", aiff(frames: 4000))
    #expect(try fixture.read("x").samples == samples)
    #expect(try warnings("x").contains("counts 4000 frames, and 2000 more"))
  }

  /// 22254.5454… Hz of the first Macintosh, and 8912.75 Hz; sox shows the same rates.
  @Test(arguments: [
    ([0x40, 0x0D, 0xAD, 0xDD, 0x17, 0x45, 0xD1, 0x74, 0x5D, 0x17] as [UInt8], 22255, "22254.545"),
    ([0x40, 0x0C, 0x8B, 0x43, 0, 0, 0, 0, 0, 0] as [UInt8], 8913, "8912.750"),
  ])
  func fractionalRatesAreRounded(bytes: [UInt8], rate: Int, text: String) throws {
    try fixture.put("x.aiff", aiff(frames: 6000, rate: bytes))
    #expect(try fixture.read("x.aiff").source.spec.sampleRate == rate)
    #expect(try warnings("x.aiff") == "its sample rate of \(text) Hz is read as \(rate) Hz")
    #expect(try fixture.run("soxi", "-r", "x.aiff").outputText.hasPrefix(text.prefix(4)))
  }

  /// A `ds64` chunk without the length of a table.
  @Test(arguments: 0...5)
  func shortSizesOfRF64(frames: Int) throws {
    let audio = [UInt8](repeating: 100, count: frames)
    let format =
      Wave.le(1, 2) + Wave.le(1, 2) + Wave.le(8000, 4) + Wave.le(8000, 4) + Wave.le(1, 2)
      + Wave.le(8, 2)
    let rest =
      Wave.chunk("fmt ", format) + Array("data".utf8) + Wave.le(0xFFFF_FFFF, 4) + audio
      + (frames % 2 == 1 ? [0] : [])
    let sizes = Wave.le(4 + 32 + rest.count, 8) + Wave.le(frames, 8) + Wave.le(frames, 8)
    try fixture.put(
      "x",
      Array("RF64".utf8) + Wave.le(0xFFFF_FFFF, 4) + Array("WAVE".utf8) + Wave.chunk("ds64", sizes)
        + rest)
    let read = try fixture.read("x")
    // 100 is 28 below the middle of 8 unsigned bits.
    #expect(read.samples == [Int16](repeating: -28 << 8, count: frames))
    #expect(read.source.warnings == [])
  }
}
