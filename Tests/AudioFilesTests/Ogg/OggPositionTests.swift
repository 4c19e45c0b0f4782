import AudioModel
import TestSupport
import Testing

@testable import AudioFiles
@testable import AudioIO

/// Opus and Vorbis whose positions were computed from times in milliseconds, or of a part: every frame of the packets is
/// read, as opusdec, oggdec and ffmpeg read them.
@Suite("Ogg with positions that contradict its packets")
struct OggPositionTests {
  /// Pink noise as `x.wav`.
  private func source(
    _ fixture: AudioFixture, seconds: Double, rate: Int = 48000, channels: Int = 2
  ) throws {
    try fixture.run(
      "sox", "-R", "-n", "-r", "\(rate)", "-c", "\(channels)", "-b", "16", "x.wav", "synth",
      "\(seconds)", "pinknoise", "vol", "0.4")
  }

  /// Runs programs one after another, each with arguments that contain no spaces.
  private func run(_ fixture: AudioFixture, _ commands: [String]) throws {
    for command in commands {
      let words = command.split(separator: " ").map(String.init)
      let result = try Tool.run(words[0], Array(words.dropFirst()), in: fixture.folder.path)
      try #require(result.status == 0, "\(command): \(result.errorText)")
    }
  }

  /// Expects a file to have the samples of `y.wav`, strictly and salvaged.
  private func expectSamples(_ fixture: AudioFixture, _ name: String, of reference: String) throws {
    let expected = try fixture.read(reference).samples
    try #require(expected.count > 20_000)
    for salvaging in [false, true] {
      let read = try fixture.read(name, salvaging: salvaging)
      #expect(read.samples.count == expected.count, "salvaging: \(salvaging)")
      #expect(read.source.frameCount * read.source.spec.channelCount == expected.count)
      let difference = zip(read.samples, expected).map { abs(Int($0) - Int($1)) }.max() ?? 99
      #expect(difference <= 1, "salvaging: \(salvaging)")
      #expect(read.source.warnings.isEmpty, "\(read.source.warnings)")
    }
  }

  /// FFmpeg's muxers and mkvmerge, with packets of 2.5 to 60 ms, whole files and parts.
  @Test(arguments: [
    "opusenc --quiet --framesize 2.5 x.wav a.opus; ffmpeg -v error -i a.opus -c copy b.mka; ffmpeg -v error -i b.mka -c copy x.opus",
    "opusenc --quiet --framesize 60 x.wav a.opus; mkvmerge -q -o b.mka a.opus; ffmpeg -v error -i b.mka -c copy x.opus",
    "opusenc --quiet --framesize 60 x.wav a.opus; mkvmerge -q -o b.mka a.opus; ffmpeg -v error -ss 1.5 -i b.mka -c copy x.opus",
    "opusenc --quiet --framesize 20 x.wav a.opus; mkvmerge -q -o b.mka a.opus; ffmpeg -v error -ss 1.5 -i b.mka -c copy x.opus",
    "ffmpeg -v error -i x.wav -c:a libmp3lame b.mkv; ffmpeg -v error -i b.mkv -c:a libopus x.opus",
    "ffmpeg -v error -i x.wav -c:a aac b.mkv; ffmpeg -v error -i b.mkv -c:a libopus -b:a 96k x.opus",
    "ffmpeg -v error -i x.wav -c:a mp2 b.ts; ffmpeg -v error -i b.ts -c:a libopus x.opus",
  ])
  func opusHasTheFramesOfItsPackets(commands: String) throws {
    let fixture = try AudioFixture()
    try source(fixture, seconds: 4.0137)
    try run(fixture, commands.split(separator: ";").map(String.init))
    try fixture.run("opusdec", "--quiet", "--rate", "48000", "--no-dither", "x.opus", "y.wav")
    try expectSamples(fixture, "x.opus", of: "y.wav")
  }

