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

  private func make(
    _ fixture: AudioFixture, _ name: String, frames: Int, channels: Int, _ codec: String
  ) throws {
    try fixture.run(
      "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=440:r=8000", "-af",
      "atrim=end_sample=\(frames)", "-ac", "\(channels)", "-c:a", codec, name)
  }

  /// ffmpeg counts the padding as audio; a chunk of its own has the number of frames, except for integers.
  @Test(
    arguments: ["pcm_alaw", "pcm_mulaw", "pcm_f32le", "pcm_f64le"], [1, 3])
  func countedPaddingIsDropped(codec: String, channels: Int) throws {
    let fixture = try AudioFixture()
    for frames in [1, 2, 3, 5, 6, 7, 4001] {
      try make(fixture, "x.w64", frames: frames, channels: channels, codec)
      try make(fixture, "x.wav", frames: frames, channels: channels, codec)
      let read = try fixture.read("x.w64")
      #expect(read.source.frameCount == frames)
      let isSame = read.samples == (try fixture.decodeWithFFmpeg("x.wav"))
      #expect(isSame, "\(frames) frames")
      #expect(read.source.warnings.map(\.text) == [])
    }
  }

  /// Without a count, padding of 8 bits is recognized by its value, the lowest one.
  @Test(arguments: [1, 3])
  func paddingOfEightBits(channels: Int) throws {
    let fixture = try AudioFixture()
    for frames in [1, 2, 3, 4, 5, 6, 7, 8, 4001] {
      try make(fixture, "x.w64", frames: frames, channels: channels, "pcm_u8")
      try make(fixture, "x.wav", frames: frames, channels: channels, "pcm_u8")
      let read = try fixture.read("x.w64")
      #expect(read.source.frameCount == frames)
      let isSame = read.samples == (try fixture.decodeWithFFmpeg("x.wav"))
      #expect(isSame, "\(frames) frames")
      let padding = (8 - frames * channels % 8) % 8
      #expect(read.source.warnings.isEmpty == (padding < channels))
    }
  }

  /// A slope to the lowest value, and a square wave, end with samples of zero.
  @Test(arguments: [false, true])
  func audioOfEightBitsMayEndInZeros(isSquare: Bool) throws {
    let slope: [UInt8] = (0..<29).map { index in UInt8(128 - 4 * index) }
    let square: [UInt8] = (0..<32).map { index in index / 4 % 2 == 0 ? 255 : 0 }
    let samples = isSquare ? square : slope + [0, 0, 0]
    let fixture = try AudioFixture()
    try fixture.put("x.raw", samples)
    try fixture.run(
      "sox", "-t", "raw", "-r", "8000", "-c", "1", "-b", "8", "-e", "unsigned-integer", "x.raw",
      "x.w64")
    let read = try fixture.read("x.w64")
    #expect(read.source.frameCount == samples.count)
    #expect(read.source.warnings.map(\.text) == [])
  }

  #if FFmpeg
    /// Packets and blocks before the padding.
    @Test(
      .slow,
      arguments: [
        ("libgsm_ms", 8000), ("mp2", 44100), ("libmp3lame", 44100), ("libmp3lame", 8000),
        ("wmav1", 44100), ("wmav2", 44100), ("adpcm_ms", 44100), ("adpcm_ima_wav", 44100),
        ("adpcm_swf", 44100),
      ])
    func paddingOfPackets(codec: String, rate: Int) throws {
      let fixture = try AudioFixture()
      for seconds in ["0.3", "0.77", "1.1"] {
        for name in ["x.w64", "x.wav"] {
          try fixture.run(
            "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=440:r=\(rate):d=\(seconds)",
            "-c:a", codec, name)
        }
        let read = try fixture.read("x.w64")
        let other = try fixture.read("x.wav")
        #expect(read.samples.count == other.samples.count)
        #expect(read.samples.count == (try fixture.decodeWithFFmpeg("x.wav")).count)
        // Two decoders of MP3 round differently.
        let isSame = read.samples.elementsEqual(other.samples) { abs(Int($0) - Int($1)) <= 2 }
        #expect(isSame, "\(seconds) s")
        #expect(read.source.warnings.map(\.text) == [])
      }
    }
  #endif
}
