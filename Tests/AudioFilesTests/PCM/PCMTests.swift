import AudioFiles
import AudioModel
import TestSupport
import Testing

@testable import AudioIO

/// Samples that are stored one by one, in every container, encoding, byte order and number of channels.
@Suite("PCM in containers")
struct PCMTests {
  /// A file to write: how many channels and frames, and in which depth.
  private struct Written {
    let name: String
    let format: SampleFormat
    let channels: Int
    let frames: Int
    /// The samples, whose full scale is 1.
    let values: [Double]
  }

  /// Writes a container in all depths, numbers of channels and lengths.
  private func writeAll(_ id: String, in fixture: AudioFixture) throws -> [Written] {
    let row = try #require(AudioFormat.named(id))
    func write<Sample: PCMSample>(_: Sample.Type) throws -> [Written] {
      var files: [Written] = []
      for channels in [1, 2, 3, 6, 8] {
        for frames in [0, 1, 2, 9, 501] {
          let name = "\(Sample.format.rawValue)-\(channels)-\(frames)"
          let samples = Signal.samples(4008, as: Sample.self).prefix(frames * channels)
          try fixture.write(
            name, Array(samples), as: id, layout: .assumed(channelCount: channels), rate: 11025,
            sampleFormat: Sample.format)
          files.append(
            Written(
              name: name, format: Sample.format, channels: channels, frames: frames,
              values: samples.map(\.normalized)))
        }
      }
      return files
    }
    return try row.sampleFormats.flatMap { try write($0.sampleType) }
  }

  private static let containers = ["wav", "wavex", "rf64", "w64", "aiff", "aifc", "caf", "au"]

