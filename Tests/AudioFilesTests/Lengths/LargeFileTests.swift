import AudioModel
import Foundation
import TestSupport
import Testing

@testable import AudioFiles
@testable import AudioIO

/// Files beyond 4 GiB, which take no room here: all but the header and the last frames is a hole.
@Suite("Beyond 4 GiB")
struct LargeFileTests {
  static let kinds = ["rf64", "bw64", "w64", "caf", "au", "wav", "wrapped"]
  /// 4.6 GB of 16-bit stereo.
  private static let frames = 1_150_000_000
  private static let ending: [Int16] = [101, -102, 103, -104]

  private func little(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }

  private func big(_ value: UInt64, _ count: Int) -> [UInt8] { little(value, count).reversed() }

  private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// PCM, stereo, 48 kHz, 192,000 bytes a second, 4 bytes a frame, 16 bits.
  private var waveFormat: [UInt8] {
    little(1, 2) + little(2, 2) + little(48000, 4) + little(192_000, 4) + little(4, 2)
      + little(16, 2)
  }

  private func header(_ kind: String, bytes: UInt64) -> [UInt8] {
    switch kind {
    case "rf64", "bw64":
      let sizes = little(bytes + 72, 8) + little(bytes, 8) + little(bytes / 4, 8) + little(0, 4)
      return text(kind.uppercased()) + little(0xFFFF_FFFF, 4) + text("WAVEds64") + little(28, 4)
        + sizes + text("fmt ") + little(16, 4) + waveFormat + text("data") + little(0xFFFF_FFFF, 4)
    case "w64":
      let rest: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
      let riff: [UInt8] = [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0, 0]
      return text("riff") + riff + little(bytes + 104, 8) + text("wave") + rest + text("fmt ")
        + rest + little(40, 8) + waveFormat + text("data") + rest + little(bytes + 24, 8)
    case "caf":
      let description =
        big(Double(48000).bitPattern, 8) + text("lpcm") + big(0, 4) + big(4, 4) + big(1, 4)
        + big(2, 4) + big(16, 4)
      return text("caff") + [0, 1, 0, 0] + text("desc") + big(32, 8) + description + text("data")
        + big(bytes + 4, 8) + big(0, 4)
    case "au":
      // The size is 32 bits wide: not known.
      return text(".snd") + big(24, 4) + big(0xFFFF_FFFF, 4) + big(3, 4) + big(48000, 4) + big(2, 4)
    case "wrapped":
      // Written by programs that ignore the size.
      return text("RIFF") + little(bytes + 36, 4) + text("WAVEfmt ") + little(16, 4) + waveFormat
        + text("data") + little(bytes, 4)
    default:
      // As ffmpeg leaves it in a pipe.
      return text("RIFF") + little(0xFFFF_FFFF, 4) + text("WAVEfmt ") + little(16, 4) + waveFormat
        + text("data") + little(0xFFFF_FFFF, 4)
    }
  }

  /// Writes a sparse file of the kind.
  private func make(_ fixture: AudioFixture, _ kind: String) throws -> String {
    let name = "x.\(kind)"
    let bytes = UInt64(Self.frames) * 4
    let head = header(kind, bytes: bytes)
    try fixture.put(name, head)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: fixture.path(name).string))
    let end = Self.ending.flatMap { sample -> [UInt8] in
      let pair = little(UInt64(UInt16(bitPattern: sample)), 2)
      return kind == "caf" || kind == "au" ? pair.reversed() : pair
    }
    try file.seek(toOffset: UInt64(head.count) + bytes - UInt64(end.count))
    try file.write(contentsOf: Data(end))
    try file.close()
    return name
  }

  @Test(arguments: kinds)
  func lengthAndLastFramesAreRead(kind: String) throws {
    let fixture = try AudioFixture()
    let input = try InputFile(path: fixture.path(try make(fixture, kind)))
    #expect(input.size > 1 << 32)
    let reader = try AudioFile.reader(for: input, salvaging: false)
    #expect(reader.source.frameCount == Self.frames)
    #expect(reader.source.spec == AudioSpec(sampleRate: 48000, layout: .stereo))
    try reader.seek(toFrame: Self.frames - 2)
    var last = [Int16](repeating: 1, count: 8)
    var span = last.mutableSpan
    #expect(try reader.read(into: &span) == 2)
    #expect(Array(last[0..<4]) == Self.ending)
  }

  @Test(arguments: ["rf64", "w64", "caf"])
  func aCutFileIsTruncated(kind: String) throws {
    let fixture = try AudioFixture()
    let name = try make(fixture, kind)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: fixture.path(name).string))
    try file.truncate(atOffset: (1 << 32) + 4000)
    try file.close()
    #expect {
      let input = try InputFile(path: fixture.path(name))
      _ = try AudioFile.reader(for: input, salvaging: false)
    } throws: { errorName($0) == "truncated" }
  }

  /// The choice is made from the known length, before the first byte.
  @Test(arguments: [SampleFormat.int16, .int24, .float64], [1, 2, 6])
  func longWAVBecomesRF64(depth: SampleFormat, channels: Int) throws {
    let wav = try #require(AudioFormat.named("wav"))
    let spec = AudioSpec(sampleRate: 48000, layout: .assumed(channelCount: channels))
    let most = 0xFFFF_0000 / (channels * depth.bitDepth / 8)
    for (frames, id) in [(most, "wav"), (most + 1, "rf64"), (Int.max / 64, "rf64")] {
      let form = wav.largeForm(for: spec, frameCount: frames, sampleFormat: depth)
      #expect(form.id == id)
      #expect(form.refusal(of: spec, frameCount: frames, sampleFormat: depth) == nil)
    }
    for id in ["w64", "caf", "rf64"] {
      let format = try #require(AudioFormat.named(id))
      #expect(format.refusal(of: spec, frameCount: 4 * most, sampleFormat: depth) == nil)
      #expect(format.largeForm(for: spec, frameCount: 4 * most, sampleFormat: depth) == format)
    }
    let aiff = try #require(AudioFormat.named("aiff"))
    let refusal = try #require(
      aiff.refusal(of: spec, frameCount: most + 1, sampleFormat: depth))
    guard case .useFormat(let formats) = refusal.remedy else {
      Issue.record("\(String(describing: refusal.remedy))")
      return
    }
    #expect(formats.contains("w64"))
  }
}
