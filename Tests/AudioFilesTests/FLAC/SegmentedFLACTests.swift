import AudioModel
import SystemPackage
import TestSupport
import Testing

@testable import AudioIO
@testable import FLACFiles

@Suite("FLAC encoded in segments", .tags(.threaded))
struct SegmentedFLACTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The frames around the ends of segments of 2^18 samples in blocks of 4096 frames, and of blocks.
  static let lengths: [(channels: Int, frames: Int)] = [
    (1, 1), (1, 4096), (1, 4097), (1, (1 << 18) - 1), (1, 1 << 18), (1, (1 << 18) + 1),
    (2, 1 << 17), (2, (1 << 17) + 4095), (2, 9 << 17), (3, 21 * 4096), (3, 21 * 4096 + 1),
  ]

  @Test(arguments: lengths)
  func otherProgramsFindNoSeam(channels: Int, frames: Int) throws {
    let layout = ChannelLayout.assumed(channelCount: channels)
    let samples = Self.tones(frames: frames, channels: channels)
    let path = folder.file("out.flac")
    try encode(samples, as: .of("flac", frames: frames, layout: layout), to: path)
    let test = try Tool.run("flac", ["-t", "--warnings-as-errors", "-s", path.string])
    #expect(test.status == 0, "\(test.errorText)")
    #expect(try folder.decode(path) == samples)
  }

  @Test func filesEqualThoseOfFlac() throws {
    let frames = 700_000
    let samples = Self.tones(frames: frames, channels: 2)
    let path = folder.file("out.flac")
    let raw = folder.file("in.raw")
    try Files.write(
      samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] },
      to: raw)
    try encode(samples, as: .of("flac", frames: frames, layout: .stereo), to: path)
    let other = folder.file("other.flac")
    let made = try Tool.run(
      "flac",
      [
        "-5", "-s", "--force-raw-format", "--endian=little", "--sign=signed", "--channels=2",
        "--bps=16", "--sample-rate=44100", "-o", other.string, raw.string,
      ])
    #expect(made.status == 0, "\(made.errorText)")
    for options in [
      ["--show-md5sum", "--show-min-framesize", "--show-max-framesize", "--show-total-samples"],
      ["--list", "--block-type=SEEKTABLE"],
    ] {
      let (ours, theirs) = (try folder.metaflac(options, path), try folder.metaflac(options, other))
      #expect(ours == theirs)
    }
    let (audio, otherAudio) = (try frameBytes(path), try frameBytes(other))
    #expect(audio == otherAudio)
  }

  @Test func filesAreTheSameOnAnyNumberOfCores() throws {
    let cores = CoreBudget.shared.cores
    defer { CoreBudget.shared.cores = cores }
    let samples = Self.tones(frames: 900_000, channels: 2)
    let files = try [1, 2, 7].map { count in
      CoreBudget.shared.cores = count
      let path = folder.file("\(count).flac")
      try encode(samples, as: .of("flac", frames: 900_000, layout: .stereo), to: path)
      return try Files.read(path)
    }
    #expect(files[1] == files[0])
    #expect(files[2] == files[0])
  }

  /// RFC 9639 section 9.1.5: one to six bytes.
  @Test(arguments: [0, 127, 128, 2047, 2048, 65535, 65536, 2_097_151, 2_097_152, (1 << 31) - 1])
  func frameNumbersOfEveryLengthAreWritten(number: Int) throws {
    let path = folder.file("one.flac")
    try encode(
      Self.tones(frames: 4000, channels: 2), as: .of("flac", frames: 4000, layout: .stereo),
      to: path)
    let frame = try frameBytes(path)
    var moved: [UInt8] = []
    #expect(frame.withUnsafeBytes { FLACFrameNumber.append($0, numbered: number, to: &moved) })
    let code = Array(moved[4..<moved.count - frame.count + 5])
    #expect(Self.decoded(code) == number)
    #expect(moved.suffix(64).dropLast(2).elementsEqual(frame.suffix(64).dropLast(2)))
    #expect(Self.remainder(moved, polynomial: 0x18005, bits: 16) == 0)
    // A block of 4000 frames has its length in two bytes after the number; then comes the checksum.
    #expect(Self.remainder(Array(moved[..<(4 + code.count + 3)]), polynomial: 0x107, bits: 8) == 0)
  }

  @Test func bytesThatAreNotAFrameAreRefused() {
    var bytes: [UInt8] = []
    for junk in [[], [0xFF], [UInt8](repeating: 0xFF, count: 40), [0xFF, 0xF8, 0, 0, 0, 0]] {
      #expect(!junk.withUnsafeBytes { FLACFrameNumber.append($0, numbered: 3, to: &bytes) })
    }
  }

  /// Tones with some noise, so that frames differ in size.
  private static func tones(frames: Int, channels: Int) -> [Int16] {
    var state: UInt32 = 1
    return (0..<frames * channels).map { index in
      state = state &* 1_664_525 &+ 1_013_904_223
      let (frame, channel) = index.quotientAndRemainder(dividingBy: channels)
      let wave = (frame &* (37 + channel)) & 0x3FFF
      return Int16(wave - 8192 + Int(state >> 24) * (frame & 0x10000 == 0 ? 1 : 8))
    }
  }

  private static func decoded(_ code: [UInt8]) -> Int {
    let first = Int(code[0])
    let start = code.count == 1 ? first : first & (0x7F >> code.count)
    return code.dropFirst().reduce(start) { $0 << 6 | Int($1 & 0x3F) }
  }

  /// The rest of a message, divided bit by bit.
  private static func remainder(_ bytes: [UInt8], polynomial: Int, bits: Int) -> Int {
    var value = 0
    for byte in bytes {
      for bit in (0..<8).reversed() {
        value = value << 1 | Int(byte >> UInt8(bit) & 1)
        if value >> bits & 1 == 1 { value ^= polynomial }
      }
    }
    return value
  }

  /// The bytes after the metadata.
  private func frameBytes(_ path: FilePath) throws -> [UInt8] {
    let bytes = try Files.read(path)
    var offset = 4
    while true {
      let length = bytes[offset + 1..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      let isLast = bytes[offset] & 0x80 != 0
      offset += 4 + length
      if isLast { return Array(bytes[offset...]) }
    }
  }
}
