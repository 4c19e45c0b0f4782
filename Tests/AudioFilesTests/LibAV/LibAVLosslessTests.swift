#if FFmpeg
  @testable import AudioIO
  import AudioFiles
  import AudioModel
  import TestSupport
  import Testing

  /// Lossless files are read bit for bit as ffmpeg reads them, at their own depth.
  @Suite("Lossless formats through FFmpeg's libraries")
  struct LibAVLosslessTests {
    static let integers: [(file: String, options: String, format: SampleFormat, id: String)] = [
      ("x.m4a", "-c:a alac", .int16, "m4a-alac"),
      ("x24.m4a", "-c:a alac -sample_fmt s32p", .int24, "m4a-alac"),
      ("sowt.mov", "-c:a pcm_s16le", .int16, "mov"), ("twos.mov", "-c:a pcm_s16be", .int16, "mov"),
      ("in24.mov", "-c:a pcm_s24be", .int24, "mov"), ("in32.mov", "-c:a pcm_s32be", .int32, "mov"),
      ("raw.mov", "-c:a pcm_u8", .int8, "mov"),
      ("x.wv", "-c:a wavpack", .int16, "wavpack"),
      ("x32.wv", "-c:a wavpack -sample_fmt s32p", .int32, "wavpack"),
      ("x.tta", "-c:a tta", .int16, "tta"), ("x24.tta", "-c:a tta -sample_fmt s32", .int24, "tta"),
      ("flac.mka", "-c:a flac", .int16, "mka"), ("pcm.mka", "-c:a pcm_s24le", .int24, "mka"),
      ("flac.mp4", "-c:a flac -strict -2", .int16, "mp4"),
      ("pcm.avi", "-c:a pcm_s16le", .int16, "avi"),
      ("pcm.nut", "-c:a pcm_s16le", .int16, "av"), ("alac.caf", "-c:a alac", .int16, "caf-alac"),
    ]

    @Test(arguments: integers)
    func samplesAreKept(file: String, options: String, format: SampleFormat, id: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 13_001)
      try fixture.encode(file, options)
      let read = try fixture.read(file, as: Int32.self)
      #expect(read.source.frameCount == 13_001)
      #expect(read.source.sampleFormat == format)
      #expect(read.source.format.id == id)
      #expect(read.source.format.isLossless)
      #expect(read.source.bitRate == nil)
      #expect(read.source.spec == AudioSpec(sampleRate: 44100, layout: .stereo))
      #expect(read.samples == Raw.int32(try fixture.decode(file, as: "s32le")))
    }

    @Test(arguments: [
      ("fl32.mov", "pcm_f32be", SampleFormat.float32), ("fl64.mov", "pcm_f64le", .float64),
      ("x.wv", "wavpack -sample_fmt fltp", .float32), ("x.mka", "pcm_f32le", .float32),
    ])
    func floatsAreKept(file: String, codec: String, format: SampleFormat) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 5_003)
      try fixture.encode(file, "-af volume=3 -c:a \(codec)")
      let read = try fixture.read(file, as: Double.self)
      #expect(read.source.sampleFormat == format)
      let expected = Raw.double(try fixture.decode(file, as: "f64le"))
      #expect(read.samples == expected)
      #expect(expected.contains { abs($0) > 1 })
    }

    /// MLP fills its last block of 40 frames, and only many blocks show that.
    @Test func trueHDIsKept() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 120_000)
      try fixture.encode("x.thd", "-af volume=0.1 -c:a truehd -strict -2")
      let read = try fixture.read("x.thd", as: Int32.self)
      #expect(read.source.format.id == "mlp")
      #expect(read.source.frameCount == 120_000)
      #expect(read.samples == Raw.int32(try fixture.decode("x.thd", as: "s32le")))
    }

    /// WavPack's own encoder, whose blocks and headers are not libavcodec's.
    @Test func filesOfWavPackAreKept() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 30_001)
      try fixture.run("wavpack", "-q", "-y", "x.wav", "-o", "x.wv")
      let read = try fixture.read("x.wv", as: Int16.self)
      #expect(read.samples == Signal.noise(frames: 30_001, channels: 2))
      // The lossy mode gives as many frames; libavcodec is held to its own decode.
      try fixture.run("wavpack", "-q", "-y", "-b300", "x.wav", "-o", "lossy.wv")
      let lossy = try fixture.read("lossy.wv", as: Int16.self)
      #expect(lossy.samples == Raw.int16(try fixture.decode("lossy.wv", as: "s16le")))
      #expect(lossy.source.frameCount == 30_001)
    }

    /// Lossless audio becomes lossless audio: in the family of MP4 ALAC, elsewhere FLAC.
    @Test(arguments: [
      ("x.wv", "wavpack", "flac"), ("x.tta", "tta", "flac"), ("x.mka", "flac", "flac"),
      ("x.mov", "pcm_s16le", "m4a-alac"), ("x.mp4", "alac", "m4a-alac"),
    ])
    func theNearestLosslessFormatIsWritten(file: String, codec: String, id: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 1000)
      try fixture.encode(file, "-c:a \(codec)")
      let format = try fixture.read(file, as: Int16.self).source.format
      #expect(format.fallbackID == id)
      #expect(try #require(AudioFormat.named(id)).writtenForm?.isLossless == true)
      // The name of the output is settled by the content alone, before the file is read.
      let written = try fixture.sniff(file)?.writtenForm
      let extensions = try #require(format.writtenForm).extensions
      #expect(extensions.first == written?.extensions.first || id == "m4a-alac")
    }
  }
#endif