  /// libsndfile, through Python's soundfile.
  @Test(arguments: containers)
  func libsndfileReadsWhatIsWritten(id: String) throws {
    let fixture = try AudioFixture()
    let files = try writeAll(id, in: fixture)
    for file in files {
      try fixture.put("\(file.name).f64", file.values.flatMap(Self.bytes))
    }
    let script = """
      import sys, numpy, soundfile
      for name in sys.argv[1:]:
          channels, frames = map(int, name.split("-")[1:])
          found, rate = soundfile.read(name, dtype="float64", always_2d=True)
          expected = numpy.fromfile(name + ".f64").reshape(frames, channels)
          assert rate == 11025 and found.shape == expected.shape, (name, rate, found.shape)
          assert (found == expected).all(), name
          print(soundfile.info(name).subtype)
      """
    let run = try Tool.run(
      "python3", ["-c", script] + files.map(\.name), in: fixture.folder.path)
    #expect(run.status == 0, "\(run.errorText)")
    let isUnsigned = ["wav", "wavex", "rf64", "w64", "aifc"].contains(id)
    let names: [SampleFormat: String] = [
      .int8: isUnsigned ? "PCM_U8" : "PCM_S8", .int16: "PCM_16", .int24: "PCM_24",
      .int32: "PCM_32", .float32: "FLOAT", .float64: "DOUBLE",
    ]
    #expect(
      run.outputText.split(separator: "\n").map(String.init) == files.map { names[$0.format] ?? "" }
    )
  }

  @Test(arguments: containers)
  func ffmpegReadsWhatIsWritten(id: String) throws {
    let fixture = try AudioFixture()
    let files = try writeAll(id, in: fixture).filter { $0.frames > 0 }
    for format in SampleFormat.allCases {
      let some = files.filter { $0.format == format }
      let found = try decode(some.map(\.name), in: fixture)
      for (file, values) in zip(some, found) {
        #expect(values == file.values, "\(file.name)")
      }
    }
  }

  /// sox has integers of 32 bits inside, no RF64, and of AIFF-C 16 bits.
  @Test(arguments: containers.filter { $0 != "rf64" })
  func soxReadsWhatIsWritten(id: String) throws {
    let fixture = try AudioFixture()
    for file in try writeAll(id, in: fixture) where file.frames == 9 && !file.format.isFloat {
      if id == "aifc", file.format != .int16 { continue }
      let kind = id == "wavex" ? "wav" : id
      let found = try fixture.run(
        "sox", "-D", "-t", kind, file.name, "-t", "raw", "-e", "signed", "-b", "32", "-L", "-"
      ).output.integers(as: Int32.self)
      #expect(found.map { Double($0) / 0x1p31 } == file.values, "\(file.name)")
    }
  }

  @Test(arguments: containers)
  func whatIsWrittenIsRead(id: String) throws {
    let fixture = try AudioFixture()
    for file in try writeAll(id, in: fixture) {
      let read = try fixture.read(file.name, as: Double.self)
      #expect(read.samples == file.values, "\(file.name)")
      #expect(read.source.sampleFormat == file.format)
      #expect(read.source.frameCount == file.frames)
      #expect(read.source.warnings.map(\.text) == [])
      #expect(read.source.notCarried == [])
    }
  }

  // MARK: Reading

  /// ffmpeg's encoders, by container.
  private static let encoders: [(kind: String, codecs: [String])] = [
    (
      "wav",
      [
        "pcm_u8", "pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le", "pcm_f64le", "pcm_alaw",
        "pcm_mulaw",
      ]
    ),
    (
      "w64",
      ["pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le", "pcm_f64le", "pcm_alaw", "pcm_mulaw"]
    ),
    (
      "aiff",
      [
        "pcm_s8", "pcm_s16be", "pcm_s24be", "pcm_s32be", "pcm_s16le", "pcm_f32be", "pcm_f64be",
        "pcm_alaw", "pcm_mulaw",
      ]
    ),
    (
      "caf",
      [
        "pcm_s8", "pcm_s16be", "pcm_s16le", "pcm_s24be", "pcm_s24le", "pcm_s32be", "pcm_s32le",
        "pcm_f32be", "pcm_f32le", "pcm_f64be", "pcm_f64le", "pcm_alaw", "pcm_mulaw",
      ]
    ),
    (
      "au",
      [
        "pcm_s8", "pcm_s16be", "pcm_s24be", "pcm_s32be", "pcm_f32be", "pcm_f64be", "pcm_alaw",
        "pcm_mulaw",
      ]
    ),
  ]

  @Test(arguments: encoders.map(\.kind), [1, 2, 6])
  func encodingsOfFFmpegAreRead(kind: String, channels: Int) throws {
    let fixture = try AudioFixture()
    let codecs = try #require(Self.encoders.first { $0.kind == kind }?.codecs)
    try fixture.put("x.raw", Signal.samples(4008, as: Double.self).flatMap(Self.bytes))
    for codec in codecs {
      // More than one block of reading.
      try fixture.run(
        "ffmpeg", "-v", "error", "-f", "f64le", "-ar", "8000", "-ac", "\(channels)", "-stream_loop",
        "29", "-i", "x.raw", "-c:a", codec, "\(codec).\(kind)")
    }
    let names = codecs.map { "\($0).\(kind)" }
    for (name, expected) in zip(names, try decode(names, in: fixture)) {
      let read = try fixture.read(name, as: Double.self)
      #expect(read.samples == expected, "\(name)")
      try checkSeeking(name, expected, channels: channels, in: fixture)
    }
  }

  @Test(arguments: RawPCM.Encoding.allCases)
  func headerlessEncodingsAreRead(encoding: RawPCM.Encoding) throws {
    let fixture = try AudioFixture()
    let name = encoding == .ulaw ? "mulaw" : encoding.rawValue
    try fixture.put("x", (0..<4080).map { UInt8(truncatingIfNeeded: $0 &* 37 ^ $0 >> 4) })
    let expected = try fixture.run(
      "ffmpeg", "-v", "error", "-f", name, "-ar", "8000", "-ac", "2", "-i", "x", "-f", "f64le",
      "-c:a", "pcm_f64le", "-"
    ).output.doubles
    var input = try InputFile(path: fixture.path("x"))
    input.raw = RawPCM(encoding: encoding, spec: AudioSpec(sampleRate: 8000, layout: .stereo))
    let reader = try AudioFile.reader(for: input, salvaging: false)
    var samples = [Double](repeating: 9, count: 4096)
    var span = samples.mutableSpan
    let frames = try reader.read(into: &span)
    #expect(frames == expected.count / 2)
    // Values that are not finite become silence.
    let usable = expected.map { $0.magnitude < 0x1p1000 ? $0 : 0 }
    #expect(Array(samples.prefix(2 * frames)) == usable)
  }

  /// Big-endian WAV, little-endian AU, and the little-endian codes of AIFF-C.
  @Test func otherByteOrdersAreRead() throws {
    let fixture = try AudioFixture()
    for bits in [16, 24, 32] {
      try fixture.run(
        "sox", "-R", "-n", "-r", "8000", "-c", "3", "-b", "\(bits)", "x.wav", "synth", "0.1",
        "pinknoise")
      let expected = try decode(["x.wav"], in: fixture)[0]
      try fixture.run("sox", "-D", "x.wav", "-B", "big.wav")
      try fixture.run(
        "sndfile-convert", "-pcm\(bits)", "-endian=little", "x.wav", "little.au")
      #expect(try fixture.bytes("big.wav").starts(with: Array("RIFX".utf8)))
      #expect(try fixture.bytes("little.au").starts(with: Array("dns.".utf8)))
      for name in ["big.wav", "little.au"] {
        #expect(try fixture.read(name, as: Double.self).samples == expected, "\(name) \(bits)")
      }
      if bits == 16 { continue }
      // The bytes of each sample, and the code, in the other order.
      let code = bits == 24 ? "in24" : "in32"
      try fixture.run("sndfile-convert", "-pcm\(bits)", "-endian=big", "x.wav", "y.aifc")
      var bytes = try fixture.bytes("y.aifc")
      let text = Array(code.utf8)
      let place = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
      bytes.replaceSubrange(place..<place + 4, with: text.reversed())
      let start =
        try #require(
          bytes.indices.first { bytes[$0...].starts(with: Array("SSND".utf8)) }) + 16
      for sample in stride(from: start, to: start + expected.count * bits / 8, by: bits / 8) {
        for byte in 0..<bits / 16 { bytes.swapAt(sample + byte, sample + bits / 8 - 1 - byte) }
      }
      try fixture.put("y.aifc", bytes)
      #expect(try fixture.read("y.aifc", as: Double.self).samples == expected, "\(code)")
    }
  }

  /// libsndfile opens no CAF with more than 100 KB before the audio.
  @Test func longMetadataFollowsTheAudioOfCAF() throws {
    let fixture = try AudioFixture()
    let samples = Signal.tones(frames: 999, channels: 2)
    for length in [100, 32_000, 40_000, 200_000] {
      var metadata = Metadata()
      let text = String(repeating: "long ", count: length / 5)
      metadata.comments = [.init(name: "COMMENT", value: text)]
      metadata.marks = [.init(id: 1, start: 10, label: "here")]
      try fixture.write("x.caf", samples, as: "caf", layout: .stereo, metadata: metadata)
      let info = try fixture.run("sndfile-info", "x.caf").outputText
      #expect(info.contains("Frames      : 999"))
      if length < 1 << 15 { #expect(try fixture.decodeWithFFmpeg("x.caf") == samples) }
      let read = try fixture.read("x.caf")
      #expect(read.samples == samples)
      #expect(read.source.metadata.values("COMMENT") == [text])
      #expect(read.source.metadata.marks.map(\.label) == ["here"])
    }
  }

  // MARK: Support

  private static func bytes(_ value: Double) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) }
  }

  /// The samples of several files as ffmpeg decodes them, in one run.
  private func decode(_ names: [String], in fixture: AudioFixture) throws -> [[Double]] {
    let outputs = names.indices.flatMap { index in
      ["-map", "\(index):a:0", "-f", "f64le", "-c:a", "pcm_f64le", "decoded-\(index).raw"]
    }
    let decoded = try Tool.run(
      "ffmpeg", ["-v", "error", "-y"] + names.flatMap { ["-i", $0] } + outputs,
      in: fixture.folder.path)
    try #require(decoded.status == 0, "\(decoded.errorText)")
    return try names.indices.map { try fixture.bytes("decoded-\($0).raw").doubles }
  }

  private func checkSeeking(
    _ name: String, _ samples: [Double], channels: Int, in fixture: AudioFixture
  ) throws {
    let input = try InputFile(path: fixture.path(name))
    let reader = try AudioFile.reader(for: input, salvaging: false)
    let frames = samples.count / channels
    for frame in [frames - 1, 0, 1, frames / 3, frames / 3, frames] {
      try reader.seek(toFrame: frame)
      var block = [Double](repeating: 9, count: 7 * channels)
      var span = block.mutableSpan
      let got = try reader.read(into: &span)
      #expect(got == min(7, frames - frame))
      let expected = samples[frame * channels..<(frame + got) * channels]
      #expect(block.prefix(got * channels).elementsEqual(expected), "\(name) from \(frame)")
    }
  }
}