  @Test(
    arguments: [
      "ffmpeg -v error -i x.wav -c:a libvorbis a.ogg; ffmpeg -v error -i a.ogg -c copy b.mka; ffmpeg -v error -i b.mka -c copy x.ogg",
      "ffmpeg -v error -i x.wav -c:a libvorbis a.ogg; mkvmerge -q -o b.mka a.ogg; ffmpeg -v error -i b.mka -c copy x.ogg",
      "ffmpeg -v error -i x.wav -c:a libmp3lame b.mkv; ffmpeg -v error -i b.mkv -c:a libvorbis x.ogg",
      "ffmpeg -v error -i x.wav -c:a aac b.mkv; ffmpeg -v error -i b.mkv -c:a libvorbis x.ogg",
    ], [44100, 48000])
  func vorbisHasTheFramesOfItsPackets(commands: String, rate: Int) throws {
    let fixture = try AudioFixture()
    try source(fixture, seconds: 4.0137, rate: rate)
    try run(fixture, commands.split(separator: ";").map(String.init))
    try fixture.run("oggdec", "-Q", "-o", "y.wav", "x.ogg")
    try expectSamples(fixture, "x.ogg", of: "y.wav")
  }

  /// FLAC that mkvmerge puts into Matroska begins at -1 ms there. opusdec refuses the file; ffmpeg reads it.
  @Test func opusMayBeginBelowZero() throws {
    let fixture = try AudioFixture()
    try source(fixture, seconds: 4)
    try run(
      fixture,
      [
        "flac -s -o s.flac x.wav", "mkvmerge -q -o b.mka s.flac",
        "ffmpeg -v error -i b.mka -c:a libopus x.opus",
      ])
    let pages = OggBytes.pages(try fixture.bytes("x.opus"))
    try #require(position(try fixture.bytes("x.opus"), pages[2]) == 47_999)
    let expected = try fixture.decodeWithFFmpeg("x.opus").count
    try #require(expected == 2 * 192_000)
    for salvaging in [false, true] {
      #expect(try fixture.read("x.opus", salvaging: salvaging).samples.count == expected)
    }
  }

  // MARK: By arithmetic

  private func position(_ bytes: [UInt8], _ page: OggBytes.Page) -> Int {
    let word = bytes[page.offset + 6..<page.offset + 14].reversed().reduce(UInt64(0)) {
      $0 << 8 | UInt64($1)
    }
    return Int(Int64(bitPattern: word))
  }

  /// Moves the positions of the pages with audio; the closure gets their numbers from 0.
  private func moved(_ bytes: [UInt8], first: Int, by shift: (Int) -> Int) -> [UInt8] {
    var bytes = bytes
    for (number, page) in OggBytes.pages(bytes).dropFirst(first).enumerated() {
      let position = position(bytes, page) + shift(number)
      for index in 0..<8 {
        bytes[page.offset + 6 + index] = UInt8(truncatingIfNeeded: position >> (8 * index))
      }
      OggBytes.seal(&bytes, pageAt: page.offset)
    }
    return bytes
  }

