import AudioFiles
import AudioModel
import TestSupport
import Testing

@testable import AudioIO
@testable import FLACFiles

/// Files joined end to end, as `cat` does it, in containers that show where the first one ends.
@Suite("Joined files")
struct JoinedFileTests {
  /// Two files of one kind, of different length and content.
  private static func parts(
    _ fixture: AudioFixture, _ name: String, _ options: String
  ) throws -> (first: [UInt8], second: [UInt8]) {
    for (index, seconds) in ["0.813", "0.5"].enumerated() {
      try fixture.run(
        "sox", "-R", "-n", "-r", "8000", "-b", "16", "\(index).wav", "synth", seconds, "sine",
        "\(300 + 200 * index)")
      let words = options.split(separator: " ").map(String.init)
      let made =
        words.first == "sox"
        ? try Tool.run(
          "sox", ["-R", "\(index).wav"] + words.dropFirst() + ["\(index)-\(name)"],
          in: fixture.folder.path)
        : try Tool.run(
          "ffmpeg", ["-v", "error", "-y", "-i", "\(index).wav"] + words + ["\(index)-\(name)"],
          in: fixture.folder.path)
      try #require(made.status == 0, "\(made.errorText)")
    }
    return (try fixture.bytes("0-\(name)"), try fixture.bytes("1-\(name)"))
  }

  #if FFmpeg
    private static let others = [
      ("x.wv", ""), ("x.wv", "-metadata title=a"), ("x.mp4", "-c:a aac"),
      ("x.m4a", "-c:a alac -movflags faststart"), ("x.mov", "-c:a pcm_s16le"),
      ("x.caf", "-c:a alac"),
    ]
  #else
    private static let others: [(String, String)] = []
  #endif

  @Test(
    arguments: [
      ("x.wav", ""), ("x.wav", "-rf64 always"), ("x.wav", "sox -B"), ("x.w64", ""),
      ("x.w64", "-c:a pcm_f32le"), ("x.aiff", ""), ("x.aif", "-c:a pcm_s24be"), ("x.caf", ""),
      ("x.au", ""), ("x.8svx", "sox -b 8"),
    ] + others)
  func theFirstIsReadAndTheSecondIsNamed(name: String, options: String) throws {
    let fixture = try AudioFixture()
    let (first, second) = try Self.parts(fixture, name, options)
    let alone = try fixture.read("0-\(name)")
    #expect(alone.source.warnings.map(\.text) == [])
    try fixture.put("joined", first + second)
    for salvaging in [false, true] {
      let read = try fixture.read("joined", salvaging: salvaging)
      #expect(read.source.frameCount == alone.source.frameCount)
      let isSame = read.samples == alone.samples
      #expect(isSame)
      #expect(read.source.notCarried == alone.source.notCarried)
      let warning = try #require(read.source.warnings.map(\.text).last)
      #expect(warning.contains("the file contains a second file from byte \(first.count)"))
    }
  }

  /// NIST only counts its frames.
  @Test func framesAfterTheDeclaredOnesAreNamed() throws {
    let fixture = try AudioFixture()
    let name = "x.sph"
    let (first, second) = try Self.parts(fixture, name, "sox")
    let alone = try fixture.read("0-\(name)")
    #expect(alone.source.warnings.map(\.text) == [])
    try fixture.put("joined", first + second)
    let read = try fixture.read("joined")
    let isSame = read.samples == alone.samples
    #expect(isSame)
    let count = alone.source.frameCount
    #expect(
      read.source.warnings.map(\.text).contains {
        $0.contains("after the \(count) that its header declares")
      })
  }

  #if FFmpeg
    private static let streams = [
      ("x.flac", ""), ("x.mka", "-c:a libvorbis"), ("x.mka", "-c:a flac"),
      ("x.webm", "-c:a libopus"),
      ("x.amr", "sox -t amr-nb"),
    ]
  #else
    private static let streams = [("x.flac", "")]
  #endif

  @Test(arguments: streams)
  func allAreRead(name: String, options: String) throws {
    let fixture = try AudioFixture()
    let (first, second) = try Self.parts(fixture, name, options)
    let (one, two) = (try fixture.read("0-\(name)"), try fixture.read("1-\(name)"))
    for copies in 1...2 {
      let files = Array(repeating: first, count: copies)
      try fixture.put("joined", files.joined() + second)
      let read = try fixture.read("joined")
      let expected = Array(repeating: one.samples, count: copies).joined() + two.samples
      #expect(read.samples.count == expected.count)
      let isSame = read.samples.elementsEqual(expected)
      #expect(isSame)
      #expect(
        read.source.warnings.map(\.text).contains { $0.contains("\(copies + 1) files are joined") })
    }
  }

  /// The end of the last one looks like that of the first; the files are longer than what is searched at the end.
  @Test(arguments: [[0, 1], [0, 1, 0], [0, 1, 0, 1], [0, 2, 1]])
  func longFilesOfEqualLengthAreRead(order: [Int]) throws {
    let fixture = try AudioFixture()
    for (index, seconds) in ["6.5", "6.5", "3"].enumerated() {
      try fixture.run(
        "sox", "-R", "-n", "-r", "44100", "-c", "1", "-b", "16", "\(index).flac", "synth", seconds,
        "whitenoise", "vol", "0.\(index + 3)")
    }
    let files = try (0...2).map { try fixture.bytes("\($0).flac") }
    #expect(files[0].count > 1 << 19)
    try fixture.put("joined.flac", order.map { files[$0] }.joined().map(\.self))
    let read = try fixture.read("joined.flac")
    let expected = try order.flatMap { try fixture.read("\($0).flac").samples }
    #expect(read.samples.count == expected.count)
    let isSame = read.samples == expected
    #expect(isSame)
    #expect(
      read.source.warnings.map(\.text).contains { $0.contains("\(order.count) files are joined") })
  }

  /// By arithmetic: wherever equal files begin and end, a place is earlier in its file than the one before. Near a border,
  /// either file may have it.
  @Test(arguments: 2...99) func placesInEqualFilesAreNotInOrder(count: Int) {
    let margin = 0.004
    var last = 0.0
    let areInOrder = JoinedFLAC.places.allSatisfy { place in
      let part = (place * Double(count)).truncatingRemainder(dividingBy: 1)
      let parts = part < margin || part > 1 - margin ? [0, 1] : [part]
      guard let next = parts.first(where: { $0 >= last }) else { return false }
      last = next
      return true
    }
    #expect(!areInOrder)
  }

  /// The second file of another rate cannot be a part of the same output.
  @Test(arguments: streams.filter { $0.0 != "x.amr" && $0.0 != "x.webm" })
  func aChangeOfRateIsRefused(name: String, options: String) throws {
    let fixture = try AudioFixture()
    let first = try Self.parts(fixture, name, options).first
    let second = try Self.parts(fixture, name, options + " -ar 16000").second
    try fixture.put("joined", first + second)
    #expect {
      try fixture.read("joined")
    } throws: {
      errorName($0) == "unsupported" && "\($0)".contains("in file 2")
    }
  }

  /// A chunk that AVI above 1 GB has several of, and bytes that only look like a file.
  @Test func bytesThatAreNoFileAreNone() throws {
    let fixture = try AudioFixture()
    let first = try Self.parts(fixture, "x.wav", "").first
    try fixture.put("joined", first + Array("RIFX\u{10}\0\0\0WAVE".utf8))
    let read = try fixture.read("joined")
    #expect(!read.source.warnings.map(\.text).contains { $0.contains("joined") })
  }
}
