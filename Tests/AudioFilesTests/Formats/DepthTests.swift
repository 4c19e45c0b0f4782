import AudioFiles
import AudioModel
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AudioIO

/// Every depth of every lossless format that is written: the samples as another program decodes them,
/// and as the reader gives them.
@Suite("Depths in files")
struct DepthTests {
  /// A format, one of its depths, and who decodes it.
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let format: SampleFormat
    var testDescription: String { "\(id) \(format)" }

    /// Raw samples are read only as they are declared.
    static let all = AudioFormat.all.filter { $0.isWritable && $0.container != .raw }.flatMap {
      row in
      row.sampleFormats.map { Case(id: row.id, format: $0) }
    }

    /// The program that decodes the file to 64-bit floats; ffmpeg 5.1 decodes no FLAC of 32 bits.
    var program: String {
      switch id {
      case "flac", "oga": format == .int32 ? "flac" : "ffmpeg"
      default: "ffmpeg"
      }
    }
  }

  @Test(arguments: Case.all)
  func samplesAreExact(_ test: Case) throws {
    switch test.format {
    case .int8: try check(test, Int8.self)
    case .int16: try check(test, Int16.self)
    case .int24: try check(test, Int24.self)
    case .int32: try check(test, Int32.self)
    case .float32: try check(test, Float.self)
    case .float64: try check(test, Double.self)
    }
  }

  private func check<Sample: PCMSample>(_ test: Case, _: Sample.Type) throws {
    let fixture = try AudioFixture()
    let row = try #require(AudioFormat.named(test.id))
    let name = "x.\(row.extensions[0])"
    let samples = Signal.samples(4099 * 2, as: Sample.self)
    try fixture.write(name, samples, as: row, channels: 2, rate: 44100)

    let values = samples.map(\.normalized)
    #expect(try decode(name, test, fixture) == values)
    if row.id == "flac" { try fixture.run("flac", "-t", "-s", "-w", name) }

    let read = try fixture.read(name, as: Sample.self)
    #expect(read.samples == samples)
    #expect(read.source.sampleFormat == test.format)
    #expect(read.source.warnings.map(\.text) == [])
    #expect(read.clipped == 0)
    #expect(try fixture.read(name, as: Double.self).samples == values)
  }

  private func decode(_ name: String, _ test: Case, _ fixture: AudioFixture) throws -> [Double] {
    switch test.program {
    case "flac":
      let ogg = test.id == "oga" ? "--ogg" : "--no-ogg"
      let raw = try fixture.run(
        "flac", "-d", "-s", "-c", ogg == "--ogg" ? ogg : "-F", "--force-raw-format",
        "--endian=little", "--sign=signed", name
      ).output
      return raw.integers(as: Int32.self).map { Double($0) / 0x1p31 }
    default:
      return try fixture.run(
        "ffmpeg", "-v", "error", "-i", name, "-f", "f64le", "-c:a", "pcm_f64le", "-"
      ).output.doubles
    }
  }

  /// A header that holds the time of its making would make two equal runs differ.
  @Test(arguments: ["wav", "wavex", "rf64", "aiff", "caf"])
  func floatFilesHaveNoPeakChunk(id: String) throws {
    let fixture = try AudioFixture()
    let row = try #require(AudioFormat.named(id))
    try fixture.write("x", Signal.samples(100, as: Float.self), as: row, channels: 2, rate: 8000)
    let text = String(decoding: try fixture.bytes("x"), as: UTF8.self)
    #expect(!text.contains("PEAK") && !text.contains("peak"))
  }

  /// Encodings of fewer significant bits than their container: nothing is lost or added.
  @Test(arguments: [4, 5, 7, 8, 9, 12, 16, 17, 20, 23, 24, 25, 31, 32])
  func oddDepthsOfFLACKeepEveryBit(bits: Int) throws {
    let fixture = try AudioFixture()
    let bytes = (bits + 7) / 8
    let highest = Int64(1) << Int64(bits - 1)
    let values = (0..<4000).map { index -> Int32 in
      let edges = [highest - 1, -highest, 0, -1, 1]
      if index < edges.count { return Int32(edges[index]) }
      return Int32(truncatingIfNeeded: Int64(index) &* 2_654_435_761) >> Int32(32 - bits)
    }
    // Extensible WAV holds fewer bits than its bytes have in the upper ones; single bytes are unsigned.
    let data = values.flatMap { value in
      let shifted = value << Int32(8 * bytes - bits) ^ (bytes == 1 ? 0x80 : 0)
      return (0..<bytes).map { UInt8(truncatingIfNeeded: shifted >> Int32(8 * $0)) }
    }
    var wave = Wave.file(channels: 1, bits: 8 * bytes, mask: 4, data: data)
    wave[38] = UInt8(bits)
    try fixture.put("x.wav", wave)
    try fixture.run("flac", "-s", "--lax", "-o", "x.flac", "x.wav")
    let read = try fixture.read("x.flac", as: Double.self)
    #expect(read.samples == values.map { Double($0) / Double(highest) })
    let narrowest = SampleFormat.allCases.first { !$0.isFloat && $0.bitDepth >= bits }
    #expect(read.source.sampleFormat == narrowest)
  }

  /// A file that was cut within a sample keeps its whole samples, unchanged.
  @Test(arguments: ["wav", "rf64", "w64", "aiff", "caf", "au"], [SampleFormat.int24, .float64])
  func cutFilesAreReportedAndSalvaged(id: String, format: SampleFormat) throws {
    let fixture = try AudioFixture()
    let row = try #require(AudioFormat.named(id))
    let values = Signal.samples(4000, as: Int24.self)
    if format == .int24 {
      try fixture.write("x", values, as: row, channels: 2, rate: 8000)
    } else {
      try fixture.write("x", values.map(\.normalized), as: row, channels: 2, rate: 8000)
    }
    let whole = try fixture.bytes("x")
    // Off the last frame and half of the one before.
    let frameBytes = 2 * format.bitDepth / 8
    try fixture.put("x", whole.prefix(whole.count - frameBytes - frameBytes / 2))
    #expect(throws: AudioFileError.self) { try fixture.read("x", as: Double.self) }
    let rest = try fixture.read("x", as: Double.self, salvaging: true)
    #expect(rest.source.sampleFormat == format)
    #expect(rest.samples == values.map(\.normalized).dropLast(4))
  }

  /// FFmpeg writes Wave64 with extensible headers, which libsndfile takes for integers.
  @Test(arguments: ["pcm_f32le", "pcm_f64le", "pcm_s24le", "pcm_s32le", "pcm_u8"])
  func extensibleWave64KeepsItsEncoding(codec: String) throws {
    let fixture = try AudioFixture()
    let volume = codec.hasPrefix("pcm_f") ? 2 : 1
    try fixture.run(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i",
      "aevalsrc=\(volume)*(2*random(0)-1)|random(1):s=44100:d=0.1,aresample=44100", "-c:a", codec,
      "x.w64")
    let expected = try fixture.run(
      "ffmpeg", "-v", "error", "-i", "x.w64", "-f", "f64le", "-c:a", "pcm_f64le", "-"
    ).output.doubles
    let read = try fixture.read("x.w64", as: Double.self)
    // FFmpeg counts the padding to 8 bytes that it writes as audio.
    #expect(read.samples.prefix(8820) == expected.prefix(8820))
    #expect(read.source.frameCount - 4410 < 4)
    #expect(read.source.sampleFormat?.isFloat == codec.hasPrefix("pcm_f"))
  }

  @Test func nonFiniteSamplesAreCounted() throws {
    let fixture = try AudioFixture()
    let values: [Double] = [0.5, .nan, .infinity, -.infinity, 3, -.nan, 1e305, -0.25]
    let expected = [0.5, 0, 0, 0, 3, 0, 0, -0.25]
    let doubles = values.flatMap { value in
      (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) }
    }
    try fixture.put("64.wav", Wave.file(channels: 1, bits: 64, tag: 3, data: doubles))
    let floats = values.flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: Float(value).bitPattern >> (8 * UInt32($0))) }
    }
    try fixture.put("32.wav", Wave.file(channels: 1, bits: 32, tag: 3, data: floats))
    for name in ["64.wav", "32.wav"] {
      let read = try fixture.read(name, as: Double.self)
      #expect(read.samples == expected)
      #expect(read.nonFinite == 5)
      #expect(read.clipped == 0)
      let short = try fixture.read(name, as: Int16.self)
      #expect(short.samples == [16384, 0, 0, 0, 32767, 0, 0, -8192])
      #expect(short.nonFinite == 5)
      #expect(short.clipped == 1)
    }
  }
}