  /// Pages of about a second. The last is as far from the one before it as it was, so that it ends where it ended.
  @Test(arguments: ["opus", "ogg"])
  func positionsMayBeOffByLessThanAPacket(kind: String) throws {
    let fixture = try AudioFixture()
    try source(fixture, seconds: 6.0123)
    try run(
      fixture,
      [
        kind == "opus"
          ? "opusenc --quiet x.wav a.opus" : "ffmpeg -v error -i x.wav -c:a libvorbis a.ogg"
      ])
    let whole = try fixture.bytes("a.\(kind)")
    // The second page of Vorbis holds both other headers, or a page is theirs alone.
    let first = try #require(
      OggBytes.pages(whole).firstIndex { position(whole, $0) > 0 })
    let count = OggBytes.pages(whole).count - first
    try #require(count >= 3)
    let expected = try fixture.read("a.\(kind)").samples
    try #require(expected.count == 2 * 288_590)
    for shifts in [[1, 0], [0, 9], [40, -40, 17], [119, 0, 119]] {
      let bytes = moved(whole, first: first) { number in
        shifts[min(number, count - 2) % shifts.count]
      }
      try fixture.put("x.\(kind)", bytes)
      for salvaging in [false, true] {
        let read = try fixture.read("x.\(kind)", salvaging: salvaging)
        #expect(read.samples == expected, "\(shifts), salvaging: \(salvaging)")
        #expect(read.source.warnings.isEmpty, "\(read.source.warnings)")
      }
    }
  }

  /// Audio is missing there, although no page is: an error, and salvaging reads every packet.
  @Test(arguments: ["opus", "ogg"])
  func positionsThatJumpAreReported(kind: String) throws {
    let fixture = try AudioFixture()
    try source(fixture, seconds: 6)
    try run(
      fixture,
      [
        kind == "opus"
          ? "opusenc --quiet x.wav a.opus" : "ffmpeg -v error -i x.wav -c:a libvorbis a.ogg"
      ])
    let whole = try fixture.bytes("a.\(kind)")
    let first = try #require(
      OggBytes.pages(whole).firstIndex { position(whole, $0) > 0 })
    try fixture.put("x.\(kind)", moved(whole, first: first) { $0 < 2 ? 0 : 48_000 })
    #expect {
      try fixture.read("x.\(kind)")
    } throws: {
      errorName($0) == "malformed" && "\($0)".contains("jump by 48000 frames")
    }
    let salvaged = try fixture.read("x.\(kind)", salvaging: true)
    #expect(try salvaged.samples == fixture.read("a.\(kind)").samples)
    #expect(salvaged.source.warnings.contains { $0.text.contains("jump by up to 48000 frames") })
  }

  /// A part that was cut out and not moved to 0: ffmpeg reads all packets.
  @Test(arguments: [1, 960, 30_000, 60_000])
  func opusFarBelowZeroIsRead(shift: Int) throws {
    let fixture = try AudioFixture()
    try source(fixture, seconds: 4)
    try run(fixture, ["opusenc --quiet x.wav a.opus"])
    try fixture.put("x.opus", moved(try fixture.bytes("a.opus"), first: 2) { _ in -shift })
    for salvaging in [false, true] {
      let read = try fixture.read("x.opus", salvaging: salvaging)
      #expect(try read.samples == fixture.read("a.opus").samples)
      #expect(read.source.warnings.contains { $0.text.contains("below 0") } == (shift >= 960))
    }
  }

  /// Positions of Vorbis below 0 declare nothing; those from 0 on declare which frames to drop (Vorbis I, section A.2).
  @Test func vorbisFarBelowZeroIsRead() throws {
    let fixture = try AudioFixture()
    try source(fixture, seconds: 4)
    try run(fixture, ["ffmpeg -v error -i x.wav -c:a libvorbis a.ogg"])
    let whole = try fixture.bytes("a.ogg")
    let pages = OggBytes.pages(whole)
    let first = try #require(pages.firstIndex { position(whole, $0) > 0 })
    let start = position(whole, pages[first])
    try fixture.put("x.ogg", moved(whole, first: first) { _ in -start - 10_000 })
    #expect(try fixture.read("x.ogg").samples == fixture.read("a.ogg").samples)
    try fixture.put("y.ogg", moved(whole, first: first) { _ in -1000 })
    #expect(try fixture.read("y.ogg").samples == Array(fixture.read("a.ogg").samples[2000...]))
  }

  /// A copy from 1.5 s on begins with packets before that time, which its first position declares as cut.
  @Test func vorbisBeforeACutIsLeftOut() throws {
    let fixture = try AudioFixture()
    try source(fixture, seconds: 4)
    try run(
      fixture,
      [
        "ffmpeg -v error -i x.wav -c:a libvorbis a.ogg",
        "ffmpeg -v error -ss 1.5 -i a.ogg -c copy x.ogg",
      ])
    let whole = try fixture.read("a.ogg").samples
    let read = try fixture.read("x.ogg")
    let rate = read.source.spec.sampleRate
    // The times of packets are rounded to milliseconds.
    let frames = read.samples.count / read.source.spec.channelCount
    #expect(abs(frames - (4 * rate - 3 * rate / 2)) < rate / 1000)
    #expect(read.samples.count > 0 && read.samples.suffix(rate) == whole.suffix(rate))
    #expect(read.source.warnings.contains { $0.text.contains("frames at the start do not belong") })
  }
}
