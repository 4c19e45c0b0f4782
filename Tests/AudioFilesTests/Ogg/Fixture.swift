import AudioModel
import Foundation
import SystemPackage
import TestSupport

@testable import AudioFiles
@testable import AudioIO

/// Integer PCM made here and now, written to WAV and raw files without the code under test.
struct Fixture {
  var sampleRate = 44100
  var channels: Int
  var bits = 16
  /// A WAVE channel mask, for WAVE_FORMAT_EXTENSIBLE; `nil` for a plain header.
  var mask: UInt32?
  /// Interleaved, of `bits` significant bits.
  var samples: [Int32]

  var frames: Int { samples.count / channels }

  /// Tones with some noise, different in every channel, the same at every call.
  static func music(frames: Int, channels: Int, bits: Int = 16, rate: Int = 44100) -> Fixture {
    var seed: UInt32 = 12345
    let scale = Double(Int64(1) << Int64(bits - 1)) * 0.5
    var samples: [Int32] = []
    for frame in 0..<frames {
      for channel in 0..<channels {
        seed = seed &* 1_664_525 &+ 1_013_904_223
        let noise = Double(seed >> 8) / Double(1 << 24) - 0.5
        let tone = sin(Double(frame) * 0.02 * Double(channel + 1))
        samples.append(Int32((tone * 0.9 + noise * 0.1) * scale))
      }
    }
    return Fixture(sampleRate: rate, channels: channels, bits: bits, samples: samples)
  }

  /// White noise at full scale, which no codec makes small.
  static func noise(frames: Int, channels: Int) -> Fixture {
    var seed: UInt32 = 99
    let samples = (0..<frames * channels).map { _ -> Int32 in
      seed = seed &* 1_664_525 &+ 1_013_904_223
      return Int32(Int16(truncatingIfNeeded: Int32(bitPattern: seed) >> 16))
    }
    return Fixture(channels: channels, samples: samples)
  }

  /// The samples as raw bytes: little-endian, unsigned when of 8 bits as WAV has them.
  var raw: [UInt8] {
    let bytes = (bits + 7) / 8
    var raw: [UInt8] = []
    raw.reserveCapacity(samples.count * bytes)
    for sample in samples {
      let value = bytes == 1 ? sample + 128 : sample
      for byte in 0..<bytes { raw.append(UInt8(truncatingIfNeeded: value >> Int32(8 * byte))) }
    }
    return raw
  }

  func writeWAV(to path: FilePath) throws {
    let bytes = (bits + 7) / 8
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var format = number(mask == nil ? 1 : 0xFFFE, 2) + number(channels, 2)
    format += number(sampleRate, 4) + number(sampleRate * channels * bytes, 4)
    format += number(channels * bytes, 2) + number(bytes * 8, 2)
    if let mask {
      format += number(22, 2) + number(bits, 2) + number(Int(mask), 4) + number(1, 2)
      format += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    let data = raw
    var file = Array("RIFF".utf8) + number(20 + format.count + data.count, 4)
    file += Array("WAVEfmt ".utf8) + number(format.count, 4) + format
    file += Array("data".utf8) + number(data.count, 4) + data
    try Files.write(file, to: path)
  }
}

/// Whole files as bytes.
enum Files {
  static func write(_ bytes: [UInt8], to path: FilePath) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path.string))
  }

  static func read(_ path: FilePath) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path.string)))
  }
}

/// A file read to its end through the reader under test.
struct Decoded {
  var source: SourceDescription
  var samples: [Int16]
  var clippedSamples: Int

  /// Reads in blocks of changing, odd sizes into buffers filled with rubbish.
  init(_ path: FilePath, salvaging: Bool = false) throws {
    let input = try InputFile(path: path)
    let reader = try AudioFile.reader(for: input, salvaging: salvaging)
    let channels = reader.source.spec.channelCount
    samples = []
    var size = 7
    while true {
      var buffer = [Int16](repeating: 0x5A5A, count: size * channels + channels / 2)
      var span = buffer.mutableSpan
      let frames = try reader.read(into: &span)
      if frames == 0 { break }
      samples += buffer.prefix(frames * channels)
      size = size * 3 % 4099 + 1
    }
    source = reader.source
    clippedSamples = reader.clipping.count
  }

  var frames: Int { samples.count / source.spec.channelCount }
}

/// The error that reading a file ends with; `nil` when it reads to its end.
func readingError(_ path: FilePath, salvaging: Bool = false) -> AudioFileError? {
  do {
    _ = try Decoded(path, salvaging: salvaging)
    return nil
  } catch {
    return error as? AudioFileError
  }
}

extension OutputDescription {
  /// The file that a writer under test is to make.
  static func of(
    _ format: String, frames: Int, layout: ChannelLayout, rate: Int = 44100,
    options: EncodingOptions = EncodingOptions(), metadata: Metadata = Metadata(),
    sourceBitRate: Int? = nil
  ) throws -> OutputDescription {
    guard let row = AudioFormat.named(format) else { throw AudioFileError.notAudio("table") }
    return OutputDescription(
      spec: AudioSpec(sampleRate: rate, layout: layout), frameCount: frames, format: row,
      options: options, metadata: metadata, sourceBitRate: sourceBitRate)
  }
}

/// Writes a file through the writer under test, in blocks of odd sizes; returns what it could not hold.
@discardableResult
func encode(
  _ samples: [Int16], as description: OutputDescription, to path: FilePath
) throws -> [String] {
  let output = try OutputFile(path: path)
  let writer = try AudioFile.writer(to: output, as: description)
  let channels = description.spec.channelCount
  var start = 0
  var size = 5
  while start < samples.count {
    let end = min(samples.count, start + size * channels)
    try writer.write(samples.span.extracting(start..<end))
    start = end
    size = size * 3 % 4099 + 1
  }
  try writer.finish()
  try output.commit(replacing: true)
  return writer.notCarried.map(\.text)
}
