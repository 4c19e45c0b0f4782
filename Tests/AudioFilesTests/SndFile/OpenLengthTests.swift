import AudioFiles
import AudioModel
import TestSupport
import Testing

@testable import AudioIO

/// Files whose writer could not go back to complete the header.
@Suite("Lengths left open")
struct OpenLengthTests {
  @Test(arguments: ["wav", "au", "aiff", "w64", "caf"])
  func wavThatFFmpegPipes(kind: String) throws {
    let fixture = try AudioFixture()
    try fixture.run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=d=0.5", "-ac", "2", "y.wav")
    let cat = try Tool.run(
      "sh",
      ["-c", "ffmpeg -v error -f lavfi -i sine=d=0.5 -ac 2 -f \(kind) pipe:1 | cat > x.\(kind)"],
      in: fixture.folder.path)
    #expect(cat.status == 0)
    let read = try fixture.read("x.\(kind)")
    #expect(read.source.frameCount == 22050)
    #expect(read.samples == (try fixture.decodeWithFFmpeg("y.wav")))
  }

  @Test(arguments: ["wav", "au", "aiff"])
  func wavThatSoxPipes(kind: String) throws {
    let fixture = try AudioFixture()
    try fixture.run(
      "sox", "-n", "-r", "8000", "-c", "2", "-b", "16", "x.wav", "synth", "0.5", "sine", "300")
    let piped = try Tool.run(
      "sh",
      ["-c", "cat x.wav | sox -V1 -t wav --ignore-length - -t \(kind) - | cat > x.\(kind).piped"],
      in: fixture.folder.path)
    #expect(piped.status == 0)
    let read = try fixture.read("x.\(kind).piped")
    #expect(read.source.frameCount == 4000)
    #expect(read.samples == (try fixture.decodeWithFFmpeg("x.wav")))
  }

  @Test(arguments: [0, 0xFFFF_FFFF, 0x7FFF_F000, 0x7FFF_FFFF, 0x8000_0000, 0x7FFF_FF00])
  func interruptedWAVRecordingsAreReadToTheEnd(size: Int) throws {
    let fixture = try AudioFixture()
    let data = (0..<1001).map { UInt8($0 % 251) }
    try fixture.put("x.wav", Wave.file(channels: 1, bits: 16, data: data, declared: size))
    #expect(try fixture.read("x.wav").source.frameCount == 500)
  }

  @Test func anEmptyDataChunkBeforeOthersIsEmpty() throws {
    let fixture = try AudioFixture()
    let wave = Wave.file(channels: 1, bits: 16, data: []) + Wave.chunk("LIST", Array("INFO".utf8))
    try fixture.put("x.wav", wave)
    #expect(try fixture.read("x.wav").source.frameCount == 0)
  }

  /// sox writes a second header of these instead of going back to the first.
  @Test(arguments: ["caf", "w64"])
  func aSecondHeaderInPlaceOfAudioIsMalformed(kind: String) throws {
    let fixture = try AudioFixture()
    try fixture.run(
      "sox", "-n", "-r", "8000", "-c", "1", "-b", "16", "x.wav", "synth", "0.5", "sine", "300")
    _ = try Tool.run(
      "sh", ["-c", "sox x.wav -t \(kind) - | cat > x.\(kind)"], in: fixture.folder.path)
    #expect { try fixture.read("x.\(kind)") } throws: { errorName($0) == "malformed" }
  }
}
