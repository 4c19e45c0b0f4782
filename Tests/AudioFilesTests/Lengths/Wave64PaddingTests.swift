import AudioModel
import TestSupport
import Testing

@testable import AudioIO

/// Sony's Wave64: a chunk is filled up with zeros to a multiple of 8 bytes, which its size leaves out.
@Suite("Padding in Wave64")
struct Wave64PaddingTests {
  /// sox writes a Wave64 file of one channel and 16 bits, which ends with its audio.
  @Test(arguments: [4000, 4001, 4002, 4003])
  func paddingIsNotAudio(frames: Int) throws {
    let fixture = try AudioFixture()
    try fixture.run(
      "sox", "-R", "-r", "8000", "-n", "-c", "1", "-b", "16", "x.w64", "synth", "\(frames)s",
      "pinknoise")
    let plain = try fixture.read("x.w64")
    #expect(plain.samples.count == frames)
    var bytes = try fixture.bytes("x.w64")
    while bytes.count % 8 != 0 { bytes.append(0) }
    try fixture.put("padded.w64", bytes)
    let padded = try fixture.read("padded.w64")
    #expect(padded.source.frameCount == frames)
    #expect(padded.samples == plain.samples)
  }
}
