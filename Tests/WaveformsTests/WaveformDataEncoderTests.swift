import Testing
import Waveforms

@Suite("Waveform data")
struct WaveformDataEncoderTests {
  /// Pixels of three frames, of a channel that counts up and one that counts down.
  private func encoded(_ format: WaveformDataFormat, depth: WaveformDataSettings.Depth, cut: Int)
    throws
    -> [UInt8]
  {
    let frames = 8
    var encoder = try WaveformDataEncoder(
      format: format, settings: WaveformDataSettings(pixelsPerSecond: 1000, depth: depth),
      sampleRate: 3000, channelCount: 2, frameCount: frames)
    var bytes = encoder.header()
    for start in stride(from: 0, to: frames, by: cut) {
      let block = (start..<min(frames, start + cut)).map { Int16($0 * 300) }
      let negative = block.map { -$0 }
      encoder.append(block.span, channel: 0)
      encoder.append(negative.span, channel: 1)
      bytes += encoder.encodedPixels()
    }
    return bytes + encoder.finish()
  }

  /// The same wherever the blocks are cut, with a last pixel of two frames.
  @Test(arguments: [1, 2, 3, 5, 8]) func text(cut: Int) throws {
    let head = #"{"version":2,"channels":2,"sample_rate":3000,"samples_per_pixel":3,"bits":"#
    #expect(
      String(decoding: try encoded(.json, depth: .bits16, cut: cut), as: UTF8.self) == head
        + "16,\"length\":3,\"data\":[0,600,-600,0,900,1500,-1500,-900,1800,2100,-2100,-1800]}\n")
    #expect(
      String(decoding: try encoded(.json, depth: .bits8, cut: cut), as: UTF8.self) == head
        + "8,\"length\":3,\"data\":[0,2,-2,0,3,5,-5,-3,7,8,-8,-7]}\n")
  }

  @Test func binary() throws {
    let bytes = try encoded(.dat, depth: .bits8, cut: 4)
    #expect(
      bytes == [2, 0, 0, 0, 1, 0, 0, 0, 0xB8, 0x0B, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0]
        + [0, 2, 0xFE, 0, 3, 5, 0xFB, 0xFD, 7, 8, 0xF8, 0xF9])
    let wide = try encoded(.dat, depth: .bits16, cut: 4)
    #expect(wide[4] == 0 && wide.count == 24 + 24)
    #expect(Array(wide[24..<32]) == [0, 0, 0x58, 0x02, 0xA8, 0xFD, 0, 0])
  }

  @Test func emptyAudioHasNoValues() throws {
    var encoder = try WaveformDataEncoder(
      format: .json, sampleRate: 8000, channelCount: 1, frameCount: 0)
    #expect(encoder.pixelCount == 0)
    #expect(String(decoding: encoder.header() + encoder.finish(), as: UTF8.self).hasSuffix("[]}\n"))
    #expect(throws: WaveformDataError.tooManyPixels(pixelsPerSecond: 5000, sampleRate: 8000)) {
      try WaveformDataEncoder(
        format: .json, settings: WaveformDataSettings(pixelsPerSecond: 5000), sampleRate: 8000,
        channelCount: 1, frameCount: 1)
    }
  }
}
