#if FFmpeg
  import AudioFiles
  import AudioModel
  import TestSupport
  import Testing

  @testable import AudioIO

  /// Lengths of codecs in blocks of one size, by headers that count blocks or bytes.
  @Suite("Lengths of blocks")
  struct BlockLengthTests {
    /// libavformat has the duration of AVI from a bit rate.
    @Test(arguments: [
      ("adpcm_ms", 44100), ("adpcm_ima_wav", 44100), ("adpcm_yamaha", 44100), ("adpcm_swf", 44100),
      ("libgsm_ms", 8000), ("libmp3lame", 44100), ("mp2", 44100), ("ac3", 44100), ("aac", 44100),
      ("pcm_s16le", 44100),
    ])
    func inAVI(codec: String, rate: Int) throws {
      let fixture = try AudioFixture()
      try fixture.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=2.3:r=\(rate):seed=1", "-c:a",
        codec, "x.avi")
      let input = try InputFile(path: fixture.path("x.avi"))
      let decoded = try fixture.decodeWithFFmpeg("x.avi").count
      let estimated = try AudioFile.reader(for: input, salvaging: false, estimates: .ofAnyPass)
      #expect(abs(estimated.source.frameCount - decoded) <= 4096)
      #expect(try fixture.read("x.avi").source.frameCount == decoded)
    }

    /// A last block of ADPCM that is not full, which libsndfile counts as a whole one.
    @Test(arguments: [4, 3, 5])
    func inAU(bits: Int) throws {
      let fixture = try AudioFixture()
      for frames in [18_400, 18_480, 7992] {
        try fixture.run(
          "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=440:r=8000", "-af",
          "atrim=end_sample=\(frames)", "-c:a", "g726le", "-b:a", "\(8 * bits)k", "-f", "au",
          "x.au")
        let decoded = try fixture.decodeWithFFmpeg("x.au")
        let read = try fixture.read("x.au")
        #expect(read.samples.count == decoded.count)
      }
    }
  }
#endif
