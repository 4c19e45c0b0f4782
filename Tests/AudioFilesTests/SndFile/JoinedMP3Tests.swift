import AudioFiles
import TestSupport
import Testing

@testable import AudioIO

/// MP3 files joined end to end, as `cat` does it: every frame is read, and each part without its own delay and padding.
@Suite("Joined MP3")
struct JoinedMP3Tests {
  /// Encodes a part and decodes it alone with ffmpeg.
  private func part(
    _ fixture: AudioFixture, _ number: Int, _ options: [String], rate: Int = 44100,
    channels: Int = 2
  ) throws -> (bytes: [UInt8], samples: [Int16]) {
    let name = "part\(number)"
    try fixture.run(
      "sox", "-R", "-n", "-r", "\(rate)", "-c", "\(channels)", "-b", "16", "\(name).wav", "synth",
      "\(0.7 + 0.4 * Double(number))", "pinknoise", "vol", "0.4")
    _ = try Tool.run(
      "lame", ["--quiet"] + options + ["\(name).wav", "\(name).mp3"], in: fixture.folder.path)
    return (try fixture.bytes("\(name).mp3"), try fixture.decodeWithFFmpeg("\(name).mp3"))
  }

  private func expectEqual(_ a: [Int16], _ b: [Int16]) {
    #expect(a.count == b.count)
    let difference = zip(a, b).map { abs(Int($0) - Int($1)) }.max()
    #expect(difference ?? 9 <= 2)
  }

  @Test(arguments: [
    [["-V4"], ["--cbr", "-b", "128"]], [["-V4"], ["-t", "--cbr", "-b", "128"]],
    [["-t", "--cbr", "-b", "128"], ["-V2"]], [["-t", "-V4"], ["--abr", "140"], ["-p", "-V5"]],
    [["--tt", "A", "--id3v1-only"], ["--tt", "B", "--add-id3v2"], ["-V6", "--tt", "C"]],
  ])
  func partsMatchSeparateFiles(options: [[String]]) throws {
    let fixture = try AudioFixture()
    let parts = try options.enumerated().map { try part(fixture, $0, $1) }
    try fixture.put("x.mp3", parts.flatMap(\.bytes))
    for salvaging in [false, true] {
      let read = try fixture.read("x.mp3", salvaging: salvaging)
      expectEqual(read.samples, parts.flatMap(\.samples))
      #expect(read.source.frameCount * 2 == read.samples.count)
      let second = parts[0].bytes.count
      let warning = try #require(read.source.warnings.map(\.text).first)
      #expect(warning.hasPrefix("it contains \(parts.count) joined files, the second from byte "))
      // Its tags come before its first frame.
      #expect(warning.contains("byte \(second) on") || options.joined().contains("B"))
    }
  }

