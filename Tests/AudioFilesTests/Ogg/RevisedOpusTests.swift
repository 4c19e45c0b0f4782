import AudioModel
import TestSupport
import Testing

@testable import AudioFiles
@testable import AudioIO

/// Opus as recorders of radio, other encoders and joiners leave it, compared with the file that `opusenc` wrote.
@Suite("Opus with unusual headers and positions")
struct RevisedOpusTests {
  private func encode(
    _ fixture: AudioFixture, _ name: String, frames: Int = 120_001, rate: Int = 48000,
    tone: Int = 440
  ) throws {
    try fixture.run(
      "sox", "-R", "-n", "-r", "\(rate)", "-c", "2", "-b", "16", "t.wav", "synth", "\(frames)s",
      "sine", "\(tone)", "vol", "0.4")
    try fixture.run("opusenc", "--quiet", "t.wav", name)
  }

  private func setPosition(_ bytes: inout [UInt8], _ page: OggBytes.Page, to position: Int) {
    for index in 0..<8 {
      bytes[page.offset + 6 + index] = UInt8(truncatingIfNeeded: position >> (8 * index))
    }
    OggBytes.seal(&bytes, pageAt: page.offset)
  }

  private func position(_ bytes: [UInt8], _ page: OggBytes.Page) -> Int {
    bytes[page.offset + 6..<page.offset + 14].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// A stream that was recorded from its middle on; RFC 7845, section 4.6.
  @Test(arguments: [1, 100, 312, 5000, 4_800_000, 1 << 40])
  func positionsMayBeginAboveZero(start: Int) throws {
    let fixture = try AudioFixture()
    try encode(fixture, "a.opus")
    var bytes = try fixture.bytes("a.opus")
    for page in OggBytes.pages(bytes).dropFirst(2) {
      setPosition(&bytes, page, to: position(bytes, page) + start)
    }
    try fixture.put("x.opus", bytes)
    let whole = try fixture.read("a.opus")
    let read = try fixture.read("x.opus")
    #expect(read.source.frameCount == 120_001)
    #expect(read.samples == whole.samples)
    #expect(read.source.warnings.isEmpty)
    try fixture.put("xa.opus", bytes + (try fixture.bytes("a.opus")))
    #expect(try fixture.read("xa.opus").samples == whole.samples + whole.samples)
  }

  /// RFC 7845, section 5.1: the input rate 0 is unknown, and minor versions are compatible.
  @Test(arguments: [(12, [UInt8](repeating: 0, count: 4)), (8, [2]), (8, [15])])
  func incompleteHeadersAreRead(offset: Int, replaced: [UInt8]) throws {
    let fixture = try AudioFixture()
    try encode(fixture, "a.opus")
    var bytes = try fixture.bytes("a.opus")
    bytes.replaceSubrange(28 + offset..<28 + offset + replaced.count, with: replaced)
    OggBytes.seal(&bytes, pageAt: 0)
    try fixture.put("x.opus", bytes)
    let read = try fixture.read("x.opus")
    #expect(read.source.spec.sampleRate == 48000)
    #expect(try read.samples == fixture.read("a.opus").samples)
    bytes[28 + 8] = 16
    OggBytes.seal(&bytes, pageAt: 0)
    try fixture.put("y.opus", bytes)
    #expect { try fixture.read("y.opus") } throws: { errorName($0) == "unsupported" }
  }

  /// The rate in a header is that of the encoder's source; every link is decoded at 48 kHz where they differ.
  @Test(arguments: [[16000, 48000], [48000, 8000, 24000], [44100, 12000]])
  func joinedStreamsMayHaveOtherInputRates(rates: [Int]) throws {
    let fixture = try AudioFixture()
    var expected: [Int16] = []
    var bytes: [UInt8] = []
    for (index, rate) in rates.enumerated() {
      try encode(
        fixture, "\(index).opus", frames: rate * (index + 1), rate: rate, tone: 300 * (index + 1))
      try fixture.run(
        "opusdec", "--quiet", "--rate", "48000", "--no-dither", "\(index).opus", "y.wav")
      expected += try fixture.read("y.wav").samples
      bytes += try fixture.bytes("\(index).opus")
    }
    try fixture.put("x.opus", bytes)
    let read = try fixture.read("x.opus")
    #expect(read.source.spec.sampleRate == 48000)
    #expect(read.source.frameCount * 2 == expected.count)
    #expect((zip(read.samples, expected).map { abs(Int($0) - Int($1)) }.max() ?? 9) <= 1)
    let reader = try AudioFile.reader(
      for: try InputFile(path: fixture.path("x.opus")), salvaging: false)
    for frame in [0, 47_999, 48_000, 60_001, read.source.frameCount - 7] {
      try reader.seek(toFrame: frame)
      var block = [Int16](repeating: 0, count: 14)
      var span = block.mutableSpan
      #expect(try reader.read(into: &span) > 0)
      #expect(block.prefix(2) == read.samples[2 * frame..<2 * frame + 2])
    }
  }

  /// libsndfile ends at the position of the last page, regardless of those before.
  @Test func repeatedPagesAreReported() throws {
    let fixture = try AudioFixture()
    try encode(fixture, "a.opus", frames: 240_000)
    let whole = try fixture.bytes("a.opus")
    let pages = OggBytes.pages(whole)
    try #require(pages.count > 5)
    let fourth = pages[3]
    func expectNamed(_ bytes: [UInt8], from offset: Int, frames: Range<Int>) throws {
      try fixture.put("x.opus", bytes)
      #expect {
        try fixture.read("x.opus")
      } throws: {
        errorName($0) == "malformed" && "\($0)".contains("from byte \(offset) on")
      }
      let salvaged = try fixture.read("x.opus", salvaging: true).source
      #expect(frames.contains(salvaged.frameCount), "\(salvaged.frameCount)")
      #expect(salvaged.warnings.map(\.text).contains { $0.hasPrefix("salvaged") })
    }
    // A page twice; the whole file again without its headers; a last position before that of the page before.
    let end = fourth.offset + fourth.size
    try expectNamed(
      Array(whole[..<end]) + whole[fourth.offset...], from: end, frames: 90_000..<96_001)
    try expectNamed(
      whole + whole[pages[2].offset...], from: whole.count, frames: 239_000..<240_001)
    let last = try #require(pages.last)
    var early = whole
    setPosition(&early, last, to: position(whole, pages[pages.count - 2]) - 1000)
    try expectNamed(early, from: last.offset, frames: 230_000..<240_000)
  }
}
