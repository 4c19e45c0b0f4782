import AudioFiles
import AudioModel
import TestSupport
import Testing

@testable import AudioIO

/// Ogg files of several streams, one after another or side by side.
@Suite("Chained and grouped Ogg")
struct ChainedOggTests {
  static let kinds = ["ogg", "oga", "opus"]

  /// A tone of so many frames, encoded by the codec's own program.
  private func encode(
    _ fixture: AudioFixture, _ name: String, kind: String, frames: Int, tone: Int = 440,
    rate: Int = 48000, channels: Int = 2
  ) throws {
    try fixture.run(
      "sox", "-R", "-n", "-r", "\(rate)", "-c", "\(channels)", "-b", "16", "t.wav", "synth",
      "\(frames)s", "sine", "\(tone)", "vol", "0.4")
    switch kind {
    case "ogg": try fixture.run("oggenc", "-Q", "-o", name, "t.wav")
    case "oga": try fixture.run("flac", "-sf", "--ogg", "-o", name, "t.wav")
    default: try fixture.run("opusenc", "--quiet", "t.wav", name)
    }
  }

  private func join(_ fixture: AudioFixture, _ names: [String], into name: String) throws {
    try fixture.put(name, try names.flatMap { try fixture.bytes($0) })
  }

  @Test(arguments: kinds, [[12345, 24001], [100, 200, 300], [96000, 1, 48000]])
  func allLinksAreRead(kind: String, lengths: [Int]) throws {
    let fixture = try AudioFixture()
    var apart: [Int16] = []
    var names: [String] = []
    for (index, frames) in lengths.enumerated() {
      let name = "\(index).\(kind)"
      try encode(fixture, name, kind: kind, frames: frames, tone: 300 * (index + 1))
      let link = try fixture.read(name)
      #expect(link.source.frameCount == frames)
      apart += link.samples
      names.append(name)
    }
    try join(fixture, names, into: "all.\(kind)")
    let whole = try fixture.read("all.\(kind)")
    #expect(whole.source.frameCount == lengths.reduce(0, +))
    #expect(whole.samples == apart)
    #expect(
      whole.source.warnings.map(\.text) == [
        "\(lengths.count) chained streams are joined; the tags are those of the first"
      ])
  }

  /// A recording of a stream that showed pictures before sound began.
  @Test(arguments: kinds) func aChainMayBeginWithPictures(kind: String) throws {
    let fixture = try AudioFixture()
    try encode(fixture, "a.\(kind)", kind: kind, frames: 24_001)
    try fixture.run(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=d=1:s=64x64", "-c:v", "libtheora",
      "v.ogv")
    try join(fixture, ["v.ogv", "a.\(kind)"], into: "va.ogg")
    let whole = try fixture.read("va.ogg")
    #expect(try whole.samples == fixture.read("a.\(kind)").samples)
    #expect(
      whole.source.warnings.map(\.text).contains {
        $0.contains("1 of its 2 chained streams hold no")
      })
    #expect { try fixture.read("v.ogv") } throws: { "\($0)".contains("no audio track, only video") }
  }

  /// RFC 3533 wants serial numbers of their own, but `cat a.ogg a.ogg` is what people do.
  @Test(arguments: kinds)
  func linksOfTheSameSerialNumberAreRead(kind: String) throws {
    let fixture = try AudioFixture()
    try encode(fixture, "a.\(kind)", kind: kind, frames: 10_001)
    try join(fixture, ["a.\(kind)", "a.\(kind)"], into: "aa.\(kind)")
    #expect(try fixture.read("aa.\(kind)").samples.count == 2 * 2 * 10_001)
  }

  /// As by another decoder: ffmpeg reads chains of these two.
  @Test(arguments: ["ogg", "oga"])
  func ffmpegReadsTheSame(kind: String) throws {
    let fixture = try AudioFixture()
    try encode(fixture, "a.\(kind)", kind: kind, frames: 30_000, tone: 300)
    try encode(fixture, "b.\(kind)", kind: kind, frames: 20_000, tone: 600)
    try join(fixture, ["a.\(kind)", "b.\(kind)"], into: "ab.\(kind)")
    let decoded = try fixture.decodeWithFFmpeg("ab.\(kind)")
    let read = try fixture.read("ab.\(kind)").samples
    if kind == "oga" { #expect(read == decoded) }
    // The second Vorbis link begins a little early in ffmpeg.
    #expect(abs(read.count - decoded.count) <= 2 * 2048)
  }

  @Test(arguments: kinds)
  func changesBetweenLinksAreNamed(kind: String) throws {
    let fixture = try AudioFixture()
    try encode(fixture, "a.\(kind)", kind: kind, frames: 9000)
    try encode(fixture, "mono.\(kind)", kind: kind, frames: 9000, channels: 1)
    try encode(fixture, "slow.\(kind)", kind: kind, frames: 9000, rate: 16000)
    for (first, second, change) in [
      ("a", "mono", "channel count changes from 2 to 1"),
      ("mono", "a", "channel count changes from 1 to 2"),
      ("a", "slow", "sample rate changes from 48000 to 16000 Hz"),
      ("slow", "a", "sample rate changes from 16000 to 48000 Hz"),
    ] where kind != "opus" || !change.hasPrefix("sample rate") {
      try join(fixture, ["\(first).\(kind)", "\(second).\(kind)"], into: "x.\(kind)")
      let text = "the \(change) in chained stream 2"
      #expect {
        try fixture.read("x.\(kind)")
      } throws: {
        $0 as? AudioFileError == .unsupported(fixture.path("x.\(kind)"), reason: text)
      }
    }
    let another = kind == "opus" ? "oga" : "opus"
    try encode(fixture, "b.\(another)", kind: another, frames: 9000)
    try join(fixture, ["a.\(kind)", "b.\(another)"], into: "x.ogg")
    #expect { try fixture.read("x.ogg") } throws: { errorName($0) == "unsupported" }
  }

  @Test(arguments: kinds)
  func aCutLastLinkIsTruncated(kind: String) throws {
    let fixture = try AudioFixture()
    try encode(fixture, "a.\(kind)", kind: kind, frames: 48_000)
    try encode(fixture, "b.\(kind)", kind: kind, frames: 96_000, tone: 700)
    let first = try fixture.bytes("a.\(kind)")
    let both = first + (try fixture.bytes("b.\(kind)"))
    for count in [first.count + 40, (first.count + both.count) / 2, both.count - 1] {
      try fixture.put("cut.\(kind)", both[..<count])
      #expect("at \(count) of \(both.count)") { try fixture.read("cut.\(kind)") } throws: {
        errorName($0) == "truncated"
      }
      let salvaged = try fixture.read("cut.\(kind)", salvaging: true)
      #expect((48_000..<144_000).contains(salvaged.source.frameCount))
      #expect(salvaged.samples.count == 2 * salvaged.source.frameCount)
      #expect(salvaged.source.warnings.map(\.text).contains { $0.hasPrefix("salvaged ") })
    }
  }

  /// Bytes between two links must not hide the second.
  @Test(arguments: kinds)
  func garbageBetweenLinksHidesNoLink(kind: String) throws {
    let fixture = try AudioFixture()
    try encode(fixture, "a.\(kind)", kind: kind, frames: 20_000)
    let one = try fixture.bytes("a.\(kind)")
    for garbage in [[UInt8(7)], Array("TAG".utf8), [UInt8](repeating: 0, count: 999)] {
      try fixture.put("x.\(kind)", one + garbage + one)
      #expect(try fixture.read("x.\(kind)").samples.count == 2 * 40_000)
    }
    // This looks like a page that was damaged. FLAC declares how many frames there should be; they are there.
    try fixture.put("x.\(kind)", one + Array("OggS garbage OggS".utf8) + one)
    if kind == "oga" {
      #expect(try fixture.read("x.oga").samples.count == 2 * 40_000)
      return
    }
    #expect { try fixture.read("x.\(kind)") } throws: { errorName($0) == "truncated" }
  }

  /// Video and a skeleton beside, before and after the audio.
  @Test(arguments: ["libvorbis", "libopus", "flac"], [true, false])
  func audioBesideVideoIsRead(codec: String, videoFirst: Bool) throws {
    let fixture = try AudioFixture()
    try encode(fixture, "a.oga", kind: "oga", frames: 48_000)
    let maps = videoFirst ? ["-map", "1", "-map", "0"] : ["-map", "0", "-map", "1"]
    let made = try Tool.run(
      "ffmpeg",
      ["-v", "error", "-i", "a.oga", "-f", "lavfi", "-i", "testsrc=d=1:s=64x64"] + maps
        + ["-c:v", "libtheora", "-c:a", codec, "x.ogg"], in: fixture.folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    try fixture.run("ffmpeg", "-v", "error", "-i", "x.ogg", "-map", "0:a", "-c", "copy", "y.ogg")
    let read = try fixture.read("x.ogg")
    #expect(read.source.frameCount == 48_000)
    #expect(read.samples == (try fixture.read("y.ogg").samples))
    #expect(read.source.warnings.map(\.text) == ["its streams other than audio are ignored"])
  }

  /// Clears the mark of the end of the stream in the last page.
  private func openEnd(_ bytes: inout [UInt8]) throws {
    let last = try #require(OggBytes.pages(bytes).last).offset
    bytes[last + 5] &= ~4
    OggBytes.seal(&bytes, pageAt: last)
  }

  /// Some recorders never mark the end of a stream.
  @Test(arguments: ["ogg", "opus"], [4000, 96_000])
  func aCompleteLastPageNeedsNoEndOfStreamFlag(kind: String, frames: Int) throws {
    let fixture = try AudioFixture()
    try encode(fixture, "a.\(kind)", kind: kind, frames: frames)
    let whole = try fixture.read("a.\(kind)")
    var bytes = try fixture.bytes("a.\(kind)")
    try openEnd(&bytes)
    try fixture.put("x.\(kind)", bytes)
    for salvaging in [false, true] {
      let read = try fixture.read("x.\(kind)", salvaging: salvaging)
      #expect(read.samples == whole.samples)
      #expect(
        read.source.warnings.map(\.text) == [
          "its last page does not end the stream; the file may be truncated"
        ])
    }
    try fixture.put("y.\(kind)", bytes + (try fixture.bytes("a.\(kind)")))
    #expect(try fixture.read("y.\(kind)").samples == whole.samples + whole.samples)
    for cut in [1, 300] {
      try fixture.put("x.\(kind)", bytes.dropLast(cut))
      #expect { try fixture.read("x.\(kind)") } throws: { errorName($0) == "truncated" }
    }
  }

  #if FFmpeg
    /// FLAC as ffmpeg writes it does not state its length.
    @Test(arguments: [("oga", "flac"), ("spx", "libspeex")])
    func otherCodecsNeedNoEndOfStreamFlagEither(kind: String, codec: String) throws {
      let fixture = try AudioFixture()
      try fixture.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=r=16000:d=3", "-c:a", codec,
        "a.\(kind)")
      let whole = try fixture.read("a.\(kind)")
      var bytes = try fixture.bytes("a.\(kind)")
      try openEnd(&bytes)
      try fixture.put("x.\(kind)", bytes)
      let read = try fixture.read("x.\(kind)")
      #expect(read.samples == whole.samples)
      #expect(
        read.source.warnings.map(\.text) == [
          "its last page does not end the stream; the file may be truncated"
        ])
      try fixture.put("x.\(kind)", bytes.dropLast(300))
      #expect { try fixture.read("x.\(kind)") } throws: { errorName($0) == "truncated" }
    }
  #endif

  /// Vorbis I, section A.2 wants a page for the headers alone; some encoders go on with audio at once.
  @Test(arguments: [4000, 96_000])
  func vorbisOnThePageOfTheSetupHeaderIsRead(frames: Int) throws {
    let fixture = try AudioFixture()
    try encode(fixture, "a.ogg", kind: "ogg", frames: frames)
    let bytes = try fixture.bytes("a.ogg")
    let pages = OggBytes.pages(bytes)
    func part(_ index: Int) -> (lacing: ArraySlice<UInt8>, body: ArraySlice<UInt8>) {
      let (start, count) = (pages[index].offset, Int(bytes[pages[index].offset + 26]))
      let body = start + 27 + count
      return (bytes[start + 27..<body], bytes[body..<start + pages[index].size])
    }
    let (headers, audio) = (part(1), part(2))
    try #require(headers.lacing.count + audio.lacing.count < 256)
    // The flags and the position of the audio page, with both contents.
    var joined = Array(bytes[pages[2].offset..<pages[2].offset + 26])
    joined.append(UInt8(headers.lacing.count + audio.lacing.count))
    joined += headers.lacing + audio.lacing + headers.body + audio.body
    var result = Array(bytes[..<pages[1].offset]) + joined
    result += bytes[(pages[2].offset + pages[2].size)...]
    for (number, page) in OggBytes.pages(result).enumerated() {
      result[page.offset + 18] = UInt8(number)
      OggBytes.seal(&result, pageAt: page.offset)
    }
    try fixture.put("x.ogg", result)
    let read = try fixture.read("x.ogg")
    #expect(read.samples == (try fixture.read("a.ogg").samples))
    #expect(read.source.frameCount == frames)
    #expect(read.source.warnings.map(\.text) == [])
  }

  /// Recorders and broken downloads end a link within a page, whose declared size hides the start of the next link.
  @Test(arguments: kinds)
  func aCutLinkHidesNoOtherLink(kind: String) throws {
    let fixture = try AudioFixture()
    try encode(fixture, "a.\(kind)", kind: kind, frames: 144_000)
    try encode(fixture, "b.\(kind)", kind: kind, frames: 20_000, tone: 700)
    let (first, second) = (try fixture.bytes("a.\(kind)"), try fixture.bytes("b.\(kind)"))
    let other = try fixture.read("b.\(kind)").samples
    let page = try #require(OggBytes.pages(first).dropFirst(kind == "oga" ? 6 : 3).first)
    for count in [page.offset + 20, page.offset + page.size / 2, page.offset + page.size - 1] {
      for joined in [first[..<count] + second, first[..<count] + first] {
        try fixture.put("x.\(kind)", joined)
        #expect("at \(count)") { try fixture.read("x.\(kind)") } throws: {
          ["truncated", "malformed"].contains(errorName($0))
        }
      }
      try fixture.put("x.\(kind)", first[..<count] + second)
      let salvaged = try fixture.read("x.\(kind)", salvaging: true)
      #expect(salvaged.samples.suffix(other.count) == other[...], "at \(count)")
      #expect(salvaged.source.frameCount > 20_000)
      #expect(salvaged.source.warnings.map(\.text).contains { $0.hasPrefix("salvaged ") })
    }
  }

  /// A station without sound: headers, and at once those of the next title.
  @Test(arguments: ["ogg", "opus"])
  func aLinkWithOnlyHeadersIsLeftOut(kind: String) throws {
    let fixture = try AudioFixture()
    try encode(fixture, "a.\(kind)", kind: kind, frames: 20_000)
    let whole = try fixture.bytes("a.\(kind)")
    let samples = try fixture.read("a.\(kind)").samples
    let headers = Array(whole[..<OggBytes.pages(whole)[2].offset])
    for (bytes, count) in [(headers + whole, 1), (whole + headers + headers + whole, 2)] {
      try fixture.put("x.\(kind)", bytes)
      let read = try fixture.read("x.\(kind)")
      #expect(read.samples == (count == 1 ? samples : samples + samples))
      #expect(read.source.warnings.map(\.text).first?.hasPrefix("\(count) of its") == true)
    }
    // The last link may have been cut there.
    try fixture.put("x.\(kind)", whole + headers)
    #expect { try fixture.read("x.\(kind)") } throws: { errorName($0) == "truncated" }
    try fixture.put("x.\(kind)", headers)
    #expect { try fixture.read("x.\(kind)") } throws: { errorName($0) == "truncated" }
  }

  @Test(arguments: kinds)
  func aLinkWithoutAudioIsLeftOut(kind: String) throws {
    let fixture = try AudioFixture()
    try encode(fixture, "a.\(kind)", kind: kind, frames: 30_000)
    try fixture.run(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=d=1:s=64x64", "-c:v", "libtheora",
      "v.ogv")
    try join(fixture, ["a.\(kind)", "v.ogv"], into: "x.ogg")
    let read = try fixture.read("x.ogg")
    #expect(read.samples == (try fixture.read("a.\(kind)").samples))
    #expect(
      read.source.warnings.map(\.text) == [
        "1 of its 2 chained streams hold no Vorbis, Opus, or FLAC and are left out"
      ])
    try join(fixture, ["a.\(kind)", "v.ogv", "a.\(kind)"], into: "x.ogg")
    #expect(try fixture.read("x.ogg").source.frameCount == 60_000)
  }
}
