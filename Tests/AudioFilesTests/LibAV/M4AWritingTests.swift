#if FFmpeg
  import AudioModel
  import Foundation
  import SystemPackage
  import TestSupport
  import Testing

  @testable import AudioFiles
  @testable import AudioIO

  @Suite("Writing M4A")
  struct M4AWritingTests {
    let folder: TemporaryFolder
    let path: FilePath

    init() throws {
      folder = try TemporaryFolder()
      path = folder.file("out.m4a")
    }

    private func music(
      _ frames: Int, _ channels: Int = 2, rate: Int = 44100
    ) -> [Int16] {
      Fixture.music(frames: frames, channels: channels, rate: rate).samples.map { Int16($0) }
    }

    /// The atoms at the top of a file, and where they begin.
    private func topAtoms(_ bytes: [UInt8]) -> [(type: String, start: Int, size: Int)] {
      var atoms: [(type: String, start: Int, size: Int)] = []
      var position = 0
      while position + 8 <= bytes.count {
        let size = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
        let type = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
        atoms.append((type, position, size))
        if size < 8 { break }
        position += size
      }
      return atoms
    }

    // MARK: Lengths

    @Test(arguments: [1, 2], [1, 2, 1023, 1024, 1025, 2048, 40_013, 198_450])
    func theLengthOfAACIsExact(channels: Int, frames: Int) throws {
      let layout = ChannelLayout.assumed(channelCount: channels)
      try encode(
        music(frames, channels), as: .of("m4a", frames: frames, layout: layout), to: path)
      let probe = try M4AProbe(path)
      #expect(probe.audio.codec_name == "aac")
      #expect(probe.audio.time_base == "1/44100")
      #expect(probe.audio.duration_ts == frames)
      #expect(
        probe.report.format.duration == String(format: "%.6f", Double(frames) / 44100))
      // ffmpeg 5.1 leaves out the frames in front by the edit list, and gives whole packets.
      let decoded = try M4AProbe.decode(path, as: "s16le").count / 2 / channels
      #expect(decoded == (frames + 1023) / 1024 * 1024)
      let gapless = try #require(probe.report.format.tags?["iTunSMPB"])
      let numbers = gapless.split(separator: " ").compactMap { Int($0, radix: 16) }
      #expect(numbers[1] == 1024 && numbers[2] == decoded - frames && numbers[3] == frames)
    }

    @Test(arguments: [1, 2, 6], [1, 4095, 4096, 4097, 40_013])
    func losslessSamplesAreKept(channels: Int, frames: Int) throws {
      let layout = try #require(
        channels == 6
          ? ChannelLayout(mask: 0x3F, channelCount: 6) : .assumed(channelCount: channels))
      let samples = music(frames, channels)
      for format in ["m4a-alac", "caf-alac"] {
        try encode(samples, as: .of(format, frames: frames, layout: layout), to: path)
        #expect(try difference(Raw.int16(M4AProbe.decode(path, as: "s16le")), samples) == nil)
        let probe = try M4AProbe(path)
        #expect(probe.audio.codec_name == "alac" && probe.audio.bits_per_raw_sample == "16")
        if format == "m4a-alac" { #expect(probe.audio.duration_ts == frames) }
      }
      #expect(try Decoded(path).source.frameCount == frames)
    }

    @Test(arguments: [1, 2, 800])
    func onePacketAtALowRateIsWhole(frames: Int) throws {
      let description = try OutputDescription.of(
        "m4a-alac", frames: frames, layout: .assumed(channelCount: 1), rate: 8000)
      try encode(music(frames, 1), as: description, to: path)
      #expect(try M4AProbe(path).audio.duration_ts == frames)
      #expect(try Decoded(path).source.frameCount == frames)
      // An edit list shortens only a packet of 1 frame, and might shorten one that is declared whole.
      guard frames == 1 else { return }
      let url = URL(fileURLWithPath: path.string)
      var bytes = try Data(contentsOf: url)
      let table = try #require(bytes.firstRange(of: Data("stts".utf8)))
      bytes.replaceSubrange(table.upperBound + 12..<table.upperBound + 16, with: [0, 0, 0x10, 0])
      try bytes.write(to: url)
      #expect(try Decoded(path).source.frameCount == frames)
    }

    @Test(arguments: ["m4a-alac", "caf-alac"])
    func twentyFourBitsAreKept(format: String) throws {
      let fixture = Fixture.music(frames: 9001, channels: 2, bits: 24, rate: 96000)
      var description = try OutputDescription.of(format, frames: 9001, layout: .stereo, rate: 96000)
      description.sampleFormat = .int24
      let output = try OutputFile(path: path)
      let writer = try AudioFile.writer(to: output, as: description)
      let samples = fixture.samples.map { Int24(lowBits: Int64($0)) }
      try writer.write(samples.span.extracting(0..<4000))
      try writer.write(samples.span.extracting(4000..<samples.count))
      try writer.finish()
      try output.commit(replacing: true)
      #expect(try M4AProbe.decode(path, as: "s24le") == fixture.raw)
      let probe = try M4AProbe(path)
      #expect(probe.audio.bits_per_raw_sample == "24" && probe.audio.sample_rate == "96000")
    }

    @Test(arguments: [SampleFormat.int32, .float32, .float64])
    func deeperSamplesAreRefusedByALAC(format: SampleFormat) throws {
      var description = try OutputDescription.of("m4a-alac", frames: 1, layout: .mono)
      description.sampleFormat = format
      let output = try OutputFile(path: path)
      let error = #expect(throws: AudioFileError.self) {
        _ = try AudioFile.writer(to: output, as: description)
      }
      #expect(error?.errorClass == "cannot-hold" && error?.remedy != nil)
    }

    /// Without packets, decoders have nothing to open.
    @Test(arguments: ["m4a", "m4a-alac", "m4b", "caf-alac"])
    func outputsWithoutFramesAreRefused(format: String) throws {
      let error = #expect(throws: AudioFileError.self) {
        try encode([], as: .of(format, frames: 0, layout: .stereo), to: path)
      }
      #expect(error?.errorClass == "cannot-hold" && error?.remedy != nil)
      #expect(FileStatus(path: path) == nil)
    }

    // MARK: Sound

    @Test(arguments: [7350, 22050, 44100, 48000, 96000])
    func everyRateOfAACSoundsLikeTheSource(rate: Int) throws {
      let frames = rate
      // Tones alone: the noise of the other fixtures is what lossy codecs leave out.
      let samples = (0..<frames * 2).map { index in
        Int16(12000 * sin(2 * Double.pi * 440 * Double(index / 2) / Double(rate)))
      }
      try encode(
        samples, as: .of("m4a", frames: frames, layout: .stereo, rate: rate), to: path)
      let probe = try M4AProbe(path)
      #expect(probe.audio.sample_rate == "\(rate)" && probe.audio.duration_ts == frames)
      let decoded = Raw.int16(try M4AProbe.decode(path, as: "s16le"))
      try #require(decoded.count >= samples.count)
      var error = 0.0
      var power = 0.0
      for (a, b) in zip(samples, decoded) {
        error += pow(Double(a) - Double(b), 2)
        power += pow(Double(a), 2)
      }
      #expect(10 * log10(error / power) < -25)
    }

    @Test func bitRatesAreKept() throws {
      let samples = music(88_200)
      var sizes: [Int] = []
      for rate in [64_000, 128_000, 256_000] {
        try encode(
          samples,
          as: .of(
            "m4a", frames: 88_200, layout: .stereo, options: EncodingOptions(bitRate: rate)),
          to: path)
        let found = try #require(try Int(M4AProbe(path).audio.bit_rate ?? ""))
        #expect(abs(found - rate) < rate / 8, "\(found)")
        sizes.append(try Files.read(path).count)
        try encode(
          samples,
          as: .of("m4a", frames: 88_200, layout: .stereo, sourceBitRate: rate), to: path)
        #expect(try Files.read(path).count == sizes.last)
      }
      #expect(sizes[0] < sizes[1] && sizes[1] < sizes[2])
    }

    @Test(arguments: [
      ("m4a", EncodingOptions(bitRate: 1_000_000), "529k"),
      ("m4a", EncodingOptions(bitRate: 5_000), "14k"),
      ("m4a", EncodingOptions(quality: 1), "no encoding quality"),
      ("m4a-alac", EncodingOptions(bitRate: 128_000), "no bit rate"),
      ("m4a-alac", EncodingOptions(compressionLevel: 1), "no compression level"),
    ])
    func optionsThatTheCodecLacksAreRefused(
      format: String, options: EncodingOptions, part: String
    ) throws {
      let output = try OutputFile(path: path)
      let error = #expect(throws: AudioFileError.self) {
        _ = try AudioFile.writer(
          to: output, as: .of(format, frames: 1, layout: .stereo, options: options))
      }
      let text = error.map { "\($0.cause); \($0.remedy, default: "")" } ?? ""
      #expect(text.contains(part), "\(text)")
      #expect(try folder.names().isEmpty)
    }

    @Test func ratesBeyondAACAreRefused() throws {
      let output = try OutputFile(path: path)
      let error = #expect(throws: AudioFileError.self) {
        _ = try AudioFile.writer(
          to: output, as: .of("m4a", frames: 1, layout: .stereo, rate: 192_000))
      }
      #expect(error?.cause.contains("96000") == true)
    }

    // MARK: The file

    @Test(arguments: [("m4a", "M4A "), ("m4b", "M4B "), ("m4r", "M4A "), ("m4b-alac", "M4B ")])
    func brandAndOrderOfBoxesAreRight(format: String, brand: String) throws {
      try encode(music(5000), as: .of(format, frames: 5000, layout: .stereo), to: path)
      #expect(try M4AProbe(path).report.format.tags?["major_brand"] == brand)
      let bytes = try Files.read(path)
      let atoms = topAtoms(bytes)
      #expect(atoms.map(\.type) == ["ftyp", "moov", "free", "mdat"])
      #expect(atoms.last.map { $0.start + $0.size } == bytes.count)
      #expect(try Tool.run("AtomicParsley", [path.string, "-T"]).status == 0)
    }

    @Test func equalInputGivesEqualBytes() throws {
      let samples = music(9000)
      for format in ["m4a", "m4a-alac", "caf-alac"] {
        for name in ["a", "b"] {
          try encode(samples, as: .of(format, frames: 9000, layout: .stereo), to: folder.file(name))
        }
        #expect(try Files.read(folder.file("a")) == Files.read(folder.file("b")))
      }
    }

    @Test func theTableHasTheRatesOfTheEncoder() throws {
      let help = try Tool.run("ffmpeg", ["-v", "error", "-h", "encoder=aac"]).outputText
      let line = try #require(help.split(separator: "\n").first { $0.contains("sample rates:") })
      let rates = line.split(separator: " ").compactMap { Int($0) }
      #expect(AudioFormat.named("m4a")?.sampleRates == rates.sorted())
    }

    @Test func otherLengthsThanAnnouncedAreErrors() throws {
      for count in [9, 11] {
        #expect(throws: AudioFileError.self) {
          try encode(
            [Int16](repeating: 0, count: count), as: .of("m4a", frames: 10, layout: .mono),
            to: path)
        }
        #expect(try folder.names().isEmpty)
      }
    }
  }
#endif