extension Signal {
  /// The edges of a type's range, then noise over all of it; floats also go beyond full scale.
  static func samples<Sample: PCMSample>(_ count: Int, as _: Sample.Type) -> [Sample] {
    let most = Sample.format.isFloat ? 5.25 : Sample.fullScale - 1
    let edges = [most, -Sample.fullScale, 0, 1, -1, most].map { Sample(nearest: $0) }
    var state: UInt64 = 88_172_645_463_325_252
    return edges
      + (edges.count..<count).map { _ in
        // Marsaglia, "Xorshift RNGs" (2003).
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        let value = Double(Int64(bitPattern: state) >> 12) / 0x1p51
        return Sample(nearest: value * (Sample.fullScale - (Sample.format.isFloat ? 0 : 1)))
      }
  }
}

extension AudioFixture {
  /// A reader's description of a file, and all its samples in a type.
  func read<Sample: PCMSample>(
    _ name: String, as _: Sample.Type, salvaging: Bool = false
  ) throws -> (source: SourceDescription, samples: [Sample], clipped: Int, nonFinite: Int) {
    let input = try InputFile(path: path(name))
    let reader = try AudioFile.reader(for: input, salvaging: salvaging)
    let channels = reader.source.spec.channelCount
    var samples: [Sample] = []
    var block = [Sample](repeating: Sample(nearest: -77), count: 1009 * channels)
    while true {
      var span = block.mutableSpan
      let frames = try reader.read(into: &span)
      if frames == 0 { break }
      samples += block[0..<frames * channels]
    }
    return (reader.source, samples, reader.clipping.count, reader.nonFiniteSamples)
  }

