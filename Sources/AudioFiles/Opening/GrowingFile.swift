package import AudioIO
internal import AudioModel

extension AudioFile {
  /// Opens a file that is being written: the reader delivers what can be decoded completely from the current bytes.
  ///
  /// A WAV file whose header counts fewer bytes than it has is read to its end.
  package static func growingReader(
    for input: borrowing InputFile
  ) throws(AudioFileError) -> any FrameStream {
    guard input.raw == nil, let (raw, start) = try GrowingWAV.samples(of: input) else {
      return try reader(for: input, salvaging: true)
    }
    var samples = try InputFile(input, bytes: start..<input.size)
    samples.raw = raw
    return try reader(for: samples, salvaging: true)
  }
}

/// The samples of a WAV file whose header counts fewer bytes than it has.
private enum GrowingWAV {
  /// The maximum number of chunks to examine.
  private static let maximumChunks = 64

  /// The offset and the declaration of its samples; `nil` for all other files, including complete WAV files.
  static func samples(
    of input: borrowing InputFile
  ) throws(AudioFileError) -> (RawPCM, start: Int)? {
    let start = try input.bytes(at: 0, count: 12)
    guard start.count == 12, start.starts(with: "RIFF".utf8), start[8...].elementsEqual("WAVE".utf8)
    else { return nil }
    var offset = 12
    var raw: RawPCM?
    for _ in 0..<maximumChunks {
      let head = try input.bytes(at: offset, count: 8)
      guard head.count == 8 else { return nil }
      let size = number(head[4..<8])
      let end = offset + 8 + size
      if head.starts(with: "fmt ".utf8) {
        raw = encoding(try input.bytes(at: offset + 8, count: min(size, 40)))
      } else if head.starts(with: "data".utf8) {
        // Without a size, everything is read anyway.
        guard let raw, size > 0, end < input.size, try !isChunk(input, end + size % 2) else {
          return nil
        }
        return (raw, offset + 8)
      }
      offset = end + size % 2
    }
    return nil
  }

  /// True if a chunk begins at an offset, or the file ends there.
  private static func isChunk(
    _ input: borrowing InputFile, _ offset: Int
  ) throws(AudioFileError) -> Bool {
    let head = try input.bytes(at: offset, count: 8)
    guard head.count == 8 else { return true }
    return head[..<4].allSatisfy { (0x20...0x7E).contains($0) }
      && offset + 8 + number(head[4..<8]) <= input.size
  }

  /// The encoding that a `fmt ` chunk states, if it is PCM or floating point.
  private static func encoding(_ format: [UInt8]) -> RawPCM? {
    guard format.count >= 16 else { return nil }
    var tag = number(format[0..<2])
    let (channels, rate, bits) = (
      number(format[2..<4]), number(format[4..<8]), number(format[14..<16])
    )
    if tag == 0xFFFE, format.count >= 26 { tag = number(format[24..<26]) }
    guard (1...2).contains(channels), RawPCM.sampleRateRange.contains(rate) else { return nil }
    let encoding: RawPCM.Encoding
    switch (tag, bits) {
    case (1, 8): encoding = .u8
    case (1, 16): encoding = .s16le
    case (1, 24): encoding = .s24le
    case (1, 32): encoding = .s32le
    case (3, 32): encoding = .f32le
    case (3, 64): encoding = .f64le
    default: return nil
    }
    return RawPCM(
      encoding: encoding,
      spec: AudioSpec(sampleRate: rate, layout: .assumed(channelCount: channels)))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    Int(truncatingIfNeeded: bytes.littleEndianValue)
  }
}