  /// A broken download is joined with another file: the last frame of the first reaches into the second.
  @Test(arguments: [
    (["--cbr", "-b", "128"], ["-V4"]), (["-t", "--cbr", "-b", "128"], ["-V4"]),
    (["-V4"], ["-t", "--cbr", "-b", "128"]),
    (["-t", "--cbr", "-b", "128"], ["-t", "--cbr", "-b", "192"]),
    (["-V2"], ["-V4", "--tt", "B", "--id3v2-only"]),
  ])
  func aCutFrameBeforeAnotherFileIsReported(first: [String], second: [String]) throws {
    let fixture = try AudioFixture()
    let (one, two) = (try part(fixture, 0, first), try part(fixture, 1, second))
    for missing in [20, 150, 200] {
      try fixture.put("x.mp3", one.bytes.dropLast(missing) + two.bytes)
      #expect("\(missing)") {
        try fixture.read("x.mp3")
      } throws: {
        errorName($0) == "malformed" && "\($0)".contains("part 1 of 2")
      }
      let salvaged = try fixture.read("x.mp3", salvaging: true)
      expectEqual(Array(salvaged.samples.suffix(two.samples.count)), two.samples)
      // The cut frame and what it held of the second file are left out.
      let rest = salvaged.samples.count - two.samples.count
      #expect(rest > one.samples.count - 2 * 2 * 1152 && rest <= one.samples.count + 2 * 1152)
    }
  }

  /// Nothing shows where constant streams without headers were joined.
  @Test(arguments: [["--id3v2-only"], ["--id3v1-only"], ["--add-id3v2"]])
  func tagsBetweenFramesAreSkipped(options: [String]) throws {
    let fixture = try AudioFixture()
    let all = ["-t", "--cbr", "-b", "128", "--nores"] + options
    let first = try part(fixture, 0, all + ["--tt", "A"])
    let second = try part(fixture, 1, all + ["--tt", "B"])
    try fixture.put("x.mp3", first.bytes + second.bytes)
    let read = try fixture.read("x.mp3")
    #expect(read.samples.count == first.samples.count + second.samples.count)
    expectEqual(Array(read.samples.suffix(40000)), second.samples.suffix(40000))
    #expect(read.source.warnings.map(\.text).contains { $0.hasPrefix("tags between its frames") })
  }

  @Test(arguments: [
    (48000, 2, "the sample rate changes from 44100 to 48000 Hz at byte "),
    (44100, 1, "the channel count changes from 2 to 1 at byte "),
    (16000, 2, "the sample rate changes from 44100 to 16000 Hz at byte "),
  ])
  func partsWithOtherRatesOrChannelsAreRefused(rate: Int, channels: Int, reason: String) throws {
    for header in [[], ["-t"]] {
      let fixture = try AudioFixture()
      let first = try part(fixture, 0, header + ["--cbr", "-b", "128"])
      let other = try part(fixture, 1, header + ["-b", "128"], rate: rate, channels: channels)
      try fixture.put("x.mp3", first.bytes + other.bytes)
      #expect { try fixture.read("x.mp3") } throws: {
        guard
          case .unsupported(_, reason + "\(first.bytes.count)", .salvage)? = $0 as? AudioFileError
        else { return false }
        return true
      }
      let salvaged = try fixture.read("x.mp3", salvaging: true)
      expectEqual(salvaged.samples, first.samples)
      #expect(
        salvaged.source.warnings.map(\.text).contains {
          $0.contains("on, where " + reason.dropLast(9))
        })
    }
  }

  /// The place of the number of frames in an encoder's header.
  private func placeOfCount(_ bytes: [UInt8]) throws -> Int {
    let marks = [Array("Xing".utf8), Array("Info".utf8)]
    return 8
      + (try #require(
        bytes.indices.first { index in marks.contains { bytes[index...].starts(with: $0) } }))
  }

  private func setCount(_ bytes: inout [UInt8], _ change: (Int) -> Int) throws {
    let place = try placeOfCount(bytes)
    let count = change(bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) })
    for index in 0..<4 {
      bytes[place + index] = UInt8(truncatingIfNeeded: count >> (24 - 8 * index))
    }
  }

  /// A header that counts fewer frames than the stream has, in which each needs the ones before it.
  @Test func framesPastTheDeclaredCountAreRead() throws {
    let fixture = try AudioFixture()
    var (bytes, samples) = try part(fixture, 1, ["--cbr", "-b", "128"])
    try setCount(&bytes) { $0 - 17 }
    try fixture.put("x.mp3", bytes)
    let read = try fixture.read("x.mp3")
    #expect(read.samples.count > samples.count)
    expectEqual(Array(read.samples.prefix(samples.count)), samples)
    #expect(read.source.warnings.map(\.text).contains { $0.hasPrefix("its header counts ") })
  }

  /// Joining programs write one header before those of the parts, with or without counting theirs.
  @Test(arguments: [0, 2])
  func aHeaderMayCountAllParts(more: Int) throws {
    let fixture = try AudioFixture()
    let first = try part(fixture, 0, ["-V4"])
    let second = try part(fixture, 1, ["-V4"])
    let counts = try [first, second].map { part in
      let place = try placeOfCount(part.bytes)
      return part.bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    // The frame of the first header again, without what LAME adds.
    var outer = Array(first.bytes.prefix(try placeOfCount(second.bytes) - 8 + 120))
    try setCount(&outer) { _ in counts.reduce(more, +) }
    let size = try #require(
      first.bytes.indices.dropFirst(100).first {
        first.bytes[$0] == 0xFF && first.bytes[$0 + 1] == first.bytes[1]
      })
    outer += [UInt8](repeating: 0, count: size - outer.count)
    try fixture.put("x.mp3", outer + first.bytes + second.bytes)
    expectEqual(try fixture.read("x.mp3").samples, first.samples + second.samples)
  }

  /// The offsets of some twenty frames of 128 kbit/s after the header of the encoder.
  private func frameOffsets(in bytes: [UInt8]) -> [Int] {
    (417..<417 * 20).filter {
      bytes[$0] == 0xFF && bytes[$0 + 1] == bytes[1] && bytes[$0 + 2] & 0xF0 == bytes[2] & 0xF0
    }
  }

  @Test func aCutPartIsReported() throws {
    let fixture = try AudioFixture()
    let first = try part(fixture, 0, ["--cbr", "-b", "128"])
    let second = try part(fixture, 1, ["--cbr", "-b", "128"])
    // Whole frames are missing: 418 bytes and 417.
    let end = try #require(frameOffsets(in: first.bytes).last)
    try fixture.put("x.mp3", first.bytes[..<end] + second.bytes)
    #expect { try fixture.read("x.mp3") } throws: {
      "\($0)".contains("part 1 of 2, which begins at byte 0, has only ")
    }
    let salvaged = try fixture.read("x.mp3", salvaging: true)
    expectEqual(Array(salvaged.samples.suffix(second.samples.count)), second.samples)
    #expect(salvaged.source.warnings.map(\.text).first?.hasPrefix("salvaged ") == true)
    // The last one is cut like any file.
    try fixture.put("x.mp3", first.bytes + second.bytes.dropLast(500))
    #expect { try fixture.read("x.mp3") } throws: { errorName($0) == "truncated" }
  }

  /// No other file begins where bytes are missing after the header of the encoder.
  @Test func bytesMissingAfterTheHeaderMakeNoPart() throws {
    let fixture = try AudioFixture()
    let whole = try part(fixture, 0, ["--cbr", "-b", "128"])
    let frames = frameOffsets(in: whole.bytes)
    try fixture.put("x.mp3", whole.bytes[..<(frames[0] + 300)] + whole.bytes[frames[6]...])
    #expect { try fixture.read("x.mp3") } throws: { errorName($0) == "malformed" }
    let salvaged = try fixture.read("x.mp3", salvaging: true)
    #expect(salvaged.samples.count > whole.samples.count / 2)
    #expect(salvaged.source.warnings.map(\.text).first?.hasPrefix("salvaged ") == true)
  }
}