  /// Writes interleaved samples as their own type.
  func write<Sample: PCMSample>(
    _ name: String, _ samples: [Sample], as row: AudioFormat, channels: Int, rate: Int
  ) throws {
    let output = try OutputFile(path: path(name))
    let writer = try AudioFile.writer(
      to: output,
      as: OutputDescription(
        spec: AudioSpec(sampleRate: rate, layout: .assumed(channelCount: channels)),
        frameCount: samples.count / channels, format: row, options: EncodingOptions(),
        metadata: Metadata(), sourceBitRate: nil, sampleFormat: Sample.format))
    var position = 0
    while position < samples.count {
      let end = min(position + 997 * channels, samples.count)
      try writer.write(samples[position..<end].span)
      position = end
    }
    try writer.finish()
    try output.commit(replacing: true)
  }
}

extension [UInt8] {
  /// Little-endian integers.
  func integers<Value: FixedWidthInteger>(as _: Value.Type) -> [Value] {
    let width = Value.bitWidth / 8
    return stride(from: 0, to: count - count % width, by: width).map { start in
      (0..<width).reduce(Value(0)) {
        $0 | Value(truncatingIfNeeded: self[start + $1]) << Value(8 * $1)
      }
    }
  }

  /// Little-endian 64-bit floating-point numbers.
  var doubles: [Double] { integers(as: UInt64.self).map { Double(bitPattern: $0) } }
}
